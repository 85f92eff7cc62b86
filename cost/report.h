/* SPDX-License-Identifier: Apache-2.0 */
/* report.h - a report under construction: the interface that cost.c has to each technology. */
#ifndef UT_REPORT_H
#define UT_REPORT_H

#include <jansson.h>

#include "netlist.h"
#include "synthesis.h"

struct ut_report {
  struct ut_synthesis synthesis;
  const struct ut_shape *shape;
  const struct ut_reporter *reporter;
  char tool[PATH_MAX], tool_version[256]; /* the tool that times the netlist; empty: none */
  struct ut_entry entry;
};

struct ut_reporter { /* functions return 0, or -1; find_tool and fill have filled the error then, key is out of memory
                      */
  int (*find_tool)(struct ut_report *r, const struct ut_caller *c);
  int (*key)(XXH3_state_t *h, const struct ut_report *r); /* inputs of the report other than netlist and tool */
  int (*fill)(struct ut_report *r, json_t *j, const struct ut_caller *c);
};
extern const struct ut_reporter ut_cells_reporter, ut_fpga_reporter;

/* Adds the flip-flops by their purposes, as in every report. */
json_t *ut_report_flip_flops(const uint64_t of[UT_STATES]);
/* Reads a file that write_json or a report wrote; NULL after filling *e. */
json_t *ut_report_load(const char *path, struct ut_error *e);

#endif
