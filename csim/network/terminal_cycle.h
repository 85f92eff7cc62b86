/* SPDX-License-Identifier: Apache-2.0 */
/* terminal_cycle.h - one cycle of terminals: packets are begun, flits sent and received.
 *
 * It is inlined into its callers, so that what follows from the parameters of the switches is constant where they are
 * known: terminal.c compiles it for any parameters, elaborated_terminals.c on demand for one shape.
 */
#ifndef UT_TERMINAL_CYCLE_H
#define UT_TERMINAL_CYCLE_H

#include "layers.h"
#include "terminal.h"

static inline uint64_t ut_roll_bit(uint32_t i) {
  return UINT64_C(1) << i % 64;
}

static inline struct ut_record *ut_record_of(struct ut_terminal *terminal, uint64_t sequence) {
  return &terminal->record[sequence & terminal->mask];
}

/* ---- what leaves the network */

/* Removes the packet with that header from the in-flight table of its source and returns its record; NULL: there is no
 * such packet.  The tag is the sequence number modulo 256: of several candidates the oldest one is meant that has the
 * same destination and, if it was delivered, `flits` flits. */
UT_INLINE const struct ut_record *ut_packet_retire(struct ut_terminal *terminal, const struct ut_paths *paths,
                                                   uint64_t header, bool delivered, uint32_t flits) {
  for (uint64_t i = terminal->base + (uint8_t)(ut_header_tag(header) - terminal->base); i < terminal->injected;
       i += 256) {
    struct ut_record *record = ut_record_of(terminal, i);
    if (!record->live || !ut_paths_header_is_of(paths, record->dst, header) || (delivered && flits != record->flits))
      continue;
    record->live = false;
    if (i == terminal->base) { /* removes the oldest record, and those behind it that have left before */
      do
        i++;
      while (i < terminal->injected && !ut_record_of(terminal, i)->live);
      terminal->base = i;
    }
    return record;
  }
  return NULL;
}

UT_INLINE void ut_count_latency(struct ut_terminals *terminals, struct ut_terminal_range *range, uint64_t cycles) {
  if (__builtin_expect(cycles < UT_HISTOGRAM_PAGE, 1))
    ut_histogram_add_near(range->latency, cycles);
  else
    range->failure |= !terminals->calls->add_far(range->latency, cycles);
}

/* Counts a packet of one of the range's terminals as delivered.  src: the source in its header; known: that terminal
 * exists. */
UT_INLINE void ut_packet_deliver(struct ut_terminals *terminals, struct ut_terminal_range *range,
                                 const struct ut_paths *paths, bool account, uint32_t src, bool known,
                                 const struct ut_leaving leaving, uint64_t cycle) {
  bool corrupt = leaving.corrupt;
  range->accounts->delivered++;
  range->accounts->delivered_flits += leaving.flits;
  if (account) {
    const struct ut_record *record =
        known ? ut_packet_retire(&terminals->terminal[src], paths, leaving.header, true, leaving.flits) : NULL;
    if (!record)
      corrupt = true;
    else
      range->accounts->latency += cycle - record->cycle;
    if (record && record->cycle - terminals->window_start < terminals->window_end - terminals->window_start)
      ut_count_latency(terminals, range, cycle - record->cycle);
    if (__builtin_expect(terminals->watched && record, 0))
      terminals->calls->note(terminals, range, leaving.header, record, UT_DELIVERED);
  }
  if (__builtin_expect(corrupt, 0))
    range->accounts->corrupt++;
}

static inline void ut_packet_discard(struct ut_terminal_range *range, uint64_t header, enum ut_discard_reason reason) {
  range->leaving[range->leavings++] = (struct ut_leaving){.header = header, .reason = (uint8_t)reason};
}

/* ---- a cycle of some terminals */

/* How packets are begun: through one link without any decision; through one link; through one of several links or
 * routes. */
enum { UT_PLAIN, UT_PLANNED, UT_SOURCE_ROUTED };

static inline unsigned ut_terminal_mode(const struct ut_terminals *terminals) {
  const bool decides =
      terminals->paths || terminals->availability || terminals->stops || terminals->halts || terminals->next_hops;
  return terminals->source_routes || terminals->injections > 1 ? UT_SOURCE_ROUTED
         : decides || !terminals->account                      ? UT_PLANNED
                                                               : UT_PLAIN;
}

UT_INLINE struct ut_terminal_form ut_terminal_form_of(const struct ut_shape *shape) {
  return (struct ut_terminal_form){
      .v = shape->v,
      .words = shape->w / 64,
      .depth = shape->depth,
      .whole = shape->switching != UT_WORMHOLE,
      .need = UT_ALG_ATOMIC(shape->route, shape->algorithm) ? shape->depth
              : shape->switching == UT_WORMHOLE             ? 1
                                                            : shape->max_packet,
      .inject = ut_first_layer_vcs(shape->v, ut_layers(shape)) /* a new packet starts in the first virtual layer */
  };
}

/* Copies of members, so that the compiler need not reload them after each byte that is written.  A function that is not
 * inlined makes its own copy. */
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
  uint32_t own;        /* packets of this many sources, from the range's first one on, are settled at once */
  struct ut_terminal_form x;
  unsigned mode;
  bool fits; /* packets are written whole at once */
  bool account;
};

UT_INLINE void ut_terminal_prepare(struct ut_terminal_work *work, const struct ut_terminal_cycle *cycle, unsigned mode,
                                   const struct ut_terminal_form form) {
  struct ut_terminals *terminals = cycle->t;
  work->c = cycle;
  work->t = terminals;
  work->r = cycle->r;
  work->cycle = cycle->cycle;
  work->flits_in = cycle->flits_in;
  work->credits_in = cycle->credits_in;
  work->flits_out = cycle->flits_out;
  work->credits_out = cycle->credits_out;
  work->terminal = terminals->terminal;
  work->injection = terminals->injection;
  work->transmissions = terminals->transmissions;
  work->rx = terminals->rx;
  work->receptions = terminals->receptions;
  work->paths = mode == UT_PLAIN ? NULL : terminals->paths;
  work->credits = terminals->credits - terminals->wires->terminals;
  work->ahead = terminals->ahead - terminals->wires->terminals;
  work->unread = terminals->unread - terminals->wires->terminals;
  work->link = terminals->link;
  work->at = terminals->at;
  work->roll = terminals->roll;
  work->w = *terminals->wires;
  work->w.words = form.words;
  work->w.depth = form.depth;
  work->w.wide = form.depth > 127;
  work->w.ring_words = 2 * form.depth * (form.words + 1);
  work->first = cycle->r->first * terminals->links * form.v;
  work->end = cycle->r->end * terminals->links * form.v;
  work->own = terminals->wires->large ? 0 : cycle->r->end - cycle->r->first; /* in large networks later, when all are
                                                                                prefetched */
  work->x = form;
  work->mode = mode;
  work->fits = mode == UT_PLAIN && form.whole;
  work->account = mode == UT_PLAIN || terminals->account;
}

/* ---- packets are generated */

/* Puts terminal i into the wheel slot of its next packet; if that is far away, into a slot before it. */
UT_INLINE void ut_schedule(struct ut_roll *roll, uint32_t i, uint64_t next, uint64_t cycle) {
  const uint64_t at = next - cycle < UT_WHEEL ? next : cycle + UT_WHEEL - 1;
  if (next != UT_NO_PACKET)
    roll->wheel[at % UT_WHEEL] |= ut_roll_bit(i);
}

/* Grows the records of a terminal.  Returns false when out of memory. */
UT_INLINE bool ut_generate(const struct ut_terminal_work *work, struct ut_roll *roll, uint32_t id) {
  struct ut_terminal *terminal = &work->terminal[id];
  struct ut_record *next = ut_record_of(terminal, terminal->end);
  while (next->cycle <= work->cycle) {
    if (work->mode == UT_PLAIN || !work->t->availability || work->t->calls->serve(work->t, id, next)) {
      terminal->end++;
      work->r->accounts->generated++;
      roll->waiting |= ut_roll_bit(id);
    }
    if (terminal->end == terminal->drawn && !work->t->calls->draw(work->t, id))
      return false;
    next = ut_record_of(terminal, terminal->end);
  }
  ut_schedule(roll, id, next->cycle, work->cycle);
  return true;
}

/* Prefetches what the 64 terminals of a set that wake up will need; for networks larger than the caches. */
static __attribute__((noinline)) void ut_ahead_generate(struct ut_terminals *terminals, uint32_t base, uint64_t rest) {
  for (; rest; rest &= rest - 1) {
    struct ut_terminal *terminal = &terminals->terminal[base + (uint32_t)__builtin_ctzll(rest)];
    __builtin_prefetch(ut_record_of(terminal, terminal->end));
    __builtin_prefetch(ut_record_of(terminal, terminal->end + 1));
  }
}

/* Generates the packets of this cycle. */
UT_INLINE void ut_generate_all(const struct ut_terminal_work *work) {
  for (uint32_t base = work->r->first; base < work->r->end; base += 64) {
    struct ut_roll *roll = &work->roll[base / 64];
    uint64_t now = roll->wheel[work->cycle % UT_WHEEL];
    roll->wheel[work->cycle % UT_WHEEL] = 0;
    if (work->w.large && base + 64 < work->r->end)
      ut_ahead_generate(work->t, base + 64, roll[1].wheel[work->cycle % UT_WHEEL]);
    for (; now; now &= now - 1)
      if (!ut_generate(work, roll, base + (uint32_t)__builtin_ctzll(now)))
        work->r->failure = true;
  }
}

/* ---- packets are sent */

/* Returns the VC for a new packet: the one with most credits, of equals the lowest; v: none has space. */
UT_INLINE unsigned ut_pick_vc(const uint8_t *credits, const struct ut_terminal_form form) {
  unsigned best = form.inject - 1, most = credits[best];
  if (form.inject > 1 && credits[0] == form.depth)
    return 0;
  for (unsigned i = best; i-- > 0;)
    if (credits[i] >= most) {
      most = credits[i];
      best = i;
    }
  return most >= form.need ? best : form.v;
}

/* Moves the next packet from the queue to a VC of a link.  rt: the rt field of its last header word; headers: the words
 * before that one.  Returns its flits. */
UT_INLINE uint32_t ut_packet_take(const struct ut_terminal_work *work, uint32_t id, struct ut_injection *in,
                                  unsigned vc, uint32_t rt, unsigned headers) {
  struct ut_terminal *terminal = &work->terminal[id];
  const struct ut_record *record = ut_record_of(terminal, terminal->injected);
  const uint8_t tag = (uint8_t)terminal->injected;
  in->header = ut_header_make(record->dst, (uint16_t)id, tag, rt);
  if (!work->fits)
    in->body = ut_body_begin((uint16_t)id, tag, 0);
  if (work->mode != UT_PLAIN)
    in->headers = (uint8_t)headers;
  in->output = work->w.terminals + in->lane + vc;
  terminal->injected++;
  if (!work->account)
    terminal->base = terminal->injected;
  work->r->accounts->injected++;
  return record->flits + headers;
}

/* Returns the header word of the packet being written that has in->headers others behind it. */
static inline uint64_t ut_packet_header(const struct ut_injection *in) {
  if (in->headers == 0)
    return in->header;
  unsigned i = in->path->headers - 1u - in->headers;
  return ut_header_make(in->path->stop[i], ut_header_src(in->header), ut_header_tag(in->header), in->path->rt[i]);
}

/* Returns the value that the body words of the packet with that header are computed from. */
UT_INLINE uint64_t ut_body_of(uint64_t header) {
  return ut_body_begin(ut_header_src(header), ut_header_tag(header), 0);
}

/* Writes the words of a flit from that one on, which may be a header word. */
UT_INLINE void ut_flit_write(const struct ut_terminal_work *work, struct ut_injection *in, uint64_t *flit,
                             unsigned word, uint64_t *body) {
  if (work->mode != UT_PLAIN && word == 0 && in->headers != 0) {
    in->headers--;
    flit[word++] = ut_packet_header(in);
  }
  for (; word < work->x.words; word++)
    flit[word] = ut_body_end(*body += UT_BODY_STEP, false);
  if (work->mode != UT_PLAIN && in->headers != 0) /* counted from the last header word, which arrives first */
    *body = in->body;
}

/* Writes flits of the packet that a link has begun to their places in the receiver's ring: as many of those that are
 * left as there are credits for; under virtual cut-through, all of them.  One of them will be sent in each cycle.
 * head: these are its first flits. */
UT_INLINE void ut_packet_write(const struct ut_terminal_work *work, struct ut_injection *in, uint32_t unwritten,
                               bool head) {
  const struct ut_wires *wires = &work->w;
  const uint32_t output = in->output, lane = output - wires->terminals, here = UINT32_C(1) << lane % UT_LANES;
  const unsigned room = work->credits[output], count = work->fits || unwritten < room ? unwritten : room;
  const bool all = work->fits || count == unwritten;
  struct ut_transmissions *now = &work->transmissions[lane / UT_LANES];
  uint64_t *ring = ut_wires_flit(wires, wires->to[output], 0), *flit = ring;
  uint64_t body = work->fits ? ut_body_of(in->header) : in->body;
  unsigned at = ut_position_at(wires->send, output, wires->wide);
  flit = ring + (size_t)at * (work->x.words + 1);
  if (head)
    flit[0] = work->mode != UT_PLAIN ? ut_packet_header(in) : in->header;
  ut_flit_write(work, in, flit, head, &body);
  ut_flit_set_wire(flit, work->x.words, UT_COMES | (head ? UT_KIND_HEAD : 0));
  for (unsigned left = count; --left;) {
    at = ut_position_next(at, wires->depth);
    flit = ring + (size_t)at * (work->x.words + 1);
    ut_flit_write(work, in, flit, 0, &body);
    ut_flit_set_wire(flit, work->x.words, UT_COMES);
  }
  if (all) {
    for (unsigned i = head && count == 1; i < work->x.words; i++)
      flit[i] |= UT_BODY_LAST;
    *(uint8_t *)(flit + work->x.words) |= UT_KIND_TAIL;
    now->tail |= here;
  }
  if (!work->fits) {
    in->body = body;
    in->unwritten = unwritten - count;
    now->more = all ? now->more & ~here : now->more | here;
  }
  work->ahead[output] = (uint8_t)count;
  now->sending |= here;
  now->head |= head ? here : 0;
}

/* Completes the start of a packet: a link has it, and its first flits are written. */
UT_INLINE void ut_packet_begin(const struct ut_terminal_work *work, struct ut_injection *in, uint32_t flits) {
  in->sending = true;
  ut_packet_write(work, in, flits, true);
}

/* Begins a packet on the free link of a terminal with one link, if there is space.  Returns whether it does. */
UT_INLINE bool ut_begin_plain(const struct ut_terminal_work *work, uint32_t id) {
  struct ut_injection *in = &work->injection[id];
  const unsigned vc = in->up ? ut_pick_vc(work->credits + work->w.terminals + in->lane, work->x) : work->x.v;
  if (vc == work->x.v)
    return false;
  ut_packet_begin(work, in, ut_packet_take(work, id, in, vc, 0, 0));
  return true;
}

/* Prefetches where the 64 terminals of a set will begin packets; for networks larger than the caches. */
static __attribute__((noinline)) void ut_ahead_begin(const struct ut_terminals *terminals, uint32_t base,
                                                     uint64_t rest) {
  const struct ut_wires *wires = terminals->wires;
  for (; rest; rest &= rest - 1) {
    const uint32_t id = base + (uint32_t)__builtin_ctzll(rest);
    const uint32_t output =
        wires->terminals + id * terminals->links * terminals->form.v; /* the first VC has space as often as any other */
    struct ut_terminal *terminal = &terminals->terminal[id];
    __builtin_prefetch(ut_record_of(terminal, terminal->injected));
    __builtin_prefetch(&terminals->injection[(size_t)id * terminals->injections], 1);
    __builtin_prefetch(ut_wires_flit(wires, wires->to[output], ut_position_at(wires->send, output, wires->wide)), 1);
  }
}

/* Begins packets that wait.  begin() returns whether the terminal can begin no other. */
UT_INLINE void ut_begin_all(const struct ut_terminal_work *work,
                            bool (*begin)(const struct ut_terminal_work *work, uint32_t id)) {
  for (uint32_t base = work->r->first; base < work->r->end; base += 64) {
    struct ut_roll *roll = &work->roll[base / 64];
    if (work->w.large && base + 64 < work->r->end)
      ut_ahead_begin(work->t, base + 64, roll[1].waiting & ~roll[1].middle);
    for (uint64_t rest = roll->waiting & ~roll->middle; rest; rest &= rest - 1) {
      const uint32_t id = base + (uint32_t)__builtin_ctzll(rest);
      if (begin(work, id))
        roll->middle |= rest & -rest;
      if (work->terminal[id].injected == work->terminal[id].end)
        roll->waiting ^= rest & -rest;
    }
  }
}

/* Writes more flits of packets that are not written whole: only under wormhole switching, as soon as there is a
 * credit. */
static __attribute__((noinline)) uint32_t ut_packets_write_more(const struct ut_terminal_cycle *cycle, uint32_t base,
                                                                uint32_t lanes) {
  struct ut_terminal_work work;
  ut_terminal_prepare(&work, cycle, ut_terminal_mode(cycle->t), cycle->t->form);
  for (; lanes; lanes &= lanes - 1) {
    struct ut_injection *in = &work.injection[work.link[base + (uint32_t)__builtin_ctz(lanes)]];
    if (work.credits[in->output])
      ut_packet_write(&work, in, in->unwritten, false);
  }
  return work.transmissions[base / UT_LANES].sending;
}

/* Ends these packets: their tails are sent. */
UT_INLINE void ut_packets_end(const struct ut_terminal_work *work, uint32_t base, uint32_t lanes) {
  for (; lanes; lanes &= lanes - 1) {
    const uint32_t link = work->link[base + (uint32_t)__builtin_ctz(lanes)];
    work->injection[link].sending = false;
    if (work->mode != UT_SOURCE_ROUTED)
      work->roll[link / 64].middle &= ~ut_roll_bit(link);
  }
}

/* Sends a flit of that kind on these of 32 lanes. */
UT_INLINE void ut_put_on_wires(const struct ut_terminal_work *work, uint32_t base, uint32_t lanes, unsigned kind) {
  for (const uint32_t *to = work->w.to + work->w.terminals + base; lanes; lanes &= lanes - 1)
    work->flits_out[to[__builtin_ctz(lanes)]] = (uint8_t)(UT_COMES | kind);
}

/* Sends a flit of each packet that has been begun, if it is written. */
UT_INLINE void ut_send_all(const struct ut_terminal_work *work) {
  const ut_vector zero = {0};
  for (uint32_t base = work->first; base < work->end; base += UT_LANES) {
    struct ut_transmissions *now = &work->transmissions[base / UT_LANES];
    uint32_t send = now->sending;
    if (__builtin_expect(now->more & ~send, 0))
      send = ut_packets_write_more(work->c, base, now->more & ~send);
    if (!send)
      continue;
    const uint32_t output = work->w.terminals + base;
    ut_vector *ahead = (ut_vector *)(work->ahead + output);
    const ut_vector goes = (ut_vector)(*ahead != zero);
    *ahead += goes;
    *(ut_vector *)(work->credits + output) += goes;
    if (work->w.wide) {
      ut_positions_move_wide((uint16_t *)work->w.send + output, send, work->w.depth);
    } else {
      ut_vector *at = (ut_vector *)((uint8_t *)work->w.send + output);
      *at = ut_positions_move(*at, goes, work->w.depth);
    }
    const uint32_t done = ut_gather((ut_vector)(*ahead == zero)) & send;
    const uint32_t heads = now->head, tails = done & now->tail;
    now->sending = send & ~done;
    now->head = 0;
    now->tail &= ~tails;
    ut_put_on_wires(work, base, send & ~(heads | tails), 0);
    ut_put_on_wires(work, base, heads & ~tails, UT_KIND_HEAD);
    ut_put_on_wires(work, base, tails & ~heads, UT_KIND_TAIL);
    ut_put_on_wires(work, base, heads & tails, UT_KIND_HEAD | UT_KIND_TAIL);
    work->r->accounts->injected_flits += (unsigned)__builtin_popcount(send);
    ut_packets_end(work, base, tails);
  }
}

/* ---- packets are received */

/* Ends the packet that has arrived at that lane. */
UT_INLINE void ut_packet_arrive(const struct ut_terminal_work *work, uint32_t lane, const struct ut_reception *rx,
                                bool corrupt) {
  struct ut_terminal_range *range = work->r;
  const uint32_t src = ut_header_src(rx->header);
  const struct ut_leaving leaving = {rx->header, rx->flits, UT_DELIVERED,
                                     corrupt | (ut_header_dst(rx->header) != work->at[lane])};
  if (src - range->first < work->own)
    ut_packet_deliver(work->t, range, work->paths, work->account, src, true, leaving, work->cycle);
  else
    range->leaving[range->leavings++] = leaving;
}

/* Returns, for 32 lanes, 0xff where the byte has that bit; only the top bits are valid.  Bytes are shifted in pairs. */
UT_INLINE ut_vector ut_with_bit(const ut_vector bytes, unsigned bit) {
  typedef uint16_t pairs __attribute__((vector_size(UT_LANES)));
  return (ut_vector)((pairs)bytes << (unsigned)__builtin_clz(bit << 24));
}

/* Returns whether the words of a flit, from that one on, differ from what they must be. */
UT_INLINE uint64_t ut_flit_errors(const uint64_t *flit, unsigned word, unsigned words, uint64_t *body, uint64_t last) {
  uint64_t wrong = 0;
  for (; word < words; word++)
    wrong |= flit[word] ^ last ^ ut_body_end(*body += UT_BODY_STEP, false);
  return wrong;
}

/* Reads the flits of a lane that have arrived and have not been read.  Returns whether they have an error.  tail: the
 * last one is the packet's tail.  Only the first one can be a head. */
UT_INLINE bool ut_packet_read(const struct ut_terminal_work *work, uint32_t lane, bool tail, struct ut_reception *rx) {
  const uint32_t input = work->w.terminals + lane;
  const unsigned count = work->unread[input];
  unsigned at = ut_position_before(ut_position_at(work->w.write, input, work->w.wide), count, work->w.depth);
  const uint64_t *places = ut_wires_flit(&work->w, input, 0), *flit = places + (size_t)at * (work->x.words + 1);
  uint64_t wrong = 0;
  unsigned word = 0;
  if (flit[work->x.words] & UT_KIND_HEAD) {
    rx->header = flit[word++];
    rx->flits = 0;
    rx->body = ut_body_of(rx->header);
  }
  rx->flits += count;
  for (unsigned left = count; left > 1; left--, word = 0) {
    wrong |= ut_flit_errors(flit, word, work->x.words, &rx->body, 0);
    at = ut_position_next(at, work->w.depth);
    flit = places + (size_t)at * (work->x.words + 1);
  }
  wrong |= ut_flit_errors(flit, word, work->x.words, &rx->body, tail ? UT_BODY_LAST : 0);
  work->unread[input] = 0;
  return wrong != 0;
}

/* Ends the packets that are arriving there, because they were cut on their way. */
static __attribute__((noinline)) void ut_packets_cut(const struct ut_terminal_cycle *cycle, uint32_t base,
                                                     uint32_t lanes) {
  struct ut_terminal_work work;
  ut_terminal_prepare(&work, cycle, ut_terminal_mode(cycle->t), cycle->t->form);
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const uint32_t lane = base + (uint32_t)__builtin_ctz(rest);
    uint8_t *unread = &work.unread[work.w.terminals + lane];
    if (*unread)
      ut_packet_read(&work, lane, false, &work.rx[lane]);
    if (work.receptions[base / UT_LANES].open & (rest & -rest))
      ut_packet_discard(work.r, work.rx[lane].header, UT_DISCARD_CUT_BY_FAULT);
  }
  work.receptions[base / UT_LANES].open &= ~lanes;
}

/* Receives the arrivals of these of 32 lanes; the caller clears the wires.  Credits go back at once.  Flits are read
 * when the last one of the packet has arrived, or when others would overwrite them. */
UT_INLINE void ut_flits_receive(const struct ut_terminal_work *work, uint32_t base, uint32_t come,
                                const ut_vector wire) {
  const uint32_t input = work->w.terminals + base;
  ut_vector *unread = (ut_vector *)(work->unread + input);
  const ut_vector is_head = (ut_vector)((ut_signed)ut_with_bit(wire, UT_KIND_HEAD) < 0);
  const uint32_t heads = ut_gather(is_head), tails = ut_gather(ut_with_bit(wire, UT_KIND_TAIL));
  const uint32_t bad = ut_gather(ut_with_bit(wire, UT_BAD));
  struct ut_receptions *now = &work->receptions[base / UT_LANES];
  *unread = (*unread & ~is_head) - (ut_vector)((ut_signed)wire < 0);
  const uint32_t due = (tails | ut_gather((ut_vector)(*unread == (uint8_t)work->w.depth))) & ~bad;
  uint32_t corrupt = (now->corrupt & ~heads) | (now->open & heads);
  work->r->received += (unsigned)__builtin_popcount(come);
  work->r->accounts->corrupt += (unsigned)__builtin_popcount(come & ~heads & ~now->open); /* flits without a packet */
  now->open |= heads;
  const uint32_t *from = work->w.from + input;
  for (uint32_t rest = come; rest; rest &= rest - 1)
    work->credits_out[from[__builtin_ctz(rest)]] = 0xff;
  if (__builtin_expect(bad != 0, 0))
    ut_packets_cut(work->c, base, bad);
  const uint32_t whole = tails & now->open;
  now->open &= ~whole;
  for (uint32_t rest = due & ~whole; __builtin_expect(rest != 0, 0); rest &= rest - 1) {
    const unsigned i = (unsigned)__builtin_ctz(rest);
    corrupt |= (uint32_t)ut_packet_read(work, base + i, tails >> i & 1, &work->rx[base + i]) << i;
  }
  for (uint32_t rest = whole; rest; rest &= rest - 1) {
    const unsigned i = (unsigned)__builtin_ctz(rest);
    struct ut_reception rx = work->rx[base + i];
    const bool wrong = ut_packet_read(work, base + i, true, &rx);
    ut_packet_arrive(work, base + i, &rx, wrong | (corrupt >> i & 1));
  }
  now->corrupt = corrupt;
}

/* Prefetches, for 32 lanes, packets that are complete now and will be read; for networks larger than the caches. */
static __attribute__((noinline)) void ut_ahead_receive(const struct ut_terminal_cycle *cycle, uint32_t base) {
  const struct ut_terminals *terminals = cycle->t;
  const struct ut_wires *wires = terminals->wires;
  const ut_vector wire = *(const ut_vector *)(cycle->flits_in + wires->terminals + base);
  for (uint32_t rest = ut_gather(ut_with_bit(wire, UT_KIND_TAIL)); rest; rest &= rest - 1) {
    const uint32_t lane = base + (uint32_t)__builtin_ctz(rest), input = wires->terminals + lane;
    const unsigned at = ut_position_at(wires->write, input, wires->wide);
    __builtin_prefetch(ut_wires_flit(wires, input, ut_position_before(at, terminals->unread[lane], wires->depth)));
    __builtin_prefetch(ut_wires_flit(wires, input, at));
    __builtin_prefetch(&terminals->rx[lane]);
  }
}

/* Receives what is on the wires to the terminals; flits on links that are down have been taken off. */
UT_INLINE void ut_receive_all(const struct ut_terminal_work *work) {
  const ut_vector zero = {0};
  for (uint32_t base = work->first; base < work->end; base += UT_LANES) {
    const uint32_t input = work->w.terminals + base;
    if (work->w.large && base + UT_LANES < work->end)
      ut_ahead_receive(work->c, base + UT_LANES);
    ut_vector *back = (ut_vector *)(work->credits_in + input), *wire = (ut_vector *)(work->flits_in + input);
    const ut_vector came = *wire;
    if (!ut_gather(*back | came))
      continue;
    *(ut_vector *)(work->credits + input) -= *back; /* 0xff, that is -1: adds one */
    *back = zero;
    const uint32_t come = ut_gather(came);
    if (!come)
      continue;
    *wire = zero;
    if (work->w.wide) {
      ut_positions_move_wide((uint16_t *)work->w.write + input, come, work->w.depth);
    } else {
      ut_vector *at = (ut_vector *)((uint8_t *)work->w.write + input);
      *at = ut_positions_move(*at, (ut_vector)((ut_signed)came < 0), work->w.depth);
    }
    ut_flits_receive(work, base, come, came);
  }
}

/* ---- the cycle, with what the caller knows as constants */

UT_INLINE void ut_terminals_cycle(const struct ut_terminal_cycle *cycle, unsigned mode,
                                  const struct ut_terminal_form form) {
  struct ut_terminal_work work;
  ut_terminal_prepare(&work, cycle, mode, form);
  if (__builtin_expect(work.t->resends && work.t->resends[work.cycle % 2].count, 0))
    work.t->calls->resend(cycle);
  if (!work.t->stop_generation && work.t->releases)
    work.t->calls->release(cycle);
  else if (!work.t->stop_generation)
    ut_generate_all(&work);
  if (mode == UT_PLAIN) /* before the credits of this cycle are counted */
    ut_begin_all(&work, ut_begin_plain);
  else
    work.t->calls->begin(cycle);
  ut_send_all(&work);
  for (uint32_t base = work.r->first; base < work.r->end; base += 64)
    for (uint64_t rest = work.roll[base / 64].unusual; rest; rest &= rest - 1)
      work.t->calls->unusual(cycle, base + (uint32_t)__builtin_ctzll(rest));
  ut_receive_all(&work);
}

#endif
