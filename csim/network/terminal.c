#include "terminal.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[UT_DISCARD_REASONS] = {"cut_by_fault", "in_failed_switch", "unreachable"};

const char *ut_discard_name(enum ut_discard_reason reason) {
  return names[reason];
}

bool ut_terminals_init(struct ut_terminals *t, const struct ut_traffic *traffic, uint32_t count,
                       const struct ut_shape *shape, bool account) {
  memset(t, 0, sizeof *t);
  t->count = count;
  t->v = shape->v;
  unsigned layers = UT_ALG_LAYERS(shape->route, shape->algorithm); /* a new packet belongs to the first one */
  t->inject = shape->v < layers ? shape->v : shape->v - (layers - 1);
  t->words = shape->w / 64;
  t->need = shape->switching == UT_WORMHOLE ? 1 : shape->max_packet;
  t->depth = shape->depth;
  t->traffic = traffic;
  t->account = account;
  t->terminal = calloc(count, sizeof *t->terminal);
  if (!t->terminal || !ut_histogram_init(&t->latency))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    struct ut_terminal *n = &t->terminal[i];
    ut_traffic_source_init(&n->source, traffic, i);
    n->more = ut_traffic_next(traffic, &n->source, &n->next);
  }
  return true;
}

void ut_terminals_fini(struct ut_terminals *t) {
  for (uint32_t i = 0; t->terminal && i < t->count; i++)
    free(t->terminal[i].record);
  free(t->terminal);
  ut_histogram_free(&t->latency);
  memset(t, 0, sizeof *t);
}

static inline struct ut_record *record_of(struct ut_terminal *n, uint64_t sequence) {
  return &n->record[sequence & n->mask];
}

static bool grow(struct ut_terminal *n) {
  uint32_t capacity = n->record ? 2 * (n->mask + 1) : 16;
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

/* Takes the packet with that header off the books; NULL: there is none such in the network.  The tag is the sequence
 * number modulo 256: of several candidates the oldest one with the same destination is meant. */
static const struct ut_record *retire(struct ut_terminals *t, uint64_t header) {
  uint16_t src = ut_header_src(header), dst = ut_header_dst(header);
  if (src >= t->count)
    return NULL;
  struct ut_terminal *n = &t->terminal[src];
  uint64_t i = n->base + (uint8_t)(ut_header_tag(header) - n->base);
  for (; i < n->injected; i += 256) {
    struct ut_record *r = record_of(n, i);
    if (!r->live || r->dst != dst)
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

static void receive_end(struct ut_terminals *t, uint32_t id, uint64_t cycle, struct ut_reception *rx, bool bad) {
  rx->open = false;
  if (bad) {
    ut_terminals_discard(t, rx->header, UT_DISCARD_CUT_BY_FAULT);
    return;
  }
  const struct ut_record *r = t->account ? retire(t, rx->header) : NULL;
  t->accounts.delivered++;
  t->accounts.delivered_flits += rx->flits;
  if (rx->corrupt || ut_header_dst(rx->header) != id || (t->account && (!r || r->flits != rx->flits)))
    t->accounts.corrupt++;
  if (r && r->cycle >= t->window_start && r->cycle < t->window_end)
    ut_histogram_add(&t->latency, cycle - r->cycle);
}

static void receive(struct ut_terminals *t, uint32_t id, uint64_t cycle, const struct ut_terminal_in *in) {
  struct ut_reception *rx = &t->terminal[id].rx[in->vc];
  bool last = in->tag & UT_KIND_TAIL, bad = in->tag & UT_BAD;
  unsigned first = 0;
  if (cycle >= t->window_start && cycle < t->window_end)
    t->window_flits++;
  if (in->tag & UT_KIND_HEAD) {
    *rx = (struct ut_reception){.header = in->data[0], .open = true, .corrupt = rx->open, .owed = rx->owed};
    first = 1;
  } else if (!rx->open) {
    t->accounts.corrupt++;
    return;
  }
  if (!bad) {
    uint16_t src = ut_header_src(rx->header);
    uint8_t tag = ut_header_tag(rx->header);
    for (unsigned w = first; w < t->words; w++)
      rx->corrupt |= in->data[w] != ut_body_word(src, tag, rx->flits * t->words + w, last);
    rx->flits++;
  }
  if (last)
    receive_end(t, id, cycle, rx, bad);
}

static bool generate(struct ut_terminals *t, struct ut_terminal *n, uint64_t cycle) {
  while (n->more && n->next.cycle <= cycle) {
    if (!n->record || n->end - n->base > n->mask)
      if (!grow(n))
        return false;
    *record_of(n, n->end++) = (struct ut_record){n->next.cycle, n->next.dst, n->next.flits, true};
    t->accounts.generated++;
    n->more = ut_traffic_next(t->traffic, &n->source, &n->next);
  }
  return true;
}

/* The VC for a new packet: most credits, then the lowest; v: none has room. */
static unsigned pick_vc(const struct ut_terminals *t, const struct ut_terminal *n) {
  unsigned best = t->v;
  for (unsigned v = 0; v < t->inject; v++)
    if (n->credits[v] >= t->need && (best == t->v || n->credits[v] > n->credits[best]))
      best = v;
  return best;
}

static void send(struct ut_terminals *t, uint32_t id, struct ut_terminal *n, struct ut_terminal_out *out) {
  bool head = n->left == 0;
  if (head) {
    if (n->injected == n->end)
      return;
    unsigned vc = pick_vc(t, n);
    if (vc == t->v)
      return;
    const struct ut_record *r = record_of(n, n->injected);
    n->vc = (uint8_t)vc;
    n->left = r->flits;
    n->index = 0;
    n->header = ut_header_make(r->dst, (uint16_t)id, (uint8_t)n->injected, 0);
    n->injected++;
    if (!t->account)
      n->base = n->injected;
    t->accounts.injected++;
  } else if (n->credits[n->vc] == 0) { /* wormhole; under VCT the room was there at the head */
    return;
  }
  bool last = --n->left == 0;
  uint16_t src = (uint16_t)id;
  uint8_t tag = ut_header_tag(n->header);
  out->valid = true;
  out->vc = n->vc;
  out->tag = (uint8_t)((head ? UT_KIND_HEAD : 0) | (last ? UT_KIND_TAIL : 0));
  for (unsigned w = 0; w < t->words; w++)
    out->data[w] = head && w == 0 ? n->header : ut_body_word(src, tag, n->index * t->words + w, last);
  n->index++;
  n->credits[n->vc]--;
  t->accounts.injected_flits++;
}

bool ut_terminal_step(struct ut_terminals *t, uint32_t id, uint64_t cycle, const struct ut_terminal_in *in,
                      struct ut_terminal_out *out, bool *ok) {
  struct ut_terminal *n = &t->terminal[id];
  bool owing = false;
  out->valid = false;
  out->credit = 0;
  if (in->valid && in->up && n->up) {
    receive(t, id, cycle, in);
    out->credit = ut_bit(in->vc);
  }
  if (!t->stop_generation)
    *ok &= generate(t, n, cycle);
  if (n->up) {
    send(t, id, n, out);
    for (unsigned v = 0; v < t->v; v++) {
      n->credits[v] = (uint8_t)(n->credits[v] + (in->credit >> v & 1));
      if (n->rx[v].owed && !(out->credit & ut_bit(v))) {
        out->credit |= ut_bit(v);
        n->rx[v].owed--;
      }
      owing |= n->rx[v].owed != 0;
    }
  } else { /* the rest of the packet in mid-transfer is lost, what was being received is cut */
    n->left = 0;
    for (unsigned v = 0; v < t->v; v++) {
      if (n->rx[v].open)
        receive_end(t, id, cycle, &n->rx[v], true);
      n->credits[v] = 0;
      n->rx[v].owed = (uint8_t)t->depth;
    }
    owing = in->up;
  }
  n->up = in->up;
  return owing || n->left || n->injected != n->end;
}

uint64_t ut_terminals_queued(const struct ut_terminals *t) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < t->count; i++)
    sum += t->terminal[i].end - t->terminal[i].injected;
  return sum;
}
