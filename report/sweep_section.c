/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_section.c - the results of a sweep as a section of a page: the contents of its database; nothing is run. */
#define _GNU_SOURCE /* basename */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache_files.h"
#include "page_source.h"
#include "program_name.h"
#include "results_json.h"

/* ---- the database */

/* Opens it, with a summary of it.  -1 and *e. */
static int open_results(const struct ut_page_source *source, struct ut_store *store, struct ut_summary *summary,
                        struct ut_error *e) {
  char path[PATH_MAX];
  *summary = (struct ut_summary){0};
  if (ut_store_path(source->path, path, e))
    return -1;
  if (source->yaml.path && access(path, F_OK))
    return ut_fail(e, UT_BAD_INPUT, "%s: the sweep has no results yet: %s: %s\n`%s sweep %s` makes them", source->path,
                   path, strerror(errno), ut_program_name(), source->path);
  if (ut_store_read(store, path, e))
    return -1;
  int status = ut_summary_load(summary, store, NULL, e);
  if (!status && !summary->points)
    status = ut_fail(e, UT_BAD_INPUT, "%s: no run of the sweep has ended yet\n`%s sweep` makes its results", path,
                     ut_program_name());
  if (status) {
    ut_summary_free(summary);
    ut_store_close(store, NULL);
  }
  return status;
}

int ut_sweep_check(const struct ut_page_source *source, const struct ut_page_options *options, struct ut_error *e) {
  struct ut_store store;
  struct ut_summary summary;
  (void)options;
  if (open_results(source, &store, &summary, e))
    return -1;
  ut_summary_free(&summary);
  ut_store_close(&store, NULL);
  return 0;
}

/* ---- the section */

struct origin {
  struct ut_store *store;
  const struct ut_summary *summary;
  const char *yaml; /* the present sweep file; NULL: only the database was named */
  const char *ran;  /* the sweep file at the time of the run */
};

static json_t *make_data(void *ctx, enum ut_results_extent extent, struct ut_error *e) {
  const struct origin *origin = ctx;
  json_t *data = ut_results_json(origin->store, origin->summary, extent, e);
  if (data && origin->yaml && origin->ran && strcmp(origin->yaml, origin->ran))
    json_object_set_new(data, "changed", json_true());
  return data;
}

/* "latency load" of "experiments/latency_load.sqlite"; "NAME, over load" of "NAME.load.sqlite", which `plot` makes.
 */
static void name_of(const char *path, char name[NAME_MAX + 1]) {
  const char *file = basename(path), *dot = strrchr(file, '.');
  int length = (int)(dot && dot > file ? dot - file : (long)strlen(file));
  const bool loads = length > 5 && !strncmp(file + length - 5, ".load", 5);
  snprintf(name, NAME_MAX + 1, "%.*s%s", loads ? length - 5 : length, file, loads ? ", over load" : "");
  for (char *c = name; *c; c++)
    *c = *c == '_' ? ' ' : *c;
}

static int add_section(struct ut_html_page *page, const struct ut_page_source *source, struct origin *origin,
                       struct ut_error *e) {
  char name[NAME_MAX + 1], run[PATH_MAX + 32], read[PATH_MAX + 32];
  const char *file = origin->summary->sweep ? origin->summary->sweep : source->path;
  snprintf(run, sizeof run, "./uturn sweep %s", source->yaml.path ? source->path : file);
  snprintf(read, sizeof read, "./uturn sweep %s --read --json", origin->store->path);
  const struct ut_html_command commands[] = {{"all runs", run}, {"means and intervals", read}};
  name_of(origin->store->path, name);
  struct ut_html_section section = {
      .type = "sweep",
      .title = name,
      .lead =
          "A sweep runs a scenario again and again, with other loads, sizes, algorithms or faults. Each point below "
          "is the mean over runs that differ in their random numbers only; a bar shows how well the mean is known.",
      .source = file,
      .text = origin->ran,
      .command = commands,
      .commands = 2};
  return ut_results_section(page, source->path, &section, make_data, origin, e);
}

int ut_sweep_section(struct ut_html_page *page, const struct ut_page_source *source, struct ut_page_options *options,
                     struct ut_error *e) {
  struct ut_store store;
  struct ut_summary summary;
  (void)options;
  if (open_results(source, &store, &summary, e))
    return -1;
  char *ran = ut_store_meta(&store, "text");
  struct origin origin = {&store, &summary, source->yaml.path ? source->text : NULL, ran};
  const int status = add_section(page, source, &origin, e);
  free(ran);
  ut_summary_free(&summary);
  ut_store_close(&store, NULL);
  return status;
}
