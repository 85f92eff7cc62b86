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
  struct memory *memory = cookie;
  if (*memory->size + length >= memory->capacity) {
    const size_t capacity = 2 * (*memory->size + length) + 256;
    char *larger = realloc(*memory->text, capacity);
    if (!larger)
      return 0;
    *memory->text = larger;
    memory->capacity = capacity;
  }
  memcpy(*memory->text + *memory->size, data, length);
  *memory->size += length;
  (*memory->text)[*memory->size] = '\0';
  return (ssize_t)length;
}

static int end(void *cookie) {
  free(cookie);
  return 0;
}

FILE *ut_memory_open(char **text, size_t *size) {
  struct memory *memory = malloc(sizeof *memory);
  *text = calloc(1, 1);
  *size = 0;
  if (memory)
    *memory = (struct memory){.text = text, .size = size, .capacity = 1};
  FILE *f = memory && *text ? fopencookie(memory, "w", (cookie_io_functions_t){.write = put, .close = end}) : NULL;
  if (f)
    return f;
  free(memory);
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
