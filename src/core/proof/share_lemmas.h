/* The shares of a run: their lemmas, and the contracts of run.c. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_PROOF_SHARE_LEMMAS_H
#define TENSORPAD_CORE_PROOF_SHARE_LEMMAS_H

/*@ logic integer lines_of(integer cells, integer line) =
        cells / line + (cells % line != 0 ? 1 : 0);

    logic integer line_of(integer lines, integer part, integer parts) =
        lines / parts * part + (part < lines % parts ? part : lines % parts);

    logic integer share(integer cells, integer line, integer part, integer parts) =
        line_of(lines_of(cells, line), part, parts) < lines_of(cells, line)
            ? line_of(lines_of(cells, line), part, parts) * line : cells;

    lemma no_more: \forall integer q, a, b; 0 <= q && a <= b ==> q * a <= q * b;

    lemma lines_in_order: \forall integer n, a, b, parts; 0 <= n && 0 <= a <= b && 0 < parts ==>
        0 <= line_of(n, a, parts) <= line_of(n, b, parts);

    lemma zeroth_line: \forall integer n, parts; 0 <= n && 0 < parts ==> line_of(n, 0, parts) == 0;

    lemma all_lines: \forall integer n, parts; 0 <= n && 0 < parts ==>
        line_of(n, parts, parts) == n;

    lemma lines_fit: \forall integer cells, line, k; 0 <= cells && 0 < line &&
        0 <= k < lines_of(cells, line) ==> 0 <= k * line < cells;

    lemma share_fits: \forall integer cells, line, part, parts;
        0 < cells && 0 < line && 0 <= part && 0 < parts &&
        line_of(lines_of(cells, line), part, parts) < lines_of(cells, line) ==>
            0 <= line_of(lines_of(cells, line), part, parts) * line < cells;

    // What the threads rely on: shares follow each other, from the first cell to the last.
    lemma shares_begin: \forall integer cells, line, parts; 0 < cells && 0 < line && 0 < parts ==>
        share(cells, line, 0, parts) == 0;

    lemma shares_end: \forall integer cells, line, parts; 0 < cells && 0 < line && 0 < parts ==>
        share(cells, line, parts, parts) == cells;

    lemma shares_in_order: \forall integer cells, line, a, b, parts;
        0 < cells && 0 < line && 0 <= a <= b <= parts && 0 < parts ==>
            0 <= share(cells, line, a, parts) <= share(cells, line, b, parts) <= cells; */

/*@ requires 0 <= lines && 0 <= part <= parts && 1 <= parts;
    assigns \nothing;
    ensures 0 <= \result <= lines && \result == line_of(lines, part, parts); */
static int64_t first_line(int64_t lines, int64_t part, int64_t parts);

/*@ requires \valid_read(p) && 1 <= p->cells && 1 <= p->cell;
    requires (p->cell_unit == 1 || p->cell_unit == 8) && 0 <= part <= parts && 1 <= parts;
    assigns \nothing;
    ensures \let line = LINE_BYTES * 8 / p->cell_unit / p->cell;
        \result == share(p->cells, line > 1 ? line : 1, part, parts); */
static int64_t share_begin(const plan *p, int64_t part, int64_t parts);

#endif
