/* SPDX-License-Identifier: Apache-2.0 */
/* elaborate.c - see elaborate.h */
#include "elaborate.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cache_entry.h"
#include "cache_files.h"
#include "cache_folder.h"
#include "cache_key.h"
#include "cache_log.h"
#include "route_unit.h"
#include "switch_sources.h"
#include "tool.h"

/* Part of every key: change it when the steps change in a way that no flag shows. */
static const char recipe[] = "uturn cycle 2";

/* The routing family's file contains functions that are called only before the first cycle and need others: the linker
 * drops everything that the cycle does not call. */
static const char *const flags[] = {"-O2",
                                    "-funroll-loops", /* gcc: those that it can do away with; clang does anyway */
                                    "-std=gnu11",
                                    "-w",
#ifdef UTURN_CHECKS
                                    "-DUTURN_CHECKS",
#endif
                                    "-fPIC",
                                    "-shared",
                                    "-fvisibility=hidden",
                                    "-fdata-sections",
                                    "-ffunction-sections",
                                    "-Wl,--gc-sections",
                                    "-Wl,-z,defs",
                                    "-Isrc",
                                    NULL};

struct elaboration {
  char compiler[PATH_MAX];
  char identity[PATH_MAX + 64]; /* of the compiler */
  const char *features[UT_FEATURES];
  struct ut_sources sources;
  struct ut_entry entry;
};

/* clang first: gcc finishes a little sooner, but its code needs up to a sixth more instructions
 * (docs/explanation/speed.md). */
static int find_compiler(struct elaboration *elaboration, struct ut_error *e) {
  char real[PATH_MAX];
  struct stat st;
  if (!ut_tool_find("clang", elaboration->compiler) && !ut_tool_find("gcc", elaboration->compiler) &&
      !ut_tool_find("cc", elaboration->compiler))
    return ut_fail(
        e, UT_BAD_INPUT,
        "elaborating the golden model needs `clang`, `gcc` or `cc`, and none is in PATH: install one (Debian: "
        "apt-get install clang) or correct PATH");
  /* Not the output of --version: a short run would wait longer for that than for its result. */
  if (!realpath(elaboration->compiler, real) || stat(real, &st))
    return ut_fail_os(e, errno, "find the compiler", elaboration->compiler);
  snprintf(elaboration->identity, sizeof elaboration->identity, "%s %" PRIdMAX " %" PRIdMAX, real, (intmax_t)st.st_size,
           (intmax_t)st.st_mtime);
  return 0;
}

/* Writes the shape in the form that csim/switch/elaborated.c and csim/network/elaborated_terminals.c need. */
static int put_shape(struct ut_sources *sources, const struct ut_shape *shape, struct ut_error *e) {
  static const char terminals[] = "#include \"shape.h\"\n#include \"elaborated_terminals.c\"\n";
  static const char switches[] = "#include \"shape.h\"\n#include \"elaborated.c\"\n";
  _Static_assert(sizeof *shape == UT_PARAMETERS * sizeof(unsigned), "a shape is its parameters");
  enum { PLACES = sizeof(struct ut_form) / sizeof(unsigned) };
  unsigned parameter[UT_PARAMETERS], place[PLACES];
  char text[2048], own[64];
  const struct ut_form form = ut_form_of(*shape);
  const struct ut_routing *family = ut_routing_find(shape->route);
  const char *name = "";
  for (unsigned i = 0; i < ut_algorithm_count; i++)
    if (ut_algorithms[i].route == shape->route)
      name = ut_algorithms[i].family;
  snprintf(own, sizeof own, "route_%s.c", name);
  int n = snprintf(text, sizeof text, "#define UT_FAMILY \"%s\"\n#define UT_LOCAL_WORDS %u\n#define UT_SHAPE {",
                   family->file ? family->file : own, form.locals);
  memcpy(parameter, shape, sizeof parameter);
  memcpy(place, &form, sizeof place);
  for (int i = 0; i < UT_PARAMETERS; i++)
    n += snprintf(text + n, sizeof text - (size_t)n, "%s%u", i ? ", " : "", parameter[i]);
  n += snprintf(text + n, sizeof text - (size_t)n, "}\n#define UT_FORM {");
  for (unsigned i = 0; i < PLACES; i++)
    n += snprintf(text + n, sizeof text - (size_t)n, "%s%u", i ? ", " : "", place[i]);
  n += snprintf(text + n, sizeof text - (size_t)n, "}\n");
  return ut_sources_put(sources, "entry/shape.h", text, (size_t)n, e) ||
                 ut_sources_put(sources, "entry/switches.c", switches, sizeof switches - 1, e) ||
                 ut_sources_put(sources, "entry/terminals.c", terminals, sizeof terminals - 1, e)
             ? -1
             : 0;
}

static int find_entry(struct elaboration *elaboration, const char *dir, struct ut_error *e) {
  XXH3_state_t *h = XXH3_createState();
  if (!h)
    return ut_fail_memory(e);
  XXH3_128bits_reset(h);
  ut_key_text(h, recipe);
  ut_key_text(h, elaboration->identity);
  ut_key_list(h, flags);
  ut_key_list(h, elaboration->features);
  ut_key_sources(h, &elaboration->sources);
  const XXH128_hash_t key = XXH3_128bits_digest(h);
  XXH3_freeState(h);
  return ut_entry_init(&elaboration->entry, dir, key, "cycle.so", e);
}

static int compile(void *of, const struct ut_caller *caller) {
  const struct elaboration *elaboration = of;
  struct ut_job job = {
      .does = "compiling the golden switch", .log_fd = -1, .has_home = true, .makes = "entry/cycle.so"};
  if (ut_sources_write(&elaboration->sources, elaboration->entry.tmp, caller->e))
    return -1;
  ut_args_add(&job.command, "%s", elaboration->compiler);
  ut_args_add_all(&job.command, flags);
  ut_args_add_all(&job.command, elaboration->features);
  ut_args_add(&job.command, "entry/switches.c");
  ut_args_add(&job.command, "entry/terminals.c");
  ut_args_add(&job.command, "-o");
  ut_args_add(&job.command, "entry/cycle.so");
  ut_caller_say(caller, "compiling");
  const int status = ut_log_run(caller, &elaboration->entry, "csim/switch", &job, 1);
  ut_jobs_free(&job, 1);
  return status || ut_log_keep(&elaboration->entry, caller->e) ? -1 : 0;
}

static char *get(struct elaboration *elaboration, const struct ut_shape *shape, bool ready_only,
                 const struct ut_caller *caller) {
  char dir[PATH_MAX];
  if (ut_cache_open(dir, caller->e) || find_compiler(elaboration, caller->e) ||
      put_shape(&elaboration->sources, shape, caller->e) ||
      ut_switch_sources_put(&elaboration->sources, "src", caller->e))
    return NULL;
  ut_tool_features(elaboration->features);
  if (find_entry(elaboration, dir, caller->e))
    return NULL;
  if (ready_only && !ut_entry_is_ready(&elaboration->entry)) {
    ut_fail(caller->e, UT_BAD_INPUT, "%s: is not in the cache", caller->what);
    return NULL;
  }
  return ready_only || ut_entry_make(&elaboration->entry, compile, elaboration, caller) >= 0
             ? strdup(elaboration->entry.path)
             : NULL;
}

char *ut_elaborate(const struct ut_shape *shape, bool ready_only, ut_cache_progress *progress, void *ctx,
                   const volatile sig_atomic_t *interrupted, struct ut_error *e) {
  struct ut_caller caller = {.progress = progress, .ctx = ctx, .interrupted = interrupted, .e = e};
  struct elaboration *elaboration = calloc(1, sizeof *elaboration);
  if (!elaboration) {
    ut_fail_memory(e);
    return NULL;
  }
  snprintf(caller.what, sizeof caller.what, "golden switch %ux%u ports, %u VC%s of %u flits", shape->pi, shape->po,
           shape->v, shape->v > 1 ? "s" : "", shape->depth);
  char *path = get(elaboration, shape, ready_only, &caller);
  ut_sources_free(&elaboration->sources);
  free(elaboration);
  return path;
}

ut_block_steps *ut_elaborated_load(const char *path, void **library, const struct ut_terminal_steps **terminals,
                                   struct ut_error *e) {
  ut_block_steps *steps = NULL;
  *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  *terminals = *library ? dlsym(*library, "ut_elaborated_terminals") : NULL;
  if (*terminals)
    *(void **)&steps = dlsym(*library, "ut_elaborated_steps");
  if (!steps)
    ut_fail(e, UT_BAD_INPUT, "%s: %s; remove its folder and try again", path, dlerror());
  if (!steps && *library)
    dlclose(*library);
  return steps;
}
