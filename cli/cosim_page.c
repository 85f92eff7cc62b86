/* SPDX-License-Identifier: Apache-2.0 */
/* cosim_page.c - see cosim_page.h */
#include "cosim_page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim.h"
#include "page_source.h"
#include "scenario.h"

/* ---- options */

#define UT_INPUT struct ut_excerpt_options
static const struct ut_option options[] = {
    {"report", 0, "FILE.html",
     "writes a page to be played in a browser, with the registers of both sides; the run is repeated up to the "
     "window's end",
     UT_FILE(path)},
    {"report-window", 0, "A:B|fault|mismatch",
     "cycles of which it has registers: A to B, around the first fault (default if there is one), or around the "
     "mismatch",
     UT_OWN(ut_read_window, window), .with = "report"},
    {"report-switches", 0, "L.I,...|all",
     "switches of which it has registers; default: all of up to 64, else those of the first fault or mismatch",
     UT_TEXT(switches), .with = "report"},
    {0},
};
const struct ut_syntax ut_cosim_page_syntax = {.option = options};

int ut_cosim_page_check(const struct ut_excerpt_options *o, const struct ut_scenario *s, struct ut_error *e) {
  return o->path && ut_scenario_is_played(s, e) ? -1 : ut_excerpt_check(o, s, e);
}

/* ---- registers */

static int begin(void *ctx, struct ut_lockstep *l, struct ut_error *e) {
  (void)e;
  l->record = ctx;
  ut_lockstep_record(l); /* as the run begins */
  return 0;
}

int ut_cosim_page_choose(struct ut_cosim_page *p, const struct ut_excerpt_options *o, const struct ut_lockstep *done,
                         struct ut_error *e) {
  *p = (struct ut_cosim_page){0};
  if (ut_excerpt_choose(o, done, &p->part, e))
    return -1;
  if (!ut_register_record_init(&p->record, p->part.switches, p->part.count) ||
      !(p->report = strdup(done->report ? done->report : "")))
    return ut_fail_memory(e);
  struct ut_register_record *r = &p->record;
  r->from = p->part.first;
  r->until = p->part.last + 1;
  r->device = done->gates ? "netlist" : "RTL";
  r->golden = done->spec ? "spec" : "model";
  r->mismatch = done->mismatches;
  r->cycle = done->golden.cycle;
  r->sw = done->mismatch_switch;
  r->report = p->report;
  return 0;
}

void ut_cosim_page_free(struct ut_cosim_page *p) {
  ut_register_record_free(&p->record);
  free(p->part.switches);
  free(p->report);
  *p = (struct ut_cosim_page){0};
}

static int record(struct ut_cosim_page *p, const struct ut_device *device, const struct ut_scenario *s) {
  struct ut_models models;
  struct ut_error e;
  int status = UT_OK;
  if (ut_get_models(s, device, &models, &status))
    status = ut_excerpt_run(&p->part, s, &models, begin, &p->record);
  ut_free_models(&models);
  return p->record.failure ? (ut_fail_memory(&e), ut_print_error(&e)) : status;
}

/* ---- the page */

int ut_cosim_page_write(struct ut_cosim_page *p, const char *path, const struct ut_device *device,
                        const struct ut_scenario *s, const char *command) {
  const struct ut_register_record *r = &p->record;
  struct ut_page_options o = {.interrupted = &ut_interrupted, .scenario = s, .registers = r};
  struct ut_html_page page;
  struct ut_error e;
  const int status = record(p, device, s);
  if (status != UT_OK)
    return status;
  if (ut_html_page_open(&page, path, NULL, UTURN_VERSION, command, &e))
    return ut_print_error(&e);
  if (ut_page_source_add(&page, s->path, &o, &e)) {
    ut_html_page_drop(&page);
    return ut_print_error(&e);
  }
  if (ut_html_page_close(&page, &e))
    return ut_print_error(&e);
  fprintf(stderr,
          "uturn: %s has the registers of cycles %" PRIu64 " to %" PRIu64 " of %u switches; open it in a browser\n",
          path, r->from, r->until - 1, r->switches);
  return UT_OK;
}
