// errors_tb.cpp - the error logic of rtl/ut_switch.v under illegal traffic: each rule of the protocol, broken at each
// VC or port, makes the bit of that VC rise, no other one, and error_o stay until a reset; legal traffic none.
//
// Two rules cannot be broken from outside: a pop from an empty buffer, and a front flit of an idle VC that is no head
// where another rule has not been broken before.  There registers of the switch are spoilt.
#include "Verrors_tb.h"
#include "Verrors_tb___024root.h"
#include "blocks.hpp"

enum { IN_RST, IN_UP, IN_VALID, IN_VC, IN_KIND, IN_DST, IN_CREDIT, IN_WORDS };
enum { OUT_ERROR, OUT_IN_VC, OUT_OUT_VC, OUT_IN_PORT, OUT_VALID, OUT_WORDS };
enum { P = 4, V = 3, DEPTH = 4, LEGAL_CYCLES = 4000 };

static Bench<Verrors_tb, 1, IN_WORDS, OUT_WORDS> b("errors");
static unsigned fired, rules;

static void fail(const char *what, unsigned port, unsigned vc) {
  std::printf("errors: %s at port %u, VC %u: error_o %u, input VCs 0x%x, output VCs 0x%x, input ports 0x%x\n", what,
              port, vc, b.out(0)[OUT_ERROR], b.out(0)[OUT_IN_VC], b.out(0)[OUT_OUT_VC], b.out(0)[OUT_IN_PORT]);
  std::exit(1);
}

// One cycle; what was set holds for it alone.
static void cycle() {
  b.clock();
  uint32_t *in = b.in(0);
  in[IN_VALID] = in[IN_CREDIT] = 0;
  b.settle();
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

// Out of reset, links up, all room told of.
static void reset() {
  uint32_t *in = b.in(0);
  std::memset(in, 0, IN_WORDS * sizeof *in);
  in[IN_RST] = 1;
  cycle();
  in[IN_RST] = 0;
  in[IN_UP] = (1u << P) - 1;
  for (unsigned i = 0; i < 2 + DEPTH; i++)
    legal("a link that comes up", 0, 0);
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
    legal("a flit that has room", i, v);
  }
  flit(i, v, UT_KIND_SINGLE, way(i));
  broken("a flit without room", i, v, bit_of(i, v), 0, 1u << i);
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
// There is room for the longest packet, and a longer one comes.
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
      ->errors_tb__DOT__u_dut__DOT__g_in__BRA__##i##__KET____DOT__u_input__DOT__g_vc__BRA__##v##__KET____DOT__u_vc##name
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

// ---- legal traffic

static void legal_traffic() {
  unsigned room[P][V], owed[P][V] = {}, left[P] = {}, vc[P] = {}, flits = 0;
  for (unsigned i = 0; i < P; i++)
    for (unsigned v = 0; v < V; v++)
      room[i][v] = DEPTH, owed[i][v] = DEPTH;
  for (unsigned c = 0; c < LEGAL_CYCLES; c++) {
    for (unsigned i = 0; i < P; i++) {
      const bool head = left[i] == 0;
      if (head && b.random.chance(50)) {
        vc[i] = b.random.below(V);
        left[i] = room[i][vc[i]] >= 2 ? 2 : 0;
      }
      if (!left[i] || (!head && b.random.chance(20)))
        continue;
      flit(i, vc[i], head ? UT_KIND_HEAD : UT_KIND_TAIL, b.random.below(i < 2 ? 4 : 2));
      left[i]--;
      room[i][vc[i]]--;
    }
    for (unsigned o = 0; o < P; o++)
      for (unsigned v = 0; v < V; v++)
        if (owed[o][v] && b.random.chance(60)) {
          b.in(0)[IN_CREDIT] |= bit_of(o, v);
          owed[o][v]--;
        }
    legal("legal traffic", 0, 0);
    const uint32_t *out = b.out(0);
    for (unsigned o = 0; o < P; o++) {
      if (out[OUT_VALID] >> o & 1) {
        owed[o][out[OUT_VALID] >> (4 + 2 * o) & 3]++;
        flits++;
      }
      for (unsigned v = 0; v < V; v++)
        room[o][v] += out[OUT_VALID] >> (12 + o * V + v) & 1;
    }
  }
  if (flits < LEGAL_CYCLES) {
    std::printf("errors: only %u flits of legal traffic\n", flits);
    std::exit(1);
  }
}

int main() {
  static void (*const break_rule[])(unsigned port, unsigned vc) = {
      overflow, body, tail, second_head, unknown_vc, one_credit_more, too_long, empty, forgotten};
  reset();
  legal_traffic();
  reset();
  for (auto rule : break_rule) {
    rules++;
    for (unsigned port = 0; port < P; port++)
      for (unsigned vc = 0; vc < V; vc++)
        rule(port, vc);
  }
  // eight rules of a VC, one of a port
  if (rules != 9 || fired != 8 * P * V + P) {
    std::printf("errors: %u rules of 9, broken %u times of %u\n", rules, fired, 8 * P * V + P);
    return 1;
  }
  std::printf("errors fat tree, 4 ports, 3 VCs: %u rules broken %u times, each by itself; %u legal cycles silent\n",
              rules, fired, (unsigned)LEGAL_CYCLES);
  b.top.final();
  return 0;
}
