/* synthesis.h - the switch of a scenario as a netlist of standard cells, in the content-addressed cache
 * (cache_folder.h).
 *
 * An entry has
 *   ut_switch.v     the flat mapped netlist: module `ut_switch` with the ports of the RTL, its nets with all their names
 *   ut_switch.json  the same with one name for each net, as Yosys writes it (cost/netlist.h); a flip-flop is named after
 *               its register, with _reg behind it
 *   timing.v    the same with every net a single bit, for OpenSTA
 *   cells.v     Verilog models of the cells, made from the Liberty file's functions
 *   cells.lib   the Liberty file, flat.ys the script, build.log, seconds.txt
 * Its key is a hash of the RTL, the parameters, the Liberty file, the script and the version of Yosys.
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

struct ut_synthesis {
  struct ut_parameter parameter[UT_PARAMETERS];
  bool memory;
  char dir[PATH_MAX], rtl[PATH_MAX]; /* folders: cache, RTL */
  char yosys[PATH_MAX], version[256];
  struct ut_liberty liberty;
  struct ut_sources sources;
  XXH128_hash_t key;
  struct ut_entry entry;
};

/* Reads all that the netlist depends on.  Returns 0, or -1 after filling the error; close in both cases. */
int ut_synthesis_open(struct ut_synthesis *s, const struct ut_synthesis_request *request, const struct ut_caller *c);
/* Makes sure that the entry is there.  Returns 0, or -1 after filling the error. */
int ut_synthesis_make(struct ut_synthesis *s, const struct ut_caller *c);
void ut_synthesis_close(struct ut_synthesis *s);
/* Seconds that Yosys took for the entry, when it was made. */
double ut_synthesis_seconds(const struct ut_synthesis *s);

/* Parts of scripts: reads the design of the parameters, up to processes; gives register names precedence over other
 * names of the same net (more attributes than flatten gives make opt_clean prefer them); makes generic gates, without
 * encoding state machines anew or merging registers into memories' read ports; maps them to cells.lib.  netlist: file
 * for the result while all its nets still have all their names - lockstep looks for registers that are at the same time
 * an output or another register; or NULL. */
void ut_script_read(FILE *f, const struct ut_synthesis *s);
void ut_script_name(FILE *f);
void ut_script_synthesize(FILE *f, const struct ut_synthesis *s, const char *options, const char *from);
void ut_script_map(FILE *f, const struct ut_synthesis *s, const char *netlist);

/* Writes RTL, Liberty file and constraints into `folder`.  Returns 0, or -1 after filling *e. */
int ut_synthesis_write(const struct ut_synthesis *s, const char *folder, struct ut_error *e);
/* Writes `text`, which it frees, into the temporary folder of a claimed entry.  Returns 0, or -1 after filling *e, also
 * for NULL. */
int ut_synthesis_put(const struct ut_entry *n, const char *name, char *text, struct ut_error *e);
/* A run of Yosys on a script. */
void ut_synthesis_job(struct ut_job *j, const struct ut_synthesis *s, const char *script);
/* Runs the jobs, which end here, in the temporary folder.  Returns 0, or -1 after filling the error. */
int ut_synthesis_run(const struct ut_synthesis *s, struct ut_job *jobs, int count, const struct ut_entry *n,
                     const struct ut_caller *c);

/* What abc assumes, and OpenSTA too: the cell that drives each input, what each output drives; the load in units of the
 * Liberty file. */
enum { UT_TARGET_PS = 4000 };
const char *ut_synthesis_driver(const struct ut_synthesis *s);
double ut_synthesis_load(const struct ut_synthesis *s);

#endif
