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

/* Terminal i will be woken for its next packet; one that is far away, on the way there. */
static inline void schedule(struct ut_terminals *t, uint32_t i, uint64_t cycle) {
  const struct ut_generator *g = &t->generator[i];
  if (!g->more)
    return;
  uint64_t at = g->next.cycle - cycle < UT_WHEEL ? g->next.cycle : cycle + UT_WHEEL - 1;
  t->roll[i / 64].wheel[at % UT_WHEEL] |= bit(i);
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
  t->tie = t->injections > 1 ? calloc(count, sizeof *t->tie) : NULL;
  t->roll = aligned_alloc(64, t->rolls * sizeof *t->roll);
  if (t->roll)
    memset(t->roll, 0, t->rolls * sizeof *t->roll);
  return t->terminal && t->generator && t->injection && t->ejection && t->credits && t->rx &&
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
    g->more = ut_traffic_next(traffic, &g->source, &g->next);
    if (!grow(&t->terminal[i]))
      return false;
    schedule(t, i, 0);
    t->roll[i / 64].unusual |= bit(i);
  }
  return true;
}

void ut_terminals_join(struct ut_terminals *t, struct ut_wires *wires) {
  t->wires = wires;
}

static void free_ranges(struct ut_terminal_range *range, unsigned ranges) {
  for (unsigned i = 0; i < ranges; i++)
    free(range[i].leaving), free(range[i].latency), free(range[i].departures.list);
  free(range);
}

bool ut_terminals_divide(struct ut_terminals *t, unsigned ranges) {
  ranges = ranges < t->rolls ? ranges : t->rolls;
  struct ut_terminal_range *range = aligned_alloc(64, ranges * sizeof *range);
  struct ut_terminal_counts *counted = calloc(ranges, sizeof *counted);
  bool there = range && counted;
  if (range)
    memset(range, 0, ranges * sizeof *range);
  for (unsigned i = 0; there && i < ranges; i++) {
    struct ut_terminal_range *r = &range[i];
    r->first = (uint32_t)((uint64_t)t->rolls * i / ranges * 64);
    r->end = (uint32_t)((uint64_t)t->rolls * (i + 1) / ranges * 64);
    r->end = r->end < t->count ? r->end : t->count;
    /* of each lane a flit and what it was a part of, of each terminal a packet that leads nowhere */
    r->leaving = malloc((r->end - r->first) * (2 * t->links * t->v + 1) * sizeof *r->leaving);
    there = r->leaving != NULL;
  }
  if (!there) {
    free_ranges(range, range ? ranges : 0);
    free(counted);
    return false;
  }
  free_ranges(t->range, t->ranges);
  free(t->counted);
  t->counted = counted;
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
  free(t->counted);
  free(t->terminal);
  free(t->generator);
  free(t->injection);
  free(t->ejection);
  free(t->credits);
  free(t->rx);
  free(t->tie);
  free(t->roll);
  ut_histogram_free(&t->latency);
  memset(t, 0, sizeof *t);
}

/* ---- what leaves the network */

/* Takes the packet with that header off the books; NULL: there is none such in the network.  The tag is the sequence
 * number modulo 256: of several candidates the oldest one with the same destination and so many flits (0: any number)
 * is meant. */
static inline const struct ut_record *retire(struct ut_terminals *t, uint64_t header, uint32_t flits) {
  uint16_t src = ut_header_src(header);
  if (src >= t->count)
    return NULL;
  struct ut_terminal *n = &t->terminal[src];
  uint64_t i = n->base + (uint8_t)(ut_header_tag(header) - n->base);
  for (; i < n->injected; i += 256) {
    struct ut_record *r = record_of(n, i);
    if (!r->live || !ut_paths_header_is_of(t->paths, r->dst, header) || (flits && flits != r->flits))
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

void ut_terminals_discard(struct ut_terminals *t, uint64_t header, enum ut_discard_reason reason) {
  if (!t->account)
    return;
  const struct ut_record *record = retire(t, header, 0);
  t->accounts.discarded[reason]++;
  t->accounts.corrupt += !record;
  if (record && t->watched)
    note_departure(t, t->range, header, record, reason);
}

static bool note_latency(struct ut_terminal_range *r, uint64_t cycles) {
  if (r->latencies == r->latency_room) {
    const size_t room = r->latency_room ? 2 * r->latency_room : 64;
    uint64_t *bigger = realloc(r->latency, room * sizeof *bigger);
    if (!bigger)
      return false;
    r->latency = bigger;
    r->latency_room = room;
  }
  r->latency[r->latencies++] = cycles;
  return true;
}

/* A packet of one of the range's terminals. */
static inline void settle(struct ut_terminals *t, struct ut_terminal_range *r, const struct ut_leaving *l,
                          uint64_t cycle) {
  const bool delivered = l->reason == UT_DELIVERED;
  const struct ut_record *record = t->account ? retire(t, l->header, l->flits) : NULL;
  bool corrupt = t->account && !record;
  if (delivered) {
    r->counts.delivered++;
    r->counts.delivered_flits += l->flits;
    corrupt |= l->corrupt || ut_header_dst(l->header) != l->terminal;
    if (record && record->cycle - t->window_start < t->window_end - t->window_start)
      r->failure |= !note_latency(r, cycle - record->cycle);
  } else if (t->account) {
    r->counts.discarded[l->reason]++;
  }
  r->counts.corrupt += corrupt;
  if (__builtin_expect(record && t->watched, 0))
    note_departure(t, r, l->header, record, l->reason);
}

void ut_terminals_settle(struct ut_terminals *t, unsigned range, uint64_t cycle) {
  struct ut_terminal_range *r = &t->range[range];
  const uint32_t end = range + 1 < t->ranges ? r->end : UINT32_MAX; /* the last one's are also those of nobody */
  for (const struct ut_terminal_range *from = t->range; from != t->range + t->ranges; from++)
    for (const struct ut_leaving *l = from->leaving; l != from->leaving + from->leavings; l++)
      if (ut_header_src(l->header) - r->first < end - r->first)
        settle(t, r, l, cycle);
}

size_t ut_terminals_leaving(const struct ut_terminals *t) {
  size_t sum = 0;
  for (unsigned i = 0; i < t->ranges; i++)
    sum += t->range[i].leavings;
  return sum;
}

void ut_terminals_account(struct ut_terminals *t, uint64_t cycle) {
  struct ut_accounts *a = &t->accounts;
  for (unsigned i = 0; i < t->ranges; i++) {
    const struct ut_terminal_range *r = &t->range[i];
    const struct ut_terminal_counts *now = &r->counts;
    struct ut_terminal_counts *before = &t->counted[i];
    a->generated += now->generated - before->generated;
    a->injected += now->injected - before->injected;
    a->injected_flits += now->injected_flits - before->injected_flits;
    a->delivered += now->delivered - before->delivered;
    a->delivered_flits += now->delivered_flits - before->delivered_flits;
    a->corrupt += now->corrupt - before->corrupt;
    for (unsigned j = 0; j < UT_DISCARD_REASONS; j++)
      a->discarded[j] += now->discarded[j] - before->discarded[j];
    if (cycle >= t->window_start && cycle < t->window_end)
      t->window_flits += now->received - before->received;
    t->received_flits += now->received - before->received;
    *before = *now;
    for (size_t j = 0; j < r->latencies; j++)
      ut_histogram_add(&t->latency, r->latency[j]);
    t->failure |= r->failure;
  }
}

static inline void discard(struct ut_terminal_range *r, uint64_t header, enum ut_discard_reason reason) {
  r->leaving[r->leavings++] = (struct ut_leaving){.header = header, .reason = reason};
}

/* ---- a cycle of some terminals */

/* How packets are begun. */
enum { PLAIN, PLANNED, GUIDED };

/* What a range's cycle is about: copies, so that the compiler need not look them up again behind each byte written.
 * Constants in a specialised caller: words of a flit, positions of 16 bits, mode. */
struct work {
  struct ut_terminals *t;
  struct ut_terminal_range *r;
  struct ut_terminal *terminal;
  struct ut_injection *injection;
  struct ut_reception *rx;
  uint8_t *credits;
  struct ut_roll *roll;
  uint64_t cycle;
  struct ut_wires w;
  uint8_t *flits_in, *credits_in, *flits_out,
      *credits_out; /* the wires, by lane: the first two only of the terminals */
  unsigned v, inject, need;
  unsigned words, mode;
};

/* ---- packets are generated */

static __attribute__((noinline)) bool serve(struct ut_terminals *t, uint32_t id, struct ut_packet_request *next) {
  if (!t->service->serves[id])
    return false;
  if (t->traffic->pattern == UT_UNIFORM && !t->service->serves[next->dst])
    next->dst = (uint16_t)ut_service_other(t->service, id);
  return true;
}

static inline bool generate(struct ut_terminals *t, struct ut_terminal_range *r, uint32_t id, uint64_t cycle) {
  struct ut_terminal *n = &t->terminal[id];
  struct ut_generator *g = &t->generator[id];
  while (g->more && g->next.cycle <= cycle) {
    if (__builtin_expect(!t->service, 1) || serve(t, id, &g->next)) {
      if (n->end - n->base > n->mask && !grow(n))
        return false;
      *record_of(n, n->end++) = (struct ut_record){g->next.cycle, g->next.dst, g->next.flits, true};
      r->counts.generated++;
    }
    g->more = ut_traffic_next(t->traffic, &g->source, &g->next);
  }
  if (n->injected != n->end)
    t->roll[id / 64].sending |= bit(id);
  schedule(t, id, cycle);
  return true;
}

/* Generates the packets of this cycle. */
static void generate_all(struct ut_terminals *t, struct ut_terminal_range *r, uint64_t cycle) {
  for (uint32_t base = r->first; base < r->end; base += 64) {
    uint64_t *due = &t->roll[base / 64].wheel[cycle % UT_WHEEL], now = *due;
    *due = 0;
    for (; now; now &= now - 1)
      r->failure |= !generate(t, r, base + (uint32_t)__builtin_ctzll(now), cycle);
  }
}

/* ---- packets are sent */

/* The VC for a new packet: most credits, then the lowest; v: none has room. */
UT_INLINE unsigned pick_vc(const uint8_t *credits, unsigned v, unsigned inject, unsigned need) {
  unsigned best = v, most = need;
  for (unsigned i = inject; i-- > 0;)
    if (credits[i] >= most) {
      most = credits[i];
      best = i;
    }
  return best;
}

/* Something is being sent through its one link, or waits. */
UT_INLINE bool has_packets(const struct ut_terminal *n, const struct ut_injection *in) {
  return in->left || n->injected != n->end;
}

/* Takes the next packet from the queue to a link, with the rt field of its last header word and so many words before
 * it. */
UT_INLINE void take(struct ut_terminals *t, struct ut_terminal_range *r, uint32_t id, struct ut_terminal *n,
                    struct ut_injection *in, uint32_t rt, unsigned headers) {
  const struct ut_record *record = record_of(n, n->injected);
  const uint8_t tag = (uint8_t)n->injected;
  in->header = ut_header_make(record->dst, (uint16_t)id, tag, rt);
  in->body = ut_body_begin((uint16_t)id, tag, 0);
  in->headers = (uint8_t)headers;
  in->left = record->flits + headers;
  n->injected++;
  if (!t->account)
    n->base = n->injected;
  r->counts.injected++;
}

/* The next packet leads nowhere. */
static __attribute__((noinline)) void give_up(struct ut_terminals *t, struct ut_terminal_range *r, uint32_t id,
                                              struct ut_injection *in) {
  take(t, r, id, &t->terminal[id], in, 0, 0);
  in->left = 0;
  discard(r, in->header, UT_DISCARD_UNREACHABLE);
}

/* The next packet is for a node that has failed since it was generated, or is so by its pattern. */
static inline bool is_refused(const struct ut_terminals *t, struct ut_terminal *n) {
  return __builtin_expect(t->service != NULL, 0) && !t->service->serves[record_of(n, n->injected)->dst];
}

/* Takes the next packet from the queue in a network with planned routes.  vc: v if none has room.  false: it has no
 * room, or there is no route and it was discarded. */
static __attribute__((noinline)) bool begin_planned(struct ut_terminals *t, struct ut_terminal_range *r, uint32_t id,
                                                    struct ut_injection *in, unsigned vc) {
  struct ut_terminal *n = &t->terminal[id];
  const struct ut_path *path = ut_paths_find(t->paths, id, record_of(n, n->injected)->dst);
  if (path && !path->headers) {
    give_up(t, r, id, in);
    return false;
  }
  if (vc == t->v)
    return false;
  in->path = path;
  take(t, r, id, n, in, path ? path->rt[path->headers - 1] : 0, path ? path->headers - 1u : 0);
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
  const unsigned vc = in->vc;
  const uint32_t lane = in->lane + vc, output = w->terminals + lane, to = w->to[output];
  const unsigned at = ut_position_at(w->send, output, w->wide);
  uint64_t *flit = w->ring + to * w->ring_words + at * (k->words + 1), body = in->body;
  unsigned i = 0; /* words of the flit that stand in it */
  if (head) {
    flit[i++] = k->mode == PLANNED ? header_word(in) : in->header;
  } else if (k->mode == PLANNED && in->headers != 0) {
    in->headers--;
    flit[i++] = header_word(in);
  }
  for (; i < k->words; i++)
    flit[i] = ut_body_end(body += UT_BODY_STEP, last);
  const unsigned tag = (head ? UT_KIND_HEAD : 0) | (last ? UT_KIND_TAIL : 0);
  flit[k->words] = ut_flit_meta(tag, vc);
  ut_position_set(w->send, output, ut_position_next(at, w->depth), w->wide);
  k->flits_out[to] = (uint8_t)(tag | UT_COMES);
  if (k->mode != PLANNED || in->headers == 0) /* counted from the last header word, which arrives first */
    in->body = body;
  k->credits[lane]--;
  k->r->counts.injected_flits++;
}

/* The free link with most free space for the next packet, and the VC there; ties at random.  NULL: none has room.
 * leads: whether any link does, and has a way to the destination. */
static struct ut_injection *pick_link(struct ut_terminals *t, uint32_t id, uint64_t cycle, ut_mask free,
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
    best->vc = (uint8_t)vc;
    *choices = t->guide ? ways : 0;
  }
  return best;
}

/* A terminal chooses among links or ways: packets that are being sent go on, then free links begin new ones.  A packet
 * that leads nowhere is the last one of the cycle. */
UT_INLINE void send_guided(const struct work *k, uint32_t id) {
  struct ut_terminals *t = k->t;
  struct ut_terminal *n = &k->terminal[id];
  struct ut_injection *first = &k->injection[(size_t)id * t->injections];
  ut_mask free = 0;
  for (unsigned j = 0; j < t->injections; j++)
    if (first[j].up && !first[j].left)
      free |= ut_bit(j);
    else if (first[j].up && k->credits[first[j].lane + first[j].vc])
      send_flit(k, &first[j], false);
  while (n->injected != n->end) {
    unsigned choices = 0;
    bool leads;
    struct ut_injection *in = pick_link(t, id, k->cycle, free, &choices, &leads);
    if (!leads && free)
      give_up(t, k->r, id, first + ut_first(free));
    if (!in)
      return;
    take(t, k->r, id, n, in, choices, 0);
    send_flit(k, in, true);
    free &= ~ut_bit((unsigned)(in - first));
  }
}

/* Sends one flit through each link that has something to send.  Returns whether there is more. */
UT_INLINE bool send(const struct work *k, uint32_t id) {
  struct ut_terminals *t = k->t;
  struct ut_terminal *n = &k->terminal[id];
  if (k->mode == GUIDED) {
    send_guided(k, id);
    return n->injected != n->end || ut_terminal_is_sending(t, id);
  }
  struct ut_injection *in = &k->injection[id];
  const bool head = in->left == 0;
  if (head) {
    if (is_refused(t, n)) {
      give_up(t, k->r, id, in);
      return has_packets(n, in);
    }
    const unsigned vc = pick_vc(k->credits + in->lane, k->v, k->inject, k->need);
    if (k->mode == PLANNED) {
      if (!begin_planned(t, k->r, id, in, vc))
        return has_packets(n, in);
    } else if (vc == k->v) {
      return true;
    } else {
      take(t, k->r, id, n, in, 0, 0);
    }
    in->vc = (uint8_t)vc;
  } else if (k->credits[in->lane + in->vc] == 0) { /* wormhole; VCT has looked for room at the head */
    return true;
  }
  send_flit(k, in, head);
  return has_packets(n, in);
}

/* The usual terminals that have something to send. */
UT_INLINE void send_all(const struct work *k) {
  for (uint32_t base = k->r->first; base < k->r->end; base += 64) {
    struct ut_roll *roll = &k->roll[base / 64];
    uint64_t done = 0;
    for (uint64_t rest = roll->sending & ~roll->unusual; rest; rest &= rest - 1)
      if (!send(k, base + (uint32_t)__builtin_ctzll(rest)))
        done |= rest & -rest;
    roll->sending &= ~done;
  }
}

/* ---- packets are received */

/* The end of a packet that was cut on its way. */
static __attribute__((noinline)) void receive_bad_tail(struct ut_terminal_range *r, struct ut_reception *rx) {
  rx->open = false;
  discard(r, rx->header, UT_DISCARD_CUT_BY_FAULT);
}

UT_INLINE void receive(struct ut_terminal_range *r, struct ut_reception *rx, const uint64_t *flit, unsigned words) {
  const unsigned tag = (unsigned)flit[words], head = tag & UT_KIND_HEAD;
  const bool last = tag & UT_KIND_TAIL;
  if (head) {
    rx->header = flit[0];
    rx->body = ut_body_begin(ut_header_src(flit[0]), ut_header_tag(flit[0]), 0);
    rx->flits = 0;
    rx->corrupt = rx->open;
    rx->open = true;
  } else if (!rx->open) {
    r->counts.corrupt++;
    return;
  }
  if (__builtin_expect(tag & UT_BAD, 0)) {
    receive_bad_tail(r, rx);
    return;
  }
  uint64_t body = rx->body, wrong = 0;
  for (unsigned i = head; i < words; i++)
    wrong |= flit[i] ^ ut_body_end(body += UT_BODY_STEP, last);
  rx->body = body;
  rx->corrupt |= wrong != 0;
  rx->flits++;
  if (last) {
    rx->open = false;
    r->leaving[r->leavings++] = (struct ut_leaving){rx->header, rx->flits, rx->terminal, UT_DELIVERED, rx->corrupt};
  }
}

/* What is on the wires to the usual terminals; flits of the others have been taken off. */
UT_INLINE void receive_all(const struct work *k) {
  const uint32_t per = k->t->links * k->v, first = k->r->first * per, end = k->r->end * per;
  const ut_vector zero = {0};
  for (uint32_t base = first; base < end; base += UT_LANES) {
    const uint32_t input = k->w.terminals + base;
    ut_vector *back = (ut_vector *)(k->credits_in + input);
    *(ut_vector *)(k->credits + base) -= *back; /* 0xff: one more */
    *back = zero;
    uint32_t come = ut_gather(*(const ut_vector *)(k->flits_in + input));
    k->r->counts.received += (unsigned)__builtin_popcount(come);
    for (; come; come &= come - 1) {
      const uint32_t i = (uint32_t)__builtin_ctz(come);
      receive(k->r, &k->rx[base + i], ut_wires_take(&k->w, input + i, k->flits_in), k->words);
      k->credits_out[k->w.from[input + i]] = 0xff;
    }
  }
}

/* ---- links that change, are down, or have just come up */

/* One cycle of such an ejection link. */
static void step_ejection(const struct work *k, struct ut_ejection *out) {
  struct ut_reception *rx = k->rx + out->lane;
  const uint32_t input = k->w.terminals + out->lane;
  ut_mask owing = out->owing;
  for (unsigned v = 0; v < k->v; v++) {
    if (!k->flits_in[input + v])
      continue;
    const uint64_t *flit = ut_wires_take(&k->w, input + v, k->flits_in);
    if (out->link_up && out->up) {
      k->r->counts.received++;
      receive(k->r, &rx[v], flit, k->words);
      k->credits_out[k->w.from[input + v]] = 0xff;
      owing &= ~ut_bit(v);
    } else if (flit[k->words] & UT_KIND_HEAD) {
      discard(k->r, flit[0], UT_DISCARD_CUT_BY_FAULT);
    }
  }
  if (out->up) {
    UT_FOR_EACH(v, owing) { /* one credit of a VC a cycle: either for a flit or for room not told of */
      k->credits_out[k->w.from[input + v]] = 0xff;
      if (--rx[v].owed == 0)
        out->owing &= ~ut_bit(v);
    }
    return;
  }
  for (unsigned v = 0; v < k->v; v++) { /* what was being received is cut */
    if (rx[v].open)
      receive_bad_tail(k->r, &rx[v]);
    rx[v].owed = (uint8_t)k->t->depth;
  }
  out->owing = ut_mask_all(k->v);
}

/* One cycle of a terminal with such a link-> */
static __attribute__((noinline)) void step_unusual(const struct work *k, uint32_t id) {
  const struct ut_terminals *t = k->t;
  const struct ut_terminal *n = &k->terminal[id];
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
  if (injects && (n->injected != n->end || ut_terminal_is_sending(t, id)))
    send(k, id);
  for (unsigned j = 0; j < t->injections; j++) {
    struct ut_injection *in = first + j;
    uint8_t *credits = k->credits + in->lane, *back = k->credits_in + k->w.terminals + in->lane;
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
    k->roll[id / 64].unusual &= ~bit(id);
    if (n->injected != n->end || ut_terminal_is_sending(t, id))
      k->roll[id / 64].sending |= bit(id);
  }
}

/* ---- the cycle */

/* What the compiler knows in a specialised caller. */
UT_INLINE struct work known(const struct work *k, unsigned words, bool wide, unsigned mode) {
  struct work less = *k;
  less.words = words, less.w.wide = wide, less.mode = mode;
  return less;
}
#define CALLER static __attribute__((noinline)) void
CALLER send_plain(const struct work *k) {
  const struct work less = known(k, 1, false, PLAIN);
  send_all(&less);
}
CALLER send_any(const struct work *k) {
  const struct work same = *k;
  send_all(&same);
}
CALLER receive_plain(const struct work *k) {
  const struct work less = known(k, 1, false, PLAIN);
  receive_all(&less);
}
CALLER receive_any(const struct work *k) {
  const struct work same = *k;
  receive_all(&same);
}

void ut_terminals_step(struct ut_terminals *t, unsigned range, uint64_t cycle, uint8_t *flits_now, uint8_t *credits_now,
                       uint8_t *flits, uint8_t *credits) {
  struct ut_terminal_range *r = &t->range[range];
  const unsigned mode = t->guide || t->injections > 1 ? GUIDED : t->paths ? PLANNED : PLAIN;
  const struct work k = {t,       r,     t->terminal, t->injection, t->rx,       t->credits,
                         t->roll, cycle, *t->wires,   flits_now,    credits_now, flits,
                         credits, t->v,  t->inject,   t->need,      t->words,    mode};
  const bool plain = t->words == 1 && !t->wires->wide && mode == PLAIN;
  r->leavings = r->latencies = 0;
  if (!t->stop_generation)
    generate_all(t, r, cycle);
  (plain ? send_plain : send_any)(&k); /* before the credits of this cycle */
  for (uint32_t base = r->first; base < r->end; base += 64)
    for (uint64_t rest = t->roll[base / 64].unusual; rest; rest &= rest - 1)
      step_unusual(&k, base + (uint32_t)__builtin_ctzll(rest));
  (plain ? receive_plain : receive_any)(&k);
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
    sum += t->rx[i].open;
  return sum;
}
