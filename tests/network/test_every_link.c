/* SPDX-License-Identifier: Apache-2.0 */
/* test_every_link.c - topologies of all families against their definitions, one digit or coordinate after the other:
 * where each output port and each injection link leads to.  Whatever else a topology tells of links follows from that.
 * Names as docs/explanation/network.md and the papers write them. */
#include <inttypes.h>

#include "distance.h"
#include "layout.h"
#include "scenario.h"
#include "scenario_read.h"
#include "scenarios.h"
#include "topologies.h"
#include "topology_build.h"

enum { MOST_DIGITS = 16, MOST_SWITCHES = 128 };

/* A network by its definition. */
struct net {
  const struct ut_scenario *s;
  struct ut_topology t;
  enum { TREE, STAGES, GRID, CUBE } how;
  unsigned radix[MOST_DIGITS], digits; /* of the number of a switch in its level, the lowest digit first */
  unsigned k, levels;                  /* of TREE and STAGES */
  unsigned ends, links;                /* of STAGES: links of a terminal each way, links between two switches */
  bool apart;                          /* of STAGES: links of a terminal belong to different switches */
};

static void define(struct net *x, const struct ut_scenario *s) {
  static const struct {
    const struct ut_family *family;
    unsigned ends, links;
    bool apart;
  } stages[] = {{&ut_family_ruft, 1, 1, false},
                {&ut_family_ruft_pl, 2, 2, false},
                {&ut_family_ft_ruft_212, 2, 1, true},
                {&ut_family_ft_ruft_222, 2, 2, true}};
  const struct ut_family *f = s->topology.family;
  struct ut_error e;
  *x = (struct net){.s = s, .how = f == &ut_family_hypercube ? CUBE : GRID, .levels = 1};
  if (ut_topology_init(&x->t, s, &e))
    fail_msg("%s", e.text);
  assert_true(x->t.switches <= MOST_SWITCHES);
  if (f == &ut_family_fat_tree)
    x->how = TREE;
  for (unsigned i = 0; i < sizeof stages / sizeof *stages; i++)
    if (f == stages[i].family)
      x->how = STAGES, x->ends = stages[i].ends, x->links = stages[i].links, x->apart = stages[i].apart;
  if (x->how < GRID)
    x->k = s->topology.k, x->levels = s->topology.n, x->digits = x->levels - 1;
  else
    x->digits = x->how == CUBE ? s->topology.n : s->topology.sizes;
  for (unsigned i = 0; i < MOST_DIGITS; i++)
    x->radix[i] = x->how < GRID ? x->k : x->how == CUBE ? 2 : i < x->digits ? s->topology.size[i] : 1;
}

static void read_digits(const struct net *x, uint32_t number, unsigned digit[MOST_DIGITS]) {
  for (unsigned i = 0; i < MOST_DIGITS; number /= x->radix[i++])
    digit[i] = number % x->radix[i];
}

static uint32_t number_of(const struct net *x, const unsigned *digit, unsigned digits) {
  uint32_t number = 0;
  for (unsigned i = digits; i-- > 0;)
    number = number * x->radix[i] + digit[i];
  return number;
}

static uint32_t width_of(const struct net *x) {
  return x->t.switches / x->levels;
}

static struct ut_peer switch_at(const struct net *x, unsigned level, const unsigned *digit, unsigned port) {
  return (struct ut_peer){level * width_of(x) + number_of(x, digit, x->digits), (uint8_t)port, UT_PEER_SWITCH};
}

/* ---- where output ports lead to; digit: of the switch, changed */

static const struct ut_peer nowhere = {0};

/* Ports 0..k-1 lead down, the others up.  Between levels l and l + 1 digit l changes into the number of the port. */
static struct ut_peer tree_end(const struct net *x, unsigned level, unsigned *digit, unsigned port) {
  const bool up = port >= x->k;
  if (!up && level == 0)
    return (struct ut_peer){number_of(x, digit, x->digits) * x->k + port, 0, UT_PEER_TERMINAL};
  if (up && level + 1 == x->levels)
    return nowhere;
  unsigned *changed = &digit[up ? level : level - 1], from = *changed;
  *changed = up ? port - x->k : port;
  return up ? switch_at(x, level + 1, digit, from) : switch_at(x, level - 1, digit, x->k + from);
}

/* The same upwards; the port of the last level is the highest digit of a terminal.  Second links are k ports higher. */
static struct ut_peer stage_end(const struct net *x, unsigned level, unsigned *digit, unsigned port) {
  const unsigned second = port / x->k, from = digit[level];
  const bool last = level + 1 == x->levels;
  if (second >= (last ? x->ends : x->links))
    return nowhere;
  digit[level] = port % x->k;
  if (!last)
    return switch_at(x, level + 1, digit, second * x->k + from);
  const uint32_t terminal = number_of(x, digit, x->levels);
  return (struct ut_peer){x->apart && second ? terminal ^ 1 : terminal, (uint8_t)second, UT_PEER_TERMINAL};
}

/* Ports 2d and 2d + 1: one step on and back in dimension d; of a hypercube port d: to the only other coordinate. */
static struct ut_peer node_end(const struct net *x, uint32_t node, unsigned *digit, unsigned port) {
  const unsigned links = x->s->topology.terminal_links, network = x->how == CUBE ? x->digits : 2 * x->digits;
  if (port >= network)
    return (struct ut_peer){node * x->s->topology.local_ports + (port - network) / links,
                            (uint8_t)((port - network) % links), UT_PEER_TERMINAL};
  if (x->how == CUBE) {
    digit[port] = !digit[port];
    return switch_at(x, 0, digit, port);
  }
  const unsigned size = x->radix[port / 2], from = digit[port / 2], to = port % 2 ? from - 1 : from + 1;
  if (to >= size && x->s->topology.family == &ut_family_mesh)
    return nowhere;
  digit[port / 2] = to < size ? to : port % 2 ? size - 1 : 0;
  return switch_at(x, 0, digit, port % 2 ? port - 1 : port + 1);
}

static struct ut_peer end_of(const struct net *x, uint32_t sw, unsigned port) {
  unsigned digit[MOST_DIGITS];
  read_digits(x, sw % width_of(x), digit);
  return x->how == TREE     ? tree_end(x, sw / width_of(x), digit, port)
         : x->how == STAGES ? stage_end(x, sw / width_of(x), digit, port)
                            : node_end(x, sw, digit, port);
}

static struct ut_peer injection_end(const struct net *x, uint32_t terminal, unsigned link) {
  const unsigned local = x->s->topology.local_ports, links = x->s->topology.terminal_links;
  if (x->how == TREE)
    return (struct ut_peer){terminal / x->k, (uint8_t)(terminal % x->k), UT_PEER_SWITCH};
  if (x->how == STAGES) {
    const uint32_t like = x->apart && link ? terminal ^ x->t.terminals / 2 : terminal;
    return (struct ut_peer){like / x->k, (uint8_t)(link * x->k + like % x->k), UT_PEER_SWITCH};
  }
  const unsigned network = x->how == CUBE ? x->digits : 2 * x->digits;
  return (struct ut_peer){terminal / local, (uint8_t)(network + terminal % local * links + link), UT_PEER_SWITCH};
}

static void is_end(const char *what, uint32_t number, struct ut_peer is, struct ut_peer wanted) {
  static const char *const kind[] = {"nothing", "switch", "terminal"};
  if (is.kind != wanted.kind || is.index != wanted.index || is.port != wanted.port)
    fail_msg("%s %u: %s %u port %u, expected %s %u port %u", what, number, kind[is.kind], is.index, is.port,
             kind[wanted.kind], wanted.index, wanted.port);
}

static void links_lead_there(const struct net *x) {
  const struct ut_topology *t = &x->t;
  for (uint32_t sw = 0; sw < t->switches; sw++)
    for (unsigned port = 0; port < t->po; port++) {
      const uint32_t channel = sw * t->po + port;
      is_end("channel", channel, t->peer[channel], end_of(x, sw, port));
    }
  for (uint32_t i = 0; i < t->terminals; i++)
    for (unsigned link = 0; link < t->injections; link++)
      is_end("terminal", i, t->peer[ut_topology_injection(t, i, link)], injection_end(x, i, link));
}

/* ---- what follows from peer[] */

/* The other end of a channel knows it; its twin leads from there to here. */
static void ends_agree(const struct ut_topology *t) {
  uint32_t to_switches = 0, to_terminals = 0, fed = 0;
  for (uint32_t c = 0; c < t->channels; c++) {
    const struct ut_peer from = ut_topology_sender(t, c), to = t->peer[c];
    const uint32_t twin = ut_topology_twin(t, c);
    assert_int_equal(from.kind == UT_PEER_SWITCH ? from.index * t->po + from.port
                                                 : ut_topology_injection(t, from.index, from.port),
                     c);
    to_switches += to.kind == UT_PEER_SWITCH, to_terminals += to.kind == UT_PEER_TERMINAL;
    if (to.kind == UT_PEER_SWITCH) {
      assert_int_equal(t->feeder[(size_t)to.index * t->pi + to.port], c);
      is_end("source of channel", c, ut_topology_source(t, to.index, to.port), from);
    } else if (to.kind == UT_PEER_TERMINAL) {
      assert_int_equal(t->ejection[(size_t)to.index * t->ejections + to.port], c);
    }
    if (!t->bidirectional || to.kind == UT_PEER_NONE) {
      assert_int_equal(twin, UT_NO_CHANNEL);
    } else {
      is_end("twin of channel", c, ut_topology_sender(t, twin), to);
      is_end("back over channel", c, t->peer[twin], from);
    }
  }
  for (uint32_t sw = 0; sw < t->switches; sw++)
    for (unsigned port = 0; port < t->pi; port++)
      fed += ut_topology_source(t, sw, port).kind != UT_PEER_NONE;
  assert_int_equal(fed, to_switches);
  assert_int_equal(to_terminals, t->terminals * t->ejections);
}

/* Links between switches, each once, in the order of their channels. */
static void links_are_listed(const struct ut_topology *t) {
  size_t next = 0;
  for (uint32_t c = 0; c < t->switches * t->po; c++) {
    const struct ut_peer from = ut_topology_sender(t, c), to = t->peer[c];
    if (to.kind != UT_PEER_SWITCH || (t->bidirectional && to.index < from.index))
      continue;
    assert_true(next < t->links);
    const struct ut_link *l = &t->link[next++];
    is_end("lower end of channel", c, (struct ut_peer){l->lower, l->lower_port, UT_PEER_SWITCH}, from);
    is_end("upper end of channel", c, (struct ut_peer){l->upper, l->upper_port, UT_PEER_SWITCH}, to);
  }
  assert_int_equal(next, t->links);
}

/* Elaborations follow each other, each as large as its switches need. */
static void elaborations_fit(const struct ut_topology *t) {
  uint32_t first = 0;
  for (unsigned i = 0; i < t->elaborations; first += t->elaboration[i++].count) {
    const struct ut_elaboration *x = &t->elaboration[i];
    unsigned inputs = 0, outputs = 0;
    assert_int_equal(x->first, first);
    for (uint32_t sw = first; sw < first + x->count; sw++) {
      assert_int_equal(ut_topology_elaboration(t, sw), i);
      for (unsigned port = 0; port < t->po; port++) {
        inputs = ut_topology_source(t, sw, port).kind && port >= inputs ? port + 1 : inputs;
        outputs = t->peer[sw * t->po + port].kind && port >= outputs ? port + 1 : outputs;
      }
    }
    if (x->pi != inputs || x->po != outputs)
      fail_msg("elaboration %u: %u x %u ports, its switches use %u x %u", i, x->pi, x->po, inputs, outputs);
  }
  assert_int_equal(first, t->switches);
}

static void straps_say_where(const struct net *x) {
  const struct ut_topology *t = &x->t;
  const unsigned n = x->levels;
  for (uint32_t sw = 0; sw < t->switches; sw++) {
    unsigned digit[MOST_DIGITS], level = sw / width_of(x), bits = 0, base = 0, step = 1;
    read_digits(x, sw % width_of(x), digit);
    for (unsigned i = 0; i < level; i++, step *= x->k)
      bits += (unsigned)__builtin_ctz(x->k), digit[i] = 0; /* all terminals below */
    base = x->how == TREE ? x->k * number_of(x, digit, x->digits) : 0;
    const unsigned lowest = sw % width_of(x) % x->radix[0];
    const uint64_t wanted =
        x->how == TREE     ? ut_level_strap_make((uint8_t)level, base, step, 65535, 1)
        : x->how == STAGES ? ut_ruft_strap_make((uint8_t)bits, level == 0, level + 1 == n, (uint8_t)lowest)
        : x->how == CUBE
            ? ut_cube_strap_make((uint16_t)sw)
            : ut_grid_strap_make((uint8_t)digit[0], (uint8_t)digit[1], (uint8_t)digit[2], (uint8_t)digit[3]);
    if (t->straps[sw] != wanted || t->level[sw] != level || t->position[sw] != sw % width_of(x))
      fail_msg("switch %u: straps 0x%" PRIx64 ", expected 0x%" PRIx64, sw, t->straps[sw], wanted);
    assert_int_equal(ut_topology_switch(t, level, sw % width_of(x)), sw);
  }
}

/* ---- distances */

/* From `from` over ports that are up: one more than the nearest of those that lead there, and no other number is. */
static void distances_are_least(const struct ut_topology *t, const ut_mask *up, uint32_t from, uint16_t *distance) {
  unsigned least[MOST_SWITCHES];
  for (uint32_t sw = 0; sw < t->switches; sw++)
    least[sw] = sw == from ? 0 : UT_NO_WAY;
  assert_true(ut_distances(t, up, from, distance));
  for (uint32_t c = 0; c < t->switches * t->po; c++) {
    const struct ut_peer *to = &t->peer[c];
    const unsigned over = distance[c / t->po] + 1u;
    if (to->kind == UT_PEER_SWITCH && (!up || up[c / t->po] >> c % t->po & 1) && over < least[to->index])
      least[to->index] = over;
  }
  for (uint32_t sw = 0; sw < t->switches; sw++)
    if (distance[sw] != least[sw])
      fail_msg("from %u to %u: %u hops, expected %u", from, sw, distance[sw], least[sw]);
}

/* Families tell the same; and how far two nodes are apart in that dimension in which they are farthest. */
static void check_distances(const struct net *x) {
  const struct ut_topology *t = &x->t;
  ut_mask up[MOST_SWITCHES];
  uint16_t distance[MOST_SWITCHES];
  for (uint32_t sw = 0; sw < t->switches; sw++)
    up[sw] = ut_mask_all(t->po) & ~ut_bit(sw * 5 % t->po) & ~(sw % 3 ? 0 : ut_bit(sw % t->po));
  for (uint32_t from = 0; from < t->switches; from++) {
    distances_are_least(t, up, from, distance);
    distances_are_least(t, NULL, from, distance);
    for (uint32_t to = 0; to < t->switches; to++) {
      unsigned a[MOST_DIGITS], b[MOST_DIGITS], most = 0;
      read_digits(x, from, a), read_digits(x, to, b);
      for (unsigned d = 0; d < x->digits; d++) {
        const unsigned straight = a[d] < b[d] ? b[d] - a[d] : a[d] - b[d], round = x->radix[d] - straight;
        const unsigned hops = t->wrap && round < straight ? round : straight;
        most = hops > most ? hops : most;
      }
      if (t->family->apart)
        assert_int_equal(t->family->apart(t, from, to), most);
      if (t->family->distance)
        assert_int_equal(t->family->distance(t, from, to), distance[to]);
    }
  }
}

/* ---- all networks */

static const struct network {
  const char *topology, *algorithm;
  unsigned vcs, elaborations;
  const char *name, *last; /* last: the switch with the highest number */
  const char *ports;       /* NULL: as in a smaller one */
  const char *channels;    /* names in papers; NULL: there are none */
} networks[] = {
    {"kind: fat_tree, k: 3, n: 3", "fta", 1, 1, "3-ary 3-tree", "<2,22>", "down down down up up up", NULL},
    {"kind: fat_tree, k: 2, n: 4", "fta", 1, 1, "2-ary 4-tree", "<3,111>", "down down up up", NULL},
    {"kind: fat_tree, k: 12, n: 2", "fta", 1, 1, "12-ary 2-tree", "<1,11>", NULL, NULL},
    {"kind: torus, sizes: [4, 3, 2]", "duato", 2, 1, "4x3x2 torus", "(3,2,1)", "+x -x +y -y +z -z local 0", NULL},
    {"kind: torus, sizes: [5, 4], local_ports: 2", "dor", 1, 1, "5x4 torus", "(4,3)", "+x -x +y -y local 0 local 1",
     NULL},
    {"kind: torus, k: 3, n: 4", "dor", 1, 1, "3x3x3x3 torus", "(2,2,2,2)", "+x -x +y -y +z -z +t -t local 0", NULL},
    {"kind: torus, sizes: [7]", "dor", 1, 1, "7-node torus", "(6)", "+x -x local 0", NULL},
    {"kind: torus, sizes: [5, 4]", "detour", 4, 1, "5x4 torus", "(4,3)", "+x -x +y -y local 0",
     "+0.1.0 +0.1.1 +0.2.0 +0.2.1 -0.1.0 -0.1.1 -0.2.0 -0.2.1 "
     "+1.1.0 +1.1.1 +1.2.0 +1.2.1 -1.1.0 -1.1.1 -1.2.0 -1.2.1"},
    {"kind: mesh, sizes: [4, 4], terminal_links: 2", "duato", 2, 1, "4x4 mesh", "(3,3)",
     "+x -x +y -y local 0.0 local 0.1", NULL},
    {"kind: mesh, sizes: [3, 2], local_ports: 2, terminal_links: 3", "dor", 1, 1, "3x2 mesh", "(2,1)",
     "+x -x +y -y local 0.0 local 0.1 local 0.2 local 1.0 local 1.1 local 1.2", NULL},
    {"kind: mesh, sizes: [3, 2, 4]", "detour", 2, 1, "3x2x4 mesh", "(2,1,3)", "+x -x +y -y +z -z local 0",
     "+0.1 +0.2 -0.1 -0.2 +1.1 +1.2 -1.1 -1.2 +2.1 +2.2 -2.1 -2.2"},
    {"kind: mesh, sizes: [2, 9]", "dor", 1, 1, "2x9 mesh", "(1,8)", "+x -x +y -y local 0", NULL},
    {"kind: hypercube, n: 3, local_ports: 3", "detour", 2, 1, "3-cube", "111",
     "dim 0 dim 1 dim 2 local 0 local 1 local 2", "0.1 0.2 1.1 1.2 2.1 2.2"},
    {"kind: hypercube, n: 6, terminal_links: 2", "ecube", 1, 1, "6-cube", "111111",
     "dim 0 dim 1 dim 2 dim 3 dim 4 dim 5 local 0.0 local 0.1", "0.1 1.1 2.1 3.1 4.1 5.1"},
    {"kind: ruft, k: 4, n: 2", "ruft", 1, 1, "4-ary 2-stage ruft", "<1,3>", "on 0 on 1 on 2 on 3", NULL},
    {"kind: ruft_pl, k: 2, n: 4", "ruft", 1, 1, "2-ary 4-stage ruft_pl", "<3,111>", "on 0 on 1 on 0b on 1b", NULL},
    {"kind: ruft_pl, k: 4, n: 2", "ruft, parallel_links: static", 1, 1, "4-ary 2-stage ruft_pl", "<1,3>", NULL, NULL},
    {"kind: ft_ruft_212, k: 2, n: 4", "ruft", 1, 3, "2-ary 4-stage ft_ruft_212", "<3,111>", "on 0 on 1 on 0b on 1b",
     NULL},
    {"kind: ft_ruft_212, k: 8, n: 2", "ruft", 1, 2, "8-ary 2-stage ft_ruft_212", "<1,7>", NULL, NULL},
    {"kind: ft_ruft_222, k: 4, n: 2", "ruft", 1, 1, "4-ary 2-stage ft_ruft_222", "<1,3>", NULL, NULL},
    {"kind: ft_ruft_222, k: 2, n: 3", "ruft, parallel_links: static", 1, 2, "2-ary 3-stage ft_ruft_222", "<2,11>", NULL,
     NULL},
};

/* What is known before a network is built. */
static void check_sizes(const struct net *x) {
  const struct ut_topology *t = &x->t;
  struct ut_sizes z;
  t->family->sizes(x->s, &z);
  assert_int_equal(z.switches, t->switches);
  assert_int_equal(z.terminals, t->terminals);
  assert_int_equal(z.levels, t->levels);
  assert_int_equal(z.ports, t->po > t->pi ? t->po : t->pi);
  assert_int_equal(z.terminal_links, t->injections);
}

static void check_names(const struct net *x, const struct network *w) {
  const struct ut_topology *t = &x->t;
  char text[UT_NETWORK_NAME_SIZE + UT_SWITCH_TUPLE_SIZE + UT_DIRECTION_SIZE], ports[256] = "", channels[256] = "";
  t->family->network_name(x->s, text);
  assert_string_equal(text, w->name);
  assert_string_equal(ut_topology_switch_tuple(t, t->switches - 1, text), w->last);
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_error e;
  assert_int_equal(ut_scenario_elaborations(x->s, elaboration, shape, &e), w->elaborations);
  for (unsigned port = 0; port < t->po && w->ports; port++) {
    strcat(strcat(ports, *ports ? " " : ""), ut_topology_direction(t, port, text));
    for (unsigned vc = 0; vc < w->vcs; vc++)
      if (t->family->channel_name && t->family->channel_name(t, shape, port, vc, text))
        strcat(strcat(channels, *channels ? " " : ""), text);
  }
  if (w->ports)
    assert_string_equal(ports, w->ports);
  assert_string_equal(channels, w->channels ? w->channels : "");
}

static void is_as_defined(void **state) {
  const struct network *w = *state;
  struct net x;
  struct ut_scenario *s = test_scenario("topology: {%s}\nswitch: {vcs: %u, depth_flits: 8, packet_flits: 4}\n"
                                        "routing: {algorithm: %s}\ntraffic: {load_flits_per_cycle: 0.1}\n",
                                        w->topology, w->vcs, w->algorithm);
  s->routing.reroute_timeout_cycles = 65535, s->routing.reroute_clear = UT_CLEAR_REPAIR;
  define(&x, s);
  links_lead_there(&x);
  ends_agree(&x.t);
  links_are_listed(&x.t);
  elaborations_fit(&x.t);
  straps_say_where(&x);
  check_distances(&x);
  check_sizes(&x);
  check_names(&x, w);
  ut_topology_free(&x.t);
  ut_scenario_free(s);
}

int main(void) {
  enum { NETWORKS = sizeof networks / sizeof *networks };
  struct CMUnitTest tests[NETWORKS];
  for (unsigned i = 0; i < NETWORKS; i++)
    tests[i] = (struct CMUnitTest){
        .name = networks[i].topology, .test_func = is_as_defined, .initial_state = (void *)&networks[i]};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
