/* SPDX-License-Identifier: Apache-2.0 */
/* hunt.c - see hunt.h */
#include "hunt.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "crew.h"
#include "model_hardware.h"
#include "output.h"
#include "random_scenario.h"
#include "scenario_read.h"
#include "steady.h"
#include "topology.h"
#include "topology_build.h"

struct hunt {
  const struct ut_hunt_request *q;
  struct ut_hunt_result *r;
  struct ut_hunt_plan plan;
  struct ut_crew crew;
  unsigned *refusals; /* [ut_hunt_shape_count] */
  bool *known;        /* [ut_hunt_shape_count]: not the same hardware as ours */
  double start;
  uint64_t given, running;
  bool all_given;
};

/* ---- a scenario becomes a run */

/* The words of the command; NULL: out of memory. */
static char **command(const struct ut_hunt_request *q) {
  enum { MOST = 16 };
  const char *words[MOST] = {"uturn",     "cosim", "/dev/stdin", "--json", "--quiet",
                             "--threads", "1",     "--golden",   "model"};
  unsigned count = 9;
  if (q->spec) {
    words[count - 1] = "spec";
    words[count++] = "--cover-points";
  }
  if (q->rtl_dir) {
    words[count++] = "--rtl";
    words[count++] = q->rtl_dir;
  }
  char **a = calloc(MOST, sizeof *a);
  bool good = a != NULL;
  for (unsigned i = 0; good && i < count; i++)
    good = (a[i] = strdup(words[i])) != NULL;
  if (good)
    return a;
  for (unsigned i = 0; a && i < count; i++)
    free(a[i]);
  free(a);
  return NULL;
}

/* Draws the scenario of a ticket; with cover points, of three the one to which most apply that are missing. */
static int draw(const struct hunt *h, const struct ut_hunt_ticket *t, struct ut_hunt_scenario *best, uint64_t *seed,
                struct ut_error *e) {
  const unsigned candidates = h->q->spec ? 3 : 1;
  unsigned most = 0;
  *best = (struct ut_hunt_scenario){0};
  for (unsigned i = 0; i < candidates; i++) {
    const uint64_t its_seed = h->q->seed + (uint64_t)t->number * candidates + i;
    struct ut_hunt_scenario s;
    if (ut_hunt_scenario_make(&s, t->shape, its_seed, e))
      return best->text ? 0 : -1;
    const unsigned missing = candidates > 1 ? ut_hunt_points_missing(&h->r->points, s.text) : 0;
    if (!best->text || missing > most) {
      free(best->text);
      *best = s;
      *seed = its_seed;
      most = missing;
    } else {
      free(s.text);
    }
  }
  return 0;
}

/* The shape is kept in what a sweep has for the point of a run, may_deadlock in `probe`. */
static int run_of(const struct hunt *h, const struct ut_hunt_ticket *t, struct ut_run *run, struct ut_error *e) {
  struct ut_hunt_scenario s;
  uint64_t seed;
  if (draw(h, t, &s, &seed, e))
    return -1;
  *run = (struct ut_run){
      .point = t->shape, .seed = seed, .probe = s.may_deadlock, .scenario = s.text, .arguments = command(h->q)};
  return run->arguments ? 0 : ut_fail_memory(e);
}

static bool is_over(const struct hunt *h) {
  const struct ut_hunt_request *q = h->q;
  return h->r->find.status || *q->interrupted || (q->seconds && ut_seconds() - h->start >= q->seconds) ||
         (q->switch_cycles && h->r->tally.sum.switch_cycles >= q->switch_cycles);
}

/* Whether all switches of the scenario elaborate to the same from the changed RTL as from ours.  RTL that cannot be
 * elaborated is for the run to say. */
static bool is_ours(const struct ut_hunt_request *q, const char *text) {
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  struct ut_scenario *s = ut_scenario_parse(text, strlen(text), "hunt", NULL);
  const int count = s ? ut_scenario_elaborations(s, elaboration, shape, NULL) : -1;
  bool same = count > 0;
  ut_scenario_free(s);
  for (int i = 0; i < count && same; i++) {
    struct ut_model_request request = {.shape = &shape[i], .root_dir = q->root_dir, .interrupted = q->interrupted};
    XXH128_hash_t ours, theirs;
    same = !ut_model_hardware(&request, &ours, NULL);
    request.rtl_dir = q->rtl_dir;
    same = same && !ut_model_hardware(&request, &theirs, NULL) && XXH128_isEqual(ours, theirs);
  }
  return same;
}

/* Leaves out a shape that the changes do not concern. */
static bool concerns(struct hunt *h, const struct ut_run *run) {
  if (!h->q->rtl_dir || h->known[run->point])
    return true;
  h->known[run->point] = true;
  if (!is_ours(h->q, run->scenario))
    return true;
  ut_hunt_plan_leave_out(&h->plan, (unsigned)run->point);
  h->r->same++;
  return false;
}

/* Starts the next one, if its switch has changed.  -1 and *e. */
static int give(struct hunt *h, struct ut_error *e) {
  struct ut_hunt_ticket t;
  struct ut_run run = {0};
  h->all_given = (h->q->scenarios && h->given >= h->q->scenarios) || !ut_hunt_plan_next(&h->plan, &t);
  if (h->all_given)
    return 0;
  int status = run_of(h, &t, &run, e);
  const bool starts = !status && concerns(h, &run);
  if (starts)
    status = h->crew.give(h->crew.ctx, &run, e);
  if (!starts || status)
    ut_run_free(&run);
  else
    h->given++, h->running++;
  return status;
}

/* ---- a run becomes a result */

static char *move(char **text) {
  char *moved = *text;
  *text = NULL;
  return moved;
}

/* In front of the messages of a run. */
static const char program[] = "uturn: ";

/* The shape cannot be built from this RTL, or the scenario not be run: that alone is no difference.  A shape of which
 * the first ones are refused is left out. */
static void refuse(struct hunt *h, const struct ut_run *run, const struct ut_outcome *o) {
  enum { ENOUGH = 3 };
  if (h->r->tally.seen_shape[run->point] || ++h->refusals[run->point] != ENOUGH)
    return;
  ut_hunt_plan_leave_out(&h->plan, (unsigned)run->point);
  h->r->refused++;
  if (h->r->reason || !o->message)
    return;
  const size_t prefix = strncmp(o->message, program, strlen(program)) ? 0 : strlen(program);
  h->r->reason = strdup(o->message + prefix);
}

static void settle(struct hunt *h, struct ut_run *run, struct ut_outcome *o) {
  struct ut_hunt_numbers n;
  const bool expected = o->status == UT_OK || (o->status == UT_DEADLOCK && run->probe);
  if (o->status != UT_OK && o->status != UT_DEADLOCK && o->status != UT_MISMATCH) {
    refuse(h, run, o);
    return;
  }
  if (o->json && !ut_hunt_numbers_read(&n, o->json))
    ut_hunt_tally_add(&h->r->tally, (unsigned)run->point, &n);
  if (o->json && h->q->spec)
    ut_hunt_points_add(&h->r->points, run->scenario, o->json);
  if (!expected && !h->r->find.status)
    h->r->find = (struct ut_hunt_find){.status = o->status,
                                       .shape = (unsigned)run->point,
                                       .seed = run->seed,
                                       .scenario = move(&run->scenario),
                                       .json = move(&o->json),
                                       .message = move(&o->message)};
  if (h->q->progress)
    h->q->progress(h->q->ctx, &h->r->tally, ut_seconds() - h->start);
}

/* Waits a moment for runs that end. */
static int take(struct hunt *h, struct ut_error *e) {
  struct ut_run run;
  struct ut_outcome o;
  if (h->crew.wait(h->crew.ctx, 0.5, e))
    return -1;
  while (h->crew.take(h->crew.ctx, &run, &o) == UT_CREW_ENDED) {
    h->running--;
    settle(h, &run, &o);
    ut_outcome_free(&o);
    ut_run_free(&run);
  }
  return 0;
}

static int work(struct hunt *h, struct ut_error *e) {
  int status = 0;
  while (!status && !is_over(h) && !(h->all_given && !h->running)) {
    if (h->crew.idle(h->crew.ctx) && !h->all_given)
      status = give(h, e);
    else
      status = take(h, e);
  }
  h->crew.end(h->crew.ctx);
  h->r->seconds = ut_seconds() - h->start;
  if (!status && *h->q->interrupted)
    return ut_fail(e, UT_INTERRUPTED, "interrupted");
  if (!status && !h->r->tally.scenarios && h->r->reason)
    return ut_fail(e, UT_BAD_INPUT, "no switch of this RTL could be run: %s", h->r->reason);
  return status;
}

int ut_hunt(const struct ut_hunt_request *q, struct ut_hunt_result *r, struct ut_error *e) {
  struct hunt h = {.q = q, .r = r, .start = ut_seconds()};
  int status = -1;
  *r = (struct ut_hunt_result){0};
  h.known = calloc(ut_hunt_shape_count, sizeof *h.known);
  h.refusals = calloc(ut_hunt_shape_count, sizeof *h.refusals);
  if (!h.known || !h.refusals || !ut_hunt_tally_start(&r->tally) ||
      !ut_hunt_plan_start(&h.plan, q->families, q->jobs, q->shapes, q->each))
    ut_fail_memory(e);
  else if (!ut_crew_of_processes(&h.crew, q->jobs, e))
    status = work(&h, e);
  ut_hunt_plan_end(&h.plan);
  free(h.known);
  free(h.refusals);
  return status;
}

void ut_hunt_free(struct ut_hunt_result *r) {
  ut_hunt_tally_end(&r->tally);
  free(r->find.scenario);
  free(r->find.json);
  free(r->find.message);
  free(r->reason);
}

/* ---- scenarios without runs */

static int write_one(const struct ut_hunt_request *q, const struct ut_hunt_ticket *t, const char *folder,
                     struct ut_error *e) {
  const uint64_t seed = q->seed + t->number;
  struct ut_hunt_scenario s;
  struct ut_output file;
  char path[PATH_MAX];
  if (ut_hunt_scenario_make(&s, t->shape, seed, e))
    return -1;
  snprintf(path, sizeof path, "%s/%s-%u-%" PRIu64 ".yaml", folder,
           ut_hunt_families[ut_hunt_shapes[t->shape].family].name, t->shape, seed);
  int status = ut_output_open(&file, path, UT_OUTPUT_REGULAR, e);
  if (!status) {
    fputs(s.text, file.file);
    status = ut_output_close(&file, e);
  }
  free(s.text);
  return status;
}

int ut_hunt_write(const struct ut_hunt_request *q, const char *folder, struct ut_error *e) {
  struct ut_hunt_plan plan;
  struct ut_hunt_ticket t;
  int status = 0;
  if (mkdir(folder, 0777) && errno != EEXIST)
    return ut_fail(e, UT_BAD_INPUT, "%s: no folder for scenarios: %s; name one that can be made", folder,
                   strerror(errno));
  if (!ut_hunt_plan_start(&plan, q->families, 1, q->shapes, q->each ? q->each : 1))
    return ut_fail_memory(e);
  while (!status && ut_hunt_plan_next(&plan, &t))
    status = write_one(q, &t, folder, e);
  ut_hunt_plan_end(&plan);
  return status;
}
