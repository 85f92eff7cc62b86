/* SPDX-License-Identifier: Apache-2.0 */
/* test_routes.c - the route units of the spec and of the fast model give the same answers, in every field that the
 * algorithm has; so do the re-route vectors and the states of nodes on which answers depend. */
#include "steps.h"
#include "switch/any_state.h"

#include <inttypes.h>
#include <stdio.h>

enum {
  STATES = 60,      /* of a switch */
  ANSWERS = 400,    /* in one of them */
  LEAST = 1000000,  /* answers that are compared in all */
  CYCLES = 3000,    /* of vectors and states of nodes */
  MOST_PRINTED = 20 /* differences */
};

static const struct ut_shape shapes[] = {
    ROOT(FTA, 4, 1),
    ROOT(DESTRO, 12, 2),
    ROOT(REROUTE_ADAPTIVE_LINK, 8, 2),
    ROOT(REROUTE_DET_LINK, 6, 2),
    ROOT(REROUTE_DET_SWITCH, 8, 3),
    ROOT(REROUTE_ADAPTIVE_SWITCH, 6, 1),
    ROOT(MISROUTE_HEADER, 32, 1),
    TREE(FTA, 4, 1),
    TREE(FTA, 6, 2),
    TREE(FTA, 32, 1),
    TREE(DESTRO, 8, 1),
    TREE(DESTRO, 12, 2),
    TREE(REROUTE_ADAPTIVE_LINK, 4, 2),
    TREE(REROUTE_ADAPTIVE_LINK, 12, 1),
    TREE(REROUTE_ADAPTIVE_LINK, 8, 1),
    TREE(REROUTE_DET_LINK, 6, 1),
    TREE(REROUTE_DET_LINK, 8, 4),
    TREE(REROUTE_DET_LINK, 16, 2),
    TREE(REROUTE_DET_SWITCH, 6, 3),
    TREE(REROUTE_DET_SWITCH, 8, 5),
    TREE(REROUTE_ADAPTIVE_SWITCH, 6, 2),
    TREE(REROUTE_ADAPTIVE_SWITCH, 4, 1),
    TREE(REROUTE_ADAPTIVE_SWITCH, 16, 1),
    TREE(REROUTE_DET_LINK_ONE_FAULT, 6, 2),
    TREE(REROUTE_DET_LINK_ONE_FAULT, 16, 1),
    TREE(REROUTE_ADAPTIVE_LINK_ONE_FAULT, 8, 1),
    TREE(REROUTE_ADAPTIVE_LINK_ONE_FAULT, 4, 3),
    TREE(REROUTE_DET_SWITCH_ONE_FAULT, 6, 1),
    TREE(REROUTE_DET_SWITCH_ONE_FAULT, 16, 2),
    TREE(REROUTE_ADAPTIVE_SWITCH_ONE_FAULT, 4, 2),
    TREE(REROUTE_ADAPTIVE_SWITCH_ONE_FAULT, 10, 1),
    TREE(MISROUTE_HEADER, 6, 1),
    DIRECT(FATTREE, FTA, 8, 2, .exclusions = 3),
    DIRECT(FATTREE, FTA, 6, 1, .exclusions = 1),
    DIRECT(FATTREE, FTA, 4, 3, .exclusions = 16),
    TREE(MISROUTE_HEADER, 8, 2),
    TREE(MISROUTE_HEADER, 32, 1),
    PATHS(TABLE, TABLE, 4, 2, .escapes = 1, .destinations = 8),
    PATHS(TABLE, TABLE, 6, 3, .escapes = 1, .destinations = 27),
    PATHS(TABLE, FORWARDING, 4, 2, .escapes = 1, .destinations = 8, .groups = 3),
    PATHS(TABLE, FORWARDING, 7, 1, .escapes = 1, .destinations = 27, .groups = 8),
    PATHS(TABLE, FORWARDING, 7, 3, .escapes = 1, .destinations = 27, .groups = 8, .vc_map = 2),
    PATHS(TABLE, FORWARDING_ESCAPE, 7, 3, .escapes = 1, .destinations = 27, .groups = 8),
    PATHS(TABLE, FORWARDING_ESCAPE, 8, 2, .escapes = 1, .destinations = 8, .groups = 8),
    PATHS(TABLE, FORWARDING, 5, 8, .escapes = 1, .destinations = 8, .groups = 5, .vc_map = 16),
    PATHS(TABLE, FORWARDING, 7, 4, .escapes = 1, .destinations = 27, .groups = 8, .vc_map = 3, .via = 2),
    PATHS(TABLE, FORWARDING, 5, 3, .escapes = 1, .destinations = 8, .groups = 5, .vc_map = 2, .via = 1, .ugal = 3),
    PATHS(TABLE, TABLE_REROUTE_DET_LINK, 4, 1, .escapes = 1, .destinations = 8),
    PATHS(TABLE, TABLE_REROUTE_DET_LINK, 6, 2, .escapes = 1, .destinations = 27),
    PATHS(TABLE, TABLE_REROUTE_DET_LINK, 10, 5, .escapes = 1, .destinations = 16),
    PATHS(TABLE, TABLE_REROUTE_ADAPTIVE_LINK, 4, 1, .escapes = 1, .destinations = 8),
    PATHS(TABLE, TABLE_REROUTE_ADAPTIVE_LINK, 6, 3, .escapes = 1, .destinations = 27),
    DIRECT(TORUS, DOR, 6, 2, .size = {4, 3}),
    PATHS(TORUS, DOR, 6, 4, .escapes = 2, .size = {5, 2}),
    DIRECT(TORUS, DIRECTION_ORDER, 7, 1, .size = {4, 2, 3}),
    PATHS(TORUS, DIRECTION_ORDER, 5, 2, .escapes = 1, .misroute = 1, .size = {4, 4}),
    DIRECT(TORUS, DOR_WITHOUT_BUBBLE, 5, 2, .size = {5, 4}),
    DIRECT(TORUS, DOR_WITHOUT_BUBBLE, 4, 1, .size = {6}),
    DIRECT(TORUS, DOR_DATELINE, 5, 2, .size = {5, 4}),
    DIRECT(TORUS, DOR_DATELINE, 9, 5, .size = {3, 2, 2, 6}),
    DIRECT(TORUS, DUATO_DATELINE, 5, 3, .size = {5, 4}),
    PATHS(TORUS, DUATO_DATELINE, 7, 8, .escapes = 3, .deterministic = 1, .size = {4, 3, 5}),
    PATHS(TORUS, DUATO_DATELINE, 6, 5, .escapes = 2, .size = {6, 2}),
    DIRECT(TORUS, DUATO, 9, 3, .size = {3, 2, 2, 4}),
    LINKED(TORUS, DUATO, 8, 2, .links = 2, .size = {4, 4}),
    PATHS(TORUS, DUATO, 5, 6, .escapes = 3, .deterministic = 1, .misroute = 1, .size = {4, 3}),
    PATHS(TORUS, DUATO, 4, 4, .escapes = 2, .deterministic = 1, .size = {6}),
    PATHS(TORUS, DUATO, 9, 5, .escapes = 2, .misroute = 1, .size = {3, 2, 2, 4}),
    DIRECT(MESH, DOR, 5, 1, .size = {4, 5}),
    PATHS(MESH, DOR, 5, 3, .escapes = 1, .deterministic = 1, .misroute = 1, .size = {4, 3}),
    DIRECT(MESH, DIRECTION_ORDER, 8, 2, .size = {3, 2, 4}),
    PATHS(MESH, DIRECTION_ORDER, 6, 8, .escapes = 4, .deterministic = 1, .size = {3, 4}),
    LINKED(MESH, DUATO, 10, 3, .links = 3, .size = {4, 3}),
    PATHS(MESH, DUATO, 7, 5, .escapes = 4, .misroute = 1, .size = {3, 3, 2}),
    PATHS(MESH, DUATO, 5, 2, .escapes = 1, .deterministic = 1, .size = {3, 4}),
    STAGES(2, 2, 1, .radix = 2),
    STAGES(4, 8, 2, .radix = 4),
    STAGES(8, 4, 1, .radix = 4, .dual_homed = 1),
    STAGES(8, 8, 1, .radix = 4, .dual_homed = 1),
    STAGES(4, 8, 1, .radix = 4, .dual_homed = 1),
    STAGES(8, 8, 2, .radix = 4, .parallel = UT_PARALLEL_STATIC),
    STAGES(8, 8, 2, .radix = 4, .parallel = UT_PARALLEL_STATIC, .half_crossbar = 1),
    STAGES(8, 8, 1, .radix = 4, .parallel = UT_PARALLEL_DYNAMIC, .dual_homed = 1),
    STAGES(16, 16, 1, .radix = 8, .parallel = UT_PARALLEL_STATIC, .dual_homed = 1, .half_crossbar = 1),
    STAGES(4, 4, 1, .radix = 2, .parallel = UT_PARALLEL_DYNAMIC),
    STAGES(32, 32, 1, .radix = 16, .dual_homed = 1),
    DIRECT(DETOUR_CUBE, ECUBE, 5, 1, .cube = 4),
    LINKED(DETOUR_CUBE, ECUBE, 7, 3, .cube = 3, .links = 2),
    LINKED(DETOUR_CUBE, ADAPTIVE_VIN, 9, 3, .links = 2, .cube = 5),
    DIRECT(DETOUR_CUBE, ADAPTIVE_VIN, 7, 2, .cube = 6),
    LINKED(DETOUR_CUBE, DETOUR, 8, 2, .links = 2, .cube = 4),
    DIRECT(DETOUR_CUBE, DETOUR, 6, 8, .cube = 5),
    VIN1(5, DETOUR_CUBE, DETOUR, 6, 8, .cube = 5),
    VIN1(2, DETOUR_CUBE, ADAPTIVE_VIN, 7, 3, .cube = 6),
    DIRECT(DETOUR_CUBE, DETOUR, 13, 2, .cube = 12),
    DIRECT(DETOUR_CUBE, ADAPTIVE_VIN, 5, 2, .cube = 4, .misroute_hops = 1),
    VIN1(2, DETOUR_CUBE, DETOUR, 6, 3, .cube = 5, .misroute_hops = 2),
    DIRECT(DETOUR_CUBE, DETOUR, 13, 2, .cube = 12, .misroute_hops = 3),
    DIRECT(DETOUR_MESH, ADAPTIVE_VIN, 7, 3, .size = {3, 4, 2}, .misroute_hops = 2),
    DIRECT(DETOUR_MESH, DETOUR, 5, 2, .size = {5, 5}, .misroute_hops = 1),
    VIN1(2, DETOUR_MESH, DETOUR, 9, 4, .size = {3, 2, 4, 3}, .misroute_hops = 3),
    DIRECT(DETOUR_CUBE, DETOUR_LITERAL, 5, 3, .cube = 4),
    DIRECT(DETOUR_CUBE, DETOUR_LITERAL, 6, 2, .cube = 5),
    DIRECT(DETOUR_MESH, ECUBE, 5, 1, .size = {4, 5}),
    DIRECT(DETOUR_MESH, ECUBE, 3, 1, .size = {5}),
    DIRECT(DETOUR_MESH, ADAPTIVE_VIN, 7, 3, .size = {3, 4, 2}),
    DIRECT(DETOUR_MESH, ADAPTIVE_VIN, 3, 2, .size = {6}),
    LINKED(DETOUR_TORUS, ECUBE, 8, 8, .links = 2, .size = {5, 4}),
    DIRECT(DETOUR_TORUS, ECUBE, 9, 2, .size = {3, 2, 4, 5}),
    DIRECT(DETOUR_TORUS, ADAPTIVE_VIN, 6, 5, .size = {4, 5}),
    DIRECT(DETOUR_TORUS, ADAPTIVE_VIN, 7, 8, .size = {3, 4, 2}),
    DIRECT(DETOUR_MESH, DETOUR, 5, 2, .size = {5, 5}),
    LINKED(DETOUR_MESH, DETOUR, 12, 3, .links = 3, .size = {3, 4, 3}),
    DIRECT(DETOUR_MESH, DETOUR, 9, 8, .size = {3, 2, 3, 3}),
    DIRECT(DETOUR_TORUS, DETOUR, 5, 8, .size = {5, 6}),
    VIN1(2, DETOUR_MESH, ADAPTIVE_VIN, 5, 4, .size = {4, 5}),
    VIN1(2, DETOUR_MESH, DETOUR, 5, 4, .size = {5, 5}),
    VIN1(3, DETOUR_TORUS, ADAPTIVE_VIN, 6, 7, .size = {4, 5}),
    VIN1(3, DETOUR_TORUS, DETOUR, 5, 8, .size = {5, 6}),
    VIN1(7, DETOUR_MESH, DETOUR_LITERAL, 7, 8, .size = {3, 4, 3}),
    DIRECT(DETOUR_TORUS, DETOUR, 8, 5, .size = {4, 3, 5}),
    DIRECT(DETOUR_TORUS, DETOUR, 9, 6, .size = {3, 2, 4, 5}),
    DIRECT(DETOUR_MESH, DETOUR_LITERAL, 5, 3, .size = {5, 5}),
    DIRECT(DETOUR_MESH, DETOUR_LITERAL, 7, 2, .size = {3, 4, 3}),
    DIRECT(DETOUR_MESH, DETOUR_LOW_HIGH, 5, 3, .size = {5, 5}),
    VIN1(2, DETOUR_MESH, DETOUR_LOW_HIGH, 7, 6, .size = {3, 4, 3}),
    DIRECT(DETOUR_MESH, DETOUR_RESERVED, 5, 2, .size = {5, 5}),
    DIRECT(DETOUR_MESH, DETOUR_RESERVED, 7, 3, .size = {3, 4, 3}),
    DIRECT(DETOUR_CUBE, DETOUR_RESERVED, 5, 2, .cube = 4),
    VIN1(2, DETOUR_CUBE, DETOUR_RESERVED, 6, 4, .cube = 5),
    DIRECT(DETOUR_TORUS, DETOUR_LITERAL, 7, 6, .size = {4, 3, 5}),
    DIRECT(DETOUR_TORUS, DETOUR_LITERAL, 5, 4, .size = {5, 5}),
    /* more than 32 ports */
    ROOT(REROUTE_DET_LINK, 40, 2),
    ROOT(REROUTE_DET_SWITCH, 64, 3),
    TREE(FTA, 36, 1),
    TREE(DESTRO, 64, 2),
    TREE(REROUTE_ADAPTIVE_LINK, 64, 1),
    TREE(REROUTE_DET_LINK, 48, 2),
    TREE(REROUTE_DET_SWITCH, 64, 4),
    TREE(REROUTE_DET_SWITCH, 60, 3), /* k = 30: the most ports down whose port field has five bits */
    TREE(REROUTE_ADAPTIVE_SWITCH, 64, 1),
    TREE(REROUTE_DET_SWITCH_ONE_FAULT, 40, 1),
    TREE(MISROUTE_HEADER, 48, 1),
    DIRECT(FATTREE, FTA, 64, 1, .exclusions = 2),
    PATHS(TABLE, TABLE, 64, 3, .escapes = 1, .destinations = 16),
    PATHS(TABLE, TABLE_REROUTE_DET_LINK, 64, 1, .escapes = 1, .destinations = 16),
    PATHS(TABLE, TABLE_REROUTE_ADAPTIVE_LINK, 40, 2, .escapes = 1, .destinations = 16),
    LINKED(MESH, DUATO, 36, 2, .links = 8, .size = {4, 4}),
    DIRECT(DETOUR_CUBE, DETOUR, 64, 2, .cube = 6),
    STAGES(64, 64, 1, .radix = 32, .parallel = UT_PARALLEL_STATIC, .half_crossbar = 1),
    STAGES(32, 64, 1, .radix = 32, .dual_homed = 1),
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static unsigned differences, shape_number;
static unsigned long compared;

/* A switch of the spec beside that of the model; of the spec nothing but what route units, re-route vector and states
 * of nodes read. */
struct pair {
  struct bench b;
  struct spec_switch spec;
  struct spec_table_entry table[2 * UT_MAX_VCS * 64];
};

static const char *name_of(const struct ut_shape *shape) {
  static char name[100];
  for (unsigned i = 0; i < ut_algorithm_count; i++)
    if (ut_algorithms[i].route == shape->route && ut_algorithms[i].code == shape->algorithm)
      snprintf(name, sizeof name, "shape %u, %s %s, %u ports, %u VCs", (unsigned)(shape - shapes),
               ut_algorithms[i].family, ut_algorithms[i].name, shape->po, shape->v);
  return name;
}

static void start_pair(struct pair *p, const struct ut_shape *shape) {
  memset(&p->spec, 0, sizeof p->spec);
  start(&p->b, *shape, 0);
  p->spec.shape = *shape;
  p->spec.table = shape->destinations ? p->table : NULL;
}

static void reset_pair(struct pair *p, uint64_t straps) {
  golden_reset(&p->b.m, straps);
  p->spec.straps = straps;
  memset(&p->spec.reroute, 0, sizeof p->spec.reroute);
  memset(&p->spec.nodes, 0, sizeof p->spec.nodes);
  for (unsigned port = 0; port < p->spec.shape.po; port++)
    p->spec.out[port].up = false;
}

/* The spec's registers are made those of the model. */
static void adopt_state(struct pair *p) {
  const struct ut_group *g = &p->b.m.g;
  const struct ut_switch *s = p->b.m.s;
  for (unsigned port = 0; port < g->shape.po; port++)
    p->spec.out[port].up = s->out_up >> port & 1;
  p->spec.reroute.vector = s->vector;
  p->spec.reroute.neighbour = s->neighbour;
  for (unsigned port = 0; port < g->shape.pi; port++)
    p->spec.bank[port] = s->banks >> port & 1;
  for (unsigned bank = 0; bank < 2 && g->form.tables; bank++)
    for (unsigned vc = 0; vc < g->shape.v; vc++)
      for (unsigned dst = 0; dst < g->shape.destinations; dst++)
        spec_table(&p->spec, bank, vc)[dst] = (struct spec_table_entry){.valid = entry[bank][vc][dst].valid,
                                                                        .port = entry[bank][vc][dst].port,
                                                                        .vc = entry[bank][vc][dst].vc,
                                                                        .group = entry[bank][vc][dst].port};
  for (unsigned i = 0; i < g->shape.groups; i++)
    p->spec.group[i] = ut_groups_of(g, (struct ut_switch *)(uintptr_t)s)[i];
  for (unsigned i = 0; i < ut_vc_rows_of(g->shape) * g->shape.v; i++)
    p->spec.vcs[i / g->shape.v][i % g->shape.v] = ut_vc_row_of(g, (struct ut_switch *)(uintptr_t)s, 0)[i];
  for (unsigned port = 0; port < g->shape.pi; port++)
    p->spec.begins[port] = s->begins >> port & 1;
  for (unsigned i = 0; i < g->shape.po / 2 * g->shape.exclusions; i++)
    p->spec.exclusion[i / g->shape.exclusions][i % g->shape.exclusions] =
        (struct spec_interval){.first = (uint16_t)ut_reg_interval(g, s, i), .last = ut_reg_interval(g, s, i) >> 16};
  if (!g->form.states)
    return;
  const struct ut_node_states *n = ut_node_states_of(g, s);
  p->spec.nodes = (struct spec_node_states){.bad = n->bad,
                                            .diagonal = n->diagonal,
                                            .border = n->border,
                                            .corner = n->corner,
                                            .unsafe = n->unsafe,
                                            .disabled = n->disabled,
                                            .refuses = n->refuses,
                                            .refused = n->refused};
}

/* ---- answers */

struct question {
  const struct pair *p;
  uint64_t header;
  unsigned port, vc;
};

static void same(const struct question *q, const char *field, unsigned ovc, uint64_t spec, uint64_t model) {
  if (spec == model)
    return;
  if (differences++ < MOST_PRINTED)
    print_error("%s, straps %#llx: header %#llx at port %u VC %u: %s of output VC %u: spec %#" PRIx64
                ", model %#" PRIx64 "\n",
                name_of(&shapes[shape_number]), (unsigned long long)q->p->spec.straps, (unsigned long long)q->header,
                q->port, q->vc, field, ovc, spec, model);
}

static void compare_answers(const struct question *q) {
  const struct ut_group *g = &q->p->b.m.g;
  const struct ut_shape *shape = &g->shape;
  const unsigned route = shape->route, algorithm = shape->algorithm;
  struct ut_route_result model;
  struct spec_answer spec;
  memset(&model, 0x5a, sizeof model), memset(&spec, 0xa5, sizeof spec);
  g->route(g, q->p->b.m.s, q->header, q->port, q->vc, &model);
  spec_route(&q->p->spec, q->header, q->port, q->vc, &spec);
  const bool states = UT_ALG_STATES(route, algorithm), vector = UT_ALG_VECTOR(route, algorithm);
  const bool refused = states && ut_node_refuses(g, q->p->b.m.s, q->header); /* the model asks it elsewhere */
  for (unsigned vc = 0; vc < shape->v; vc++) {
    same(q, "cand", vc, spec.cand[vc], model.cand[vc]);
    same(q, "bubble", vc, spec.bubble[vc], UT_ALG_BUBBLE(route, algorithm) ? model.bubble[vc] : 0);
    same(q, "preferred", vc, spec.preferred[vc], UT_ALG_PREFERRED(route, algorithm) ? model.preferred[vc] : 0);
  }
  for (unsigned vc = shape->v; vc < SPEC_VCS; vc++) /* what is no VC gets nothing */
    same(q, "cand", vc, spec.cand[vc], 0);
  for (unsigned vc = shape->v; vc < UT_MAX_VCS; vc++) /* what is no VC gets nothing, and may keep what it holds */
    same(q, "cand of no VC", vc, 0, model.cand[vc] == UINT64_C(0x5a5a5a5a5a5a5a5a) ? 0 : model.cand[vc]);
  same(q, "set", 0, spec.set, model.set);
  same(q, "uses_state", 0, spec.uses_state, vector && model.uses_state);
  same(q, "rt", 0, spec.rt,
       UT_ALG_REWRITES(route, algorithm) || shape->misroute || shape->misroute_hops ? model.rt : 0);
  same(q, "strip", 0, spec.strip, shape->escapes > 1 && model.strip);
  same(q, "discard", 0, spec.discard, model.discard || refused);
  compared++;
}

/* Packets at any input; half of those in fat trees with a port field that occurs. */
static void ask(const struct pair *p) {
  const struct ut_shape *shape = &p->spec.shape;
  const unsigned terminals = terminals_of(shape);
  for (unsigned i = 0; i < ANSWERS; i++) {
    const unsigned field = 2 + shape->po / 2, bits = shape->route == UT_ROUTE_FATTREE && any(2) ? field : 1u << 24;
    const uint16_t dst = (uint16_t)any(terminals);
    const uint32_t rt = any(4) ? any(bits) : 0;
    const unsigned port = any(shape->pi), vc = any(shape->v);
    const struct question q = {p, ut_header_make(dst, 0, 0, rt), port, vc};
    compare_answers(&q);
  }
}

static void answers_are_the_model_s(void **state) {
  (void)state;
  static struct pair p;
  differences = 0, compared = 0;
  for (shape_number = 0; shape_number < SHAPES; shape_number++) {
    drawn = shape_number;
    start_pair(&p, &shapes[shape_number]);
    for (unsigned i = 0; i < STATES; i++) {
      reset_pair(&p, straps_of(&shapes[shape_number]));
      set_state(&p.b);
      if (p.b.m.g.form.states && any(4) == 0) {
        struct ut_node_states *n = ut_node_states_of(&p.b.m.g, p.b.m.s);
        n->refuses = true, n->refused = (uint16_t)any(terminals_of(&shapes[shape_number]));
      }
      adopt_state(&p);
      ask(&p);
    }
    stop(&p.b);
  }
  assert_true(compared >= LEAST);
  assert_int_equal(differences, 0);
}

/* ---- registers that answers depend on */

static void same_register(const char *name, unsigned cycle, uint64_t spec, uint64_t model) {
  compared++;
  if (spec != model && differences++ < MOST_PRINTED)
    print_error("%s, cycle %u: %s: spec %#" PRIx64 ", model %#" PRIx64 "\n", name_of(&shapes[shape_number]), cycle,
                name, spec, model);
}

static void compare_vectors(const struct pair *p, unsigned cycle) {
  const struct spec_reroute_vector *spec = &p->spec.reroute;
  const struct ut_switch *model = p->b.m.s;
  same_register("vector", cycle, spec->vector, model->vector);
  same_register("neighbour", cycle, spec->neighbour, model->neighbour);
  same_register("timer", cycle, spec->timer, model->timer);
  same_register("fault", cycle, spec->fault, model->fault);
  same_register("far", cycle, spec->far, model->far);
  same_register("stale", cycle, spec->stale, model->stale_state);
  same_register("report", cycle, spec_report(&p->spec),
                (uint32_t)model->fault << UT_REPORT_FAULT | (uint32_t)model->far << UT_REPORT_FAR);
}

static void compare_nodes(const struct pair *p, unsigned cycle) {
  const struct spec_node_states *spec = &p->spec.nodes;
  const struct ut_node_states *model = ut_node_states_of(&p->b.m.g, p->b.m.s);
  same_register("bad", cycle, spec->bad, model->bad);
  same_register("diagonal", cycle, spec->diagonal, model->diagonal);
  same_register("border", cycle, spec->border, model->border);
  same_register("corner", cycle, spec->corner, model->corner);
  same_register("unsafe", cycle, spec->unsafe, model->unsafe);
  same_register("disabled", cycle, spec->disabled, model->disabled);
  same_register("refuses", cycle, spec->refuses, model->refuses);
  same_register("refused", cycle, spec->refused, model->refused);
  same_register("restart", cycle, spec->restart, model->restart);
  same_register("purge", cycle, spec->purge, model->purge);
  same_register("stale", cycle, spec->stale, p->b.m.s->stale_state);
  same_register("report", cycle, spec_report(&p->spec), ut_node_states_report(&p->b.m.g, model));
}

/* Few links fail and few neighbours complain, each for some cycles; now and then an order comes. */
static void disturb(const struct ut_shape *shape, struct spec_inputs *in) {
  const uint64_t all = ut_mask_all(shape->po);
  if (any(5) == 0)
    in->out_up = any(2) ? all : in->out_up ^ ut_bit(any(shape->po));
  for (unsigned bit = 0; bit < ut_shape_reports(shape); bit++)
    if (any(12) == 0)
      in->report[bit] = any(2) ? 0 : in->report[bit] ^ ut_bit(any(shape->po));
  in->config = any(9) ? 0 : ut_order_make((uint16_t)any(8), (uint8_t)any(8));
}

static void step_pair(struct pair *p, const struct spec_inputs *in) {
  const struct ut_group *g = &p->b.m.g;
  struct ut_switch *s = p->b.m.s;
  const struct ut_switch_in model_in = {.out_up = in->out_up, .report = in->report, .config = in->config};
  struct spec_cycle c;
  memset(&c, 0, sizeof c);
  c.in = in;
  if (g->form.states) {
    ut_node_states_update(g, s, &model_in);
    spec_update_node_states(&p->spec, &c);
  } else { /* the U-turns of two heads; another one was not routed in this cycle */
    const unsigned k = g->shape.po / 2, first = any(k), second = any(k), third = any(k);
    const bool turns = any(6) == 0;
    c.vc[0][0].routed = c.vc[1][0].routed = turns;
    c.vc[0][0].answer.set = ut_bit(k + first), c.vc[1][0].answer.set = ut_bit(k + second);
    c.vc[2][0].answer.set = ut_bit(k + third);
    ut_reroute_vector_update(g, s, &model_in, turns ? ut_bit(k + first) | ut_bit(k + second) : 0);
    spec_update_reroute_vector(&p->spec, &c);
  }
  s->out_up = in->out_up;
  for (unsigned port = 0; port < g->shape.po; port++)
    p->spec.out[port].up = in->out_up >> port & 1;
}

/* The straps of a switch of a fat tree, with another time until its re-route vector is cleared. */
static uint64_t with_timeout(uint64_t straps, uint16_t timeout) {
  return ut_level_strap_make(ut_level_strap_level(straps), ut_level_strap_base(straps), ut_level_strap_step(straps),
                             timeout, ut_level_strap_repair(straps));
}

/* Some switches of the shape, each for some cycles. */
static void registers_are_the_model_s(void **state) {
  (void)state;
  static struct pair p;
  differences = 0, compared = 0;
  for (shape_number = 0; shape_number < SHAPES; shape_number++) {
    const struct ut_shape *shape = &shapes[shape_number];
    struct spec_inputs in = {.in_up = 0};
    if (!UT_ALG_VECTOR(shape->route, shape->algorithm) && !UT_ALG_STATES(shape->route, shape->algorithm))
      continue;
    drawn = shape_number;
    start_pair(&p, shape);
    for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
      if (cycle % 100 == 0) {
        const uint64_t straps = straps_of(shape);
        reset_pair(&p, p.b.m.g.form.vector ? with_timeout(straps, (uint16_t)any(12)) : straps);
      }
      disturb(shape, &in);
      step_pair(&p, &in);
      if (p.b.m.g.form.states)
        compare_nodes(&p, cycle);
      else
        compare_vectors(&p, cycle);
    }
    stop(&p.b);
  }
  assert_true(compared > 0);
  assert_int_equal(differences, 0);
}

/* ---- answers where the nodes of a network have found out their states by themselves */

enum { MOST_NODES = 64, FAULTY = 3, SETTLED = 60 /* cycles */ };
static struct spec_switch node[MOST_NODES];

static unsigned count_nodes(const struct ut_shape *shape) {
  unsigned nodes = 1u << shape->cube;
  for (unsigned d = 0; d < axes(shape); d++)
    nodes *= shape->size[d];
  return nodes;
}

static uint64_t straps_of_node(const struct ut_shape *shape, unsigned number) {
  uint64_t straps = shape->cube ? number : 0;
  for (unsigned d = 0; d < axes(shape); number /= shape->size[d++])
    straps |= (uint64_t)(number % shape->size[d]) << 8 * d;
  return straps;
}

/* The node behind that port of it; MOST_NODES: there is none. */
static unsigned neighbour_of(const struct ut_shape *shape, unsigned number, unsigned port) {
  unsigned step = 1;
  if (shape->cube)
    return port < shape->cube ? number ^ 1u << port : MOST_NODES;
  if (port >= 2 * axes(shape))
    return MOST_NODES;
  for (unsigned d = 0; d < port / 2; d++)
    step *= shape->size[d];
  const unsigned size = shape->size[port / 2], at = number / step % size, border = port % 2 ? 0 : size - 1;
  const unsigned to = port % 2 ? (at + size - 1) % size : (at + 1) % size;
  if (at == border && shape->route != UT_ROUTE_DETOUR_TORUS)
    return MOST_NODES;
  return number - at * step + to * step;
}

static void step_nodes(const struct ut_shape *shape, const bool *faulty) {
  uint32_t report[MOST_NODES];
  const unsigned nodes = count_nodes(shape);
  for (unsigned i = 0; i < nodes; i++)
    report[i] = spec_report(&node[i]);
  for (unsigned i = 0; i < nodes; i++) {
    struct spec_inputs in = {.in_up = 0};
    struct spec_cycle c;
    for (unsigned port = 0; port < shape->po; port++) {
      const unsigned other = neighbour_of(shape, i, port);
      const bool up = other == MOST_NODES ? port >= 2 * axes(shape) + shape->cube : !faulty[other];
      node[i].out[port].up = up;
      in.out_up |= up ? ut_bit(port) : 0;
      for (unsigned bit = 0; bit < SPEC_REPORT_BITS && up && other < MOST_NODES; bit++)
        in.report[bit] |= (report[other] >> bit & 1) << port;
    }
    memset(&c, 0, sizeof c);
    c.in = &in;
    spec_update_node_states(&node[i], &c);
  }
}

/* The model's registers are made those of the spec. */
static void give_state(struct pair *p, const struct spec_switch *from) {
  struct ut_node_states *n = ut_node_states_of(&p->b.m.g, p->b.m.s);
  reset_pair(p, from->straps);
  p->spec.nodes = from->nodes;
  p->b.m.s->out_up = 0;
  for (unsigned port = 0; port < from->shape.po; port++) {
    p->spec.out[port].up = from->out[port].up;
    p->b.m.s->out_up |= from->out[port].up ? ut_bit(port) : 0;
  }
  n->bad = from->nodes.bad, n->diagonal = from->nodes.diagonal;
  n->border = (uint8_t)from->nodes.border, n->corner = (uint8_t)from->nodes.corner;
  n->unsafe = from->nodes.unsafe, n->disabled = from->nodes.disabled;
}

static void answers_in_a_network_are_the_model_s(void **state) {
  (void)state;
  static struct pair p;
  unsigned bad = 0;
  differences = 0, compared = 0;
  for (shape_number = 0; shape_number < SHAPES; shape_number++) {
    const struct ut_shape *shape = &shapes[shape_number];
    if (!UT_ALG_STATES(shape->route, shape->algorithm) || count_nodes(shape) > MOST_NODES)
      continue;
    bool faulty[MOST_NODES] = {false};
    drawn = shape_number;
    start_pair(&p, shape);
    memset(node, 0, sizeof node);
    for (unsigned i = 0; i < FAULTY; i++)
      faulty[any(count_nodes(shape))] = true;
    for (unsigned i = 0; i < count_nodes(shape); i++)
      node[i].shape = *shape, node[i].straps = straps_of_node(shape, i);
    for (unsigned cycle = 0; cycle < SETTLED; cycle++)
      step_nodes(shape, faulty);
    for (unsigned i = 0; i < count_nodes(shape); i++) {
      give_state(&p, &node[i]);
      bad += node[i].nodes.unsafe;
      ask(&p);
    }
    stop(&p.b);
  }
  assert_true(bad > 0);
  assert_int_equal(differences, 0);
}

/* Each algorithm has two shapes at least. */
static void no_algorithm_is_left_out(void **state) {
  (void)state;
  for (unsigned i = 0; i < ut_algorithm_count; i++) {
    unsigned count = 0;
    for (unsigned j = 0; j < SHAPES; j++)
      count += shapes[j].route == ut_algorithms[i].route && shapes[j].algorithm == ut_algorithms[i].code;
    if (count < 2)
      print_error("%s %s has %u shapes\n", ut_algorithms[i].family, ut_algorithms[i].name, count);
    assert_true(count >= 2);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_are_the_model_s), cmocka_unit_test(registers_are_the_model_s),
      cmocka_unit_test(answers_in_a_network_are_the_model_s), cmocka_unit_test(no_algorithm_is_left_out)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
