#include "terminal.h"

#include <stdlib.h>
#include <string.h>

#include "layers.h"

static const char *const names[UT_DISCARD_REASONS] = {"cut_by_fault", "in_failed_switch", "unreachable", "purged"};

const char *ut_discard_name(enum ut_discard_reason reason) {
  return names[reason];
}

static inline uint64_t bit(uint32_t i) {
  return UINT64_C(1) << i % 64;
}

static inline struct ut_record *record_of(struct ut_terminal *n, uint64_t sequence) {
  return &n->record[sequence & n->mask];
}

/* ---- life and death */

static bool grow(struct ut_terminal *n) {
  uint32_t capacity = n->record ? 2 * (n->mask + 1) : 8;
  struct ut_record *bigger = malloc(capacity * sizeof *bigger);
  if (!bigger)
    return false;
  for (uint64_t i = n->base; i < n->end; i++)
    bigger[i & (capacity - 1)] = *record_of(n, i);
  free(n->record);
  n->record = bigger;
  n->mask = capacity - 1;
  return true;
}

/* Terminal i of these will be woken for its next packet; one that is far away, on the way there. */
static inline void schedule(struct ut_roll *roll, uint32_t i, uint64_t next, uint64_t cycle) {
  const uint64_t at = next - cycle < UT_WHEEL ? next : cycle + UT_WHEEL - 1;
  if (next != UT_NO_PACKET)
    roll->wheel[at % UT_WHEEL] |= bit(i);
}

static inline void draw_next(const struct ut_traffic *traffic, struct ut_generator *g) {
  if (!ut_traffic_next(traffic, &g->source, &g->next))
    g->next.cycle = UT_NO_PACKET;
}

static bool allocate(struct ut_terminals *t) {
  const uint32_t count = t->count;
  const size_t lanes = t->lanes;
  t->terminal = calloc(count, sizeof *t->terminal);
  t->generator = calloc(count, sizeof *t->generator);
  t->injection = calloc((size_t)count * t->injections, sizeof *t->injection);
  t->ejection = calloc((size_t)count * t->ejections, sizeof *t->ejection);
  t->credits = aligned_alloc(UT_LANES, lanes);
  t->rx = calloc(lanes, sizeof *t->rx);
  t->receptions = calloc(lanes / UT_LANES, sizeof *t->receptions);
  t->tie = t->injections > 1 ? calloc(count, sizeof *t->tie) : NULL;
  t->roll = aligned_alloc(64, t->rolls * sizeof *t->roll);
  if (t->roll)
    memset(t->roll, 0, t->rolls * sizeof *t->roll);
  return t->terminal && t->generator && t->injection && t->ejection && t->credits && t->rx && t->receptions &&
         (t->injections == 1 || t->tie) && t->roll && ut_histogram_init(&t->latency) && ut_terminals_divide(t, 1);
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
  t->v = shape->v;
  t->lanes = (count * t->links * t->v + UT_LANES - 1) / UT_LANES * UT_LANES;
  t->inject = ut_first_layer_vcs(shape->v, ut_layers(shape)); /* a new packet belongs to the first layer */
  t->words = shape->w / 64;
  t->need = UT_ALG_ALONE(shape->route, shape->algorithm) ? shape->depth
            : shape->switching == UT_WORMHOLE            ? 1
                                                         : shape->max_packet;
  t->depth = shape->depth;
  t->traffic = traffic;
  t->paths = paths;
  t->account = account;
  if (!allocate(t))
    return false;
  memset(t->credits, 0, t->lanes);
  const uint32_t per = t->links * t->v;
  for (uint32_t i = 0; i < count * t->injections; i++)
    t->injection[i] =
        (struct ut_injection){.lane = i / t->injections * per + i % t->injections * t->v, .link_up = true};
  for (uint32_t i = 0; i < count * t->ejections; i++)
    t->ejection[i] = (struct ut_ejection){.lane = i / t->ejections * per + i % t->ejections * t->v, .link_up = true};
  for (uint32_t i = 0; i < count * per; i++)
    t->rx[i].terminal = (uint16_t)(i / per);
  for (uint32_t i = 0; i < count; i++) {
    struct ut_generator *g = &t->generator[i];
    ut_traffic_source_init(&g->source, traffic, i);
    if (t->tie)
      ut_random_init(&t->tie[i], traffic->seed, UT_RANDOM_INJECTION, i);
    draw_next(traffic, g);
    if (!grow(&t->terminal[i]))
      return false;
    schedule(&t->roll[i / 64], i, g->next.cycle, 0);
    t->roll[i / 64].unusual |= bit(i);
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
    /* of each lane a flit and what it was a part of, of each terminal a packet that leads nowhere */
    r->leaving = malloc((r->end - r->first) * (2 * t->links * t->v + 1) * sizeof *r->leaving);
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
  t->roll[id / 64].unusual |= bit(id);
}

void ut_terminals_fini(struct ut_terminals *t) {
  for (uint32_t i = 0; t->terminal && i < t->count; i++)
    free(t->terminal[i].record);
  free_ranges(t->range, t->ranges);
  free(t->terminal);
  free(t->generator);
  free(t->injection);
  free(t->ejection);
  free(t->credits);
  free(t->rx);
  free(t->receptions);
  free(t->tie);
  free(t->roll);
  ut_histogram_free(&t->latency);
  memset(t, 0, sizeof *t);
}

/* ---- what leaves the network */

/* Takes the packet with that header off the books of its source; NULL: there is none such in the network.  The tag is
 * the sequence number modulo 256: of several candidates the oldest one with the same destination and, if it was
 * delivered, so many flits is meant. */
UT_INLINE const struct ut_record *retire(struct ut_terminal *n, const struct ut_paths *paths, uint64_t header,
                                         bool delivered, uint32_t flits) {
  for (uint64_t i = n->base + (uint8_t)(ut_header_tag(header) - n->base); i < n->injected; i += 256) {
    struct ut_record *r = record_of(n, i);
    if (!r->live || !ut_paths_header_is_of(paths, r->dst, header) || (delivered && flits != r->flits))
      continue;
    r->live = false;
    while (n->base < n->injected && !record_of(n, n->base)->live)
      n->base++;
    return r;
  }
  return NULL;
}

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
  const struct ut_record *record = src < t->count ? retire(&t->terminal[src], t->paths, header, false, 0) : NULL;
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

/* A packet that one of the range's terminals has sent was delivered.  src: the number in its header. */
UT_INLINE void deliver(struct ut_terminals *t, struct ut_terminal_range *r, const struct ut_paths *paths, bool account,
                       uint32_t src, const struct ut_leaving l, uint64_t cycle) {
  bool corrupt = l.corrupt;
  r->accounts.delivered++;
  r->accounts.delivered_flits += l.flits;
  if (account) {
    const struct ut_record *record = src < r->end ? retire(&t->terminal[src], paths, l.header, true, l.flits) : NULL;
    if (!record)
      corrupt = true;
    else if (record->cycle - t->window_start < t->window_end - t->window_start &&
             !ut_histogram_add(r->latency, cycle - record->cycle))
      r->failure = true;
    if (__builtin_expect(t->watched && record, 0))
      note_departure(t, r, l.header, record, UT_DELIVERED);
  }
  if (__builtin_expect(corrupt, 0))
    r->accounts.corrupt++;
}

/* What was listed, of one of the range's terminals.  Packets that are delivered come before others: which of two
 * records with the same tag one of them takes does not depend on when the other one was looked at. */
static void settle(struct ut_terminals *t, struct ut_terminal_range *r, const struct ut_leaving *l, bool delivered,
                   uint64_t cycle) {
  if ((l->reason == UT_DELIVERED) != delivered)
    return;
  if (delivered) {
    deliver(t, r, t->paths, t->account, ut_header_src(l->header), *l, cycle);
  } else if (t->account) {
    r->accounts.discarded[l->reason]++;
    r->accounts.corrupt += !retire_discarded(t, r, l->header, l->reason);
  }
}

void ut_terminals_settle(struct ut_terminals *t, unsigned range, uint64_t cycle) {
  struct ut_terminal_range *r = &t->range[range];
  const uint32_t end = range + 1 < t->ranges ? r->end : UINT32_MAX; /* the last one's are also those of nobody */
  for (unsigned delivered = 2; delivered-- > 0;)
    for (const struct ut_terminal_range *from = t->range; from != t->range + t->ranges; from++)
      for (const struct ut_leaving *l = from->leaving; l != from->leaving + from->leavings; l++)
        if (ut_header_src(l->header) - r->first < end - r->first)
          settle(t, r, l, delivered, cycle);
}

size_t ut_terminals_leaving(const struct ut_terminals *t) {
  size_t sum = 0;
  for (unsigned i = 0; i < t->ranges; i++)
    sum += t->range[i].leavings;
  return sum;
}

void ut_terminals_account(struct ut_terminals *t, uint64_t cycle) {
  for (struct ut_terminal_range *r = t->range; r != t->range + t->ranges; r++) {
    ut_accounts_add(&t->accounts, &r->accounts);
    r->accounts = (struct ut_accounts){0};
    if (cycle >= t->window_start && cycle < t->window_end)
      t->window_flits += r->received;
    t->received_flits += r->received;
    r->received = 0;
    t->failure |= r->failure;
  }
}

static inline void discard(struct ut_terminal_range *r, uint64_t header, enum ut_discard_reason reason) {
  r->leaving[r->leavings++] = (struct ut_leaving){.header = header, .reason = (uint8_t)reason};
}

/* ---- a cycle of some terminals */

/* How packets are begun: through one link, without anything to be asked before; through one link; through one of
 * several links or ways. */
enum { PLAIN, PLANNED, GUIDED };
static unsigned mode_of(const struct ut_terminals *t) {
  return t->guide || t->injections > 1 ? GUIDED : t->paths || t->service || !t->account ? PLANNED : PLAIN;
}

/* A range's cycle, and the wires, by lane: of those that come in only the terminals'. */
struct cycle {
  struct ut_terminals *t;
  struct ut_terminal_range *r;
  uint64_t cycle;
  uint8_t *flits_in, *credits_in, *flits_out, *credits_out;
};

/* What it is about: copies, so that the compiler need not look them up again behind each byte written.  Constants in a
 * specialised caller: words of a flit, positions of 16 bits, mode. */
struct work {
  struct ut_terminals *t;
  struct ut_terminal_range *r;
  uint64_t cycle;
  uint8_t *flits_in, *credits_in, *flits_out, *credits_out;
  struct ut_terminal *terminal;
  struct ut_injection *injection;
  struct ut_reception *rx;
  struct ut_receptions *receptions;
  const struct ut_paths *paths;
  uint8_t *credits; /* by lane of the wires */
  struct ut_roll *roll;
  struct ut_wires w;
  unsigned v, inject, need;
  unsigned words, mode;
  bool account;
};

UT_INLINE void prepare(struct work *k, const struct cycle *c, unsigned words, bool wide, unsigned mode) {
  struct ut_terminals *t = c->t;
  k->t = t;
  k->r = c->r;
  k->cycle = c->cycle;
  k->flits_in = c->flits_in;
  k->credits_in = c->credits_in;
  k->flits_out = c->flits_out;
  k->credits_out = c->credits_out;
  k->terminal = t->terminal;
  k->injection = t->injection;
  k->rx = t->rx;
  k->receptions = t->receptions;
  k->paths = mode == PLAIN ? NULL : t->paths;
  k->credits = t->credits - t->wires->terminals;
  k->roll = t->roll;
  k->w = *t->wires;
  k->w.words = words;
  k->w.wide = wide;
  k->v = t->v;
  k->inject = t->inject;
  k->need = t->need;
  k->words = words;
  k->mode = mode;
  k->account = mode == PLAIN || t->account;
}
UT_INLINE void prepare_any(struct work *k, const struct cycle *c) {
  prepare(k, c, c->t->words, c->t->wires->wide, mode_of(c->t));
}

/* ---- packets are generated */

static __attribute__((noinline)) bool serve(struct ut_terminals *t, uint32_t id, struct ut_packet_request *next) {
  if (!t->service->serves[id])
    return false;
  if (t->traffic->pattern == UT_UNIFORM && !t->service->serves[next->dst])
    next->dst = (uint16_t)ut_service_other(t->service, id);
  return true;
}

static inline bool generate(struct ut_terminals *t, struct ut_terminal_range *r, struct ut_roll *roll, uint32_t id,
                            uint64_t cycle) {
  struct ut_terminal *n = &t->terminal[id];
  struct ut_generator *g = &t->generator[id];
  for (; g->next.cycle <= cycle; draw_next(t->traffic, g))
    if (__builtin_expect(!t->service, 1) || serve(t, id, &g->next)) {
      if (__builtin_expect(n->end - n->base > n->mask, 0) && !grow(n))
        return false;
      *record_of(n, n->end++) = (struct ut_record){g->next.cycle, g->next.dst, g->next.flits, true};
      r->accounts.generated++;
    }
  roll->sending |= n->injected != n->end ? bit(id) : 0;
  schedule(roll, id, g->next.cycle, cycle);
  return true;
}

/* Generates the packets of this cycle. */
static void generate_all(struct ut_terminals *t, struct ut_terminal_range *r, uint64_t cycle) {
  for (uint32_t base = r->first; base < r->end; base += 64) {
    struct ut_roll *roll = &t->roll[base / 64];
    uint64_t now = roll->wheel[cycle % UT_WHEEL];
    roll->wheel[cycle % UT_WHEEL] = 0;
    for (; now; now &= now - 1)
      r->failure |= !generate(t, r, roll, base + (uint32_t)__builtin_ctzll(now), cycle);
  }
}

static bool release(struct ut_terminals *t, struct ut_terminal_range *r, uint32_t id, uint64_t cycle) {
  struct ut_terminal *n = &t->terminal[id];
  const struct ut_release_list *list = &t->releases->list[id];
  for (size_t *next = &t->generator[id].source.next; *next < list->count; ++*next) {
    const struct ut_release *x = &list->release[*next];
    if (x->cycle > cycle)
      break;
    for (uint32_t i = 1; i <= x->packets; i++) {
      if (n->end - n->base > n->mask && !grow(n))
        return false;
      *record_of(n, n->end++) = (struct ut_record){cycle, x->dst, i < x->packets ? x->flits : x->last_flits, true};
    }
    r->accounts.generated += x->packets;
  }
  t->roll[id / 64].sending |= n->injected != n->end ? bit(id) : 0;
  return true;
}

/* The packets that a workload releases in this cycle. */
static void release_all(struct ut_terminals *t, struct ut_terminal_range *r, uint64_t cycle) {
  for (uint32_t base = r->first; base < r->end; base += 64)
    for (uint64_t now = t->releases->now[cycle % 2][base / 64]; now; now &= now - 1)
      r->failure |= !release(t, r, base + (uint32_t)__builtin_ctzll(now), cycle);
}

/* ---- packets are sent */

/* The VC for a new packet: most credits, then the lowest; v: none has room. */
UT_INLINE unsigned pick_vc(const uint8_t *credits, unsigned v, unsigned inject, unsigned need) {
  unsigned best = inject - 1, most = credits[best];
  for (unsigned i = best; i-- > 0;)
    if (credits[i] >= most) {
      most = credits[i];
      best = i;
    }
  return most >= need ? best : v;
}

/* Something is being sent, or waits. */
static inline bool has_packets(const struct ut_terminals *t, uint32_t id) {
  return t->terminal[id].injected != t->terminal[id].end || ut_terminal_is_sending(t, id);
}

/* Takes the next packet from the queue to a VC of a link, with the rt field of its last header word and so many words
 * before it. */
UT_INLINE void take(const struct work *k, uint32_t id, struct ut_injection *in, unsigned vc, uint32_t rt,
                    unsigned headers) {
  struct ut_terminal *n = &k->terminal[id];
  const struct ut_record *record = record_of(n, n->injected);
  const uint8_t tag = (uint8_t)n->injected;
  in->header = ut_header_make(record->dst, (uint16_t)id, tag, rt);
  in->body = ut_body_begin((uint16_t)id, tag, 0);
  in->headers = (uint8_t)headers;
  in->left = record->flits + headers;
  in->output = k->w.terminals + in->lane + vc;
  n->injected++;
  if (!k->account)
    n->base = n->injected;
  k->r->accounts.injected++;
}

/* The next packet leads nowhere. */
static __attribute__((noinline)) void give_up(const struct work *k, uint32_t id, struct ut_injection *in) {
  take(k, id, in, 0, 0, 0);
  in->left = 0;
  discard(k->r, in->header, UT_DISCARD_UNREACHABLE);
}

/* The next packet is for a node that has failed since it was generated, or is so by its pattern. */
static inline bool is_refused(const struct ut_terminals *t, struct ut_terminal *n) {
  return __builtin_expect(t->service != NULL, 0) && !t->service->serves[record_of(n, n->injected)->dst];
}

/* As begin(), where routes may be planned, or nodes not be served. */
static __attribute__((noinline)) bool begin_planned(const struct work *k, uint32_t id, struct ut_injection *in,
                                                    unsigned vc) {
  struct ut_terminal *n = &k->terminal[id];
  const struct ut_path *path = k->paths ? ut_paths_find(k->paths, id, record_of(n, n->injected)->dst) : NULL;
  if (is_refused(k->t, n) || (path && !path->headers)) {
    give_up(k, id, in);
    return false;
  }
  if (vc == k->v)
    return false;
  in->path = path;
  take(k, id, in, vc, path ? path->rt[path->headers - 1] : 0, path ? path->headers - 1u : 0);
  return true;
}

/* Begins the next packet of a terminal with one link.  false: it has no room, or it was discarded. */
UT_INLINE bool begin(const struct work *k, uint32_t id, struct ut_injection *in) {
  const unsigned vc = pick_vc(k->credits + k->w.terminals + in->lane, k->v, k->inject, k->need);
  if (k->mode == PLANNED)
    return begin_planned(k, id, in, vc);
  if (vc == k->v)
    return false;
  take(k, id, in, vc, 0, 0);
  return true;
}

/* The header word of the packet that is being sent which has in->headers others behind it. */
static inline uint64_t header_word(const struct ut_injection *in) {
  if (in->headers == 0)
    return in->header;
  unsigned i = in->path->headers - 1u - in->headers;
  return ut_header_make(in->path->stop[i], ut_header_src(in->header), ut_header_tag(in->header), in->path->rt[i]);
}

/* Sends the next flit of the packet that a link has begun. */
UT_INLINE void send_flit(const struct work *k, struct ut_injection *in, bool head) {
  const struct ut_wires *w = &k->w;
  const bool last = --in->left == 0;
  const uint32_t output = in->output, to = w->to[output];
  const unsigned at = ut_position_at(w->send, output, w->wide),
                 tag = (head ? UT_KIND_HEAD : 0) | (last ? UT_KIND_TAIL : 0);
  uint64_t *flit = ut_wires_flit(w, to, at), body = in->body;
  unsigned i = head; /* words of the flit that stand in it */
  if (head) {
    flit[0] = k->mode == PLANNED ? header_word(in) : in->header;
  } else if (k->mode == PLANNED && in->headers != 0) {
    in->headers--;
    flit[i++] = header_word(in);
  }
  for (; i < k->words; i++)
    flit[i] = ut_body_end(body += UT_BODY_STEP, last);
  ut_flit_set_wire(flit, k->words, tag | UT_COMES);
  if (k->mode != PLANNED || in->headers == 0) /* counted from the last header word, which arrives first */
    in->body = body;
  ut_position_set(w->send, output, ut_position_next(at, w->depth), w->wide);
  k->flits_out[to] = (uint8_t)(tag | UT_COMES);
  k->credits[output]--;
  k->r->accounts.injected_flits++;
}

/* The free link with most free space for the next packet, and the VC there; ties at random.  NULL: none has room.
 * leads: whether any link does, and has a way to the destination. */
static struct ut_injection *pick_link(struct ut_terminals *t, uint32_t id, uint64_t cycle, ut_mask free, unsigned *into,
                                      unsigned *choices, bool *leads) {
  struct ut_terminal *n = &t->terminal[id];
  const uint16_t dst = record_of(n, n->injected)->dst;
  const bool refused = is_refused(t, n);
  struct ut_injection *best = NULL;
  unsigned most = 0, ties = 0;
  *leads = !t->guide && !refused;
  for (unsigned j = 0; j < t->injections; j++) {
    struct ut_injection *in = &t->injection[(size_t)id * t->injections + j];
    const uint8_t *credits = t->credits + in->lane;
    const unsigned ways = t->guide ? ut_guide_choices(t->guide, id, j, dst, cycle) : !refused;
    *leads |= ways != 0;
    const unsigned vc = ways && free & ut_bit(j) ? pick_vc(credits, t->v, t->inject, t->need) : t->v;
    if (vc == t->v || credits[vc] < most)
      continue;
    ties = credits[vc] == most ? ties + 1 : 1;
    most = credits[vc];
    if (ties > 1 && ut_random_below(&t->tie[id], ties) != 0)
      continue;
    best = in;
    *into = vc;
    *choices = t->guide ? ways : 0;
  }
  return best;
}

/* A terminal chooses among links or ways: packets that are being sent go on, then free links begin new ones.  A packet
 * that leads nowhere is the last one of the cycle.  Returns whether there is more. */
UT_INLINE bool send_guided(const struct work *k, uint32_t id) {
  struct ut_terminals *t = k->t;
  struct ut_terminal *n = &k->terminal[id];
  struct ut_injection *first = &k->injection[(size_t)id * t->injections];
  ut_mask free = 0;
  for (unsigned j = 0; j < t->injections; j++)
    if (first[j].up && !first[j].left)
      free |= ut_bit(j);
    else if (first[j].up && k->credits[first[j].output])
      send_flit(k, &first[j], false);
  while (n->injected != n->end) {
    unsigned vc = 0, choices = 0;
    bool leads;
    struct ut_injection *in = pick_link(t, id, k->cycle, free, &vc, &choices, &leads);
    if (!leads && free)
      give_up(k, id, first + ut_first(free));
    if (!in)
      break;
    take(k, id, in, vc, choices, 0);
    send_flit(k, in, true);
    free &= ~ut_bit((unsigned)(in - first));
  }
  return has_packets(t, id);
}

/* Sends a flit, if possible; the next packet's if none is being sent. */
UT_INLINE void send(const struct work *k, uint32_t id, bool head) {
  struct ut_injection *in = &k->injection[id];
  /* wormhole looks at each flit; VCT has looked for room at the head */
  if (head ? begin(k, id, in) : k->credits[in->output] != 0)
    send_flit(k, in, head);
}

/* Those of 64 terminals. */
UT_INLINE void send_some(const struct work *k, struct ut_roll *roll, uint32_t base, uint64_t who, bool head) {
  for (; who; who &= who - 1) {
    const uint32_t id = base + (uint32_t)__builtin_ctzll(who);
    send(k, id, head);
    const bool left = k->injection[id].left != 0;
    if (left == head)
      roll->middle ^= who & -who;
    if (!left && k->terminal[id].injected == k->terminal[id].end)
      roll->sending ^= who & -who;
  }
}

/* The usual terminals that have something to send. */
UT_INLINE void send_all(const struct work *k) {
  for (uint32_t base = k->r->first; base < k->r->end; base += 64) {
    struct ut_roll *roll = &k->roll[base / 64];
    const uint64_t who = roll->sending & ~roll->unusual, middle = roll->middle;
    if (k->mode != GUIDED) {
      send_some(k, roll, base, who & ~middle, true);
      send_some(k, roll, base, who & middle, false);
      continue;
    }
    for (uint64_t rest = who; rest; rest &= rest - 1)
      if (!send_guided(k, base + (uint32_t)__builtin_ctzll(rest)))
        roll->sending ^= rest & -rest;
  }
}

/* ---- packets are received */

/* A packet has arrived at that lane. */
UT_INLINE void arrive(const struct work *k, const struct ut_reception *rx, bool corrupt) {
  struct ut_terminal_range *r = k->r;
  const uint32_t src = ut_header_src(rx->header);
  const struct ut_leaving l = {rx->header, rx->flits, UT_DELIVERED,
                               corrupt | (ut_header_dst(rx->header) != rx->terminal)};
  if (src >= r->first && src < r->end)
    deliver(k->t, r, k->paths, k->account, src, l, k->cycle);
  else
    r->leaving[r->leavings++] = l;
}

/* The packets that are being received there end here, because they were cut on their way. */
static __attribute__((noinline)) void cut(struct ut_terminals *t, struct ut_terminal_range *r, uint32_t base,
                                          uint32_t lanes) {
  for (uint32_t rest = t->receptions[base / UT_LANES].open & lanes; rest; rest &= rest - 1)
    discard(r, t->rx[base + (uint32_t)__builtin_ctz(rest)].header, UT_DISCARD_CUT_BY_FAULT);
  t->receptions[base / UT_LANES].open &= ~lanes;
}

/* The flit that has come into that lane, and its credit. */
UT_INLINE const uint64_t *accept(const struct work *k, uint32_t lane) {
  const uint32_t input = k->w.terminals + lane;
  k->credits_out[k->w.from[input]] = 0xff;
  return ut_wires_flit(&k->w, input, ut_position_at(k->w.write, input, k->w.wide));
}

/* Of 32 lanes, those with that bit in their byte.  Bytes are moved in pairs: only their top bits are looked at. */
UT_INLINE uint32_t with_bit(const ut_vector bytes, unsigned bit) {
  typedef uint16_t pairs __attribute__((vector_size(UT_LANES)));
  return ut_gather((ut_vector)((pairs)bytes << (unsigned)__builtin_clz(bit << 24)));
}

/* Receives what has come into these of 32 lanes; the wires, and positions, are the caller's. */
UT_INLINE void receive(const struct work *k, uint32_t base, uint32_t come) {
  const ut_vector wire = *(const ut_vector *)(k->flits_in + k->w.terminals + base);
  const uint32_t heads = come & with_bit(wire, UT_KIND_HEAD), tails = come & with_bit(wire, UT_KIND_TAIL);
  const uint32_t bad = come & with_bit(wire, UT_BAD);
  struct ut_receptions *now = &k->receptions[base / UT_LANES];
  uint32_t corrupt = (now->corrupt & ~heads) | (now->open & heads);
  k->r->received += (unsigned)__builtin_popcount(come);
  k->r->accounts.corrupt += (unsigned)__builtin_popcount(come & ~heads & ~now->open); /* flits of nothing */
  now->open |= heads;
  for (uint32_t rest = heads; rest; rest &= rest - 1) {
    const uint32_t lane = base + (uint32_t)__builtin_ctz(rest);
    const uint64_t header = *accept(k, lane);
    struct ut_reception *rx = &k->rx[lane];
    rx->header = header;
    rx->body = ut_body_begin(ut_header_src(header), ut_header_tag(header), 0);
    rx->flits = k->words == 1;
  }
  for (uint32_t rest = k->words == 1 ? come & ~heads : come; rest; rest &= rest - 1) {
    const unsigned i = (unsigned)__builtin_ctz(rest);
    const uint64_t *flit = accept(k, base + i);
    struct ut_reception *rx = &k->rx[base + i];
    uint64_t body = rx->body, wrong = 0;
    for (unsigned word = k->words == 1 ? 0 : heads >> i & 1; word < k->words; word++)
      wrong |= flit[word] ^ ut_body_end(body += UT_BODY_STEP, tails >> i & 1);
    rx->body = body;
    rx->flits++;
    corrupt |= (uint32_t)(wrong != 0) << i;
  }
  now->corrupt = corrupt;
  if (__builtin_expect(bad != 0, 0))
    cut(k->t, k->r, base, bad);
  const uint32_t whole = tails & now->open;
  now->open &= ~whole;
  for (uint32_t rest = whole; rest; rest &= rest - 1)
    arrive(k, &k->rx[base + (uint32_t)__builtin_ctz(rest)], corrupt >> __builtin_ctz(rest) & 1);
}

/* What is on the wires to the usual terminals; flits of the others have been taken off. */
UT_INLINE void receive_all(const struct work *k) {
  const uint32_t per = k->t->links * k->v, first = k->r->first * per, end = k->r->end * per;
  const ut_vector zero = {0};
  for (uint32_t base = first; base < end; base += UT_LANES) {
    const uint32_t input = k->w.terminals + base;
    ut_vector *back = (ut_vector *)(k->credits_in + input), *wire = (ut_vector *)(k->flits_in + input);
    *(ut_vector *)(k->credits + input) -= *back; /* 0xff: one more */
    *back = zero;
    const uint32_t come = ut_gather(*wire);
    if (!come)
      continue;
    receive(k, base, come);
    if (k->w.wide)
      ut_positions_move_wide((uint16_t *)k->w.write + input, come, k->w.depth);
    else
      *(ut_vector *)((uint8_t *)k->w.write + input) = ut_positions_move(
          *(const ut_vector *)((uint8_t *)k->w.write + input), (ut_vector)((ut_signed)*wire < 0), k->w.depth);
    *wire = zero;
  }
}

/* ---- links that change, are down, or have just come up */

/* One cycle of such an ejection link. */
static void step_ejection(const struct work *k, struct ut_ejection *out) {
  ut_mask owing = out->owing;
  for (unsigned v = 0; v < k->v; v++) {
    const uint32_t lane = out->lane + v, input = k->w.terminals + lane;
    if (!k->flits_in[input])
      continue;
    if (out->link_up && out->up) {
      receive(k, lane / UT_LANES * UT_LANES, UINT32_C(1) << lane % UT_LANES);
      owing &= ~ut_bit(v);
    }
    const uint64_t *flit = ut_wires_take(&k->w, input, k->flits_in);
    if (!(out->link_up && out->up) && flit[k->words] & UT_KIND_HEAD)
      discard(k->r, flit[0], UT_DISCARD_CUT_BY_FAULT);
  }
  if (out->up) {
    UT_FOR_EACH(v, owing) { /* one credit of a VC a cycle: either for a flit or for room not told of */
      k->credits_out[k->w.from[k->w.terminals + out->lane + v]] = 0xff;
      if (--k->rx[out->lane + v].owed == 0)
        out->owing &= ~ut_bit(v);
    }
    return;
  }
  for (uint32_t lane = out->lane; lane < out->lane + k->v; lane++) { /* what was being received is cut */
    cut(k->t, k->r, lane / UT_LANES * UT_LANES, UINT32_C(1) << lane % UT_LANES);
    k->rx[lane].owed = (uint8_t)k->t->depth;
  }
  out->owing = ut_mask_all(k->v);
}

/* One cycle of a terminal with such a link. */
static __attribute__((noinline)) void step_unusual(const struct cycle *c, uint32_t id) {
  struct work any;
  const struct work *k = &any;
  prepare_any(&any, c);
  const struct ut_terminals *t = k->t;
  struct ut_injection *first = &k->injection[(size_t)id * t->injections];
  bool usual = true, injects = false;
  for (unsigned j = 0; j < t->ejections; j++) {
    struct ut_ejection *out = &t->ejection[(size_t)id * t->ejections + j];
    step_ejection(k, out);
    usual &= out->up && out->link_up && !out->owing;
    out->up = out->link_up;
  }
  for (unsigned j = 0; j < t->injections; j++)
    injects |= first[j].up;
  k->roll[id / 64].sending &= ~bit(id);
  if (injects && has_packets(t, id)) {
    if (k->mode == GUIDED)
      send_guided(k, id);
    else
      send(k, id, first->left == 0);
  }
  for (unsigned j = 0; j < t->injections; j++) {
    struct ut_injection *in = first + j;
    uint8_t *credits = t->credits + in->lane, *back = k->credits_in + k->w.terminals + in->lane;
    for (unsigned v = 0; v < k->v; v++) {
      credits[v] = in->up ? (uint8_t)(credits[v] - back[v]) : 0;
      back[v] = 0;
    }
    if (!in->up) /* the rest of the packet in mid-transfer is lost */
      in->left = 0;
    usual &= in->up && in->link_up;
    in->up = in->link_up;
  }
  if (usual) {
    struct ut_roll *roll = &k->roll[id / 64];
    roll->unusual &= ~bit(id);
    roll->sending |= has_packets(t, id) ? bit(id) : 0;
    roll->middle = (roll->middle & ~bit(id)) | (first->left ? bit(id) : 0);
  }
}

/* ---- the cycle */

/* Parts of a cycle, specialised; each prepares what it needs. */
#define PART(name, what, ...)                                                                                          \
  static __attribute__((noinline)) void name(const struct cycle *c) {                                                  \
    struct work k;                                                                                                     \
    __VA_ARGS__;                                                                                                       \
    what(&k);                                                                                                          \
  }
PART(send_plain, send_all, prepare(&k, c, 1, false, PLAIN))
PART(send_any, send_all, prepare_any(&k, c))
PART(receive_plain, receive_all, prepare(&k, c, 1, false, PLAIN))
PART(receive_any, receive_all, prepare_any(&k, c))

void ut_terminals_step(struct ut_terminals *t, unsigned range, uint64_t cycle, uint8_t *flits_now, uint8_t *credits_now,
                       uint8_t *flits, uint8_t *credits) {
  struct ut_terminal_range *r = &t->range[range];
  const struct cycle c = {t, r, cycle, flits_now, credits_now, flits, credits};
  const bool plain = t->words == 1 && !t->wires->wide && mode_of(t) == PLAIN;
  r->leavings = 0;
  if (!t->stop_generation)
    (t->releases ? release_all : generate_all)(t, r, cycle);
  (plain ? send_plain : send_any)(&c); /* before the credits of this cycle */
  for (uint32_t base = r->first; base < r->end; base += 64)
    for (uint64_t rest = t->roll[base / 64].unusual; rest; rest &= rest - 1)
      step_unusual(&c, base + (uint32_t)__builtin_ctzll(rest));
  (plain ? receive_plain : receive_any)(&c);
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
