/* SPDX-License-Identifier: Apache-2.0 */
/* cost_one.c - what `uturn cost` prints of one switch. */
#include <stdio.h>

#include "cost.h"
#include "cost_view.h"
#include "scenario.h"
#include "scenario_switches.h"

/* ---- standard cells ---- */

static void print_blocks(const json_t *cost) {
  size_t i;
  json_t *block;
  char a[32], b[32], c[32];
  double sum = 0;
  json_array_foreach(json_object_get(cost, "blocks"), i, block) {
    sum += ut_cost_number(block, "nand2_equivalents");
  }
  printf("\nblocks, each mapped on its own (together %.1f %% of the whole switch)\n",
         100 * sum / ut_cost_number(cost, "nand2_equivalents"));
  printf("  %-18s %9s %10s %12s %7s %12s\n", "", "instances", "cells", "NAND2 equiv.", "share", "flip-flops");
  json_array_foreach(json_object_get(cost, "blocks"), i, block) {
    double area = ut_cost_number(block, "nand2_equivalents");
    printf("  %-18s %9.0f %10s %12s %5.1f %% %12s\n", ut_cost_text(block, "name"), ut_cost_number(block, "instances"),
           ut_cost_grouped(ut_cost_number(block, "cells"), a), ut_cost_grouped(area, b), 100 * area / sum,
           ut_cost_grouped(ut_cost_value(block, "flip_flops"), c));
  }
}

static void print_shares(const json_t *blocks) {
  size_t i;
  json_t *step;
  json_array_foreach(json_object_get(blocks, "blocks"), i, step) {
    printf("%s %s %.2f", i ? "," : "", ut_cost_text(step, "block"), ut_cost_number(step, "ns"));
  }
  printf("\n");
}

static void print_path(const json_t *cost) {
  const json_t *path = json_object_get(cost, "path"), *blocks = json_object_get(cost, "path_through_blocks");
  printf("longest path     %.2f ns, %.0f cells between %s and %s\n", ut_cost_number(cost, "longest_path_ns"),
         ut_cost_number(cost, "logic_levels"), ut_cost_text(path, "from"), ut_cost_text(path, "to"));
  printf("  block by block %.2f ns:", ut_cost_number(blocks, "ns"));
  print_shares(blocks);
}

static void print_kinds(const json_t *cost) {
  const char *name;
  json_t *value;
  char a[32];
  int column = 0;
  printf("\ncells by kind\n");
  json_object_foreach(json_object_get(cost, "cells_by_kind"), name, value) {
    printf("%s%-10s %8s", column % 4 ? "   " : "  ", name, ut_cost_grouped(json_number_value(value), a));
    if (++column % 4 == 0)
      putchar('\n');
  }
  if (column % 4)
    putchar('\n');
}

static void print_analytic(const json_t *network) {
  char a[32], b[32];
  json_t *other;
  size_t i;
  if (!json_object_get(network, "analytic"))
    return;
  printf("  analytic (RUFT tables 3 and 4), %s terminals    links   switching elements\n",
         ut_cost_grouped(ut_cost_number(network, "terminals"), a));
  json_array_foreach(json_object_get(network, "analytic"), i, other) {
    printf("    %-38s %8s %20s\n", ut_cost_text(other, "topology"), ut_cost_grouped(ut_cost_number(other, "links"), a),
           ut_cost_grouped(ut_cost_number(other, "switching_elements"), b));
  }
}

void ut_cost_print_links(const struct ut_cost_row *row) {
  char name[UT_NETWORK_NAME_SIZE], a[32], b[32];
  printf("%s: %s switches, %s unidirectional links (those of terminals included)",
         ut_scenario_network(row->scenario, name), ut_cost_grouped(ut_cost_number(row->network, "switches"), a),
         ut_cost_grouped(ut_cost_number(row->network, "links"), b));
}

void ut_cost_print_network(const struct ut_cost_row *row) {
  char a[32];
  const json_t *n = row->network, *bar = json_object_get(row->cost, "crossbar");
  const struct ut_cost_view *view = ut_cost_view(row->cost);
  putchar('\n');
  ut_cost_print_links(row);
  printf(", %s %s\n", ut_cost_grouped(ut_cost_number(n, ut_cost_price(row->cost)), a), view->price_title);
  if (bar && row->elaborations == 1)
    printf("  crosspoints in the netlist: %.0f inputs x %.0f outputs, %.0f of them real; %s in the network\n",
           ut_cost_number(bar, "inputs"), ut_cost_number(bar, "outputs"), ut_cost_number(bar, "crosspoints"),
           ut_cost_grouped(ut_cost_number(n, "crosspoints"), a));
  else if (bar)
    printf("  crosspoints in the netlists of all switches: %s\n", ut_cost_grouped(ut_cost_number(n, "crosspoints"), a));
  print_analytic(n);
}

static void print_head(const struct ut_cost_row *row) {
  const json_t *cost = row->cost;
  const struct ut_shape *s = &row->shape;
  printf("%s: %s, switch of %ux%u ports, %u VC%s of %u flits of %u bits; %s\n", row->scenario->path,
         row->scenario->routing.algorithm, s->pi, s->po, s->v, s->v > 1 ? "s" : "", s->depth, s->w,
         ut_cost_text(cost, ut_cost_view(cost)->title_key));
}

static void print_flip_flops(const json_t *cost) {
  char a[32], b[32], c[32], d[32];
  const json_t *f = json_object_get(cost, "flip_flops");
  printf("flip-flops       %s: buffers %s, control %s, re-route %s\n",
         ut_cost_grouped(ut_cost_value(cost, "flip_flops"), a), ut_cost_grouped(ut_cost_number(f, "buffers"), b),
         ut_cost_grouped(ut_cost_number(f, "control"), c), ut_cost_grouped(ut_cost_number(f, "reroute"), d));
}

void ut_cost_print_cells(const struct ut_cost_row *row) {
  char a[32], b[32];
  const json_t *cost = row->cost;
  print_head(row);
  printf("cells            %s\n", ut_cost_grouped(ut_cost_number(cost, "cells"), a));
  printf("area             %s um2 = %s NAND2 equivalents\n", ut_cost_grouped(ut_cost_number(cost, "area_um2"), a),
         ut_cost_grouped(ut_cost_number(cost, "nand2_equivalents"), b));
  print_flip_flops(cost);
  printf("memory bits      %s\n", ut_cost_grouped(ut_cost_number(cost, "memory_bits"), a));
  if (ut_cost_timed(cost))
    print_path(cost);
  printf("synthesis        %.1f s, when it was done\n", ut_cost_number(cost, "synthesis_s"));
  print_blocks(cost);
  ut_cost_print_network(row);
  print_kinds(cost);
}

/* ---- an FPGA ---- */

static void print_routed_path(const json_t *cost) {
  const json_t *path = json_object_get(cost, "path"), *blocks = json_object_get(cost, "path_through_blocks");
  printf("maximum clock    %.1f MHz after routing\n", ut_cost_number(cost, "mhz"));
  printf("longest path     %.2f ns, %.2f of it in wires, %.0f LUTs and carries between %s and %s\n",
         ut_cost_number(cost, "longest_path_ns"), ut_cost_number(cost, "wires_ns"),
         ut_cost_number(cost, "logic_levels"), ut_cost_text(path, "from"), ut_cost_text(path, "to"));
  printf("  block by block");
  print_shares(blocks);
}

static void print_chip(const json_t *cost) {
  char a[32], b[32], c[32];
  const json_t *chip = json_object_get(cost, "chip");
  if (!chip) {
    printf("maximum clock    not known: all this is before routing\n");
    return;
  }
  printf("%-16s %s logic cells of %s, %s more for its pins\n", ut_cost_text(chip, "name"),
         ut_cost_grouped(ut_cost_number(chip, "logic_cells"), a), ut_cost_grouped(ut_cost_number(chip, "available"), b),
         ut_cost_grouped(ut_cost_number(chip, "logic_cells_of_pins"), c));
  if (ut_cost_timed(cost))
    print_routed_path(cost);
}

void ut_cost_print_fpga(const struct ut_cost_row *row) {
  char a[32], b[32];
  const json_t *cost = row->cost;
  print_head(row);
  printf("LUTs             %s, %s of them as RAM\n", ut_cost_grouped(ut_cost_number(cost, "luts"), a),
         ut_cost_grouped(ut_cost_number(cost, "luts_as_ram"), b));
  print_flip_flops(cost);
  printf("carry cells      %s\n", ut_cost_grouped(ut_cost_number(cost, "carry_cells"), a));
  printf("wide muxes       %s\n", ut_cost_grouped(ut_cost_number(cost, "wide_multiplexers"), a));
  printf("block RAMs       %s\n", ut_cost_grouped(ut_cost_number(cost, "block_rams"), a));
  print_chip(cost);
  printf("synthesis        %.1f s, when it was done\n", ut_cost_number(cost, "synthesis_s"));
  ut_cost_print_network(row);
  print_kinds(cost);
}
