/* SPDX-License-Identifier: Apache-2.0 */
/* synthesis.h - the switch of a scenario as a netlist of a technology, in the content-addressed cache (cache_folder.h).
 * A technology is standard cells (standard_cells.h), an FPGA part (fpga.h), or gates that are mapped to nothing
 * (simple_gates.h).
 *
 * An entry of either has ut_switch.json, the flat netlist with one name for each net, as Yosys writes it (netlist.h),
 * flat.ys, the script, build.log and seconds.txt.
 *
 * One of simple gates has ut_switch.v and cells.lib only, as that of standard cells.  This has also ut_switch.v, the
 * same with the ports of the RTL and nets with all their names, timing.v, the same with every net a single bit, for
 * OpenSTA, cells.v, models of the cells, made from the Liberty file's functions, and cells.lib, the Liberty file.  A
 * flip-flop is named after its register, with _reg behind it.
 *
 * One of a part with a chip has also ut_switch.il, which is read again to be placed.
 *
 * The key is a hash of the RTL, the parameters, the Liberty file, the script and the version of Yosys.
 */
#ifndef UT_SYNTHESIS_H
#define UT_SYNTHESIS_H

#include <stdio.h>

#include "cache_entry.h"
#include "cache_key.h"
#include "cache_tools.h"
#include "liberty.h"
#include "shape.h"

struct ut_synthesis_request {
  const struct ut_shape *shape;
  const char *root_dir; /* of the repository */
  const char *rtl_dir;  /* the folder of ut_switch.v; NULL: root_dir/rtl */
  const char *liberty;  /* osu018, osu035 or a file; NULL: osu018 */
  const char *fpga;     /* instead of standard cells: a name of fpga.h; or NULL */
  bool simple;          /* instead of them: simple gates (simple_gates.h) */
  bool memory;          /* buffers and tables stay memories: no cells and no flip-flops; cannot be timed */
  const volatile sig_atomic_t *interrupted; /* or NULL (cache_caller.h) */
};

/* The absolute path of the netlist ut_switch.v (malloc'd), which is synthesized first when it is not in the cache;
 * cells.lib lies beside it.  Safe in several processes at once: one synthesizes, the others wait.  `progress` may be
 * NULL.
 *
 * Returns NULL after filling *e: UT_BAD_INPUT for what the user must mend (Liberty file, a rule of the RTL that the
 * parameters break, missing tool), UT_INTERNAL for a failed synthesis, UT_INTERRUPTED. */
char *ut_netlist_get(const struct ut_synthesis_request *request, ut_cache_progress *progress, void *ctx,
                     struct ut_error *e);

/* ---- for the cost report ---- */

struct ut_synthesis;
struct ut_reporter; /* the interface for reports: report.h */

/* The interface between the two technologies; functions return 0, or -1 after filling the error. */
struct ut_technology {
  const char *artefact; /* the file by which an entry is recognised */
  const char *last;     /* file that the script writes last: without it Yosys has failed; NULL: as above */
  /* Reads the inputs of the netlist other than the RTL. */
  int (*open)(struct ut_synthesis *s, const struct ut_synthesis_request *request, struct ut_error *e);
  /* Writes the end of the script: from `proc` to the files in entry/. */
  void (*script)(FILE *f, const struct ut_synthesis *s);
  const struct ut_reporter *reporter;
  /* NULL: nothing of that kind. */
  void (*key)(XXH3_state_t *h, const struct ut_synthesis *s); /* inputs that the script does not show */
  int (*write)(const struct ut_synthesis *s, const char *folder, struct ut_error *e); /* files that scripts read */
  int (*keep)(const struct ut_synthesis *s, struct ut_error *e);                      /* which of them the entry has */
  /* Sets in *e what the user can repair, if a failure of Yosys is of that kind. */
  void (*reword)(const struct ut_synthesis *s, struct ut_error *e);
};

struct ut_synthesis {
  struct ut_parameter parameter[UT_PARAMETERS];
  bool memory;
  const struct ut_technology *technology;
  char dir[PATH_MAX], rtl[PATH_MAX]; /* folders: cache, RTL */
  char yosys[PATH_MAX], version[256];
  struct ut_liberty liberty;  /* of standard cells */
  const struct ut_part *part; /* of FPGAs */
  struct ut_sources sources;
  XXH128_hash_t key;
  struct ut_entry entry;
};

/* Reads everything on which the netlist depends.  Returns 0, or -1 after filling the error; close in both cases. */
int ut_synthesis_open(struct ut_synthesis *synthesis, const struct ut_synthesis_request *request,
                      const struct ut_caller *caller);
/* Makes sure that the entry is there.  Returns 0, or -1 after filling the error. */
int ut_synthesis_make(struct ut_synthesis *synthesis, const struct ut_caller *caller);
void ut_synthesis_close(struct ut_synthesis *synthesis);
/* Seconds that Yosys took for the entry, when it was made. */
double ut_synthesis_seconds(const struct ut_synthesis *synthesis);

/* Parts of scripts: reads the design of the parameters, up to processes; gives register names precedence over other
 * names of the same net (more attributes than flatten gives make opt_clean prefer them). */
void ut_script_read(FILE *f, const struct ut_synthesis *synthesis);
void ut_script_name(FILE *f);

/* Writes the RTL and the other inputs of scripts into `folder`.  Returns 0, or -1 after filling *e. */
int ut_synthesis_write(const struct ut_synthesis *synthesis, const char *folder, struct ut_error *e);
/* Writes `text`, which it frees, into the temporary folder of a claimed entry.  Returns 0, or -1 after filling *e, also
 * for NULL. */
int ut_synthesis_put(const struct ut_entry *entry, const char *name, char *text, struct ut_error *e);
/* Moves a file of the temporary folder into the entry.  Returns 0, or -1 after filling *e. */
int ut_synthesis_keep(const struct ut_entry *entry, const char *name, struct ut_error *e);
/* A run of Yosys on a script, which must leave a file (NULL: any). */
void ut_synthesis_job(struct ut_job *job, const struct ut_synthesis *synthesis, const char *script, const char *makes);
/* Runs the jobs, which end here, in the temporary folder.  Returns 0, or -1 after filling the error. */
int ut_synthesis_run(const struct ut_synthesis *synthesis, struct ut_job *jobs, int count, const struct ut_entry *entry,
                     const struct ut_caller *caller);

#endif
