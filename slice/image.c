/* SPDX-License-Identifier: Apache-2.0 */
/* image.c - see image.h */
#include "image.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Verilator's types: up to 64 bits an integer, above words of 32 bits. */
unsigned ut_image_size(unsigned width) {
  return width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : width <= 64 ? 8 : (width + 31) / 32 * 4;
}
static unsigned alignment_of(unsigned size) {
  return size <= 8 ? size : 4;
}

/* A name without the number of a word, and that number. */
static size_t base_of(const struct ut_gate_name *n) {
  size_t length = n->length;
  if (length && n->name[length - 1] == ']')
    while (length && n->name[--length] != '[')
      ;
  return length;
}
static unsigned long index_of(const struct ut_gate_name *n) {
  const size_t base = base_of(n);
  return base < n->length ? strtoul(n->name + base + 1, NULL, 10) : 0;
}

/* A register of the RTL, or a word of a memory: the last part of the name ends in _q, or in _q[number]. */
static bool is_register(const struct ut_gate_name *n) {
  const size_t length = base_of(n);
  return n->kind == UT_GATE_WIRE && length > 2 && !strncmp(n->name + length - 2, "_q", 2);
}

/* Parts one after the other; in each the largest alignment first, so that there are no holes; then by name: registers
 * of a VC close together, words of a memory one after the other. */
static int compare(const void *x, const void *y) {
  const struct ut_image_field *a = x, *b = y;
  const unsigned left = alignment_of(a->size), right = alignment_of(b->size);
  if (a->part != b->part)
    return a->part - b->part;
  if (left != right)
    return left > right ? -1 : 1;
  const size_t one = base_of(a->name), other = base_of(b->name);
  const int order = memcmp(a->name->name, b->name->name, one < other ? one : other);
  if (order || one != other)
    return order ? order : one < other ? -1 : 1;
  const unsigned long first = index_of(a->name), second = index_of(b->name);
  return (first > second) - (first < second);
}

static void place(struct ut_image *m) {
  enum { GROUP = 8 * UT_IMAGE_GROUP };
  unsigned at = 0;
  int part = 0;
  for (struct ut_image_field *f = m->field; f < m->field + m->fields; f++) {
    for (; part < f->part; m->begin[++part] = at / 8)
      at = (at + GROUP - 1) / GROUP * GROUP;
    const unsigned alignment = alignment_of(f->size);
    at = (at + alignment - 1) / alignment * alignment;
    f->at = at;
    at += f->size;
  }
  for (; part < UT_IMAGE_PARTS; m->begin[++part] = at / 8)
    at = (at + GROUP - 1) / GROUP * GROUP;
}

/* Fields for the places of all memories, as if they were registers. */
static void add_places(struct ut_image *m, const struct ut_circuit *c) {
  struct ut_gate_name *name = m->place;
  char *text = m->text;
  for (const struct ut_memory *x = c->memory; x < c->memory + c->memories; x++)
    for (unsigned i = 0; i < 1u << x->address; i++, name++) {
      const int length = sprintf(text, "%.*s[%u]", (int)x->length, x->name, i);
      *name = (struct ut_gate_name){.name = text, .length = (size_t)length, .width = x->width};
      text += length + 1;
      m->field[m->fields++] = (struct ut_image_field){
          .name = name, .size = ut_image_size(x->width), .part = UT_IMAGE_MEMORIES, .memory = x};
    }
}

int ut_image_make(struct ut_image *m, const struct ut_circuit *c, struct ut_error *e) {
  enum { INDEX = 8 /* "[65535]", and an end */ };
  const struct ut_gates *g = &c->gates;
  size_t places = 0, letters = 0;
  for (const struct ut_memory *x = c->memory; x < c->memory + c->memories; x++) {
    places += (size_t)1 << x->address;
    letters += (x->length + INDEX) << x->address;
  }
  *m = (struct ut_image){.field = calloc(g->names + places + 1, sizeof *m->field),
                         .place = calloc(places + 1, sizeof *m->place),
                         .text = malloc(letters + 1)};
  if (!m->field || !m->place || !m->text)
    return ut_fail_memory(e);
  add_places(m, c);
  for (const struct ut_gate_name *n = g->name; n < g->name + g->names; n++)
    if (n->kind != UT_GATE_WIRE || is_register(n))
      m->field[m->fields++] = (struct ut_image_field){.name = n,
                                                      .size = ut_image_size(n->width),
                                                      .part = n->kind == UT_GATE_INPUT    ? UT_IMAGE_INPUTS
                                                              : n->kind == UT_GATE_OUTPUT ? UT_IMAGE_OUTPUTS
                                                                                          : UT_IMAGE_REGISTERS};
  qsort(m->field, m->fields, sizeof *m->field, compare);
  place(m);
  return 0;
}

void ut_image_free(struct ut_image *m) {
  free(m->field);
  free(m->place);
  free(m->text);
  *m = (struct ut_image){0};
}

/* A port by its name, a wire as Verilator does: below the module, with other characters as codes. */
static void write_name(const struct ut_gate_name *n, FILE *f) {
  if (n->kind == UT_GATE_WIRE)
    fputs("ut_switch__DOT__", f);
  for (size_t i = n->name[0] == '\\'; i < n->length; i++)
    if (isalnum((unsigned char)n->name[i]) || n->name[i] == '_')
      fputc(n->name[i], f);
    else
      fprintf(f, "__0%02x", (unsigned char)n->name[i]);
}

void ut_image_write(const struct ut_image *m, FILE *f) {
  static const char *const types[] = {[1] = "CData", [2] = "SData", [4] = "IData", [8] = "QData"};
  unsigned part = 0;
  fputs("struct Root {\n", f);
  for (const struct ut_image_field *d = m->field; d < m->field + m->fields; d++) {
    const bool first = d == m->field || part != (unsigned)d->part;
    part = (unsigned)d->part;
    fputs(first ? "  alignas(32) " : "  ", f);
    if (d->name->width > 64)
      fprintf(f, "VlWide<%u> ", d->size / 4);
    else
      fprintf(f, "%s ", types[d->size]);
    write_name(d->name, f);
    fputs(";\n", f);
  }
  fputs("};\n", f);
  fprintf(f, "static_assert(sizeof(Root) == %u, \"the image is as its maker thinks\");\n",
          8 * m->begin[UT_IMAGE_PARTS]);
}
