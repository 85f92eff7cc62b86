/* SPDX-License-Identifier: Apache-2.0 */
/* certificate_text.c - see certificate_text.h */
#define _GNU_SOURCE
#include "certificate_text.h"

#include <string.h>

#include "memory_text.h"

/* ---- lists of numbers: "0-3,7" */

struct list {
  FILE *f;
  const char *end; /* behind each range */
  bool some;
  uint32_t first, last;
};

static void flush(struct list *l) {
  if (!l->some)
    return;
  fprintf(l->f, "%u", (unsigned)l->first);
  if (l->last > l->first)
    fprintf(l->f, "-%u", (unsigned)l->last);
  fputs(l->end, l->f);
}

static void put(struct list *l, uint32_t number, const char *between) {
  if (l->some && number == l->last + 1) {
    l->last = number;
    return;
  }
  if (l->some) {
    flush(l);
    fputs(between, l->f);
  }
  l->some = true;
  l->first = l->last = number;
}

/* ---- answers */

/* "4-7.0,2.1*": output ports, VC, a star for the bubble rule; "-": the packet is discarded. */
static void put_candidates(const struct ut_candidates *c, FILE *f) {
  static const char *const end[UT_MAX_VCS][2] = {{".0", ".0*"}, {".1", ".1*"}, {".2", ".2*"}, {".3", ".3*"},
                                                 {".4", ".4*"}, {".5", ".5*"}, {".6", ".6*"}, {".7", ".7*"}};
  bool some = false;
  for (unsigned i = 0; i < 2 * UT_MAX_VCS; i++) {
    struct list l = {.f = f, .end = end[i / 2][i % 2]};
    UT_FOR_EACH (port, c->cand[i / 2] & (i % 2 ? c->bubble[i / 2] : ~c->bubble[i / 2])) {
      if (some && !l.some)
        fputc(',', f);
      put(&l, port, ",");
      some = true;
    }
    flush(&l);
  }
  if (!some)
    fputc('-', f);
}

/* The lines of one row. */
static void put_groups(const struct ut_view_rows *r, const struct ut_view_row *row, FILE *f) {
  for (uint32_t g = row->first; g < row->first + row->groups; g++) {
    const struct ut_row_group *group = &r->group[g];
    struct list l = {.f = f, .end = ""};
    fputs("to ", f);
    for (uint32_t dst = 0; dst < r->explorer->topology->terminals; dst++)
      if (ut_group_mask(r, g)[dst / 64] >> dst % 64 & 1)
        put(&l, dst, ",");
    flush(&l);
    fputc(' ', f);
    put_candidates(&r->candidates[group->candidates], f);
    fprintf(f, " %x %u\n", (unsigned)group->set, (unsigned)group->rt);
  }
}

/* ---- rows that are the same are written once */

struct piece {
  uint32_t sw, view, rt, lane;
  char *text;
};

static int compare(uint32_t a, uint32_t b) {
  return a < b ? -1 : a > b;
}

static int by_answer(const void *a, const void *b) {
  const struct piece *p = a, *q = b;
  int order = compare(p->sw, q->sw);
  order = order ? order : compare(p->view, q->view);
  order = order ? order : compare(p->rt, q->rt);
  order = order ? order : strcmp(p->text, q->text);
  return order ? order : compare(p->lane, q->lane);
}

static int by_text(const void *a, const void *b) {
  const struct piece *p = a, *q = b;
  int order = compare(p->sw, q->sw);
  order = order ? order : strcmp(p->text, q->text);
  return order ? order : compare(p->view, q->view);
}

static bool text_of_row(const struct ut_view_rows *r, uint32_t number, struct piece *p) {
  const struct ut_view_row *row = &r->row[number];
  size_t size;
  *p = (struct piece){.sw = r->view[row->view].sw, .view = row->view, .rt = row->rt, .lane = row->lane};
  FILE *f = ut_memory_open(&p->text, &size);
  if (!f)
    return false;
  put_groups(r, row, f);
  return ut_memory_close(f, &p->text) == 0;
}

/* Rows from..to-1 of one view have the same answers: one piece, whose text begins with the list of their input VCs. */
static bool merge_lanes(const struct piece *row, uint32_t from, uint32_t to, struct piece *p) {
  size_t size;
  *p = row[from];
  FILE *f = ut_memory_open(&p->text, &size);
  if (!f)
    return false;
  struct list l = {.f = f, .end = ""};
  for (uint32_t i = from; i < to; i++)
    put(&l, row[i].lane, ",");
  flush(&l);
  fprintf(f, " %u\n%s", (unsigned)row[from].rt, row[from].text);
  return ut_memory_close(f, &p->text) == 0;
}

static void put_partitions(const struct piece *p, uint32_t count, FILE *f) {
  for (uint32_t from = 0, to; from < count; from = to) {
    struct list l = {.f = f, .end = ""};
    fputs("at ", f);
    for (to = from; to < count && p[to].sw == p[from].sw && !strcmp(p[to].text, p[from].text); to++)
      put(&l, p[to].view, ",");
    flush(&l);
    fprintf(f, " %s", p[from].text);
  }
}

bool ut_certificate_put_rows(const struct ut_view_rows *r, FILE *f) {
  struct piece *row = calloc(r->rows + 1, sizeof *row), *piece = calloc(r->rows + 1, sizeof *piece);
  bool good = row && piece;
  uint32_t pieces = 0;
  for (uint32_t i = 0; i < r->views; i++)
    fprintf(f, "view %u %x %x %x\n", (unsigned)r->view[i].sw, (unsigned)r->view[i].up, (unsigned)r->view[i].reports,
            (unsigned)r->view[i].vector);
  for (uint32_t i = 0; good && i < r->rows; i++)
    good = text_of_row(r, i, &row[i]);
  if (good)
    qsort(row, r->rows, sizeof *row, by_answer);
  for (uint32_t from = 0, to; good && from < r->rows; from = to) {
    for (to = from + 1; to < r->rows && row[to].view == row[from].view && row[to].rt == row[from].rt &&
                        !strcmp(row[to].text, row[from].text);
         to++)
      ;
    good = merge_lanes(row, from, to, &piece[pieces++]);
  }
  if (good) {
    qsort(piece, pieces, sizeof *piece, by_text);
    put_partitions(piece, pieces, f);
  }
  for (uint32_t i = 0; row && i < r->rows; i++)
    free(row[i].text);
  for (uint32_t i = 0; piece && i < pieces; i++)
    free(piece[i].text);
  free(row), free(piece);
  return good;
}

void ut_certificate_put_ranks(const struct ut_rank_pool *p, FILE *f) {
  const struct ut_explorer *x = p->walk->explorer;
  const struct ut_topology *t = x->topology;
  for (uint32_t i = 0; i < p->count; i++) {
    fprintf(f, "ranks\n");
    for (uint32_t sw = 0; sw < t->switches; sw++) {
      fprintf(f, "rank %u", (unsigned)sw);
      for (unsigned port = 0; port < t->pi; port++)
        for (unsigned vc = 0; vc < x->v; vc++)
          fprintf(f, " %u", (unsigned)p->ranks[i].rank[ut_explorer_channel(x, sw, port, vc)]);
      fprintf(f, "\n");
    }
  }
}
