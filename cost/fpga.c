/* SPDX-License-Identifier: Apache-2.0 */
/* fpga.c - see fpga.h */
#include "fpga.h"

#include <stdio.h>
#include <string.h>

#include "nearest.h"
#include "report.h"

/* ---- parts: a new one is a row here ---- */

static const struct ut_fpga_cell ice40_cells[] = {
    {"SB_LUT4", UT_FPGA_LUT, 1},           {"SB_DFF", UT_FPGA_FLIP_FLOP, 0},
    {"SB_CARRY", UT_FPGA_CARRY, 0}, /* beside the LUT that adds */
    {"SB_RAM40_4K", UT_FPGA_BLOCK_RAM, 0}, {0},
};

static const struct ut_fpga_cell ecp5_cells[] = {
    {"LUT4", UT_FPGA_LUT, 1},
    {"TRELLIS_FF", UT_FPGA_FLIP_FLOP, 0},
    {"CCU2C", UT_FPGA_CARRY, 2},             /* two LUTs with their carries */
    {"PFUMX", UT_FPGA_MUX, 0},               /* LUT5 */
    {"L6MUX21", UT_FPGA_MUX, 0},             /* LUT6 and wider */
    {"TRELLIS_DPR16X4", UT_FPGA_LUT_RAM, 6}, /* 16x4 bits in four LUTs; its write port takes the inputs of two more */
    {"DP16KD", UT_FPGA_BLOCK_RAM, 0},
    {"PDPW16KD", UT_FPGA_BLOCK_RAM, 0},
    {0},
};

static const struct ut_fpga_cell xilinx_cells[] = {
    {"LUT", UT_FPGA_LUT, 1},           {"INV", UT_FPGA_LUT, 1},
    {"FD", UT_FPGA_FLIP_FLOP, 0},      {"CARRY4", UT_FPGA_CARRY, 0}, /* beside the LUTs that add */
    {"MUXF", UT_FPGA_MUX, 0},          {"RAM32M", UT_FPGA_LUT_RAM, 4},
    {"RAM64M", UT_FPGA_LUT_RAM, 4},    {"RAM32X1D", UT_FPGA_LUT_RAM, 2},
    {"RAM64X1D", UT_FPGA_LUT_RAM, 2},  {"RAM128X1D", UT_FPGA_LUT_RAM, 4},
    {"RAM256X1D", UT_FPGA_LUT_RAM, 8}, {"RAM32X1S", UT_FPGA_LUT_RAM, 1},
    {"RAM64X1S", UT_FPGA_LUT_RAM, 1},  {"RAM128X1S", UT_FPGA_LUT_RAM, 2},
    {"RAM256X1S", UT_FPGA_LUT_RAM, 4}, {"SRL", UT_FPGA_LUT_RAM, 1},
    {"RAMB", UT_FPGA_BLOCK_RAM, 0},    {0},
};

static const char *const hx8k_arguments[] = {"--hx8k", "--package", "ct256", NULL};
static const struct ut_chip hx8k = {
    .title = "iCE40 HX8K",
    .tool = "nextpnr-ice40",
    .package = "nextpnr-ice40",
    .arguments = hx8k_arguments,
    .resource = "ICESTORM_LC",
    .suffix = {"_DFFLC", "_LC"},
    .made = "_SB_",
    .library = "-D ICE40_HX -lib -specify +/ice40/cells_sim.v",
    .in_cell = "SB_DFF u_q (.C(clk_i), .D(in[i]), .Q(in[i+1]));",
    .out_cell = "wire d; SB_LUT4 #(.LUT_INIT(16'h6666)) u_xor (.I0(switch_o[i]), .I1(out[i]), .I2(1'b0), .I3(1'b0), "
                ".O(d)); SB_DFF u_q (.C(clk_i), .D(d), .Q(out[i+1]));",
};

/* Without pins and clock buffers: a switch is part of a design.  No part uses multipliers. */
static const struct ut_part parts[] = {
    {"ice40", "Lattice iCE40 HX", "synth_ice40 -device hx", ice40_cells, &hx8k},
    {"ecp5", "Lattice ECP5", "synth_ecp5", ecp5_cells, NULL},
    {"xilinx", "Xilinx 7 series", "synth_xilinx -family xc7 -flatten -noiopad -noclkbuf", xilinx_cells, NULL},
};
enum { PARTS = sizeof parts / sizeof *parts };

const struct ut_part *ut_part_find(const char *name, struct ut_error *e) {
  const char *names[PARTS];
  char list[128] = "";
  for (size_t i = 0; i < PARTS; i++) {
    if (!strcmp(parts[i].name, name))
      return &parts[i];
    names[i] = parts[i].name;
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", names[i]);
  }
  const char *near = ut_nearest(name, names, PARTS);
  ut_fail(e, UT_BAD_INPUT, "--fpga: unknown part '%.60s'; %s%s%sknown ones: %s", name, near ? "did you mean '" : "",
          near ? near : "", near ? "'? " : "", list);
  return NULL;
}

const struct ut_fpga_cell *ut_part_cell(const struct ut_part *part, const char *kind) {
  for (const struct ut_fpga_cell *cell = part->cell; cell->begin; cell++)
    if (!strncmp(kind, cell->begin, strlen(cell->begin)))
      return cell;
  return NULL;
}

/* ---- the netlist ---- */

static int find_part(struct ut_synthesis *synthesis, const struct ut_synthesis_request *request, struct ut_error *e) {
  synthesis->part = ut_part_find(request->fpga, e);
  return synthesis->part ? 0 : -1;
}

static void script(FILE *f, const struct ut_synthesis *synthesis) {
  fprintf(f, "%s -top ut_switch\nsetattr -unset src w:* c:*\ncheck -assert\nwrite_json entry/ut_switch.json\n",
          synthesis->part->synthesis);
  if (synthesis->part->chip)
    fprintf(f, "select ut_switch\nwrite_rtlil -selected entry/ut_switch.il\n");
}

const struct ut_technology ut_fpga = {
    .artefact = "ut_switch.json",
    .open = find_part,
    .script = script,
    .reporter = &ut_fpga_reporter,
};
