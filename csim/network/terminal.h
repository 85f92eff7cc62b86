/* terminal.h - a terminal (NIC): unbounded source queue, injection under the switch's own link protocol, and a sink
 * that checks every bit of every packet.
 *
 * It has one or several injection links, each sending a packet of its own, and as many or other ejection links.  Of
 * several free injection links the next packet takes the one whose switch has most free space, ties at random
 * (RUFT section 4.2.1).
 *
 * Timing is that of a switch: what a terminal decides in cycle t is on its wire in t+1; its buffer is always empty, it
 * returns each credit one cycle after the flit.  A link fault at a terminal obeys the rules of the switch
 * (docs/faults.md).
 */
#ifndef UT_TERMINAL_H
#define UT_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

#include "accounting.h"
#include "guide.h"
#include "paths.h"
#include "service.h"
#include "statistics.h"
#include "switch.h"
#include "topology.h"
#include "traffic.h"

/* A packet from its generation until it is delivered or discarded. */
struct ut_record {
  uint64_t cycle; /* of generation */
  uint16_t dst, flits;
  bool live;
};

/* A packet on its way into the terminal on one VC. */
struct ut_reception {
  uint64_t header;
  uint32_t flits; /* received so far */
  bool open, corrupt;
  uint8_t owed; /* credits that the switch has not been told of since the link came up */
};

/* A link into the network, and the packet that is being sent through it. */
struct ut_injection {
  uint32_t lane;    /* its first one on the wires */
  bool link_up, up; /* link state now and in the last cycle */
  uint8_t vc;
  uint8_t headers; /* header words still to be sent behind the one that is being sent */
  uint8_t credits[UT_MAX_VCS];
  uint32_t left, index;
  uint64_t header;            /* the last header word */
  const struct ut_path *path; /* of the others */
};

/* A link from the network, and the packets that arrive through it. */
struct ut_ejection {
  uint32_t lane;    /* its first one on the wires */
  bool link_up, up;
  ut_mask owing; /* VCs whose rx.owed is not 0 */
  struct ut_reception rx[UT_MAX_VCS];
};

struct ut_terminal {
  struct ut_traffic_source source;
  struct ut_packet_request next; /* valid if more */
  bool more;
  bool usual; /* all links are up, and all free room has been told */
  /* records base..injected-1 are in the network, injected..end-1 wait in the source queue; ring of capacity `mask`+1 */
  struct ut_record *record;
  uint32_t mask;
  uint64_t base, injected, end;
};

/* What all terminals of a network share. */
struct ut_terminals {
  struct ut_terminal *terminal;
  struct ut_injection *injection; /* [count * injections] */
  struct ut_ejection *ejection;   /* [count * ejections] */
  unsigned injections, ejections; /* of a terminal */
  uint32_t count;
  unsigned links; /* that have lanes */
  struct ut_wires *wires;
  struct ut_lane_owner {
    uint32_t terminal;
    uint8_t link, vc;
  } *owner; /* [lanes of the terminals] */
  unsigned v, words, need, depth;
  unsigned inject; /* new packets go into VCs 0..inject-1 */
  const struct ut_traffic *traffic;
  const struct ut_paths *paths; /* planned routes, or NULL */
  const struct ut_guide *guide; /* where terminals choose ways, or NULL */
  struct ut_service *service;   /* where nobody sends to nodes that have failed, or NULL */
  struct ut_random *tie;        /* [count], where there are several injection links */
  bool stop_generation;
  bool account; /* false: only the end-to-end check; the network under test cannot tell what it discards */
  struct ut_accounts accounts;
  uint64_t window_start, window_end; /* measurement window, cycles */
  uint64_t received, window_flits;   /* flits received, all of them and those in the window */
  struct ut_histogram latency;       /* of packets generated in it: generation to arrival of the tail */
  uint64_t *wheel;    /* [UT_WHEEL] bitmaps over terminals: who generates a packet in cycle t % UT_WHEEL */
  uint64_t *sending;  /* bitmap: terminals that may have something to send */
  uint64_t *unusual;  /* bitmap: those that are not usual */
  uint64_t receiving; /* packets whose head has arrived and whose tail has not */
  bool failure;       /* out of memory during a step */
};

enum { UT_WHEEL = 64 };

/* paths: planned routes, or NULL. */
bool ut_terminals_init(struct ut_terminals *t, const struct ut_traffic *traffic, const struct ut_topology *topology,
                       const struct ut_shape *shape, const struct ut_paths *paths, bool account);
void ut_terminals_fini(struct ut_terminals *t);

/* Gives them the wires, which have `links * v` lanes for each. */
void ut_terminals_join(struct ut_terminals *t, struct ut_wires *wires);

/* The state of a link has changed. */
void ut_terminals_disturb(struct ut_terminals *t, uint32_t id);

/* One cycle of all terminals: each takes what is on its wires now, by lane, and puts what it drives onto the wires of
 * the cycle in which it arrives: flits onto `flits`, credits onto `credits`. */
void ut_terminals_step(struct ut_terminals *t, uint64_t cycle, uint8_t *flits_now, uint8_t *credits_now, uint8_t *flits,
                       uint8_t *credits);

/* The packet with that header is gone for that reason. */
void ut_terminals_discard(struct ut_terminals *t, uint64_t header, enum ut_discard_reason reason);

/* Packets that wait in the source queues. */
uint64_t ut_terminals_queued(const struct ut_terminals *t);

/* A terminal sends through one of its links. */
static inline bool ut_terminal_is_sending(const struct ut_terminals *t, uint32_t i) {
  for (unsigned j = 0; j < t->injections; j++)
    if (t->injection[(size_t)i * t->injections + j].left)
      return true;
  return false;
}

#endif
