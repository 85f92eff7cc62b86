/* SPDX-License-Identifier: Apache-2.0 */
/* path_sls.h - the service level (SL) of each pair, and the VL that each switch makes of it, as a subnet manager says.
 *
 * Path SLs: rows "0x0000000000100001 5 3", the GUID of the source's port, the LID of the destination, the SL, which is
 * 0 to 15.  SL-to-VL tables as OpenSM writes them: "Switch 0x0000000000200000, base LID 2, "ring0"", below it rows
 * "in out : " and 16 VLs; those of channel adapters are checked and not kept.
 */
#ifndef UT_PATH_SLS_H
#define UT_PATH_SLS_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "graph.h"

enum { UT_SLS = 16, UT_NO_SL = 0xff };

struct ut_path_sls {
  const struct ut_graph *graph;
  uint32_t terminals;
  uint32_t *number; /* [nodes]: of a terminal, in the order of the graph's nodes; UT_NO_NODE: a switch */
  uint32_t *node;   /* [terminals] */
  uint8_t *sl;      /* [nodes * terminals]: to a node, from a terminal; UT_NO_SL: there is no row */
};

/* Reads path SLs; pairs may lack (ut_path_sls_complete()).  The graph must outlive them.  NULL and *e (UT_BAD_INPUT):
 * with the file, the line and the remedy. */
struct ut_path_sls *ut_path_sls_read(const char *path, const struct ut_graph *graph, struct ut_error *e);
void ut_path_sls_free(struct ut_path_sls *sls);

/* Refuses them where a pair of terminals has no SL (with `switches`: a terminal and a switch); path: for the message.
 * 0, or -1 and *e, which names the first such pair. */
int ut_path_sls_complete(const struct ut_path_sls *sls, bool switches, const char *path, struct ut_error *e);

/* Returns the SL from a terminal, by its number, to a node. */
static inline unsigned ut_path_sl(const struct ut_path_sls *sls, uint32_t from, uint32_t to) {
  return sls->sl[(size_t)to * sls->terminals + from];
}

struct ut_sl_vls {
  const struct ut_graph *graph;
  uint8_t first[UT_SLS]; /* the VLs of the first row */
  unsigned line;         /* of the first row with other VLs; 0: all rows are the same */
  uint8_t **of;          /* [nodes][ports * ports * UT_SLS]: of a switch; UT_NO_SL: there is no row */
};

/* Reads SL-to-VL tables.  NULL and *e. */
struct ut_sl_vls *ut_sl_vls_read(const char *path, const struct ut_graph *graph, struct ut_error *e);
void ut_sl_vls_free(struct ut_sl_vls *vls);

/* Refuses them where a switch has no row for two of its ports with cables; path: for the message.  0, or -1 and *e. */
int ut_sl_vls_complete(const struct ut_sl_vls *vls, const char *path, struct ut_error *e);

/* Returns the VL behind an output port, of a packet that came in at another one; ports count from 0. */
static inline unsigned ut_sl_vl(const struct ut_sl_vls *vls, uint32_t sw, unsigned in, unsigned out, unsigned sl) {
  return vls->of[sw][((size_t)in * vls->graph->node[sw].ports + out) * UT_SLS + sl];
}

#endif
