/* SPDX-License-Identifier: Apache-2.0 */
/* no_memory.c - a machine without memory, for tests: LD_PRELOADed, it lets so many allocations of one process succeed
 * and then fails all of them, or one.
 *
 * UT_MEMORY_CALLS=N  so many succeed
 * UT_MEMORY_ONCE=1   one fails, those behind it succeed again
 * UT_MEMORY_STATE    a file into which the number of calls is written at the exit of the process that was started
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_long calls, allowed = -1;
static bool once;
static pid_t first;

static bool refused(void) {
  const long limit = atomic_load(&allowed);
  if (limit < 0)
    return false;
  const long number = atomic_fetch_add(&calls, 1);
  if (once ? number != limit : number < limit)
    return false;
  errno = ENOMEM;
  return true;
}

void *malloc(size_t size) {
  return refused() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  return refused() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  return refused() ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return refused() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
  void *memory = refused() ? NULL : __libc_memalign(alignment, size);
  if (!memory)
    return ENOMEM;
  *out = memory;
  return 0;
}

__attribute__((constructor)) static void start(void) {
  const char *limit = getenv("UT_MEMORY_CALLS");
  once = getenv("UT_MEMORY_ONCE") != NULL;
  first = getpid();
  if (limit)
    atomic_store(&allowed, strtol(limit, NULL, 10));
}

/* on_exit of the program runs before destructors. */
__attribute__((destructor)) static void end(void) {
  const char *path = getenv("UT_MEMORY_STATE");
  const int fd = path && getpid() == first ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
  if (fd >= 0)
    dprintf(fd, "%ld\n", atomic_load(&calls));
}
