/* SPDX-License-Identifier: Apache-2.0 */
/* wrong_clock.c - a clock that jumps, for tests: LD_PRELOADed, every look at a clock of the machine shows another time,
 * a day back or decades on. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* Seconds that the clock is wrong by, this time. */
static time_t jump(void) {
  static const time_t by[] = {0, 3600, -7, 86400L * 365 * 40, -86400, 1, -1000000, 86400L * 365 * 80, -1};
  static atomic_uint looks;
  return by[atomic_fetch_add(&looks, 1) % (sizeof by / sizeof *by)];
}

int clock_gettime(clockid_t clock, struct timespec *t) {
  const int status = (int)syscall(SYS_clock_gettime, clock, t);
  if (!status && clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_THREAD_CPUTIME_ID)
    t->tv_sec += jump();
  return status;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone) {
  const int status = (int)syscall(SYS_gettimeofday, t, zone);
  if (!status)
    t->tv_sec += jump();
  return status;
}

time_t time(time_t *out) {
  struct timespec t = {0};
  clock_gettime(CLOCK_REALTIME, &t);
  if (out)
    *out = t.tv_sec;
  return t.tv_sec;
}
