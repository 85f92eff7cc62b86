/* SPDX-License-Identifier: Apache-2.0 */
#include "deadlock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "memory_text.h"
#include "registers.h"
#include "scenario.h"
#include "ways.h"

/* Places where packets wait, numbered: the buffers of input VCs, then the output queues, where there are such. */
struct place {
  bool queue;
  uint32_t sw;
  unsigned port, vc;
};
static size_t buffers(const struct ut_network *n) {
  return (size_t)n->topology.switches * n->topology.pi * n->v;
}
static size_t places(const struct ut_network *n) {
  return buffers(n) + (n->shape->output_depth ? (size_t)n->topology.switches * n->topology.po * n->v : 0);
}
static size_t buffer(const struct ut_network *n, uint32_t s, unsigned ip, unsigned v) {
  return ((size_t)s * n->topology.pi + ip) * n->v + v;
}
static size_t queue(const struct ut_network *n, uint32_t s, unsigned op, unsigned v) {
  return buffers(n) + ((size_t)s * n->topology.po + op) * n->v + v;
}
static struct place place_of(const struct ut_network *n, size_t c) {
  const bool is_queue = c >= buffers(n);
  const size_t i = is_queue ? c - buffers(n) : c, ports = is_queue ? n->topology.po : n->topology.pi;
  return (struct place){is_queue, (uint32_t)(i / (ports * n->v)), (unsigned)(i / n->v % ports), (unsigned)(i % n->v)};
}

/* Does anything under way on the link from (s, op) to p, a switch, still change the picture? */
static bool on_wires(const struct ut_network *n, uint32_t s, unsigned op, const struct ut_peer *p, unsigned v) {
  return ut_network_credit_comes(n, &(struct ut_peer){s, (uint8_t)op, UT_PEER_SWITCH}, v) ||
         ut_network_flit_comes(n, p);
}

/* The buffer behind an output VC, whose sender needs so many credits; SIZE_MAX: they need not be waited for for ever.
 */
static size_t waits_behind(const struct ut_network *n, uint32_t id, unsigned op, unsigned ovc, unsigned need) {
  const struct ut_peer *p = &n->topology.peer[(size_t)id * n->topology.po + op];
  if (p->kind != UT_PEER_SWITCH || ut_reg_credits(ut_network_group(n, id), ut_network_switch(n, id), op, ovc) >= need ||
      on_wires(n, id, op, p, ovc))
    return SIZE_MAX;
  return buffer(n, p->index, p->port, ovc);
}

/* The place that the packet at the front of an output queue waits for.  Under virtual cut-through the rest of a packet
 * whose head has been sent waits for nothing. */
static size_t queue_waits_for(const struct ut_network *n, const struct place *at) {
  const struct ut_group *g = ut_network_group(n, at->sw);
  const struct ut_switch *s = ut_network_switch(n, at->sw);
  const bool head = ut_reg_queue_peek(g, s, at->port, at->vc, 0)[n->words] & UT_KIND_HEAD;
  if (!head && !g->form.wormhole)
    return SIZE_MAX;
  return waits_behind(n, at->sw, at->port, at->vc, head ? g->send[at->vc] : 1);
}

/* The same of a packet that needs so many places in a queue.  One that is empty may still ask for the buffer behind. */
static size_t waits_in_queue(const struct ut_network *n, uint32_t id, unsigned op, unsigned ovc, unsigned need) {
  const struct ut_group *g = ut_network_group(n, id);
  const unsigned count = ut_reg_queue_count(g, ut_network_switch(n, id), op, ovc);
  if (g->form.output_depth - count < need)
    return queue(n, id, op, ovc);
  const bool asks_behind = need == g->form.output_depth && g->send[ovc] == g->form.depth;
  return asks_behind ? waits_behind(n, id, op, ovc, g->send[ovc]) : SIZE_MAX;
}

/* The place that the front packet of a buffer waits for if it takes output VC (op, ovc); SIZE_MAX: it need not wait for
 * ever. */
static size_t waits_for(const struct ut_network *n, uint32_t id, unsigned ip, unsigned v, unsigned op, unsigned ovc) {
  const struct ut_group *g = ut_network_group(n, id);
  const struct ut_switch *s = ut_switch_of(g, id);
  bool mine = ut_reg_state(g, s, ip, v) == UT_VC_STATE_ACTIVE;
  if (!mine && ut_reg_owned(g, s, op, ovc)) {
    for (unsigned i = 0; i < g->shape.pi; i++)
      for (unsigned w = 0; w < n->v; w++) {
        if (ut_reg_state(g, s, i, w) == UT_VC_STATE_ACTIVE && ut_reg_out_port(g, s, i, w) == op &&
            ut_reg_out_vc(g, s, i, w) == ovc)
          return buffer(n, id, i, w);
      }
    return SIZE_MAX;
  }
  bool enters = ut_reg_bubble(g, s, ip, v, ovc) & ut_bit(op);
  unsigned need = mine ? 1 : enters ? g->need2[ovc] : g->need[ovc];
  return g->form.output_depth ? waits_in_queue(n, id, op, ovc, need) : waits_behind(n, id, op, ovc, need);
}

/* Calls f for each place that the packet at the front of a place may wait for; false from f ends it. */
typedef bool visitor(void *ctx, size_t next);
static bool for_each_wait(const struct ut_network *n, size_t c, visitor *f, void *ctx) {
  const struct place at = place_of(n, c);
  const uint32_t id = at.sw;
  const unsigned ip = at.port, v = at.vc;
  const struct ut_group *g = ut_network_group(n, id);
  const struct ut_switch *s = ut_network_switch(n, id);
  if (at.queue)
    return f(ctx, queue_waits_for(n, &at));
  if (ut_reg_state(g, s, ip, v) == UT_VC_STATE_ACTIVE)
    return f(ctx, waits_for(n, id, ip, v, ut_reg_out_port(g, s, ip, v), ut_reg_out_vc(g, s, ip, v)));
  for (unsigned o = 0; o < n->v; o++)
    UT_FOR_EACH (op, ut_reg_cand(g, s, ip, v, o))
      if (!f(ctx, waits_for(n, id, ip, v, op, o)))
        return false;
  return true;
}

struct search {
  const uint8_t *stuck;
  size_t next;
};

static bool all_stuck(void *ctx, size_t next) {
  struct search *s = ctx;
  if (next == SIZE_MAX || !s->stuck[next])
    return false;
  s->next = next;
  return true;
}

/* PORT, or PORT:VC where there are several. */
static void print_output(FILE *f, const struct ut_network *n, unsigned port, unsigned vc) {
  fprintf(f, n->v > 1 ? " %u:%u" : " %u", port, vc);
}

static void describe_queue(const struct ut_network *n, const struct place *at, FILE *f) {
  const uint64_t *flit =
      ut_reg_queue_peek(ut_network_group(n, at->sw), ut_network_switch(n, at->sw), at->port, at->vc, 0);
  char name[UT_SWITCH_NAME_SIZE];
  fprintf(f, "  switch %s output queue %u VC %u: ", ut_topology_switch_name(&n->topology, at->sw, name), at->port,
          at->vc);
  if (flit[n->words] & UT_KIND_HEAD)
    fprintf(f, "packet %u:%u to %u waits for the buffer behind the link\n", ut_header_src(*flit), ut_header_tag(*flit),
            ut_header_dst(*flit));
  else
    fprintf(f, "a packet in mid-transfer waits for the buffer behind the link\n");
}

static void describe_buffer(const struct ut_network *n, const struct place *at, FILE *f) {
  const uint32_t id = at->sw;
  const unsigned ip = at->port, v = at->vc;
  const struct ut_group *g = ut_network_group(n, id);
  const struct ut_switch *s = ut_network_switch(n, id);
  const uint64_t header = *ut_reg_peek(g, s, ip, v, 0);
  bool head = ut_reg_front_is_head(g, s, ip, v);
  char name[UT_SWITCH_NAME_SIZE];
  const char *from = "";
  if (ut_can_turn(&n->topology))
    from = n->topology.up_ports >> ip & 1 ? " (from above)" : " (from below)";
  fprintf(f, "  switch %s port %u VC %u%s: ", ut_topology_switch_name(&n->topology, id, name), ip, v, from);
  if (head)
    fprintf(f, "packet %u:%u to %u waits for output ports", ut_header_src(header), ut_header_tag(header),
            ut_header_dst(header));
  else
    fprintf(f, "a packet in mid-transfer waits for output port");
  if (ut_reg_state(g, s, ip, v) == UT_VC_STATE_ACTIVE)
    print_output(f, n, ut_reg_out_port(g, s, ip, v), ut_reg_out_vc(g, s, ip, v));
  else
    for (unsigned o = 0; o < n->v; o++)
      UT_FOR_EACH (op, ut_reg_cand(g, s, ip, v, o))
        print_output(f, n, op, o);
  fprintf(f, "\n");
}

static void describe(const struct ut_network *n, size_t c, FILE *f) {
  const struct place at = place_of(n, c);
  (at.queue ? describe_queue : describe_buffer)(n, &at, f);
}

/* Follows the waits from a stuck place until one comes again. */
static void describe_cycle(struct ut_watchdog *w, const struct ut_network *n, const uint8_t *stuck, size_t start,
                           size_t channels) {
  uint8_t *seen = calloc(channels, 1);
  size_t size;
  FILE *f = seen ? ut_memory_open(&w->text, &size) : NULL;
  struct search s = {stuck, start};
  size_t c = start;
  if (f) {
    fprintf(f, "deadlock in cycle %" PRIu64 ": these channels wait for each other\n", n->cycle);
    for (; !seen[c]; c = s.next) {
      seen[c] = 1;
      for_each_wait(n, c, all_stuck, &s);
    }
    size_t first = c;
    do {
      describe(n, c, f);
      for_each_wait(n, c, all_stuck, &s);
      c = s.next;
    } while (c != first);
    ut_memory_close(f, &w->text);
  }
  free(seen);
}

/* The place may hold a packet that waits for another place. */
static bool may_be_stuck(const struct ut_network *n, size_t c) {
  const struct place at = place_of(n, c);
  const struct ut_group *g = ut_network_group(n, at.sw);
  const struct ut_switch *s = ut_network_switch(n, at.sw);
  if (at.port >= (at.queue ? g->shape.po : g->shape.pi)) /* other switches have more ports */
    return false;
  if (at.queue)
    return ut_reg_queue_count(g, s, at.port, at.vc) > 0;
  const unsigned state = ut_reg_state(g, s, at.port, at.vc);
  return ut_reg_count(g, s, at.port, at.vc) && (state == UT_VC_STATE_WAITING || state == UT_VC_STATE_ACTIVE);
}

bool ut_deadlock_search(struct ut_watchdog *w, const struct ut_network *n) {
  size_t channels = places(n), left = 0, some = 0;
  uint8_t *stuck = calloc(channels, 1);
  if (!stuck)
    return false;
  for (size_t c = 0; c < channels; c++) {
    stuck[c] = may_be_stuck(n, c);
    left += stuck[c];
  }
  for (bool changed = left > 0; changed;) {
    changed = false;
    for (size_t c = 0; c < channels; c++) {
      struct search s = {stuck, SIZE_MAX};
      if (stuck[c] && !for_each_wait(n, c, all_stuck, &s)) {
        stuck[c] = 0;
        left--;
        changed = true;
      }
    }
  }
  if (left) {
    while (!stuck[some])
      some++;
    w->found = true;
    describe_cycle(w, n, stuck, some, channels);
  }
  free(stuck);
  return left > 0;
}

bool ut_watchdog_check(struct ut_watchdog *w, const struct ut_network *n) {
  const uint64_t period = n->scenario->run.watchdog_cycles, passed = n->cycle - w->last;
  if (!period || passed < period)
    return false;
  w->last = n->cycle - passed % period; /* as without cycles that were jumped */
  return ut_deadlock_search(w, n);
}

void ut_watchdog_print(const struct ut_watchdog *w, FILE *f) {
  fputs(w->text ? w->text : "deadlock\n", f);
}

void ut_watchdog_free(struct ut_watchdog *w) {
  free(w->text);
  w->text = NULL;
}
