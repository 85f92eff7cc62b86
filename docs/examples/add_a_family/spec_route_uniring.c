/* route_uniring.c - routing in the unidirectional ring, with a dateline.  Twin: rtl/ut_route_uniring.v, which tells the
 * rule and why nothing deadlocks. */
#include "ports.h"
#include "steps.h"

enum { LOCAL = 0, NEXT = 1 };

void spec_route_uniring(const struct spec_route_query *query, struct spec_answer *answer) {
  const unsigned dst = ut_header_dst(query->header), here = ut_uniring_strap_here(query->straps),
                 last = query->shape->v - 1;
  answer->discard = true;
  for (unsigned vc = 0; vc <= last; vc++) {
    const bool on = vc == last ? dst > here : dst < here;
    if (dst == here)
      answer->cand[vc] = spec_port(LOCAL) & query->up;
    else if (on)
      answer->cand[vc] = spec_port(NEXT) & query->up;
    if (answer->cand[vc])
      answer->discard = false;
  }
}
