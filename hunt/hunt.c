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
  bool *known;        /* [ut_hunt_shape_count]: the changed RTL elaborates to other hardware */
  double start;
  uint64_t given, running;
  bool all_given;
};

/* ---- a scenario becomes a run */

/* The words of the command; NULL: out of memory. */
static char **command(const struct ut_hunt_request *request) {
  enum { MOST = 16 };
  const char *words[MOST] = {"uturn",     "cosim", "/dev/stdin", "--json", "--quiet",
                             "--threads", "1",     "--golden",   "model"};
  unsigned count = 9;
  if (request->spec) {
    words[count - 1] = "spec";
    words[count++] = "--cover-points";
  }
  if (request->rtl_dir) {
    words[count++] = "--rtl";
    words[count++] = request->rtl_dir;
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

/* Draws the scenario of a ticket; with cover points it draws three and takes the one to which most missing points
 * apply. */
static int draw(const struct hunt *hunt, const struct ut_hunt_ticket *ticket, struct ut_hunt_scenario *best,
                uint64_t *seed, struct ut_error *e) {
  const unsigned candidates = hunt->q->spec ? 3 : 1;
  unsigned most = 0;
  *best = (struct ut_hunt_scenario){0};
  for (unsigned i = 0; i < candidates; i++) {
    const uint64_t its_seed = hunt->q->seed + (uint64_t)ticket->number * candidates + i;
    struct ut_hunt_scenario scenario;
    if (ut_hunt_scenario_make(&scenario, ticket->shape, its_seed, e))
      return best->text ? 0 : -1;
    const unsigned missing = candidates > 1 ? ut_hunt_points_missing(&hunt->r->points, scenario.text) : 0;
    if (!best->text || missing > most) {
      free(best->text);
      *best = scenario;
      *seed = its_seed;
      most = missing;
    } else {
      free(scenario.text);
    }
  }
  return 0;
}

/* The shape is stored in a run's point, may_deadlock in its `probe`. */
static int run_of(const struct hunt *hunt, const struct ut_hunt_ticket *ticket, struct ut_run *run,
                  struct ut_error *e) {
  struct ut_hunt_scenario scenario;
  uint64_t seed;
  if (draw(hunt, ticket, &scenario, &seed, e))
    return -1;
  *run = (struct ut_run){.point = ticket->shape,
                         .seed = seed,
                         .probe = scenario.may_deadlock,
                         .scenario = scenario.text,
                         .arguments = command(hunt->q)};
  return run->arguments ? 0 : ut_fail_memory(e);
}

static bool is_over(const struct hunt *hunt) {
  const struct ut_hunt_request *request = hunt->q;
  return hunt->r->find.status || *request->interrupted ||
         (request->seconds && ut_seconds() - hunt->start >= request->seconds) ||
         (request->switch_cycles && hunt->r->tally.sum.switch_cycles >= request->switch_cycles);
}

/* Returns whether all switches of the scenario elaborate to the same hardware from the changed RTL as from ours.  RTL
 * that cannot be elaborated is reported by the run. */
static bool is_ours(const struct ut_hunt_request *hunt_request, const char *text) {
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  struct ut_scenario *scenario = ut_scenario_parse(text, strlen(text), "hunt", NULL);
  const int count = scenario ? ut_scenario_elaborations(scenario, elaboration, shape, NULL) : -1;
  bool same = count > 0;
  ut_scenario_free(scenario);
  for (int i = 0; i < count && same; i++) {
    struct ut_model_request request = {
        .shape = &shape[i], .root_dir = hunt_request->root_dir, .interrupted = hunt_request->interrupted};
    XXH128_hash_t ours, theirs;
    same = !ut_model_hardware(&request, &ours, NULL);
    request.rtl_dir = hunt_request->rtl_dir;
    same = same && !ut_model_hardware(&request, &theirs, NULL) && XXH128_isEqual(ours, theirs);
  }
  return same;
}

/* Leaves out a shape that the changes do not affect. */
static bool concerns(struct hunt *hunt, const struct ut_run *run) {
  if (!hunt->q->rtl_dir || hunt->known[run->point])
    return true;
  hunt->known[run->point] = true;
  if (!is_ours(hunt->q, run->scenario))
    return true;
  ut_hunt_plan_leave_out(&hunt->plan, (unsigned)run->point);
  hunt->r->same++;
  return false;
}

/* Starts the next scenario, if its switch has changed.  Returns -1 and fills *e on failure. */
static int give(struct hunt *hunt, struct ut_error *e) {
  struct ut_hunt_ticket ticket;
  struct ut_run run = {0};
  hunt->all_given =
      (hunt->q->scenarios && hunt->given >= hunt->q->scenarios) || !ut_hunt_plan_next(&hunt->plan, &ticket);
  if (hunt->all_given)
    return 0;
  int status = run_of(hunt, &ticket, &run, e);
  const bool starts = !status && concerns(hunt, &run);
  if (starts)
    status = hunt->crew.give(hunt->crew.ctx, &run, e);
  if (!starts || status)
    ut_run_free(&run);
  else
    hunt->given++, hunt->running++;
  return status;
}

/* ---- a run becomes a result */

static char *move(char **text) {
  char *moved = *text;
  *text = NULL;
  return moved;
}

/* Printed in front of the messages of a run. */
static const char program[] = "uturn: ";

/* Handles a shape that cannot be built from this RTL, or a scenario that cannot be run: this alone is no difference.  A
 * shape whose first scenarios are refused is left out. */
static void refuse(struct hunt *hunt, const struct ut_run *run, const struct ut_outcome *outcome) {
  enum { ENOUGH = 3 };
  if (hunt->r->tally.seen_shape[run->point] || ++hunt->refusals[run->point] != ENOUGH)
    return;
  ut_hunt_plan_leave_out(&hunt->plan, (unsigned)run->point);
  hunt->r->refused++;
  if (hunt->r->reason || !outcome->message)
    return;
  const size_t prefix = strncmp(outcome->message, program, strlen(program)) ? 0 : strlen(program);
  hunt->r->reason = strdup(outcome->message + prefix);
}

static void settle(struct hunt *hunt, struct ut_run *run, struct ut_outcome *outcome) {
  struct ut_hunt_numbers numbers;
  const bool expected = outcome->status == UT_OK || (outcome->status == UT_DEADLOCK && run->probe);
  if (outcome->status != UT_OK && outcome->status != UT_DEADLOCK && outcome->status != UT_MISMATCH) {
    refuse(hunt, run, outcome);
    return;
  }
  if (outcome->json && !ut_hunt_numbers_read(&numbers, outcome->json))
    ut_hunt_tally_add(&hunt->r->tally, (unsigned)run->point, &numbers);
  if (outcome->json && hunt->q->spec)
    ut_hunt_points_add(&hunt->r->points, run->scenario, outcome->json);
  if (!expected && !hunt->r->find.status)
    hunt->r->find = (struct ut_hunt_find){.status = outcome->status,
                                          .shape = (unsigned)run->point,
                                          .seed = run->seed,
                                          .scenario = move(&run->scenario),
                                          .json = move(&outcome->json),
                                          .message = move(&outcome->message)};
  if (hunt->q->progress)
    hunt->q->progress(hunt->q->ctx, &hunt->r->tally, ut_seconds() - hunt->start);
}

/* Waits a moment for runs to end. */
static int take(struct hunt *hunt, struct ut_error *e) {
  struct ut_run run;
  struct ut_outcome outcome;
  if (hunt->crew.wait(hunt->crew.ctx, 0.5, e))
    return -1;
  while (hunt->crew.take(hunt->crew.ctx, &run, &outcome) == UT_CREW_ENDED) {
    hunt->running--;
    settle(hunt, &run, &outcome);
    ut_outcome_free(&outcome);
    ut_run_free(&run);
  }
  return 0;
}

static int work(struct hunt *hunt, struct ut_error *e) {
  int status = 0;
  while (!status && !is_over(hunt) && !(hunt->all_given && !hunt->running)) {
    if (hunt->crew.idle(hunt->crew.ctx) && !hunt->all_given)
      status = give(hunt, e);
    else
      status = take(hunt, e);
  }
  hunt->crew.end(hunt->crew.ctx);
  hunt->r->seconds = ut_seconds() - hunt->start;
  if (!status && *hunt->q->interrupted)
    return ut_fail(e, UT_INTERRUPTED, "interrupted");
  if (!status && !hunt->r->tally.scenarios && hunt->r->reason)
    return ut_fail(e, UT_BAD_INPUT, "no switch of this RTL could be run: %s", hunt->r->reason);
  return status;
}

int ut_hunt(const struct ut_hunt_request *request, struct ut_hunt_result *result, struct ut_error *e) {
  struct hunt hunt = {.q = request, .r = result, .start = ut_seconds()};
  int status = -1;
  *result = (struct ut_hunt_result){0};
  hunt.known = calloc(ut_hunt_shape_count, sizeof *hunt.known);
  hunt.refusals = calloc(ut_hunt_shape_count, sizeof *hunt.refusals);
  if (!hunt.known || !hunt.refusals || !ut_hunt_tally_start(&result->tally) ||
      !ut_hunt_plan_start(&hunt.plan, request->families, request->jobs, request->shapes, request->each))
    ut_fail_memory(e);
  else if (!ut_crew_of_processes(&hunt.crew, request->jobs, e))
    status = work(&hunt, e);
  ut_hunt_plan_end(&hunt.plan);
  free(hunt.known);
  free(hunt.refusals);
  return status;
}

void ut_hunt_free(struct ut_hunt_result *result) {
  ut_hunt_tally_end(&result->tally);
  free(result->find.scenario);
  free(result->find.json);
  free(result->find.message);
  free(result->reason);
}

/* ---- scenarios without runs */

static int write_one(const struct ut_hunt_request *request, const struct ut_hunt_ticket *ticket, const char *folder,
                     struct ut_error *e) {
  const uint64_t seed = request->seed + ticket->number;
  struct ut_hunt_scenario scenario;
  struct ut_output file;
  char path[PATH_MAX];
  if (ut_hunt_scenario_make(&scenario, ticket->shape, seed, e))
    return -1;
  snprintf(path, sizeof path, "%s/%s-%u-%" PRIu64 ".yaml", folder,
           ut_hunt_families[ut_hunt_shapes[ticket->shape].family].name, ticket->shape, seed);
  int status = ut_output_open(&file, path, UT_OUTPUT_REGULAR, e);
  if (!status) {
    fputs(scenario.text, file.file);
    status = ut_output_close(&file, e);
  }
  free(scenario.text);
  return status;
}

int ut_hunt_write(const struct ut_hunt_request *request, const char *folder, struct ut_error *e) {
  struct ut_hunt_plan plan;
  struct ut_hunt_ticket ticket;
  int status = 0;
  if (mkdir(folder, 0777) && errno != EEXIST)
    return ut_fail(e, UT_BAD_INPUT, "%s: no folder for scenarios: %s; name one that can be made", folder,
                   strerror(errno));
  if (!ut_hunt_plan_start(&plan, request->families, 1, request->shapes, request->each ? request->each : 1))
    return ut_fail_memory(e);
  while (!status && ut_hunt_plan_next(&plan, &ticket))
    status = write_one(request, &ticket, folder, e);
  ut_hunt_plan_end(&plan);
  return status;
}
