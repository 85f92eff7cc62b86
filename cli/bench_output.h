/* SPDX-License-Identifier: Apache-2.0 */
/* bench_output.h - the figures of `bench` as tables: for a terminal, and in pages. */
#ifndef UT_BENCH_OUTPUT_H
#define UT_BENCH_OUTPUT_H

#include <stdio.h>

#include "results.h"

/* A table has the cases of a group of the results (its name), and these columns. */
enum ut_bench_view { UT_VIEW_RATES, UT_VIEW_SHAPES, UT_VIEW_MEMORY, UT_VIEW_BOOKSIM, UT_VIEW_LANES, UT_VIEWS };
extern const char *const ut_bench_view_name[UT_VIEWS + 1]; /* ended by NULL */

/* On standard output, columns of a set of views (bits 1 << view). */
void ut_bench_print_head(unsigned views);
void ut_bench_print_case(const json_t *c, unsigned views);
/* All cases, with the columns of their groups. */
void ut_bench_print_results(const json_t *results);

/* What ut_results_compare() has found. */
void ut_bench_print_comparison(const json_t *old, const json_t *results, const json_t *comparison, double percent);

/* In Markdown, below a line that says when, where and which version, empty lines around both.  false: there are no such
 * cases, nothing is written. */
bool ut_bench_put_table(FILE *f, const json_t *results, enum ut_bench_view view);

#endif
