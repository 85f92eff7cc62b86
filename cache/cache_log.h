/* SPDX-License-Identifier: Apache-2.0 */
/* cache_log.h - build.log of an entry: what its tools said, and what of that goes into the message when one fails. */
#ifndef UT_CACHE_LOG_H
#define UT_CACHE_LOG_H

#include "cache_entry.h"
#include "cache_tools.h"

/* Runs the jobs in the temporary folder of an entry that is being built and keeps what they say in build.log there.
 * from: what it is made from, for the message, which says where the log of a failure was moved to.  Returns 0, or -1
 * after filling the error. */
int ut_log_run(const struct ut_caller *caller, const struct ut_entry *entry, const char *from, struct ut_job *jobs,
               int count);
/* The entry is built: moves build.log into tmp/entry/, if a tool was run. */
int ut_log_keep(const struct ut_entry *entry, struct ut_error *e);
/* The entry is in place: removes the log of an earlier failure. */
void ut_log_forget_failure(const struct ut_entry *entry);

#endif
