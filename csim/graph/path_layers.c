/* SPDX-License-Identifier: Apache-2.0 */
/* path_layers.c - see path_layers.h */
#include "path_layers.h"

#include <stdlib.h>
#include <string.h>

#include "path_sls.h"

/* The VL of each SL, the same at all ports. */
static int read_vls(const char *path, const struct ut_graph *graph, uint8_t vl[UT_SLS], struct ut_error *e) {
  struct ut_sl_vls *vls = ut_sl_vls_read(path, graph, e);
  if (!vls)
    return -1;
  memcpy(vl, vls->first, UT_SLS);
  const unsigned line = vls->line;
  ut_sl_vls_free(vls);
  return line ? ut_fail(e, UT_BAD_INPUT,
                        "%s:%u:1: not the VLs of the rows before: a packet keeps its VC here, so all ports need the "
                        "same",
                        path, line)
              : 0;
}

/* Turns SLs into VLs.  0, or -1 when out of memory. */
static int fill(struct ut_path_layers *layers, const struct ut_path_sls *sls, const uint8_t vl[UT_SLS]) {
  layers->terminals = sls->terminals;
  layers->layer = calloc((size_t)sls->terminals * sls->terminals + 1, 1);
  if (!layers->layer)
    return -1;
  for (uint32_t from = 0; from < sls->terminals; from++)
    for (uint32_t to = 0; to < sls->terminals; to++) {
      const unsigned sl = ut_path_sl(sls, from, sls->node[to]), layer = sl == UT_NO_SL ? 0 : vl[sl];
      layers->layer[(size_t)from * sls->terminals + to] = (uint8_t)layer;
      layers->most = layer > layers->most ? layer : layers->most;
    }
  return 0;
}

static int read_layers(struct ut_path_layers *layers, const struct ut_path_sls *sls, const char *sl_path,
                       const char *sl2vl_path, struct ut_error *e) {
  uint8_t vl[UT_SLS];
  for (unsigned i = 0; i < UT_SLS; i++)
    vl[i] = (uint8_t)i;
  if ((sl2vl_path && read_vls(sl2vl_path, sls->graph, vl, e)) || ut_path_sls_complete(sls, false, sl_path, e))
    return -1;
  return fill(layers, sls, vl) ? ut_fail_memory(e) : 0;
}

struct ut_path_layers *ut_path_layers_read(const char *sl_path, const char *sl2vl_path, const struct ut_graph *graph,
                                           struct ut_error *e) {
  struct ut_path_sls *sls = ut_path_sls_read(sl_path, graph, e);
  if (!sls)
    return NULL;
  struct ut_path_layers *layers = calloc(1, sizeof *layers);
  int result = layers ? read_layers(layers, sls, sl_path, sl2vl_path, e) : ut_fail_memory(e);
  ut_path_sls_free(sls);
  if (!result)
    return layers;
  ut_path_layers_free(layers);
  return NULL;
}

void ut_path_layers_free(struct ut_path_layers *layers) {
  if (!layers)
    return;
  free(layers->layer);
  free(layers);
}
