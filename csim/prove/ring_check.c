/* SPDX-License-Identifier: Apache-2.0 */
/* ring_check.c - see ring_check.h */
#include "ring_check.h"

#include <jansson.h>

#include "algorithms.h"

/* A small ring that stands for those of the scenario: packets of one flit, as many in a buffer, and in an output queue,
 * up to three. */
enum { BUFFERS = 4, MOST_PACKETS = 3 };

/* Packets of different lengths: the smallest ring in which the rule counted in flits fails and that by slots holds;
 * other lengths and depths: tests/prove/test_walks.c. */
enum { MIXED_BUFFERS = 3, MIXED_DEPTH = 8, MIXED_LONGEST = 3, MIXED_SHORTEST = 2 };

static unsigned packets_in(const struct ut_shape *shape, unsigned flits) {
  const unsigned packets = flits / shape->max_packet;
  return packets > MOST_PACKETS ? MOST_PACKETS : packets;
}

int ut_ring_check_run(struct ut_ring_check *check, const struct ut_shape *shape, struct ut_error *e) {
  *check = (struct ut_ring_check){.present = true, .rule = UT_ALG_BUBBLE(shape->route, shape->algorithm)};
  check->mixed = shape->min_packet < shape->max_packet;
  check->ring = (struct ut_bubble_ring){.buffers = BUFFERS,
                                        .depth_flits = packets_in(shape, shape->depth),
                                        .longest = 1,
                                        .shortest = 1,
                                        .go_on = 1,
                                        .enter = check->rule ? 2 : 1,
                                        .queue_flits = packets_in(shape, shape->output_depth),
                                        .queue_up = 1};
  struct ut_bubble_ring without = check->ring, flits = {.buffers = MIXED_BUFFERS,
                                                        .depth_flits = MIXED_DEPTH,
                                                        .longest = MIXED_LONGEST,
                                                        .shortest = MIXED_SHORTEST,
                                                        .go_on = MIXED_LONGEST,
                                                        .enter = 2 * MIXED_LONGEST};
  struct ut_bubble_ring slots = flits;
  without.enter = 1;
  if (!ut_bubble_rule(&slots))
    return ut_fail(e, UT_INTERNAL, "the ring for packets of different lengths cannot obey the bubble rule");
  if (ut_bubble_search(&check->ring, &check->result, e) || ut_bubble_search(&without, &check->without, e) ||
      (check->mixed && (ut_bubble_search(&flits, &check->flits, e) || ut_bubble_search(&slots, &check->slots, e))))
    return -1;
  return 0;
}

void ut_ring_check_free(struct ut_ring_check *check) {
  ut_bubble_free(&check->result), ut_bubble_free(&check->without), ut_bubble_free(&check->flits),
      ut_bubble_free(&check->slots);
}

static void print_way(const struct ut_bubble_verdict *verdict, bool flits, FILE *f) {
  static const char *const move[] = {"into", "on from"};
  for (size_t i = 0; i < verdict->steps; i++) {
    const struct ut_bubble_step *step = &verdict->step[i];
    fprintf(f, "%s%s %u", i ? ", " : "", move[step->move], step->buffer);
    if (flits && step->move == UT_BUBBLE_ENTER)
      fprintf(f, " (%u)", step->flits);
  }
  fprintf(f, "\n");
}

void ut_ring_check_print(const struct ut_ring_check *check, FILE *f) {
  if (!check->present)
    return;
  const struct ut_bubble_verdict *verdict = &check->result;
  fprintf(f, "  one ring    %u buffers of %u packets", check->ring.buffers, check->ring.depth_flits);
  if (check->ring.queue_flits)
    fprintf(f, " behind output queues of %u", check->ring.queue_flits);
  fprintf(f, ", entered with space for %u: %u states, space for %u always left; %s\n", check->ring.enter,
          (unsigned)verdict->states, verdict->least_free,
          verdict->stuck ? "packets can be stuck" : "some packet can always go on");
  if (check->without.stuck) {
    fprintf(f, "              entered with space for one, it fills: ");
    print_way(&check->without, false, f);
  }
  if (check->mixed) {
    fprintf(f, "              packets of 2 and 3 flits, by slots: %u states, %s\n", (unsigned)check->slots.states,
            check->slots.stuck ? "packets can be stuck" : "some packet can always go on");
    fprintf(f, "              counted in flits the rule would fail: ");
    print_way(&check->flits, true, f);
  }
}

void ut_ring_check_json(const struct ut_ring_check *check, json_t *object) {
  json_t *j = json_null();
  if (check->present)
    j = json_pack("{s:b,s:i,s:i,s:i,s:i,s:i,s:b,s:b,s:b}", "obeyed", check->rule, "buffers", (int)check->ring.buffers,
                  "buffer_packets", (int)check->ring.depth_flits, "queue_packets", (int)check->ring.queue_flits,
                  "states", (int)check->result.states, "least_free_packets", (int)check->result.least_free, "stuck",
                  check->result.stuck, "stuck_without_rule", check->without.stuck, "stuck_with_different_lengths",
                  check->slots.stuck);
  json_object_set_new(object, "bubble_rule", j);
}
