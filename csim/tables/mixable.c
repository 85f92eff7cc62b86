/* SPDX-License-Identifier: Apache-2.0 */
/* mixable.c - see mixable.h */
#include "mixable.h"

#include <stdlib.h>
#include <string.h>

#include "forwarding.h"
#include "held_words.h"
#include "layout.h"

bool ut_mixable_init(struct ut_mixable *mixable, struct ut_forwarding *forwarding, const struct ut_held_words *held,
                     unsigned v, unsigned via) {
  const struct ut_topology *topo = forwarding->topology;
  const uint32_t nodes = topo->switches * topo->po * v;
  const size_t withheld = ((size_t)topo->switches * topo->terminals + 63) / 64 * 64;
  *mixable = (struct ut_mixable){.topology = topo,
                                 .forwarding = forwarding,
                                 .held = held,
                                 .v = v,
                                 .via = via,
                                 .nodes = nodes,
                                 .bytes = (size_t)nodes * v * sizeof *mixable->next,
                                 .withheld_bytes = withheld / 8,
                                 .next = calloc((size_t)nodes * v, sizeof *mixable->next),
                                 .before = calloc((size_t)nodes * v, sizeof *mixable->before),
                                 .met = calloc(nodes, sizeof *mixable->met),
                                 .queue = calloc(nodes, sizeof *mixable->queue),
                                 .degree = calloc(nodes, sizeof *mixable->degree),
                                 .answer = calloc((size_t)topo->switches * 4 * v, sizeof *mixable->answer),
                                 .withheld = calloc(withheld / 8, 1)};
  for (unsigned i = 0; i < 3; i++)
    mixable->banks[i] = calloc((size_t)topo->switches * topo->pi, 1);
  const bool reads = mixable->banks[0] && mixable->banks[1] && mixable->banks[2] && mixable->answer;
  if (reads && mixable->next && mixable->before && mixable->met && mixable->queue && mixable->degree &&
      mixable->withheld)
    return true;
  ut_mixable_fini(mixable);
  return false;
}

void ut_mixable_fini(struct ut_mixable *mixable) {
  for (unsigned i = 0; i < 3; i++)
    free(mixable->banks[i]);
  free(mixable->answer);
  free(mixable->next), free(mixable->before), free(mixable->met);
  free(mixable->queue), free(mixable->degree), free(mixable->withheld);
  *mixable = (struct ut_mixable){0};
}

/* ---- what the words say */

/* The contents of word i of a switch, held or planned. */
static uint32_t contents(const struct ut_mixable *mixable, uint32_t sw, uint32_t i, enum ut_tables_used tables) {
  return tables == UT_TABLES_HELD ? ut_held_words_get(mixable->held, sw, i)
                                  : ut_table_contents(ut_forwarding_word(mixable->forwarding, sw, i));
}

/* Of a word that has two halves: the output ports that it names. */
static ut_mask ports_in(const struct ut_mixable *mixable, uint32_t sw, uint32_t i, enum ut_tables_used tables) {
  ut_mask ports = contents(mixable, sw, i, tables);
  if (mixable->topology->po > 32)
    ports |= (ut_mask)contents(mixable, sw, i + 1, tables) << 32;
  return ports;
}

static unsigned halves(const struct ut_mixable *mixable) {
  return mixable->topology->po > 32 ? 2 : 1;
}

static bool has_escape(const struct ut_mixable *mixable) {
  return mixable->forwarding->hops.rows > 2;
}

/* A packet at a switch: in_port of it and VC, or where it begins. */
struct place {
  uint32_t sw;
  unsigned port, vc;
  bool begins;
};

/* Notes the banks of each input port by the tables of each kind, as a set of two bits. */
static void read_banks(struct ut_mixable *mixable) {
  const struct ut_topology *topo = mixable->topology;
  const struct ut_next_hops *hops = &mixable->forwarding->hops;
  const uint32_t first = hops->by ? hops->groups * halves(mixable) : mixable->forwarding->entries;
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    for (unsigned port = 0; port < topo->pi; port++) {
      const uint32_t i = sw * topo->pi + port;
      for (unsigned one = UT_TABLES_HELD; one <= UT_TABLES_PLANNED; one++)
        mixable->banks[one - 1][i] = (uint8_t)(1u << (contents(mixable, sw, first + port, one) & 1));
      mixable->banks[UT_TABLES_BOTH - 1][i] = mixable->banks[0][i] | mixable->banks[1][i];
    }
}

/* The VCs that the VC map allows a packet, by port: the row of its VC or, where it begins, of its layer. */
static ut_mask allowed(const struct ut_mixable *mixable, const struct place *at, uint32_t dst, unsigned vc,
                       enum ut_tables_used tables) {
  const struct ut_next_hops *hops = &mixable->forwarding->hops;
  const uint32_t first = hops->groups * halves(mixable) + mixable->topology->pi;
  ut_mask ports = 0;
  for (unsigned one = UT_TABLES_HELD; one <= UT_TABLES_PLANNED; one++) {
    const bool planned = one == UT_TABLES_PLANNED;
    if (!(tables & one))
      continue;
    const unsigned layer = !hops->layer ? 0
                           : planned    ? hops->by->layer(hops->planner, at->sw, dst)
                                        : hops->layer[(size_t)at->sw * hops->destinations + dst];
    const unsigned line = at->begins ? layer : hops->layers + at->vc;
    if (!at->begins || layer < hops->layers)
      ports |= ports_in(mixable, at->sw, first + (line * mixable->v + vc) * halves(mixable), one);
  }
  return ports;
}

/* Adds the ports of an entry that names a next-hop group, on the VCs that a packet may have there. */
static void add_group(const struct ut_mixable *mixable, const struct place *at, uint32_t dst, unsigned group,
                      enum ut_tables_used tables, ut_mask *ways) {
  const struct ut_next_hops *hops = &mixable->forwarding->hops;
  ut_mask ports = 0;
  for (unsigned one = UT_TABLES_HELD; group && one <= UT_TABLES_PLANNED; one++)
    if (tables & one)
      ports |= ports_in(mixable, at->sw, group * halves(mixable), one);
  for (unsigned vc = has_escape(mixable) ? mixable->v - 1 : 0; ports && vc < mixable->v; vc++)
    ways[vc] |= hops->layers ? ports & allowed(mixable, at, dst, vc, tables) : ports;
}

/* Adds the port and VC of an entry. */
static void add_port(uint32_t entry, ut_mask *ways) {
  if (entry & 1)
    ways[entry >> 7 & 7] |= ut_bit(entry >> 1 & 63);
}

/* Reads the entries of these banks. */
static void read_ways(const struct ut_mixable *mixable, const struct place *at, uint32_t dst, unsigned banks,
                      enum ut_tables_used tables, ut_mask *ways) {
  const struct ut_forwarding *forwarding = mixable->forwarding;
  const uint32_t wide = forwarding->hops.by ? ut_next_hops_wide_words(&forwarding->hops) : 0;
  memset(ways, 0, mixable->v * sizeof *ways);
  for (unsigned bank = 0; bank < 2; bank++)
    for (unsigned one = UT_TABLES_HELD; one <= UT_TABLES_PLANNED; one++) {
      if (!(banks >> bank & 1) || !(tables & one))
        continue;
      if (wide)
        add_group(mixable, at, dst, contents(mixable, at->sw, wide + bank * forwarding->hops.destinations + dst, one),
                  tables, ways);
      else
        add_port(contents(mixable, at->sw, ut_forwarding_at(forwarding, bank, at->vc, dst), one), ways);
    }
}

/* Returns the output ports, by VC, that a packet to dst can wait for there; with an escape VC those of the latter.
 * Where an entry is withheld it goes by what the switch holds.  Without a VC map, what packets of one bank can do is
 * read once for each destination. */
static const ut_mask *find_ways(struct ut_mixable *mixable, const struct place *at, uint32_t dst,
                                enum ut_tables_used tables) {
  if (tables == UT_TABLES_BOTH && ut_mixable_withholds(mixable, at->sw, dst))
    tables = UT_TABLES_HELD;
  const struct ut_next_hops *hops = &mixable->forwarding->hops;
  const unsigned banks = at->begins && has_escape(mixable) /* packets enter the escape VC by bank 0 */
                             ? 1
                             : mixable->banks[tables - 1][at->sw * mixable->topology->pi + at->port];
  struct ut_mixable_answer *answer =
      &mixable->answer[((size_t)at->sw * 4 + banks) * mixable->v + (hops->by ? 0 : at->vc)];
  if (answer->search == mixable->search && !hops->layers)
    return answer->ways;
  answer->search = mixable->search;
  read_ways(mixable, at, dst, banks, tables, answer->ways);
  return answer->ways;
}

/* ---- dependencies */

enum { NOWHERE = UINT32_MAX };

/* Adds dependencies of VC `from` on these ways, and the VCs there to the queue that ends at `end`; returns its end. */
static uint32_t add_ways(struct ut_mixable *mixable, uint32_t from, uint32_t sw, const ut_mask *ways, uint32_t end) {
  const struct ut_topology *topo = mixable->topology;
  for (unsigned vc = 0; vc < mixable->v; vc++) {
    if (from != NOWHERE)
      mixable->next[(size_t)from * mixable->v + vc] |= ways[vc];
    for (ut_mask ports = ways[vc]; ports; ports &= ports - 1) {
      const uint32_t channel = sw * topo->po + ut_first(ports), node = channel * mixable->v + vc;
      if (topo->peer[channel].kind != UT_PEER_SWITCH || mixable->met[node] == mixable->search)
        continue;
      mixable->met[node] = mixable->search;
      mixable->queue[end++] = node;
    }
  }
  return end;
}

/* Adds what packets to dst that begin at a switch wait for. */
static uint32_t add_beginning(struct ut_mixable *mixable, struct place at, uint32_t dst, enum ut_tables_used tables,
                              uint32_t end) {
  for (at.vc = 0; at.vc < mixable->v; at.vc++) {
    end = add_ways(mixable, NOWHERE, at.sw, find_ways(mixable, &at, dst, tables), end);
    if (mixable->forwarding->hops.by) /* all VCs share an entry */
      break;
  }
  return end;
}

/* Where packets begin: the terminals of a switch are alike.  With an escape VC they may come to it at any switch. */
static uint32_t add_beginnings(struct ut_mixable *mixable, uint32_t dst, enum ut_tables_used tables) {
  const struct ut_topology *topo = mixable->topology;
  uint32_t end = 0, last = UINT32_MAX;
  for (uint32_t sw = 0; has_escape(mixable) && sw < topo->switches; sw++)
    end = add_beginning(mixable, (struct place){.sw = sw, .begins = true}, dst, tables, end);
  for (uint32_t terminal = 0; !has_escape(mixable) && terminal < topo->terminals; terminal++)
    for (unsigned link = 0; link < topo->injections; link++) {
      const struct ut_peer peer = topo->peer[ut_topology_injection(topo, terminal, link)];
      if (peer.kind != UT_PEER_SWITCH || peer.index == last)
        continue;
      last = peer.index;
      end =
          add_beginning(mixable, (struct place){.sw = peer.index, .port = peer.port, .begins = true}, dst, tables, end);
    }
  return end;
}

/* Adds the dependencies of packets to dst. */
static void add_destination(struct ut_mixable *mixable, uint32_t dst, enum ut_tables_used tables) {
  mixable->search++;
  uint32_t end = add_beginnings(mixable, dst, tables);
  for (uint32_t i = 0; i < end; i++) {
    const uint32_t node = mixable->queue[i];
    const struct ut_peer *peer = &mixable->topology->peer[node / mixable->v];
    const struct place at = {.sw = peer->index, .port = peer->port, .vc = node % mixable->v};
    end = add_ways(mixable, node, at.sw, find_ways(mixable, &at, dst, tables), end);
  }
}

static void forget(struct ut_mixable *mixable) {
  memset(mixable->next, 0, mixable->bytes);
}

/* ---- cycles */

/* Adds `sign` to the number of VCs that depend on each of those that VC `from` depends on.  queue: where those go on
 * which none depends any more; returns its end. */
static uint32_t count(struct ut_mixable *mixable, uint32_t from, uint32_t sign, uint32_t end) {
  const struct ut_topology *topo = mixable->topology;
  const uint32_t first = topo->peer[from / mixable->v].index * topo->po;
  for (unsigned vc = 0; vc < mixable->v; vc++)
    for (ut_mask ports = mixable->next[(size_t)from * mixable->v + vc]; ports; ports &= ports - 1) {
      const uint32_t node = (first + ut_first(ports)) * mixable->v + vc;
      mixable->degree[node] += sign;
      if (sign != 1 && !mixable->degree[node])
        mixable->queue[end++] = node;
    }
  return end;
}

/* Takes away VCs on which none depends, until none is left (Kahn, 1962). */
static bool has_cycle(struct ut_mixable *mixable) {
  uint32_t end = 0;
  memset(mixable->degree, 0, mixable->nodes * sizeof *mixable->degree);
  for (uint32_t node = 0; node < mixable->nodes; node++)
    count(mixable, node, 1, 0);
  for (uint32_t node = 0; node < mixable->nodes; node++)
    if (!mixable->degree[node])
      mixable->queue[end++] = node;
  for (uint32_t i = 0; i < end; i++)
    end = count(mixable, mixable->queue[i], UINT32_MAX, end);
  return end < mixable->nodes;
}

static bool tables_have_cycle(struct ut_mixable *mixable, enum ut_tables_used tables) {
  forget(mixable);
  for (uint32_t dst = 0; dst < mixable->topology->terminals; dst++)
    add_destination(mixable, dst, tables);
  return has_cycle(mixable);
}

/* Whether the VC map alone orders all channels, whatever entries say.  Packets that end their first phase go on by the
 * row of layer 0. */
static bool has_order(struct ut_mixable *mixable) {
  const struct ut_topology *topo = mixable->topology;
  if (!mixable->forwarding->hops.layers)
    return false;
  forget(mixable);
  for (uint32_t node = 0; node < mixable->nodes; node++) {
    const struct ut_peer *peer = &topo->peer[node / mixable->v];
    struct place at = {.sw = peer->index, .port = peer->port, .vc = node % mixable->v};
    for (unsigned vc = 0; peer->kind == UT_PEER_SWITCH && vc < mixable->v; vc++)
      mixable->next[(size_t)node * mixable->v + vc] = allowed(mixable, &at, 0, vc, UT_TABLES_BOTH);
    at.begins = at.vc < mixable->via;
    for (unsigned vc = 0; peer->kind == UT_PEER_SWITCH && at.begins && vc < mixable->v; vc++)
      mixable->next[(size_t)node * mixable->v + vc] |= allowed(mixable, &at, 0, vc, UT_TABLES_BOTH);
  }
  return !has_cycle(mixable);
}

/* ---- up*-down* in one order: no need to search */

/* Returns the output ports of a switch behind which packets are in bank 1: those that lead down. */
static ut_mask down_ports(const struct ut_mixable *mixable, uint32_t sw) {
  const struct ut_topology *topo = mixable->topology;
  ut_mask down = 0;
  for (unsigned port = 0; port < topo->po; port++) {
    const struct ut_peer *peer = &topo->peer[sw * topo->po + port];
    const bool turns =
        peer->kind == UT_PEER_SWITCH && !(mixable->banks[UT_TABLES_BOTH - 1][peer->index * topo->pi + peer->port] & 2);
    down |= turns ? 0 : ut_bit(port);
  }
  return down;
}

/* Whether channels up alone, and channels down alone, have no cycle; notes the latter in `before`, by switch. */
static bool is_ordered(struct ut_mixable *mixable) {
  const struct ut_topology *topo = mixable->topology;
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    mixable->before[sw] = down_ports(mixable, sw);
  forget(mixable);
  for (uint32_t channel = 0; channel < topo->switches * topo->po; channel++) {
    const struct ut_peer *peer = &topo->peer[channel];
    const bool down = mixable->before[channel / topo->po] & ut_bit(channel % topo->po);
    if (peer->kind == UT_PEER_SWITCH)
      mixable->next[(size_t)channel * mixable->v * mixable->v] =
          down ? mixable->before[peer->index] : ~mixable->before[peer->index] & ut_mask_all(topo->po);
  }
  return !has_cycle(mixable);
}

/* Whether no bank changes, and entries of bank 1, held and planned, lead down only. */
static bool keeps_order(struct ut_mixable *mixable) {
  const struct ut_topology *topo = mixable->topology;
  for (uint32_t i = 0; i < topo->switches * topo->pi; i++)
    if (mixable->banks[UT_TABLES_BOTH - 1][i] == 3)
      return false;
  if (mixable->forwarding->hops.layers || !is_ordered(mixable))
    return false;
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    for (uint32_t dst = 0; dst < topo->terminals; dst++)
      for (unsigned vc = 0; vc < mixable->v; vc++) {
        ut_mask ways[UT_MAX_VCS];
        const struct place at = {.sw = sw, .vc = vc};
        read_ways(mixable, &at, dst, 2, UT_TABLES_BOTH, ways);
        for (unsigned out = 0; out < mixable->v; out++)
          if (ways[out] & ~mixable->before[sw])
            return false;
      }
  return true;
}

/* ---- the answer */

/* Withholds, or admits, the entries of switches from..end-1 to a destination. */
static void withhold(struct ut_mixable *mixable, uint32_t dst, uint32_t from, uint32_t end, bool withheld) {
  const size_t row = (size_t)dst * mixable->topology->switches;
  for (size_t i = row + from; i < row + end; i++)
    mixable->withheld[i / 64] = (mixable->withheld[i / 64] & ~(1ull << i % 64)) | (uint64_t)withheld << i % 64;
}

/* Restores the dependencies and tells that there was a cycle; or tells that there was none. */
static bool undo_cycle(struct ut_mixable *mixable) {
  const bool cycle = has_cycle(mixable);
  if (cycle)
    memcpy(mixable->next, mixable->before, mixable->bytes);
  return cycle;
}

/* Admits the entries of those of the switches from..end-1 to a destination with which there is no cycle. */
static void admit_switches(struct ut_mixable *mixable, uint32_t dst, uint32_t from, uint32_t end) {
  const uint32_t middle = from + (end - from) / 2;
  memcpy(mixable->before, mixable->next, mixable->bytes);
  withhold(mixable, dst, from, end, false);
  add_destination(mixable, dst, UT_TABLES_BOTH);
  if (!undo_cycle(mixable))
    return;
  withhold(mixable, dst, from, end, true);
  if (end - from == 1)
    return;
  admit_switches(mixable, dst, from, middle);
  admit_switches(mixable, dst, middle, end);
}

/* The same for all entries to destinations from..end-1, many at a time where they cause no cycle. */
static void admit(struct ut_mixable *mixable, uint32_t from, uint32_t end) {
  const uint32_t switches = mixable->topology->switches, middle = from + (end - from) / 2;
  memcpy(mixable->before, mixable->next, mixable->bytes);
  for (uint32_t dst = from; dst < end; dst++) {
    withhold(mixable, dst, 0, switches, false);
    add_destination(mixable, dst, UT_TABLES_BOTH);
  }
  if (!undo_cycle(mixable))
    return;
  for (uint32_t dst = from; dst < end; dst++)
    withhold(mixable, dst, 0, switches, true);
  if (end - from == 1) {
    admit_switches(mixable, from, 0, switches);
    return;
  }
  admit(mixable, from, middle);
  admit(mixable, middle, end);
}

/* Withholds all entries, or none. */
static void withhold_all(struct ut_mixable *mixable, bool all) {
  memset(mixable->withheld, all ? 0xff : 0, mixable->withheld_bytes);
  mixable->withholds = all;
}

void ut_mixable_find(struct ut_mixable *mixable) {
  read_banks(mixable);
  withhold_all(mixable, false);
  if (has_order(mixable) || keeps_order(mixable))
    return;
  withhold_all(mixable, mixable->via);
  if (mixable->via || !tables_have_cycle(mixable, UT_TABLES_BOTH) || tables_have_cycle(mixable, UT_TABLES_PLANNED) ||
      tables_have_cycle(mixable, UT_TABLES_HELD))
    return;
  withhold_all(mixable, true);
  admit(mixable, 0, mixable->topology->terminals);
}
