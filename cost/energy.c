/* SPDX-License-Identifier: Apache-2.0 */
/* energy.c - see energy.h */
#define _GNU_SOURCE
#include "energy_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_files.h"
#include "liberty.h"

/* ---- who is connected to whom ---- */

static int fail_netlist(const struct ut_gate *g, const char *what, struct ut_error *e) {
  return ut_fail(e, UT_BAD_INPUT, "cell %.200s of the netlist: the Liberty file has no %.200s; name another one",
                 g->name, what);
}

static int find_pins(struct ut_energy_model *m, struct ut_error *e) {
  const struct ut_gates *g = &m->gates;
  const struct ut_power_cell *kind = NULL;
  for (size_t i = 0; i < g->gates; i++) {
    const struct ut_gate *gate = &g->gate[i];
    if (!kind || strcmp(kind->name, gate->type))
      kind = ut_power_cell(&m->library, gate->type);
    if (!kind)
      return fail_netlist(gate, gate->type, e);
    m->kind[i] = kind;
    for (size_t p = gate->pin; p < gate->pin + gate->pins; p++) {
      m->pin[p] = ut_power_pin(kind, g->pin[p].name);
      if (!m->pin[p])
        return fail_netlist(gate, g->pin[p].name, e);
    }
  }
  return 0;
}

static void connect(struct ut_energy_model *m) {
  const struct ut_gates *g = &m->gates;
  m->clock = UT_GATE_CONSTANT;
  for (uint32_t n = 0; n < g->nets; n++) {
    m->net[n] = (struct ut_energy_net){.driver = UINT32_MAX};
    for (int edge = 0; edge < UT_EDGES; edge++)
      m->net[n].load[edge] = UT_ENERGY_PORT_PF * g->net[n].outputs;
    if (!strcmp(g->net[n].name, "clk_i"))
      m->clock = n;
  }
  for (uint32_t i = 0; i < g->gates; i++)
    for (size_t p = g->gate[i].pin; p < g->gate[i].pin + g->gate[i].pins; p++) {
      if (g->pin[p].net == UT_GATE_CONSTANT)
        continue;
      struct ut_energy_net *n = &m->net[g->pin[p].net];
      if (m->pin[p]->output)
        n->driver = i;
      for (int edge = 0; edge < UT_EDGES; edge++)
        n->load[edge] += m->pin[p]->capacitance[edge];
    }
}

uint32_t ut_energy_net_at(const struct ut_energy_model *m, const struct ut_gate *g, const char *pin) {
  for (size_t p = g->pin; pin && p < g->pin + g->pins; p++)
    if (!strcmp(m->gates.pin[p].name, pin))
      return m->gates.pin[p].net;
  return UT_GATE_CONSTANT;
}

double ut_energy_load(const struct ut_energy_net *n) {
  return n->load[UT_RISE] > n->load[UT_FALL] ? n->load[UT_RISE] : n->load[UT_FALL];
}

/* ---- slews ---- */

static double larger(double a, double b) {
  return a > b ? a : b;
}

/* The slew of an output by one of its arcs, from the slews at the arc's input. */
static void add_arc(const struct ut_slew_arc *a, const double from[UT_EDGES], struct ut_energy_net *n) {
  for (int edge = 0; edge < UT_EDGES; edge++) {
    if (!a->has[edge])
      continue;
    for (int other = 0; other < UT_EDGES; other++) {
      const bool makes = a->clocked    ? other == (a->falls ? UT_FALL : UT_RISE)
                         : a->positive ? other == edge
                         : a->negative ? other != edge
                                       : true;
      if (makes)
        n->slew[edge] = larger(n->slew[edge], ut_power_table_at(&a->table[edge], from[other], n->load[edge]));
    }
  }
}

static void drive_outputs(struct ut_energy_model *m, uint32_t gate) {
  static const double still[UT_EDGES] = {0, 0};
  const struct ut_gate *g = &m->gates.gate[gate];
  for (size_t p = g->pin; p < g->pin + g->pins; p++) {
    if (!m->pin[p]->output || m->gates.pin[p].net == UT_GATE_CONSTANT)
      continue;
    for (size_t a = 0; a < m->pin[p]->arcs; a++) {
      const struct ut_slew_arc *arc = &m->pin[p]->arc[a];
      const uint32_t from = ut_energy_net_at(m, g, arc->related);
      if (arc->related)
        add_arc(arc, from == UT_GATE_CONSTANT ? still : m->net[from].slew, &m->net[m->gates.pin[p].net]);
    }
  }
}

static void drive_inputs(struct ut_energy_model *m) {
  static const double step[UT_EDGES] = {0, 0};
  for (uint32_t n = 0; n < m->gates.nets; n++) {
    if (m->net[n].driver != UINT32_MAX)
      continue;
    for (int edge = 0; edge < UT_EDGES && n == m->clock; edge++)
      m->net[n].slew[edge] = UT_ENERGY_CLOCK_NS;
    for (size_t p = 0; p < m->driver->pins && n != m->clock; p++)
      for (size_t a = 0; m->driver->pin[p].output && a < m->driver->pin[p].arcs; a++)
        add_arc(&m->driver->pin[p].arc[a], step, &m->net[n]);
  }
}

/* A cell waits for those that drive its inputs; flip-flops for nobody. */
static bool waits_for(const struct ut_energy_model *m, uint32_t gate, size_t pin) {
  const uint32_t net = m->gates.pin[pin].net;
  return m->pin[pin]->input && !m->kind[gate]->flip_flop && net != UT_GATE_CONSTANT && m->net[net].driver != UINT32_MAX;
}

/* Cells in an order in which those that drive come first; a cell of a loop never comes. */
static int find_slews(struct ut_energy_model *m, struct ut_error *e) {
  const struct ut_gates *g = &m->gates;
  uint32_t *missing = calloc(g->gates, sizeof *missing), *ready = calloc(g->gates, sizeof *ready);
  size_t *reader = calloc(g->nets + 1, sizeof *reader), *gate_of = calloc(g->pins + 1, sizeof *gate_of), count = 0;
  const bool room = missing && ready && reader && gate_of;
  drive_inputs(m);
  for (uint32_t i = 0; room && i < g->gates; i++)
    for (size_t p = g->gate[i].pin; p < g->gate[i].pin + g->gate[i].pins; p++)
      if (waits_for(m, i, p)) {
        missing[i]++;
        reader[g->pin[p].net]++;
      }
  for (size_t n = 0, sum = 0; room && n <= g->nets; n++) { /* where the readers of a net end, then begin */
    sum += reader[n];
    reader[n] = sum;
  }
  for (uint32_t i = 0; room && i < g->gates; i++) {
    for (size_t p = g->gate[i].pin; p < g->gate[i].pin + g->gate[i].pins; p++)
      if (waits_for(m, i, p))
        gate_of[--reader[g->pin[p].net]] = i;
    if (!missing[i])
      ready[count++] = i;
  }
  for (size_t next = 0; room && next < count; next++) {
    const struct ut_gate *gate = &g->gate[ready[next]];
    drive_outputs(m, ready[next]);
    for (size_t p = gate->pin; p < gate->pin + gate->pins; p++) {
      if (!m->pin[p]->output || g->pin[p].net == UT_GATE_CONSTANT)
        continue;
      for (size_t r = reader[g->pin[p].net]; r < reader[g->pin[p].net + 1]; r++)
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

double ut_energy_of_group(const struct ut_energy_model *m, const struct ut_gate *g, size_t pin,
                          const struct ut_power_group *group, bool same_edge) {
  const struct ut_power_pin *p = m->pin[pin];
  const uint32_t net = m->gates.pin[pin].net;
  const uint32_t from = group->related ? ut_energy_net_at(m, g, group->related) : net;
  const double load = p->output && net != UT_GATE_CONSTANT ? ut_energy_load(&m->net[net]) : 0;
  double sum = 0;
  int edges = 0;
  for (int edge = 0; edge < UT_EDGES; edge++) {
    if (!group->has[edge])
      continue;
    const int by = same_edge ? edge : edge_from(p, group->related, edge);
    const double slew = from == UT_GATE_CONSTANT ? 0 : m->net[from].slew[by];
    sum += ut_power_table_at(&group->table[edge], slew, load);
    edges++;
  }
  return edges ? sum / edges : 0;
}

/* A toggle of the pin: the mean of its groups, each as often as its related pin toggles - it may have caused it. */
static double internal_energy(const struct ut_energy_model *m, const struct ut_gate *g, size_t pin,
                              const uint64_t *toggles) {
  const struct ut_power_pin *p = m->pin[pin];
  double sum = 0, all = 0, plain = 0;
  for (size_t i = 0; i < p->groups; i++) {
    const double energy = ut_energy_of_group(m, g, pin, &p->group[i], false);
    const uint32_t from = ut_energy_net_at(m, g, p->group[i].related);
    const double weight = from == UT_GATE_CONSTANT ? 0 : (double)toggles[from];
    sum += weight * energy;
    all += weight;
    plain += energy;
  }
  return all > 0 ? sum / all : p->groups ? plain / (double)p->groups : 0;
}

void ut_energy_add(const struct ut_energy_model *m, const uint64_t *toggles, uint64_t cycles,
                   struct ut_energy of[UT_BLOCKS + 1]) {
  const struct ut_gates *g = &m->gates;
  const double square = m->library.voltage * m->library.voltage;
  for (size_t i = 0; i < g->gates; i++) {
    const struct ut_gate *gate = &g->gate[i];
    struct ut_energy *e = &of[ut_block_of_title(gate->block)];
    e->cells++;
    e->leakage_uw += m->kind[i]->leakage_uw;
    for (size_t p = gate->pin; p < gate->pin + gate->pins; p++) {
      const uint32_t net = g->pin[p].net;
      if (net == UT_GATE_CONSTANT)
        continue;
      if (net == m->clock) { /* two toggles a cycle; the net's capacitance is that of its pins */
        const double capacitance = larger(m->pin[p]->capacitance[UT_RISE], m->pin[p]->capacitance[UT_FALL]);
        e->clock += (double)cycles * (2 * internal_energy(m, gate, p, toggles) + capacitance * square);
        continue;
      }
      if (!toggles[net])
        continue;
      e->internal += (double)toggles[net] * internal_energy(m, gate, p, toggles);
      if (m->pin[p]->output) {
        e->switching += (double)toggles[net] * ut_energy_load(&m->net[net]) * square / 2;
        e->toggles += toggles[net];
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

static int read_files(struct ut_energy_model *m, const char *netlist, struct ut_error *e) {
  size_t size;
  char path[PATH_MAX], *text = NULL;
  struct ut_liberty parts;
  if (ut_path_set(e, path, "%.*scells.lib", (int)(strrchr(netlist, '/') + 1 - netlist), netlist) ||
      ut_file_read(path, &m->text, &size))
    return ut_fail(e, UT_BAD_INPUT, "cannot read %.900s; remove its folder and try again", path);
  if (ut_liberty_power_parse(&m->library, m->text, size, path, e))
    return -1;
  int status = ut_liberty_parse(&parts, m->text, size, path, e);
  if (!status) {
    m->driver = ut_power_cell(&m->library, parts.buffer->name);
    m->name = strdup(parts.library);
    status = m->name ? 0 : ut_fail_memory(e);
  }
  ut_liberty_free(&parts);
  if (status)
    return -1;
  if (ut_file_read(netlist, &text, &size))
    return ut_fail(e, UT_BAD_INPUT, "cannot read %.900s; remove its folder and try again", netlist);
  status = ut_gates_read(&m->gates, text, netlist, e);
  free(text);
  return status;
}

struct ut_energy_model *ut_energy_open(const char *netlist, struct ut_error *e) {
  struct ut_energy_model *m = calloc(1, sizeof *m);
  if (!m) {
    ut_fail_memory(e);
    return NULL;
  }
  int status = read_files(m, netlist, e);
  if (!status) {
    m->kind = calloc(m->gates.gates, sizeof *m->kind);
    m->pin = calloc(m->gates.pins, sizeof *m->pin);
    m->net = calloc(m->gates.nets, sizeof *m->net);
    status = m->kind && m->pin && m->net ? find_pins(m, e) : ut_fail_memory(e);
  }
  if (!status) {
    connect(m);
    status = find_slews(m, e);
  }
  if (!status)
    return m;
  ut_energy_close(m);
  return NULL;
}

void ut_energy_close(struct ut_energy_model *m) {
  if (!m)
    return;
  ut_gates_free(&m->gates);
  ut_liberty_power_free(&m->library);
  free(m->kind);
  free(m->pin);
  free(m->net);
  free(m->text);
  free(m->name);
  free(m);
}

size_t ut_energy_nets(const struct ut_energy_model *m) {
  return m->gates.nets;
}

double ut_energy_voltage(const struct ut_energy_model *m) {
  return m->library.voltage;
}

const char *ut_energy_library(const struct ut_energy_model *m) {
  return m->name;
}
