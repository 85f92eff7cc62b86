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
  uint32_t *clocked; /* what flip-flops take over, and behind it what memories do: enable, address, data of each */
  uint32_t *target;  /* what is shown that is no flip-flop */
  uint32_t *at;      /* [memories]: the first place of each in the image, in bytes */
  size_t taps, clocks, targets;
};

/* Where a value stands for who shows it: among flip-flops, or behind all that is clocked. */
static uint32_t tap_of(struct maker *m, uint32_t op) {
  if (m->c->op[op].kind == UT_OP_STATE)
    return m->c->op[op].a;
  for (size_t i = 0; i < m->targets; i++)
    if (m->target[i] == op)
      return (uint32_t)(m->clocks + i);
  m->target[m->targets] = op;
  return (uint32_t)(m->clocks + m->targets++);
}

/* All that a clock computes. */
static int list_clocked(struct maker *m) {
  const struct ut_circuit *c = m->c;
  m->clocked = calloc(c->states + c->memories * (1 + UT_MEMORY_ADDRESS) + c->fronts + 1, sizeof *m->clocked);
  if (!m->clocked)
    return ut_fail_memory(m->e);
  memcpy(m->clocked, c->next, c->states * sizeof *m->clocked);
  m->clocks = c->states;
  for (const struct ut_memory *x = c->memory; x < c->memory + c->memories; x++) {
    m->clocked[m->clocks++] = x->enable;
    for (unsigned i = 0; i < x->address; i++)
      m->clocked[m->clocks++] = x->write[i];
    for (unsigned i = 0; i < x->width; i++)
      m->clocked[m->clocks++] = c->data[x->front + i];
  }
  return 0;
}

/* Every bit of the image: what is no bit of a field shows 0. */
static int place(struct maker *m) {
  const struct ut_gates *g = &m->c->gates;
  const unsigned *begin = m->image.begin;
  m->taps = 64 * (begin[UT_IMAGE_MEMORIES] - begin[UT_IMAGE_OUTPUTS]);
  m->input = calloc(g->bits + 1, sizeof *m->input);
  m->tap = calloc(m->taps + 1, sizeof *m->tap);
  m->target = calloc(m->taps + 1, sizeof *m->target);
  m->at = calloc(m->c->memories + 1, sizeof *m->at);
  if (!m->input || !m->tap || !m->target || !m->at)
    return ut_fail_memory(m->e);
  const uint32_t zero = tap_of(m, UT_OP_ZERO);
  for (size_t i = 0; i < m->taps; i++)
    m->tap[i] = zero;
  for (const struct ut_image_field *f = m->image.field + m->image.fields; f-- > m->image.field;)
    if (f->memory)
      m->at[f->memory - m->c->memory] = f->at; /* the first place is the last one to say so */
  for (const struct ut_image_field *f = m->image.field; f < m->image.field + m->image.fields; f++)
    for (unsigned i = 0; !f->memory && i < f->name->width; i++) {
      const uint32_t at = 8 * f->at + i;
      if (f->part == UT_IMAGE_INPUTS)
        m->input[f->name->bit + i] = at;
      else
        m->tap[at - 64 * begin[UT_IMAGE_OUTPUTS]] = tap_of(m, m->c->bit[f->name->bit + i]);
    }
  return 0;
}

/* ---- texts ---- */

static FILE *open_text(struct maker *m, const char *name) {
  struct ut_slice_text *t = &m->s->text[m->s->texts++];
  snprintf(t->name, sizeof t->name, "%s", name);
  return ut_memory_open(&t->data, &t->size);
}
static int close_text(struct maker *m, FILE *f) {
  return !f || ut_memory_close(f, &m->s->text[m->s->texts - 1].data) ? ut_fail_memory(m->e) : 0;
}

static int write_header(struct maker *m) {
  const unsigned *begin = m->image.begin;
  FILE *f = open_text(m, "gates.h");
  if (!f)
    return close_text(m, f);
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
      m->words, m->words == 1 ? "" : " __attribute__((vector_size(8 * UT_SLICE_WORDS)))", m->c->states, m->clocks,
      m->clocks + m->targets, (m->clock.slots > m->show.slots ? m->clock.slots : m->show.slots) + 1,
      begin[UT_IMAGE_OUTPUTS], begin[UT_IMAGE_REGISTERS] - begin[UT_IMAGE_OUTPUTS],
      begin[UT_IMAGE_MEMORIES] - begin[UT_IMAGE_REGISTERS], begin[UT_IMAGE_PARTS] - begin[UT_IMAGE_MEMORIES],
      UT_MEMORY_ADDRESS, m->c->memories, m->c->fronts);
  return close_text(m, f);
}

static int write_root(struct maker *m) {
  FILE *f = open_text(m, "root_gen.h");
  if (f)
    ut_image_write(&m->image, f);
  return close_text(m, f);
}

/* The tables behind the code. */
static void write_tables(const struct maker *m, FILE *f) {
  size_t write = m->c->states;
  fputs("const uint32_t ut_gates_tap[] = {", f);
  for (size_t t = 0; t < m->taps; t++)
    fprintf(f, "%s%u,", t % 16 ? " " : "\n  ", m->tap[t]);
  fputs("\n};\nconst struct ut_gates_memory ut_gates_memories[] = {\n", f);
  for (size_t i = 0; i < m->c->memories; i++) {
    const struct ut_memory *x = &m->c->memory[i];
    fprintf(f, "  {%u, %u, {", x->width, x->address);
    for (unsigned a = 0; a < x->address; a++)
      fprintf(f, "%u, ", m->c->op[x->read[a]].a);
    fprintf(f, "}, %u, %u, %u, %zu},\n", m->at[i], ut_image_size(x->width), x->front, write);
    write += 1 + x->address + x->width;
  }
  fputs("  {0},\n};\n", f);
}

static uint32_t share(uint32_t all, unsigned i) {
  return (uint32_t)((uint64_t)all * i / UT_SLICE_FILES);
}

static int write_code(struct maker *m, unsigned i) {
  char name[16];
  snprintf(name, sizeof name, "gates_%u.c", i);
  FILE *f = open_text(m, name);
  if (!f)
    return close_text(m, f);
  fputs("#include \"gates.h\"\n", f);
  const struct ut_program_inputs x = {m->input, 64 * m->image.begin[UT_IMAGE_OUTPUTS]};
  ut_program_write_chunks(&m->clock, share(m->clock.chunks, i), share(m->clock.chunks, i + 1), &x, f);
  ut_program_write_chunks(&m->show, share(m->show.chunks, i), share(m->show.chunks, i + 1), &x, f);
  if (i == 0) {
    ut_program_write_calls(&m->clock, f);
    ut_program_write_calls(&m->show, f);
    write_tables(m, f);
  }
  return close_text(m, f);
}

static int make(struct maker *m) {
  const struct ut_circuit *c = m->c;
  if (ut_image_make(&m->image, c, m->e) || list_clocked(m) || place(m) ||
      ut_program_make(&m->clock, c, "clock", m->clocked, m->clocks, m->e) ||
      ut_program_make(&m->show, c, "show", m->target, m->targets, m->e) || write_header(m) || write_root(m))
    return -1;
  for (unsigned i = 0; i < UT_SLICE_FILES; i++)
    if (write_code(m, i))
      return -1;
  return 0;
}

unsigned ut_slice_words(uint32_t circuits) {
  unsigned words = 1;
  while (words < UT_SLICE_MAX_WORDS && 64 * words < circuits)
    words *= 2;
  return words;
}

int ut_slice_make(struct ut_slice *s, const struct ut_circuit *c, unsigned words, struct ut_error *e) {
  struct maker m = {.s = s, .c = c, .e = e, .words = words};
  *s = (struct ut_slice){0};
  const int status = make(&m);
  ut_image_free(&m.image);
  ut_program_free(&m.clock);
  ut_program_free(&m.show);
  free(m.input);
  free(m.tap);
  free(m.clocked);
  free(m.target);
  free(m.at);
  return status;
}

void ut_slice_free(struct ut_slice *s) {
  for (unsigned i = 0; i < s->texts; i++)
    free(s->text[i].data);
  *s = (struct ut_slice){0};
}
