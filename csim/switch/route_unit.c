/* SPDX-License-Identifier: Apache-2.0 */
/* route_unit.c - the table of routing families: see route_unit.h */
#include "route_unit.h"

const struct ut_routing *ut_routing_find(unsigned route) {
  static const struct ut_routing *const families[] = {
      [UT_ROUTE_FATTREE] = &ut_routing_fattree,
      [UT_ROUTE_TABLE] = &ut_routing_table,
      [UT_ROUTE_TORUS] = &ut_routing_torus,
      [UT_ROUTE_MESH] = &ut_routing_mesh,
      [UT_ROUTE_RUFT] = &ut_routing_ruft,
      [UT_ROUTE_DETOUR_CUBE] = &ut_routing_detour_cube,
      [UT_ROUTE_DETOUR_MESH] = &ut_routing_detour_mesh,
      [UT_ROUTE_DETOUR_TORUS] = &ut_routing_detour_torus,
  };
  return route < sizeof families / sizeof families[0] ? families[route] : NULL;
}
