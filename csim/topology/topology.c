/* SPDX-License-Identifier: Apache-2.0 */
/* topology.c - see topology.h */
#include "topology.h"

#include <stdio.h>
#include <stdlib.h>

#include "family.h"

void ut_topology_free(struct ut_topology *t) {
  free(t->peer);
  free(t->feeder);
  free(t->ejection);
  free(t->link);
  free(t->level);
  free(t->position);
  free(t->straps);
  *t = (struct ut_topology){0};
}

int ut_topology_allocate(struct ut_topology *t, struct ut_error *e) {
  if (!t->elaborations)
    t->elaboration[t->elaborations++] =
        (struct ut_elaboration){.count = t->switches, .pi = (uint8_t)t->pi, .po = (uint8_t)t->po};
  t->kind = t->family->kind;
  t->channels = t->switches * t->po + t->terminals * t->injections;
  t->peer = calloc(t->channels, sizeof *t->peer);
  t->feeder = malloc((size_t)t->switches * t->pi * sizeof *t->feeder);
  t->ejection = malloc((size_t)t->terminals * t->ejections * sizeof *t->ejection);
  t->link = calloc(t->links ? t->links : 1, sizeof *t->link);
  t->level = calloc(t->switches, sizeof *t->level);
  t->position = calloc(t->switches, sizeof *t->position);
  t->straps = calloc(t->switches, sizeof *t->straps);
  if (t->peer && t->feeder && t->ejection && t->link && t->level && t->position && t->straps) {
    for (size_t i = 0; i < (size_t)t->switches * t->pi; i++)
      t->feeder[i] = UT_NO_CHANNEL;
    return 0;
  }
  const struct ut_topology tried = *t;
  ut_topology_free(t);
  return ut_fail(e, UT_BAD_INPUT, "out of memory for a %s of %u switches and %u terminals", tried.kind,
                 (unsigned)tried.switches, (unsigned)tried.terminals);
}

void ut_topology_connect(struct ut_topology *t, uint32_t from, unsigned port, uint32_t to, unsigned to_port) {
  const uint32_t channel = from * t->po + port;
  t->peer[channel] = (struct ut_peer){.index = to, .port = (uint8_t)to_port, .kind = UT_PEER_SWITCH};
  t->feeder[(size_t)to * t->pi + to_port] = channel;
}

void ut_topology_inject(struct ut_topology *t, uint32_t terminal, unsigned link, uint32_t to, unsigned port) {
  const uint32_t channel = ut_topology_injection(t, terminal, link);
  t->peer[channel] = (struct ut_peer){.index = to, .port = (uint8_t)port, .kind = UT_PEER_SWITCH};
  t->feeder[(size_t)to * t->pi + port] = channel;
}

void ut_topology_eject(struct ut_topology *t, uint32_t from, unsigned port, uint32_t terminal, unsigned link) {
  const uint32_t channel = from * t->po + port;
  t->peer[channel] = (struct ut_peer){.index = terminal, .port = (uint8_t)link, .kind = UT_PEER_TERMINAL};
  t->ejection[(size_t)terminal * t->ejections + link] = channel;
}

void ut_topology_attach(struct ut_topology *t, uint32_t sw, unsigned terminals, unsigned first_port) {
  for (unsigned i = 0; i < terminals * t->injections; i++) {
    const uint32_t terminal = sw * terminals + i / t->injections;
    ut_topology_inject(t, terminal, i % t->injections, sw, first_port + i);
    ut_topology_eject(t, sw, first_port + i, terminal, i % t->injections);
  }
}

struct ut_peer ut_topology_sender(const struct ut_topology *t, uint32_t channel) {
  const uint32_t outputs = t->switches * t->po, injection = channel - outputs;
  if (channel < outputs)
    return (struct ut_peer){.index = channel / t->po, .port = (uint8_t)(channel % t->po), .kind = UT_PEER_SWITCH};
  return (struct ut_peer){
      .index = injection / t->injections, .port = (uint8_t)(injection % t->injections), .kind = UT_PEER_TERMINAL};
}

struct ut_peer ut_topology_source(const struct ut_topology *t, uint32_t sw, unsigned port) {
  const uint32_t channel = t->feeder[(size_t)sw * t->pi + port];
  return channel == UT_NO_CHANNEL ? (struct ut_peer){.kind = UT_PEER_NONE} : ut_topology_sender(t, channel);
}

uint32_t ut_topology_twin(const struct ut_topology *t, uint32_t channel) {
  if (!t->bidirectional)
    return UT_NO_CHANNEL;
  const struct ut_peer from = ut_topology_sender(t, channel);
  return from.kind == UT_PEER_SWITCH ? t->feeder[(size_t)from.index * t->pi + from.port]
                                     : t->ejection[(size_t)from.index * t->ejections + from.port];
}

struct ut_attachment ut_topology_attachment(const struct ut_topology *t, uint32_t terminal) {
  const struct ut_peer in = t->peer[ut_topology_injection(t, terminal, 0)];
  const uint32_t out = t->ejection[(size_t)terminal * t->ejections];
  return (struct ut_attachment){.sw = in.index, .in_port = in.port, .out_port = (uint8_t)(out % t->po)};
}

uint32_t ut_topology_switch(const struct ut_topology *t, unsigned level, unsigned index) {
  uint32_t from = 0, to = t->switches; /* the searched one is in from..to-1 */
  while (from < to) {
    uint32_t middle = from + (to - from) / 2;
    if (t->level[middle] == level && t->position[middle] == index)
      return middle;
    if (t->level[middle] < level || (t->level[middle] == level && t->position[middle] < index))
      from = middle + 1;
    else
      to = middle;
  }
  return UINT32_MAX;
}

unsigned ut_topology_coordinate(const struct ut_topology *t, uint32_t node, unsigned d) {
  for (unsigned i = 0; i < d; i++)
    node /= t->size[i];
  return node % t->size[d];
}

const char *ut_topology_switch_name(const struct ut_topology *t, uint32_t sw, char text[UT_SWITCH_NAME_SIZE]) {
  snprintf(text, UT_SWITCH_NAME_SIZE, "%u.%u", (unsigned)t->level[sw], (unsigned)t->position[sw]);
  return text;
}

const char *ut_topology_switch_tuple(const struct ut_topology *t, uint32_t sw, char text[UT_SWITCH_TUPLE_SIZE]) {
  t->family->switch_tuple(t, sw, text);
  return text;
}

const char *ut_topology_direction(const struct ut_topology *t, unsigned port, char text[UT_DIRECTION_SIZE]) {
  t->family->port_name(t, port, text);
  return text;
}

void ut_topology_local_name(const struct ut_topology *t, unsigned local, char text[UT_DIRECTION_SIZE]) {
  const unsigned links = t->injections;
  int end = snprintf(text, UT_DIRECTION_SIZE, "local %u", local / links % UT_MAX_PORTS);
  if (links > 1)
    snprintf(text + end, (size_t)(UT_DIRECTION_SIZE - end), ".%u", local % links % UT_MAX_TERMINAL_LINKS);
}

void ut_topology_digits(const struct ut_topology *t, uint32_t sw, unsigned k, char text[UT_SWITCH_TUPLE_SIZE]) {
  uint32_t step = 1;
  for (unsigned i = 2; i < t->levels; i++)
    step *= k;
  int end = snprintf(text, UT_SWITCH_TUPLE_SIZE, "<%u", (unsigned)t->level[sw]);
  for (unsigned i = 1; i < t->levels; i++, step /= k)
    end += snprintf(text + end, (size_t)(UT_SWITCH_TUPLE_SIZE - end), "%s%u",
                    i == 1   ? ","
                    : k > 10 ? "."
                             : "",
                    (unsigned)(t->position[sw] / step % k));
  snprintf(text + end, (size_t)(UT_SWITCH_TUPLE_SIZE - end), ">");
}
