/* simple_gates.c - see simple_gates.h.
 *
 * Yosys calls its own gates $_AND_ and so on.  They get names that a Liberty file can have, and that file, so that
 * whoever reads netlists reads these.
 */
#include "simple_gates.h"

#include <stdio.h>

#include "cache_files.h"
#include "standard_cells.h"

/* Nobody uses the NAND, nor times anything, but a library is one that has both (liberty.h). */
static const char cells[] =
    "library(simple_gates) {\n"
    "  cell(UT_AND) { area: 1; pin(A) { direction: input; } pin(B) { direction: input; }\n"
    "    pin(Y) { direction: output; function: \"A & B\"; } }\n"
    "  cell(UT_NAND) { area: 1; pin(A) { direction: input; } pin(B) { direction: input; }\n"
    "    pin(Y) { direction: output; function: \"!(A & B)\"; timing() {} } }\n"
    "  cell(UT_OR) { area: 1; pin(A) { direction: input; } pin(B) { direction: input; }\n"
    "    pin(Y) { direction: output; function: \"A | B\"; } }\n"
    "  cell(UT_XOR) { area: 1; pin(A) { direction: input; } pin(B) { direction: input; }\n"
    "    pin(Y) { direction: output; function: \"A ^ B\"; } }\n"
    "  cell(UT_NOT) { area: 1; pin(A) { direction: input; }\n"
    "    pin(Y) { direction: output; function: \"!A\"; timing() {} } }\n"
    "  cell(UT_MUX) { area: 1; pin(A) { direction: input; } pin(B) { direction: input; } pin(S) { direction: input; }\n"
    "    pin(Y) { direction: output; function: \"(A & !S) | (B & S)\"; } }\n"
    "  cell(UT_DFF) { area: 1; ff(IQ, IQN) { next_state: \"D\"; clocked_on: \"C\"; }\n"
    "    pin(D) { direction: input; } pin(C) { direction: input; clock: true; }\n"
    "    pin(Q) { direction: output; function: \"IQ\"; timing() {} } }\n"
    "}\n";

static int open_library(struct ut_synthesis *s, const struct ut_synthesis_request *request, struct ut_error *e) {
  (void)request;
  return ut_liberty_parse(&s->liberty, cells, sizeof cells - 1, "simple gates", e);
}

/* Enables and resets of flip-flops become gates, too. */
static void script(FILE *f, const struct ut_synthesis *s) {
  static const char *const gates[] = {"AND", "OR", "XOR", "NOT", "MUX"};
  ut_script_synthesize(f, s, "-flatten -nofsm -nordff -noabc -top ut_switch", "begin");
  fprintf(f, "techmap\n"
             "opt -fast\n"
             "simplemap\n"
             "dfflegalize -cell $_DFF_P_ x\n"
             "opt_expr -mux_undef -undriven -fine\n"
             "opt_merge -share_all\n"
             "opt_clean\n"
             "chtype -set UT_DFF t:$_DFF_P_\n");
  for (size_t i = 0; i < sizeof gates / sizeof *gates; i++)
    fprintf(f, "chtype -set UT_%s t:$_%s_\n", gates[i], gates[i]);
  fprintf(f, "write_verilog -noattr entry/ut_switch.v\n");
}

static void add_key(XXH3_state_t *h, const struct ut_synthesis *s) {
  ut_key_bytes(h, s->liberty.text, s->liberty.size);
}

static int write_library(const struct ut_synthesis *s, const char *folder, struct ut_error *e) {
  char path[PATH_MAX];
  return ut_path_set(e, path, "%s/cells.lib", folder) || ut_file_write(path, s->liberty.text, s->liberty.size, e) ? -1
                                                                                                                  : 0;
}

static int keep_library(const struct ut_synthesis *s, struct ut_error *e) {
  return ut_synthesis_keep(&s->entry, "cells.lib", e);
}

const struct ut_technology ut_simple_gates = {
    .artefact = "ut_switch.v",
    .open = open_library,
    .script = script,
    .key = add_key,
    .write = write_library,
    .keep = keep_library,
};
