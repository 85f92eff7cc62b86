/* test_every_mistake.c - what the prover finds where routing code makes mistakes of many kinds, in all families: every
 * counter-example is one, step by step, and all states are as they were recorded. */
#include <string.h>

#include "mistakes.h"
#include "scenarios.h"
#include "states_recorded.h"

/* ---- what a counter-example says is so */

static uint32_t channel_of(const struct ut_explorer *x, const struct ut_step *s) {
  return ut_explorer_channel(x, s->sw, s->in_port, s->in_vc);
}

static void check_step(struct ut_prover *p, const struct ut_counter_example *c, size_t i) {
  struct ut_explorer *x = &p->explorer;
  const struct ut_step *s = &c->step[i];
  const bool walk = c->kind != UT_FAILURE_CYCLE, sets = p->method == &ut_proof_by_sets;
  const bool last = i + 1 == c->steps && c->kind != UT_FAILURE_LOOP && walk;
  struct ut_route_result r;
  ut_mask some = 0;
  ut_explorer_ask(x, channel_of(x, s), s->dst, s->rt, s->vector, &r);
  for (unsigned v = 0; v < x->v; v++)
    some |= r.cand[v];
  if (!s->leaves) {
    assert_true(last && c->kind != UT_FAILURE_CYCLE && c->kind != UT_FAILURE_LOOP);
    assert_true(c->kind != UT_FAILURE_DISCARD || r.discard || !some);
    return;
  }
  assert_true(r.cand[s->out_vc] >> s->out_port & 1);
  if (last && c->kind == UT_FAILURE_WRONG) {
    const struct ut_peer *to = &p->topology->peer[(size_t)s->sw * p->topology->po + s->out_port];
    assert_true(to->kind == UT_PEER_NONE || (to->kind == UT_PEER_TERMINAL && to->index != s->dst));
  }
  if (last)
    return;
  const struct ut_step *next = &c->step[i + 1 < c->steps ? i + 1 : walk ? c->back_to : 0];
  const uint32_t behind = ut_channel_behind(x, s->sw, s->out_port, s->out_vc), there = channel_of(x, next);
  if (c->rings)
    assert_int_equal(ut_by_walks(p)->rings.node[behind], ut_by_walks(p)->rings.node[there]);
  else if (walk || sets || ut_deciding_arcs(p) != &ut_by_walks(p)->rings.extended)
    assert_int_equal(behind, there);
  if (walk)
    assert_int_equal(next->rt, r.rt);
}

/* All that those packets may wait for is in their set. */
static void check_set(const struct ut_explorer *x, const struct ut_counter_example *c) {
  bool *in = calloc(x->channels, sizeof *in);
  size_t channels = 0;
  for (size_t i = 0; i < c->steps + c->mores; i++) {
    const uint32_t channel = channel_of(x, i < c->steps ? &c->step[i] : &c->more[i - c->steps]);
    channels += !in[channel];
    in[channel] = true;
  }
  assert_int_equal(channels, c->waiting);
  for (size_t i = 0; i < c->steps + c->mores; i++) {
    const struct ut_step *s = i < c->steps ? &c->step[i] : &c->more[i - c->steps];
    for (unsigned v = 0; v < x->v; v++)
      UT_FOR_EACH(port, s->cand[v]) {
        const uint32_t behind = ut_channel_behind(x, s->sw, port, v);
        assert_true(behind == UINT32_MAX || in[behind]);
      }
  }
  free(in);
}

static void check_example(struct ut_prover *p, const struct ut_counter_example *c) {
  struct ut_explorer *x = &p->explorer;
  for (size_t i = 0; i < c->steps; i++)
    check_step(p, c, i);
  if (c->kind == UT_FAILURE_NUMBERING)
    assert_true(c->number[0] < 0 || c->number[1] <= c->number[0]);
  else if (c->steps && c->kind != UT_FAILURE_CYCLE) { /* from its source */
    const struct ut_peer from = ut_explorer_feeder(x, c->step[0].sw, c->step[0].in_port);
    assert_true(from.kind == UT_PEER_TERMINAL && from.index == c->src);
  } else if (c->waiting) {
    check_set(x, c);
  }
}

/* ---- networks */

static const struct {
  const char *topology, *sw, *routing;
  unsigned links, switches, samples;
  unsigned kinds; /* of mistakes */
  uint64_t hash;
} recorded[] = {
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 2, 0,
     8, ALSO | OTHER_VC, 0xa3eba107b6febdd9},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 2, 0,
     8, HEADER | SETS | VECTOR | ALSO, 0x8fc014fb1eb4fbfb},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 2, 0,
     8, REFUSES | SETS, 0x6c536a79b5a51175},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 2, 0,
     8, REFUSES | VECTOR | SETS, 0xba6379d7b6f3d4ac},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 2, 0,
     8, OUTSIDE | VECTOR | SETS, 0x0718590f6f4241de},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 1, 0,
     8, ALSO | OTHER_VC, 0xcda5542bb95a95cd},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 1, 0,
     8, ANYWHERE, 0xd33073d594ce1e5e},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 1, 0,
     8, HEADER | SETS | VECTOR | ALSO, 0x24681aaa936a89f5},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 1, 0,
     8, REFUSES | SETS, 0x87bf403ec1ef7b6b},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 1, 0, 8,
     ANYWHERE, 0xee5153d4ab117e44},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 1, 0, 8,
     HEADER | SETS | VECTOR | ALSO, 0x57792f6b82d387f4},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 1, 0, 8,
     OUTSIDE | VECTOR | SETS, 0x1e212b6412a1cab3},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 1, 0, 8,
     ALSO | OTHER_VC, 0x80a6c18a7f866ce3},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 1, 0, 8,
     ANYWHERE, 0x3c5e146f6164224f},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 1, 0, 8,
     HEADER | SETS | VECTOR | ALSO, 0xd2d3c4844a83ddfb},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 1, 0, 8,
     REFUSES | SETS, 0xe26d336543b966fc},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 1, 0, 8,
     OUTSIDE | VECTOR | SETS, 0xa3a02793b0e2a3f4},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 3, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 2, 0, 8,
     ALSO | OTHER_VC, 0x939216b6fb4ca12c},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 3, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 2, 0, 8,
     HEADER | SETS | VECTOR | ALSO, 0x1b6a7bc739ce7b16},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: misroute_header", 2, 0, 8,
     ALSO | OTHER_VC, 0x924742ed95607968},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: misroute_header", 2, 0, 8,
     HEADER | SETS | VECTOR | ALSO, 0xd651868079329a37},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: misroute_header", 2, 0, 8,
     REFUSES | SETS, 0x198a993819ba3ef8},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 3, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_switch", 1, 1, 8,
     ALSO | OTHER_VC, 0x41ef2acf5311b62c},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 3, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_switch", 1, 1, 8,
     HEADER | SETS | VECTOR | ALSO, 0x3f1673ad74235d44},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 3, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_switch", 1, 1, 8,
     OUTSIDE | VECTOR | SETS, 0x9d2deac243d91147},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: fta", 0, 0, 8,
     ALSO | OTHER_VC, 0x0f6941e681f48b65},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: fta", 0, 0, 8, ANYWHERE,
     0x69095985882fa6bc},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: fta", 0, 0, 8,
     REFUSES | VECTOR | SETS, 0x536eced23e40048d},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: destro", 1, 0, 8,
     ALSO | OTHER_VC, 0x053d56ca16520804},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: destro", 1, 0, 8, ANYWHERE,
     0xeed720936cd28a98},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_switch", 0,
     1, 8, ALSO | OTHER_VC, 0x86deabfb135dfd7c},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_switch", 0,
     1, 8, HEADER | SETS | VECTOR | ALSO, 0x169d16ff575706f8},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_switch", 0,
     1, 8, REFUSES | SETS, 0x8f9336789c9f772e},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_switch", 0,
     1, 8, OUTSIDE | VECTOR | SETS, 0x0c1a13f22e3674da},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 3, 0,
     16, HEADER | SETS | VECTOR | ALSO, 0x26e5285916e21785},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 4, 0,
     16, REFUSES | VECTOR | SETS, 0x385d6038cc2bbb0b},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: table", 1, 0, 4,
     ALSO | OTHER_VC, 0xa7433cd84f4fad76},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: fta", 0,
     0, 4, ALSO | OTHER_VC, 0x0f6941e681f48b65},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: fta", 0,
     0, 4, ANYWHERE, 0x2140de6187af8b0b},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: destro",
     0, 0, 4, ALSO | OTHER_VC, 0x71758c674ddfcf3d},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: destro",
     0, 0, 4, ANYWHERE, 0x867aec76165d46f0},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 6,
     ALSO | OTHER_VC, 0xc97b1dd136af398f},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 6,
     ANYWHERE | CLASSES, 0x13c4220a3a89d192},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 6, REFUSES,
     0x89622ef252da65a0},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 6,
     OUTSIDE | OTHER_VC, 0x8039a668061e3bc4},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 6,
     CLASSES | OTHER_VC, 0x18f0915789e94532},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 6, CLASSES,
     0xd00f2ae1206cc2d6},
    {"kind: torus, sizes: [4, 3]", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: dor", 1, 0, 4,
     ALSO | OTHER_VC, 0xa720d3cb200b6273},
    {"kind: torus, sizes: [4, 3]", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: dor", 1, 0, 4,
     ANYWHERE | CLASSES, 0x31ac46b58893dc2b},
    {"kind: torus, sizes: [4, 3]", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: dor", 1, 0, 4,
     OUTSIDE | OTHER_VC, 0x9dcd6afe19a2601d},
    {"kind: torus, sizes: [4, 3]", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: dor", 1, 0, 4, CLASSES,
     0xa886ed180904c7a7},
    {"kind: torus, sizes: [4, 3]", "vcs: 1, depth_flits: 3, packet_flits: 2", "algorithm: dor_without_bubble", 0, 0, 4,
     ALSO | OTHER_VC, 0x58714d7b56e21ea7},
    {"kind: torus, sizes: [5]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 0, 0, 8, ALSO | OTHER_VC,
     0x0c40c7c8ab55d1ce},
    {"kind: torus, sizes: [5]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 0, 0, 8,
     ANYWHERE | CLASSES, 0x0a65f8c3a8d66de7},
    {"kind: torus, sizes: [5]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 0, 0, 8,
     CLASSES | OTHER_VC, 0x5697db80628e3837},
    {"kind: torus, sizes: [3, 3], local_ports: 2", "vcs: 3, depth_flits: 4, packet_flits: 2",
     "algorithm: direction_order", 1, 0, 3, ALSO | OTHER_VC, 0x20f3f7c30ce62c22},
    {"kind: torus, sizes: [3, 3], local_ports: 2", "vcs: 3, depth_flits: 4, packet_flits: 2",
     "algorithm: direction_order", 1, 0, 3, OUTSIDE | OTHER_VC, 0xf4f9fc94a0b84674},
    {"kind: torus, sizes: [3, 3], terminal_links: 2", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1,
     0, 3, ALSO | OTHER_VC, 0xa726bc4699b683ef},
    {"kind: torus, sizes: [3, 3], terminal_links: 2", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1,
     0, 3, OUTSIDE | OTHER_VC, 0x2132555e61793bdc},
    {"kind: torus, sizes: [3, 3], terminal_links: 2", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1,
     0, 3, CLASSES | OTHER_VC, 0x78f76f140e531aa7},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 4,
     ALSO | OTHER_VC, 0xeeb00fa976404d44},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 4,
     ANYWHERE | CLASSES, 0xba42d698e6473749},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 4,
     OUTSIDE | OTHER_VC, 0x7a6d5dad5ff6cc81},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 4,
     CLASSES | OTHER_VC, 0x78c9f02e2299939c},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: duato", 1,
     0, 6, ALSO | OTHER_VC, 0xed8e2811a41bc48e},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: duato", 1,
     0, 6, ANYWHERE | CLASSES, 0xf86c13bf190944a7},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: duato", 1,
     0, 6, REFUSES, 0x1a3123b3572f4b68},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: duato", 1,
     0, 6, CLASSES | OTHER_VC, 0xeaa6f01733a5bc69},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: duato", 1,
     0, 6, CLASSES, 0x4bfb18b06a754a70},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: dor", 1,
     0, 4, ALSO | OTHER_VC, 0x68bc5f2586a82e19},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: dor", 1,
     0, 4, ANYWHERE | CLASSES, 0x5b3de93e11c368fa},
    {"kind: torus, sizes: [4, 3]", "vcs: 5, depth_flits: 4, packet_flits: 4, switching: wormhole",
     "algorithm: adaptive_vin", 1, 0, 4, ALSO | OTHER_VC, 0xc1835400cf83352b},
    {"kind: torus, sizes: [4, 3]", "vcs: 5, depth_flits: 4, packet_flits: 4, switching: wormhole",
     "algorithm: adaptive_vin", 1, 0, 4, ANYWHERE | CLASSES, 0xadbe0d9ed3e95f22},
    {"kind: torus, sizes: [4, 3]", "vcs: 5, depth_flits: 4, packet_flits: 4, switching: wormhole",
     "algorithm: adaptive_vin", 1, 0, 4, CLASSES | OTHER_VC, 0x18a26214f886a89c},
    {"kind: torus, sizes: [4, 3]", "vcs: 5, depth_flits: 4, packet_flits: 4, switching: wormhole",
     "algorithm: adaptive_vin", 1, 0, 4, CLASSES, 0x778f89d356fe856d},
    {"kind: mesh, sizes: [4, 4]", "vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole", "algorithm: detour",
     0, 2, 8, ALSO | OTHER_VC, 0xf24ad763b4c3915d},
    {"kind: mesh, sizes: [4, 4]", "vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole", "algorithm: detour",
     0, 2, 8, REFUSES, 0x7d38265f4c5e6975},
    {"kind: mesh, sizes: [4, 4]", "vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole", "algorithm: detour",
     0, 2, 8, CLASSES | OTHER_VC, 0xb7288d29666b4495},
    {"kind: mesh, sizes: [4, 3, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: detour", 0, 2, 4,
     ALSO | OTHER_VC, 0xbf6353d1aa2282ae},
    {"kind: mesh, sizes: [4, 3, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: detour", 0, 2, 4,
     CLASSES | OTHER_VC, 0x3cda42fd05b9bc55},
    {"kind: torus, sizes: [5, 5]", "vcs: 4, depth_flits: 4, packet_flits: 2", "algorithm: detour", 0, 2, 3,
     ALSO | OTHER_VC, 0xd66afc4aa456e296},
    {"kind: torus, sizes: [5, 5]", "vcs: 4, depth_flits: 4, packet_flits: 2", "algorithm: detour", 0, 2, 3,
     CLASSES | OTHER_VC, 0xd55a7e281f8b3619},
    {"kind: hypercube, n: 4", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: detour", 0, 2, 6, ALSO | OTHER_VC,
     0x2153d2d373cd2721},
    {"kind: hypercube, n: 4", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: detour", 0, 2, 6,
     ANYWHERE | CLASSES, 0xf8bedccdfa8a02ab},
    {"kind: hypercube, n: 4", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: detour", 0, 2, 6,
     CLASSES | OTHER_VC, 0x14fc289ee35b7850},
    {"kind: hypercube, n: 3, local_ports: 2", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole",
     "algorithm: ecube", 1, 0, 4, ALSO | OTHER_VC, 0x302293a2997e2ad4},
    {"kind: hypercube, n: 3, local_ports: 2", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole",
     "algorithm: ecube", 1, 0, 4, OUTSIDE | OTHER_VC, 0x3b2a1889a0b7d042},
    {"kind: ruft, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3, ALSO | OTHER_VC,
     0x2ddf3c2a61678082},
    {"kind: ruft, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     ANYWHERE | CLASSES, 0xf8372604adebda13},
    {"kind: ruft, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     OUTSIDE | OTHER_VC, 0x5adb1bcf65a6092a},
    {"kind: ruft_pl, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     ALSO | OTHER_VC, 0x9fa0e3aabedb52f4},
    {"kind: ruft_pl, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     ANYWHERE | CLASSES, 0xb0449e391cca765f},
    {"kind: ruft_pl, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     OUTSIDE | OTHER_VC, 0x58b63d29951abbbf},
    {"kind: ft_ruft_212, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     ALSO | OTHER_VC, 0x07ed93ad568cc46d},
    {"kind: ft_ruft_212, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     ANYWHERE | CLASSES, 0x1efef9a0b0b69607},
    {"kind: ft_ruft_212, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     OUTSIDE | OTHER_VC, 0x8982228d27c00cae},
    {"kind: ft_ruft_222, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     ALSO | OTHER_VC, 0xe8724591e2f3f8f1},
    {"kind: ft_ruft_222, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     ANYWHERE | CLASSES, 0xba08d717401dd5f0},
    {"kind: ft_ruft_222, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     OUTSIDE | OTHER_VC, 0x77c8a3f94dd8638d},
    {"kind: ft_ruft_212, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 0, 1, 3, REFUSES,
     0xdf128ed2f291dfce},
    {"kind: torus, sizes: [4, 3]", "vcs: 3, depth_flits: 12, packet_flits: 4",
     "algorithm: duato, mechanisms: {intermediate: 1}", 2, 1, 4, STRIPS | ALSO, 0xdc5aeda23b2cbb92},
    {"kind: torus, sizes: [4, 3]", "vcs: 3, depth_flits: 12, packet_flits: 4",
     "algorithm: duato, mechanisms: {intermediate: 1}", 2, 1, 4, STRIPS | HEADER | OUTSIDE, 0x055fe47a823512bb},
    {"kind: torus, sizes: [3, 3]", "vcs: 3, depth_flits: 12, packet_flits: 4",
     "algorithm: duato, "
     "mechanisms: {intermediate: 1, deterministic: true, misroute: true}",
     2, 1, 4, STRIPS | ALSO, 0x718480141fcf4d46},
    {"kind: torus, sizes: [3, 3]", "vcs: 3, depth_flits: 12, packet_flits: 4",
     "algorithm: duato, "
     "mechanisms: {intermediate: 1, deterministic: true, misroute: true}",
     2, 1, 4, STRIPS | HEADER | OUTSIDE, 0x78544bb21646de94},
    {"kind: mesh, sizes: [4, 3]", "vcs: 3, depth_flits: 12, packet_flits: 4",
     "algorithm: duato, mechanisms: {intermediate: 1, misroute: true}", 2, 1, 4, STRIPS | ALSO, 0xf29b2f28b8c737b1},
    {"kind: mesh, sizes: [4, 3]", "vcs: 3, depth_flits: 12, packet_flits: 4",
     "algorithm: duato, mechanisms: {intermediate: 1, misroute: true}", 2, 1, 4, STRIPS | HEADER | OUTSIDE,
     0xe2f6d691a37c3965},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 3, 0,
     12, VECTOR | SETS | HEADER, 0xf1448e12e9210912},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_switch", 2,
     1, 12, VECTOR | SETS | HEADER, 0x51a6252f45eef411},
    {"kind: mesh, sizes: [2, 2], local_ports: 2", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 0, 0,
     8, REFUSES, 0x846fb8ce7b73a25f},
    {"kind: mesh, sizes: [2], local_ports: 3", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole",
     "algorithm: duato", 1, 0, 8, ALSO | OTHER_VC, 0xb5cfdc0c8b566b8e},
    {"kind: mesh, sizes: [2], local_ports: 3", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole",
     "algorithm: duato", 1, 0, 8, REFUSES, 0xd85e06bb40bf00b7},
};

static void record_set(uint64_t *hash, struct ut_prover *p, const struct ut_fault_space *space, uint64_t index) {
  struct ut_fault_set set;
  struct ut_verdict v;
  struct ut_error e;
  ut_fault_space_get(space, index, &set);
  ut_explorer_forget(&p->explorer); /* other mistakes */
  if (ut_prover_examine(p, &set, &v, &e))
    fail_msg("%s", e.text);
  record_found(hash, p, &set, &v);
  for (unsigned kind = 0; kind < UT_FAILURES; kind++)
    if (v.failure[kind]) {
      struct ut_counter_example c;
      if (ut_counter_example_find(&c, p, space, index, kind, &e))
        fail_msg("%s", e.text);
      if (!p->explorer.group[0].form.strips) /* where the header is all that there is */
        check_example(p, &c);
      record_example(hash, &c, &p->explorer);
      ut_counter_example_free(&c);
    }
}

static void mistakes_are_as_recorded(void **state) {
  (void)state;
  unsigned differences = 0;
  struct ut_fault_space *space = calloc(1, sizeof *space);
  for (unsigned i = 0; i < sizeof recorded / sizeof recorded[0]; i++) {
    const unsigned links = recorded[i].links, switches = recorded[i].switches;
    const struct ut_fault_request request = {.links = {links, links},
                                             .switches = {switches, switches},
                                             .total = {0, links + switches},
                                             .limit = 1,
                                             .samples = recorded[i].samples,
                                             .seed = 3 + i};
    struct ut_error e;
    struct ut_topology t;
    struct ut_prover p;
    uint64_t hash = 0;
    char what[256];
    snprintf(what, sizeof what, "%s; %s; %s; %u", recorded[i].topology, recorded[i].sw, recorded[i].routing,
             recorded[i].kinds);
    struct ut_scenario *s =
        test_scenario("topology: {%s}\nswitch: {%s}\nrouting: {%s}\ntraffic: {load_flits_per_cycle: 0.1}\n",
                      recorded[i].topology, recorded[i].sw, recorded[i].routing);
    if (ut_topology_init(&t, s, &e) || ut_prover_init(&p, s, &t, &e) || ut_fault_space_init(space, &t, &request, &e))
      fail_msg("%s: %s", what, e.text);
    make_mistakes(&p.explorer, recorded[i].kinds);
    for (uint64_t index = 0; index < space->count; index++) {
      mistakes.salt = (unsigned)index;
      record_set(&hash, &p, space, index);
    }
    recorded_is(what, hash, recorded[i].hash, &differences);
    ut_prover_free(&p);
    ut_topology_free(&t);
    ut_scenario_free(s);
  }
  free(space);
  assert_int_equal(differences, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(mistakes_are_as_recorded)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
