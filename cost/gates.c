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
  struct names width, net; /* of wires and ports; of bits */
  size_t gate_room, pin_room, net_room;
  const char **output; /* ports */
  size_t outputs;
};

static int fail(const struct reader *r, const char *at) {
  return ut_fail(r->e, UT_INTERNAL, "%.900s: this netlist cannot be read at '%.60s'", r->path, at);
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
  if (length && !is_constant(net) && number_of(r, net, length, &number))
    return -1;
  g->pin[g->pins++] = (struct ut_gate_pin){name, number};
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

/* "wire [7:0] name": an input is no more to us than a wire. */
static int read_declaration(struct reader *r, char *p, bool output) {
  unsigned high = 0;
  bool made;
  p = skip(p + strcspn(p, " "));
  if (*p == '[') {
    high = (unsigned)strtoul(p + 1, NULL, 10);
    p = skip(strchr(p, ']') ? strchr(p, ']') + 1 : p);
  }
  const size_t length = name_length(p);
  struct entry *e = entry_of(&r->width, p, length, &made);
  if (!length)
    return fail(r, p);
  if (!e)
    return ut_fail_memory(r->e);
  e->value = high + 1;
  if (!output)
    return 0;
  const char **more = realloc(r->output, (r->outputs + 1) * sizeof *more);
  if (!more)
    return ut_fail_memory(r->e);
  r->output = more;
  r->output[r->outputs++] = p;
  return 0;
}

/* One more output port on a bit of a name; width 1 and index 0: a wire without bits. */
static int drive(struct reader *r, const char *name, size_t length, unsigned width, unsigned index) {
  char bit[1024];
  int n = width == 1 ? snprintf(bit, sizeof bit, "%.*s", (int)length, name)
                     : snprintf(bit, sizeof bit, "%.*s%s[%u]", (int)length, name, *name == '\\' ? " " : "", index);
  if (n < 0 || n >= (int)sizeof bit)
    return fail(r, name);
  const struct entry *e = r->net.size ? place_of(&r->net, bit, (size_t)n) : NULL;
  if (e && e->name)
    r->g->net[e->value].outputs++;
  return 0;
}

/* A name, a bit or bits of it, at p; a constant drives nothing. */
static int drive_part(struct reader *r, char **at) {
  char *p = *at;
  if (is_constant(p)) {
    *at = p + strcspn(p, ",}; ");
    return 0;
  }
  const size_t length = name_length(p);
  const struct entry *e = length ? place_of(&r->width, p, length) : NULL;
  if (!e || !e->name)
    return fail(r, p);
  unsigned high = e->value - 1, low = 0;
  char *next = skip(p + length);
  if (*next == '[') {
    high = low = (unsigned)strtoul(next + 1, &next, 10);
    if (*next == ':')
      low = (unsigned)strtoul(next + 1, &next, 10);
    next = skip(next + 1);
  }
  for (unsigned i = low; i <= high; i++)
    if (drive(r, p, length, e->value, i))
      return -1;
  *at = next;
  return 0;
}

/* "assign PORT = ...": who drives an output port.  Other assignments are names of the same net. */
static int read_assign(struct reader *r, char *p) {
  p = skip(p + strlen("assign"));
  const size_t length = name_length(p);
  bool output = false;
  for (size_t i = 0; i < r->outputs && !output; i++)
    output = name_length(r->output[i]) == length && !strncmp(r->output[i], p, length);
  char *equal = strchr(p, '=');
  if (!output || !equal)
    return 0;
  for (p = skip(equal + 1); *p;) {
    if (*p == '{' || *p == '}' || *p == ',')
      p = skip(p + 1);
    else if (drive_part(r, &p))
      return -1;
    p = skip(p);
  }
  return 0;
}

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

/* Statements end with a semicolon.  Cells come before assignments, so who drives an output is known by then. */
static int statements(struct reader *r, char *text) {
  for (char *p = text, *end; (end = strchr(p = skip_comments(p), ';')); p = end + 1) {
    const char *block = NULL;
    int status = 0;
    *end = '\0';
    char *s = skip_attributes(p, &block);
    if (begins(s, "assign"))
      status = read_assign(r, s);
    else if (begins(s, "wire") || begins(s, "input") || begins(s, "output"))
      status = read_declaration(r, s, begins(s, "output"));
    else if (!begins(s, "module"))
      status = read_instance(r, s, block);
    if (status)
      return -1;
  }
  return 0;
}

/* Output ports that a cell drives by their own name. */
static int own_outputs(struct reader *r) {
  for (size_t i = 0; i < r->outputs; i++) {
    const size_t length = name_length(r->output[i]);
    const unsigned width = place_of(&r->width, r->output[i], length)->value;
    for (unsigned bit = 0; bit < width; bit++)
      if (drive(r, r->output[i], length, width, bit))
        return -1;
  }
  return 0;
}

int ut_gates_read(struct ut_gates *g, const char *text, const char *path, struct ut_error *e) {
  struct reader r = {.g = g, .path = path, .e = e};
  *g = (struct ut_gates){.text = strdup(text)};
  int status = g->text ? statements(&r, g->text) || own_outputs(&r) : ut_fail_memory(e);
  if (!status && !g->gates)
    status = ut_fail(e, UT_INTERNAL, "%.900s: this netlist has no cells", path);
  free(r.width.entry);
  free(r.net.entry);
  free(r.output);
  return status ? -1 : 0;
}

void ut_gates_free(struct ut_gates *g) {
  for (size_t i = 0; i < g->nets; i++)
    free(g->net[i].name);
  free(g->text);
  free(g->gate);
  free(g->pin);
  free(g->net);
  *g = (struct ut_gates){0};
}
