/* SPDX-License-Identifier: Apache-2.0 */
/* fault_draw.c - see fault_draw.h */
#include "fault_draw.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"
#include "scenario.h"
#include "scenario_read.h"
#include "topology.h"
#include "topology_build.h"
#include "yaml_edit.h"

enum { LINKS, SWITCHES };

/* A random order of 0..all-1 (Fisher and Yates). */
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

static int add_fault(yaml_document_t *d, const struct ut_drawn_faults *f, const struct ut_topology *t, unsigned kind,
                     uint32_t i, struct ut_error *e) {
  const struct ut_link *link = kind == LINKS ? &t->link[i] : NULL;
  const uint32_t sw = link ? link->lower : i;
  char text[160], until[40] = "", port[24] = "";
  if (f->until)
    snprintf(until, sizeof until, ", until: %" PRIu64, f->until);
  if (link)
    snprintf(port, sizeof port, ", port: %u", link->lower_port);
  const int length = snprintf(text, sizeof text, "{at: %" PRIu64 "%s, %s: {level: %u, switch: %" PRIu32 "%s}}", f->at,
                              until, link ? "link" : "switch", t->level[sw], t->position[sw], port);
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

static int open_order(struct order *o, const struct ut_sweep *s, const struct ut_topology *t, struct ut_error *e) {
  *o = (struct order){.sweep = s, .topology = t, .count = {[LINKS] = (uint32_t)t->links}};
  /* leaves of a tree do not fail: their terminals would be lost */
  while (t->up_ports && o->first[SWITCHES] < t->switches && t->level[o->first[SWITCHES]] == 0)
    o->first[SWITCHES]++;
  o->count[SWITCHES] = t->switches - o->first[SWITCHES];
  for (int kind = LINKS; kind <= SWITCHES; kind++) {
    o->of[kind] = malloc((o->count[kind] + 1) * sizeof *o->of[kind]);
    if (!o->of[kind])
      return ut_fail(e, UT_BAD_INPUT, "out of memory");
  }
  return 0;
}

static void close_order(struct order *o) {
  free(o->of[LINKS]);
  free(o->of[SWITCHES]);
}

static int add_first(yaml_document_t *d, const struct order *o, const unsigned n[2], struct ut_error *e) {
  for (unsigned kind = LINKS; kind <= SWITCHES; kind++)
    for (unsigned i = 0; i < n[kind]; i++)
      if (add_fault(d, &o->sweep->faults, o->topology, kind, o->first[kind] + o->of[kind][i], e))
        return -1;
  return 0;
}

/* ---- the fault model */

/* The algorithm of the model takes the scenario with so many of the faults. */
static bool obeys(const struct order *o, const char *text, size_t length, const unsigned n[2], struct ut_error *why) {
  struct ut_document d;
  if (ut_document_load(&d, text, length, "scenario", why))
    return false;
  if (ut_yaml_set_text(&d.yaml, "routing.algorithm", o->sweep->faults.model, why) || add_first(&d.yaml, o, n, why)) {
    ut_document_free(&d);
    return false;
  }
  char *changed = ut_yaml_text(&d.yaml, &length, why);
  struct ut_scenario *s = changed ? ut_scenario_parse(changed, length, "with that algorithm", why) : NULL;
  ut_scenario_free(s);
  free(changed);
  return s != NULL;
}

/* Each number of faults of the sweep obeys it: an order is shared by all of them. */
static bool all_obey(const struct order *o, const char *text, size_t length, struct ut_error *why) {
  const struct ut_axis *const axis[2] = {ut_sweep_axis(o->sweep, UT_AXIS_FAULTY_LINKS),
                                         ut_sweep_axis(o->sweep, UT_AXIS_FAULTY_SWITCHES)};
  const size_t links = axis[LINKS] ? axis[LINKS]->values : 1, switches = axis[SWITCHES] ? axis[SWITCHES]->values : 1;
  for (size_t i = 0; i < links * switches; i++) {
    const unsigned n[2] = {[LINKS] = axis[LINKS] ? (unsigned)strtoul(axis[LINKS]->text[i % links], NULL, 10) : 0,
                           [SWITCHES] =
                               axis[SWITCHES] ? (unsigned)strtoul(axis[SWITCHES]->text[i / links], NULL, 10) : 0};
    if (n[LINKS] > o->count[LINKS] || n[SWITCHES] > o->count[SWITCHES] || !obeys(o, text, length, n, why))
      return false;
  }
  return true;
}

static int find_order(struct order *o, const char *text, size_t length, const unsigned n[2], uint64_t seed,
                      struct ut_error *e) {
  enum { TRIES = 1000 };
  struct ut_error why = {.text = ""};
  for (int kind = LINKS; kind <= SWITCHES; kind++)
    if (n[kind] > o->count[kind])
      return ut_fail(e, UT_BAD_INPUT, "%u faulty %s wanted, this %s has %u", n[kind],
                     kind == LINKS ? "links" : "switches", o->topology->kind, (unsigned)o->count[kind]);
  for (unsigned i = 0; i < TRIES; i++) {
    for (unsigned kind = LINKS; kind <= SWITCHES; kind++)
      draw(o->of[kind], o->count[kind], seed, kind + 2 * i);
    if (!o->sweep->faults.model || all_obey(o, text, length, &why))
      return 0;
  }
  return ut_fail(e, UT_BAD_INPUT,
                 "'faults.model': %s takes none of %d random sets with so many faults; the last one:\n%.900s",
                 o->sweep->faults.model, TRIES, why.text);
}

int ut_faults_draw(yaml_document_t *d, const char *text, size_t length, const struct ut_sweep *sweep, unsigned links,
                   unsigned switches, uint64_t seed, struct ut_error *e) {
  const unsigned n[2] = {[LINKS] = links, [SWITCHES] = switches};
  struct ut_topology t;
  struct order order;
  struct ut_scenario *s = ut_scenario_parse(text, length, "scenario", e);
  if (!s)
    return -1;
  int status = ut_topology_init(&t, s, e);
  if (!status) {
    status =
        open_order(&order, sweep, &t, e) || find_order(&order, text, length, n, seed, e) || add_first(d, &order, n, e)
            ? -1
            : 0;
    close_order(&order);
    ut_topology_free(&t);
  }
  ut_scenario_free(s);
  return status;
}
