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

/* ---- terminals of one switch */

/* Of each terminal its switch, and of each switch its first terminal. */
struct homes {
  uint32_t *home;  /* [terminals]: the node of the switch */
  uint32_t *first; /* [nodes] */
};

static void find_homes(const struct homes *homes, const struct ut_path_sls *sls) {
  const struct ut_graph *graph = sls->graph;
  for (uint32_t i = graph->channels; i-- > 0;)
    if (graph->node[graph->channel[i].from].terminal)
      homes->home[sls->number[graph->channel[i].from]] = graph->channel[i].to;
  for (uint32_t i = sls->terminals; i-- > 0;)
    homes->first[homes->home[i]] = i;
}

/* Refuses terminals of one switch whose packets to another switch are in different layers. */
static int check_switches(const struct homes *homes, const struct ut_path_layers *layers, const struct ut_path_sls *sls,
                          const char *sl_path, struct ut_error *e) {
  const struct ut_graph *graph = sls->graph;
  for (uint32_t from = 0; from < layers->terminals; from++) {
    const uint32_t first = homes->first[homes->home[from]];
    for (uint32_t to = 0; to < layers->terminals; to++)
      if (homes->home[to] != homes->home[from] &&
          layers->layer[(size_t)from * layers->terminals + to] != layers->layer[(size_t)first * layers->terminals + to])
        return ut_fail(e, UT_BAD_INPUT,
                       "%s: '%s' and '%s' of one switch send to '%s' on different VCs: layers are by switch here",
                       sl_path, graph->node[sls->node[first]].name, graph->node[sls->node[from]].name,
                       graph->node[sls->node[to]].name);
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
  const struct homes homes = {.home = calloc(sls->terminals + 1, sizeof *homes.home),
                              .first = calloc(sls->graph->nodes + 1, sizeof *homes.first)};
  int result = homes.home && homes.first && !fill(layers, sls, vl) ? 0 : ut_fail_memory(e);
  if (!result) {
    find_homes(&homes, sls);
    result = check_switches(&homes, layers, sls, sl_path, e);
  }
  free(homes.home);
  free(homes.first);
  return result;
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
