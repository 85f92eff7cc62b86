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
static size_t base_of(const struct ut_gate_name *gate_name) {
  size_t length = gate_name->length;
  if (length && gate_name->name[length - 1] == ']')
    while (length && gate_name->name[--length] != '[')
      ;
  return length;
}
static unsigned long index_of(const struct ut_gate_name *gate_name) {
  const size_t base = base_of(gate_name);
  return base < gate_name->length ? strtoul(gate_name->name + base + 1, NULL, 10) : 0;
}

/* A register of the RTL, or a word of a memory: the last part of the name ends in _q, or in _q[number]. */
static bool is_register(const struct ut_gate_name *gate_name) {
  const size_t length = base_of(gate_name);
  return gate_name->kind == UT_GATE_WIRE && length > 2 && !strncmp(gate_name->name + length - 2, "_q", 2);
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

static void place(struct ut_image *image) {
  enum { GROUP = 8 * UT_IMAGE_GROUP };
  unsigned at = 0;
  int part = 0;
  for (struct ut_image_field *field = image->field; field < image->field + image->fields; field++) {
    for (; part < field->part; image->begin[++part] = at / 8)
      at = (at + GROUP - 1) / GROUP * GROUP;
    const unsigned alignment = alignment_of(field->size);
    at = (at + alignment - 1) / alignment * alignment;
    field->at = at;
    at += field->size;
  }
  for (; part < UT_IMAGE_PARTS; image->begin[++part] = at / 8)
    at = (at + GROUP - 1) / GROUP * GROUP;
}

/* Fields for the places of all memories, as if they were registers. */
static void add_places(struct ut_image *image, const struct ut_circuit *circuit) {
  struct ut_gate_name *name = image->place;
  char *text = image->text;
  for (const struct ut_memory *memory = circuit->memory; memory < circuit->memory + circuit->memories; memory++)
    for (unsigned i = 0; i < 1u << memory->address; i++, name++) {
      const int length = sprintf(text, "%.*s[%u]", (int)memory->length, memory->name, i);
      *name = (struct ut_gate_name){.name = text, .length = (size_t)length, .width = memory->width};
      text += length + 1;
      image->field[image->fields++] = (struct ut_image_field){
          .name = name, .size = ut_image_size(memory->width), .part = UT_IMAGE_MEMORIES, .memory = memory};
    }
}

int ut_image_make(struct ut_image *image, const struct ut_circuit *circuit, struct ut_error *e) {
  enum { INDEX = 8 /* "[65535]", and an end */ };
  const struct ut_gates *gates = &circuit->gates;
  size_t places = 0, letters = 0;
  for (const struct ut_memory *memory = circuit->memory; memory < circuit->memory + circuit->memories; memory++) {
    places += (size_t)1 << memory->address;
    letters += (memory->length + INDEX) << memory->address;
  }
  *image = (struct ut_image){.field = calloc(gates->names + places + 1, sizeof *image->field),
                             .place = calloc(places + 1, sizeof *image->place),
                             .text = malloc(letters + 1)};
  if (!image->field || !image->place || !image->text)
    return ut_fail_memory(e);
  add_places(image, circuit);
  for (const struct ut_gate_name *gate_name = gates->name; gate_name < gates->name + gates->names; gate_name++)
    if (gate_name->kind != UT_GATE_WIRE || is_register(gate_name))
      image->field[image->fields++] =
          (struct ut_image_field){.name = gate_name,
                                  .size = ut_image_size(gate_name->width),
                                  .part = gate_name->kind == UT_GATE_INPUT    ? UT_IMAGE_INPUTS
                                          : gate_name->kind == UT_GATE_OUTPUT ? UT_IMAGE_OUTPUTS
                                                                              : UT_IMAGE_REGISTERS};
  qsort(image->field, image->fields, sizeof *image->field, compare);
  place(image);
  return 0;
}

void ut_image_free(struct ut_image *image) {
  free(image->field);
  free(image->place);
  free(image->text);
  *image = (struct ut_image){0};
}

/* A port by its name, a wire as Verilator does: below the module, with other characters as codes. */
static void write_name(const struct ut_gate_name *gate_name, FILE *f) {
  if (gate_name->kind == UT_GATE_WIRE)
    fputs("ut_switch__DOT__", f);
  for (size_t i = gate_name->name[0] == '\\'; i < gate_name->length; i++)
    if (isalnum((unsigned char)gate_name->name[i]) || gate_name->name[i] == '_')
      fputc(gate_name->name[i], f);
    else
      fprintf(f, "__0%02x", (unsigned char)gate_name->name[i]);
}

void ut_image_write(const struct ut_image *image, FILE *f) {
  static const char *const types[] = {[1] = "CData", [2] = "SData", [4] = "IData", [8] = "QData"};
  unsigned part = 0;
  fputs("struct Root {\n", f);
  for (const struct ut_image_field *field = image->field; field < image->field + image->fields; field++) {
    const bool first = field == image->field || part != (unsigned)field->part;
    part = (unsigned)field->part;
    fputs(first ? "  alignas(32) " : "  ", f);
    if (field->name->width > 64)
      fprintf(f, "VlWide<%u> ", field->size / 4);
    else
      fprintf(f, "%s ", types[field->size]);
    write_name(field->name, f);
    fputs(";\n", f);
  }
  fputs("};\n", f);
  fprintf(f, "static_assert(sizeof(Root) == %u, \"the image is as its maker thinks\");\n",
          8 * image->begin[UT_IMAGE_PARTS]);
}
