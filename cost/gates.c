/* SPDX-License-Identifier: Apache-2.0 */
/* gates.c - see gates.h */
#define _GNU_SOURCE /* strndup */
#include "gates.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "blocks.h"

/* ---- names and what they stand for ---- */

struct entry {
  const char *name; /* NULL: free */
  size_t length;
  uint32_t value;
};
struct names {
  struct entry *entry;
  size_t size, used; /* size: a power of two */
};

static struct entry *place_of(const struct names *n, const char *name, size_t length) {
  size_t i = XXH3_64bits(name, length);
  for (;; i++) {
    struct entry *e = &n->entry[i & (n->size - 1)];
    if (!e->name || (e->length == length && !memcmp(e->name, name, length)))
      return e;
  }
}

static bool grow(struct names *n) {
  struct names more = {.size = n->size ? 2 * n->size : 4096, .used = n->used};
  more.entry = calloc(more.size, sizeof *more.entry);
  for (size_t i = 0; more.entry && i < n->size; i++)
    if (n->entry[i].name)
      *place_of(&more, n->entry[i].name, n->entry[i].length) = n->entry[i];
  if (!more.entry)
    return false;
  free(n->entry);
  *n = more;
  return true;
}

/* The entry of a name, made with value 0 where there is none; NULL: out of memory. */
static struct entry *entry_of(struct names *n, const char *name, size_t length, bool *made) {
  if (2 * n->used >= n->size && !grow(n))
    return NULL;
  struct entry *e = place_of(n, name, length);
  *made = !e->name;
  if (*made)
    *e = (struct entry){name, length, 0};
  n->used += *made;
  return e;
}

/* ---- the file ---- */

struct reader {
  struct ut_gates *g;
  const char *path;
  struct ut_error *e;
  struct names wire, net; /* wires and ports: where in g->name[]; nets: where in g->net[] */
  size_t gate_room, pin_room, net_room, name_room, bit_room;
  uint32_t *alias; /* [g->bits]: the bit that stands for it, or NONE */
  size_t alias_room;
};
#define NONE UINT32_MAX

static int fail(const struct reader *r, const char *at) {
  return ut_fail(r->e, UT_BAD_INPUT, "%.900s: this netlist cannot be read at '%.60s'; remove its folder and try again",
                 r->path, at);
}

/* Room for one more; NULL: out of memory. */
static void *room(void *array, size_t used, size_t *have, size_t size) {
  if (used < *have)
    return array;
  const size_t wanted = *have ? 2 * *have : 1024;
  void *more = realloc(array, wanted * size);
  if (more)
    *have = wanted;
  return more;
}

static char *skip(char *p) {
  return p + strspn(p, " \t\n\r");
}

/* The length of the name at p, escaped or not. */
static size_t name_length(const char *p) {
  return *p == '\\' ? strcspn(p, " \t\n")
                    : strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$");
}

/* A name, cut off from what follows it: `*after` is the character that stood there. */
static char *cut(char *p, char **end, char *after) {
  *end = p + name_length(p);
  *after = **end;
  return p;
}

static bool is_constant(const char *name) {
  return isdigit((unsigned char)*name);
}

/* The number of a bit's net, which is new where no cell has named it before. */
static int number_of(struct reader *r, const char *name, size_t length, uint32_t *net) {
  struct ut_gates *g = r->g;
  bool made;
  struct entry *e = entry_of(&r->net, name, length, &made);
  if (!e)
    return ut_fail_memory(r->e);
  if (made) {
    struct ut_gate_net *more = room(g->net, g->nets, &r->net_room, sizeof *more);
    char *copy = more ? strndup(name, length) : NULL;
    if (more)
      g->net = more;
    if (!copy)
      return ut_fail_memory(r->e);
    e->name = copy;
    e->value = (uint32_t)g->nets;
    g->net[g->nets++] = (struct ut_gate_net){copy, 0};
  }
  *net = e->value;
  return 0;
}

/* ".PIN(net)": the net of one bit, a name, perhaps with an index, or a constant. */
static int read_pin(struct reader *r, struct ut_gate *gate, char **p) {
  struct ut_gates *g = r->g;
  char *name = *p + 1, *end = strchr(name, '(');
  if (**p != '.' || !end)
    return fail(r, *p);
  *end = '\0';
  char *net = skip(end + 1), *close = net + name_length(net);
  close += strcspn(close, ")");
  if (!*close)
    return fail(r, net);
  size_t length = (size_t)(close - net);
  while (length && isspace((unsigned char)net[length - 1]))
    length--;
  struct ut_gate_pin *more = room(g->pin, g->pins, &r->pin_room, sizeof *more);
  if (!more)
    return ut_fail_memory(r->e);
  g->pin = more;
  uint32_t number = UT_GATE_CONSTANT;
  const bool constant = is_constant(net);
  if (length && !constant && number_of(r, net, length, &number))
    return -1;
  g->pin[g->pins++] = (struct ut_gate_pin){name, number, constant && net[length - 1] == '1'};
  gate->pins++;
  *p = skip(close + 1);
  return 0;
}

static int read_instance(struct reader *r, char *p, const char *block) {
  struct ut_gates *g = r->g;
  char *end, after;
  struct ut_gate *more = room(g->gate, g->gates, &r->gate_room, sizeof *more);
  if (!more)
    return ut_fail_memory(r->e);
  g->gate = more;
  struct ut_gate *gate = &g->gate[g->gates];
  *gate = (struct ut_gate){.block = block, .pin = g->pins};
  gate->type = cut(p, &end, &after);
  if (!isspace((unsigned char)after))
    return fail(r, p);
  *end = '\0';
  p = skip(end + 1);
  gate->name = cut(p, &end, &after);
  *end = '\0';
  p = skip(after == '(' ? end : end + 1);
  p = after == '(' ? end + 1 : *p == '(' ? p + 1 : NULL;
  if (!p)
    return fail(r, gate->name);
  for (p = skip(p); *p == '.';) {
    if (read_pin(r, gate, &p))
      return -1;
    if (*p == ',')
      p = skip(p + 1);
  }
  g->gates++;
  return *p == ')' ? 0 : fail(r, p);
}

/* ---- names ---- */

/* One more bit, which nothing stands for. */
static int add_bit(struct reader *r) {
  struct ut_gates *g = r->g;
  struct ut_gate_bit *bit = room(g->bit, g->bits, &r->bit_room, sizeof *bit);
  if (bit)
    g->bit = bit;
  uint32_t *alias = bit ? room(r->alias, g->bits, &r->alias_room, sizeof *alias) : NULL;
  if (!alias)
    return ut_fail_memory(r->e);
  r->alias = alias;
  alias[g->bits] = NONE;
  g->bit[g->bits++] = (struct ut_gate_bit){.net = UT_GATE_CONSTANT};
  return 0;
}

/* "wire [7:0] name"; a port is declared as such first. */
static int read_declaration(struct reader *r, char *p, enum ut_gate_kind kind) {
  struct ut_gates *g = r->g;
  unsigned high = 0;
  bool made;
  p = skip(p + strcspn(p, " "));
  if (*p == '[') {
    high = (unsigned)strtoul(p + 1, NULL, 10);
    p = skip(strchr(p, ']') ? strchr(p, ']') + 1 : p);
  }
  const size_t length = name_length(p);
  struct entry *e = length ? entry_of(&r->wire, p, length, &made) : NULL;
  if (!length)
    return fail(r, p);
  if (!e)
    return ut_fail_memory(r->e);
  if (!made)
    return 0;
  struct ut_gate_name *more = room(g->name, g->names, &r->name_room, sizeof *more);
  if (!more)
    return ut_fail_memory(r->e);
  g->name = more;
  e->value = (uint32_t)g->names;
  g->name[g->names++] = (struct ut_gate_name){p, length, g->bits, high + 1, kind};
  for (unsigned i = 0; i <= high; i++)
    if (add_bit(r))
      return -1;
  return 0;
}

/* A side of an assignment, read from its end, that is from bit 0 on. */
struct side {
  char *begin, *end; /* of what is left */
  uint32_t bit;      /* the next one of the part at hand; NONE: a constant */
  unsigned left;     /* bits of that part */
  const char *digit; /* of a constant: its last digit that is left, NULL: none is */
  const char *first;
  uint64_t value; /* of the digit at hand */
  unsigned shift, radix_bits;
};

/* 8'h3f, 2'b1x: digit by digit; 32'd5: as it is. */
static int begin_constant(const struct reader *r, struct side *s, char *p) {
  const char *quote = strchr(p, '\'');
  s->bit = NONE;
  s->left = (unsigned)strtoul(p, NULL, 10);
  if (!quote || !quote[1] || !strchr("hbd", quote[1]) || !s->left)
    return fail(r, p);
  s->first = s->digit = quote + 2;
  s->radix_bits = quote[1] == 'h' ? 4 : quote[1] == 'b' ? 1 : 64;
  s->shift = 0;
  s->value = strtoull(s->first, NULL, 10);
  if (quote[1] == 'd')
    return 0;
  s->digit += strcspn(s->first, " ,};");
  s->shift = s->radix_bits;
  return 0;
}

/* There is another bit of it. */
static bool is_left(struct side *s) {
  while (!s->left && s->end > s->begin && strchr(" \t\n{},", s->end[-1]))
    s->end--;
  return s->left || s->end > s->begin;
}

/* The part in front of what was read: a name, a bit or bits of it, or a constant. */
static int begin_part(struct reader *r, struct side *s) {
  char *p = s->end;
  while (p > s->begin && p[-1] != ',' && p[-1] != '{')
    p--;
  p = skip(p);
  s->end = p;
  if (is_constant(p))
    return begin_constant(r, s, p);
  const size_t length = name_length(p);
  const struct entry *e = length && r->wire.size ? place_of(&r->wire, p, length) : NULL;
  if (!e || !e->name)
    return fail(r, p);
  const struct ut_gate_name *n = &r->g->name[e->value];
  unsigned high = n->width - 1, low = 0;
  char *next = skip(p + length);
  if (*next == '[') {
    high = low = (unsigned)strtoul(next + 1, &next, 10);
    if (*next == ':')
      low = (unsigned)strtoul(next + 1, &next, 10);
  }
  if (high < low || high >= n->width)
    return fail(r, p);
  s->bit = (uint32_t)(n->bit + low);
  s->left = high - low + 1;
  return 0;
}

/* The value of the next bit of a constant: what is no digit is 0. */
static bool constant_bit(struct side *s) {
  if (s->shift == s->radix_bits && s->digit > s->first) {
    const char c = *--s->digit;
    s->value = isdigit((unsigned char)c)    ? (uint64_t)(c - '0')
               : isxdigit((unsigned char)c) ? (uint64_t)((c | 32) - 'a' + 10)
                                            : 0;
    s->shift = 0;
  }
  return s->shift < s->radix_bits && s->value >> s->shift++ & 1;
}

/* "assign TO = FROM": the bits of TO are other names of those of FROM. */
static int read_assign(struct reader *r, char *p) {
  char *equal = strstr(p, " = ");
  if (!equal)
    return fail(r, p);
  struct side to = {.begin = p + strlen("assign"), .end = equal}, from = {.begin = equal + 3};
  from.end = from.begin + strlen(from.begin);
  while (is_left(&to)) {
    if (!is_left(&from))
      return fail(r, p);
    if ((!to.left && begin_part(r, &to)) || (!from.left && begin_part(r, &from)))
      return -1;
    if (to.bit == NONE)
      return fail(r, p);
    if (from.bit == NONE)
      r->g->bit[to.bit] = (struct ut_gate_bit){.net = UT_GATE_CONSTANT, .one = constant_bit(&from)};
    else
      r->alias[to.bit] = from.bit++;
    to.bit++, to.left--, from.left--;
  }
  return 0;
}

/* The bit of a net's name. */
static void name_net(struct reader *r, uint32_t net) {
  const char *name = r->g->net[net].name, *index = strrchr(name, '[');
  const size_t length = name_length(name);
  const struct entry *e = r->wire.size ? place_of(&r->wire, name, length) : NULL;
  if (!e || !e->name)
    return;
  const struct ut_gate_name *n = &r->g->name[e->value];
  const unsigned bit = index && index >= name + length ? (unsigned)strtoul(index + 1, NULL, 10) : 0;
  if (bit < n->width)
    r->g->bit[n->bit + bit].net = net;
}

/* What stands for a bit, perhaps through several names. */
static struct ut_gate_bit bit_behind(const struct reader *r, size_t bit) {
  for (size_t hops = 0; r->alias[bit] != NONE && r->g->bit[bit].net == UT_GATE_CONSTANT && hops < r->g->bits; hops++)
    bit = r->alias[bit];
  return (struct ut_gate_bit){r->g->bit[bit].net, (uint32_t)bit, r->g->bit[bit].one};
}

/* When all has been read: who stands for each bit, and which nets drive output ports. */
static void name_bits(struct reader *r) {
  struct ut_gates *g = r->g;
  for (size_t net = 0; net < g->nets; net++)
    name_net(r, (uint32_t)net);
  for (size_t i = 0; i < g->bits; i++)
    g->bit[i] = bit_behind(r, i);
  for (const struct ut_gate_name *n = g->name; n < g->name + g->names; n++)
    for (unsigned i = 0; i < n->width && n->kind == UT_GATE_OUTPUT; i++)
      if (g->bit[n->bit + i].net != UT_GATE_CONSTANT)
        g->net[g->bit[n->bit + i].net].outputs++;
}

/* ---- statements ---- */

/* Attributes before a statement; *block: the one that names a block. */
static char *skip_attributes(char *p, const char **block) {
  static const char mark[] = UT_BLOCK_ATTRIBUTE " = \"";
  for (p = skip(p); !strncmp(p, "(*", 2); p = skip(p)) {
    char *close = strstr(p, "*)");
    if (!close)
      return p;
    *close = '\0';
    char *value = strstr(p, mark);
    if (value) {
      *block = value + strlen(mark);
      value[strlen(mark) + strcspn(*block, "\"")] = '\0';
    }
    p = close + 2;
  }
  return p;
}

static char *skip_comments(char *p) {
  for (p = skip(p); !strncmp(p, "/*", 2) && strstr(p, "*/"); p = skip(p))
    p = strstr(p, "*/") + 2;
  return p;
}

static bool begins(const char *p, const char *word) {
  return !strncmp(p, word, strlen(word)) && isspace((unsigned char)p[strlen(word)]);
}

/* Statements end with a semicolon. */
static int statements(struct reader *r, char *text) {
  for (char *p = text, *end; (end = strchr(p = skip_comments(p), ';')); p = end + 1) {
    const char *block = NULL;
    int status = 0;
    *end = '\0';
    char *s = skip_attributes(p, &block);
    if (begins(s, "assign"))
      status = read_assign(r, s);
    else if (begins(s, "wire") || begins(s, "input") || begins(s, "output"))
      status = read_declaration(r, s, *s == 'w' ? UT_GATE_WIRE : *s == 'i' ? UT_GATE_INPUT : UT_GATE_OUTPUT);
    else if (!begins(s, "module"))
      status = read_instance(r, s, block);
    if (status)
      return -1;
  }
  return 0;
}

int ut_gates_read(struct ut_gates *g, const char *text, const char *path, struct ut_error *e) {
  struct reader r = {.g = g, .path = path, .e = e};
  *g = (struct ut_gates){.text = strdup(text)};
  int status = g->text ? statements(&r, g->text) : ut_fail_memory(e);
  if (!status && !g->gates)
    status = ut_fail(e, UT_BAD_INPUT, "%.900s: this netlist has no cells; remove its folder and try again", path);
  if (!status)
    name_bits(&r);
  free(r.wire.entry);
  free(r.net.entry);
  free(r.alias);
  return status ? -1 : 0;
}

void ut_gates_free(struct ut_gates *g) {
  for (size_t i = 0; i < g->nets; i++)
    free(g->net[i].name);
  free(g->text);
  free(g->gate);
  free(g->pin);
  free(g->net);
  free(g->name);
  free(g->bit);
  *g = (struct ut_gates){0};
}

const struct ut_gate_name *ut_gates_name(const struct ut_gates *g, const char *name) {
  for (const struct ut_gate_name *n = g->name; n < g->name + g->names; n++)
    if (n->length == strlen(name) && !memcmp(n->name, name, n->length))
      return n;
  return NULL;
}
