/* SPDX-License-Identifier: Apache-2.0 */
/* theorem.c - see theorem.h: what is to be shown of each hop and claim, and why it is so. */
#include "theorem.h"

#include <stdarg.h>
#include <string.h>

#include "nonnegative.h"

/* What is to be shown of a hop, a bound or a claim. */
struct obligation {
  struct ut_polynomial assumption[UT_MOST_ASSUMPTIONS], goal[UT_MOST_RANKS];
  unsigned assumptions, goals; /* goals: it rises in lexicographic order; of a claim one, which is not negative */
};

struct prover {
  const struct ut_theorem *theorem;
  char names[80]; /* `given` and then `names` */
  FILE *certificate;
  struct ut_theorem_proof *proof;
  const char *bad; /* a text that is no polynomial */
};

struct place { /* KIND(POLYNOMIAL, ...) */
  const struct ut_theorem_kind *kind;
  struct ut_polynomial argument[UT_MOST_ARGUMENTS];
};

static void put(const struct prover *p, const char *format, ...) {
  va_list arguments;
  if (!p->certificate)
    return;
  va_start(arguments, format);
  vfprintf(p->certificate, format, arguments);
  va_end(arguments);
}

/* ---- texts */

static bool read_whole(struct prover *p, struct ut_polynomial *poly, const char *text, const struct ut_scope *scope) {
  const char *end = ut_polynomial_read(poly, text, scope);
  if (end && !*end)
    return true;
  p->bad = text;
  return false;
}

static bool read_free(struct prover *p, struct ut_polynomial *poly, const char *text) {
  const struct ut_scope scope = {.names = p->names};
  return read_whole(p, poly, text, &scope);
}

static bool read_place(struct prover *p, struct place *place, const char *text) {
  const struct ut_scope scope = {.names = p->names};
  const size_t length = strcspn(text, "(");
  const char *at = text + length;
  unsigned count = 0;
  p->bad = text;
  for (place->kind = p->theorem->kind; place->kind->name; place->kind++)
    if (strlen(place->kind->name) == length && strncmp(place->kind->name, text, length) == 0)
      break;
  if (!place->kind->name)
    return false;
  if (strcmp(at, "()") == 0)
    at++;
  while (*at && *at != ')') {
    at = count < UT_MOST_ARGUMENTS ? ut_polynomial_read(&place->argument[count++], at + 1, &scope) : NULL;
    if (!at)
      return false;
  }
  if (count != ut_word_count(place->kind->parameters))
    return false;
  p->bad = NULL;
  return true;
}

static bool assume(struct prover *p, struct obligation *o, const char *const *text, const struct ut_scope *scope) {
  for (unsigned i = 0; i < UT_MOST_CONDITIONS && text[i]; i++)
    if (o->assumptions == UT_MOST_ASSUMPTIONS || !read_whole(p, &o->assumption[o->assumptions++], text[i], scope)) {
      p->bad = text[i];
      return false;
    }
  return true;
}

/* Of a kind: the parameters are arguments, and only `given` is known besides. */
static struct ut_scope scope_of(const struct prover *p, const struct place *place) {
  return (struct ut_scope){p->theorem->given, place->kind->parameters, place->argument};
}

static bool assume_range(struct prover *p, struct obligation *o, const struct place *place) {
  const struct ut_scope scope = scope_of(p, place);
  return assume(p, o, place->kind->range, &scope);
}

static bool assume_free(struct prover *p, struct obligation *o, const char *const *text) {
  const struct ut_scope scope = {.names = p->names};
  return assume(p, o, text, &scope);
}

/* Adds factor * the rank of a place. */
static bool add_rank(struct prover *p, struct ut_polynomial *sum, const struct place *place, unsigned i,
                     int64_t factor) {
  struct ut_polynomial rank;
  const struct ut_scope scope = scope_of(p, place);
  return read_whole(p, &rank, place->kind->rank[i], &scope) && ut_polynomial_add(sum, &rank, factor);
}

/* ---- proofs */

static void put_combination(const struct prover *p, const struct ut_combination *c) {
  put(p, "by %lld", (long long)c->divisor);
  for (unsigned i = 0; i < c->count; i++) {
    put(p, "%s %lld", i ? "," : ":", (long long)c->part[i].factor);
    if (c->part[i].first != UT_NO_ASSUMPTION)
      put(p, " #%u", c->part[i].first + 1U);
    if (c->part[i].second != UT_NO_ASSUMPTION)
      put(p, " #%u", c->part[i].second + 1U);
  }
  put(p, "\n");
}

/* Shows that goal - least is not negative. */
static bool show(const struct prover *p, const struct obligation *o, const struct ut_polynomial *goal, int64_t least) {
  const struct ut_polynomial one = {1, {{0, 1}}};
  struct ut_polynomial rest = *goal;
  struct ut_combination combination;
  if (!ut_polynomial_add(&rest, &one, -least) ||
      !ut_combination_find(&combination, &rest, o->assumption, o->assumptions))
    return false;
  put_combination(p, &combination);
  return true;
}

/* Shows that one goal is at least 1, and those before it are not negative. */
static bool show_rise(const struct prover *p, const struct obligation *o) {
  for (unsigned i = 0; i < o->goals; i++) {
    if (show(p, o, &o->goal[i], 1))
      return true;
    if (!show(p, o, &o->goal[i], 0))
      return false;
  }
  return false;
}

/* ---- counter-examples: small numbers */

enum { SMALL = 6 };

static bool rises(const struct obligation *o, const int *value, int64_t least) {
  for (unsigned i = 0; i < o->goals; i++) {
    const int64_t by = ut_polynomial_value(&o->goal[i], value);
    if (by || i + 1 == o->goals)
      return by >= least;
  }
  return false;
}

static bool allowed(const struct obligation *o, const int *value) {
  for (unsigned i = 0; i < o->assumptions; i++)
    if (ut_polynomial_value(&o->assumption[i], value) < 0)
      return false;
  return true;
}

static void name_values(struct prover *p, const int *value, unsigned names) {
  size_t at = 0;
  for (unsigned i = 0; i < names; i++) {
    unsigned length;
    const char *name = ut_word_at(p->names, i, &length);
    at += (size_t)snprintf(p->proof->example + at, sizeof p->proof->example - at, "%s%.*s = %d", i ? ", " : "",
                           (int)length, name, value[i]);
  }
}

/* Looks through all small numbers; the first in which it is wrong. */
static void find_example(struct prover *p, const struct obligation *o, int64_t least) {
  int value[UT_MOST_NAMES] = {0};
  const unsigned names = ut_word_count(p->names);
  for (;;) {
    if (allowed(o, value) && !rises(o, value, least)) {
      name_values(p, value, names);
      return;
    }
    unsigned i = names;
    while (i-- > 0 && value[i] == SMALL)
      value[i] = 0;
    if (i >= names)
      return;
    value[i]++;
  }
}

/* Remembers the first that fails. */
static void fail_at(struct prover *p, const struct obligation *o, const char *name, int64_t least) {
  if (!p->proof->proven)
    return;
  p->proof->proven = false;
  p->proof->failing = name;
  p->proof->example[0] = '\0';
  find_example(p, o, least);
}

/* ---- hops, bounds, claims */

static void put_list(const struct prover *p, const char *word, const char *const *text, unsigned most) {
  for (unsigned i = 0; i < most && text[i]; i++)
    put(p, "%s %s\n", word, text[i]);
}

static bool prove_hop(struct prover *p, const struct ut_theorem_hop *hop) {
  struct obligation o = {0};
  struct place from, to;
  put(p, "hop %s %s -> %s\n", hop->name, hop->from, hop->to);
  put_list(p, "when", hop->when, UT_MOST_CONDITIONS);
  if (!read_place(p, &from, hop->from) || !read_place(p, &to, hop->to) || !assume_free(p, &o, p->theorem->assume) ||
      !assume_range(p, &o, &from) || !assume_range(p, &o, &to) || !assume_free(p, &o, hop->when))
    return false;
  for (; o.goals < UT_MOST_RANKS && from.kind->rank[o.goals]; o.goals++)
    if (!add_rank(p, &o.goal[o.goals], &to, o.goals, 1) || !add_rank(p, &o.goal[o.goals], &from, o.goals, -1))
      return false;
  p->proof->hops++;
  if (!show_rise(p, &o))
    fail_at(p, &o, hop->name, 1);
  return true;
}

/* No rank of a kind is above the bound.  The parameters are free: names of their own, behind those that are given. */
static bool prove_bound(struct prover *p, const struct ut_theorem_kind *kind, unsigned i) {
  struct obligation o = {.goals = 1};
  struct place place = {.kind = kind};
  const unsigned given = ut_word_count(p->theorem->given);
  for (unsigned j = 0; j < UT_MOST_ARGUMENTS; j++)
    place.argument[j] = (struct ut_polynomial){1, {{UINT64_C(1) << 4 * (given + j), 1}}};
  if (!assume_free(p, &o, p->theorem->assume) || !assume_range(p, &o, &place) ||
      !read_free(p, &o.goal[0], p->theorem->most[i]) || !add_rank(p, &o.goal[0], &place, i, -1))
    return false;
  p->proof->bounds++;
  if (!show(p, &o, &o.goal[0], 0))
    fail_at(p, &o, kind->name, 0);
  return true;
}

static bool prove_claim(struct prover *p, const struct ut_theorem_claim *claim) {
  struct obligation o = {.goals = 1};
  put(p, "claim %s\n", claim->name);
  put_list(p, "when", claim->when, UT_MOST_CONDITIONS);
  put(p, "shows %s\n", claim->shows);
  if (!assume_free(p, &o, p->theorem->assume) || !assume_free(p, &o, claim->when) ||
      !read_free(p, &o.goal[0], claim->shows))
    return false;
  p->proof->claims++;
  if (!show(p, &o, &o.goal[0], 0))
    fail_at(p, &o, claim->name, 0);
  return true;
}

static void put_kinds(const struct prover *p) {
  for (const struct ut_theorem_kind *kind = p->theorem->kind; kind && kind->name; kind++) {
    put(p, "kind %s%s%s\n", kind->name, *kind->parameters ? " " : "", kind->parameters);
    put_list(p, "range", kind->range, UT_MOST_CONDITIONS);
    put_list(p, "rank", kind->rank, UT_MOST_RANKS);
  }
}

static bool prove_parts(struct prover *p) {
  const struct ut_theorem *t = p->theorem;
  bool ok = true;
  for (unsigned i = 0; i < UT_MOST_RANKS && t->most[i]; i++) {
    put(p, "most %s\n", t->most[i]);
    for (const struct ut_theorem_kind *kind = t->kind; ok && kind->name; kind++)
      ok = prove_bound(p, kind, i);
  }
  for (const struct ut_theorem_hop *hop = t->hop; ok && hop && hop->name; hop++)
    ok = prove_hop(p, hop);
  for (const struct ut_theorem_claim *claim = t->claim; ok && claim && claim->name; claim++)
    ok = prove_claim(p, claim);
  return ok;
}

int ut_theorem_prove(const struct ut_theorem *theorem, FILE *certificate, struct ut_theorem_proof *proof,
                     struct ut_error *e) {
  struct prover p = {.theorem = theorem, .certificate = certificate, .proof = proof};
  *proof = (struct ut_theorem_proof){.proven = true, .failing = ""};
  snprintf(p.names, sizeof p.names, "%s %s", theorem->given, theorem->names);
  put(&p, "theorem %s: %s\ngiven %s\nnames %s\n", theorem->paper, theorem->says, theorem->given, theorem->names);
  put_list(&p, "assume", theorem->assume, UT_MOST_CONDITIONS);
  put_kinds(&p);
  if (!prove_parts(&p))
    return ut_fail(e, UT_INTERNAL, "theorem %s: '%s' cannot be read", theorem->paper, p.bad ? p.bad : "");
  put(&p, "end\n");
  return 0;
}
