/* SPDX-License-Identifier: Apache-2.0 */
/* switch_tables_write.h - writes forwarding tables and service levels in the forms that switch_tables.h and path_sls.h
 * read, which are those of subnet managers.
 */
#ifndef UT_SWITCH_TABLES_WRITE_H
#define UT_SWITCH_TABLES_WRITE_H

#include <stdbool.h>
#include <stdio.h>

#include "error.h"
#include "path_sls.h"
#include "switch_tables.h"

/* Whether each switch has a GUID and a LID, and each terminal both: what a dump of tables, and path SLs, name. */
bool ut_graph_has_lids(const struct ut_graph *graph);

/* Refuses a graph whose tables neither form can hold: without LIDs, and with names that CSV cannot have.  0, or -1 and
 * *e (UT_BAD_INPUT). */
int ut_switch_tables_check_form(const struct ut_graph *graph, struct ut_error *e);

/* Writes the tables of all switches: the dump of tables where the graph has LIDs, else CSV.  A destination without a
 * way has no row.  0, or -1 and *e when out of memory; errors of the stream are the caller's. */
int ut_switch_tables_write(const struct ut_switch_tables *tables, FILE *stream, struct ut_error *e);

/* Writes a row for each pair of terminals of a graph that has LIDs. */
void ut_path_sls_write(const struct ut_path_sls *sls, FILE *stream);

/* Writes the SL-to-VL table of each switch: SL i is VL i, and VLs repeat behind the last one of them. */
void ut_sl2vl_write(const struct ut_graph *graph, unsigned vls, FILE *stream);

#endif
