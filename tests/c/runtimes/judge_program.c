/* judge TARGET... < FACTS     Prints the verdict of each target for each line of facts.
 *
 * A line is the fields of tpad_rules_facts in their order, as numbers; axes, names of axes and perm
 * with all their TPAD_RULES_MAX_RANK entries. For each line and target it prints a line
 * "kind code missing sentence". Used by tests/runtimes. */
#include "runtimes/runtimes.h"
#include <stdio.h>
#include <stdlib.h>

static int at_end;

static int64_t number(void)
{
    long long value = 0;
    if (scanf("%lld", &value) != 1) at_end = 1;
    return value;
}

static int32_t word(void)
{
    return (int32_t)number();
}

static void read_facts(tpad_rules_facts *f)
{
    f->spec = word();
    if (at_end) return;
    f->opset = word();
    f->ir_version = word();
    f->ml_opset = word();
    f->own_opset = word();
    f->inputs_unnamed = word();
    f->extent_names = word();
    f->document = word();
    f->type = word();
    f->mode = word();
    f->rank = word();
    f->rank_open = word();
    for (int i = 0; i < TPAD_RULES_MAX_RANK; i++) {
        f->axis[i].extent = number();
        f->axis[i].begin = number();
        f->axis[i].end = number();
        f->axis[i].amounts_known = word();
        f->axis[i].never_cut = word();
        f->axis[i].open = word();
    }
    f->pads_given = word();
    f->axes_given = word();
    f->value_given = word();
    f->pads_type = word();
    f->axes_type = word();
    f->value_type = word();
    f->axes_count = word();
    for (int i = 0; i < TPAD_RULES_MAX_RANK; i++) f->axes[i] = word();
    f->value_rank = word();
    f->value_count = word();
    f->made_by = word();
    f->value_nameless = word();
    f->value_known = word();
    f->value_bits = word();
    f->data_constant = word();
    f->data_known = word();
    f->data_bits = word();
    f->data_not_negative = word();
    f->before = word();
    f->behind = word();
    f->perm_count = word();
    for (int i = 0; i < TPAD_RULES_MAX_RANK; i++) f->perm[i] = word();
    f->reader.op = word();
    f->reader.passes = word();
    f->reader.is_same = word();
    f->reader.has_pads = word();
    f->reader.counts_pads = word();
    f->reader.is_ceil = word();
    f->reader.axes = word();
    for (int i = 0; i < TPAD_RULES_WINDOW_AXES; i++) {
        tpad_rules_window_axis *axis = &f->reader.axis[i];
        axis->kernel = word(), axis->stride = word(), axis->dilation = word();
        axis->begin = word(), axis->end = word();
    }
    f->data_returned = word();
    f->inside = word();
    f->condition_listed = word();
    f->branches_differ = word();
    f->end_without_shape = word();
    if (at_end) {
        fputs("judge: a line of facts ends too early\n", stderr);
        exit(2);
    }
}

int main(int argc, char **argv)
{
    for (;;) {
        tpad_rules_facts facts;
        read_facts(&facts);
        if (at_end) return 0;
        for (int i = 1; i < argc; i++) {
            tpad_rules_choice choice;
            tpad_rules_verdict verdict;
            char sentence[400];
            if (!tpad_rules_find(&choice, argv[i])) {
                fprintf(stderr, "judge: no target %s\n", argv[i]);
                return 2;
            }
            tpad_rules_judge(&verdict, &facts, choice);
            tpad_rules_text(sentence, sizeof sentence, &verdict, &facts);
            printf("%s %d %d %s\n", tpad_rules_kind_name(verdict.kind), (int)verdict.code,
                   (int)verdict.missing, sentence);
        }
    }
}
