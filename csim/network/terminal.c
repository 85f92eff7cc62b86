#include "terminal.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[UT_DISCARD_REASONS] = {"cut_by_fault", "in_failed_switch", "unreachable"};

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

bool ut_terminals_init(struct ut_terminals *t, const struct ut_traffic *traffic, uint32_t count,
                       const struct ut_shape *shape, const struct ut_paths *paths, bool account) {
  memset(t, 0, sizeof *t);
  t->count = count;
  t->v = shape->v;
  unsigned layers = UT_ALG_LAYERS(shape->route, shape->algorithm); /* a new packet belongs to the first one */
  t->inject = shape->v < layers ? shape->v : shape->v - (layers - 1);
  t->words = shape->w / 64;
  t->need = shape->switching == UT_WORMHOLE ? 1 : shape->max_packet;
  t->depth = shape->depth;
  t->traffic = traffic;
  t->paths = paths;
  t->account = account;
  t->terminal = calloc(count, sizeof *t->terminal);
  t->wheel = calloc((size_t)UT_WHEEL * bitmap_words(t), sizeof *t->wheel);
  t->sending = calloc(bitmap_words(t), sizeof *t->sending);
  if (!t->terminal || !t->wheel || !t->sending || !ut_histogram_init(&t->latency))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    struct ut_terminal *n = &t->terminal[i];
    ut_traffic_source_init(&n->source, traffic, i);
    n->link_up = true;
    n->more = ut_traffic_next(traffic, &n->source, &n->next);
    if (!grow(n))
      return false;
    schedule(t, i, 0);
  }
  return true;
}

void ut_terminals_fini(struct ut_terminals *t) {
  for (uint32_t i = 0; t->terminal && i < t->count; i++)
    free(t->terminal[i].record);
  free(t->terminal);
  free(t->wheel);
  free(t->sending);
  ut_histogram_free(&t->latency);
  memset(t, 0, sizeof *t);
}

/* Takes the packet with that header off the books; NULL: there is none such in the network.  The tag is the sequence
 * number modulo 256: of several candidates the oldest one with the same destination is meant. */
static inline const struct ut_record *retire(struct ut_terminals *t, uint64_t header) {
  uint16_t src = ut_header_src(header);
  if (src >= t->count)
    return NULL;
  struct ut_terminal *n = &t->terminal[src];
  uint64_t i = n->base + (uint8_t)(ut_header_tag(header) - n->base);
  for (; i < n->injected; i += 256) {
    struct ut_record *r = record_of(n, i);
    if (!r->live || !ut_paths_header_is_of(t->paths, r->dst, header))
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
  if (!retire(t, header))
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
  const struct ut_record *r = t->account ? retire(t, rx->header) : NULL;
  t->accounts.delivered++;
  t->accounts.delivered_flits += rx->flits;
  if (rx->corrupt || ut_header_dst(rx->header) != id || (t->account && (!r || r->flits != rx->flits)))
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
    if (n->end - n->base > n->mask && !grow(n))
      return false;
    *record_of(n, n->end++) = (struct ut_record){n->next.cycle, n->next.dst, n->next.flits, true};
    t->accounts.generated++;
    n->more = ut_traffic_next(t->traffic, &n->source, &n->next);
  }
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

/* The VC for a new packet: most credits, then the lowest; v: none has room. */
static unsigned pick_vc(const struct ut_terminals *t, const struct ut_terminal *n) {
  unsigned best = t->v;
  for (unsigned v = 0; v < t->inject; v++)
    if (n->credits[v] >= t->need && (best == t->v || n->credits[v] > n->credits[best]))
      best = v;
  return best;
}

static inline bool has_packets(const struct ut_terminal *n) {
  return n->left || n->injected != n->end;
}

/* Takes the next packet from the queue, with the rt field of its last header word and so many words before it. */
static inline void take(struct ut_terminals *t, uint32_t id, struct ut_terminal *n, uint32_t rt, unsigned headers) {
  const struct ut_record *r = record_of(n, n->injected);
  n->header = ut_header_make(r->dst, (uint16_t)id, (uint8_t)n->injected, rt);
  n->headers = (uint8_t)headers;
  n->left = r->flits + headers;
  n->index = 0;
  n->injected++;
  if (!t->account)
    n->base = n->injected;
  t->accounts.injected++;
}

/* The same in a network with planned routes.  vc: v if none has room.  false: it has no room, or there is no route and
 * it was discarded. */
static __attribute__((noinline)) bool begin_planned(struct ut_terminals *t, uint32_t id, struct ut_terminal *n,
                                                    unsigned vc) {
  const struct ut_path *path = ut_paths_find(t->paths, id, record_of(n, n->injected)->dst);
  if (path && !path->headers) {
    take(t, id, n, 0, 0);
    n->left = 0;
    ut_terminals_discard(t, n->header, UT_DISCARD_UNREACHABLE);
    return false;
  }
  if (vc == t->v)
    return false;
  n->path = path;
  take(t, id, n, path ? path->rt[path->headers - 1] : 0, path ? path->headers - 1u : 0);
  return true;
}

/* Takes the next packet from the queue if a VC has room for it.  v, planned: constants in the specialised callers. */
UT_INLINE bool begin(struct ut_terminals *t, uint32_t id, struct ut_terminal *n, unsigned v, bool planned) {
  const unsigned vc = v == 1 ? n->credits[0] < t->need : pick_vc(t, n);
  if (planned) {
    if (!begin_planned(t, id, n, vc))
      return false;
  } else if (vc == v) {
    return false;
  } else {
    take(t, id, n, 0, 0);
  }
  n->vc = (uint8_t)vc;
  return true;
}

/* The header word of the packet that is being sent which has n->headers others behind it. */
static inline uint64_t header_word(const struct ut_terminal *n) {
  if (n->headers == 0)
    return n->header;
  unsigned i = n->path->headers - 1u - n->headers;
  return ut_header_make(n->path->stop[i], ut_header_src(n->header), ut_header_tag(n->header), n->path->rt[i]);
}

/* Sends one flit of what there is to send. */
UT_INLINE void send(struct ut_terminals *t, uint32_t id, struct ut_terminal *n, const struct ut_wires *later,
                    unsigned v, unsigned words, bool planned) {
  const bool head = n->left == 0;
  if (head ? !begin(t, id, n, v, planned)
           : n->credits[n->vc] == 0) /* the latter: wormhole; VCT has looked for room at the head */
    return;
  const bool last = --n->left == 0;
  const unsigned vc = v == 1 ? 0 : n->vc;
  uint64_t *flit = later->flit + n->to_slot;
  unsigned w = 0; /* words of the flit that stand in it */
  if (head) {
    flit[w++] = planned ? header_word(n) : n->header;
  } else if (planned && n->headers != 0) {
    n->headers--;
    flit[w++] = header_word(n);
  }
  for (; w < words; w++)
    flit[w] = ut_body_word((uint16_t)id, ut_header_tag(n->header), n->index * words + w, last);
  flit[words] = ut_flit_meta((head ? UT_KIND_HEAD : 0) | (last ? UT_KIND_TAIL : 0), vc);
  ut_wires_announce(later, &n->to, v);
  n->index += !planned || n->headers == 0; /* counted from the last header word, which arrives first */
  n->credits[vc]--;
  t->accounts.injected_flits++;
}

/* The link is down: the rest of the packet in mid-transfer is lost, what was being received is cut. */
static void cut(struct ut_terminals *t, struct ut_terminal *n) {
  n->left = 0;
  n->owing = 0;
  for (unsigned v = 0; v < t->v; v++) {
    if (n->rx[v].open)
      receive_bad_tail(t, &n->rx[v]);
    n->credits[v] = 0;
    n->rx[v].owed = (uint8_t)t->depth;
    n->owing |= ut_bit(v);
  }
}

/* One cycle of a terminal whose link changes, is down, or has just come up.  Returns whether it must be stepped again
 * even if nothing arrives. */
static bool step_unusual(struct ut_terminals *t, uint32_t id, uint64_t cycle, const struct ut_wires *now,
                         const struct ut_wires *later) {
  struct ut_terminal *n = &t->terminal[id];
  ut_mask *box = now->box + (size_t)(t->first_node + id) * (1 + t->v), owing = n->owing;
  if (box[0]) {
    const uint64_t *flit = now->flit + n->slot;
    unsigned vc = ut_flit_vc(flit[t->words]);
    if (n->link_up && n->up) {
      receive(t, id, cycle, &n->rx[vc], flit, t->words);
      ut_wires_credit(later, &n->from, vc, t->v);
      owing &= ~ut_bit(vc);
    } else if (flit[t->words] & UT_KIND_HEAD) {
      ut_terminals_discard(t, flit[0], UT_DISCARD_CUT_BY_FAULT);
    }
  }
  if (n->up) {
    if (has_packets(n))
      send(t, id, n, later, t->v, t->words, t->paths != NULL);
    for (unsigned v = 0; v < t->v; v++)
      n->credits[v] = (uint8_t)(n->credits[v] + box[1 + v]);
    UT_FOR_EACH(v, owing) { /* one credit of a VC a cycle: either for a flit or for room not told of */
      ut_wires_credit(later, &n->from, v, t->v);
      if (--n->rx[v].owed == 0)
        n->owing &= ~ut_bit(v);
    }
  } else {
    cut(t, n);
  }
  memset(box, 0, (1 + t->v) * sizeof *box);
  bool changed = n->up != n->link_up;
  n->up = n->link_up;
  n->usual = n->up && !changed && !n->owing;
  if (n->usual && has_packets(n))
    set(t->sending, id);
  return !n->usual && (changed || n->up || has_packets(n));
}

/* The usual terminals that have something to send. */
UT_INLINE void send_all(struct ut_terminals *t, const struct ut_wires *later, unsigned v, unsigned words,
                        bool planned) {
  for (uint32_t w = 0; w < bitmap_words(t); w++)
    for (uint64_t work = t->sending[w]; work; work &= work - 1) {
      uint32_t id = w * 64 + (uint32_t)__builtin_ctzll(work);
      struct ut_terminal *n = &t->terminal[id];
      if (n->usual)
        send(t, id, n, later, v, words, planned);
      if (!n->usual || !has_packets(n))
        t->sending[w] &= ~(work & -work);
    }
}

/* What is on the wires to the terminals. */
UT_INLINE void receive_all(struct ut_terminals *t, uint64_t cycle, const struct ut_wires *now,
                           const struct ut_wires *later, uint8_t *next, unsigned v, unsigned words) {
  uint64_t *active = (uint64_t *)(now->active + t->first_node);
  for (uint32_t base = 0; base < t->count; base += 8) {
    uint64_t work = active[base / 8];
    active[base / 8] = 0;
    for (; work; work &= work - 1) { /* bytes of value 1 */
      uint32_t id = base + (uint32_t)__builtin_ctzll(work) / 8;
      struct ut_terminal *n = &t->terminal[id];
      ut_mask *box = now->box + (size_t)(t->first_node + id) * (1 + v);
      if (!n->usual) {
        next[t->first_node + id] |= step_unusual(t, id, cycle, now, later);
        continue;
      }
#pragma GCC unroll 4
      for (unsigned i = 0; i < v; i++) {
        n->credits[i] = (uint8_t)(n->credits[i] + box[1 + i]);
        box[1 + i] = 0;
      }
      if (box[0]) {
        const uint64_t *flit = now->flit + n->slot;
        unsigned vc = v == 1 ? 0 : ut_flit_vc(flit[words]);
        receive(t, id, cycle, &n->rx[vc], flit, words);
        ut_wires_credit(later, &n->from, vc, v);
        box[0] = 0;
      }
    }
  }
}

UT_INLINE void move_flits(struct ut_terminals *t, uint64_t cycle, const struct ut_wires *now,
                          const struct ut_wires *later, uint8_t *next, unsigned v, unsigned words, bool planned) {
  send_all(t, later, v, words, planned); /* before the credits of this cycle */
  receive_all(t, cycle, now, later, next, v, words);
}

void ut_terminals_step(struct ut_terminals *t, uint64_t cycle, const struct ut_wires *now, const struct ut_wires *later,
                       uint8_t *next) {
  const uint64_t before = t->received;
  if (!t->stop_generation)
    generate_all(t, cycle);
  switch (t->words == 1 && !t->paths ? t->v : 0) { /* constants for the compiler */
  case 1: move_flits(t, cycle, now, later, next, 1, 1, false); break;
  case 2: move_flits(t, cycle, now, later, next, 2, 1, false); break;
  case 4: move_flits(t, cycle, now, later, next, 4, 1, false); break;
  default: move_flits(t, cycle, now, later, next, t->v, t->words, t->paths != NULL);
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
