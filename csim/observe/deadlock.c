/* SPDX-License-Identifier: Apache-2.0 */
#include "deadlock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "memory_text.h"
#include "registers.h"
#include "scenario.h"
#include "ways.h"

/* Places where packets wait, numbered: the buffers of input VCs, then the output queues, if there are any. */
struct place {
  bool queue;
  uint32_t sw;
  unsigned port, vc;
};
static size_t buffers(const struct ut_network *net) {
  return (size_t)net->topology->switches * net->topology->pi * net->v;
}
static size_t places(const struct ut_network *net) {
  return buffers(net) + (net->shape->output_depth ? (size_t)net->topology->switches * net->topology->po * net->v : 0);
}
static size_t buffer(const struct ut_network *net, uint32_t s, unsigned ip, unsigned v) {
  return ((size_t)s * net->topology->pi + ip) * net->v + v;
}
static size_t queue(const struct ut_network *net, uint32_t s, unsigned op, unsigned v) {
  return buffers(net) + ((size_t)s * net->topology->po + op) * net->v + v;
}
static struct place place_of(const struct ut_network *net, size_t c) {
  const bool is_queue = c >= buffers(net);
  const size_t i = is_queue ? c - buffers(net) : c, ports = is_queue ? net->topology->po : net->topology->pi;
  return (struct place){is_queue, (uint32_t)(i / (ports * net->v)), (unsigned)(i / net->v % ports),
                        (unsigned)(i % net->v)};
}

/* Returns whether something in flight on the link from (s, op) to p, a switch, may still change the situation. */
static bool on_wires(const struct ut_network *net, uint32_t s, unsigned op, const struct ut_peer *peer, unsigned v) {
  return ut_network_credit_comes(net, &(struct ut_peer){s, (uint8_t)op, UT_PEER_SWITCH}, v) ||
         ut_network_flit_comes(net, peer);
}

/* Returns the buffer behind an output VC, whose sender needs that many credits; SIZE_MAX: it will get them.
 */
static size_t waits_behind(const struct ut_network *net, uint32_t id, unsigned op, unsigned ovc, unsigned need) {
  const struct ut_peer *peer = &net->topology->peer[(size_t)id * net->topology->po + op];
  if (peer->kind != UT_PEER_SWITCH ||
      ut_reg_credits(ut_network_group(net, id), ut_network_switch(net, id), op, ovc) >= need ||
      on_wires(net, id, op, peer, ovc))
    return SIZE_MAX;
  return buffer(net, peer->index, peer->port, ovc);
}

/* Returns the place for which the packet at the front of an output queue waits.  Under virtual cut-through the rest of
 * a packet whose head has been sent waits for nothing. */
static size_t queue_waits_for(const struct ut_network *net, const struct place *at) {
  const struct ut_group *group = ut_network_group(net, at->sw);
  const struct ut_switch *sw = ut_network_switch(net, at->sw);
  const bool head = ut_reg_queue_peek(group, sw, at->port, at->vc, 0)[net->words] & UT_KIND_HEAD;
  if (!head && !group->form.wormhole)
    return SIZE_MAX;
  return waits_behind(net, at->sw, at->port, at->vc, head ? group->send[at->vc] : 1);
}

/* Returns the same for a packet that needs places in a queue.  Even an empty queue may require an empty buffer behind
 * it. */
static size_t waits_in_queue(const struct ut_network *net, uint32_t id, unsigned op, unsigned ovc, unsigned need) {
  const struct ut_group *group = ut_network_group(net, id);
  const unsigned count = ut_reg_queue_count(group, ut_network_switch(net, id), op, ovc);
  if (group->form.output_depth - count < need)
    return queue(net, id, op, ovc);
  const bool asks_behind = need == group->form.output_depth && group->send[ovc] == group->form.depth;
  return asks_behind ? waits_behind(net, id, op, ovc, group->send[ovc]) : SIZE_MAX;
}

/* Returns the place for which the front packet of a buffer waits if it takes output VC (op, ovc); SIZE_MAX: it does not
 * wait for ever. */
static size_t waits_for(const struct ut_network *net, uint32_t id, unsigned ip, unsigned v, unsigned op, unsigned ovc) {
  const struct ut_group *group = ut_network_group(net, id);
  const struct ut_switch *sw = ut_switch_of(group, id);
  bool mine = ut_reg_state(group, sw, ip, v) == UT_VC_STATE_ACTIVE;
  if (!mine && ut_reg_owned(group, sw, op, ovc)) {
    for (unsigned i = 0; i < group->shape.pi; i++)
      for (unsigned w = 0; w < net->v; w++) {
        if (ut_reg_state(group, sw, i, w) == UT_VC_STATE_ACTIVE && ut_reg_out_port(group, sw, i, w) == op &&
            ut_reg_out_vc(group, sw, i, w) == ovc)
          return buffer(net, id, i, w);
      }
    return SIZE_MAX;
  }
  bool enters = ut_reg_bubble(group, sw, ip, v, ovc) & ut_bit(op);
  unsigned need = mine ? 1 : enters ? group->need2[ovc] : group->need[ovc];
  return group->form.output_depth ? waits_in_queue(net, id, op, ovc, need) : waits_behind(net, id, op, ovc, need);
}

/* Calls f for each place for which the front packet of a place may wait; stops when f returns false. */
typedef bool visitor(void *ctx, size_t next);
static bool for_each_wait(const struct ut_network *net, size_t c, visitor *f, void *ctx) {
  const struct place at = place_of(net, c);
  const uint32_t id = at.sw;
  const unsigned ip = at.port, v = at.vc;
  const struct ut_group *group = ut_network_group(net, id);
  const struct ut_switch *sw = ut_network_switch(net, id);
  if (at.queue)
    return f(ctx, queue_waits_for(net, &at));
  if (ut_reg_state(group, sw, ip, v) == UT_VC_STATE_ACTIVE)
    return f(ctx, waits_for(net, id, ip, v, ut_reg_out_port(group, sw, ip, v), ut_reg_out_vc(group, sw, ip, v)));
  for (unsigned o = 0; o < net->v; o++)
    UT_FOR_EACH (op, ut_reg_cand(group, sw, ip, v, o))
      if (!f(ctx, waits_for(net, id, ip, v, op, o)))
        return false;
  return true;
}

struct search {
  const uint8_t *stuck;
  size_t next;
};

static bool all_stuck(void *ctx, size_t next) {
  struct search *search = ctx;
  if (next == SIZE_MAX || !search->stuck[next])
    return false;
  search->next = next;
  return true;
}

/* PORT, or PORT:VC where there are several. */
static void print_output(FILE *f, const struct ut_network *net, unsigned port, unsigned vc) {
  fprintf(f, net->v > 1 ? " %u:%u" : " %u", port, vc);
}

static void describe_queue(const struct ut_network *net, const struct place *at, FILE *f) {
  const uint64_t *flit =
      ut_reg_queue_peek(ut_network_group(net, at->sw), ut_network_switch(net, at->sw), at->port, at->vc, 0);
  char name[UT_SWITCH_NAME_SIZE];
  fprintf(f, "  switch %s output queue %u VC %u: ", ut_topology_switch_name(net->topology, at->sw, name), at->port,
          at->vc);
  if (flit[net->words] & UT_KIND_HEAD)
    fprintf(f, "packet %u:%u to %u waits for the buffer behind the link\n", ut_header_src(*flit), ut_header_tag(*flit),
            ut_header_dst(*flit));
  else
    fprintf(f, "a packet in mid-transfer waits for the buffer behind the link\n");
}

static void describe_buffer(const struct ut_network *net, const struct place *at, FILE *f) {
  const uint32_t id = at->sw;
  const unsigned ip = at->port, v = at->vc;
  const struct ut_group *group = ut_network_group(net, id);
  const struct ut_switch *sw = ut_network_switch(net, id);
  const uint64_t header = *ut_reg_peek(group, sw, ip, v, 0);
  bool head = ut_reg_front_is_head(group, sw, ip, v);
  char name[UT_SWITCH_NAME_SIZE];
  const char *from = "";
  if (ut_can_turn(net->topology))
    from = ut_topology_up_ports(net->topology, id) >> ip & 1 ? " (from above)" : " (from below)";
  fprintf(f, "  switch %s port %u VC %u%s: ", ut_topology_switch_name(net->topology, id, name), ip, v, from);
  if (head)
    fprintf(f, "packet %u:%u to %u waits for output ports", ut_header_src(header), ut_header_tag(header),
            ut_header_dst(header));
  else
    fprintf(f, "a packet in mid-transfer waits for output port");
  if (ut_reg_state(group, sw, ip, v) == UT_VC_STATE_ACTIVE)
    print_output(f, net, ut_reg_out_port(group, sw, ip, v), ut_reg_out_vc(group, sw, ip, v));
  else
    for (unsigned o = 0; o < net->v; o++)
      UT_FOR_EACH (op, ut_reg_cand(group, sw, ip, v, o))
        print_output(f, net, op, o);
  fprintf(f, "\n");
}

static void describe(const struct ut_network *net, size_t c, FILE *f) {
  const struct place at = place_of(net, c);
  (at.queue ? describe_queue : describe_buffer)(net, &at, f);
}

/* Follows the waits from a stuck place until a place comes again. */
static void describe_cycle(struct ut_watchdog *watchdog, const struct ut_network *net, const uint8_t *stuck,
                           size_t start, size_t channels) {
  uint8_t *seen = calloc(channels, 1);
  size_t size;
  FILE *f = seen ? ut_memory_open(&watchdog->text, &size) : NULL;
  struct search search = {stuck, start};
  size_t c = start;
  if (f) {
    fprintf(f, "deadlock in cycle %" PRIu64 ": these channels wait for each other\n", net->cycle);
    for (; !seen[c]; c = search.next) {
      seen[c] = 1;
      for_each_wait(net, c, all_stuck, &search);
    }
    size_t first = c;
    do {
      describe(net, c, f);
      for_each_wait(net, c, all_stuck, &search);
      c = search.next;
    } while (c != first);
    ut_memory_close(f, &watchdog->text);
  }
  free(seen);
}

/* Returns whether the place may hold a packet that waits for another place. */
static bool may_be_stuck(const struct ut_network *net, size_t c) {
  const struct place at = place_of(net, c);
  const struct ut_group *group = ut_network_group(net, at.sw);
  const struct ut_switch *sw = ut_network_switch(net, at.sw);
  if (at.port >= (at.queue ? group->shape.po : group->shape.pi)) /* other switches have more ports */
    return false;
  if (at.queue)
    return ut_reg_queue_count(group, sw, at.port, at.vc) > 0;
  const unsigned state = ut_reg_state(group, sw, at.port, at.vc);
  return ut_reg_count(group, sw, at.port, at.vc) && (state == UT_VC_STATE_WAITING || state == UT_VC_STATE_ACTIVE);
}

bool ut_deadlock_search(struct ut_watchdog *watchdog, const struct ut_network *net) {
  size_t channels = places(net), left = 0, some = 0;
  uint8_t *stuck = calloc(channels, 1);
  if (!stuck)
    return false;
  for (size_t c = 0; c < channels; c++) {
    stuck[c] = may_be_stuck(net, c);
    left += stuck[c];
  }
  for (bool changed = left > 0; changed;) {
    changed = false;
    for (size_t c = 0; c < channels; c++) {
      struct search search = {stuck, SIZE_MAX};
      if (stuck[c] && !for_each_wait(net, c, all_stuck, &search)) {
        stuck[c] = 0;
        left--;
        changed = true;
      }
    }
  }
  if (left) {
    while (!stuck[some])
      some++;
    watchdog->found = true;
    describe_cycle(watchdog, net, stuck, some, channels);
  }
  free(stuck);
  return left > 0;
}

bool ut_watchdog_check(struct ut_watchdog *watchdog, const struct ut_network *net) {
  const uint64_t period = net->scenario->run.watchdog_cycles, passed = net->cycle - watchdog->last;
  if (!period || passed < period)
    return false;
  watchdog->last = net->cycle - passed % period; /* as without skipped cycles */
  if (ut_reconfiguration_purges(net))
    return false;
  return ut_deadlock_search(watchdog, net);
}

void ut_watchdog_print(const struct ut_watchdog *watchdog, FILE *f) {
  fputs(watchdog->text ? watchdog->text : "deadlock\n", f);
}

void ut_watchdog_free(struct ut_watchdog *watchdog) {
  free(watchdog->text);
  watchdog->text = NULL;
}
