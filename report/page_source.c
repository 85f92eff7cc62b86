/* SPDX-License-Identifier: Apache-2.0 */
/* page_source.c - see page_source.h */
#include "page_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cache_files.h"
#include "input.h"
#include "input_limits.h"

static bool has_key(const struct ut_page_source *source, const char *key) {
  return source->yaml.path && ut_document_find((struct ut_document *)(uintptr_t)&source->yaml, NULL, key);
}
static bool is_scenario(const struct ut_page_source *source) {
  return has_key(source, "topology");
}
static bool is_sweep(const struct ut_page_source *source) {
  return has_key(source, "base") || (!source->folder && ut_path_ends(source->path, ".sqlite"));
}
static bool is_folder(const struct ut_page_source *source) {
  return source->folder;
}

/* The first kind that accepts a source makes its sections. */
static const struct {
  const char *what; /* in messages */
  bool (*is)(const struct ut_page_source *s);
  ut_page_function *add;
  ut_page_check *check; /* NULL: `is` says it all */
} kinds[] = {
    {"a scenario (FILE.yaml with `topology:`)", is_scenario, ut_scenario_section, NULL},
    {"a sweep (FILE.yaml with `base:`) or its database (FILE.sqlite)", is_sweep, ut_sweep_section, ut_sweep_check},
    {"the results folder of `uturn reproduce`", is_folder, ut_reproduction_section, ut_reproduction_check},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void close_source(struct ut_page_source *source) {
  if (source->yaml.path)
    ut_document_free(&source->yaml);
  free(source->text);
}

static int open_source(struct ut_page_source *source, const char *path, struct ut_error *e) {
  struct stat there;
  *source = (struct ut_page_source){.path = path};
  if (stat(path, &there))
    return ut_input_fail_open(path, "scenario or sweep", errno, e);
  source->folder = S_ISDIR(there.st_mode);
  if (source->folder || ut_path_ends(path, ".sqlite")) /* databases are read by the kinds that know them */
    return 0;
  source->text = ut_input_read(path, "scenario or sweep", UT_INPUT_AGAIN, UT_LIMIT_YAML_BYTES, &source->length, e);
  if (!source->text)
    return -1;
  if (!memchr(source->text, '\0', source->length) &&
      ut_document_load(&source->yaml, source->text, source->length, path, ut_path_ends(path, ".yaml") ? e : NULL)) {
    source->yaml.path = NULL;
    if (ut_path_ends(path, ".yaml")) {
      close_source(source);
      return -1;
    }
  }
  return 0;
}

/* Returns the number of its kind; -1 and *e on failure. */
static int kind_of(const struct ut_page_source *source, struct ut_error *e) {
  char list[512] = "";
  for (int i = 0; i < KINDS; i++) {
    if (kinds[i].is(source))
      return i;
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", kinds[i].what);
  }
  return ut_fail(e, UT_BAD_INPUT, "%s: no page can be made from this %s; expected %s", source->path,
                 source->folder ? "folder" : "file", list);
}

int ut_page_source_check(const char *path, const struct ut_page_options *options, struct ut_error *e) {
  struct ut_page_source source;
  if (open_source(&source, path, e))
    return -1;
  const int kind = kind_of(&source, e);
  int status = kind < 0 ? -1 : 0;
  if (!status && options->faults && kinds[kind].is != is_scenario)
    status = ut_fail(e, UT_BAD_INPUT, "%s: --fault is for scenarios; what this shows has been run", path);
  if (!status && kinds[kind].check)
    status = kinds[kind].check(&source, options, e);
  close_source(&source);
  return status;
}

int ut_page_source_add(struct ut_html_page *page, const char *path, struct ut_page_options *options,
                       struct ut_error *e) {
  struct ut_page_source source;
  if (open_source(&source, path, e))
    return -1;
  const int kind = kind_of(&source, e), status = kind < 0 ? -1 : kinds[kind].add(page, &source, options, e);
  close_source(&source);
  return status;
}
