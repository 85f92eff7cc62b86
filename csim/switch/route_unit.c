#include "route_unit.h"

ut_route_function *ut_route_find(unsigned route, unsigned algorithm) {
  switch (route) {
  case UT_ROUTE_FATTREE: return ut_route_fattree(algorithm);
  case UT_ROUTE_TABLE: return ut_route_table(algorithm);
  case UT_ROUTE_TORUS: return ut_route_torus(algorithm);
  case UT_ROUTE_MESH: return ut_route_mesh(algorithm);
  default: return NULL;
  }
}

ut_quiet_steps *ut_quiet_find(unsigned route, unsigned algorithm) {
  switch (route) {
  case UT_ROUTE_FATTREE: return ut_quiet_fattree(algorithm);
  case UT_ROUTE_TABLE: return ut_quiet_table(algorithm);
  default: return NULL;
  }
}
