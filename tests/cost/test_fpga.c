/* SPDX-License-Identifier: Apache-2.0 */
/* test_fpga.c - parts of FPGAs and their cells, the wrapper of a placed switch, the report of a router.  No tool is
 * run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "blocks.h"
#include "fpga.h"
#include "pnr.h"

static struct ut_error error;

static const struct ut_part *part(const char *name) {
  const struct ut_part *p = ut_part_find(name, &error);
  assert_non_null(p);
  return p;
}

static void parts_are_known(void **state) {
  (void)state;
  assert_non_null(part("ice40")->chip);
  assert_null(part("ecp5")->chip);
  assert_null(part("xilinx")->chip);
  assert_null(ut_part_find("xilnx", &error));
  assert_int_equal(error.code, UT_BAD_INPUT);
  assert_non_null(strstr(error.text, "did you mean 'xilinx'? known ones: ice40, ecp5, xilinx"));
  assert_null(ut_part_find("cyclone", &error));
  assert_null(strstr(error.text, "did you mean"));
}

static void is(const char *name, const char *kind, enum ut_fpga_class class, unsigned luts) {
  const struct ut_fpga_cell *c = ut_part_cell(part(name), kind);
  assert_non_null(c);
  assert_int_equal(c->class, class);
  assert_int_equal(c->luts, luts);
}

static void cells_have_classes(void **state) {
  (void)state;
  is("ice40", "SB_LUT4", UT_FPGA_LUT, 1);
  is("ice40", "SB_DFFESR", UT_FPGA_FLIP_FLOP, 0);
  is("ice40", "SB_CARRY", UT_FPGA_CARRY, 0);
  is("ice40", "SB_RAM40_4KNR", UT_FPGA_BLOCK_RAM, 0);
  is("ecp5", "CCU2C", UT_FPGA_CARRY, 2);
  is("ecp5", "TRELLIS_DPR16X4", UT_FPGA_LUT_RAM, 6);
  is("ecp5", "L6MUX21", UT_FPGA_MUX, 0);
  is("xilinx", "LUT6", UT_FPGA_LUT, 1);
  is("xilinx", "FDRE", UT_FPGA_FLIP_FLOP, 0);
  is("xilinx", "RAM32M", UT_FPGA_LUT_RAM, 4);
  is("xilinx", "RAM32X1D_1", UT_FPGA_LUT_RAM, 2);
  is("xilinx", "RAMB36E1", UT_FPGA_BLOCK_RAM, 0);
  assert_null(ut_part_cell(part("xilinx"), "BUFG"));
  assert_null(ut_part_cell(part("ice40"), "LUT4"));
}

/* Else a row would never be found, or only where it stands before another. */
static void no_cell_hides_another(void **state) {
  static const char *const parts[] = {"ice40", "ecp5", "xilinx"};
  (void)state;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    for (const struct ut_fpga_cell *c = part(parts[i])->cell; c->begin; c++)
      for (const struct ut_fpga_cell *other = part(parts[i])->cell; other->begin; other++)
        assert_true(c == other || strncmp(c->begin, other->begin, strlen(c->begin)));
}

/* A switch of two input bits, two output bits and a clock: a register behind a LUT, a register of its own. */
static const char design[] =
    "{'ports': {'clk_i': {'direction': 'input', 'bits': [2]}, 'rst_i': {'direction': 'input', 'bits': [3]},"
    " 'in_i': {'direction': 'input', 'bits': [4, 5]}, 'out_o': {'direction': 'output', 'bits': [6, 7]}},"
    " 'cells': {'lut': {'type': 'SB_LUT4', 'connections': {'I0': [4], 'O': [8]}},"
    "  'ff': {'type': 'SB_DFF', 'connections': {'C': [2], 'D': [8], 'Q': [6]}},"
    "  'own': {'type': 'SB_DFF', 'connections': {'C': [2], 'D': [5], 'Q': [7]}}},"
    " 'netnames': {'out_o': {'hide_name': 0, 'bits': [6, 7]},"
    "  'g_out[0].u_output.credits_q': {'hide_name': 0, 'bits': [9, 6]},"
    "  'u_vector.timer_q': {'hide_name': 0, 'bits': [7]}}}";

static json_t *read(const char *text) { /* with ' for " */
  char *copy = strdup(text);
  for (char *p = copy; *p; p++)
    if (*p == '\'')
      *p = '"';
  json_t *j = json_loads(copy, 0, NULL);
  free(copy);
  assert_non_null(j);
  return j;
}

static void wrapper(void **state) {
  (void)state;
  unsigned pins = 0;
  json_t *module = read(design);
  char *text = ut_pnr_wrapper(part("ice40")->chip, module, &pins);
  assert_int_equal(pins, 5); /* without the clock */
  assert_non_null(strstr(text, ".rst_i(in[1:1])"));
  assert_non_null(strstr(text, ".in_i(in[3:2])"));
  assert_non_null(strstr(text, ".out_o(switch_o[1:0])"));
  assert_non_null(strstr(text, ".clk_i(clk_i)"));
  free(text);
  json_decref(module);
}

static json_t *step(const char *type, double ns, const char *from, const char *to) {
  return json_pack("{s:s,s:f,s:{s:s},s:{s:s}}", "type", type, "delay", ns, "from", "cell", from, "to", "cell", to);
}

/* What nextpnr 0.4 writes: a path from a pin, and one between registers, whose first step has its ends the wrong way
 * round. */
static json_t *routed(bool registers) {
  static const char allocator[] = "u_switch.u_vc_allocator.x_LC", credits[] = "u_switch.lut_LC",
                    timer[] = "u_switch.own_DFFLC";
  json_t *paths = json_array();
  json_array_append_new(paths, json_pack("{s:s,s:s,s:[o,o]}", "from", "<async>", "to", "posedge clk", "path",
                                         step("source", 90, "a", "b"), step("setup", 9, "b", "b")));
  if (registers)
    json_array_append_new(paths,
                          json_pack("{s:s,s:s,s:[o,o,o,o,o]}", "from", "posedge clk", "to", "posedge clk", "path",
                                    step("clk-to-q", 0.5, allocator, credits), step("routing", 1.5, credits, allocator),
                                    step("logic", 0.25, allocator, allocator), step("routing", 2, allocator, timer),
                                    step("setup", 0.75, timer, timer)));
  return json_pack("{s:o}", "critical_paths", paths);
}

static void routed_path(void **state) {
  (void)state;
  struct ut_placement p = {0};
  const struct ut_chip *chip = part("ice40")->chip;
  json_t *module = read(design), *report = routed(true);
  assert_int_equal(ut_pnr_parse(&p, chip, report, module), 0);
  assert_true(p.timing.ns > 4.999 && p.timing.ns < 5.001);
  assert_true(p.wires_ns > 3.499 && p.wires_ns < 3.501);
  assert_string_equal(p.timing.start, "g_out[0].u_output.credits_q[1]");
  assert_string_equal(p.timing.end, "u_vector.timer_q");
  assert_int_equal(p.timing.levels, 1);
  assert_int_equal(p.timing.steps, 2);
  assert_true(p.timing.step[1].ns > 1.749 && p.timing.step[1].ns < 1.751); /* with the wire to it */
  assert_int_equal(ut_block_of_name(p.timing.step[1].instance), 2);
  ut_pnr_free(&p);
  json_decref(report);
  report = routed(false);
  assert_int_equal(ut_pnr_parse(&p, chip, report, module), -1);
  ut_pnr_free(&p);
  json_decref(report);
  json_decref(module);
}

static void blocks_of_names(void **state) {
  (void)state;
  assert_string_equal(ut_block_title(ut_block_of_name("g_in[3].u_input.u_route.g_family.x_LC")), "route_unit");
  assert_string_equal(ut_block_title(ut_block_of_name("g_in[3].u_input.g_vc[0].u_vc.u_fifo.data_q")), "input_port");
  assert_string_equal(ut_block_title(ut_block_of_name("u_crossbar_tag.data")), "crossbar");
  assert_string_equal(ut_block_title(ut_block_of_name("error_q_SB_LUT4_O")), "rest");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_are_known), cmocka_unit_test(cells_have_classes), cmocka_unit_test(no_cell_hides_another),
      cmocka_unit_test(wrapper),         cmocka_unit_test(routed_path),        cmocka_unit_test(blocks_of_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
