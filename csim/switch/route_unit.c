#include "route_unit.h"

/* Whether a torus or mesh has mechanisms of INTERMEDIATE. */
static bool has_mechanisms(const struct ut_shape *shape) {
  return shape->escapes > 1 || shape->deterministic || shape->misroute;
}

ut_route_function *ut_route_find(const struct ut_shape *shape) {
  const unsigned algorithm = shape->algorithm;
  switch (shape->route) {
  case UT_ROUTE_FATTREE: return ut_route_fattree(algorithm);
  case UT_ROUTE_TABLE: return ut_route_table(algorithm);
  case UT_ROUTE_TORUS: return ut_route_torus(algorithm, has_mechanisms(shape));
  case UT_ROUTE_MESH: return ut_route_mesh(algorithm, has_mechanisms(shape));
  default: return NULL;
  }
}

ut_quiet_steps *ut_quiet_find(const struct ut_shape *shape) {
  switch (shape->route) {
  case UT_ROUTE_FATTREE: return shape->v == 1 ? ut_quiet_fattree(shape->algorithm) : NULL;
  case UT_ROUTE_TABLE: return shape->v == 1 ? ut_quiet_table(shape->algorithm) : NULL;
  case UT_ROUTE_TORUS: return shape->v == 1 ? NULL : ut_quiet_torus(shape, has_mechanisms(shape));
  case UT_ROUTE_MESH: return shape->v == 1 ? NULL : ut_quiet_mesh(shape, has_mechanisms(shape));
  default: return NULL;
  }
}
