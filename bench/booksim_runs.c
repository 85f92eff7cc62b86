/* SPDX-License-Identifier: Apache-2.0 */
/* booksim_runs.c - see booksim_runs.h
 *
 * BookSim says when a packet arrives if it is told to watch the packet's tail.
 */
#include "booksim_runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_files.h"
#include "cache_tools.h"
#include "scenario.h"
#include "scenario_switches.h"

/* What every run of it has; it ends with a status that says nothing. */
static struct ut_job job_of(const struct ut_booksim_runs *runs, const char *script, const char *file, uint64_t cycles) {
  struct ut_job job = {.does = "simulating", .log_fd = -1, .has_home = true};
  ut_args_add_all(&job.command,
                  (const char *const[]){"/bin/sh", "-c", script, "sh", runs->booksim->program, file, NULL});
  ut_args_add(&job.command, "sample_period=%llu", (unsigned long long)cycles);
  return job;
}

static void add_more(const struct ut_booksim_runs *runs, struct ut_job *job) {
  for (size_t i = 0; i < runs->more_count; i++)
    ut_args_add(&job->command, "%s", runs->more[i]);
}

/* Its packets go to all terminals, whatever the scenario's do. */
static struct ut_job quiet_job(const struct ut_booksim_runs *runs, const struct ut_scenario *scenario, const char *file,
                               const char *watched) {
  struct ut_job job = job_of(runs, "\"$@\" | grep -e 'Retiring packet' -e rror; exit 0", file, runs->quiet_cycles);
  ut_args_add(&job.command, "injection_rate=%.6f", runs->quiet_packets * scenario->sw.packet_flits);
  ut_args_add(&job.command, "traffic=uniform");
  ut_args_add(&job.command, "max_samples=1");
  ut_args_add(&job.command, "watch_file=%s", watched);
  ut_args_add(&job.command, "watch_out=-");
  add_more(runs, &job);
  job.weight = UINT32_MAX; /* the jobs stay in their order */
  return job;
}

static struct ut_job load_job(const struct ut_booksim_runs *runs, const struct ut_scenario *scenario, const char *file,
                              size_t index) {
  struct ut_job job = job_of(runs, "\"$@\" || exit 0", file, scenario->run.measure_cycles);
  ut_args_add(&job.command, "injection_rate=%.6f", runs->load[index].load);
  add_more(runs, &job);
  job.weight = UINT32_MAX - 1 - index;
  return job;
}

/* The tails of all packets of the quiet run, by number of flit; to be freed. */
static char *watch_list(const struct ut_booksim_runs *runs, const struct ut_scenario *scenario, struct ut_error *e) {
  const double packets = 1.5 * runs->quiet_cycles * runs->quiet_packets * ut_scenario_terminals(scenario);
  struct ut_text text;
  FILE *f = ut_text_open(&text, e);
  if (!f)
    return NULL;
  for (unsigned i = 1; i <= packets; i++)
    fprintf(f, "%u\n", i * scenario->sw.packet_flits - 1);
  return fclose(f) ? (ut_fail_memory(e), NULL) : text.data;
}

/* That it has not said `what`, and its last words, where its messages are. */
static int fail_silent(const struct ut_booksim_runs *runs, const char *text, const char *what, struct ut_error *e) {
  enum { SHOWN = 300 };
  const size_t length = strlen(text);
  return ut_fail(e, UT_BAD_INPUT, "%s does not say %s; is it BookSim 2?  It ends with: %s", runs->booksim->program,
                 what, text + (length > SHOWN ? length - SHOWN : 0));
}

static int read_quiet(const struct ut_booksim_runs *runs, const struct ut_scenario *scenario, const struct ut_job *job,
                      struct ut_error *e) {
  static const char begin[] = "Retiring packet ";
  char *text = ut_job_output(job);
  unsigned packets = 0;
  for (const char *at = text; at && (at = strstr(at, begin)); at += sizeof begin - 1) {
    unsigned latency, src, dst;
    if (sscanf(at, "Retiring packet %*u (plat = %u, nlat = %*u, frag = %*d, src = %u, dest = %u)", &latency, &src,
               &dst) == 3) {
      runs->packet(runs->ctx, ut_booksim_terminal(scenario, src), ut_booksim_terminal(scenario, dst), latency);
      packets++;
    }
  }
  const int result = packets ? 0 : text ? fail_silent(runs, text, "when packets arrive", e) : ut_fail_memory(e);
  free(text);
  return result;
}

static int read_load(const struct ut_booksim_runs *runs, const struct ut_job *job, struct ut_booksim_load *load,
                     struct ut_error *e) {
  char *text = ut_job_output(job);
  load->accepted = ut_number_behind(text, "Accepted flit rate average = ");
  load->latency = ut_number_behind(text, "Packet latency average = ");
  const int result = !text                   ? ut_fail_memory(e)
                     : isnan(load->accepted) ? fail_silent(runs, text, "what it has accepted", e)
                                             : 0;
  free(text);
  return result;
}

static int run(const struct ut_booksim_runs *runs, const struct ut_scenario *scenario, const char *file,
               const char *watched, struct ut_error *e) {
  const struct ut_caller caller = {
      .progress = runs->says, .interrupted = runs->interrupted, .e = e, .what = "BookSim 2"};
  const size_t quiet = runs->quiet_cycles > 0, jobs = quiet + runs->loads;
  struct ut_job *job = calloc(jobs, sizeof *job);
  int status = 0, result = -1;
  if (!job)
    return ut_fail_memory(e);
  if (quiet)
    job[0] = quiet_job(runs, scenario, file, watched);
  for (size_t i = 0; i < runs->loads; i++)
    job[quiet + i] = load_job(runs, scenario, file, i);
  const int ended = ut_jobs_run(&caller, job, (int)jobs, NULL, &status);
  if (ended == UT_JOBS_DONE)
    result = quiet ? read_quiet(runs, scenario, &job[0], e) : 0;
  else if (ended != UT_JOBS_ERROR)
    ut_fail(e, UT_BAD_INPUT, "%s cannot be run: status %d; build it anew with make", runs->booksim->program, status);
  for (size_t i = 0; i < runs->loads && !result; i++)
    result = read_load(runs, &job[quiet + i], &runs->load[i], e);
  ut_jobs_free(job, (int)jobs);
  free(job);
  return result;
}

int ut_booksim_run(const struct ut_booksim_runs *runs, const struct ut_scenario *scenario, struct ut_error *e) {
  struct ut_booksim_files files;
  char watched[PATH_MAX];
  char *text = ut_booksim_configuration(scenario, e), *list = text ? watch_list(runs, scenario, e) : NULL;
  int result = list ? ut_booksim_write(scenario, text, &files, e) : -1;
  if (!result) {
    result = ut_booksim_file(scenario, list, watched, e);
    if (!result) {
      result = run(runs, scenario, files.configuration, watched, e);
      ut_file_remove(watched);
    }
    ut_booksim_remove(&files);
  }
  free(text);
  free(list);
  return result;
}
