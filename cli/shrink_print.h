/* shrink_print.h - the report of `cosim --shrink`. */
#ifndef UT_SHRINK_PRINT_H
#define UT_SHRINK_PRINT_H

#include "shrink.h"

/* On standard output, as text or as one JSON object.  s: the scenario that was to be made smaller. */
void ut_shrink_print(const struct ut_shrink_result *r, const struct ut_scenario *s, const char *prefix,
                     const char *command, bool json);

#endif
