/* SPDX-License-Identifier: Apache-2.0 */
/* test_shape_rule.c - csim/switch/switch.c: which shapes are legal, by one parameter after the other of all algorithms;
 * and what follows from a legal one, as rtl/ut_packet_space.v says it and by the numbers of lanes. */
#include "bench.h"
#include "registers.h"

enum { SOME = 5 /* switches of a group, besides full blocks */ };

/* The least shape of an algorithm. */
static bool by_groups(const struct ut_algorithm *a) {
  return a->route == UT_ROUTE_TABLE && a->code >= UT_TABLE_FORWARDING;
}

static struct ut_shape least(const struct ut_algorithm *a) {
  struct ut_shape p = {.v = a->min_vcs,
                       .depth = 2,
                       .w = 64,
                       .max_packet = 1,
                       .min_packet = 1,
                       .route = a->route,
                       .algorithm = a->code,
                       .alloc_cycles = 1,
                       .escapes = 1,
                       .destinations = a->tables,
                       .groups = by_groups(a) ? 2 : 0,
                       .links = 1,
                       .vin1_vcs = 1};
  switch (a->route) {
  case UT_ROUTE_TORUS:
  case UT_ROUTE_MESH: p.po = 3, p.size[0] = 3; break;
  case UT_ROUTE_DETOUR_MESH:
  case UT_ROUTE_DETOUR_TORUS: p.po = 5, p.size[0] = p.size[1] = 5; break;
  case UT_ROUTE_DETOUR_CUBE: p.po = 3, p.cube = 2; break;
  case UT_ROUTE_RUFT: p.po = p.radix = 2; break;
  default: p.po = 4; break;
  }
  p.pi = p.po;
  return p;
}

static bool direct(const struct ut_algorithm *a) {
  return a->route != UT_ROUTE_FATTREE && a->route != UT_ROUTE_TABLE && a->route != UT_ROUTE_RUFT;
}

/* That shape breaks that rule, or none (NULL). */
static void breaks(const struct ut_shape *p, const char *rule) {
  const char *found = ut_shape_rule(p);
  if (rule ? !found || strcmp(found, rule) != 0 : found != NULL)
    fail_msg("route %u, algorithm %u: %s, not %s", p->route, p->algorithm, found ? found : "legal", rule);
}
#define BREAKS(shape, rule, ...)                                                                                       \
  do {                                                                                                                 \
    struct ut_shape p = shape;                                                                                         \
    __VA_ARGS__;                                                                                                       \
    breaks(&p, rule);                                                                                                  \
  } while (0)

static void limits_of_every_switch(void **state) {
  (void)state;
  for (unsigned i = 0; i < ut_algorithm_count; i++) {
    const struct ut_algorithm *a = &ut_algorithms[i];
    const struct ut_shape s = least(a);
    const char *const width = "flit_bits_must_be_a_multiple_of_64", *const allocation = "alloc_cycles_must_be_1_or_2";
    const char *const shortest = "shortest_packet_must_be_1_to_the_longest";
    const char *const vin1 = "vin1_vcs_must_be_1_to_7", *const networks = "vin1_vcs_is_for_two_virtual_networks";
    breaks(&s, NULL);
    BREAKS(s, width, p.w = 0);
    BREAKS(s, width, p.w = 32);
    BREAKS(s, width, p.w = 96);
    BREAKS(s, width, p.w = 511);
    BREAKS(s, width, p.w = 576);
    BREAKS(s, NULL, p.w = 128);
    BREAKS(s, NULL, p.w = 512);
    BREAKS(s, "vcs_must_be_1_to_8", p.v = 0);
    BREAKS(s, "vcs_must_be_1_to_8", p.v = 9);
    BREAKS(s, a->min_vcs > 1 ? "algorithm_needs_more_vcs" : "vcs_must_be_1_to_8", p.v = a->min_vcs - 1u);
    BREAKS(s, NULL, p.v = 8);
    BREAKS(s, a->exclusions ? NULL : "exclusion_intervals_are_for_fta", p.exclusions = 16);
    BREAKS(s, "exclusions_must_be_0_to_16", p.exclusions = 17);
    BREAKS(s, a->misroutes ? NULL : "misroute_hops_need_an_algorithm_that_misroutes", p.misroute_hops = 3);
    BREAKS(s, "misroute_hops_must_be_0_to_3", p.misroute_hops = 4);
    BREAKS(s, vin1, p.vin1_vcs = 0);
    BREAKS(s, vin1, p.v = 8; p.vin1_vcs = 8);
    BREAKS(s, a->vin1 ? NULL : networks, p.v = a->min_vcs + a->vin1; p.vin1_vcs = 2);
    BREAKS(s, a->vin1 ? "vin2_needs_vcs_of_its_own" : networks, p.v = a->vin1 ? a->min_vcs + 2u * a->vin1 - 1u : 8;
           p.vin1_vcs = 3);
    BREAKS(s, "depth_must_be_1_to_255", p.depth = 256);
    BREAKS(s, "depth_must_be_1_to_255", p.depth = 0; p.switching = UT_WORMHOLE);
    BREAKS(s, NULL, p.depth = 255);
    BREAKS(s, a->bubble ? "bubble_rule_needs_buffer_of_two_packets" : NULL, p.depth = 1);
    BREAKS(s, a->bubble ? "bubble_rule_needs_virtual_cut_through" : NULL, p.depth = 1; p.switching = UT_WORMHOLE);
    BREAKS(s, "unknown_policy", p.arbitration = UT_ARBITRATION_POLICIES);
    BREAKS(s, "unknown_policy", p.selection = UT_SELECTION_POLICIES);
    BREAKS(s, a->min_vcs < 2 ? "policy_needs_more_vcs" : NULL, p.v = a->min_vcs;
           p.arbitration = UT_ARBITRATION_PRIORITY);
    BREAKS(s, NULL, p.v = 8; p.arbitration = UT_ARBITRATION_PRIORITY; p.selection = UT_SELECTION_RANDOM);
    BREAKS(s, "packet_needs_a_flit", p.max_packet = p.min_packet = 0);
    BREAKS(s, "vct_needs_buffer_of_one_packet", p.max_packet = 3);
    BREAKS(s, a->bubble ? "bubble_rule_needs_virtual_cut_through" : NULL, p.max_packet = 3; p.switching = UT_WORMHOLE);
    BREAKS(s, shortest, p.min_packet = 0);
    BREAKS(s, shortest, p.min_packet = 2);
    BREAKS(s, NULL, p.max_packet = p.min_packet = 2; p.depth = 4);
    BREAKS(s, NULL, p.route_cycles = 4);
    BREAKS(s, "route_cycles_must_be_0_to_4", p.route_cycles = 5);
    BREAKS(s, allocation, p.alloc_cycles = 0);
    BREAKS(s, allocation, p.alloc_cycles = 3);
    BREAKS(s, NULL, p.alloc_cycles = 2);
    BREAKS(s, NULL, p.xbar_cycles = 1);
    BREAKS(s, "xbar_cycles_must_be_0_or_1", p.xbar_cycles = 2);
    BREAKS(s, "unknown_algorithm", p.algorithm = 15);
    BREAKS(s, "unknown_algorithm", p.route = 8);
  }
}

static void limits_of_algorithms(void **state) {
  (void)state;
  for (unsigned i = 0; i < ut_algorithm_count; i++) {
    const struct ut_algorithm *a = &ut_algorithms[i];
    const struct ut_shape s = least(a);
    const char *const mechanisms = a->mechanisms ? NULL : "mechanisms_need_an_algorithm_that_obeys_them";
    const char *const misroutes = mechanisms ? mechanisms : a->dateline ? "datelines_do_not_serve_misrouting" : NULL;
    const char *const tables = a->tables ? NULL : "destinations_are_for_tables";
    const char *const sub_paths = mechanisms ? mechanisms : "each_sub_path_needs_an_escape_vc";
    const char *const strips = mechanisms ? mechanisms : "stripping_needs_a_buffer_of_two_flits";
    BREAKS(s, a->bubble ? "bubble_rule_needs_buffer_of_two_packets" : NULL, p.max_packet = p.min_packet = 2);
    BREAKS(s, a->bubble ? "bubble_rule_needs_packets_of_similar_length" : NULL, p.depth = 8; p.max_packet = 4;
           p.min_packet = 2);
    BREAKS(s, NULL, p.depth = 8; p.max_packet = 4; p.min_packet = 3);
    BREAKS(s, "escapes_must_be_1_to_4", p.escapes = 0);
    BREAKS(s, "escapes_must_be_1_to_4", p.escapes = 5; p.v = 8);
    BREAKS(s, mechanisms ? mechanisms : a->dateline ? sub_paths : NULL, p.escapes = 4; p.v = 8);
    BREAKS(s, mechanisms, p.deterministic = 1);
    BREAKS(s, misroutes, p.misroute = 1);
    BREAKS(s, misroutes, p.misroute = 1; p.deterministic = 1);
    for (unsigned escapes = 2, more = 1u + a->dateline; a->min_vcs + (escapes - 1u) * more <= 8 && escapes <= 4;
         escapes++) {
      BREAKS(s, mechanisms, p.escapes = escapes; p.v = a->min_vcs + (escapes - 1u) * more);
      BREAKS(s, sub_paths, p.escapes = escapes; p.v = a->min_vcs + (escapes - 1u) * more - 1u);
      BREAKS(s, a->bubble ? "bubble_rule_needs_buffer_of_two_packets" : strips, p.escapes = escapes; p.v = 8;
             p.depth = 1);
    }
    if (a->tables)
      BREAKS(s, "tables_need_1_to_65536_destinations", p.destinations = 0);
    BREAKS(s, a->tables ? "tables_need_1_to_65536_destinations" : tables, p.destinations = 65537);
    BREAKS(s, tables, p.destinations = 1024);
    BREAKS(s, tables, p.destinations = 1);
    if (by_groups(a))
      BREAKS(s, "forwarding_needs_2_next_hop_groups", p.groups = 1);
    else
      BREAKS(s, "next_hop_groups_are_for_forwarding", p.groups = 2);
    BREAKS(s, "groups_must_be_0_to_256", p.groups = 257);
    BREAKS(s, by_groups(a) && !a->preferred ? NULL : "vc_map_is_for_forwarding", p.vc_map = 16);
    BREAKS(s, "vc_map_must_be_0_to_16", p.vc_map = 17);
    BREAKS(s, "via_must_be_0_to_7", p.via = 8);
    if (by_groups(a) && !a->preferred) {
      BREAKS(s, NULL, p.vc_map = 2; p.via = 1; p.v = 2);
      BREAKS(s, "via_needs_a_vc_map_and_another_vc", p.vc_map = 1; p.via = 1; p.v = 2);
      BREAKS(s, "via_needs_a_vc_map_and_another_vc", p.vc_map = 2; p.via = 2; p.v = 2);
      BREAKS(s, NULL, p.vc_map = 2; p.via = 1; p.v = 2; p.ugal = p.max_packet + 1);
      BREAKS(s, "ugal_is_more_than_a_packet", p.vc_map = 2; p.via = 1; p.v = 2; p.ugal = p.max_packet);
      BREAKS(s, "ugal_needs_via_and_compares_credits", p.ugal = p.max_packet + 1);
      BREAKS(s, "ugal_needs_via_and_compares_credits", p.vc_map = 2; p.via = 1; p.v = 2; p.ugal = p.max_packet + 1;
             p.selection = UT_SELECTION_ROTATING);
    }
  }
}

static void parameters_of_families(void **state) {
  (void)state;
  for (unsigned i = 0; i < ut_algorithm_count; i++) {
    const struct ut_algorithm *a = &ut_algorithms[i];
    const struct ut_shape s = least(a);
    const char *const links = "terminal_links_must_be_1_to_8";
    for (unsigned d = 0; d < UT_MAX_DIMENSIONS && !s.size[0]; d++)
      BREAKS(s, "sizes_are_for_grids", p.size[d] = 2);
    if (!s.cube)
      BREAKS(s, "cube_is_for_hypercubes", p.cube = 2);
    BREAKS(s, a->route == UT_ROUTE_FATTREE ? NULL : "root_is_for_trees", p.root = 1);
    if (!s.radix) {
      BREAKS(s, "radix_is_for_routing_by_bits_of_digits", p.radix = 2);
      BREAKS(s, "radix_is_for_routing_by_bits_of_digits", p.parallel = UT_PARALLEL_STATIC);
      BREAKS(s, "radix_is_for_routing_by_bits_of_digits", p.dual_homed = 1);
      BREAKS(s, "radix_is_for_routing_by_bits_of_digits", p.half_crossbar = 1);
    } else {
      BREAKS(s, NULL, p.dual_homed = 1);
      BREAKS(s, "links_side_by_side_need_2k_ports_both_ways", p.parallel = UT_PARALLEL_STATIC);
      BREAKS(s, "half_crossbar_is_for_static_selection", p.half_crossbar = 1);
    }
    BREAKS(s, links, p.links = 0);
    BREAKS(s, links, p.links = 9; p.pi = p.po += 8);
    for (unsigned n = 2; n <= 8; n++)
      BREAKS(s, direct(a) ? NULL : "terminal_links_are_for_direct_networks", p.links = n; p.pi = p.po += n - 1);
    BREAKS(s, direct(a) ? NULL : "local_first_is_for_direct_networks", p.local_first = 1);
    BREAKS(s, direct(a) ? NULL : "transit_first_is_for_direct_networks", p.arbitration = UT_ARBITRATION_TRANSIT_FIRST);
    BREAKS(s, direct(a) ? "terminals_are_first_or_last" : "local_first_is_for_direct_networks",
           p.arbitration = UT_ARBITRATION_TRANSIT_FIRST, p.local_first = 1);
  }
}

/* Slots behind the one in which a packet may be, as many as the credits can tell of; the ring has one free while they
 * hold so many flits: true for that many packets, however long, false for one more, however short. */
static unsigned room_by_slots(unsigned depth, unsigned longest, unsigned shortest) {
  unsigned slots = 0, fill = 0;
  while ((slots + 2) * longest <= depth && (slots + 1) * longest < (slots + 2) * shortest)
    slots++;
  if (!slots)
    return 0;
  while (fill + 1 < (slots + 1) * shortest && fill + 1 + longest <= depth)
    fill++;
  return depth - fill;
}

static void room_in_a_ring(void **state) {
  (void)state;
  for (unsigned depth = 2; depth <= 255; depth += depth < 48 ? 1 : 23)
    for (unsigned longest = 1; 2 * longest <= depth; longest++)
      for (unsigned shortest = 1; shortest <= longest; shortest++) {
        const struct ut_shape p = {.depth = depth, .max_packet = longest, .min_packet = shortest};
        assert_int_equal(ut_shape_ring_space(&p, p.depth), room_by_slots(depth, longest, shortest));
      }
}

/* ---- what follows from a shape */

static unsigned axes_of(const struct ut_shape *p) {
  return !p->size[0] ? 0 : !p->size[1] ? 1 : !p->size[2] ? 2 : !p->size[3] ? 3 : 4;
}

static void check_needs(const struct ut_group *g, const struct ut_algorithm *a) {
  const struct ut_shape *p = &g->shape;
  const struct ut_form x = g->form;
  const unsigned adaptive = a->preferred ? p->v - (p->escapes << a->dateline) : 0;
  unsigned need[UT_MAX_VCS], need2[UT_MAX_VCS];
  for (unsigned v = 0; v < p->v; v++) {
    const bool ring = a->bubble && v >= adaptive;
    need[v] = need2[v] = p->depth;
    if (!a->atomic && p->switching == UT_WORMHOLE) {
      need[v] = v < adaptive ? p->depth : 1;
      need2[v] = 1;
    } else if (!a->atomic) {
      need[v] = ring ? room_by_slots(p->depth, p->max_packet, p->min_packet) : p->max_packet;
      need2[v] = need[v] + p->max_packet;
    }
    assert_int_equal(g->need[v], need[v]);
    assert_int_equal(g->need2[v], need2[v]);
  }
  for (unsigned n = 0; n < UT_MAX_LANES; n++) {
    const unsigned port = n % (1u << x.port_bits), vc = (n >> x.port_bits) % (1u << (x.each_bits - x.port_bits));
    const bool is_vc = n < x.all && vc < p->v;
    assert_int_equal(g->need_of[n], is_vc ? need[vc] : n < x.all ? 255 : 0); /* 255: nothing will ever fit */
    assert_int_equal(g->need2_of[n], is_vc ? need2[vc] : n < x.all ? 255 : 0);
    assert_int_equal(g->able2[n / 32] >> n % 32 & 1, is_vc && a->bubble && vc >= adaptive && port < 2 * axes_of(p));
  }
}

static void check_group(const struct ut_group *g, const struct ut_algorithm *a, uint32_t first, uint32_t count) {
  const struct ut_shape *p = &g->shape;
  const struct ut_form x = g->form;
  const uint32_t per = 1u << x.block_bits, blocks = count / per + (count % per != 0);
  const bool tree = a->route == UT_ROUTE_FATTREE || (a->route == UT_ROUTE_TABLE && !by_groups(a));
  assert_int_equal(g->blocks, blocks);
  assert_int_equal(ut_shape_lanes(p, count), blocks * x.all);
  assert_int_equal(g->all_in, p->pi == 32 ? ~0u : (1u << p->pi) - 1);
  assert_int_equal(g->all_out, p->po == 32 ? ~0u : (1u << p->po) - 1);
  for (unsigned port = 0; port < UT_MAX_PORTS; port++)
    assert_int_equal(g->local_in >> port & 1, direct(a) && port < p->pi && port >= p->cube + 2 * axes_of(p));
  for (unsigned n = 0; n < x.all; n++) {
    const unsigned port = n % (1u << x.port_bits);
    assert_int_equal(g->up_lanes[n / 64] >> n % 64 & 1, tree && port >= p->po / 2 && port < p->po);
  }
  for (uint32_t i = 0; i < blocks; i++) {
    assert_int_equal(ut_block_at(g, i, x)->first, i * per);
    for (unsigned w = 0; w < x.sets; w++) /* nothing has been sent */
      assert_true(ut_register(ut_block_at(g, i, x), UT_S_SAVED, x)[w] == ~UINT64_C(0));
  }
  for (uint32_t i = 0; i < count; i++) {
    const struct ut_switch *s = ut_switch_of(g, first + i);
    const struct ut_block *b = ut_block_of(g, s);
    const unsigned lanes = 1u << x.each_bits, base = ut_lane_of(g, s);
    assert_int_equal(s->id, first + i);
    assert_true(s->straps == 0);
    assert_ptr_equal(b, ut_block_at(g, i / per, x));
    assert_int_equal(base, i % per * lanes);
    for (unsigned n = 0; n < lanes; n++) {
      const bool is_vc = n % (1u << x.port_bits) < p->pi && n >> x.port_bits < p->v;
      assert_int_equal(UT_IN_BLOCK(const uint8_t, b, x.at_pending_credits)[base + n], is_vc ? p->depth : 0);
      assert_int_equal(ut_has(ut_register((struct ut_block *)(uintptr_t)b, UT_S_PENDING_CREDITS, x), base + n, x.sets),
                       is_vc);
    }
    for (unsigned port = 0; port < p->po; port++)
      assert_true(*ut_reg_flit(g, s, port) == 0);
  }
}

static void check_shape(const struct ut_shape *p, const struct ut_algorithm *a) {
  const uint32_t per = 1u << ut_form_of(*p).block_bits, counts[] = {1, per, per + 1, 2 * per + SOME};
  const unsigned reports = !a->states ? 1u + a->far : p->cube ? 1 : 3 + 2 * axes_of(p);
  breaks(p, NULL);
  assert_int_equal(ut_shape_reports(p), reports);
  for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    struct ut_group g;
    const uint32_t first = i % 2 ? 3 : 0;
    assert_true(ut_group_init(&g, p, first, counts[i]));
    assert_memory_equal(&g.shape, p, sizeof *p);
    check_needs(&g, a);
    check_group(&g, a, first, counts[i]);
    ut_group_fini(&g);
  }
}

static void what_follows_from_a_shape(void **state) {
  (void)state;
  for (unsigned i = 0; i < ut_algorithm_count; i++) {
    const struct ut_algorithm *a = &ut_algorithms[i];
    for (unsigned v = a->min_vcs; v <= UT_MAX_VCS; v++) {
      struct ut_shape p = least(a);
      p.v = v, p.depth = 9, p.max_packet = 3, p.min_packet = 3, p.local_first = direct(a);
      check_shape(&p, a);
      if (!a->bubble) {
        p.switching = UT_WORMHOLE, p.local_first = 0;
        check_shape(&p, a);
      }
      for (unsigned escapes = 2; a->mechanisms && a->min_vcs + ((escapes - 1u) << a->dateline) <= v && escapes <= 4;
           escapes++) {
        p.escapes = escapes, p.min_packet = 2;
        check_shape(&p, a);
      }
    }
  }
  static const struct ut_algorithm *large;
  struct ut_shape p;
  for (unsigned i = 0; i < ut_algorithm_count; i++) { /* the largest ones */
    large = &ut_algorithms[i];
    p = least(large);
    if (large->route == UT_ROUTE_FATTREE)
      p.pi = p.po = 32;
    else if (large->route == UT_ROUTE_TORUS)
      p.pi = p.po = 32, p.size[1] = p.size[2] = p.size[3] = 2;
    else if (large->route == UT_ROUTE_RUFT)
      p.pi = 32, p.po = p.radix = 16;
    else
      continue;
    p.v = 8, p.depth = 255, p.max_packet = 85, p.min_packet = 64;
    check_shape(&p, large);
    p.v = 3;
    check_shape(&p, large);
  }
}

/* ---- reset */

/* What an output port sent last stands in the ring of whoever got it until a reset of the sender: then it keeps that
 * flit, whatever becomes of the ring. */
static void a_reset_keeps_what_was_sent(void **state) {
  (void)state;
  for (unsigned v = 1; v <= 5; v += 2)
    for (unsigned k = 2; k <= 8; k *= 2) {
      const struct ut_shape p = shape_of(k, v, 3, 1, UT_FATTREE_FTA);
      struct ut_group g;
      struct ut_wires w;
      assert_true(ut_group_init(&g, &p, 0, SOME));
      const struct ut_form x = g.form;
      const uint32_t lanes = ut_shape_lanes(&p, SOME);
      w = (struct ut_wires){.terminals = UT_LANES + 2 * lanes,
                            .words = 1,
                            .depth = 3,
                            .link_cycles = 1,
                            .injection_cycles = 1,
                            .ejection_cycles = 1};
      assert_true(ut_wires_init(&w, UT_LANES + 2 * lanes));
      ut_group_join(&g, &w, UT_LANES);
      for (uint32_t n = 0; n < lanes; n++)
        ut_wires_join(&w, UT_LANES + n, UT_LANES + lanes + n, ut_lane_vc(n, x));
      for (uint32_t i = 0; i < SOME; i++)
        for (unsigned port = 0; port < p.po; port++) {
          const struct ut_site at = ut_site_of(&g, ut_switch_of(&g, i));
          const unsigned lane = ut_at_lane(at, port, (port + i) % v, x), next = (port + 2 * i) % 6;
          if (v > 1)
            UT_IN_BLOCK(uint8_t, at.b, x.at_last)[at.port_index + port] = (uint8_t)lane;
          ut_take(ut_register(at.b, UT_S_SAVED, x), lane, x.sets);
          ut_position_set(w.send, at.b->lane + lane, next, x.wide);
          *ut_wires_flit(&w, w.to[at.b->lane + lane], next ? next - 1 : 5) = 1000 * i + port;
        }
      for (uint32_t i = 0; i < SOME; i += 2)
        ut_switch_reset(&g, ut_switch_of(&g, i), 0);
      for (uint32_t i = 0; i < SOME; i++)
        for (unsigned port = 0; port < p.po; port++)
          assert_true(*ut_reg_flit(&g, ut_switch_of(&g, i), port) == 1000 * i + port);
      for (uint32_t n = 0; n < lanes; n++)
        for (unsigned at = 0; at < 6; at++)
          *ut_wires_flit(&w, UT_LANES + lanes + n, at) = 77777;
      for (uint32_t i = 0; i < SOME; i++)
        for (unsigned port = 0; port < p.po; port++)
          assert_true(*ut_reg_flit(&g, ut_switch_of(&g, i), port) == (i % 2 ? 77777 : 1000 * i + port));
      ut_group_fini(&g);
      ut_wires_fini(&w);
    }
}

/* What a switch that knows of no nodes reports: a fault in bit 0, one behind it in bit 1. */
static void reports_of_faults(void **state) {
  (void)state;
  for (unsigned i = 0; i < ut_algorithm_count; i++) {
    const struct ut_shape p = least(&ut_algorithms[i]);
    struct ut_group g;
    assert_true(ut_group_init(&g, &p, 0, 1));
    struct ut_switch *s = ut_switch_of(&g, 0);
    for (unsigned faults = 0; faults < 4 && !ut_algorithms[i].states; faults++) {
      s->fault = faults & 1, s->far = faults >> 1;
      assert_int_equal(ut_switch_report(&g, s), faults);
    }
    ut_group_fini(&g);
  }
}

/* What a switch knows of the nodes around it, it forgets. */
static void a_reset_forgets_the_nodes(void **state) {
  (void)state;
  for (unsigned i = 0; i < ut_algorithm_count; i++) {
    const struct ut_shape p = least(&ut_algorithms[i]);
    struct ut_group g;
    assert_true(ut_group_init(&g, &p, 0, 2));
    struct ut_switch *a = ut_switch_of(&g, 0), *b = ut_switch_of(&g, 1);
    if (g.form.states)
      memset(ut_node_states_of(&g, a), 0xa5, sizeof(struct ut_node_states));
    a->fault = a->far = a->stale_state = true;
    a->out_up = a->vector = a->neighbour = a->set = 3;
    a->timer = 7;
    ut_switch_reset(&g, a, 2);
    ut_switch_reset(&g, b, 2);
    if (g.form.states)
      assert_memory_equal(ut_node_states_of(&g, a), ut_node_states_of(&g, b), sizeof(struct ut_node_states));
    assert_int_equal(ut_switch_report(&g, a), ut_switch_report(&g, b));
    assert_true(a->fault == b->fault && a->far == b->far && a->stale_state == b->stale_state && a->timer == b->timer);
    assert_true(a->out_up == b->out_up && a->vector == b->vector && a->neighbour == b->neighbour && a->set == b->set);
    assert_true(a->straps == 2 && b->straps == 2);
    ut_group_fini(&g);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(limits_of_every_switch),    cmocka_unit_test(limits_of_algorithms),
      cmocka_unit_test(parameters_of_families),    cmocka_unit_test(room_in_a_ring),
      cmocka_unit_test(what_follows_from_a_shape), cmocka_unit_test(a_reset_keeps_what_was_sent),
      cmocka_unit_test(reports_of_faults),         cmocka_unit_test(a_reset_forgets_the_nodes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
