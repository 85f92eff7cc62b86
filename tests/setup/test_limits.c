/* SPDX-License-Identifier: Apache-2.0 */
/* test_limits.c - what is possible and what is refused around the limits: sizes of networks of every family, components
 * that fail, traffic.  The limits are those of docs/explanation/network.md, docs/explanation/faults.md and
 * docs/reference/traffic.md, written again here; test_scenario_errors.c has the words of refusals. */
#include "family.h"
#include "scenario.h"
#include "scenario_read.h"
#include "scenarios.h"
#include "topologies.h"
#include "topology_build.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* A network of each kind of links. */
struct example {
  const char *topology, *algorithm;
  unsigned vcs;
};

/* The scenario, if it is possible; a refusal names the line that cannot be.  The caller frees. */
static struct ut_scenario *__attribute__((format(printf, 5, 6)))
judge(bool possible, unsigned line, const struct example *x, const char *more, const char *topology, ...) {
  char network[256], text[1024], place[16];
  struct ut_error e = {.text = ""};
  va_list args;
  va_start(args, topology);
  assert_in_range(vsnprintf(network, sizeof network, topology, args), 1, sizeof network - 1);
  va_end(args);
  snprintf(place, sizeof place, "x.yaml:%u:", line);
  assert_in_range(snprintf(text, sizeof text,
                           "topology: {%s}\nrouting: {algorithm: %s}\n"
                           "switch: {vcs: %u, depth_flits: 8, packet_flits: 4}\n%s\n",
                           network, x->algorithm, x->vcs, more),
                  1, sizeof text - 1);
  struct ut_scenario *s = ut_scenario_parse(text, strlen(text), "x.yaml", &e);
  if ((s != NULL) != possible)
    fail_msg("%s\n%s, expected: %s", text, s ? "accepted" : e.text, possible ? "accepted" : "refused");
  if (!s && strncmp(e.text, place, strlen(place)) != 0)
    fail_msg("%s\n%s, expected at %s", text, e.text, place);
  return s;
}

/* ---- sizes */

#define LOAD "traffic: {load_flits_per_cycle: 0.1}"
static const unsigned numbers[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 15, 16, 17, 30, 31, 32, 33, 64, 256, 257};

/* More than 2^16 once it is that. */
static uint64_t power(unsigned base, unsigned exponent) {
  uint64_t x = 1;
  for (unsigned i = 0; i < exponent && x <= 65536; i++)
    x *= base;
  return x;
}

static void has_size(struct ut_scenario *s, uint64_t switches, uint64_t terminals) {
  struct ut_sizes z;
  if (!s)
    return;
  s->topology.family->sizes(s, &z);
  assert_int_equal(z.switches, switches);
  assert_int_equal(z.terminals, terminals);
  ut_scenario_free(s);
}

/* 2..32 links down, or a power of two of them; n levels, at least one or two; 65,536 terminals.  Sizes are told of what
 * is too small, too. */
static void sizes_of_levels(void **state) {
  (void)state;
  static const struct {
    const char *name;
    unsigned ports, links; /* of a switch for each of k, of a terminal */
  } kinds[] = {{"fat_tree", 2, 1}, {"ruft", 1, 1}, {"ruft_pl", 2, 2}, {"ft_ruft_212", 2, 2}, {"ft_ruft_222", 2, 2}};
  for (unsigned i = 0; i < COUNT(kinds); i++)
    for (unsigned j = 0; j < COUNT(numbers) * COUNT(numbers); j++) {
      const unsigned k = numbers[j / COUNT(numbers)], n = numbers[j % COUNT(numbers)];
      const uint64_t terminals = power(k, n), switches = n ? n * power(k, n - 1) : 0;
      const bool legal = k >= 2 && k <= 32 && n >= 1 && n <= 16 && terminals <= 65536;
      const struct example x = {NULL, i ? "ruft" : "fta", 1};
      has_size(judge(i ? legal && !(k & (k - 1)) && n > 1 : legal, 1, &x, LOAD, "kind: %s, k: %u, n: %u", kinds[i].name,
                     k, n),
               switches, terminals);
      const struct ut_scenario any = {.topology = {.family = ut_family_find(kinds[i].name), .k = k, .n = n}};
      struct ut_sizes z;
      if (!k || terminals > 65536)
        continue;
      any.topology.family->sizes(&any, &z);
      if (z.terminals != terminals || z.switches != switches || z.levels != n || z.ports != kinds[i].ports * k ||
          z.terminal_links != kinds[i].links)
        fail_msg("%s, k %u, n %u: %u terminals, %u switches of %u ports in %u levels, expected %u, %u of %u in %u",
                 kinds[i].name, k, n, (unsigned)z.terminals, (unsigned)z.switches, z.ports, z.levels,
                 (unsigned)terminals, (unsigned)switches, kinds[i].ports * k, n);
    }
}

/* One to four dimensions of 2..256 nodes, ports for all of them, 65,536 terminals with one to eight links each. */
static void sizes_of_grids(void **state) {
  (void)state;
  static const unsigned size[][5] = {
      {1},         {2},          {3, 1},    {256},      {257},           {2, 2, 2, 2},  {2, 2, 2, 2, 2},
      {0},         {3, 2},       {5, 0, 2}, {256, 256}, {255, 257},      {128, 256, 2}, {16, 16, 16, 16},
      {64, 64, 2}, {32, 32, 32}, {2, 256},  {4, 4, 17}, {64, 32, 16, 2},
  };
  static const unsigned dimensions[COUNT(size)] = {1, 1, 2, 1, 1, 4, 5, 0, 2, 3, 2, 2, 3, 4, 3, 3, 2, 3, 4};
  static const struct example kinds[] = {{"torus", "duato", 2}, {"mesh", "dor", 1}, {"mesh", "detour", 2}};
  for (unsigned i = 0; i < COUNT(kinds) * COUNT(size); i++) {
    const struct example *x = &kinds[i / COUNT(size)];
    const unsigned *sizes = size[i % COUNT(size)], d = dimensions[i % COUNT(size)];
    char text[64] = "";
    uint64_t nodes = 1;
    bool legal = d >= 1 && d <= 4;
    for (unsigned j = 0; j < d; nodes *= sizes[j++]) {
      legal = legal && sizes[j] >= 2 && sizes[j] <= 256;
      sprintf(text + strlen(text), "%s%u", j ? ", " : "", sizes[j]);
    }
    for (unsigned j = 0; j < COUNT(numbers); j++) {
      const unsigned many = numbers[j];
      const bool room = legal && many >= 1 && 2 * d + many <= 64;
      has_size(judge(room && nodes * many <= 65536, 1, x, LOAD, "kind: %s, sizes: [%s], local_ports: %u", x->topology,
                     text, many),
               nodes, nodes * many);
      has_size(judge(room && many <= 8 && nodes <= 65536, 1, x, LOAD, "kind: %s, sizes: [%s], terminal_links: %u",
                     x->topology, text, many),
               nodes, nodes);
    }
  }
  for (unsigned j = 0; j < COUNT(numbers) * COUNT(numbers); j++) {
    const unsigned k = numbers[j / COUNT(numbers)], n = numbers[j % COUNT(numbers)];
    has_size(judge(k >= 2 && k <= 256 && n >= 1 && n <= 4 && power(k, n) <= 65536, 1, &kinds[0], LOAD,
                   "kind: torus, k: %u, n: %u", k, n),
             power(k, n), power(k, n));
  }
}

static void sizes_of_cubes(void **state) {
  (void)state;
  struct ut_topology none;
  struct ut_error e;
  assert_int_equal(test_cube(&none, 0, &e), -1);
  const struct example x = {"hypercube", "ecube", 1};
  for (unsigned j = 0; j < COUNT(numbers) * COUNT(numbers); j++) {
    const unsigned n = numbers[j / COUNT(numbers)], local = numbers[j % COUNT(numbers)];
    const uint64_t nodes = power(2, n);
    has_size(judge(n >= 1 && n <= 12 && local >= 1 && local <= 62 && n + local <= 64 && nodes * local <= 65536, 1, &x,
                   LOAD, "kind: hypercube, n: %u, local_ports: %u", n, local),
             nodes, nodes * local);
  }
}

/* ---- components of small networks */

static const struct example examples[] = {{"kind: fat_tree, k: 2, n: 3", "fta", 1},
                                          {"kind: torus, sizes: [4, 3]", "duato", 2},
                                          {"kind: mesh, sizes: [3, 4], local_ports: 2", "dor", 1},
                                          {"kind: hypercube, n: 3, terminal_links: 2", "ecube", 1},
                                          {"kind: ft_ruft_222, k: 2, n: 2", "ruft", 1}};

static void open_example(const struct example *x, struct ut_topology *t) {
  struct ut_scenario *s = judge(true, 0, x, LOAD, "%s", x->topology);
  struct ut_error e;
  assert_int_equal(ut_topology_init(t, s, &e), 0);
  ut_scenario_free(s);
}

static void __attribute__((format(printf, 3, 4)))
may_fail(bool possible, const struct example *x, const char *fault, ...) {
  char more[256];
  va_list args;
  int end = sprintf(more, LOAD "\nfaults: [{at: 6, ");
  va_start(args, fault);
  end += vsnprintf(more + end, sizeof more - (size_t)end, fault, args);
  va_end(args);
  assert_in_range(end, 1, sizeof more - 3);
  strcat(more, "}]");
  ut_scenario_free(judge(possible, 5, x, more, "%s", x->topology));
}

/* What is there may fail, and one direction alone where there are two. */
static void components_there_may_fail(void **state) {
  (void)state;
  for (unsigned i = 0; i < COUNT(examples); i++) {
    const struct example *x = &examples[i];
    struct ut_topology t;
    open_example(x, &t);
    const unsigned width = t.switches / t.levels;
    for (unsigned level = 0; level < t.levels + 2; level++)
      for (unsigned sw = 0; sw < width + 2; sw++) {
        const bool there = level < t.levels && sw < width;
        may_fail(there, x, "switch: {level: %u, switch: %u}", level, sw);
        for (unsigned port = 0; port < t.po + 2; port++) {
          const bool link = there && port < t.po && t.peer[(level * width + sw) * t.po + port].kind != UT_PEER_NONE;
          const char *const of = "link: {level: %u, switch: %u, port: %u}";
          char one[96];
          snprintf(one, sizeof one, of, level, sw, port);
          may_fail(link, x, "%s", one);
          may_fail(link && t.bidirectional, x, "%s, direction: out", one);
          may_fail(link && t.bidirectional, x, "%s, direction: in", one);
        }
      }
    for (unsigned terminal = 0; terminal < t.terminals + 2; terminal++)
      for (unsigned link = 0; link < 4; link++) {
        may_fail(terminal < t.terminals && link < t.injections, x, "injection: {terminal: %u, link: %u}", terminal,
                 link);
        may_fail(terminal < t.terminals && link < t.ejections, x, "ejection: {terminal: %u, link: %u}", terminal, link);
      }
    ut_topology_free(&t);
  }
}

/* At random, as many as there are: all switches but the leaves of trees, all links between switches, or of terminals.
 */
static void as_many_may_fail(void **state) {
  (void)state;
  for (unsigned i = 0; i < COUNT(examples); i++) {
    const struct example *x = &examples[i];
    struct ut_topology t;
    open_example(x, &t);
    const unsigned inner = t.up_ports ? t.switches - t.switches / t.levels : t.switches;
    const unsigned outer = t.terminals * (t.bidirectional ? t.injections : t.injections + t.ejections);
    for (unsigned many = 0; many < 60; many++) {
      may_fail(many >= 1 && many <= t.links, x, "random_links: %u", many);
      may_fail(many >= 1 && many <= inner, x, "random_switches: %u", many);
      may_fail(many >= 1 && many <= outer, x, "random_terminal_links: %u", many);
      may_fail(many > 6, x, "until: %u, random_links: 1", many);
    }
    assert_true(t.links < 60 && inner < 60 && outer < 60);
    ut_topology_free(&t);
  }
}

/* ---- traffic */

static void __attribute__((format(printf, 3, 4)))
may_run(bool possible, const struct example *x, const char *traffic, ...) {
  char one[160], more[192];
  va_list args;
  va_start(args, traffic);
  vsnprintf(one, sizeof one, traffic, args);
  va_end(args);
  snprintf(more, sizeof more, "traffic: {%s}", one);
  ut_scenario_free(judge(possible, 4, x, more, "%s", x->topology));
}

static void traffic_of_terminals_there(void **state) {
  (void)state;
  for (unsigned i = 0; i < COUNT(examples); i++) {
    const struct example *x = &examples[i];
    struct ut_topology t;
    open_example(x, &t);
    const bool two = !(t.terminals & (t.terminals - 1)), four = two && __builtin_ctz(t.terminals) % 2 == 0;
    may_run(two, x, "load_flits_per_cycle: 0.1, pattern: shuffle");
    may_run(two, x, "load_flits_per_cycle: 0.1, pattern: complement");
    may_run(four, x, "load_flits_per_cycle: 0.1, pattern: transpose");
    for (unsigned j = 0; j < COUNT(numbers); j++) {
      const unsigned number = numbers[j];
      const bool there = number < t.terminals;
      may_run(number <= t.injections, x, "load_flits_per_cycle: %u", number);
      may_run(there, x, "load_flits_per_cycle: 0.1, pattern: hot_spot, hot_spot_fraction: 0.2, hot_spot_node: %u",
              number);
      may_run(number <= 1, x, "load_flits_per_cycle: 0.1, pattern: hot_spot, hot_spot_node: 1, hot_spot_fraction: %u",
              number);
      may_run(there, x, "pattern: broadcast, message_bytes: 9, root: %u", number);
      may_run(there, x, "pattern: all_reduce_tree, message_bytes: 9, root: %u", number);
      may_run(number >= 1, x, "pattern: all_to_all, message_bytes: 9, repeat: %u", number);
      may_run(true, x, "pattern: nearest_neighbour, message_bytes: %u", number);
    }
    ut_topology_free(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_of_levels),  cmocka_unit_test(sizes_of_grids),
      cmocka_unit_test(sizes_of_cubes),   cmocka_unit_test(components_there_may_fail),
      cmocka_unit_test(as_many_may_fail), cmocka_unit_test(traffic_of_terminals_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
