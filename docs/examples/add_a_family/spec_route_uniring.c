/* route_uniring.c - routing in the unidirectional ring, with a dateline.  Twin: rtl/ut_route_uniring.v, which tells the
 * rule and why nothing deadlocks. */
#include "ports.h"
#include "steps.h"

enum { LOCAL = 0, NEXT = 1 };

void spec_route_uniring(const struct spec_route_query *q, struct spec_answer *a) {
  const unsigned dst = ut_header_dst(q->header), here = ut_uniring_strap_here(q->straps), last = q->shape->v - 1;
  a->discard = true;
  for (unsigned vc = 0; vc <= last; vc++) {
    const bool on = vc == last ? dst > here : dst < here;
    if (dst == here)
      a->cand[vc] = spec_port(LOCAL) & q->up;
    else if (on)
      a->cand[vc] = spec_port(NEXT) & q->up;
    if (a->cand[vc])
      a->discard = false;
  }
}
