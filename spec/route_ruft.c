/* SPDX-License-Identifier: Apache-2.0 */
/* route_ruft.c - routing in RUFT, RUFT-PL, FT-RUFT-212 and FT-RUFT-222: unidirectional networks of levels, whose ports
 * d and, with parallel links, k + d continue by digit d.  Twin: rtl/ut_route_ruft.v
 *
 * A packet leaves level s by digit s of its destination (RUFT section 3.2); k is a power of two. */
#include "ports.h"
#include "steps.h"

/* Returns the digits by which it may leave.  If terminals have two ejection links from different switches, the first
 * level chooses one, as far as the header allows: the second link is that of terminal dst xor 1 (section 4.2.1). */
static uint64_t digits_that_lead_on(const struct spec_route_query *query, unsigned digit) {
  const struct ut_shape *shape = query->shape;
  const bool is_first = ut_ruft_strap_first(query->straps) && shape->pi == 2 * shape->radix && shape->pi >= shape->po;
  if (!shape->dual_homed || !is_first)
    return UINT64_C(1) << digit;
  const unsigned choices = ut_rt_ruft_choices(ut_header_rt(query->header)), other = digit % 2 ? digit - 1 : digit + 1;
  return (choices & 1 ? UINT64_C(1) << digit : 0) | (choices & 2 ? UINT64_C(1) << other : 0);
}

/* Returns the links to the next level.  Of two parallel links both (dynamic selection), or the one that the lowest bit
 * of the next digit selects (static selection, section 4.1.1). */
static uint64_t links_on(const struct spec_route_query *query, unsigned digit, unsigned next_digit) {
  const unsigned k = query->shape->radix;
  const uint64_t digits = digits_that_lead_on(query, digit);
  if (query->shape->parallel == UT_PARALLEL_NONE)
    return digits;
  if (query->shape->parallel == UT_PARALLEL_STATIC) {
    spec_cover(query->cover, next_digit % 2 ? COVER_RUFT_STATIC_HIGH : COVER_RUFT_STATIC_LOW);
    return next_digit % 2 ? digits << k : digits;
  }
  spec_cover(query->cover, COVER_RUFT_DYNAMIC);
  return digits | digits << k;
}

/* Returns the links of the last level to the terminal.  If its two links come from different switches, the upper one of
 * this switch's links to it is its second one. */
static uint64_t links_out(const struct spec_route_query *query, unsigned digit) {
  const unsigned k = query->shape->radix;
  const bool is_second = ut_ruft_strap_low(query->straps) % k != ut_header_dst(query->header) % k;
  if (!query->shape->dual_homed)
    return spec_port(digit) | spec_port(k + digit);
  spec_cover(query->cover, is_second ? COVER_RUFT_SECOND_EJECTION : COVER_RUFT_FIRST_EJECTION);
  return spec_port(is_second ? k + digit : digit);
}

/* `half_crossbar`: each half of the input ports is connected to the outputs of one half of the digits only. */
static uint64_t ports_of_half(const struct spec_route_query *query) {
  const bool is_upper = query->in_port >= query->shape->pi - query->shape->radix;
  uint64_t ports = 0;
  for (unsigned port = 0; port < query->shape->po; port++)
    if (!query->shape->half_crossbar || port % 2 == is_upper)
      ports |= spec_port(port);
  return ports;
}

void spec_route_ruft(const struct spec_route_query *query, struct spec_answer *answer) {
  const struct ut_shape *shape = query->shape;
  const unsigned k = shape->radix, below = 1u << ut_ruft_strap_shift(query->straps); /* k to the power of the level */
  const unsigned digit = ut_header_dst(query->header) / below % k,
                 next_digit = ut_header_dst(query->header) / below / k % k;
  const bool is_last = ut_ruft_strap_last(query->straps) && shape->po == 2 * k && shape->po >= shape->pi;
  const uint64_t ports = is_last ? links_out(query, digit) : links_on(query, digit, next_digit);
  const uint64_t offered = ports & ports_of_half(query) & query->up;
  for (unsigned vc = 0; vc < shape->v; vc++)
    answer->cand[vc] = offered;
  answer->discard = !offered;
  spec_cover(query->cover, offered ? COVER_RUFT_LEADS_ON : COVER_RUFT_LOST);
}
