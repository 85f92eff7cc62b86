#include "terminal.h"

#include <stdlib.h>
#include <string.h>

#include "layers.h"

static const char *const names[UT_DISCARD_REASONS] = {"cut_by_fault", "in_failed_switch", "unreachable", "purged"};

const char *ut_discard_name(enum ut_discard_reason reason) {
  return names[reason];
}

static size_t bitmap_words(const struct ut_terminals *t) {
  return (t->count + 63) / 64;
}

static inline void set(uint64_t *bitmap, uint32_t i) {
  bitmap[i / 64] |= UINT64_C(1) << i % 64;
}

/* Terminal i will be woken for its next packet; one that is far away, on the way there. */
static inline void schedule(struct ut_terminals *t, uint32_t i, uint64_t cycle) {
  const struct ut_terminal *n = &t->terminal[i];
  if (!n->more)
    return;
  uint64_t at = n->next.cycle - cycle < UT_WHEEL ? n->next.cycle : cycle + UT_WHEEL - 1;
  set(t->wheel + at % UT_WHEEL * bitmap_words(t), i);
}

static inline struct ut_record *record_of(struct ut_terminal *n, uint64_t sequence) {
  return &n->record[sequence & n->mask];
}

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

bool ut_terminals_init(struct ut_terminals *t, const struct ut_traffic *traffic, const struct ut_topology *topology,
                       const struct ut_shape *shape, const struct ut_paths *paths, bool account) {
  const uint32_t count = topology->terminals;
  memset(t, 0, sizeof *t);
  t->count = count;
  t->injections = topology->injections;
  t->ejections = topology->ejections;
  t->links = t->injections > t->ejections ? t->injections : t->ejections;
  t->v = shape->v;
  t->inject = ut_first_layer_vcs(shape->v, ut_layers(shape)); /* a new packet belongs to the first layer */
  t->words = shape->w / 64;
  t->need = UT_ALG_ALONE(shape->route, shape->algorithm) ? shape->depth
            : shape->switching == UT_WORMHOLE            ? 1
                                                         : shape->max_packet;
  t->depth = shape->depth;
  t->traffic = traffic;
  t->paths = paths;
  t->account = account;
  t->terminal = calloc(count, sizeof *t->terminal);
  t->injection = calloc((size_t)count * t->injections, sizeof *t->injection);
  t->ejection = calloc((size_t)count * t->ejections, sizeof *t->ejection);
  t->tie = t->injections > 1 ? calloc(count, sizeof *t->tie) : NULL;
  t->wheel = calloc((size_t)UT_WHEEL * bitmap_words(t), sizeof *t->wheel);
  t->sending = calloc(bitmap_words(t), sizeof *t->sending);
  t->unusual = calloc(bitmap_words(t), sizeof *t->unusual);
  t->owner = calloc((size_t)count * t->links * t->v, sizeof *t->owner);
  if (!t->unusual || !t->owner || !t->terminal || !t->injection || !t->ejection || (t->injections > 1 && !t->tie) || !t->wheel || !t->sending ||
      !ut_histogram_init(&t->latency))
    return false;
  for (size_t i = 0; i < (size_t)count * t->injections; i++)
    t->injection[i].link_up = true;
  for (size_t i = 0; i < (size_t)count * t->ejections; i++)
    t->ejection[i].link_up = true;
  for (uint32_t i = 0; i < count; i++) {
    struct ut_terminal *n = &t->terminal[i];
    ut_traffic_source_init(&n->source, traffic, i);
    if (t->tie)
      ut_random_init(&t->tie[i], traffic->seed, UT_RANDOM_INJECTION, i);
    n->more = ut_traffic_next(traffic, &n->source, &n->next);
    if (!grow(n))
      return false;
    schedule(t, i, 0);
    set(t->unusual, i);
  }
  return true;
}

void ut_terminals_join(struct ut_terminals *t, struct ut_wires *wires) {
  t->wires = wires;
  for (uint32_t i = 0; i < t->count * t->links * t->v; i++)
    t->owner[i] = (struct ut_lane_owner){i / t->v / t->links, (uint8_t)(i / t->v % t->links), (uint8_t)(i % t->v)};
  for (uint32_t i = 0; i < t->count; i++) {
    const uint32_t first = wires->terminals + i * t->links * t->v;
    for (unsigned j = 0; j < t->injections; j++)
      t->injection[(size_t)i * t->injections + j].lane = first + j * t->v;
    for (unsigned j = 0; j < t->ejections; j++)
      t->ejection[(size_t)i * t->ejections + j].lane = first + j * t->v;
  }
}

void ut_terminals_disturb(struct ut_terminals *t, uint32_t id) {
  t->terminal[id].usual = false;
  set(t->unusual, id);
}

void ut_terminals_fini(struct ut_terminals *t) {
  for (uint32_t i = 0; t->terminal && i < t->count; i++)
    free(t->terminal[i].record);
  free(t->terminal);
  free(t->injection);
  free(t->ejection);
  free(t->tie);
  free(t->wheel);
  free(t->sending);
  free(t->unusual);
  free(t->owner);
  ut_histogram_free(&t->latency);
  memset(t, 0, sizeof *t);
}

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

void ut_terminals_discard(struct ut_terminals *t, uint64_t header, enum ut_discard_reason reason) {
  if (!t->account)
    return;
  t->accounts.discarded[reason]++;
  if (!retire(t, header, 0))
    t->accounts.corrupt++;
}

/* The end of a packet that was cut on its way. */
static __attribute__((noinline)) void receive_bad_tail(struct ut_terminals *t, struct ut_reception *rx) {
  rx->open = false;
  t->receiving--;
  ut_terminals_discard(t, rx->header, UT_DISCARD_CUT_BY_FAULT);
}

static inline void receive_tail(struct ut_terminals *t, uint32_t id, uint64_t cycle, struct ut_reception *rx) {
  rx->open = false;
  t->receiving--;
  const struct ut_record *r = t->account ? retire(t, rx->header, rx->flits) : NULL;
  t->accounts.delivered++;
  t->accounts.delivered_flits += rx->flits;
  if (rx->corrupt || ut_header_dst(rx->header) != id || (t->account && !r))
    t->accounts.corrupt++;
  if (r && r->cycle - t->window_start < t->window_end - t->window_start)
    ut_histogram_add(&t->latency, cycle - r->cycle);
}

/* words: as in *t; a constant in the specialised callers. */
UT_INLINE void receive(struct ut_terminals *t, uint32_t id, uint64_t cycle, struct ut_reception *rx,
                       const uint64_t *flit, unsigned words) {
  const unsigned tag = (unsigned)flit[words], head = tag & UT_KIND_HEAD;
  t->received++;
  if (head) {
    rx->header = flit[0];
    rx->flits = 0;
    t->receiving += !rx->open;
    rx->corrupt = rx->open;
    rx->open = true;
  } else if (!rx->open) {
    t->accounts.corrupt++;
    return;
  }
  if (__builtin_expect(tag & UT_BAD, 0)) {
    receive_bad_tail(t, rx);
    return;
  }
  for (unsigned w = head; w < words; w++)
    if (flit[w] !=
        ut_body_word(ut_header_src(rx->header), ut_header_tag(rx->header), rx->flits * words + w, tag & UT_KIND_TAIL))
      rx->corrupt = true;
  rx->flits++;
  if (tag & UT_KIND_TAIL)
    receive_tail(t, id, cycle, rx);
}

static bool generate(struct ut_terminals *t, uint32_t id, uint64_t cycle) {
  struct ut_terminal *n = &t->terminal[id];
  while (n->more && n->next.cycle <= cycle) {
    if (t->service && !t->service->serves[id]) {
      n->more = ut_traffic_next(t->traffic, &n->source, &n->next);
      continue;
    }
    if (t->service && t->traffic->pattern == UT_UNIFORM && !t->service->serves[n->next.dst])
      n->next.dst = (uint16_t)ut_service_other(t->service, id);
    if (n->end - n->base > n->mask && !grow(n))
      return false;
    *record_of(n, n->end++) = (struct ut_record){n->next.cycle, n->next.dst, n->next.flits, true};
    t->accounts.generated++;
    n->more = ut_traffic_next(t->traffic, &n->source, &n->next);
  }
  if (n->injected != n->end)
    set(t->sending, id);
  schedule(t, id, cycle);
  return true;
}

/* Generates the packets of this cycle. */
static void generate_all(struct ut_terminals *t, uint64_t cycle) {
  uint64_t *due = t->wheel + cycle % UT_WHEEL * bitmap_words(t);
  for (uint32_t w = 0; w < bitmap_words(t); w++)
    while (due[w]) {
      uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(due[w]);
      due[w] &= due[w] - 1;
      if (t->terminal[i].next.cycle > cycle)
        schedule(t, i, cycle);
      else
        t->failure |= !generate(t, i, cycle);
    }
}

/* How packets are begun: a constant in the specialised callers. */
enum { PLAIN, PLANNED, GUIDED };

/* What the specialised callers know. */
struct traits {
  unsigned v, words;
  unsigned links; /* 1: a terminal has one link each way; else as in struct ut_terminals */
  unsigned mode;
};

UT_INLINE struct ut_injection *injection_of(const struct ut_terminals *t, uint32_t id, unsigned j,
                                            const struct traits x) {
  return x.links == 1 ? &t->injection[id] : &t->injection[(size_t)id * t->injections + j];
}
UT_INLINE struct ut_ejection *ejection_of(const struct ut_terminals *t, uint32_t id, unsigned j,
                                          const struct traits x) {
  return x.links == 1 ? &t->ejection[id] : &t->ejection[(size_t)id * t->ejections + j];
}

/* The VC for a new packet: most credits, then the lowest; v: none has room. */
static unsigned pick_vc(const struct ut_terminals *t, const struct ut_injection *in) {
  unsigned best = t->v;
  for (unsigned v = 0; v < t->inject; v++)
    if (in->credits[v] >= t->need && (best == t->v || in->credits[v] > in->credits[best]))
      best = v;
  return best;
}

/* Something is being sent, or waits for it. */
UT_INLINE bool has_packets(const struct ut_terminals *t, const struct ut_terminal *n, uint32_t id,
                           const struct traits x) {
  if (x.links == 1)
    return t->injection[id].left || n->injected != n->end;
  return n->injected != n->end || ut_terminal_is_sending(t, id);
}

/* Takes the next packet from the queue to a link, with the rt field of its last header word and so many words before
 * it. */
static inline void take(struct ut_terminals *t, uint32_t id, struct ut_terminal *n, struct ut_injection *in,
                        uint32_t rt, unsigned headers) {
  const struct ut_record *r = record_of(n, n->injected);
  in->header = ut_header_make(r->dst, (uint16_t)id, (uint8_t)n->injected, rt);
  in->headers = (uint8_t)headers;
  in->left = r->flits + headers;
  in->index = 0;
  n->injected++;
  if (!t->account)
    n->base = n->injected;
  t->accounts.injected++;
}

/* The next packet leads nowhere. */
static __attribute__((noinline)) void give_up(struct ut_terminals *t, uint32_t id, struct ut_terminal *n,
                                              struct ut_injection *in) {
  take(t, id, n, in, 0, 0);
  in->left = 0;
  ut_terminals_discard(t, in->header, UT_DISCARD_UNREACHABLE);
}

/* The next packet is for a node that has failed since it was generated, or is so by its pattern. */
static inline bool is_refused(struct ut_terminals *t, struct ut_terminal *n) {
  return __builtin_expect(t->service != NULL, 0) && !t->service->serves[record_of(n, n->injected)->dst];
}

/* The same in a network with planned routes.  vc: v if none has room.  false: it has no room, or there is no route and
 * it was discarded. */
static __attribute__((noinline)) bool begin_planned(struct ut_terminals *t, uint32_t id, struct ut_terminal *n,
                                                    struct ut_injection *in, unsigned vc) {
  const struct ut_path *path = ut_paths_find(t->paths, id, record_of(n, n->injected)->dst);
  if (path && !path->headers) {
    give_up(t, id, n, in);
    return false;
  }
  if (vc == t->v)
    return false;
  in->path = path;
  take(t, id, n, in, path ? path->rt[path->headers - 1] : 0, path ? path->headers - 1u : 0);
  return true;
}

/* Takes the next packet from the queue if a VC of the link has room for it. */
UT_INLINE bool begin(struct ut_terminals *t, uint32_t id, struct ut_terminal *n, struct ut_injection *in,
                     const struct traits x) {
  const unsigned vc = x.v == 1 ? in->credits[0] < t->need : pick_vc(t, in);
  if (is_refused(t, n)) {
    give_up(t, id, n, in);
    return false;
  }
  if (x.mode == PLANNED) {
    if (!begin_planned(t, id, n, in, vc))
      return false;
  } else if (vc == x.v) {
    return false;
  } else {
    take(t, id, n, in, 0, 0);
  }
  in->vc = (uint8_t)vc;
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
UT_INLINE void send_flit(struct ut_terminals *t, uint32_t id, struct ut_injection *in, bool head, uint8_t *flits,
                         const struct traits x) {
  const bool last = --in->left == 0;
  const unsigned vc = x.v == 1 ? 0 : in->vc;
  const struct ut_wires *wires = t->wires;
  const uint32_t lane = in->lane + vc, to = wires->to[lane];
  const unsigned at = ut_position_at(wires->send, lane, wires->wide);
  uint64_t *flit = wires->ring + to * wires->ring_words + at * (x.words + 1);
  unsigned w = 0; /* words of the flit that stand in it */
  if (head) {
    flit[w++] = x.mode == PLANNED ? header_word(in) : in->header;
  } else if (x.mode == PLANNED && in->headers != 0) {
    in->headers--;
    flit[w++] = header_word(in);
  }
  for (; w < x.words; w++)
    flit[w] = ut_body_word((uint16_t)id, ut_header_tag(in->header), in->index * x.words + w, last);
  const unsigned tag = (head ? UT_KIND_HEAD : 0) | (last ? UT_KIND_TAIL : 0);
  flit[x.words] = ut_flit_meta(tag, vc);
  ut_position_set(wires->send, lane, ut_position_next(at, wires->depth), wires->wide);
  flits[to] = (uint8_t)(tag | UT_COMES);
  in->index += x.mode != PLANNED || in->headers == 0; /* counted from the last header word, which arrives first */
  in->credits[vc]--;
  t->accounts.injected_flits++;
}

/* The free link with most free space for the next packet, and the VC there; ties at random.  NULL: none has room.
 * leads: whether any link does, and has a way to the destination. */
static struct ut_injection *pick_link(struct ut_terminals *t, uint32_t id, uint64_t cycle, ut_mask free,
                                      unsigned *choices, bool *leads) {
  const struct ut_terminal *n = &t->terminal[id];
  const uint16_t dst = n->record[n->injected & n->mask].dst;
  const bool refused = t->service && !t->service->serves[dst];
  struct ut_injection *best = NULL;
  unsigned most = 0, ties = 0;
  *leads = !t->guide && !refused;
  for (unsigned j = 0; j < t->injections; j++) {
    struct ut_injection *in = &t->injection[(size_t)id * t->injections + j];
    const unsigned ways = t->guide ? ut_guide_choices(t->guide, id, j, dst, cycle) : !refused;
    *leads |= ways != 0;
    const unsigned vc = ways && free & ut_bit(j) ? pick_vc(t, in) : t->v;
    if (vc == t->v || in->credits[vc] < most)
      continue;
    ties = in->credits[vc] == most ? ties + 1 : 1;
    most = in->credits[vc];
    if (ties > 1 && ut_random_below(&t->tie[id], ties) != 0)
      continue;
    best = in;
    best->vc = (uint8_t)vc;
    *choices = t->guide ? ways : 0;
  }
  return best;
}

/* The same of a terminal that chooses among links or ways: packets that are being sent go on, then free links begin new
 * ones.  A packet that leads nowhere is the last one of the cycle. */
static void send_guided(struct ut_terminals *t, uint32_t id, uint64_t cycle, uint8_t *later,
                        const struct traits x) {
  struct ut_terminal *n = &t->terminal[id];
  ut_mask free = 0;
  for (unsigned j = 0; j < t->injections; j++) {
    struct ut_injection *in = injection_of(t, id, j, x);
    if (in->up && !in->left)
      free |= ut_bit(j);
    else if (in->up && in->credits[in->vc])
      send_flit(t, id, in, false, later, x);
  }
  while (n->injected != n->end) {
    unsigned choices = 0;
    bool leads;
    struct ut_injection *in = pick_link(t, id, cycle, free, &choices, &leads);
    if (!leads && free)
      give_up(t, id, n, injection_of(t, id, ut_first(free), x));
    if (!in)
      return;
    take(t, id, n, in, choices, 0);
    send_flit(t, id, in, true, later, x);
    free &= ~ut_bit((unsigned)(in - injection_of(t, id, 0, x)));
  }
}

/* Sends one flit through each link that has something to send. */
UT_INLINE void send(struct ut_terminals *t, uint32_t id, uint64_t cycle, uint8_t *later,
                    const struct traits x) {
  struct ut_terminal *n = &t->terminal[id];
  if (x.mode == GUIDED) {
    send_guided(t, id, cycle, later, x);
    return;
  }
  struct ut_injection *in = &t->injection[id];
  const bool head = in->left == 0;
  if (head ? !begin(t, id, n, in, x)
           : in->credits[in->vc] == 0) /* the latter: wormhole; VCT has looked for room at the head */
    return;
  send_flit(t, id, in, head, later, x);
}

/* ---- links that change, are down, or have just come up */

/* The wires of a cycle, by lane: what arrives, and where to put what will. */
struct wires_of_cycle {
  uint8_t *flits_now, *credits_now, *flits, *credits;
};

/* One credit of an ejection link goes back. */
UT_INLINE void give_credit(const struct ut_terminals *t, uint32_t lane, uint8_t *credits) {
  credits[t->wires->from[lane]] = 0xff;
}

/* One cycle of such an ejection link. */
static void step_ejection(struct ut_terminals *t, uint32_t id, uint64_t cycle, struct ut_ejection *out,
                          const struct wires_of_cycle *c) {
  ut_mask owing = out->owing;
  for (unsigned vc = 0; vc < t->v; vc++) {
    const uint32_t lane = out->lane + vc;
    if (!c->flits_now[lane])
      continue;
    const uint64_t *flit = ut_wires_take(t->wires, lane, c->flits_now);
    if (out->link_up && out->up) {
      receive(t, id, cycle, &out->rx[vc], flit, t->words);
      give_credit(t, lane, c->credits);
      owing &= ~ut_bit(vc);
    } else if (flit[t->words] & UT_KIND_HEAD) {
      ut_terminals_discard(t, flit[0], UT_DISCARD_CUT_BY_FAULT);
    }
  }
  if (out->up) {
    UT_FOR_EACH(v, owing) { /* one credit of a VC a cycle: either for a flit or for room not told of */
      give_credit(t, out->lane + v, c->credits);
      if (--out->rx[v].owed == 0)
        out->owing &= ~ut_bit(v);
    }
    return;
  }
  out->owing = 0; /* what was being received is cut */
  for (unsigned v = 0; v < t->v; v++) {
    if (out->rx[v].open)
      receive_bad_tail(t, &out->rx[v]);
    out->rx[v].owed = (uint8_t)t->depth;
    out->owing |= ut_bit(v);
  }
}

/* One cycle of a terminal with such a link. */
static void step_unusual(struct ut_terminals *t, uint32_t id, uint64_t cycle, const struct wires_of_cycle *c,
                         const struct traits x) {
  struct ut_terminal *n = &t->terminal[id];
  bool all_up = true, changed = false, owing = false, injects = false;
  for (unsigned j = 0; j < t->ejections; j++) {
    struct ut_ejection *out = ejection_of(t, id, j, x);
    step_ejection(t, id, cycle, out, c);
    changed |= out->up != out->link_up;
    out->up = out->link_up;
    all_up &= out->up;
    owing |= out->owing != 0;
  }
  for (unsigned j = 0; j < t->injections; j++)
    injects |= injection_of(t, id, j, x)->up;
  if (injects && has_packets(t, n, id, x))
    send(t, id, cycle, c->flits, x);
  for (unsigned j = 0; j < t->injections; j++) {
    struct ut_injection *in = injection_of(t, id, j, x);
    for (unsigned v = 0; v < t->v; v++) {
      in->credits[v] = in->up ? (uint8_t)(in->credits[v] + (c->credits_now[in->lane + v] & 1)) : 0;
      c->credits_now[in->lane + v] = 0;
    }
    if (!in->up) /* the rest of the packet in mid-transfer is lost */
      in->left = 0;
    changed |= in->up != in->link_up;
    in->up = in->link_up;
    all_up &= in->up;
  }
  n->usual = all_up && !changed && !owing;
  if (n->usual) {
    t->unusual[id / 64] &= ~(UINT64_C(1) << id % 64);
    if (has_packets(t, n, id, x))
      set(t->sending, id);
  }
}

/* ---- the others */

/* The usual terminals that have something to send. */
UT_INLINE void send_all(struct ut_terminals *t, uint64_t cycle, uint8_t *later, const struct traits x) {
  for (uint32_t w = 0; w < bitmap_words(t); w++)
    for (uint64_t work = t->sending[w]; work; work &= work - 1) {
      uint32_t id = w * 64 + (uint32_t)__builtin_ctzll(work);
      struct ut_terminal *n = &t->terminal[id];
      if (n->usual)
        send(t, id, cycle, later, x);
      if (!n->usual || !has_packets(t, n, id, x))
        t->sending[w] &= ~(work & -work);
    }
}

/* Eight lanes of the wires, of which some have something; taken off. */
UT_INLINE uint64_t take_eight(uint8_t *wires) {
  uint64_t eight;
  __builtin_memcpy(&eight, wires, 8);
  if (eight)
    __builtin_memset(wires, 0, 8);
  return eight & UINT64_C(0x8080808080808080);
}

/* What is on the wires to the usual terminals. */
UT_INLINE void receive_all(struct ut_terminals *t, uint64_t cycle, const struct wires_of_cycle *c,
                           const struct traits x) {
  struct ut_wires *wires = t->wires;
  const uint32_t first = wires->terminals, end = first + t->count * t->links * t->v;
  for (uint32_t base = first; base < end; base += 8) {
    for (uint64_t work = take_eight(c->credits_now + base); work; work &= work - 1) {
      const struct ut_lane_owner o = t->owner[base - first + (uint32_t)__builtin_ctzll(work) / 8];
      injection_of(t, o.terminal, o.link, x)->credits[o.vc]++;
    }
    for (uint64_t work = take_eight(c->flits_now + base); work; work &= work - 1) {
      const uint32_t lane = base + (uint32_t)__builtin_ctzll(work) / 8;
      const struct ut_lane_owner o = t->owner[lane - first];
      const unsigned at = ut_position_at(wires->write, lane, wires->wide);
      ut_position_set(wires->write, lane, ut_position_next(at, wires->depth), wires->wide);
      receive(t, o.terminal, cycle, &ejection_of(t, o.terminal, o.link, x)->rx[o.vc],
              wires->ring + lane * wires->ring_words + at * (x.words + 1), x.words);
      give_credit(t, lane, c->credits);
    }
  }
}

UT_INLINE void move_flits(struct ut_terminals *t, uint64_t cycle, const struct wires_of_cycle *c,
                          const struct traits x) {
  send_all(t, cycle, c->flits, x); /* before the credits of this cycle */
  for (uint32_t w = 0; w < bitmap_words(t); w++)
    for (uint64_t work = t->unusual[w]; work; work &= work - 1)
      step_unusual(t, w * 64 + (uint32_t)__builtin_ctzll(work), cycle, c, x);
  receive_all(t, cycle, c, x);
}

void ut_terminals_step(struct ut_terminals *t, uint64_t cycle, uint8_t *flits_now, uint8_t *credits_now, uint8_t *flits,
                       uint8_t *credits) {
  const struct wires_of_cycle c = {flits_now, credits_now, flits, credits};
  const uint64_t before = t->received;
  const unsigned mode = t->guide || t->injections > 1 ? GUIDED : t->paths ? PLANNED : PLAIN;
  const struct traits any = {t->v, t->words, t->links, mode};
  if (!t->stop_generation)
    generate_all(t, cycle);
  switch (t->words == 1 && mode == PLAIN && t->links == 1 ? t->v : 0) { /* constants for the compiler */
  case 1: move_flits(t, cycle, &c, (struct traits){1, 1, 1, PLAIN}); break;
  case 2: move_flits(t, cycle, &c, (struct traits){2, 1, 1, PLAIN}); break;
  case 4: move_flits(t, cycle, &c, (struct traits){4, 1, 1, PLAIN}); break;
  default: move_flits(t, cycle, &c, any);
  }
  if (cycle >= t->window_start && cycle < t->window_end)
    t->window_flits += t->received - before;
}

uint64_t ut_terminals_queued(const struct ut_terminals *t) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < t->count; i++)
    sum += t->terminal[i].end - t->terminal[i].injected;
  return sum;
}
