// switch_tb.cpp - what a switch says about itself: rtl/ut_switch.v, error_o, discard_o and idle_o.  Nothing that
// lockstep shows raises error_o, and nobody in it reads the other two.
#include "Vswitch_tb.h"
#include "blocks.hpp"

enum {
  S = 1,
  IN = 10,
  OUT = 5,
  P = 4,
  DEPTH = 4,
  PACKET = 2, // credits that a packet needs
  ALL = 15,
  IN_RST = 0,
  IN_STRAPS,
  IN_IN_UP = 3,
  IN_OUT_UP,
  IN_VALID,
  IN_KIND,
  IN_HEADER,
  IN_CREDIT = 9,
  OUT_ERROR = 0,
  OUT_DISCARD,
  OUT_IDLE,
  OUT_VALID,
  OUT_CREDIT
};

static Bench<Vswitch_tb, S, IN, OUT> b("switch");

// One cycle; what is said in it holds for it alone.  Whoever is idle says nothing.
static void cycle() {
  b.settle();
  b.clock();
  b.settle();
  b.in(0)[IN_VALID] = b.in(0)[IN_CREDIT] = b.in(0)[IN_RST] = 0;
  const uint32_t *out = b.out(0);
  if (out[OUT_IDLE])
    b.check(0, "what leaves an idle switch", out[OUT_VALID] | out[OUT_CREDIT] | out[OUT_DISCARD], 0);
  b.compared[0]++;
}

static void cycles(unsigned n) {
  while (n--)
    cycle();
}

static void send(unsigned port, unsigned kind, unsigned destination) {
  b.in(0)[IN_VALID] = 1u << port;
  b.in(0)[IN_KIND] = kind << 2 * port;
  b.in(0)[IN_HEADER] = destination;
  cycle();
}

// All links come up in the cycle after the reset; the switch advertises its buffers, then it is idle.
static void start() {
  b.in(0)[IN_RST] = 1;
  b.in(0)[IN_STRAPS] = 1u << UT_LEVEL_STRAP_STEP_LSB;
  b.in(0)[IN_IN_UP] = b.in(0)[IN_OUT_UP] = 0;
  cycle();
  b.check(0, "error_o after a reset", b.out(0)[OUT_ERROR], 0);
  b.check(0, "discard_o after a reset", b.out(0)[OUT_DISCARD], 0);
  b.in(0)[IN_IN_UP] = b.in(0)[IN_OUT_UP] = ALL;
  cycle();
  b.check(0, "idle_o with links that have come up", b.out(0)[OUT_IDLE], 0);
  cycles(DEPTH + 3);
  b.check(0, "idle_o with nothing to do", b.out(0)[OUT_IDLE], 1);
  b.check(0, "error_o with nothing to do", b.out(0)[OUT_ERROR], 0);
}

static void error_stays(const char *what) {
  b.check(0, what, b.out(0)[OUT_ERROR], 1);
  cycles(DEPTH + 8);
  b.check(0, "error_o that was raised", b.out(0)[OUT_ERROR], 1);
}

int main() {
  b.name(0, "4 ports, fta");
  for (unsigned port = 0; port < P; port++) {
    start();
    send(port, UT_KIND_BODY, 0);
    error_stays("error_o: a body without a head");
    start();
    for (unsigned i = 0; i < DEPTH; i++) {
      b.in(0)[IN_CREDIT] = 1u << port;
      cycle();
    }
    b.check(0, "error_o: all credits", b.out(0)[OUT_ERROR], 0);
    b.in(0)[IN_CREDIT] = 1u << port;
    cycle();
    error_stays("error_o: one credit too many");
  }
  // A packet for a terminal whose link is down is discarded, and the input port says so for one cycle.
  for (unsigned port = 0; port < P; port++)
    for (unsigned reset = 0; reset < 2; reset++) {
      start();
      b.in(0)[IN_OUT_UP] = ALL & ~1u;
      cycle();
      b.check(0, "idle_o with a link that has gone down", b.out(0)[OUT_IDLE], 0);
      cycles(2);
      b.check(0, "idle_o with a link that is down", b.out(0)[OUT_IDLE], 1);
      send(port, UT_KIND_SINGLE, 0);
      b.check(0, "idle_o with a flit", b.out(0)[OUT_IDLE], 0);
      b.check(0, "discard_o with a flit", b.out(0)[OUT_DISCARD], 0);
      b.in(0)[IN_RST] = reset;
      cycle();
      b.check(0, "discard_o", b.out(0)[OUT_DISCARD], reset ? 0 : 1u << port);
      cycle();
      b.check(0, "discard_o, a cycle later", b.out(0)[OUT_DISCARD], 0);
    }
  // A link that changes in a reset is no news after it.
  start();
  b.in(0)[IN_RST] = 1;
  b.in(0)[IN_IN_UP] = b.in(0)[IN_OUT_UP] = 0;
  cycle();
  b.check(0, "idle_o after a reset", b.out(0)[OUT_IDLE], 1);
  // A flit leaves after its input link has gone down: its output register is all that keeps the switch awake.
  for (unsigned port = 0; port < P; port++) {
    start();
    send(port, UT_KIND_SINGLE, 1);
    b.in(0)[IN_IN_UP] = 0;
    cycles(2);
    for (unsigned i = 0; i < PACKET; i++) {
      b.in(0)[IN_CREDIT] = ALL;
      cycle();
    }
    cycle();
    b.check(0, "out_valid_o", b.out(0)[OUT_VALID], 2);
    b.check(0, "idle_o with a flit on its way out", b.out(0)[OUT_IDLE], 0);
    cycle();
    b.check(0, "idle_o when it has left", b.out(0)[OUT_IDLE], 1);
  }
  return b.report();
}
