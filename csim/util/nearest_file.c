/* SPDX-License-Identifier: Apache-2.0 */
/* nearest_file.c - see nearest_file.h */
#define _GNU_SOURCE
#include "nearest_file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nearest.h"

enum { MOST_FILES = 4096 };

/* The name in a folder that is most like the word and ends as it does; malloc'd, NULL: none. */
static char *nearest_in(const char *folder, const char *word) {
  const char *ending = strrchr(word, '.');
  char **name = malloc(MOST_FILES * sizeof *name);
  size_t count = 0;
  DIR *d = name ? opendir(folder) : NULL;
  for (const struct dirent *entry; d && count < MOST_FILES && (entry = readdir(d));) {
    const char *dot = strrchr(entry->d_name, '.');
    if (dot && dot != entry->d_name && !strcmp(dot, ending) && (name[count] = strdup(entry->d_name)))
      count++;
  }
  if (d)
    closedir(d);
  const char *nearest = ut_nearest(word, (const char *const *)name, count);
  char *copy = nearest ? strdup(nearest) : NULL;
  for (size_t i = 0; i < count; i++)
    free(name[i]);
  free(name);
  return copy;
}

static bool write_nearest(const char *folder, const char *word, char near[PATH_MAX]) {
  char *name = nearest_in(*folder ? folder : ".", word);
  const int length = name ? snprintf(near, PATH_MAX, "%s%s", folder, name) : -1;
  free(name);
  return length > 0 && length < PATH_MAX;
}

/* With the stroke at its end. */
static void find_scenarios(char folder[PATH_MAX]) {
  const char *root = getenv("UTURN_ROOT");
  const bool here = access("scenarios", R_OK) == 0 || !root;
  const int length = snprintf(folder, PATH_MAX, "%s%sscenarios/", here ? "" : root, here ? "" : "/");
  if (length >= PATH_MAX)
    folder[0] = '\0';
}

const char *ut_nearest_file(const char *path, bool scenario, char near[PATH_MAX]) {
  char scenarios[PATH_MAX], folder[PATH_MAX], word[NAME_MAX + 8];
  const char *stroke = strrchr(path, '/'), *base = stroke ? stroke + 1 : path;
  if (!*base || strlen(base) > NAME_MAX || (size_t)(base - path) >= sizeof folder)
    return NULL;
  snprintf(word, sizeof word, "%s%s", base, strchr(base, '.') ? "" : ".yaml");
  snprintf(folder, sizeof folder, "%.*s", (int)(base - path), path);
  find_scenarios(scenarios);
  const int length = snprintf(near, PATH_MAX, "%s%s", scenarios, word);
  if (scenario && length < PATH_MAX && access(near, R_OK) == 0)
    return near;
  return write_nearest(folder, word, near) || (scenario && write_nearest(scenarios, word, near)) ? near : NULL;
}
