/* terminal.h - a terminal (NIC): unbounded source queue, injection under the switch's own link protocol, and a sink
 * that checks every bit of every packet.
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
#include "statistics.h"
#include "switch.h"
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

struct ut_terminal {
  struct ut_traffic_source source;
  struct ut_packet_request next; /* valid if more */
  bool more;
  bool up; /* link state of the last cycle */
  /* records base..injected-1 are in the network, injected..end-1 wait in the source queue; ring of capacity `mask`+1 */
  struct ut_record *record;
  uint32_t mask;
  uint64_t base, injected, end;
  /* the packet that is being sent */
  uint32_t left, index;
  uint8_t vc;
  uint64_t header;
  uint8_t credits[UT_MAX_VCS];
  struct ut_reception rx[UT_MAX_VCS];
};

/* What all terminals of a network share. */
struct ut_terminals {
  struct ut_terminal *terminal;
  uint32_t count;
  unsigned v, words, need, depth;
  unsigned inject; /* new packets go into VCs 0..inject-1 */
  const struct ut_traffic *traffic;
  bool stop_generation;
  bool account; /* false: only the end-to-end check; the network under test cannot tell what it discards */
  struct ut_accounts accounts;
  uint64_t window_start, window_end; /* measurement window, cycles */
  uint64_t window_flits;             /* delivered in it */
  struct ut_histogram latency;       /* of packets generated in it: generation to arrival of the tail */
};

/* One cycle's wires at a terminal. */
struct ut_terminal_in {
  bool up;    /* link_up */
  bool valid; /* a flit arrives */
  uint8_t vc, tag;
  const uint64_t *data; /* [words] */
  ut_mask credit;       /* VCs that got a credit */
};
struct ut_terminal_out {
  bool valid;
  uint8_t vc, tag;
  uint64_t data[UT_MAX_FLIT_WORDS];
  ut_mask credit; /* VCs that return a credit */
};

bool ut_terminals_init(struct ut_terminals *t, const struct ut_traffic *traffic, uint32_t count,
                       const struct ut_shape *shape, bool account);
void ut_terminals_fini(struct ut_terminals *t);

/* One cycle of one terminal: receives, generates, sends.  Returns true while it has work without an event from outside
 * (something queued, or credits to tell).  false in *ok: out of memory. */
bool ut_terminal_step(struct ut_terminals *t, uint32_t id, uint64_t cycle, const struct ut_terminal_in *in,
                      struct ut_terminal_out *out, bool *ok);

/* Cycle of the next packet that the terminal will generate; UINT64_MAX: none. */
static inline uint64_t ut_terminal_next(const struct ut_terminals *t, uint32_t id) {
  return t->terminal[id].more && !t->stop_generation ? t->terminal[id].next.cycle : UINT64_MAX;
}

/* The packet with that header is gone for that reason. */
void ut_terminals_discard(struct ut_terminals *t, uint64_t header, enum ut_discard_reason reason);

/* Packets that wait in the source queues. */
uint64_t ut_terminals_queued(const struct ut_terminals *t);

#endif
