/* rtl.h - inside of struct ut_rtl, for this room only. */
#ifndef UT_RTL_H
#define UT_RTL_H

#include "lockstep.h"

struct ut_rtl {
  void *library;
  const struct ut_model_api *api;
  const struct ut_topology *topology;
  void **model; /* [count] */
  uint32_t count;
  unsigned v;
  uint32_t robbed; /* switch whose next credit is lost; UINT32_MAX: none */
  struct ut_backend backend;
  struct ut_wave wave;
  void **traced;
  void *trace;
};

#endif
