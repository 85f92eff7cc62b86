/* model_sources.h - a snapshot of the files of ours that a model is made from: the RTL, the shim, what that includes.
 */
#ifndef UT_MODEL_SOURCES_H
#define UT_MODEL_SOURCES_H

#include <stddef.h>

#include "error.h"

struct ut_source {
  char *name; /* below the folder of the build: rtl/..., src/tb/..., src/csim/... */
  char *data;
  size_t size;
};

struct ut_sources { /* all zero: empty */
  struct ut_source *item;
  size_t n;
};

/* Reads them, each once, in the order of their names.  root: of the repository, rtl: the folder of switch.v.  Returns
 * 0, or -1 after filling *e; free in both cases. */
int ut_sources_read(struct ut_sources *s, const char *root, const char *rtl, struct ut_error *e);
/* The same for a netlist and the models of its cells, which become rtl/switch.v. */
int ut_sources_read_netlist(struct ut_sources *s, const char *root, const char *netlist, const char *cells,
                            struct ut_error *e);
/* Writes them below `folder`.  Returns 0, or -1 after filling *e. */
int ut_sources_write(const struct ut_sources *s, const char *folder, struct ut_error *e);
void ut_sources_free(struct ut_sources *s);

#endif
