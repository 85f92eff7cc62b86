/* test_every_mistake.c - what the prover finds where routing code makes mistakes of many kinds, in all families: every
 * counter-example is one, step by step, and all states are as they were recorded. */
#include <string.h>

#include "mistakes.h"
#include "prover_bench.h"
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
  for (size_t j = i + 1; walk && sets && j < c->steps; j++) /* what it sets it meets again */
    assert_true(c->step[j].sw != s->sw || !(ut_explorer_kept(x, s->sw, r.set) & ~c->step[j].own));
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
      UT_FOR_EACH (port, s->cand[v]) {
        const uint32_t behind = ut_channel_behind(x, s->sw, port, v);
        assert_true(behind == UINT32_MAX || in[behind]);
      }
  }
  free(in);
}

/* Who goes on takes one of its candidates. */
static void check_candidates(const struct ut_counter_example *c) {
  for (size_t i = 0; i < c->steps + c->mores; i++) {
    const struct ut_step *s = i < c->steps ? &c->step[i] : &c->more[i - c->steps];
    assert_true(!s->leaves || s->cand[s->out_vc] >> s->out_port & 1);
  }
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
    assert_true(p->method == &ut_proof_by_sets || ut_explorer_serves(x, c->step[0].sw)); /* others send nothing */
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
     8, HEADER | SETS | VECTOR | ALSO, 0x4cc5c007291bf109},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 2, 0,
     8, REFUSES | SETS, 0x92f8f912751316c4},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 2, 0,
     8, REFUSES | VECTOR | SETS, 0x9c94152821cec674},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 2, 0,
     8, OUTSIDE | VECTOR | SETS, 0x02b180f2d9b70534},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 1, 0,
     8, ALSO | OTHER_VC, 0xd8d29f078669850c},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 1, 0,
     8, ANYWHERE, 0x7781ebdc87bd2817},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 1, 0,
     8, HEADER | SETS | VECTOR | ALSO, 0xe225dd28dc53f226},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 1, 0,
     8, REFUSES | SETS, 0x2319502a276c140d},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 1, 0, 8,
     ANYWHERE, 0xbe831250e9f7b61f},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 1, 0, 8,
     HEADER | SETS | VECTOR | ALSO, 0x6a64d2b677c58d39},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 1, 0, 8,
     OUTSIDE | VECTOR | SETS, 0xe2e11b8e02912b99},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 1, 0, 8,
     ALSO | OTHER_VC, 0x1b5ebcb9f19c797c},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 1, 0, 8,
     ANYWHERE, 0xcf92d6dc5d021622},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 1, 0, 8,
     HEADER | SETS | VECTOR | ALSO, 0xb7cd81fbc916ffe8},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 1, 0, 8,
     REFUSES | SETS, 0xe3387fed3d63346a},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 1, 0, 8,
     OUTSIDE | VECTOR | SETS, 0x5abdf27d0ff99487},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 3, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 2, 0, 8,
     ALSO | OTHER_VC, 0x556f3d4da8c7565d},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 3, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 2, 0, 8,
     HEADER | SETS | VECTOR | ALSO, 0x848580ef7f09799e},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: misroute_header", 2, 0, 8,
     ALSO | OTHER_VC, 0x95368b8ff83eb760},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: misroute_header", 2, 0, 8,
     HEADER | SETS | VECTOR | ALSO, 0x839cc802b48e2707},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: misroute_header", 2, 0, 8,
     REFUSES | SETS, 0xe6a4ca285f448d53},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 3, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_switch", 1, 1, 8,
     ALSO | OTHER_VC, 0xbaa9b29152dd63e7},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 3, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_switch", 1, 1, 8,
     HEADER | SETS | VECTOR | ALSO, 0x42c111bd4873497f},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 3, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_switch", 1, 1, 8,
     OUTSIDE | VECTOR | SETS, 0x4a59dee47da95b04},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: fta", 0, 0, 8,
     ALSO | OTHER_VC, 0x0f6941e681f48b65},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: fta", 0, 0, 8, ANYWHERE,
     0x69095985882fa6bc},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: fta", 0, 0, 8,
     REFUSES | VECTOR | SETS, 0x536eced23e40048d},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: destro", 1, 0, 8,
     ALSO | OTHER_VC, 0xe1cc68e54d655f36},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: destro", 1, 0, 8, ANYWHERE,
     0x470ade933fe51c9d},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_switch", 0,
     1, 8, ALSO | OTHER_VC, 0x1f5bed09c5216873},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_switch", 0,
     1, 8, HEADER | SETS | VECTOR | ALSO, 0x8946e909be8d221b},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_switch", 0,
     1, 8, REFUSES | SETS, 0x6d73224fd0f89298},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_switch", 0,
     1, 8, OUTSIDE | VECTOR | SETS, 0x199bc5825365d9bc},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 3, 0,
     16, HEADER | SETS | VECTOR | ALSO, 0x5dd48070a7439df7},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 4, 0,
     16, REFUSES | VECTOR | SETS, 0xd7f93d66d1c3f345},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 4, 0,
     24, REFUSES | VECTOR | SETS, 0x1861f78b74dd688f},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 5, 0,
     24, REFUSES | VECTOR | SETS, 0x55d5d91aa27125ef},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 6, 0,
     24, REFUSES | VECTOR | SETS, 0xaab811818789461c},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 4, 0,
     24, HEADER | VECTOR | SETS | ALSO, 0x5ce4bcaa207f84b6},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 5, 0,
     24, HEADER | VECTOR | SETS | ALSO, 0x414cbf7ec149d8ac},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 6, 0,
     24, HEADER | VECTOR | SETS | ALSO, 0xb0eab00b5ccc8656},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: table", 1, 0, 4,
     ALSO | OTHER_VC, 0x77acb534e4fe9a70},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: fta", 0,
     0, 4, ALSO | OTHER_VC, 0x0f6941e681f48b65},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: fta", 0,
     0, 4, ANYWHERE, 0x2140de6187af8b0b},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: destro",
     0, 0, 4, ALSO | OTHER_VC, 0x71758c674ddfcf3d},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: destro",
     0, 0, 4, ANYWHERE, 0x867aec76165d46f0},
    {"kind: fat_tree, k: 3, n: 4", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 2, 0,
     2, ALSO | LATE, 0xcdcd2f9cc1a52a9d},
    {"kind: fat_tree, k: 3, n: 4", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 3, 0,
     2, VECTOR | SETS | HEADER | LATE, 0x53caf22e4913f1e2},
    {"kind: fat_tree, k: 3, n: 4", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 2, 0, 2,
     ALSO | OTHER_VC | LATE, 0x288d0651c9d5043e},
    {"kind: fat_tree, k: 3, n: 4", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 1, 0, 2,
     REFUSES | LATE, 0x54d7e5a241ed128a},
    {"kind: fat_tree, k: 3, n: 4", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: fta", 1, 0, 2, OUTSIDE | LATE,
     0xed642d384ee4ec04},
    {"kind: fat_tree, k: 3, n: 4", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: misroute_header", 1, 0, 2,
     ANYWHERE | LATE, 0x7d53435e9d75e295},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 6,
     ALSO | OTHER_VC, 0xf04cc998456f0726},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 6,
     ANYWHERE | CLASSES, 0x5ac53440cc322bd6},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 6, REFUSES,
     0x5b3401d2860aacac},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 6,
     OUTSIDE | OTHER_VC, 0xcb734d1ebc496713},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 16,
     CLASSES | OTHER_VC, 0x84cb663079beaf59},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 16, CLASSES,
     0x524e0c932799da7e},
    {"kind: torus, sizes: [4, 3]", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: dor", 1, 0, 4,
     ALSO | OTHER_VC, 0x886dc258663ce73e},
    {"kind: torus, sizes: [4, 3]", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: dor", 1, 0, 4,
     ANYWHERE | CLASSES, 0xabb41e1b88b489ca},
    {"kind: torus, sizes: [4, 3]", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: dor", 1, 0, 4,
     OUTSIDE | OTHER_VC, 0xec473c6603775a93},
    {"kind: torus, sizes: [4, 3]", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: dor", 1, 0, 4, CLASSES,
     0xa3865198804490e1},
    {"kind: torus, sizes: [4, 3]", "vcs: 1, depth_flits: 3, packet_flits: 2", "algorithm: dor_without_bubble", 0, 0, 4,
     ALSO | OTHER_VC, 0x58714d7b56e21ea7},
    {"kind: torus, sizes: [5]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 0, 0, 8, ALSO | OTHER_VC,
     0x0c40c7c8ab55d1ce},
    {"kind: torus, sizes: [5]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 0, 0, 8,
     ANYWHERE | CLASSES, 0x0a65f8c3a8d66de7},
    {"kind: torus, sizes: [5]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 0, 0, 8,
     CLASSES | OTHER_VC, 0x5697db80628e3837},
    {"kind: torus, sizes: [3, 3], local_ports: 2", "vcs: 3, depth_flits: 4, packet_flits: 2",
     "algorithm: direction_order", 1, 0, 3, ALSO | OTHER_VC, 0xb260b7e6d29471d4},
    {"kind: torus, sizes: [3, 3], local_ports: 2", "vcs: 3, depth_flits: 4, packet_flits: 2",
     "algorithm: direction_order", 1, 0, 3, OUTSIDE | OTHER_VC, 0x522d633a50ae1e4e},
    {"kind: torus, sizes: [3, 3], terminal_links: 2", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1,
     0, 3, ALSO | OTHER_VC, 0xc48218008ca0899f},
    {"kind: torus, sizes: [3, 3], terminal_links: 2", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1,
     0, 3, OUTSIDE | OTHER_VC, 0x5a582dcdc8025332},
    {"kind: torus, sizes: [3, 3], terminal_links: 2", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1,
     0, 3, CLASSES | OTHER_VC, 0xe2aad1bda7e0fabf},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 4,
     ALSO | OTHER_VC, 0xed4e19ff56b16b16},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 4,
     ANYWHERE | CLASSES, 0x33ea168a5a488c2e},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 4,
     OUTSIDE | OTHER_VC, 0x550353c10928ddbc},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 4,
     CLASSES | OTHER_VC, 0x5c851e3336468bb6},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: duato", 1,
     0, 6, ALSO | OTHER_VC, 0x629e1c4cad0688d0},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: duato", 1,
     0, 6, ANYWHERE | CLASSES, 0xd82c032a80793a3d},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: duato", 1,
     0, 6, REFUSES, 0xb77fb6af5535e296},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: duato", 1,
     0, 6, CLASSES | OTHER_VC, 0xca425f9056437678},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: duato", 1,
     0, 6, CLASSES, 0x4373d9a67fd8e1a0},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: dor", 1,
     0, 4, ALSO | OTHER_VC, 0xb62395db3a08d042},
    {"kind: mesh, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: dor", 1,
     0, 4, ANYWHERE | CLASSES, 0x32fff7a8fd6d5a66},
    {"kind: torus, sizes: [4, 3]", "vcs: 5, depth_flits: 4, packet_flits: 4, switching: wormhole",
     "algorithm: adaptive_vin", 1, 0, 4, ALSO | OTHER_VC, 0x9a68ac56bebb9291},
    {"kind: torus, sizes: [4, 3]", "vcs: 5, depth_flits: 4, packet_flits: 4, switching: wormhole",
     "algorithm: adaptive_vin", 1, 0, 4, ANYWHERE | CLASSES, 0xe2b7a191032d5f8d},
    {"kind: torus, sizes: [4, 3]", "vcs: 5, depth_flits: 4, packet_flits: 4, switching: wormhole",
     "algorithm: adaptive_vin", 1, 0, 4, CLASSES | OTHER_VC, 0xf635d92755b1abfe},
    {"kind: torus, sizes: [4, 3]", "vcs: 5, depth_flits: 4, packet_flits: 4, switching: wormhole",
     "algorithm: adaptive_vin", 1, 0, 4, CLASSES, 0xfec016e95455c962},
    {"kind: mesh, sizes: [4, 4]", "vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole", "algorithm: detour",
     0, 2, 8, ALSO | OTHER_VC, 0x56b7b8df5c8a6e7b},
    {"kind: mesh, sizes: [4, 4]", "vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole", "algorithm: detour",
     0, 2, 8, REFUSES, 0xc5d06ea8e9035749},
    {"kind: mesh, sizes: [4, 4]", "vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole", "algorithm: detour",
     0, 2, 8, CLASSES | OTHER_VC, 0x885d4646e7b1da7c},
    {"kind: mesh, sizes: [4, 3, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: detour", 0, 2, 4,
     ALSO | OTHER_VC, 0x453ae3f618523299},
    {"kind: mesh, sizes: [4, 3, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: detour", 0, 2, 4,
     CLASSES | OTHER_VC, 0x3615a7f336386cf9},
    {"kind: torus, sizes: [5, 5]", "vcs: 4, depth_flits: 4, packet_flits: 2", "algorithm: detour", 0, 2, 3,
     ALSO | OTHER_VC, 0xe3230f871e219a01},
    {"kind: torus, sizes: [5, 5]", "vcs: 4, depth_flits: 4, packet_flits: 2", "algorithm: detour", 0, 2, 3,
     CLASSES | OTHER_VC, 0x9bc6ec23831f836d},
    {"kind: hypercube, n: 4", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: detour", 0, 2, 6, ALSO | OTHER_VC,
     0xd4ac08b7249f38c1},
    {"kind: hypercube, n: 4", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: detour", 0, 2, 6,
     ANYWHERE | CLASSES, 0xe0a4b6269eb2c7d2},
    {"kind: hypercube, n: 4", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: detour", 0, 2, 6,
     CLASSES | OTHER_VC, 0xe75cbe01b6da966e},
    {"kind: hypercube, n: 3, local_ports: 2", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole",
     "algorithm: ecube", 1, 0, 4, ALSO | OTHER_VC, 0x5c9e54323a905242},
    {"kind: hypercube, n: 3, local_ports: 2", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole",
     "algorithm: ecube", 1, 0, 4, OUTSIDE | OTHER_VC, 0x9a4f89341a73358a},
    {"kind: ruft, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3, ALSO | OTHER_VC,
     0x82692e8bd2ea8d95},
    {"kind: ruft, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     ANYWHERE | CLASSES, 0x18b4eaca5795062e},
    {"kind: ruft, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     OUTSIDE | OTHER_VC, 0xb489a8e8a54f2544},
    {"kind: ruft_pl, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     ALSO | OTHER_VC, 0xb912371fd73336e6},
    {"kind: ruft_pl, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     ANYWHERE | CLASSES, 0xfe7ac2b73d020d8b},
    {"kind: ruft_pl, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     OUTSIDE | OTHER_VC, 0x027334ec72cbee5c},
    {"kind: ft_ruft_212, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     ALSO | OTHER_VC, 0xcf4aa89e2c6e8309},
    {"kind: ft_ruft_212, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     ANYWHERE | CLASSES, 0x259327f07d581d35},
    {"kind: ft_ruft_212, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     OUTSIDE | OTHER_VC, 0xd5e5b97751c4c4d3},
    {"kind: ft_ruft_222, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     ALSO | OTHER_VC, 0x24c666df954f4c50},
    {"kind: ft_ruft_222, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     ANYWHERE | CLASSES, 0x19aca0ad96fe619d},
    {"kind: ft_ruft_222, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 1, 0, 3,
     OUTSIDE | OTHER_VC, 0x9a10992a28e96a2e},
    {"kind: ft_ruft_212, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: ruft", 0, 1, 3, REFUSES,
     0x867cfa54e64bc795},
    {"kind: torus, sizes: [4, 3]", "vcs: 3, depth_flits: 12, packet_flits: 4",
     "algorithm: duato, mechanisms: {intermediate: 1}", 2, 1, 4, STRIPS | ALSO, 0xaf2f5e55fcc0c974},
    {"kind: torus, sizes: [4, 3]", "vcs: 3, depth_flits: 12, packet_flits: 4",
     "algorithm: duato, mechanisms: {intermediate: 1}", 2, 1, 4, STRIPS | HEADER | OUTSIDE, 0x51e3b044270675bf},
    {"kind: torus, sizes: [3, 3]", "vcs: 3, depth_flits: 12, packet_flits: 4",
     "algorithm: duato, "
     "mechanisms: {intermediate: 1, deterministic: true, misroute: true}",
     2, 1, 4, STRIPS | ALSO, 0x8193972aff8e1892},
    {"kind: torus, sizes: [3, 3]", "vcs: 3, depth_flits: 12, packet_flits: 4",
     "algorithm: duato, "
     "mechanisms: {intermediate: 1, deterministic: true, misroute: true}",
     2, 1, 4, STRIPS | HEADER | OUTSIDE, 0xeb4aa30f56b4bf48},
    {"kind: mesh, sizes: [4, 3]", "vcs: 3, depth_flits: 12, packet_flits: 4",
     "algorithm: duato, mechanisms: {intermediate: 1, misroute: true}", 2, 1, 4, STRIPS | ALSO, 0xdd040a16137b2a60},
    {"kind: mesh, sizes: [4, 3]", "vcs: 3, depth_flits: 12, packet_flits: 4",
     "algorithm: duato, mechanisms: {intermediate: 1, misroute: true}", 2, 1, 4, STRIPS | HEADER | OUTSIDE,
     0x0e1674efb58da7f9},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 3, 0,
     12, VECTOR | SETS | HEADER, 0x90bd6c695e2db2cd},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_switch", 2,
     1, 12, VECTOR | SETS | HEADER, 0xd7b116ec70bf8c0d},
    {"kind: mesh, sizes: [9, 8]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: duato", 1,
     0, 2, OTHER_VC | LATE, 0xe2c870fb6fad55fa},
    {"kind: mesh, sizes: [9, 8]", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole", "algorithm: duato", 1,
     0, 2, ALSO | LATE, 0xdae97e74830fcb2f},
    {"kind: torus, sizes: [9, 8]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 2,
     CLASSES | OTHER_VC | LATE, 0xd750b5c44696e818},
    {"kind: torus, sizes: [9, 8]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 2,
     ANYWHERE | LATE, 0x7398fa2e47f4b739},
    {"kind: hypercube, n: 6, local_ports: 2", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: adaptive_vin", 1,
     0, 2, OTHER_VC | LATE, 0x013c5acf4a2879dd},
    {"kind: torus, sizes: [4, 4]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 12,
     ALSO | CLASSES, 0xe0ddf291dc10f5bd},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: dor", 1, 0, 12,
     ALSO | CLASSES, 0xedb64c889305802c},
    {"kind: torus, sizes: [4, 3]", "vcs: 3, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 12,
     CLASSES | OTHER_VC, 0x615794484e153536},
    {"kind: torus, sizes: [4, 3]", "vcs: 3, depth_flits: 4, packet_flits: 2", "algorithm: direction_order", 1, 0, 12,
     CLASSES | OTHER_VC | ALSO, 0x1fbe9b0ec685dd18},
    {"kind: torus, sizes: [3, 3]", "vcs: 3, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 12,
     ANYWHERE | CLASSES | OTHER_VC, 0x28ddc45d09e0cf66},
    {"kind: mesh, sizes: [2, 2], local_ports: 2", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 0, 0,
     8, REFUSES, 0x846fb8ce7b73a25f},
    {"kind: mesh, sizes: [2], local_ports: 3", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole",
     "algorithm: duato", 1, 0, 8, ALSO | OTHER_VC, 0xb5cfdc0c8b566b8e},
    {"kind: mesh, sizes: [2], local_ports: 3", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole",
     "algorithm: duato", 1, 0, 8, REFUSES, 0xd85e06bb40bf00b7},
    {"kind: torus, sizes: [4]", "vcs: 8, depth_flits: 4, packet_flits: 2", "algorithm: duato", 0, 0, 8, ALSO | OTHER_VC,
     0x5d9e0af518424737},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 8", "algorithm: reroute_det_switch", 0, 1, 8, OTHER_VC, 0x1ea4522b3016ba07},
    {"kind: fat_tree, k: 2, n: 2", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole",
     "algorithm: reroute_det_link", 1, 0, 12, ALSO, 0x1425752883bde3aa},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 1, depth_flits: 4, packet_flits: 2, switching: wormhole",
     "algorithm: reroute_det_link", 1, 0, 12, ALSO, 0x86ce91bb2a8968b2},
    {"kind: fat_tree, k: 3, n: 2", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_link", 3, 0,
     12, VECTOR | SETS | OFTEN, 0x842969399c9d16d0},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_adaptive_switch", 1,
     1, 12, VECTOR | SETS | OFTEN, 0xa3e6c259e3cd4470},
    {"kind: fat_tree, k: 4, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: fta", 0, 0, 4, ALSO | LATE,
     0xd39e942f7c51528d},
    {"kind: fat_tree, k: 4, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 1, 0, 2,
     ALSO | OTHER_VC, 0x31271e885fcc0563},
    {"kind: fat_tree, k: 2, n: 2", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: fta", 0, 0, 16,
     OUTSIDE | OFTEN, 0x5aff75d97379c30d},
    {"kind: fat_tree, k: 2, n: 2", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 2, 0, 12,
     OUTSIDE | VECTOR | OFTEN, 0x7b50b01d1f3d24a1},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: reroute_det_link", 2, 0, 12,
     HEADER | VECTOR | SETS | OTHER_VC | OFTEN, 0x1a9065d214580c33},
    {"kind: torus, sizes: [8, 8]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 0, 2, ALSO | LATE,
     0x8dda5e8952a89e05},
    {"kind: torus, sizes: [4, 3]", "vcs: 2, depth_flits: 4, packet_flits: 2", "algorithm: duato", 1, 2, 8,
     REFUSES | ALSO, 0x9e63ddfac50a835e},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2, switching: wormhole",
     "algorithm: reroute_adaptive_link", 2, 0, 12, SETS | ALSO, 0x303fdeaec3967315},
    {"kind: fat_tree, k: 2, n: 3", "vcs: 2, depth_flits: 4, packet_flits: 2, switching: wormhole",
     "algorithm: reroute_adaptive_switch", 1, 1, 12, SETS | ALSO, 0xfe0238eaa6a31e2c},
    {"kind: fat_tree, k: 4, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: fta", 0, 0, 2, ALSO | OFTEN,
     0x37336e0c0986c931},
    {"kind: fat_tree, k: 4, n: 3", "vcs: 1, depth_flits: 4, packet_flits: 2", "algorithm: destro", 1, 0, 4, ALSO,
     0x0b02c347be4cf3d5},
    {"kind: mesh, sizes: [4, 3]", "vcs: 4, depth_flits: 12, packet_flits: 4, switching: wormhole",
     "algorithm: duato, mechanisms: {intermediate: 2}", 2, 0, 6, REFUSES | ALSO | CLASSES, 0xb1b459bfff2cb0ab},
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
  if (p->method == &ut_proof_by_sets && p->explorer.group[0].shape.switching == UT_WORMHOLE)
    assert_true(v.no_subfunction == v.dependency_cycle && v.failure[UT_FAILURE_CYCLE] == v.dependency_cycle);
  for (unsigned kind = 0; kind < UT_FAILURES; kind++)
    if (v.failure[kind] &&
        !(kind == UT_FAILURE_CYCLE && mistakes.kinds & VECTOR)) { /* of these: fewer with more bits */
      struct ut_counter_example c;
      if (ut_counter_example_find(&c, p, space, index, kind, &e))
        fail_msg("%s", e.text);
      check_candidates(&c);
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
    const struct ut_fault_request request = drawn_sets(recorded[i].links, recorded[i].switches, recorded[i].samples);
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

/* Of packets with several headers some stay for ever in the channel where others go on: those make the cycle. */
static void others_stay(void **state) {
  (void)state;
  enum { INDEX = 119 };
  const struct ut_fault_request request = drawn_sets(3, 0, 200);
  struct ut_fault_space *space = calloc(1, sizeof *space);
  struct ut_error e;
  struct bench b;
  uint64_t hash = 0;
  open_bench(&b, "kind: mesh, sizes: [3, 3]", "vcs: 4, depth_flits: 12, packet_flits: 4, switching: wormhole",
             "algorithm: duato, mechanisms: {intermediate: 2}");
  assert_int_equal(ut_fault_space_init(space, &b.topology, &request, &e), 0);
  make_mistakes(&b.prover.explorer, REFUSES | ALSO | OTHER_VC | OFTEN);
  mistakes.salt = INDEX;
  record_set(&hash, &b.prover, space, INDEX);
  free(space);
  close_bench(&b);
}

/* ---- one mistake */

static uint32_t lost; /* the terminal whose packets leave through the last port of a root, which leads nowhere */

static void leaves(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                   unsigned in_vc, struct ut_route_result *r) {
  const struct ut_topology *t = mistakes.topology;
  mistakes.real(g, s, header, in_port, in_vc, r);
  if (t->level[s->id] + 1u == t->levels && ut_header_dst(header) == lost)
    r->cand[0] |= ut_bit(t->po - 1);
}

/* A port without a link is wrong for packets to any terminal. */
static void into_nowhere(void **state) {
  (void)state;
  struct bench b;
  open_bench(&b, "kind: fat_tree, k: 2, n: 2", "vcs: 1", "algorithm: fta");
  struct ut_fault_space space = {.topology = &b.topology, .count = 1, .blocks = 1, .is_fixed = true};
  make_mistakes(&b.prover.explorer, 0);
  b.prover.explorer.group[0].route = leaves;
  for (lost = 0; lost < b.topology.terminals; lost++) {
    struct ut_counter_example c;
    struct ut_verdict v;
    struct ut_error e;
    ut_explorer_forget(&b.prover.explorer);
    assert_int_equal(ut_prover_examine(&b.prover, &space.fixed, &v, &e), 0);
    for (unsigned kind = 0; kind < UT_FAILURES; kind++)
      assert_int_equal(v.failure[kind], kind == UT_FAILURE_WRONG);
    assert_int_equal(ut_counter_example_find(&c, &b.prover, &space, 0, UT_FAILURE_WRONG, &e), 0);
    check_example(&b.prover, &c);
    assert_int_equal(c.steps, 2);
    assert_int_equal(c.dst, lost);
    assert_true(c.step[1].leaves && c.step[1].out_port == b.topology.po - 1);
    ut_counter_example_free(&c);
  }
  close_bench(&b);
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(mistakes_are_as_recorded), cmocka_unit_test(others_stay),
                                     cmocka_unit_test(into_nowhere), cmocka_unit_test(ways_are_as_recorded),
                                     cmocka_unit_test(interrupted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
