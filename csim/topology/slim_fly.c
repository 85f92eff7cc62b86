/* SPDX-License-Identifier: Apache-2.0 */
/* slim_fly.c - the Slim Fly (Besta and Hoefler, 2014): the graphs of McKay, Miller and Siran, of diameter 2, for a
 * prime power q = 4w + delta, delta -1, 0 or 1.
 *
 * 2 q^2 switches (s, x, y), "s.x.y", with s 0 or 1 and x, y of the field of q elements; (3q - delta) / 2 links each:
 *   (0, x, y) and (0, x, y')  are joined if y - y' is in X,
 *   (1, m, c) and (1, m, c')  are joined if c - c' is in X',
 *   (0, x, y) and (1, m, c)   are joined if y = m x + c.
 * X and X' are made of powers of a primitive element (Hafner, 2004).  Ports: terminals, then links in the order of the
 * other ends.
 */
#include <stdio.h>
#include <string.h>

#include "generated_graph.h"
#include "graph_families.h"
#include "scenario.h"
#include "scenario_refusal.h"

enum { MOST_Q = 43, MOST_DEGREE = 5 };

/* A field of q = p^m elements.  The digits of a number to the base p are the coefficients of a polynomial. */
struct field {
  unsigned q, p, m;
  unsigned modulus[MOST_DEGREE]; /* x^m = sum of modulus[i] x^i */
  uint8_t power[MOST_Q];         /* of a primitive element, from 0 on */
  uint8_t log[MOST_Q];
};

static unsigned plus(const struct field *field, unsigned a, unsigned b, bool minus) {
  unsigned sum = 0, step = 1;
  for (unsigned i = 0; i < field->m; i++, step *= field->p, a /= field->p, b /= field->p)
    sum += (a % field->p + (minus ? field->p - b % field->p : b % field->p)) % field->p * step;
  return sum;
}

/* x times the polynomial a; in a prime field the primitive element is modulus[0]. */
static unsigned times_x(const struct field *field, unsigned a) {
  unsigned product = 0, step = 1, top = a;
  for (unsigned i = 1; i < field->m; i++)
    top /= field->p;
  if (field->m == 1)
    return a * field->modulus[0] % field->p;
  for (unsigned i = 0; i < field->m; i++, step *= field->p) {
    const unsigned below = i ? a / (step / field->p) % field->p : 0;
    product += (below + top * field->modulus[i]) % field->p * step;
  }
  return product;
}

/* Takes the powers of x; false: it is not primitive. */
static bool take_powers(struct field *field) {
  unsigned element = 1;
  memset(field->log, 0xff, sizeof field->log);
  for (unsigned i = 0; i < field->q - 1; i++) {
    if (element == 0 || field->log[element] != 0xff)
      return false;
    field->power[i] = (uint8_t)element;
    field->log[element] = (uint8_t)i;
    element = times_x(field, element);
  }
  return element == 1;
}

/* false: q is no prime power. */
static bool make_field(struct field *field, unsigned q) {
  *field = (struct field){.q = q, .p = 2};
  while (q % field->p)
    field->p++;
  for (unsigned rest = q; rest > 1; rest /= field->p, field->m++)
    if (rest % field->p)
      return false;
  for (unsigned number = 1; number < q; number++) { /* every modulus */
    for (unsigned i = 0, rest = number; i < field->m; i++, rest /= field->p)
      field->modulus[i] = rest % field->p;
    if (take_powers(field))
      return true;
  }
  return q == 2;
}

static unsigned times(const struct field *field, unsigned a, unsigned b) {
  return a && b ? field->power[(field->log[a] + field->log[b]) % (field->q - 1)] : 0;
}

static int delta_of(unsigned q) {
  return q % 4 == 3 ? -1 : (int)(q % 4);
}

/* Whether a difference is in X (which 0) or X' (which 1). */
static bool joins(const struct field *field, unsigned difference, unsigned which) {
  if (!difference)
    return false;
  const unsigned exponent = field->log[difference], w = (field->q + 1) / 4;
  if (delta_of(field->q) == 1)
    return exponent % 2 == which;
  if (which && exponent == 0) /* the unit element is also the power q - 1 */
    return true;
  if (delta_of(field->q) == 0)
    return exponent % 2 == which;
  const bool even = exponent % 2 == 0; /* delta -1: even up to 2w - 2, odd from 2w - 1 on, and the other way round */
  return which ? (even ? exponent >= 2 * w : exponent <= 2 * w - 1)
               : (even ? exponent <= 2 * w - 2 : exponent >= 2 * w - 1);
}

static unsigned degree_of(unsigned q) {
  return (unsigned)((int)(3 * q) - delta_of(q)) / 2;
}

static int check(const struct ut_check *check) {
  const unsigned q = check->s->topology.q, local = check->s->topology.local_ports;
  struct field field;
  if (!q)
    return ut_impossible(check, "topology", "as in q: 5", "missing key 'q' in 'topology'");
  if (q < 3 || q > MOST_Q || delta_of(q) == 2 || !make_field(&field, q))
    return ut_impossible(check, "topology.q", "3, 4, 5, 7, 8, 9, 11, 13, 16, 17 and so on",
                         "'topology.q' is %u, must be a prime power 3..%d with remainder 0, 1 or 3 by 4", q, MOST_Q);
  return ut_graph_check_ports(check, "topology.q", (uint64_t)degree_of(q) + local) ||
                 ut_graph_check_terminals(check, "topology.q", (uint64_t)2 * q * q * local)
             ? -1
             : 0;
}

static bool adjacent(const struct field *field, uint32_t a, uint32_t b) {
  const unsigned q = field->q, half = q * q, s = a / half, t = b / half;
  const unsigned ax = a % half / q, ay = a % q, bx = b % half / q, by = b % q;
  if (s == t)
    return ax == bx && joins(field, plus(field, ay, by, true), s);
  return s ? by == plus(field, times(field, ax, bx), ay, false) : ay == plus(field, times(field, bx, ax), by, false);
}

static struct ut_graph *generate(const struct ut_scenario *scenario, struct ut_error *e) {
  const unsigned q = scenario->topology.q, local = scenario->topology.local_ports;
  const uint32_t switches = 2 * q * q;
  struct ut_generation generation = ut_generation_begin(scenario, e);
  struct field field;
  uint8_t port[2 * MOST_Q * MOST_Q]; /* the next free one */
  make_field(&field, q);
  for (uint32_t sw = 0; sw < switches; sw++) {
    char name[40];
    snprintf(name, sizeof name, "%u.%u.%u", (unsigned)(sw / (q * q)), (unsigned)(sw % (q * q) / q), (unsigned)(sw % q));
    ut_generation_switch(&generation, name, degree_of(q) + local);
    port[sw] = (uint8_t)local;
  }
  for (uint32_t sw = 0; sw < switches; sw++)
    for (unsigned i = 0; i < local; i++)
      ut_generation_terminal(&generation, sw, i, i);
  for (uint32_t a = 0; a < switches; a++)
    for (uint32_t b = a + 1; b < switches; b++)
      if (adjacent(&field, a, b))
        ut_generation_cable(&generation, a, port[a]++, b, port[b]++);
  return ut_generation_end(&generation);
}

static void network_name(const struct ut_scenario *scenario, char text[UT_NETWORK_NAME_SIZE]) {
  snprintf(text, UT_NETWORK_NAME_SIZE, "Slim Fly of q = %u", scenario->topology.q);
}

/* Within a group of either half, or between the halves. */
static unsigned link_class(const struct ut_topology *topo, const struct ut_link *link, char text[UT_LINK_CLASS_SIZE]) {
  unsigned lower[3], upper[3];
  ut_topology_name_numbers(topo, link->lower, lower, 3);
  ut_topology_name_numbers(topo, link->upper, upper, 3);
  snprintf(text, UT_LINK_CLASS_SIZE, lower[0] == upper[0] ? "within half %u" : "between the halves", lower[0]);
  return lower[0] == upper[0] ? lower[0] : 2;
}

const struct ut_family ut_family_slim_fly = {UT_GRAPH_FAMILY,
                                             .kind = "slim_fly",
                                             .keys = UT_KEY_Q | UT_KEY_TERMINALS | UT_KEY_PLANNER,
                                             .check = check,
                                             .graph = generate,
                                             .network_name = network_name,
                                             .link_class = link_class,
                                             .group_terminals = ut_graph_terminals_each};
