/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_fixture.h - sweeps from texts, in a folder of their own that is gone afterwards. */
#ifndef SWEEP_FIXTURE_H
#define SWEEP_FIXTURE_H

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "cache_files.h"
#include "sweep_file.h"

static char fixture_folder[PATH_MAX];

static inline const char *fixture_path(const char *name, char path[PATH_MAX]) {
  if (!*fixture_folder) {
    snprintf(fixture_folder, sizeof fixture_folder, "/tmp/uturn-test-sweep-XXXXXX");
    assert_non_null(mkdtemp(fixture_folder));
  }
  snprintf(path, PATH_MAX, "%.4000s/%.90s", fixture_folder, name);
  return path;
}

static inline void fixture_write(const char *name, const char *text) {
  char path[PATH_MAX];
  FILE *f = fopen(fixture_path(name, path), "w");
  assert_non_null(f);
  fputs(text, f);
  assert_int_equal(fclose(f), 0);
}

static inline int fixture_remove(void **state) {
  (void)state;
  if (*fixture_folder)
    ut_folder_remove(fixture_folder);
  return 0;
}

#define FIXTURE_BASE                                                                                                   \
  "base:\n  topology: {kind: fat_tree, k: 2, n: 3}\n  routing: {algorithm: fta}\n"                                     \
  "  traffic: {load_flits_per_cycle: 0.1}\n  run: {measure_cycles: 200, seed: 7}\n"

/* FIXTURE_BASE and `rest`; NULL and *e. */
static inline struct ut_sweep *fixture_sweep(const char *rest, struct ut_error *e) {
  char text[4096], path[PATH_MAX];
  snprintf(text, sizeof text, "%s%s", FIXTURE_BASE, rest);
  fixture_write("sweep.yaml", text);
  return ut_sweep_load(fixture_path("sweep.yaml", path), e);
}

#endif
