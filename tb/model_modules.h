/* model_modules.h - which modules of the RTL the switch of a shape consists of, as Verilator elaborates it. */
#ifndef UT_MODEL_MODULES_H
#define UT_MODEL_MODULES_H

#include "model_cache.h"

/* Whether one of these modules (NULL-terminated) is part of it.  1, 0, or -1 and *e: no Verilator, no folder, or RTL
 * that cannot be elaborated. */
int ut_model_contains(const struct ut_model_request *request, const char *const *modules, struct ut_error *e);

#endif
