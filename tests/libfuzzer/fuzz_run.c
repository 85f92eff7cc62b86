/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_run.c - small runs: each byte chooses a word of a scenario, so that most inputs are good ones.  In every cycle
 * all packets are somewhere, counted twice; none is corrupt; and under the checks of the build (UTURN_CHECKS) no mask
 * is out of range. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "network.h"
#include "planned_routes.h"
#include "scenario_read.h"
#include "scenario_switches.h"

enum { CYCLES = 250, MOST_SWITCHES = 64, TEXT_SIZE = 4096 };

struct text {
  const uint8_t *data;
  size_t left, length;
  char text[TEXT_SIZE];
};

/* The next byte; 0 when there is none, so that short inputs are scenarios, too. */
static unsigned next(struct text *t) {
  return t->left ? t->left--, *t->data++ : 0;
}
static unsigned below(struct text *t, unsigned n) {
  return next(t) % n;
}
static const char *pick(struct text *t, unsigned n, const char *const words[]) {
  return words[below(t, n)];
}
#define PICK(t, ...)                                                                                                   \
  pick(t, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), (const char *const[]){__VA_ARGS__})

static void __attribute__((format(printf, 2, 3))) put(struct text *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(t->text + t->length, TEXT_SIZE - t->length, format, args);
  va_end(args);
  if (n < 0 || (size_t)n >= TEXT_SIZE - t->length)
    abort();
  t->length += (size_t)n;
}

static void put_manager(struct text *t) {
  put(t, ", manager_delay_cycles: %u, manager_switch_cycles: %u", below(t, 100), below(t, 8));
}
static void put_purge_timeout(struct text *t) {
  put(t, ", beyond_fault_model: true, purge_timeout_cycles: %s", PICK(t, "2000", "50"));
}

/* A topology with the algorithms and keys that it has. */
static void put_fat_tree(struct text *t) {
  put(t, "topology: {kind: fat_tree, k: %s, n: %s, ", PICK(t, "2", "3", "4"), PICK(t, "2", "3", "1"));
  put(t, "link_cycles: %u}\nrouting: {algorithm: ", 1 + below(t, 3));
  switch (below(t, 4)) {
  case 0:
    put(t, "%s", PICK(t, "table", "table_reroute_det_link", "table_reroute_adaptive_link"));
    put_manager(t);
    break;
  case 1: put(t, "%s", PICK(t, "fta", "destro", "misroute_header")); break;
  default:
    put(t, "%s", PICK(t, "reroute_adaptive_link", "reroute_det_link", "reroute_adaptive_switch", "reroute_det_switch"));
    put(t, ", reroute_timeout_cycles: %s, reroute_clear: %s", PICK(t, "100", "20", "0"), PICK(t, "timer", "repair"));
  }
}

static void put_grid(struct text *t) {
  put(t, "topology: {kind: %s, sizes: %s, ", PICK(t, "torus", "mesh"), PICK(t, "[4, 4]", "[3, 3, 3]", "[5]", "[5, 3]"));
  put(t, "local_ports: %s, link_cycles: %u}\nrouting: {algorithm: ", PICK(t, "1", "2", "4"), 1 + below(t, 3));
  switch (below(t, 3)) {
  case 0:
    put(t, "detour");
    put_purge_timeout(t);
    break;
  case 1: put(t, "%s", PICK(t, "direction_order", "ecube", "adaptive_vin")); break;
  default:
    put(t, "%s", PICK(t, "duato", "dor"));
    if (below(t, 3) == 0)
      put(t, ", mechanisms: {intermediate: %u, deterministic: %s, misroute: %s}", below(t, 3), PICK(t, "true", "false"),
          PICK(t, "false", "true"));
  }
}

static void put_hypercube(struct text *t) {
  put(t,
      "topology: {kind: hypercube, n: %u, link_cycles: %u, terminal_links: %u}\nrouting: {algorithm: ", 2 + below(t, 4),
      1 + below(t, 2), 1 + below(t, 2));
  if (below(t, 2)) {
    put(t, "%s", PICK(t, "ecube", "adaptive_vin"));
    return;
  }
  put(t, "detour");
  put_purge_timeout(t);
}

static void put_ruft(struct text *t) {
  const char *kind = PICK(t, "ruft", "ruft_pl", "ft_ruft_212", "ft_ruft_222");
  put(t, "topology: {kind: %s, k: %s, n: %u, ", kind, PICK(t, "2", "4"), 2 + below(t, 2));
  put(t, "ejection_cycles: %u}\nrouting: {algorithm: ruft", 1 + below(t, 4));
  if (!strcmp(kind, "ruft_pl") || !strcmp(kind, "ft_ruft_222"))
    put(t, ", parallel_links: %s", PICK(t, "dynamic", "static"));
  put_manager(t);
}

static void put_network(struct text *t) {
  static void (*const family[])(struct text *) = {put_fat_tree, put_grid, put_hypercube, put_ruft};
  family[below(t, 4)](t);
  put(t, "}\n");
}

static void put_switch(struct text *t) {
  const unsigned longest = 1 + below(t, 8);
  put(t, "switch: {depth_flits: %u, ", below(t, 4) ? longest * (2 + below(t, 2)) + below(t, 4) : 1 + below(t, 20));
  if (below(t, 2))
    put(t, "vcs: %u, ", 1 + below(t, 5));
  if (longest == 1 || below(t, 4))
    put(t, "packet_flits: %u, ", longest);
  else
    put(t, "packet_flits: {distribution: bimodal, short: 1, long: %u, long_fraction: 0.3}, ", longest);
  put(t, "switching: %s, route_cycles: %u, alloc_cycles: %u, crossbar: %s}\n", PICK(t, "vct", "wormhole"), below(t, 5),
      1 + below(t, 2), PICK(t, "port", "vc"));
}

static void put_traffic(struct text *t) {
  put(t, "traffic: {pattern: %s, load_flits_per_cycle: 0.%02u, process: %s}\n",
      PICK(t, "uniform", "hot_spot", "uniform", "complement", "shuffle", "uniform", "transpose"), 1 + below(t, 99),
      PICK(t, "bernoulli", "poisson"));
}

static void put_faults(struct text *t) {
  const unsigned faults = below(t, 5);
  if (faults)
    put(t, "faults:\n");
  for (unsigned i = 0; i < faults; i++) {
    const unsigned at = below(t, 4) ? next(t) : 0;
    put(t, "  - {at: %u, ", at);
    if (below(t, 2))
      put(t, "until: %u, ", at + 1 + below(t, 60));
    switch (below(t, 6)) {
    case 0: put(t, "random_links: %u}\n", 1 + below(t, 3)); break;
    case 1: put(t, "random_switches: 1}\n"); break;
    case 2: put(t, "switch: {level: %u, switch: %u}}\n", below(t, 2), below(t, 6)); break;
    case 3: put(t, "injection: {terminal: %u}}\n", below(t, 10)); break;
    case 4: put(t, "ejection: {terminal: %u}}\n", below(t, 10)); break;
    default: put(t, "link: {level: %u, switch: %u, port: %u}}\n", below(t, 2), below(t, 6), below(t, 5));
    }
  }
}

static void run(const struct ut_scenario *s) {
  struct ut_network n;
  struct ut_error e = {0};
  if (ut_network_init(&n, s, NULL, &e)) {
    if (e.code != UT_BAD_INPUT)
      abort();
    return;
  }
  for (unsigned cycle = 0; cycle < CYCLES && !ut_network_done(&n); cycle++) {
    ut_network_step(&n);
    const struct ut_accounts *a = &n.terminals.accounts;
    if (ut_network_in_flight(&n) != ut_network_outstanding(&n) || a->corrupt || a->injected > a->generated)
      abort();
  }
  ut_network_fini(&n);
}

void fuzz_run(const uint8_t *data, size_t size) {
  struct text t = {.data = data, .left = size};
  struct ut_error e = {0};
  put_network(&t);
  put_switch(&t);
  put_traffic(&t);
  put_faults(&t);
  put(&t, "run: {warmup_cycles: %u, measure_cycles: 200, drain: %s, seed: %u}\n", below(&t, 50),
      PICK(&t, "true", "false"), next(&t));
  if (getenv("FUZZ_PRINT"))
    fputs(t.text, stderr);
  struct ut_scenario *s = ut_scenario_parse(t.text, t.length, "fuzz.yaml", &e);
  if (!s && e.code != UT_BAD_INPUT)
    abort();
  if (s && ut_scenario_switches(s) <= MOST_SWITCHES) {
    if (!ut_plan_scenario(s, &e))
      run(s);
    else if (e.code != UT_BAD_INPUT)
      abort();
  }
  ut_scenario_free(s);
}
