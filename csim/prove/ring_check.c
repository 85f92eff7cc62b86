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

int ut_ring_check_run(struct ut_ring_check *c, const struct ut_shape *shape, struct ut_error *e) {
  *c = (struct ut_ring_check){.present = true, .rule = UT_ALG_BUBBLE(shape->route, shape->algorithm)};
  c->mixed = shape->min_packet < shape->max_packet;
  c->ring = (struct ut_bubble_ring){.buffers = BUFFERS,
                                    .depth_flits = packets_in(shape, shape->depth),
                                    .longest = 1,
                                    .shortest = 1,
                                    .go_on = 1,
                                    .enter = c->rule ? 2 : 1,
                                    .queue_flits = packets_in(shape, shape->output_depth),
                                    .queue_up = 1};
  struct ut_bubble_ring without = c->ring, flits = {.buffers = MIXED_BUFFERS,
                                                    .depth_flits = MIXED_DEPTH,
                                                    .longest = MIXED_LONGEST,
                                                    .shortest = MIXED_SHORTEST,
                                                    .go_on = MIXED_LONGEST,
                                                    .enter = 2 * MIXED_LONGEST};
  struct ut_bubble_ring slots = flits;
  without.enter = 1;
  if (!ut_bubble_rule(&slots))
    return ut_fail(e, UT_INTERNAL, "the ring for packets of different lengths cannot obey the bubble rule");
  if (ut_bubble_search(&c->ring, &c->result, e) || ut_bubble_search(&without, &c->without, e) ||
      (c->mixed && (ut_bubble_search(&flits, &c->flits, e) || ut_bubble_search(&slots, &c->slots, e))))
    return -1;
  return 0;
}

void ut_ring_check_free(struct ut_ring_check *c) {
  ut_bubble_free(&c->result), ut_bubble_free(&c->without), ut_bubble_free(&c->flits), ut_bubble_free(&c->slots);
}

static void print_way(const struct ut_bubble_verdict *v, bool flits, FILE *f) {
  static const char *const move[] = {"into", "on from"};
  for (size_t i = 0; i < v->steps; i++) {
    const struct ut_bubble_step *s = &v->step[i];
    fprintf(f, "%s%s %u", i ? ", " : "", move[s->move], s->buffer);
    if (flits && s->move == UT_BUBBLE_ENTER)
      fprintf(f, " (%u)", s->flits);
  }
  fprintf(f, "\n");
}

void ut_ring_check_print(const struct ut_ring_check *c, FILE *f) {
  if (!c->present)
    return;
  const struct ut_bubble_verdict *v = &c->result;
  fprintf(f, "  one ring    %u buffers of %u packets", c->ring.buffers, c->ring.depth_flits);
  if (c->ring.queue_flits)
    fprintf(f, " behind output queues of %u", c->ring.queue_flits);
  fprintf(f, ", entered with room for %u: %u states, room for %u always left; %s\n", c->ring.enter, (unsigned)v->states,
          v->least_free, v->stuck ? "packets can be stuck" : "some packet can always go on");
  if (c->without.stuck) {
    fprintf(f, "              entered with room for one, it fills: ");
    print_way(&c->without, false, f);
  }
  if (c->mixed) {
    fprintf(f, "              packets of 2 and 3 flits, by slots: %u states, %s\n", (unsigned)c->slots.states,
            c->slots.stuck ? "packets can be stuck" : "some packet can always go on");
    fprintf(f, "              counted in flits the rule would fail: ");
    print_way(&c->flits, true, f);
  }
}

void ut_ring_check_json(const struct ut_ring_check *c, json_t *object) {
  json_t *j = json_null();
  if (c->present)
    j = json_pack("{s:b,s:i,s:i,s:i,s:i,s:i,s:b,s:b,s:b}", "obeyed", c->rule, "buffers", (int)c->ring.buffers,
                  "buffer_packets", (int)c->ring.depth_flits, "queue_packets", (int)c->ring.queue_flits, "states",
                  (int)c->result.states, "least_free_packets", (int)c->result.least_free, "stuck", c->result.stuck,
                  "stuck_without_rule", c->without.stuck, "stuck_with_different_lengths", c->slots.stuck);
  json_object_set_new(object, "bubble_rule", j);
}
