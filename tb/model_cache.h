/* model_cache.h - builds one Verilated switch class on demand, as a shared object in a content-addressed cache.
 *
 * Cache folder: $UTURN_CACHE, else $XDG_CACHE_HOME/uturn, else $HOME/.cache/uturn, else uturn-<uid> below /tmp.
 * An entry is the folder <key>/ with model.so, build.log, parameters.txt and, written last, `complete` (size and hash
 * of model.so).  The key is a hash of everything that the model is made from: the RTL, the shim and every header of
 * ours that it includes, the parameters, the tools' versions and flags.  What was hashed is what is compiled: files are
 * read once, and the build works on that snapshot, so that editing a file during a build cannot put a wrong model under
 * a right key.
 *
 * An entry is built in <key>.tmp/ under the lock <key>.lock and renamed into place.  Whoever holds the lock owns the
 * temporary folder; one whose lock is free belongs to a dead process and is removed by the next call.
 */
#ifndef UT_MODEL_CACHE_H
#define UT_MODEL_CACHE_H

#include <signal.h>
#include <stdbool.h>

#include "error.h"
#include "shape.h"

struct ut_model_request {
  const struct ut_shape *shape;
  const char *root_dir; /* of the repository: rtl/, tb/, csim/ */
  const char *rtl_dir;  /* the folder of switch.v; NULL: root_dir/rtl */
  const char
      *netlist;      /* NULL, or Verilog files of gates that stand in for the RTL: module switch with that shape, its */
  const char *cells; /* registers named as those of the RTL, and the models of its cells */
  bool traced;       /* with --trace-fst: a separate, slower class */
  /* NULL, or set by the caller's handler of SIGINT: the build then stops.  Without it, Ctrl-C works through the
   * caller's default action: the caller dies, the compilers die with it, the next call removes the temporary folder. */
  const volatile sig_atomic_t *interrupted;
};

/* Progress of a build, one short line without a line feed; never called when the model is ready. */
typedef void ut_model_progress(void *ctx, const char *message);

/* Returns the absolute path of the ready shared object (malloc'd, the caller frees it), which it builds first when it
 * is not in the cache.  A ready model needs no write permission and takes no lock.  Installs no signal handlers.
 * `progress` may be NULL.
 *
 * Returns NULL after filling *e: UT_BAD_INPUT for what the user must mend (cache folder, missing file or tool, no
 * space), UT_INTERNAL for a failed build (first error line, last lines and path of build.log), UT_INTERRUPTED.
 *
 * Safe in several processes and threads at once: one builds, the others wait for it. */
char *ut_model_cache_get(const struct ut_model_request *request, ut_model_progress *progress, void *ctx,
                         struct ut_error *e);

/* The folder that ut_model_cache_get uses now (malloc'd), not created; NULL: out of memory or no usable name. */
char *ut_model_cache_dir(void);

#endif
