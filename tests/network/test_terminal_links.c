/* SPDX-License-Identifier: Apache-2.0 */
/* test_terminal_links.c - csim/network/terminal: every bit that comes through a link, links that fail, and are back at
 * once, and terminals with large numbers. */
#include "network_parts.h"
#include "registers.h"
#include "scenario_read.h"
#include "scenarios.h"
#include "terminal_cycle.h"

/* ---- a terminal whose link a test drives */

enum { SOURCE = 3, SINK = 1, NOBODY = 60000 };

/* A network without traffic, as soon as all terminals have told of all their room. */
static struct ut_scenario *quiet(struct ut_network *n, unsigned depth, unsigned longest, bool wormhole,
                                 unsigned flit_bits) {
  struct ut_scenario *s =
      test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\n"
                    "switch: {vcs: 2, depth_flits: %u, packet_flits: %u, switching: %s, flit_bits: %u}\n"
                    "routing: {algorithm: reroute_adaptive_link}\ntraffic: {load_flits_per_cycle: 0}\n",
                    depth, longest, wormhole ? "wormhole" : "vct", flit_bits);
  test_network(n, s);
  n->terminals.window_end = UINT64_MAX;
  while (n->terminals.roll->unusual)
    ut_network_step(n);
  return s;
}

/* A packet that the source has sent, as the in-flight table says; returns its header. */
static uint64_t sent(struct ut_network *n, uint16_t dst, unsigned flits) {
  struct ut_terminal *s = &n->terminals.terminal[SOURCE];
  *ut_record_of(s, s->injected) = (struct ut_record){n->cycle, dst, (uint16_t)flits, true, 0};
  ut_record_of(s, s->injected + 1)->cycle = UT_NO_PACKET;
  s->end = ++s->injected;
  s->drawn = s->end + 1;
  return ut_header_make(dst, SOURCE, (uint8_t)(s->injected - 1), 0);
}

static uint32_t sink_lane(const struct ut_network *n) {
  return SINK * n->terminals.links * n->v;
}

/* Flit i of the packet with that header, word by word. */
static void make_flit(const struct ut_network *n, uint64_t *flit, uint64_t header, unsigned i, unsigned flits) {
  for (unsigned word = 0; word < n->words; word++)
    flit[word] = i || word
                     ? ut_body_word(ut_header_src(header), ut_header_tag(header), i * n->words + word, i + 1 == flits)
                     : header;
  flit[n->words] = ut_flit_meta((i ? 0 : UT_KIND_HEAD) | (i + 1 == flits ? UT_KIND_TAIL : 0), 0);
}

/* A flit comes to the sink in this cycle, or none; the credits are nobody's. */
static void comes(struct ut_network *n, const uint64_t *flit) {
  struct ut_wires *w = &n->wires;
  const uint32_t input = w->terminals + sink_lane(n);
  if (flit)
    ut_wires_send(w, w->from[input], flit, ut_wires_flits(w, n->cycle, input) - input);
  ut_network_step(n);
  for (unsigned slot = 0; slot < w->slots; slot++)
    memset(w->credits[slot], 0, w->lanes);
}

/* The whole packet, with one bit of one flit another one; 64 bits: none. */
static void packet_comes(struct ut_network *n, uint64_t header, unsigned flits, unsigned at, unsigned word,
                         unsigned bit) {
  for (unsigned i = 0; i < flits; i++) {
    uint64_t flit[UT_MAX_FLIT_WORDS + 1];
    make_flit(n, flit, header, i, flits);
    if (i == at && bit < 64)
      flit[word] ^= UINT64_C(1) << bit;
    comes(n, flit);
  }
}

/* ---- terminals that choose among links */

enum { MOST_TERMINALS = 64, MOST_LINKS = 4 };

struct before {
  bool up, sending;
  uint8_t credits[4];
};

/* How often the first one of so many links that are as good was taken. */
struct ties {
  unsigned all[MOST_LINKS + 1], first[MOST_LINKS + 1];
};

/* The VC of new packets with most credits, of several the first one. */
static unsigned best_vc(const struct ut_terminals *t, const struct before *b) {
  unsigned best = 0;
  for (unsigned v = 1; v < t->form.inject; v++)
    best = b->credits[v] > b->credits[best] ? v : best;
  return best;
}

/* Looks at the packets that a terminal has begun in the cycle before this one; returns how many led nowhere. */
static unsigned looked_at(const struct ut_network *n, uint32_t id, uint64_t injected, const struct before *b,
                          struct ties *ties) {
  const struct ut_terminals *t = &n->terminals;
  struct ut_terminal *x = &t->terminal[id];
  bool taken[MOST_LINKS] = {false};
  for (; injected != x->end; injected++) {
    const uint16_t dst = ut_record_of(x, injected)->dst;
    unsigned most = 0, count = 0, first = 0, ways[MOST_LINKS];
    bool leads = false, free = false;
    for (unsigned j = 0; j < t->injections; j++) {
      ways[j] = t->source_routes ? ut_source_routes_choices(t->source_routes, id, j, dst, n->cycle - 1) : 1;
      leads |= ways[j] != 0;
      const bool is_free = b[j].up && !b[j].sending && !taken[j];
      const unsigned credits = b[j].credits[best_vc(t, &b[j])];
      free |= is_free;
      if (!is_free || !ways[j] || credits < t->form.need || credits < most)
        continue;
      count = credits == most ? count + 1 : 1;
      first = count == 1 ? j : first;
      most = credits;
    }
    if (!leads && free) {
      assert_int_equal(x->injected, injected + 1);
      return 1;
    }
    if (!count)
      break;
    unsigned link = 0; /* the one that has begun it */
    const struct ut_injection *in = &t->injection[id * t->injections];
    while (taken[link] || b[link].sending || !in[link].sending || ut_header_tag(in[link].header) != (uint8_t)injected)
      assert_true(++link < t->injections);
    const unsigned vc = best_vc(t, &b[link]);
    assert_true(b[link].up && ways[link] && b[link].credits[vc] == most);
    assert_int_equal(in[link].output, n->wires.terminals + in[link].lane + vc);
    assert_true(in[link].header ==
                ut_header_make(dst, (uint16_t)id, (uint8_t)injected, t->source_routes ? ways[link] : 0));
    taken[link] = true;
    ties->all[count]++;
    ties->first[count] += link == first;
  }
  assert_int_equal(x->injected, injected);
  return 0;
}

/* A packet takes the free link whose switch has most room, if the link leads to its destination; of several any. */
static void most_room_first(void **state) {
  (void)state;
  static const char *const scenarios[] = {
      "topology: {kind: mesh, sizes: [4, 3], terminal_links: 2}\nswitch: {vcs: 2, depth_flits: 6, packet_flits: 3}\n"
      "routing: {algorithm: dor}\n",
      "topology: {kind: mesh, sizes: [3, 3], terminal_links: 3}\nswitch: {depth_flits: 8, packet_flits: 2}\n"
      "routing: {algorithm: dor}\n",
      "topology: {kind: ft_ruft_222, k: 2, n: 3}\nswitch: {vcs: 2, depth_flits: 8, packet_flits: 4}\n"
      "routing: {algorithm: ruft}\n",
      "topology: {kind: ft_ruft_222, k: 2, n: 3}\nswitch: {vcs: 2, depth_flits: 8, packet_flits: 3}\n"
      "routing: {algorithm: ruft, manager_delay_cycles: 7, manager_switch_cycles: 2}\n"
      "faults: [{at: 20, until: 60, every: 71, times: 8, random_links: 8},\n"
      "  {at: 40, until: 70, every: 60, times: 9, random_terminal_links: 3}]\n",
  };
  struct ties ties = {{0}, {0}};
  unsigned nowhere = 0;
  for (unsigned i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
    struct ut_network n;
    struct ut_scenario *s = test_scenario("%straffic: {load_flits_per_cycle: %s, process: poisson}\n"
                                          "run: {warmup_cycles: 0, measure_cycles: 600, seed: 4}\n",
                                          scenarios[i], i == 1 ? "0.4" : "1.1");
    test_network(&n, s);
    const struct ut_terminals *t = &n.terminals;
    assert_true(t->count <= MOST_TERMINALS && t->injections <= MOST_LINKS && t->injections > 1);
    while (n.cycle < 600) {
      static struct before b[MOST_TERMINALS][MOST_LINKS];
      uint64_t injected[MOST_TERMINALS];
      for (uint32_t id = 0; id < t->count; id++) {
        injected[id] = t->terminal[id].injected;
        for (unsigned j = 0; j < t->injections; j++) {
          const struct ut_injection *in = &t->injection[id * t->injections + j];
          b[id][j] = (struct before){.up = in->up, .sending = in->sending};
          memcpy(b[id][j].credits, t->credits + in->lane, t->form.v);
        }
      }
      ut_network_step(&n);
      for (uint32_t id = 0; id < t->count; id++)
        nowhere += looked_at(&n, id, injected[id], b[id], &ties);
    }
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
  assert_true(nowhere > 5);
  assert_true(ties.all[2] > 500 && ties.all[3] > 300);
  assert_in_range(ties.first[2] * 100 / ties.all[2], 44, 56);
  assert_in_range(ties.first[3] * 100 / ties.all[3], 27, 40);
}

/* ---- what is checked */

/* Whatever bit of a packet is another one, that is one corrupt packet, and the next one is as it must be. */
static void each_bit_is_looked_at(struct ut_network *n, unsigned flits, unsigned step) {
  const struct ut_accounts *a = &n->terminals.accounts;
  struct ut_terminal *source = &n->terminals.terminal[SOURCE];
  const uint64_t routed = ut_header_make(0, 0, 0, UINT32_MAX);
  for (unsigned at = 0; at < flits; at++)
    for (unsigned i = 0; i < 64 * n->words; i += i % 64 == 63 ? 1 : step < 64 - i % 64 ? step : 63 - i % 64) {
      const struct ut_accounts before = *a;
      const unsigned word = i / 64, bit = i % 64;
      if (at == 0 && word == 0 && routed >> bit & 1) /* rt is for switches */
        continue;
      packet_comes(n, sent(n, SINK, flits), flits, at, word, bit);
      assert_true(a->delivered == before.delivered + 1 && a->delivered_flits == before.delivered_flits + flits);
      if (a->corrupt != before.corrupt + 1)
        fail_msg("bit %u of word %u of flit %u of %u", bit, word, at, flits);
      source->base = source->injected;
      packet_comes(n, sent(n, SINK, flits), flits, 0, 0, 64);
      assert_true(a->delivered == before.delivered + 2 && a->corrupt == before.corrupt + 1);
      assert_true(source->base == source->injected && ut_terminals_receiving(&n->terminals) == 0);
    }
}

static void every_bit_is_checked(void **state) {
  (void)state;
  static const struct {
    unsigned depth, bits;
    bool wormhole;
  } kinds[] = {{8, 64, false}, {8, 128, false}, {7, 256, false}, {3, 64, true},
               {4, 128, true}, {3, 192, true},  {130, 64, false}};
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    struct ut_network n;
    struct ut_scenario *s = quiet(&n, kinds[i].depth, 7, kinds[i].wormhole, kinds[i].bits);
    for (unsigned flits = 1; flits <= 7; flits += 1 + flits)
      each_bit_is_looked_at(&n, flits, 5 + 2 * n.words);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
}

/* A packet that comes to another terminal than it is for is found in the in-flight table, and corrupt; so is what comes
 * after a head that no tail has followed. */
static void wrong_packets_are_corrupt(void **state) {
  (void)state;
  for (unsigned flits = 1; flits < 4; flits++) {
    struct ut_network n;
    struct ut_scenario *s = quiet(&n, 4, 3, false, 64);
    const struct ut_accounts *a = &n.terminals.accounts;
    packet_comes(&n, sent(&n, SINK, flits), flits, 0, 0, 64);
    assert_true(a->delivered == 1 && a->corrupt == 0);
    packet_comes(&n, sent(&n, SINK + 1, flits), flits, 0, 0, 64);
    assert_true(a->delivered == 2 && a->corrupt == 1);
    packet_comes(&n, sent(&n, SINK, flits), flits, 0, 0, 64);
    assert_true(a->delivered == 3 && a->corrupt == 1);
    uint64_t flit[2];
    make_flit(&n, flit, sent(&n, SINK, 3), 0, 3); /* a head, and then another packet */
    comes(&n, flit);
    assert_int_equal(ut_terminals_receiving(&n.terminals), 1);
    packet_comes(&n, sent(&n, SINK, flits), flits, 0, 0, 64);
    assert_true(a->delivered == 4 && a->corrupt == 2);
    make_flit(&n, flit, sent(&n, SINK, 3), 1, 3); /* flits of nothing */
    comes(&n, flit), comes(&n, NULL), comes(&n, flit);
    assert_true(a->delivered == 4 && a->corrupt == 4);
    packet_comes(&n, sent(&n, SINK, flits), flits, 0, 0, 64);
    assert_true(a->delivered == 5 && a->corrupt == 4);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
}

/* ---- what is compared of two networks */

static void both_agree(const struct ut_network *a, const struct ut_network *b, bool wanted) {
  assert_int_equal(ut_terminals_agree(&a->terminals, &b->terminals), wanted);
  assert_int_equal(ut_terminals_agree(&b->terminals, &a->terminals), wanted);
}

/* Changes each word in the sink's ring: it matters where a flit stands that has not been read.  came: flits, so far. */
static void unread_matter(struct ut_network *a, const struct ut_network *b, unsigned came, unsigned unread) {
  const unsigned ring = 2 * a->wires.depth;
  assert_int_equal(a->terminals.unread[sink_lane(a)], unread);
  for (unsigned i = 1; i <= ring; i += i > 8 ? ring / 5 : 1) {
    uint64_t *flit = ut_wires_flit(&a->wires, a->wires.terminals + sink_lane(a), (came + ring - i) % ring);
    for (unsigned word = 0; word < a->words; word++) {
      flit[word] ^= UINT64_C(1) << (i + word) % 64;
      both_agree(a, b, i > unread);
      flit[word] ^= UINT64_C(1) << (i + word) % 64;
    }
  }
}

/* Flits that wait to be read are compared wherever they stand: in one network more have come before. */
static void unread_is_compared(void **state) {
  (void)state;
  static const unsigned depths[] = {2, 3, 4, 5, 6, 7, 130};
  for (unsigned i = 0; i < sizeof depths / sizeof *depths; i++) {
    struct ut_network a, b;
    struct ut_scenario *s = quiet(&a, depths[i], depths[i], false, i % 2 ? 128 : 64),
                       *same = quiet(&b, depths[i], depths[i], false, i % 2 ? 128 : 64);
    const unsigned ring = 2 * depths[i], flits = depths[i] < 6 ? depths[i] : 6;
    unsigned a_came = 0, b_came = 0;
    for (; a_came < ring - 10 && ring > 20; a_came++, b_came++) {
      packet_comes(&a, ut_header_make(SINK, NOBODY, 0, 0), 1, 0, 0, 64);
      packet_comes(&b, ut_header_make(SINK, NOBODY, 0, 0), 1, 0, 0, 64);
    }
    for (unsigned round = 0; round < 14; round++) {
      packet_comes(&b, ut_header_make(SINK, NOBODY, 0, 0), 1, 0, 0, 64);
      b_came++;
      comes(&a, NULL);
      const uint64_t header = sent(&a, SINK, flits);
      assert_true(header == sent(&b, SINK, flits));
      for (unsigned j = 0; j < flits; j++) {
        uint64_t flit[UT_MAX_FLIT_WORDS + 1];
        both_agree(&a, &b, true);
        if (j) {
          unread_matter(&a, &b, a_came, j), unread_matter(&b, &a, b_came, j);
          a.terminals.unread[sink_lane(&a)]--;
          both_agree(&a, &b, false);
          a.terminals.unread[sink_lane(&a)]++;
        }
        make_flit(&a, flit, header, j, flits);
        comes(&a, flit), comes(&b, flit);
        a_came++, b_came++;
      }
      both_agree(&a, &b, true);
    }
    assert_int_equal(a.terminals.accounts.delivered + 14, b.terminals.accounts.delivered);
    ut_network_fini(&a), ut_network_fini(&b);
    ut_scenario_free(s), ut_scenario_free(same);
  }
}

/* ---- links that fail */

/* A link of a terminal fails in the middle of packets, again and again: nothing of them is left, and when it is back
 * for good, the terminal sends all that it has. */
static void sends_again(void **state) {
  (void)state;
  static const char *const switches[] = {
      "switch: {vcs: 1, depth_flits: 8, packet_flits: 8}\nrouting: {algorithm: reroute_adaptive_link}\n",
      "switch: {vcs: 2, depth_flits: 4, packet_flits: 9, switching: wormhole}\n"
      "routing: {algorithm: reroute_adaptive_link}\n",
  };
  for (unsigned kind = 0; kind < 4; kind++) {
    struct ut_scenario *s =
        test_scenario("topology: {kind: fat_tree, k: 4, n: 2}\n%s"
                      "traffic: {load_flits_per_cycle: 0.7}\n"
                      "faults: [{at: 50, until: %u, every: 61, times: 9, %s}]\n"
                      "run: {warmup_cycles: 0, measure_cycles: 700, seed: 3}\n",
                      switches[kind % 2], 58 + 5 * kind,
                      kind / 2 ? "injection: {terminal: 5}" : "link: {level: 0, switch: 1, port: 1}");
    struct ut_network n;
    uint64_t lost = 0;
    test_network(&n, s);
    const struct ut_terminals *t = &n.terminals;
    while (!ut_network_done(&n)) {
      const bool sending = t->injection[5].sending;
      ut_network_step(&n);
      lost += sending && !t->injection[5].sending && !t->injection[5].link_up;
      for (uint32_t i = 0; i < t->lanes; i++) {
        const struct ut_transmissions *now = &t->transmissions[i / UT_LANES];
        assert_true((t->ahead[i] != 0) == (now->sending >> i % UT_LANES & 1));
      }
    }
    assert_true(lost > 3);
    assert_true(t->accounts.corrupt == 0 && ut_terminals_queued(t) == 0);
    assert_int_equal(t->accounts.injected, t->accounts.generated);
    assert_true(n.cycle < 700 + 1000);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
}

/* ---- packets that were cut */

/* Two tails of packets that were cut come at the same time; only one of the packets has come: it alone is discarded. */
static void tails_of_nothing(void **state) {
  (void)state;
  for (unsigned which = 0; which < 2; which++) {
    struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 2}\nswitch: {packet_flits: 4}\n"
                                          "routing: {algorithm: fta}\ntraffic: {load_flits_per_cycle: 0}\n");
    struct ut_network n;
    test_network(&n, s);
    for (unsigned i = 0; i < 8; i++)
      ut_network_step(&n);
    struct ut_wires *w = &n.wires;
    struct ut_terminal *source = &n.terminals.terminal[3];
    uint64_t flit[UT_MAX_FLIT_WORDS + 1] = {0};
    source->record[0] = (struct ut_record){0, (uint16_t)which, 4, true, 0};
    source->injected = source->end = 1;
    source->drawn = 2;
    source->record[1].cycle = UT_NO_PACKET;
    for (unsigned i = 0; i < 2; i++) {
      for (unsigned terminal = 0; terminal < 2; terminal++) {
        const uint32_t input = w->terminals + terminal * n.v;
        flit[0] = ut_header_make((uint16_t)which, 3, 0, 0);
        flit[n.words] = ut_flit_meta(i == 0 ? UT_KIND_HEAD : UT_KIND_TAIL | UT_BAD, 0);
        if (i == 1 || terminal == which)
          ut_wires_send(w, w->from[input], flit, ut_wires_flits(w, n.cycle, input) - input);
      }
      ut_network_step(&n);
      for (unsigned slot = 0; slot < w->slots; slot++)
        memset(w->credits[slot], 0, w->lanes);
    }
    const struct ut_accounts *a = &n.terminals.accounts;
    assert_int_equal(a->discarded[UT_DISCARD_CUT_BY_FAULT], 1);
    assert_true(a->delivered == 0 && source->base == 1);
    assert_int_equal(a->corrupt, 1); /* the other one is a flit of nothing */
    assert_int_equal(ut_terminals_receiving(&n.terminals), 0);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
}

/* ---- links that are back at once */

static void no_credit_is_pending(const struct ut_network *n) {
  const struct ut_topology *t = n->topology;
  const unsigned depth = n->wires.depth;
  for (uint32_t i = 0; i < t->channels; i++) {
    const struct ut_peer p = ut_topology_sender(t, i);
    for (unsigned v = 0; v < n->v && t->peer[i].kind != UT_PEER_NONE; v++)
      if (p.kind == UT_PEER_TERMINAL)
        assert_int_equal(n->terminals.credits[(p.index * n->terminals.links + p.port) * n->v + v], depth);
      else
        assert_int_equal(ut_reg_credits(ut_network_group(n, p.index), ut_network_switch(n, p.index), p.port, v), depth);
  }
  for (uint32_t i = 0; i < n->terminals.count * n->terminals.injections; i++)
    assert_true(n->terminals.injection[i].up);
  for (uint32_t i = 0; i < n->terminals.count * n->terminals.ejections; i++)
    assert_true(n->terminals.ejection[i].pending_credits == 0 && n->terminals.ejection[i].up);
}

/* Links of terminals fail for some cycles, shorter than a flit is on its way, again and again: packets are delivered or
 * cut, and in the end all credits are back. */
static void back_at_once(void **state) {
  (void)state;
  static const char *const faults[] = {"link: {level: 0, switch: 1, port: 0}", "random_terminal_links: 2",
                                       "link: {level: 0, switch: 0, port: 3}"};
  for (unsigned kind = 0; kind < 24; kind++) {
    const unsigned cycles = 1 + kind % 4 * 2, outage = 1 + kind / 4;
    struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 2, n: 2, link_cycles: %u}\n"
                                          "switch: {vcs: %u, depth_flits: 8, packet_flits: 5}\n"
                                          "routing: {algorithm: reroute_adaptive_link}\n"
                                          "traffic: {load_flits_per_cycle: 0.8}\n"
                                          "faults: [{at: 20, until: %u, every: 31, times: 12, %s}]\n"
                                          "run: {warmup_cycles: 0, measure_cycles: 420, seed: 2}\n",
                                          cycles, 1 + kind % 2, 20 + outage, faults[kind % 3]);
    struct ut_network n;
    test_network(&n, s);
    const struct ut_accounts *a = &n.terminals.accounts;
    while (!ut_network_done(&n))
      ut_network_step(&n);
    for (unsigned i = 0; i < 40; i++) /* credits arrive */
      ut_network_step(&n);
    assert_true(a->corrupt == 0 && a->delivered > 50 && a->discarded[UT_DISCARD_CUT_BY_FAULT] > 3);
    assert_true(a->injected == a->generated && a->injected == a->delivered + ut_accounts_discarded(a));
    no_credit_is_pending(&n);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
}

/* ---- deep buffers */

/* Places of buffers whose numbers need seven bits, eight, and more: whatever goes through them arrives as it was. */
static void deep_buffers(void **state) {
  (void)state;
  static const char *const networks[] = {
      "topology: {kind: fat_tree, k: 3, n: 2}\nrouting: {algorithm: reroute_adaptive_link}\n",
      "topology: {kind: mesh, sizes: [3, 3], terminal_links: 2}\nrouting: {algorithm: dor}\n",
      "topology: {kind: ft_ruft_222, k: 2, n: 2, injection_cycles: 2}\nrouting: {algorithm: ruft}\n",
  };
  static const unsigned depths[] = {63, 64, 127, 128, 129, 192, 255};
  for (unsigned i = 0; i < 2 * sizeof depths / sizeof *depths; i++)
    for (unsigned kind = 0; kind < sizeof networks / sizeof *networks; kind++) {
      const unsigned depth = depths[i / 2], longest = i % 2 ? depth - i % 4 : 1 + i;
      struct ut_scenario *s =
          test_scenario("%sswitch: {vcs: %u, depth_flits: %u, packet_flits: %u, switching: %s}\n"
                        "traffic: {load_flits_per_cycle: 0.6}\nrun: {warmup_cycles: 0, measure_cycles: 1200}\n",
                        networks[kind], kind == 1 ? 1 + i % 3 : 2, depth, longest, i % 4 == 3 ? "wormhole" : "vct");
      struct ut_network n;
      test_network(&n, s);
      assert_int_equal(n.wires.wide, depth > 127);
      while (!ut_network_done(&n))
        ut_network_step(&n);
      for (unsigned j = 0; j < 20; j++) /* credits arrive */
        ut_network_step(&n);
      const struct ut_accounts *a = &n.terminals.accounts;
      assert_true(a->corrupt == 0 && a->injected == a->generated && a->delivered == a->injected);
      assert_true(a->delivered_flits == a->injected_flits && a->delivered_flits > 1500);
      no_credit_is_pending(&n);
      ut_network_fini(&n);
      ut_scenario_free(s);
    }
}

/* ---- many terminals */

/* Of more than 64 sets of 64 terminals each is found: by a message that it sends, by its link that fails. */
static void many_terminals(void **state) {
  (void)state;
  enum { COUNT = 150 * 28, LAST = COUNT - 1, FAR = 4033 };
  char path[UT_TEST_TRACE_PATH], goal[512];
  snprintf(goal, sizeof goal,
           "num_ranks %d\nrank %d { send 8b to 4000 tag 1 }\nrank %d { send 8b to 4001 tag 2 }\n"
           "rank 4000 { recv 8b from %d tag 1 }\nrank 4001 { recv 8b from %d tag 2 }\n",
           COUNT, LAST, FAR, LAST, FAR);
  test_write_trace(path, goal);
  struct ut_scenario *s = test_scenario("topology: {kind: mesh, sizes: [15, 10], local_ports: 28}\n"
                                        "switch: {depth_flits: 4, packet_flits: 2}\nrouting: {algorithm: dor}\n"
                                        "traffic: {pattern: goal, goal_file: %s}\n"
                                        "faults: [{at: 0, until: 20, injection: {terminal: %d}}]\n",
                                        path, LAST);
  struct ut_network n;
  test_network(&n, s);
  unlink(path);
  struct ut_terminals *t = &n.terminals;
  assert_int_equal(t->count, COUNT);
  for (unsigned i = 0; i < 60; i++) {
    ut_network_step(&n);
    for (uint32_t id = FAR - 1; id < COUNT; id++) {
      assert_int_equal(t->terminal[id].end, i >= 6 && (id == LAST || id == FAR)); /* the links have their credits */
      assert_int_equal(t->injection[id].up, id != LAST || i >= 20);
      assert_in_range(t->terminal[id].injected, id == FAR && i >= 6, id == FAR || (id == LAST && i > 20));
    }
  }
  assert_true(t->accounts.generated == 2 && t->accounts.injected == 2);
  assert_true(t->accounts.delivered == 2 && t->accounts.corrupt == 0);
  assert_true(ut_network_done(&n));
  ut_network_fini(&n);
  ut_scenario_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_bit_is_checked), cmocka_unit_test(wrong_packets_are_corrupt),
      cmocka_unit_test(unread_is_compared),   cmocka_unit_test(back_at_once),
      cmocka_unit_test(many_terminals),       cmocka_unit_test(deep_buffers),
      cmocka_unit_test(most_room_first),      cmocka_unit_test(sends_again),
      cmocka_unit_test(tails_of_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
