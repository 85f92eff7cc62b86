/* cost_output.c - see cost_output.h */
#include "cost_output.h"

#include <stdio.h>
#include <string.h>

/* ---- reading the report ---- */

static double number(const json_t *o, const char *key) {
  return json_number_value(json_object_get(o, key));
}

static const char *text(const json_t *o, const char *key) {
  const char *s = json_string_value(json_object_get(o, key));
  return s ? s : "";
}

static double flip_flops(const json_t *cost) {
  const json_t *f = json_object_get(cost, "flip_flops");
  return number(f, "buffers") + number(f, "control") + number(f, "reroute");
}

static bool timed(const json_t *cost) {
  return json_is_number(json_object_get(cost, "longest_path_ns"));
}

/* 1234567 as 1,234,567. */
static const char *grouped(double value, char out[32]) {
  char digits[32];
  int n = snprintf(digits, sizeof digits, "%.0f", value), used = 0;
  for (int i = 0; i < n; i++) {
    out[used++] = digits[i];
    if ((n - 1 - i) % 3 == 0 && i < n - 1 && digits[i] != '-')
      out[used++] = ',';
  }
  out[used] = '\0';
  return out;
}

/* ---- one switch ---- */

static void print_blocks(const json_t *cost) {
  size_t i;
  json_t *block;
  char a[32], b[32], c[32];
  double sum = 0;
  json_array_foreach(json_object_get(cost, "blocks"), i, block) {
    sum += number(block, "nand2_equivalents");
  }
  printf("\nblocks, each mapped on its own (together %.1f %% of the whole switch)\n",
         100 * sum / number(cost, "nand2_equivalents"));
  printf("  %-18s %9s %10s %12s %7s %12s\n", "", "instances", "cells", "NAND2 equiv.", "share", "flip-flops");
  json_array_foreach(json_object_get(cost, "blocks"), i, block) {
    double area = number(block, "nand2_equivalents");
    printf("  %-18s %9.0f %10s %12s %5.1f %% %12s\n", text(block, "name"), number(block, "instances"),
           grouped(number(block, "cells"), a), grouped(area, b), 100 * area / sum, grouped(flip_flops(block), c));
  }
}

static void print_path(const json_t *cost) {
  size_t i;
  json_t *step;
  const json_t *path = json_object_get(cost, "path"), *blocks = json_object_get(cost, "path_through_blocks");
  printf("longest path     %.2f ns, %.0f cells between %s and %s\n", number(cost, "longest_path_ns"),
         number(cost, "logic_levels"), text(path, "from"), text(path, "to"));
  printf("  block by block %.2f ns:", number(blocks, "ns"));
  json_array_foreach(json_object_get(blocks, "blocks"), i, step) {
    printf("%s %s %.2f", i ? "," : "", text(step, "block"), number(step, "ns"));
  }
  printf("\n");
}

static void print_kinds(const json_t *cost) {
  const char *name;
  json_t *value;
  char a[32];
  int column = 0;
  printf("\ncells by kind\n");
  json_object_foreach(json_object_get(cost, "cells_by_kind"), name, value) {
    printf("%s%-10s %8s", column % 4 ? "   " : "  ", name, grouped(json_number_value(value), a));
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
         grouped(number(network, "terminals"), a));
  json_array_foreach(json_object_get(network, "analytic"), i, other) {
    printf("    %-38s %8s %20s\n", text(other, "topology"), grouped(number(other, "links"), a),
           grouped(number(other, "switching_elements"), b));
  }
}

static void print_links(const struct ut_cost_row *row) {
  char name[UT_NETWORK_NAME_SIZE], a[32], b[32];
  printf("%s: %s switches, %s unidirectional links (those of terminals included)",
         ut_scenario_network(row->scenario, name), grouped(number(row->network, "switches"), a),
         grouped(number(row->network, "links"), b));
}

static void print_network(const struct ut_cost_row *row) {
  char a[32];
  const json_t *n = row->network, *bar = json_object_get(row->cost, "crossbar");
  putchar('\n');
  print_links(row);
  printf(", %s NAND2 equivalents\n", grouped(number(n, "nand2_equivalents"), a));
  if (row->elaborations == 1)
    printf("  crosspoints in the netlist: %.0f inputs x %.0f outputs, %.0f of them real; %s in the network\n",
           number(bar, "inputs"), number(bar, "outputs"), number(bar, "crosspoints"),
           grouped(number(n, "crosspoints"), a));
  else
    printf("  crosspoints in the netlists of all switches: %s\n", grouped(number(n, "crosspoints"), a));
  print_analytic(n);
}

/* The kinds of switches that a network has. */
static void print_elaborations(const struct ut_cost_row *row) {
  char a[32];
  for (unsigned i = 0; i < row->elaborations; i++) {
    const json_t *bar = json_object_get(row[i].cost, "crossbar");
    printf("  %-14s %5u switches of %ux%u ports, %.0f crosspoints, %s NAND2 equivalents each\n", i ? "" : "of which",
           (unsigned)row[i].elaboration.count, row[i].shape.pi, row[i].shape.po, number(bar, "crosspoints"),
           grouped(number(row[i].cost, "nand2_equivalents"), a));
  }
}

static void print_one(const struct ut_cost_row *row) {
  char a[32], b[32], c[32], d[32];
  const json_t *cost = row->cost, *f = json_object_get(cost, "flip_flops");
  const struct ut_shape *s = &row->shape;
  printf("%s: %s, switch of %ux%u ports, %u VC%s of %u flits of %u bits; %s\n", row->scenario->path,
         row->scenario->routing.algorithm, s->pi, s->po, s->v, s->v > 1 ? "s" : "", s->depth, s->w,
         text(cost, "liberty"));
  printf("cells            %s\n", grouped(number(cost, "cells"), a));
  printf("area             %s um2 = %s NAND2 equivalents\n", grouped(number(cost, "area_um2"), a),
         grouped(number(cost, "nand2_equivalents"), b));
  printf("flip-flops       %s: buffers %s, control %s, re-route %s\n", grouped(flip_flops(cost), a),
         grouped(number(f, "buffers"), b), grouped(number(f, "control"), c), grouped(number(f, "reroute"), d));
  printf("memory bits      %s\n", grouped(number(cost, "memory_bits"), a));
  if (timed(cost))
    print_path(cost);
  printf("synthesis        %.1f s, when it was done\n", number(cost, "synthesis_s"));
  print_blocks(cost);
  print_network(row);
  print_kinds(cost);
}

/* ---- several ---- */

static double block_area(const json_t *cost, const char *name) {
  size_t i;
  json_t *block;
  json_array_foreach(json_object_get(cost, "blocks"), i, block) {
    if (!strcmp(text(block, "name"), name))
      return number(block, "nand2_equivalents");
  }
  return 0;
}

/* The blocks that two switches differ in: name and difference in NAND2 equivalents, the sum in *sum. */
static json_t *block_differences(const json_t *cost, const json_t *reference, double *sum) {
  json_t *list = json_object(), *block;
  const json_t *both[2] = {cost, reference};
  size_t i;
  *sum = 0;
  for (int b = 0; b < 2; b++) {
    json_array_foreach(json_object_get(both[b], "blocks"), i, block) {
      const char *name = text(block, "name");
      double difference = block_area(cost, name) - block_area(reference, name);
      if (json_object_get(list, name) || (difference < 0.01 && difference > -0.01))
        continue;
      json_object_set_new(list, name, json_real(difference));
      *sum += difference;
    }
  }
  return list;
}

static void print_difference(const json_t *cost, const json_t *reference) {
  double here = number(cost, "nand2_equivalents"), there = number(reference, "nand2_equivalents"), sum;
  json_t *blocks = block_differences(cost, reference, &sum), *value;
  const char *name;
  printf("  %+9.0f %+7.1f %% %+7.0f", here - there, 100 * (here - there) / there,
         flip_flops(cost) - flip_flops(reference));
  if (timed(cost))
    printf(" %+7.2f", number(cost, "longest_path_ns") - number(reference, "longest_path_ns"));
  printf(" %+9.0f:", sum);
  json_object_foreach(blocks, name, value) {
    printf(" %s %+.0f", name, json_number_value(value));
  }
  json_decref(blocks);
}

static void print_table(const struct ut_cost_table *t) {
  int width = 6;
  bool ns = timed(t->row[0].cost);
  char a[32], b[32], c[32], d[32];
  for (size_t i = 0; i < t->measured; i++)
    if ((int)strlen(t->row[i].label) > width)
      width = (int)strlen(t->row[i].label);
  printf("%-*s %5s %3s %9s %9s %9s %7s %8s", width, text(t->row[0].cost, "liberty"), "ports", "VCs", "cells",
         "NAND2 eq.", "flip-fl.", "re-rt.", "mem.bits");
  printf("%s%s%s\n", ns ? "      ns levels" : "", t->compare ? "    + NAND2      + %  + flip" : "",
         t->compare ? (ns ? "     + ns  + blocks" : "  + blocks") : "");
  for (size_t i = 0; i < t->measured; i++) {
    const struct ut_cost_row *row = &t->row[i];
    const json_t *cost = row->cost;
    if (i && t->compare && row->reference == i)
      putchar('\n');
    printf("%-*s %5u %3u %9s %9s %9s %7.0f %8s", width, row->label, row->shape.po, row->shape.v,
           grouped(number(cost, "cells"), a), grouped(number(cost, "nand2_equivalents"), b),
           grouped(flip_flops(cost), c), number(json_object_get(cost, "flip_flops"), "reroute"),
           grouped(number(cost, "memory_bits"), d));
    if (ns)
      printf(" %7.2f %6.0f", number(cost, "longest_path_ns"), number(cost, "logic_levels"));
    if (t->compare && row->reference != i)
      print_difference(cost, t->row[row->reference].cost);
    putchar('\n');
  }
  for (size_t i = 0; i < t->measured; i++)
    if (t->row[i].of == 0 && t->row[i].elaborations > 1 && t->row[i].network) {
      print_network(&t->row[i]);
      print_elaborations(&t->row[i]);
    }
}

void ut_cost_print_text(const struct ut_cost_table *t) {
  if (t->rows == 1)
    print_one(t->row);
  else
    print_table(t);
}

/* ---- JSON ---- */

static json_t *difference(const struct ut_cost_table *t, const struct ut_cost_row *row) {
  static const char *const keys[] = {"cells", "area_um2", "nand2_equivalents", "memory_bits", "longest_path_ns"};
  const struct ut_cost_row *to = &t->row[row->reference];
  double sum;
  json_t *j = json_pack("{s:s}", "to", to->label);
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
    if (json_is_number(json_object_get(row->cost, keys[k])))
      json_object_set_new(j, keys[k], json_real(number(row->cost, keys[k]) - number(to->cost, keys[k])));
  double there = number(to->cost, "nand2_equivalents");
  json_object_set_new(j, "area_percent", json_real(100 * (number(row->cost, "nand2_equivalents") - there) / there));
  json_object_set_new(j, "flip_flops", json_real(flip_flops(row->cost) - flip_flops(to->cost)));
  json_object_set_new(j, "blocks", block_differences(row->cost, to->cost, &sum));
  json_object_set_new(j, "blocks_nand2_equivalents", json_real(sum));
  return j;
}

static json_t *row_json(const struct ut_cost_table *t, const struct ut_cost_row *row) {
  if (!row->cost)
    return json_pack("{s:s,s:s,s:s,s:O}", "scenario", row->scenario->path, "label", row->label, "algorithm",
                     row->scenario->routing.algorithm, "network", row->network);
  const struct ut_shape *s = &row->shape;
  json_t *j = json_pack("{s:s,s:s,s:s,s:i,s:i,s:i,s:i}", "scenario", row->scenario->path, "label", row->label,
                        "algorithm", row->scenario->routing.algorithm, "ports", (int)s->po, "vcs", (int)s->v,
                        "depth_flits", (int)s->depth, "flit_bits", (int)s->w);
  json_object_update(j, row->cost);
  if (row->elaborations > 1)
    json_object_set_new(j, "elaboration",
                        json_pack("{s:i,s:i,s:i}", "switches", (int)row->elaboration.count, "inputs", (int)s->pi,
                                  "outputs", (int)s->po));
  json_object_set(j, "network", row->network);
  if (t->compare)
    json_object_set_new(j, "difference", difference(t, row));
  return j;
}

void ut_cost_print_json(const struct ut_cost_table *t) {
  json_t *list = json_array();
  for (size_t i = 0; i < t->measured; i++)
    json_array_append_new(list, row_json(t, &t->row[i]));
  json_dumpf(t->rows == 1 ? json_array_get(list, 0) : list, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
  putchar('\n');
  json_decref(list);
}

/* ---- networks without netlists ---- */

void ut_cost_print_networks(const struct ut_cost_table *t) {
  char a[32];
  for (size_t i = 0; i < t->measured; i++) {
    print_links(&t->row[i]);
    if (json_is_number(json_object_get(t->row[i].network, "switching_elements")))
      printf(", %s switching elements", grouped(number(t->row[i].network, "switching_elements"), a));
    putchar('\n');
  }
}
