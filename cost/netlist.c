/* SPDX-License-Identifier: Apache-2.0 */
/* netlist.c - see netlist.h */
#include "netlist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms.h"
#include "layout.h"

/* ---- names ---- */

static bool ends(const char *name, const char *end) {
  size_t n = strlen(name), m = strlen(end);
  return n >= m && !strcmp(name + n - m, end);
}

static bool any_of(const char *name, const char *const *parts) {
  for (; *parts; parts++)
    if (strstr(name, *parts))
      return true;
  return false;
}

enum ut_state ut_state_of(const char *name, unsigned bit, const struct ut_shape *shape) {
  static const char *const buffers[] = {"u_fifo.data_q", "u_fifo.tag_q", NULL};
  static const char *const outputs[] = {"u_output.data_q",
                                        "u_output.kind_q",
                                        "u_output.vc_q",
                                        "u_output.bad_q", /* named as registers, */
                                        "u_output.data_o",
                                        "u_output.kind_o",
                                        "u_output.vc_o",
                                        "u_output.bad_o", /* as ports of the block, */
                                        "out_data_o",
                                        "out_kind_o",
                                        "out_vc_o",
                                        "out_bad_o", /* as ports of the switch */
                                        NULL};
  static const char *const tables[] = {"table_q", "bank_q", "group_q", "map_q", "begins_q", "interval_q", NULL};
  static const char *const reroute[] = {"u_vector.", "u_nodes.",   "depends_q", "g_purge.old_q",
                                        ".rt_q",     "stripped_q", "report_o",  NULL};
  if (any_of(name, buffers))
    return strstr(name, "u_queue.") ? UT_STATE_OUTPUT_QUEUE : UT_STATE_INPUT_BUFFER;
  if (any_of(name, outputs))
    return UT_STATE_OUTPUT_REGISTER;
  if (any_of(name, tables))
    return UT_STATE_TABLE;
  if (any_of(name, reroute))
    return UT_STATE_REROUTE;
  /* The straps of the re-route vector's timer and of its rule. */
  if (!strcmp(name, "straps_q") && UT_ALG_VECTOR(shape->route, shape->algorithm) && bit >= UT_LEVEL_STRAP_TIMEOUT_LSB &&
      bit <= UT_LEVEL_STRAP_REPAIR_LSB)
    return UT_STATE_REROUTE;
  return UT_STATE_CONTROL;
}

/* ---- the module as arrays ---- */

enum { CELL_NONE = -1 };

struct node {
  const struct ut_cell *cell; /* NULL: a memory */
  const char *name;
  json_t *connections;
};

struct graph {
  struct node *node;
  size_t nodes;
  int *driver; /* [bits]: node, CELL_NONE */
  struct ut_net_name *name;
  size_t bits;
};

json_t *ut_netlist_module(json_t *design, const char *name) {
  return json_object_get(json_object_get(design, "modules"), name);
}

static bool is_memory(const char *type) {
  return !strncmp(type, "$mem", 4);
}

size_t ut_netlist_bit(const json_t *bit) {
  return json_is_integer(bit) ? (size_t)json_integer_value(bit) : 0;
}

static size_t largest_bit(json_t *module) {
  const char *name;
  json_t *net, *bit;
  size_t i, largest = 0;
  json_object_foreach(json_object_get(module, "netnames"), name, net) {
    json_array_foreach(json_object_get(net, "bits"), i, bit) {
      if (ut_netlist_bit(bit) > largest)
        largest = ut_netlist_bit(bit);
    }
  }
  return largest;
}

static void graph_free(struct graph *graph) {
  free(graph->node);
  free(graph->driver);
  free(graph->name);
}

static bool is_output(const struct node *node, const char *pin) {
  if (!node->cell)
    return !strcmp(pin, "RD_DATA");
  const struct ut_cell_pin *cell_pin = ut_cell_pin(node->cell, pin);
  return cell_pin && cell_pin->output;
}

static void add_node(struct graph *graph, const char *name, json_t *cell, const struct ut_cell *kind) {
  struct node *node = &graph->node[graph->nodes];
  const char *pin;
  json_t *bits, *bit;
  size_t i;
  *node = (struct node){.cell = kind, .name = name, .connections = json_object_get(cell, "connections")};
  json_object_foreach(node->connections, pin, bits) {
    if (!is_output(node, pin))
      continue;
    json_array_foreach(bits, i, bit) {
      if (ut_netlist_bit(bit) < graph->bits)
        graph->driver[ut_netlist_bit(bit)] = (int)graph->nodes;
    }
  }
  graph->nodes++;
}

struct ut_net_name *ut_netlist_names(json_t *module, size_t *bits) {
  const char *name;
  json_t *net, *bit, *list;
  size_t i;
  *bits = largest_bit(module) + 1;
  struct ut_net_name *names = calloc(*bits, sizeof *names);
  if (!names)
    return NULL;
  json_object_foreach(json_object_get(module, "netnames"), name, net) {
    bool hidden = json_integer_value(json_object_get(net, "hide_name"));
    bool wanted = ends(name, "_q") || strstr(name, "_q[");
    list = json_object_get(net, "bits");
    json_array_foreach(list, i, bit) {
      size_t b = ut_netlist_bit(bit);
      if (!hidden && b && b < *bits && (wanted || !names[b].name))
        names[b] = (struct ut_net_name){.name = name, .index = (unsigned)i, .width = (unsigned)json_array_size(list)};
    }
  }
  return names;
}

static int graph_init(struct graph *graph, json_t *module, const struct ut_liberty *liberty, struct ut_error *e) {
  const char *name;
  json_t *cell, *cells = json_object_get(module, "cells");
  *graph = (struct graph){0};
  graph->name = ut_netlist_names(module, &graph->bits);
  graph->node = calloc(json_object_size(cells) + 1, sizeof *graph->node);
  graph->driver = malloc(graph->bits * sizeof *graph->driver);
  if (!graph->node || !graph->driver || !graph->name) {
    graph_free(graph);
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the netlist");
  }
  for (size_t i = 0; i < graph->bits; i++)
    graph->driver[i] = CELL_NONE;
  json_object_foreach(cells, name, cell) {
    const char *type = json_string_value(json_object_get(cell, "type"));
    const struct ut_cell *kind = type ? ut_liberty_cell(liberty, type) : NULL;
    if (kind || (type && is_memory(type)))
      add_node(graph, name, cell, kind);
  }
  return 0;
}

/* ---- counts ---- */

/* A parameter that Yosys wrote as bits or as a number. */
static uint64_t parameter(json_t *cell, const char *name) {
  json_t *value = json_object_get(json_object_get(cell, "parameters"), name);
  return json_is_string(value) ? strtoull(json_string_value(value), NULL, 2) : (uint64_t)json_integer_value(value);
}

/* Returns the purpose of a register or a memory of an instance. */
static enum ut_state state_within(const char *instance, const char *name, unsigned bit, const struct ut_shape *shape) {
  char full[1024];
  snprintf(full, sizeof full, "%s%s%s", instance, *instance ? "." : "", name);
  return ut_state_of(full, bit, shape);
}

static void count_flip_flop(const struct graph *graph, const struct node *node, const char *instance,
                            const struct ut_shape *shape, struct ut_counts *counts) {
  const char *pin;
  json_t *bits;
  struct ut_net_name name = {.name = ""};
  json_object_foreach(node->connections, pin, bits) {
    size_t b = is_output(node, pin) ? ut_netlist_bit(json_array_get(bits, 0)) : 0;
    if (b && b < graph->bits && graph->name[b].name)
      name = graph->name[b];
  }
  counts->flip_flops[state_within(instance, name.name, name.index, shape)]++;
}

int ut_netlist_count(json_t *module, const char *instance, const struct ut_liberty *liberty,
                     const struct ut_shape *shape, struct ut_counts *counts, struct ut_error *e) {
  struct graph graph;
  const char *name;
  json_t *cell;
  if (graph_init(&graph, module, liberty, e))
    return -1;
  for (size_t i = 0; i < graph.nodes; i++) {
    const struct ut_cell *gate = graph.node[i].cell;
    if (!gate)
      continue;
    counts->cells++;
    counts->area += gate->area;
    counts->kind[gate - liberty->cell]++;
    if (gate->flip_flop)
      count_flip_flop(&graph, &graph.node[i], instance, shape, counts);
  }
  json_object_foreach(json_object_get(module, "cells"), name, cell) {
    if (is_memory(json_string_value(json_object_get(cell, "type"))))
      counts->memory_bits[state_within(instance, name, 0, shape)] += parameter(cell, "SIZE") * parameter(cell, "WIDTH");
  }
  graph_free(&graph);
  return 0;
}

/* ---- crosspoints ---- */

struct cone {
  const struct graph *g;
  const struct ut_shape *shape;
  unsigned data_bit; /* of a flit */
  uint32_t *stack, *seen, round;
  uint64_t inputs[4]; /* crossbar inputs found: 256 of them */
  size_t depth;
};

static void push(struct cone *cone, json_t *bits) {
  json_t *bit;
  size_t i;
  json_array_foreach(bits, i, bit) {
    size_t b = ut_netlist_bit(bit);
    if (!b || b >= cone->g->bits || cone->seen[b] == cone->round || cone->g->driver[b] == CELL_NONE)
      continue;
    cone->seen[b] = cone->round;
    cone->stack[cone->depth++] = (uint32_t)b;
  }
}

/* A register or memory at the beginning of the cone: is it this bit of a buffer, and of which crossbar input? */
static void note_source(struct cone *cone, const char *name, unsigned index) {
  unsigned port, vc;
  const char *fifo = strstr(name, "g_in[");
  if (index != cone->data_bit || !fifo || !strstr(name, "u_fifo.data_q") ||
      sscanf(fifo, "g_in[%u].u_input.g_vc[%u]", &port, &vc) != 2)
    return;
  unsigned input = cone->shape->xbar == UT_XBAR_VC ? port * cone->shape->v + vc : port;
  cone->inputs[input / 64 % 4] |= UINT64_C(1) << (input % 64);
}

/* Where the read data of a memory has this bit: its index within the word. */
static unsigned memory_index(const struct cone *cone, const struct node *node, size_t bit) {
  json_t *each, *bits = json_object_get(node->connections, "RD_DATA");
  size_t i;
  json_array_foreach(bits, i, each) {
    if (ut_netlist_bit(each) == bit)
      return (unsigned)(i % cone->shape->w);
  }
  return 0;
}

static void push_inputs(struct cone *cone, const struct node *node) {
  const char *pin;
  json_t *bits;
  json_object_foreach(node->connections, pin, bits) {
    if (!is_output(node, pin))
      push(cone, bits);
  }
}

/* Output queues lie on the way. */
static void walk(struct cone *cone) {
  while (cone->depth) {
    size_t bit = cone->stack[--cone->depth];
    const struct node *node = &cone->g->node[cone->g->driver[bit]];
    const bool source = !node->cell || node->cell->flip_flop;
    const char *name = node->cell ? cone->g->name[bit].name : node->name;
    if (!source || (name && ut_state_of(name, 0, cone->shape) == UT_STATE_OUTPUT_QUEUE))
      push_inputs(cone, node);
    else if (name)
      note_source(cone, name, node->cell ? cone->g->name[bit].index : memory_index(cone, node, bit));
  }
}

/* Finds the crossbar inputs that lead to the output whose register drives `bit`. */
static int inputs_of(struct cone *cone, size_t bit) {
  int found = 0;
  cone->round++;
  memset(cone->inputs, 0, sizeof cone->inputs);
  push_inputs(cone, &cone->g->node[cone->g->driver[bit]]);
  walk(cone);
  for (int i = 0; i < 4; i++)
    found += __builtin_popcountll(cone->inputs[i]);
  return found;
}

int ut_netlist_crosspoints(json_t *module, const struct ut_liberty *liberty, const struct ut_shape *shape,
                           struct ut_error *e) {
  struct graph graph;
  int crosspoints = 0;
  if (graph_init(&graph, module, liberty, e))
    return -1;
  /* No switch reads the source of a packet: this bit of a flit is pure data to the control logic. */
  struct cone cone = {.g = &graph, .shape = shape, .data_bit = UT_HEADER_SRC_LSB};
  cone.stack = malloc(graph.bits * sizeof *cone.stack);
  cone.seen = calloc(graph.bits, sizeof *cone.seen);
  json_t *ports = json_object_get(json_object_get(module, "ports"), "out_data_o");
  json_t *data = json_object_get(ports, "bits");
  for (unsigned o = 0; cone.stack && cone.seen && o < shape->po; o++) {
    size_t bit = ut_netlist_bit(json_array_get(data, (size_t)o * shape->w + cone.data_bit));
    if (bit && bit < graph.bits && graph.driver[bit] != CELL_NONE)
      crosspoints += inputs_of(&cone, bit);
  }
  if (!cone.stack || !cone.seen)
    crosspoints = ut_fail(e, UT_BAD_INPUT, "out of memory for the netlist");
  free(cone.stack);
  free(cone.seen);
  graph_free(&graph);
  return crosspoints;
}
