/* SPDX-License-Identifier: Apache-2.0 */
/* random_netlist.h - netlists of the small library by chance, and what they mean.  Before it: IN inputs, FLIPS
 * flip-flops, GATES other cells, SHOWN outputs; perhaps RESET: input 0 is rst_i, and sets all flip-flops but the first
 * three, those of odd numbers to 1. */
#ifndef UT_RANDOM_NETLIST_H
#define UT_RANDOM_NETLIST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "gates.h"
#include "memory_text.h"
#include "small_library.h"

static uint64_t seed = 1;

static uint64_t chance(void) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return seed;
}

/* Node n: an input, a flip-flop, or a cell of earlier ones. */
enum { FIRST_GATE = IN + FLIPS, NODES = FIRST_GATE + GATES };
enum kind { NAND, XOR, MUX, AOI, INV, KINDS };
static const struct {
  const char *name;
  unsigned inputs;
} cells[KINDS] = {{"NAND", 2}, {"XOR", 2}, {"MUX", 3}, {"AOI", 4}, {"INV", 1}};
static struct node {
  enum kind kind;
  unsigned from[4];
} node[NODES];
static unsigned next[FLIPS], shown[SHOWN]; /* nodes */

/* So many flip-flops, the last ones, are a register state_q. */
static unsigned state_bits;

enum { NAME_SIZE = 24 };
static void name_of(char name[NAME_SIZE], unsigned n) {
#ifdef RESET
  if (n == 0) {
    snprintf(name, NAME_SIZE, "rst_i");
    return;
  }
#endif
  if (n < IN)
    snprintf(name, NAME_SIZE, "in_i[%u]", n);
  else if (n < FIRST_GATE - state_bits)
    snprintf(name, NAME_SIZE, "\\a.r_q [%u]", n - IN);
  else if (n < FIRST_GATE)
    snprintf(name, NAME_SIZE, "\\a.state_q [%u]", n - (FIRST_GATE - state_bits));
  else
    snprintf(name, NAME_SIZE, "_%u_", n);
}

#ifdef RESET
/* The last cells: the inverse of the reset, and two for each flip-flop. */
enum { RUNNING = NODES - 2 * FLIPS - 1 };
static bool is_chosen(unsigned n) {
  return n >= RUNNING;
}
static void choose_reset(unsigned n) {
  if (n == RUNNING) {
    node[n].kind = INV;
    node[n].from[0] = 0;
  } else if (n > RUNNING && (n - RUNNING) % 2) {
    node[n].kind = NAND;
    node[n].from[0] = FIRST_GATE + (unsigned)(chance() % (RUNNING - FIRST_GATE));
    node[n].from[1] = RUNNING;
  } else if (n > RUNNING) {
    node[n].kind = INV;
    node[n].from[0] = n - 1;
  }
}
#else
static bool is_chosen(unsigned n) {
  (void)n;
  return false;
}
#endif

/* A netlist of cells of the small library, in any order. */
static char *random_netlist(void) {
  char *text, name[NAME_SIZE];
  size_t size;
  FILE *f = ut_memory_open(&text, &size);
#ifdef RESET
  fprintf(f, "module ut_switch(clk_i, rst_i, in_i, out_o);\n  input rst_i;\n  wire rst_i;\n");
#else
  fprintf(f, "module ut_switch(clk_i, in_i, out_o);\n");
#endif
  fprintf(f, "  input clk_i;\n  wire clk_i;\n  input [%d:0] in_i;\n", IN - 1);
  fprintf(f, "  output [%d:0] out_o;\n  wire [%d:0] \\a.r_q ;\n", SHOWN - 1, FLIPS - 1 - (int)state_bits);
  if (state_bits)
    fprintf(f, "  wire [%d:0] \\a.state_q ;\n", (int)state_bits - 1);
  for (unsigned n = FIRST_GATE; n < NODES; n++) {
    node[n].kind = chance() % KINDS;
#ifdef RESET
    choose_reset(n);
#endif
    fprintf(f, "  wire _%u_;\n", n);
  }
  for (unsigned n = NODES; n-- > FIRST_GATE;) {
    fprintf(f, "  %s g%u (\n", cells[node[n].kind].name, n);
    for (unsigned i = 0; i < cells[node[n].kind].inputs; i++) {
      const unsigned near = n > FIRST_GATE + 60 ? n - 60 : 0;
      if (!is_chosen(n))
        node[n].from[i] = chance() % 8 ? near + chance() % (n - near) : chance() % n;
      name_of(name, node[n].from[i]);
      fprintf(f, "    .%c(%s),\n", node[n].kind == MUX && i == 2 ? 'S' : (int)('A' + i), name);
    }
    fprintf(f, "    .Y(_%u_)\n  );\n", n);
  }
  for (unsigned i = 0; i < FLIPS; i++) {
    next[i] = (unsigned)(IN + chance() % (NODES - IN));
#ifdef RESET
    next[i] = i > 2 ? RUNNING + 1 + 2 * i + !(i % 2) : next[i];
#endif
    name_of(name, next[i]);
    fprintf(f, "  DFF f%u (\n    .C(clk_i),\n    .D(%s),\n", i, name);
    name_of(name, IN + i);
    fprintf(f, "    .Q(%s)\n  );\n", name);
  }
  fprintf(f, "  assign out_o = {");
  for (unsigned i = SHOWN; i-- > 0;) {
    name_of(name, shown[i] = (unsigned)(chance() % NODES));
    fprintf(f, " %s%s", name, i ? "," : "");
  }
  fprintf(f, " };\nendmodule\n");
  assert_int_equal(ut_memory_close(f, &text), 0);
  return text;
}

/* The net of a node; UINT32_MAX: no cell names it. */
static inline uint32_t net_of(const struct ut_gates *g, unsigned n) {
  char name[NAME_SIZE];
  name_of(name, n);
  for (uint32_t i = 0; i < g->nets; i++)
    if (!strcmp(g->net[i].name, name))
      return i;
  return UINT32_MAX;
}

/* 64 lanes of all nodes, by the cells' meaning; node `stuck` has that value. */
static void evaluate(uint64_t *v, unsigned stuck, uint64_t value) {
  if (stuck < FIRST_GATE)
    v[stuck] = value;
  for (unsigned n = FIRST_GATE; n < NODES; n++) {
    const unsigned *f = node[n].from;
    switch (node[n].kind) {
    case NAND: v[n] = ~(v[f[0]] & v[f[1]]); break;
    case XOR: v[n] = v[f[0]] ^ v[f[1]]; break;
    case MUX: v[n] = ~((v[f[2]] & v[f[0]]) | (~v[f[2]] & v[f[1]])); break;
    case AOI: v[n] = ~((v[f[0]] & v[f[1]]) | (v[f[2]] & v[f[3]])); break;
    default: v[n] = ~v[f[0]];
    }
    if (n == stuck)
      v[n] = value;
  }
}

#endif
