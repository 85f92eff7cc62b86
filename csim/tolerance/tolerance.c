/* tolerance.c - see tolerance.h */
#include "tolerance.h"

#include <string.h>

#include <gsl/gsl_cdf.h>
#include <igraph/igraph.h>

#include "reach.h"
#include "up_down.h"

enum { CHUNK = 32 };

const char *const ut_method_name[UT_METHODS] = {"local", "local_shared_vectors", "reconfiguration", "physical"};

struct ut_tolerance_test {
  const struct ut_topology *topology;
  struct ut_explorer explorer;
  struct ut_reach reach;
  struct ut_up_down up_down;
  int64_t *edge; /* pairs of switches, for igraph */
};

void ut_tolerance_test_free(struct ut_tolerance_test *x) {
  if (!x)
    return;
  ut_reach_free(&x->reach);
  ut_explorer_free(&x->explorer);
  ut_up_down_free(&x->up_down);
  free(x->edge);
  free(x);
}

struct ut_tolerance_test *ut_tolerance_test_new(const struct ut_scenario *s, const struct ut_topology *t,
                                                struct ut_error *e) {
  struct ut_tolerance_test *x = calloc(1, sizeof *x);
  if (!x) {
    ut_fail(e, UT_INTERNAL, "out of memory for the analysis");
    return NULL;
  }
  igraph_set_error_handler(igraph_error_handler_ignore); /* errors come back as codes */
  x->topology = t;
  x->edge = calloc(2 * t->links + 1, sizeof *x->edge);
  if (!x->edge)
    ut_fail(e, UT_INTERNAL, "out of memory for the analysis");
  else if (ut_explorer_init(&x->explorer, s, t, e) == 0 && ut_reach_init(&x->reach, &x->explorer, e) == 0 &&
           ut_up_down_init(&x->up_down, &x->explorer, e) == 0)
    return x;
  ut_tolerance_test_free(x);
  return NULL;
}

/* All leaf switches are in one component, by igraph. */
static int physically_connected(struct ut_tolerance_test *x, bool *connected) {
  const struct ut_topology *t = x->topology;
  size_t numbers = 0;
  for (size_t i = 0; i < t->links; i++)
    if (x->explorer.up[t->link[i].lower] & ut_bit(t->link[i].lower_port)) {
      x->edge[numbers++] = t->link[i].lower;
      x->edge[numbers++] = t->link[i].upper;
    }
  igraph_t graph;
  igraph_vector_int_t edges = {0}, component;
  igraph_vector_int_view(&edges, x->edge, (igraph_integer_t)numbers);
  if (igraph_vector_int_init(&component, 0))
    return -1;
  int status = -1;
  if (!igraph_create(&graph, &edges, t->switches, IGRAPH_UNDIRECTED)) {
    if (!igraph_connected_components(&graph, &component, NULL, NULL, IGRAPH_WEAK)) {
      *connected = true;
      for (uint32_t sw = 1; sw < x->up_down.leaves; sw++)
        *connected &= VECTOR(component)[sw] == VECTOR(component)[0];
      status = 0;
    }
    igraph_destroy(&graph);
  }
  igraph_vector_int_destroy(&component);
  return status;
}

int ut_tolerance_test_set(struct ut_tolerance_test *x, const struct ut_fault_set *set, bool fails[UT_METHODS],
                          struct ut_error *e) {
  bool connected = true;
  ut_explorer_trim(&x->explorer);
  ut_explorer_set_faults(&x->explorer, set);
  if (ut_reach_run(&x->reach))
    return ut_fail(e, UT_INTERNAL, "out of memory for the analysis");
  fails[UT_LOCAL] = fails[UT_LOCAL_SHARED] = !ut_reach_connected(&x->reach);
  if (!fails[UT_LOCAL]) { /* what fails without shared bits fails with them: they may be missing */
    if (ut_reach_run_shared(&x->reach))
      return ut_fail(e, UT_INTERNAL, "out of memory for the analysis");
    fails[UT_LOCAL_SHARED] = !ut_reach_connected(&x->reach);
  }
  fails[UT_RECONFIGURATION] = !ut_up_down_connected(&x->up_down);
  if (fails[UT_LOCAL] && fails[UT_RECONFIGURATION] && physically_connected(x, &connected))
    return ut_fail(e, UT_INTERNAL, "out of memory for the analysis");
  fails[UT_PHYSICAL] = !connected;
  return 0;
}

/* ---- all fault sets */

struct job {
  const struct ut_scenario *scenario;
  const struct ut_topology *topology;
  const struct ut_fault_space *space;
  const struct ut_parallel *parallel;
};

static int work(void *ctx, struct ut_item_source *source, void *result, struct ut_error *e) {
  const struct job *job = ctx;
  struct ut_tolerance *sum = result;
  struct ut_tolerance_test *x = ut_tolerance_test_new(job->scenario, job->topology, e);
  uint64_t from, to;
  int status = x ? 0 : -1;
  while (!status && ut_item_source_take(source, &from, &to))
    for (uint64_t i = from; i < to && !status; i++) {
      struct ut_fault_set set;
      bool fails[UT_METHODS];
      size_t block = (size_t)(ut_fault_space_get(job->space, i, &set) - job->space->block);
      status = ut_tolerance_test_set(x, &set, fails, e);
      if (status)
        break;
      sum->sets[block]++;
      for (unsigned m = 0; m < UT_METHODS; m++)
        sum->not_tolerated[block][m] += fails[m];
    }
  ut_tolerance_test_free(x);
  return status;
}

static void show(void *ctx, uint64_t done, uint64_t items) {
  const struct job *job = ctx;
  if (job->parallel->progress)
    job->parallel->progress(job->parallel->ctx, done, items);
}

int ut_tolerance_run(const struct ut_scenario *s, const struct ut_topology *t, const struct ut_fault_space *space,
                     const struct ut_parallel *parallel, struct ut_tolerance *result, struct ut_error *e) {
  struct job job = {s, t, space, parallel};
  struct ut_parallel p = {.workers = parallel->workers,
                          .items = space->count,
                          .chunk = CHUNK,
                          .result_size = sizeof *result,
                          .stop = parallel->stop,
                          .progress = show,
                          .ctx = &job};
  unsigned workers = ut_parallel_workers(&p);
  memset(result, 0, sizeof *result);
  struct ut_tolerance *part = calloc(workers, sizeof *part);
  if (!part)
    return ut_fail(e, UT_INTERNAL, "out of memory for %u processes", workers);
  int status = ut_parallel_run(&p, work, part, e);
  for (unsigned i = 0; i < workers && !status; i++)
    for (unsigned b = 0; b < space->blocks; b++) {
      result->sets[b] += part[i].sets[b];
      for (unsigned m = 0; m < UT_METHODS; m++)
        result->not_tolerated[b][m] += part[i].not_tolerated[b][m];
    }
  free(part);
  return status;
}

/* Where the cumulative beta distribution has that value.  (GSL's own inverse of the beta
 * distribution does not converge for parameters like 1 and 20000.) */
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
