/* SPDX-License-Identifier: Apache-2.0 */
/* policy_random.c - selection: the first port from a random one on.  Twin: rtl/ut_policy_random.v
 *
 * The register is a shift register of 16 bits with feedback x^16 + x^14 + x^13 + x^11 + 1, which takes all values but
 * 0.  It moves by eight steps, which renews its low byte, when a packet that had a choice is granted.
 */
#include "policies.h"

unsigned spec_random_seed(const struct spec_switch *sw, unsigned ip) {
  const uint64_t straps = sw->straps ^ sw->straps >> 16 ^ sw->straps >> 32 ^ sw->straps >> 48;
  const unsigned seed = (unsigned)(straps ^ 40503 * (ip + 1)) & 0xffff; /* ports begin with different numbers */
  return seed ? seed : 1;
}

/* The low byte as a fraction of 256. */
unsigned spec_random_start(const struct spec_switch *sw, unsigned ip) {
  return (sw->in[ip].policy & 0xff) * sw->shape.po / 256;
}

unsigned spec_random_next(const struct spec_switch *sw, unsigned ip, unsigned port) {
  unsigned lfsr = sw->in[ip].policy;
  (void)port; /* whichever port was granted */
  for (unsigned step = 0; step < 8; step++)
    lfsr = (lfsr << 1 | ((lfsr >> 15 ^ lfsr >> 13 ^ lfsr >> 12 ^ lfsr >> 10) & 1)) & 0xffff;
  return lfsr;
}
