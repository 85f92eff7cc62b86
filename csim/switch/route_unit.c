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

static ut_quiet_steps *find_for_one_vc(const struct ut_shape *shape) {
  switch (shape->route) {
  case UT_ROUTE_FATTREE: return ut_quiet_fattree(shape->algorithm);
  case UT_ROUTE_TABLE: return ut_quiet_table(shape->algorithm);
  default: return NULL;
  }
}

static ut_quiet_steps *find_for_several_vcs(const struct ut_shape *shape) {
  switch (shape->route) {
  case UT_ROUTE_TORUS: return ut_quiet_vcs_torus(shape->algorithm, has_mechanisms(shape));
  case UT_ROUTE_MESH: return ut_quiet_vcs_mesh(shape->algorithm, has_mechanisms(shape));
  default: return NULL;
  }
}

ut_quiet_steps *ut_quiet_find(const struct ut_shape *shape) {
  return shape->v == 1 ? find_for_one_vc(shape) : find_for_several_vcs(shape);
}
