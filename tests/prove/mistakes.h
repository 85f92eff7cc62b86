/* SPDX-License-Identifier: Apache-2.0 */
/* mistakes.h - routing code that makes mistakes of many kinds, each in a part of the answers, drawn from all that an
 * answer depends on. */
#ifndef UT_TEST_MISTAKES_H
#define UT_TEST_MISTAKES_H

#include <stdio.h>
#include <string.h>

#include "explorer.h"
#include "route_unit.h"

enum mistake {
  ANYWHERE = 1,  /* to any neighbour, and nowhere else */
  ALSO = 2,      /* to any neighbour, too */
  OUTSIDE = 4,   /* through a port of a terminal, or without a link */
  OTHER_VC = 8,  /* in another VC, too */
  REFUSES = 16,  /* offers nothing */
  HEADER = 32,   /* changes the field of the header */
  VECTOR = 64,   /* the same as ALSO, and all mistakes are others with another vector */
  SETS = 128,    /* sets bits of the vector */
  CLASSES = 256, /* of bubbles and of preferred channels */
  STRIPS = 512,  /* header words that should stay */
  KINDS = 10,
  WORKING = 1024, /* no mistake: any neighbour is one whose link works */
  OFFERS = 2048,  /* no mistake: who is offered nothing is offered any neighbour */
  OFTEN = 4096,   /* every other time */
  LATE = 8192     /* only with packets to terminal 63 and those behind it: words of a set */
};

/* Those kinds in words; the text is there until the next call. */
static inline const char *mistake_names(unsigned kinds) {
  static const char *const name[] = {"anywhere", "also",    "outside", "other VC", "refuses", "header", "vector",
                                     "sets",     "classes", "strips",  "working",  "offers",  "often",  "late"};
  static char text[160];
  *text = 0;
  for (unsigned i = 0; i < sizeof name / sizeof *name; i++)
    if (kinds >> i & 1)
      snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", *text ? ", " : "", name[i]);
  return *text ? text : "none";
}

static struct {
  const struct ut_topology *topology;
  ut_route_function *real;
  unsigned kinds, salt;
} mistakes;

static inline ut_mask some_port(const struct ut_switch *s, uint64_t x, bool outside) {
  const struct ut_topology *t = mistakes.topology;
  unsigned ports[UT_MAX_PORTS], count = 0;
  for (unsigned port = 0; port < t->po; port++)
    if (outside != (t->peer[(size_t)s->id * t->po + port].kind == UT_PEER_SWITCH) &&
        (outside || !(mistakes.kinds & WORKING) || s->out_up >> port & 1))
      ports[count++] = port;
  return count ? ut_bit(ports[x % count]) : 0;
}

static inline void make_mistake(enum mistake m, uint64_t x, const struct ut_group *g, const struct ut_switch *s,
                                unsigned in_port, struct ut_route_result *r) {
  const unsigned vc = (unsigned)(x >> 8) % g->shape.v, other = (unsigned)(x >> 16) % g->shape.v;
  const ut_mask port = some_port(s, x >> 24, m == OUTSIDE);
  switch (m) {
  case ANYWHERE:
    for (unsigned v = 0; v < g->shape.v; v++)
      r->cand[v] = v == vc ? port : 0;
    break;
  case ALSO:
  case OUTSIDE: r->cand[vc] |= port; break;
  case OTHER_VC: r->cand[vc] |= r->cand[other]; break;
  case REFUSES:
    for (unsigned v = 0; v < g->shape.v; v++)
      r->cand[v] = 0;
    break;
  case HEADER: r->rt = (r->rt & ~(uint32_t)3) | (uint32_t)(x >> 24 & 3); break;
  case VECTOR: r->cand[vc] |= port; break;
  case SETS:
    if (mistakes.topology->up_ports >> in_port & 1)
      r->set |= (ut_mask)(x >> 24) & mistakes.topology->up_ports & s->neighbour;
    break;
  case CLASSES:
    r->bubble[vc] ^= (ut_mask)(x >> 24) & r->cand[vc];
    r->preferred[other] ^= (ut_mask)(x >> 32) & r->cand[other];
    r->escape_vcs ^= x >> 40 & 1 ? ~0u : 0;
    break;
  case STRIPS: r->strip = true; break;
  default: break;
  }
}

static inline void mistaken(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                            unsigned in_vc, struct ut_route_result *r) {
  const uint64_t where = (uint64_t)s->id << 32 | in_port << 24 | in_vc << 16 | mistakes.salt;
  ut_mask some = 0;
  mistakes.real(g, s, header, in_port, in_vc, r);
  if (mistakes.kinds & LATE && ut_header_dst(header) < 63)
    return;
  for (unsigned i = 0; i < KINDS; i++) {
    const uint64_t x = ut_hash_mix(ut_hash_mix(ut_hash_mix(where) + i) ^ (uint64_t)ut_header_rt(header) << 32 ^
                                   (uint64_t)(mistakes.kinds & VECTOR ? s->vector : 0) << 16 ^ ut_header_dst(header));
    if (mistakes.kinds >> i & 1 && x >> 56 < (mistakes.kinds & OFTEN ? 128 : 4 + 8 * (mistakes.salt % 4)))
      make_mistake((enum mistake)(1u << i), ut_hash_mix(x), g, s, in_port, r);
  }
  for (unsigned v = 0; v < g->shape.v && mistakes.kinds & OFFERS; v++)
    some |= r->cand[v];
  if (mistakes.kinds & OFFERS && !some)
    r->cand[0] = some_port(s, ut_hash_mix(where), false);
}

/* All answers of that explorer from now on. */
static inline void make_mistakes(struct ut_explorer *x, unsigned kinds) {
  mistakes.topology = x->topology, mistakes.real = x->group[0].route, mistakes.kinds = kinds;
  for (unsigned i = 0; i < x->topology->elaborations; i++)
    x->group[i].route = mistaken;
}

#endif
