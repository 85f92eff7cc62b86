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
  uint32_t *input;  /* [gates.bits]: where an input stands in x[]: its bit in the image */
  uint32_t *tap;    /* [bits of outputs and registers]: where each stands behind the flip-flops */
  uint32_t *target; /* what is shown that is no flip-flop */
  size_t taps, targets;
};

/* Where a value stands for who shows it: among flip-flops, or behind them. */
static uint32_t tap_of(struct maker *m, uint32_t op) {
  if (m->c->op[op].kind == UT_OP_STATE)
    return m->c->op[op].a;
  for (size_t i = 0; i < m->targets; i++)
    if (m->target[i] == op)
      return (uint32_t)(m->c->states + i);
  m->target[m->targets] = op;
  return (uint32_t)(m->c->states + m->targets++);
}

/* Every bit of the image: what is no bit of a field shows 0. */
static int place(struct maker *m) {
  const struct ut_gates *g = &m->c->gates;
  const unsigned *begin = m->image.begin;
  m->taps = 64 * (begin[UT_IMAGE_PARTS] - begin[UT_IMAGE_OUTPUTS]);
  m->input = calloc(g->bits + 1, sizeof *m->input);
  m->tap = calloc(m->taps + 1, sizeof *m->tap);
  m->target = calloc(m->taps + 1, sizeof *m->target);
  if (!m->input || !m->tap || !m->target)
    return ut_fail_memory(m->e);
  const uint32_t zero = tap_of(m, UT_OP_ZERO);
  for (size_t i = 0; i < m->taps; i++)
    m->tap[i] = zero;
  for (const struct ut_image_field *f = m->image.field; f < m->image.field + m->image.fields; f++)
    for (unsigned i = 0; i < f->name->width; i++) {
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
      "/* What flip-flops hold, behind them what else is shown, first of it 0; places for what functions hand over;\n"
      " * words of an image's parts. */\n"
      "enum { UT_FLIP_FLOPS = %zu, UT_ZERO = UT_FLIP_FLOPS, UT_VALUES = %zu, UT_TEMPORARIES = %u };\n"
      "enum { UT_IN_WORDS = %u, UT_OUT_WORDS = %u, UT_REGISTER_WORDS = %u };\n\n"
      "/* s: flip-flops; x: inputs, as bits of the image; n: the flip-flops next, or what is shown behind them. */\n"
      "void ut_gates_clock(const ut_lanes *s, const ut_lanes *x, ut_lanes *n, ut_lanes *t);\n"
      "void ut_gates_show(const ut_lanes *s, const ut_lanes *x, ut_lanes *n, ut_lanes *t);\n"
      "extern const uint32_t ut_gates_tap[]; /* by bit of outputs and registers: what it shows */\n",
      m->words, m->words == 1 ? "" : " __attribute__((vector_size(8 * UT_SLICE_WORDS)))", m->c->states,
      m->c->states + m->targets, (m->clock.slots > m->show.slots ? m->clock.slots : m->show.slots) + 1,
      begin[UT_IMAGE_OUTPUTS], begin[UT_IMAGE_REGISTERS] - begin[UT_IMAGE_OUTPUTS],
      begin[UT_IMAGE_PARTS] - begin[UT_IMAGE_REGISTERS]);
  return close_text(m, f);
}

static int write_root(struct maker *m) {
  FILE *f = open_text(m, "root_gen.h");
  if (f)
    ut_image_write(&m->image, f);
  return close_text(m, f);
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
  ut_program_write_chunks(&m->clock, share(m->clock.chunks, i), share(m->clock.chunks, i + 1), m->input, f);
  ut_program_write_chunks(&m->show, share(m->show.chunks, i), share(m->show.chunks, i + 1), m->input, f);
  if (i == 0) {
    ut_program_write_calls(&m->clock, f);
    ut_program_write_calls(&m->show, f);
    fputs("const uint32_t ut_gates_tap[] = {", f);
    for (size_t t = 0; t < m->taps; t++)
      fprintf(f, "%s%u,", t % 16 ? " " : "\n  ", m->tap[t]);
    fputs("\n};\n", f);
  }
  return close_text(m, f);
}

static int make(struct maker *m) {
  const struct ut_circuit *c = m->c;
  if (ut_image_make(&m->image, &c->gates, m->e) || place(m) ||
      ut_program_make(&m->clock, c, "clock", c->next, c->states, m->e) ||
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
  free(m.target);
  return status;
}

void ut_slice_free(struct ut_slice *s) {
  for (unsigned i = 0; i < s->texts; i++)
    free(s->text[i].data);
  *s = (struct ut_slice){0};
}
