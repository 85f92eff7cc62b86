/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_section.c - the results of a sweep, as a section of a page: what its database has; nothing is run. */
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
static int open_results(const struct ut_page_source *s, struct ut_store *store, struct ut_summary *summary,
                        struct ut_error *e) {
  char path[PATH_MAX];
  *summary = (struct ut_summary){0};
  if (ut_store_path(s->path, path, e))
    return -1;
  if (s->yaml.path && access(path, F_OK))
    return ut_fail(e, UT_BAD_INPUT, "%s: the sweep has no results yet: %s: %s\n`%s sweep %s` makes them", s->path, path,
                   strerror(errno), ut_program_name(), s->path);
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

int ut_sweep_check(const struct ut_page_source *s, const struct ut_page_options *o, struct ut_error *e) {
  struct ut_store store;
  struct ut_summary summary;
  (void)o;
  if (open_results(s, &store, &summary, e))
    return -1;
  ut_summary_free(&summary);
  ut_store_close(&store, NULL);
  return 0;
}

/* ---- the section */

struct origin {
  struct ut_store *store;
  const struct ut_summary *summary;
  const char *yaml; /* the sweep file as it is now, NULL: only the database was named */
  const char *ran;  /* as it was when it was run */
};

static json_t *make_data(void *ctx, enum ut_results_extent extent, struct ut_error *e) {
  const struct origin *o = ctx;
  json_t *data = ut_results_json(o->store, o->summary, extent, e);
  if (data && o->yaml && o->ran && strcmp(o->yaml, o->ran))
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

static int add_section(struct ut_html_page *p, const struct ut_page_source *s, struct origin *o, struct ut_error *e) {
  char name[NAME_MAX + 1], run[PATH_MAX + 32], read[PATH_MAX + 32];
  const char *file = o->summary->sweep ? o->summary->sweep : s->path;
  snprintf(run, sizeof run, "./uturn sweep %s", s->yaml.path ? s->path : file);
  snprintf(read, sizeof read, "./uturn sweep %s --read --json", o->store->path);
  const struct ut_html_command commands[] = {{"all runs", run}, {"means and intervals", read}};
  name_of(o->store->path, name);
  struct ut_html_section section = {
      .type = "sweep",
      .title = name,
      .lead =
          "A sweep runs a scenario again and again, with other loads, sizes, algorithms or faults. Each point below "
          "is the mean over runs that differ in their random numbers only; a bar shows how well the mean is known.",
      .source = file,
      .text = o->ran,
      .command = commands,
      .commands = 2};
  return ut_results_section(p, s->path, &section, make_data, o, e);
}

int ut_sweep_section(struct ut_html_page *p, const struct ut_page_source *s, struct ut_page_options *options,
                     struct ut_error *e) {
  struct ut_store store;
  struct ut_summary summary;
  (void)options;
  if (open_results(s, &store, &summary, e))
    return -1;
  char *ran = ut_store_meta(&store, "text");
  struct origin o = {&store, &summary, s->yaml.path ? s->text : NULL, ran};
  const int status = add_section(p, s, &o, e);
  free(ran);
  ut_summary_free(&summary);
  ut_store_close(&store, NULL);
  return status;
}
