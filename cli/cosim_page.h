/* SPDX-License-Identifier: Apache-2.0 */
/* cosim_page.h - `cosim --report`: the run as a page, with the registers of both sides (docs/reference/report.md). */
#ifndef UT_COSIM_PAGE_H
#define UT_COSIM_PAGE_H

#include "excerpt.h"

/* Group of options; its struct: ut_excerpt_options. */
extern const struct ut_syntax ut_cosim_page_syntax;

/* Before anything is built or run.  0, or -1 and *e. */
int ut_cosim_page_check(const struct ut_excerpt_options *options, const struct ut_scenario *scenario,
                        struct ut_error *e);
/* What the page has of the run that is done.  The lockstep may end then: Verilator's models of two at once cannot be
 * had, for those of one leave through the context that was made last. */
struct ut_cosim_page {
  struct ut_excerpt part;
  struct ut_register_record record;
  char *report; /* NULL: there is no page to be written */
};
/* 0, or -1 and *e; to be freed in both cases. */
int ut_cosim_page_choose(struct ut_cosim_page *page, const struct ut_excerpt_options *options,
                         const struct ut_lockstep *done, struct ut_error *e);
void ut_cosim_page_free(struct ut_cosim_page *page);

/* Records the run once more, and writes the page of the scenario at scenario->path, which `command` makes.  Returns the
 * exit status. */
int ut_cosim_page_write(struct ut_cosim_page *page, const char *path, const struct ut_device *device,
                        const struct ut_scenario *scenario, const char *command);

#endif
