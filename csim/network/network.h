/* network.h - switches, links, terminals and faults of one scenario, moved cycle by cycle.
 *
 * The switches are the golden model, or whatever a backend drives (the RTL in tb/).  Everything else is the same code
 * for both, with its own wires and terminals: two networks of one scenario run side by side and meet nowhere. A cycle
 * t: fault events of t; terminals and switches see what is on their wires in t; what they drive is on the wires from
 * t+1 and arrives link_cycles later.  Idle switches and terminals cost nothing.
 */
#ifndef UT_NETWORK_H
#define UT_NETWORK_H

#include "faults.h"
#include "manager.h"
#include "recall.h"
#include "terminal.h"
#include "topology.h"

/* Another implementation of the switches. */
struct ut_backend {
  void *self;
  void (*reset)(void *self, uint32_t sw, uint64_t straps);
  void (*step)(void *self, uint32_t sw, const struct ut_switch_in *in, struct ut_switch_out *out);
  /* Writes an entry of the forwarding tables of a switch in reset; needed where the algorithm has such. */
  void (*configure)(void *self, uint32_t sw, uint64_t word);
};

struct ut_notice; /* a neighbour's report on its way */

/* How long states of nodes take to become stable: golden switches only. */
struct ut_settling {
  uint64_t since;   /* cycle of the last fault */
  uint64_t longest; /* cycles from a fault until the last change that followed it */
};

struct ut_network {
  const struct ut_scenario *scenario;
  struct ut_topology topology;
  struct ut_shape shape[UT_MAX_ELABORATIONS]; /* they differ in ports and in parameters of their routing family only */
  unsigned words, v, slots;
  unsigned link_cycles, injection_cycles, ejection_cycles;
  struct ut_traffic traffic;
  struct ut_faults faults;
  struct ut_terminals terminals;
  struct ut_manager manager;                  /* nothing in it if the algorithm has no forwarding tables */
  struct ut_guide guide;                      /* nothing in it if terminals choose no ways */
  struct ut_recall recall;                    /* as the next */
  struct ut_settling settling;                /* as the next */
  struct ut_service service;                  /* nothing in it if switches keep no states of nodes */
  struct ut_group group[UT_MAX_ELABORATIONS]; /* the golden switches; no memory if there is a backend */
  const struct ut_backend *backend;
  /* Wires by the cycle in which their contents arrive, [slots], a ring.  Nodes: the switches, then, from a multiple of
   * 8 on, the terminals.  Flits to switch s, port p lie in slot s * pi + p, those to a terminal's ejection link behind
   * all of them. */
  struct ut_wires *wires;
  uint32_t nodes;
  struct ut_end *to, *from; /* [channels], [switches * pi]: where flits go, where credits go */
  ut_mask *in_up, *out_up;  /* [switches] */
  ut_mask *report;          /* [switches * reports]: what its neighbours report, by bit */
  unsigned reports;         /* bits */
  uint8_t *stepped;         /* [switches, in words]: 1 for those that were stepped in the last cycle */
  uint64_t *failed;         /* bitmap over switches */
  uint32_t *reported;       /* [switches]: reports as last driven */
  struct ut_notice *notice;
  size_t notices, notice_room;
  uint32_t *changed; /* channels that changed in the last cycle; to be flushed once more */
  size_t changes;
  uint64_t cycle;
  uint64_t flit_hops;    /* flits that left a switch */
  uint64_t switch_steps; /* switches that were not idle, summed over the cycles */
  uint64_t *link_flits;  /* [switches * po], or NULL: flits sent through each output port since they are counted */
  bool failure;          /* out of memory during a step */
};

/* Builds the network of a scenario, which must outlive it.  backend NULL: the golden model; otherwise accounts other
 * than the end-to-end check are off.  -1 and *e on failure. */
int ut_network_init(struct ut_network *n, const struct ut_scenario *s, const struct ut_backend *backend,
                    struct ut_error *e);
void ut_network_fini(struct ut_network *n);

/* Counts the flits of every link from now on.  false: out of memory. */
bool ut_network_count_links(struct ut_network *n);

/* One cycle. */
void ut_network_step(struct ut_network *n);

/* True when the scenario is over: all cycles done and, if it drains, the network and the queues empty or the limit
 * reached. */
bool ut_network_done(const struct ut_network *n);
/* Cycles without draining: warm-up and measurement. */
uint64_t ut_network_planned(const struct ut_scenario *s);

/* Ports of a node with a flit on the wires that arrive in slot w; ports with a credit of VC v. */
static inline ut_mask ut_network_flits(const struct ut_network *n, unsigned w, uint32_t node) {
  return n->wires[w].box[(size_t)node * (1 + n->v)];
}
static inline ut_mask ut_network_credits(const struct ut_network *n, unsigned w, uint32_t node, unsigned v) {
  return n->wires[w].box[(size_t)node * (1 + n->v) + 1 + v];
}

/* The golden switch of that number, its group, and what it is elaborated to. */
static inline const struct ut_group *ut_network_group(const struct ut_network *n, uint32_t sw) {
  return &n->group[ut_topology_elaboration(&n->topology, sw)];
}
static inline struct ut_switch *ut_network_switch(const struct ut_network *n, uint32_t sw) {
  return ut_switch_of(ut_network_group(n, sw), sw);
}
static inline const struct ut_shape *ut_network_shape(const struct ut_network *n, uint32_t sw) {
  return &n->shape[ut_topology_elaboration(&n->topology, sw)];
}

/* Number of the slot in which flits to that end of a channel lie. */
static inline size_t ut_network_slot(const struct ut_network *n, const struct ut_peer *to) {
  const struct ut_topology *t = &n->topology;
  return to->kind == UT_PEER_TERMINAL ? (size_t)t->switches * t->pi + (size_t)to->index * t->ejections + to->port
                                      : (size_t)to->index * t->pi + to->port;
}

/* Cycles that a flit from an output port to that end is on the wire. */
static inline unsigned ut_network_link_cycles(const struct ut_network *n, const struct ut_peer *to) {
  return to->kind == UT_PEER_TERMINAL ? n->ejection_cycles : n->link_cycles;
}

/* What arrives in that cycle, this one or one of the next link cycles, at that end of a wire; NULL: nothing. */
static inline const uint64_t *ut_network_flit_at(const struct ut_network *n, uint64_t cycle, const struct ut_peer *to) {
  const unsigned w = (unsigned)(cycle % n->slots);
  const uint32_t node = to->kind == UT_PEER_TERMINAL ? n->terminals.first_node + to->index : to->index;
  if (!(ut_network_flits(n, w, node) & ut_bit(to->port)))
    return NULL;
  return n->wires[w].flit + ut_network_slot(n, to) * (n->words + 1);
}

/* Packets in the network, counted head by head in buffers, on wires and at terminals; golden model only.  Independent
 * of the accounts, which must agree: injected = delivered + discarded + this. */
uint64_t ut_network_in_flight(const struct ut_network *n);
/* The same by the accounts. */
uint64_t ut_network_outstanding(const struct ut_network *n);

/* Of a network whose switches keep states of nodes: whether those of the golden switches are what the manager computes
 * from the definitions.  Before they are stable they are not. */
bool ut_network_states_agree(const struct ut_network *n);

/* Sum of the switches' U-turns. */
uint64_t ut_network_u_turns(const struct ut_network *n);

static inline bool ut_bitmap_get(const uint64_t *map, size_t i) {
  return map[i / 64] >> i % 64 & 1;
}
static inline void ut_bitmap_set(uint64_t *map, size_t i) {
  map[i / 64] |= UINT64_C(1) << i % 64;
}
static inline void ut_bitmap_clear(uint64_t *map, size_t i) {
  map[i / 64] &= ~(UINT64_C(1) << i % 64);
}

#endif
