// SPDX-License-Identifier: Apache-2.0
// input_port_tb.cpp - rtl/ut_input_port.v with ut_input_vc.v, ut_fifo.v and ut_rr_arbiter.v against the steps of the
// spec
//
// Three things are random here: what the route unit answers, which bids are granted, which requests cross.  The sender
// at the other end of the link obeys the flow control, and loses its packet when the link goes down.
#include "Vinput_port_tb.h"
#include "blocks.hpp"

enum {
  S = 10,
  VCS = 3,
  SLOTS = 8,
  IN = 25,
  IN_RST = 0,
  IN_LINK_UP,
  IN_VALID,
  IN_VC,
  IN_KIND,
  IN_BAD,
  IN_DATA,
  IN_STALE_LINK = 10,
  IN_STALE_STATE,
  IN_ANSWER, // three words
  IN_GRANT = 15,
  IN_POP,
  IN_PICK,
  IN_OUT_UP,
  IN_SENDABLE,
  IN_CHOICE, // by VC
  IN_EVER = 23,
  IN_PURGE,
  OUT_CREDIT = 0,
  OUT_BID,
  OUT_REQUEST,
  OUT_ROUTED,
  OUT_SET,
  OUT_DISCARD,
  OUT_BUSY,
  OUT_ERROR,
  OUT_HEADER,
  OUT_UP = 10,
  OUT_POINTER,
  OUT_TAG, // from here on by VC
  OUT_CAND = OUT_TAG + VCS,
  OUT_BUBBLE = OUT_CAND + VCS,
  OUT_PREFERRED = OUT_BUBBLE + VCS,
  OUT_TARGET = OUT_PREFERRED + VCS,
  OUT_STATE = OUT_TARGET + VCS,
  OUT_CAND_Q = OUT_STATE + VCS,
  OUT_OPEN_PENDING = OUT_CAND_Q + VCS,
  OUT_POINTERS = OUT_OPEN_PENDING + VCS,
  OUT_COUNT = OUT_POINTERS + VCS,
  OUT_MORE = OUT_COUNT + VCS, // {wait_q, cross_q, stripped_q, depends_q, dead: the link is down or a tail due}
  OUT_DATA = OUT_MORE + VCS,  // 4 words a row
  OUT_SLOT = OUT_DATA + 4 * VCS,
  OUT = OUT_SLOT + 4 * VCS * SLOTS,
  IP = 1 // where in the switch
};

static const struct {
  unsigned v, depth, words, max_packet, route_cycles, alloc_cycles, xbar_cycles, wormhole, xbar, route, algorithm,
      escapes, misroute;
} shapes[S] = {{1, 4, 1, 2, 0, 1, 0, 0, 0, UT_ROUTE_FATTREE, UT_FATTREE_FTA, 1, 0},
               {2, 4, 1, 3, 0, 1, 0, 0, 0, UT_ROUTE_FATTREE, UT_FATTREE_REROUTE_ADAPTIVE_SWITCH, 1, 0},
               {1, 1, 1, 5, 1, 2, 0, 1, 0, UT_ROUTE_FATTREE, UT_FATTREE_REROUTE_ADAPTIVE_SWITCH, 1, 0},
               {3, 5, 2, 4, 4, 1, 0, 0, 0, UT_ROUTE_FATTREE, UT_FATTREE_REROUTE_ADAPTIVE_SWITCH, 1, 0},
               {2, 2, 1, 5, 3, 2, 0, 1, 1, UT_ROUTE_FATTREE, UT_FATTREE_REROUTE_ADAPTIVE_SWITCH, 1, 0},
               {3, 8, 1, 4, 0, 1, 0, 0, 0, UT_ROUTE_TORUS, UT_TORUS_DUATO, 2, 1},
               {3, 4, 2, 2, 2, 2, 1, 0, 0, UT_ROUTE_TORUS, UT_TORUS_DUATO, 2, 0},
               {3, 2, 1, 5, 1, 1, 1, 1, 0, UT_ROUTE_MESH, UT_MESH_DUATO, 2, 1},
               {3, 3, 1, 6, 0, 1, 0, 1, 1, UT_ROUTE_MESH, UT_MESH_DUATO, 2, 0},
               {2, 4, 1, 5, 1, 1, 0, 1, 0, UT_ROUTE_DETOUR_CUBE, UT_DETOUR_CUBE_DETOUR, 1, 0}};

// What must have happened in a shape at the end of the run, beside the transitions of state.
enum {
  MET_TWO_WANT,      // and one lost its turn
  MET_STRIP,         // a header word was stripped
  MET_STRIP_WAITS,   // ... not yet: nothing is behind it
  MET_STRAY_TAIL,    // ... and a bad tail came in its place
  MET_CUT_HEAD,      // the output link went down before the packet had begun to leave
  MET_BAD_TAIL,      // the input link went down in the middle of a packet
  MET_TAIL_DUE,      // ... and there was no space for the tail
  MET_TOLD,          // free space was advertised
  MET_PURGED,        // a head that waited from one purge to the next was discarded
  MET_CROSS_CUT,     // the output link of a flit that had won went down before it crossed
  MET_STATE_CHANGED, // only candidate sets that depend on it became stale
  METS
};

// The side of one shape that is not the input port: the route unit and the sender.
struct Around {
  Random *random;
  uint32_t ever;           // output ports that the route unit can ever name
  uint32_t routed;         // VCs routed in this cycle: one or none
  uint64_t header;         // of it
  spec_answer r;           // the answer, as the RTL gets it
  unsigned have[VCS];      // credits
  unsigned left[VCS];      // flits of the packet that have not been sent
  bool began[VCS];         // its head has
  uint32_t out_up;         // link_up of the output ports
  unsigned transitions[5]; // by state, to states
  unsigned met;
};

static Around *asked; // whose route unit it is

// An answer of a route unit for a packet of several flits or of one, with these output links up.
static void draw_answer(Around &a, const ut_shape &shape, uint32_t up, bool tail) {
  Random &random = *a.random;
  const unsigned whole = random.below(shape.v);
  up &= a.ever;
  a.r = {};
  a.r.strip = shape.escapes > 1 && !tail && random.chance(30);
  a.r.discard = !a.r.strip && (!up || random.chance(10));
  for (unsigned o = 0; o < shape.v; o++) {
    a.r.cand[o] = up & (o == whole ? ~0u : random.mask());
    a.r.bubble[o] = random.mask() & a.r.cand[o];
    a.r.preferred[o] = random.mask() & a.r.cand[o];
  }
  a.r.set = random.mask() & lines(shape.po);
  a.r.rt = random.word() & 0xffffff;
  a.r.uses_state = random.chance(50);
}

// Takes the place of the route unit of the spec.  The RTL may get anything in fields that the algorithm does not have.
extern "C" void spec_route(const spec_switch *s, uint64_t header, unsigned ip, unsigned ivc, spec_answer *answer) {
  const Spec &m = static_cast<const Spec &>(*s);
  draw_answer(*asked, s->shape, m.up(), spec_front(&s->in[ip].vc[ivc])->tail);
  asked->routed = bit(ivc);
  asked->header = header;
  *answer = asked->r;
  for (unsigned o = 0; o < s->shape.v; o++) {
    answer->bubble[o] = m.has_bubble() ? answer->bubble[o] : 0;
    answer->preferred[o] = m.has_preferred() ? answer->preferred[o] : 0;
  }
  answer->uses_state &= m.has_vector();
}

// The answer as rtl/route_answer.vh packs it, for four output ports.
static void pack(const spec_answer &r, unsigned v, uint32_t *words) {
  unsigned at = 0;
  uint64_t bits[2] = {0, 0};
  auto put = [&](uint64_t value, unsigned width) {
    for (unsigned i = 0; i < width; i++, at++)
      bits[at / 64] |= (value >> i & 1) << at % 64;
  };
  for (const uint64_t *m : {r.cand, r.bubble, r.preferred})
    for (unsigned o = 0; o < v; o++)
      put(m[o], 4);
  put(r.set, 4);
  put(r.rt, 24);
  put(r.strip, 1);
  put(r.discard, 1);
  put(r.uses_state, 1);
  memcpy(words, bits, 12);
}

// A set of output ports for each output VC, as one word over (ovc, op).
static uint32_t flat(const uint64_t *set, unsigned v) {
  uint32_t all = 0;
  for (unsigned o = 0; o < v; o++)
    all |= (uint32_t)set[o] << 4 * o;
  return all;
}
static uint32_t output(unsigned ovc, unsigned op) {
  return bit(4 * ovc + op);
}
static unsigned any_of(Random &random, uint32_t set, unsigned count) {
  unsigned n = random.below(count);
  while (!(set >> n & 1))
    n = (n + 1) % count;
  return n;
}

// A flit on the wire, or none: as a sender does that obeys the flow control, and garbage that must not be accepted.
static void send(Around &a, const Spec &m, uint32_t *in, unsigned cycle) {
  Random &random = *a.random;
  const ut_shape &p = m.shape;
  in[IN_KIND] = random.below(4);
  in[IN_BAD] = random.below(2);
  in[IN_VC] = random.below(p.v);
  in[IN_VALID] = random.chance(50);
  if (!m.in[IP].up)
    return;
  in[IN_VALID] = 0;
  const unsigned vc = in[IN_VC], rate = cycle / 200 % 2 ? 95 : 60;
  if (!a.left[vc] && random.chance(70)) {
    unsigned length = 1 + random.below(p.max_packet);
    if (p.switching || a.have[vc] >= length) {
      a.left[vc] = length;
      a.began[vc] = false;
    }
  }
  if (!a.left[vc] || !a.have[vc] || !random.chance(rate))
    return;
  in[IN_VALID] = 1;
  in[IN_KIND] = (a.began[vc] ? 0 : UT_KIND_HEAD) | (a.left[vc] == 1 ? UT_KIND_TAIL : 0);
  in[IN_BAD] = in[IN_KIND] == UT_KIND_TAIL && random.chance(30); // a packet that was cut further back
  a.began[vc] = true;
  a.have[vc]--;
  a.left[vc]--;
}

// What the RTL must show before the clock edge.
struct Expected {
  uint32_t bid, request, busy, credit, popped, target[VCS], way[VCS], tag[VCS], cand[VCS], bubble[VCS], preferred[VCS];
  uint64_t data[VCS][2];
};

// What the rest of the switch says in this cycle: states, links of outputs, credits.
static void surround(Spec &m, Around &a, uint32_t *in) {
  Random &random = *a.random;
  uint32_t crossing = 0; // output VCs
  if (random.below(12) == 0)
    a.out_up = random.chance(50) ? m.all_out() : random.mask() & m.all_out();
  m.reroute.stale = m.nodes.stale = random.chance(6);
  in[IN_PURGE] = random.chance(10);
  m.nodes.purge = m.has_states() && in[IN_PURGE];
  in[IN_STALE_LINK] = m.stale_link;
  in[IN_STALE_STATE] = m.reroute.stale;
  in[IN_OUT_UP] = m.up();
  in[IN_SENDABLE] = in[IN_GRANT] = in[IN_POP] = in[IN_PICK] = 0;
  for (unsigned i = 0; i < m.shape.v; i++)
    if (m.in[IP].vc[i].cross)
      crossing |= output(m.in[IP].vc[i].out_vc, m.in[IP].vc[i].out_port);
  for (unsigned o = 0; o < m.shape.v; o++)
    for (unsigned op = 0; op < 4; op++) {
      const bool credit = m.shape.switching == UT_VCT || crossing & output(o, op) || random.chance(80);
      m.out[op].vc[o].credits = credit ? m.shape.depth : 0;
      in[IN_SENDABLE] |= credit && m.out[op].up ? output(o, op) : 0;
    }
}

// What is to be seen of the registers, and which situations they are.
static void look(const Spec &m, Around &a, Expected &e) {
  uint32_t want = 0;
  auto met = [&](unsigned what, bool did) { a.met |= (unsigned)did << what; };
  for (unsigned i = 0; i < m.shape.v; i++) {
    const spec_input_vc &vc = m.in[IP].vc[i];
    const bool dead = !m.in[IP].up || vc.cut;
    e.busy |= vc.count || vc.credit || (dead ? vc.open : vc.pending_credits > 0);
    e.credit |= (uint32_t)vc.credit << i;
    want |= (uint32_t)(vc.state == UT_VC_STATE_IDLE && vc.count) << i;
    met(MET_BAD_TAIL, dead && vc.open);
    met(MET_TAIL_DUE, vc.cut);
    met(MET_TOLD, !dead && vc.pending_credits);
    met(MET_STATE_CHANGED,
        m.reroute.stale && !m.stale_link && vc.state == UT_VC_STATE_WAITING && !vc.answer.uses_state);
    met(MET_STRAY_TAIL, vc.state == UT_VC_STATE_IDLE && spec_is_stray_tail(&vc));
    met(MET_CUT_HEAD, spec_is_cut_off(&m, &vc) && vc.count && spec_front_is_head(&vc));
    met(MET_CROSS_CUT, vc.cross && spec_is_cut_off(&m, &vc));
  }
  met(MET_TWO_WANT, want & (want - 1));
}

// The VC allocator grants any bids.
static void grant(Spec &m, Random &random, uint32_t *in, Expected &e) {
  const unsigned v = m.shape.v;
  for (unsigned i = 0; i < v; i++) {
    spec_decision &d = m.cycle.vc[IP][i];
    const spec_answer *bid = spec_bids_with(&m, &m.in[IP].vc[i], &d);
    in[IN_CHOICE + i] = random.word() & lines(4 * v);
    if (!bid)
      continue;
    e.bid |= bit(i);
    e.cand[i] = flat(bid->cand, v);
    e.bubble[i] = flat(bid->bubble, v);
    e.preferred[i] = flat(bid->preferred, v);
    const uint32_t fit = e.cand[i] & in[IN_SENDABLE];
    if (!fit || random.chance(50))
      continue;
    const unsigned n = any_of(random, fit, 4 * v);
    d.bids = d.granted = true;
    d.port = n % 4;
    d.vc = n / 4;
    in[IN_GRANT] |= bit(i);
    in[IN_CHOICE + i] = bit(n);
  }
}

// The switch allocator lets any requests win, one for each crossbar input and output.
static void let_win(Spec &m, Random &random, uint32_t *in, Expected &e) {
  const unsigned v = m.shape.v;
  uint32_t outputs = 0;
  for (unsigned i = 0; i < v; i++) {
    const spec_decision &d = m.cycle.vc[IP][i];
    e.request |= (uint32_t)d.requests << i;
    e.target[i] = d.requests ? bit(d.port) : 0;
  }
  in[IN_PICK] = e.request;
  if (v > 1 && m.shape.xbar == UT_XBAR_PORT && e.request)
    in[IN_PICK] = bit(any_of(random, e.request, v));
  const uint32_t wins = in[IN_PICK] & (random.chance(40) ? ~0u : random.mask());
  for (unsigned i = 0; i < v; i++) {
    spec_decision &d = m.cycle.vc[IP][i];
    d.wins = wins >> i & 1 && !(outputs >> d.port & 1);
    outputs |= d.wins ? bit(d.port) : 0;
    in[IN_POP] |= (uint32_t)d.wins << i;
  }
}

// What leaves through the crossbar.
static void show_leaving(const Spec &m, Expected &e) {
  for (unsigned i = 0; i < m.shape.v; i++) {
    const spec_decision &d = m.cycle.vc[IP][i];
    const unsigned row = m.shape.xbar == UT_XBAR_PORT ? 0 : i; // of the crossbar inputs
    if (!d.leaves)
      continue;
    const spec_flit &flit = m.cycle.sent[d.port];
    e.popped |= bit(row);
    e.way[i] = bit(d.port);
    e.tag[row] = bit(d.vc) << 3 | tag_of(flit);
    memcpy(e.data[row], flit.word, m.shape.w / 8);
  }
}

// One cycle of the spec; what is random in it goes into the RTL's inputs.
static Expected step(Spec &m, Around &a, uint32_t *in) {
  const unsigned v = m.shape.v;
  Expected e = {};
  unsigned before[VCS];
  const bool up = m.in[IP].up;
  auto met = [&](unsigned what, bool did) { a.met |= (unsigned)did << what; };
  surround(m, a, in);
  look(m, a, e);
  for (unsigned i = 0; i < v; i++)
    before[i] = m.in[IP].vc[i].state;
  m.begin();
  m.wires.in_up = in[IN_LINK_UP] << IP;
  m.wires.arrival[IP].valid = in[IN_VALID];
  m.wires.arrival[IP].vc = in[IN_VC];
  m.wires.arrival[IP].flit = flit_of(in + IN_DATA, m.shape.w / 64, in[IN_KIND] | in[IN_BAD] << 2);
  a.routed = 0;
  asked = &a;
  spec_route_heads(&m, &m.cycle);
  if (!a.routed) // nobody listens to the route unit
    draw_answer(a, m.shape, m.all_out(), false);
  pack(a.r, v, in + IN_ANSWER);
  grant(m, *a.random, in, e);
  if (m.shape.xbar_cycles)
    spec_cross_winners(&m, &m.cycle);
  spec_allocate_switch(&m, &m.cycle); // requests; others win than those that it has chosen
  let_win(m, *a.random, in, e);
  spec_traverse(&m, &m.cycle);
  show_leaving(m, e);
  spec_update_input(&m, &m.cycle, IP);
  m.stale_link = m.up() != a.out_up;
  m.set_up(a.out_up);
  for (unsigned i = 0; i < v; i++) {
    const spec_decision &d = m.cycle.vc[IP][i];
    met(MET_STRIP, d.strips);
    met(MET_STRIP_WAITS, d.routed && d.answer.strip && !d.strips);
    met(MET_PURGED, d.purged);
    a.transitions[before[i]] |= bit(m.in[IP].vc[i].state);
    if (!up) // the other end of the link
      a.have[i] = a.left[i] = 0;
    else
      a.have[i] += e.credit >> i & 1;
  }
  return e;
}

// The transitions of state that a shape must have made.
static bool required(const ut_shape &p, unsigned from, unsigned to) {
  const bool pipelined = p.route_cycles > 1;
  switch (from << 4 | to) {
  case UT_VC_STATE_IDLE << 4 | UT_VC_STATE_ROUTING:
  case UT_VC_STATE_ROUTING << 4 | UT_VC_STATE_WAITING:
  case UT_VC_STATE_ROUTING << 4 | UT_VC_STATE_DRAIN:
  case UT_VC_STATE_WAITING << 4 | UT_VC_STATE_ROUTING: return pipelined;
  case UT_VC_STATE_IDLE << 4 | UT_VC_STATE_WAITING: return !pipelined;
  case UT_VC_STATE_IDLE << 4 | UT_VC_STATE_ACTIVE: return p.route_cycles == 0;
  case UT_VC_STATE_ROUTING << 4 | UT_VC_STATE_IDLE: return pipelined && p.v > 1;
  case UT_VC_STATE_WAITING << 4 | UT_VC_STATE_IDLE: return p.v > 1; // stale, and another VC has its turn
  case UT_VC_STATE_IDLE << 4 | UT_VC_STATE_DRAIN:
  case UT_VC_STATE_WAITING << 4 | UT_VC_STATE_ACTIVE:
  case UT_VC_STATE_WAITING << 4 | UT_VC_STATE_DRAIN:
  case UT_VC_STATE_ACTIVE << 4 | UT_VC_STATE_IDLE:
  case UT_VC_STATE_ACTIVE << 4 | UT_VC_STATE_DRAIN:
  case UT_VC_STATE_DRAIN << 4 | UT_VC_STATE_IDLE: return true;
  default: return false;
  }
}

static ut_shape shape_number(unsigned s) {
  const auto &x = shapes[s];
  ut_shape p = shape_of(4, x.v, x.depth, x.max_packet, x.algorithm);
  p.w = 64 * x.words;
  p.switching = x.wormhole;
  p.route_cycles = x.route_cycles;
  p.alloc_cycles = x.alloc_cycles;
  p.xbar_cycles = x.xbar_cycles;
  p.xbar = x.xbar;
  p.route = x.route;
  p.escapes = x.escapes;
  p.misroute = x.misroute;
  p.size[0] = x.route == UT_ROUTE_TORUS || x.route == UT_ROUTE_MESH ? 4 : 0;
  p.cube = x.route == UT_ROUTE_DETOUR_CUBE ? 2 : 0;
  return p;
}

typedef Bench<Vinput_port_tb, S, IN, OUT> PortBench;

// The error flag, without a clock edge.
static void probe_error(PortBench &b, unsigned s, const Spec &m) {
  uint32_t saved[IN], *in = b.in(s);
  memcpy(saved, in, sizeof saved);
  in[IN_VALID] = 1;
  in[IN_KIND] = b.random.below(4);
  in[IN_GRANT] = in[IN_POP] = 0;
  in[IN_OUT_UP] = m.up();
  const spec_input_vc &vc = m.in[IP].vc[in[IN_VC]];
  const bool accepted = in[IN_LINK_UP] && m.in[IP].up, full = vc.count == m.shape.depth;
  b.settle();
  b.check(s, "error_o", b.out(s)[OUT_ERROR], accepted && (full || vc.open == (in[IN_KIND] & UT_KIND_HEAD)));
  memcpy(in, saved, sizeof saved);
}

static void check_outputs(PortBench &b, unsigned s, const Spec &m, const Around &a, const Expected &e) {
  const uint32_t *out = b.out(s);
  b.check(s, "credit_o", out[OUT_CREDIT], e.credit);
  b.check(s, "bid_ivc_o", out[OUT_BID], e.bid);
  b.check(s, "request_ivc_o", out[OUT_REQUEST], e.request);
  b.check(s, "routed", out[OUT_ROUTED], a.routed);
  b.check(s, "set_o", out[OUT_SET], a.routed ? a.r.set : 0);
  b.check(s, "discard_o", out[OUT_DISCARD], m.in[IP].discard);
  b.check(s, "busy_o", out[OUT_BUSY], e.busy);
  b.check(s, "error_o", out[OUT_ERROR], 0);
  if (a.routed) {
    b.check(s, "header, low", out[OUT_HEADER], (uint32_t)a.header);
    b.check(s, "header, high", out[OUT_HEADER + 1], a.header >> 32);
  }
  for (unsigned i = 0; i < m.shape.v; i++) {
    if (e.bid >> i & 1) {
      b.check_at(s, "cand_o", i, out[OUT_CAND + i], e.cand[i]);
      b.check_at(s, "bubble_o", i, out[OUT_BUBBLE + i], e.bubble[i]);
      b.check_at(s, "preferred_o", i, out[OUT_PREFERRED + i], e.preferred[i]);
    }
    if (e.request >> i & 1)
      b.check_at(s, "target_o", i, out[OUT_TARGET + i] & 15, e.target[i]);
    b.check_at(s, "way_o", i, out[OUT_TARGET + i] >> 4, e.way[i]);
    if (!(e.popped >> i & 1))
      continue;
    b.check_at(s, "tag_o", i, out[OUT_TAG + i], e.tag[i]);
    for (unsigned w = 0; w < m.shape.w / 64; w++) {
      uint64_t word;
      memcpy(&word, out + OUT_DATA + 4 * i + 2 * w, 8);
      b.check_at(s, "data_o", i, word, e.data[i][w]);
    }
  }
}

static void check_registers(PortBench &b, unsigned s, const Spec &m) {
  const spec_input_port &port = m.in[IP];
  const uint32_t *out = b.out(s);
  const unsigned v = m.shape.v, depth = m.shape.depth;
  b.check(s, "up_q", out[OUT_UP], port.up);
  if (v > 1)
    b.check(s, "route arbiter mask", out[OUT_POINTER], pointer_mask(port.route_pointer, v));
  for (unsigned i = 0; i < v; i++) {
    const spec_input_vc &vc = port.vc[i];
    b.check_at(s, "state_q", i, out[OUT_STATE + i], vc.state);
    b.check_at(s, "cand_q", i, out[OUT_CAND_Q + i], flat(vc.answer.cand, v));
    b.check_at(s, "open_q", i, out[OUT_OPEN_PENDING + i] & 1, vc.open);
    b.check_at(s, "pending_credits_q", i, out[OUT_OPEN_PENDING + i] >> 2, vc.pending_credits);
    b.check_at(s, "credit_q", i, out[OUT_CREDIT] >> i & 1, vc.credit);
    b.check_at(s, "rd_q", i, out[OUT_POINTERS + i] >> 16, vc.read);
    b.check_at(s, "wr_q", i, out[OUT_POINTERS + i] & 0xffff, (vc.read + vc.count) % depth);
    b.check_at(s, "count_q", i, out[OUT_COUNT + i], vc.count);
    b.check_at(s, "cut_q", i, out[OUT_MORE + i] & 1, !port.up || vc.cut);
    b.check_at(s, "depends_q", i, out[OUT_MORE + i] >> 1 & 1, m.has_states() || vc.answer.uses_state);
    b.check_at(s, "stripped_q", i, out[OUT_MORE + i] >> 2 & 1, vc.stripped);
    b.check_at(s, "cross_q", i, out[OUT_MORE + i] >> 3 & 1, vc.cross);
    if (m.shape.route_cycles > 2)
      b.check_at(s, "wait_q", i, out[OUT_MORE + i] >> 4, vc.wait);
    for (unsigned d = 0; d < depth; d++) {
      const uint32_t *slot = out + OUT_SLOT + 4 * (i * SLOTS + d);
      uint64_t word;
      memcpy(&word, slot, 8);
      b.check_at(s, "data_q", i * SLOTS + d, word, vc.buffer[d].word[0]);
      b.check_at(s, "tag_q", i * SLOTS + d, slot[3], tag_of(vc.buffer[d]));
    }
  }
}

// A situation that must have been met in a shape.
static bool is_needed(const Spec &m, unsigned what) {
  switch (what) {
  case MET_TWO_WANT: return m.shape.v > 1;
  case MET_TAIL_DUE: return m.shape.switching == UT_WORMHOLE;
  case MET_PURGED: return m.has_states();
  case MET_CROSS_CUT: return m.shape.xbar_cycles;
  case MET_STATE_CHANGED: return m.has_vector();
  case MET_STRIP:
  case MET_STRIP_WAITS:
  case MET_STRAY_TAIL: return m.shape.escapes > 1;
  default: return true;
  }
}

int main() {
  static PortBench b("input_port");
  static Around around[S] = {};
  static Expected expected[S];
  Spec *spec[S];
  for (unsigned s = 0; s < S; s++) {
    const ut_shape p = shape_number(s);
    around[s].random = &b.random;
    around[s].ever = s % 2 ? 13 : 15;
    spec[s] = new Spec(p);
    b.name(s, "V=%u DEPTH=%u W=%u ROUTE_CYCLES=%u ALLOC_CYCLES=%u XBAR_CYCLES=%u %s", p.v, p.depth, p.w, p.route_cycles,
           p.alloc_cycles, p.xbar_cycles, p.switching ? "wormhole" : "VCT");
  }
  for (unsigned c = 0; c < CYCLES; c++) {
    for (unsigned s = 0; s < S; s++) {
      uint32_t *in = b.in(s);
      in[IN_RST] = c == 0 || b.random.below(512) == 0;
      in[IN_LINK_UP] = in[IN_LINK_UP] ? b.random.below(100) != 0 : b.random.chance(30);
      in[IN_EVER] = around[s].ever;
      for (unsigned w = 0; w < 4; w++)
        in[IN_DATA + w] = b.random.word();
      send(around[s], *spec[s], in, c);
      if (c > 0 && b.random.chance(3))
        probe_error(b, s, *spec[s]);
      expected[s] = step(*spec[s], around[s], in);
    }
    b.settle();
    for (unsigned s = 0; s < S; s++) {
      if (c > 0)
        check_outputs(b, s, *spec[s], around[s], expected[s]);
      if (b.in(s)[IN_RST]) {
        spec_reset(spec[s], 0);
        memset(around[s].have, 0, sizeof around[s].have);
        memset(around[s].left, 0, sizeof around[s].left);
      }
    }
    b.clock();
    for (unsigned s = 0; s < S; s++) {
      check_registers(b, s, *spec[s]);
      b.compared[s]++;
    }
  }
  for (unsigned s = 0; s < S; s++) {
    for (unsigned from = 0; from < 5; from++)
      for (unsigned to = 0; to < 5; to++)
        if (required(spec[s]->shape, from, to))
          b.check_at(s, "transitions of state that were met", from * 10 + to, around[s].transitions[from] >> to & 1, 1);
    for (unsigned what = 0; what < METS; what++)
      if (is_needed(*spec[s], what))
        b.check_at(s, "situations that were met", what, around[s].met >> what & 1, 1);
    delete spec[s];
  }
  return b.report();
}
