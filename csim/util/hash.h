/* SPDX-License-Identifier: Apache-2.0 */
/* hash.h - a map from 64-bit keys to 32-bit numbers that is cleared in constant time: open addressing, where entries of
 * an older generation count as free.  A map that is all zero is empty, too. */
#ifndef UT_HASH_H
#define UT_HASH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct ut_hash_entry {
  uint64_t key;
  uint32_t value, generation;
};

struct ut_hash {
  struct ut_hash_entry *entry;
  uint32_t size, used, generation; /* size: a power of two, or 0 */
};

static inline uint64_t ut_hash_mix(uint64_t x) { /* splitmix64 */
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

static inline void ut_hash_clear(struct ut_hash *hash) {
  hash->used = 0;
  if (++hash->generation == 0) {
    for (uint32_t i = 0; i < hash->size; i++)
      hash->entry[i].generation = 0;
    hash->generation = 1;
  }
}

static inline void ut_hash_free(struct ut_hash *hash) {
  free(hash->entry);
  *hash = (struct ut_hash){0};
}

static inline struct ut_hash_entry *ut_hash_slot(const struct ut_hash *hash, uint64_t key) {
  uint32_t at = (uint32_t)ut_hash_mix(key) & (hash->size - 1);
  while (hash->entry[at].generation == hash->generation && hash->entry[at].key != key)
    at = (at + 1) & (hash->size - 1);
  return &hash->entry[at];
}

/* Returns the entry of that key; *fresh: it is new, and its value must be set.  NULL: out of memory. */
static inline struct ut_hash_entry *ut_hash_at(struct ut_hash *hash, uint64_t key, bool *fresh) {
  if (2 * hash->used >= hash->size) {
    struct ut_hash bigger = {.size = hash->size ? 2 * hash->size : 64, .used = hash->used, .generation = 1};
    bigger.entry = calloc(bigger.size, sizeof *bigger.entry);
    if (!bigger.entry)
      return NULL;
    for (uint32_t i = 0; i < hash->size; i++)
      if (hash->entry[i].generation == hash->generation) {
        struct ut_hash_entry *to = ut_hash_slot(&bigger, hash->entry[i].key);
        *to = (struct ut_hash_entry){hash->entry[i].key, hash->entry[i].value, bigger.generation};
      }
    free(hash->entry);
    *hash = bigger;
  }
  struct ut_hash_entry *entry = ut_hash_slot(hash, key);
  *fresh = entry->generation != hash->generation;
  if (*fresh) {
    *entry = (struct ut_hash_entry){.key = key, .generation = hash->generation};
    hash->used++;
  }
  return entry;
}

#endif
