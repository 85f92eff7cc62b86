/* SPDX-License-Identifier: Apache-2.0 */
/* test_misroutes.c - misrouted hops of adaptive routing (DETOUR section 3, after theorem 2) against the text itself: a
 * search of every packet by coordinates alone, which asks neither prover nor model.  A hypercube is a mesh with two
 * nodes in each dimension.  Compared are each answer of the route function, the longest walk, and what the text says:
 * without a bound there is a livelock, and numbers of VIN1 (figure 1) rise only if no hop leads into a lower dimension.
 */
#include "method_walks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "prover_bench.h"
#include "route_unit.h"

enum { DIMENSIONS = 4, NODES = 64, WAYS = 2 * DIMENSIONS + 1, COUNTS = 64, NUMBERS = 32, NOWHERE = 2 * DIMENSIONS };

/* What is searched.  Directions: 2d is plus, 2d + 1 minus. */
struct net {
  unsigned dimensions, size[DIMENSIONS], nodes;
  unsigned hops;       /* misrouted ones, in each dimension */
  bool bounded, above; /* the rules of the text: a fixed number of them; dimensions above f1 only */
  struct bench *asks;  /* the route function that is compared; NULL: none */
  unsigned dst;
  bool loops, falls; /* found: a packet that comes to a place again; a number of VIN1 that does not rise */
  uint32_t answers;
  /* A place: node, direction of the last hop, counts of its header, the number of its last channel of VIN1. */
  uint8_t longest[NODES][WAYS][COUNTS][NUMBERS]; /* hops from there, and one; 0: not visited; OPEN: being searched */
};
enum { OPEN = 255 };

static unsigned coordinate(const struct net *net, unsigned node, unsigned d) {
  for (unsigned i = 0; i < d; i++)
    node /= net->size[i];
  return node % net->size[d];
}

static unsigned stride(const struct net *net, unsigned d) {
  unsigned nodes = 1;
  for (unsigned i = 0; i < d; i++)
    nodes *= net->size[i];
  return nodes;
}

/* The node that a hop leads to; NODES: none. */
static unsigned neighbour(const struct net *net, unsigned node, unsigned way) {
  const unsigned d = way / 2, at = coordinate(net, node, d);
  if (way % 2 ? at == 0 : at + 1 == net->size[d])
    return NODES;
  return way % 2 ? node - stride(net, d) : node + stride(net, d);
}

static unsigned distance(const struct net *net, unsigned node) {
  unsigned sum = 0;
  for (unsigned d = 0; d < net->dimensions; d++)
    sum += (unsigned)abs((int)coordinate(net, node, d) - (int)coordinate(net, net->dst, d));
  return sum;
}

/* f(R,1): the lowest dimension in which the node differs from the destination. */
static unsigned lowest(const struct net *net, unsigned node) {
  unsigned d = 0;
  while (coordinate(net, node, d) == coordinate(net, net->dst, d))
    d++;
  return d;
}

/* Figure 1, and one, so that 0 is none. */
static unsigned number(const struct net *net, unsigned node, unsigned way) {
  const unsigned d = way / 2, at = coordinate(net, node, d);
  unsigned sum = way % 2 ? net->size[d] - at : at;
  for (unsigned i = 0; i < d; i++)
    sum += net->size[i];
  return sum + 1;
}

/* Counts of a header: two bits for each dimension but 0. */
static unsigned count_of(unsigned counts, unsigned d) {
  return d ? counts >> 2 * (d - 1) & 3 : 0;
}

/* The counts behind a hop: those before, and one if it led away. */
static unsigned counted(const struct net *net, unsigned node, unsigned last, unsigned counts) {
  if (last == NOWHERE || last < 2 || distance(net, neighbour(net, node, last ^ 1)) > distance(net, node) ||
      count_of(counts, last / 2) >= net->hops)
    return counts;
  return counts + (1u << 2 * (last / 2 - 1));
}

struct choice {
  unsigned vin1;          /* direction of the channel in VIN1 */
  uint32_t nearer, stray; /* directions of channels in VIN2, minimal and misrouted */
};

static struct choice choice_of(const struct net *net, unsigned node, unsigned last, unsigned counts) {
  struct choice choice = {.vin1 = NOWHERE};
  for (unsigned way = 0; way < 2 * net->dimensions; way++) {
    const unsigned next = neighbour(net, node, way), d = way / 2, f1 = lowest(net, node);
    const bool back = last != NOWHERE && way == (last ^ 1), higher = !net->above || d > f1;
    if (next == NODES)
      continue;
    const bool minimal = distance(net, next) < distance(net, node);
    if (minimal && d == f1)
      choice.vin1 = way;
    if (minimal && !back)
      choice.nearer |= 1u << way;
    if (!minimal && !back && higher && (!net->bounded || count_of(counts, d) < net->hops))
      choice.stray |= 1u << way;
  }
  return choice;
}

/* ---- the route function */

static unsigned port_of(const struct net *net, unsigned way) {
  return net->asks->prover.explorer.group[0].shape.cube ? way / 2 : way;
}

static uint32_t ports_of(const struct net *net, uint32_t ways) {
  uint32_t ports = 0;
  for (unsigned way = 0; way < 2 * net->dimensions; way++)
    if (ways >> way & 1)
      ports |= 1u << port_of(net, way);
  return ports;
}

static void compare(struct net *net, unsigned node, unsigned last, unsigned counts, const struct choice *choice) {
  struct ut_explorer *x = &net->asks->prover.explorer;
  const unsigned network = x->group[0].shape.cube ? net->dimensions : 2 * net->dimensions;
  const unsigned in_port = last == NOWHERE ? network : port_of(net, last ^ 1);
  const uint32_t nearer = ports_of(net, choice->nearer), all = nearer | ports_of(net, choice->stray),
                 vin1 = 1u << port_of(net, choice->vin1);
  struct ut_route_result r;
  ut_explorer_ask_header(x, ut_explorer_channel(x, node, in_port, node % 2),
                         ut_header_make((uint16_t)net->dst, 0, 0, (uint32_t)ut_rt_away_make(0, counts)), 0, &r);
  const uint32_t rt = (uint32_t)ut_rt_away_make(0, counted(net, node, last, counts));
  net->answers++;
  if (r.cand[0] != vin1 || r.cand[1] != all || r.preferred[1] != nearer || r.rt != rt ||
      r.preferred[0] != (choice->stray ? vin1 : 0))
    fail_msg("node %u to %u, last hop %u, counts %#x: VIN1 %#x, VIN2 %#x, preferred %#x and %#x, rt %#x; "
             "by the text %#x, %#x, %#x and %#x, %#x",
             node, net->dst, last, counts, (unsigned)r.cand[0], (unsigned)r.cand[1], (unsigned)r.preferred[0],
             (unsigned)r.preferred[1], r.rt, vin1, all, choice->stray ? vin1 : 0, nearer, rt);
}

/* ---- the search */

/* Returns the most hops from that place. */
static unsigned search(struct net *net, unsigned node, unsigned last, unsigned before, unsigned held) {
  uint8_t *longest = &net->longest[node][last][before][held];
  if (node == net->dst)
    return 0;
  if (*longest) {
    net->loops |= *longest == OPEN;
    return *longest - 1u;
  }
  *longest = OPEN;
  const unsigned counts = counted(net, node, last, before);
  const struct choice choice = choice_of(net, node, last, counts);
  const unsigned vin1 = number(net, node, choice.vin1);
  unsigned most = 0;
  if (net->asks)
    compare(net, node, last, before, &choice);
  net->falls |= vin1 <= held;
  for (unsigned way = 0; way < 2 * net->dimensions; way++)
    for (unsigned network = 1; network <= 2; network++) {
      if (network == 1 ? way != choice.vin1 : !((choice.nearer | choice.stray) >> way & 1))
        continue;
      const unsigned hops = 1 + search(net, neighbour(net, node, way), way, counts, network == 1 ? vin1 : held);
      most = hops > most ? hops : most;
    }
  *longest = (uint8_t)(net->loops ? 1 : most + 1);
  return most;
}

static unsigned search_all(struct net *net) {
  unsigned most = 0;
  net->loops = net->falls = false;
  net->answers = 0;
  for (net->dst = 0; net->dst < net->nodes; net->dst++) {
    memset(net->longest, 0, sizeof net->longest);
    for (unsigned src = 0; src < net->nodes; src++) {
      const unsigned hops = src == net->dst ? 0 : search(net, src, NOWHERE, 0, 0);
      most = hops > most ? hops : most;
    }
  }
  return most;
}

static struct net *net_of(const char *topology) {
  struct net *net = calloc(1, sizeof *net);
  unsigned size[DIMENSIONS] = {2, 2, 2, 2};
  assert_non_null(net);
  net->bounded = net->above = true;
  net->nodes = 1;
  if (!sscanf(topology, "kind: hypercube, n: %u", &net->dimensions))
    net->dimensions =
        (unsigned)sscanf(topology, "kind: mesh, sizes: [%u, %u, %u, %u]", &size[0], &size[1], &size[2], &size[3]);
  for (unsigned d = 0; d < net->dimensions; d++)
    net->size[d] = size[d], net->nodes *= size[d];
  assert_true(net->nodes <= NODES);
  return net;
}

static void answers_are_those_of_the_text(void **state) {
  static const struct {
    const char *topology;
    unsigned hops;
  } cases[] = {{"kind: mesh, sizes: [4, 3]", 1},    {"kind: mesh, sizes: [4, 3]", 2}, {"kind: mesh, sizes: [5, 4]", 3},
               {"kind: mesh, sizes: [3, 3, 3]", 1}, {"kind: hypercube, n: 3", 1},     {"kind: hypercube, n: 3", 3},
               {"kind: hypercube, n: 4", 1}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static const struct ut_fault_set none;
    struct net *net = net_of(cases[i].topology);
    struct bench b;
    struct ut_verdict v;
    struct ut_error e;
    char keys[128];
    snprintf(keys, sizeof keys, "vcs: 2, switching: wormhole, misroute_hops: %u", cases[i].hops);
    open_bench(&b, cases[i].topology, keys, "algorithm: adaptive_vin");
    net->asks = &b, net->hops = cases[i].hops;
    const unsigned longest = search_all(net);
    assert_int_equal(ut_prover_examine(&b.prover, &none, &v, &e), 0);
    for (unsigned f = 0; f < UT_FAILURES; f++)
      if (v.failure[f])
        fail_msg("%s, %u misrouted hops: %s", cases[i].topology, cases[i].hops, ut_failure_name[f]);
    if (net->loops || net->falls || v.longest != longest)
      fail_msg("%s, %u misrouted hops: longest walk %u, by the text %u%s%s", cases[i].topology, cases[i].hops,
               v.longest, longest, net->loops ? ", which has a loop" : "", net->falls ? ", whose numbers fall" : "");
    if (getenv("UTURN_SHOW"))
      printf("%s, %u misrouted hops: longest %u, %u answers\n", cases[i].topology, cases[i].hops, longest,
             net->answers);
    close_bench(&b);
    free(net);
  }
}

/* The rules of the text, each taken back, in the smallest of some networks. */
static void each_rule_is_needed(void **state) {
  static const struct {
    const char *topology;
    bool livelock, deadlock;
  } cases[] = {
      {"kind: mesh, sizes: [4, 3]", false, true}, /* no hop leads back, so a walk in dimension 1 ends at the border */
      {"kind: mesh, sizes: [2, 2, 2]", true, true},
      {"kind: mesh, sizes: [3, 3, 3]", true, true},
      {"kind: hypercube, n: 2", false, false},
      {"kind: hypercube, n: 4", true, true}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct net *net = net_of(cases[i].topology);
    net->hops = 1, net->bounded = false;
    search_all(net);
    if (net->loops != cases[i].livelock || net->falls)
      fail_msg("%s without a bound: loop %d, not %d; numbers fall %d", cases[i].topology, net->loops, cases[i].livelock,
               net->falls);
    net->bounded = true, net->above = false;
    search_all(net);
    if (net->falls != cases[i].deadlock)
      fail_msg("%s with all dimensions: numbers fall %d, not %d", cases[i].topology, net->falls, cases[i].deadlock);
    free(net);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_are_those_of_the_text),
      cmocka_unit_test(each_rule_is_needed),
  };
  return cmocka_run_group_tests_name("misroutes", tests, NULL, NULL);
}
