/* SPDX-License-Identifier: Apache-2.0 */
/* names.c - see names.h */
#include "names.h"

#include <stdio.h>
#include <string.h>

#include "nearest.h"

/* Returns whether a part of a name, `length` letters long, is the word, or begins with it before an underscore. */
static bool part_fits(const char *part, size_t length, const char *word, size_t letters) {
  return letters && letters <= length && !strncmp(part, word, letters) && (letters == length || part[letters] == '_');
}

bool ut_name_fits(const char *name, const char *word) {
  size_t parts = 1;
  for (const char *c = word; *c; c++)
    parts += *c == '.';
  const char *from = name + strlen(name);
  while (parts) {
    while (from > name && from[-1] != '.')
      from--;
    if (!--parts)
      break;
    if (from == name)
      return false;
    from--;
  }
  for (;;) {
    const size_t length = strcspn(from, "."), letters = strcspn(word, ".");
    if (!part_fits(from, length, word, letters))
      return false;
    if (!word[letters])
      return true;
    from += length + 1;
    word += letters + 1;
  }
}

size_t ut_name_find(const char *const *names, size_t count, const char *word, struct ut_error *e) {
  size_t found = count, fitting = 0, used = 0;
  char list[512] = "";
  for (size_t i = 0; i < count; i++)
    if (!strcmp(names[i], word))
      return i;
  for (size_t i = 0; i < count; i++)
    if (ut_name_fits(names[i], word)) {
      found = i;
      fitting++;
      if (used < sizeof list)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", names[i]);
    }
  if (fitting == 1)
    return found;
  const char *near = fitting ? NULL : ut_nearest(word, names, count);
  for (size_t i = 0; !fitting && i < count && used < sizeof list; i++)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", names[i]);
  if (fitting)
    ut_fail(e, UT_BAD_INPUT, "'%.80s' can be %s", word, list);
  else
    ut_fail(e, UT_BAD_INPUT, "there is no '%.80s'%s%s%s; there are: %s", word, near ? "; did you mean '" : "",
            near ? near : "", near ? "'?" : "", *list ? list : "none");
  return count;
}
