/* SPDX-License-Identifier: Apache-2.0 */
/* report.c - `uturn report`: one self-contained HTML page. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_files.h"
#include "cli.h"
#include "command_text.h"
#include "number.h"
#include "page_source.h"

struct report_options {
  const char *file, *title;
  struct ut_names sources;
  struct ut_texts fault;
  struct ut_page_options page;
};

static int read_window(const struct ut_option *option, void *into, const char *text, struct ut_error *e) {
  struct ut_page_options *page = into;
  const char *at = text;
  page->window = ut_number_read(&at, UINT64_MAX, &page->from) && *at++ == ':' &&
                 ut_number_is(at, UINT64_MAX, &page->until) && page->from < page->until;
  return page->window ? 0
                      : ut_fail(e, UT_BAD_INPUT, "--%s wants A:B, cycles with A below B, as in 1000:3000, not '%s'",
                                option->name, text);
}

static int read_page(const struct ut_option *option, void *into, const char *text, struct ut_error *e) {
  *(const char **)into = text;
  return ut_path_ends(text, ".html")
             ? 0
             : ut_fail(e, UT_BAD_INPUT, "first the page that is to be written, %s, not '%s'", option->argument, text);
}

#define UT_INPUT struct report_options
static const struct ut_option options[] = {
    {.argument = "FILE.html",
     .missing = "a page of what?  For example: report demo.html scenarios/demo.yaml",
     UT_OWN(read_page, file)},
    {.argument = "SOURCE",
     .missing = "a page of what?  For example: report demo.html scenarios/demo.yaml",
     UT_NAMES(sources)},
    UT_FAULT(fault),
    {"title", 0, "TEXT", "of the page; default: that of the source", UT_TEXT(title)},
    {"window", 0, "A:B",
     "of a run: the cycles A to B-1 only; default: all, or as many around the first fault as a page can hold",
     UT_OWN(read_window, page)},
    {"experiments", 0, "FOLDER", "of a results folder of `reproduce`: its option --experiments",
     UT_TEXT(page.experiments)},
    {0},
};

const struct ut_syntax ut_syntax_report = {
    "FILE.html SOURCE...",
    "Writes a page that shows the SOURCEs in a browser.  It is one file, and needs no network.  Of a scenario: its run "
    "on the golden model, to be played, packet by packet.  Of a sweep, or its database: charts and a table of what has "
    "been run.  Of a results folder of `reproduce`: what is printed beside what was measured.  Neither runs anything.",
    options, NULL};

/* ---- the page */

static void show_progress(void *ctx, uint64_t done, uint64_t of) {
  ut_progress_show(ctx, done, of);
}

static int write_page(struct report_options *options, const char *command, struct ut_error *e) {
  struct ut_html_page page;
  struct ut_progress progress;
  options->page.fault = options->fault.text;
  options->page.faults = options->fault.count;
  for (size_t i = 0; i < options->sources.count; i++)
    if (ut_page_source_check(options->sources.name[i], &options->page, e))
      return -1;
  if (ut_html_page_open(&page, options->file, options->title, UTURN_VERSION, command, e))
    return -1;
  options->page.interrupted = &ut_interrupted;
  options->page.progress = show_progress;
  options->page.ctx = &progress;
  int status = 0;
  for (size_t i = 0; i < options->sources.count && !status; i++) {
    ut_progress_start(&progress);
    status = ut_page_source_add(&page, options->sources.name[i], &options->page, e);
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
  struct report_options options = {0};
  struct ut_error e;
  int status;
  if (ut_parse(&ut_syntax_report, argc, argv, &options, &status))
    return status;
  if (!options.page.experiments) {
    if (ut_path_set(&e, experiments, "%s/experiments", ut_root_dir()))
      return ut_print_error(&e);
    options.page.experiments = experiments;
  }
  ut_catch_interrupt();
  char *command = ut_command_text("report", argc, argv, &e);
  if (!command || write_page(&options, command, &e))
    status = ut_print_error(&e);
  else
    status = options.page.deadlock ? UT_DEADLOCK : options.page.incomplete ? UT_INCOMPLETE : UT_OK;
  if (status == UT_DEADLOCK || status == UT_INCOMPLETE)
    fprintf(stderr, "uturn: %s; %s shows it\n",
            status == UT_DEADLOCK ? "a run has ended in a deadlock" : "a workload is incomplete", options.file);
  free(command);
  return status;
}
