/* policy_fullest_first.c - arbitration: the packet whose buffer has most flits goes first.
 * Twin: rtl/ut_policy_fullest_first.v */
#include "policies.h"

unsigned spec_fullest_first_rank(const struct spec_switch *sw, unsigned ip, unsigned ivc) {
  return sw->in[ip].vc[ivc].count;
}
