/* SPDX-License-Identifier: Apache-2.0 */
/* elaborate.h - compiles the golden switch's cycle with one shape as constants, as the RTL is elaborated.
 *
 * The C compiler at hand compiles it into the content-addressed cache (cache_folder.h); then it is loaded.  The source
 * is that of the cycle for any shape, which stays in the program (csim/switch/cycle.h): the results are the same, in
 * half the time. An entry has cycle.so, shape.h and build.log.  The key is a hash of the shape, the sources, the
 * compiler with its version and flags, and the features of the processor.
 */
#ifndef UT_ELABORATE_H
#define UT_ELABORATE_H

#include <stdbool.h>

#include "cache_caller.h"
#include "switch.h"

/* Returns the absolute path of the shared object (malloc'd), and compiles it first if it is not in the cache; with
 * `ready_only` it compiles nothing.  `progress` may be NULL.  Returns NULL after filling *e: UT_BAD_INPUT for what the
 * user can do without (no compiler, no cache folder, no space; not ready), UT_INTERNAL for a failed compilation,
 * UT_INTERRUPTED.  Several processes and threads may call it at once: one builds, the others wait for it. */
char *ut_elaborate(const struct ut_shape *shape, bool ready_only, ut_cache_progress *progress, void *ctx,
                   const volatile sig_atomic_t *interrupted, struct ut_error *e);

/* Loads it; *terminals: the steps of terminals of that shape.  Close *library by dlclose() when no group steps with it
 * any more. Returns NULL after filling *e. */
struct ut_terminal_steps; /* terminal.h */
ut_block_steps *ut_elaborated_load(const char *path, void **library, const struct ut_terminal_steps **terminals,
                                   struct ut_error *e);

#endif
