/* SPDX-License-Identifier: Apache-2.0 */
/* model_cache.h - builds one switch class on demand, Verilated or gates in lanes, as a shared object in the
 * content-addressed cache (cache_folder.h).
 *
 * An entry has model.so, build.log and parameters.txt.  The key is a hash of the RTL, the shim and every header of ours
 * that it includes, the parameters, the tools' versions and flags.
 */
#ifndef UT_MODEL_CACHE_H
#define UT_MODEL_CACHE_H

#include <signal.h>
#include <stdbool.h>

#include "cache_caller.h"
#include "error.h"
#include "shape.h"

struct ut_model_request {
  const struct ut_shape *shape;
  const char *root_dir; /* of the repository: rtl/, tb/, csim/ */
  const char *rtl_dir;  /* the folder of ut_switch.v; NULL: root_dir/rtl */
  const char *netlist;  /* gates in place of the RTL: a file, cells.v beside it; or NULL */
  unsigned lanes; /* 64-bit words of a vector that the netlist is evaluated in (slice.h), no Verilator; 0: Verilated */
  bool counted;   /* counts the toggles of the netlist's nets (shim.h) */
  bool covered;   /* counts the lines and branches that it executes (shim.h); Verilated RTL only */
  bool traced;    /* with --trace-fst: a separate, slower class */
  const volatile sig_atomic_t *interrupted; /* or NULL (cache_caller.h) */
};

/* Returns the absolute path of the shared object (malloc'd, the caller frees it), and builds it first if it is not in
 * the cache.  Using a model that exists needs no write permission and takes no lock.  Installs no signal handlers.
 * `progress` may be NULL.  Returns NULL after filling *e: UT_BAD_INPUT for what the user must repair (cache folder,
 * missing file or tool, no space), UT_INTERNAL for a failed build (first error line, last lines and path of build.log),
 * UT_INTERRUPTED.  Several processes and threads may call it at once: one builds, the others wait for it. */
char *ut_model_cache_get(const struct ut_model_request *request, ut_cache_progress *progress, void *ctx,
                         struct ut_error *e);

#endif
