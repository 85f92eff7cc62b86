/* SPDX-License-Identifier: Apache-2.0 */
/* spec.h - the switch of docs/reference/cycle-contract.md in plain C: read this first.
 *
 * Nothing here is fast.  A file is a block of rtl/, a function is a step of the contract, a field is a register of the
 * RTL without its _q.  The RTL and the fast model (csim/switch) must equal this text in every register and every cycle.
 *
 * The life of a flit, from the wire into a switch to the wire out of it:
 *   1. It is valid on the wire in cycle t and accepted if the link is up in t and was up in t-1: in t+1 it is the last
 *      flit of the buffer of its input VC (spec_accept, input_vc.c).
 *   2. A head that has come to the front of an idle VC is routed: the routing algorithm says which output VCs lead to
 *      its destination, the candidates (spec_route_heads, input_port.c; route_unit.c; route_<family>.c).
 *   3. Its VC bids for one candidate that is free and has space for the packet; each output VC grants one bid
 *      (spec_allocate_vcs, vc_allocator.c).  Now the packet is active: it owns that output VC until its tail leaves.
 *   4. Flit by flit the VC requests the crossbar; each output port lets one flit through (spec_allocate_switch,
 *      switch_allocator.c).  One credit of the output VC is spent, and a credit goes back to the sender of the flit.
 *   5. In the next cycle the flit is in the output register, valid on the wire (spec_update_output, output_unit.c).
 *      With OUTPUT_DEPTH it is in the queue of its output VC, and the credit is not spent yet: from the front of the
 *      queue it is sent on when the buffer behind the link has space (spec_transmit, output_queue.c).
 * Everything that links and neighbours do in a cycle is in struct spec_inputs; everything that a switch drives is a
 * register of it: out[].valid, .flit and .flit_vc, in[].vc[].credit, spec_report().
 */
#ifndef UT_SPEC_H
#define UT_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "algorithms.h"
#include "cover.h"
#include "layout.h"
#include "shape.h"

enum { SPEC_PORTS = UT_MAX_PORTS, SPEC_VCS = UT_MAX_VCS, SPEC_WORDS = UT_MAX_FLIT_WORDS };
/* Rows of a VC map, at most. */
enum { SPEC_VC_ROWS = UT_MAX_VC_MAP + UT_MAX_VCS };
/* Bits of the word that a switch reports to its neighbours, at most. */
enum { SPEC_REPORT_BITS = 3 + 2 * UT_MAX_DIMENSIONS };

struct spec_flit {
  uint64_t word[SPEC_WORDS]; /* of a head: word[0] is the header word (rtl/header.tsv) */
  bool head, tail;           /* of a packet of one flit: both */
  bool bad;                  /* the tail that ends a packet which a failed link has cut */
};

/* The answer of the route unit for one head.  Sets of output ports, by output VC; bit p is port p. */
struct spec_answer {
  uint64_t cand[SPEC_VCS];      /* the candidates */
  uint64_t bubble[SPEC_VCS];    /* candidates by which the packet enters a ring: space for two packets (bubble rule) */
  uint64_t preferred[SPEC_VCS]; /* candidates that are taken first */
  uint64_t set;                 /* bits of the re-route vector that this U-turn sets */
  uint32_t rt;                  /* the rewritten rt field of the header */
  bool strip;                   /* this header word is used up; the next one of the packet becomes the head */
  bool discard;                 /* no route leads to the destination */
  bool uses_state;              /* the candidates depend on the re-route vector or on the neighbours' reports */
};

/* A forwarding table entry: the output VC for a destination, an input VC and a bank of input ports. */
struct spec_table_entry {
  bool valid;
  unsigned port, vc;
  unsigned group; /* algorithm forwarding: a next-hop group, in place of all these */
};

/* Destinations first..last, to which no packet goes up through a port; last < first: none. */
struct spec_interval {
  uint16_t first, last;
};

struct spec_input_vc {
  unsigned state;           /* UT_VC_STATE_IDLE, ROUTING, WAITING, ACTIVE, DRAIN */
  struct spec_flit *buffer; /* [depth]; the front is buffer[read] */
  unsigned read, count;
  struct spec_answer answer; /* of the waiting packet */
  unsigned out_port, out_vc; /* output VC that an active packet owns */
  unsigned wait;             /* cycles left of ROUTE_CYCLES */
  unsigned pending_credits;  /* free places that the sender has not been told of since the link came back */
  bool credit;               /* on the wire back to the sender */
  bool open;                 /* a head has arrived and its tail has not */
  bool cut;                  /* wormhole: the bad tail of a cut packet waits for space in the buffer */
  bool stripped;             /* a header word was stripped: the flit at the front is the head */
  bool old;                  /* the packet has been waiting since before the last purge */
  unsigned policy;           /* register of the arbitration policy, if it has one (policy_<name>.c) */
  bool cross;                /* XBAR_CYCLES 1: the front flit won the crossbar in the last cycle */
};

struct spec_input_port {
  bool up;                 /* link_up of the last cycle */
  bool discard;            /* the port began to discard a packet as unreachable in the last cycle */
  unsigned route_pointer;  /* round-robin: the VC that the route unit serves first */
  unsigned switch_pointer; /* round-robin: the VC that gets the crossbar input first */
  unsigned select_pointer; /* round-robin: the output port that is preferred among equals */
  unsigned policy;         /* register of a selection policy that has one instead (policy_<name>.c) */
  struct spec_input_vc vc[SPEC_VCS];
};

struct spec_output_vc {
  bool owned;              /* by an active packet */
  unsigned credits;        /* known free places of the buffer behind the link */
  unsigned pointer;        /* VC allocation, round-robin: the input VC that is served first, as VC * PI + input port */
  struct spec_flit *queue; /* [output_depth]; the front is queue[read] */
  unsigned read, count;
};

struct spec_output_port {
  bool up;               /* link_up of the last cycle */
  bool valid;            /* a flit is on the wire */
  struct spec_flit flit; /* the output register: the flit that was sent last */
  unsigned flit_vc;      /* its VC */
  unsigned pointer;      /* switch allocation, round-robin: the crossbar input that is served first */
  unsigned link_pointer; /* output queues, round-robin: the VC whose queue is served first */
  bool crossed, head;    /* a flit, a head, crossed the crossbar to this port in the last cycle */
  unsigned from;         /* from this input port; these are no registers */
  struct spec_output_vc vc[SPEC_VCS];
};

/* REROUTE section VII.A; sets of output ports. */
struct spec_reroute_vector {
  uint64_t vector;    /* up ports that U-turns have tried */
  uint64_t neighbour; /* up ports whose switch reports a fault */
  unsigned timer;     /* cycles since the last U-turn */
  bool fault, far;    /* reported to the neighbours: a down link is down; a switch above reports that */
  bool stale;         /* vector or neighbours' states changed in the last cycle */
};

/* DETOUR section 4: the states of the nodes around this one.  A bad node is faulty, unsafe or disabled. */
struct spec_node_states {
  uint64_t bad;          /* ports to bad neighbours */
  uint32_t diagonal;     /* bad nodes across a corner: bit spec_diagonal() */
  unsigned border;       /* bit 0: the bad nodes on the plus side of the highest dimension reach the right border of a
                            mesh; bit 1: those on the minus side */
  unsigned corner;       /* the same two bits of the neighbour at port 0, then of that at port 1 */
  bool unsafe, disabled; /* this node */
  bool stale;            /* one of these changed in the last cycle, or an order arrived */
  /* orders of the fault manager */
  bool refuses;     /* packets to terminal `refused` are discarded */
  unsigned refused; /* terminal */
  bool restart;     /* no node is unsafe until the manager says resume */
  bool purge;       /* packets that have been waiting since the last purge are discarded in this cycle */
};

/* Why a packet was discarded.  SPEC_QUEUED: its head was in the queue of an output port whose link has failed. */
enum spec_reason { SPEC_UNREACHABLE, SPEC_CUT, SPEC_PURGED, SPEC_QUEUED };
struct spec_discard {
  enum spec_reason reason;
  unsigned port, vc; /* its place: an input VC; with SPEC_QUEUED an output VC */
  uint64_t header;
};

struct spec_switch {
  struct ut_shape shape;
  uint64_t straps; /* coordinates of this switch (rtl/header.tsv) */
  struct spec_input_port in[SPEC_PORTS];
  struct spec_output_port out[SPEC_PORTS];
  struct spec_reroute_vector reroute;
  struct spec_node_states nodes;
  struct spec_table_entry *table; /* forwarding table: [bank][VC][destination], or [bank][destination] of groups */
  uint64_t group[UT_MAX_GROUPS];  /* next-hop groups: sets of output ports */
  uint64_t vcs[SPEC_VC_ROWS]
              [SPEC_VCS];  /* VC map: output ports where packets may have the VC: [layer], then [VC_MAP + VC] */
  bool begins[SPEC_PORTS]; /* VC map, escape VC, by input port: packets begin there */
  unsigned written;        /* no register: the entry that was written last */
  bool bank[SPEC_PORTS];   /* by input port */
  struct spec_interval exclusion[SPEC_PORTS / 2][UT_MAX_EXCLUSIONS]; /* by up port, counted from 0 */
  bool stale_link;                                                   /* an output link changed in the last cycle */
  /* not registers: packets that were discarded in the last cycle, for the accounts */
  struct spec_discard *discard; /* [one for each input VC and each place of an output queue] */
  unsigned discards;
  struct spec_cover *cover; /* counts which rules apply; NULL: they are not counted */
};

/* Inputs of a switch in one cycle. */
struct spec_inputs {
  uint64_t in_up, out_up; /* link_up of the input ports and of the output ports */
  struct {
    bool valid;
    unsigned vc;
    struct spec_flit flit;
  } arrival[SPEC_PORTS];             /* on the wires into the input ports */
  bool credit[SPEC_PORTS][SPEC_VCS]; /* on the wires back to the output ports */
  uint64_t report[SPEC_REPORT_BITS]; /* by bit of the report: the output ports whose neighbour reports it */
  uint64_t config;                   /* on the configuration port: a table entry, an interval or an order; 0: none */
};

/* Allocates the buffers of a switch of a legal shape, in reset.  Returns false when out of memory. */
bool spec_init(struct spec_switch *sw, const struct ut_shape *shape);
void spec_fini(struct spec_switch *sw);

/* Resets the switch and samples its straps.  Payload keeps its values: buffers, candidates, output registers, tables,
 * exclusion intervals. */
void spec_reset(struct spec_switch *sw, uint64_t straps);

/* Advances the switch by one cycle: from registers and inputs of cycle t to the registers of t+1. */
void spec_step(struct spec_switch *sw, const struct spec_inputs *in);

/* Returns the word on the wires to all neighbours (report_o). */
uint32_t spec_report(const struct spec_switch *sw);
/* Returns whether no register will change without an event from outside (idle_o). */
bool spec_is_idle(const struct spec_switch *sw);
/* Returns how many places must be free in a buffer or queue of `depth` flits, behind output VC (op, ovc), for a new
 * packet or, with the bubble rule, for one that enters a ring ("Space" in the contract). */
bool spec_has_space(const struct ut_shape *shape, unsigned depth, unsigned op, unsigned ovc, unsigned places,
                    bool bubble);
/* Returns whether the output VC has enough free places for a new packet: in its queue, or else behind the link. */
bool spec_can_take(const struct spec_switch *sw, unsigned op, unsigned ovc, bool bubble);

/* Returns the bit of spec_node_states.diagonal for the node that is reached through ports p and q, of different
 * dimensions. */
unsigned spec_diagonal(unsigned p, unsigned q);

#endif
