/* SPDX-License-Identifier: Apache-2.0 */
/* theorems_detour.c - see theorem.h: DETOUR theorem 3, hypercubes of any dimension n with any bad (faulty or unsafe)
 * nodes.
 *
 * Channels of the routing subfunction, by the nodes that they join and the bad neighbours of the first one:
 *   leave         from an unsafe node to a safe one: number -1 of the paper
 *   detour(m, d)  from a safe node whose neighbour in dimension m is bad: VIN2 of dimension d > m, in place of VIN1 of
 * m first(m)      from a safe node to a safe one: VIN1 of dimension m enter         from a safe node to a bad one:
 * number n Hops lead from a channel that a packet holds to one that it asks for next, behind any number of free
 * channels of VIN2 in between.  m, d; j, e: what it held; what it asks for.
 */
#include "theorem.h"

/* ---- section 4.1, theorem 3: the renumbering method.  m - 1 < detour(m, m + 1) < ... < detour(m, n - 1) < first(m)
 * = m; here pairs in lexicographic order. */

static const struct ut_theorem_kind cube_channels[] = {
    {"leave", "", {0}, {"-1", "0"}},
    {"detour", "m d", {"m", "d-m-1", "n-1-d"}, {"m", "d"}},
    {"first", "m", {"m", "n-1-m"}, {"m", "n"}},
    {"enter", "", {0}, {"n", "0"}},
    {0},
};

/* Whoever has held first(m) needs dimensions above m only; detour(m, d): of those up to d none but m. */
#define CUBE_HOPS                                                                                                      \
  {"leave_first", "leave()", "first(j)", {0}}, {"leave_detour", "leave()", "detour(j, e)", {0}},                       \
      {"leave_enter", "leave()", "enter()", {0}}, {"first_first", "first(m)", "first(j)", {"j-m-1"}},                  \
      {"first_detour", "first(m)", "detour(j, e)", {"j-m-1"}}, {"first_enter", "first(m)", "enter()", {0}},            \
      {"detour_on", "detour(m, d)", "detour(m, e)", {"e-d-1"}}, {"detour_ends", "detour(m, d)", "first(m)", {0}},      \
      {"detour_first", "detour(m, d)", "first(j)", {"j-d-1"}},                                                         \
      {"detour_detour", "detour(m, d)", "detour(j, e)", {"j-d-1"}}, {                                                  \
    "detour_enter", "detour(m, d)", "enter()", {                                                                       \
      0                                                                                                                \
    }                                                                                                                  \
  }
static const struct ut_theorem_hop cube_hops[] = {CUBE_HOPS, {0}};
/* As printed: step 3.3 offers VIN2 to an unsafe node also where that is not the destination; step 3.2 leads out. */
static const struct ut_theorem_hop cube_hops_literal[] = {
    CUBE_HOPS,
    {"through_unsafe_node", "first(m)", "leave()", {0}},
    {0},
};

/* ---- the packet arrives, after n + 1 hops at most.  r: dimensions that are left to the destination.  Only a packet
 * from an unsafe node may make its first hop to a neighbour that is no nearer. */

static const struct ut_theorem_kind cube_packets[] = {
    {"unsafe", "r", {"r-1", "n-r"}, {"-1-n"}}, /* at its source */
    {"safe", "r", {"r", "n-r"}, {"-r"}},
    {"bad", "", {0}, {"0"}}, /* it is the destination: every way ends here */
    {0},
};
#define CUBE_WALK                                                                                                      \
  {"leave_nearer", "unsafe(r)", "safe(r-1)", {0}}, {"leave_astray", "unsafe(r)", "safe(r+1)", {0}},                    \
      {"inside", "unsafe(1)", "bad()", {0}}, {"nearer", "safe(r)", "safe(r-1)", {0}}, {                                \
    "enter", "safe(1)", "bad()", {                                                                                     \
      0                                                                                                                \
    }                                                                                                                  \
  }
static const struct ut_theorem_hop cube_walk[] = {CUBE_WALK, {0}};
static const struct ut_theorem_hop cube_walk_literal[] = {
    CUBE_WALK,
    {"into_unsafe_node", "safe(r)", "unsafe(r-1)", {"r-2"}},
    {0},
};

/* Step 3.2: an unsafe node in a subcube of dimension s has n - s neighbours outside, which are safe.  n is 2 * c or
 * 2 * c - 1, where c = ceil(n / 2), so for n from 2 on c is at least 1 or 2.
 * Subcubes of bad nodes whose distance is two or less are joined by unsafe nodes; what they make together has the
 * dimensions of both and those in which they differ.  So g faults make no subcube of more than 2 * g - 2 dimensions, by
 * induction: one fault; two subcubes of dimensions s, t with g, h faults at distance x. */
static const struct ut_theorem_claim cube_claims[] = {
    {"unsafe_node_has_safe_neighbour_n_even", {"n-2*c", "2*c-n", "c-1", "s", "c-s"}, "n-s-1"},
    {"unsafe_node_has_safe_neighbour_n_odd", {"n-2*c+1", "2*c-1-n", "c-2", "s", "c-s"}, "n-s-1"},
    {"subcube_of_one_fault", {"s", "0-s"}, "2*1-2-s"},
    {"subcube_of_two_joined", {"g-1", "h-1", "2*g-2-s", "2*h-2-t", "2-x"}, "2*(g+h)-2-(s+t+x)"},
    {"half_of_n_faults_n_even", {"n-2*c", "2*c-n", "c-g", "2*g-2-s"}, "n-s-1"},
    {"half_of_n_faults_n_odd", {"n-2*c+1", "2*c-1-n", "c-g", "2*g-2-s"}, "n-s-1"},
    {0},
};
/* One step further: all nodes are bad, or more faults than ceil(n / 2). */
static const struct ut_theorem_claim cube_claims_whole[] = {
    {"unsafe_node_has_safe_neighbour", {"s", "n-s"}, "n-s-1"},
    {0},
};
static const struct ut_theorem_claim cube_claims_more_faults[] = {
    {"half_of_n_faults_and_one", {"n-2*c", "2*c-n", "c+1-g", "2*g-2-s"}, "n-s-1"},
    {0},
};

#define CUBES .sizes = "hypercubes with n from 2 on", .given = "n", .assume = {"n-2"}
#define CHANNELS .names = "m d j e", .kind = cube_channels

#define DEADLOCK "DETOUR theorem 3, deadlock", no_cycle, CHANNELS, .hop = cube_hops, .most = {"n", "n"}, CUBES
#define LIVELOCK                                                                                                       \
  "DETOUR theorem 3, livelock", arrives, .names = "r c s t g h x", .kind = cube_packets, .hop = cube_walk,             \
                                         .claim = cube_claims, .most = {"0"}, CUBES

static const char no_cycle[] = "every hop leads to a channel with a higher number: no cyclic dependency",
                  arrives[] = "a packet has a port, and arrives after at most n + 1 hops";

const struct ut_theorem ut_theorems_detour[] = {
    {"detour", DEADLOCK},
    {"detour", LIVELOCK},
    {"detour_reserved", DEADLOCK},
    {"detour_reserved", LIVELOCK},
    {"detour_literal", "DETOUR theorem 3, deadlock, step 3.3 to bad nodes", no_cycle, CHANNELS,
     .hop = cube_hops_literal, CUBES},
    {"detour_literal", "DETOUR theorem 3, livelock, step 3.3 to bad nodes", arrives, .names = "r", .kind = cube_packets,
     .hop = cube_walk_literal, CUBES},
    {"detour_literal", "DETOUR theorem 3, an unsafe subcube of n dimensions", arrives, .names = "s",
     .claim = cube_claims_whole, CUBES},
    {"detour_literal", "DETOUR section 4.1, a fault more than ceil(n/2)", arrives, .names = "c g s",
     .claim = cube_claims_more_faults, CUBES},
    {0},
};
