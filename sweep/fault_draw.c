/* fault_draw.c - see fault_draw.h */
#include "fault_draw.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"
#include "scenario.h"
#include "topology.h"
#include "yaml_edit.h"

enum { LINKS, SWITCHES };

/* The first n of a random order of 0..all-1 (Fisher and Yates). */
static int draw(uint32_t *order, uint32_t all, unsigned n, unsigned kind, uint64_t seed) {
  struct ut_random random;
  ut_random_init(&random, seed, UT_RANDOM_SWEEP, kind);
  for (uint32_t i = 0; i < all; i++)
    order[i] = i;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t j = i + ut_random_below(&random, all - i), other = order[j];
    order[j] = order[i];
    order[i] = other;
  }
  return 0;
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
    return ut_fail(e, UT_INTERNAL, "out of memory");
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, (size_t)length);
  const bool read = yaml_parser_load(&parser, &entry);
  yaml_parser_delete(&parser);
  if (!read)
    return ut_fail(e, UT_INTERNAL, "out of memory");
  const int copy = ut_yaml_copy(d, &entry, yaml_document_get_root_node(&entry));
  yaml_document_delete(&entry);
  char path[32];
  size_t entries = 0;
  yaml_node_t *root = yaml_document_get_root_node(d);
  for (yaml_node_pair_t *p = root->data.mapping.pairs.start; p < root->data.mapping.pairs.top; p++) {
    const yaml_node_t *list = yaml_document_get_node(d, p->value);
    if (!strcmp((const char *)yaml_document_get_node(d, p->key)->data.scalar.value, "faults") &&
        list->type == YAML_SEQUENCE_NODE)
      entries = (size_t)(list->data.sequence.items.top - list->data.sequence.items.start);
  }
  snprintf(path, sizeof path, "faults[%zu]", entries);
  return ut_yaml_set(d, path, copy, e);
}

static int draw_kind(yaml_document_t *d, const struct ut_drawn_faults *f, const struct ut_topology *t, unsigned kind,
                     unsigned n, uint64_t seed, struct ut_error *e) {
  uint32_t first = 0; /* leaves of a tree do not fail: their terminals would be lost */
  while (kind == SWITCHES && t->up_ports && first < t->switches && t->level[first] == 0)
    first++;
  const uint32_t all = kind == LINKS ? (uint32_t)t->links : t->switches - first;
  if (n > all)
    return ut_fail(e, UT_BAD_INPUT, "%u faulty %s wanted, this %s has %u", n,
                   kind == LINKS ? "links" : "switches", t->kind, (unsigned)all);
  uint32_t *order = malloc((all + 1) * sizeof *order);
  if (!order)
    return ut_fail(e, UT_INTERNAL, "out of memory");
  int status = draw(order, all, n, kind, seed);
  for (unsigned i = 0; i < n && !status; i++)
    status = add_fault(d, f, t, kind, first + order[i], e);
  free(order);
  return status;
}

int ut_faults_draw(yaml_document_t *d, const char *text, size_t length, const struct ut_drawn_faults *f, unsigned links,
                   unsigned switches, uint64_t seed, struct ut_error *e) {
  struct ut_topology t;
  struct ut_scenario *s = ut_scenario_parse(text, length, "scenario", e);
  if (!s)
    return -1;
  int status = ut_topology_init(&t, s, e);
  if (!status) {
    status = draw_kind(d, f, &t, LINKS, links, seed, e) || draw_kind(d, f, &t, SWITCHES, switches, seed, e) ? -1 : 0;
    ut_topology_free(&t);
  }
  ut_scenario_free(s);
  return status;
}
