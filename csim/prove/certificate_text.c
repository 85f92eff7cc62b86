/* SPDX-License-Identifier: Apache-2.0 */
/* certificate_text.c - see certificate_text.h */
#define _GNU_SOURCE
#include "certificate_text.h"

#include <inttypes.h>
#include <string.h>

#include "memory_text.h"

/* ---- lists of numbers: "0-3,7" */

struct list {
  FILE *f;
  const char *end; /* behind each range */
  bool some;
  uint32_t first, last;
};

static void flush(struct list *list) {
  if (!list->some)
    return;
  fprintf(list->f, "%u", (unsigned)list->first);
  if (list->last > list->first)
    fprintf(list->f, "-%u", (unsigned)list->last);
  fputs(list->end, list->f);
}

static void put(struct list *list, uint32_t number, const char *between) {
  if (list->some && number == list->last + 1) {
    list->last = number;
    return;
  }
  if (list->some) {
    flush(list);
    fputs(between, list->f);
  }
  list->some = true;
  list->first = list->last = number;
}

/* ---- answers */

/* "4-7.0,2.1*": output ports, VC, a star for the bubble rule; "-": the packet is discarded. */
static void put_candidates(const struct ut_candidates *candidates, FILE *f) {
  static const char *const end[UT_MAX_VCS][2] = {{".0", ".0*"}, {".1", ".1*"}, {".2", ".2*"}, {".3", ".3*"},
                                                 {".4", ".4*"}, {".5", ".5*"}, {".6", ".6*"}, {".7", ".7*"}};
  bool some = false;
  for (unsigned i = 0; i < 2 * UT_MAX_VCS; i++) {
    struct list list = {.f = f, .end = end[i / 2][i % 2]};
    UT_FOR_EACH (port, candidates->cand[i / 2] & (i % 2 ? candidates->bubble[i / 2] : ~candidates->bubble[i / 2])) {
      if (some && !list.some)
        fputc(',', f);
      put(&list, port, ",");
      some = true;
    }
    flush(&list);
  }
  if (!some)
    fputc('-', f);
}

/* The lines of one row. */
static void put_groups(const struct ut_view_rows *rows, const struct ut_view_row *row, FILE *f) {
  for (uint32_t g = row->first; g < row->first + row->groups; g++) {
    const struct ut_row_group *group = &rows->group[g];
    struct list list = {.f = f, .end = ""};
    fputs("to ", f);
    for (uint32_t dst = 0; dst < rows->explorer->topology->terminals; dst++)
      if (ut_group_mask(rows, g)[dst / 64] >> dst % 64 & 1)
        put(&list, dst, ",");
    flush(&list);
    fputc(' ', f);
    put_candidates(&rows->candidates[group->candidates], f);
    fprintf(f, " %" PRIx64 " %u\n", group->set, (unsigned)group->rt);
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

static bool text_of_row(const struct ut_view_rows *rows, uint32_t number, struct piece *piece) {
  const struct ut_view_row *row = &rows->row[number];
  size_t size;
  *piece = (struct piece){.sw = rows->view[row->view].sw, .view = row->view, .rt = row->rt, .lane = row->lane};
  FILE *f = ut_memory_open(&piece->text, &size);
  if (!f)
    return false;
  put_groups(rows, row, f);
  return ut_memory_close(f, &piece->text) == 0;
}

/* Writes rows from..to-1 of one view, which have the same answers: one part, whose text begins with the list of their
 * input VCs. */
static bool merge_lanes(const struct piece *row, uint32_t from, uint32_t to, struct piece *piece) {
  size_t size;
  *piece = row[from];
  FILE *f = ut_memory_open(&piece->text, &size);
  if (!f)
    return false;
  struct list list = {.f = f, .end = ""};
  for (uint32_t i = from; i < to; i++)
    put(&list, row[i].lane, ",");
  flush(&list);
  fprintf(f, " %u\n%s", (unsigned)row[from].rt, row[from].text);
  return ut_memory_close(f, &piece->text) == 0;
}

static void put_partitions(const struct piece *piece, uint32_t count, FILE *f) {
  for (uint32_t from = 0, to; from < count; from = to) {
    struct list list = {.f = f, .end = ""};
    fputs("at ", f);
    for (to = from; to < count && piece[to].sw == piece[from].sw && !strcmp(piece[to].text, piece[from].text); to++)
      put(&list, piece[to].view, ",");
    flush(&list);
    fprintf(f, " %s", piece[from].text);
  }
}

bool ut_certificate_put_rows(const struct ut_view_rows *rows, FILE *f) {
  struct piece *row = calloc(rows->rows + 1, sizeof *row), *piece = calloc(rows->rows + 1, sizeof *piece);
  bool good = row && piece;
  uint32_t pieces = 0;
  for (uint32_t i = 0; i < rows->views; i++)
    fprintf(f, "view %u %" PRIx64 " %" PRIx64 " %" PRIx64 "\n", (unsigned)rows->view[i].sw, rows->view[i].up,
            rows->view[i].reports, rows->view[i].vector);
  for (uint32_t i = 0; good && i < rows->rows; i++)
    good = text_of_row(rows, i, &row[i]);
  if (good)
    qsort(row, rows->rows, sizeof *row, by_answer);
  for (uint32_t from = 0, to; good && from < rows->rows; from = to) {
    for (to = from + 1; to < rows->rows && row[to].view == row[from].view && row[to].rt == row[from].rt &&
                        !strcmp(row[to].text, row[from].text);
         to++)
      ;
    good = merge_lanes(row, from, to, &piece[pieces++]);
  }
  if (good) {
    qsort(piece, pieces, sizeof *piece, by_text);
    put_partitions(piece, pieces, f);
  }
  for (uint32_t i = 0; row && i < rows->rows; i++)
    free(row[i].text);
  for (uint32_t i = 0; piece && i < pieces; i++)
    free(piece[i].text);
  free(row), free(piece);
  return good;
}

void ut_certificate_put_ranks(const struct ut_rank_pool *pool, FILE *f) {
  const struct ut_explorer *explorer = pool->walk->explorer;
  const struct ut_topology *topo = explorer->topology;
  for (uint32_t i = 0; i < pool->count; i++) {
    fprintf(f, "ranks\n");
    for (uint32_t sw = 0; sw < topo->switches; sw++) {
      fprintf(f, "rank %u", (unsigned)sw);
      for (unsigned port = 0; port < topo->pi; port++)
        for (unsigned vc = 0; vc < explorer->v; vc++)
          fprintf(f, " %u", (unsigned)pool->ranks[i].rank[ut_explorer_channel(explorer, sw, port, vc)]);
      fprintf(f, "\n");
    }
  }
}

void ut_certificate_put_cables(const struct ut_topology *topo, FILE *f) {
  for (size_t i = 0; i < topo->links; i++) {
    const struct ut_link *link = &topo->link[i];
    fprintf(f, "cable %u %u %u %u\n", (unsigned)link->lower, link->lower_port, (unsigned)link->upper, link->upper_port);
  }
  for (uint32_t i = 0; i < topo->terminals; i++) {
    const struct ut_attachment at = ut_topology_attachment(topo, i);
    fprintf(f, "terminal %u %u %u\n", (unsigned)i, (unsigned)at.sw, at.out_port);
  }
}
