/* SPDX-License-Identifier: Apache-2.0 */
/* page_source.h - the sources of a page: one table of kinds.
 *
 * A kind decides whether a file or folder is of that kind, and adds its sections to a page.  A new kind is a line in
 * page_source.c and a file with its function; the code that shows it in the browser is a file in report/page/.
 */
#ifndef UT_PAGE_SOURCE_H
#define UT_PAGE_SOURCE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "html_page.h"
#include "register_record.h"
#include "scenario_document.h"

/* A file or folder that the user named. */
struct ut_page_source {
  const char *path;
  bool folder;
  char *text; /* of a file */
  size_t length;
  struct ut_document yaml; /* its path NULL: the file is no YAML */
};

struct ut_page_options {
  bool window; /* only cycles from..until-1 of a run */
  uint64_t from, until;
  const char *const *fault; /* [faults] more, by their names (named_faults.h) */
  size_t faults;
  const struct ut_scenario *scenario;         /* of the source, read already, with what options change; NULL: read it */
  const struct ut_register_record *registers; /* of its run; NULL: none */
  const char *experiments;                    /* folder of what `reproduce` measures */
  const volatile sig_atomic_t *interrupted;   /* NULL: it cannot be interrupted */
  /* Reports the progress of long work; NULL: not reported. */
  void (*progress)(void *ctx, uint64_t done, uint64_t of);
  void *ctx;
  bool deadlock, incomplete; /* set if a run has ended in a deadlock, or its workload did not complete */
};

/* Adds the sections of a source.  -1 and *e. */
typedef int ut_page_function(struct ut_html_page *p, const struct ut_page_source *s, struct ut_page_options *o,
                             struct ut_error *e);
ut_page_function ut_scenario_section, ut_sweep_section, ut_reproduction_section;

/* Checks that the input of the sections exists.  Returns 0, or -1 and fills *e. */
typedef int ut_page_check(const struct ut_page_source *s, const struct ut_page_options *o, struct ut_error *e);
ut_page_check ut_sweep_check, ut_reproduction_check;

/* Checks that the run of a scenario can be played, packet by packet, instead of a map of links.  Returns 0, or -1 and
 * fills *e. */
int ut_scenario_is_played(const struct ut_scenario *scenario, struct ut_error *e);

/* Checks, before any long work, that a page can be made from it.  Returns 0, or -1 and fills *e. */
int ut_page_source_check(const char *path, const struct ut_page_options *options, struct ut_error *e);
int ut_page_source_add(struct ut_html_page *page, const char *path, struct ut_page_options *options,
                       struct ut_error *e);

#endif
