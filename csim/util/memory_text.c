/* SPDX-License-Identifier: Apache-2.0 */
/* memory_text.c - see memory_text.h */
#define _GNU_SOURCE
#include "memory_text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

struct memory {
  char **text;
  size_t *size, capacity;
};

static ssize_t put(void *cookie, const char *data, size_t length) {
  struct memory *m = cookie;
  if (*m->size + length >= m->capacity) {
    const size_t capacity = 2 * (*m->size + length) + 256;
    char *larger = realloc(*m->text, capacity);
    if (!larger)
      return 0;
    *m->text = larger;
    m->capacity = capacity;
  }
  memcpy(*m->text + *m->size, data, length);
  *m->size += length;
  (*m->text)[*m->size] = '\0';
  return (ssize_t)length;
}

static int end(void *cookie) {
  free(cookie);
  return 0;
}

FILE *ut_memory_open(char **text, size_t *size) {
  struct memory *m = malloc(sizeof *m);
  *text = calloc(1, 1);
  *size = 0;
  if (m)
    *m = (struct memory){.text = text, .size = size, .capacity = 1};
  FILE *f = m && *text ? fopencookie(m, "w", (cookie_io_functions_t){.write = put, .close = end}) : NULL;
  if (f)
    return f;
  free(m);
  free(*text);
  *text = NULL;
  return NULL;
}

int ut_memory_close(FILE *f, char **text) {
  const int failed = fflush(f) || ferror(f);
  fclose(f);
  if (!failed)
    return 0;
  free(*text);
  *text = NULL;
  return -1;
}
