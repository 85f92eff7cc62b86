/* scenario_check.c - see scenario_check.h */
#define _POSIX_C_SOURCE 200809L
#include "scenario_check.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "family.h"
#include "faults.h"
#include "input_limits.h"
#include "nearest.h"
#include "node_model.h"
#include "pattern.h"
#include "scenario_keys.h"
#include "scenario_schema.h"
#include "workload.h"

enum { PATH_SIZE = 64, MAX_NAMES = 64 };

/* ---- messages ---- */

bool ut_check_given(const struct ut_check *c, const char *path) {
  return c->d && ut_document_find(c->d, NULL, path);
}

const char *ut_check_blamed(const struct ut_check *c, const char *path, const char *other) {
  return ut_check_given(c, path) ? path : other;
}

int ut_impossible(const struct ut_check *c, const char *path, const char *hint, const char *format, ...) {
  char what[512], place[PATH_SIZE + 8];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  if (!c->d)
    return ut_fail(c->e, UT_BAD_INPUT, "%s: %s%s%s", c->s->path ? c->s->path : "scenario", what, hint ? "\n" : "",
                   hint ? hint : "");
  snprintf(place, sizeof place, "%s", path);
  yaml_node_t *node;
  while (!(node = ut_document_find(c->d, NULL, place))) {
    char *dot = strrchr(place, '.');
    *(dot ? dot : place) = '\0';
  }
  return ut_document_fail(c->d, node, c->e, hint, "%s", what);
}

/* ---- topology ---- */

uint64_t ut_power(uint64_t base, unsigned exponent) {
  uint64_t result = 1;
  for (; base && exponent; exponent--)
    result = result > UINT64_MAX / base ? UINT64_MAX : result * base;
  return result;
}

int ut_check_levels(const struct ut_check *c, unsigned most, const char *what) {
  const unsigned k = c->s->topology.k, n = c->s->topology.n;
  if (k < 2 || k > most)
    return ut_impossible(c, "topology.k", NULL, "'topology.k' is %u, must be 2..%u for %s", k, most, what);
  if (n < 1 || ut_power(k, n) > UT_MAX_TERMINALS)
    return ut_impossible(c, "topology.n", "make k or n smaller", "k^n = %u^%u is more than %d terminals", k, n,
                         UT_MAX_TERMINALS);
  return 0;
}

int ut_check_local_ports(const struct ut_check *c, unsigned network_ports) {
  const unsigned links = c->s->topology.terminal_links, local = c->s->topology.local_ports;
  if (links < 1 || links > UT_MAX_TERMINAL_LINKS)
    return ut_impossible(c, "topology.terminal_links", NULL, "'topology.terminal_links' is %u, must be 1..%d", links,
                         UT_MAX_TERMINAL_LINKS);
  if (network_ports + local * links > UT_MAX_PORTS)
    return ut_impossible(c, links > 1 ? "topology.terminal_links" : "topology.local_ports",
                         links > 1 ? "a terminal takes a port for each of its links" : NULL,
                         "%u ports, a switch has at most %d", network_ports + local * links, UT_MAX_PORTS);
  return 0;
}

/* The kinds of topology that take a key, as in "a and b". */
static void list_takers(unsigned key, char *text, size_t size) {
  size_t used = 0;
  unsigned left = 0;
  for (unsigned i = 0; ut_families[i]; i++)
    left += (ut_families[i]->keys & key) != 0;
  for (unsigned i = 0; ut_families[i] && used < size; i++)
    if (ut_families[i]->keys & key)
      used += (size_t)snprintf(text + used, size - used, "%s%s", ut_families[i]->kind,
                               --left > 1  ? ", "
                               : left == 1 ? " and "
                                           : "");
}

/* Keys of other kinds, and missing ones. */
static int check_topology_keys(const struct ut_check *c) {
  const struct ut_family *f = c->s->topology.family;
  const bool sizes = ut_check_given(c, "topology.sizes");
  char takers[128];
  for (const struct ut_key *key = ut_keys; key < ut_keys + ut_key_count; key++)
    if (key->takers && ut_check_given(c, key->path) && !(f->keys & key->takers)) {
      list_takers(key->takers, takers, sizeof takers);
      return ut_impossible(c, key->path, NULL, "'%s' is for %s only, this topology is %s", key->path, takers, f->kind);
    }
  static const char *const shape[] = {"topology.k", "topology.n"};
  for (unsigned i = 0; c->d && i < 2; i++) {
    const char *path = shape[i], *key = strchr(path, '.') + 1;
    if (f->keys & ut_key_find(path)->takers && !ut_check_given(c, path) && !sizes)
      return ut_impossible(c, "topology", f->keys & UT_KEY_SIZES ? "or give 'sizes', as in sizes: [8, 8, 4]" : NULL,
                           "missing key '%s' in 'topology'", key);
    if (ut_check_given(c, path) && sizes)
      return ut_impossible(c, path, NULL, "'topology.sizes' says it all: leave '%s' away", key);
  }
  return 0;
}

int ut_scenario_check_topology(const struct ut_scenario *s, struct ut_document *d, struct ut_error *e) {
  const struct ut_check c = {.s = s, .d = d, .e = e};
  return check_topology_keys(&c) || s->topology.family->check(&c) ? -1 : 0;
}

/* ---- switch and routing ---- */

/* Forwarding tables are no topology's own. */
bool ut_algorithm_fits(const struct ut_algorithm *a, const struct ut_family *family) {
  return (a->tables && family->tables) || strcmp(a->family, family->routing[0]) == 0 ||
         (family->routing[1] && strcmp(a->family, family->routing[1]) == 0);
}

const struct ut_algorithm *ut_scenario_algorithm(const struct ut_scenario *s) {
  for (unsigned i = 0; s->routing.algorithm && i < ut_algorithm_count; i++)
    if (strcmp(ut_algorithms[i].name, s->routing.algorithm) == 0 &&
        ut_algorithm_fits(&ut_algorithms[i], s->topology.family))
      return &ut_algorithms[i];
  return NULL;
}

static int unknown_algorithm(const struct ut_check *c) {
  const char *wanted = c->s->routing.algorithm ? c->s->routing.algorithm : "";
  const struct ut_family *family = c->s->topology.family;
  const char *names[MAX_NAMES] = {0};
  const char *other = NULL; /* family */
  size_t count = 0, used = 0;
  char hint[512] = "";
  for (unsigned i = 0; i < ut_algorithm_count && count < MAX_NAMES; i++) {
    if (ut_algorithm_fits(&ut_algorithms[i], family))
      names[count++] = ut_algorithms[i].name;
    else if (strcmp(ut_algorithms[i].name, wanted) == 0)
      other = ut_algorithms[i].family;
  }
  const char *nearest = ut_nearest(wanted, names, count);
  if (nearest && !other)
    snprintf(hint, sizeof hint, "did you mean '%s'?", nearest);
  else
    for (size_t i = 0; i < count && used < sizeof hint; i++)
      used += (size_t)snprintf(hint + used, sizeof hint - used, "%s%s", i ? ", " : "expected one of: ", names[i]);
  const char *kind = family->kind;
  if (other)
    return ut_impossible(c, "routing.algorithm", hint, "'routing.algorithm': '%.40s' is for %s, this topology is %s",
                         wanted, other, kind);
  return ut_impossible(c, "routing.algorithm", hint, "'routing.algorithm': unknown algorithm '%.40s' for %s", wanted,
                       kind);
}

/* Keys that only forwarding tables, or other knowledge that a manager renews, look at. */
static int check_table_keys(const struct ut_check *c, const struct ut_algorithm *a) {
  static const char *const keys[] = {"routing.tables", "routing.manager_delay_cycles", "routing.manager_switch_cycles"};
  const struct ut_family *f = c->s->topology.family;
  const bool written = a->tables || c->s->routing.exclusion_intervals;
  if (c->s->routing.exclusion_intervals && !a->exclusions)
    return ut_impossible(c, "routing.exclusion_intervals", "leave it away",
                         "'routing.exclusion_intervals' is for algorithm fta, this is %s", a->name);
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
    bool fixed = i > 0 && c->s->routing.tables == UT_TABLES_STATIC;
    if (ut_check_given(c, keys[i]) && ((!written && (i == 0 || !f->choices)) || fixed))
      return ut_impossible(c, keys[i], NULL, "'%s' is for forwarding tables%s, %s has none", keys[i],
                           fixed ? " that are reconfigured" : "", written ? "this scenario" : a->name);
  }
  static const char *const for_states[] = {"routing.patience_cycles", "routing.beyond_fault_model"};
  for (size_t i = 0; i < sizeof for_states / sizeof for_states[0]; i++)
    if (ut_check_given(c, for_states[i]) && !a->states)
      return ut_impossible(c, for_states[i], NULL, "'%s' is for algorithms that keep states of nodes, %s keeps none",
                           for_states[i], a->name);
  if (ut_check_given(c, "routing.parallel_links") && !f->parallel_links)
    return ut_impossible(c, "routing.parallel_links", NULL,
                         "'routing.parallel_links' is for networks with links side by side, a %s has none", f->kind);
  unsigned terminals = ut_scenario_terminals(c->s);
  if (a->tables && terminals > UT_MAX_DESTINATIONS)
    return ut_impossible(c, "topology", "make k or n smaller",
                         "forwarding tables have at most %d entries, this network "
                         "has %u terminals",
                         UT_MAX_DESTINATIONS, terminals);
  return 0;
}

/* Keys that only planned routes look at, and what the planner knows (INTERMEDIATE table 1). */
static int check_mechanisms(const struct ut_check *c, const struct ut_algorithm *a) {
  const struct ut_scenario *s = c->s;
  const char *key = "routing.mechanisms";
  if (ut_check_given(c, key) && !a->mechanisms)
    return ut_impossible(c, key, NULL, "'%s' is for algorithms that obey mechanisms, %s has none", key, a->name);
  if (ut_scenario_planned(s) && s->topology.terminal_links > 1)
    return ut_impossible(c, "topology.terminal_links", "leave it away, or 'routing.mechanisms'",
                         "planned routes begin at the one link of a terminal, 'topology.terminal_links' is %u",
                         s->topology.terminal_links);
  bool deterministic = s->routing.deterministic, misroute = s->routing.misroute;
  if (s->routing.intermediate > (misroute ? 1 : deterministic ? 2 : 3))
    return ut_impossible(c, key, "known combinations: I, D, M, I+D, I+M, D+M, I+D+M, I2, I3, I2+D",
                         "%u intermediate nodes do not go with %s", s->routing.intermediate,
                         misroute ? "misrouting" : "deterministic sub-paths");
  return 0;
}

/* Of a distribution of lengths. */
static int check_lengths(const struct ut_check *c) {
  const struct ut_scenario *s = c->s;
  const unsigned min = s->sw.shortest_packet_flits, max = s->sw.packet_flits;
  const bool bimodal = s->sw.distribution == UT_LENGTHS_BIMODAL;
  if (s->sw.distribution == UT_LENGTHS_FIXED)
    return 0;
  if (ut_check_given(c, "switch.shortest_packet_flits"))
    return ut_impossible(c, "switch.shortest_packet_flits", NULL,
                         "'switch.packet_flits' is a distribution, which says the shortest: leave "
                         "'shortest_packet_flits' away");
  if (!ut_pattern_has_load(s->traffic.pattern))
    return ut_impossible(c, "switch.packet_flits", "give the length of its longest packet, as in packet_flits: 16",
                         "a distribution has no meaning for pattern %s: it has its own lengths",
                         s->traffic.pattern->name);
  const bool fits = !bimodal && c->d && !ut_check_given(c, "switch.packet_flits.max");
  const char *largest = fits ? ", the largest that fits" : "";
  if (min > max)
    return ut_impossible(c, bimodal ? "switch.packet_flits.short" : "switch.packet_flits.min",
                         fits ? "raise 'switch.depth_flits', or set 'switch.switching' to wormhole" : "exchange them",
                         "'switch.packet_flits': %s is %u, more than %s %u%s", bimodal ? "short" : "min", min,
                         bimodal ? "long" : "max", max, largest);
  if (s->sw.distribution == UT_LENGTHS_EXPONENTIAL && !(s->sw.mean_flits >= min && s->sw.mean_flits <= max))
    return ut_impossible(c, "switch.packet_flits.mean",
                         s->sw.mean_flits < min ? "lower 'min'"
                         : fits                 ? "raise 'switch.depth_flits', or set 'switch.switching' to wormhole"
                                                : "raise 'max'",
                         "'switch.packet_flits.mean' is %.15g, must be between min %u and max %u%s", s->sw.mean_flits,
                         min, max, largest);
  return 0;
}

static int check_policies(const struct ut_check *c) {
  const struct ut_scenario *s = c->s;
  const unsigned vcs[] = {UT_ARBITRATION_VCS(s->sw.arbitration), UT_SELECTION_VCS(s->sw.selection)};
  static const char *const key[] = {"switch.arbitration", "switch.selection"};
  for (unsigned i = 0; i < 2; i++)
    if (s->sw.vcs < vcs[i])
      return ut_impossible(c, key[i], "raise 'switch.vcs', or leave the policy away",
                           "'%s: %s' needs %u virtual channels, 'switch.vcs' is %u", key[i],
                           ut_schema_word(key[i], (int)(i ? s->sw.selection : s->sw.arbitration)), vcs[i], s->sw.vcs);
  return 0;
}

/* How the VCs are divided between the virtual networks of DETOUR, VIN1 and VIN2. */
static int check_virtual_networks(const struct ut_check *c, const struct ut_algorithm *a) {
  const struct ut_scenario *s = c->s;
  const unsigned vcs = s->sw.vin1_vcs, needed = a->min_vcs + (vcs - 1) * a->vin1;
  if (vcs > 1 && !a->vin1)
    return ut_impossible(c, "switch.vin1_vcs", "leave it away",
                         "'switch.vin1_vcs' divides VCs between two virtual networks, algorithm %s has none", a->name);
  if (s->sw.vcs < needed)
    return ut_impossible(c, "switch.vin1_vcs", "lower it, or raise 'switch.vcs'",
                         "'switch.vin1_vcs' of %u with algorithm %s needs %u virtual channels, 'switch.vcs' is %u", vcs,
                         a->name, needed, s->sw.vcs);
  return 0;
}

static int check_shape(const struct ut_check *c) {
  const struct ut_scenario *s = c->s;
  const struct ut_algorithm *a = ut_scenario_algorithm(s);
  if (!a)
    return unknown_algorithm(c);
  if (check_table_keys(c, a) || check_mechanisms(c, a) || check_lengths(c) || check_policies(c))
    return -1;
  unsigned sub_paths = s->routing.intermediate, longest = s->sw.packet_flits + sub_paths;
  if (s->sw.vcs >= a->min_vcs && s->sw.vcs < a->min_vcs + sub_paths)
    return ut_impossible(c, ut_check_blamed(c, "switch.vcs", "routing.mechanisms"), "raise 'switch.vcs'",
                         "algorithm %s with %u intermediate nodes needs %u virtual channels, 'switch.vcs' is %u",
                         a->name, sub_paths, a->min_vcs + sub_paths, s->sw.vcs);
  if (s->sw.vcs < a->min_vcs)
    return ut_impossible(c, ut_check_blamed(c, "switch.vcs", "routing.algorithm"), "raise 'switch.vcs'",
                         "algorithm %s needs %u virtual channels, 'switch.vcs' is %u", a->name, a->min_vcs, s->sw.vcs);
  if (check_virtual_networks(c, a))
    return -1;
  if (s->sw.switching == UT_VCT && s->sw.depth_flits < longest)
    return ut_impossible(c, ut_check_blamed(c, "switch.depth_flits", "switch.packet_flits"),
                         "virtual cut-through needs room for a whole packet: raise 'switch.depth_flits', or set "
                         "'switch.switching' to wormhole",
                         "'switch.depth_flits' is %u, less than the %u of 'switch.packet_flits'%s", s->sw.depth_flits,
                         longest, sub_paths ? " and the header words of intermediate nodes" : "");
  if (a->bubble && s->sw.switching != UT_VCT)
    return ut_impossible(c, ut_check_blamed(c, "switch.switching", "routing.algorithm"),
                         "leave 'switch.switching' away", "the bubble rule of %s needs virtual cut-through", a->name);
  if (a->bubble && s->sw.depth_flits < 2 * longest)
    return ut_impossible(
        c, ut_check_blamed(c, "switch.depth_flits", "switch.packet_flits"), "raise 'switch.depth_flits'",
        "the bubble rule of %s needs room for two packets of %u flits%s, 'switch.depth_flits' is %u", a->name, longest,
        sub_paths ? " (with the header words of intermediate nodes)" : "", s->sw.depth_flits);
  if (s->sw.shortest_packet_flits > s->sw.packet_flits)
    return ut_impossible(c, "switch.shortest_packet_flits", NULL,
                         "'switch.shortest_packet_flits' is %u, 'switch.packet_flits' %u", s->sw.shortest_packet_flits,
                         s->sw.packet_flits);
  if (a->bubble && 2 * s->sw.shortest_packet_flits <= longest)
    return ut_impossible(
        c, ut_check_blamed(c, "switch.shortest_packet_flits", sub_paths ? "routing.mechanisms" : "switch.packet_flits"),
        "a ring of packets of so different lengths can fill although there is room in it: make packets longer",
        "the bubble rule of %s needs packets that are longer than half the longest one: %u and %u flits%s", a->name,
        s->sw.shortest_packet_flits, longest, sub_paths ? " (with the header words of intermediate nodes)" : "");
  return 0;
}

int ut_scenario_check_shape(const struct ut_scenario *s, struct ut_document *d, struct ut_error *e) {
  return check_shape(&(struct ut_check){.s = s, .d = d, .e = e});
}

/* ---- traffic ---- */

static const char *list_patterns(const struct ut_pattern_key *key, char *text, size_t size) {
  size_t used = 0;
  for (unsigned i = 0; i < UT_PATTERNS && used < size; i++)
    if (ut_pattern_takes(ut_patterns[i], key))
      used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", ut_patterns[i]->name);
  return text;
}

/* Keys that only some patterns look at; with another one they would be ignored, and that is not what was meant. */
static int check_pattern_keys(const struct ut_check *c) {
  const struct ut_pattern *pattern = c->s->traffic.pattern;
  const char *name = pattern->name;
  char takers[256];
  for (const struct ut_pattern_key *key = ut_pattern_keys; key->path; key++) {
    const bool taken = ut_pattern_takes(pattern, key);
    if (ut_check_given(c, key->path) && !taken && key->takers == UT_TAKEN_WITH_LOAD)
      return ut_impossible(c, key->path, "leave it away", "'%s' has no meaning for pattern %s: it has its own times",
                           key->path, name);
    if (ut_check_given(c, key->path) && !taken)
      return ut_impossible(c, key->path, NULL, "'%s' is for pattern %s only, this pattern is %s", key->path,
                           list_patterns(key, takers, sizeof takers), name);
    if (c->d && !ut_check_given(c, key->path) && taken && key->mandatory)
      return key->example ? ut_impossible(c, "traffic", key->example, "missing key '%s' in 'traffic'",
                                          strchr(key->path, '.') + 1)
                          : ut_impossible(c, "traffic.pattern", NULL, "pattern %s needs the key '%s'", name, key->path);
  }
  return 0;
}

/* A workload begins in cycle 0, ends by itself, and has no measured middle. */
static int check_workload(const struct ut_check *c) {
  const struct ut_scenario *s = c->s;
  const char *name = s->traffic.pattern->name;
  const unsigned terminals = ut_scenario_terminals(s), bytes = s->sw.packet_flits * (s->sw.flit_bits / 8);
  if (!ut_pattern_is_workload(s->traffic.pattern))
    return 0;
  if (s->run.warmup_cycles)
    return ut_impossible(c, "run.warmup_cycles", "leave it away", "pattern %s begins in cycle 0: there is no warm-up",
                         name);
  if (s->traffic.root >= terminals)
    return ut_impossible(c, "traffic.root", NULL, "terminal %u does not exist, this network has 0..%u", s->traffic.root,
                         terminals - 1);
  if (bytes <= 8)
    return ut_impossible(c, ut_check_blamed(c, "switch.packet_flits", "traffic.pattern"), "raise 'switch.packet_flits'",
                         "a packet of %u bytes is a header of 8, and nothing behind it: no message fits into such",
                         bytes);
  const struct ut_packing packing = ut_packing_of(s);
  if (s->traffic.message_bytes > ut_message_most_bytes(&packing))
    return ut_impossible(c, "traffic.message_bytes", "make it smaller",
                         "a message of %llu bytes is more than %d packets",
                         (unsigned long long)s->traffic.message_bytes, UT_LIMIT_MESSAGE_PACKETS);
  return 0;
}

static int check_file(const struct ut_check *c) {
  const char *file = c->s->traffic.file;
  if (!file || access(file, R_OK) == 0)
    return 0;
  const struct ut_pattern_key *key = ut_pattern_keys;
  while (!(key->names_file && ut_pattern_takes(c->s->traffic.pattern, key)))
    key++;
  return ut_impossible(c, key->path, NULL, "cannot read %.300s: %s", file, strerror(errno));
}

static int check_load(const struct ut_check *c) {
  const struct ut_scenario *s = c->s;
  if (s->traffic.load_flits_per_cycle > 0 && !ut_pattern_has_load(s->traffic.pattern))
    return ut_impossible(c, "traffic.pattern", "leave the load away",
                         "pattern %s has no load: it says what is sent, and when", s->traffic.pattern->name);
  struct ut_sizes z;
  s->topology.family->sizes(s, &z);
  if (s->traffic.load_flits_per_cycle > z.terminal_links)
    return ut_impossible(c, "traffic.load_flits_per_cycle", NULL,
                         "'traffic.load_flits_per_cycle' is %.15g, must be 0..%u: a terminal has %u injection link%s",
                         s->traffic.load_flits_per_cycle, z.terminal_links, z.terminal_links,
                         z.terminal_links == 1 ? "" : "s");
  const struct ut_length_rule rule = ut_scenario_lengths(s);
  struct ut_lengths lengths;
  if (ut_lengths_init(&lengths, &rule, c->e))
    return -1;
  const double mean = lengths.mean;
  ut_lengths_free(&lengths);
  if (s->traffic.process == UT_BERNOULLI && s->traffic.load_flits_per_cycle > mean)
    return ut_impossible(c, "traffic.load_flits_per_cycle", "choose process: poisson, or longer packets",
                         "a Bernoulli process makes at most one packet of %g flit%s in a cycle, the load is %g", mean,
                         mean == 1 ? "" : "s", s->traffic.load_flits_per_cycle);
  return 0;
}

int ut_scenario_check_load(const struct ut_scenario *s, struct ut_error *e) {
  return check_load(&(struct ut_check){.s = s, .e = e});
}

static int check_traffic(const struct ut_check *c) {
  const struct ut_scenario *s = c->s;
  if (check_pattern_keys(c) || check_workload(c) || check_load(c) || ut_pattern_check(c, ut_scenario_terminals(s)))
    return -1;
  return check_file(c);
}

/* ---- faults ---- */

/* Planes are switched off before the start, and what is left has other coordinates. */
static int check_bypass(const struct ut_check *c) {
  const struct ut_scenario *s = c->s;
  if (!s->routing.plane_bypass)
    return 0;
  if (ut_scenario_planned(s))
    return ut_impossible(c, "routing.plane_bypass", NULL,
                         "'routing.plane_bypass' and 'routing.mechanisms' exclude each "
                         "other: leave one of them away");
  if (!s->topology.family->bypass) {
    const char *kinds = NULL;
    for (unsigned i = 0; ut_families[i] && !kinds; i++)
      kinds = ut_families[i]->bypass ? ut_families[i]->kind : NULL;
    return ut_impossible(c, "routing.plane_bypass", NULL, "'routing.plane_bypass' is for a %s, this topology is %s",
                         kinds, s->topology.family->kind);
  }
  if (s->traffic.pattern != &ut_pattern_uniform)
    return ut_impossible(c, ut_check_blamed(c, "traffic.pattern", "routing.plane_bypass"), NULL,
                         "with 'routing.plane_bypass' terminals are switched off: only uniform traffic makes sense");
  for (size_t i = 0; i < s->fault_count; i++)
    if (s->faults[i].at_cycle || s->faults[i].until_cycle != UINT64_MAX)
      return ut_impossible(c, "routing.plane_bypass", NULL,
                           "'routing.plane_bypass' needs faults that are there from cycle 0 and stay");
  return 0;
}

static int check_fault(const struct ut_check *c, const struct ut_topology *t, size_t i) {
  static const char *const kinds[] = {[UT_FAULT_LINK] = "link",
                                      [UT_FAULT_SWITCH] = "switch",
                                      [UT_FAULT_INJECTION] = "injection",
                                      [UT_FAULT_EJECTION] = "ejection",
                                      [UT_FAULT_RANDOM_LINKS] = "random_links",
                                      [UT_FAULT_RANDOM_SWITCHES] = "random_switches",
                                      [UT_FAULT_RANDOM_TERMINAL_LINKS] = "random_terminal_links",
                                      [UT_FAULT_RANDOM_SUBCUBE] = "random_subcube"};
  static const char *const beside[] = {"direction", "apart", "half_of"}; /* the component, not below it */
  const struct ut_fault *fault = &c->s->faults[i];
  char path[PATH_SIZE];
  snprintf(path, sizeof path, "faults[%zu].until", i);
  if (fault->until_cycle <= fault->at_cycle)
    return ut_impossible(c, path, "leave 'until' away for a permanent fault",
                         "the fault ends at cycle %llu, it must be after its start at cycle %llu",
                         (unsigned long long)fault->until_cycle, (unsigned long long)fault->at_cycle);
  if ((fault->times > 1) != (fault->every_cycles > 0)) {
    snprintf(path, sizeof path, "faults[%zu]", i);
    return ut_impossible(c, path, "as in {at: 1000, until: 1200, every: 500, times: 20, random_links: 1}",
                         "a fault that repeats needs both 'every' and 'times'");
  }
  struct ut_component component;
  struct ut_fault_problem problem;
  if (ut_faults_locate(t, fault, &component, &problem))
    return 0;
  snprintf(path, sizeof path, "faults[%zu].%s%s%s", i, kinds[fault->kind], *problem.key ? "." : "", problem.key);
  for (size_t j = 0; j < sizeof beside / sizeof beside[0]; j++)
    if (!strcmp(problem.key, beside[j]))
      snprintf(path, sizeof path, "faults[%zu].%s", i, beside[j]);
  return ut_impossible(c, path, NULL, "%s", problem.text);
}

/* The faults of DETOUR's networks: nodes, and at every time so that the fault model holds, unless the user accepts what
 * is beyond. */
static int check_node_faults(const struct ut_check *c, const struct ut_topology *t, struct ut_faults *f,
                             struct ut_node_model *m, uint32_t *failed) {
  const char *beyond = "let fewer nodes fail, or accept that packets may be lost or stuck with "
                       "'beyond_fault_model: true' in 'routing'";
  for (size_t i = 0; i < c->s->fault_count; i++)
    if (!ut_fault_is_of_switches(c->s->faults[i].kind)) {
      char path[PATH_SIZE];
      snprintf(path, sizeof path, "faults[%zu]", i);
      return ut_impossible(c, path, "name the switch at one end of the link",
                           "under %s nodes fail, links do not: a link that fails looks like two faulty nodes",
                           c->s->routing.algorithm);
    }
  for (uint64_t cycle; !c->s->routing.beyond_fault_model && (cycle = ut_faults_next_cycle(f)) != UINT64_MAX;) {
    unsigned count = 0;
    char text[UT_NODE_REASON_SIZE];
    while (ut_faults_next(f, cycle))
      ;
    for (uint32_t sw = 0; sw < t->switches; sw++)
      if (!ut_faults_switch_up(f, sw))
        failed[count++] = sw;
    ut_node_model_set(m, failed, count);
    if (!ut_node_model_obeyed(m))
      return ut_impossible(c, "faults", beyond, "the faults of cycle %llu are outside the fault model: %s",
                           (unsigned long long)cycle, ut_node_reason_text(m, &m->reason[0], text));
  }
  return 0;
}

static int check_states(const struct ut_check *c, const struct ut_topology *t) {
  const struct ut_algorithm *a = ut_scenario_algorithm(c->s);
  struct ut_node_model m;
  struct ut_faults f;
  if (!a || !a->states)
    return 0;
  if (ut_faults_init(&f, c->s, t, c->e))
    return -1;
  uint32_t *failed = malloc(t->switches * sizeof *failed);
  int result = failed ? ut_node_model_init(&m, t, c->e) : ut_fail(c->e, UT_BAD_INPUT, "out of memory for the faults");
  if (!result) {
    result = check_node_faults(c, t, &f, &m, failed);
    ut_node_model_free(&m);
  }
  free(failed);
  ut_faults_free(&f);
  return result;
}

/* What the faults name must exist. */
static int check_faults(const struct ut_check *c) {
  struct ut_topology t;
  if (c->s->fault_count == 0)
    return 0;
  if (ut_topology_init(&t, c->s, c->e))
    return -1;
  int result = 0;
  for (size_t i = 0; i < c->s->fault_count && !result; i++)
    result = check_fault(c, &t, i);
  if (!result)
    result = check_states(c, &t);
  ut_topology_free(&t);
  return result;
}

int ut_scenario_check_faults(const struct ut_scenario *s, struct ut_error *e) {
  return check_faults(&(struct ut_check){.s = s, .e = e});
}

/* ---- run ---- */

/* Keys of `until_stable`, which say nothing unless a file says `cycles`, to switch them off; and what cannot become
 * stable. */
static int check_run(const struct ut_check *c) {
  static const char *const only[] = {"run.precision", "run.max_cycles"};
  const struct ut_scenario *s = c->s;
  for (size_t i = 0; s->run.warmup == UT_WARMUP_CYCLES && i < sizeof only / sizeof *only; i++)
    if (ut_check_given(c, only[i]) && !ut_check_given(c, "run.warmup"))
      return ut_impossible(c, only[i], "add 'warmup: until_stable' to 'run', or leave it away",
                           "'%s' says nothing where the run lasts a fixed number of cycles", only[i]);
  if (s->run.warmup == UT_WARMUP_CYCLES)
    return 0;
  if (!ut_pattern_has_load(s->traffic.pattern))
    return ut_impossible(c, "run.warmup", "leave it away",
                         "pattern %s has times of its own: nothing of it becomes stable", s->traffic.pattern->name);
  if (!(s->run.precision > 0))
    return ut_impossible(c, "run.precision", "as in 0.05: 5 % of the mean", "'run.precision' is 0: no run is so long");
  if (s->run.max_cycles < s->run.warmup_cycles + s->run.measure_cycles)
    return ut_impossible(
        c, ut_check_blamed(c, "run.max_cycles", "run.measure_cycles"),
        "raise 'run.max_cycles', or lower 'run.warmup_cycles' or 'run.measure_cycles'",
        "'run.max_cycles' is %llu, less than the %llu of warm-up and the %llu of measurement in any case",
        (unsigned long long)s->run.max_cycles, (unsigned long long)s->run.warmup_cycles,
        (unsigned long long)s->run.measure_cycles);
  for (size_t i = 0; i < s->fault_count; i++)
    if (s->faults[i].at_cycle >= s->run.max_cycles) {
      char path[PATH_SIZE];
      snprintf(path, sizeof path, "faults[%zu].at", i);
      return ut_impossible(c, path, "raise 'run.max_cycles'",
                           "the fault of cycle %llu comes when the run is over: 'run.max_cycles' is %llu",
                           (unsigned long long)s->faults[i].at_cycle, (unsigned long long)s->run.max_cycles);
    }
  return 0;
}

int ut_scenario_check(const struct ut_scenario *s, struct ut_document *d, struct ut_error *e) {
  const struct ut_check c = {.s = s, .d = d, .e = e};
  if (ut_scenario_check_topology(s, d, e) || check_shape(&c) || check_traffic(&c) || check_bypass(&c) || check_run(&c))
    return -1;
  return check_faults(&c);
}
