/* SPDX-License-Identifier: Apache-2.0 */
/* schema_tables.h - the keys of scenarios and of sweeps, the algorithms and the patterns as tables of pages. */
#ifndef UT_SCHEMA_TABLES_H
#define UT_SCHEMA_TABLES_H

#include <stdio.h>

/* The tables: one for each section of a scenario, algorithms, patterns, and those of sweeps. */
extern const char *const ut_schema_table_name[]; /* ended by NULL */
void ut_schema_put_table(FILE *out, unsigned table);

#endif
