/* SPDX-License-Identifier: Apache-2.0 */
/* switch_allocator.c - step 3: selects the flits that win the crossbar.  Twin: rtl/ut_switch_allocator.v
 *
 * XBAR 0: the VCs of a port share one crossbar input; the port picks one of them, then each output port grants one
 * input port.  XBAR 1: each VC has a crossbar input of its own.  With one VC an output port serves the owner of its
 * output VC, the only one that can ask.
 */
#include "steps.h"

/* Whether a flit of an active packet may cross. */
static bool may_request(const struct spec_switch *sw, const struct spec_cycle *cycle, const struct spec_input_vc *vc) {
  if (vc->state != UT_VC_STATE_ACTIVE || !sw->out[vc->out_port].up)
    return false;
  /* XBAR_CYCLES 1: the front flit has won already and leaves now; this concerns the flit behind it */
  const bool more = vc->cross ? vc->count > 1 && !spec_front(vc)->tail : vc->count > 0;
  const unsigned spent = sw->shape.xbar_cycles && cycle->sends[vc->out_port][vc->out_vc];
  const bool place = sw->shape.switching == UT_VCT || spec_free_places(sw, vc->out_port, vc->out_vc) > spent;
  return more && place;
}

static void request_crossbar(const struct spec_switch *sw, struct spec_cycle *cycle) {
  EACH_INPUT_VC (sw, ip, ivc) {
    const struct spec_input_vc *vc = &sw->in[ip].vc[ivc];
    struct spec_decision *decision = &cycle->vc[ip][ivc];
    if (vc->state == UT_VC_STATE_ACTIVE) {
      decision->port = vc->out_port;
      decision->vc = vc->out_vc;
    }
    decision->requests = may_request(sw, cycle, vc) || (sw->shape.alloc_cycles == 1 && decision->granted);
  }
}

/* Picks the VC that represents its input port. */
static int pick_vc(const struct spec_switch *sw, const struct spec_cycle *cycle, unsigned ip) {
  bool request[SPEC_VCS];
  unsigned rank[SPEC_VCS];
  for (unsigned ivc = 0; ivc < sw->shape.v; ivc++) {
    request[ivc] = cycle->vc[ip][ivc].requests;
    rank[ivc] = spec_rank(sw, ip, ivc);
  }
  spec_highest_rank_first(request, rank, sw->shape.v);
  return spec_round_robin(request, sw->shape.v, sw->in[ip].switch_pointer);
}

/* Lets one flit through an output port.  pick: with XBAR 0, the picked VC of each input port. */
static void grant(struct spec_switch *sw, struct spec_cycle *cycle, unsigned op, const int *pick) {
  const bool per_vc = sw->shape.xbar == UT_XBAR_VC;
  const unsigned pi = sw->shape.pi, lines = per_vc ? pi * sw->shape.v : pi;
  bool request[SPEC_PORTS * SPEC_VCS] = {false};
  unsigned rank[SPEC_PORTS * SPEC_VCS] = {0};
  EACH_INPUT_VC (sw, ip, ivc) {
    const struct spec_decision *decision = &cycle->vc[ip][ivc];
    const unsigned line = per_vc ? ivc * pi + ip : ip;
    if (!decision->requests || decision->port != op || (!per_vc && pick[ip] != (int)ivc))
      continue;
    request[line] = true;
    rank[line] = spec_rank(sw, ip, ivc);
  }
  spec_local_first(&sw->shape, request, lines);
  spec_highest_rank_first(request, rank, lines);
  const int line = spec_round_robin(request, lines, sw->out[op].pointer);
  if (line < 0)
    return;
  const unsigned ip = (unsigned)line % pi, ivc = per_vc ? (unsigned)line / pi : (unsigned)pick[ip];
  sw->out[op].pointer = (unsigned)line + 1;
  cycle->vc[ip][ivc].wins = true;
  if (!per_vc) /* moves only when the picked VC also wins its output */
    sw->in[ip].switch_pointer = ivc + 1;
}

void spec_allocate_switch(struct spec_switch *sw, struct spec_cycle *cycle) {
  int pick[SPEC_PORTS];
  request_crossbar(sw, cycle);
  for (unsigned ip = 0; ip < sw->shape.pi; ip++) {
    pick[ip] = pick_vc(sw, cycle, ip);
    cycle->vc[ip][0].wins = sw->shape.v == 1 && cycle->vc[ip][0].requests;
  }
  for (unsigned op = 0; sw->shape.v > 1 && op < sw->shape.po; op++)
    grant(sw, cycle, op, pick);
}
