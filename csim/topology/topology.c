/* SPDX-License-Identifier: Apache-2.0 */
/* topology.c - see topology.h */
#include "topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "family.h"

void ut_topology_free(struct ut_topology *topo) {
  free(topo->peer);
  free(topo->feeder);
  free(topo->ejection);
  free(topo->link);
  free(topo->level);
  free(topo->position);
  free(topo->straps);
  free(topo->extra_cycles);
  free(topo->names);
  free(topo->switch_label);
  free(topo->terminal_label);
  free(topo->up);
  free(topo->group);
  *topo = (struct ut_topology){0};
}

int ut_topology_allocate(struct ut_topology *topo, struct ut_error *e) {
  if (!topo->elaborations)
    topo->elaboration[topo->elaborations++] =
        (struct ut_elaboration){.count = topo->switches, .pi = (uint8_t)topo->pi, .po = (uint8_t)topo->po};
  topo->kind = topo->family->kind;
  topo->channels = topo->switches * topo->po + topo->terminals * topo->injections;
  topo->peer = calloc(topo->channels, sizeof *topo->peer);
  topo->feeder = malloc((size_t)topo->switches * topo->pi * sizeof *topo->feeder);
  topo->ejection = malloc((size_t)topo->terminals * topo->ejections * sizeof *topo->ejection);
  topo->link = calloc(topo->links ? topo->links : 1, sizeof *topo->link);
  topo->level = calloc(topo->switches, sizeof *topo->level);
  topo->position = calloc(topo->switches, sizeof *topo->position);
  topo->straps = calloc(topo->switches, sizeof *topo->straps);
  topo->up = topo->up_ports ? malloc(topo->switches * sizeof *topo->up) : NULL;
  if (topo->peer && topo->feeder && topo->ejection && topo->link && topo->level && topo->position && topo->straps &&
      (topo->up || !topo->up_ports)) {
    for (uint32_t sw = 0; topo->up && sw < topo->switches; sw++)
      topo->up[sw] = topo->up_ports;
    for (size_t i = 0; i < (size_t)topo->switches * topo->pi; i++)
      topo->feeder[i] = UT_NO_CHANNEL;
    return 0;
  }
  const struct ut_topology tried = *topo;
  ut_topology_free(topo);
  return ut_fail(e, UT_BAD_INPUT, "out of memory for a %s of %u switches and %u terminals", tried.kind,
                 (unsigned)tried.switches, (unsigned)tried.terminals);
}

void ut_topology_connect(struct ut_topology *topo, uint32_t from, unsigned port, uint32_t to, unsigned to_port) {
  const uint32_t channel = from * topo->po + port;
  topo->peer[channel] = (struct ut_peer){.index = to, .port = (uint8_t)to_port, .kind = UT_PEER_SWITCH};
  topo->feeder[(size_t)to * topo->pi + to_port] = channel;
}

void ut_topology_inject(struct ut_topology *topo, uint32_t terminal, unsigned link, uint32_t to, unsigned port) {
  const uint32_t channel = ut_topology_injection(topo, terminal, link);
  topo->peer[channel] = (struct ut_peer){.index = to, .port = (uint8_t)port, .kind = UT_PEER_SWITCH};
  topo->feeder[(size_t)to * topo->pi + port] = channel;
}

void ut_topology_eject(struct ut_topology *topo, uint32_t from, unsigned port, uint32_t terminal, unsigned link) {
  const uint32_t channel = from * topo->po + port;
  topo->peer[channel] = (struct ut_peer){.index = terminal, .port = (uint8_t)link, .kind = UT_PEER_TERMINAL};
  topo->ejection[(size_t)terminal * topo->ejections + link] = channel;
}

void ut_topology_attach(struct ut_topology *topo, uint32_t sw, unsigned terminals, unsigned first_port) {
  for (unsigned i = 0; i < terminals * topo->injections; i++) {
    const uint32_t terminal = sw * terminals + i / topo->injections;
    ut_topology_inject(topo, terminal, i % topo->injections, sw, first_port + i);
    ut_topology_eject(topo, sw, first_port + i, terminal, i % topo->injections);
  }
}

struct ut_peer ut_topology_sender(const struct ut_topology *topo, uint32_t channel) {
  const uint32_t outputs = topo->switches * topo->po, injection = channel - outputs;
  if (channel < outputs)
    return (struct ut_peer){.index = channel / topo->po, .port = (uint8_t)(channel % topo->po), .kind = UT_PEER_SWITCH};
  return (struct ut_peer){
      .index = injection / topo->injections, .port = (uint8_t)(injection % topo->injections), .kind = UT_PEER_TERMINAL};
}

struct ut_peer ut_topology_source(const struct ut_topology *topo, uint32_t sw, unsigned port) {
  const uint32_t channel = topo->feeder[(size_t)sw * topo->pi + port];
  return channel == UT_NO_CHANNEL ? (struct ut_peer){.kind = UT_PEER_NONE} : ut_topology_sender(topo, channel);
}

uint32_t ut_topology_twin(const struct ut_topology *topo, uint32_t channel) {
  if (!topo->bidirectional)
    return UT_NO_CHANNEL;
  const struct ut_peer from = ut_topology_sender(topo, channel);
  return from.kind == UT_PEER_SWITCH ? topo->feeder[(size_t)from.index * topo->pi + from.port]
                                     : topo->ejection[(size_t)from.index * topo->ejections + from.port];
}

struct ut_attachment ut_topology_attachment(const struct ut_topology *topo, uint32_t terminal) {
  const struct ut_peer in = topo->peer[ut_topology_injection(topo, terminal, 0)];
  const uint32_t out = topo->ejection[(size_t)terminal * topo->ejections];
  return (struct ut_attachment){.sw = in.index, .in_port = in.port, .out_port = (uint8_t)(out % topo->po)};
}

uint32_t ut_topology_homes(const struct ut_topology *topo, uint32_t *home) {
  uint32_t homes = 0;
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    home[sw] = UINT32_MAX;
  for (uint32_t i = 0; i < topo->terminals; i++) {
    uint32_t *number = &home[ut_topology_attachment(topo, i).sw];
    *number = *number == UINT32_MAX ? homes++ : *number;
  }
  return homes;
}

uint32_t ut_topology_switch(const struct ut_topology *topo, unsigned level, unsigned index) {
  uint32_t from = 0, to = topo->switches; /* the searched one is in from..to-1 */
  while (from < to) {
    uint32_t middle = from + (to - from) / 2;
    if (topo->level[middle] == level && topo->position[middle] == index)
      return middle;
    if (topo->level[middle] < level || (topo->level[middle] == level && topo->position[middle] < index))
      from = middle + 1;
    else
      to = middle;
  }
  return UINT32_MAX;
}

uint32_t ut_topology_switch_named(const struct ut_topology *topo, const char *name) {
  char text[UT_SWITCH_NAME_SIZE];
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    if (!strcmp(ut_topology_switch_name(topo, sw, text), name))
      return sw;
  return UINT32_MAX;
}

unsigned ut_topology_coordinate(const struct ut_topology *topo, uint32_t node, unsigned d) {
  for (unsigned i = 0; i < d; i++)
    node /= topo->size[i];
  return node % topo->size[d];
}

const char *ut_topology_switch_name(const struct ut_topology *topo, uint32_t sw, char text[UT_SWITCH_NAME_SIZE]) {
  if (topo->switch_label)
    snprintf(text, UT_SWITCH_NAME_SIZE, "%s", topo->switch_label[sw]);
  else
    snprintf(text, UT_SWITCH_NAME_SIZE, "%u.%u", (unsigned)topo->level[sw], (unsigned)topo->position[sw]);
  return text;
}

const char *ut_topology_switch_tuple(const struct ut_topology *topo, uint32_t sw, char text[UT_SWITCH_TUPLE_SIZE]) {
  topo->family->switch_tuple(topo, sw, text);
  return text;
}

const char *ut_topology_switch_text(const struct ut_topology *topo, uint32_t sw, char text[UT_SWITCH_TEXT_SIZE]) {
  char name[UT_SWITCH_NAME_SIZE], tuple[UT_SWITCH_TUPLE_SIZE];
  ut_topology_switch_tuple(topo, sw, tuple);
  snprintf(text, UT_SWITCH_TEXT_SIZE, "%s%s%s", ut_topology_switch_name(topo, sw, name), *tuple ? " " : "", tuple);
  return text;
}

const char *ut_topology_direction(const struct ut_topology *topo, unsigned port, char text[UT_DIRECTION_SIZE]) {
  topo->family->port_name(topo, port, text);
  return text;
}

const char *ut_topology_way(const struct ut_topology *topo, uint32_t sw, unsigned port, char text[UT_DIRECTION_SIZE]) {
  if (!topo->up_ports)
    return ut_topology_direction(topo, port, text);
  snprintf(text, UT_DIRECTION_SIZE, "%s", ut_topology_up_ports(topo, sw) >> port & 1 ? "up" : "down");
  return text;
}

void ut_topology_local_name(const struct ut_topology *topo, unsigned local, char text[UT_DIRECTION_SIZE]) {
  const unsigned links = topo->injections;
  int end = snprintf(text, UT_DIRECTION_SIZE, "local %u", local / links % UT_MAX_PORTS);
  if (links > 1)
    snprintf(text + end, (size_t)(UT_DIRECTION_SIZE - end), ".%u", local % links % UT_MAX_TERMINAL_LINKS);
}

void ut_topology_digits(const struct ut_topology *topo, uint32_t sw, unsigned k, char text[UT_SWITCH_TUPLE_SIZE]) {
  const bool roots_down = topo->up_ports && !ut_topology_up_ports(topo, topo->switches - 1);
  const bool dots = roots_down ? 2 * k > 10 : k > 10; /* the highest digit may have 2k values */
  uint32_t step = 1;
  for (unsigned i = 2; i < topo->levels; i++)
    step *= k;
  int end = snprintf(text, UT_SWITCH_TUPLE_SIZE, "<%u", (unsigned)topo->level[sw]);
  for (unsigned i = 1; i < topo->levels; i++, step /= k)
    end += snprintf(text + end, (size_t)(UT_SWITCH_TUPLE_SIZE - end), "%s%u",
                    i == 1 ? ","
                    : dots ? "."
                           : "",
                    (unsigned)(i == 1 ? topo->position[sw] / step : topo->position[sw] / step % k));
  snprintf(text + end, (size_t)(UT_SWITCH_TUPLE_SIZE - end), ">");
}

unsigned ut_topology_name_numbers(const struct ut_topology *topo, uint32_t sw, unsigned *number, unsigned most) {
  char name[UT_SWITCH_NAME_SIZE];
  unsigned count = 0;
  const char *at = ut_topology_switch_name(topo, sw, name);
  while (count < most && *(at += strcspn(at, "0123456789"))) {
    char *end;
    number[count++] = (unsigned)strtoul(at, &end, 10);
    at = end;
  }
  return count;
}
