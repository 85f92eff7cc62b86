// input_port_tb.cpp - rtl/ut_input_port.v with ut_input_vc.v, ut_fifo.v and ut_rr_arbiter.v against
// csim/switch/input_unit.h
//
// The golden switch does its cycle with its own functions, calm or not, but for three things that are random here: what
// the route unit answers, which bids are granted, which requests cross.  The sender at the other end of the link obeys
// the flow control, and loses its packet when the link goes down.
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
  OUT_TURN,
  OUT_TAG, // from here on by VC
  OUT_CAND = OUT_TAG + VCS,
  OUT_BUBBLE = OUT_CAND + VCS,
  OUT_PREFERRED = OUT_BUBBLE + VCS,
  OUT_TARGET = OUT_PREFERRED + VCS,
  OUT_STATE = OUT_TARGET + VCS,
  OUT_CAND_Q = OUT_STATE + VCS,
  OUT_OPEN_OWED = OUT_CAND_Q + VCS,
  OUT_POINTERS = OUT_OPEN_OWED + VCS,
  OUT_COUNT = OUT_POINTERS + VCS,
  OUT_MORE = OUT_COUNT + VCS, // {wait_q, cross_q, promoted_q, depends_q, dead: the link is down or a tail due}
  OUT_DATA = OUT_MORE + VCS,  // 4 words a row
  OUT_SLOT = OUT_DATA + 4 * VCS,
  OUT = OUT_SLOT + 4 * VCS * SLOTS,
  IP = 1 // where in the golden switch
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
  MET_ORPHAN,        // ... and a bad tail came in its place
  MET_CUT_HEAD,      // the output link went down before the packet had begun to leave
  MET_BAD_TAIL,      // the input link went down in the middle of a packet
  MET_TAIL_DUE,      // ... and there was no room for the tail
  MET_TOLD,          // free space was advertised
  MET_PURGED,        // a head that waited from one purge to the next was discarded
  MET_CROSS_CUT,     // the output link of a flit that had won went down before it crossed
  MET_STATE_CHANGED, // only candidate sets that depend on it became stale
  METS
};

// The side of one shape that is not the golden model: the route unit and the sender.
struct Around {
  Random *random;
  ut_mask ever;            // output ports that the route unit can ever name
  ut_mask routed;          // VCs routed in this cycle: one or none
  uint64_t header;         // of it
  ut_route_result r;       // the answer
  unsigned have[VCS];      // credits
  unsigned left[VCS];      // flits of the packet that have not been sent
  bool began[VCS];         // its head has
  ut_mask out_up;          // link_up of the output ports
  unsigned transitions[5]; // by state, to states
  bool unusual, calm;      // as ut_block_step() decides it; cycles of both kinds were met
  unsigned met;
};

static Around *asked; // whose route unit it is

static void answer(const ut_group *g, const ut_switch *s, uint64_t header, unsigned ip, unsigned ivc,
                   ut_route_result *r) {
  Around *a = asked;
  Random &random = *a->random;
  const unsigned v = g->shape.v;
  bool tail = ut_reg_peek(g, s, ip, ivc, 0)[g->form.words] & UT_KIND_TAIL;
  ut_mask up = s->out_up & a->ever;
  *r = {};
  r->strip = g->form.strips && !tail && random.chance(30);
  r->discard = !r->strip && (!up || random.chance(10));
  const unsigned alike = g->form.alike, whole = random.below(v);
  for (unsigned o = 0; o < v; o++) {
    if (o && o < alike) // a promise of the algorithm
      r->cand[o] = r->cand[0];
    else
      r->cand[o] = up & (o == (whole < alike ? 0 : whole) ? ~0u : random.mask());
    r->bubble[o] = random.mask() & r->cand[o];
    r->preferred[o] = random.mask() & r->cand[o];
  }
  r->set = random.mask() & g->all_out;
  r->rt = random.word() & 0xffffff;
  r->uses_state = random.chance(50);
  a->routed = ut_bit(ivc);
  a->header = header;
  a->r = *r;
}

// The answer as rtl/route_answer.vh packs it, for four output ports.
static void pack(const ut_route_result &r, unsigned v, uint32_t *words) {
  unsigned at = 0;
  uint64_t bits[2] = {0, 0};
  auto put = [&](uint64_t value, unsigned width) {
    for (unsigned i = 0; i < width; i++, at++)
      bits[at / 64] |= (value >> i & 1) << at % 64;
  };
  for (const ut_mask *m : {r.cand, r.bubble, r.preferred})
    for (unsigned o = 0; o < v; o++)
      put(m[o], 4);
  put(r.set, 4);
  put(r.rt, 24);
  put(r.strip, 1);
  put(r.discard, 1);
  put(r.uses_state, 1);
  memcpy(words, bits, 12);
}

// A register of input VC (IP, i) that is a set of output ports for each output VC, as one word over (ovc, op).
using Set = ut_mask(const ut_group *, const ut_switch *, unsigned, unsigned, unsigned);
static uint32_t flat(const Golden &m, Set *set, unsigned i) {
  uint32_t all = 0;
  for (unsigned o = 0; o < m.g.shape.v; o++)
    all |= set(&m.g, m.s, IP, i, o) << 4 * o;
  return all;
}

// A flit on the wire, or none: as a sender does that obeys the flow control, and garbage that must not be accepted.
static void send(Around &a, const Golden &m, uint32_t *in, unsigned cycle) {
  Random &random = *a.random;
  const ut_shape &p = m.g.shape;
  const bool up = ut_reg_in_up(&m.g, m.s) >> IP & 1;
  in[IN_KIND] = random.below(4);
  in[IN_BAD] = random.below(2);
  in[IN_VC] = random.below(p.v);
  in[IN_VALID] = random.chance(50);
  if (!up)
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

// What must hold within the golden model.
static void b_check(const Golden &m, bool holds) {
  if (holds)
    return;
  std::printf("input_port: V=%u DEPTH=%u: the golden model contradicts itself\n", m.g.shape.v, m.g.shape.depth);
  std::exit(1);
}

// One cycle of the golden model, as ut_block_step() does it; what is random in it goes into the RTL's inputs.
static Expected step(Golden &m, Around &a, uint32_t *in) {
  const ut_form &x = m.g.form;
  const unsigned v = x.v;
  ut_switch *s = m.s;
  Random &random = *a.random;
  ut_work work, *w = &work;
  uint64_t granted[UT_SET_WORDS] = {}, ready[UT_SET_WORDS] = {}, cross[UT_SET_WORDS] = {}, lost[UT_SET_WORDS];
  ut_mask here = ut_bit(IP);
  uint8_t before[VCS];
  Expected e = {};
  auto met = [&](unsigned what, bool did) { a.met |= (unsigned)did << what; };
  auto lane = [&](unsigned port, unsigned vc) { return golden_in_block(&m, port, vc); };

  if (random.below(12) == 0)
    a.out_up = random.chance(50) ? m.g.all_out : random.mask() & m.g.all_out;
  const bool stale_state = random.chance(6), purge = random.chance(10);
  const bool up = ut_reg_in_up(&m.g, s) & here;
  for (unsigned i = 0; i < v; i++)
    golden_set_ports(&m, golden_set(&m, UT_S_STALE_STATE), i, stale_state ? ~0u : 0);
  in[IN_PURGE] = purge;
  if (x.states)
    ut_node_states_of(&m.g, s)->purge = purge;
  in[IN_STALE_LINK] = ut_reg_stale_link(&m.g, s);
  in[IN_STALE_STATE] = stale_state;
  in[IN_OUT_UP] = s->out_up;
  in[IN_SENDABLE] = in[IN_GRANT] = in[IN_POP] = in[IN_PICK] = 0;
  uint32_t crossing = 0, crossed = 0; // output VCs, input VCs
  for (unsigned i = 0; i < v; i++)
    if (ut_reg_cross(&m.g, s, IP, i))
      crossing |= UINT32_C(1) << (4 * ut_reg_out_vc(&m.g, s, IP, i) + ut_reg_out_port(&m.g, s, IP, i));
  // nothing is out of the ordinary, and a network takes off the wires what comes while a link is down
  const bool calm = !a.unusual && !stale_state && !(purge && x.states) && up && in[IN_LINK_UP] && a.out_up == s->out_up;
  a.calm |= calm;
  for (unsigned o = 0; o < v; o++)
    for (unsigned op = 0; op < 4; op++) {
      bool credit = !x.wormhole || crossing >> (4 * o + op) & 1 || random.chance(80);
      ut_set_credits(&m.g, s, op, o, credit ? m.g.shape.depth : 0);
      in[IN_SENDABLE] |= (uint32_t)(credit && s->out_up >> op & 1) << (4 * o + op);
    }
  ut_mask want = 0;
  for (unsigned i = 0; i < v; i++) {
    const bool cut = ut_reg_cut(&m.g, s, IP, i), open = ut_reg_open(&m.g, s, IP, i), dead = !up || cut;
    const bool credit = ut_reg_credit(&m.g, s, IP, i), owing = ut_reg_owed(&m.g, s, IP, i) > 0;
    const unsigned count = ut_reg_count(&m.g, s, IP, i);
    before[i] = (uint8_t)ut_reg_state(&m.g, s, IP, i);
    e.busy |= count || credit || (dead ? open : owing);
    e.credit |= (uint32_t)credit << i;
    const bool wants = before[i] == UT_VC_STATE_IDLE && count;
    want |= (uint32_t)wants << i;
    met(MET_BAD_TAIL, dead && open);
    met(MET_TAIL_DUE, cut);
    met(MET_TOLD, !dead && owing);
    met(MET_STATE_CHANGED,
        stale_state && !in[IN_STALE_LINK] && before[i] == UT_VC_STATE_WAITING && !ut_reg_depends(&m.g, s, IP, i));
    met(MET_ORPHAN, wants && ut_reg_promoted(&m.g, s, IP, i) && !ut_reg_front_is_head(&m.g, s, IP, i));
  }
  met(MET_TWO_WANT, want & (want - 1));

  golden_begin(&m, w, calm);
  for (unsigned i = 0; i < x.sets; i++) {
    w->send[i] = w->active[i] = golden_set(&m, UT_S_ACTIVE)[i];
    w->drain[i] = golden_set(&m, UT_S_DRAIN)[i];
    golden_set(&m, UT_S_DISCARD)[i] = 0;
  }
  a.routed = 0;
  asked = &a;
  ut_input_route(w, answer, x);
  if (x.states && !calm)
    met(MET_PURGED, ut_node_states_of(&m.g, s)->purged[0] | ut_node_states_of(&m.g, s)->purged[1]);
  if (!a.routed) { // nobody listens to the route unit
    ut_mask none = s->out_up;
    s->out_up = m.g.all_out;
    answer(&m.g, s, 0, IP, 0, &a.r);
    s->out_up = none;
    a.routed = 0;
  } else if (a.r.strip) {
    met(ut_has(w->popped, lane(IP, ut_first(a.routed)), x.sets) ? MET_STRIP : MET_STRIP_WAITS, true);
  }
  pack(a.r, v, in + IN_ANSWER);

  for (unsigned i = 0; i < v; i++) { // what the VC allocator may do
    in[IN_CHOICE + i] = random.word() & ut_mask_all(4 * v);
    if (!ut_has(w->bid, lane(IP, i), x.sets))
      continue;
    e.bid |= ut_bit(i);
    e.cand[i] = flat(m, ut_reg_cand, i);
    e.bubble[i] = flat(m, ut_reg_bubble, i);
    e.preferred[i] = flat(m, ut_reg_preferred, i);
    uint32_t fit = e.cand[i] & in[IN_SENDABLE];
    if (!fit || random.chance(50))
      continue;
    unsigned n = random.below(4 * v);
    while (!(fit >> n & 1))
      n = (n + 1) % (4 * v);
    ut_vc_give(w, lane(IP, i), lane(n % 4, n / 4), x);
    ut_put(granted, lane(IP, i), x.sets);
    in[IN_GRANT] |= ut_bit(i);
    in[IN_CHOICE + i] = UINT32_C(1) << n;
  }
  for (unsigned i = 0; i < x.sets; i++) {
    golden_set(&m, UT_S_WAITING)[i] &= ~granted[i];
    golden_set(&m, UT_S_ACTIVE)[i] |= granted[i];
    w->send[i] |= x.alloc_cycles == 1 ? granted[i] : 0;
  }
  if (!calm)
    ut_input_cut(w, x);
  for (unsigned i = 0; i < v; i++) {
    met(MET_CUT_HEAD, before[i] == UT_VC_STATE_ACTIVE && ut_reg_state(&m.g, s, IP, i) == UT_VC_STATE_IDLE);
    const unsigned op = ut_reg_out_port(&m.g, s, IP, i), ovc = ut_reg_out_vc(&m.g, s, IP, i), n = lane(IP, i);
    const bool going = ut_has(w->send, n, x.sets) && ut_has(golden_set(&m, UT_S_OCCUPIED), n, x.sets);
    if (!going)
      continue;
    b_check(m, ut_may_send(w, n, x) == (in[IN_SENDABLE] >> (4 * ovc + op) & 1));
    if (ut_may_send(w, n, x))
      ut_put(ready, n, x.sets);
  }
  if (x.xbar_cycles)
    ut_switch_cross(w, ready, cross, x);
  for (unsigned i = 0; i < v; i++)
    crossed |= (uint32_t)ut_has(cross, lane(IP, i), x.sets) << i;
  for (unsigned i = 0; i < v; i++)
    if (ut_has(ready, lane(IP, i), x.sets)) {
      e.request |= ut_bit(i);
      e.target[i] = ut_bit(ut_reg_out_port(&m.g, s, IP, i));
    }
  const bool one = v > 1 && !x.per_vc; // one crossbar input for the port
  in[IN_PICK] = e.request;
  if (one && e.request) {
    unsigned i = random.below(v);
    while (!(e.request >> i & 1))
      i = (i + 1) % v;
    in[IN_PICK] = ut_bit(i);
  }
  in[IN_POP] = in[IN_PICK] & (random.chance(40) ? ~0u : random.mask());
  met(MET_CROSS_CUT, (crossing != 0) > (crossed != 0));
  UT_FOR_EACH (i, x.xbar_cycles ? crossed : in[IN_POP]) { // what the switch allocator may do, or did
    const unsigned op = ut_reg_out_port(&m.g, s, IP, i), ovc = ut_reg_out_vc(&m.g, s, IP, i);
    const uint32_t from = golden_lane(&m, op, ovc);
    ut_traverse(w, lane(IP, i), lane(op, ovc), x);
    ut_put(w->popped, lane(IP, i), x.sets);
    const uint64_t *out = ut_wires_flit(&m.wires, m.wires.to[from], ut_position_at(m.wires.send, from, x.wide));
    const unsigned row = one ? 0 : i;
    e.popped |= ut_bit(row);
    e.way[i] = ut_bit(op);
    e.tag[row] = ut_bit(ovc) << 3 | ut_flit_tag(out[x.words]);
    memcpy(e.data[row], out, 8 * x.words);
    b_check(m, m.c.flits_later[m.wires.to[from]] == (ut_flit_tag(out[x.words]) | UT_COMES));
  }
  for (unsigned i = 0; x.xbar_cycles && i < v; i++)
    ut_set_bit(&m.g, s, UT_S_CROSS, IP, i, in[IN_POP] >> i & 1);
  for (unsigned i = 0; i < x.sets; i++) {
    golden_set(&m, UT_S_ACTIVE)[i] &= ~w->ended[i];
    golden_set(&m, UT_S_SAVED)[i] &= ~w->left[i];
  }
  if (!calm)
    ut_input_drain(w, x);
  for (unsigned i = 0; i < v; i++)
    a.transitions[before[i]] |= ut_bit(ut_reg_state(&m.g, s, IP, i));

  if (in[IN_VALID]) {
    uint64_t flit[3];
    memcpy(flit, in + IN_DATA, 8 * x.words);
    flit[x.words] = ut_flit_meta(in[IN_KIND] | (in[IN_BAD] ? UT_BAD : 0), in[IN_VC]);
    golden_arrive(&m, IP, in[IN_VC], flit);
  }
  m.in_up = in[IN_LINK_UP] << IP;
  m.out_up = a.out_up;
  if (!calm) {
    ut_block_lose(w, m.c.flits + w->lane, x);
    ut_output_lost(w, lost, x);
  }
  for (unsigned i = 0; i < x.sets; i++)
    golden_set(&m, UT_S_CREDIT)[i] = w->popped[i];
  golden_end(&m, w);
  a.unusual = false;
  if (!calm) {
    ut_input_mend(w, x);
    UT_FOR_EACH_LANE (n, golden_set(&m, UT_S_CREDIT), x.sets)
      ut_input_return(w, n);
    ut_block_update_links(w, x);
    a.unusual = ut_block_is_unusual(w->b, x);
  } else {
    for (unsigned i = 0; i < x.sets; i++)
      a.unusual |= golden_set(&m, UT_S_DISCARD)[i] != 0;
  }
  for (unsigned i = 0; i < v; i++) { // the other end of the link
    b_check(m, m.c.credits_later[golden_far(&m, IP, i)] == (ut_reg_credit(&m.g, s, IP, i) ? 0xff : 0));
    if (!up)
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

int main() {
  static Bench<Vinput_port_tb, S, IN, OUT> b("input_port");
  static Around around[S] = {};
  static Expected expected[S];
  Golden *golden[S];
  for (unsigned s = 0; s < S; s++) {
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
    golden[s] = new Golden(p);
    around[s].random = &b.random;
    around[s].ever = s % 2 ? 13 : 15;
    golden[s]->g.route = answer;
    b.name(s, "V=%u DEPTH=%u W=%u ROUTE_CYCLES=%u ALLOC_CYCLES=%u XBAR_CYCLES=%u %s", p.v, p.depth, p.w, p.route_cycles,
           p.alloc_cycles, p.xbar_cycles, p.switching ? "wormhole" : "VCT");
  }
  for (unsigned c = 0; c < CYCLES; c++) {
    for (unsigned s = 0; s < S; s++) {
      Golden &m = *golden[s];
      uint32_t *in = b.in(s);
      in[IN_RST] = c == 0 || b.random.below(512) == 0;
      in[IN_LINK_UP] = in[IN_LINK_UP] ? b.random.below(100) != 0 : b.random.chance(30);
      in[IN_EVER] = around[s].ever;
      for (unsigned w = 0; w < 4; w++)
        in[IN_DATA + w] = b.random.word();
      send(around[s], m, in, c);
      if (c > 0 && b.random.chance(3)) { // the error flag, without a clock edge
        uint32_t saved[IN];
        memcpy(saved, in, sizeof saved);
        in[IN_VALID] = 1;
        in[IN_KIND] = b.random.below(4);
        in[IN_GRANT] = in[IN_POP] = 0;
        const unsigned vc = in[IN_VC];
        bool accepted = in[IN_LINK_UP] && ut_reg_in_up(&m.g, m.s) >> IP & 1;
        bool open = ut_reg_open(&m.g, m.s, IP, vc);
        bool full = ut_reg_count(&m.g, m.s, IP, vc) == m.g.shape.depth;
        in[IN_OUT_UP] = m.s->out_up;
        b.settle();
        b.check(s, "error_o", b.out(s)[OUT_ERROR], accepted && (full || open == (in[IN_KIND] & UT_KIND_HEAD)));
        memcpy(in, saved, sizeof saved);
      }
      expected[s] = step(m, around[s], in);
    }
    b.settle();
    for (unsigned s = 0; s < S; s++) {
      Golden &m = *golden[s];
      const uint32_t *in = b.in(s), *out = b.out(s);
      const Around &a = around[s];
      const Expected &e = expected[s];
      if (c > 0) {
        b.check(s, "credit_o", out[OUT_CREDIT], e.credit);
        b.check(s, "bid_ivc_o", out[OUT_BID], e.bid);
        b.check(s, "request_ivc_o", out[OUT_REQUEST], e.request);
        b.check(s, "routed", out[OUT_ROUTED], a.routed);
        b.check(s, "set_o", out[OUT_SET], a.routed ? a.r.set : 0);
        b.check(s, "discard_o", out[OUT_DISCARD], ut_reg_discard(&m.g, m.s) >> IP & 1);
        b.check(s, "busy_o", out[OUT_BUSY], e.busy);
        b.check(s, "error_o", out[OUT_ERROR], 0);
        if (a.routed) {
          b.check(s, "header, low", out[OUT_HEADER], (uint32_t)a.header);
          b.check(s, "header, high", out[OUT_HEADER + 1], a.header >> 32);
        }
        UT_FOR_EACH (i, e.bid) {
          b.check_at(s, "cand_o", i, out[OUT_CAND + i], e.cand[i]);
          b.check_at(s, "bubble_o", i, out[OUT_BUBBLE + i], e.bubble[i]);
          b.check_at(s, "preferred_o", i, out[OUT_PREFERRED + i], e.preferred[i]);
        }
        UT_FOR_EACH (i, e.request)
          b.check_at(s, "target_o", i, out[OUT_TARGET + i] & 15, e.target[i]);
        for (unsigned i = 0; i < m.g.form.v; i++)
          b.check_at(s, "way_o", i, out[OUT_TARGET + i] >> 4, e.way[i]);
        UT_FOR_EACH (i, e.popped) {
          b.check_at(s, "tag_o", i, out[OUT_TAG + i], e.tag[i]);
          for (unsigned w = 0; w < m.g.form.words; w++) {
            uint64_t word;
            memcpy(&word, out + OUT_DATA + 4 * i + 2 * w, 8);
            b.check_at(s, "data_o", i, word, e.data[i][w]);
          }
        }
      }
      if (in[IN_RST]) {
        m.reset(0);
        around[s].unusual = true;
        memset(around[s].have, 0, sizeof a.have);
        memset(around[s].left, 0, sizeof a.left);
      }
    }
    b.clock();
    for (unsigned s = 0; s < S; s++) {
      Golden &m = *golden[s];
      const uint32_t *out = b.out(s);
      const ut_form &t = m.g.form;
      const unsigned v = t.v;
      b.check(s, "up_q", out[OUT_UP], ut_reg_in_up(&m.g, m.s) >> IP & 1);
      if (v > 1)
        b.check(s, "route arbiter mask", out[OUT_TURN], ut_reg_route_turn(&m.g, m.s, IP));
      for (unsigned i = 0; i < v; i++) {
        b.check_at(s, "state_q", i, out[OUT_STATE + i], ut_reg_state(&m.g, m.s, IP, i));
        b.check_at(s, "cand_q", i, out[OUT_CAND_Q + i], flat(m, ut_reg_cand, i));
        b.check_at(s, "open_q", i, out[OUT_OPEN_OWED + i] & 1, ut_reg_open(&m.g, m.s, IP, i));
        b.check_at(s, "owed_q", i, out[OUT_OPEN_OWED + i] >> 2, ut_reg_owed(&m.g, m.s, IP, i));
        b.check_at(s, "credit_q", i, out[OUT_CREDIT] >> i & 1, ut_reg_credit(&m.g, m.s, IP, i));
        b.check_at(s, "rd_q", i, out[OUT_POINTERS + i] >> 16, ut_reg_rd(&m.g, m.s, IP, i));
        b.check_at(s, "wr_q", i, out[OUT_POINTERS + i] & 0xffff, ut_reg_wr(&m.g, m.s, IP, i));
        b.check_at(s, "count_q", i, out[OUT_COUNT + i], ut_reg_count(&m.g, m.s, IP, i));
        b.check_at(s, "cut_q", i, out[OUT_MORE + i] & 1,
                   !(ut_reg_in_up(&m.g, m.s) >> IP & 1) || ut_reg_cut(&m.g, m.s, IP, i));
        b.check_at(s, "depends_q", i, out[OUT_MORE + i] >> 1 & 1, t.states || ut_reg_depends(&m.g, m.s, IP, i));
        b.check_at(s, "promoted_q", i, out[OUT_MORE + i] >> 2 & 1, ut_reg_promoted(&m.g, m.s, IP, i));
        b.check_at(s, "cross_q", i, out[OUT_MORE + i] >> 3 & 1, ut_reg_cross(&m.g, m.s, IP, i));
        if (m.g.shape.route_cycles > 2)
          b.check_at(s, "wait_q", i, out[OUT_MORE + i] >> 4, ut_reg_wait(&m.g, m.s, IP, i));
        for (unsigned d = 0; d < m.g.shape.depth; d++) {
          const uint64_t *flit = ut_reg_place(&m.g, m.s, IP, i, d);
          const uint32_t *slot = out + OUT_SLOT + 4 * (i * SLOTS + d);
          uint64_t word;
          memcpy(&word, slot, 8);
          b.check_at(s, "data_q", i * SLOTS + d, word, flit[0]);
          b.check_at(s, "tag_q", i * SLOTS + d, slot[3], ut_flit_tag(flit[t.words]));
        }
      }
      b.compared[s]++;
    }
  }
  for (unsigned s = 0; s < S; s++) {
    const ut_form &t = golden[s]->g.form;
    const unsigned met = around[s].met;
    b.check(s, "calm cycles were met", around[s].calm, true);
    for (unsigned from = 0; from < 5; from++)
      for (unsigned to = 0; to < 5; to++)
        if (required(golden[s]->g.shape, from, to))
          b.check_at(s, "transitions of state that were met", from * 10 + to, around[s].transitions[from] >> to & 1, 1);
    for (unsigned what = 0; what < METS; what++) {
      bool needed = what == MET_TWO_WANT                      ? t.v > 1
                    : what == MET_TAIL_DUE                    ? t.wormhole
                    : what == MET_PURGED                      ? t.states
                    : what == MET_CROSS_CUT                   ? t.xbar_cycles
                    : what == MET_STATE_CHANGED               ? t.vector
                    : what >= MET_STRIP && what <= MET_ORPHAN ? t.strips
                                                              : true;
      if (needed)
        b.check_at(s, "situations that were met", what, met >> what & 1, 1);
    }
    delete golden[s];
  }
  return b.report();
}
