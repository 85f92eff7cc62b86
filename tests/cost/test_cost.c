/* SPDX-License-Identifier: Apache-2.0 */
/* test_cost.c - Liberty files, timing reports, names of registers, RUFT's analytic counts.  No tool is run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "algorithms.h"
#include "cost.h"
#include "liberty.h"
#include "netlist.h"
#include "scenario_read.h"
#include "timing.h"
#include "topology.h"

static struct ut_error error;

/* ---- Liberty ---- */

#define GATE(name, area, function)                                                                                     \
  "cell (" name ") { area : " area "; pin(A) { direction : input; } pin(B) { direction : input; }\n"                   \
  "  pin(Y) { direction : output; function : \"" function "\"; timing() { related_pin : \"A\"; } } }\n"
#define ONE(name, area, function)                                                                                      \
  "cell (" name ") { area : " area "; pin(A) { direction : input; }\n"                                                 \
  "  pin(Y) { direction : output; function : \"" function "\"; timing() { related_pin : \"A\"; } } }\n"
#define HEAD "/* a library */ library(tiny) {\n time_unit : \"100ps\"; capacitive_load_unit (10 , ff);\n // comment\n"
#define FLIP_FLOP                                                                                                      \
  "cell (DFF) { area : 12; ff (IQ, IQN) { next_state : \"D\"; clocked_on : \"CK\"; }\n"                                \
  " pin(CK) { direction : input; clock : true; } pin(D) { direction : input; }\n"                                      \
  " pin(Q) { direction : output; function : \"IQ\"; timing() { related_pin : \"CK\"; } } }\n"
#define NANDS GATE("NAND_LARGE", "9", "!(A B)") GATE("NAND", "4.5", "(A B)'") GATE("OR", "6", "A+B")
#define INVERTERS ONE("INV", "2", "!A") ONE("BUF1", "3", "A") ONE("BUF9", "5", "A") ONE("CLKBUF", "3.5", "A")

static int parse(struct ut_liberty *l, const char *text) {
  return ut_liberty_parse(l, text, strlen(text), "tiny.lib", &error);
}

static void liberty_is_read(void **state) {
  (void)state;
  struct ut_liberty l;
  assert_int_equal(parse(&l, HEAD NANDS INVERTERS FLIP_FLOP "}\n"), 0);
  assert_string_equal(l.library, "tiny");
  assert_int_equal(l.cells, 8);
  assert_string_equal(l.nand2->name, "NAND");
  assert_true(l.nand2->area == 4.5);
  assert_string_equal(l.inverter->name, "INV");
  assert_string_equal(l.buffer->name, "BUF9"); /* the middle one of an even number: the larger */
  assert_string_equal(l.flip_flop->name, "DFF");
  assert_true(l.time_ns > 0.0999 && l.time_ns < 0.1001);
  assert_true(l.capacitance_pf > 0.00999 && l.capacitance_pf < 0.01001);
  assert_true(ut_cell_pin(l.flip_flop, "Q")->output);
  assert_null(ut_liberty_cell(&l, "NOR"));
  ut_liberty_free(&l);
}

static void liberty_lacks(const char *text, const char *what) {
  struct ut_liberty l;
  assert_int_equal(parse(&l, text), -1);
  assert_int_equal(error.code, UT_BAD_INPUT);
  assert_non_null(strstr(error.text, what));
  assert_non_null(strstr(error.text, "tiny.lib"));
  ut_liberty_free(&l);
}

static void liberty_must_do(void **state) {
  (void)state;
  liberty_lacks(HEAD NANDS INVERTERS "}", "flip-flop");
  liberty_lacks(HEAD INVERTERS FLIP_FLOP "}", "two-input NAND");
  liberty_lacks(HEAD NANDS FLIP_FLOP "}", "inverter");
  liberty_lacks(HEAD NANDS FLIP_FLOP
                "cell (INV) { area : 2; pin(A) { direction : input; } pin(Y) { direction : output; "
                "function : \"!A\"; } } }",
                "timing");
  liberty_lacks(HEAD "}", "no cell");
  liberty_lacks("", "library");
  liberty_lacks("module switch; endmodule", "library");
  liberty_lacks(HEAD NANDS, "not closed");
  liberty_lacks(HEAD "cell (X) { pin(A { } }", ":4:");
  liberty_lacks("library(a) { " /* nested without end */
                "a(){a(){a(){a(){a(){a(){a(){a(){a(){a(){a(){a(){a(){a(){a(){a(){a(){a(){a(){a(){",
                "deep");
}

static int truth(const char *function) {
  struct ut_cell_pin pins[4] = {{"A", NULL, true, false},
                                {"B", NULL, true, false},
                                {"C", NULL, true, false},
                                {"Y", (char *)(uintptr_t)function, false, true}};
  struct ut_cell c = {.name = "X", .pin = pins, .pins = 4};
  return ut_cell_truth(&c, 3);
}

static void functions(void **state) {
  (void)state;
  assert_int_equal(truth("A B C"), 0x80);
  assert_int_equal(truth("A&B*C"), 0x80);
  assert_int_equal(truth("(!((A B)+C))"), 0x07);
  assert_int_equal(truth("A ^ B ^ C"), 0x96);
  assert_int_equal(truth("((A'|B) C')'"), 0xf2);
  assert_int_equal(truth("A + 1"), 0xff);
  assert_int_equal(truth("A + D"), -1);
  assert_int_equal(truth("(A + B"), -1);
  assert_int_equal(truth(""), -1);
}

/* ---- timing ---- */

static const char report[] = "Startpoint: g_in[0].up_q_reg\n"
                             "Path Type: max\n\n    Delay      Time   Description\n"
                             "-------------------------------------------------------------\n"
                             "   0.0000    0.0000   clock clk (rise edge)\n"
                             "   0.0000    0.0000   clock network delay (ideal)\n"
                             "   0.0000    0.0000 ^ u_a/g_in[0].up_q_reg/CLK (DFF)\n"
                             "   0.1661    0.1661 v u_a/g_in[0].up_q_reg/Q (DFF)\n"
                             "   0.2000    0.3661 ^ u_a/_12_/Y (NAND)\n"
                             "   1.0000    1.3661 v u_b/_12_/Y (NAND)\n"
                             "   0.0000    1.3661 v g_in[3].cand_q[2]_reg/D (DFF)\n"
                             "             1.3661   data arrival time\n\n"
                             "  10.0000   10.0000   clock clk (rise edge)\n"
                             "            10.0000 ^ g_in[3].cand_q[2]_reg/CLK (DFF)\n"
                             "  -0.1339    9.8661   library setup time\n"
                             "             9.8661   data required time\n"
                             "-------------------------------------------------------------\n"
                             "             8.5000   slack (MET)\n";

static void timing_is_read(void **state) {
  (void)state;
  struct ut_timing t;
  assert_int_equal(ut_timing_parse(&t, report, 1), 0);
  assert_true(t.ns > 1.4999 && t.ns < 1.5001);
  assert_int_equal(t.levels, 2);
  assert_string_equal(t.start, "u_a/g_in[0].up_q");
  assert_string_equal(t.end, "g_in[3].cand_q[2]");
  assert_int_equal(t.steps, 3);
  assert_string_equal(t.step[2].cell, "NAND");
  assert_true(t.step[0].ns > 0.166 && t.step[0].ns < 0.167);
  ut_timing_free(&t);
  assert_int_equal(ut_timing_parse(&t, "No paths found.\n", 1), -1);
  ut_timing_free(&t);
  assert_int_equal(ut_timing_parse(&t, "", 1), -1);
  ut_timing_free(&t);
}

/* ---- registers ---- */

static void registers(void **state) {
  (void)state;
  struct ut_shape plain = {.route = UT_ROUTE_FATTREE, .algorithm = UT_FATTREE_FTA};
  struct ut_shape vector = {.route = UT_ROUTE_FATTREE, .algorithm = UT_FATTREE_REROUTE_ADAPTIVE_LINK};
  assert_int_equal(ut_state_of("g_in[1].u_input.g_vc[0].u_vc.u_fifo.data_q[3]", 5, &plain), UT_STATE_INPUT_BUFFER);
  assert_int_equal(ut_state_of("g_in[1].u_input.g_vc[0].u_vc.u_fifo.count_q", 0, &plain), UT_STATE_CONTROL);
  assert_int_equal(ut_state_of("g_out[0].u_output.g_queue.u_queue.g_fifo[1].u_fifo.tag_q[2]", 0, &plain),
                   UT_STATE_OUTPUT_QUEUE);
  assert_int_equal(ut_state_of("g_out[0].u_output.g_queue.u_queue.g_fifo[1].u_fifo.rd_q", 0, &plain), UT_STATE_CONTROL);
  assert_int_equal(ut_state_of("out_data_o", 500, &plain), UT_STATE_OUTPUT_REGISTER);
  assert_int_equal(ut_state_of("u_output.kind_o", 1, &plain), UT_STATE_OUTPUT_REGISTER);
  assert_int_equal(ut_state_of("g_state.u_vector.timer_q", 3, &vector), UT_STATE_REROUTE);
  assert_int_equal(ut_state_of("g_state.u_nodes.g_rule.diagonal_q", 3, &vector), UT_STATE_REROUTE);
  assert_int_equal(ut_state_of("g_in[0].u_input.g_vc[1].u_vc.g_purge.old_q", 0, &vector), UT_STATE_REROUTE);
  assert_int_equal(ut_state_of("g_in[1].u_input.g_vc[0].u_vc.g_rewrite.rt_q", 3, &vector), UT_STATE_REROUTE);
  assert_int_equal(ut_state_of("g_out[1].u_output.g_vc[0].credits_q", 2, &vector), UT_STATE_CONTROL);
  assert_int_equal(ut_state_of("g_in[0].u_input.u_route.g_family.u_route.table_q[9]", 1, &plain), UT_STATE_TABLE);
  /* straps: the timer's and the rule's belong to the vector, the level to every switch */
  assert_int_equal(ut_state_of("straps_q", 0, &vector), UT_STATE_CONTROL);
  assert_int_equal(ut_state_of("straps_q", 40, &vector), UT_STATE_REROUTE);
  assert_int_equal(ut_state_of("straps_q", 40, &plain), UT_STATE_CONTROL);
}

/* ---- networks ---- */

/* RUFT table 4. */
static void ruft_table_4(void **state) {
  (void)state;
  static const struct {
    unsigned k;
    uint64_t links[UT_ANALYTIC], elements[UT_ANALYTIC];
  } table[] = {
      {4, {384, 256, 512, 384, 512}, {2304, 768, 3072, 1280, 3072}},
      {8, {3072, 2048, 4096, 3072, 4096}, {36864, 12288, 49152, 20480, 49152}},
  };
  for (unsigned i = 0; i < 2; i++) {
    struct ut_analytic a[UT_ANALYTIC];
    ut_cost_analytic(table[i].k, 3, a);
    for (unsigned t = 0; t < UT_ANALYTIC; t++) {
      assert_int_equal(a[t].links, table[i].links[t]);
      assert_int_equal(a[t].switching_elements, table[i].elements[t]);
    }
  }
}

static void network(const char *topology, const char *algorithm, json_int_t switches, json_int_t links,
                    json_int_t elements) {
  char text[512];
  int n =
      snprintf(text, sizeof text, "topology: {%s}\nrouting: {algorithm: %s}\ntraffic: {load_flits_per_cycle: 0.1}\n",
               topology, algorithm);
  struct ut_scenario *s = ut_scenario_parse(text, (size_t)n, "test", &error);
  assert_non_null(s);
  json_t *cost = json_pack("{s:{s:i},s:f}", "crossbar", "crosspoints", 10, "nand2_equivalents", 2.5);
  json_t *const all[UT_MAX_ELABORATIONS] = {cost, cost, cost, cost};
  json_t *j = ut_cost_network(s, all, NULL);
  assert_int_equal(json_integer_value(json_object_get(j, "switches")), switches);
  assert_int_equal(json_integer_value(json_object_get(j, "links")), links);
  assert_int_equal(json_integer_value(json_object_get(j, "switching_elements")), elements); /* null is 0 */
  assert_int_equal(json_integer_value(json_object_get(j, "crosspoints")), 10 * switches);
  json_decref(j);
  json_decref(cost);
  ut_scenario_free(s);
}

/* The links of the topologies that exist, beside those of the formula. */
static void networks(void **state) {
  (void)state;
  network("kind: fat_tree, k: 4, n: 3", "fta", 48, 384, 2304);
  network("kind: fat_tree, k: 8, n: 3", "fta", 192, 3072, 36864);
  network("kind: torus, k: 4, n: 2", "dor", 16, 4 * 16 + 2 * 16, 0);
  network("kind: ruft, k: 4, n: 3", "ruft", 48, 256, 768);
  network("kind: ruft_pl, k: 4, n: 3", "ruft", 48, 512, 3072);
  network("kind: ft_ruft_212, k: 4, n: 3", "ruft", 48, 384, 1280);
  network("kind: ft_ruft_222, k: 4, n: 3", "ruft", 48, 512, 3072);
  network("kind: ft_ruft_212, k: 8, n: 3", "ruft", 192, 3072, 20480);
  network("kind: ruft_pl, k: 4, n: 3", "ruft, parallel_links: static", 48, 512, 48 * 32);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(liberty_is_read), cmocka_unit_test(liberty_must_do), cmocka_unit_test(functions),
      cmocka_unit_test(timing_is_read),  cmocka_unit_test(registers),       cmocka_unit_test(ruft_table_4),
      cmocka_unit_test(networks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
