/* SPDX-License-Identifier: Apache-2.0 */
/* model_sources.c - see model_sources.h */
#include "model_sources.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_files.h"
#include "model_nets.h"
#include "slice.h"

/* Resolves "." and ".." in a relative path, in place.  Returns false when it leaves the folder that it starts from. */
static bool normalise(char *path) {
  char *parts[64], copy[PATH_MAX], *rest = copy;
  size_t n = 0;
  snprintf(copy, sizeof copy, "%s", path);
  for (char *part; (part = strsep(&rest, "/"));) {
    if (!*part || !strcmp(part, "."))
      continue;
    if (!strcmp(part, "..") ? n-- == 0 : n == sizeof parts / sizeof *parts)
      return false;
    if (strcmp(part, ".."))
      parts[n++] = part;
  }
  char *out = path;
  for (size_t i = 0; i < n; i++)
    out += sprintf(out, i ? "/%s" : "%s", parts[i]);
  *out = '\0';
  return n > 0;
}

/* Adds the file that source `from` includes as `name`, if it is ours; generated and system headers are not. */
static int add_included(struct ut_sources *sources, const char *root, const char *from, const char *name,
                        struct ut_error *e) {
  const char *const folders[] = {from, "spec/", "csim/switch/", "tb/"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    char relative[PATH_MAX], path[PATH_MAX], stored[PATH_MAX];
    int folder = i ? (int)strlen(folders[i]) : (int)(strrchr(from, '/') + 1 - from);
    if (name[0] == '/' || ut_path_set(e, relative, "%.*s%s", folder, folders[i], name) || !normalise(relative))
      continue;
    if (ut_path_set(e, path, "%s/%s", root, relative) || ut_path_set(e, stored, "src/%s", relative))
      return -1;
    int status = ut_sources_have(sources, stored) ? 0 : ut_sources_add(sources, path, stored, true, e);
    if (status <= 0)
      return status;
  }
  return 0;
}

/* Copies the name that a line includes into `name` (PATH_MAX bytes).  Returns false if the line is no #include. */
static bool included_name(const char *line, char *name) {
  const char *p = line + strspn(line, " \t");
  if (*p++ != '#')
    return false;
  p += strspn(p, " \t");
  if (strncmp(p, "include", 7))
    return false;
  p += 7 + strspn(p + 7, " \t");
  const char *end = *p == '"' ? strpbrk(p + 1, "\"\n") : *p == '<' ? strpbrk(p + 1, ">\n") : NULL;
  if (!end || *end == '\n' || end - p > 1000)
    return false;
  snprintf(name, PATH_MAX, "%.*s", (int)(end - p - 1), p + 1);
  return true;
}

/* Adds tb/shim.cpp and every file below the root that it includes, directly or not. */
static int add_shim(struct ut_sources *sources, const char *root, struct ut_error *e) {
  char path[PATH_MAX], name[PATH_MAX];
  size_t next = sources->n;
  if (ut_path_set(e, path, "%s/tb/shim.cpp", root) || ut_sources_add(sources, path, "src/tb/shim.cpp", false, e))
    return -1;
  for (; next < sources->n; next++) {
    const char *from = sources->item[next].name + strlen("src/");
    for (const char *line = sources->item[next].data; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
      if (included_name(line, name) && add_included(sources, root, from, name, e))
        return -1;
  }
  return 0;
}

static int read_all(struct ut_sources *sources, const char *root, int status, struct ut_error *e) {
  if (status || add_shim(sources, root, e))
    return -1;
  ut_sources_sort(sources);
  return 0;
}

int ut_model_sources_read(struct ut_sources *sources, const char *root, const char *rtl, struct ut_error *e) {
  return read_all(sources, root, ut_sources_add_rtl(sources, rtl, e), e);
}

int ut_model_sources_read_gates(struct ut_sources *sources, const char *root, const char *netlist, unsigned *words,
                                struct ut_error *e) {
  char cells[PATH_MAX];
  int folder = (int)(strrchr(netlist, '/') + 1 - netlist);
  int status =
      ut_sources_add(sources, netlist, "rtl/ut_switch.v", false, e) ||
      ut_model_nets_show_registers(&sources->item[0], e) || (words && ut_model_nets_add(&sources->item[0], words, e)) ||
      ut_path_set(e, cells, "%.*scells.v", folder, netlist) || ut_sources_add(sources, cells, "rtl/cells.v", false, e);
  return read_all(sources, root, status, e);
}

static int put_slice(struct ut_sources *sources, const struct ut_slice *slice, struct ut_error *e) {
  char name[64];
  for (unsigned i = 0; i < slice->texts; i++) {
    snprintf(name, sizeof name, "obj/%s", slice->text[i].name);
    if (ut_sources_put(sources, name, slice->text[i].data, slice->text[i].size, e))
      return -1;
  }
  return 0;
}

int ut_model_sources_read_lanes(struct ut_sources *sources, const char *root, const char *netlist, unsigned words,
                                struct ut_error *e) {
  struct ut_liberty library;
  struct ut_circuit circuit;
  struct ut_slice slice = {0};
  const int status = ut_circuit_open(&circuit, &library, netlist, false, e) ||
                     ut_slice_make(&slice, &circuit, words, e) || put_slice(sources, &slice, e);
  ut_slice_free(&slice);
  ut_circuit_free(&circuit);
  ut_liberty_free(&library);
  return read_all(sources, root, status, e);
}
