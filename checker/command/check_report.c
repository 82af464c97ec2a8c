/* The findings of `tensorpad check` in all models.  SPDX-License-Identifier: MIT */
#include "check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command/error_report.h"
#include "command/output.h"
#include "formats/port/system.h"
#include "models/lowering/lowering.h"

/* ---- Texts ----------------------------------------------------------------------------------- */

static void write_shape(FILE *out, int32_t rank, const int64_t *shape)
{
    if (rank < 0) {
        fputs("[...]", out);
        return;
    }
    fputc('[', out);
    for (int32_t i = 0; i < rank; i++) {
        if (i) fputc(',', out);
        if (shape[i] < 0)
            fputc('?', out);
        else
            fprintf(out, "%" PRId64, shape[i]);
    }
    fputc(']', out);
}

void report_write_look(FILE *out, const tpad_pad_node *pad)
{
    if (pad->version > 0)
        fprintf(out, "Pad-%d ", (int)pad->version);
    else
        fputs("Pad-? ", out);
    write_plain(out, pad->mode ? pad->mode : "mode ?");
    fputc(' ', out);
    write_plain(out, pad->type_name ? pad->type_name : "type ?");
    fputc(' ', out);
    write_shape(out, pad->in_rank, pad->in_shape);
    fputs(" -> ", out);
    write_shape(out, pad->out_rank, pad->out_shape);
}

static void write_numbers(FILE *out, const char *before, int32_t count, const int64_t *numbers)
{
    for (int32_t i = 0; i < count; i++) fprintf(out, "%s%" PRId64, i ? "," : before, numbers[i]);
}

/* The look and the known arguments. */
static void write_arguments(FILE *out, const tpad_pad_node *pad)
{
    report_write_look(out, pad);
    write_numbers(out, ", begin ", pad->pads_count, pad->begin);
    write_numbers(out, ", end ", pad->pads_count, pad->end);
    write_numbers(out, ", axes ", pad->axes_count, pad->axes);
    if (!pad->value || !pad->mode || strcmp(pad->mode, "constant") != 0 ||
        strcmp(pad->value, "0") == 0)
        return;
    fputs(", value ", out);
    write_plain(out, pad->value);
}

/* What `writer` writes, freed by the caller; NULL: out of memory. */
static char *text_of(void (*writer)(FILE *out, const tpad_pad_node *pad), const tpad_pad_node *pad,
                     const char *plain)
{
    system_text text;
    FILE *out = system_text_begin(&text);
    if (out && writer) writer(out, pad);
    if (out && plain) write_plain(out, plain);
    system_text_end(&text);
    return text.text;
}

/* ---- Collecting ------------------------------------------------------------------------------ */

void report_begin(check_report *report, const target_list *targets)
{
    report->targets = targets;
}

void report_model_add(check_report *report, const char *path, const char *error)
{
    report_model *model = calloc(1, sizeof *model);
    memset(report->buckets, 0, sizeof report->buckets);
    if (!model) {
        report->failed = 1;
        return;
    }
    if (report->last)
        report->last->next = model;
    else
        report->models = model;
    report->last = model;
    model->last_pad = &model->pads;
    model->path = text_of(NULL, NULL, path);
    if (error) model->error = text_of(NULL, NULL, error);
    report->failed |= !model->path || (error && !model->error);
}

static unsigned hash_of(const char *text)
{
    unsigned hash = 5381;
    for (; *text; text++) hash = hash * 33 + (unsigned char)*text;
    return hash % REPORT_BUCKETS;
}

static int is_like(const check_report *report, const report_pad *pad, const char *look,
                   const check_verdict *verdicts)
{
    if (strcmp(pad->look, look) != 0) return 0;
    for (int32_t k = 0; k < report->targets->count; k++) {
        const report_verdict *known = &pad->verdicts[k];
        const tpad_rules_finding *finding = &verdicts[k].found;
        if (known->kind != finding->verdict.kind || known->code != finding->verdict.code ||
            known->accepted != verdicts[k].accepted ||
            (known->text && strcmp(known->text, finding->text) != 0))
            return 0;
    }
    return 1;
}

static int copy_verdicts(report_pad *pad, int32_t count, const check_verdict *verdicts)
{
    pad->verdicts = calloc((size_t)count, sizeof *pad->verdicts);
    if (!pad->verdicts) return 0;
    for (int32_t k = 0; k < count; k++) {
        const tpad_rules_finding *finding = &verdicts[k].found;
        report_verdict *verdict = &pad->verdicts[k];
        *verdict = (report_verdict){
            .kind = finding->verdict.kind,
            .code = finding->verdict.code,
            .accepted = verdicts[k].accepted,
            .measured = finding->verdict.measured,
            .is_nearest = finding->verdict.choice.is_nearest,
            .needs_extent = finding->verdict.missing == TPAD_RULES_MISSING_EXTENT ||
                            finding->verdict.missing == TPAD_RULES_MISSING_PADS,
        };
        if (verdict->kind == TPAD_RULES_SAME) continue;
        verdict->text = strdup(finding->text);
        if (!verdict->text) return 0;
    }
    return 1;
}

/* Adds an entry to the last model. Takes ownership of the look. */
static report_pad *entry_add(check_report *report, char *look, const check_verdict *verdicts)
{
    report_model *model = report->last;
    report_pad *pad = calloc(1, sizeof *pad);
    report_pad **bucket = &report->buckets[hash_of(look)];
    if (!pad) {
        free(look);
        return NULL;
    }
    pad->look = look;
    pad->last_name = &pad->names;
    *model->last_pad = pad;
    model->last_pad = &pad->next;
    if (!copy_verdicts(pad, report->targets->count, verdicts)) return NULL;
    pad->same_hash = *bucket;
    *bucket = pad;
    return pad;
}

static report_pad *find_or_add(check_report *report, const tpad_pad_node *pad,
                               const check_verdict *verdicts)
{
    char *look = text_of(write_arguments, pad, NULL);
    if (!look) return NULL;
    report_pad *like = report->buckets[hash_of(look)];
    while (like && !is_like(report, like, look, verdicts)) like = like->same_hash;
    if (!like) return entry_add(report, look, verdicts);
    free(look);
    return like;
}

static int name_add(report_pad *entry, const tpad_pad_node *pad)
{
    report_name *name = calloc(1, sizeof *name);
    if (!name) return 0;
    *entry->last_name = name;
    entry->last_name = &name->next;
    name->text = text_of(write_pad_name, pad, NULL);
    return name->text != NULL;
}

report_pad *report_node_add(check_report *report, const tpad_pad_node *pad,
                            const check_verdict *verdicts)
{
    if (report->failed) return NULL;
    report_pad *entry = find_or_add(report, pad, verdicts);
    if (!entry || !name_add(entry, pad)) {
        report->failed = 1;
        return NULL;
    }
    entry->count++;
    report->last->count++;
    return entry;
}

static void pad_free(report_pad *pad, int32_t targets)
{
    for (report_name *name = pad->names, *next; name; name = next) {
        next = name->next;
        free(name->text);
        free(name);
    }
    for (int32_t k = 0; pad->verdicts && k < targets; k++) free(pad->verdicts[k].text);
    free(pad->verdicts);
    free(pad->look);
    free(pad);
}

void report_free(check_report *report)
{
    for (report_model *model = report->models, *next; model; model = next) {
        next = model->next;
        for (report_pad *pad = model->pads, *after; pad; pad = after) {
            after = pad->next;
            pad_free(pad, report->targets->count);
        }
        free(model->path);
        free(model->error);
        free(model);
    }
    free(report->findings);
}

/* ---- Findings -------------------------------------------------------------------------------- */

/* The verdict's finding, added if missing; NULL: out of memory. */
static report_finding *finding_of(check_report *report, const report_verdict *verdict)
{
    for (int32_t i = 0; i < report->finding_count; i++) {
        report_finding *finding = &report->findings[i];
        if (finding->kind == verdict->kind && finding->code == verdict->code &&
            finding->accepted == verdict->accepted)
            return finding;
    }
    const size_t count = (size_t)report->finding_count + 1;
    report_finding *grown = realloc(report->findings, count * sizeof *grown);
    if (!grown) return NULL;
    report->findings = grown;
    report->finding_count++;
    grown += count - 1;
    *grown = (report_finding){
        .kind = verdict->kind, .code = verdict->code, .accepted = verdict->accepted};
    return grown;
}

static int compare(const void *left, const void *right)
{
    const report_finding *a = left, *b = right;
    if (a->accepted != b->accepted) return a->accepted - b->accepted;
    if (a->kind != b->kind) return b->kind - a->kind;
    if (a->measured != b->measured) return b->measured - a->measured;
    return a->code - b->code;
}

static int verdict_add(check_report *report, const report_model *model, const report_pad *pad,
                       int32_t target)
{
    const report_verdict *verdict = &pad->verdicts[target];
    if (verdict->kind == TPAD_RULES_SAME) return 1;
    report_finding *finding = finding_of(report, verdict);
    if (!finding) return 0;
    if (!finding->pad) {
        finding->model = model;
        finding->pad = pad;
        finding->target = target;
    }
    finding->targets |= UINT64_C(1) << target;
    finding->measured |= verdict->measured || verdict->is_nearest;
    finding->needs_extent |= verdict->needs_extent;
    return 1;
}

int report_shows(const report_pad *pad, const report_finding *finding, int32_t target)
{
    const report_verdict *verdict = &pad->verdicts[target];
    return verdict->kind == finding->kind && verdict->code == finding->code &&
           verdict->accepted == finding->accepted;
}

int report_shows_any(const check_report *report, const report_pad *pad,
                     const report_finding *finding)
{
    for (int32_t k = 0; k < report->targets->count; k++)
        if (report_shows(pad, finding, k)) return 1;
    return 0;
}

/* Counts the Pads and models that have it. */
static void count(const check_report *report, report_finding *finding)
{
    for (const report_model *model = report->models; model; model = model->next) {
        const int64_t before = finding->pads;
        for (const report_pad *pad = model->pads; pad; pad = pad->next)
            if (report_shows_any(report, pad, finding)) finding->pads += pad->count;
        finding->models += finding->pads > before;
    }
}

void report_end(check_report *report)
{
    for (const report_model *model = report->models; model && !report->failed; model = model->next)
        for (const report_pad *pad = model->pads; pad && !report->failed; pad = pad->next)
            for (int32_t k = 0; k < report->targets->count && !report->failed; k++)
                report->failed = !verdict_add(report, model, pad, k);
    if (report->failed || report->finding_count == 0) return;
    for (int32_t i = 0; i < report->finding_count; i++) count(report, &report->findings[i]);
    qsort(report->findings, (size_t)report->finding_count, sizeof *report->findings, compare);
}

/* ---- Cells ----------------------------------------------------------------------------------- */

report_cell report_cell_of(const report_model *model, int32_t target)
{
    int64_t counts[REPORT_ACCEPTED + 1] = {0};
    for (const report_pad *pad = model->pads; pad; pad = pad->next) {
        const report_verdict *verdict = &pad->verdicts[target];
        counts[verdict->accepted ? REPORT_ACCEPTED : verdict->kind] += pad->count;
    }
    for (int32_t kind = TPAD_RULES_KINDS - 1; kind > TPAD_RULES_SAME; kind--)
        if (counts[kind]) return (report_cell){kind, counts[kind]};
    return counts[REPORT_ACCEPTED] ? (report_cell){REPORT_ACCEPTED, counts[REPORT_ACCEPTED]}
                                   : (report_cell){TPAD_RULES_SAME, model->count};
}

int report_cell_text(char text[REPORT_CELL_BYTES], const report_model *model, int32_t target)
{
    const report_cell cell = report_cell_of(model, target);
    const char *word = cell.kind == REPORT_ACCEPTED ? "accepted" : tpad_rules_kind_name(cell.kind);
    if (cell.count == model->count) return snprintf(text, REPORT_CELL_BYTES, "%s", word);
    return snprintf(text, REPORT_CELL_BYTES, "%" PRId64 " %s", cell.count, word);
}

/* ---- Targets --------------------------------------------------------------------------------- */

static void write_targets(FILE *out, const check_report *report, uint64_t targets,
                          const char *between)
{
    int written = 0;
    for (int32_t k = 0; k < report->targets->count; k++)
        if (targets >> k & 1)
            fprintf(out, "%s%s", written++ ? between : "", report->targets->items[k].name);
}

void report_write_targets(FILE *out, const check_report *report, uint64_t targets)
{
    write_targets(out, report, targets, ", ");
}

void report_write_target_list(FILE *out, const check_report *report, uint64_t targets)
{
    write_targets(out, report, targets, ",");
    input_shapes_write(out, report->shapes);
}

void report_write_not_run(FILE *out, const check_report *report, const char *before,
                          const char *after)
{
    uint64_t documented = 0;
    const char *between = before;
    for (int32_t k = 0; k < report->targets->count; k++) {
        const named_target *target = &report->targets->items[k];
        const tpad_rules_target *low = tpad_rules_target_at(target->choice.low);
        if (!low->version) documented |= UINT64_C(1) << k;
        if (!target->choice.is_nearest) continue;
        fprintf(out, "%s%s, judged as %s", between, target->name, low->name);
        between = "; ";
    }
    if (documented) {
        fputs(between, out);
        report_write_targets(out, report, documented);
        fputs(", judged by documents", out);
        between = "; ";
    }
    if (between != before) fputs(after, out);
}

/* 1 if the last model has a Pad that is wrong on the target, accepted findings aside. */
static int is_wrong(const check_report *report, int32_t target)
{
    for (const report_pad *pad = report->last->pads; pad; pad = pad->next)
        if (pad->verdicts[target].kind >= TPAD_RULES_DIFFERS && !pad->verdicts[target].accepted)
            return 1;
    return 0;
}

int32_t report_try_to_lower(check_report *report, tpad_model *model, tpad_io_error *error)
{
    for (int32_t k = 0; k < report->targets->count && !report->failed; k++) {
        const named_target *target = &report->targets->items[k];
        const tpad_lower_target asked = {target->name, &target->choice};
        tpad_lowering *lowering;
        if (report->lowered >> k & 1 || !is_wrong(report, k)) continue;
        const int32_t status = tpad_lowering_plan(&lowering, model, &asked, 1, 0, error);
        if (status) return status;
        for (int64_t i = 0; i < tpad_model_pad_count(model); i++)
            if (tpad_lowering_at(lowering, i)->outcome == TPAD_LOWER_REWRITTEN)
                report->lowered |= UINT64_C(1) << k;
        tpad_lowering_free(lowering);
    }
    return TPAD_OK;
}

int report_needs_extents(const check_report *report)
{
    int needs = 0;
    for (int32_t i = 0; i < report->finding_count; i++)
        needs |= report->findings[i].needs_extent && !report->findings[i].accepted;
    return needs;
}
