/* SPDX-License-Identifier: Apache-2.0 */
/* layers.h - virtual layers: sets of VCs that a packet passes in their order.  Each layer behind the first has one VC,
 * from the top; the first, where packets start, has the rest. */
#ifndef UT_LAYERS_H
#define UT_LAYERS_H

#include "algorithms.h"
#include "shape.h"

/* Layers of the shape's algorithm; with fewer VCs as many as there are. */
static inline unsigned ut_layers(const struct ut_shape *shape) {
  unsigned layers = UT_ALG_LAYERS(shape->route, shape->algorithm);
  return shape->v < layers ? shape->v : layers;
}

/* Return the number of VCs of the first layer, given the number of layers; the layer of a VC. */
static inline unsigned ut_first_layer_vcs(unsigned v, unsigned layers) {
  return v - (layers - 1);
}
static inline unsigned ut_layer_of(unsigned v, unsigned layers, unsigned vc) {
  unsigned first = ut_first_layer_vcs(v, layers);
  return vc < first ? 0 : vc - first + 1;
}

#endif
