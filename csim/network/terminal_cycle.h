/* SPDX-License-Identifier: Apache-2.0 */
/* terminal_cycle.h - one cycle of terminals: packets are begun, flits sent and received.
 *
 * Inlined into its callers, so that what follows from the parameters of the switches is constant, where they are:
 * compiled for any parameters in terminal.c, and on demand for one shape in elaborated_terminals.c.
 */
#ifndef UT_TERMINAL_CYCLE_H
#define UT_TERMINAL_CYCLE_H

#include "layers.h"
#include "terminal.h"

static inline uint64_t ut_roll_bit(uint32_t i) {
  return UINT64_C(1) << i % 64;
}

static inline struct ut_record *ut_record_of(struct ut_terminal *n, uint64_t sequence) {
  return &n->record[sequence & n->mask];
}

/* ---- what leaves the network */

/* Takes the packet with that header off the books of its source; NULL: there is none such in the network.  The tag is
 * the sequence number modulo 256: of several candidates the oldest one with the same destination and, if it was
 * delivered, so many flits is meant. */
UT_INLINE const struct ut_record *ut_packet_retire(struct ut_terminal *n, const struct ut_paths *paths, uint64_t header,
                                                   bool delivered, uint32_t flits) {
  for (uint64_t i = n->base + (uint8_t)(ut_header_tag(header) - n->base); i < n->injected; i += 256) {
    struct ut_record *r = ut_record_of(n, i);
    if (!r->live || !ut_paths_header_is_of(paths, r->dst, header) || (delivered && flits != r->flits))
      continue;
    r->live = false;
    if (i == n->base) { /* the oldest one, and those behind it that have gone before */
      do
        i++;
      while (i < n->injected && !ut_record_of(n, i)->live);
      n->base = i;
    }
    return r;
  }
  return NULL;
}

UT_INLINE void ut_count_latency(struct ut_terminals *t, struct ut_terminal_range *r, uint64_t cycles) {
  if (__builtin_expect(cycles < UT_HISTOGRAM_PAGE, 1))
    ut_histogram_add_near(r->latency, cycles);
  else
    r->failure |= !t->calls->add_far(r->latency, cycles);
}

/* A packet that one of the range's terminals has sent was delivered.  src: the number in its header; known: there is
 * such a terminal. */
UT_INLINE void ut_packet_deliver(struct ut_terminals *t, struct ut_terminal_range *r, const struct ut_paths *paths,
                                 bool account, uint32_t src, bool known, const struct ut_leaving l, uint64_t cycle) {
  bool corrupt = l.corrupt;
  r->accounts->delivered++;
  r->accounts->delivered_flits += l.flits;
  if (account) {
    const struct ut_record *record = known ? ut_packet_retire(&t->terminal[src], paths, l.header, true, l.flits) : NULL;
    if (!record)
      corrupt = true;
    else
      r->accounts->latency += cycle - record->cycle;
    if (record && record->cycle - t->window_start < t->window_end - t->window_start)
      ut_count_latency(t, r, cycle - record->cycle);
    if (__builtin_expect(t->watched && record, 0))
      t->calls->note(t, r, l.header, record, UT_DELIVERED);
  }
  if (__builtin_expect(corrupt, 0))
    r->accounts->corrupt++;
}

static inline void ut_packet_discard(struct ut_terminal_range *r, uint64_t header, enum ut_discard_reason reason) {
  r->leaving[r->leavings++] = (struct ut_leaving){.header = header, .reason = (uint8_t)reason};
}

/* ---- a cycle of some terminals */

/* How packets are begun: through one link, without anything to be asked before; through one link; through one of
 * several links or ways. */
enum { UT_PLAIN, UT_PLANNED, UT_SOURCE_ROUTED };

static inline unsigned ut_terminal_mode(const struct ut_terminals *t) {
  return t->source_routes || t->injections > 1        ? UT_SOURCE_ROUTED
         : t->paths || t->availability || !t->account ? UT_PLANNED
                                                      : UT_PLAIN;
}

UT_INLINE struct ut_terminal_form ut_terminal_form_of(const struct ut_shape *p) {
  return (struct ut_terminal_form){
      .v = p->v,
      .words = p->w / 64,
      .depth = p->depth,
      .whole = p->switching != UT_WORMHOLE,
      .need = UT_ALG_ATOMIC(p->route, p->algorithm) ? p->depth
              : p->switching == UT_WORMHOLE         ? 1
                                                    : p->max_packet,
      .inject = ut_first_layer_vcs(p->v, ut_layers(p)) /* a new packet belongs to the first layer */
  };
}

/* What it is about: copies, so that the compiler need not look them up again behind each byte written.  Functions that
 * are not inlined make one of their own. */
struct ut_terminal_work {
  const struct ut_terminal_cycle *c;
  struct ut_terminals *t;
  struct ut_terminal_range *r;
  uint64_t cycle;
  uint8_t *flits_in, *credits_in, *flits_out, *credits_out;
  struct ut_terminal *terminal;
  struct ut_injection *injection;
  struct ut_transmissions *transmissions;
  struct ut_reception *rx;
  struct ut_receptions *receptions;
  const struct ut_paths *paths;
  uint8_t *credits, *ahead, *unread; /* by lane of the wires */
  const uint32_t *link;
  const uint16_t *at;
  struct ut_roll *roll;
  struct ut_wires w;
  uint32_t first, end; /* lanes of the range */
  uint32_t own;        /* packets of so many sources, from the range's first one on, are off the books at once */
  struct ut_terminal_form x;
  unsigned mode;
  bool fits; /* packets are written whole at once */
  bool account;
};

UT_INLINE void ut_terminal_prepare(struct ut_terminal_work *k, const struct ut_terminal_cycle *c, unsigned mode,
                                   const struct ut_terminal_form x) {
  struct ut_terminals *t = c->t;
  k->c = c;
  k->t = t;
  k->r = c->r;
  k->cycle = c->cycle;
  k->flits_in = c->flits_in;
  k->credits_in = c->credits_in;
  k->flits_out = c->flits_out;
  k->credits_out = c->credits_out;
  k->terminal = t->terminal;
  k->injection = t->injection;
  k->transmissions = t->transmissions;
  k->rx = t->rx;
  k->receptions = t->receptions;
  k->paths = mode == UT_PLAIN ? NULL : t->paths;
  k->credits = t->credits - t->wires->terminals;
  k->ahead = t->ahead - t->wires->terminals;
  k->unread = t->unread - t->wires->terminals;
  k->link = t->link;
  k->at = t->at;
  k->roll = t->roll;
  k->w = *t->wires;
  k->w.words = x.words;
  k->w.depth = x.depth;
  k->w.wide = x.depth > 127;
  k->w.ring_words = 2 * x.depth * (x.words + 1);
  k->first = c->r->first * t->links * x.v;
  k->end = c->r->end * t->links * x.v;
  k->own = t->wires->large ? 0 : c->r->end - c->r->first; /* else when all are called into the cache */
  k->x = x;
  k->mode = mode;
  k->fits = mode == UT_PLAIN && x.whole;
  k->account = mode == UT_PLAIN || t->account;
}

/* ---- packets are generated */

/* Terminal i of these will be woken for its next packet; one that is far away, on the way there. */
UT_INLINE void ut_schedule(struct ut_roll *roll, uint32_t i, uint64_t next, uint64_t cycle) {
  const uint64_t at = next - cycle < UT_WHEEL ? next : cycle + UT_WHEEL - 1;
  if (next != UT_NO_PACKET)
    roll->wheel[at % UT_WHEEL] |= ut_roll_bit(i);
}

/* Those of a terminal.  false: out of memory. */
UT_INLINE bool ut_generate(const struct ut_terminal_work *k, struct ut_roll *roll, uint32_t id) {
  struct ut_terminal *n = &k->terminal[id];
  struct ut_record *next = ut_record_of(n, n->end);
  while (next->cycle <= k->cycle) {
    if (k->mode == UT_PLAIN || !k->t->availability || k->t->calls->serve(k->t, id, next)) {
      n->end++;
      k->r->accounts->generated++;
      roll->waiting |= ut_roll_bit(id);
    }
    if (n->end == n->drawn && !k->t->calls->draw(k->t, id))
      return false;
    next = ut_record_of(n, n->end);
  }
  ut_schedule(roll, id, next->cycle, k->cycle);
  return true;
}

/* Of 64 terminals, what those that are woken will look at: in networks that caches do not hold. */
static __attribute__((noinline)) void ut_ahead_generate(struct ut_terminals *t, uint32_t base, uint64_t rest) {
  for (; rest; rest &= rest - 1) {
    struct ut_terminal *n = &t->terminal[base + (uint32_t)__builtin_ctzll(rest)];
    __builtin_prefetch(ut_record_of(n, n->end));
    __builtin_prefetch(ut_record_of(n, n->end + 1));
  }
}

/* Generates the packets of this cycle. */
UT_INLINE void ut_generate_all(const struct ut_terminal_work *k) {
  for (uint32_t base = k->r->first; base < k->r->end; base += 64) {
    struct ut_roll *roll = &k->roll[base / 64];
    uint64_t now = roll->wheel[k->cycle % UT_WHEEL];
    roll->wheel[k->cycle % UT_WHEEL] = 0;
    if (k->w.large && base + 64 < k->r->end)
      ut_ahead_generate(k->t, base + 64, roll[1].wheel[k->cycle % UT_WHEEL]);
    for (; now; now &= now - 1)
      if (!ut_generate(k, roll, base + (uint32_t)__builtin_ctzll(now)))
        k->r->failure = true;
  }
}

/* ---- packets are sent */

/* The VC for a new packet: most credits, then the lowest; v: none has room. */
UT_INLINE unsigned ut_pick_vc(const uint8_t *credits, const struct ut_terminal_form x) {
  unsigned best = x.inject - 1, most = credits[best];
  if (x.inject > 1 && credits[0] == x.depth)
    return 0;
  for (unsigned i = best; i-- > 0;)
    if (credits[i] >= most) {
      most = credits[i];
      best = i;
    }
  return most >= x.need ? best : x.v;
}

/* Takes the next packet from the queue to a VC of a link, with the rt field of its last header word and so many words
 * before it.  Returns its flits. */
UT_INLINE uint32_t ut_packet_take(const struct ut_terminal_work *k, uint32_t id, struct ut_injection *in, unsigned vc,
                                  uint32_t rt, unsigned headers) {
  struct ut_terminal *n = &k->terminal[id];
  const struct ut_record *record = ut_record_of(n, n->injected);
  const uint8_t tag = (uint8_t)n->injected;
  in->header = ut_header_make(record->dst, (uint16_t)id, tag, rt);
  if (!k->fits)
    in->body = ut_body_begin((uint16_t)id, tag, 0);
  if (k->mode == UT_PLANNED)
    in->headers = (uint8_t)headers;
  in->output = k->w.terminals + in->lane + vc;
  n->injected++;
  if (!k->account)
    n->base = n->injected;
  k->r->accounts->injected++;
  return record->flits + headers;
}

/* The header word of the packet that is being written which has in->headers others behind it. */
static inline uint64_t ut_packet_header(const struct ut_injection *in) {
  if (in->headers == 0)
    return in->header;
  unsigned i = in->path->headers - 1u - in->headers;
  return ut_header_make(in->path->stop[i], ut_header_src(in->header), ut_header_tag(in->header), in->path->rt[i]);
}

/* What the body words of the packet with that header are computed from. */
UT_INLINE uint64_t ut_body_of(uint64_t header) {
  return ut_body_begin(ut_header_src(header), ut_header_tag(header), 0);
}

/* The words of a flit from that one on, which may be a header word. */
UT_INLINE void ut_flit_write(const struct ut_terminal_work *k, struct ut_injection *in, uint64_t *flit, unsigned word,
                             uint64_t *body) {
  if (k->mode == UT_PLANNED && word == 0 && in->headers != 0) {
    in->headers--;
    flit[word++] = ut_packet_header(in);
  }
  for (; word < k->x.words; word++)
    flit[word] = ut_body_end(*body += UT_BODY_STEP, false);
  if (k->mode == UT_PLANNED && in->headers != 0) /* counted from the last header word, which arrives first */
    *body = in->body;
}

/* Writes flits of the packet that a link has begun to where they go, of those that are left as many as there are
 * credits for: under virtual cut-through all of them.  They will be sent one in a cycle.  head: its first ones. */
UT_INLINE void ut_packet_write(const struct ut_terminal_work *k, struct ut_injection *in, uint32_t unwritten,
                               bool head) {
  const struct ut_wires *w = &k->w;
  const uint32_t output = in->output, lane = output - w->terminals, here = UINT32_C(1) << lane % UT_LANES;
  const unsigned room = k->credits[output], count = k->fits || unwritten < room ? unwritten : room;
  const bool all = k->fits || count == unwritten;
  struct ut_transmissions *now = &k->transmissions[lane / UT_LANES];
  uint64_t *ring = ut_wires_flit(w, w->to[output], 0), *flit = ring;
  uint64_t body = k->fits ? ut_body_of(in->header) : in->body;
  unsigned at = ut_position_at(w->send, output, w->wide);
  flit = ring + (size_t)at * (k->x.words + 1);
  if (head)
    flit[0] = k->mode == UT_PLANNED ? ut_packet_header(in) : in->header;
  ut_flit_write(k, in, flit, head, &body);
  ut_flit_set_wire(flit, k->x.words, UT_COMES | (head ? UT_KIND_HEAD : 0));
  for (unsigned left = count; --left;) {
    at = ut_position_next(at, w->depth);
    flit = ring + (size_t)at * (k->x.words + 1);
    ut_flit_write(k, in, flit, 0, &body);
    ut_flit_set_wire(flit, k->x.words, UT_COMES);
  }
  if (all) {
    for (unsigned i = head && count == 1; i < k->x.words; i++)
      flit[i] |= UT_BODY_LAST;
    *(uint8_t *)(flit + k->x.words) |= UT_KIND_TAIL;
    now->tail |= here;
  }
  if (!k->fits) {
    in->body = body;
    in->unwritten = unwritten - count;
    now->more = all ? now->more & ~here : now->more | here;
  }
  k->ahead[output] = (uint8_t)count;
  now->sending |= here;
  now->head |= head ? here : 0;
}

/* A packet has been given to a link, and the first flits of it are written. */
UT_INLINE void ut_packet_begin(const struct ut_terminal_work *k, struct ut_injection *in, uint32_t flits) {
  in->sending = true;
  ut_packet_write(k, in, flits, true);
}

/* A terminal with one link, which is free, begins a packet, if there is room.  Returns whether it does. */
UT_INLINE bool ut_begin_plain(const struct ut_terminal_work *k, uint32_t id) {
  struct ut_injection *in = &k->injection[id];
  const unsigned vc = in->up ? ut_pick_vc(k->credits + k->w.terminals + in->lane, k->x) : k->x.v;
  if (vc == k->x.v)
    return false;
  ut_packet_begin(k, in, ut_packet_take(k, id, in, vc, 0, 0));
  return true;
}

/* Of 64 terminals, where these will begin packets: in networks that caches do not hold. */
static __attribute__((noinline)) void ut_ahead_begin(const struct ut_terminals *t, uint32_t base, uint64_t rest) {
  const struct ut_wires *w = t->wires;
  for (; rest; rest &= rest - 1) {
    const uint32_t id = base + (uint32_t)__builtin_ctzll(rest);
    const uint32_t output = w->terminals + id * t->links * t->form.v; /* the first VC has room as often as any */
    struct ut_terminal *n = &t->terminal[id];
    __builtin_prefetch(ut_record_of(n, n->injected));
    __builtin_prefetch(&t->injection[(size_t)id * t->injections], 1);
    __builtin_prefetch(ut_wires_flit(w, w->to[output], ut_position_at(w->send, output, w->wide)), 1);
  }
}

/* Packets that wait are begun; begin() returns whether the terminal can begin no other. */
UT_INLINE void ut_begin_all(const struct ut_terminal_work *k,
                            bool (*begin)(const struct ut_terminal_work *k, uint32_t id)) {
  for (uint32_t base = k->r->first; base < k->r->end; base += 64) {
    struct ut_roll *roll = &k->roll[base / 64];
    if (k->w.large && base + 64 < k->r->end)
      ut_ahead_begin(k->t, base + 64, roll[1].waiting & ~roll[1].middle);
    for (uint64_t rest = roll->waiting & ~roll->middle; rest; rest &= rest - 1) {
      const uint32_t id = base + (uint32_t)__builtin_ctzll(rest);
      if (begin(k, id))
        roll->middle |= rest & -rest;
      if (k->terminal[id].injected == k->terminal[id].end)
        roll->waiting ^= rest & -rest;
    }
  }
}

/* Packets of which more must be written: only under wormhole switching, as soon as there is a credit. */
static __attribute__((noinline)) uint32_t ut_packets_write_more(const struct ut_terminal_cycle *c, uint32_t base,
                                                                uint32_t lanes) {
  struct ut_terminal_work k;
  ut_terminal_prepare(&k, c, ut_terminal_mode(c->t), c->t->form);
  for (; lanes; lanes &= lanes - 1) {
    struct ut_injection *in = &k.injection[k.link[base + (uint32_t)__builtin_ctz(lanes)]];
    if (k.credits[in->output])
      ut_packet_write(&k, in, in->unwritten, false);
  }
  return k.transmissions[base / UT_LANES].sending;
}

/* The tails of these packets are sent. */
UT_INLINE void ut_packets_end(const struct ut_terminal_work *k, uint32_t base, uint32_t lanes) {
  for (; lanes; lanes &= lanes - 1) {
    const uint32_t link = k->link[base + (uint32_t)__builtin_ctz(lanes)];
    k->injection[link].sending = false;
    if (k->mode != UT_SOURCE_ROUTED)
      k->roll[link / 64].middle &= ~ut_roll_bit(link);
  }
}

/* Of 32 lanes, these send a flit of that kind. */
UT_INLINE void ut_put_on_wires(const struct ut_terminal_work *k, uint32_t base, uint32_t lanes, unsigned kind) {
  for (const uint32_t *to = k->w.to + k->w.terminals + base; lanes; lanes &= lanes - 1)
    k->flits_out[to[__builtin_ctz(lanes)]] = (uint8_t)(UT_COMES | kind);
}

/* Each packet that has been begun sends a flit, if it is written. */
UT_INLINE void ut_send_all(const struct ut_terminal_work *k) {
  const ut_vector zero = {0};
  for (uint32_t base = k->first; base < k->end; base += UT_LANES) {
    struct ut_transmissions *now = &k->transmissions[base / UT_LANES];
    uint32_t send = now->sending;
    if (__builtin_expect(now->more & ~send, 0))
      send = ut_packets_write_more(k->c, base, now->more & ~send);
    if (!send)
      continue;
    const uint32_t output = k->w.terminals + base;
    ut_vector *ahead = (ut_vector *)(k->ahead + output);
    const ut_vector goes = (ut_vector)(*ahead != zero);
    *ahead += goes;
    *(ut_vector *)(k->credits + output) += goes;
    if (k->w.wide) {
      ut_positions_move_wide((uint16_t *)k->w.send + output, send, k->w.depth);
    } else {
      ut_vector *at = (ut_vector *)((uint8_t *)k->w.send + output);
      *at = ut_positions_move(*at, goes, k->w.depth);
    }
    const uint32_t done = ut_gather((ut_vector)(*ahead == zero)) & send;
    const uint32_t heads = now->head, tails = done & now->tail;
    now->sending = send & ~done;
    now->head = 0;
    now->tail &= ~tails;
    ut_put_on_wires(k, base, send & ~(heads | tails), 0);
    ut_put_on_wires(k, base, heads & ~tails, UT_KIND_HEAD);
    ut_put_on_wires(k, base, tails & ~heads, UT_KIND_TAIL);
    ut_put_on_wires(k, base, heads & tails, UT_KIND_HEAD | UT_KIND_TAIL);
    k->r->accounts->injected_flits += (unsigned)__builtin_popcount(send);
    ut_packets_end(k, base, tails);
  }
}

/* ---- packets are received */

/* A packet has arrived at that lane. */
UT_INLINE void ut_packet_arrive(const struct ut_terminal_work *k, uint32_t lane, const struct ut_reception *rx,
                                bool corrupt) {
  struct ut_terminal_range *r = k->r;
  const uint32_t src = ut_header_src(rx->header);
  const struct ut_leaving l = {rx->header, rx->flits, UT_DELIVERED,
                               corrupt | (ut_header_dst(rx->header) != k->at[lane])};
  if (src - r->first < k->own)
    ut_packet_deliver(k->t, r, k->paths, k->account, src, true, l, k->cycle);
  else
    r->leaving[r->leavings++] = l;
}

/* Of 32 lanes, 0xff where the byte has that bit; only their top bits are to be looked at.  Bytes are moved in pairs. */
UT_INLINE ut_vector ut_with_bit(const ut_vector bytes, unsigned bit) {
  typedef uint16_t pairs __attribute__((vector_size(UT_LANES)));
  return (ut_vector)((pairs)bytes << (unsigned)__builtin_clz(bit << 24));
}

/* Where the words of a flit, from that one on, are not what they must be. */
UT_INLINE uint64_t ut_flit_errors(const uint64_t *flit, unsigned word, unsigned words, uint64_t *body, uint64_t last) {
  uint64_t wrong = 0;
  for (; word < words; word++)
    wrong |= flit[word] ^ last ^ ut_body_end(*body += UT_BODY_STEP, false);
  return wrong;
}

/* Reads the flits of a lane that have come and have not been read, behind what was read of the packet.  Returns whether
 * something is wrong in them.  tail: the last one is the packet's.  Only the first one can be a head. */
UT_INLINE bool ut_packet_read(const struct ut_terminal_work *k, uint32_t lane, bool tail, struct ut_reception *rx) {
  const uint32_t input = k->w.terminals + lane;
  const unsigned count = k->unread[input];
  unsigned at = ut_position_before(ut_position_at(k->w.write, input, k->w.wide), count, k->w.depth);
  const uint64_t *places = ut_wires_flit(&k->w, input, 0), *flit = places + (size_t)at * (k->x.words + 1);
  uint64_t wrong = 0;
  unsigned word = 0;
  if (flit[k->x.words] & UT_KIND_HEAD) {
    rx->header = flit[word++];
    rx->flits = 0;
    rx->body = ut_body_of(rx->header);
  }
  rx->flits += count;
  for (unsigned left = count; left > 1; left--, word = 0) {
    wrong |= ut_flit_errors(flit, word, k->x.words, &rx->body, 0);
    at = ut_position_next(at, k->w.depth);
    flit = places + (size_t)at * (k->x.words + 1);
  }
  wrong |= ut_flit_errors(flit, word, k->x.words, &rx->body, tail ? UT_BODY_LAST : 0);
  k->unread[input] = 0;
  return wrong != 0;
}

/* The packets that are being received there end here, because they were cut on their way. */
static __attribute__((noinline)) void ut_packets_cut(const struct ut_terminal_cycle *c, uint32_t base, uint32_t lanes) {
  struct ut_terminal_work k;
  ut_terminal_prepare(&k, c, ut_terminal_mode(c->t), c->t->form);
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const uint32_t lane = base + (uint32_t)__builtin_ctz(rest);
    uint8_t *unread = &k.unread[k.w.terminals + lane];
    if (*unread)
      ut_packet_read(&k, lane, false, &k.rx[lane]);
    if (k.receptions[base / UT_LANES].open & (rest & -rest))
      ut_packet_discard(k.r, k.rx[lane].header, UT_DISCARD_CUT_BY_FAULT);
  }
  k.receptions[base / UT_LANES].open &= ~lanes;
}

/* Receives what has come into these of 32 lanes; the wires are the caller's.  Credits go back at once.  Flits are read
 * when the packet's last one is there, or there are so many that others will replace them. */
UT_INLINE void ut_flits_receive(const struct ut_terminal_work *k, uint32_t base, uint32_t come, const ut_vector wire) {
  const uint32_t input = k->w.terminals + base;
  ut_vector *unread = (ut_vector *)(k->unread + input);
  const ut_vector is_head = (ut_vector)((ut_signed)ut_with_bit(wire, UT_KIND_HEAD) < 0);
  const uint32_t heads = ut_gather(is_head), tails = ut_gather(ut_with_bit(wire, UT_KIND_TAIL));
  const uint32_t bad = ut_gather(ut_with_bit(wire, UT_BAD));
  struct ut_receptions *now = &k->receptions[base / UT_LANES];
  *unread = (*unread & ~is_head) - (ut_vector)((ut_signed)wire < 0);
  const uint32_t due = (tails | ut_gather((ut_vector)(*unread == (uint8_t)k->w.depth))) & ~bad;
  uint32_t corrupt = (now->corrupt & ~heads) | (now->open & heads);
  k->r->received += (unsigned)__builtin_popcount(come);
  k->r->accounts->corrupt += (unsigned)__builtin_popcount(come & ~heads & ~now->open); /* flits of nothing */
  now->open |= heads;
  const uint32_t *from = k->w.from + input;
  for (uint32_t rest = come; rest; rest &= rest - 1)
    k->credits_out[from[__builtin_ctz(rest)]] = 0xff;
  if (__builtin_expect(bad != 0, 0))
    ut_packets_cut(k->c, base, bad);
  const uint32_t whole = tails & now->open;
  now->open &= ~whole;
  for (uint32_t rest = due & ~whole; __builtin_expect(rest != 0, 0); rest &= rest - 1) {
    const unsigned i = (unsigned)__builtin_ctz(rest);
    corrupt |= (uint32_t)ut_packet_read(k, base + i, tails >> i & 1, &k->rx[base + i]) << i;
  }
  for (uint32_t rest = whole; rest; rest &= rest - 1) {
    const unsigned i = (unsigned)__builtin_ctz(rest);
    struct ut_reception rx = k->rx[base + i];
    const bool wrong = ut_packet_read(k, base + i, true, &rx);
    ut_packet_arrive(k, base + i, &rx, wrong | (corrupt >> i & 1));
  }
  now->corrupt = corrupt;
}

/* Of 32 lanes, where packets that are whole now will be read: in networks that caches do not hold. */
static __attribute__((noinline)) void ut_ahead_receive(const struct ut_terminal_cycle *c, uint32_t base) {
  const struct ut_terminals *t = c->t;
  const struct ut_wires *w = t->wires;
  const ut_vector wire = *(const ut_vector *)(c->flits_in + w->terminals + base);
  for (uint32_t rest = ut_gather(ut_with_bit(wire, UT_KIND_TAIL)); rest; rest &= rest - 1) {
    const uint32_t lane = base + (uint32_t)__builtin_ctz(rest), input = w->terminals + lane;
    const unsigned at = ut_position_at(w->write, input, w->wide);
    __builtin_prefetch(ut_wires_flit(w, input, ut_position_before(at, t->unread[lane], w->depth)));
    __builtin_prefetch(ut_wires_flit(w, input, at));
    __builtin_prefetch(&t->rx[lane]);
  }
}

/* What is on the wires to the terminals; flits through links that are not up have been taken off. */
UT_INLINE void ut_receive_all(const struct ut_terminal_work *k) {
  const ut_vector zero = {0};
  for (uint32_t base = k->first; base < k->end; base += UT_LANES) {
    const uint32_t input = k->w.terminals + base;
    if (k->w.large && base + UT_LANES < k->end)
      ut_ahead_receive(k->c, base + UT_LANES);
    ut_vector *back = (ut_vector *)(k->credits_in + input), *wire = (ut_vector *)(k->flits_in + input);
    const ut_vector came = *wire;
    if (!ut_gather(*back | came))
      continue;
    *(ut_vector *)(k->credits + input) -= *back; /* 0xff: one more */
    *back = zero;
    const uint32_t come = ut_gather(came);
    if (!come)
      continue;
    *wire = zero;
    if (k->w.wide) {
      ut_positions_move_wide((uint16_t *)k->w.write + input, come, k->w.depth);
    } else {
      ut_vector *at = (ut_vector *)((uint8_t *)k->w.write + input);
      *at = ut_positions_move(*at, (ut_vector)((ut_signed)came < 0), k->w.depth);
    }
    ut_flits_receive(k, base, come, came);
  }
}

/* ---- the cycle, with what the caller knows as constants */

UT_INLINE void ut_terminals_cycle(const struct ut_terminal_cycle *c, unsigned mode, const struct ut_terminal_form x) {
  struct ut_terminal_work k;
  ut_terminal_prepare(&k, c, mode, x);
  if (!k.t->stop_generation && k.t->releases)
    k.t->calls->release(c);
  else if (!k.t->stop_generation)
    ut_generate_all(&k);
  if (mode == UT_PLAIN) /* before the credits of this cycle */
    ut_begin_all(&k, ut_begin_plain);
  else
    k.t->calls->begin(c);
  ut_send_all(&k);
  for (uint32_t base = k.r->first; base < k.r->end; base += 64)
    for (uint64_t rest = k.roll[base / 64].unusual; rest; rest &= rest - 1)
      k.t->calls->unusual(c, base + (uint32_t)__builtin_ctzll(rest));
  ut_receive_all(&k);
}

#endif
