/* SPDX-License-Identifier: Apache-2.0 */
/* theorems_fattree.c - see theorem.h: REROUTE and MISROUTE in k-ary n-trees.
 *
 * given   k, n; f: faults, fewer than k, where the theorem needs that
 * s       tier of a link, as the paper counts: 0 at the roots, n - 2 at the leaf switches
 * t, l    level of a switch, 0 at the leaf switches; of a link: that of its lower switch; theorem 2: t, of the fault
 * i, j    index in D of the up port at the lower end of a link
 * Names of kinds and hops: nl, ml, m1, m2 are the virtual layers NL, ML, ML1, ML2.
 */
#include <stddef.h>

#include "theorem.h"

/* ---- REROUTE section VI.C, theorem 1: numbers of channels with two layers */

static const struct ut_theorem_kind link_channels[] = {
    {"nl_up", "s", {"s", "n-2-s"}, {"n-2-s"}},
    {"nl_down", "s", {"s", "n-2-s"}, {"n-1+s*(2*k+1)"}},
    {"ml_up", "s i", {"s", "n-2-s", "i", "k-1-i"}, {"n-1+s*(2*k+1)+2*i+1"}},
    {"ml_down", "s i", {"s", "n-2-s", "i", "k-1-i"}, {"n-1+s*(2*k+1)+2*i+2"}},
    {0},
};

#define LINK_HOPS                                                                                                      \
  {"nl_up", "nl_up(s)", "nl_up(s-1)", {0}}, {"nl_turn_down", "nl_up(s)", "nl_down(s)", {0}},                           \
      {"nl_down", "nl_down(s)", "nl_down(s+1)", {0}}, {"uturn", "nl_down(s)", "ml_up(s, i)", {0}},                     \
      {"back_down", "ml_up(s, i)", "ml_down(s, i)", {0}}, {                                                            \
    "leave", "ml_down(s, i)", "nl_down(s+1)", {                                                                        \
      0                                                                                                                \
    }                                                                                                                  \
  }

static const struct ut_theorem_hop link_hops[] = {
    LINK_HOPS,
    {"next_uturn", "ml_down(s, i)", "ml_up(s, j)", {"j-i-1"}},
    {0},
};
/* Reading 4: a port of D that is down is replaced by any other one, instead of the next one. */
static const struct ut_theorem_hop link_hops_literal[] = {
    LINK_HOPS,
    {"next_uturn", "ml_down(s, i)", "ml_up(s, j)", {0}},
    {0},
};

/* ---- appendix E, theorem 3: with three layers.  m2: i is the index of the links below its lower switch. */

static const struct ut_theorem_kind switch_channels[] = {
    {"nl_up", "s", {"s", "n-2-s"}, {"n-2-s"}},
    {"nl_down", "s", {"s", "n-2-s"}, {"n-1+s*(4*k+1)"}},
    {"m1_up", "s i", {"s", "n-2-s", "i", "k-1-i"}, {"n-1+s*(4*k+1)+4*i+1"}},
    {"m1_down", "s i", {"s", "n-2-s", "i", "k-1-i"}, {"n-1+s*(4*k+1)+4*i+4"}},
    {"m2_up", "s i", {"s", "n-3-s", "i", "k-1-i"}, {"n-1+(s+1)*(4*k+1)+4*i+2"}},
    {"m2_down", "s i", {"s", "n-3-s", "i", "k-1-i"}, {"n-1+(s+1)*(4*k+1)+4*i+3"}},
    {0},
};

#define SWITCH_HOPS                                                                                                    \
  {"nl_up", "nl_up(s)", "nl_up(s-1)", {0}}, {"nl_turn_down", "nl_up(s)", "nl_down(s)", {0}},                           \
      {"nl_down", "nl_down(s)", "nl_down(s+1)", {0}}, {"uturn", "nl_down(s)", "m1_up(s, i)", {0}},                     \
      {"m1_to_m2_up", "m1_up(s, i)", "m2_up(s-1, i)", {0}}, {"m1_turn_down", "m1_up(s, i)", "m1_down(s, i)", {0}},     \
      {"m2_turn_down", "m2_up(s, i)", "m2_down(s, i)", {0}},                                                           \
      {"m2_to_m1_down", "m2_down(s, i)", "m1_down(s+1, i)", {0}},                                                      \
      {"next_uturn", "m1_down(s, i)", "m1_up(s, j)", {"j-i-1"}}, {                                                     \
    "leave", "m1_down(s, i)", "nl_down(s+1)", {                                                                        \
      0                                                                                                                \
    }                                                                                                                  \
  }

static const struct ut_theorem_hop switch_hops[] = {SWITCH_HOPS, {0}};
/* Reading 6: step 3b puts a packet that is in NL at its ancestor into ML2; the switch below sends it further in NL. */
static const struct ut_theorem_hop switch_hops_literal[] = {
    SWITCH_HOPS,
    {"step_3b", "nl_up(s)", "m2_down(s, i)", {0}},
    {"step_4a", "m2_down(s, i)", "nl_down(s+1)", {0}},
    {0},
};

/* ---- lemmas 6 and 7: a packet always has a port.
 *
 * At a U-turn switch port j is of no use only where something has failed that has index j: the link up, the switch
 * above, or what is below that one on the way to the destination.  So d ports are of no use only with d faults
 * (corollaries 1, 2). When a packet comes back in the re-routing layer over port i, all of ports 0..i are of no use:
 * `known` faults of indices up to i are there, at least i + 1. b    faults known of ports that have been tried, d ports
 * that are down besides a    index of the switch where a packet in NL has met a fault: one fault
 */
#define ORDER_CLAIMS                                                                                                   \
  {"some_up_port_works", {"d", "f-d"}, "k-d-1"}, {"some_down_port_works", {"d", "f-d"}, "k-d-1"},                      \
      {"first_uturn_has_a_port", {"d", "f-1-d"}, "k-1-d-1"},                                                           \
      {"known_after_first_uturn_below_a", {"j", "d-j", "a-j-1"}, "d+1+1-(j+1)"},                                       \
      {"known_after_first_uturn_above_a", {"j-a-1", "a", "d-(j-1)"}, "d+1+1-(j+1)"},                                   \
      {"known_after_next_uturn", {"b-(i+1)", "i", "j-i-1", "d-(j-i-1)"}, "b+d+1-(j+1)"}, {                             \
    "next_uturn_has_a_port", {"b-(i+1)", "i", "k-1-i", "d", "f-b-d"}, "k-1-i-d-1"                                      \
  }

static const struct ut_theorem_claim order_claims[] = {ORDER_CLAIMS, {0}};
/* Reading 1: step 2b taken for a packet in NL sends it down in the re-routing layer, where the U-turn switch takes
 * ports 0..a for tried; one fault is known. */
static const struct ut_theorem_claim order_claims_literal[] = {
    ORDER_CLAIMS,
    {"known_after_step_2b", {"a", "k-1-a"}, "1-(a+1)"},
    {0},
};

/* ---- lemma 9, MISROUTE lemmas 1 and 2: U-turns one level down, in any order.
 *
 * Ranks: how many levels are behind the packet, counted from the highest one where the destination was below it; how
 * many ports of the U-turn switch it has tried; where it is in the next try.  c: ports tried.
 */
static const struct ut_theorem_kind vector_states[] = {
    {"climb", "l", {"l", "n-2-l"}, {"-n", "0", "l"}},                     /* up, destination not below */
    {"down", "t", {"t", "n-2-t"}, {"-t", "0", "0"}},                      /* down, destination below */
    {"astray", "t c", {"t", "n-2-t", "c", "f-c"}, {"-t-1", "c", "1"}},    /* down, destination not below */
    {"back_up", "t c", {"t", "n-2-t", "c-1", "f-c"}, {"-t-1", "c", "0"}}, /* up again */
    {0},
};
static const struct ut_theorem_hop vector_hops[] = {
    {"climb", "climb(l)", "climb(l+1)", {0}},
    {"turn_down", "climb(l)", "down(l)", {0}},
    {"turn_astray", "climb(l)", "astray(l, 0)", {0}},
    {"down", "down(t)", "down(t-1)", {0}},
    {"go_astray", "down(t)", "astray(t-1, 0)", {0}},
    {"uturn", "astray(t, c)", "back_up(t, c+1)", {0}},
    {"leave", "back_up(t, c)", "down(t)", {0}},
    {"back_down", "back_up(t, c)", "astray(t, c)", {0}},
    {0},
};
/* With bits that are cleared in between a packet can try a port again. */
static const struct ut_theorem_hop vector_hops_cleared[] = {
    {"uturn", "astray(t, c)", "back_up(t, c)", {0}},
    {"back_down", "back_up(t, c)", "astray(t, c)", {0}},
    {0},
};
/* b: ports whose bit is set, by any packet: each stands for a fault of its index; d: ports that are down besides. */
static const struct ut_theorem_claim vector_claims[] = {
    {"some_up_port_works", {"d", "f-d"}, "k-d-1"},
    {"some_down_port_works", {"d", "f-d"}, "k-d-1"},
    {"uturn_has_a_port", {"b", "d", "f-b-d"}, "k-b-d-1"},
    {0},
};
static const struct ut_theorem_claim vector_claims_k_faults[] = {
    {"uturn_has_a_port", {"b", "d", "k-b-d"}, "k-b-d-1"},
    {0},
};

/* ---- lemma 10: U-turns two levels down; one above the leaf switches */

static const struct ut_theorem_kind field_states[] = {
    {"climb", "l", {"l", "n-2-l"}, {"-n", "0", "l"}},
    {"down", "t", {"t", "n-2-t"}, {"-t", "0", "0"}},
    {"astray", "t c", {"t-1", "n-2-t", "c", "f-c"}, {"-t-1", "c", "1"}},   /* to level t, the U-turn is below */
    {"further", "t c", {"t", "n-3-t", "c", "f-c"}, {"-t-2", "c", "2"}},    /* to the U-turn switch at level t */
    {"back_up", "t c", {"t", "n-3-t", "c-1", "f-c"}, {"-t-2", "c", "-2"}}, /* from there */
    {"up_again", "t c", {"t-1", "n-2-t", "c-1", "f-c"}, {"-t-1", "c", "-1"}},
    {"leaf", "c", {"c", "f-c"}, {"-1", "c", "1"}}, /* to a U-turn switch that is a leaf switch */
    {"leaf_up", "c", {"c-1", "f-c"}, {"-1", "c", "0"}},
    {0},
};
static const struct ut_theorem_hop field_hops[] = {
    {"climb", "climb(l)", "climb(l+1)", {0}},
    {"turn_down", "climb(l)", "down(l)", {0}},
    {"turn_astray", "climb(l)", "astray(l, 0)", {0}},
    {"turn_to_leaf", "climb(0)", "leaf(0)", {0}},
    {"down", "down(t)", "down(t-1)", {0}},
    {"go_astray", "down(t)", "astray(t-1, 0)", {0}},
    {"go_to_leaf", "down(1)", "leaf(0)", {0}},
    {"further", "astray(t, c)", "further(t-1, c)", {0}},
    {"uturn", "further(t, c)", "back_up(t, c+1)", {0}},
    {"up_again", "back_up(t, c)", "up_again(t+1, c)", {0}},
    {"leave", "up_again(t, c)", "down(t)", {0}},
    {"back_down", "up_again(t, c)", "astray(t, c)", {0}},
    {"leaf_uturn", "leaf(c)", "leaf_up(c+1)", {0}},
    {"leaf_leave", "leaf_up(c)", "down(0)", {0}},
    {"leaf_back", "leaf_up(c)", "leaf(c)", {0}},
    {0},
};

/* ---- theorem 5, MISROUTE theorem 2: the extended dependency graph of the subfunction.
 *
 * Of each level l there is a plane, the switches above it with one digit l, without a fault; up from level l the
 * subfunction supplies the port into it.  m: the lowest level in whose plane a channel is; down_in, down_out: a channel
 * from a switch that is in one, in none of the levels up to t.  Ranks: m, which falls (counted one higher in none); up
 * before down.
 */
static const struct ut_theorem_kind plane_channels[] = {
    {"up", "l m", {"m", "l-m", "n-2-l"}, {"-m", "l-n"}},
    {"down_in", "t m", {"m", "t-m", "n-2-t"}, {"-m", "n-t"}},
    {"down_out", "t", {"t", "n-2-t"}, {"-t-1", "n-t"}},
    {0},
};
#define PLANE_HOPS                                                                                                     \
  {"up", "up(l, m)", "up(l+1, m)", {0}}, {"turn_down", "up(l, m)", "down_in(l, m)", {0}},                              \
      {"down_in", "down_in(t, m)", "down_in(t-1, m)", {0}}, {"leave_plane", "down_in(t, t)", "down_out(t-1)", {0}},    \
      {"down_out", "down_out(t)", "down_out(t-1)", {0}}, {                                                             \
    "uturn", "down_out(t)", "up(t, t)", {                                                                              \
      0                                                                                                                \
    }                                                                                                                  \
  }
static const struct ut_theorem_hop plane_hops[] = {PLANE_HOPS, {0}};
/* One fault more: it can be in the chosen plane, and a packet from there turns. */
static const struct ut_theorem_hop plane_hops_k_faults[] = {
    PLANE_HOPS,
    {"uturn_in_plane", "down_in(t, t)", "up(t, t)", {0}},
    {0},
};
/* The subfunction is connected, as theorem 4 demands: up it has the port into the plane, which has no fault, and down
 * the destination's or another one.  Lemma 12: a fault is in the plane of one digit of a level at most; d: planes of a
 * level with faults, or ports that are down. */
static const struct ut_theorem_claim plane_claims[] = {
    {"some_plane_has_no_fault", {"d", "f-d"}, "k-d-1"},
    {"some_down_port_works", {"d", "f-d"}, "k-d-1"},
    {0},
};
static const struct ut_theorem_claim plane_claims_k_faults[] = {
    {"some_plane_has_no_fault", {"d", "k-d"}, "k-d-1"},
    {0},
};

/* ---- appendix A, theorem 2: one link fault, one layer.
 *
 * The fault is at level t, below a switch whose digit t is that of its plane.  in, out: the upper switch of a link from
 * level t on is in that plane, or in another one; below: a link below level t.  From the plane a packet can be sent
 * astray; after its U-turn it is in another one, until it is below level t.
 */
static const struct ut_theorem_kind fault_channels[] = {
    {"up_below", "l", {"l", "t-1-l"}, {"0", "l"}},
    {"up_in", "l", {"l-t", "n-2-l"}, {"1", "l"}},
    {"down_in", "l", {"l-t", "n-2-l"}, {"2", "n-l"}},
    {"up_out", "l", {"l-t", "n-2-l"}, {"3", "l"}},
    {"down_out", "l", {"l-t", "n-2-l"}, {"4", "n-l"}},
    {"down_below", "l", {"l", "t-1-l"}, {"5", "n-l"}},
    {0},
};
#define FAULT_HOPS                                                                                                     \
  {"up_below", "up_below(l)", "up_below(l+1)", {0}}, {"turn_below", "up_below(l)", "down_below(l)", {0}},              \
      {"into_plane", "up_below(l)", "up_in(l+1)", {0}}, {"past_plane", "up_below(l)", "up_out(l+1)", {0}},             \
      {"up_in", "up_in(l)", "up_in(l+1)", {0}}, {"turn_in", "up_in(l)", "down_in(l)", {0}},                            \
      {"down_in", "down_in(l)", "down_in(l-1)", {0}}, {"leave_in", "down_in(l)", "down_below(l-1)", {0}},              \
      {"uturn", "down_in(t)", "up_out(t)", {0}}, {"up_out", "up_out(l)", "up_out(l+1)", {0}},                          \
      {"turn_out", "up_out(l)", "down_out(l)", {0}}, {"down_out", "down_out(l)", "down_out(l-1)", {0}},                \
      {"leave_out", "down_out(l)", "down_below(l-1)", {0}}, {                                                          \
    "down_below", "down_below(l)", "down_below(l-1)", {                                                                \
      0                                                                                                                \
    }                                                                                                                  \
  }
static const struct ut_theorem_hop fault_hops[] = {FAULT_HOPS, {0}};
/* VII, "an arbitrary upward link from the U-turn switch": the arrival port, too. */
static const struct ut_theorem_hop fault_hops_literal[] = {
    FAULT_HOPS,
    {"uturn_back", "down_in(t)", "up_in(t)", {0}},
    {0},
};
/* A second fault, of another switch of the group: packets turn in its plane, too. */
static const struct ut_theorem_hop fault_hops_two_faults[] = {
    FAULT_HOPS,
    {"uturn_out", "down_out(t)", "up_in(t)", {0}},
    {0},
};
/* d: ports of a switch that are down besides the arrival port, which a U-turn and a packet from below do without. */
static const struct ut_theorem_claim fault_claims[] = {
    {"some_up_port_works", {"d", "1-d"}, "k-d-1"},
    {"some_down_port_works", {"d", "1-d"}, "k-d-1"},
    {"uturn_has_a_port", {0}, "k-1-1"},
    {0},
};

#define TREES .sizes = "k and n from 2 on"
#define SIZES TREES, .given = "k n", .assume = {"k-2", "n-2"}
#define BELOW_K TREES, .given = "k n f", .assume = {"k-2", "n-2", "f", "k-1-f"}
#define LINK_MOST .most = {"n-2+(n-1)*(2*k+1)"}
#define SWITCH_MOST .most = {"n-2+(n-1)*(4*k+1)"}
#define TRIES .kind = vector_states, .hop = vector_hops, .claim = vector_claims, .most = {"0", "k", "n"}
#define PLANES .names = "l t m d", .kind = plane_channels, .hop = plane_hops, .claim = plane_claims, .most = {"0", "n"}
#define ONE_FAULT TREES, .given = "k n t", .assume = {"k-2", "n-2", "t", "n-2-t"}, .kind = fault_channels

static const char no_cycle[] = "every hop leads to a channel with a higher number: no cyclic dependency",
                  a_port[] = "a packet always has a port", arrives[] = "a packet always has a port, and arrives",
                  no_extended[] = "the subfunction is connected, and has no cycle in its extended dependency graph",
                  no_cycle_one[] = "with one link fault every hop leads to a higher channel, and a packet has a port";

const struct ut_theorem ut_theorems_fattree[] = {
    {"reroute_det_link", "REROUTE theorem 1", no_cycle, .names = "s i j", .kind = link_channels, .hop = link_hops,
     SIZES, LINK_MOST},
    {"reroute_det_link", "REROUTE lemma 6", a_port, .names = "a b d i j", .claim = order_claims, BELOW_K},
    {"reroute_det_link_literal", "REROUTE theorem 1, reading 4", no_cycle, .names = "s i j", .kind = link_channels,
     .hop = link_hops_literal, SIZES, LINK_MOST},
    {"reroute_det_link_literal", "REROUTE lemma 6, reading 1", a_port, .names = "a b d i j",
     .claim = order_claims_literal, BELOW_K},
    {"reroute_det_switch", "REROUTE theorem 3", no_cycle, .names = "s i j", .kind = switch_channels, .hop = switch_hops,
     SIZES, SWITCH_MOST},
    {"reroute_det_switch", "REROUTE lemma 7", a_port, .names = "a b d i j", .claim = order_claims, BELOW_K},
    {"reroute_det_switch_literal", "REROUTE theorem 3, reading 6", no_cycle, .names = "s i j", .kind = switch_channels,
     .hop = switch_hops_literal, SIZES},
    {"reroute_adaptive_link", "REROUTE lemma 9", arrives, .names = "l t c b d", TRIES, BELOW_K},
    {"reroute_adaptive_link", "REROUTE theorems 4 and 5", no_extended, PLANES, BELOW_K},
    {"reroute_adaptive_link_literal", "REROUTE lemma 9, bits cleared on the way", arrives, .names = "t c",
     .kind = vector_states, .hop = vector_hops_cleared, BELOW_K},
    {"reroute_adaptive_link_literal", "REROUTE lemma 9, k faults", a_port, .names = "b d",
     .claim = vector_claims_k_faults, BELOW_K},
    {"reroute_adaptive_link_literal", "REROUTE theorems 4 and 5, k faults", no_extended, .names = "l t m",
     .kind = plane_channels, .hop = plane_hops_k_faults, SIZES},
    {"reroute_adaptive_link_literal", "REROUTE theorem 4, connected, k faults", no_extended, .names = "d",
     .claim = plane_claims_k_faults, SIZES},
    {"reroute_adaptive_switch", "REROUTE lemma 10", arrives, .names = "l t c b d", .kind = field_states,
     .hop = field_hops, .claim = vector_claims, .most = {"0", "k", "n"}, BELOW_K},
    {"reroute_adaptive_switch", "REROUTE theorems 4 and 5", no_extended, PLANES, BELOW_K},
    {"reroute_det_link_one_fault", "REROUTE theorem 2", no_cycle_one, .names = "l d", .hop = fault_hops,
     .claim = fault_claims, .most = {"5", "n"}, ONE_FAULT},
    {"reroute_adaptive_link_one_fault", "REROUTE theorem 2", no_cycle_one, .names = "l d", .hop = fault_hops,
     .claim = fault_claims, .most = {"5", "n"}, ONE_FAULT},
    {"reroute_one_fault_literal", "REROUTE theorem 2, any up port", no_cycle_one, .names = "l",
     .hop = fault_hops_literal, ONE_FAULT},
    {"reroute_one_fault_literal", "REROUTE theorem 2, two faults", no_cycle_one, .names = "l",
     .hop = fault_hops_two_faults, ONE_FAULT},
    {"misroute_header", "MISROUTE lemmas 1 and 2", arrives, .names = "l t c b d", TRIES, BELOW_K},
    {"misroute_header", "MISROUTE theorem 2", no_extended, PLANES, BELOW_K},
    {0},
};
