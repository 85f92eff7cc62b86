/* SPDX-License-Identifier: Apache-2.0 */
/* report.c - `uturn report`: one HTML page that is self-contained. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_files.h"
#include "cli.h"
#include "command_text.h"
#include "number.h"
#include "page_source.h"

enum { KEY_TITLE = 0x700, KEY_WINDOW, KEY_EXPERIMENTS };
static const struct argp_option options[] = {
    {"title", KEY_TITLE, "TEXT", 0, "of the page; default: that of the source", 0},
    {"window", KEY_WINDOW, "A:B", 0,
     "of a run: the cycles A to B-1 only; default: all, or as many around the first fault as a page can hold", 0},
    {"experiments", KEY_EXPERIMENTS, "FOLDER", 0, "of a results folder of `reproduce`: its option --experiments", 0},
    {0},
};

struct report_options {
  const char *file, *title;
  char **source;
  size_t sources;
  struct ut_page_options page;
};

static void parse_window(struct ut_page_options *o, const char *arg, struct argp_state *state) {
  const char *at = arg;
  uint64_t from = 0, until = 0; /* not every compiler knows that argp_error() ends the program */
  const bool good = ut_number_read(&at, UINT64_MAX, &from) && *at++ == ':' && ut_number_is(at, UINT64_MAX, &until);
  if (!good || from >= until)
    argp_error(state, "--window wants A:B, cycles with A below B, as in 1000:3000, not '%s'", arg);
  o->window = true;
  o->from = from;
  o->until = until;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct report_options *o = state->input;
  switch (key) {
  case KEY_TITLE: o->title = arg; return 0;
  case KEY_WINDOW: parse_window(&o->page, arg, state); return 0;
  case KEY_EXPERIMENTS: o->page.experiments = arg; return 0;
  case ARGP_KEY_ARGS:
    o->file = state->argv[state->next];
    o->source = state->argv + state->next + 1;
    o->sources = (size_t)(state->argc - state->next - 1);
    if (!ut_path_ends(o->file, ".html"))
      argp_error(state, "first the page that is to be written, FILE.html, not '%s'", o->file);
    return 0;
  case ARGP_KEY_END:
    if (!o->sources)
      argp_error(state, "a page of what?  For example: report demo.html scenarios/demo.yaml");
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

const struct argp ut_argp_report = {
    options,
    parse,
    "FILE.html SOURCE...",
    "Writes a page that shows the SOURCEs in a browser.  It is one file, and needs no network.  Of a scenario: its run "
    "on the golden model, to be played, packet by packet.  Of a sweep, or its database: charts and a table of what has "
    "been run.  Of a results folder of `reproduce`: what is printed beside what was measured.  Neither runs anything.",
    0,
    0,
    0};

/* ---- the page */

static void show_progress(void *ctx, uint64_t done, uint64_t of) {
  ut_progress_show(ctx, done, of);
}

static int write_page(struct report_options *o, const char *command, struct ut_error *e) {
  struct ut_html_page page;
  struct ut_progress progress;
  for (size_t i = 0; i < o->sources; i++)
    if (ut_page_source_check(o->source[i], &o->page, e))
      return -1;
  if (ut_html_page_open(&page, o->file, o->title, UTURN_VERSION, command, e))
    return -1;
  o->page.interrupted = &ut_interrupted;
  o->page.progress = show_progress;
  o->page.ctx = &progress;
  int status = 0;
  for (size_t i = 0; i < o->sources && !status; i++) {
    ut_progress_start(&progress);
    status = ut_page_source_add(&page, o->source[i], &o->page, e);
    ut_progress_end(&progress);
  }
  if (status) {
    ut_html_page_drop(&page);
    return -1;
  }
  return ut_html_page_close(&page, e);
}

int ut_cmd_report(int argc, char **argv) {
  char experiments[PATH_MAX];
  struct report_options o = {0};
  struct ut_error e;
  int status;
  if (ut_parse(&ut_argp_report, argc, argv, &o, &status))
    return status;
  if (!o.page.experiments) {
    if (ut_path_set(&e, experiments, "%s/experiments", ut_root_dir()))
      return ut_print_error(&e);
    o.page.experiments = experiments;
  }
  ut_catch_interrupt();
  char *command = ut_command_text("report", argc, argv, &e);
  if (!command || write_page(&o, command, &e))
    status = ut_print_error(&e);
  else
    status = o.page.deadlock ? UT_DEADLOCK : o.page.incomplete ? UT_INCOMPLETE : UT_OK;
  if (status == UT_DEADLOCK || status == UT_INCOMPLETE)
    fprintf(stderr, "uturn: %s; %s shows it\n",
            status == UT_DEADLOCK ? "a run has ended in a deadlock" : "a workload is incomplete", o.file);
  free(command);
  return status;
}
