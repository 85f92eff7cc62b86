/* recorded.h - what was the same, bit for bit, when it was recorded: a hash of all that a test puts into it.  It says
 * that something has changed, not what is right.  With UTURN_SHOW=1 a test prints what it finds; tests/record writes
 * that into the test, after a change on purpose. */
#ifndef UT_TEST_RECORDED_H
#define UT_TEST_RECORDED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static inline void record(uint64_t *hash, uint64_t value) {
  *hash = (*hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  *hash ^= *hash >> 29;
}

static inline void record_words(uint64_t *hash, const uint64_t *word, size_t words) {
  for (size_t i = 0; i < words; i++)
    record(hash, word[i]);
}

/* Counts the differences in *differences, so that a test shows all of them before it fails. */
static inline void recorded_is(const char *what, uint64_t hash, uint64_t wanted, unsigned *differences) {
  if (getenv("UTURN_SHOW"))
    printf("0x%016llx %s\n", (unsigned long long)hash, what);
  if (hash != wanted)
    fprintf(stderr, "%s: 0x%016llx, not as recorded\n", what, (unsigned long long)hash);
  *differences += hash != wanted;
}

#endif
