/* SPDX-License-Identifier: Apache-2.0 */
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

/* A bit for each fault set of a batch.  The alignment must be said: without wide registers the compiler thinks that 16
 * bytes will do, and the code for those with them relies on all. */
typedef uint64_t lanes __attribute__((vector_size(UT_PATH_BATCH / 8), aligned(UT_PATH_BATCH / 8)));

/* The same code for processors with and without wide registers. */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FOR_ALL_PROCESSORS __attribute__((target_clones("default", "arch=x86-64-v3")))
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

/* The next set of `count` among `all` things in lexicographic order; after the last one the first. */
static bool next_set(uint32_t all, unsigned count, uint32_t *chosen) {
  unsigned i = count;
  while (i && chosen[i - 1] == all - count + i - 1)
    i--;
  const bool more = i;
  for (uint32_t next = i ? ++chosen[i - 1] : (uint32_t)-1; i < count; i++)
    chosen[i] = ++next;
  return more;
}

/* `count` random ones of units first + 1..first + all fail in that lane (Floyd). */
static void fail_random(struct counter *x, struct ut_random *random, uint32_t first, uint32_t all, unsigned count,
                        unsigned lane) {
  for (unsigned i = 0; i < count; i++) {
    uint32_t last = all - count + i, number = ut_random_below(random, last + 1);
    bool taken = !(x->up[first + number + 1][lane / WORD] >> lane % WORD & 1);
    fail_unit(x, first + (taken ? last : number) + 1, lane);
  }
}

void ut_path_sample(struct ut_random *random, uint64_t seed, const struct ut_path_point *p, uint64_t index) {
  ut_random_init(random, seed ^ (uint64_t)p->switches << 54 ^ (uint64_t)p->faults << 40 ^ (index >> 32) << 24,
                 UT_RANDOM_SAMPLING, (uint32_t)index);
}

/* Sample number `index` fails in that lane. */
static void fail_sample(struct counter *x, const struct ut_path_point *p, uint64_t index, unsigned lane) {
  struct ut_random random;
  const struct ut_path_network *n = x->job->network;
  ut_path_sample(&random, x->job->request->seed, p, index);
  fail_random(x, &random, 0, n->links, p->faults, lane);
  fail_random(x, &random, n->links, n->units - n->links, p->switches, lane);
}

static void make_batch(struct counter *x, const struct ut_path_point *p, uint64_t from, unsigned count) {
  const struct ut_path_network *n = x->job->network;
  const uint32_t switches = n->units - n->links;
  uint32_t *links_chosen = x->chosen, *switches_chosen = x->chosen + p->faults;
  memset(x->up, 0xff, (n->units + 1) * sizeof *x->up);
  memset(&x->all, 0, sizeof x->all);
  for (unsigned lane = 0; lane < count; lane++)
    x->all[lane / WORD] |= UINT64_C(1) << lane % WORD;
  if (p->exhaustive) {
    const uint64_t beside = ut_binomial(switches, p->switches);
    ut_combination_get(from / beside, n->links, p->faults, links_chosen);
    ut_combination_get(from % beside, switches, p->switches, switches_chosen);
  }
  for (unsigned lane = 0; lane < count; lane++) {
    if (!p->exhaustive) {
      fail_sample(x, p, from + lane, lane);
      continue;
    }
    for (unsigned i = 0; i < p->faults; i++)
      fail_unit(x, links_chosen[i] + 1, lane);
    for (unsigned i = 0; i < p->switches; i++)
      fail_unit(x, n->links + switches_chosen[i] + 1, lane);
    if (!next_set(switches, p->switches, switches_chosen))
      next_set(n->links, p->faults, links_chosen);
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
    x->chosen = calloc(job->request->faults[1] + job->request->switches[1] + 1, sizeof *x->chosen);
  }
  if (!x || !x->up || !x->value || !x->pairs || !x->chosen) {
    counter_free(x);
    ut_fail(e, UT_BAD_INPUT, "out of memory for fault sets");
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
    for (; batch < end && !ut_item_source_stopped(source); batch++) {
      unsigned at = 0;
      while (batch >= job->first[at + 1])
        at++;
      uint64_t from = (batch - job->first[at]) * UT_PATH_BATCH, left = job->point[at].wanted - from;
      part[at].faults = job->point[at].faults;
      part[at].switches = job->point[at].switches;
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
  const uint32_t links = job->network->links, switches = job->network->units - links;
  const unsigned numbers = r->faults[1] - r->faults[0] + 1;
  if (r->faults[1] > links)
    return ut_fail(e, UT_BAD_INPUT, "%u faults wanted; only %u links can fail", r->faults[1], (unsigned)links);
  if (r->switches[1] > switches)
    return ut_fail(e, UT_BAD_INPUT, "%u switch faults wanted; only %u switches can fail", r->switches[1],
                   (unsigned)switches);
  for (unsigned i = 0; i < job->points; i++) {
    struct ut_path_point *p = &job->point[i];
    *p = (struct ut_path_point){.faults = r->faults[0] + i % numbers, .switches = r->switches[0] + i / numbers};
    uint64_t all = ut_binomial(links, p->faults), beside = ut_binomial(switches, p->switches);
    all = all > UINT64_MAX / beside ? UINT64_MAX : all * beside;
    p->exhaustive = all <= r->limit;
    p->wanted = p->exhaustive ? all : r->samples;
    if (p->wanted > most)
      return ut_fail(e, UT_BAD_INPUT,
                     "there are too many sets of %u faults in %u links and %u in %u switches to try all; use --samples",
                     p->faults, (unsigned)links, p->switches, (unsigned)switches);
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
    return ut_fail(e, UT_BAD_INPUT, "out of memory for %u processes", workers);
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

unsigned ut_path_points(const struct ut_path_request *request) {
  return (request->faults[1] - request->faults[0] + 1) * (request->switches[1] - request->switches[0] + 1);
}

int ut_path_tolerance_run(const struct ut_path_network *n, const struct ut_path_request *request,
                          const struct ut_parallel *parallel, struct ut_path_point *points, struct ut_error *e) {
  struct job job = {
      .network = n, .request = request, .parallel = parallel, .point = points, .points = ut_path_points(request)};
  job.first = calloc(job.points + 1, sizeof *job.first);
  if (!job.first)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for %u numbers of faults", job.points);
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
