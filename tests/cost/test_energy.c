/* SPDX-License-Identifier: Apache-2.0 */
/* test_energy.c - power tables of Liberty files, netlists in Verilog, energies counted by hand, and by OpenSTA. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "energy.h"
#include "folder.h"
#include "gates.h"
#include "liberty_power.h"

static struct ut_error error;

static void assert_near(double is, double wanted) {
  if (fabs(is - wanted) > 1e-9 + 1e-6 * fabs(wanted))
    fail_msg("%.9g, expected %.9g", is, wanted);
}

/* ---- Liberty ---- */

/* 1 unit of time is 100 ps, of capacitance 10 fF, of voltage 1 V: energies in units of 10 fJ. */
#define HEAD                                                                                                           \
  "library (tiny) {\n time_unit : \"100ps\"; voltage_unit : \"1V\"; leakage_power_unit : \"1nW\";\n"                   \
  " capacitive_load_unit (10, ff); nom_voltage : 2;\n"                                                                 \
  " power_lut_template (both) { variable_1 : total_output_net_capacitance; variable_2 : input_transition_time;\n"      \
  "  index_1 (\"1, 3\"); index_2 (\"0, 2\"); }\n"                                                                      \
  " power_lut_template (slew) { variable_1 : input_transition_time; index_1 (\"0, 1\"); }\n"
#define TABLE(name, template, values) name " (" template ") { values (" values "); }\n"
#define TIMING(pin, sense)                                                                                             \
  " timing() { related_pin : \"" pin "\"; timing_sense : " sense ";\n"                                                 \
  "  rise_transition (scalar) { values (\"1\"); } fall_transition (scalar) { values (\"2\"); } }\n"
#define INVERTER                                                                                                       \
  "cell (INV) { area : 1; cell_leakage_power : 500; pin(A) { direction : input; capacitance : 2; }\n"                  \
  " pin(Y) { direction : output; function : \"!A\";" TIMING(                                                           \
      "A", "negative_unate") "  internal_power() { related_pin : \"A\";\n" TABLE("rise_power", "both",                 \
                                                                                 "\"10, 20\", \\\n \"30, 80\"")        \
      TABLE("fall_power", "both", "\"4, 4\", \"4, 4\"") " } } }\n"
#define NAND                                                                                                           \
  "cell (NAND) { area : 2; pin(A) { direction : input; capacitance : 1; rise_capacitance : 4; }\n"                     \
  " pin(B) { direction : input; capacitance : 1; }\n"                                                                  \
  " pin(Y) { direction : output; function : \"!(A B)\";" TIMING("A", "negative_unate") TIMING(                         \
      "B", "negative_unate") "  internal_power() { related_pin : \"A\"; power (scalar) { values (\"6\"); } }\n"        \
                             "  internal_power() { related_pin : \"B\"; power (scalar) { values (\"12\"); } } } }\n"
#define FLIP_FLOP                                                                                                      \
  "cell (DFF) { area : 5; ff (IQ, IQN) { next_state : \"D\"; clocked_on : \"C\"; }\n"                                  \
  " pin(C) { direction : input; clock : true; capacitance : 3;\n"                                                      \
  "  internal_power() {" TABLE("rise_power", "slew", "\"5, 7\"") TABLE(                                                \
      "fall_power", "slew",                                                                                            \
      "\"1, 1\"") "} }\n"                                                                                              \
                  " pin(D) { direction : input; capacitance : 1; internal_power() { power (scalar) { values (\"3\"); " \
                  "} } }\n"                                                                                            \
                  " pin(Q) { direction : output; function : \"IQ\"; timing() { related_pin : \"C\"; timing_type : "    \
                  "rising_edge;\n"                                                                                     \
                  "   rise_transition (scalar) { values (\"1\"); } fall_transition (scalar) { values (\"1\"); } }\n"   \
                  "  internal_power() { related_pin : \"C\"; power (scalar) { values (\"8\"); } } } }\n"
static const char library[] = HEAD INVERTER NAND FLIP_FLOP "}\n";

static int parse(struct ut_liberty_power *l, const char *text) {
  return ut_liberty_power_parse(l, text, strlen(text), "tiny.lib", &error);
}

static void tables_are_read(void **state) {
  (void)state;
  struct ut_liberty_power l;
  assert_int_equal(parse(&l, library), 0);
  assert_near(l.voltage, 2);
  const struct ut_power_cell *inv = ut_power_cell(&l, "INV");
  assert_near(inv->leakage_uw, 0.5);
  assert_near(ut_power_pin(inv, "A")->capacitance[UT_RISE], 0.02);
  const struct ut_power_pin *a = ut_power_pin(ut_power_cell(&l, "NAND"), "A");
  assert_near(a->capacitance[UT_RISE], 0.04);
  assert_near(a->capacitance[UT_FALL], 0.01);
  const struct ut_power_group *g = &ut_power_pin(inv, "Y")->group[0];
  assert_string_equal(g->related, "A");
  const struct ut_power_table *rise = &g->table[UT_RISE];
  /* the corners, in pJ: loads of 10 and 30 fF, slews of 0 and 0.2 ns */
  assert_near(ut_power_table_at(rise, 0, 0.01), 0.10);
  assert_near(ut_power_table_at(rise, 0.2, 0.01), 0.20);
  assert_near(ut_power_table_at(rise, 0, 0.03), 0.30);
  assert_near(ut_power_table_at(rise, 0.2, 0.03), 0.80);
  assert_near(ut_power_table_at(rise, 0.1, 0.02), (0.10 + 0.20 + 0.30 + 0.80) / 4);
  assert_near(ut_power_table_at(rise, 0, 0.04), 0.40); /* as between the last two */
  assert_near(ut_power_table_at(rise, 0.4, 0.01), 0.30);
  assert_near(ut_power_table_at(&g->table[UT_FALL], 7, 7), 0.04);
  const struct ut_power_pin *clock = ut_power_pin(ut_power_cell(&l, "DFF"), "C");
  assert_near(ut_power_table_at(&clock->group[0].table[UT_RISE], 0.05, 99), 0.06);
  assert_null(ut_power_cell(&l, "NOR"));
  ut_liberty_power_free(&l);
}

static void lacks(const char *text, const char *what) {
  struct ut_liberty_power l;
  assert_int_equal(parse(&l, text), -1);
  assert_int_equal(error.code, UT_BAD_INPUT);
  assert_non_null(strstr(error.text, what));
  assert_non_null(strstr(error.text, "tiny.lib"));
  ut_liberty_power_free(&l);
}

static void bad_libraries(void **state) {
  (void)state;
  lacks("library (tiny) { nom_voltage : 2; cell (INV) { pin (A) { direction : input; } } }", "no power tables");
  lacks("library (tiny) { cell (INV) { pin (A) { internal_power() { power (scalar) { values (\"1\"); } } } } }",
        "no voltage");
  lacks(HEAD "cell (INV) { pin (A) { internal_power() { power (both) { values (\"1, 2, 3\"); } } } } }",
        "3 values for 2 x 2 points");
  lacks(HEAD "cell (INV) { pin (A) {", "not closed");
}

/* ---- netlists ---- */

static const char netlist[] =
    "/* Generated by somebody; */\n"
    "\n"
    "module ut_switch(clk_i, in_i, out_o, same_o, fixed_o);\n"
    "  wire _0_;\n  wire [1:0] \\u_input.a_q ;\n"
    "  input clk_i;\n  wire clk_i;\n  input [1:0] in_i;\n  wire [1:0] in_i;\n"
    "  output [3:0] out_o;\n  wire [3:0] out_o;\n  output same_o;\n  wire same_o;\n  output fixed_o;\n"
    "  (* uturn_block = \"input_port\" *)\n"
    "  DFF \\u_input.a_q_reg[0]  (\n    .C(clk_i),\n    .D(_0_),\n    .Q(\\u_input.a_q [0])\n  );\n"
    "  (* other = 32'd1 *)\n  (* uturn_block = \"crossbar\" *)\n"
    "  NAND _1_ (\n    .A(in_i[0]),\n    .B(in_i[1]),\n    .Y(_0_)\n  );\n"
    "  INV _2_ (\n    .A(1'h0),\n    .Y(\\u_input.a_q [1])\n  );\n"
    "  INV _3_ (\n    .A(\\u_input.a_q [0]),\n    .Y(same_o)\n  );\n"
    "  assign out_o = { 1'h0, \\u_input.a_q , \\u_input.a_q [0] };\n"
    "  assign fixed_o = 1'h1;\n"
    "endmodule\n";
enum { CLOCK, NAND_OUT, A0, IN0, IN1, A1, SAME, NETS }; /* nets, in the order of the cells' pins */

static void netlist_is_read(void **state) {
  (void)state;
  struct ut_gates g;
  assert_int_equal(ut_gates_read(&g, netlist, "net.v", &error), 0);
  assert_int_equal(g.gates, 4);
  assert_int_equal(g.nets, NETS);
  assert_string_equal(g.gate[0].type, "DFF");
  assert_string_equal(g.gate[0].block, "input_port");
  assert_string_equal(g.gate[1].block, "crossbar");
  assert_null(g.gate[2].block);
  assert_string_equal(g.net[CLOCK].name, "clk_i");
  assert_string_equal(g.net[A0].name, "\\u_input.a_q [0]");
  assert_int_equal(g.pin[g.gate[2].pin].net, UT_GATE_CONSTANT);
  static const unsigned outputs[NETS] = {[A0] = 2, [A1] = 1, [SAME] = 1};
  for (size_t n = 0; n < NETS; n++)
    assert_int_equal(g.net[n].outputs, outputs[n]);
  ut_gates_free(&g);
  assert_int_equal(ut_gates_read(&g, "module m();\nendmodule\n", "net.v", &error), -1);
  assert_non_null(strstr(error.text, "net.v"));
  ut_gates_free(&g);
  assert_int_equal(ut_gates_read(&g, "module m();\n  INV _1_ (.A(x) ;\nendmodule\n", "net.v", &error), -1);
  ut_gates_free(&g);
}

/* ---- energies ---- */

static struct ut_energy_model *open_model(const char *text, const char *liberty, size_t size) {
  char path[PATH_MAX];
  assert_int_equal(ut_path_set(&error, path, "%s/cells.lib", folder), 0);
  assert_int_equal(ut_file_write(path, liberty, size, &error), 0);
  assert_int_equal(ut_path_set(&error, path, "%s/net.v", folder), 0);
  assert_int_equal(ut_file_write(path, text, strlen(text), &error), 0);
  struct ut_energy_model *m = ut_energy_open(path, &error);
  if (!m)
    fail_msg("%s", error.text);
  return m;
}

/* 100 cycles of two switches.  V = 2 V, so a toggle of C pF costs 2 C pJ. */
static void energies_by_hand(void **state) {
  (void)state;
  struct ut_energy_model *m = open_model(netlist, library, strlen(library));
  const uint64_t toggles[NETS] = {[NAND_OUT] = 10, [A0] = 20, [IN0] = 30, [IN1] = 10, [SAME] = 5};
  struct ut_energy of[UT_BLOCKS + 1] = {0};
  assert_int_equal(ut_energy_nets(m), NETS);
  ut_energy_add(m, toggles, 200, of);
  const struct ut_energy *in = &of[ut_block_of_module("ut_input_port")], *bar = &of[ut_block_of_module("ut_crossbar")];
  const struct ut_energy *rest = &of[UT_BLOCKS];
  /* the clock: C = 0.03 pF, charged once a cycle; rise 0.05 pJ + 0.02 pJ at 0.1 ns, fall 0.01 pJ */
  assert_near(in->clock, 200 * (0.03 * 4 + 0.07 + 0.01));
  /* Q: 20 toggles of 0.08 pJ; D: 10 toggles of 0.03 pJ */
  assert_near(in->internal, 20 * 0.08 + 10 * 0.03);
  /* Q drives two output ports of 0.05 pF and an inverter of 0.02 pF */
  assert_near(in->switching, 20 * 2 * (2 * 0.05 + 0.02));
  assert_int_equal(in->cells, 1);
  /* 10 toggles, three quarters by A: 0.06 pJ, a quarter by B: 0.12 pJ; it drives 0.01 pF */
  assert_near(bar->internal, 10 * (0.75 * 0.06 + 0.25 * 0.12));
  assert_near(bar->switching, 10 * 2 * 0.01);
  /* The inverter: load 0.05 pF, slew 0.1 ns.  Rise: 0.5 pJ at slew 0, 0.8 + (0.8 - 0.2) = 1.4 at 0.2 ns; fall 0.04. */
  assert_near(rest->internal, 5 * ((0.5 + 1.4) / 2 + 0.04) / 2);
  assert_near(rest->switching, 5 * 2 * 0.05);
  assert_near(rest->clock, 0);
  assert_near(rest->leakage_uw, 1);
  assert_int_equal(rest->cells, 2);
  ut_energy_close(m);
}

static void check_by_opensta(const char *text, const char *liberty, size_t size, const uint64_t *toggles) {
  struct ut_energy_model *m = open_model(text, liberty, size);
  struct ut_caller c = {.e = &error, .what = "energy"};
  struct ut_energy_check check;
  if (ut_energy_check(m, toggles, 100, &check, &c))
    fail_msg("%s", error.text);
  const double *pair[] = {check.switching, check.internal, check.leakage_uw};
  for (int i = 0; i < 3; i++)
    if (pair[i][0] <= 0 || fabs(pair[i][0] / pair[i][1] - 1) > 1e-4)
      fail_msg("ours %g, OpenSTA's %g (%d)", pair[i][0], pair[i][1], i);
  ut_energy_close(m);
}

/* Gates of all sorts of osu018: slews, loads, tables and units must be those of OpenSTA. */
static void energies_by_opensta(void **state) {
  (void)state;
  static const char text[] =
      "module ut_switch(clk_i, a_i, b_i, c_i, out_o);\n  input clk_i;\n  input a_i;\n  input b_i;\n  input c_i;\n"
      "  output [2:0] out_o;\n  wire [2:0] out_o;\n  wire n5;\n  wire n7;\n  wire q1;\n"
      "  DFFPOSX1 r0 (.CLK(clk_i), .D(n0), .Q(q0));\n  DFFPOSX1 r1 (.CLK(clk_i), .D(n5), .Q(q1));\n"
      "  NAND2X1 g0 (.A(a_i), .B(q0), .Y(n0));\n  NOR3X1 g1 (.A(n0), .B(b_i), .C(q1), .Y(n1));\n"
      "  XOR2X1 g2 (.A(n1), .B(c_i), .Y(n2));\n  MUX2X1 g3 (.A(n2), .B(n0), .S(q1), .Y(n3));\n"
      "  OAI21X1 g4 (.A(n3), .B(n2), .C(a_i), .Y(n4));\n  BUFX2 g5 (.A(n4), .Y(n5));\n  INVX8 g6 (.A(n5), .Y(n6));\n"
      "  AOI22X1 g7 (.A(n6), .B(n5), .C(1'h1), .D(n1), .Y(n7));\n"
      "  assign out_o = { n7, q1, n5 };\nendmodule\n";
  static const char path[] = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";
  char *liberty;
  size_t size;
  uint64_t toggles[16];
  if (ut_file_read(path, &liberty, &size))
    fail_msg("%s cannot be read", path);
  for (unsigned i = 0; i < 16; i++)
    toggles[i] = 7 + 11 * i % 80;
  check_by_opensta(text, liberty, size, toggles);
  free(liberty);
}

static int make_cache(void **state) {
  return make_folder(state) || setenv("UTURN_CACHE", folder, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_are_read),  cmocka_unit_test(bad_libraries),       cmocka_unit_test(netlist_is_read),
      cmocka_unit_test(energies_by_hand), cmocka_unit_test(energies_by_opensta),
  };
  return cmocka_run_group_tests(tests, make_cache, remove_folder);
}
