/* switch.h - the golden model of rtl/ut_switch.v: equal in every register and every cycle.
 *
 * A group holds all switches of one shape in one allocation, a fixed stride apart.  A step takes what is on the wires
 * in cycle t and leaves the registers as they are in t+1; what a switch drives onto its wires is read from those
 * registers.  No allocation after init, no globals, no random numbers.
 *
 * Registers that are one bit per port are masks over ports; a VC dimension makes them arrays of V masks.  The order of
 * evaluation in ut_switch_step is the data flow of one cycle (docs/cycle-contract.md): nothing reads what the same
 * cycle has already written unless the hardware has a wire there.
 */
#ifndef UT_SWITCH_H
#define UT_SWITCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "algorithms.h"
#include "layout.h"
#include "mask.h"
#include "shape.h"
#include "wires.h"

/* Registers of one byte, arrays over the input VCs (ip * v + ivc) or output VCs (op * v + ovc), so that the cycle can
 * count for eight ports at once. */
enum ut_switch_bytes {
  UT_B_RD, /* places 0..depth-1 in the buffer */
  UT_B_WR,
  UT_B_COUNT,
  UT_B_STATE, /* enum ut_vc_state */
  UT_B_OWED,
  UT_B_OUT,     /* ut_out_name() of the output VC that an active packet owns: cand, as a number */
  UT_B_CREDITS, /* over output VCs */
  UT_BYTES
};

/* An output VC in one byte; with one VC it is the port. */
static inline uint8_t ut_out_name(unsigned op, unsigned ovc) {
  return (uint8_t)(op | ovc << 5);
}
UT_INLINE unsigned ut_out_port(unsigned name, unsigned v) {
  return v == 1 ? name : name & 31;
}
UT_INLINE unsigned ut_out_vc(unsigned name, unsigned v) {
  return v == 1 ? 0 : name >> 5;
}

/* Masks of V words each, in the order in which they are stored. */
enum ut_switch_masks {
  /* over input ports: which VCs ... */
  UT_M_OCCUPIED, /* have a flit */
  UT_M_ROUTING,
  UT_M_WAITING,
  UT_M_ACTIVE,
  UT_M_DRAIN,
  UT_M_OPEN,     /* open_q */
  UT_M_CUT,      /* cut_q */
  UT_M_DEPENDS,  /* depends_q */
  UT_M_CREDIT,   /* credit_q: a credit is on the wire */
  UT_M_OWING,    /* owed != 0 */
  UT_M_PROMOTED, /* promoted_q: a header word was stripped, the front is the head */
  /* over output ports: which VCs ... */
  UT_M_OWNED,   /* owned_q */
  UT_M_ENOUGH,  /* have credits for another packet (docs/cycle-contract.md, room) */
  UT_M_ENOUGH2, /* have credits for two packets; only where some candidates obey the bubble rule */
  UT_MASKS
};

/* Straps of a switch in a network of levels, decoded (rtl/header.tsv). */
struct ut_stage {
  uint32_t base, step;
  uint16_t timeout;
  uint8_t level, below; /* below: bits of the digits below this level, where k is a power of two */
  uint8_t low;          /* the lowest digit of the switch's index */
  bool repair, first, last;
};

/* Where a terminal of a grid is. */
struct ut_position {
  uint8_t at[UT_MAX_DIMENSIONS]; /* coordinates of its node */
  uint8_t terminal;              /* its number there */
};

/* What a switch knows of the nodes around it (node_states.h); ports: those that lead to other nodes. */
struct ut_node_states {
  ut_mask bad;           /* ports to bad nodes: faulty, unsafe or disabled */
  uint32_t diagonal;     /* of a grid: bad nodes across a corner, ut_diagonal() */
  uint8_t border;        /* of a mesh, bit 0 the plus side of the highest dimension: the bad nodes there reach the right
                            border of dimension 0 */
  uint8_t corner;        /* the same bits of the neighbour in +0, then of the one in -0 */
  bool unsafe, disabled; /* this node */
  /* orders of the manager (order_kind of rtl/header.tsv) */
  uint16_t refused;           /* packets to this terminal are discarded, if `refuses` */
  bool refuses, purge;        /* purge: in this cycle */
  ut_mask purged[UT_MAX_VCS]; /* by VC, over input ports: heads that this cycle's purge has met; no register */
  bool changed;               /* what is known of nodes, in the last cycle; no register */
  bool restart;               /* until the manager says resume nobody is unsafe */
  ut_mask old[UT_MAX_VCS];    /* by VC, over input ports: heads that have waited since the last purge */
  /* from the straps */
  ut_mask exists; /* ports with a link */
  uint8_t edge;   /* 3: this node is at the right border */
};

/* One switch.  Behind it stand its masks, its bytes, its ports (struct ut_port) and, at the offsets of its group, what
 * few shapes have and the buffers. */
struct ut_switch {
  ut_mask in_up, out_up; /* up_q of the input and output units */
  ut_mask in_fell;       /* input ports whose up_q has just fallen; derived, saves work on dead ports */
  ut_mask out_valid;
  ut_mask discard;
  ut_mask vector, neighbour; /* over output ports */
  uint16_t timer;
  bool fault, far; /* reported to the neighbours */
  bool stale_state, stale_link;
  bool busy;        /* !idle_o: a step without an event from outside would change a register */
  bool quiet;       /* nothing of faults, resets or the re-route vector is in motion: see ut_quiet_steps */
  uint32_t u_turns; /* statistics: heads that left upwards after coming from above */
  uint32_t id;
  ut_mask shared; /* of a quiet switch with several VCs: output ports that several input VCs own VCs of */
  uint64_t straps;
  struct ut_stage stage;            /* in a network of levels */
  uint8_t place[UT_MAX_DIMENSIONS]; /* in a grid: coordinates */
  uint16_t node;                    /* in a hypercube: all coordinates, a bit each */
};

/* Port p: of the input port its select_q, and where its credits go; of the output port where its flits go.  Behind it
 * stand masks and the output register; see ut_port_of and what follows there. */
struct ut_port {
  struct ut_end to, from;
  uint32_t to_slot, from_slot; /* where flits from and to the port lie on the wires */
  uint32_t buffer;             /* of the input port: words from the switch to its flits */
  ut_mask select;
  ut_mask self; /* the port as a mask */
};

/* What every flit of an active packet needs on its way out, by input VC; written when the packet gets its output VC.
 * Not registers: it saves the short way of several VCs to look in five places. */
struct ut_transfer {
  uint32_t slot;                    /* where the flit goes on the wires */
  uint32_t node, box;               /* who receives it: the number of the node, its place in ut_wires.box */
  uint32_t credit_node, credit_box; /* who receives the credit */
  ut_mask bit, credit_bit;
  uint16_t output; /* bytes from the switch to the output port */
  uint8_t credits; /* place of the output VC's count */
  uint8_t output_vc;
};

/* What is on the wires of one switch in one cycle. */
struct ut_switch_in {
  ut_mask in_up, out_up; /* link_up */
  ut_mask valid;         /* input ports with a flit */
  const ut_mask *report; /* what neighbours report, by bit (ut_shape_reports() of them), over output ports */
  const ut_mask *credit; /* by VC, over output ports */
  const uint64_t *flit;  /* at each input port, [port * (words + 1)] */
  uint64_t config;       /* word of the configuration port, 0: none */
};

/* What a switch drives onto its wires; flits are valid where `valid` says so. */
struct ut_switch_out {
  ut_mask valid;        /* output ports with a flit */
  const uint64_t *flit; /* that of a port stands at port * stride words */
  unsigned stride;
  const ut_mask *credit; /* by VC, over input ports */
  uint32_t reports;      /* to the neighbours: bits of the routing family */
  bool busy;             /* must be stepped in the next cycle even if nothing arrives */
};

/* A packet is discarded: the route unit finds nothing that leads to its destination; it was cut behind a header word
 * that is being stripped; the manager has it purged. */
enum ut_dropped { UT_DROPPED_UNREACHABLE, UT_DROPPED_CUT, UT_DROPPED_PURGED };
typedef void ut_discard_hook(void *ctx, uint32_t id, uint64_t header, enum ut_dropped why);

struct ut_group;
struct ut_route_result;
struct ut_routing;
typedef void ut_route_function(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                               unsigned in_vc, struct ut_route_result *r);

/* Steps the active switches of a network, whose ut_port.to and .from are set: node `id` of the wires takes what is on
 * them now and puts what it drives onto `later`; next[id] is set if it is busy, the active bytes are cleared.  A quiet
 * switch, whose links and neighbours must be as they were in the last cycle, takes the short way (quiet.h); for all
 * others `general` is called, which must do all that.  Returns how many flits left quiet switches. */
typedef void ut_general_step(void *ctx, uint32_t id);
typedef uint64_t ut_quiet_steps(const struct ut_group *g, const struct ut_wires *now, const struct ut_wires *later,
                                uint8_t *next, ut_general_step *general, void *ctx);

/* What the blocks of a step must know of the shape to leave out what it has not: constants in the specialised steps. */
struct ut_traits {
  unsigned v, words; /* words of a flit: w / 64 */
  unsigned lanes;    /* words of eight ports */
  unsigned lane;     /* bits of a mask over ports where those of all VCs stand in one word: 8, 16 or 32 */
  bool pipelined;    /* ROUTE_CYCLES of 2 and more */
  bool wormhole, vector, far, rewrites, strips, tables, bubble, preferred, states, alone, local_first;
  uint8_t alloc_cycles;
  bool per_vc; /* a crossbar input for each input VC, of several */
};

/* What follows from the shape, looked up: by number in a set of VCs (quiet_vcs.h) ... */
struct ut_lookup {
  uint8_t port[64], vc[64], flat[64]; /* flat: port * v + vc */
  uint32_t buffer[64];                /* words from the switch to the buffer of that input VC */
  ut_mask behind[64][UT_MAX_VCS];     /* the mask of an arbiter over input VCs that has granted that one */
  /* ... by number of credits: 1 where there are enough for one or two packets, but not with one less ... */
  uint8_t mark[256];
  /* ... and, in grids, by 256 and what is to be added to a coordinate: the minimal directions as ports */
  uint8_t toward[UT_MAX_DIMENSIONS][512];
};

/* Empty places behind the last switch of a group, so that one can look as far ahead. */
enum { UT_FETCH_AHEAD = 4 };

struct ut_group {
  struct ut_shape shape;
  struct ut_traits traits;
  unsigned need[UT_MAX_VCS], need2[UT_MAX_VCS]; /* by output VC: credits for a packet, and for two (bubble rule) */
  unsigned k;
  uint64_t enough, full; /* eight bytes that set the top bit of credit counts that reach need[0], or the whole buffer */
  unsigned digit_bits;   /* log2 k, or 0 where k is no power of two */
  unsigned port_bits, vc_bits; /* of a table entry */
  unsigned dimensions;         /* of a grid */
  struct ut_position *place;   /* of its terminals */
  ut_mask all_in, all_out;
  ut_mask local_in;      /* input ports that go first in allocation */
  unsigned readings;     /* of a paper's text that the route function takes; tests take some of them back */
  ut_mask up_ports;      /* output ports towards the roots, where there are such */
  uint32_t first, count; /* its switches have the ids first..first+count-1 */
  bool far;              /* too much memory for the inner caches: quiet_vcs.h asks for it in time */
  size_t stride;
  struct { /* byte offsets from the switch */
    size_t bubble, preferred, rt, wait, node, table, fifo;
  } at;
  uint8_t after[256];               /* the slot of a buffer after that one */
  const struct ut_routing *routing; /* the family */
  ut_route_function *route;
  ut_quiet_steps *quiet_steps; /* NULL: this shape has no short way */
  ut_discard_hook *on_discard;
  void *ctx;
  unsigned char *memory;
  struct ut_lookup lookup; /* at the end: quiet.h does not need it */
};

/* Allocates `count` switches of that shape, which must be legal (ut_shape_rule() returns NULL), all in reset with
 * straps 0; their ids count from `first`. false: out of memory. */
bool ut_group_init(struct ut_group *g, const struct ut_shape *shape, uint32_t first, uint32_t count);
void ut_group_fini(struct ut_group *g);

/* The rule that a shape breaks, named as the module that stops the elaboration of rtl/ut_switch.v; NULL for a legal
 * shape.
 */
const char *ut_shape_rule(const struct ut_shape *shape);

/* Bits that a switch of that shape reports to its neighbours, 1..UT_MAX_REPORTS; unused ones are 0. */
enum { UT_MAX_REPORTS = 3 + 2 * UT_MAX_DIMENSIONS };
unsigned ut_shape_reports(const struct ut_shape *shape);
/* What it reports now. */
uint32_t ut_switch_report(const struct ut_group *g, const struct ut_switch *s);
/* A neighbour's report arrives through an output port: into masks over these ports, by bit. */
static inline void ut_report_hear(ut_mask *heard, unsigned bits, unsigned port, uint32_t report) {
  for (unsigned i = 0; i < bits; i++)
    heard[i] = (heard[i] & ~ut_bit(port)) | (report >> i & 1) << port;
}

/* Room that a packet needs to go on in its ring, for a shape whose algorithm obeys the bubble rule: see
 * rtl/ut_switch.v. 0: the packets' lengths differ too much. */
unsigned ut_shape_ring_room(const struct ut_shape *shape);

/* Reset, sampling the straps; while a switch is in reset it needs no steps.  Payload registers keep their values, as in
 * the RTL. */
void ut_switch_reset(const struct ut_group *g, struct ut_switch *s, uint64_t straps);

/* Writes an entry of the forwarding tables (a `config` word of rtl/header.tsv), as the configuration port does at the
 * end of a cycle. */
void ut_switch_configure(const struct ut_group *g, struct ut_switch *s, uint64_t word);

/* One cycle. */
void ut_switch_step(const struct ut_group *g, struct ut_switch *s, const struct ut_switch_in *in);

static inline struct ut_switch *ut_switch_of(const struct ut_group *g, uint32_t id) {
  return (struct ut_switch *)(g->memory + g->stride * (id - g->first));
}

/* ---- registers, by the index spaces of the RTL: v = input or output VC, ip/op = port
 *
 * ut_x_of takes the traits of the shape, constants in the specialised steps.  Who only looks at a switch goes through
 * registers.h. */
#define UT_AT(type, g, s, field) ((type *)((unsigned char *)(s) + (g)->at.field))

/* The masks stand right behind the fixed part. */
UT_INLINE ut_mask *ut_masks(const struct ut_group *g, struct ut_switch *s, enum ut_switch_masks m, unsigned v) {
  (void)g;
  return (ut_mask *)(s + 1) + m * v;
}

/* Then come the bytes, each array in whole words. */
UT_INLINE size_t ut_bytes_begin(const struct ut_traits t) {
  return (sizeof(struct ut_switch) + sizeof(ut_mask) * UT_MASKS * t.v + 7) / 8 * 8;
}
UT_INLINE uint8_t *ut_bytes(struct ut_switch *s, enum ut_switch_bytes b, const struct ut_traits t) {
  return (uint8_t *)s + ut_bytes_begin(t) + 8 * (size_t)b * t.lanes * t.v;
}

/* Then, with several VCs and short flits, what the short way keeps of packets and output ports; then the ports, a fixed
 * stride apart. Of a port: struct ut_port; V masks of the switch allocator's arbiter; the output register; with several
 * VCs the masks of the two arbiters over them; V x V masks of candidates over output ports (waiting) or the output VC,
 * one-hot (active), by input VC; V x V masks of the VC allocator's arbiters, by output VC. What every flit needs stands
 * before what only heads need. */
UT_INLINE size_t ut_port_sa(const struct ut_traits t) {
  (void)t;
  return sizeof(struct ut_port);
}
UT_INLINE size_t ut_port_out(const struct ut_traits t) {
  return (ut_port_sa(t) + 4 * t.v + 7) / 8 * 8;
}
UT_INLINE size_t ut_port_arbiters(const struct ut_traits t) {
  return ut_port_out(t) + 8 * (t.words + 1);
}
UT_INLINE size_t ut_port_cand(const struct ut_traits t) {
  return ut_port_arbiters(t) + (t.v == 1 ? 0 : 4);
}
UT_INLINE size_t ut_port_va(const struct ut_traits t) {
  return ut_port_cand(t) + 4 * t.v * t.v;
}
UT_INLINE size_t ut_port_stride(const struct ut_traits t) {
  return (ut_port_va(t) + 4 * t.v * t.v + 63) / 64 * 64;
}
UT_INLINE size_t ut_transfers_begin(const struct ut_traits t) {
  return (ut_bytes_begin(t) + 8 * (size_t)UT_BYTES * t.lanes * t.v + 63) / 64 * 64;
}
UT_INLINE bool ut_has_transfers(const struct ut_traits t) {
  return t.v > 1 && t.words == 1;
}
UT_INLINE size_t ut_owners_begin(const struct ut_traits t) {
  return ut_transfers_begin(t) + 8 * t.lanes * t.v * sizeof(struct ut_transfer);
}
UT_INLINE size_t ut_ports_begin(const struct ut_traits t) {
  return ut_has_transfers(t) ? (ut_owners_begin(t) + 8 * t.lanes * 8 + 63) / 64 * 64 : ut_transfers_begin(t);
}
UT_INLINE struct ut_transfer *ut_transfer_of(struct ut_switch *s, size_t flat, const struct ut_traits t) {
  return (struct ut_transfer *)((unsigned char *)s + ut_transfers_begin(t)) + flat;
}
/* Of a quiet switch: the input VCs whose packets go to that output port, as a set (quiet_vcs.h). */
UT_INLINE uint64_t *ut_owners_of(struct ut_switch *s, unsigned op, const struct ut_traits t) {
  return (uint64_t *)((unsigned char *)s + ut_owners_begin(t)) + op;
}

UT_INLINE struct ut_port *ut_port_of(struct ut_switch *s, unsigned p, const struct ut_traits t) {
  return (struct ut_port *)((unsigned char *)s + ut_ports_begin(t) + p * ut_port_stride(t));
}
#define UT_PORT_AT(type, s, p, t, offset) ((type *)((unsigned char *)ut_port_of(s, p, t) + (offset)))

UT_INLINE ut_mask *ut_cand_of(struct ut_switch *s, unsigned ip, unsigned ivc, const struct ut_traits t) {
  return UT_PORT_AT(ut_mask, s, ip, t, ut_port_cand(t)) + ivc * t.v;
}
/* Round-robin masks: of the VC allocator, V words over (ivc, ip); of the switch allocator, with several VCs, V words
 * or, with XBAR port, one; of the arbiters over the VCs of an input port, for the route unit and for the crossbar. */
UT_INLINE ut_mask *ut_va_of(struct ut_switch *s, unsigned op, unsigned ovc, const struct ut_traits t) {
  return UT_PORT_AT(ut_mask, s, op, t, ut_port_va(t)) + ovc * t.v;
}
UT_INLINE ut_mask *ut_sa_of(struct ut_switch *s, unsigned op, const struct ut_traits t) {
  return UT_PORT_AT(ut_mask, s, op, t, ut_port_sa(t));
}
UT_INLINE uint8_t *ut_route_mask_of(struct ut_switch *s, unsigned ip, const struct ut_traits t) {
  return UT_PORT_AT(uint8_t, s, ip, t, ut_port_arbiters(t));
}
UT_INLINE uint8_t *ut_sa_in_of(struct ut_switch *s, unsigned ip, const struct ut_traits t) {
  return UT_PORT_AT(uint8_t, s, ip, t, ut_port_arbiters(t) + 1);
}
UT_INLINE uint8_t *ut_credits_of(struct ut_switch *s, unsigned op, unsigned ovc, const struct ut_traits t) {
  return ut_bytes(s, UT_B_CREDITS, t) + op * t.v + ovc;
}
/* The output register of a port: a flit. */
UT_INLINE uint64_t *ut_out_of(struct ut_switch *s, unsigned op, const struct ut_traits t) {
  return UT_PORT_AT(uint64_t, s, op, t, ut_port_out(t));
}
/* A slot of the buffer of input VC `flat` (ip * v + ivc): words, then tag and VC. */
UT_INLINE uint64_t *ut_fifo_of(const struct ut_group *g, struct ut_switch *s, size_t flat, size_t slot,
                               const struct ut_traits t) {
  return UT_AT(uint64_t, g, s, fifo) + (flat * g->shape.depth + slot) * (t.words + 1);
}

/* The forwarding table of an input VC: entries over destinations, as the RTL packs them: valid, VC, port. */
static inline uint16_t *ut_table_of(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc) {
  return UT_AT(uint16_t, g, s, table) + (size_t)(ip * g->shape.v + ivc) * g->shape.destinations;
}

/* Whether the flit at the front, which must be there, begins a packet: as it arrived, or what was before it has been
 * stripped. */
static inline bool ut_front_is_head(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc) {
  const struct ut_traits t = g->traits;
  const unsigned flat = ip * t.v + ivc;
  uint64_t tag = ut_fifo_of(g, s, flat, ut_bytes(s, UT_B_RD, t)[flat], t)[t.words];
  bool promoted = ut_masks(g, s, UT_M_PROMOTED, t.v)[ivc] & ut_bit(ip);
  return tag & UT_KIND_HEAD || (promoted && !(tag & UT_BAD));
}

/* ---- for the network around the switches */

/* Where the flits of an output port go, and the credits of an input port; slot: where flits lie on the wires. */
static inline void ut_switch_wire_output(const struct ut_group *g, struct ut_switch *s, unsigned op, struct ut_end to,
                                         uint32_t slot) {
  struct ut_port *port = ut_port_of(s, op, g->traits);
  port->to = to;
  port->to_slot = slot;
}
static inline void ut_switch_wire_input(const struct ut_group *g, struct ut_switch *s, unsigned ip, struct ut_end from,
                                        uint32_t slot) {
  struct ut_port *port = ut_port_of(s, ip, g->traits);
  port->from = from;
  port->from_slot = slot;
}

/* What a switch drives onto its wires, as its registers are now. */
static inline struct ut_switch_out ut_switch_drives(const struct ut_group *g, struct ut_switch *s) {
  struct ut_switch_out out;
  out.valid = s->out_valid;
  out.flit = ut_out_of(s, 0, g->traits);
  out.stride = (unsigned)ut_port_stride(g->traits) / 8;
  out.credit = ut_masks(g, s, UT_M_CREDIT, g->traits.v);
  out.reports = ut_switch_report(g, s);
  out.busy = s->busy;
  return out;
}

/* Calls the registers into the cache, all but tables and buffers. */
static inline void ut_switch_fetch(const struct ut_group *g, const struct ut_switch *s) {
  for (size_t at = 0; at < g->at.table; at += 64)
    __builtin_prefetch((const char *)s + at);
}

#endif
