/* SPDX-License-Identifier: Apache-2.0 */
/* slice.c - see slice.h */
#include "slice.h"

#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "memory_text.h"
#include "program.h"

struct maker {
  struct ut_slice *s;
  const struct ut_circuit *c;
  struct ut_error *e;
  unsigned words;
  struct ut_image image;
  struct ut_program clock, show;
  uint32_t *input;   /* [gates.bits]: where an input stands in x[]: its bit in the image */
  uint32_t *tap;     /* [bits of outputs and registers]: where each stands among the values */
  uint32_t *clocked; /* next values of flip-flops, then the signals of memories: enable, address, data of each */
  uint32_t *target;  /* values that are shown and are no flip-flops */
  uint32_t *at;      /* [memories]: the first place of each in the image, in bytes */
  size_t taps, clocks, targets;
};

/* Returns the index of a value that is shown: among flip-flops, or behind everything that is clocked. */
static uint32_t tap_of(struct maker *maker, uint32_t op) {
  if (maker->c->op[op].kind == UT_OP_STATE)
    return maker->c->op[op].a;
  for (size_t i = 0; i < maker->targets; i++)
    if (maker->target[i] == op)
      return (uint32_t)(maker->clocks + i);
  maker->target[maker->targets] = op;
  return (uint32_t)(maker->clocks + maker->targets++);
}

/* All that a clock computes. */
static int list_clocked(struct maker *maker) {
  const struct ut_circuit *circuit = maker->c;
  maker->clocked = calloc(circuit->states + circuit->memories * (1 + UT_MEMORY_ADDRESS) + circuit->fronts + 1,
                          sizeof *maker->clocked);
  if (!maker->clocked)
    return ut_fail_memory(maker->e);
  memcpy(maker->clocked, circuit->next, circuit->states * sizeof *maker->clocked);
  maker->clocks = circuit->states;
  for (const struct ut_memory *memory = circuit->memory; memory < circuit->memory + circuit->memories; memory++) {
    maker->clocked[maker->clocks++] = memory->enable;
    for (unsigned i = 0; i < memory->address; i++)
      maker->clocked[maker->clocks++] = memory->write[i];
    for (unsigned i = 0; i < memory->width; i++)
      maker->clocked[maker->clocks++] = circuit->data[memory->front + i];
  }
  return 0;
}

/* Finds a value for every bit of the image; a bit of no field shows 0. */
static int place(struct maker *maker) {
  const struct ut_gates *gates = &maker->c->gates;
  const unsigned *begin = maker->image.begin;
  maker->taps = 64 * (begin[UT_IMAGE_MEMORIES] - begin[UT_IMAGE_OUTPUTS]);
  maker->input = calloc(gates->bits + 1, sizeof *maker->input);
  maker->tap = calloc(maker->taps + 1, sizeof *maker->tap);
  maker->target = calloc(maker->taps + 1, sizeof *maker->target);
  maker->at = calloc(maker->c->memories + 1, sizeof *maker->at);
  if (!maker->input || !maker->tap || !maker->target || !maker->at)
    return ut_fail_memory(maker->e);
  const uint32_t zero = tap_of(maker, UT_OP_ZERO);
  for (size_t i = 0; i < maker->taps; i++)
    maker->tap[i] = zero;
  for (const struct ut_image_field *field = maker->image.field + maker->image.fields; field-- > maker->image.field;)
    if (field->memory)
      maker->at[field->memory - maker->c->memory] = field->at; /* the first place is the last one to say so */
  for (const struct ut_image_field *field = maker->image.field; field < maker->image.field + maker->image.fields;
       field++)
    for (unsigned i = 0; !field->memory && i < field->name->width; i++) {
      const uint32_t at = 8 * field->at + i;
      if (field->part == UT_IMAGE_INPUTS)
        maker->input[field->name->bit + i] = at;
      else
        maker->tap[at - 64 * begin[UT_IMAGE_OUTPUTS]] = tap_of(maker, maker->c->bit[field->name->bit + i]);
    }
  return 0;
}

/* ---- texts ---- */

static FILE *open_text(struct maker *maker, const char *name) {
  struct ut_slice_text *text = &maker->s->text[maker->s->texts++];
  snprintf(text->name, sizeof text->name, "%s", name);
  return ut_memory_open(&text->data, &text->size);
}
static int close_text(struct maker *maker, FILE *f) {
  return !f || ut_memory_close(f, &maker->s->text[maker->s->texts - 1].data) ? ut_fail_memory(maker->e) : 0;
}

static int write_header(struct maker *maker) {
  const unsigned *begin = maker->image.begin;
  FILE *f = open_text(maker, "gates.h");
  if (!f)
    return close_text(maker, f);
  fprintf(
      f,
      "#include <stdint.h>\n\n"
      "enum { UT_SLICE_WORDS = %u };\n"
      "typedef uint64_t ut_lanes%s;\n\n"
      "/* Values: what flip-flops hold, what memories take over, what else is shown, first of it 0; places for what\n"
      " * functions hand over; words of an image's parts. */\n"
      "enum { UT_FLIP_FLOPS = %zu, UT_ZERO = %zu, UT_VALUES = %zu, UT_TEMPORARIES = %u };\n"
      "enum { UT_IN_WORDS = %u, UT_OUT_WORDS = %u, UT_REGISTER_WORDS = %u, UT_MEMORY_WORDS = %u };\n\n"
      "/* A memory: bits of a place; bits of its address, and the flip-flops that point at its front; where its "
      "places\n"
      " * are in an image, from that byte on, of so many bytes; the front's first bit behind the inputs; what it "
      "takes\n"
      " * over, the first one of the values: enable, address, data. */\n"
      "struct ut_gates_memory {\n"
      "  uint32_t width, address, read[%d], at, size, front, write;\n"
      "};\n"
      "enum { UT_MEMORIES = %zu, UT_FRONTS = %zu };\n"
      "extern const struct ut_gates_memory ut_gates_memories[];\n\n"
      "/* s: flip-flops; x: inputs, as bits of the image, and fronts; n: flip-flops next, and what memories take over; "
      "or\n"
      " * what is shown, from UT_ZERO on. */\n"
      "void ut_gates_clock(const ut_lanes *s, const ut_lanes *x, ut_lanes *n, ut_lanes *t);\n"
      "void ut_gates_show(const ut_lanes *s, const ut_lanes *x, ut_lanes *n, ut_lanes *t);\n"
      "extern const uint32_t ut_gates_tap[]; /* by bit of outputs and registers: what it shows */\n",
      maker->words, maker->words == 1 ? "" : " __attribute__((vector_size(8 * UT_SLICE_WORDS)))", maker->c->states,
      maker->clocks, maker->clocks + maker->targets,
      (maker->clock.slots > maker->show.slots ? maker->clock.slots : maker->show.slots) + 1, begin[UT_IMAGE_OUTPUTS],
      begin[UT_IMAGE_REGISTERS] - begin[UT_IMAGE_OUTPUTS], begin[UT_IMAGE_MEMORIES] - begin[UT_IMAGE_REGISTERS],
      begin[UT_IMAGE_PARTS] - begin[UT_IMAGE_MEMORIES], UT_MEMORY_ADDRESS, maker->c->memories, maker->c->fronts);
  return close_text(maker, f);
}

static int write_root(struct maker *maker) {
  FILE *f = open_text(maker, "root_gen.h");
  if (f)
    ut_image_write(&maker->image, f);
  return close_text(maker, f);
}

/* The tables behind the code. */
static void write_tables(const struct maker *maker, FILE *f) {
  size_t write = maker->c->states;
  fputs("const uint32_t ut_gates_tap[] = {", f);
  for (size_t t = 0; t < maker->taps; t++)
    fprintf(f, "%s%u,", t % 16 ? " " : "\n  ", maker->tap[t]);
  fputs("\n};\nconst struct ut_gates_memory ut_gates_memories[] = {\n", f);
  for (size_t i = 0; i < maker->c->memories; i++) {
    const struct ut_memory *memory = &maker->c->memory[i];
    fprintf(f, "  {%u, %u, {", memory->width, memory->address);
    for (unsigned a = 0; a < memory->address; a++)
      fprintf(f, "%u, ", maker->c->op[memory->read[a]].a);
    fprintf(f, "}, %u, %u, %u, %zu},\n", maker->at[i], ut_image_size(memory->width), memory->front, write);
    write += 1 + memory->address + memory->width;
  }
  fputs("  {0},\n};\n", f);
}

static uint32_t share(uint32_t all, unsigned i) {
  return (uint32_t)((uint64_t)all * i / UT_SLICE_FILES);
}

static int write_code(struct maker *maker, unsigned i) {
  char name[16];
  snprintf(name, sizeof name, "gates_%u.c", i);
  FILE *f = open_text(maker, name);
  if (!f)
    return close_text(maker, f);
  fputs("#include \"gates.h\"\n", f);
  const struct ut_program_inputs inputs = {maker->input, 64 * maker->image.begin[UT_IMAGE_OUTPUTS]};
  ut_program_write_chunks(&maker->clock, share(maker->clock.chunks, i), share(maker->clock.chunks, i + 1), &inputs, f);
  ut_program_write_chunks(&maker->show, share(maker->show.chunks, i), share(maker->show.chunks, i + 1), &inputs, f);
  if (i == 0) {
    ut_program_write_calls(&maker->clock, f);
    ut_program_write_calls(&maker->show, f);
    write_tables(maker, f);
  }
  return close_text(maker, f);
}

static int make(struct maker *maker) {
  const struct ut_circuit *circuit = maker->c;
  if (ut_image_make(&maker->image, circuit, maker->e) || list_clocked(maker) || place(maker) ||
      ut_program_make(&maker->clock, circuit, "clock", maker->clocked, maker->clocks, maker->e) ||
      ut_program_make(&maker->show, circuit, "show", maker->target, maker->targets, maker->e) || write_header(maker) ||
      write_root(maker))
    return -1;
  for (unsigned i = 0; i < UT_SLICE_FILES; i++)
    if (write_code(maker, i))
      return -1;
  return 0;
}

unsigned ut_slice_words(uint32_t circuits) {
  unsigned words = 1;
  while (words < UT_SLICE_MAX_WORDS && 64 * words < circuits)
    words *= 2;
  return words;
}

int ut_slice_make(struct ut_slice *slice, const struct ut_circuit *circuit, unsigned words, struct ut_error *e) {
  struct maker maker = {.s = slice, .c = circuit, .e = e, .words = words};
  *slice = (struct ut_slice){0};
  const int status = make(&maker);
  ut_image_free(&maker.image);
  ut_program_free(&maker.clock);
  ut_program_free(&maker.show);
  free(maker.input);
  free(maker.tap);
  free(maker.clocked);
  free(maker.target);
  free(maker.at);
  return status;
}

void ut_slice_free(struct ut_slice *slice) {
  for (unsigned i = 0; i < slice->texts; i++)
    free(slice->text[i].data);
  *slice = (struct ut_slice){0};
}
