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
    {"kind: fat_tree, k: 3, n: 2", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 4, 0,
     24, REFUSES | VECTOR | SETS, 0x34788cb7de64e5c4},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 5, 0,
     24, REFUSES | VECTOR | SETS, 0xd4f983150daf09de},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 6, 0,
     24, REFUSES | VECTOR | SETS, 0x90703fc0f162662e},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 4, 0,
     24, HEADER | VECTOR | SETS | ALSO, 0x94bfd877454c1d5b},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 5, 0,
     24, HEADER | VECTOR | SETS | ALSO, 0xb28175108cb9b372},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 6, 0,
     24, HEADER | VECTOR | SETS | ALSO, 0xfd100d242d5c6f38},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: table", 1, 0, 4,
     ALSO | OTHER_VC, 0xc3650a95a026cd2d},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: fta", 0,
     0, 4, ALSO | OTHER_VC, 0x0f6941e681f48b65},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: fta", 0,
     0, 4, ANYWHERE, 0x2140de6187af8b0b},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: destro",
     0, 0, 4, ALSO | OTHER_VC, 0x71758c674ddfcf3d},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: destro",
     0, 0, 4, ANYWHERE, 0x867aec76165d46f0},
    {"kind: fat_tree, k: 3, n: 4", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 2, 0,
     2, ALSO | LATE, 0},
    {"kind: fat_tree, k: 3, n: 4", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 3, 0,
     2, VECTOR | SETS | HEADER | LATE, 0},
    {"kind: fat_tree, k: 3, n: 4", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 2, 0, 2,
     ALSO | OTHER_VC | LATE, 0},
    {"kind: fat_tree, k: 3, n: 4", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 1, 0, 2,
     REFUSES | LATE, 0},
    {"kind: fat_tree, k: 3, n: 4", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: fta", 1, 0, 2, OUTSIDE | LATE,
     0},
    {"kind: fat_tree, k: 3, n: 4", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: misroute_header", 1, 0, 2,
     ANYWHERE | LATE, 0},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 6,
     ALSO | OTHER_VC, 0xd374ee6f8150026d},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 6,
     ANYWHERE | CLASSES, 0xf36d5b78fa0883aa},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 6, REFUSES,
     0x26329c370c87d167},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 6,
     OUTSIDE | OTHER_VC, 0x4b513e378d591c51},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 6,
     CLASSES | OTHER_VC, 0x1b12a5dab1dc426a},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 6, CLASSES,
     0x064bc59a1b4bb709},
    {"kind: torus, sizes: [4, 3]", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: dor", 1, 0, 4,
     ALSO | OTHER_VC, 0x53795d45e0796df8},
    {"kind: torus, sizes: [4, 3]", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: dor", 1, 0, 4,
     ANYWHERE | CLASSES, 0xb6cf4cfd4ee22933},
    {"kind: torus, sizes: [4, 3]", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: dor", 1, 0, 4,
     OUTSIDE | OTHER_VC, 0xfd2ba2a40318fe08},
    {"kind: torus, sizes: [4, 3]", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: dor", 1, 0, 4, CLASSES,
     0x2175904809d63ebb},
    {"kind: torus, sizes: [4, 3]", "vcs: 1, depth_flits: 3, packet_flits: 2", "algorithm: dor_without_bubble", 0, 0, 4,
     ALSO | OTHER_VC, 0x58714d7b56e21ea7},
    {"kind: torus, sizes: [5]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 0, 0, 8, ALSO | OTHER_VC,
     0x0c40c7c8ab55d1ce},
    {"kind: torus, sizes: [5]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 0, 0, 8,
     ANYWHERE | CLASSES, 0x0a65f8c3a8d66de7},
    {"kind: torus, sizes: [5]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 0, 0, 8,
     CLASSES | OTHER_VC, 0x5697db80628e3837},
    {"kind: torus, sizes: [3, 3], local_ports: 2", "vcs: 3, depth_flits: 4, packet_flits: 2",
     "algorithm: direction_order", 1, 0, 3, ALSO | OTHER_VC, 0x7392e907576adbad},
    {"kind: torus, sizes: [3, 3], local_ports: 2", "vcs: 3, depth_flits: 4, packet_flits: 2",
     "algorithm: direction_order", 1, 0, 3, OUTSIDE | OTHER_VC, 0xe478c804cf46310e},
    {"kind: torus, sizes: [3, 3], terminal_links: 2", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1,
     0, 3, ALSO | OTHER_VC, 0x8072fd75af5be248},
    {"kind: torus, sizes: [3, 3], terminal_links: 2", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1,
     0, 3, OUTSIDE | OTHER_VC, 0x5ede20ed23b3b0e9},
    {"kind: torus, sizes: [3, 3], terminal_links: 2", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1,
     0, 3, CLASSES | OTHER_VC, 0x1e23cb8df572d82f},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 4,
     ALSO | OTHER_VC, 0x95df7ec269a9e3de},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 4,
     ANYWHERE | CLASSES, 0xd74e096cf0c7537b},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 4,
     OUTSIDE | OTHER_VC, 0x33478df2d21ce3df},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 4,
     CLASSES | OTHER_VC, 0xdd0adfb7eb128287},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: duato", 1,
     0, 6, ALSO | OTHER_VC, 0xe761fb4ab091c90c},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: duato", 1,
     0, 6, ANYWHERE | CLASSES, 0x2120dee47e50bf18},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: duato", 1,
     0, 6, REFUSES, 0x8a02be51f711c02d},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: duato", 1,
     0, 6, CLASSES | OTHER_VC, 0x6ed40d01da87e568},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: duato", 1,
     0, 6, CLASSES, 0xf6f01dfdc58f5c9d},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: dor", 1,
     0, 4, ALSO | OTHER_VC, 0x03c4f2bc2e4960eb},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: dor", 1,
     0, 4, ANYWHERE | CLASSES, 0x81e12f2e1e04fb46},
    {"kind: torus, sizes: [4, 3]", "vcs: 5, depth_flits: 4, packet_flits: 4, switching: wormhole",
     "algorithm: adaptive_vin", 1, 0, 4, ALSO | OTHER_VC, 0x9a509c1534404a00},
    {"kind: torus, sizes: [4, 3]", "vcs: 5, depth_flits: 4, packet_flits: 4, switching: wormhole",
     "algorithm: adaptive_vin", 1, 0, 4, ANYWHERE | CLASSES, 0x7a7e9aff3169892e},
    {"kind: torus, sizes: [4, 3]", "vcs: 5, depth_flits: 4, packet_flits: 4, switching: wormhole",
     "algorithm: adaptive_vin", 1, 0, 4, CLASSES | OTHER_VC, 0x2a554a31ea8d024c},
    {"kind: torus, sizes: [4, 3]", "vcs: 5, depth_flits: 4, packet_flits: 4, switching: wormhole",
     "algorithm: adaptive_vin", 1, 0, 4, CLASSES, 0xff3944554e967dd1},
    {"kind: mesh, sizes: [4, 4]", "vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole", "algorithm: detour",
     0, 2, 8, ALSO | OTHER_VC, 0x26a45d7b504fa7f5},
    {"kind: mesh, sizes: [4, 4]", "vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole", "algorithm: detour",
     0, 2, 8, REFUSES, 0xd695835f3ffbf7ec},
    {"kind: mesh, sizes: [4, 4]", "vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole", "algorithm: detour",
     0, 2, 8, CLASSES | OTHER_VC, 0x4e2d0b51bbec2fdb},
    {"kind: mesh, sizes: [4, 3, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: detour", 0, 2, 4,
     ALSO | OTHER_VC, 0xe7b95109474ae722},
    {"kind: mesh, sizes: [4, 3, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: detour", 0, 2, 4,
     CLASSES | OTHER_VC, 0x1c24ad3278a2da10},
    {"kind: torus, sizes: [5, 5]", "vcs: 4, depth_flits: 4, packet_flits: 2", "algorithm: detour", 0, 2, 3,
     ALSO | OTHER_VC, 0x3f7520125a89875a},
    {"kind: torus, sizes: [5, 5]", "vcs: 4, depth_flits: 4, packet_flits: 2", "algorithm: detour", 0, 2, 3,
     CLASSES | OTHER_VC, 0xa2f3c35b29fb9f99},
    {"kind: hypercube, n: 4", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: detour", 0, 2, 6, ALSO | OTHER_VC,
     0xf66244b19d281792},
    {"kind: hypercube, n: 4", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: detour", 0, 2, 6,
     ANYWHERE | CLASSES, 0x615c56a6f1d38530},
    {"kind: hypercube, n: 4", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: detour", 0, 2, 6,
     CLASSES | OTHER_VC, 0xd08f4a9923f17126},
    {"kind: hypercube, n: 3, local_ports: 2", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole",
     "algorithm: ecube", 1, 0, 4, ALSO | OTHER_VC, 0x4ee74b54fa53ef32},
    {"kind: hypercube, n: 3, local_ports: 2", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole",
     "algorithm: ecube", 1, 0, 4, OUTSIDE | OTHER_VC, 0x70e96a0fd5355aa5},
    {"kind: ruft, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3, ALSO | OTHER_VC,
     0x6b5a528756053ab0},
    {"kind: ruft, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     ANYWHERE | CLASSES, 0xcd8bd6b6de2eef9b},
    {"kind: ruft, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     OUTSIDE | OTHER_VC, 0xb2eea8e285a35403},
    {"kind: ruft_pl, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     ALSO | OTHER_VC, 0x97cb5a283f1dc80d},
    {"kind: ruft_pl, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     ANYWHERE | CLASSES, 0x969cf430681426a5},
    {"kind: ruft_pl, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     OUTSIDE | OTHER_VC, 0xd347af4f5bb6c120},
    {"kind: ft_ruft_212, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     ALSO | OTHER_VC, 0x3b85e9ed22b23589},
    {"kind: ft_ruft_212, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     ANYWHERE | CLASSES, 0x73485b8c6fb1f6d6},
    {"kind: ft_ruft_212, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     OUTSIDE | OTHER_VC, 0xc14bceccb0e443cf},
    {"kind: ft_ruft_222, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     ALSO | OTHER_VC, 0xb900e979feb82261},
    {"kind: ft_ruft_222, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     ANYWHERE | CLASSES, 0x0ea6c71b0b653290},
    {"kind: ft_ruft_222, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     OUTSIDE | OTHER_VC, 0x950c11ca349d3d47},
    {"kind: ft_ruft_212, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 0, 1, 3, REFUSES,
     0x443297bf60d6d141},
    {"kind: torus, sizes: [4, 3]", "vcs: 3, depth_flits: 12, packet_flits: 4",
     "algorithm: duato, mechanisms: {intermediate: 1}", 2, 1, 4, STRIPS | ALSO, 0x1093ead4da82b79a},
    {"kind: torus, sizes: [4, 3]", "vcs: 3, depth_flits: 12, packet_flits: 4",
     "algorithm: duato, mechanisms: {intermediate: 1}", 2, 1, 4, STRIPS | HEADER | OUTSIDE, 0x8e84ebe35406f335},
    {"kind: torus, sizes: [3, 3]", "vcs: 3, depth_flits: 12, packet_flits: 4",
     "algorithm: duato, "
     "mechanisms: {intermediate: 1, deterministic: true, misroute: true}",
     2, 1, 4, STRIPS | ALSO, 0x69402bb82dfd5a08},
    {"kind: torus, sizes: [3, 3]", "vcs: 3, depth_flits: 12, packet_flits: 4",
     "algorithm: duato, "
     "mechanisms: {intermediate: 1, deterministic: true, misroute: true}",
     2, 1, 4, STRIPS | HEADER | OUTSIDE, 0xc53bff0812e79a46},
    {"kind: mesh, sizes: [4, 3]", "vcs: 3, depth_flits: 12, packet_flits: 4",
     "algorithm: duato, mechanisms: {intermediate: 1, misroute: true}", 2, 1, 4, STRIPS | ALSO, 0xc96c1897862ce94c},
    {"kind: mesh, sizes: [4, 3]", "vcs: 3, depth_flits: 12, packet_flits: 4",
     "algorithm: duato, mechanisms: {intermediate: 1, misroute: true}", 2, 1, 4, STRIPS | HEADER | OUTSIDE,
     0x8441db41d3f8b910},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 3, 0,
     12, VECTOR | SETS | HEADER, 0xad6adc354eec62c3},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_switch", 2,
     1, 12, VECTOR | SETS | HEADER, 0x72636e3d3ef2a9c5},
    {"kind: mesh, sizes: [9, 8]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: duato", 1,
     0, 2, OTHER_VC | LATE, 0},
    {"kind: mesh, sizes: [9, 8]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: duato", 1,
     0, 2, ALSO | LATE, 0},
    {"kind: torus, sizes: [9, 8]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 2,
     CLASSES | OTHER_VC | LATE, 0},
    {"kind: torus, sizes: [9, 8]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 2,
     ANYWHERE | LATE, 0},
    {"kind: hypercube, n: 6, local_ports: 2", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: adaptive_vin", 1,
     0, 2, OTHER_VC | LATE, 0},
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
                                             .seed = 3};
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

/* ---- ways of terminals that are told of them */

static const struct {
  const char *kind;
  bool ring; /* links lead back from terminals to the first level */
  unsigned kinds;
  uint64_t hash;
} ways[] = {
    {"ruft", false, OTHER_VC | ALSO, 0xdecd643089805a25},
    {"ruft", false, REFUSES, 0x0a4a82c90f5f7dfe},
    {"ruft", true, ALSO, 0x71665e78cf70510b},
    {"ruft_pl", false, OTHER_VC | REFUSES, 0x1e203c5bc0ed2859},
    {"ruft_pl", false, OUTSIDE, 0xe82cb9c250eca949},
    {"ft_ruft_212", false, OTHER_VC | ALSO, 0x66c243b5307b073f},
    {"ft_ruft_212", false, REFUSES, 0x0d0319e71764fb32},
    {"ft_ruft_212", false, OUTSIDE | ANYWHERE, 0x9ae73d1b20f307ff},
    {"ft_ruft_222", false, OTHER_VC | ALSO, 0x6c545ba64cd1f2a2},
    {"ft_ruft_222", false, REFUSES | OTHER_VC, 0x9f967fd66e4ff155},
    {"ft_ruft_222", false, OUTSIDE | ALSO, 0x6c545ba64cd1f2a2},
};

static void record_ways(uint64_t *hash, const struct ut_pair_ways *w) {
  const struct ut_topology *t = w->topology;
  for (uint32_t dst = 0; dst < t->terminals; dst++) {
    const struct ut_way_graph *g = &w->graph[dst];
    record(hash, g->nodes);
    for (uint32_t i = 0; i < t->terminals * t->injections; i++)
      record(hash, g->entry[i]);
    for (uint32_t i = 0; i < g->nodes; i++)
      for (uint32_t j = g->first[i]; j < g->first[i + 1]; j++) {
        record(hash, (uint64_t)g->way[j].node << 32 | g->way[j].channel);
        assert_true(g->way[j].node == UT_NO_NODE || g->way[j].node < i); /* what a node leads to comes before it */
      }
  }
}

static void ways_are_as_recorded(void **state) {
  (void)state;
  unsigned differences = 0;
  for (unsigned i = 0; i < sizeof ways / sizeof ways[0]; i++) {
    struct ut_error e;
    struct ut_topology t;
    struct ut_prover p;
    uint64_t hash = 0;
    struct ut_scenario *s = test_scenario("topology: {kind: %s, k: 2, n: 3}\nswitch: {vcs: 2}\nrouting: {algorithm: "
                                          "ruft}\ntraffic: {load_flits_per_cycle: 0.1}\n",
                                          ways[i].kind);
    assert_int_equal(ut_topology_init(&t, s, &e), 0);
    for (uint32_t dst = 0; ways[i].ring && dst < t.terminals; dst += 2)
      ut_topology_connect(&t, t.ejection[dst] / t.po, t.ejection[dst] % t.po, dst / 2, dst % 2);
    assert_int_equal(ut_prover_init(&p, s, &t, &e), 0);
    make_mistakes(&p.explorer, ways[i].kinds);
    struct ut_by_walks *own = ut_by_walks(&p);
    for (unsigned round = 0; round < 4; round++) {
      struct ut_pair_ways w;
      struct ut_way_counts c;
      mistakes.salt = round;
      assert_int_equal(ut_pair_ways_init(&w, &t, &e), 0);
      for (uint64_t number = 0; ut_packet_list_get(&own->packets, number, &own->walk.packets); number++) {
        assert_int_equal(ut_walk_run(&own->walk, &own->walk.packets), 0);
        assert_true(ut_pair_ways_add(&w, &own->walk));
      }
      record_ways(&hash, &w);
      assert_true(ut_pair_ways_count(&w, &c));
      record(&hash, c.all.least), record(&hash, c.all.most), record(&hash, c.apart.least), record(&hash, c.apart.most);
      record(&hash, c.apart_between_switches.least), record(&hash, c.apart_between_switches.most);
      assert_true(c.apart.least <= c.apart_between_switches.least && c.apart.most <= c.apart_between_switches.most);
      assert_true(c.apart.most <= c.all.most);
      for (unsigned n = 0; n < 8; n++) { /* some links fail */
        struct ut_ways_left left;
        const size_t words = (t.channels + 63) / 64;
        uint64_t *up = malloc(words * sizeof *up);
        assert_non_null(up);
        for (size_t k = 0; k < words; k++)
          up[k] = ut_hash_mix(16 * n + k) | ut_hash_mix(100 + 16 * n + k) | ut_hash_mix(200 + 16 * n + k);
        assert_true(ut_pair_ways_check(&w, &own->packets.ways, up, &left));
        record(&hash, left.told), record(&hash, left.separated), record(&hash, left.untold);
        record(&hash, (uint64_t)left.separated_pair[0] << 32 | left.separated_pair[1]);
        record(&hash, (uint64_t)left.untold_pair[0] << 32 | left.untold_pair[1]);
        free(up);
      }
      ut_pair_ways_free(&w);
    }
    recorded_is(ways[i].kind, hash, ways[i].hash, &differences);
    ut_prover_free(&p);
    ut_topology_free(&t);
    ut_scenario_free(s);
  }
  assert_int_equal(differences, 0);
}

/* ---- interrupted */

static volatile sig_atomic_t stop;
static unsigned asked;

static void stops(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                  unsigned in_vc, struct ut_route_result *r) {
  mistakes.real(g, s, header, in_port, in_vc, r);
  stop = ++asked >= 100;
}

/* A fault set is not looked at to its end. */
static void interrupted(void **state) {
  (void)state;
  static const struct ut_fault_set none;
  struct ut_error e;
  struct ut_topology t;
  struct ut_prover p;
  struct ut_verdict v;
  struct ut_scenario *s = test_scenario("topology: {kind: mesh, sizes: [4, 4]}\nrouting: {algorithm: dor}\ntraffic: "
                                        "{load_flits_per_cycle: 0.1}\n");
  assert_int_equal(ut_topology_init(&t, s, &e), 0);
  assert_int_equal(ut_prover_init(&p, s, &t, &e), 0);
  mistakes.real = p.explorer.group[0].route;
  p.explorer.group[0].route = stops;
  p.stop = &stop;
  assert_int_equal(ut_prover_examine(&p, &none, &v, &e), -1);
  assert_int_equal(e.code, UT_INTERRUPTED);
  assert_true(asked >= 100 && asked < 200); /* the packets of a walk, and no others */
  p.explorer.group[0].route = mistakes.real;
  stop = 0;
  assert_int_equal(ut_prover_examine(&p, &none, &v, &e), 0);
  assert_int_equal(v.pairs, 16 * 15);
  ut_prover_free(&p);
  ut_topology_free(&t);
  ut_scenario_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(mistakes_are_as_recorded), cmocka_unit_test(ways_are_as_recorded),
                                     cmocka_unit_test(interrupted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
