/* SPDX-License-Identifier: Apache-2.0 */
#include "terminal.h"

#include <stdlib.h>
#include <string.h>

#include "resends.h"
#include "terminal_cycle.h"

static const char *const names[UT_DISCARD_REASONS] = {"cut_by_fault", "in_failed_switch", "unreachable", "purged"};

const char *ut_discard_name(enum ut_discard_reason reason) {
  return names[reason];
}

/* The cycle for any shape, and the functions of this file that it calls. */
static const struct ut_terminal_steps steps;
static const struct ut_terminal_calls calls;

/* ---- init and fini */

/* Number of records that each terminal has at first, in one array with those of the others. */
enum { FIRST_RECORDS = 4 * UT_AHEAD };

static bool has_grown(const struct ut_terminal *terminal) {
  return terminal->mask >= FIRST_RECORDS;
}

static bool grow(struct ut_terminal *terminal) {
  const uint32_t capacity = 2 * (terminal->mask + 1);
  struct ut_record *bigger = malloc(capacity * sizeof *bigger);
  if (!bigger)
    return false;
  const uint64_t last = terminal->end > terminal->drawn ? terminal->end : terminal->drawn;
  for (uint64_t i = terminal->base; i < last; i++)
    bigger[i & (capacity - 1)] = *ut_record_of(terminal, i);
  if (has_grown(terminal))
    free(terminal->record);
  terminal->record = bigger;
  terminal->mask = capacity - 1;
  return true;
}

/* Draws packets, when all that were drawn are generated.  Returns false when out of memory. */
static bool draw_ahead(struct ut_terminals *terminals, uint32_t id) {
  struct ut_terminal *terminal = &terminals->terminal[id];
  if (terminal->end + UT_AHEAD - terminal->base > (uint64_t)terminal->mask + 1 && !grow(terminal))
    return false;
  struct ut_packet_request drawn[UT_AHEAD];
  const unsigned count = ut_traffic_draw(terminals->traffic, &terminals->source[id], UT_AHEAD, drawn);
  for (unsigned i = 0; i < count; i++)
    *ut_record_of(terminal, terminal->end + i) =
        (struct ut_record){drawn[i].cycle, drawn[i].dst, drawn[i].flits, true, 0};
  terminal->drawn = terminal->end + count;
  if (count < UT_AHEAD)
    *ut_record_of(terminal, terminal->drawn++) = (struct ut_record){.cycle = UT_NO_PACKET};
  return true;
}

static bool allocate(struct ut_terminals *terminals) {
  const uint32_t count = terminals->count;
  const size_t lanes = terminals->lanes;
  terminals->terminal = ut_memory(count * sizeof *terminals->terminal);
  terminals->source = ut_memory(count * sizeof *terminals->source);
  terminals->injection = ut_memory((size_t)count * terminals->injections * sizeof *terminals->injection);
  terminals->ejection = ut_memory((size_t)count * terminals->ejections * sizeof *terminals->ejection);
  terminals->credits = ut_memory(lanes);
  terminals->ahead = ut_memory(lanes);
  terminals->unread = ut_memory(lanes);
  terminals->link = ut_memory(lanes * sizeof *terminals->link);
  terminals->transmissions = ut_memory(lanes / UT_LANES * sizeof *terminals->transmissions);
  terminals->at = ut_memory(lanes * sizeof *terminals->at);
  terminals->rx = ut_memory(lanes * sizeof *terminals->rx);
  terminals->receptions = ut_memory(lanes / UT_LANES * sizeof *terminals->receptions);
  terminals->tie = terminals->injections > 1 ? calloc(count, sizeof *terminals->tie) : NULL;
  terminals->roll = ut_memory(terminals->rolls * sizeof *terminals->roll);
  terminals->first_records = ut_memory((size_t)count * FIRST_RECORDS * sizeof *terminals->first_records);
  return terminals->terminal && terminals->source && terminals->injection && terminals->ejection &&
         terminals->credits && terminals->ahead && terminals->unread && terminals->link && terminals->transmissions &&
         terminals->at && terminals->rx && terminals->receptions && (terminals->injections == 1 || terminals->tie) &&
         terminals->roll && terminals->first_records && ut_histogram_init(&terminals->latency) &&
         ut_terminals_divide(terminals, 1);
}

bool ut_terminals_init(struct ut_terminals *terminals, const struct ut_traffic *traffic,
                       const struct ut_topology *topology, const struct ut_shape *shape, const struct ut_paths *paths,
                       bool account) {
  const uint32_t count = topology->terminals;
  memset(terminals, 0, sizeof *terminals);
  terminals->count = count;
  terminals->rolls = (count + 63) / 64;
  terminals->injections = topology->injections;
  terminals->ejections = topology->ejections;
  terminals->links = terminals->injections > terminals->ejections ? terminals->injections : terminals->ejections;
  terminals->form = ut_terminal_form_of(shape);
  terminals->lanes = (count * terminals->links * terminals->form.v + UT_LANES - 1) / UT_LANES * UT_LANES;
  terminals->steps = &steps;
  terminals->calls = &calls;
  terminals->traffic = traffic;
  terminals->paths = paths;
  terminals->account = account;
  if (!allocate(terminals))
    return false;
  const uint32_t per = terminals->links * terminals->form.v;
  for (uint32_t i = 0; i < count * terminals->injections; i++)
    terminals->injection[i] = (struct ut_injection){
        .lane = i / terminals->injections * per + i % terminals->injections * terminals->form.v, .link_up = true};
  for (uint32_t i = 0; i < count * terminals->injections; i++)
    for (unsigned v = 0; v < terminals->form.v; v++)
      terminals->link[terminals->injection[i].lane + v] = i;
  for (uint32_t i = 0; i < count * terminals->ejections; i++)
    terminals->ejection[i] = (struct ut_ejection){
        .lane = i / terminals->ejections * per + i % terminals->ejections * terminals->form.v, .link_up = true};
  for (uint32_t i = 0; i < count * per; i++)
    terminals->at[i] = (uint16_t)(i / per);
  for (uint32_t i = 0; i < count; i++) {
    ut_traffic_source_init(&terminals->source[i], traffic, i);
    if (terminals->tie)
      ut_random_init(&terminals->tie[i], traffic->seed, UT_RANDOM_INJECTION, i);
    terminals->terminal[i].record = terminals->first_records + (size_t)i * FIRST_RECORDS;
    terminals->terminal[i].mask = FIRST_RECORDS - 1;
    if (!draw_ahead(terminals, i))
      return false;
    ut_schedule(&terminals->roll[i / 64], i, terminals->terminal[i].record->cycle, 0);
    terminals->roll[i / 64].unusual |= ut_roll_bit(i);
  }
  return true;
}

void ut_terminals_join(struct ut_terminals *terminals, struct ut_wires *wires) {
  terminals->wires = wires;
}

static void free_ranges(struct ut_terminal_range *range, unsigned ranges) {
  for (unsigned i = 0; i < ranges; i++)
    free(range[i].leaving), free(range[i].departures.list), ut_histogram_free(&range[i].own);
  free(range);
}

bool ut_terminals_divide(struct ut_terminals *terminals, unsigned ranges) {
  ranges = ranges < terminals->rolls ? ranges : terminals->rolls;
  struct ut_terminal_range *range = aligned_alloc(64, ranges * sizeof *range);
  bool there = range != NULL;
  if (range)
    memset(range, 0, ranges * sizeof *range);
  for (unsigned i = 0; there && i < ranges; i++) {
    struct ut_terminal_range *terminal_range = &range[i];
    terminal_range->first = (uint32_t)((uint64_t)terminals->rolls * i / ranges * 64);
    terminal_range->end = (uint32_t)((uint64_t)terminals->rolls * (i + 1) / ranges * 64);
    terminal_range->end = terminal_range->end < terminals->count ? terminal_range->end : terminals->count;
    terminal_range->latency = i ? &terminal_range->own : &terminals->latency;
    terminal_range->accounts = i ? &terminal_range->own_accounts : &terminals->accounts;
    /* for each lane a flit and the packet that it belonged to, for each terminal a packet without a route */
    terminal_range->leaving = malloc((terminal_range->end - terminal_range->first) *
                                     (2 * terminals->links * terminals->form.v + 1) * sizeof *terminal_range->leaving);
    there = terminal_range->leaving && (i == 0 || ut_histogram_init(&terminal_range->own));
  }
  for (unsigned i = 1; there && i < terminals->ranges; i++)
    there = ut_histogram_merge(&terminals->latency, &terminals->range[i].own);
  if (!there) {
    free_ranges(range, range ? ranges : 0);
    return false;
  }
  free_ranges(terminals->range, terminals->ranges);
  terminals->range = range;
  terminals->ranges = ranges;
  return true;
}

void ut_terminals_disturb(struct ut_terminals *terminals, uint32_t id) {
  terminals->roll[id / 64].unusual |= ut_roll_bit(id);
}

void ut_terminals_fini(struct ut_terminals *terminals) {
  for (uint32_t i = 0; terminals->terminal && i < terminals->count; i++)
    if (has_grown(&terminals->terminal[i]))
      free(terminals->terminal[i].record);
  free(terminals->first_records);
  free_ranges(terminals->range, terminals->ranges);
  free(terminals->terminal);
  free(terminals->source);
  free(terminals->injection);
  free(terminals->ejection);
  free(terminals->credits), free(terminals->ahead), free(terminals->unread);
  free(terminals->link);
  free(terminals->transmissions);
  free(terminals->at);
  free(terminals->rx);
  free(terminals->receptions);
  free(terminals->tie);
  free(terminals->roll);
  ut_histogram_free(&terminals->latency);
  memset(terminals, 0, sizeof *terminals);
}

/* ---- what leaves the network */

bool ut_departures_add(struct ut_departures *departures, const struct ut_departure *what) {
  if (departures->count == departures->room) {
    const size_t room = departures->room ? 2 * departures->room : 64;
    struct ut_departure *bigger = realloc(departures->list, room * sizeof *bigger);
    if (!bigger)
      return false;
    departures->list = bigger;
    departures->room = room;
  }
  departures->list[departures->count++] = *what;
  return true;
}

/* Lists a packet whose record has just left the in-flight table. */
static __attribute__((noinline)) void note_departure(struct ut_terminals *terminals, struct ut_terminal_range *range,
                                                     uint64_t header, const struct ut_record *record, unsigned reason) {
  const struct ut_terminal *terminal = &terminals->terminal[ut_header_src(header)];
  const uint64_t last = terminal->injected - 1,
                 before = (last - (uint64_t)(record - terminal->record)) & terminal->mask;
  const struct ut_departure departure = {*record, last - before, ut_header_src(header), (uint8_t)reason};
  range->failure |= !ut_departures_add(&range->departures, &departure);
}

/* Discards a packet of one of the range's terminals; or of any terminal, if only one thread moves them. */
static bool retire_discarded(struct ut_terminals *terminals, struct ut_terminal_range *range, uint64_t header,
                             unsigned reason) {
  const uint16_t src = ut_header_src(header);
  const struct ut_record *record =
      src < terminals->count ? ut_packet_retire(&terminals->terminal[src], terminals->paths, header, false, 0) : NULL;
  if (record && terminals->watched)
    note_departure(terminals, range, header, record, reason);
  return record;
}

void ut_terminals_discard(struct ut_terminals *terminals, uint64_t header, enum ut_discard_reason reason) {
  if (!terminals->account)
    return;
  terminals->accounts.discarded[reason]++;
  terminals->accounts.corrupt += !retire_discarded(terminals, terminals->range, header, reason);
}

/* Prefetches what packets further down the list will need, if their sources belong to the range. */
static inline void call_ahead(const struct ut_terminals *terminals, const struct ut_leaving *leaving,
                              const struct ut_leaving *last, uint32_t first, uint32_t end) {
  enum { SOURCES = 12, RECORDS = 6 };
  if (last - leaving <= SOURCES)
    return;
  const uint32_t far = ut_header_src(leaving[SOURCES].header), near = ut_header_src(leaving[RECORDS].header);
  if (far - first < end - first)
    __builtin_prefetch(&terminals->terminal[far]);
  if (near - first < end - first) {
    struct ut_terminal *terminal = &terminals->terminal[near];
    __builtin_prefetch(
        ut_record_of(terminal, terminal->base + (uint8_t)(ut_header_tag(leaving[RECORDS].header) - terminal->base)), 1);
  }
}

/* Settles the listed packets whose source is in the range.  Delivered packets are settled before others, so that it
 * does not depend on the order of the list which of two records with the same tag a packet takes. */
static void settle(struct ut_terminals *terminals, struct ut_terminal_range *range, const struct ut_leaving *leaving,
                   bool delivered, uint64_t cycle) {
  const uint32_t src = ut_header_src(leaving->header);
  if ((leaving->reason == UT_DELIVERED) != delivered)
    return;
  if (delivered) {
    ut_packet_deliver(terminals, range, terminals->paths, terminals->account, src, src < range->end, *leaving, cycle);
  } else if (terminals->account) {
    range->accounts->discarded[leaving->reason]++;
    range->accounts->corrupt += !retire_discarded(terminals, range, leaving->header, leaving->reason);
  }
}

void ut_terminals_settle(struct ut_terminals *terminals, unsigned range, uint64_t cycle) {
  struct ut_terminal_range *terminal_range = &terminals->range[range];
  const uint32_t end = range + 1 < terminals->ranges ? terminal_range->end : UINT32_MAX; /* the last range also settles
                                                                                            those without a source */
  for (unsigned delivered = 2; delivered-- > 0;)
    for (const struct ut_terminal_range *from = terminals->range; from != terminals->range + terminals->ranges; from++)
      for (const struct ut_leaving *leaving = from->leaving, *last = leaving + from->leavings; leaving != last;
           leaving++) {
        call_ahead(terminals, leaving, last, terminal_range->first, terminal_range->end);
        if (ut_header_src(leaving->header) - terminal_range->first < end - terminal_range->first)
          settle(terminals, terminal_range, leaving, delivered, cycle);
      }
}

/* Returns the range of a packet's source; packets without a source belong to the last range. */
static struct ut_terminal_range *range_of(struct ut_terminals *terminals, uint32_t src) {
  unsigned i = 0;
  while (i + 1 < terminals->ranges && src >= terminals->range[i].end)
    i++;
  return &terminals->range[i];
}

void ut_terminals_settle_all(struct ut_terminals *terminals, uint64_t cycle) {
  for (unsigned delivered = 2; delivered-- > 0;)
    for (const struct ut_terminal_range *from = terminals->range; from != terminals->range + terminals->ranges; from++)
      for (const struct ut_leaving *leaving = from->leaving, *last = leaving + from->leavings; leaving != last;
           leaving++) {
        call_ahead(terminals, leaving, last, 0, terminals->count);
        settle(terminals, range_of(terminals, ut_header_src(leaving->header)), leaving, delivered, cycle);
      }
}

size_t ut_terminals_leaving(const struct ut_terminals *terminals) {
  size_t sum = 0;
  for (unsigned i = 0; i < terminals->ranges; i++)
    sum += terminals->range[i].leavings;
  return sum;
}

void ut_terminals_account(struct ut_terminals *terminals, uint64_t cycle) {
  for (struct ut_terminal_range *range = terminals->range; range != terminals->range + terminals->ranges; range++) {
    if (range != terminals->range) {
      ut_accounts_add(&terminals->accounts, &range->own_accounts);
      range->own_accounts = (struct ut_accounts){0};
    }
    if (cycle >= terminals->window_start && cycle < terminals->window_end)
      terminals->window_flits += range->received;
    terminals->received_flits += range->received;
    range->received = 0;
    terminals->failure |= range->failure;
  }
}

void ut_terminals_measure_anew(struct ut_terminals *terminals, uint64_t cycle) {
  terminals->window_start = cycle;
  terminals->window_flits = 0;
  for (struct ut_terminal_range *range = terminals->range; range != terminals->range + terminals->ranges; range++)
    ut_histogram_clear(range->latency);
}

/* ---- comparison of two networks of one scenario */

static bool injections_agree(const struct ut_injection *a, const struct ut_injection *b) {
  const bool alike = a->link_up == b->link_up && a->up == b->up && a->sending == b->sending;
  return alike && (!a->sending || (a->unwritten == b->unwritten && a->header == b->header && a->body == b->body &&
                                   a->path == b->path && a->output == b->output && a->headers == b->headers));
}

/* Flits of an incomplete packet are read later. */
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

/* Checks the next packet of a terminal in a network where some nodes may be unavailable.  A uniform packet for such a
 * node gets another destination.  Returns false if the terminal itself is unavailable: the packet is removed then. */
static bool serve(struct ut_terminals *terminals, uint32_t id, struct ut_record *next) {
  struct ut_terminal *terminal = &terminals->terminal[id];
  if (!terminals->availability->serves[id]) {
    terminal->drawn--;
    for (uint64_t i = terminal->end; i < terminal->drawn; i++)
      *ut_record_of(terminal, i) = *ut_record_of(terminal, i + 1);
    return false;
  }
  if (terminals->traffic->uniform && !terminals->availability->serves[next->dst])
    next->dst = (uint16_t)ut_availability_other(terminals->availability, id);
  return true;
}

static bool release(struct ut_terminals *terminals, struct ut_terminal_range *range, uint32_t id, uint64_t cycle) {
  struct ut_terminal *terminal = &terminals->terminal[id];
  const struct ut_release_list *list = &terminals->releases->list[id];
  for (size_t *next = &terminals->source[id].next; *next < list->count; ++*next) {
    const struct ut_release *released = &list->release[*next];
    if (released->cycle > cycle)
      break;
    for (uint32_t i = 1; i <= released->packets; i++) {
      if (terminal->end - terminal->base > terminal->mask && !grow(terminal))
        return false;
      *ut_record_of(terminal, terminal->end++) = (struct ut_record){
          cycle, released->dst, i < released->packets ? released->flits : released->last_flits, true, 0};
    }
    range->accounts->generated += released->packets;
  }
  terminals->roll[id / 64].waiting |= ut_roll_bit(id);
  return true;
}

/* Queues the packets that a workload releases in this cycle. */
static void release_all(const struct ut_terminal_cycle *cycle) {
  for (uint32_t base = cycle->r->first; base < cycle->r->end; base += 64)
    for (uint64_t now = cycle->t->releases->now[cycle->cycle % 2][base / 64]; now; now &= now - 1)
      cycle->r->failure |= !release(cycle->t, cycle->r, base + (uint32_t)__builtin_ctzll(now), cycle->cycle);
}

/* Puts a packet into the source queue, before those that are drawn and not generated yet. */
static bool queue_again(struct ut_terminals *terminals, const struct ut_resend *resend) {
  struct ut_terminal *terminal = &terminals->terminal[resend->src];
  if (terminal->drawn - terminal->base > terminal->mask && !grow(terminal))
    return false;
  for (uint64_t i = terminal->drawn++; i > terminal->end; i--)
    *ut_record_of(terminal, i) = *ut_record_of(terminal, i - 1);
  *ut_record_of(terminal, terminal->end++) = resend->record;
  terminals->roll[resend->src / 64].waiting |= ut_roll_bit(resend->src);
  return true;
}

/* Queues the packets that are sent again in this cycle. */
static void resend_all(const struct ut_terminal_cycle *cycle) {
  const struct ut_resend_list *list = &cycle->t->resends[cycle->cycle % 2];
  for (size_t i = 0; i < list->count && list->cycle == cycle->cycle; i++) {
    const uint32_t src = list->resend[i].src;
    if (src < cycle->r->first || src >= cycle->r->end)
      continue;
    cycle->r->failure |= !queue_again(cycle->t, &list->resend[i]);
    cycle->r->accounts->generated++;
  }
}

/* ---- packets are sent */

/* Discards the next packet, because no route leads to its destination. */
static __attribute__((noinline)) void give_up(const struct ut_terminal_work *work, uint32_t id,
                                              struct ut_injection *in) {
  ut_packet_take(work, id, in, 0, 0, 0);
  ut_packet_discard(work->r, in->header, UT_DISCARD_UNREACHABLE);
}

/* Returns whether the source of the next packet has stopped sending to its destination; marks the packet then. */
static bool is_stopped(const struct ut_terminal_work *work, uint32_t id) {
  const struct ut_stops *stops = &work->t->stops[id];
  struct ut_record *record = ut_record_of(&work->terminal[id], work->terminal[id].injected);
  for (size_t i = 0; i < stops->count; i++) {
    const struct ut_stop *stop = &stops->stop[i];
    if (stop->dst == record->dst && stop->from <= work->cycle && work->cycle < stop->until) {
      record->again = UT_STOPPED;
      return true;
    }
  }
  return false;
}

/* Returns whether the destination node of the next packet is unavailable: it has failed since the packet was generated,
 * or the pattern has a fixed destination; or whether the source sends nothing to it. */
static inline bool is_refused(const struct ut_terminal_work *work, uint32_t id) {
  const struct ut_terminals *terminals = work->t;
  struct ut_terminal *terminal = &terminals->terminal[id];
  return (__builtin_expect(terminals->availability != NULL, 0) &&
          !terminals->availability->serves[ut_record_of(terminal, terminal->injected)->dst]) ||
         (__builtin_expect(terminals->stops != NULL, 0) && is_stopped(work, id));
}

/* The rt field of the next packet, where tables decide on it. */
static inline uint32_t rt_of(const struct ut_terminal_work *work, uint32_t id) {
  const struct ut_next_hops *hops = work->t->next_hops;
  return hops ? ut_next_hops_rt(hops, id, ut_record_of(&work->terminal[id], work->terminal[id].injected)->dst) : 0;
}

/* Like ut_begin_plain(), where routes may be planned, headers tell a layer, or nodes are not available. */
static bool begin_planned(const struct ut_terminal_work *work, uint32_t id) {
  struct ut_terminal *terminal = &work->terminal[id];
  struct ut_injection *in = &work->injection[id];
  const struct ut_path *path =
      work->paths ? ut_paths_find(work->paths, id, ut_record_of(terminal, terminal->injected)->dst) : NULL;
  if (!in->up)
    return false;
  if (is_refused(work, id) || (path && !path->headers)) {
    work->r->failure |= path == &ut_path_not_kept;
    give_up(work, id, in);
    return false;
  }
  const unsigned vc = ut_pick_vc(work->credits + work->w.terminals + in->lane, work->x);
  if (vc == work->x.v)
    return false;
  in->path = path;
  const unsigned headers = path ? path->headers - 1u : 0;
  ut_packet_begin(work, in, ut_packet_take(work, id, in, vc, path ? path->rt[headers] : rt_of(work, id), headers));
  return true;
}

/* Returns the free link with most free space for the next packet, and the VC there; ties are broken at random.  NULL:
 * no link has space.  leads: whether any link is up and has a route to the destination. */
static struct ut_injection *pick_link(const struct ut_terminal_work *work, uint32_t id, ut_mask free, unsigned *into,
                                      unsigned *choices, bool *leads) {
  struct ut_terminals *terminals = work->t;
  struct ut_terminal *terminal = &terminals->terminal[id];
  const uint16_t dst = ut_record_of(terminal, terminal->injected)->dst;
  const struct ut_path *path = work->paths ? ut_paths_find(work->paths, id, dst) : NULL;
  const bool refused = is_refused(work, id) || (path && !path->headers);
  struct ut_injection *best = NULL;
  unsigned most = 0, ties = 0;
  *leads = false;
  for (unsigned j = 0; j < terminals->injections; j++) {
    struct ut_injection *in = &terminals->injection[(size_t)id * terminals->injections + j];
    const uint8_t *credits = terminals->credits + in->lane;
    const unsigned ways = refused ? 0
                          : terminals->source_routes
                              ? ut_source_routes_choices(terminals->source_routes, id, j, dst, work->cycle)
                              : 1;
    *leads |= ways != 0;
    const unsigned vc = ways && free & ut_bit(j) ? ut_pick_vc(credits, work->x) : work->x.v;
    if (vc == work->x.v || credits[vc] < most)
      continue;
    ties = credits[vc] == most ? ties + 1 : 1;
    most = credits[vc];
    if (ties > 1 && ut_random_below(&terminals->tie[id], ties) != 0)
      continue;
    best = in;
    *into = vc;
    *choices = terminals->source_routes ? ways : 0;
  }
  return best;
}

/* Begins packets on the free links of a terminal that chooses among links or routes.  A packet without a route is the
 * last one of the cycle. */
static bool begin_guided(const struct ut_terminal_work *work, uint32_t id) {
  struct ut_terminals *terminals = work->t;
  struct ut_terminal *terminal = &work->terminal[id];
  struct ut_injection *first = &work->injection[(size_t)id * terminals->injections];
  ut_mask free = 0;
  for (unsigned j = 0; j < terminals->injections; j++)
    free |= first[j].up && !first[j].sending ? ut_bit(j) : 0;
  while (terminal->injected != terminal->end) {
    unsigned vc = 0, choices = 0;
    bool leads;
    struct ut_injection *in = pick_link(work, id, free, &vc, &choices, &leads);
    if (!leads && free)
      give_up(work, id, first + ut_first(free));
    if (!in)
      break;
    const struct ut_path *path =
        work->paths ? ut_paths_find(work->paths, id, ut_record_of(terminal, terminal->injected)->dst) : NULL;
    const unsigned headers = path ? path->headers - 1u : 0;
    in->path = path;
    ut_packet_begin(work, in, ut_packet_take(work, id, in, vc, path ? path->rt[headers] : choices, headers));
    free &= ~ut_bit((unsigned)(in - first));
  }
  return false;
}

/* ---- links that change, are down, or have just come up */

/* Loses the flits that a link has not sent of its packet. */
static void lose(const struct ut_terminal_work *work, struct ut_injection *in) {
  if (!in->sending)
    return;
  const uint32_t lane = in->output - work->w.terminals, others = ~(UINT32_C(1) << lane % UT_LANES);
  struct ut_transmissions *now = &work->transmissions[lane / UT_LANES];
  now->sending &= others, now->tail &= others, now->more &= others;
  work->ahead[in->output] = 0;
}

/* One cycle of an ejection link that is unusual. */
static void step_ejection(const struct ut_terminal_work *work, struct ut_ejection *out) {
  ut_mask pending = out->pending_credits;
  for (unsigned v = 0; v < work->x.v; v++) {
    const uint32_t lane = out->lane + v, input = work->w.terminals + lane;
    if (!work->flits_in[input])
      continue;
    if (out->link_up && out->up) { /* it will be received as usual */
      pending &= ~ut_bit(v);
      continue;
    }
    if (work->unread[input]) /* the unread flits come first; the packet will be cut anyway */
      ut_packet_read(work, lane, false, &work->rx[lane]);
    const uint64_t *flit = ut_wires_take(&work->w, input, work->flits_in);
    if (flit[work->x.words] & UT_KIND_HEAD)
      ut_packet_discard(work->r, flit[0], UT_DISCARD_CUT_BY_FAULT);
  }
  if (out->up) {
    UT_FOR_EACH (v, pending) { /* one credit of a VC a cycle: either for a flit or for room not told of */
      work->credits_out[work->w.from[work->w.terminals + out->lane + v]] = 0xff;
      if (--work->rx[out->lane + v].pending_credits == 0)
        out->pending_credits &= ~ut_bit(v);
    }
    return;
  }
  for (uint32_t lane = out->lane; lane < out->lane + work->x.v; lane++) { /* the packet that was arriving is cut */
    ut_packets_cut(work->c, lane / UT_LANES * UT_LANES, UINT32_C(1) << lane % UT_LANES);
    work->rx[lane].pending_credits = (uint8_t)work->x.depth;
  }
  out->pending_credits = ut_mask_all(work->x.v);
}

/* One cycle of a terminal with an unusual link. */
static void step_unusual(const struct ut_terminal_cycle *cycle, uint32_t id) {
  struct ut_terminal_work any;
  const struct ut_terminal_work *work = &any;
  ut_terminal_prepare(&any, cycle, ut_terminal_mode(cycle->t), cycle->t->form);
  const struct ut_terminals *terminals = work->t;
  struct ut_roll *roll = &work->roll[id / 64];
  bool usual = true;
  for (unsigned j = 0; j < terminals->ejections; j++) {
    struct ut_ejection *out = &terminals->ejection[(size_t)id * terminals->ejections + j];
    step_ejection(work, out);
    usual &= out->up && out->link_up && !out->pending_credits;
    out->up = out->link_up;
  }
  for (unsigned j = 0; j < terminals->injections; j++) {
    struct ut_injection *in = &work->injection[(size_t)id * terminals->injections + j];
    uint8_t *credits = terminals->credits + in->lane, *back = work->credits_in + work->w.terminals + in->lane;
    for (unsigned v = 0; v < work->x.v; v++) {
      credits[v] = in->up ? (uint8_t)(credits[v] - back[v]) : 0;
      back[v] = 0;
    }
    if (!in->link_up) /* the rest of the packet in transfer is lost */
      lose(work, in);
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

static void begin(const struct ut_terminal_cycle *cycle) {
  struct ut_terminal_work work;
  if (cycle->t->halted)
    return;
  ut_terminal_prepare(&work, cycle, ut_terminal_mode(cycle->t), cycle->t->form);
  if (work.mode == UT_SOURCE_ROUTED)
    ut_begin_all(&work, begin_guided);
  else
    ut_begin_all(&work, begin_planned);
}

static void step(const struct ut_terminal_cycle *cycle) {
  ut_terminals_cycle(cycle, ut_terminal_mode(cycle->t), cycle->t->form);
}
static const struct ut_terminal_steps steps = {{step, step}};
static const struct ut_terminal_calls calls = {release_all, begin, resend_all,     step_unusual,
                                               draw_ahead,  serve, note_departure, ut_histogram_add_far};

void ut_terminals_step(struct ut_terminals *terminals, unsigned range, uint64_t cycle, uint8_t *flits_now,
                       uint8_t *credits_now, uint8_t *flits, uint8_t *credits) {
  struct ut_terminal_range *terminal_range = &terminals->range[range];
  const struct ut_terminal_cycle terminal_cycle = {terminals,   terminal_range, cycle,  flits_now,
                                                   credits_now, flits,          credits};
  terminal_range->leavings = 0;
  terminals->steps->step[ut_terminal_mode(terminals) == UT_PLAIN](&terminal_cycle);
}

uint64_t ut_terminals_queued(const struct ut_terminals *terminals) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < terminals->count; i++)
    sum += terminals->terminal[i].end - terminals->terminal[i].injected;
  return sum;
}

uint64_t ut_terminals_receiving(const struct ut_terminals *terminals) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < terminals->lanes; i++)
    sum += terminals->receptions[i / UT_LANES].open >> i % UT_LANES & 1;
  return sum;
}
