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

static bool has_key(const struct ut_page_source *s, const char *key) {
  return s->yaml.path && ut_document_find((struct ut_document *)(uintptr_t)&s->yaml, NULL, key);
}
static bool is_scenario(const struct ut_page_source *s) {
  return has_key(s, "topology");
}
static bool is_sweep(const struct ut_page_source *s) {
  return has_key(s, "base") || (!s->folder && ut_path_ends(s->path, ".sqlite"));
}
static bool is_folder(const struct ut_page_source *s) {
  return s->folder;
}

/* The first kind that takes a source makes its sections. */
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

static void close_source(struct ut_page_source *s) {
  if (s->yaml.path)
    ut_document_free(&s->yaml);
  free(s->text);
}

static int open_source(struct ut_page_source *s, const char *path, struct ut_error *e) {
  struct stat there;
  *s = (struct ut_page_source){.path = path};
  if (stat(path, &there))
    return ut_input_fail_open(path, "scenario or sweep", errno, e);
  s->folder = S_ISDIR(there.st_mode);
  if (s->folder || ut_path_ends(path, ".sqlite")) /* databases are read by who knows them */
    return 0;
  s->text = ut_input_read(path, "scenario or sweep", UT_INPUT_AGAIN, UT_LIMIT_YAML_BYTES, &s->length, e);
  if (!s->text)
    return -1;
  if (!memchr(s->text, '\0', s->length) &&
      ut_document_load(&s->yaml, s->text, s->length, path, ut_path_ends(path, ".yaml") ? e : NULL)) {
    s->yaml.path = NULL;
    if (ut_path_ends(path, ".yaml")) {
      close_source(s);
      return -1;
    }
  }
  return 0;
}

/* The number of its kind; -1 and *e. */
static int kind_of(const struct ut_page_source *s, struct ut_error *e) {
  char list[512] = "";
  for (int i = 0; i < KINDS; i++) {
    if (kinds[i].is(s))
      return i;
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", kinds[i].what);
  }
  return ut_fail(e, UT_BAD_INPUT, "%s: no page can be made from this %s; expected %s", s->path,
                 s->folder ? "folder" : "file", list);
}

int ut_page_source_check(const char *path, const struct ut_page_options *o, struct ut_error *e) {
  struct ut_page_source s;
  if (open_source(&s, path, e))
    return -1;
  const int kind = kind_of(&s, e);
  int status = kind < 0 ? -1 : 0;
  if (!status && o->faults && kinds[kind].is != is_scenario)
    status = ut_fail(e, UT_BAD_INPUT, "%s: --fault is for scenarios; what this shows has been run", path);
  if (!status && kinds[kind].check)
    status = kinds[kind].check(&s, o, e);
  close_source(&s);
  return status;
}

int ut_page_source_add(struct ut_html_page *p, const char *path, struct ut_page_options *o, struct ut_error *e) {
  struct ut_page_source s;
  if (open_source(&s, path, e))
    return -1;
  const int kind = kind_of(&s, e), status = kind < 0 ? -1 : kinds[kind].add(p, &s, o, e);
  close_source(&s);
  return status;
}
