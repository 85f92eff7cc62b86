/* SPDX-License-Identifier: Apache-2.0 */
/* cost_output.c - see cost_output.h */
#include "cost_output.h"

#include <string.h>

#include "cost.h"
#include "cost_view.h"
#include "scenario.h"
#include "scenario_output.h"

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

static json_t *difference(const struct ut_cost_table *table, const struct ut_cost_row *row) {
  const struct ut_cost_row *to = &table->row[row->reference];
  const struct ut_cost_view *view = ut_cost_view(row->cost);
  const char *price = ut_cost_price(row->cost);
  const double there = ut_cost_number(to->cost, price);
  double sum;
  json_t *j = UT_OBJECT({"to", ut_string(to->label)});
  for (const char *const *key = view->difference; *key; key++)
    if (json_is_number(json_object_get(row->cost, *key)) && json_is_number(json_object_get(to->cost, *key)))
      UT_ADD(j, {*key, ut_real(ut_cost_number(row->cost, *key) - ut_cost_number(to->cost, *key))});
  const double percent = 100 * (ut_cost_number(row->cost, price) - there) / there;
  UT_ADD(j, {view->percent, ut_real(percent)}, {"_percent", ut_real(percent)},
         {"flip_flops", ut_real(ut_cost_value(row->cost, "flip_flops") - ut_cost_value(to->cost, "flip_flops"))});
  if (!json_object_get(row->cost, "blocks"))
    return j;
  json_t *blocks = block_differences(row->cost, to->cost, &sum);
  return UT_ADD(j, {"blocks", blocks}, {"blocks_nand2_equivalents", ut_real(sum)});
}

/* ---- text */

#define LINKS                                                                                                          \
  "{_network}: {network.switches:,} switches, {network.links:,} unidirectional links (those of terminals included)"
#define NETWORK                                                                                                        \
  "\n" LINKS ", {?network.luts}{network.luts:,}{:}{network.nand2_equivalents:,}{/} {_price}\n"                         \
  "{?crossbar}"                                                                                                        \
  "{?elaboration}"                                                                                                     \
  "  crosspoints in the netlists of all switches: {network.crosspoints:,}\n"                                           \
  "{:}"                                                                                                                \
  "  crosspoints in the netlist: {crossbar.inputs} inputs x {crossbar.outputs} outputs, {crossbar.crosspoints} of "    \
  "them real; {network.crosspoints:,} in the network\n"                                                                \
  "{/}{/}{?network.analytic}"                                                                                          \
  "  analytic (RUFT tables 3 and 4), {network.terminals:,} terminals\n"                                                \
  "{|network.analytic}"                                                                                                \
  "    <topology|links|switching elements\n"                                                                           \
  "{topology}|{links:,}|{switching_elements:,}\n"                                                                      \
  "{/}{/}"
#define SHARES "{#path_through_blocks.blocks}{block} {ns:.2f}{, }{/}\n"

static const char networks_layout[] =
    "{#rows}" LINKS "{?network.switching_elements}, {network.switching_elements:,} switching elements{/}\n{/}";

static const char one_layout[] =
    "{#rows}{scenario}: {algorithm}, switch of {_inputs}x{ports} ports, {vcs} VC{vcs+s} of {depth_flits} flits of "
    "{flit_bits} bits; {_technology}\n"
    "{?luts}"
    "LUTs             {luts:,}, {luts_as_ram:,} of them as RAM\n"
    "{:}"
    "cells            {cells:,}\n"
    "area             {area_um2:,} um2 = {nand2_equivalents:,} NAND2 equivalents\n"
    "{/}"
    "flip-flops       {flip_flops:,}: buffers {flip_flops.buffers:,}, control {flip_flops.control:,}, re-route "
    "{flip_flops.reroute:,}\n"
    "{?luts}"
    "carry cells      {carry_cells:,}\n"
    "wide muxes       {wide_multiplexers:,}\n"
    "block RAMs       {block_rams:,}\n"
    "{?chip}"
    "{chip.name:-16s} {chip.logic_cells:,} logic cells of {chip.available:,}, {chip.logic_cells_of_pins:,} more for "
    "its pins\n"
    "{?longest_path_ns}"
    "maximum clock    {mhz:.1f} MHz after routing\n"
    "longest path     {longest_path_ns:.2f} ns, {wires_ns:.2f} of it in wires, {logic_levels} LUTs and carries between "
    "{path.from} and {path.to}\n"
    "  block by block " SHARES "{/}{:}"
    "maximum clock    not known: all this is before routing\n"
    "{/}{:}"
    "memory bits      {memory_bits:,}\n"
    "{?longest_path_ns}"
    "longest path     {longest_path_ns:.2f} ns, {logic_levels} cells between {path.from} and {path.to}\n"
    "  block by block {path_through_blocks.ns:.2f} ns: " SHARES "{/}{/}"
    "synthesis        {synthesis_s:.1f} s, when it was done\n"
    "{?blocks}\n"
    "blocks, each mapped on its own (together {_blocks_percent:.1f} % of the whole switch)\n"
    "{|blocks}"
    "  <|instances|cells|NAND2 equiv.|share|flip-flops\n"
    "{name}|{instances}|{cells:,}|{nand2_equivalents:,}|{_share:.1f} %|{flip_flops:,}\n"
    "{/}{/}" NETWORK "\n"
    "{|cells_by_kind}"
    "  <cells by kind|\n"
    "{@}|{.:,}\n"
    "{/}{/}";

/* Several: of those that are compared, a reference begins a group.  Then networks with several kinds of switches. */
static const char table_layout[] =
    "{|rows}"
    "<{_technology}|ports|VCs|cells|NAND2 eq.|LUTs|as RAM|flip-fl.|re-rt.|mem.bits|carry|wide mux|block RAM|logic cells"
    "|ns|levels|MHz|+ {_price_short}|+ %|+ flip|+ ns|+ blocks|<\n"
    "{label}|{ports}|{vcs}|{cells:,}|{nand2_equivalents:,}|{luts:,}|{luts_as_ram:,}|{flip_flops:,}|{flip_flops.reroute:"
    ",}"
    "|{memory_bits:,}|{carry_cells:,}|{wide_multiplexers:,}|{block_rams:,}|{chip.logic_cells:,}|{longest_path_ns:.2f}"
    "|{logic_levels:,}|{mhz:.1f}|{?_compared}{difference.nand2_equivalents:+.0f}{difference.luts:+.0f}{/}|"
    "{?_compared}{difference._percent:+.1f} %{/}|{?_compared}{difference.flip_flops:+.0f}{/}"
    "|{?_compared}{difference.longest_path_ns:+.2f}{/}|{?_compared}{difference.blocks_nand2_equivalents:+.0f}{/}"
    "|{?_compared}{#difference.blocks}{@} {.:+.0f}{, }{/}{/}\n"
    "{?_last_of_group}\n{/}"
    "{/}{#rows}{?_elaborations}" NETWORK "{|_elaborations}"
    "  <|<|<|<\n"
    "{?first}of which{/}|{switches} switches of {inputs}x{outputs} ports|{?crosspoints}{crosspoints} crosspoints{/}|"
    "{price:,} {_price} each\n"
    "{/}{/}{/}";

/* ---- the rows */

/* The kinds of switches that a network has. */
static json_t *elaborations_json(const struct ut_cost_row *row) {
  json_t *list = json_array();
  for (unsigned i = 0; i < row->elaborations; i++) {
    const json_t *bar = json_object_get(row[i].cost, "crossbar");
    json_array_append_new(list,
                          UT_OBJECT({"first", json_boolean(!i)}, {"switches", ut_int(row[i].elaboration.count)},
                                    {"inputs", ut_int(row[i].shape.pi)}, {"outputs", ut_int(row[i].shape.po)},
                                    {"crosspoints", bar ? ut_int((uint64_t)ut_cost_number(bar, "crosspoints")) : NULL},
                                    {"price", ut_real(ut_cost_number(row[i].cost, ut_cost_price(row->cost)))}));
  }
  return list;
}

/* Shares of blocks, for the text. */
static void add_shares(json_t *j) {
  json_t *block, *blocks = json_object_get(j, "blocks");
  size_t i;
  double sum = 0;
  json_array_foreach(blocks, i, block) {
    sum += ut_cost_number(block, "nand2_equivalents");
  }
  json_array_foreach(blocks, i, block) {
    UT_ADD(block, {"_share", ut_real(100 * ut_cost_number(block, "nand2_equivalents") / sum)});
  }
  UT_ADD(j, {"_blocks_percent", ut_real(100 * sum / ut_cost_number(j, "nand2_equivalents"))});
}

static json_t *row_json(const struct ut_cost_table *table, size_t i) {
  const struct ut_cost_row *row = &table->row[i];
  const struct ut_shape *shape = &row->shape;
  json_t *j = ut_scenario_result(row->scenario);
  UT_ADD(j, {"label", ut_string(row->label)}, {"algorithm", ut_string(row->scenario->routing.algorithm)});
  if (!row->cost)
    return UT_ADD(j, {"network", json_incref(row->network)});
  const struct ut_cost_view *view = ut_cost_view(row->cost);
  UT_ADD(j, {"_inputs", ut_int(shape->pi)}, {"ports", ut_int(shape->po)}, {"vcs", ut_int(shape->v)},
         {"depth_flits", ut_int(shape->depth)}, {"flit_bits", ut_int(shape->w)});
  json_object_update(j, row->cost);
  if (row->elaborations > 1)
    UT_ADD(j,
           {"elaboration", UT_OBJECT({"switches", ut_int(row->elaboration.count)}, {"inputs", ut_int(shape->pi)},
                                     {"outputs", ut_int(shape->po)})},
           {"_elaborations", row->of == 0 && row->network ? elaborations_json(row) : NULL});
  UT_ADD(j, {"network", json_incref(row->network)}, {"difference", table->compare ? difference(table, row) : NULL},
         {"_compared", json_boolean(table->compare && row->reference != i)},
         {"_last_of_group",
          json_boolean(table->compare && i + 1 < table->measured && table->row[i + 1].reference == i + 1)},
         {"_technology", ut_string(ut_cost_text(row->cost, view->title_key))},
         {"_price", ut_string(view->price_title)});
  add_shares(j);
  return j;
}

void ut_cost_print(const struct ut_cost_table *table, bool json) {
  json_t *list = json_array();
  for (size_t i = 0; i < table->measured; i++)
    json_array_append_new(list, row_json(table, i));
  const json_t *cost = table->row->cost;
  json_t *all = UT_OBJECT({"rows", list});
  if (cost)
    UT_ADD(all, {"_technology", ut_string(ut_cost_text(cost, ut_cost_view(cost)->title_key))},
           {"_price_short", ut_string(ut_cost_view(cost)->price_short)});
  ut_result_print_rows(all, json, table->rows == 1, 9,
                       !cost              ? networks_layout
                       : table->rows == 1 ? one_layout
                                          : table_layout);
}
