/* SPDX-License-Identifier: Apache-2.0 */
/* tally.c - see tally.h */
#include "tally.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "store.h"

static const struct {
  const char *name; /* in the JSON */
  size_t at;
} numbers[] = {
    {"cycles", offsetof(struct ut_hunt_numbers, cycles)},
    {"switch_cycles", offsetof(struct ut_hunt_numbers, switch_cycles)},
    {"compared_switch_states", offsetof(struct ut_hunt_numbers, states)},
    {"compared_state_bits_per_switch", offsetof(struct ut_hunt_numbers, bits)},
    {"delivered_packets", offsetof(struct ut_hunt_numbers, delivered)},
    {"corrupt_packets", offsetof(struct ut_hunt_numbers, corrupt)},
    {"discarded_packets.cut_by_fault", offsetof(struct ut_hunt_numbers, cut_by_fault)},
    {"discarded_packets.in_failed_switch", offsetof(struct ut_hunt_numbers, in_failed_switch)},
    {"discarded_packets.unreachable", offsetof(struct ut_hunt_numbers, unreachable)},
    {"discarded_packets.purged", offsetof(struct ut_hunt_numbers, purged)},
    {"u_turns", offsetof(struct ut_hunt_numbers, u_turns)},
    {"deadlock", offsetof(struct ut_hunt_numbers, deadlocks)},
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

static double *number(struct ut_hunt_numbers *hunt_numbers, unsigned i) {
  return (double *)(void *)((char *)hunt_numbers + numbers[i].at);
}

static int take(void *ctx, const char *name, double value) {
  for (unsigned i = 0; i < NUMBERS; i++)
    if (!strcmp(name, numbers[i].name))
      *number(ctx, i) = value;
  return 0;
}

int ut_hunt_numbers_read(struct ut_hunt_numbers *numbers, const char *json) {
  *numbers = (struct ut_hunt_numbers){0};
  if (ut_store_numbers(json, take, numbers) || !numbers->bits)
    return -1;
  numbers->bits *= numbers->states;
  return 0;
}

bool ut_hunt_tally_start(struct ut_hunt_tally *tally) {
  *tally = (struct ut_hunt_tally){.seen_shape = calloc(ut_hunt_shape_count, sizeof *tally->seen_shape)};
  return tally->seen_shape != NULL;
}

void ut_hunt_tally_end(struct ut_hunt_tally *tally) {
  free(tally->seen_shape);
}

void ut_hunt_tally_add(struct ut_hunt_tally *tally, unsigned shape, const struct ut_hunt_numbers *numbers) {
  struct ut_hunt_numbers one = *numbers;
  tally->scenarios++;
  tally->of_family[ut_hunt_shapes[shape].family]++;
  tally->shapes += !tally->seen_shape[shape];
  tally->seen_shape[shape] = true;
  for (unsigned i = 0; i < NUMBERS; i++)
    *number(&tally->sum, i) += *number(&one, i);
}
