// SPDX-License-Identifier: Apache-2.0
// switch_tb.cpp - what a switch says about itself: rtl/ut_switch.v, error_o, discard_o and idle_o.
//
// Under illegal traffic each rule of the protocol, broken at each VC or port, makes the bit of that VC rise, no other
// one, and error_o stay until a reset; legal traffic none.  Two rules cannot be broken from outside: a pop from an
// empty buffer, and a front flit of an idle VC that is no head where another rule has not been broken before.  There
// registers of the switch are spoilt.
#include "Vswitch_tb.h"
#include "Vswitch_tb___024root.h"
#include "blocks.hpp"

enum { IN_RST, IN_IN_UP, IN_OUT_UP, IN_VALID, IN_VC, IN_KIND, IN_DST, IN_CREDIT, IN_WORDS };
enum { OUT_ERROR, OUT_IN_VC, OUT_OUT_VC, OUT_IN_PORT, OUT_VALID, OUT_SAYS, OUT_WORDS };
enum { P = 4, V = 3, DEPTH = 4, PACKET = 2, ALL = (1 << P) - 1, LEGAL_CYCLES = 4000 };

static Bench<Vswitch_tb, 1, IN_WORDS, OUT_WORDS> b("switch");
static unsigned fired, rules;

static void fail(const char *what, unsigned port, unsigned vc) {
  std::printf("switch: %s at port %u, VC %u: error_o %u, input VCs 0x%x, output VCs 0x%x, input ports 0x%x\n", what,
              port, vc, b.out(0)[OUT_ERROR], b.out(0)[OUT_IN_VC], b.out(0)[OUT_OUT_VC], b.out(0)[OUT_IN_PORT]);
  std::exit(1);
}

static unsigned discards() {
  return b.out(0)[OUT_SAYS] & ALL;
}
static bool is_idle() {
  return b.out(0)[OUT_SAYS] >> P & 1;
}

// One cycle; what was set holds for it alone.  Whoever is idle says nothing.
static void cycle() {
  b.clock();
  uint32_t *in = b.in(0);
  in[IN_RST] = in[IN_VALID] = in[IN_CREDIT] = 0;
  b.settle();
  const unsigned sent = b.out(0)[OUT_VALID];
  if (is_idle())
    b.check(0, "what leaves an idle switch", (sent & ALL) | sent >> 12 | discards(), 0);
}

static bool silent() {
  return !b.out(0)[OUT_ERROR] && !b.out(0)[OUT_IN_VC] && !b.out(0)[OUT_OUT_VC] && !b.out(0)[OUT_IN_PORT];
}
static void legal(const char *what, unsigned port, unsigned vc) {
  b.settle();
  if (!silent())
    fail(what, port, vc);
  cycle();
}

static void put(unsigned port, unsigned value, uint32_t &field) { // two bits a port
  field = (field & ~(3u << 2 * port)) | value << 2 * port;
}
static void flit(unsigned port, unsigned vc, unsigned kind, unsigned dst) {
  uint32_t *in = b.in(0);
  in[IN_VALID] |= 1u << port;
  put(port, vc, in[IN_VC]);
  put(port, kind, in[IN_KIND]);
  in[IN_DST] = (in[IN_DST] & ~(255u << 8 * port)) | dst << 8 * port;
}

// Out of reset, links up, all space told of: then the switch is idle.
static void reset() {
  uint32_t *in = b.in(0);
  std::memset(in, 0, IN_WORDS * sizeof *in);
  in[IN_RST] = 1;
  cycle();
  b.check(0, "discard_o after a reset", discards(), 0);
  in[IN_IN_UP] = in[IN_OUT_UP] = ALL;
  legal("a link that comes up", 0, 0);
  b.check(0, "idle_o with links that have come up", is_idle(), false);
  for (unsigned i = 0; i < 2 + DEPTH; i++)
    legal("a link that has come up", 0, 0);
  b.check(0, "idle_o with nothing to do", is_idle(), true);
}

// What is set breaks a rule: these bits rise in this cycle, or in one of the next ones, and error_o behind them.
static void broken(const char *what, unsigned port, unsigned vc, uint32_t in_vc, uint32_t out_vc, uint32_t in_port,
                   unsigned within = 1) {
  b.settle();
  while (silent() && --within)
    cycle();
  const uint32_t *out = b.out(0);
  if (out[OUT_IN_VC] != in_vc || out[OUT_OUT_VC] != out_vc || out[OUT_IN_PORT] != in_port || out[OUT_ERROR])
    fail(what, port, vc);
  for (unsigned i = 0; i < 3; i++) {
    cycle();
    if (!b.out(0)[OUT_ERROR])
      fail(what, port, vc);
  }
  fired++;
  reset();
}

// ---- rules of what arrives, at an input VC; nothing can leave, for there are no credits

// A terminal, and the port that leads there, for a packet that comes in at a port; nothing from above goes up again.
static unsigned way(unsigned port) {
  return port < 2 ? 2 : 0;
}

static uint32_t bit_of(unsigned port, unsigned vc) {
  return 1u << (port * V + vc);
}

static void overflow(unsigned i, unsigned v) {
  for (unsigned n = 0; n < DEPTH; n++) {
    flit(i, v, UT_KIND_SINGLE, way(i));
    legal("a flit that has space", i, v);
  }
  flit(i, v, UT_KIND_SINGLE, way(i));
  broken("a flit without space", i, v, bit_of(i, v), 0, 1u << i);
}
static void no_head(unsigned i, unsigned v, unsigned kind) {
  flit(i, v, UT_KIND_SINGLE, way(i));
  legal("a packet that waits", i, v);
  flit(i, v, kind, way(i));
  broken("a flit without a head", i, v, bit_of(i, v), 0, 1u << i);
}
static void body(unsigned i, unsigned v) {
  no_head(i, v, UT_KIND_BODY);
}
static void tail(unsigned i, unsigned v) {
  no_head(i, v, UT_KIND_TAIL);
}
static void second_head(unsigned i, unsigned v) {
  flit(i, v, UT_KIND_HEAD, way(i));
  legal("a head", i, v);
  flit(i, v, UT_KIND_HEAD, way(i));
  broken("a head inside a packet", i, v, bit_of(i, v), 0, 1u << i);
}
static void unknown_vc(unsigned i, unsigned v) {
  if (v > 0)
    return;
  flit(i, V, UT_KIND_SINGLE, way(i));
  broken("a flit of no VC", i, V, 0, 0, 1u << i);
}

// ---- rules of credits, at an output VC

static void credit(unsigned o, unsigned v) {
  b.in(0)[IN_CREDIT] = bit_of(o, v);
}
static void one_credit_more(unsigned o, unsigned v) {
  for (unsigned n = 0; n < DEPTH; n++) {
    credit(o, v);
    legal("a credit", o, v);
  }
  credit(o, v);
  broken("a credit too many", o, v, 0, bit_of(o, v), 0);
}
// There is space for the longest packet, and a longer one comes.
static void too_long(unsigned o, unsigned v) {
  static const unsigned kinds[] = {UT_KIND_HEAD, UT_KIND_BODY, UT_KIND_TAIL};
  for (unsigned n = 0; n < 2; n++) {
    credit(o, v);
    legal("a credit", o, v);
  }
  for (unsigned n = 0; n < 2; n++) {
    flit(o == 0, 1, kinds[n], o < 2 ? o : 2);
    legal("a packet", o, v);
  }
  flit(o == 0, 1, UT_KIND_TAIL, 2);
  broken("a packet that is too long", o, v, 0, bit_of(o, v), 0, 8);
}

// ---- rules that the switch keeps by itself

#define REGISTER(i, v, name)                                                                                           \
  b.top.rootp                                                                                                          \
      ->switch_tb__DOT__u_dut__DOT__g_in__BRA__##i##__KET____DOT__u_input__DOT__g_vc__BRA__##v##__KET____DOT__u_vc##name
#define OF_VC(i, v)                                                                                                    \
  if (port == i && vc == v)                                                                                            \
    (count ? REGISTER(i, v, __DOT__u_fifo__DOT__count_q) : REGISTER(i, v, __DOT__open_q)) = !count;
#define OF_PORT(i) OF_VC(i, 0) OF_VC(i, 1) OF_VC(i, 2)
// Of its buffer the count becomes 0; or a packet has begun to arrive.
static void spoil(unsigned port, unsigned vc, bool count) {
  OF_PORT(0) OF_PORT(1) OF_PORT(2) OF_PORT(3)
}

// The count of a buffer whose packet waits is lost; then it is granted.
static void empty(unsigned i, unsigned v) {
  flit(i, v, UT_KIND_SINGLE, way(i));
  for (unsigned n = 0; n < 3; n++)
    legal("a packet that waits", i, v);
  spoil(i, v, true);
  for (unsigned n = 0; n < 2; n++) {
    credit(way(i), 0);
    cycle();
  }
  for (unsigned n = 0; n < 3; n++)
    cycle();
  if (!b.out(0)[OUT_ERROR])
    fail("a pop from an empty buffer", i, v);
  fired++;
  reset();
}
// A VC without a packet believes that one has begun to arrive; then its tail comes.
static void forgotten(unsigned i, unsigned v) {
  spoil(i, v, false);
  legal("a packet that never was", i, v);
  flit(i, v, UT_KIND_TAIL, way(i));
  legal("its tail", i, v);
  broken("a front flit that is no head", i, v, bit_of(i, v), 0, 1u << i);
}

// ---- what leaves without an error

// A packet for a terminal whose link is down is discarded, and the input port says so for one cycle.
static void discarded(unsigned port, bool with_reset) {
  b.in(0)[IN_OUT_UP] = ALL & ~1u;
  cycle();
  b.check(0, "idle_o with a link that has gone down", is_idle(), false);
  cycle();
  cycle();
  b.check(0, "idle_o with a link that is down", is_idle(), true);
  flit(port, 0, UT_KIND_SINGLE, 0);
  cycle();
  b.check(0, "idle_o with a flit", is_idle(), false);
  b.check(0, "discard_o with a flit", discards(), 0);
  b.in(0)[IN_RST] = with_reset;
  cycle();
  b.check(0, "discard_o", discards(), with_reset ? 0 : 1u << port);
  cycle();
  b.check(0, "discard_o, a cycle later", discards(), 0);
  reset();
}
// A flit leaves after its input link has gone down: its output register is all that keeps the switch awake.
static void last_flit(unsigned port) {
  flit(port, 0, UT_KIND_SINGLE, 1);
  cycle();
  b.in(0)[IN_IN_UP] = 0;
  cycle();
  cycle();
  for (unsigned i = 0; i < PACKET; i++) {
    b.in(0)[IN_CREDIT] = (1u << P * V) - 1;
    cycle();
  }
  cycle();
  b.check(0, "out_valid_o", b.out(0)[OUT_VALID] & ALL, 2);
  b.check(0, "idle_o with a flit on its way out", is_idle(), false);
  cycle();
  b.check(0, "idle_o when it has left", is_idle(), true);
  reset();
}
// A link that changes in a reset is no news after it.
static void changed_in_reset() {
  b.in(0)[IN_RST] = 1;
  b.in(0)[IN_IN_UP] = b.in(0)[IN_OUT_UP] = 0;
  cycle();
  b.check(0, "idle_o after a reset", is_idle(), true);
  reset();
}

static void legal_traffic() {
  unsigned space[P][V], pending[P][V] = {}, left[P] = {}, vc[P] = {}, flits = 0;
  for (unsigned i = 0; i < P; i++)
    for (unsigned v = 0; v < V; v++)
      space[i][v] = DEPTH, pending[i][v] = DEPTH;
  for (unsigned c = 0; c < LEGAL_CYCLES; c++) {
    for (unsigned i = 0; i < P; i++) {
      const bool head = left[i] == 0;
      if (head && b.random.chance(50)) {
        vc[i] = b.random.below(V);
        left[i] = space[i][vc[i]] >= 2 ? 2 : 0;
      }
      if (!left[i] || (!head && b.random.chance(20)))
        continue;
      flit(i, vc[i], head ? UT_KIND_HEAD : UT_KIND_TAIL, b.random.below(i < 2 ? 4 : 2));
      left[i]--;
      space[i][vc[i]]--;
    }
    for (unsigned o = 0; o < P; o++)
      for (unsigned v = 0; v < V; v++)
        if (pending[o][v] && b.random.chance(60)) {
          b.in(0)[IN_CREDIT] |= bit_of(o, v);
          pending[o][v]--;
        }
    legal("legal traffic", 0, 0);
    const uint32_t *out = b.out(0);
    for (unsigned o = 0; o < P; o++) {
      if (out[OUT_VALID] >> o & 1) {
        pending[o][out[OUT_VALID] >> (4 + 2 * o) & 3]++;
        flits++;
      }
      for (unsigned v = 0; v < V; v++)
        space[o][v] += out[OUT_VALID] >> (12 + o * V + v) & 1;
    }
  }
  if (flits < LEGAL_CYCLES) {
    std::printf("switch: only %u flits of legal traffic\n", flits);
    std::exit(1);
  }
}

int main() {
  static void (*const break_rule[])(unsigned port, unsigned vc) = {
      overflow, body, tail, second_head, unknown_vc, one_credit_more, too_long, empty, forgotten};
  b.name(0, "fat tree, 4 ports, 3 VCs");
  reset();
  legal_traffic();
  reset();
  changed_in_reset();
  for (unsigned port = 0; port < P; port++) {
    discarded(port, false);
    discarded(port, true);
    last_flit(port);
  }
  for (auto rule : break_rule) {
    rules++;
    for (unsigned port = 0; port < P; port++)
      for (unsigned vc = 0; vc < V; vc++)
        rule(port, vc);
  }
  // eight rules of a VC, one of a port
  if (rules != 9 || fired != 8 * P * V + P) {
    std::printf("switch: %u rules of 9, broken %u times of %u\n", rules, fired, 8 * P * V + P);
    return 1;
  }
  std::printf("switch fat tree, 4 ports, 3 VCs: %u rules broken %u times, each by itself; %u legal cycles silent\n",
              rules, fired, (unsigned)LEGAL_CYCLES);
  b.top.final();
  return 0;
}
