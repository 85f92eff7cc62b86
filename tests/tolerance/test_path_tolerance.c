/* SPDX-License-Identifier: Apache-2.0 */
/* test_path_tolerance.c - csim/tolerance/path_network, path_tolerance, path_cut, against a search for every pair and
 * every fault set by itself, in networks that this file builds from the paper's sentences. */
#include "path_tolerance.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "drawn_ways.h"
#include "fault_sets.h"
#include "path_routes.h"
#include "scenario_read.h"
#include "share.h"
#include "topology_build.h"

enum kind { RUFT, RUFT_PL, FT_RUFT_212, FT_RUFT_222, FTA, KINDS };
static const char *const kind_name[KINDS] = {"ruft", "ruft_pl", "ft_ruft_212", "ft_ruft_222", "fta"};

/* ---- the networks, from section 4 of RUFT (section 3 for FTA) */

struct net {
  enum kind kind;
  unsigned k, n, ends, links;
  uint32_t width;

  struct ut_peer to[4096];
  uint32_t twin[4096];
  struct ut_path_source source;
};

static uint32_t power(unsigned k, unsigned n) {
  return n ? k * power(k, n - 1) : 1;
}
static unsigned digit(const struct net *x, uint32_t number, unsigned i) {
  return number / power(x->k, i) % x->k;
}
static uint32_t with_digit(const struct net *x, uint32_t number, unsigned i, unsigned d) {
  return number - digit(x, number, i) * power(x->k, i) + d * power(x->k, i);
}
static bool apart(const struct net *x) {
  return x->kind == FT_RUFT_212 || x->kind == FT_RUFT_222;
}
static uint32_t eject_switch(const struct net *x, uint32_t p) {
  return (x->n - 1) * x->width + p % x->width;
}

static uint32_t twin_of(const void *ctx, uint32_t channel) {
  return ((const struct net *)ctx)->twin[channel];
}

static ut_mask next(void *ctx, uint32_t sw, unsigned in_port, uint32_t dst) {
  const struct net *x = ctx;
  unsigned k = x->k, level = sw / x->width;
  uint32_t o = sw % x->width;
  if (x->kind == FTA) {
    uint32_t below = power(k, level + 1), base = o / power(k, level) * below;
    if (dst >= base && dst < base + below)
      return ut_bit(digit(x, dst, level));
    return in_port >= k ? 0 : ut_mask_all(k) << k;
  }
  ut_mask ports = 0;
  for (unsigned choice = 0; choice < (apart(x) ? 2u : 1u); choice++) {
    uint32_t as = choice ? dst ^ 1 : dst; /* routed as if this were the destination */
    if (level == x->n - 1) {
      if (o == as % x->width)
        ports |= ut_bit(choice * k + digit(x, dst, x->n - 1)) |
                 (x->kind == RUFT_PL ? ut_bit(k + digit(x, dst, x->n - 1)) : 0);
    } else if (level == 0 || choice == 0)
      for (unsigned half = 0; half < x->links; half++)
        ports |= ut_bit(half * k + digit(x, as, level));
  }
  return ports;
}

static void connect(struct net *x, uint32_t from, unsigned port, uint32_t to, unsigned to_port) {
  x->to[from * x->source.po + port] = (struct ut_peer){to, (uint8_t)to_port, UT_PEER_SWITCH};
}

static void build(struct net *x, enum kind kind, unsigned k, unsigned n) {
  uint32_t terminals = power(k, n), width = terminals / k;
  memset(x, 0, sizeof *x);
  memset(x->twin, 0xff, sizeof x->twin);
  x->kind = kind, x->k = k, x->n = n, x->width = width;
  x->ends = kind == RUFT || kind == FTA ? 1 : 2;
  x->links = kind == RUFT_PL || kind == FT_RUFT_222 ? 2 : 1;
  struct ut_path_source *s = &x->source;
  *s = (struct ut_path_source){.switches = n * width,
                               .terminals = terminals,
                               .pi = 2 * k,
                               .po = 2 * k,
                               .injections = x->ends,
                               .to = x->to,
                               .twin = twin_of,
                               .next = next,
                               .ctx = x};
  uint32_t first = s->switches * s->po; /* injection channels */
  assert_true(first + terminals * x->ends <= 4096);
  for (unsigned level = 0; level + 1 < n; level++)
    for (uint32_t o = 0; o < width; o++)
      for (unsigned d = 0; d < k; d++) {
        uint32_t from = level * width + o, to = (level + 1) * width + with_digit(x, o, level, d);
        unsigned down = digit(x, o, level);
        if (kind == FTA) {
          connect(x, from, k + d, to, down);
          connect(x, to, down, from, k + d);
          x->twin[from * s->po + k + d] = to * s->po + down;
          x->twin[to * s->po + down] = from * s->po + k + d;
        } else
          for (unsigned half = 0; half < x->links; half++)
            connect(x, from, half * k + d, to, half * k + down);
      }
  for (uint32_t p = 0; p < terminals; p++)
    for (unsigned j = 0; j < x->ends; j++) {
      uint32_t in = apart(x) && j ? p ^ terminals / 2 : p, out = apart(x) && j ? p ^ 1 : p;
      uint32_t last = kind == FTA ? p / k : eject_switch(x, out), port = kind == FTA ? p % k : j * k + p / width;
      x->to[first + p * x->ends + j] = (struct ut_peer){in / k, (uint8_t)(j * k + p % k), UT_PEER_SWITCH};
      x->to[last * s->po + port] = (struct ut_peer){p, (uint8_t)j, UT_PEER_TERMINAL};
      if (kind == FTA) {
        x->twin[first + p] = last * s->po + port;
        x->twin[last * s->po + port] = first + p;
      }
    }
}

/* ---- the search */

static bool arrives(const struct net *x, const uint8_t *failed, uint32_t channel, uint32_t dst) {
  const struct ut_peer *to = &x->to[channel];
  if (failed[channel])
    return false;
  if (to->kind == UT_PEER_TERMINAL)
    return to->index == dst;
  if (to->kind == UT_PEER_NONE)
    return false;
  UT_FOR_EACH (port, x->source.next(x->source.ctx, to->index, to->port, dst))
    if (arrives(x, failed, to->index * x->source.po + port, dst))
      return true;
  return false;
}

static bool connected(const struct net *x, const uint8_t *failed, uint32_t from, uint32_t to) {
  bool ok = from == to;
  for (unsigned j = 0; j < x->ends && !ok; j++)
    ok = arrives(x, failed, x->source.switches * x->source.po + from * x->ends + j, to);
  return ok;
}

static unsigned lost_pairs(const struct net *x, const uint8_t *failed) {
  unsigned lost = 0;
  for (uint32_t p = 0; p < x->source.terminals; p++)
    for (uint32_t dst = 0; dst < x->source.terminals; dst++)
      lost += !connected(x, failed, p, dst);
  return lost;
}

/* ---- comparisons */

struct sum {
  uint64_t sets, not_tolerated, lost;
};

/* The switch that a channel leaves, and that it leads to, is `sw`. */
static bool touches(const struct net *x, uint32_t channel, uint32_t sw) {
  return (channel < x->source.switches * x->source.po && channel / x->source.po == sw &&
          x->to[channel].kind != UT_PEER_NONE) ||
         (x->to[channel].kind == UT_PEER_SWITCH && x->to[channel].index == sw);
}

static void fail_unit(const struct net *x, const struct ut_path_network *n, uint8_t *failed, uint32_t unit, int by) {
  for (uint32_t c = 0; c < n->channels; c++)
    if (unit > n->links ? touches(x, c, ut_path_network_switch(n, unit)) : n->unit[c] == unit)
      failed[c] = (uint8_t)(failed[c] + by);
}

/* All sets of `faults` links from unit `from` on, and then of so many switches, on top of what has failed (failed: by
 * channel, how many times). */
static void search(const struct net *x, const struct ut_path_network *n, uint8_t *failed, uint32_t from,
                   unsigned faults, unsigned switches, struct sum *sum) {
  if (!faults && !switches) {
    unsigned lost = lost_pairs(x, failed);
    sum->sets++;
    sum->not_tolerated += lost > 0;
    sum->lost += lost;
    return;
  }
  if (!faults && from <= n->links)
    from = n->links + 1;
  for (uint32_t u = from; u <= (faults ? n->links : n->units); u++) {
    fail_unit(x, n, failed, u, 1);
    search(x, n, failed, u + 1, faults - !!faults, faults ? switches : switches - 1, sum);
    fail_unit(x, n, failed, u, -1);
  }
}

/* A smallest set of those classes is of that size (0: of more than `faults`), and really separates its pair. */
static void check_cut(const struct net *x, const struct ut_path_network *network, unsigned classes, unsigned smallest,
                      unsigned faults) {
  struct ut_path_cut cut;
  struct ut_error e;
  uint8_t failed[4096] = {0};
  assert_int_equal(ut_path_cut_find(network, classes, &cut, &e), 0);
  if (smallest)
    assert_int_equal(cut.size, smallest);
  else
    assert_true(cut.size > faults);
  if (cut.size != UINT32_MAX) {
    for (uint32_t i = 0; i < cut.size; i++)
      fail_unit(x, network, failed, cut.unit[i], 1);
    for (unsigned j = 0; j < x->ends; j++)
      assert_false(arrives(x, failed, x->source.switches * x->source.po + cut.from * x->ends + j, cut.to));
  }
  ut_path_cut_free(&cut);
}

/* Up to so many faults of links with up to so many of switches, each number with each. */
static void compare_beside(enum kind kind, unsigned k, unsigned n, unsigned classes, bool directed, unsigned faults,
                           unsigned switches) {
  static struct net x;
  struct ut_path_network network;
  struct ut_path_point point[16];
  struct ut_path_request request = {.faults = {0, faults}, .switches = {0, switches}, .limit = UINT64_MAX};
  struct ut_parallel parallel = {.workers = 2};
  struct ut_error e;
  uint8_t failed[4096] = {0};
  build(&x, kind, k, n);
  if (switches)
    x.source.failing[1] = x.source.switches;
  if (ut_path_network_init(&network, &x.source, classes, directed, &e))
    fail_msg("%s", e.text);
  if (faults > network.links)
    request.faults[1] = faults = network.links;
  assert_true(ut_path_points(&request) <= 16);
  assert_int_equal(ut_path_tolerance_run(&network, &request, &parallel, point, &e), 0);
  unsigned smallest = 0, smallest_switches = 0;
  for (unsigned i = 0; i < ut_path_points(&request); i++) {
    const struct ut_path_point *p = &point[i];
    struct sum sum = {0};
    assert_int_equal(p->faults, i % (faults + 1));
    assert_int_equal(p->switches, i / (faults + 1));
    search(&x, &network, failed, 1, p->faults, p->switches, &sum);
    if (sum.not_tolerated && !p->switches && !smallest)
      smallest = p->faults;
    if (sum.not_tolerated && !p->faults && !smallest_switches)
      smallest_switches = p->switches;
    if (p->sets != sum.sets || p->not_tolerated != sum.not_tolerated || p->lost != sum.lost)
      fail_msg("%s %u-ary %u, classes %u, %u+%u faults: %u of %u sets, %u pairs; wanted %u of %u, %u", kind_name[kind],
               k, n, classes, p->faults, p->switches, (unsigned)p->not_tolerated, (unsigned)p->sets, (unsigned)p->lost,
               (unsigned)sum.not_tolerated, (unsigned)sum.sets, (unsigned)sum.lost);
  }
  check_cut(&x, &network, classes, smallest, faults);
  if (switches)
    check_cut(&x, &network, UT_CLASS_SWITCH, smallest_switches, switches);
  ut_path_network_free(&network);
}

static void compare(enum kind kind, unsigned k, unsigned n, unsigned classes, bool directed, unsigned faults) {
  compare_beside(kind, k, n, classes, directed, faults, 0);
}

static const unsigned class_sets[] = {UT_CLASS_NETWORK, UT_CLASS_INJECTION, UT_CLASS_EJECTION,
                                      UT_CLASS_INJECTION | UT_CLASS_EJECTION,
                                      UT_CLASS_NETWORK | UT_CLASS_INJECTION | UT_CLASS_EJECTION};

static void like_the_search(void **state) {
  (void)state;
  for (enum kind kind = 0; kind < KINDS; kind++)
    for (unsigned c = 0; c < 5; c++)
      for (unsigned directed = 0; directed < (kind == FTA ? 2u : 1u); directed++) {
        compare(kind, 2, 2, class_sets[c], directed, 3);
        compare(kind, 2, 3, class_sets[c], directed, c == 4 ? 2 : 3);
        compare(kind, 4, 2, class_sets[c], directed, 2);
        compare(kind, 4, 3, class_sets[c], directed, 1);
      }
}

static void switches_like_the_search(void **state) {
  (void)state;
  for (enum kind kind = 0; kind < KINDS; kind++)
    for (unsigned directed = 0; directed < (kind == FTA ? 2u : 1u); directed++) {
      compare_beside(kind, 2, 2, class_sets[4], directed, 2, 2);
      compare_beside(kind, 2, 3, class_sets[0], directed, 1, 2);
      compare_beside(kind, 2, 3, class_sets[3], directed, 0, 3);
      compare_beside(kind, 4, 2, class_sets[4], directed, 1, 1);
      compare_beside(kind, 4, 2, class_sets[0], directed, 0, 2);
    }
}

/* "able to deal with failures of switches"; FTA only above the first stage (5.2, 5.5). */
static void switches_of_the_paper(void **state) {
  (void)state;
  static const uint32_t all[KINDS] = {1, 1, 2, 2, 1};
  for (enum kind kind = 0; kind < KINDS; kind++)
    for (unsigned above = 0; above < 2; above++) {
      static struct net x;
      struct ut_path_network network;
      struct ut_error e;
      build(&x, kind, 4, 3);
      x.source.failing[0] = above ? x.width : 0;
      x.source.failing[1] = x.source.switches;
      assert_int_equal(ut_path_network_init(&network, &x.source, UT_CLASS_NETWORK, false, &e), 0);
      assert_int_equal(network.units - network.links, (above ? 2 : 3) * x.width);
      check_cut(&x, &network, UT_CLASS_SWITCH, kind == FTA && above ? 4 : all[kind], 0);
      ut_path_network_free(&network);
    }
}

static void links(enum kind kind, unsigned k, unsigned n, uint32_t expected) {
  static struct net x;
  struct ut_path_network network;
  struct ut_error e;
  build(&x, kind, k, n);
  assert_int_equal(ut_path_network_init(&network, &x.source, class_sets[4], true, &e), 0);
  assert_int_equal(network.units, expected);
  ut_path_network_free(&network);
}

static void cuts(enum kind kind, unsigned k, unsigned n, uint32_t in_network, uint32_t at_terminals, uint32_t beside) {
  static struct net x;
  struct ut_error e;
  build(&x, kind, k, n);
  for (unsigned c = 0; c < 5; c++) {
    struct ut_path_network network;
    struct ut_path_cut cut;
    assert_int_equal(ut_path_network_init(&network, &x.source, class_sets[c], false, &e), 0);
    assert_int_equal(ut_path_cut_find(&network, class_sets[c], &cut, &e), 0);
    uint32_t expected = c == 0                      ? in_network
                        : c < 4                     ? at_terminals
                        : at_terminals < in_network ? at_terminals
                                                    : in_network;
    if (cut.size != expected)
      fail_msg("%s %u-ary %u, class set %u: %u, not %u", kind_name[kind], k, n, c, (unsigned)cut.size,
               (unsigned)expected);
    ut_path_cut_free(&cut);
    if (c == 4) {
      assert_int_equal(ut_path_cut_beside(&network, UT_CLASS_NETWORK, &cut, &e), 0);
      assert_int_equal(cut.size, beside);
      ut_path_cut_free(&cut);
    }
    ut_path_network_free(&network);
  }
}

/* Tables 2 and 4. */
static void of_the_paper(void **state) {
  (void)state;
  links(FTA, 4, 3, 384);
  links(RUFT, 4, 3, 256);
  links(RUFT_PL, 4, 3, 512);
  links(FT_RUFT_212, 4, 3, 384);
  links(FT_RUFT_222, 4, 3, 512);
  for (unsigned k = 2; k <= 4; k *= 2)
    for (unsigned n = 2; n <= 3; n++) {
      cuts(FTA, k, n, k, 1, 0);
      cuts(RUFT, k, n, 1, 1, 0);
      cuts(RUFT_PL, k, n, 2, 2, 2);
      cuts(FT_RUFT_212, k, n, 4, 2, 2);
      cuts(FT_RUFT_222, k, n, 8, 2, 4);
    }
}

/* Of all units that may have failed already the worst one counts: of a fat tree the only injection link, and not one of
 * several ways up, which the flow comes to first. */
static void beside_the_worst(void **state) {
  (void)state;
  static struct net x;
  struct ut_path_network network;
  struct ut_path_cut cut;
  struct ut_error e;
  build(&x, FTA, 2, 2);
  assert_int_equal(ut_path_network_init(&network, &x.source, class_sets[4], true, &e), 0);
  assert_int_equal(ut_path_cut_beside(&network, UT_CLASS_EJECTION, &cut, &e), 0);
  assert_int_equal(cut.size, 0);
  assert_int_equal(network.unit_class[cut.unit[0]], UT_CLASS_INJECTION);
  ut_path_cut_free(&cut);
  ut_path_network_free(&network);
}

/* One link of the network and one of a terminal never separate a pair: the flow that says so has to be turned back on
 * its way. */
static void beside_a_link(void **state) {
  (void)state;
  static struct net x;
  struct ut_path_network network;
  struct ut_path_cut cut;
  struct ut_error e;
  uint8_t failed[4096] = {0};
  build(&x, FT_RUFT_212, 2, 2);
  assert_int_equal(ut_path_network_init(&network, &x.source, class_sets[4], false, &e), 0);
  for (uint32_t a = 1; a <= network.links; a++)
    for (uint32_t b = 1; b <= network.links; b++)
      if (network.unit_class[a] == UT_CLASS_NETWORK && network.unit_class[b] != UT_CLASS_NETWORK) {
        fail_unit(&x, &network, failed, a, 1), fail_unit(&x, &network, failed, b, 1);
        assert_int_equal(lost_pairs(&x, failed), 0);
        fail_unit(&x, &network, failed, a, -1), fail_unit(&x, &network, failed, b, -1);
      }
  assert_int_equal(ut_path_cut_beside(&network, class_sets[3], &cut, &e), 0);
  assert_int_equal(cut.size, 2);
  ut_path_cut_free(&cut);
  ut_path_network_free(&network);
}

/* The same samples, and so the same counts, for any number of processes; intervals hold what all sets say. */
static void samples(void **state) {
  (void)state;
  static struct net x;
  struct ut_path_network network;
  struct ut_error e;
  build(&x, FT_RUFT_212, 2, 3);
  assert_int_equal(ut_path_network_init(&network, &x.source, UT_CLASS_NETWORK, false, &e), 0);
  struct ut_path_request request = {.faults = {6, 8}, .limit = 10, .samples = 30000, .seed = 4};
  struct ut_path_request exactly = {.faults = {6, 8}, .limit = UINT64_MAX};
  struct ut_path_point one[3], three[3], all[3];
  assert_int_equal(ut_path_tolerance_run(&network, &request, &(struct ut_parallel){.workers = 1}, one, &e), 0);
  assert_int_equal(ut_path_tolerance_run(&network, &request, &(struct ut_parallel){.workers = 3}, three, &e), 0);
  assert_int_equal(ut_path_tolerance_run(&network, &exactly, &(struct ut_parallel){.workers = 2}, all, &e), 0);
  for (unsigned i = 0; i < 3; i++) {
    double low, high, connected = ut_path_connected(&network, &all[i]);
    assert_int_equal(one[i].sets, 30000);
    assert_int_equal(one[i].not_tolerated, three[i].not_tolerated);
    assert_int_equal(one[i].lost, three[i].lost);
    assert_true(one[i].squares == three[i].squares);
    assert_true(all[i].exhaustive && !one[i].exhaustive);
    assert_int_equal(all[i].sets, ut_binomial(16, 6 + i));
    ut_path_connected_interval(&network, &one[i], 0.999, &low, &high);
    assert_true(low < connected && connected < high && high - low < 1);
    assert_true(fabs((double)one[i].not_tolerated / 30000 - (double)all[i].not_tolerated / (double)all[i].sets) < 0.01);
  }
  ut_path_network_free(&network);
}

/* The interval by hand: of ten pairs, in batches whose sums of lost pairs are given. */
static void intervals(void **state) {
  (void)state;
  const struct ut_path_network n = {.pairs = 10};
  enum { SETS = 4 * UT_PATH_BATCH, PAIRS = 10 * UT_PATH_BATCH };
  static const struct {
    uint64_t lost[4];
    double low, high; /* -1: not of interest */
  } cases[] = {
      {{0, 0, 0, 0}, -1, 100},                                          /* none was lost: from below 100 % */
      {{PAIRS / 2, PAIRS / 2, PAIRS / 2, PAIRS / 2}, 50, 50},           /* no spread */
      {{0, PAIRS, 0, PAIRS}, 0, 100},                                   /* all of it */
      {{0, 0, 0, PAIRS / 10}, -1, 100},                                 /* it ends at 100 %, */
      {{PAIRS, PAIRS, PAIRS, PAIRS - PAIRS / 10}, 0, -1},               /* and at 0 % */
      {{PAIRS / 10, PAIRS / 5, PAIRS / 10, PAIRS / 5}, 79.342, 90.658}, /* 85 -+ 1.95996 * 5.7735 / 2 */
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct ut_path_point p = {.sets = SETS, .batches = 4};
    double low, high;
    for (unsigned k = 0; k < 4; k++) {
      p.lost += cases[i].lost[k];
      p.squares += (ut_square_sum)cases[i].lost[k] * cases[i].lost[k];
    }
    p.lost_in_batches = p.lost;
    ut_path_connected_interval(&n, &p, 0.95, &low, &high);
    if (cases[i].low < 0)
      assert_true(low > 0 && low < 100);
    else
      assert_true(fabs(low - cases[i].low) < 1e-3);
    if (cases[i].high < 0)
      assert_true(high > 0 && high < 100);
    else
      assert_true(fabs(high - cases[i].high) < 1e-3);
    p.batches = 1; /* of one batch nothing is known */
    ut_path_connected_interval(&n, &p, 0.95, &low, &high);
    assert_true(high == 100 && (!p.lost || low == 0));
    if (i == 1) { /* of two it is, where they are alike */
      p.batches = 2, p.lost = p.lost_in_batches = PAIRS, p.sets = 2 * UT_PATH_BATCH, p.squares /= 2;
      ut_path_connected_interval(&n, &p, 0.95, &low, &high);
      assert_true(fabs(low - 50) < 1e-3 && fabs(high - 50) < 1e-3);
    }
  }
}

/* The same with switches: link and switch faults drawn together. */
static void samples_of_switches(void **state) {
  (void)state;
  static struct net x;
  struct ut_path_network network;
  struct ut_error e;
  build(&x, FT_RUFT_212, 2, 3);
  x.source.failing[1] = x.source.switches;
  assert_int_equal(ut_path_network_init(&network, &x.source, UT_CLASS_NETWORK, false, &e), 0);
  struct ut_path_request request = {.faults = {3, 3}, .switches = {2, 2}, .limit = 10, .samples = 30000, .seed = 4};
  struct ut_path_request exactly = {.faults = {3, 3}, .switches = {2, 2}, .limit = UINT64_MAX};
  struct ut_path_point some, all;
  double low, high;
  assert_int_equal(ut_path_tolerance_run(&network, &request, &(struct ut_parallel){.workers = 2}, &some, &e), 0);
  assert_int_equal(ut_path_tolerance_run(&network, &exactly, &(struct ut_parallel){.workers = 2}, &all, &e), 0);
  assert_int_equal(all.sets, ut_binomial(16, 3) * ut_binomial(12, 2));
  assert_int_equal(some.sets, 30000);
  ut_path_connected_interval(&network, &some, 0.999, &low, &high);
  assert_true(low < ut_path_connected(&network, &all) && ut_path_connected(&network, &all) < high);
  assert_true(fabs((double)some.not_tolerated / 30000 - (double)all.not_tolerated / (double)all.sets) < 0.01);
  ut_path_network_free(&network);
}

/* `count` random ones of units first + 1..first + all fail, as the samples say. */
static void draw_units(const struct net *x, const struct ut_path_network *n, struct ut_random *random, uint32_t first,
                       uint32_t all, unsigned count, uint8_t *failed) {
  uint32_t drawn[8];
  ut_combination_draw(random, all, count, drawn);
  for (unsigned i = 0; i < count; i++)
    fail_unit(x, n, failed, first + drawn[i] + 1, 1);
}

/* Samples are drawn by seed, numbers of faults and sample alone: each is looked at by itself. */
static void samples_of_a_seed(void **state) {
  (void)state;
  enum { SAMPLES = 100, FAULTS = 5, SWITCHES = 3 };
  static struct net x;
  struct ut_path_network n;
  struct ut_path_point point;
  struct ut_error e;
  uint64_t lost = 0, not_tolerated = 0;
  build(&x, FT_RUFT_212, 2, 3);
  x.source.failing[1] = x.source.switches;
  assert_int_equal(ut_path_network_init(&n, &x.source, UT_CLASS_NETWORK, false, &e), 0);
  const struct ut_path_request request = {.faults = {FAULTS, FAULTS},
                                          .switches = {SWITCHES, SWITCHES},
                                          .limit = 10,
                                          .samples = SAMPLES,
                                          .seed = UINT64_MAX};
  assert_int_equal(ut_path_tolerance_run(&n, &request, &(struct ut_parallel){.workers = 1}, &point, &e), 0);
  for (uint32_t i = 0; i < SAMPLES; i++) {
    struct ut_random random;
    uint8_t failed[4096] = {0};
    ut_random_init(&random, request.seed ^ (uint64_t)SWITCHES << 54 ^ (uint64_t)FAULTS << 40, UT_RANDOM_SAMPLING, i);
    draw_units(&x, &n, &random, 0, n.links, FAULTS, failed);
    draw_units(&x, &n, &random, n.links, n.units - n.links, SWITCHES, failed);
    const unsigned own = lost_pairs(&x, failed);
    lost += own;
    not_tolerated += own > 0;
  }
  assert_int_equal(point.sets, SAMPLES);
  assert_int_equal(point.lost, lost);
  assert_int_equal(point.not_tolerated, not_tolerated);
  ut_path_network_free(&n);
}

/* The same beyond 2^32 of them: bits of the number of the sample are bits of the seed. */
static void samples_far_away(void **state) {
  (void)state;
  for (uint64_t high = 1; high < UINT64_C(1) << 18; high *= 3)
    for (uint64_t seed = 0; seed < 2; seed++) {
      struct ut_random own, expected;
      const struct ut_path_point p = {.faults = 6, .switches = 9};
      const uint64_t all = seed ? UINT64_MAX : 0;
      ut_path_sample(&own, all, &p, high << 32 | 77);
      ut_random_init(&expected, all ^ 9 * (UINT64_C(1) << 54) ^ 6 * (UINT64_C(1) << 40) ^ high * (1 << 24),
                     UT_RANDOM_SAMPLING, 77);
      for (unsigned i = 0; i < 4; i++)
        assert_int_equal(ut_random_u32(&own), ut_random_u32(&expected));
    }
}

/* All sets up to the limit, samples beyond it, also where there are more sets than a number holds; 2^50 at most. */
static void limits(void **state) {
  (void)state;
  static struct net x;
  const volatile sig_atomic_t stop = 1;
  struct ut_path_network n;
  struct ut_path_point point;
  struct ut_error e;
  build(&x, RUFT, 4, 3);
  x.source.failing[1] = x.source.switches;
  assert_int_equal(ut_path_network_init(&n, &x.source, UT_CLASS_NETWORK, false, &e), 0);
  assert_true(n.links == 128 && n.units == 128 + 48);
  struct ut_path_request request = {.faults = {2, 2}, .samples = 7};
  for (unsigned less = 0; less < 2; less++) {
    request.limit = ut_binomial(128, 2) - less;
    assert_int_equal(ut_path_tolerance_run(&n, &request, &(struct ut_parallel){.workers = 1}, &point, &e), 0);
    assert_int_equal(point.exhaustive, !less);
    assert_int_equal(point.sets, less ? 7 : ut_binomial(128, 2));
  }
  request = (struct ut_path_request){.faults = {11, 11}, .switches = {5, 5}, .limit = UINT64_MAX - 1, .samples = 7};
  assert_true(ut_binomial(128, 11) > UINT64_MAX / ut_binomial(48, 5));
  assert_true(ut_binomial(128, 11) * ut_binomial(48, 5) > UINT64_C(1) << 50); /* what is left of the product */
  assert_int_equal(ut_path_tolerance_run(&n, &request, &(struct ut_parallel){.workers = 1}, &point, &e), 0);
  assert_true(!point.exhaustive && point.sets == 7);
  request.limit = 0;
  for (unsigned more = 0; more < 2; more++) {
    request.samples = (UINT64_C(1) << 50) + more;
    assert_int_equal(
        ut_path_tolerance_run(&n, &request, &(struct ut_parallel){.workers = 1, .stop = &stop}, &point, &e),
        more ? -1 : 0);
    assert_int_equal(point.sets, 0);
  }
  assert_non_null(strstr(e.text, "there are too many sets of 11 faults"));
  ut_path_network_free(&n);
}

/* A graph with as many ways: 15 leaf switches lead to 16 roots each, the roots to the last leaf switch, and this one to
 * the terminal; each switch is a way of its own, too. */
static void many_ways(void **state) {
  (void)state;
  static struct net x;
  struct ut_path_network n;
  struct ut_error e;
  build(&x, FTA, 16, 2);
  x.source.failing[1] = x.source.switches;
  assert_int_equal(ut_path_network_init(&n, &x.source, 7, false, &e), 0);
  assert_int_equal(n.links, 256 + 256);
  assert_int_equal(n.groups, 256);
  for (uint32_t g = 0; g < n.groups; g++) {
    const struct ut_ways *w = &n.ways[g];
    uint32_t seen[512 + 32 + 1] = {0};
    assert_int_equal(w->nodes, UT_WAYS + 2 * 32);
    assert_int_equal(w->first[w->nodes], 15 * 16 + 16 + 1 + 32);
    for (uint32_t i = 0; i < w->first[w->nodes]; i++) {
      assert_true(w->way[i].unit > 0 && w->way[i].unit <= n.units && !seen[w->way[i].unit]++);
      assert_true(w->way[i].node < w->nodes && w->way[i].node != UT_WAY_NONE);
    }
  }
  ut_path_network_free(&n);
}

/* ---- the networks of scenarios, as their topology and route function say */

struct built {
  struct ut_scenario *scenario;
  struct ut_topology topology;
  struct ut_path_routes routes;
};

/* -1: path_routes refuses it. */
static int open_scenario(struct built *b, const char *topology, const char *routing, struct ut_error *e) {
  char text[256];
  int length = snprintf(text, sizeof text, "topology: {%s}\nrouting: {%s}\ntraffic: {load_flits_per_cycle: 0.1}\n",
                        topology, routing);
  b->scenario = ut_scenario_parse(text, (size_t)length, "test.yaml", e);
  if (!b->scenario)
    fail_msg("%s", e->text);
  assert_int_equal(ut_topology_init(&b->topology, b->scenario, e), 0);
  return ut_path_routes_init(&b->routes, b->scenario, &b->topology, e);
}

static void close_scenario(struct built *b) {
  ut_path_routes_free(&b->routes);
  ut_topology_free(&b->topology);
  ut_scenario_free(b->scenario);
}

static void same_network(enum kind kind, unsigned k, unsigned n, unsigned classes, bool directed, unsigned faults) {
  static struct net x;
  struct ut_path_network own, its;
  struct built b;
  struct ut_error e;
  struct ut_path_point a[4], c[4];
  struct ut_path_request request = {.faults = {0, faults}, .limit = UINT64_MAX};
  struct ut_parallel parallel = {.workers = 1};
  char topology[64];
  build(&x, kind, k, n);
  snprintf(topology, sizeof topology, "kind: %s, k: %u, n: %u", kind == FTA ? "fat_tree" : kind_name[kind], k, n);
  assert_int_equal(open_scenario(&b, topology, kind == FTA ? "algorithm: fta" : "algorithm: ruft", &e), 0);
  assert_int_equal(ut_path_network_init(&own, &x.source, classes, directed, &e), 0);
  assert_int_equal(ut_path_network_init(&its, &b.routes.source, classes, directed, &e), 0);
  assert_int_equal(own.units, its.units);
  assert_int_equal(own.groups, its.groups);
  assert_int_equal(own.sources, its.sources);
  assert_int_equal(ut_path_tolerance_run(&own, &request, &parallel, a, &e), 0);
  assert_int_equal(ut_path_tolerance_run(&its, &request, &parallel, c, &e), 0);
  for (unsigned f = 0; f <= faults; f++) {
    assert_int_equal(a[f].sets, c[f].sets);
    assert_int_equal(a[f].not_tolerated, c[f].not_tolerated);
    assert_int_equal(a[f].lost, c[f].lost);
  }
  ut_path_network_free(&own);
  ut_path_network_free(&its);
  close_scenario(&b);
}

static void of_scenarios(void **state) {
  (void)state;
  for (enum kind kind = 0; kind < KINDS; kind++)
    for (unsigned c = 0; c < 5; c++)
      for (unsigned directed = 0; directed < (kind == FTA ? 2u : 1u); directed++) {
        same_network(kind, 2, 2, class_sets[c], directed, 3);
        same_network(kind, 2, 3, class_sets[c], directed, 3);
        same_network(kind, 4, 2, class_sets[c], directed, 2);
        same_network(kind, 4, 3, class_sets[c], directed, 2);
      }
}

static uint32_t cut_of(const char *topology, const char *routing) {
  struct ut_path_network n;
  struct ut_path_cut cut;
  struct built b;
  struct ut_error e;
  assert_int_equal(open_scenario(&b, topology, routing, &e), 0);
  if (ut_path_network_init(&n, &b.routes.source, UT_CLASS_NETWORK, false, &e))
    fail_msg("%s", e.text);
  assert_int_equal(ut_path_cut_find(&n, UT_CLASS_NETWORK, &cut, &e), 0);
  uint32_t size = cut.size;
  ut_path_cut_free(&cut);
  ut_path_network_free(&n);
  close_scenario(&b);
  return size;
}

/* Static selection takes the second of two links side by side away; other families have ways, too. */
static void other_ways(void **state) {
  (void)state;
  static const char stat[] = "algorithm: ruft, parallel_links: static", dynamic[] = "algorithm: ruft";
  assert_int_equal(cut_of("kind: ruft_pl, k: 2, n: 3", dynamic), 2);
  assert_int_equal(cut_of("kind: ruft_pl, k: 2, n: 3", stat), 1);
  assert_int_equal(cut_of("kind: ft_ruft_222, k: 4, n: 2", dynamic), 8);
  assert_int_equal(cut_of("kind: ft_ruft_222, k: 4, n: 2", stat), 4);
  assert_int_equal(cut_of("kind: ft_ruft_212, k: 8, n: 2", dynamic), 4);
  assert_int_equal(cut_of("kind: fat_tree, k: 2, n: 3", "algorithm: destro"), 1);
  assert_int_equal(cut_of("kind: torus, sizes: [3, 3]", "algorithm: dor"), 1);
}

/* Detours are no ways that links alone decide. */
static void refused(void **state) {
  (void)state;
  static const char *const algorithm[] = {"reroute_adaptive_link", "reroute_det_link", "misroute_header", "table"};
  for (size_t i = 0; i < sizeof algorithm / sizeof *algorithm; i++) {
    char routing[64];
    struct built b;
    struct ut_error e;
    snprintf(routing, sizeof routing, "algorithm: %s", algorithm[i]);
    assert_int_equal(open_scenario(&b, "kind: fat_tree, k: 2, n: 3", routing, &e), -1);
    assert_int_equal(e.code, UT_BAD_INPUT);
    assert_non_null(strstr(e.text, strcmp(algorithm[i], "table") ? "without detours" : "leave it out"));
    close_scenario(&b);
  }
}

/* ---- networks of any form */

/* Channels in their order, each with its twin; the rest cannot fail. */
static void check_units(const struct net *x, const struct ut_path_network *n, unsigned classes, bool directed) {
  const struct ut_path_source *s = &x->source;
  uint32_t units = 0, inner = s->switches * s->po;
  assert_int_equal(n->channels, inner + s->terminals * s->injections);
  for (uint32_t c = 0; c < n->channels; c++) {
    const uint32_t pair[] = {c, directed ? UT_NO_TWIN : s->twin(s->ctx, c)};
    unsigned both = 0, own[2] = {0};
    for (unsigned i = 0; i < 2 && pair[i] != UT_NO_TWIN; i++) {
      const unsigned kind = s->to[pair[i]].kind;
      own[i] = pair[i] >= inner ? UT_CLASS_INJECTION : kind == UT_PEER_TERMINAL ? UT_CLASS_EJECTION : UT_CLASS_NETWORK;
      both |= own[i] = kind == UT_PEER_NONE ? 0 : own[i];
    }
    if (!(both & classes)) {
      assert_int_equal(n->unit[c], UT_NO_UNIT);
      continue;
    }
    assert_in_range(n->unit[c], 1, n->links);
    if (own[0] & classes && n->unit[c] > units)
      assert_int_equal(n->unit[c], ++units);
    assert_int_equal(n->unit_class[n->unit[c]], both);
    assert_true(n->channel[n->unit[c]] == c || n->channel[n->unit[c]] == pair[1]);
    assert_true(pair[1] == UT_NO_TWIN || n->unit[pair[1]] == n->unit[c]);
  }
  assert_int_equal(n->links, units);
  assert_int_equal(n->units, units + s->failing[1] - s->failing[0]);
  for (uint32_t u = n->links + 1; u <= n->units; u++) {
    assert_int_equal(n->unit_class[u], UT_CLASS_SWITCH);
    assert_int_equal(ut_path_network_switch(n, u), s->failing[0] + u - n->links - 1);
  }
}

/* Some unit is at two ways to one destination. */
static bool has_repeated(const struct ut_path_network *n) {
  for (uint32_t g = 0; g < n->groups; g++) {
    const struct ut_ways *w = &n->ways[g];
    for (uint32_t i = 0; i < w->first[w->nodes]; i++)
      for (uint32_t j = 0; j < i; j++)
        if (w->way[i].unit != UT_NO_UNIT && w->way[i].unit == w->way[j].unit)
          return true;
  }
  return false;
}

/* How many more units, from `unit` on, of these classes must fail to separate the pair; more than `most`: most + 1. */
static unsigned needed(const struct net *x, const struct ut_path_network *n, uint8_t *failed, uint32_t unit,
                       unsigned counted, unsigned most, uint32_t from, uint32_t to) {
  unsigned best = most + 1;
  if (!connected(x, failed, from, to))
    return 0;
  for (uint32_t u = unit; u <= n->units && most && best; u++) {
    if (!(n->unit_class[u] & counted))
      continue;
    fail_unit(x, n, failed, u, 1);
    const unsigned more = 1 + needed(x, n, failed, u + 1, counted, most - 1, from, to);
    best = more < best ? more : best;
    fail_unit(x, n, failed, u, -1);
  }
  return best;
}

/* Whether a way of that pair, or another one to the same destination, needs the unit. */
static bool on_the_ways(const struct ut_path_network *n, uint32_t from, uint32_t to, uint32_t unit) {
  const struct ut_ways *w = &n->ways[n->group_of[to]];
  for (uint32_t i = 0; i < w->first[w->nodes]; i++)
    if (w->way[i].unit == unit)
      return true;
  for (unsigned i = 0; i < n->source->injections; i++)
    if (n->start[n->source_of[from] * n->source->injections + i].unit == unit)
      return true;
  return false;
}

enum { MOST_CUT = 2 };

static void compare_cut(const struct net *x, const struct ut_path_network *n, unsigned counted, bool beside) {
  uint8_t failed[4096] = {0};
  struct ut_path_cut cut;
  struct ut_error e;
  unsigned best = MOST_CUT + 1;
  for (uint32_t from = 0; from < x->source.terminals; from++)
    for (uint32_t to = 0; to < x->source.terminals; to++)
      for (uint32_t u = 0; u <= (beside ? n->units : 0) && from != to; u++) {
        if (beside && (!u || n->unit_class[u] & counted || !on_the_ways(n, from, to, u)))
          continue;
        if (u)
          fail_unit(x, n, failed, u, 1);
        const unsigned own = needed(x, n, failed, 1, counted, MOST_CUT, from, to);
        best = own < best ? own : best;
        if (u)
          fail_unit(x, n, failed, u, -1);
      }
  assert_int_equal((beside ? ut_path_cut_beside : ut_path_cut_find)(n, counted, &cut, &e), 0);
  if (best <= MOST_CUT || cut.size <= MOST_CUT)
    assert_int_equal(cut.size, best);
  if (cut.size != UINT32_MAX) {
    assert_true(cut.from != cut.to && connected(x, failed, cut.from, cut.to));
    for (uint32_t i = 0; i < cut.size; i++) {
      assert_true(n->unit_class[cut.unit[i]] & counted);
      fail_unit(x, n, failed, cut.unit[i], 1);
    }
    if (beside) {
      assert_false(n->unit_class[cut.unit[cut.size]] & counted);
      fail_unit(x, n, failed, cut.unit[cut.size], 1);
    }
    assert_false(connected(x, failed, cut.from, cut.to));
  }
  ut_path_cut_free(&cut);
}

static void drawn_network(struct net *x, const struct drawn *d, unsigned classes, bool directed) {
  static const uint8_t none[4096];
  struct ut_path_network n;
  struct ut_path_point point[6];
  struct ut_path_request request = {.faults = {0, 2}, .switches = {0, 1}, .limit = UINT64_MAX};
  struct ut_error e;
  uint8_t failed[4096] = {0};
  memset(x, 0, sizeof *x);
  memcpy(x->to, d->to, sizeof d->to);
  x->source = d->source;
  x->ends = d->source.injections;
  const int status = ut_path_network_init(&n, &x->source, classes, directed, &e);
  assert_int_equal(status, lost_pairs(x, none) ? -1 : 0);
  if (status) {
    assert_non_null(strstr(e.text, "there is no way from terminal"));
    return;
  }
  check_units(x, &n, classes, directed);
  assert_int_equal(n.repeated, has_repeated(&n));
  request.faults[1] = n.links < 2 ? n.links : 2;
  request.switches[1] = n.units > n.links;
  assert_int_equal(ut_path_tolerance_run(&n, &request, &(struct ut_parallel){.workers = 1}, point, &e), 0);
  for (unsigned i = 0; i < ut_path_points(&request); i++) {
    struct sum sum = {0};
    search(x, &n, failed, 1, point[i].faults, point[i].switches, &sum);
    assert_int_equal(point[i].sets, sum.sets);
    assert_int_equal(point[i].not_tolerated, sum.not_tolerated);
    assert_int_equal(point[i].lost, sum.lost);
  }
  for (unsigned counted = 1; counted < 16; counted++)
    for (unsigned beside = 0; beside < 2; beside++)
      if (n.repeated) {
        struct ut_path_cut cut;
        assert_int_equal((beside ? ut_path_cut_beside : ut_path_cut_find)(&n, counted, &cut, &e), -1);
        assert_non_null(strstr(e.text, "at several ways"));
      } else if (counted % 5 == 1 || counted == UT_CLASS_SWITCH || counted == 7)
        compare_cut(x, &n, counted, beside);
  ut_path_network_free(&n);
}

static void drawn_networks(void **state) {
  (void)state;
  static struct net x;
  static struct drawn d;
  for (uint64_t seed = 1; seed <= 240; seed += SHARE) {
    drawn_init(&d, seed);
    drawn_network(&x, &d, 1 + seed % 7, seed % 3 == 0);
  }
}

/* ---- planted mistakes are found */

/* The second links lead to the first ones' switches. */
static void not_apart(void **state) {
  (void)state;
  static struct net x;
  struct ut_path_network network;
  struct ut_path_cut cut;
  struct ut_error e;
  build(&x, FT_RUFT_212, 2, 3);
  for (uint32_t p = 0; p < 8; p++)
    x.to[x.source.switches * x.source.po + p * 2 + 1].index = p / 2;
  assert_int_equal(ut_path_network_init(&network, &x.source, UT_CLASS_NETWORK, false, &e), 0);
  assert_int_equal(ut_path_cut_find(&network, UT_CLASS_NETWORK, &cut, &e), 0);
  assert_int_equal(cut.size, 2);
  ut_path_cut_free(&cut);
  ut_path_network_free(&network);
}

static ut_mask next_without(void *ctx, uint32_t sw, unsigned in_port, uint32_t dst) {
  return sw == 3 && dst == 5 ? 0 : next(ctx, sw, in_port, dst);
}
static ut_mask next_back(void *ctx, uint32_t sw, unsigned in_port, uint32_t dst) {
  const struct net *x = ctx;
  (void)in_port; /* what comes from above goes up again */
  return next(ctx, sw, 0, dst) | (sw / x->width == 1 ? ut_bit(0) : 0);
}

/* A pair without a way; ways that go round. */
static void broken_routes(void **state) {
  (void)state;
  static struct net x;
  struct ut_path_network network;
  struct ut_error e;
  build(&x, RUFT, 2, 3);
  x.source.next = next_without;
  assert_int_equal(ut_path_network_init(&network, &x.source, UT_CLASS_NETWORK, false, &e), -1);
  assert_non_null(strstr(e.text, "no way from terminal 6 to terminal 5"));
  build(&x, FTA, 2, 3);
  x.source.next = next_back;
  assert_int_equal(ut_path_network_init(&network, &x.source, UT_CLASS_NETWORK, false, &e), -1);
  assert_non_null(strstr(e.text, "can come back"));
}

/* More faults than there are links. */
static void too_many(void **state) {
  (void)state;
  static struct net x;
  struct ut_path_network network;
  struct ut_path_point point[2];
  struct ut_error e;
  build(&x, RUFT, 2, 2);
  assert_int_equal(ut_path_network_init(&network, &x.source, UT_CLASS_NETWORK, false, &e), 0);
  struct ut_path_request request = {.faults = {4, 5}, .limit = UINT64_MAX};
  assert_int_equal(ut_path_tolerance_run(&network, &request, &(struct ut_parallel){.workers = 1}, point, &e), -1);
  assert_int_equal(e.code, UT_BAD_INPUT);
  request = (struct ut_path_request){.switches = {0, 1}, .limit = UINT64_MAX};
  assert_int_equal(ut_path_tolerance_run(&network, &request, &(struct ut_parallel){.workers = 1}, point, &e), -1);
  assert_non_null(strstr(e.text, "only 0 switches can fail"));
  ut_path_network_free(&network);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(like_the_search), cmocka_unit_test(switches_like_the_search),
      cmocka_unit_test(of_the_paper),    cmocka_unit_test(switches_of_the_paper),
      cmocka_unit_test(samples),         cmocka_unit_test(samples_of_switches),
      cmocka_unit_test(of_scenarios),    cmocka_unit_test(other_ways),
      cmocka_unit_test(refused),         cmocka_unit_test(not_apart),
      cmocka_unit_test(broken_routes),   cmocka_unit_test(too_many),
      cmocka_unit_test(intervals),       cmocka_unit_test(beside_the_worst),
      cmocka_unit_test(beside_a_link),   cmocka_unit_test(drawn_networks),
      cmocka_unit_test(limits),          cmocka_unit_test(samples_of_a_seed),
      cmocka_unit_test(many_ways),       cmocka_unit_test(samples_far_away),
  };
  return cmocka_run_group_tests_name("path_tolerance", tests, NULL, NULL);
}
