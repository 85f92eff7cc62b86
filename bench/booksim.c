/* SPDX-License-Identifier: Apache-2.0 */
/* booksim.c - see booksim.h */
#define _GNU_SOURCE
#include "booksim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache_files.h"
#include "family.h"
#include "graph_topology.h"
#include "graph_write.h"
#include "pattern.h"
#include "scenario.h"
#include "scenario_switches.h"
#include "topology_build.h"

/* What BookSim calls a network, and which of ours are the same one, switch by switch. */
struct network {
  const char *kind; /* NULL: any that can be a graph */
  const char *topology, *routing;
  unsigned least_vcs;
  bool (*same)(const struct ut_scenario *scenario);
  void (*put_sizes)(const struct ut_scenario *scenario, FILE *f);
};

static bool has_equal_sizes(const struct ut_scenario *scenario) {
  for (unsigned i = 1; i < scenario->topology.sizes; i++)
    if (scenario->topology.size[i] != scenario->topology.size[0])
      return false;
  return true;
}

static bool has_short_ends(const struct ut_scenario *scenario) {
  return scenario->topology.injection_cycles <= 2 &&
         scenario->topology.ejection_cycles == scenario->topology.injection_cycles;
}

static bool has_short_links(const struct ut_scenario *scenario) {
  return has_short_ends(scenario) && scenario->topology.injection_cycles == scenario->topology.link_cycles;
}

static bool is_cube(const struct ut_scenario *scenario) {
  return has_equal_sizes(scenario) && has_short_links(scenario) && scenario->topology.local_ports == 1 &&
         scenario->topology.terminal_links == 1;
}

static void put_cube(const struct ut_scenario *scenario, FILE *f) {
  fprintf(f, "k = %u;\nn = %u;\n", scenario->topology.sizes ? scenario->topology.size[0] : scenario->topology.k,
          scenario->topology.sizes ? scenario->topology.sizes : scenario->topology.n);
}

/* BookSim's dragonflies are balanced and have all groups; a packet changes its VC at the link between two.  Its
 * channels have a latency of 10 within a group, of 100 between groups: one cycle more for us. */
static bool is_balanced_dragonfly(const struct ut_scenario *scenario) {
  const unsigned local = scenario->topology.local_ports, routers = scenario->topology.routers;
  return scenario->topology.link_cycles == 11 && scenario->topology.global_cycles == 101 && has_short_ends(scenario) &&
         routers == 2 * local && scenario->topology.global_links == local &&
         (!scenario->topology.groups || scenario->topology.groups == routers * local + 1) &&
         scenario->topology.global_arrangement == UT_ARRANGEMENT_ABSOLUTE &&
         scenario->routing.planning.planner == UT_PLANNER_GLOBAL_HOPS;
}

static void put_dragonfly(const struct ut_scenario *scenario, FILE *f) {
  fprintf(f, "k = %u;\nn = 1;\n", scenario->topology.local_ports);
}

/* Rows and columns of a square of terminals, which BookSim's switches of a flattened butterfly have. */
static unsigned side_of(unsigned terminals) {
  unsigned side = 1;
  while (side * side < terminals)
    side++;
  return side;
}

/* Shortest ways: which one BookSim takes of several is another matter (docs/reference/validate.md). */
static bool has_shortest_ways(const struct ut_scenario *scenario) {
  const enum ut_planner planner = scenario->routing.planning.planner;
  return planner == UT_PLANNER_MINIMAL || planner == UT_PLANNER_LAYERS || planner == UT_PLANNER_DMODK;
}

static bool is_flattened_butterfly(const struct ut_scenario *scenario) {
  const unsigned side = side_of(scenario->topology.local_ports);
  return has_equal_sizes(scenario) && has_short_links(scenario) && scenario->topology.sizes == 2 &&
         !scenario->topology.cables.count && side * side == scenario->topology.local_ports &&
         has_shortest_ways(scenario);
}

static void put_flattened_butterfly(const struct ut_scenario *scenario, FILE *f) {
  const unsigned k = scenario->topology.size[0], side = side_of(scenario->topology.local_ports);
  put_cube(scenario, f);
  fprintf(f, "c = %u;\nx = %u;\ny = %u;\nxr = %u;\nyr = %u;\n", side * side, k, k, side, side);
}

static bool is_graph(const struct ut_scenario *scenario) {
  return scenario->topology.family->graph && has_shortest_ways(scenario);
}

static void put_nothing(const struct ut_scenario *scenario, FILE *f) {
  (void)scenario, (void)f; /* the file of the network says all */
}

static const struct network networks[] = {
    {"fat_tree", "fattree", "nca", 1, is_cube, put_cube},
    {"torus", "torus", "dim_order", 2, is_cube, put_cube}, /* a pair of VCs in place of the bubble rule */
    {"mesh", "mesh", "dim_order", 1, is_cube, put_cube},
    {"dragonfly", "dragonflynew", "min", 2, is_balanced_dragonfly, put_dragonfly},
    {"hyperx", "flatfly", "ran_min", 1, is_flattened_butterfly, put_flattened_butterfly},
    {NULL, "anynet", "min", 1, is_graph, put_nothing},
};

static const struct network *network_of(const struct ut_scenario *scenario) {
  for (unsigned i = 0; i < sizeof networks / sizeof *networks; i++)
    if ((!networks[i].kind || !strcmp(networks[i].kind, scenario->topology.family->kind)) && networks[i].same(scenario))
      return &networks[i];
  return NULL;
}

bool ut_booksim_can(const struct ut_scenario *scenario) {
  const struct network *network = network_of(scenario);
  return network && scenario->sw.vcs >= network->least_vcs && scenario->sw.flit_bits == 64 &&
         !scenario->sw.xbar_cycles && scenario->sw.distribution == UT_LENGTHS_FIXED &&
         scenario->traffic.pattern->booksim && scenario->traffic.process == UT_BERNOULLI && !scenario->fault_count &&
         !ut_scenario_planned(scenario);
}

int ut_booksim_check(const struct ut_scenario *scenario, struct ut_error *e) {
  if (ut_booksim_can(scenario))
    return 0;
  char patterns[512] = "";
  for (size_t i = 0, used = 0; i < UT_PATTERNS && used < sizeof patterns; i++)
    if (ut_patterns[i]->booksim)
      used += (size_t)snprintf(patterns + used, sizeof patterns - used, "%s%s", used ? ", " : "", ut_patterns[i]->name);
  return ut_fail(
      e, UT_BAD_INPUT,
      "%s: BookSim 2 cannot do that: expected a k-ary n-tree, a mesh, or a torus with two VCs, all with one terminal a "
      "switch and equal sizes; or a network that can be a graph, with shortest ways (planners minimal, layers, "
      "dmodk; global_hops in balanced dragonflies in the absolute arrangement with links "
      "of "
      "11 and 101 cycles); links of one or two cycles elsewhere, in graphs two or more, flits of 64 bits, packets of "
      "one length, xbar_cycles 0, no faults, Bernoulli traffic of one of these patterns: %s",
      scenario->path, patterns);
}

/* Latencies as BookSim counts them, one cycle less than ours.  It takes that of a link to a terminal for that of a link
 * to the router of the same number (commit 28f4329), so these may not be longer than the others. */
static int count_their_cycles(const struct ut_scenario *scenario, struct ut_graph *graph, struct ut_error *e) {
  for (uint32_t i = 0; i < graph->channels; i++) {
    struct ut_graph_channel *channel = &graph->channel[i];
    if (channel->cycles < 2)
      return ut_fail(e, UT_BAD_INPUT, "%s: a channel of BookSim 2 takes two cycles at least; set 'link_cycles: 2'",
                     scenario->path);
    if (channel->cycles > 2 && (graph->node[channel->from].terminal || graph->node[channel->to].terminal))
      return ut_fail(e, UT_BAD_INPUT, "%s: BookSim 2 reads no latency of links to terminals; give these two cycles",
                     scenario->path);
    channel->cycles--;
  }
  return 0;
}

int ut_booksim_network(const struct ut_scenario *scenario, char **text, struct ut_error *e) {
  struct ut_text written;
  *text = NULL;
  if (strcmp(network_of(scenario)->topology, "anynet"))
    return 0;
  struct ut_graph *graph = ut_topology_graph(scenario, ut_scenario_topology(scenario), e);
  FILE *f = graph && !count_their_cycles(scenario, graph, e) && !ut_graph_check_form(graph, UT_GRAPH_ANYNET, e)
                ? ut_text_open(&written, e)
                : NULL;
  const int status = f ? ut_graph_write(graph, UT_GRAPH_ANYNET, f, e) : -1;
  ut_graph_free(graph);
  if (!f)
    return -1;
  if (fclose(f) || status) {
    free(written.data);
    return status ? -1 : ut_fail_memory(e);
  }
  *text = written.data;
  return 0;
}

uint32_t ut_booksim_terminal(const struct ut_scenario *scenario, uint32_t theirs) {
  if (network_of(scenario)->same != is_flattened_butterfly)
    return theirs;
  const unsigned k = scenario->topology.size[0], side = side_of(scenario->topology.local_ports);
  const unsigned column = theirs % (k * side), row = theirs / (k * side);
  return (row / side * k + column / side) * side * side + row % side * side + column % side;
}

char *ut_booksim_configuration(const struct ut_scenario *scenario, struct ut_error *e) {
  const struct network *network = network_of(scenario);
  struct ut_text text;
  FILE *f = ut_text_open(&text, e);
  if (!f)
    return NULL;
  fprintf(f, "topology = %s;\nrouting_function = %s;\n", network->topology, network->routing);
  network->put_sizes(scenario, f);
  fprintf(f, "use_noc_latency = 0;\n"); /* else channels of a torus are longer */
  fprintf(f, "num_vcs = %u;\nvc_buf_size = %u;\npacket_size = %u;\n", scenario->sw.vcs, scenario->sw.depth_flits,
          scenario->sw.packet_flits);
  fprintf(f, "routing_delay = %u;\nvc_alloc_delay = 1;\nsw_alloc_delay = 1;\nspeculative = %d;\n",
          scenario->sw.route_cycles, scenario->sw.alloc_cycles == 1);
  fprintf(f, "credit_delay = 1;\n"); /* a credit can be spent in the cycle after it has arrived */
  fprintf(f, "vc_allocator = separable_input_first;\nsw_allocator = separable_input_first;\n");
  fprintf(f, "traffic = %s;\ninjection_rate_uses_flits = 1;\ninjection_rate = %.6f;\nseed = %u;\n",
          scenario->traffic.pattern->booksim, scenario->traffic.load_flits_per_cycle, (unsigned)scenario->run.seed);
  fprintf(f, "sim_type = throughput;\nwarmup_periods = 1;\nmax_samples = 2;\nsim_count = 1;\n");
  return fclose(f) ? (ut_fail_memory(e), NULL) : text.data;
}

int ut_booksim_file(const struct ut_scenario *scenario, const char *text, char file[PATH_MAX], struct ut_error *e) {
  if (ut_path_temporary(e, file, "booksim-XXXXXX"))
    return -1;
  if (strchr(file, '='))
    return ut_fail(e, UT_BAD_INPUT,
                   "TMPDIR is '%.900s': BookSim 2 takes a name with '=' for a setting; name another one",
                   getenv("TMPDIR"));
  const int fd = ut_file_temporary(file);
  FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
  const bool written = f && fputs(text, f) >= 0 && !fflush(f);
  const int error = errno;
  if (f)
    fclose(f);
  else if (fd >= 0)
    close(fd);
  if (written)
    return 0;
  if (fd >= 0)
    ut_file_remove(file);
  return ut_fail(e, UT_BAD_INPUT, "%s: no file for BookSim 2 can be written in TMPDIR, or /tmp: %s", scenario->path,
                 strerror(error));
}

int ut_booksim_write(const struct ut_scenario *scenario, const char *configuration, struct ut_booksim_files *files,
                     struct ut_error *e) {
  char *network, *text = NULL;
  *files = (struct ut_booksim_files){0};
  if (ut_booksim_network(scenario, &network, e))
    return -1;
  int status = network ? ut_booksim_file(scenario, network, files->network, e) : 0;
  free(network);
  if (!status &&
      asprintf(&text, files->network[0] ? "%snetwork_file = %s;\n" : "%s", configuration, files->network) < 0)
    status = ut_fail_memory(e);
  status = status ? status : ut_booksim_file(scenario, text, files->configuration, e);
  free(text);
  if (status)
    ut_booksim_remove(files);
  return status;
}

void ut_booksim_remove(const struct ut_booksim_files *files) {
  if (files->configuration[0])
    ut_file_remove(files->configuration);
  if (files->network[0])
    ut_file_remove(files->network);
}

int ut_booksim_open(struct ut_booksim *booksim, const char *dir, struct ut_error *e) {
  static const char *const places[] = {"booksim", "src/booksim"};
  *booksim = (struct ut_booksim){.known = json_object()};
  for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
    if (ut_path_set(e, booksim->program, "%s/%s", dir, places[i]) || !access(booksim->program, X_OK))
      return booksim->program[0] ? 0 : -1;
  return ut_fail(e, UT_BAD_INPUT,
                 "%s: no BookSim 2 there, neither booksim nor src/booksim is a program; build it with make", dir);
}

void ut_booksim_close(struct ut_booksim *booksim) {
  json_decref(booksim->known);
  *booksim = (struct ut_booksim){0};
}
