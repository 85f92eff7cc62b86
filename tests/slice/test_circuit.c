/* SPDX-License-Identifier: Apache-2.0 */
/* test_circuit.c - slice/circuit: netlists of a small library as operations, evaluated one by one; and what cannot be
 * read. */
#include "circuit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "small_library.h"

static struct ut_error error;

#define HEAD                                                                                                           \
  "module ut_switch(clk_i, a_i, b_i, y_o, z_o);\n"                                                                     \
  "  wire _0_;\n  wire _1_;\n  wire [2:0] q_q;\n  wire \\u.r_q[1] ;\n"                                                 \
  "  input clk_i;\n  wire clk_i;\n  input [1:0] a_i;\n  wire [1:0] a_i;\n  input b_i;\n  wire b_i;\n"                  \
  "  output [4:0] y_o;\n  wire [4:0] y_o;\n  output z_o;\n  wire z_o;\n"

static int read_text(struct ut_circuit *c, const char *text) {
  struct ut_liberty l;
  assert_int_equal(ut_liberty_parse(&l, small_library, strlen(small_library), "small.lib", &error), 0);
  const int status = ut_circuit_read(c, text, "net.v", &l, &error);
  ut_liberty_free(&l);
  return status;
}

/* What an operation is, with these flip-flops and these bits of a_i and b_i. */
static bool value(const struct ut_circuit *c, uint32_t i, unsigned state, unsigned a, unsigned b) {
  const struct ut_op *op = &c->op[i];
  switch (op->kind) {
  case UT_OP_ZERO: return false;
  case UT_OP_ONE: return true;
  case UT_OP_STATE: return state >> op->a & 1;
  case UT_OP_NOT: return !value(c, op->a, state, a, b);
  case UT_OP_AND: return value(c, op->a, state, a, b) && value(c, op->b, state, a, b);
  case UT_OP_OR: return value(c, op->a, state, a, b) || value(c, op->b, state, a, b);
  case UT_OP_XOR: return value(c, op->a, state, a, b) != value(c, op->b, state, a, b);
  case UT_OP_NET: return value(c, op->a, state, a, b);
  case UT_OP_FRONT:
  case UT_OP_INPUT: break;
  }
  for (const struct ut_gate_name *n = c->gates.name; n < c->gates.name + c->gates.names; n++)
    if (op->a >= n->bit && op->a < n->bit + n->width)
      return (n->name[0] == 'a' ? a : b) >> (op->a - n->bit) & 1;
  fail();
  return false;
}

static uint32_t bit_of(const struct ut_circuit *c, const char *name, unsigned bit) {
  const struct ut_gate_name *n = ut_gates_name(&c->gates, name);
  if (!n)
    fail_msg("no %s", name);
  return c->bit[n->bit + bit];
}

static void functions_and_names(void **state) {
  (void)state;
  struct ut_circuit c;
  if (read_text(&c, HEAD "  MUX _2_ (\n    .A(a_i[0]),\n    .B(a_i[1]),\n    .S(q_q[0]),\n    .Y(_0_)\n  );\n"
                         "  XOR _3_ (\n    .A(_0_),\n    .B(b_i),\n    .Y(_1_)\n  );\n"
                         "  NAND _4_ (\n    .A(_1_),\n    .B(1'h1),\n    .Y(z_o)\n  );\n"
                         "  DFF _5_ (\n    .C(clk_i),\n    .D(_1_),\n    .Q(q_q[0])\n  );\n"
                         "  DFFN _6_ (\n    .C(clk_i),\n    .D(q_q[0]),\n    .E(b_i),\n    .QN(\\u.r_q[1] )\n  );\n"
                         "  assign q_q[2:1] = { \\u.r_q[1] , _0_ };\n"
                         "  assign y_o = { 2'h2, q_q };\nendmodule\n"))
    fail_msg("%s", error.text);
  assert_int_equal(c.states, 2);
  for (unsigned v = 0; v < 32; v++) {
    const unsigned q = v & 3, a = v >> 2 & 3, b = v >> 4;
    const bool first = q & 1, mux = !(first ? a & 1 : a >> 1), x = mux != b;
    assert_int_equal(value(&c, c.next[0], q, a, b), x);
    assert_int_equal(value(&c, c.next[1], q, a, b), b ? first : q >> 1); /* DFFN keeps its state without E */
    assert_int_equal(value(&c, bit_of(&c, "z_o", 0), q, a, b), !x);
    const bool shown[] = {first, mux, !(q >> 1), false, true};
    for (unsigned i = 0; i < 5; i++)
      assert_int_equal(value(&c, bit_of(&c, "y_o", i), q, a, b), shown[i]);
    assert_int_equal(value(&c, bit_of(&c, "\\u.r_q[1]", 0), q, a, b), !(q >> 1));
  }
  ut_circuit_free(&c);
}

/* Each operation needs earlier ones only, and none is there twice. */
static void order(void **state) {
  (void)state;
  struct ut_circuit c;
  assert_int_equal(read_text(&c, HEAD "  XOR _4_ (\n    .A(_0_),\n    .B(_1_),\n    .Y(z_o)\n  );\n"
                                      "  NAND _2_ (\n    .A(a_i[0]),\n    .B(a_i[1]),\n    .Y(_0_)\n  );\n"
                                      "  NAND _3_ (\n    .A(a_i[1]),\n    .B(a_i[0]),\n    .Y(_1_)\n  );\nendmodule\n"),
                   0);
  assert_int_equal(bit_of(&c, "z_o", 0), UT_OP_ZERO); /* of what is equal */
  for (size_t i = 2; i < c.ops; i++) {
    if (c.op[i].kind >= UT_OP_NOT)
      assert_true(c.op[i].a < i && c.op[i].b < i);
    for (size_t j = 0; j < i; j++)
      assert_memory_not_equal(&c.op[i], &c.op[j], sizeof *c.op);
  }
  ut_circuit_free(&c);
}

/* Two memories of two bits, which come in any order; three of their pins hang on nothing. */
static void memories(void **state) {
  (void)state;
  struct ut_circuit c;
  if (read_text(&c, HEAD "  DFF _5_ (\n    .C(clk_i),\n    .D(b_i),\n    .Q(q_q[0])\n  );\n"
                         "  DFF _6_ (\n    .C(clk_i),\n    .D(a_i[0]),\n    .Q(q_q[1])\n  );\n"
                         "  UT_MEMORY \\u.a.g_bit[1].m (.C(clk_i), .EN(b_i), .D(a_i[1]), .RA0(q_q[1]), .RA1(q_q[0]),"
                         " .RA2(1'h0), .WA0(a_i[0]), .WA1(_0_), .WA2(1'h0), .Q(y_o[1]));\n"
                         "  UT_MEMORY \\u.b.g_bit[0].m (.C(clk_i), .EN(1'h1), .D(q_q[0]), .RA0(q_q[0]), .WA0(q_q[0]),"
                         " .Q(y_o[2]));\n"
                         "  UT_MEMORY \\u.a.g_bit[0].m (.C(clk_i), .EN(b_i), .D(a_i[0]), .RA0(q_q[1]), .RA1(q_q[0]),"
                         " .WA0(a_i[0]), .WA1(_0_), .Q(y_o[0]));\n"
                         "  INV _7_ (\n    .A(y_o[0]),\n    .Y(_0_)\n  );\nendmodule\n"))
    fail_msg("%s", error.text);
  assert_int_equal(c.memories, 2);
  assert_int_equal(c.fronts, 3);
  const struct ut_memory *a = &c.memory[0], *b = &c.memory[1];
  assert_int_equal(a->length, strlen("\\u.a"));
  assert_memory_equal(a->name, "\\u.a", a->length);
  assert_int_equal(a->width, 2);
  assert_int_equal(a->address, 2);
  assert_int_equal(c.op[a->read[0]].a, 1);
  assert_int_equal(c.op[a->read[1]].a, 0);
  assert_int_equal(a->write[0], bit_of(&c, "a_i", 0));
  assert_int_equal(c.op[a->write[1]].kind, UT_OP_NOT); /* of its own front */
  assert_int_equal(c.op[c.op[a->write[1]].a].kind, UT_OP_FRONT);
  assert_int_equal(a->enable, bit_of(&c, "b_i", 0));
  assert_int_equal(b->width, 1);
  assert_int_equal(b->address, 1);
  assert_int_equal(b->enable, UT_OP_ONE);
  for (unsigned i = 0; i < 2; i++) {
    assert_int_equal(c.data[a->front + i], bit_of(&c, "a_i", i));
    assert_int_equal(c.op[bit_of(&c, "y_o", i)].kind, UT_OP_FRONT);
    assert_int_equal(c.op[bit_of(&c, "y_o", i)].a, a->front + i);
  }
  assert_int_equal(c.op[bit_of(&c, "y_o", 2)].a, b->front);
  assert_int_equal(c.data[b->front], bit_of(&c, "q_q", 0));
  ut_circuit_free(&c);
}

static void refused(const char *cells, const char *what) {
  struct ut_circuit c;
  char text[2048];
  snprintf(text, sizeof text, HEAD "%sendmodule\n", cells);
  assert_int_equal(read_text(&c, text), -1);
  assert_int_equal(error.code, UT_BAD_INPUT);
  if (!strstr(error.text, what) || !strstr(error.text, "net.v") || !strstr(error.text, "--engine verilator"))
    fail_msg("expected '%s': %s", what, error.text);
  ut_circuit_free(&c);
}

static void what_cannot_be_sliced(void **state) {
  (void)state;
  refused("  NOR _2_ (.A(b_i), .Y(z_o));\n", "_2_ is a NOR, which the Liberty file does not have");
  refused("  DUMB _2_ (.A(b_i), .Y(z_o));\n", "_2_ is a DUMB, which has no function");
  refused("  ODD _2_ (.A(b_i), .Y(z_o));\n", "no pin");
  refused("  LATCH _2_ (.D(b_i), .C(clk_i), .Q(z_o));\n", "a latch");
  refused("  TRI _2_ (.A(b_i), .B(b_i), .Y(z_o));\n", "a latch, or what is like one");
  refused("  DFFR _2_ (.D(b_i), .C(clk_i), .R(b_i), .Q(z_o));\n", "without the clock");
  refused("  DFF _2_ (.D(b_i), .C(b_i), .Q(z_o));\n", "clk_i");
  refused("  DFF _1_ (.D(b_i), .C(clk_i), .Q(_0_));\n  DFFF _2_ (.D(b_i), .C(clk_i), .Q(z_o));\n", "rising clk_i");
  refused("  DFF _1_ (.D(b_i), .C(clk_i), .Q(_0_));\n  XOR _2_ (.A(b_i), .B(clk_i), .Y(z_o));\n", "driven by clk_i");
  refused("  XOR _2_ (.A(b_i), .B(_1_), .Y(_0_));\n  XOR _3_ (.A(_0_), .B(b_i), .Y(_1_));\n", "loop");
  refused("  XOR _2_ (.A(b_i), .B(z_o), .Y(z_o));\n", "loop");
  refused("  UT_MEMORY m (.C(clk_i), .EN(b_i), .D(b_i), .RA0(b_i), .WA0(b_i), .Q(z_o));\n", "where flip-flops point");
  refused(
      "  UT_MEMORY m (.C(a_i[0]), .EN(b_i), .D(b_i), .WA0(b_i), .Q(z_o));\n  DFF _1_ (.D(b_i), .C(clk_i), .Q(_0_));\n",
      "rising clk_i");
  refused("  UT_MEMORY \\m.g_bit[0].m (.C(clk_i), .EN(b_i), .D(b_i), .Q(z_o));\n"
          "  UT_MEMORY \\m.g_bit[1].m (.C(clk_i), .EN(a_i[0]), .D(b_i), .Q(_0_));\n",
          "not written and read together");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_and_names),
      cmocka_unit_test(order),
      cmocka_unit_test(memories),
      cmocka_unit_test(what_cannot_be_sliced),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
