/* SPDX-License-Identifier: Apache-2.0 */
/* fault_orbits.c - see fault_orbits.h */
#include "fault_orbits.h"

#include <stdlib.h>
#include <string.h>

#include "hash.h"

int ut_fault_orbits_init(struct ut_fault_orbits *orbits, struct ut_error *e) {
  *orbits = (struct ut_fault_orbits){
      .count = 1, .link = calloc(1, sizeof *orbits->link), .weight = malloc(sizeof *orbits->weight)};
  if (!orbits->link || !orbits->weight) {
    ut_fault_orbits_free(orbits);
    return ut_fail(e, UT_BAD_INPUT, "out of memory for fault sets");
  }
  orbits->weight[0] = 1;
  return 0;
}

void ut_fault_orbits_free(struct ut_fault_orbits *orbits) {
  free(orbits->link);
  free(orbits->weight);
  *orbits = (struct ut_fault_orbits){0};
}

static bool make_room(struct ut_fault_orbits *orbits, uint32_t *room) {
  if (orbits->count < *room)
    return true;
  *room = 2 * *room + 64;
  uint32_t *link = realloc(orbits->link, (size_t)*room * orbits->faults * sizeof *link);
  orbits->link = link ? link : orbits->link;
  ut_orbit_weight *weight = realloc(orbits->weight, *room * sizeof *weight);
  orbits->weight = weight ? weight : orbits->weight;
  return link && weight;
}

/* Adds to the weight of a set.  Returns -1 when out of memory. */
static int add(struct ut_fault_orbits *orbits, struct ut_hash *hash, uint32_t *room, const uint32_t *set,
               ut_orbit_weight weight) {
  size_t size = orbits->faults * sizeof *set;
  uint64_t key = orbits->faults;
  for (unsigned i = 0; i < orbits->faults; i++)
    key = ut_hash_mix(key * 31 + set[i]);
  for (;; key++) { /* a key that belongs to another set: try the next one */
    bool fresh;
    struct ut_hash_entry *entry = ut_hash_at(hash, key, &fresh);
    if (!entry)
      return -1;
    if (fresh) {
      if (!make_room(orbits, room))
        return -1;
      entry->value = orbits->count;
      memcpy(orbits->link + (size_t)orbits->count * orbits->faults, set, size);
      orbits->weight[orbits->count++] = weight;
      return 0;
    }
    if (!memcmp(orbits->link + (size_t)entry->value * orbits->faults, set, size)) {
      orbits->weight[entry->value] += weight;
      return 0;
    }
  }
}

static bool has(const uint32_t *set, unsigned count, uint32_t link) {
  for (unsigned i = 0; i < count; i++)
    if (set[i] == link)
      return true;
  return false;
}

int ut_fault_orbits_grow(struct ut_fault_orbits *orbits, uint32_t links, uint32_t most,
                         ut_orbit_representative *representative, const void *ctx, const volatile sig_atomic_t *stop,
                         struct ut_error *e) {
  struct ut_fault_orbits next = {.faults = orbits->faults + 1};
  struct ut_hash hash = {0};
  uint32_t room = 0, set[UT_MAX_FAULTS];
  int status = 0;
  ut_hash_clear(&hash);
  for (uint32_t i = 0; i < orbits->count && !status; i++) {
    const uint32_t *own = orbits->link + (size_t)i * orbits->faults;
    for (uint32_t link = 0; link < links && !status; link++) {
      if (has(own, orbits->faults, link))
        continue;
      memcpy(set, own, orbits->faults * sizeof *set);
      set[orbits->faults] = link;
      representative(ctx, set, next.faults, set);
      status = add(&next, &hash, &room, set, orbits->weight[i]);
    }
    status = !status && (next.count > most || (stop && *stop)) ? 1 : status;
  }
  ut_hash_free(&hash);
  if (status) {
    ut_fault_orbits_free(&next);
    return status > 0 ? 1 : ut_fail(e, UT_BAD_INPUT, "out of memory for fault sets");
  }
  ut_fault_orbits_free(orbits);
  *orbits = next;
  return 0;
}

bool ut_fault_orbits_fit(uint64_t links, unsigned faults) {
  double orders = 1;
  for (unsigned i = 0; i < faults; i++)
    orders *= (double)(links - i);
  return orders < 1e38;
}
