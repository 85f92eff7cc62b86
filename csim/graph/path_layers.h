/* SPDX-License-Identifier: Apache-2.0 */
/* path_layers.h - the virtual layer of each pair of terminals, from the path SLs and SL-to-VL tables of a subnet
 * manager.
 *
 * Path SLs: rows "0x0000000000100001 5 3", the GUID of the source's port, the LID of the destination, the SL, which is
 * 0 to 15; every pair of terminals must have a row, because no SL may be assumed.  SL-to-VL tables as OpenSM writes
 * them, "Switch 0x0000000000200000, base LID 2, "ring0"", below it rows "in out : " and 16 VLs: all rows must say the
 * same, because a packet keeps its VC here.
 */
#ifndef UT_PATH_LAYERS_H
#define UT_PATH_LAYERS_H

#include "error.h"
#include "graph.h"

struct ut_path_layers {
  uint32_t terminals;
  uint8_t *layer; /* [terminals * terminals]: from, to; in the order of the graph's nodes */
  unsigned most;  /* the highest one */
};

/* sl2vl_path NULL: the layer of a pair is its SL.  NULL and *e (UT_BAD_INPUT): with the file, the line and the remedy.
 */
struct ut_path_layers *ut_path_layers_read(const char *sl_path, const char *sl2vl_path, const struct ut_graph *graph,
                                           struct ut_error *e);
void ut_path_layers_free(struct ut_path_layers *layers);

#endif
