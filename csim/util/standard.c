/* SPDX-License-Identifier: Apache-2.0 */
/* standard.c - see standard.h */
#define _GNU_SOURCE
#include "standard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"

/* ---- output ---- */

enum { AT_ONCE = 4096, ESCAPED = 4 * AT_ONCE + 1 };

/* A standard stream on its way to its descriptor. */
struct plain {
  int fd;
  char buffer[BUFSIZ];     /* of the stream: there is always memory for it */
  char waits[AT_ONCE + 1]; /* the beginning of a character whose end is not there yet */
  size_t waiting;
};
static struct plain output = {.fd = STDOUT_FILENO}, messages = {.fd = STDERR_FILENO};

static bool put(int fd, const char *text, size_t size) {
  while (size) {
    const ssize_t put = write(fd, text, size);
    if (put < 0 && errno != EINTR)
      return false;
    text += put > 0 ? put : 0;
    size -= put > 0 ? (size_t)put : 0;
  }
  return true;
}

/* Bytes at the end of a text that begin a character and do not end it. */
static size_t unfinished(const char *text, size_t size) {
  for (size_t n = 1; n <= 3 && n <= size; n++) {
    const unsigned char c = (unsigned char)text[size - n];
    if (c >> 6 != 2)
      return c >= 0xf0 ? (n < 4 ? n : 0) : c >= 0xe0 ? (n < 3 ? n : 0) : c >= 0xc0 ? (n < 2 ? n : 0) : 0;
  }
  return 0;
}

/* Writes the waiting bytes, except `kept` bytes at their end. */
static bool pass_on(struct plain *plain, size_t kept) {
  char text[AT_ONCE + 1], escaped[ESCAPED];
  const size_t size = plain->waiting - kept;
  memcpy(text, plain->waits, size);
  text[size] = '\0';
  memmove(plain->waits, plain->waits + size, kept);
  plain->waiting = kept;
  ut_escape_controls(escaped, sizeof escaped, text);
  return put(plain->fd, escaped, strlen(escaped));
}

static ssize_t write_plain(void *of, const char *text, size_t size) {
  struct plain *plain = of;
  for (size_t done = 0; done < size;) {
    const size_t room = AT_ONCE - plain->waiting, part = size - done < room ? size - done : room;
    memcpy(plain->waits + plain->waiting, text + done, part);
    plain->waiting += part;
    done += part;
    if (!pass_on(plain, unfinished(plain->waits, plain->waiting)))
      return 0;
  }
  return (ssize_t)size;
}

/* In place of a stream; the old one if there is no memory. */
static FILE *plain_stream(FILE *old, struct plain *plain, int buffering) {
  FILE *f = fopencookie(plain, "w", (cookie_io_functions_t){.write = write_plain});
  if (!f)
    return old;
  setvbuf(f, plain->buffer, buffering, sizeof plain->buffer);
  return f;
}

/* Why an earlier write has failed: the same happens again. */
static int reason(void) {
  return write(STDOUT_FILENO, "\n", 1) < 0 ? errno : EIO;
}

static void close_output(int status, void *unused) {
  (void)unused;
  const bool before = ferror(stdout);
  const int error = fflush(stdout) || !pass_on(&output, 0) ? errno : before ? reason() : 0;
  pass_on(&messages, 0);
  if (!error)
    return;
  fprintf(stderr, "uturn: cannot write to standard output: %s\n", strerror(error));
  if (status == UT_OK)
    _exit(UT_BAD_INPUT);
}

void ut_standard_start(void) {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
      _exit(UT_INTERNAL);
  signal(SIGXFSZ, SIG_IGN);
  stdout = plain_stream(stdout, &output, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF);
  stderr = plain_stream(stderr, &messages, _IOLBF); /* whoever ends the program need not flush it */
  on_exit(close_output, NULL);
}
