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
#include "pattern.h"
#include "scenario.h"

/* What BookSim calls our networks. */
static const struct network {
  const char *kind, *topology, *routing;
  unsigned least_vcs;
} networks[] = {
    {"fat_tree", "fattree", "nca", 1},
    {"torus", "torus", "dim_order", 2}, /* a pair of VCs in place of the bubble rule */
    {"mesh", "mesh", "dim_order", 1},
};

static const struct network *network_of(const struct ut_scenario *scenario) {
  for (unsigned i = 0; i < sizeof networks / sizeof *networks; i++)
    if (!strcmp(networks[i].kind, scenario->topology.family->kind))
      return &networks[i];
  return NULL;
}

bool ut_booksim_can(const struct ut_scenario *scenario) {
  const struct network *network = network_of(scenario);
  bool same_sizes = true;
  for (unsigned i = 1; i < scenario->topology.sizes; i++)
    same_sizes = same_sizes && scenario->topology.size[i] == scenario->topology.size[0];
  return network && same_sizes && scenario->sw.vcs >= network->least_vcs && scenario->sw.flit_bits == 64 &&
         !scenario->sw.xbar_cycles && scenario->sw.distribution == UT_LENGTHS_FIXED &&
         scenario->topology.local_ports == 1 && scenario->topology.terminal_links == 1 &&
         scenario->topology.link_cycles <= 2 && scenario->topology.injection_cycles == scenario->topology.link_cycles &&
         scenario->topology.ejection_cycles == scenario->topology.link_cycles && scenario->traffic.pattern->booksim &&
         scenario->traffic.process == UT_BERNOULLI && !scenario->fault_count && !ut_scenario_planned(scenario);
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
      "%s: BookSim 2 cannot do that: expected a k-ary n-tree, a mesh, or a torus with two VCs; one terminal a "
      "switch in grids, equal sizes, links of one or two cycles, flits of 64 bits, packets of one length, "
      "xbar_cycles 0, no faults, Bernoulli traffic of one of these patterns: %s",
      scenario->path, patterns);
}

char *ut_booksim_configuration(const struct ut_scenario *scenario, struct ut_error *e) {
  const struct network *network = network_of(scenario);
  struct ut_text text;
  FILE *f = ut_text_open(&text, e);
  if (!f)
    return NULL;
  fprintf(f, "topology = %s;\nrouting_function = %s;\n", network->topology, network->routing);
  fprintf(f, "k = %u;\nn = %u;\n", scenario->topology.sizes ? scenario->topology.size[0] : scenario->topology.k,
          scenario->topology.sizes ? scenario->topology.sizes : scenario->topology.n);
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
