/* SPDX-License-Identifier: Apache-2.0 */
#include "terminal.h"

#include <stdlib.h>
#include <string.h>

#include "terminal_cycle.h"

static const char *const names[UT_DISCARD_REASONS] = {"cut_by_fault", "in_failed_switch", "unreachable", "purged"};

const char *ut_discard_name(enum ut_discard_reason reason) {
  return names[reason];
}

/* The cycle of any shape, and what it calls in this file. */
static const struct ut_terminal_steps steps;
static const struct ut_terminal_calls calls;

/* ---- life and death */

/* Each terminal has so many places for records at first, side by side with those of the others. */
enum { FIRST_RECORDS = 4 * UT_AHEAD };

static bool has_grown(const struct ut_terminal *n) {
  return n->mask >= FIRST_RECORDS;
}

static bool grow(struct ut_terminal *n) {
  const uint32_t capacity = 2 * (n->mask + 1);
  struct ut_record *bigger = malloc(capacity * sizeof *bigger);
  if (!bigger)
    return false;
  for (uint64_t i = n->base; i < n->end; i++) /* none is drawn that is not generated */
    bigger[i & (capacity - 1)] = *ut_record_of(n, i);
  if (has_grown(n))
    free(n->record);
  n->record = bigger;
  n->mask = capacity - 1;
  return true;
}

/* Draws packets, all of which have been generated.  false: out of memory. */
static bool draw_ahead(struct ut_terminals *t, uint32_t id) {
  struct ut_terminal *n = &t->terminal[id];
  if (n->end + UT_AHEAD - n->base > (uint64_t)n->mask + 1 && !grow(n))
    return false;
  struct ut_packet_request drawn[UT_AHEAD];
  const unsigned count = ut_traffic_draw(t->traffic, &t->source[id], UT_AHEAD, drawn);
  for (unsigned i = 0; i < count; i++)
    *ut_record_of(n, n->end + i) = (struct ut_record){drawn[i].cycle, drawn[i].dst, drawn[i].flits, true};
  n->drawn = n->end + count;
  if (count < UT_AHEAD)
    *ut_record_of(n, n->drawn++) = (struct ut_record){.cycle = UT_NO_PACKET};
  return true;
}

static bool allocate(struct ut_terminals *t) {
  const uint32_t count = t->count;
  const size_t lanes = t->lanes;
  t->terminal = ut_memory(count * sizeof *t->terminal);
  t->source = ut_memory(count * sizeof *t->source);
  t->injection = ut_memory((size_t)count * t->injections * sizeof *t->injection);
  t->ejection = ut_memory((size_t)count * t->ejections * sizeof *t->ejection);
  t->credits = ut_memory(lanes);
  t->ahead = ut_memory(lanes);
  t->unread = ut_memory(lanes);
  t->link = ut_memory(lanes * sizeof *t->link);
  t->transmissions = ut_memory(lanes / UT_LANES * sizeof *t->transmissions);
  t->at = ut_memory(lanes * sizeof *t->at);
  t->rx = ut_memory(lanes * sizeof *t->rx);
  t->receptions = ut_memory(lanes / UT_LANES * sizeof *t->receptions);
  t->tie = t->injections > 1 ? calloc(count, sizeof *t->tie) : NULL;
  t->roll = ut_memory(t->rolls * sizeof *t->roll);
  t->first_records = ut_memory((size_t)count * FIRST_RECORDS * sizeof *t->first_records);
  return t->terminal && t->source && t->injection && t->ejection && t->credits && t->ahead && t->unread && t->link &&
         t->transmissions && t->at && t->rx && t->receptions && (t->injections == 1 || t->tie) && t->roll &&
         t->first_records && ut_histogram_init(&t->latency) && ut_terminals_divide(t, 1);
}

bool ut_terminals_init(struct ut_terminals *t, const struct ut_traffic *traffic, const struct ut_topology *topology,
                       const struct ut_shape *shape, const struct ut_paths *paths, bool account) {
  const uint32_t count = topology->terminals;
  memset(t, 0, sizeof *t);
  t->count = count;
  t->rolls = (count + 63) / 64;
  t->injections = topology->injections;
  t->ejections = topology->ejections;
  t->links = t->injections > t->ejections ? t->injections : t->ejections;
  t->form = ut_terminal_form_of(shape);
  t->lanes = (count * t->links * t->form.v + UT_LANES - 1) / UT_LANES * UT_LANES;
  t->steps = &steps;
  t->calls = &calls;
  t->traffic = traffic;
  t->paths = paths;
  t->account = account;
  if (!allocate(t))
    return false;
  const uint32_t per = t->links * t->form.v;
  for (uint32_t i = 0; i < count * t->injections; i++)
    t->injection[i] =
        (struct ut_injection){.lane = i / t->injections * per + i % t->injections * t->form.v, .link_up = true};
  for (uint32_t i = 0; i < count * t->injections; i++)
    for (unsigned v = 0; v < t->form.v; v++)
      t->link[t->injection[i].lane + v] = i;
  for (uint32_t i = 0; i < count * t->ejections; i++)
    t->ejection[i] =
        (struct ut_ejection){.lane = i / t->ejections * per + i % t->ejections * t->form.v, .link_up = true};
  for (uint32_t i = 0; i < count * per; i++)
    t->at[i] = (uint16_t)(i / per);
  for (uint32_t i = 0; i < count; i++) {
    ut_traffic_source_init(&t->source[i], traffic, i);
    if (t->tie)
      ut_random_init(&t->tie[i], traffic->seed, UT_RANDOM_INJECTION, i);
    t->terminal[i].record = t->first_records + (size_t)i * FIRST_RECORDS;
    t->terminal[i].mask = FIRST_RECORDS - 1;
    if (!draw_ahead(t, i))
      return false;
    ut_schedule(&t->roll[i / 64], i, t->terminal[i].record->cycle, 0);
    t->roll[i / 64].unusual |= ut_roll_bit(i);
  }
  return true;
}

void ut_terminals_join(struct ut_terminals *t, struct ut_wires *wires) {
  t->wires = wires;
}

static void free_ranges(struct ut_terminal_range *range, unsigned ranges) {
  for (unsigned i = 0; i < ranges; i++)
    free(range[i].leaving), free(range[i].departures.list), ut_histogram_free(&range[i].own);
  free(range);
}

bool ut_terminals_divide(struct ut_terminals *t, unsigned ranges) {
  ranges = ranges < t->rolls ? ranges : t->rolls;
  struct ut_terminal_range *range = aligned_alloc(64, ranges * sizeof *range);
  bool there = range != NULL;
  if (range)
    memset(range, 0, ranges * sizeof *range);
  for (unsigned i = 0; there && i < ranges; i++) {
    struct ut_terminal_range *r = &range[i];
    r->first = (uint32_t)((uint64_t)t->rolls * i / ranges * 64);
    r->end = (uint32_t)((uint64_t)t->rolls * (i + 1) / ranges * 64);
    r->end = r->end < t->count ? r->end : t->count;
    r->latency = i ? &r->own : &t->latency;
    r->accounts = i ? &r->own_accounts : &t->accounts;
    /* of each lane a flit and what it was a part of, of each terminal a packet that leads nowhere */
    r->leaving = malloc((r->end - r->first) * (2 * t->links * t->form.v + 1) * sizeof *r->leaving);
    there = r->leaving && (i == 0 || ut_histogram_init(&r->own));
  }
  for (unsigned i = 1; there && i < t->ranges; i++)
    there = ut_histogram_merge(&t->latency, &t->range[i].own);
  if (!there) {
    free_ranges(range, range ? ranges : 0);
    return false;
  }
  free_ranges(t->range, t->ranges);
  t->range = range;
  t->ranges = ranges;
  return true;
}

void ut_terminals_disturb(struct ut_terminals *t, uint32_t id) {
  t->roll[id / 64].unusual |= ut_roll_bit(id);
}

void ut_terminals_fini(struct ut_terminals *t) {
  for (uint32_t i = 0; t->terminal && i < t->count; i++)
    if (has_grown(&t->terminal[i]))
      free(t->terminal[i].record);
  free(t->first_records);
  free_ranges(t->range, t->ranges);
  free(t->terminal);
  free(t->source);
  free(t->injection);
  free(t->ejection);
  free(t->credits), free(t->ahead), free(t->unread);
  free(t->link);
  free(t->transmissions);
  free(t->at);
  free(t->rx);
  free(t->receptions);
  free(t->tie);
  free(t->roll);
  ut_histogram_free(&t->latency);
  memset(t, 0, sizeof *t);
}

/* ---- what leaves the network */

bool ut_departures_add(struct ut_departures *d, const struct ut_departure *what) {
  if (d->count == d->room) {
    const size_t room = d->room ? 2 * d->room : 64;
    struct ut_departure *bigger = realloc(d->list, room * sizeof *bigger);
    if (!bigger)
      return false;
    d->list = bigger;
    d->room = room;
  }
  d->list[d->count++] = *what;
  return true;
}

/* Lists a packet whose record has just been taken off the books. */
static __attribute__((noinline)) void note_departure(struct ut_terminals *t, struct ut_terminal_range *r,
                                                     uint64_t header, const struct ut_record *record, unsigned reason) {
  const struct ut_terminal *n = &t->terminal[ut_header_src(header)];
  const uint64_t last = n->injected - 1, before = (last - (uint64_t)(record - n->record)) & n->mask;
  const struct ut_departure d = {*record, last - before, ut_header_src(header), (uint8_t)reason};
  r->failure |= !ut_departures_add(&r->departures, &d);
}

/* A packet of one of the range's terminals, or of any where nobody else moves one, was discarded. */
static bool retire_discarded(struct ut_terminals *t, struct ut_terminal_range *r, uint64_t header, unsigned reason) {
  const uint16_t src = ut_header_src(header);
  const struct ut_record *record =
      src < t->count ? ut_packet_retire(&t->terminal[src], t->paths, header, false, 0) : NULL;
  if (record && t->watched)
    note_departure(t, r, header, record, reason);
  return record;
}

void ut_terminals_discard(struct ut_terminals *t, uint64_t header, enum ut_discard_reason reason) {
  if (!t->account)
    return;
  t->accounts.discarded[reason]++;
  t->accounts.corrupt += !retire_discarded(t, t->range, header, reason);
}

/* Calls into the cache what will be looked at of packets further down the list, where their sources are of a range. */
static inline void call_ahead(const struct ut_terminals *t, const struct ut_leaving *l, const struct ut_leaving *last,
                              uint32_t first, uint32_t end) {
  enum { SOURCES = 12, RECORDS = 6 };
  if (last - l <= SOURCES)
    return;
  const uint32_t far = ut_header_src(l[SOURCES].header), near = ut_header_src(l[RECORDS].header);
  if (far - first < end - first)
    __builtin_prefetch(&t->terminal[far]);
  if (near - first < end - first) {
    struct ut_terminal *n = &t->terminal[near];
    __builtin_prefetch(ut_record_of(n, n->base + (uint8_t)(ut_header_tag(l[RECORDS].header) - n->base)), 1);
  }
}

/* What was listed, of one of the range's terminals.  Packets that are delivered come before others: which of two
 * records with the same tag one of them takes does not depend on when the other one was looked at. */
static void settle(struct ut_terminals *t, struct ut_terminal_range *r, const struct ut_leaving *l, bool delivered,
                   uint64_t cycle) {
  const uint32_t src = ut_header_src(l->header);
  if ((l->reason == UT_DELIVERED) != delivered)
    return;
  if (delivered) {
    ut_packet_deliver(t, r, t->paths, t->account, src, src < r->end, *l, cycle);
  } else if (t->account) {
    r->accounts->discarded[l->reason]++;
    r->accounts->corrupt += !retire_discarded(t, r, l->header, l->reason);
  }
}

void ut_terminals_settle(struct ut_terminals *t, unsigned range, uint64_t cycle) {
  struct ut_terminal_range *r = &t->range[range];
  const uint32_t end = range + 1 < t->ranges ? r->end : UINT32_MAX; /* the last one's are also those of nobody */
  for (unsigned delivered = 2; delivered-- > 0;)
    for (const struct ut_terminal_range *from = t->range; from != t->range + t->ranges; from++)
      for (const struct ut_leaving *l = from->leaving, *last = l + from->leavings; l != last; l++) {
        call_ahead(t, l, last, r->first, r->end);
        if (ut_header_src(l->header) - r->first < end - r->first)
          settle(t, r, l, delivered, cycle);
      }
}

/* The range that a packet's source is in; those of nobody are the last one's. */
static struct ut_terminal_range *range_of(struct ut_terminals *t, uint32_t src) {
  unsigned i = 0;
  while (i + 1 < t->ranges && src >= t->range[i].end)
    i++;
  return &t->range[i];
}

void ut_terminals_settle_all(struct ut_terminals *t, uint64_t cycle) {
  for (unsigned delivered = 2; delivered-- > 0;)
    for (const struct ut_terminal_range *from = t->range; from != t->range + t->ranges; from++)
      for (const struct ut_leaving *l = from->leaving, *last = l + from->leavings; l != last; l++) {
        call_ahead(t, l, last, 0, t->count);
        settle(t, range_of(t, ut_header_src(l->header)), l, delivered, cycle);
      }
}

size_t ut_terminals_leaving(const struct ut_terminals *t) {
  size_t sum = 0;
  for (unsigned i = 0; i < t->ranges; i++)
    sum += t->range[i].leavings;
  return sum;
}

void ut_terminals_account(struct ut_terminals *t, uint64_t cycle) {
  for (struct ut_terminal_range *r = t->range; r != t->range + t->ranges; r++) {
    if (r != t->range) {
      ut_accounts_add(&t->accounts, &r->own_accounts);
      r->own_accounts = (struct ut_accounts){0};
    }
    if (cycle >= t->window_start && cycle < t->window_end)
      t->window_flits += r->received;
    t->received_flits += r->received;
    r->received = 0;
    t->failure |= r->failure;
  }
}

void ut_terminals_measure_anew(struct ut_terminals *t, uint64_t cycle) {
  t->window_start = cycle;
  t->window_flits = 0;
  for (struct ut_terminal_range *r = t->range; r != t->range + t->ranges; r++)
    ut_histogram_clear(r->latency);
}

/* ---- two of one scenario */

static bool injections_agree(const struct ut_injection *a, const struct ut_injection *b) {
  const bool alike = a->link_up == b->link_up && a->up == b->up && a->sending == b->sending;
  return alike && (!a->sending || (a->unwritten == b->unwritten && a->header == b->header && a->body == b->body &&
                                   a->path == b->path && a->output == b->output && a->headers == b->headers));
}

/* Flits of a packet that is not complete are read later. */
static bool unread_agree(const struct ut_terminals *a, const struct ut_terminals *b, uint32_t lane) {
  const struct ut_wires *v = a->wires, *w = b->wires;
  const unsigned ring = 2 * v->depth, count = a->unread[lane];
  const uint32_t input = v->terminals + lane;
  const unsigned x = ut_position_at(v->write, input, v->wide), y = ut_position_at(w->write, input, w->wide);
  bool agree = count == b->unread[lane];
  for (unsigned i = 1; i <= count && agree; i++)
    agree = !memcmp(ut_wires_flit(v, input, (x + ring - i) % ring), ut_wires_flit(w, input, (y + ring - i) % ring),
                    v->words * sizeof(uint64_t));
  return agree;
}

static bool receptions_agree(const struct ut_terminals *a, const struct ut_terminals *b, uint32_t lane) {
  const struct ut_receptions *r = &a->receptions[lane / UT_LANES], *s = &b->receptions[lane / UT_LANES];
  const struct ut_reception *x = &a->rx[lane], *y = &b->rx[lane];
  const uint32_t here = UINT32_C(1) << lane % UT_LANES;
  if (x->pending_credits != y->pending_credits || (r->open ^ s->open) & here)
    return false;
  return !(r->open & here) || (!((r->corrupt ^ s->corrupt) & here) && x->header == y->header && x->body == y->body &&
                               x->flits == y->flits && unread_agree(a, b, lane));
}

bool ut_terminals_agree(const struct ut_terminals *a, const struct ut_terminals *b) {
  bool agree = !memcmp(a->credits, b->credits, a->lanes) && !memcmp(a->ahead, b->ahead, a->lanes) &&
               !memcmp(a->transmissions, b->transmissions, sizeof *a->transmissions * (a->lanes / UT_LANES)) &&
               !memcmp(a->roll, b->roll, sizeof *a->roll * a->rolls);
  for (uint32_t i = 0; i < a->lanes && agree; i++)
    agree = receptions_agree(a, b, i);
  for (uint32_t i = 0; i < a->count * a->injections && agree; i++)
    agree = injections_agree(&a->injection[i], &b->injection[i]);
  for (uint32_t i = 0; i < a->count * a->ejections && agree; i++)
    agree = a->ejection[i].pending_credits == b->ejection[i].pending_credits &&
            a->ejection[i].link_up == b->ejection[i].link_up && a->ejection[i].up == b->ejection[i].up;
  for (uint32_t i = 0; i < a->count && agree; i++)
    agree = a->terminal[i].injected == b->terminal[i].injected && a->terminal[i].end == b->terminal[i].end;
  return agree;
}

/* ---- packets are generated */

/* The next packet of a terminal, of a network where not all serve: it has another destination, or is none: those behind
 * it take its place. */
static bool serve(struct ut_terminals *t, uint32_t id, struct ut_record *next) {
  struct ut_terminal *n = &t->terminal[id];
  if (!t->availability->serves[id]) {
    n->drawn--;
    for (uint64_t i = n->end; i < n->drawn; i++)
      *ut_record_of(n, i) = *ut_record_of(n, i + 1);
    return false;
  }
  if (t->traffic->uniform && !t->availability->serves[next->dst])
    next->dst = (uint16_t)ut_availability_other(t->availability, id);
  return true;
}

static bool release(struct ut_terminals *t, struct ut_terminal_range *r, uint32_t id, uint64_t cycle) {
  struct ut_terminal *n = &t->terminal[id];
  const struct ut_release_list *list = &t->releases->list[id];
  for (size_t *next = &t->source[id].next; *next < list->count; ++*next) {
    const struct ut_release *x = &list->release[*next];
    if (x->cycle > cycle)
      break;
    for (uint32_t i = 1; i <= x->packets; i++) {
      if (n->end - n->base > n->mask && !grow(n))
        return false;
      *ut_record_of(n, n->end++) = (struct ut_record){cycle, x->dst, i < x->packets ? x->flits : x->last_flits, true};
    }
    r->accounts->generated += x->packets;
  }
  t->roll[id / 64].waiting |= ut_roll_bit(id);
  return true;
}

/* The packets that a workload releases in this cycle. */
static void release_all(const struct ut_terminal_cycle *c) {
  for (uint32_t base = c->r->first; base < c->r->end; base += 64)
    for (uint64_t now = c->t->releases->now[c->cycle % 2][base / 64]; now; now &= now - 1)
      c->r->failure |= !release(c->t, c->r, base + (uint32_t)__builtin_ctzll(now), c->cycle);
}

/* ---- packets are sent */

/* The next packet leads nowhere. */
static __attribute__((noinline)) void give_up(const struct ut_terminal_work *k, uint32_t id, struct ut_injection *in) {
  ut_packet_take(k, id, in, 0, 0, 0);
  ut_packet_discard(k->r, in->header, UT_DISCARD_UNREACHABLE);
}

/* The next packet is for a node that has failed since it was generated, or is so by its pattern. */
static inline bool is_refused(const struct ut_terminals *t, struct ut_terminal *n) {
  return __builtin_expect(t->availability != NULL, 0) && !t->availability->serves[ut_record_of(n, n->injected)->dst];
}

/* As ut_begin_plain(), where routes may be planned, or nodes not be served. */
static bool begin_planned(const struct ut_terminal_work *k, uint32_t id) {
  struct ut_terminal *n = &k->terminal[id];
  struct ut_injection *in = &k->injection[id];
  const struct ut_path *path = k->paths ? ut_paths_find(k->paths, id, ut_record_of(n, n->injected)->dst) : NULL;
  if (!in->up)
    return false;
  if (is_refused(k->t, n) || (path && !path->headers)) {
    give_up(k, id, in);
    return false;
  }
  const unsigned vc = ut_pick_vc(k->credits + k->w.terminals + in->lane, k->x);
  if (vc == k->x.v)
    return false;
  in->path = path;
  const unsigned headers = path ? path->headers - 1u : 0;
  ut_packet_begin(k, in, ut_packet_take(k, id, in, vc, path ? path->rt[headers] : 0, headers));
  return true;
}

/* The free link with most free space for the next packet, and the VC there; ties at random.  NULL: none has room.
 * leads: whether any link does, and has a way to the destination. */
static struct ut_injection *pick_link(const struct ut_terminal_work *k, uint32_t id, ut_mask free, unsigned *into,
                                      unsigned *choices, bool *leads) {
  struct ut_terminals *t = k->t;
  struct ut_terminal *n = &t->terminal[id];
  const uint16_t dst = ut_record_of(n, n->injected)->dst;
  const bool refused = is_refused(t, n);
  struct ut_injection *best = NULL;
  unsigned most = 0, ties = 0;
  *leads = false;
  for (unsigned j = 0; j < t->injections; j++) {
    struct ut_injection *in = &t->injection[(size_t)id * t->injections + j];
    const uint8_t *credits = t->credits + in->lane;
    const unsigned ways =
        t->source_routes ? ut_source_routes_choices(t->source_routes, id, j, dst, k->cycle) : !refused;
    *leads |= ways != 0;
    const unsigned vc = ways && free & ut_bit(j) ? ut_pick_vc(credits, k->x) : k->x.v;
    if (vc == k->x.v || credits[vc] < most)
      continue;
    ties = credits[vc] == most ? ties + 1 : 1;
    most = credits[vc];
    if (ties > 1 && ut_random_below(&t->tie[id], ties) != 0)
      continue;
    best = in;
    *into = vc;
    *choices = t->source_routes ? ways : 0;
  }
  return best;
}

/* A terminal chooses among links or ways: free links begin packets.  One that leads nowhere is the last one of the
 * cycle. */
static bool begin_guided(const struct ut_terminal_work *k, uint32_t id) {
  struct ut_terminals *t = k->t;
  struct ut_terminal *n = &k->terminal[id];
  struct ut_injection *first = &k->injection[(size_t)id * t->injections];
  ut_mask free = 0;
  for (unsigned j = 0; j < t->injections; j++)
    free |= first[j].up && !first[j].sending ? ut_bit(j) : 0;
  while (n->injected != n->end) {
    unsigned vc = 0, choices = 0;
    bool leads;
    struct ut_injection *in = pick_link(k, id, free, &vc, &choices, &leads);
    if (!leads && free)
      give_up(k, id, first + ut_first(free));
    if (!in)
      break;
    ut_packet_begin(k, in, ut_packet_take(k, id, in, vc, choices, 0));
    free &= ~ut_bit((unsigned)(in - first));
  }
  return false;
}

/* ---- links that change, are down, or have just come up */

/* What a link has not sent of its packet is lost. */
static void lose(const struct ut_terminal_work *k, struct ut_injection *in) {
  if (!in->sending)
    return;
  const uint32_t lane = in->output - k->w.terminals, others = ~(UINT32_C(1) << lane % UT_LANES);
  struct ut_transmissions *now = &k->transmissions[lane / UT_LANES];
  now->sending &= others, now->tail &= others, now->more &= others;
  k->ahead[in->output] = 0;
}

/* One cycle of such an ejection link. */
static void step_ejection(const struct ut_terminal_work *k, struct ut_ejection *out) {
  ut_mask owing = out->pending_credits;
  for (unsigned v = 0; v < k->x.v; v++) {
    const uint32_t lane = out->lane + v, input = k->w.terminals + lane;
    if (!k->flits_in[input])
      continue;
    if (out->link_up && out->up) { /* it will be received as usual */
      owing &= ~ut_bit(v);
      continue;
    }
    if (k->unread[input]) /* they stand before the next place; the packet will be cut, whatever is wrong in it */
      ut_packet_read(k, lane, false, &k->rx[lane]);
    const uint64_t *flit = ut_wires_take(&k->w, input, k->flits_in);
    if (flit[k->x.words] & UT_KIND_HEAD)
      ut_packet_discard(k->r, flit[0], UT_DISCARD_CUT_BY_FAULT);
  }
  if (out->up) {
    UT_FOR_EACH (v, owing) { /* one credit of a VC a cycle: either for a flit or for room not told of */
      k->credits_out[k->w.from[k->w.terminals + out->lane + v]] = 0xff;
      if (--k->rx[out->lane + v].pending_credits == 0)
        out->pending_credits &= ~ut_bit(v);
    }
    return;
  }
  for (uint32_t lane = out->lane; lane < out->lane + k->x.v; lane++) { /* what was being received is cut */
    ut_packets_cut(k->c, lane / UT_LANES * UT_LANES, UINT32_C(1) << lane % UT_LANES);
    k->rx[lane].pending_credits = (uint8_t)k->x.depth;
  }
  out->pending_credits = ut_mask_all(k->x.v);
}

/* One cycle of a terminal with such a link. */
static void step_unusual(const struct ut_terminal_cycle *c, uint32_t id) {
  struct ut_terminal_work any;
  const struct ut_terminal_work *k = &any;
  ut_terminal_prepare(&any, c, ut_terminal_mode(c->t), c->t->form);
  const struct ut_terminals *t = k->t;
  struct ut_roll *roll = &k->roll[id / 64];
  bool usual = true;
  for (unsigned j = 0; j < t->ejections; j++) {
    struct ut_ejection *out = &t->ejection[(size_t)id * t->ejections + j];
    step_ejection(k, out);
    usual &= out->up && out->link_up && !out->pending_credits;
    out->up = out->link_up;
  }
  for (unsigned j = 0; j < t->injections; j++) {
    struct ut_injection *in = &k->injection[(size_t)id * t->injections + j];
    uint8_t *credits = t->credits + in->lane, *back = k->credits_in + k->w.terminals + in->lane;
    for (unsigned v = 0; v < k->x.v; v++) {
      credits[v] = in->up ? (uint8_t)(credits[v] - back[v]) : 0;
      back[v] = 0;
    }
    if (!in->link_up) /* the rest of the packet in mid-transfer is lost */
      lose(k, in);
    if (!in->up) {
      in->sending = false;
      roll->middle &= ~ut_roll_bit(id);
    }
    usual &= in->up && in->link_up;
    in->up = in->link_up;
  }
  roll->unusual &= ~(usual ? ut_roll_bit(id) : 0);
}

/* ---- the cycle */

static void begin(const struct ut_terminal_cycle *c) {
  struct ut_terminal_work k;
  ut_terminal_prepare(&k, c, ut_terminal_mode(c->t), c->t->form);
  if (k.mode == UT_SOURCE_ROUTED)
    ut_begin_all(&k, begin_guided);
  else
    ut_begin_all(&k, begin_planned);
}

static void step(const struct ut_terminal_cycle *c) {
  ut_terminals_cycle(c, ut_terminal_mode(c->t), c->t->form);
}
static const struct ut_terminal_steps steps = {{step, step}};
static const struct ut_terminal_calls calls = {release_all, begin,          step_unusual,        draw_ahead,
                                               serve,       note_departure, ut_histogram_add_far};

void ut_terminals_step(struct ut_terminals *t, unsigned range, uint64_t cycle, uint8_t *flits_now, uint8_t *credits_now,
                       uint8_t *flits, uint8_t *credits) {
  struct ut_terminal_range *r = &t->range[range];
  const struct ut_terminal_cycle c = {t, r, cycle, flits_now, credits_now, flits, credits};
  r->leavings = 0;
  t->steps->step[ut_terminal_mode(t) == UT_PLAIN](&c);
}

uint64_t ut_terminals_queued(const struct ut_terminals *t) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < t->count; i++)
    sum += t->terminal[i].end - t->terminal[i].injected;
  return sum;
}

uint64_t ut_terminals_receiving(const struct ut_terminals *t) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < t->lanes; i++)
    sum += t->receptions[i / UT_LANES].open >> i % UT_LANES & 1;
  return sum;
}
