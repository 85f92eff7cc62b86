/* bench_page.h - pages whose tables `bench` writes: between the lines <!-- bench: NAME --> and <!-- bench: end -->,
 * NAME being that of a table (bench_output.h). */
#ifndef UT_BENCH_PAGE_H
#define UT_BENCH_PAGE_H

#include "results.h"

/* Whether the page can be read and has such lines.  0, or -1 and *e. */
int ut_bench_page_check(const char *path, struct ut_error *e);
/* Replaces the tables that the results have cases of.  Nothing is half-written.  0, or -1 and *e. */
int ut_bench_page_write(const char *path, const json_t *results, struct ut_error *e);

#endif
