/* SPDX-License-Identifier: Apache-2.0 */
/* fault_draw.c - see fault_draw.h */
#include "fault_draw.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"
#include "scenario_read.h"
#include "topology.h"
#include "topology_build.h"
#include "yaml_edit.h"

enum { LINKS, SWITCHES };

/* Writes a random order of 0..all-1 (Fisher and Yates). */
static void draw(uint32_t *order, uint32_t all, uint64_t seed, uint32_t stream) {
  struct ut_random random;
  ut_random_init(&random, seed, UT_RANDOM_SWEEP, stream);
  for (uint32_t i = 0; i < all; i++)
    order[i] = i;
  for (uint32_t i = 0; i < all; i++) {
    const uint32_t j = i + ut_random_below(&random, all - i), other = order[j];
    order[j] = order[i];
    order[i] = other;
  }
}

static int add_fault(yaml_document_t *d, const struct ut_drawn_faults *faults, const struct ut_topology *topo,
                     unsigned kind, uint32_t i, struct ut_error *e) {
  const struct ut_link *link = kind == LINKS ? &topo->link[i] : NULL;
  const uint32_t sw = link ? link->lower : i;
  char text[160], until[40] = "", port[24] = "";
  if (faults->until)
    snprintf(until, sizeof until, ", until: %" PRIu64, faults->until);
  if (link)
    snprintf(port, sizeof port, ", port: %u", link->lower_port);
  const int length = snprintf(text, sizeof text, "{at: %" PRIu64 "%s, %s: {level: %u, switch: %" PRIu32 "%s}}",
                              faults->at, until, link ? "link" : "switch", topo->level[sw], topo->position[sw], port);
  yaml_parser_t parser;
  yaml_document_t entry;
  if (!yaml_parser_initialize(&parser))
    return ut_fail(e, UT_BAD_INPUT, "out of memory");
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, (size_t)length);
  const bool read = yaml_parser_load(&parser, &entry);
  yaml_parser_delete(&parser);
  if (!read)
    return ut_fail(e, UT_BAD_INPUT, "out of memory");
  const int copy = ut_yaml_copy(d, &entry, yaml_document_get_root_node(&entry));
  yaml_document_delete(&entry);
  return ut_yaml_append(d, "faults", copy, e);
}

/* ---- a drawn order */

struct order {
  const struct ut_sweep *sweep;
  const struct ut_topology *topology;
  uint32_t first[2], count[2]; /* components that can fail, of each kind */
  uint32_t *of[2];             /* their numbers, in the order drawn */
};

static int open_order(struct order *order, const struct ut_sweep *sweep, const struct ut_topology *topo,
                      struct ut_error *e) {
  *order = (struct order){.sweep = sweep, .topology = topo, .count = {[LINKS] = (uint32_t)topo->links}};
  /* leaves of a tree do not fail: their terminals would be lost */
  while (topo->up_ports && order->first[SWITCHES] < topo->switches && topo->level[order->first[SWITCHES]] == 0)
    order->first[SWITCHES]++;
  order->count[SWITCHES] = topo->switches - order->first[SWITCHES];
  for (int kind = LINKS; kind <= SWITCHES; kind++) {
    order->of[kind] = malloc((order->count[kind] + 1) * sizeof *order->of[kind]);
    if (!order->of[kind])
      return ut_fail(e, UT_BAD_INPUT, "out of memory");
  }
  return 0;
}

static void close_order(struct order *order) {
  free(order->of[LINKS]);
  free(order->of[SWITCHES]);
}

static int add_first(yaml_document_t *d, const struct order *order, const unsigned n[2], struct ut_error *e) {
  for (unsigned kind = LINKS; kind <= SWITCHES; kind++)
    for (unsigned i = 0; i < n[kind]; i++)
      if (add_fault(d, &order->sweep->faults, order->topology, kind, order->first[kind] + order->of[kind][i], e))
        return -1;
  return 0;
}

/* ---- the fault model */

/* Returns whether the algorithm of the model accepts the scenario with that many of the faults. */
static bool obeys(const struct order *order, const char *text, size_t length, const unsigned n[2],
                  struct ut_error *why) {
  struct ut_document document;
  if (ut_document_load(&document, text, length, "scenario", why))
    return false;
  if (ut_yaml_set_text(&document.yaml, "routing.algorithm", order->sweep->faults.model, why) ||
      add_first(&document.yaml, order, n, why)) {
    ut_document_free(&document);
    return false;
  }
  char *changed = ut_yaml_text(&document.yaml, &length, why);
  struct ut_scenario *scenario = changed ? ut_scenario_parse(changed, length, "with that algorithm", why) : NULL;
  ut_scenario_free(scenario);
  free(changed);
  return scenario != NULL;
}

/* Returns whether each number of faults of the sweep obeys the model: all of them share one order. */
static bool all_obey(const struct order *order, const char *text, size_t length, struct ut_error *why) {
  const struct ut_axis *const axis[2] = {ut_sweep_axis(order->sweep, UT_AXIS_FAULTY_LINKS),
                                         ut_sweep_axis(order->sweep, UT_AXIS_FAULTY_SWITCHES)};
  const size_t links = axis[LINKS] ? axis[LINKS]->values : 1, switches = axis[SWITCHES] ? axis[SWITCHES]->values : 1;
  for (size_t i = 0; i < links * switches; i++) {
    const unsigned n[2] = {[LINKS] = axis[LINKS] ? (unsigned)strtoul(axis[LINKS]->text[i % links], NULL, 10) : 0,
                           [SWITCHES] =
                               axis[SWITCHES] ? (unsigned)strtoul(axis[SWITCHES]->text[i / links], NULL, 10) : 0};
    if (n[LINKS] > order->count[LINKS] || n[SWITCHES] > order->count[SWITCHES] || !obeys(order, text, length, n, why))
      return false;
  }
  return true;
}

static int find_order(struct order *order, const char *text, size_t length, const unsigned n[2], uint64_t seed,
                      struct ut_error *e) {
  enum { TRIES = 1000 };
  struct ut_error why = {.text = ""};
  for (int kind = LINKS; kind <= SWITCHES; kind++)
    if (n[kind] > order->count[kind])
      return ut_fail(e, UT_BAD_INPUT, "%u faulty %s wanted, this %s has %u", n[kind],
                     kind == LINKS ? "links" : "switches", order->topology->kind, (unsigned)order->count[kind]);
  for (unsigned i = 0; i < TRIES; i++) {
    for (unsigned kind = LINKS; kind <= SWITCHES; kind++)
      draw(order->of[kind], order->count[kind], seed, kind + 2 * i);
    if (!order->sweep->faults.model || all_obey(order, text, length, &why))
      return 0;
  }
  return ut_fail(e, UT_BAD_INPUT,
                 "'faults.model': %s takes none of %d random sets with so many faults; the last one:\n%.900s",
                 order->sweep->faults.model, TRIES, why.text);
}

int ut_faults_draw(yaml_document_t *d, const char *text, size_t length, const struct ut_sweep *sweep, unsigned links,
                   unsigned switches, uint64_t seed, struct ut_error *e) {
  const unsigned n[2] = {[LINKS] = links, [SWITCHES] = switches};
  struct order order;
  struct ut_scenario *scenario = ut_scenario_parse(text, length, "scenario", e);
  if (!scenario)
    return -1;
  const int status = open_order(&order, sweep, ut_scenario_topology(scenario), e) ||
                             find_order(&order, text, length, n, seed, e) || add_first(d, &order, n, e)
                         ? -1
                         : 0;
  close_order(&order);
  ut_scenario_free(scenario);
  return status;
}
