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

/* A bit for each fault set of a batch.  The alignment is explicit: without wide registers the compiler assumes 16
 * bytes, while the code for processors with wide registers relies on the full alignment. */
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

/* The data of one process. */
struct counter {
  const struct job *job;
  lanes *up;        /* [units + 1] */
  lanes *value;     /* [nodes]: that the rest of the way works */
  uint32_t *pairs;  /* [groups * sources] */
  uint32_t *chosen; /* [most faults] */
  lanes all;        /* the batch's sets */
  lanes failed;     /* fault sets that leave some pair without a path */
  uint64_t lost;    /* pairs */
};

static bool some(const lanes *l) {
  return ((*l)[0] | (*l)[1] | (*l)[2] | (*l)[3]) != 0;
}

/* ---- fault sets */

static void fail_unit(struct counter *counter, uint32_t unit, unsigned lane) {
  counter->up[unit][lane / WORD] &= ~(UINT64_C(1) << lane % WORD);
}

/* Advances to the next set of `count` among `all` things in lexicographic order; after the last one comes the first. */
static bool next_set(uint32_t all, unsigned count, uint32_t *chosen) {
  unsigned i = count;
  while (i && chosen[i - 1] == all - count + i - 1)
    i--;
  const bool more = i;
  for (uint32_t next = i ? ++chosen[i - 1] : (uint32_t)-1; i < count; i++)
    chosen[i] = ++next;
  return more;
}

/* Lets `count` random units of first + 1..first + all fail in that lane (Floyd). */
static void fail_random(struct counter *counter, struct ut_random *random, uint32_t first, uint32_t all, unsigned count,
                        unsigned lane) {
  for (unsigned i = 0; i < count; i++) {
    uint32_t last = all - count + i, number = ut_random_below(random, last + 1);
    bool taken = !(counter->up[first + number + 1][lane / WORD] >> lane % WORD & 1);
    fail_unit(counter, first + (taken ? last : number) + 1, lane);
  }
}

void ut_path_sample(struct ut_random *random, uint64_t seed, const struct ut_path_point *point, uint64_t index) {
  ut_random_init(random, seed ^ (uint64_t)point->switches << 54 ^ (uint64_t)point->faults << 40 ^ (index >> 32) << 24,
                 UT_RANDOM_SAMPLING, (uint32_t)index);
}

/* Lets the units of sample number `index` fail in that lane. */
static void fail_sample(struct counter *counter, const struct ut_path_point *point, uint64_t index, unsigned lane) {
  struct ut_random random;
  const struct ut_path_network *paths = counter->job->network;
  ut_path_sample(&random, counter->job->request->seed, point, index);
  fail_random(counter, &random, 0, paths->links, point->faults, lane);
  fail_random(counter, &random, paths->links, paths->units - paths->links, point->switches, lane);
}

static void make_batch(struct counter *counter, const struct ut_path_point *point, uint64_t from, unsigned count) {
  const struct ut_path_network *paths = counter->job->network;
  const uint32_t switches = paths->units - paths->links;
  uint32_t *links_chosen = counter->chosen, *switches_chosen = counter->chosen + point->faults;
  memset(counter->up, 0xff, (paths->units + 1) * sizeof *counter->up);
  memset(&counter->all, 0, sizeof counter->all);
  for (unsigned lane = 0; lane < count; lane++)
    counter->all[lane / WORD] |= UINT64_C(1) << lane % WORD;
  if (point->exhaustive) {
    const uint64_t beside = ut_binomial(switches, point->switches);
    ut_combination_get(from / beside, paths->links, point->faults, links_chosen);
    ut_combination_get(from % beside, switches, point->switches, switches_chosen);
  }
  for (unsigned lane = 0; lane < count; lane++) {
    if (!point->exhaustive) {
      fail_sample(counter, point, from + lane, lane);
      continue;
    }
    for (unsigned i = 0; i < point->faults; i++)
      fail_unit(counter, links_chosen[i] + 1, lane);
    for (unsigned i = 0; i < point->switches; i++)
      fail_unit(counter, paths->links + switches_chosen[i] + 1, lane);
    if (!next_set(switches, point->switches, switches_chosen))
      next_set(paths->links, point->faults, links_chosen);
  }
}

/* ---- ways */

/* Computes which fault sets leave a path to one group's destinations, node by node; then for each source. */
FOR_ALL_PROCESSORS static void count_group(struct counter *counter, const struct ut_ways *ways, const uint32_t *pairs) {
  const struct ut_path_network *paths = counter->job->network;
  const unsigned injections = paths->source->injections;
  lanes *value = counter->value, failed = counter->failed, all = counter->all;
  const lanes *up = counter->up;
  uint64_t lost_pairs = 0;
  for (uint32_t i = UT_WAYS; i < ways->nodes; i++) {
    lanes v = {0};
    for (uint32_t j = ways->first[i]; j < ways->first[i + 1]; j++)
      v |= up[ways->way[j].unit] & value[ways->way[j].node];
    value[i] = v;
  }
  for (uint32_t s = 0; s < paths->sources; s++) {
    const struct ut_way *start = &paths->start[(size_t)s * injections];
    lanes v = up[start->unit] & value[ways->entry[start->node]];
    for (unsigned i = 1; i < injections; i++)
      v |= up[start[i].unit] & value[ways->entry[start[i].node]];
    lanes lost = all & ~v;
    if (!some(&lost) || !pairs[s])
      continue;
    failed |= lost;
    unsigned sets = 0;
    for (unsigned i = 0; i < WORDS; i++)
      sets += (unsigned)__builtin_popcountll(lost[i]);
    lost_pairs += (uint64_t)pairs[s] * sets;
  }
  counter->failed = failed;
  counter->lost += lost_pairs;
}

static void count_batch(struct counter *counter, struct ut_path_point *point, uint64_t from, unsigned count) {
  const struct ut_path_network *paths = counter->job->network;
  make_batch(counter, point, from, count);
  memset(&counter->failed, 0, sizeof counter->failed);
  counter->lost = 0;
  for (uint32_t g = 0; g < paths->groups; g++)
    count_group(counter, &paths->ways[g], counter->pairs + (size_t)g * paths->sources);
  point->sets += count;
  for (unsigned i = 0; i < WORDS; i++)
    point->not_tolerated += (unsigned)__builtin_popcountll(counter->failed[i]);
  point->lost += counter->lost;
  if (count < UT_PATH_BATCH)
    return;
  point->batches++;
  point->lost_in_batches += counter->lost;
  point->squares += (ut_square_sum)counter->lost * counter->lost;
}

/* ---- all sets */

static void counter_free(struct counter *counter) {
  if (counter) {
    free(counter->up);
    free(counter->value);
    free(counter->pairs);
    free(counter->chosen);
  }
  free(counter);
}

static struct counter *counter_new(const struct job *job, struct ut_error *e) {
  const struct ut_path_network *paths = job->network;
  struct counter *counter = aligned_alloc(_Alignof(struct counter), sizeof *counter);
  uint32_t nodes = UT_WAYS;
  for (uint32_t g = 0; g < paths->groups; g++)
    nodes = paths->ways[g].nodes > nodes ? paths->ways[g].nodes : nodes;
  if (counter) {
    memset(counter, 0, sizeof *counter);
    counter->job = job;
    counter->up = aligned_alloc(sizeof *counter->up, (paths->units + 1) * sizeof *counter->up);
    counter->value = aligned_alloc(sizeof *counter->value, nodes * sizeof *counter->value);
    counter->pairs = malloc((size_t)paths->groups * paths->sources * sizeof *counter->pairs);
    counter->chosen = calloc(job->request->faults[1] + job->request->switches[1] + 1, sizeof *counter->chosen);
  }
  if (!counter || !counter->up || !counter->value || !counter->pairs || !counter->chosen) {
    counter_free(counter);
    ut_fail(e, UT_BAD_INPUT, "out of memory for fault sets");
    return NULL;
  }
  memset(&counter->value[UT_WAY_ARRIVED], 0xff, sizeof *counter->value);
  memset(&counter->value[UT_WAY_NONE], 0, sizeof *counter->value);
  for (uint32_t g = 0; g < paths->groups; g++)
    ut_path_network_pairs(paths, g, counter->pairs + (size_t)g * paths->sources);
  return counter;
}

static int work(void *ctx, struct ut_item_source *source, void *result, struct ut_error *e) {
  const struct job *job = ctx;
  struct ut_path_point *part = result;
  struct counter *counter = counter_new(job, e);
  uint64_t batch, end;
  if (!counter)
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
      count_batch(counter, &part[at], from, left < UT_PATH_BATCH ? (unsigned)left : UT_PATH_BATCH);
    }
  counter_free(counter);
  return 0;
}

static void show(void *ctx, uint64_t done, uint64_t items) {
  const struct job *job = ctx;
  if (job->parallel->progress)
    job->parallel->progress(job->parallel->ctx, done * UT_PATH_BATCH, items * UT_PATH_BATCH);
}

static int set_points(const struct job *job, struct ut_error *e) {
  static const uint64_t most = UINT64_C(1) << 50;
  const struct ut_path_request *request = job->request;
  const uint32_t links = job->network->links, switches = job->network->units - links;
  const unsigned numbers = request->faults[1] - request->faults[0] + 1;
  if (request->faults[1] > links)
    return ut_fail(e, UT_BAD_INPUT, "%u faults wanted; only %u links can fail", request->faults[1], (unsigned)links);
  if (request->switches[1] > switches)
    return ut_fail(e, UT_BAD_INPUT, "%u switch faults wanted; only %u switches can fail", request->switches[1],
                   (unsigned)switches);
  for (unsigned i = 0; i < job->points; i++) {
    struct ut_path_point *point = &job->point[i];
    *point = (struct ut_path_point){.faults = request->faults[0] + i % numbers,
                                    .switches = request->switches[0] + i / numbers};
    uint64_t all = ut_binomial(links, point->faults), beside = ut_binomial(switches, point->switches);
    all = all > UINT64_MAX / beside ? UINT64_MAX : all * beside;
    point->exhaustive = all <= request->limit;
    point->wanted = point->exhaustive ? all : request->samples;
    if (point->wanted > most)
      return ut_fail(e, UT_BAD_INPUT,
                     "there are too many sets of %u faults in %u links and %u in %u switches to try all; use --samples",
                     point->faults, (unsigned)links, point->switches, (unsigned)switches);
    job->first[i + 1] = job->first[i] + (point->wanted + UT_PATH_BATCH - 1) / UT_PATH_BATCH;
  }
  return 0;
}

static int run(struct job *job, struct ut_error *e) {
  struct ut_parallel parallel = {.workers = job->parallel->workers,
                                 .items = job->first[job->points],
                                 .chunk = 1,
                                 .result_size = job->points * sizeof *job->point,
                                 .stop = job->parallel->stop,
                                 .progress = show,
                                 .ctx = job};
  unsigned workers = ut_parallel_workers(&parallel);
  struct ut_path_point *part = calloc(workers, parallel.result_size);
  if (!part)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for %u processes", workers);
  int status = ut_parallel_run(&parallel, work, part, e);
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

int ut_path_tolerance_run(const struct ut_path_network *paths, const struct ut_path_request *request,
                          const struct ut_parallel *parallel, struct ut_path_point *points, struct ut_error *e) {
  struct job job = {
      .network = paths, .request = request, .parallel = parallel, .point = points, .points = ut_path_points(request)};
  job.first = calloc(job.points + 1, sizeof *job.first);
  if (!job.first)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for %u numbers of faults", job.points);
  int status = set_points(&job, e) || run(&job, e) ? -1 : 0;
  free(job.first);
  return status;
}

/* ---- percentages */

double ut_path_connected(const struct ut_path_network *paths, const struct ut_path_point *point) {
  return 100 * (1 - (double)point->lost / ((double)point->sets * (double)paths->pairs));
}

void ut_path_connected_interval(const struct ut_path_network *paths, const struct ut_path_point *point, double level,
                                double *low, double *high) {
  double mean = ut_path_connected(paths, point), batches = (double)point->batches, sum = (double)point->lost_in_batches;
  *low = 0, *high = 100;
  if (point->lost == 0) { /* no spread was seen: no set that is not tolerated loses more than all pairs */
    double rare, often;
    ut_confidence(0, point->sets, level, &rare, &often);
    *low = 100 * (1 - often);
    return;
  }
  if (point->batches < 2)
    return;
  double variance = ((double)point->squares - sum * sum / batches) / (batches - 1);
  double error = sqrt(variance > 0 ? variance / batches : 0) / UT_PATH_BATCH / (double)paths->pairs;
  double width = 100 * error * gsl_cdf_ugaussian_Pinv((1 + level) / 2);
  *low = mean > width ? mean - width : 0;
  *high = mean + width < 100 ? mean + width : 100;
}
