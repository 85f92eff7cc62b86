/* path_tolerance.c - see path_tolerance.h */
#include "path_tolerance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "combinations.h"
#include "random.h"
#include "tolerance.h"

enum { WORD = 64, WORDS = UT_PATH_BATCH / WORD };

/* A bit for each fault set of a batch. */
typedef uint64_t lanes __attribute__((vector_size(UT_PATH_BATCH / 8)));

/* The same code for processors with and without wide registers. */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__)
#define FOR_ALL_PROCESSORS __attribute__((target_clones("default", "arch=haswell")))
#else
#define FOR_ALL_PROCESSORS
#endif

struct job {
  const struct ut_path_network *network;
  const struct ut_path_request *request;
  const struct ut_parallel *parallel;
  struct ut_path_point *point; /* as wanted */
  uint64_t *first;             /* [points + 1]: batches before the point */
  unsigned points;
};

/* A process's own. */
struct counter {
  const struct job *job;
  lanes *up;        /* [units + 1] */
  lanes *value;     /* [nodes]: that the rest of the way works */
  uint32_t *pairs;  /* [groups * sources] */
  uint32_t *chosen; /* [most faults] */
  lanes all;        /* the batch's sets */
  lanes failed;     /* those that leave some pair without a way */
  uint64_t lost;    /* pairs */
};

static bool some(const lanes *l) {
  return ((*l)[0] | (*l)[1] | (*l)[2] | (*l)[3]) != 0;
}

/* ---- fault sets */

static void fail_unit(struct counter *x, uint32_t unit, unsigned lane) {
  x->up[unit][lane / WORD] &= ~(UINT64_C(1) << lane % WORD);
}

/* The next one in lexicographic order. */
static void next_set(uint32_t units, unsigned faults, uint32_t *chosen) {
  unsigned i = faults;
  while (i && chosen[i - 1] == units - faults + i - 1)
    i--;
  if (!i)
    return; /* that was the last one */
  for (uint32_t next = ++chosen[i - 1]; i < faults; i++)
    chosen[i] = ++next;
}

/* Sample number `index` fails in that lane (Floyd). */
static void fail_sample(struct counter *x, unsigned faults, uint64_t index, unsigned lane) {
  struct ut_random random;
  const uint32_t units = x->job->network->units;
  ut_random_init(&random, x->job->request->seed ^ (uint64_t)faults << 40 ^ (index >> 32) << 24, UT_RANDOM_SAMPLING,
                 (uint32_t)index);
  for (unsigned i = 0; i < faults; i++) {
    uint32_t last = units - faults + i, number = ut_random_below(&random, last + 1);
    bool taken = !(x->up[number + 1][lane / WORD] >> lane % WORD & 1);
    fail_unit(x, (taken ? last : number) + 1, lane);
  }
}

static void make_batch(struct counter *x, const struct ut_path_point *p, uint64_t from, unsigned count) {
  const uint32_t units = x->job->network->units;
  memset(x->up, 0xff, (units + 1) * sizeof *x->up);
  memset(&x->all, 0, sizeof x->all);
  for (unsigned lane = 0; lane < count; lane++)
    x->all[lane / WORD] |= UINT64_C(1) << lane % WORD;
  if (p->exhaustive)
    ut_combination_get(from, units, p->faults, x->chosen);
  for (unsigned lane = 0; lane < count; lane++) {
    if (!p->exhaustive) {
      fail_sample(x, p->faults, from + lane, lane);
      continue;
    }
    for (unsigned i = 0; i < p->faults; i++)
      fail_unit(x, x->chosen[i] + 1, lane);
    next_set(units, p->faults, x->chosen);
  }
}

/* ---- ways */

/* Which sets leave a way to one group's destinations, node by node; then the sources that it takes from which. */
FOR_ALL_PROCESSORS static void count_group(struct counter *x, const struct ut_ways *w, const uint32_t *pairs) {
  const struct ut_path_network *n = x->job->network;
  const unsigned injections = n->source->injections;
  lanes *value = x->value, failed = x->failed, all = x->all;
  const lanes *up = x->up;
  uint64_t lost_pairs = 0;
  for (uint32_t i = UT_WAYS; i < w->nodes; i++) {
    lanes v = {0};
    for (uint32_t j = w->first[i]; j < w->first[i + 1]; j++)
      v |= up[w->way[j].unit] & value[w->way[j].node];
    value[i] = v;
  }
  for (uint32_t s = 0; s < n->sources; s++) {
    const struct ut_way *start = &n->start[(size_t)s * injections];
    lanes v = up[start->unit] & value[w->entry[start->node]];
    for (unsigned i = 1; i < injections; i++)
      v |= up[start[i].unit] & value[w->entry[start[i].node]];
    lanes lost = all & ~v;
    if (!some(&lost) || !pairs[s])
      continue;
    failed |= lost;
    unsigned sets = 0;
    for (unsigned i = 0; i < WORDS; i++)
      sets += (unsigned)__builtin_popcountll(lost[i]);
    lost_pairs += (uint64_t)pairs[s] * sets;
  }
  x->failed = failed;
  x->lost += lost_pairs;
}

static void count_batch(struct counter *x, struct ut_path_point *p, uint64_t from, unsigned count) {
  const struct ut_path_network *n = x->job->network;
  make_batch(x, p, from, count);
  memset(&x->failed, 0, sizeof x->failed);
  x->lost = 0;
  for (uint32_t g = 0; g < n->groups; g++)
    count_group(x, &n->ways[g], x->pairs + (size_t)g * n->sources);
  p->sets += count;
  for (unsigned i = 0; i < WORDS; i++)
    p->not_tolerated += (unsigned)__builtin_popcountll(x->failed[i]);
  p->lost += x->lost;
  if (count < UT_PATH_BATCH)
    return;
  p->batches++;
  p->lost_in_batches += x->lost;
  p->squares += (ut_square_sum)x->lost * x->lost;
}

/* ---- all sets */

static void counter_free(struct counter *x) {
  if (x) {
    free(x->up);
    free(x->value);
    free(x->pairs);
    free(x->chosen);
  }
  free(x);
}

static struct counter *counter_new(const struct job *job, struct ut_error *e) {
  const struct ut_path_network *n = job->network;
  struct counter *x = aligned_alloc(_Alignof(struct counter), sizeof *x);
  uint32_t nodes = UT_WAYS;
  for (uint32_t g = 0; g < n->groups; g++)
    nodes = n->ways[g].nodes > nodes ? n->ways[g].nodes : nodes;
  if (x) {
    memset(x, 0, sizeof *x);
    x->job = job;
    x->up = aligned_alloc(sizeof *x->up, (n->units + 1) * sizeof *x->up);
    x->value = aligned_alloc(sizeof *x->value, nodes * sizeof *x->value);
    x->pairs = malloc((size_t)n->groups * n->sources * sizeof *x->pairs);
    x->chosen = calloc(job->request->faults[1] + 1, sizeof *x->chosen);
  }
  if (!x || !x->up || !x->value || !x->pairs || !x->chosen) {
    counter_free(x);
    ut_fail(e, UT_INTERNAL, "out of memory for fault sets");
    return NULL;
  }
  memset(&x->value[UT_WAY_ARRIVED], 0xff, sizeof *x->value);
  memset(&x->value[UT_WAY_NONE], 0, sizeof *x->value);
  for (uint32_t g = 0; g < n->groups; g++)
    ut_path_network_pairs(n, g, x->pairs + (size_t)g * n->sources);
  return x;
}

static int work(void *ctx, struct ut_item_source *source, void *result, struct ut_error *e) {
  const struct job *job = ctx;
  struct ut_path_point *part = result;
  struct counter *x = counter_new(job, e);
  uint64_t batch, end;
  if (!x)
    return -1;
  while (ut_item_source_take(source, &batch, &end))
    for (; batch < end; batch++) {
      unsigned at = 0;
      while (batch >= job->first[at + 1])
        at++;
      uint64_t from = (batch - job->first[at]) * UT_PATH_BATCH, left = job->point[at].wanted - from;
      part[at].faults = job->point[at].faults;
      part[at].exhaustive = job->point[at].exhaustive;
      count_batch(x, &part[at], from, left < UT_PATH_BATCH ? (unsigned)left : UT_PATH_BATCH);
    }
  counter_free(x);
  return 0;
}

static void show(void *ctx, uint64_t done, uint64_t items) {
  const struct job *job = ctx;
  if (job->parallel->progress)
    job->parallel->progress(job->parallel->ctx, done * UT_PATH_BATCH, items * UT_PATH_BATCH);
}

static int set_points(const struct job *job, struct ut_error *e) {
  static const uint64_t most = UINT64_C(1) << 50;
  const struct ut_path_request *r = job->request;
  if (r->faults[1] > job->network->units)
    return ut_fail(e, UT_BAD_INPUT, "%u faults wanted; only %u links can fail", r->faults[1],
                   (unsigned)job->network->units);
  for (unsigned i = 0; i < job->points; i++) {
    struct ut_path_point *p = &job->point[i];
    uint64_t all = ut_binomial(job->network->units, r->faults[0] + i);
    *p = (struct ut_path_point){.faults = r->faults[0] + i, .exhaustive = all <= r->limit};
    p->wanted = p->exhaustive ? all : r->samples;
    if (p->wanted > most)
      return ut_fail(e, UT_BAD_INPUT, "there are too many sets of %u faults in %u links to try all; use --samples",
                     p->faults, (unsigned)job->network->units);
    job->first[i + 1] = job->first[i] + (p->wanted + UT_PATH_BATCH - 1) / UT_PATH_BATCH;
  }
  return 0;
}

static int run(struct job *job, struct ut_error *e) {
  struct ut_parallel p = {.workers = job->parallel->workers,
                          .items = job->first[job->points],
                          .chunk = 1,
                          .result_size = job->points * sizeof *job->point,
                          .stop = job->parallel->stop,
                          .progress = show,
                          .ctx = job};
  unsigned workers = ut_parallel_workers(&p);
  struct ut_path_point *part = calloc(workers, p.result_size);
  if (!part)
    return ut_fail(e, UT_INTERNAL, "out of memory for %u processes", workers);
  int status = ut_parallel_run(&p, work, part, e);
  for (unsigned i = 0; i < workers * job->points && !status; i++) {
    struct ut_path_point *sum = &job->point[i % job->points];
    sum->sets += part[i].sets;
    sum->not_tolerated += part[i].not_tolerated;
    sum->lost += part[i].lost;
    sum->batches += part[i].batches;
    sum->lost_in_batches += part[i].lost_in_batches;
    sum->squares += part[i].squares;
  }
  free(part);
  return status;
}

int ut_path_tolerance_run(const struct ut_path_network *n, const struct ut_path_request *request,
                          const struct ut_parallel *parallel, struct ut_path_point *points, struct ut_error *e) {
  struct job job = {.network = n,
                    .request = request,
                    .parallel = parallel,
                    .point = points,
                    .points = request->faults[1] - request->faults[0] + 1};
  job.first = calloc(job.points + 1, sizeof *job.first);
  if (!job.first)
    return ut_fail(e, UT_INTERNAL, "out of memory for %u numbers of faults", job.points);
  int status = set_points(&job, e) || run(&job, e) ? -1 : 0;
  free(job.first);
  return status;
}

/* ---- percentages */

double ut_path_connected(const struct ut_path_network *n, const struct ut_path_point *p) {
  return 100 * (1 - (double)p->lost / ((double)p->sets * (double)n->pairs));
}

void ut_path_connected_interval(const struct ut_path_network *n, const struct ut_path_point *p, double level,
                                double *low, double *high) {
  double mean = ut_path_connected(n, p), batches = (double)p->batches, sum = (double)p->lost_in_batches;
  *low = 0, *high = 100;
  if (p->lost == 0) { /* no spread was seen: no set that is not tolerated loses more than all pairs */
    double rare, often;
    ut_confidence(0, p->sets, level, &rare, &often);
    *low = 100 * (1 - often);
    return;
  }
  if (p->batches < 2)
    return;
  double variance = ((double)p->squares - sum * sum / batches) / (batches - 1);
  double error = sqrt(variance > 0 ? variance / batches : 0) / UT_PATH_BATCH / (double)n->pairs;
  double width = 100 * error * gsl_cdf_ugaussian_Pinv((1 + level) / 2);
  *low = mean > width ? mean - width : 0;
  *high = mean + width < 100 ? mean + width : 100;
}
