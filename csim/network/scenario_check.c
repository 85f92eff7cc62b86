/* scenario_check.c - see scenario_check.h */
#define _POSIX_C_SOURCE 200809L
#include "scenario_check.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "nearest.h"
#include "scenario_schema.h"

enum { MAX_TERMINALS = 65536, PATH_SIZE = 64, MAX_NAMES = 64 };

/* ---- messages ---- */

/* What the checks of one scenario pass on. */
struct check {
  const struct ut_scenario *s;
  struct ut_document *d; /* or NULL */
  struct ut_error *e;
};

static bool given(const struct check *c, const char *path) {
  return c->d && ut_document_find(c->d, NULL, path);
}

/* The first of two keys that the file has, to blame it for what follows from both. */
static const char *blamed(const struct check *c, const char *path, const char *other) {
  return given(c, path) ? path : other;
}

/* The error at the value of the key `path`, or, when it has its default value, at what it would belong to. */
static int __attribute__((format(printf, 4, 5)))
impossible(const struct check *c, const char *path, const char *hint, const char *format, ...) {
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

static const char *family_of(enum ut_topology_kind kind) {
  switch (kind) {
  case UT_FAT_TREE: return "fattree";
  case UT_TORUS: return "torus";
  case UT_MESH: return "mesh";
  }
  return "";
}

/* b^e, not beyond UINT64_MAX. */
static uint64_t power(uint64_t base, unsigned exponent) {
  uint64_t result = 1;
  for (; base && exponent; exponent--)
    result = result > UINT64_MAX / base ? UINT64_MAX : result * base;
  return result;
}

/* Keys of the other kinds, and missing ones. */
static int check_topology_keys(const struct check *c) {
  bool tree = c->s->topology.kind == UT_FAT_TREE, sizes = given(c, "topology.sizes");
  const char *kind = ut_schema_word("topology.kind", (int)c->s->topology.kind);
  static const char *const direct[] = {"topology.sizes", "topology.local_ports"}, *const both[] = {"k", "n"};
  for (unsigned i = 0; tree && i < 2; i++)
    if (given(c, direct[i]))
      return impossible(c, direct[i], NULL, "'%s' is for torus and mesh only, this topology is %s", direct[i], kind);
  for (unsigned i = 0; c->d && i < 2; i++) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "topology.%s", both[i]);
    if (!given(c, path) && !sizes)
      return impossible(c, "topology", tree ? NULL : "or give 'sizes', as in sizes: [8, 8, 4]",
                        "missing key '%s' in 'topology'", both[i]);
    if (given(c, path) && sizes)
      return impossible(c, path, NULL, "'topology.sizes' says it all: leave '%s' away", both[i]);
  }
  return 0;
}

static int check_direct(const struct check *c) {
  const struct ut_scenario *s = c->s;
  uint64_t terminals = s->topology.local_ports;
  if (s->topology.dimensions == 0 || s->topology.n > UT_MAX_DIMENSIONS)
    return impossible(c, "topology.n", NULL, "'topology.n' is %u, must be 1..%d for torus and mesh", s->topology.n,
                      UT_MAX_DIMENSIONS);
  if (c->d && !given(c, "topology.sizes") && (s->topology.k < 2 || s->topology.k > UT_MAX_RADIX))
    return impossible(c, "topology.k", NULL, "'topology.k' is %u, must be 2..%d for torus and mesh", s->topology.k,
                      UT_MAX_RADIX);
  for (unsigned i = 0; i < s->topology.dimensions; i++)
    terminals *= s->topology.size[i];
  if (terminals > MAX_TERMINALS)
    return impossible(c, blamed(c, "topology.sizes", "topology.n"), "make it smaller",
                      "%llu terminals are more than %d", (unsigned long long)terminals, MAX_TERMINALS);
  if (ut_scenario_ports(s) > UT_MAX_PORTS)
    return impossible(c, "topology.local_ports", NULL, "%u ports, a switch has at most %d", ut_scenario_ports(s),
                      UT_MAX_PORTS);
  return 0;
}

static int check_topology(const struct check *c) {
  unsigned k = c->s->topology.k, n = c->s->topology.n;
  uint64_t terminals = power(k, n);
  if (check_topology_keys(c))
    return -1;
  if (c->s->topology.kind != UT_FAT_TREE)
    return check_direct(c);
  if (k < 2 || k > UT_MAX_PORTS / 2)
    return impossible(c, "topology.k", NULL, "'topology.k' is %u, must be 2..%d for a fat tree", k, UT_MAX_PORTS / 2);
  if (terminals > MAX_TERMINALS)
    return impossible(c, "topology.n", "make k or n smaller", "k^n = %u^%u is more than %d terminals", k, n,
                      MAX_TERMINALS);
  return 0;
}

/* ---- switch and routing ---- */

/* Forwarding tables are no topology's own, but the planner knows fat trees only. */
static bool fits(const struct ut_algorithm *a, const char *family) {
  return (a->tables && strcmp(family, "fattree") == 0) || strcmp(a->family, family) == 0;
}

const struct ut_algorithm *ut_scenario_algorithm(const struct ut_scenario *s) {
  for (unsigned i = 0; s->routing.algorithm && i < ut_algorithm_count; i++)
    if (strcmp(ut_algorithms[i].name, s->routing.algorithm) == 0 &&
        fits(&ut_algorithms[i], family_of(s->topology.kind)))
      return &ut_algorithms[i];
  return NULL;
}

static int unknown_algorithm(const struct check *c) {
  const char *wanted = c->s->routing.algorithm ? c->s->routing.algorithm : "";
  const char *names[MAX_NAMES] = {0}, *family = family_of(c->s->topology.kind);
  const char *other = NULL; /* family */
  size_t count = 0, used = 0;
  char hint[512] = "";
  for (unsigned i = 0; i < ut_algorithm_count && count < MAX_NAMES; i++) {
    if (fits(&ut_algorithms[i], family))
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
  const char *kind = ut_schema_word("topology.kind", (int)c->s->topology.kind);
  if (other)
    return impossible(c, "routing.algorithm", hint, "'routing.algorithm': '%.40s' is for %s, this topology is %s",
                      wanted, other, kind);
  return impossible(c, "routing.algorithm", hint, "'routing.algorithm': unknown algorithm '%.40s' for %s", wanted,
                    kind);
}

/* Keys that only forwarding tables look at. */
static int check_table_keys(const struct check *c, const struct ut_algorithm *a) {
  static const char *const keys[] = {"routing.tables", "routing.manager_delay_cycles", "routing.manager_switch_cycles"};
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
    bool fixed = i > 0 && c->s->routing.tables == UT_TABLES_STATIC;
    if (given(c, keys[i]) && (!a->tables || fixed))
      return impossible(c, keys[i], NULL, "'%s' is for forwarding tables%s, %s has none", keys[i],
                        fixed ? " that are reconfigured" : "", a->tables ? "this scenario" : a->name);
  }
  unsigned terminals = ut_scenario_terminals(c->s);
  if (a->tables && terminals > UT_MAX_DESTINATIONS)
    return impossible(c, "topology", "make k or n smaller",
                      "forwarding tables have at most %d entries, this network "
                      "has %u terminals",
                      UT_MAX_DESTINATIONS, terminals);
  return 0;
}

/* Keys that only tori and meshes look at, and what the planner knows (INTERMEDIATE table 1). */
static int check_mechanisms(const struct check *c, const struct ut_algorithm *a) {
  const struct ut_scenario *s = c->s;
  const char *key = "routing.mechanisms";
  if (given(c, key) && !a->mechanisms)
    return impossible(c, key, NULL, "'%s' is for tori and meshes, %s has none", key, a->name);
  bool deterministic = s->routing.deterministic, misroute = s->routing.misroute;
  if (s->routing.intermediate > (misroute ? 1 : deterministic ? 2 : 3))
    return impossible(c, key, "known combinations: I, D, M, I+D, I+M, D+M, I+D+M, I2, I3, I2+D",
                      "%u intermediate nodes do not go with %s", s->routing.intermediate,
                      misroute ? "misrouting" : "deterministic sub-paths");
  return 0;
}

static int check_shape(const struct check *c) {
  const struct ut_scenario *s = c->s;
  const struct ut_algorithm *a = ut_scenario_algorithm(s);
  if (!a)
    return unknown_algorithm(c);
  if (check_table_keys(c, a) || check_mechanisms(c, a))
    return -1;
  unsigned sub_paths = s->routing.intermediate, longest = s->sw.packet_flits + sub_paths;
  if (s->sw.vcs >= a->min_vcs && s->sw.vcs < a->min_vcs + sub_paths)
    return impossible(c, blamed(c, "switch.vcs", "routing.mechanisms"), "raise 'switch.vcs'",
                      "algorithm %s with %u intermediate nodes needs %u virtual channels, 'switch.vcs' is %u", a->name,
                      sub_paths, a->min_vcs + sub_paths, s->sw.vcs);
  if (s->sw.vcs < a->min_vcs)
    return impossible(c, blamed(c, "switch.vcs", "routing.algorithm"), "raise 'switch.vcs'",
                      "algorithm %s needs %u virtual channels, 'switch.vcs' is %u", a->name, a->min_vcs, s->sw.vcs);
  if (s->sw.switching == UT_VCT && s->sw.depth_flits < longest)
    return impossible(c, blamed(c, "switch.depth_flits", "switch.packet_flits"),
                      "virtual cut-through needs room for a whole packet: raise 'switch.depth_flits', or set "
                      "'switch.switching' to wormhole",
                      "'switch.depth_flits' is %u, less than the %u of 'switch.packet_flits'%s", s->sw.depth_flits,
                      longest, sub_paths ? " and the header words of intermediate nodes" : "");
  if (a->bubble && s->sw.switching != UT_VCT)
    return impossible(c, blamed(c, "switch.switching", "routing.algorithm"), "leave 'switch.switching' away",
                      "the bubble rule of %s needs virtual cut-through", a->name);
  if (a->bubble && s->sw.depth_flits < 2 * longest)
    return impossible(c, blamed(c, "switch.depth_flits", "switch.packet_flits"), "raise 'switch.depth_flits'",
                      "the bubble rule of %s needs room for two packets of %u flits%s, 'switch.depth_flits' is %u",
                      a->name, longest, sub_paths ? " (with the header words of intermediate nodes)" : "",
                      s->sw.depth_flits);
  if (s->sw.shortest_packet_flits > s->sw.packet_flits)
    return impossible(c, "switch.shortest_packet_flits", NULL,
                      "'switch.shortest_packet_flits' is %u, 'switch.packet_flits' %u", s->sw.shortest_packet_flits,
                      s->sw.packet_flits);
  if (a->bubble && 2 * s->sw.shortest_packet_flits <= longest)
    return impossible(
        c, blamed(c, "switch.shortest_packet_flits", sub_paths ? "routing.mechanisms" : "switch.packet_flits"),
        "a ring of packets of so different lengths can fill although there is room in it: make packets longer",
        "the bubble rule of %s needs packets that are longer than half the longest one: %u and %u flits%s", a->name,
        s->sw.shortest_packet_flits, longest, sub_paths ? " (with the header words of intermediate nodes)" : "");
  return 0;
}

int ut_scenario_check_shape(const struct ut_scenario *s, struct ut_document *d, struct ut_error *e) {
  return check_shape(&(struct check){.s = s, .d = d, .e = e});
}

/* ---- traffic ---- */

/* Keys that only one pattern looks at; with another one they would be ignored, and that is not what was meant. */
static int check_pattern_keys(const struct check *c) {
  static const struct {
    const char *key;
    enum ut_pattern pattern;
    bool mandatory;
  } keys[] = {
      {"traffic.hot_spot_fraction", UT_HOT_SPOT, false},
      {"traffic.hot_spot_node", UT_HOT_SPOT, false},
      {"traffic.permutation_file", UT_PERMUTATION, true},
      {"traffic.trace_file", UT_TRACE, true},
  };
  enum ut_pattern pattern = c->s->traffic.pattern;
  const char *name = ut_schema_word("traffic.pattern", (int)pattern);
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
    if (given(c, keys[i].key) && pattern != keys[i].pattern)
      return impossible(c, keys[i].key, NULL, "'%s' is for pattern %s only, this pattern is %s", keys[i].key,
                        ut_schema_word("traffic.pattern", (int)keys[i].pattern), name);
    if (!given(c, keys[i].key) && pattern == keys[i].pattern && keys[i].mandatory)
      return impossible(c, "traffic.pattern", NULL, "pattern %s needs the key '%s'", name, keys[i].key);
  }
  if (c->d && pattern != UT_TRACE && !given(c, "traffic.load_flits_per_cycle"))
    return impossible(c, "traffic", "add it, as in load_flits_per_cycle: 0.3",
                      "missing key 'load_flits_per_cycle' in 'traffic'");
  static const char *const for_rates[] = {"traffic.load_flits_per_cycle", "traffic.process"};
  for (size_t i = 0; i < 2; i++)
    if (pattern == UT_TRACE && given(c, for_rates[i]))
      return impossible(c, for_rates[i], NULL, "'%s' has no meaning for pattern trace: the trace has the times",
                        for_rates[i]);
  return 0;
}

static int check_file(const struct check *c) {
  const char *file = c->s->traffic.file;
  if (!file || access(file, R_OK) == 0)
    return 0;
  return impossible(c, c->s->traffic.pattern == UT_TRACE ? "traffic.trace_file" : "traffic.permutation_file", NULL,
                    "cannot read %.300s: %s", file, strerror(errno));
}

static int check_traffic(const struct check *c) {
  const struct ut_scenario *s = c->s;
  enum ut_pattern pattern = s->traffic.pattern;
  unsigned terminals = ut_scenario_terminals(s);
  if (check_pattern_keys(c))
    return -1;
  if (pattern == UT_HOT_SPOT && s->traffic.hot_spot_node >= terminals)
    return impossible(c, "traffic.hot_spot_node", NULL, "terminal %u does not exist, this network has 0..%u",
                      s->traffic.hot_spot_node, terminals - 1);
  bool bits = pattern == UT_COMPLEMENT || pattern == UT_SHUFFLE || pattern == UT_TRANSPOSE;
  if (bits && (terminals & (terminals - 1)))
    return impossible(c, "traffic.pattern", "choose k as a power of two",
                      "pattern %s works on address bits: %u terminals are no power of two",
                      ut_schema_word("traffic.pattern", (int)pattern), terminals);
  if (pattern == UT_TRANSPOSE && (terminals & 0xaaaaaaaa))
    return impossible(c, "traffic.pattern", "choose k or n so that k^n is a power of four",
                      "pattern transpose swaps the halves of an address: %u terminals have an odd number of bits",
                      terminals);
  return check_file(c);
}

/* ---- faults ---- */

static unsigned levels_of(const struct ut_scenario *s) {
  return s->topology.kind == UT_FAT_TREE ? s->topology.n : 1;
}

static int check_switch_of_fault(const struct check *c, const struct ut_fault *fault, const char *path) {
  const struct ut_scenario *s = c->s;
  unsigned levels = levels_of(s), width = ut_scenario_switches(s) / levels;
  char place[PATH_SIZE + 8];
  if (fault->level >= levels) {
    snprintf(place, sizeof place, "%s.level", path);
    return levels == 1
               ? impossible(c, place, NULL, "level %u does not exist, all switches of this network are in level 0",
                            fault->level)
               : impossible(c, place, NULL, "level %u does not exist, this network has 0 (leaves) to %u (roots)",
                            fault->level, levels - 1);
  }
  snprintf(place, sizeof place, "%s.switch", path);
  if (fault->index >= width)
    return impossible(c, place, NULL, "switch %u.%u does not exist, level %u has 0..%u", fault->level, fault->index,
                      fault->level, width - 1);
  return 0;
}

static int check_link_of_fault(const struct check *c, const struct ut_fault *fault, const char *path) {
  const struct ut_scenario *s = c->s;
  unsigned ports = ut_scenario_ports(s);
  char place[PATH_SIZE + 8];
  snprintf(place, sizeof place, "%s.port", path);
  if (check_switch_of_fault(c, fault, path))
    return -1;
  if (fault->port >= ports)
    return impossible(c, place, NULL, "port %u does not exist, every switch has 0..%u", fault->port, ports - 1);
  if (s->topology.kind == UT_FAT_TREE && fault->level == s->topology.n - 1 && fault->port >= s->topology.k)
    return impossible(c, place, NULL, "switch %u.%u is a root: its up ports %u..%u have no link", fault->level,
                      fault->index, s->topology.k, ports - 1);
  return 0;
}

static int check_random_fault(const struct check *c, const struct ut_fault *fault, const char *path) {
  const struct ut_scenario *s = c->s;
  if (s->topology.kind != UT_FAT_TREE) /* counted when they are drawn */
    return 0;
  unsigned above = s->topology.n - 1; /* levels of switches above the leaves, and of links below them */
  bool links = fault->kind == UT_FAULT_RANDOM_LINKS;
  unsigned all = links ? above * ut_scenario_terminals(s) : above * (ut_scenario_switches(s) / s->topology.n);
  if (fault->count <= all)
    return 0;
  return impossible(c, path, NULL, "%u random %s wanted, this network has %u%s", fault->count,
                    links ? "links" : "switches", all, links ? " between switches" : " above level 0");
}

/* Planes are switched off before the start, and what is left has other coordinates. */
static int check_bypass(const struct check *c) {
  const struct ut_scenario *s = c->s;
  if (!s->routing.plane_bypass)
    return 0;
  if (s->topology.kind != UT_TORUS || ut_scenario_planned(s))
    return impossible(c, "routing.plane_bypass", NULL, "'routing.plane_bypass' is for tori without mechanisms");
  if (s->traffic.pattern != UT_UNIFORM)
    return impossible(c, blamed(c, "traffic.pattern", "routing.plane_bypass"), NULL,
                      "with 'routing.plane_bypass' terminals are switched off: only uniform traffic makes sense");
  for (size_t i = 0; i < s->fault_count; i++)
    if (s->faults[i].at_cycle || s->faults[i].until_cycle != UINT64_MAX)
      return impossible(c, "routing.plane_bypass", NULL,
                        "'routing.plane_bypass' needs faults that are there from cycle 0 and stay");
  return 0;
}

static int check_fault(const struct check *c, size_t i) {
  static const char *const kinds[] = {[UT_FAULT_LINK] = "link",
                                      [UT_FAULT_SWITCH] = "switch",
                                      [UT_FAULT_RANDOM_LINKS] = "random_links",
                                      [UT_FAULT_RANDOM_SWITCHES] = "random_switches"};
  const struct ut_fault *fault = &c->s->faults[i];
  char path[PATH_SIZE];
  snprintf(path, sizeof path, "faults[%zu].until", i);
  if (fault->until_cycle <= fault->at_cycle)
    return impossible(c, path, "leave 'until' away for a permanent fault",
                      "the fault ends at cycle %llu, it must be after its start at cycle %llu",
                      (unsigned long long)fault->until_cycle, (unsigned long long)fault->at_cycle);
  if ((fault->times > 1) != (fault->every_cycles > 0)) {
    snprintf(path, sizeof path, "faults[%zu]", i);
    return impossible(c, path, "as in {at: 1000, until: 1200, every: 500, times: 20, random_links: 1}",
                      "a fault that repeats needs both 'every' and 'times'");
  }
  snprintf(path, sizeof path, "faults[%zu].%s", i, kinds[fault->kind]);
  switch (fault->kind) {
  case UT_FAULT_LINK: return check_link_of_fault(c, fault, path);
  case UT_FAULT_SWITCH: return check_switch_of_fault(c, fault, path);
  default: return check_random_fault(c, fault, path);
  }
}

int ut_scenario_check(const struct ut_scenario *s, struct ut_document *d, struct ut_error *e) {
  struct check c = {.s = s, .d = d, .e = e};
  if (check_topology(&c) || check_shape(&c) || check_traffic(&c) || check_bypass(&c))
    return -1;
  for (size_t i = 0; i < s->fault_count; i++)
    if (check_fault(&c, i))
      return -1;
  return 0;
}
