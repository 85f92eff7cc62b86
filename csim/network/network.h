/* SPDX-License-Identifier: Apache-2.0 */
/* network.h - the switches, links, terminals and faults of one scenario, advanced cycle by cycle.
 *
 * Purpose: the switches are the golden model, or those that a backend steps (the RTL in tb/).  All other parts are the
 * same code for both, and every network has its own wires and terminals: two networks of one scenario run next to each
 * other and share nothing that changes.
 *
 * Interface: ut_network_init(), then ut_network_step() until ut_network_done(), then the results, then
 * ut_network_fini(). ut_network_skip() leaves out cycles in which nothing happens.
 *
 * A cycle t: first the fault events of t; then terminals and switches read their wires in t.  What they drive is on the
 * wires from t+1 on and arrives link_cycles later.  Idle switches and terminals cost nothing.
 *
 * Invariants: injected = delivered + discarded + in flight, in every cycle.  The results depend neither on the number
 * of threads nor on whether idle cycles were skipped.
 *
 * Mistakes that a caller can make: freeing the scenario, the threads or the backend before the network; using the
 * results of a step that has set `failure` (out of memory); reading latencies while several threads move the network
 * (call ut_network_use(net, NULL) first).
 */
#ifndef UT_NETWORK_H
#define UT_NETWORK_H

#include "drain.h"
#include "faults.h"
#include "link_delays.h"
#include "manager.h"
#include "purge_protocol.h"
#include "reconfiguration.h"
#include "resends.h"
#include "spec_group.h"
#include "terminal.h"
#include "threads.h"
#include "topology.h"
#include "workload_run.h"

struct ut_switches; /* switches.h */

/* An implementation of the switches other than the model. */
struct ut_backend {
  void *self;
  void (*reset)(void *self, uint32_t sw, uint64_t straps);
  /* Steps `count` switches, sw[i] with inputs in[i] and outputs out[i], by one cycle.  Their numbers within their
   * elaboration differ in the lowest log2(together) bits only.  Several threads may call it at once for other
   * switches. */
  void (*step)(void *self, const uint32_t *sw, unsigned count, struct ut_switch_in *in, struct ut_switch_out *out);
  unsigned together;
  /* Writes a forwarding table entry of a switch in reset; needed if the algorithm has forwarding tables. */
  void (*configure)(void *self, uint32_t sw, uint64_t word);
};

/* Switches of a backend that are stepped by one call. */
struct ut_batch {
  uint32_t *sw;
  struct ut_switch_in *in;
  struct ut_switch_out *out;
  const uint64_t **flit; /* [UT_MAX_PORTS] for each switch */
  ut_mask *credit;       /* [UT_MAX_VCS] for each switch */
};

/* A partition of a network, which one thread moves in a cycle.  It has the same share of the terminals and of the
 * switches of each level, so that most links of trees and grids stay within a partition.  Partitions share only the
 * wires, where each byte has one writer, so they can be moved in any order.  Events that concern other partitions are
 * listed and handled afterwards, in the order of the partitions. */
struct ut_span {
  uint32_t first, end;    /* switches of one level; whole blocks, if they are the model's: */
  uint32_t block, blocks; /* blocks of their elaboration */
  unsigned elaboration;
};
struct ut_partition {
  struct ut_span *span; /* one for each level of the topology, or for several levels that follow each other in memory */
  unsigned spans;
  struct ut_batch batch;   /* switches of a backend that are stepped together */
  struct ut_events events; /* events of this cycle */
  uint64_t flit_hops;
} __attribute__((aligned(64)));

struct ut_notice; /* a neighbour's report in flight */

/* How long the node states take to become stable; measured in the model only. */
struct ut_settling {
  uint64_t since;   /* cycle of the last fault */
  uint64_t longest; /* cycles from a fault until the last change that followed it */
};

/* A channel that has come back.  Until everything that the fault left behind is cleared, the two ends disagree about
 * the position of the next flit of these VCs. */
struct ut_resumption {
  uint32_t channel;
  ut_mask vcs;
  uint64_t since;
};

struct ut_network {
  const struct ut_scenario *scenario;
  const struct ut_topology *topology;         /* the scenario's */
  struct ut_shape shape[UT_MAX_ELABORATIONS]; /* they differ in ports and in parameters of their routing family only */
  struct ut_form form[UT_MAX_ELABORATIONS];
  uint32_t lane[UT_MAX_ELABORATIONS]; /* the first lane of their switches on the wires */
  unsigned words, v;
  unsigned link_cycles, injection_cycles, ejection_cycles;
  struct ut_traffic traffic;
  struct ut_workload_run *workload; /* replaces `traffic` if the pattern is a workload; NULL in a backend's network */
  struct ut_resends *resends;       /* NULL: none, or a workload, or a backend's network */
  struct ut_faults faults;
  struct ut_terminals terminals;
  struct ut_manager manager;                  /* empty if the algorithm has no forwarding tables */
  struct ut_drain drain;                      /* of updates that are not mixed */
  struct ut_source_routes source_routes;      /* empty if terminals choose no routes */
  struct ut_reconfiguration reconfiguration;  /* not active unless the scenario says static */
  const struct ut_network *leader;            /* the network whose reconfigurations this one follows; NULL: none */
  struct ut_purge_protocol purge_protocol;    /* empty if switches keep no node states */
  struct ut_settling settling;                /* used if switches keep node states */
  struct ut_node_availability availability;   /* empty if switches keep no node states */
  const struct ut_switches *switches;         /* the implementation of the switches */
  struct ut_group group[UT_MAX_ELABORATIONS]; /* of the model; not allocated if there is a backend */
  const struct ut_backend *backend;           /* or NULL */
  unsigned together;                          /* switches that one call steps, a power of two */
  struct ut_wires wires; /* lanes: the switches by elaboration, in whole blocks, then the links of the terminals */
  struct ut_link_delays delays; /* of longer links */
  struct ut_partition *partition;
  unsigned partitions;
  struct ut_threads *threads; /* NULL: the caller's thread alone */
  ut_mask *in_up, *out_up;    /* [switches] */
  ut_mask *report;            /* [switches * reports]: reports of the neighbours, by bit */
  unsigned reports;           /* bits */
  uint8_t *awake;             /* [switches]: 1 if a switch of a backend must be stepped in any case */
  uint8_t *stepped;   /* [switches, in words]: 1 if the switch was stepped in the last cycle; of the model only in
                         lockstep */
  uint64_t *failed;   /* bitmap over switches */
  uint32_t *reported; /* [switches]: the report that the switch drove last */
  struct ut_notice *notice;
  size_t notices, notice_room;
  uint32_t *changed; /* [2 * channels]: channels that changed in the last cycle and must be flushed once more */
  size_t changes;
  struct ut_resumption *resumed; /* [channels]: channels that have come back */
  size_t resumes;
  uint64_t cycle;
  uint64_t jumped;        /* how many of these cycles were skipped (ut_network_skip) */
  unsigned quiet;         /* cycles with an empty network since the last check whether it rests */
  uint64_t flit_hops;     /* flits that left a switch */
  uint64_t *link_flits;   /* [switches * po]: flits sent through each output port; NULL: not counted */
  uint64_t queued_at_end; /* packets that were waiting at their sources when the window ended */
  bool failure;           /* out of memory during a step */
};

/* Builds the network of a scenario, which must outlive it.  backend NULL: the golden model.  With a backend all
 * accounts are off except the end-to-end check.  Returns -1 and fills *e on failure. */
int ut_network_init(struct ut_network *net, const struct ut_scenario *scenario, const struct ut_backend *backend,
                    struct ut_error *e);
void ut_network_fini(struct ut_network *net);

/* Makes the terminals of `net` send what the workload of `leader` releases, and halt and go on with those of `leader`
 * when routes are planned anew (reconfiguration.h).  `leader` must be stepped first in each cycle, and outlive `net`.
 */
void ut_network_follow(struct ut_network *net, const struct ut_network *leader);

/* Returns how many threads, at most `most`, are worth their cost for a network of this size. */
unsigned ut_network_threads(const struct ut_network *net, unsigned most);
/* Moves the network with these threads, which must outlive it, from now on; NULL: with the caller's thread alone.  The
 * results do not change.  Latencies of terminals are complete only after a call with NULL.  Returns false when out of
 * memory; the network cannot be used any more then. */
bool ut_network_use(struct ut_network *net, struct ut_threads *threads);

/* Lets the spec step the switches, or check them in each cycle (spec_group.h), from now on.  Not for a backend's
 * network, nor with elaborated cycles.  Switches that the model does not implement (ut_network_unmodelled()) are
 * stepped by the spec from the start, and are not checked.  Returns false when out of memory. */
bool ut_network_use_spec(struct ut_network *net, enum ut_spec_use use);
/* Returns the scenario key of a feature that the model of these switches lacks (ut_shape_unmodelled()); NULL: none. */
const char *ut_network_unmodelled(const struct ut_network *net);
/* Returns the lowest-numbered switch whose registers have differed from the spec's; UINT32_MAX: none. */
uint32_t ut_network_spec_differing(const struct ut_network *net);
/* Returns how many register values have been compared with the spec's. */
uint64_t ut_network_spec_compared(const struct ut_network *net);

/* Counts the flits of every link from now on.  Returns false when out of memory. */
bool ut_network_count_links(struct ut_network *net);

/* Advances the network by one cycle. */
void ut_network_step(struct ut_network *net);

/* One cycle in two parts, for a caller that steps the switches of several networks at once (tb/copies.h) in place of
 * their backends; `together` must be at least the number of switches, and the network must have no threads.
 * ut_network_offer() returns a batch with the inputs of the *count switches that have work.  The caller steps these
 * switches, writes their outputs to batch->out, and calls ut_network_accept(). */
const struct ut_batch *ut_network_offer(struct ut_network *net, unsigned *count);
void ut_network_accept(struct ut_network *net, unsigned count);

/* ---- cycles in which nothing happens: network_rest.c
 *
 * A network rests when a cycle would change no register, no wire and no terminal: nothing is in flight, the ends of
 * links that are down know it, no timer of a switch runs, and the manager writes no tables.  Sources, workloads,
 * faults, the manager and the end of the run are events whose next cycle is known; the cycles before it need not be
 * simulated.  The results are the same as those of all cycles. */

static inline uint64_t ut_earlier(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* Skips to the next event, or to the last cycle before `look` if that is earlier; does nothing if the network does not
 * rest.  To be called before a step when the caller examines the network next at net->cycle == `look` or later. */
void ut_network_skip(struct ut_network *net, uint64_t look);

/* The same in parts, for a caller that moves several networks.  ut_network_rest() is to be called before each step and
 * returns whether the network is known to rest.  UT_RESTS: it has just been found to rest.  UT_RESTED: it was found to
 * rest, one cycle was simulated since, and it still rests. */
enum ut_rest { UT_MOVES, UT_RESTS, UT_RESTED };
enum ut_rest ut_network_rest(struct ut_network *net);
bool ut_network_is_at_rest(const struct ut_network *net);
/* Returns the cycle of the next event of a network that rests: the present cycle or a later one. */
uint64_t ut_network_next_event(const struct ut_network *net);
/* Skips to that cycle, which must not be later than the next event; does nothing if it is earlier than the present
 * one. */
void ut_network_jump(struct ut_network *net, uint64_t cycle);

/* Returns whether the scenario is over: all cycles are done and, if it drains, network and queues are empty or the
 * limit is reached; or its workload is complete; or nothing of it can happen any more. */
bool ut_network_done(const struct ut_network *net);
/* Returns whether the workload did not complete although the scenario requires it. */
bool ut_network_incomplete(const struct ut_network *net);
/* Returns the first cycle in which every link has all its credits after a reset without faults: credits are handed out
 * one in a cycle.  A workload begins then. */
uint64_t ut_network_ready_cycle(const struct ut_network *net);
/* Returns the cycles of the scenario without draining: warm-up and measurement. */
uint64_t ut_network_planned(const struct ut_scenario *scenario);

/* The group of switch number `sw`, and the model switch itself. */
static inline const struct ut_group *ut_network_group(const struct ut_network *net, uint32_t sw) {
  return &net->group[ut_topology_elaboration(net->topology, sw)];
}
static inline struct ut_switch *ut_network_switch(const struct ut_network *net, uint32_t sw) {
  return ut_switch_of(ut_network_group(net, sw), sw);
}

/* Returns the lane of VC `vc` at one end of a link. */
uint32_t ut_network_lane(const struct ut_network *net, const struct ut_peer *peer, unsigned vc);
/* Returns whether a credit for that output VC is on the wires. */
bool ut_network_credit_comes(const struct ut_network *net, const struct ut_peer *sender, unsigned vc);
/* Returns whether a flit of any VC is on the wires to that end. */
bool ut_network_flit_comes(const struct ut_network *net, const struct ut_peer *to);

/* Returns how many cycles a flit is on the wire of a channel. */
static inline unsigned ut_network_link_cycles(const struct ut_network *net, uint32_t channel) {
  const struct ut_topology *topo = net->topology;
  return (topo->extra_cycles ? topo->extra_cycles[channel] : 0) +
         (channel >= ut_topology_injection(topo, 0, 0)   ? net->injection_cycles
          : topo->peer[channel].kind == UT_PEER_TERMINAL ? net->ejection_cycles
                                                         : net->link_cycles);
}

/* Returns the flit that arrives at that end of a wire in `cycle`, which is the present cycle or one of as many as the
 * wire has; NULL: none. */
const uint64_t *ut_network_flit_at(const struct ut_network *net, uint64_t cycle, const struct ut_peer *to);

/* Returns, by lane, the bytes of the wires whose length is `cycles` that senders put there in the last cycle; other
 * lanes have other bytes.  row: [lanes], room for them, used where links have delays. */
const uint8_t *ut_network_sent(const struct ut_network *net, unsigned cycles, uint8_t *row);

/* Returns whether two networks of one scenario have the same flits, credits and neighbours' reports in flight. */
bool ut_network_wires_agree(const struct ut_network *a, const struct ut_network *b);

/* Returns the packets in the network, counted by their heads in buffers, on wires and at terminals; model only.  The
 * count is independent of the accounts, which must agree with it: injected = delivered + discarded + this. */
uint64_t ut_network_in_flight(const struct ut_network *net);
/* Returns the flits in the buffers of the model's switches. */
uint64_t ut_network_buffered(const struct ut_network *net);
/* Returns the packets in the network according to the accounts. */
uint64_t ut_network_outstanding(const struct ut_network *net);

/* Returns whether the node states in the model's switches equal those that the manager computes from the definitions.
 * They differ until they are stable.  Only for networks whose switches keep node states. */
bool ut_network_states_agree(const struct ut_network *net);

/* Returns the flits that have arrived in the measurement window so far, for each cycle and terminal. */
double ut_network_throughput(const struct ut_network *net);
/* Returns the packets of a trace that are due after the end of the run; 0 without a trace. */
uint64_t ut_network_after_end(const struct ut_network *net);
/* Returns the sum of the switches' U-turns. */
uint64_t ut_network_u_turns(const struct ut_network *net);
/* Returns how often the timers of re-route vectors have expired, in all switches. */
uint64_t ut_network_expiries(const struct ut_network *net);

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
