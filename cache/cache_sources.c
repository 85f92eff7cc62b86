/* SPDX-License-Identifier: Apache-2.0 */
/* cache_sources.c - see cache_sources.h */
#include "cache_sources.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cache_files.h"

bool ut_sources_have(const struct ut_sources *sources, const char *name) {
  for (size_t i = 0; i < sources->n; i++)
    if (!strcmp(sources->item[i].name, name))
      return true;
  return false;
}

/* Takes `data`, which is malloc'd. */
static int take(struct ut_sources *sources, const char *name, char *data, size_t size, struct ut_error *e) {
  struct ut_source *more = realloc(sources->item, (sources->n + 1) * sizeof *more);
  char *copy = strdup(name);
  if (more)
    sources->item = more;
  if (!more || !copy || !data) {
    free(copy);
    free(data);
    return ut_fail_memory(e);
  }
  sources->item[sources->n++] = (struct ut_source){.name = copy, .data = data, .size = size};
  return 0;
}

int ut_sources_add(struct ut_sources *sources, const char *path, const char *name, bool optional, struct ut_error *e) {
  char *data = NULL;
  size_t size = 0;
  int error = ut_file_read(path, &data, &size);
  if (error && optional && (error == ENOENT || error == ENOTDIR || error == EISDIR || error == EINVAL))
    return 1;
  return error ? ut_fail_source(e, error, "read", path) : take(sources, name, data, size, e);
}

int ut_sources_put(struct ut_sources *sources, const char *name, const char *data, size_t size, struct ut_error *e) {
  char *copy = malloc(size + 1);
  if (copy) {
    memcpy(copy, data, size);
    copy[size] = '\0';
  }
  return take(sources, name, copy, size, e);
}

static int compare_sources(const void *a, const void *b) {
  return strcmp(((const struct ut_source *)a)->name, ((const struct ut_source *)b)->name);
}

/* Names that no script of Yosys can quote: a word ends at a quote, a command at the end of a line. */
static int check_name(const char *rtl, const char *name, struct ut_error *e) {
  for (const char *c = name; *c; c++)
    if (*c == '"' || (unsigned char)*c < ' ' || *c == 0x7f)
      return ut_fail(
          e, UT_BAD_INPUT,
          "the RTL folder %.900s: Yosys cannot be given the file name '%.255s', which has a quote or a control "
          "character: rename it",
          rtl, name);
  return 0;
}

int ut_sources_add_rtl(struct ut_sources *sources, const char *rtl, struct ut_error *e) {
  DIR *d = opendir(rtl);
  if (!d)
    return ut_fail_source(e, errno, "read the RTL folder", rtl);
  int status = 0;
  for (struct dirent *dirent; !status && (dirent = readdir(d));) {
    if (dirent->d_name[0] == '.' || (!ut_path_ends(dirent->d_name, ".v") && !ut_path_ends(dirent->d_name, ".vh")))
      continue;
    char path[PATH_MAX], name[PATH_MAX];
    status = check_name(rtl, dirent->d_name, e) || ut_path_set(e, path, "%s/%s", rtl, dirent->d_name) ||
                     ut_path_set(e, name, "rtl/%s", dirent->d_name)
                 ? -1
                 : ut_sources_add(sources, path, name, false, e);
  }
  closedir(d);
  if (!status && !ut_sources_have(sources, "rtl/ut_switch.v"))
    return ut_fail(e, UT_BAD_INPUT, "the RTL folder %.900s has no ut_switch.v: name the folder of the switch's Verilog",
                   rtl);
  return status;
}

int ut_sources_write(const struct ut_sources *sources, const char *folder, struct ut_error *e) {
  for (size_t i = 0; i < sources->n; i++) {
    char path[PATH_MAX];
    if (ut_path_set(e, path, "%s/%s", folder, sources->item[i].name))
      return -1;
    char *slash = strrchr(path, '/');
    *slash = '\0';
    if (ut_folders_make(path, 0777, e))
      return -1;
    *slash = '/';
    if (ut_file_write(path, sources->item[i].data, sources->item[i].size, e))
      return -1;
  }
  return 0;
}

void ut_sources_sort(struct ut_sources *sources) {
  qsort(sources->item, sources->n, sizeof *sources->item, compare_sources);
}

void ut_sources_free(struct ut_sources *sources) {
  for (size_t i = 0; i < sources->n; i++) {
    free(sources->item[i].name);
    free(sources->item[i].data);
  }
  free(sources->item);
  *sources = (struct ut_sources){0};
}

int ut_sources_rtl_folder(const char *root, const char *rtl, char *out, struct ut_error *e) {
  char path[PATH_MAX];
  if (rtl ? ut_path_set(e, path, "%s", rtl) : ut_path_set(e, path, "%s/rtl", root))
    return -1;
  return realpath(path, out) ? 0 : ut_fail_source(e, errno, "find the RTL folder", path);
}
