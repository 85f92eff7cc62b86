/* SPDX-License-Identifier: Apache-2.0 */
/* cosim_page.c - see cosim_page.h */
#include "cosim_page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim.h"
#include "page_source.h"
#include "scenario_facts.h"

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

int ut_cosim_page_check(const struct ut_excerpt_options *options, const struct ut_scenario *scenario,
                        struct ut_error *e) {
  return options->path && ut_scenario_is_played(scenario, e) ? -1 : ut_excerpt_check(options, scenario, e);
}

/* ---- registers */

static int begin(void *ctx, struct ut_lockstep *lockstep, struct ut_error *e) {
  (void)e;
  lockstep->record = ctx;
  ut_lockstep_record(lockstep); /* as the run begins */
  return 0;
}

int ut_cosim_page_choose(struct ut_cosim_page *page, const struct ut_excerpt_options *options,
                         const struct ut_lockstep *done, struct ut_error *e) {
  *page = (struct ut_cosim_page){0};
  if (ut_excerpt_choose(options, done, &page->part, e))
    return -1;
  if (!ut_register_record_init(&page->record, page->part.switches, page->part.count) ||
      !(page->report = strdup(done->report ? done->report : "")))
    return ut_fail_memory(e);
  struct ut_register_record *record = &page->record;
  record->from = page->part.first;
  record->until = page->part.last + 1;
  record->device = done->gates ? "netlist" : "RTL";
  record->golden = done->spec ? "spec" : "model";
  record->mismatch = done->mismatches;
  record->cycle = done->golden.cycle;
  record->sw = done->mismatch_switch;
  record->report = page->report;
  return 0;
}

void ut_cosim_page_free(struct ut_cosim_page *page) {
  ut_register_record_free(&page->record);
  free(page->part.switches);
  free(page->report);
  *page = (struct ut_cosim_page){0};
}

static int record(struct ut_cosim_page *page, const struct ut_device *device, const struct ut_scenario *scenario) {
  struct ut_models models;
  struct ut_error e;
  int status = UT_OK;
  if (ut_get_models(scenario, device, &models, &status))
    status = ut_excerpt_run(&page->part, scenario, &models, begin, &page->record);
  ut_free_models(&models);
  return page->record.failure ? (ut_fail_memory(&e), ut_print_error(&e)) : status;
}

/* ---- the page */

int ut_cosim_page_write(struct ut_cosim_page *cosim_page, const char *path, const struct ut_device *device,
                        const struct ut_scenario *scenario, const char *command) {
  const struct ut_register_record *register_record = &cosim_page->record;
  struct ut_page_options options = {.interrupted = &ut_interrupted, .scenario = scenario, .registers = register_record};
  struct ut_html_page page;
  struct ut_error e;
  const int status = record(cosim_page, device, scenario);
  if (status != UT_OK)
    return status;
  if (ut_html_page_open(&page, path, NULL, UTURN_VERSION, command, &e))
    return ut_print_error(&e);
  if (ut_page_source_add(&page, ut_scenario_path(scenario), &options, &e)) {
    ut_html_page_drop(&page);
    return ut_print_error(&e);
  }
  if (ut_html_page_close(&page, &e))
    return ut_print_error(&e);
  fprintf(stderr,
          "uturn: %s has the registers of cycles %" PRIu64 " to %" PRIu64 " of %u switches; open it in a browser\n",
          path, register_record->from, register_record->until - 1, register_record->switches);
  return UT_OK;
}
