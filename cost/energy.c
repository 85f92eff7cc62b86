/* SPDX-License-Identifier: Apache-2.0 */
/* energy.c - see energy.h */
#define _GNU_SOURCE
#include "energy_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_files.h"
#include "liberty.h"

/* ---- connections ---- */

static int fail_netlist(const struct ut_gate *gate, const char *what, struct ut_error *e) {
  return ut_fail(e, UT_BAD_INPUT, "cell %.200s of the netlist: the Liberty file has no %.200s; name another one",
                 gate->name, what);
}

static int find_pins(struct ut_energy_model *model, struct ut_error *e) {
  const struct ut_gates *gates = &model->gates;
  const struct ut_power_cell *kind = NULL;
  for (size_t i = 0; i < gates->gates; i++) {
    const struct ut_gate *gate = &gates->gate[i];
    if (!kind || strcmp(kind->name, gate->type))
      kind = ut_power_cell(&model->library, gate->type);
    if (!kind)
      return fail_netlist(gate, gate->type, e);
    model->kind[i] = kind;
    for (size_t p = gate->pin; p < gate->pin + gate->pins; p++) {
      model->pin[p] = ut_power_pin(kind, gates->pin[p].name);
      if (!model->pin[p])
        return fail_netlist(gate, gates->pin[p].name, e);
    }
  }
  return 0;
}

static void connect(struct ut_energy_model *model) {
  const struct ut_gates *gates = &model->gates;
  model->clock = UT_GATE_CONSTANT;
  for (uint32_t n = 0; n < gates->nets; n++) {
    model->net[n] = (struct ut_energy_net){.driver = UINT32_MAX};
    for (int edge = 0; edge < UT_EDGES; edge++)
      model->net[n].load[edge] = UT_ENERGY_PORT_PF * gates->net[n].outputs;
    if (!strcmp(gates->net[n].name, "clk_i"))
      model->clock = n;
  }
  for (uint32_t i = 0; i < gates->gates; i++)
    for (size_t p = gates->gate[i].pin; p < gates->gate[i].pin + gates->gate[i].pins; p++) {
      if (gates->pin[p].net == UT_GATE_CONSTANT)
        continue;
      struct ut_energy_net *n = &model->net[gates->pin[p].net];
      if (model->pin[p]->output)
        n->driver = i;
      for (int edge = 0; edge < UT_EDGES; edge++)
        n->load[edge] += model->pin[p]->capacitance[edge];
    }
}

uint32_t ut_energy_net_at(const struct ut_energy_model *model, const struct ut_gate *gate, const char *pin) {
  for (size_t p = gate->pin; pin && p < gate->pin + gate->pins; p++)
    if (!strcmp(model->gates.pin[p].name, pin))
      return model->gates.pin[p].net;
  return UT_GATE_CONSTANT;
}

double ut_energy_load(const struct ut_energy_net *net) {
  return net->load[UT_RISE] > net->load[UT_FALL] ? net->load[UT_RISE] : net->load[UT_FALL];
}

/* ---- slews ---- */

static double larger(double a, double b) {
  return a > b ? a : b;
}

/* Adds the slew of an output by one of its arcs, from the slews at the arc's input. */
static void add_arc(const struct ut_slew_arc *arc, const double from[UT_EDGES], struct ut_energy_net *net) {
  for (int edge = 0; edge < UT_EDGES; edge++) {
    if (!arc->has[edge])
      continue;
    for (int other = 0; other < UT_EDGES; other++) {
      const bool makes = arc->clocked    ? other == (arc->falls ? UT_FALL : UT_RISE)
                         : arc->positive ? other == edge
                         : arc->negative ? other != edge
                                         : true;
      if (makes)
        net->slew[edge] = larger(net->slew[edge], ut_power_table_at(&arc->table[edge], from[other], net->load[edge]));
    }
  }
}

static void drive_outputs(struct ut_energy_model *model, uint32_t gate) {
  static const double still[UT_EDGES] = {0, 0};
  const struct ut_gate *cell = &model->gates.gate[gate];
  for (size_t p = cell->pin; p < cell->pin + cell->pins; p++) {
    if (!model->pin[p]->output || model->gates.pin[p].net == UT_GATE_CONSTANT)
      continue;
    for (size_t a = 0; a < model->pin[p]->arcs; a++) {
      const struct ut_slew_arc *arc = &model->pin[p]->arc[a];
      const uint32_t from = ut_energy_net_at(model, cell, arc->related);
      if (arc->related)
        add_arc(arc, from == UT_GATE_CONSTANT ? still : model->net[from].slew, &model->net[model->gates.pin[p].net]);
    }
  }
}

static void drive_inputs(struct ut_energy_model *model) {
  static const double step[UT_EDGES] = {0, 0};
  for (uint32_t n = 0; n < model->gates.nets; n++) {
    if (model->net[n].driver != UINT32_MAX)
      continue;
    for (int edge = 0; edge < UT_EDGES && n == model->clock; edge++)
      model->net[n].slew[edge] = UT_ENERGY_CLOCK_NS;
    for (size_t p = 0; p < model->driver->pins && n != model->clock; p++)
      for (size_t a = 0; model->driver->pin[p].output && a < model->driver->pin[p].arcs; a++)
        add_arc(&model->driver->pin[p].arc[a], step, &model->net[n]);
  }
}

/* A cell waits for the cells that drive its inputs; a flip-flop waits for none. */
static bool waits_for(const struct ut_energy_model *model, uint32_t gate, size_t pin) {
  const uint32_t net = model->gates.pin[pin].net;
  return model->pin[pin]->input && !model->kind[gate]->flip_flop && net != UT_GATE_CONSTANT &&
         model->net[net].driver != UINT32_MAX;
}

/* Orders cells so that drivers come first; a cell of a loop is never in the order. */
static int find_slews(struct ut_energy_model *model, struct ut_error *e) {
  const struct ut_gates *gates = &model->gates;
  uint32_t *missing = calloc(gates->gates, sizeof *missing), *ready = calloc(gates->gates, sizeof *ready);
  size_t *reader = calloc(gates->nets + 1, sizeof *reader), *gate_of = calloc(gates->pins + 1, sizeof *gate_of),
         count = 0;
  const bool room = missing && ready && reader && gate_of;
  drive_inputs(model);
  for (uint32_t i = 0; room && i < gates->gates; i++)
    for (size_t p = gates->gate[i].pin; p < gates->gate[i].pin + gates->gate[i].pins; p++)
      if (waits_for(model, i, p)) {
        missing[i]++;
        reader[gates->pin[p].net]++;
      }
  for (size_t n = 0, sum = 0; room && n <= gates->nets; n++) { /* where the readers of a net end, then begin */
    sum += reader[n];
    reader[n] = sum;
  }
  for (uint32_t i = 0; room && i < gates->gates; i++) {
    for (size_t p = gates->gate[i].pin; p < gates->gate[i].pin + gates->gate[i].pins; p++)
      if (waits_for(model, i, p))
        gate_of[--reader[gates->pin[p].net]] = i;
    if (!missing[i])
      ready[count++] = i;
  }
  for (size_t next = 0; room && next < count; next++) {
    const struct ut_gate *gate = &gates->gate[ready[next]];
    drive_outputs(model, ready[next]);
    for (size_t p = gate->pin; p < gate->pin + gate->pins; p++) {
      if (!model->pin[p]->output || gates->pin[p].net == UT_GATE_CONSTANT)
        continue;
      for (size_t r = reader[gates->pin[p].net]; r < reader[gates->pin[p].net + 1]; r++)
        if (!--missing[gate_of[r]])
          ready[count++] = (uint32_t)gate_of[r];
    }
  }
  free(missing);
  free(ready);
  free(reader);
  free(gate_of);
  return room ? 0 : ut_fail_memory(e);
}

/* ---- energies ---- */

/* The edge at the related pin that makes an edge at the output. */
static int edge_from(const struct ut_power_pin *pin, const char *related, int edge) {
  for (size_t a = 0; related && a < pin->arcs; a++)
    if (pin->arc[a].related && !strcmp(pin->arc[a].related, related))
      return pin->arc[a].clocked ? (pin->arc[a].falls ? UT_FALL : UT_RISE) : pin->arc[a].negative ? !edge : edge;
  return edge;
}

double ut_energy_of_group(const struct ut_energy_model *model, const struct ut_gate *gate, size_t pin,
                          const struct ut_power_group *group, bool same_edge) {
  const struct ut_power_pin *power_pin = model->pin[pin];
  const uint32_t net = model->gates.pin[pin].net;
  const uint32_t from = group->related ? ut_energy_net_at(model, gate, group->related) : net;
  const double load = power_pin->output && net != UT_GATE_CONSTANT ? ut_energy_load(&model->net[net]) : 0;
  double sum = 0;
  int edges = 0;
  for (int edge = 0; edge < UT_EDGES; edge++) {
    if (!group->has[edge])
      continue;
    const int by = same_edge ? edge : edge_from(power_pin, group->related, edge);
    const double slew = from == UT_GATE_CONSTANT ? 0 : model->net[from].slew[by];
    sum += ut_power_table_at(&group->table[edge], slew, load);
    edges++;
  }
  return edges ? sum / edges : 0;
}

/* A toggle of the pin: the mean of its groups, each as often as its related pin toggles - it may have caused it. */
static double internal_energy(const struct ut_energy_model *model, const struct ut_gate *gate, size_t pin,
                              const uint64_t *toggles) {
  const struct ut_power_pin *power_pin = model->pin[pin];
  double sum = 0, all = 0, plain = 0;
  for (size_t i = 0; i < power_pin->groups; i++) {
    const double energy = ut_energy_of_group(model, gate, pin, &power_pin->group[i], false);
    const uint32_t from = ut_energy_net_at(model, gate, power_pin->group[i].related);
    const double weight = from == UT_GATE_CONSTANT ? 0 : (double)toggles[from];
    sum += weight * energy;
    all += weight;
    plain += energy;
  }
  return all > 0 ? sum / all : power_pin->groups ? plain / (double)power_pin->groups : 0;
}

void ut_energy_add(const struct ut_energy_model *model, const uint64_t *toggles, uint64_t cycles,
                   struct ut_energy of[UT_BLOCKS + 1]) {
  const struct ut_gates *gates = &model->gates;
  const double square = model->library.voltage * model->library.voltage;
  for (size_t i = 0; i < gates->gates; i++) {
    const struct ut_gate *gate = &gates->gate[i];
    struct ut_energy *energy = &of[ut_block_of_title(gate->block)];
    energy->cells++;
    energy->leakage_uw += model->kind[i]->leakage_uw;
    for (size_t p = gate->pin; p < gate->pin + gate->pins; p++) {
      const uint32_t net = gates->pin[p].net;
      if (net == UT_GATE_CONSTANT)
        continue;
      if (net == model->clock) { /* two toggles a cycle; the net's capacitance is that of its pins */
        const double capacitance = larger(model->pin[p]->capacitance[UT_RISE], model->pin[p]->capacitance[UT_FALL]);
        energy->clock += (double)cycles * (2 * internal_energy(model, gate, p, toggles) + capacitance * square);
        continue;
      }
      if (!toggles[net])
        continue;
      energy->internal += (double)toggles[net] * internal_energy(model, gate, p, toggles);
      if (model->pin[p]->output) {
        energy->switching += (double)toggles[net] * ut_energy_load(&model->net[net]) * square / 2;
        energy->toggles += toggles[net];
      }
    }
  }
}

/* ---- the model ---- */

int ut_energy_liberty(const char *liberty, struct ut_error *e) {
  struct ut_liberty parts;
  struct ut_liberty_power power = {0};
  const int status = ut_liberty_read(&parts, liberty ? liberty : "osu018", e) ||
                     ut_liberty_power_parse(&power, parts.text, parts.size, parts.path, e);
  ut_liberty_power_free(&power);
  ut_liberty_free(&parts);
  return status ? -1 : 0;
}

static int read_files(struct ut_energy_model *model, const char *netlist, struct ut_error *e) {
  size_t size;
  char path[PATH_MAX], *text = NULL;
  struct ut_liberty parts;
  if (ut_path_set(e, path, "%.*scells.lib", (int)(strrchr(netlist, '/') + 1 - netlist), netlist) ||
      ut_file_read(path, &model->text, &size))
    return ut_fail(e, UT_BAD_INPUT, "cannot read %.900s; remove its folder and try again", path);
  if (ut_liberty_power_parse(&model->library, model->text, size, path, e))
    return -1;
  int status = ut_liberty_parse(&parts, model->text, size, path, e);
  if (!status) {
    model->driver = ut_power_cell(&model->library, parts.buffer->name);
    model->name = strdup(parts.library);
    status = model->name ? 0 : ut_fail_memory(e);
  }
  ut_liberty_free(&parts);
  if (status)
    return -1;
  if (ut_file_read(netlist, &text, &size))
    return ut_fail(e, UT_BAD_INPUT, "cannot read %.900s; remove its folder and try again", netlist);
  status = ut_gates_read(&model->gates, text, netlist, e);
  free(text);
  return status;
}

struct ut_energy_model *ut_energy_open(const char *netlist, struct ut_error *e) {
  struct ut_energy_model *model = calloc(1, sizeof *model);
  if (!model) {
    ut_fail_memory(e);
    return NULL;
  }
  int status = read_files(model, netlist, e);
  if (!status) {
    model->kind = calloc(model->gates.gates, sizeof *model->kind);
    model->pin = calloc(model->gates.pins, sizeof *model->pin);
    model->net = calloc(model->gates.nets, sizeof *model->net);
    status = model->kind && model->pin && model->net ? find_pins(model, e) : ut_fail_memory(e);
  }
  if (!status) {
    connect(model);
    status = find_slews(model, e);
  }
  if (!status)
    return model;
  ut_energy_close(model);
  return NULL;
}

void ut_energy_close(struct ut_energy_model *model) {
  if (!model)
    return;
  ut_gates_free(&model->gates);
  ut_liberty_power_free(&model->library);
  free(model->kind);
  free(model->pin);
  free(model->net);
  free(model->text);
  free(model->name);
  free(model);
}

size_t ut_energy_nets(const struct ut_energy_model *model) {
  return model->gates.nets;
}

double ut_energy_voltage(const struct ut_energy_model *model) {
  return model->library.voltage;
}

const char *ut_energy_library(const struct ut_energy_model *model) {
  return model->name;
}
