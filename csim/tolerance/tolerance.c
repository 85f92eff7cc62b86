/* SPDX-License-Identifier: Apache-2.0 */
/* tolerance.c - see tolerance.h */
#include "tolerance.h"

#include <string.h>

#include <gsl/gsl_cdf.h>
#include <igraph/igraph.h>

#include "family.h"
#include "fault_orbits.h"
#include "form_test.h"
#include "reach.h"
#include "scenario.h"
#include "tree_symmetry.h"
#include "up_down.h"

enum { CHUNK = 32 };

const char *const ut_method_name[UT_METHODS] = {"local", "local_shared_vectors", "reconfiguration", "physical"};

struct ut_tolerance_test {
  const struct ut_topology *topology;
  struct ut_explorer explorer;
  struct ut_reach reach;
  struct ut_up_down up_down;
  struct ut_form_test *form;   /* of a network of any form, in place of reach and up_down; NULL: it is a tree */
  struct ut_scenario scenario; /* whose tables are not written anew, where the form is any: a shallow copy */
  int64_t *edge;               /* pairs of switches, for igraph */
  bool *home;                  /* [switches]: of terminals */
};

void ut_tolerance_test_free(struct ut_tolerance_test *test) {
  if (!test)
    return;
  ut_reach_free(&test->reach);
  ut_explorer_free(&test->explorer);
  ut_up_down_fini(&test->up_down);
  ut_form_test_free(test->form);
  free(test->edge);
  free(test->home);
  free(test);
}

/* What answers for the switches and for new tables. */
static int init_methods(struct ut_tolerance_test *test, const struct ut_scenario *scenario, struct ut_error *e) {
  if (!test->topology->family->any_form)
    return !ut_up_down_init(&test->up_down, test->topology) ? ut_fail_memory(e)
           : ut_explorer_init(&test->explorer, scenario, test->topology, e) ||
                   ut_reach_init(&test->reach, &test->explorer, e)
               ? -1
               : 0;
  test->scenario = *scenario;
  test->scenario.routing.tables = UT_TABLES_STATIC;
  return ut_explorer_init(&test->explorer, &test->scenario, test->topology, e) ||
                 !(test->form = ut_form_test_new(&test->scenario, &test->explorer, e))
             ? -1
             : 0;
}

static void find_homes(struct ut_tolerance_test *test) {
  const struct ut_topology *topo = test->topology;
  for (uint32_t i = 0; i < topo->terminals * topo->injections; i++)
    test->home[topo->peer[ut_topology_injection(topo, 0, 0) + i].index] = true;
}

struct ut_tolerance_test *ut_tolerance_test_new(const struct ut_scenario *scenario, const struct ut_topology *topo,
                                                struct ut_error *e) {
  struct ut_tolerance_test *test = calloc(1, sizeof *test);
  if (!test) {
    ut_fail(e, UT_BAD_INPUT, "out of memory for the analysis");
    return NULL;
  }
  igraph_set_error_handler(igraph_error_handler_ignore); /* errors come back as codes */
  test->topology = topo;
  test->edge = calloc(4 * topo->links + 1, sizeof *test->edge);
  test->home = calloc(topo->switches, sizeof *test->home);
  if (!test->edge || !test->home) {
    ut_fail(e, UT_BAD_INPUT, "out of memory for the analysis");
  } else {
    find_homes(test);
    if (!init_methods(test, scenario, e))
      return test;
  }
  ut_tolerance_test_free(test);
  return NULL;
}

/* Whether all switches with terminals are in one component, [switches]. */
static bool homes_together(const struct ut_tolerance_test *test, const igraph_vector_int_t *component) {
  igraph_integer_t first = -1;
  for (uint32_t sw = 0; sw < test->topology->switches; sw++) {
    if (!test->home[sw])
      continue;
    first = first < 0 ? VECTOR(*component)[sw] : first;
    if (VECTOR(*component)[sw] != first)
      return false;
  }
  return true;
}

/* Lists the channels between switches that work. */
static size_t list_channels(const struct ut_tolerance_test *test) {
  const struct ut_topology *topo = test->topology;
  size_t numbers = 0;
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    UT_FOR_EACH (port, test->explorer.up[sw]) {
      const struct ut_peer *peer = &topo->peer[(size_t)sw * topo->po + port];
      if (peer->kind != UT_PEER_SWITCH)
        continue;
      test->edge[numbers++] = sw;
      test->edge[numbers++] = peer->index;
    }
  return numbers;
}

/* Returns whether all switches with terminals reach each other, by igraph. */
static int physically_connected(struct ut_tolerance_test *test, bool *connected) {
  igraph_t graph;
  igraph_vector_int_t edges = {0}, component;
  igraph_vector_int_view(&edges, test->edge, (igraph_integer_t)list_channels(test));
  if (igraph_vector_int_init(&component, 0))
    return -1;
  int status = -1;
  if (!igraph_create(&graph, &edges, test->topology->switches, IGRAPH_DIRECTED)) {
    if (!igraph_connected_components(&graph, &component, NULL, NULL, IGRAPH_STRONG)) {
      *connected = homes_together(test, &component);
      status = 0;
    }
    igraph_destroy(&graph);
  }
  igraph_vector_int_destroy(&component);
  return status;
}

/* The same in a tree: by the algorithm, and by new tables. */
static int test_tree(struct ut_tolerance_test *test, bool fails[UT_METHODS], struct ut_error *e) {
  if (ut_reach_run(&test->reach))
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the analysis");
  fails[UT_LOCAL] = fails[UT_LOCAL_SHARED] = !ut_reach_connected(&test->reach);
  if (!fails[UT_LOCAL]) { /* sets that fail without shared bits fail with them: they may be missing */
    if (ut_reach_run_shared(&test->reach))
      return ut_fail(e, UT_BAD_INPUT, "out of memory for the analysis");
    fails[UT_LOCAL_SHARED] = !ut_reach_connected(&test->reach);
  }
  ut_up_down_survey(&test->up_down, test->explorer.up);
  fails[UT_RECONFIGURATION] = !ut_up_down_connected(&test->up_down);
  return 0;
}

static int test_form(struct ut_tolerance_test *test, const struct ut_fault_set *set, bool fails[UT_METHODS],
                     struct ut_error *e) {
  const int status = ut_form_test_set(test->form, set, &fails[UT_LOCAL], &fails[UT_RECONFIGURATION], e);
  fails[UT_LOCAL_SHARED] = fails[UT_LOCAL]; /* there are no re-route vectors */
  return status;
}

int ut_tolerance_test_set(struct ut_tolerance_test *test, const struct ut_fault_set *set, bool fails[UT_METHODS],
                          struct ut_error *e) {
  bool connected = true;
  ut_explorer_trim(&test->explorer);
  ut_explorer_set_faults(&test->explorer, set);
  if (test->form ? test_form(test, set, fails, e) : test_tree(test, fails, e))
    return -1;
  if (fails[UT_LOCAL] && fails[UT_RECONFIGURATION] && physically_connected(test, &connected))
    return ut_fail(e, UT_BAD_INPUT, "out of memory for the analysis");
  fails[UT_PHYSICAL] = !connected;
  return 0;
}

/* ---- all fault sets */

enum { FEW_SETS = 1000, MOST_ORBITS = 1 << 22 };

struct job {
  const struct ut_scenario *scenario;
  const struct ut_topology *topology;
  const struct ut_fault_space *space;
  const struct ut_parallel *parallel;
  struct ut_fault_orbits *orbits;    /* [blocks]: of those whose sets are counted so, else without any */
  uint64_t first[UT_MAX_BLOCKS + 1]; /* items before the block: an item is a set, or an orbit's representative */
};

/* The counts of a process; those of orbits in their weights. */
struct part {
  ut_orbit_weight sets[UT_MAX_BLOCKS], not_tolerated[UT_MAX_BLOCKS][UT_METHODS];
};

/* Item number i: its set, its block and what it counts. */
static unsigned item_of(const struct job *job, uint64_t i, struct ut_fault_set *set, ut_orbit_weight *weight) {
  unsigned block = 0;
  while (i >= job->first[block + 1])
    block++;
  const struct ut_fault_orbits *orbits = &job->orbits[block];
  i -= job->first[block];
  *weight = 1;
  if (!orbits->count) {
    ut_fault_space_get(job->space, job->space->block[block].first + i, set);
    return block;
  }
  set->switches = 0;
  set->links = orbits->faults;
  memcpy(set->link, orbits->link + i * orbits->faults, orbits->faults * sizeof *set->link);
  *weight = orbits->weight[i];
  return block;
}

static int work(void *ctx, struct ut_item_source *source, void *result, struct ut_error *e) {
  const struct job *job = ctx;
  struct part *sum = result;
  struct ut_tolerance_test *test = ut_tolerance_test_new(job->scenario, job->topology, e);
  uint64_t from, to;
  int status = test ? 0 : -1;
  while (!status && ut_item_source_take(source, &from, &to))
    for (uint64_t i = from; i < to && !status && !ut_item_source_stopped(source); i++) {
      struct ut_fault_set set;
      ut_orbit_weight weight;
      bool fails[UT_METHODS];
      unsigned block = item_of(job, i, &set, &weight);
      status = ut_tolerance_test_set(test, &set, fails, e);
      if (status)
        break;
      sum->sets[block] += weight;
      for (unsigned m = 0; m < UT_METHODS; m++)
        sum->not_tolerated[block][m] += fails[m] ? weight : 0;
    }
  ut_tolerance_test_free(test);
  return status;
}

/* Progress in sets, as the caller counts them. */
static void show(void *ctx, uint64_t done, uint64_t items) {
  const struct job *job = ctx;
  uint64_t sets = 0;
  (void)items;
  for (unsigned b = 0; b < job->space->blocks && done > job->first[b]; b++) {
    uint64_t of_block = job->first[b + 1] - job->first[b], there = done - job->first[b];
    double share = there < of_block ? (double)there / (double)of_block : 1;
    sets += (uint64_t)(share * (double)job->space->block[b].count);
  }
  if (job->parallel->progress)
    job->parallel->progress(job->parallel->ctx, sets, job->space->count);
}

/* ---- orbits */

static void representative(const void *ctx, const uint32_t *in, unsigned count, uint32_t *out) {
  ut_tree_symmetry_representative(ctx, in, count, out);
}

static int copy_orbits(const struct ut_fault_orbits *from, struct ut_fault_orbits *to, struct ut_error *e) {
  size_t links = (size_t)from->count * from->faults * sizeof *from->link, weights = from->count * sizeof *from->weight;
  *to = (struct ut_fault_orbits){.faults = from->faults, .link = malloc(links), .weight = malloc(weights)};
  if (!to->link || !to->weight)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for fault sets");
  memcpy(to->link, from->link, links);
  memcpy(to->weight, from->weight, weights);
  to->count = from->count;
  return 0;
}

/* Grows the orbits of the block from those of fewer faults.  Returns 1 if there are too many, or if it is not worth
 * it. */
static int orbits_of_block(const struct job *job, unsigned block, const struct ut_tree_symmetry *symmetry,
                           struct ut_fault_orbits *grown, struct ut_error *e) {
  const struct ut_fault_block *fault_block = &job->space->block[block];
  uint64_t links = job->topology->links, most = fault_block->all / 2 < MOST_ORBITS ? fault_block->all / 2 : MOST_ORBITS;
  int status = 0;
  if (!fault_block->exhaustive || fault_block->switches || fault_block->all < FEW_SETS ||
      !ut_fault_orbits_fit(links, fault_block->links))
    return 1;
  while (!status && grown->faults < fault_block->links)
    status =
        ut_fault_orbits_grow(grown, (uint32_t)links, (uint32_t)most, representative, symmetry, job->parallel->stop, e);
  return status ? status : copy_orbits(grown, &job->orbits[block], e);
}

static int find_orbits(struct job *job, struct ut_error *e) {
  const struct ut_fault_space *space = job->space;
  struct ut_tree_symmetry symmetry;
  struct ut_fault_orbits grown;
  struct ut_explorer explorer;
  bool many = false;
  if (job->topology->family->any_form) /* symmetries are those of trees */
    return 0;
  for (unsigned b = 0; b < space->blocks; b++)
    many |= space->block[b].exhaustive && space->block[b].all >= FEW_SETS;
  if (!many)
    return 0;
  if (ut_explorer_init(&explorer, job->scenario, job->topology, e))
    return -1;
  ut_tree_symmetry_find(&symmetry, &explorer);
  ut_explorer_free(&explorer);
  if (!symmetry.positions && !symmetry.choices)
    return 0;
  int status = ut_fault_orbits_init(&grown, e);
  for (unsigned b = 0; b < space->blocks && status >= 0; b++)
    status = orbits_of_block(job, b, &symmetry, &grown, e);
  ut_fault_orbits_free(&grown);
  return status < 0 ? -1 : 0;
}

static void add_up(const struct job *job, const struct part *part, unsigned parts, struct ut_tolerance *result) {
  for (unsigned b = 0; b < job->space->blocks; b++) {
    ut_orbit_weight unit = ut_fault_orbits_unit(job->orbits[b].faults), sets = 0; /* 1 without orbits */
    ut_orbit_weight not_tolerated[UT_METHODS] = {0};
    for (unsigned i = 0; i < parts; i++) {
      sets += part[i].sets[b];
      for (unsigned m = 0; m < UT_METHODS; m++)
        not_tolerated[m] += part[i].not_tolerated[b][m];
    }
    result->sets[b] = (uint64_t)(sets / unit);
    for (unsigned m = 0; m < UT_METHODS; m++)
      result->not_tolerated[b][m] = (uint64_t)(not_tolerated[m] / unit);
  }
}

static int run_job(struct job *job, struct ut_tolerance *result, struct ut_error *e) {
  for (unsigned b = 0; b < job->space->blocks; b++)
    job->first[b + 1] = job->first[b] + (job->orbits[b].count ? job->orbits[b].count : job->space->block[b].count);
  struct ut_parallel parallel = {.workers = job->parallel->workers,
                                 .items = job->first[job->space->blocks],
                                 .chunk = CHUNK,
                                 .result_size = sizeof(struct part),
                                 .stop = job->parallel->stop,
                                 .progress = show,
                                 .ctx = job};
  unsigned workers = ut_parallel_workers(&parallel);
  struct part *part = calloc(workers, sizeof *part);
  if (!part)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for %u processes", workers);
  int status = ut_parallel_run(&parallel, work, part, e);
  if (!status)
    add_up(job, part, workers, result);
  free(part);
  return status;
}

int ut_tolerance_run(const struct ut_scenario *scenario, const struct ut_topology *topo,
                     const struct ut_fault_space *space, const struct ut_parallel *parallel,
                     struct ut_tolerance *result, struct ut_error *e) {
  struct job job = {scenario, topo, space, parallel, calloc(space->blocks, sizeof(struct ut_fault_orbits)), {0}};
  memset(result, 0, sizeof *result);
  if (!job.orbits)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for fault sets");
  int status = find_orbits(&job, e);
  if (!status)
    status = run_job(&job, result, e);
  for (unsigned b = 0; b < space->blocks; b++)
    ut_fault_orbits_free(&job.orbits[b]);
  free(job.orbits);
  return status;
}

/* Returns where the cumulative beta distribution has that value.  (GSL's own inverse does not converge for parameters
 * like 1 and 20000.) */
static double solve(double a, double b, double target) {
  double low = 0, high = 1;
  for (unsigned i = 0; i < 60; i++) {
    double middle = (low + high) / 2;
    if (gsl_cdf_beta_P(middle, a, b) < target)
      low = middle;
    else
      high = middle;
  }
  return (low + high) / 2;
}

void ut_confidence(uint64_t hits, uint64_t trials, double level, double *low, double *high) {
  double tail = (1 - level) / 2, x = (double)hits, n = (double)trials;
  *low = hits == 0 ? 0 : solve(x, n - x + 1, tail);
  *high = hits >= trials ? 1 : solve(x + 1, n - x, 1 - tail);
}
