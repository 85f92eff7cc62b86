/* SPDX-License-Identifier: Apache-2.0 */
/* cost_output.c - see cost_output.h */
#include "cost_output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cost.h"
#include "cost_view.h"
#include "json_text.h"
#include "scenario.h"

/* ---- several ---- */

static double block_area(const json_t *cost, const char *name) {
  size_t i;
  json_t *block;
  json_array_foreach(json_object_get(cost, "blocks"), i, block) {
    if (!strcmp(ut_cost_text(block, "name"), name))
      return ut_cost_number(block, "nand2_equivalents");
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
      const char *name = ut_cost_text(block, "name");
      double difference = block_area(cost, name) - block_area(reference, name);
      if (json_object_get(list, name) || (difference < 0.01 && difference > -0.01))
        continue;
      json_object_set_new(list, name, json_real(difference));
      *sum += difference;
    }
  }
  return list;
}

/* timed: there is a column for nanoseconds. */
static void print_difference(const json_t *cost, const json_t *reference, bool timed) {
  const char *price = ut_cost_price(cost);
  const double here = ut_cost_number(cost, price), there = ut_cost_number(reference, price);
  double sum;
  json_t *blocks = block_differences(cost, reference, &sum), *value;
  const char *name;
  printf("  %+9.0f %+7.1f %% %+7.0f", here - there, 100 * (here - there) / there,
         ut_cost_value(cost, "flip_flops") - ut_cost_value(reference, "flip_flops"));
  if (timed && !(ut_cost_timed(cost) && ut_cost_timed(reference)))
    printf(" %7s", "-");
  else if (timed)
    printf(" %+7.2f", ut_cost_number(cost, "longest_path_ns") - ut_cost_number(reference, "longest_path_ns"));
  if (json_object_get(cost, "blocks"))
    printf(" %+9.0f:", sum);
  json_object_foreach(blocks, name, value) {
    printf(" %s %+.0f", name, json_number_value(value));
  }
  json_decref(blocks);
}

/* Some switch has something in this column. */
static bool shown(const struct ut_cost_table *t, const struct ut_cost_column *column) {
  for (size_t i = 0; i < t->measured; i++)
    if (!isnan(ut_cost_value(t->row[i].cost, column->key)))
      return true;
  return false;
}

static void print_titles(const struct ut_cost_table *t, const struct ut_cost_view *view, int width) {
  const json_t *first = t->row[0].cost;
  printf("%-*s %5s %3s", width, ut_cost_text(first, view->title_key), "ports", "VCs");
  for (const struct ut_cost_column *c = view->column; c->title; c++)
    if (shown(t, c))
      printf(" %*s", c->width, c->title);
  if (t->compare)
    printf("    + %-5s%9s%8s%s%s", view->price_short, "+ %", "+ flip", ut_cost_timed(first) ? "     + ns" : "",
           json_object_get(first, "blocks") ? "  + blocks" : "");
  putchar('\n');
}

static void print_values(const struct ut_cost_table *t, const struct ut_cost_view *view, const json_t *cost) {
  char a[32];
  for (const struct ut_cost_column *c = view->column; c->title; c++) {
    const double value = ut_cost_value(cost, c->key);
    if (!shown(t, c))
      continue;
    if (isnan(value))
      printf(" %*s", c->width, "-");
    else if (c->digits)
      printf(" %*.*f", c->width, c->digits, value);
    else
      printf(" %*s", c->width, ut_cost_grouped(value, a));
  }
}

/* The kinds of switches that a network has. */
static void print_elaborations(const struct ut_cost_row *row) {
  char a[32];
  const struct ut_cost_view *view = ut_cost_view(row->cost);
  for (unsigned i = 0; i < row->elaborations; i++) {
    const json_t *bar = json_object_get(row[i].cost, "crossbar");
    printf("  %-14s %5u switches of %ux%u ports, ", i ? "" : "of which", (unsigned)row[i].elaboration.count,
           row[i].shape.pi, row[i].shape.po);
    if (bar)
      printf("%.0f crosspoints, ", ut_cost_number(bar, "crosspoints"));
    printf("%s %s each\n", ut_cost_grouped(ut_cost_number(row[i].cost, ut_cost_price(row->cost)), a),
           view->price_title);
  }
}

static void print_table(const struct ut_cost_table *t) {
  const struct ut_cost_view *view = ut_cost_view(t->row[0].cost);
  int width = 6;
  for (size_t i = 0; i < t->measured; i++)
    if ((int)strlen(t->row[i].label) > width)
      width = (int)strlen(t->row[i].label);
  print_titles(t, view, width);
  for (size_t i = 0; i < t->measured; i++) {
    const struct ut_cost_row *row = &t->row[i];
    if (i && t->compare && row->reference == i)
      putchar('\n');
    printf("%-*s %5u %3u", width, row->label, row->shape.po, row->shape.v);
    print_values(t, view, row->cost);
    if (t->compare && row->reference != i)
      print_difference(row->cost, t->row[row->reference].cost, ut_cost_timed(t->row[0].cost));
    putchar('\n');
  }
  for (size_t i = 0; i < t->measured; i++)
    if (t->row[i].of == 0 && t->row[i].elaborations > 1 && t->row[i].network) {
      ut_cost_print_network(&t->row[i]);
      print_elaborations(&t->row[i]);
    }
}

void ut_cost_print_text(const struct ut_cost_table *t) {
  if (t->rows == 1)
    ut_cost_view(t->row->cost)->print_one(t->row);
  else
    print_table(t);
}

/* ---- JSON ---- */

static json_t *difference(const struct ut_cost_table *t, const struct ut_cost_row *row) {
  const struct ut_cost_row *to = &t->row[row->reference];
  const struct ut_cost_view *view = ut_cost_view(row->cost);
  double sum;
  json_t *j = json_pack("{s:s}", "to", to->label);
  for (const char *const *key = view->difference; *key; key++)
    if (json_is_number(json_object_get(row->cost, *key)) && json_is_number(json_object_get(to->cost, *key)))
      json_object_set_new(j, *key, json_real(ut_cost_number(row->cost, *key) - ut_cost_number(to->cost, *key)));
  const char *price = ut_cost_price(row->cost);
  const double there = ut_cost_number(to->cost, price);
  json_object_set_new(j, view->percent, json_real(100 * (ut_cost_number(row->cost, price) - there) / there));
  json_object_set_new(j, "flip_flops",
                      json_real(ut_cost_value(row->cost, "flip_flops") - ut_cost_value(to->cost, "flip_flops")));
  if (!json_object_get(row->cost, "blocks"))
    return j;
  json_object_set_new(j, "blocks", block_differences(row->cost, to->cost, &sum));
  json_object_set_new(j, "blocks_nand2_equivalents", json_real(sum));
  return j;
}

static json_t *row_json(const struct ut_cost_table *t, const struct ut_cost_row *row) {
  if (!row->cost)
    return json_pack("{s:o,s:o,s:s,s:O}", "scenario", ut_json_text(row->scenario->path), "label",
                     ut_json_text(row->label), "algorithm", row->scenario->routing.algorithm, "network", row->network);
  const struct ut_shape *s = &row->shape;
  json_t *j = json_pack("{s:o,s:o,s:s,s:i,s:i,s:i,s:i}", "scenario", ut_json_text(row->scenario->path), "label",
                        ut_json_text(row->label), "algorithm", row->scenario->routing.algorithm, "ports", (int)s->po,
                        "vcs", (int)s->v, "depth_flits", (int)s->depth, "flit_bits", (int)s->w);
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
    ut_cost_print_links(&t->row[i]);
    if (json_is_number(json_object_get(t->row[i].network, "switching_elements")))
      printf(", %s switching elements", ut_cost_grouped(ut_cost_number(t->row[i].network, "switching_elements"), a));
    putchar('\n');
  }
}
