/* changes.h - which modules of changed RTL differ from ours, so that no time is spent on switches without them. */
#ifndef UT_HUNT_CHANGES_H
#define UT_HUNT_CHANGES_H

#include <stdbool.h>
#include <stddef.h>

#include "model_cache.h"

struct ut_hunt_changes {
  bool everything; /* every switch may differ: headers or ut_switch.v have changed, or nothing has */
  char **module;   /* names, NULL-terminated */
  size_t modules;
};

/* root_dir: of the repository; rtl_dir: the changed RTL, or NULL.  0, or -1 and *e; to be freed in both cases. */
int ut_hunt_changes_find(struct ut_hunt_changes *c, const char *root_dir, const char *rtl_dir, struct ut_error *e);
void ut_hunt_changes_free(struct ut_hunt_changes *c);

/* Whether a switch of the scenario has one of them.  1, 0, or -1 and *e. */
int ut_hunt_changes_concern(const struct ut_hunt_changes *c, const struct ut_model_request *request, const char *scenario,
                            struct ut_error *e);

#endif
