/* SPDX-License-Identifier: Apache-2.0 */
/* simple_gates.c - see simple_gates.h.
 *
 * Yosys calls its own gates $_AND_ and so on.  They get names that a Liberty file can have, and that file, so that
 * whoever reads netlists reads these.
 */
#include "simple_gates.h"

#include <stdio.h>

#include "cache_files.h"
#include "standard_cells.h"

/* The NAND is not used, and nothing is timed, but a library must have both (liberty.h). */
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
    "  cell(UT_MEMORY) { area: 1; memory() { type: ram; } pin(C) { direction: input; clock: true; }\n"
    "    pin(EN) { direction: input; } pin(D) { direction: input; } pin(Q) { direction: output; } }\n"
    "}\n";

/* A bit of all places of a memory: shows that of the place at RA, and takes D over into that at WA, where EN is 1.
 * Buffers of more places than lockstep compares as a whole become such cells, one for each bit; they are read where a
 * register points.  What is read in another way - forwarding tables - becomes flip-flops. */
static const char memory[] = "(* blackbox *)\n"
                             "module UT_MEMORY (input C, EN, D, RA0, RA1, RA2, RA3, RA4, RA5, RA6, RA7, WA0, WA1, WA2, "
                             "WA3, WA4, WA5, WA6, WA7,\n"
                             "                  output Q);\n"
                             "endmodule\n";
static const char memory_map[] =
    "(* techmap_celltype = \"$mem_v2\" *)\n"
    "module ut_memory_bits (RD_CLK, RD_EN, RD_ARST, RD_SRST, RD_ADDR, RD_DATA, WR_CLK, WR_EN, WR_ADDR, WR_DATA);\n"
    "  parameter MEMID = 0, SIZE = 1, OFFSET = 0, ABITS = 1, WIDTH = 1, INIT = 0, RD_PORTS = 1, RD_CLK_ENABLE = 0;\n"
    "  parameter RD_CLK_POLARITY = 0, RD_TRANSPARENCY_MASK = 0, RD_COLLISION_X_MASK = 0, RD_WIDE_CONTINUATION = 0;\n"
    "  parameter RD_CE_OVER_SRST = 0, RD_ARST_VALUE = 0, RD_SRST_VALUE = 0, RD_INIT_VALUE = 0, WR_PORTS = 1;\n"
    "  parameter WR_CLK_ENABLE = 1, WR_CLK_POLARITY = 1, WR_PRIORITY_MASK = 0, WR_WIDE_CONTINUATION = 0;\n"
    "  input [RD_PORTS-1:0] RD_CLK, RD_EN, RD_ARST, RD_SRST;\n"
    "  input [RD_PORTS*ABITS-1:0] RD_ADDR;\n"
    "  output [RD_PORTS*WIDTH-1:0] RD_DATA;\n"
    "  input [WR_PORTS-1:0] WR_CLK;\n"
    "  input [WR_PORTS*WIDTH-1:0] WR_EN, WR_DATA;\n"
    "  input [WR_PORTS*ABITS-1:0] WR_ADDR;\n"
    "  wire _TECHMAP_FAIL_ = SIZE <= `WHOLE_BUFFER || ABITS > 8 || RD_PORTS != 1 || WR_PORTS != 1 || RD_CLK_ENABLE ||\n"
    "                        !WR_CLK_ENABLE || !WR_CLK_POLARITY;\n"
    "  wire [7:0] ra = RD_ADDR, wa = WR_ADDR;\n"
    "  genvar i;\n"
    "  generate\n"
    "    for (i = 0; i < WIDTH; i = i + 1) begin : g_bit\n"
    "      UT_MEMORY m (.C(WR_CLK), .EN(WR_EN[i]), .D(WR_DATA[i]), .Q(RD_DATA[i]), .RA0(ra[0]), .RA1(ra[1]),\n"
    "                   .RA2(ra[2]), .RA3(ra[3]), .RA4(ra[4]), .RA5(ra[5]), .RA6(ra[6]), .RA7(ra[7]), .WA0(wa[0]),\n"
    "                   .WA1(wa[1]), .WA2(wa[2]), .WA3(wa[3]), .WA4(wa[4]), .WA5(wa[5]), .WA6(wa[6]), .WA7(wa[7]));\n"
    "    end\n"
    "  endgenerate\n"
    "endmodule\n";

static int open_library(struct ut_synthesis *synthesis, const struct ut_synthesis_request *request,
                        struct ut_error *e) {
  (void)request;
  return ut_liberty_parse(&synthesis->liberty, cells, sizeof cells - 1, "simple gates", e);
}

/* Enables and resets of flip-flops become gates, too. */
static void script(FILE *f, const struct ut_synthesis *synthesis) {
  static const char *const gates[] = {"AND", "OR", "XOR", "NOT", "MUX"};
  char memories[96];
  snprintf(memories, sizeof memories, "techmap -D WHOLE_BUFFER=%d -map memory_map.v c:*.u_fifo.*\n", UT_WHOLE_BUFFER);
  fprintf(f, "read_verilog -lib memory.v\n");
  ut_script_synthesize(f, synthesis, "-flatten -nofsm -nordff -noabc -top ut_switch", "begin", memories);
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

static void add_key(XXH3_state_t *h, const struct ut_synthesis *synthesis) {
  ut_key_bytes(h, synthesis->liberty.text, synthesis->liberty.size);
  ut_key_text(h, memory_map);
}

static int write_file(const char *folder, const char *name, const char *text, size_t size, struct ut_error *e) {
  char path[PATH_MAX];
  return ut_path_set(e, path, "%s/%s", folder, name) || ut_file_write(path, text, size, e) ? -1 : 0;
}
static int write_library(const struct ut_synthesis *synthesis, const char *folder, struct ut_error *e) {
  return write_file(folder, "cells.lib", synthesis->liberty.text, synthesis->liberty.size, e) ||
                 write_file(folder, "memory.v", memory, sizeof memory - 1, e) ||
                 write_file(folder, "memory_map.v", memory_map, sizeof memory_map - 1, e)
             ? -1
             : 0;
}

static int keep_library(const struct ut_synthesis *synthesis, struct ut_error *e) {
  return ut_synthesis_keep(&synthesis->entry, "cells.lib", e);
}

const struct ut_technology ut_simple_gates = {
    .artefact = "ut_switch.v",
    .open = open_library,
    .script = script,
    .key = add_key,
    .write = write_library,
    .keep = keep_library,
};
