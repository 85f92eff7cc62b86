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

/* ---- names and their meanings ---- */

struct entry {
  const char *name; /* NULL: free */
  size_t length;
  uint32_t value;
};
struct names {
  struct entry *entry;
  size_t size, used; /* size: a power of two */
};

static struct entry *place_of(const struct names *names, const char *name, size_t length) {
  size_t i = XXH3_64bits(name, length);
  for (;; i++) {
    struct entry *entry = &names->entry[i & (names->size - 1)];
    if (!entry->name || (entry->length == length && !memcmp(entry->name, name, length)))
      return entry;
  }
}

static bool grow(struct names *names) {
  struct names more = {.size = names->size ? 2 * names->size : 4096, .used = names->used};
  more.entry = calloc(more.size, sizeof *more.entry);
  for (size_t i = 0; more.entry && i < names->size; i++)
    if (names->entry[i].name)
      *place_of(&more, names->entry[i].name, names->entry[i].length) = names->entry[i];
  if (!more.entry)
    return false;
  free(names->entry);
  *names = more;
  return true;
}

/* The entry of a name, made with value 0 where there is none; NULL: out of memory. */
static struct entry *entry_of(struct names *names, const char *name, size_t length, bool *made) {
  if (2 * names->used >= names->size && !grow(names))
    return NULL;
  struct entry *entry = place_of(names, name, length);
  *made = !entry->name;
  if (*made)
    *entry = (struct entry){name, length, 0};
  names->used += *made;
  return entry;
}

/* ---- the file ---- */

struct reader {
  struct ut_gates *g;
  const char *path;
  struct ut_error *e;
  struct names wire, net; /* wires and ports: where in g->name[]; nets: where in g->net[] */
  size_t gate_room, pin_room, net_room, name_room, bit_room;
  uint32_t *alias; /* [g->bits]: the bit that it is another name of, or NONE */
  size_t alias_room;
};
#define NONE UINT32_MAX

static int fail(const struct reader *reader, const char *at) {
  return ut_fail(reader->e, UT_BAD_INPUT,
                 "%.900s: this netlist cannot be read at '%.60s'; remove its folder and try again", reader->path, at);
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

/* Reads a name and cuts it off from the text behind it: `*after` is the character that was there. */
static char *cut(char *p, char **end, char *after) {
  *end = p + name_length(p);
  *after = **end;
  return p;
}

static bool is_constant(const char *name) {
  return isdigit((unsigned char)*name);
}

/* The number of a bit's net, which is new where no cell has named it before. */
static int number_of(struct reader *reader, const char *name, size_t length, uint32_t *net) {
  struct ut_gates *gates = reader->g;
  bool made;
  struct entry *entry = entry_of(&reader->net, name, length, &made);
  if (!entry)
    return ut_fail_memory(reader->e);
  if (made) {
    struct ut_gate_net *more = room(gates->net, gates->nets, &reader->net_room, sizeof *more);
    char *copy = more ? strndup(name, length) : NULL;
    if (more)
      gates->net = more;
    if (!copy)
      return ut_fail_memory(reader->e);
    entry->name = copy;
    entry->value = (uint32_t)gates->nets;
    gates->net[gates->nets++] = (struct ut_gate_net){copy, 0};
  }
  *net = entry->value;
  return 0;
}

/* Reads ".PIN(net)": the net of one bit, a name, perhaps with an index, or a constant. */
static int read_pin(struct reader *reader, struct ut_gate *gate, char **p) {
  struct ut_gates *gates = reader->g;
  char *name = *p + 1, *end = strchr(name, '(');
  if (**p != '.' || !end)
    return fail(reader, *p);
  *end = '\0';
  char *net = skip(end + 1), *close = net + name_length(net);
  close += strcspn(close, ")");
  if (!*close)
    return fail(reader, net);
  size_t length = (size_t)(close - net);
  while (length && isspace((unsigned char)net[length - 1]))
    length--;
  struct ut_gate_pin *more = room(gates->pin, gates->pins, &reader->pin_room, sizeof *more);
  if (!more)
    return ut_fail_memory(reader->e);
  gates->pin = more;
  uint32_t number = UT_GATE_CONSTANT;
  const bool constant = is_constant(net);
  if (length && !constant && number_of(reader, net, length, &number))
    return -1;
  gates->pin[gates->pins++] = (struct ut_gate_pin){name, number, constant && net[length - 1] == '1'};
  gate->pins++;
  *p = skip(close + 1);
  return 0;
}

static int read_instance(struct reader *reader, char *p, const char *block) {
  struct ut_gates *gates = reader->g;
  char *end, after;
  struct ut_gate *more = room(gates->gate, gates->gates, &reader->gate_room, sizeof *more);
  if (!more)
    return ut_fail_memory(reader->e);
  gates->gate = more;
  struct ut_gate *gate = &gates->gate[gates->gates];
  *gate = (struct ut_gate){.block = block, .pin = gates->pins};
  gate->type = cut(p, &end, &after);
  if (!isspace((unsigned char)after))
    return fail(reader, p);
  *end = '\0';
  p = skip(end + 1);
  gate->name = cut(p, &end, &after);
  *end = '\0';
  p = skip(after == '(' ? end : end + 1);
  p = after == '(' ? end + 1 : *p == '(' ? p + 1 : NULL;
  if (!p)
    return fail(reader, gate->name);
  for (p = skip(p); *p == '.';) {
    if (read_pin(reader, gate, &p))
      return -1;
    if (*p == ',')
      p = skip(p + 1);
  }
  gates->gates++;
  return *p == ')' ? 0 : fail(reader, p);
}

/* ---- names ---- */

/* Adds a bit that has no other name yet. */
static int add_bit(struct reader *reader) {
  struct ut_gates *gates = reader->g;
  struct ut_gate_bit *bit = room(gates->bit, gates->bits, &reader->bit_room, sizeof *bit);
  if (bit)
    gates->bit = bit;
  uint32_t *alias = bit ? room(reader->alias, gates->bits, &reader->alias_room, sizeof *alias) : NULL;
  if (!alias)
    return ut_fail_memory(reader->e);
  reader->alias = alias;
  alias[gates->bits] = NONE;
  gates->bit[gates->bits++] = (struct ut_gate_bit){.net = UT_GATE_CONSTANT};
  return 0;
}

/* "wire [7:0] name"; a port is declared as such first. */
static int read_declaration(struct reader *reader, char *p, enum ut_gate_kind kind) {
  struct ut_gates *gates = reader->g;
  unsigned high = 0;
  bool made;
  p = skip(p + strcspn(p, " "));
  if (*p == '[') {
    high = (unsigned)strtoul(p + 1, NULL, 10);
    p = skip(strchr(p, ']') ? strchr(p, ']') + 1 : p);
  }
  const size_t length = name_length(p);
  struct entry *entry = length ? entry_of(&reader->wire, p, length, &made) : NULL;
  if (!length)
    return fail(reader, p);
  if (!entry)
    return ut_fail_memory(reader->e);
  if (!made)
    return 0;
  struct ut_gate_name *more = room(gates->name, gates->names, &reader->name_room, sizeof *more);
  if (!more)
    return ut_fail_memory(reader->e);
  gates->name = more;
  entry->value = (uint32_t)gates->names;
  gates->name[gates->names++] = (struct ut_gate_name){p, length, gates->bits, high + 1, kind};
  for (unsigned i = 0; i <= high; i++)
    if (add_bit(reader))
      return -1;
  return 0;
}

/* One side of an assignment, read from its end, that is from bit 0 on. */
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
static int begin_constant(const struct reader *reader, struct side *side, char *p) {
  const char *quote = strchr(p, '\'');
  side->bit = NONE;
  side->left = (unsigned)strtoul(p, NULL, 10);
  if (!quote || !quote[1] || !strchr("hbd", quote[1]) || !side->left)
    return fail(reader, p);
  side->first = side->digit = quote + 2;
  side->radix_bits = quote[1] == 'h' ? 4 : quote[1] == 'b' ? 1 : 64;
  side->shift = 0;
  side->value = strtoull(side->first, NULL, 10);
  if (quote[1] == 'd')
    return 0;
  side->digit += strcspn(side->first, " ,};");
  side->shift = side->radix_bits;
  return 0;
}

/* There is another bit of it. */
static bool is_left(struct side *side) {
  while (!side->left && side->end > side->begin && strchr(" \t\n{},", side->end[-1]))
    side->end--;
  return side->left || side->end > side->begin;
}

/* Reads the part in front of the last one: a name, a bit or bits of it, or a constant. */
static int begin_part(struct reader *reader, struct side *side) {
  char *p = side->end;
  while (p > side->begin && p[-1] != ',' && p[-1] != '{')
    p--;
  p = skip(p);
  side->end = p;
  if (is_constant(p))
    return begin_constant(reader, side, p);
  const size_t length = name_length(p);
  const struct entry *entry = length && reader->wire.size ? place_of(&reader->wire, p, length) : NULL;
  if (!entry || !entry->name)
    return fail(reader, p);
  const struct ut_gate_name *gate_name = &reader->g->name[entry->value];
  unsigned high = gate_name->width - 1, low = 0;
  char *next = skip(p + length);
  if (*next == '[') {
    high = low = (unsigned)strtoul(next + 1, &next, 10);
    if (*next == ':')
      low = (unsigned)strtoul(next + 1, &next, 10);
  }
  if (high < low || high >= gate_name->width)
    return fail(reader, p);
  side->bit = (uint32_t)(gate_name->bit + low);
  side->left = high - low + 1;
  return 0;
}

/* Returns the value of the next bit of a constant; a character that is no digit counts as 0. */
static bool constant_bit(struct side *side) {
  if (side->shift == side->radix_bits && side->digit > side->first) {
    const char c = *--side->digit;
    side->value = isdigit((unsigned char)c)    ? (uint64_t)(c - '0')
                  : isxdigit((unsigned char)c) ? (uint64_t)((c | 32) - 'a' + 10)
                                               : 0;
    side->shift = 0;
  }
  return side->shift < side->radix_bits && side->value >> side->shift++ & 1;
}

/* Reads "assign TO = FROM": the bits of TO are other names of those of FROM. */
static int read_assign(struct reader *reader, char *p) {
  char *equal = strstr(p, " = ");
  if (!equal)
    return fail(reader, p);
  struct side to = {.begin = p + strlen("assign"), .end = equal}, from = {.begin = equal + 3};
  from.end = from.begin + strlen(from.begin);
  while (is_left(&to)) {
    if (!is_left(&from))
      return fail(reader, p);
    if ((!to.left && begin_part(reader, &to)) || (!from.left && begin_part(reader, &from)))
      return -1;
    if (to.bit == NONE)
      return fail(reader, p);
    if (from.bit == NONE)
      reader->g->bit[to.bit] = (struct ut_gate_bit){.net = UT_GATE_CONSTANT, .one = constant_bit(&from)};
    else
      reader->alias[to.bit] = from.bit++;
    to.bit++, to.left--, from.left--;
  }
  return 0;
}

/* The bit of a net's name. */
static void name_net(struct reader *reader, uint32_t net) {
  const char *name = reader->g->net[net].name, *index = strrchr(name, '[');
  const size_t length = name_length(name);
  const struct entry *entry = reader->wire.size ? place_of(&reader->wire, name, length) : NULL;
  if (!entry || !entry->name)
    return;
  const struct ut_gate_name *gate_name = &reader->g->name[entry->value];
  const unsigned bit = index && index >= name + length ? (unsigned)strtoul(index + 1, NULL, 10) : 0;
  if (bit < gate_name->width)
    reader->g->bit[gate_name->bit + bit].net = net;
}

/* Returns the bit that a bit finally stands for, through any number of names. */
static struct ut_gate_bit bit_behind(const struct reader *reader, size_t bit) {
  for (size_t hops = 0;
       reader->alias[bit] != NONE && reader->g->bit[bit].net == UT_GATE_CONSTANT && hops < reader->g->bits; hops++)
    bit = reader->alias[bit];
  return (struct ut_gate_bit){reader->g->bit[bit].net, (uint32_t)bit, reader->g->bit[bit].one};
}

/* When everything has been read: resolves each bit's names, and finds the nets that drive output ports. */
static void name_bits(struct reader *reader) {
  struct ut_gates *gates = reader->g;
  for (size_t net = 0; net < gates->nets; net++)
    name_net(reader, (uint32_t)net);
  for (size_t i = 0; i < gates->bits; i++)
    gates->bit[i] = bit_behind(reader, i);
  for (const struct ut_gate_name *gate_name = gates->name; gate_name < gates->name + gates->names; gate_name++)
    for (unsigned i = 0; i < gate_name->width && gate_name->kind == UT_GATE_OUTPUT; i++)
      if (gates->bit[gate_name->bit + i].net != UT_GATE_CONSTANT)
        gates->net[gates->bit[gate_name->bit + i].net].outputs++;
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
static int statements(struct reader *reader, char *text) {
  for (char *p = text, *end; (end = strchr(p = skip_comments(p), ';')); p = end + 1) {
    const char *block = NULL;
    int status = 0;
    *end = '\0';
    char *s = skip_attributes(p, &block);
    if (begins(s, "assign"))
      status = read_assign(reader, s);
    else if (begins(s, "wire") || begins(s, "input") || begins(s, "output"))
      status = read_declaration(reader, s, *s == 'w' ? UT_GATE_WIRE : *s == 'i' ? UT_GATE_INPUT : UT_GATE_OUTPUT);
    else if (!begins(s, "module"))
      status = read_instance(reader, s, block);
    if (status)
      return -1;
  }
  return 0;
}

int ut_gates_read(struct ut_gates *gates, const char *text, const char *path, struct ut_error *e) {
  struct reader reader = {.g = gates, .path = path, .e = e};
  *gates = (struct ut_gates){.text = strdup(text)};
  int status = gates->text ? statements(&reader, gates->text) : ut_fail_memory(e);
  if (!status && !gates->gates)
    status = ut_fail(e, UT_BAD_INPUT, "%.900s: this netlist has no cells; remove its folder and try again", path);
  if (!status)
    name_bits(&reader);
  free(reader.wire.entry);
  free(reader.net.entry);
  free(reader.alias);
  return status ? -1 : 0;
}

void ut_gates_free(struct ut_gates *gates) {
  for (size_t i = 0; i < gates->nets; i++)
    free(gates->net[i].name);
  free(gates->text);
  free(gates->gate);
  free(gates->pin);
  free(gates->net);
  free(gates->name);
  free(gates->bit);
  *gates = (struct ut_gates){0};
}

const struct ut_gate_name *ut_gates_name(const struct ut_gates *gates, const char *name) {
  for (const struct ut_gate_name *gate_name = gates->name; gate_name < gates->name + gates->names; gate_name++)
    if (gate_name->length == strlen(name) && !memcmp(gate_name->name, name, gate_name->length))
      return gate_name;
  return NULL;
}
