/* booksim.c - see booksim.h
 *
 * BookSim simulates sample periods, the first one to warm up.  Its throughput mode stops after `max_samples` of them,
 * so that two periods of N cycles are a run of 2 N.  The longer run measures in just those cycles that the shorter one
 * lacks; what is left in the network is drained by both.
 */
#define _GNU_SOURCE
#include "booksim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache_files.h"
#include "family.h"

/* What BookSim calls our networks. */
static const struct network {
  const char *kind, *topology, *routing;
  unsigned least_vcs;
} networks[] = {
    {"fat_tree", "fattree", "nca", 1},
    {"torus", "torus", "dim_order", 2}, /* a pair of VCs in place of the bubble rule */
    {"mesh", "mesh", "dim_order", 1},
};

static const struct network *network_of(const struct ut_scenario *s) {
  for (unsigned i = 0; i < sizeof networks / sizeof *networks; i++)
    if (!strcmp(networks[i].kind, s->topology.family->kind))
      return &networks[i];
  return NULL;
}

bool ut_booksim_can(const struct ut_scenario *s) {
  const struct network *n = network_of(s);
  bool same_sizes = true;
  for (unsigned i = 1; i < s->topology.sizes; i++)
    same_sizes = same_sizes && s->topology.size[i] == s->topology.size[0];
  return n && same_sizes && s->sw.vcs >= n->least_vcs && s->sw.flit_bits == 64 &&
         s->sw.distribution == UT_LENGTHS_FIXED && s->topology.local_ports == 1 && s->topology.terminal_links == 1 &&
         s->topology.link_cycles == 1 && s->traffic.pattern == UT_UNIFORM && s->traffic.process == UT_BERNOULLI &&
         !s->fault_count && !ut_scenario_planned(s);
}

static void put_configuration(const struct ut_scenario *s, FILE *f) {
  const struct network *n = network_of(s);
  fprintf(f, "topology = %s;\nrouting_function = %s;\n", n->topology, n->routing);
  fprintf(f, "k = %u;\nn = %u;\n", s->topology.sizes ? s->topology.size[0] : s->topology.k,
          s->topology.sizes ? s->topology.sizes : s->topology.n);
  fprintf(f, "num_vcs = %u;\nvc_buf_size = %u;\npacket_size = %u;\n", s->sw.vcs, s->sw.depth_flits, s->sw.packet_flits);
  fprintf(f, "routing_delay = %u;\nvc_alloc_delay = 1;\nsw_alloc_delay = 1;\nspeculative = %d;\n", s->sw.route_cycles,
          s->sw.alloc_cycles == 1);
  fprintf(f, "traffic = uniform;\ninjection_rate_uses_flits = 1;\ninjection_rate = %g;\nseed = %u;\n",
          s->traffic.load_flits_per_cycle, (unsigned)s->run.seed);
  fprintf(f, "sim_type = throughput;\nwarmup_periods = 1;\nmax_samples = 2;\nsim_count = 1;\n");
}

int ut_booksim_open(struct ut_booksim *b, const char *dir, struct ut_error *e) {
  static const char *const places[] = {"booksim", "src/booksim"};
  *b = (struct ut_booksim){.known = json_object()};
  for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
    if (ut_path_set(e, b->program, "%s/%s", dir, places[i]) || !access(b->program, X_OK))
      return b->program[0] ? 0 : -1;
  return ut_fail(e, UT_BAD_INPUT,
                 "%s: no BookSim 2 there, neither booksim nor src/booksim is a program; build it with make", dir);
}

void ut_booksim_close(struct ut_booksim *b) {
  json_decref(b->known);
  *b = (struct ut_booksim){0};
}

/* Runs the program with that configuration. */
static int count(const struct ut_booksim *b, const struct ut_callgrind *c, const char *file,
                 const struct ut_scenario *s, double *out, struct ut_error *e) {
  const unsigned cycles = ut_counted_cycles(ut_scenario_switches(s)) / 2; /* it is slow */
  struct ut_counted run[UT_RUNS] = {0};
  for (unsigned i = 0; i < UT_RUNS; i++) {
    ut_args_add(&run[i].command, "%s", b->program);
    ut_args_add(&run[i].command, "%s", file);
    ut_args_add(&run[i].command, "sample_period=%u", i == UT_LONGER ? cycles : cycles / 2);
    run[i].any_status = true; /* BookSim's is 255 after a good run */
  }
  int result = ut_callgrind_run(c, run, e);
  if (!result) {
    const struct ut_counted *more = &run[UT_LONGER], *fewer = &run[UT_SHORTER];
    const double time = ut_counted_number(more, "Time taken is ") - ut_counted_number(fewer, "Time taken is ");
    const double rate = ut_counted_number(more, "Accepted flit rate average = ");
    const double hops = time * rate * ut_scenario_terminals(s) * ut_counted_number(more, "Hops average = ");
    *out = (more->instructions - fewer->instructions) / hops;
    if (!(hops > 0))
      result =
          ut_fail(e, UT_BAD_INPUT, "%s does not say how many hops it has simulated; is it BookSim 2?  It says: %.800s",
                  b->program, more->output);
  }
  ut_counted_free(run);
  return result;
}

/* The same with the configuration as a text. */
static int run_text(const struct ut_booksim *b, const struct ut_callgrind *c, const char *text,
                    const struct ut_scenario *s, double *out, struct ut_error *e) {
  char file[] = "/tmp/uturn-booksim-XXXXXX";
  const int fd = mkstemp(file);
  if (fd < 0)
    return ut_fail(e, UT_INTERNAL, "cannot create a file like %s: %s", file, strerror(errno));
  close(fd);
  const int result = ut_file_write(file, text, strlen(text), e) || count(b, c, file, s, out, e) ? -1 : 0;
  remove(file);
  return result;
}

int ut_booksim_per_hop(struct ut_booksim *b, const struct ut_callgrind *c, const struct ut_scenario *s, double *out,
                       struct ut_error *e) {
  struct ut_text text;
  FILE *f = ut_text_open(&text, e);
  if (!f)
    return -1;
  put_configuration(s, f);
  int result = fclose(f) ? ut_fail_memory(e) : 0;
  const json_t *known = result ? NULL : json_object_get(b->known, text.data);
  if (known)
    *out = json_number_value(known);
  else if (!result && !(result = run_text(b, c, text.data, s, out, e)))
    json_object_set_new(b->known, text.data, json_real(*out));
  free(text.data);
  return result;
}
