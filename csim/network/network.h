/* SPDX-License-Identifier: Apache-2.0 */
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
#include "purge_protocol.h"
#include "spec_group.h"
#include "terminal.h"
#include "threads.h"
#include "topology.h"
#include "workload_run.h"

struct ut_switches; /* switches.h */

/* Another implementation of the switches than the model. */
struct ut_backend {
  void *self;
  void (*reset)(void *self, uint32_t sw, uint64_t straps);
  /* One cycle of `count` switches, sw[i] with in[i] and out[i], whose numbers within their elaboration differ in the
   * last bits only: log2 of `together`.  Of others by several threads at once. */
  void (*step)(void *self, const uint32_t *sw, unsigned count, struct ut_switch_in *in, struct ut_switch_out *out);
  unsigned together;
  /* Writes an entry of the forwarding tables of a switch in reset; needed where the algorithm has such. */
  void (*configure)(void *self, uint32_t sw, uint64_t word);
};

/* Switches of a backend that are stepped together. */
struct ut_batch {
  uint32_t *sw;
  struct ut_switch_in *in;
  struct ut_switch_out *out;
  const uint64_t **flit; /* [UT_MAX_PORTS] for each, */
  ut_mask *credit;       /* and [UT_MAX_VCS] */
};

/* A partition of a network, which one thread moves in a cycle: of the terminals and of the switches of each level the
 * same part, so that most links of trees stay within a partition, as those of grids do.  Wires are all that partitions
 * share, and each byte there has one writer, so that it does not matter in which order they are moved; what concerns
 * others is listed, and heard in the order of the partitions. */
struct ut_span {
  uint32_t first, end;    /* switches of one level; of golden ones whole blocks: */
  uint32_t block, blocks; /* of their elaboration */
  unsigned elaboration;
};
struct ut_partition {
  struct ut_span *span; /* one for each level of the topology, or for several that follow each other in memory */
  unsigned spans;
  struct ut_batch batch;   /* of a backend */
  struct ut_events events; /* in this cycle */
  uint64_t flit_hops;
} __attribute__((aligned(64)));

struct ut_notice; /* a neighbour's report on its way */

/* How long states of nodes take to become stable: golden switches only. */
struct ut_settling {
  uint64_t since;   /* cycle of the last fault */
  uint64_t longest; /* cycles from a fault until the last change that followed it */
};

/* A channel that came back: until all that the fault has left is mended, the ends do not agree where the next flit of
 * these VCs goes. */
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
  uint32_t lane[UT_MAX_ELABORATIONS]; /* on the wires: the first one of their switches */
  unsigned words, v;
  unsigned link_cycles, injection_cycles, ejection_cycles;
  struct ut_traffic traffic;
  struct ut_workload_run *workload; /* in place of it where the pattern is one, but not in a backend's network */
  struct ut_faults faults;
  struct ut_terminals terminals;
  struct ut_manager manager;                  /* nothing in it if the algorithm has no forwarding tables */
  struct ut_source_routes source_routes;      /* nothing in it if terminals choose no ways */
  struct ut_purge_protocol purge_protocol;    /* as the next */
  struct ut_settling settling;                /* as the next */
  struct ut_node_availability availability;   /* nothing in it if switches keep no states of nodes */
  const struct ut_switches *switches;         /* what the switches are */
  struct ut_group group[UT_MAX_ELABORATIONS]; /* of the model; no memory if there is a backend */
  const struct ut_backend *backend;           /* or NULL */
  unsigned together;                          /* switches that are stepped together, a power of two */
  struct ut_wires wires; /* lanes: the switches by elaborations, in whole blocks, then the links of the terminals */
  struct ut_partition *partition;
  unsigned partitions;
  struct ut_threads *threads; /* NULL: the caller's alone */
  ut_mask *in_up, *out_up;    /* [switches] */
  ut_mask *report;            /* [switches * reports]: what its neighbours report, by bit */
  unsigned reports;           /* bits */
  uint8_t *awake;             /* [switches]: of a backend, 1 for those that must be stepped in any case */
  uint8_t *stepped;   /* [switches, in words]: 1 for those that were stepped in the last cycle; of the model only in
                         lockstep */
  uint64_t *failed;   /* bitmap over switches */
  uint32_t *reported; /* [switches]: reports as last driven */
  struct ut_notice *notice;
  size_t notices, notice_room;
  uint32_t *changed; /* channels that changed in the last cycle; to be flushed once more */
  size_t changes;
  struct ut_resumption *resumed; /* [channels]: those that came back */
  size_t resumes;
  uint64_t cycle;
  uint64_t jumped;        /* of these cycles: in which nothing happened (ut_network_skip) */
  unsigned quiet;         /* cycles without a packet in the network, since the last look whether it rests */
  uint64_t flit_hops;     /* flits that left a switch */
  uint64_t *link_flits;   /* [switches * po], or NULL: flits sent through each output port since they are counted */
  uint64_t queued_at_end; /* packets that waited at their sources when the window ended */
  bool failure;           /* out of memory during a step */
};

/* Makes the network of a scenario that has been checked (scenario_check.h).  It borrows the scenario's topology, so the
 * scenario must outlive it.  backend NULL: the golden model; otherwise accounts other than the end-to-end check are
 * off.  -1 and *e on failure. */
int ut_network_init(struct ut_network *net, const struct ut_scenario *scenario, const struct ut_backend *backend,
                    struct ut_error *e);
void ut_network_fini(struct ut_network *net);

/* The terminals of `n` send what the workload of `leader` releases: in each cycle `leader` is stepped first. */
void ut_network_follow(struct ut_network *net, const struct ut_network *leader);

/* Threads, of so many at most, that pay for a network of that size. */
unsigned ut_network_threads(const struct ut_network *net, unsigned most);
/* Moves it with these threads, which must outlive it, from now on; NULL: the caller alone.  The results are the same;
 * latencies of terminals are complete when the caller is alone again.  false: out of memory, and nothing can go on. */
bool ut_network_use(struct ut_network *net, struct ut_threads *threads);

/* From now on the spec steps the switches, or checks them in each cycle (spec_group.h); not in a backend's network, nor
 * with elaborated cycles.  Switches that the model does not know (ut_network_unmodelled()) are the spec's from the
 * start, and nothing checks them.  false: out of memory. */
bool ut_network_use_spec(struct ut_network *net, enum ut_spec_use use);
/* What the model does not know yet of the network's switches (ut_shape_unmodelled()); NULL: it knows all. */
const char *ut_network_unmodelled(const struct ut_network *net);
/* The lowest switch whose registers have differed from the spec's; UINT32_MAX: none has. */
uint32_t ut_network_spec_differing(const struct ut_network *net);
/* Register values that have been compared with the spec's. */
uint64_t ut_network_spec_compared(const struct ut_network *net);

/* Counts the flits of every link from now on.  false: out of memory. */
bool ut_network_count_links(struct ut_network *net);

/* One cycle. */
void ut_network_step(struct ut_network *net);

/* The same in two halves, for whoever steps the switches of several networks at once (tb/copies.h), in place of their
 * backends; `together` is at least the number of switches, and no threads move it.  First what the switches that have
 * work see: so many of batch->in; then they have been stepped, and what they drive stands in batch->out. */
const struct ut_batch *ut_network_offer(struct ut_network *net, unsigned *count);
void ut_network_accept(struct ut_network *net, unsigned count);

/* ---- cycles in which nothing happens: network_rest.c
 *
 * A network rests when a cycle would change no register, no wire and no terminal: nothing is under way, links that are
 * down are known to be so, no timer of a switch runs, nobody writes tables.  Sources, workloads, faults, the manager
 * and the end of the run are events of which the next cycle is known, so that the cycles before it need not be made.
 * The results are those of all cycles. */

static inline uint64_t ut_earlier(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* Before a step whose result somebody looks at next when net->cycle is `look`, or later: goes on to the next event, or
 * to the last cycle before `look`; nowhere if the network does not rest. */
void ut_network_skip(struct ut_network *net, uint64_t look);

/* The same in parts, for whoever moves several networks.  Before each step: whether it is known to rest.  UT_RESTS: it
 * has just been looked at; UT_RESTED: it has, then a cycle was made, and it still rests. */
enum ut_rest { UT_MOVES, UT_RESTS, UT_RESTED };
enum ut_rest ut_network_rest(struct ut_network *net);
bool ut_network_is_at_rest(const struct ut_network *net);
/* The cycle of the next event of a network that rests: this one or a later one. */
uint64_t ut_network_next_event(const struct ut_network *net);
/* Goes on to that cycle, at most the next event's; an earlier one: nowhere. */
void ut_network_jump(struct ut_network *net, uint64_t cycle);

/* True when the scenario is over: all cycles done and, if it drains, the network and the queues empty or the limit
 * reached; or before that its workload is complete, or nothing of it can happen any more. */
bool ut_network_done(const struct ut_network *net);
/* Its workload did not come to its end, although the scenario wants that. */
bool ut_network_incomplete(const struct ut_network *net);
/* The first cycle in which every link has all its credits after a reset, if nothing fails: they are handed out one a
 * cycle.  A workload begins then. */
uint64_t ut_network_ready_cycle(const struct ut_network *net);
/* Cycles without draining: warm-up and measurement. */
uint64_t ut_network_planned(const struct ut_scenario *scenario);

/* The golden switch of that number, its group, and what it is elaborated to. */
static inline const struct ut_group *ut_network_group(const struct ut_network *net, uint32_t sw) {
  return &net->group[ut_topology_elaboration(net->topology, sw)];
}
static inline struct ut_switch *ut_network_switch(const struct ut_network *net, uint32_t sw) {
  return ut_switch_of(ut_network_group(net, sw), sw);
}

/* The lane of a VC of the link that ends, or begins, there. */
uint32_t ut_network_lane(const struct ut_network *net, const struct ut_peer *peer, unsigned vc);
/* A credit of that output VC is on the wires. */
bool ut_network_credit_comes(const struct ut_network *net, const struct ut_peer *sender, unsigned vc);
/* A flit of any VC is on the wires to that end. */
bool ut_network_flit_comes(const struct ut_network *net, const struct ut_peer *to);

/* Cycles that a flit from an output port to that end is on the wire. */
static inline unsigned ut_network_link_cycles(const struct ut_network *net, const struct ut_peer *to) {
  return to->kind == UT_PEER_TERMINAL ? net->ejection_cycles : net->link_cycles;
}

/* What arrives in that cycle, this one or one of the next link cycles, at that end of a wire; NULL: nothing. */
const uint64_t *ut_network_flit_at(const struct ut_network *net, uint64_t cycle, const struct ut_peer *to);

/* Whether the same is under way on the wires of two networks of one scenario, and the same reports of neighbours. */
bool ut_network_wires_agree(const struct ut_network *a, const struct ut_network *b);

/* Packets in the network, counted head by head in buffers, on wires and at terminals; golden model only.  Independent
 * of the accounts, which must agree: injected = delivered + discarded + this. */
uint64_t ut_network_in_flight(const struct ut_network *net);
/* Flits in the buffers of golden switches. */
uint64_t ut_network_buffered(const struct ut_network *net);
/* Packets in the network by the accounts. */
uint64_t ut_network_outstanding(const struct ut_network *net);

/* Of a network whose switches keep states of nodes: whether those of the golden switches are what the manager computes
 * from the definitions.  Before they are stable they are not. */
bool ut_network_states_agree(const struct ut_network *net);

/* Flits that arrived in the measurement window so far, for each cycle and terminal. */
double ut_network_throughput(const struct ut_network *net);
/* Packets of a trace that the run is too short for; 0 without a trace. */
uint64_t ut_network_after_end(const struct ut_network *net);
/* Sum of the switches' U-turns. */
uint64_t ut_network_u_turns(const struct ut_network *net);
/* The same of timers of re-route vectors that have ended. */
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
