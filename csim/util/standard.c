/* standard.c - see standard.h */
#define _DEFAULT_SOURCE
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

/* Why an earlier write has failed: the same happens again. */
static int reason(void) {
  return write(STDOUT_FILENO, "\n", 1) < 0 ? errno : EIO;
}

static void close_output(int status, void *unused) {
  (void)unused;
  const bool before = ferror(stdout);
  const int error = fflush(stdout) ? errno : before ? reason() : 0;
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
  on_exit(close_output, NULL);
}
