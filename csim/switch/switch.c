/* switch.c - one cycle of one switch, and the memory of all.  Twin: rtl/ut_switch.v */
#include "switch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "input_unit.h"
#include "node_states.h"
#include "output_unit.h"
#include "reroute_vector.h"
#include "switch_allocator.h"
#include "vc_allocator.h"

enum { LARGE_PAGE = 1 << 21, FAR = 16 << 20 /* bytes of all switches */ };

/* The cycle; inlined into its callers, so that the common traits are constants and loops are unrolled. */
UT_INLINE void step(const struct ut_group *g, struct ut_switch *s, const struct ut_switch_in *in,
                    const struct ut_traits t) {
  const unsigned v = t.v;
  if (v == 0) /* tells the compiler that the loops over VCs run */
    __builtin_unreachable();
  struct ut_input_changes ch;
  ut_mask bid[UT_MAX_VCS], granted[UT_MAX_VCS], active[UT_MAX_VCS], drain[UT_MAX_VCS], bids = 0;
  ch.set = 0;
  s->discard = 0;
  for (unsigned i = 0; i < v; i++) {
    ch.popped[i] = granted[i] = 0;
    active[i] = ut_masks(g, s, UT_M_ACTIVE, v)[i];
    drain[i] = ut_masks(g, s, UT_M_DRAIN, v)[i];
  }
  ut_input_route(g, s, bid, &ch, t);
  for (unsigned i = 0; i < v; i++)
    bids |= bid[i];
  if (bids)
    ut_vc_allocate(g, s, bid, granted, t);
  if (s->stale_link)
    ut_input_cut(g, s, active, t);
  if (t.alloc_cycles == 1)
    for (unsigned i = 0; i < v; i++)
      active[i] |= granted[i];
  ut_switch_allocate(g, s, active, &ch, t);
  ut_input_drain(g, s, drain, &ch, t);
  if (t.vector)
    ut_reroute_vector_update(g, s, in, ch.set);
  if (t.states)
    ut_node_states_update(g, s, in);
  ut_input_update(g, s, in, &ch, t);
  ut_output_update(g, s, in, t);

  ut_mask busy = s->out_valid | s->discard;
  for (unsigned i = 0; i < v; i++) {
    ut_mask dead = (g->all_in & ~s->in_up) | ut_masks(g, s, UT_M_CUT, v)[i];
    busy |= ut_masks(g, s, UT_M_OCCUPIED, v)[i] | ut_masks(g, s, UT_M_CREDIT, v)[i];
    busy |= (dead & ut_masks(g, s, UT_M_OPEN, v)[i]) | (~dead & ut_masks(g, s, UT_M_OWING, v)[i]);
  }
  s->busy = busy || s->stale_link || s->stale_state || (s->vector && s->stage.timeout) ||
            (t.states && ut_node_states_of(g, s)->purge);
}

/* Tells the short way of several VCs who sends where. */
static void collect_owners(const struct ut_group *g, struct ut_switch *s) {
  const struct ut_traits t = g->traits;
  s->shared = 0;
  for (unsigned op = 0; op < g->shape.po; op++)
    *ut_owners_of(s, op, t) = 0;
  for (unsigned i = 0; i < t.v; i++)
    UT_FOR_EACH(ip, ut_masks(g, s, UT_M_ACTIVE, t.v)[i])
  ut_owner_add(s, ut_out_port(ut_bytes(s, UT_B_OUT, t)[ip * t.v + i], t.v), i * t.lane + ip, t);
}

/* Whether the next cycle can be a quiet one if links and neighbours stay as they are.  neighbour: their reports now. */
static bool is_quiet(const struct ut_group *g, struct ut_switch *s, ut_mask neighbour) {
  if (!g->quiet_steps)
    return false;
  /* ports without a link, or whose link has long been down, do no harm when they are empty */
  const unsigned v = g->traits.v;
  const ut_mask *m = ut_masks(g, s, 0, v), dead = g->all_in & ~s->in_up;
  ut_mask moving = s->in_fell | s->discard | s->vector | s->neighbour | neighbour | s->timer;
  for (unsigned i = 0; i < v; i++)
    moving |= m[UT_M_DRAIN * v + i] | m[UT_M_PROMOTED * v + i] |
              (dead & (m[UT_M_OPEN * v + i] | m[UT_M_OCCUPIED * v + i])) | (~dead & m[UT_M_OWING * v + i]);
  if (moving || s->stale_link || s->stale_state)
    return false;
  if (v > 1)
    collect_owners(g, s);
  return true;
}

void ut_switch_configure(const struct ut_group *g, struct ut_switch *s, uint64_t word) {
  if (!g->traits.tables || !ut_config_write(word))
    return;
  unsigned entry = ut_config_valid(word) << g->vc_bits | ut_config_vc(word);
  ut_table_of(g, s, ut_config_in_port(word), ut_config_in_vc(word))[ut_config_dst(word)] =
      (uint16_t)(entry << g->port_bits | ut_config_port(word));
}

void ut_switch_step(const struct ut_group *g, struct ut_switch *s, const struct ut_switch_in *in) {
  struct ut_traits t = g->traits;
  if (t.v == 1 && t.words == 1) {
    t.v = t.words = 1;
    step(g, s, in, t);
  } else {
    step(g, s, in, t);
  }
  if (in->config)
    ut_switch_configure(g, s, in->config);
  s->quiet = is_quiet(g, s, in->report[0]);
}

unsigned ut_shape_ring_room(const struct ut_shape *p) {
  const unsigned spread = p->max_packet - p->min_packet, fit = p->depth / p->max_packet - 1;
  unsigned slots = spread && (p->min_packet - 1) / spread < fit ? (p->min_packet - 1) / spread : fit;
  unsigned fill = (slots + 1) * p->min_packet - 1, most = p->depth - p->max_packet;
  return slots ? p->depth - (fill < most ? fill : most) : 0;
}

/* Of a grid; else 0. */
static unsigned axes(const struct ut_shape *p) {
  unsigned n = 0;
  while (n < UT_MAX_DIMENSIONS && p->size[n])
    n++;
  return n;
}

unsigned ut_shape_reports(const struct ut_shape *p) {
  if (UT_ALG_STATES(p->route, p->algorithm))
    return p->cube ? 1 : 3 + 2 * axes(p);
  return UT_ALG_FAR(p->route, p->algorithm) ? 2 : 1;
}

uint32_t ut_switch_report(const struct ut_group *g, const struct ut_switch *s) {
  if (g->traits.states)
    return ut_node_states_report(g, ut_node_states_of(g, s));
  return (uint32_t)s->fault << UT_REPORT_FAULT | (uint32_t)s->far << UT_REPORT_FAR;
}

const char *ut_shape_rule(const struct ut_shape *p) {
  const struct ut_algorithm *a = NULL;
  for (unsigned i = 0; i < ut_algorithm_count; i++)
    if (ut_algorithms[i].route == p->route && ut_algorithms[i].code == p->algorithm)
      a = &ut_algorithms[i];
  if (p->switching == UT_VCT && p->depth < p->max_packet)
    return "vct_needs_buffer_of_one_packet";
  if (p->w < 64 || p->w % 64 != 0 || p->w > 64 * UT_MAX_FLIT_WORDS)
    return "flit_bits_must_be_a_multiple_of_64";
  if (p->v < 1 || p->v > UT_MAX_VCS)
    return "vcs_must_be_1_to_8";
  if (p->depth < 1 || p->depth > UT_MAX_DEPTH)
    return "depth_must_be_1_to_255";
  if (p->max_packet < 1)
    return "packet_needs_a_flit";
  if (p->route_cycles > UT_MAX_ROUTE_CYCLES)
    return "route_cycles_must_be_0_to_4";
  if (p->alloc_cycles < 1 || p->alloc_cycles > 2)
    return "alloc_cycles_must_be_1_or_2";
  if (!a)
    return "unknown_algorithm";
  if (p->v < a->min_vcs)
    return "algorithm_needs_more_vcs";
  if (a->bubble && p->switching != UT_VCT)
    return "bubble_rule_needs_virtual_cut_through";
  if (a->bubble && p->depth < 2 * p->max_packet)
    return "bubble_rule_needs_buffer_of_two_packets";
  if (p->min_packet < 1 || p->min_packet > p->max_packet)
    return "shortest_packet_must_be_1_to_the_longest";
  if (a->bubble && !ut_shape_ring_room(p))
    return "bubble_rule_needs_packets_of_similar_length";
  if (p->escapes < 1 || p->escapes > UT_MAX_SUB_PATHS)
    return "escapes_must_be_1_to_4";
  if (!a->mechanisms && (p->escapes > 1 || p->deterministic || p->misroute))
    return "mechanisms_need_an_algorithm_that_obeys_them";
  if (p->v < a->min_vcs + p->escapes - 1)
    return "each_sub_path_needs_an_escape_vc";
  if (p->escapes > 1 && p->depth < 2)
    return "stripping_needs_a_buffer_of_two_flits";
  if (a->tables && (p->destinations < 1 || p->destinations > UT_MAX_DESTINATIONS))
    return "tables_need_1_to_1024_destinations";
  if (!a->tables && p->destinations)
    return "destinations_are_for_tables";
  const struct ut_routing *family = ut_routing_find(p->route);
  if (!family->sizes && (p->size[0] || p->size[1] || p->size[2] || p->size[3]))
    return "sizes_are_for_grids";
  if (!family->cube && p->cube)
    return "cube_is_for_hypercubes";
  if (!family->digits && (p->radix || p->parallel || p->apart || p->halves))
    return "radix_is_for_routing_by_bits_of_digits";
  if (p->links < 1 || p->links > UT_MAX_TERMINAL_LINKS)
    return "terminal_links_must_be_1_to_8";
  if (!family->direct && p->links > 1)
    return "terminal_links_are_for_direct_networks";
  if (!family->direct && p->local_first)
    return "local_first_is_for_direct_networks";
  return family->rule(p);
}

/* Reserves room for `count` values behind what is there, aligned to their size. */
static size_t reserve(size_t *end, size_t count, size_t size) {
  size_t at = (*end + size - 1) / size * size;
  *end = at + count * size;
  return at;
}

/* Bits of a number below n. */
static unsigned bits_of(unsigned n) {
  return n > 1 ? 32 - (unsigned)__builtin_clz(n - 1) : 0;
}

static void lay_out(struct ut_group *g) {
  const struct ut_shape *p = &g->shape;
  const struct ut_traits t = g->traits;
  size_t in = (size_t)p->pi * p->v;
  size_t end = ut_ports_begin(t) + (p->pi > p->po ? p->pi : p->po) * ut_port_stride(t);
  g->at.wait = reserve(&end, t.pipelined ? in : 0, 1);
  g->at.bubble = reserve(&end, t.bubble ? in * p->v : 0, sizeof(ut_mask));
  g->at.preferred = reserve(&end, t.preferred ? in * p->v : 0, sizeof(ut_mask));
  g->at.rt = reserve(&end, t.rewrites ? in : 0, sizeof(uint32_t));
  g->at.node = reserve(&end, t.states ? sizeof(struct ut_node_states) / 4 : 0, 4);
  g->at.table = reserve(&end, t.tables ? in * p->destinations : 0, sizeof(uint16_t));
  g->at.fifo = reserve(&end, in * p->depth * (t.words + 1), sizeof(uint64_t));
  g->stride = (end + 63) / 64 * 64;
}

static void fill_lookup(struct ut_group *g) {
  const unsigned v = g->shape.v, lane = g->traits.lane;
  struct ut_lookup *l = &g->lookup;
  for (unsigned n = 0; n < 64; n++) {
    unsigned port = n % lane, vc = n / lane, flat = port * v + vc;
    l->port[n] = (uint8_t)port;
    l->vc[n] = (uint8_t)vc;
    l->flat[n] = (uint8_t)flat;
    l->buffer[n] = (uint32_t)(g->at.fifo / 8 + (size_t)flat * g->shape.depth * (g->traits.words + 1));
    for (unsigned i = vc; i < v; i++)
      l->behind[n][i] = g->all_in & (i > vc ? ~(ut_mask)0 : ut_above(port));
  }
}

/* Memory of all switches.  Every cycle goes through it from end to end: large pages save translations. */
static void *allocate(size_t size) {
  const size_t page = size < LARGE_PAGE ? 64 : LARGE_PAGE;
  size = (size + page - 1) / page * page;
  void *memory = aligned_alloc(page, size);
  if (memory && page == LARGE_PAGE)
    madvise(memory, size, MADV_HUGEPAGE);
  return memory;
}

/* Whether this shape is one of those that the short ways are for. */
static bool has_quiet_way(const struct ut_group *g) {
  const struct ut_shape *p = &g->shape;
  const struct ut_traits t = g->traits;
  if (t.words != 1 || p->alloc_cycles != 1 || t.pipelined || t.wormhole || t.far || t.local_first)
    return false;
  return p->v == 1 ? p->depth < 128 && !t.rewrites && !t.bubble && !t.preferred : t.v * t.lane <= 64;
}

/* Credits that make room in each output VC. */
static void set_needs(struct ut_group *g) {
  const struct ut_shape *p = &g->shape;
  const unsigned rings = !g->traits.bubble ? p->v : g->traits.preferred ? p->v - p->escapes : 0; /* from this VC on */
  /* Duato's condition under wormhole: below this VC the buffer must be empty */
  const unsigned adaptive = g->traits.preferred ? p->v - p->escapes : 0;
  for (unsigned v = 0; v < p->v; v++) {
    const unsigned room = v < rings ? p->max_packet : ut_shape_ring_room(p);
    if (g->traits.alone) { /* the buffer behind an output VC is empty when a packet gets it */
      g->need[v] = g->need2[v] = p->depth;
      g->lookup.mark[p->depth & 255] = 1;
      continue;
    }
    g->need[v] = !g->traits.wormhole ? room : v < adaptive ? p->depth : 1;
    g->need2[v] = g->traits.wormhole ? 1 : room + p->max_packet;
    g->lookup.mark[g->need[v] & 255] = g->lookup.mark[g->need2[v] & 255] = 1; /* more than 255 are never there */
  }
}

bool ut_group_init(struct ut_group *g, const struct ut_shape *p, uint32_t first, uint32_t count) {
  memset(g, 0, sizeof *g);
  g->shape = *p;
  const unsigned ports = p->pi > p->po ? p->pi : p->po;
  g->traits = (struct ut_traits){.v = p->v,
                                 .words = p->w / 64,
                                 .lanes = (ports + 7) / 8,
                                 .lane = ports > 16  ? 32
                                         : ports > 8 ? 16
                                                     : 8,
                                 .pipelined = p->route_cycles > 1,
                                 .wormhole = p->switching == UT_WORMHOLE,
                                 .alloc_cycles = (uint8_t)p->alloc_cycles,
                                 .local_first = p->local_first,
                                 .per_vc = p->xbar == UT_XBAR_VC && p->v > 1};
  for (unsigned i = 0; i < ut_algorithm_count; i++) {
    const struct ut_algorithm *a = &ut_algorithms[i];
    if (a->route == p->route && a->code == p->algorithm) {
      g->traits.vector = a->vector;
      g->traits.far = a->far;
      g->traits.rewrites = a->rewrites || p->misroute;
      g->traits.strips = p->escapes > 1;
      g->traits.tables = a->tables;
      g->traits.bubble = a->bubble;
      g->traits.preferred = a->preferred;
      g->traits.states = a->states;
      g->traits.alone = a->alone;
    }
  }
  set_needs(g);
  g->enough = UINT64_C(0x0101010101010101) * (128 - (g->need[0] < 128 ? g->need[0] : 128));
  g->full = UINT64_C(0x0101010101010101) * (128 - (p->depth < 128 ? p->depth : 128));
  g->all_in = ut_mask_all(p->pi);
  g->all_out = ut_mask_all(p->po);
  g->local_in = p->local_first ? g->all_in & ~ut_mask_all(p->cube + 2 * axes(p)) : 0; /* behind those of the network */
  g->port_bits = bits_of(p->po);
  g->vc_bits = bits_of(p->v);
  g->routing = ut_routing_find(p->route);
  g->route = g->routing->route(p);
  if (has_quiet_way(g) && g->routing->quiet)
    g->quiet_steps = g->routing->quiet(p);
  g->first = first;
  g->count = count;
  lay_out(g);
  for (unsigned i = 0; i < p->depth; i++)
    g->after[i] = (uint8_t)(i + 1 == p->depth ? 0 : i + 1);
  const size_t size = g->stride * (count + UT_FETCH_AHEAD);
  g->far = size > FAR;
  g->memory = allocate(size);
  fill_lookup(g);
  if (!g->memory || (g->routing->prepare && !g->routing->prepare(g))) {
    ut_group_fini(g);
    return false;
  }
  memset(g->memory, 0, size);
  for (uint32_t i = 0; i < count; i++) {
    ut_switch_of(g, first + i)->id = first + i;
    ut_switch_reset(g, ut_switch_of(g, first + i), 0);
  }
  return true;
}

void ut_group_fini(struct ut_group *g) {
  free(g->memory);
  free(g->place);
  g->memory = NULL;
  g->place = NULL;
}

void ut_switch_reset(const struct ut_group *g, struct ut_switch *s, uint64_t straps) {
  const struct ut_shape *p = &g->shape;
  const struct ut_traits t = g->traits;
  s->in_up = s->out_up = s->in_fell = s->out_valid = s->discard = s->vector = s->neighbour = 0;
  s->timer = 0;
  s->fault = s->far = s->stale_state = s->stale_link = s->busy = s->quiet = false;
  s->straps = straps;
  if (t.states)
    *ut_node_states_of(g, s) = (struct ut_node_states){0};
  if (g->routing->strap)
    g->routing->strap(g, s, straps);
  memset(ut_masks(g, s, 0, p->v), 0, sizeof(ut_mask) * UT_MASKS * p->v);
  for (unsigned v = 0; v < p->v; v++)
    ut_masks(g, s, UT_M_OWING, p->v)[v] = g->all_in;
  memset(ut_bytes(s, 0, t), 0, 8 * (size_t)UT_BYTES * t.lanes * t.v); /* all VCs idle and empty, no credits */
  memset(ut_bytes(s, UT_B_OWED, t), (int)p->depth, (size_t)p->pi * p->v);
  for (unsigned ip = 0; ip < p->pi; ip++) {
    /* the opposite port first, so that inputs spread over the outputs */
    ut_port_of(s, ip, t)->buffer = (uint32_t)(g->at.fifo / 8 + ip * p->v * p->depth * (t.words + 1));
    ut_port_of(s, ip, t)->select = g->all_out & (ut_mask)((uint64_t)g->all_out << (ip + p->po / 2) % p->po);
    if (p->v > 1)
      *ut_sa_in_of(s, ip, t) = *ut_route_mask_of(s, ip, t) = (uint8_t)ut_mask_all(p->v);
  }
  for (unsigned port = 0; port < (p->pi > p->po ? p->pi : p->po); port++)
    ut_port_of(s, port, t)->self = ut_bit(port);
  for (unsigned op = 0; op < p->po; op++)
    for (unsigned i = 0; i < p->v; i++) {
      if (p->v > 1)
        ut_sa_of(s, op, t)[i] = g->all_in;
      for (unsigned w = 0; w < p->v; w++)
        ut_va_of(s, op, i, t)[w] = g->all_in;
    }
  if (t.pipelined)
    memset(UT_AT(uint8_t, g, s, wait), 0, (size_t)p->pi * p->v);
}
