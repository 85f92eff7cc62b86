#include "route_unit.h"

ut_route_function *ut_route_find(unsigned route, unsigned algorithm) {
  return route == UT_ROUTE_FATTREE ? ut_route_fattree(algorithm) : NULL;
}

ut_quiet_steps *ut_quiet_find(unsigned route, unsigned algorithm) {
  return route == UT_ROUTE_FATTREE ? ut_quiet_fattree(algorithm) : NULL;
}
