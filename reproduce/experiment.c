/* SPDX-License-Identifier: Apache-2.0 */
/* experiment.c - see experiment.h */
#define _GNU_SOURCE
#include "experiment.h"

#include <errno.h>
#include <fts.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cache_files.h"
#include "input.h"
#include "input_limits.h"
#include "memory_text.h"
#include "nearest.h"
#include "scenario_document.h"
#include "scenario_schema.h"
#include "yaml_edit.h"

/* ---- what stands in a document */

static const char *const keys[] = {"title", "source", "notes", "sweeps", "plot", "differences"};
static const char *const picture_keys[] = {"sweep", "title", "x", "y", "x_title", "y_title", "series", "where", "log"};
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The key of a pair; NULL: it is no word. */
static const char *word_of(struct ut_document *d, int node) {
  const yaml_node_t *n = yaml_document_get_node(&d->yaml, node);
  return n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : NULL;
}

/* Fails where a mapping has a key that is not in the list. */
static int check_keys(struct ut_document *d, yaml_node_t *map, const char *const *names, size_t count,
                      struct ut_error *e) {
  char found[UT_FOUND_SIZE], hint[256];
  if (map->type != YAML_MAPPING_NODE)
    return ut_document_fail(d, map, e, NULL, "keys are expected here, found %s", ut_document_found(map, found));
  for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
    const char *key = word_of(d, p->key);
    bool known = false;
    for (size_t i = 0; key && i < count; i++)
      known |= !strcmp(key, names[i]);
    if (!known)
      return ut_document_fail(d, yaml_document_get_node(&d->yaml, p->key), e,
                              ut_schema_hint(key ? key : "", names, count, hint, sizeof hint), "unknown key");
  }
  return 0;
}

/* A copy of the text at a key of `from`; NULL where it is missing, which is an error if it must be there. */
static int read_text(struct ut_document *d, yaml_node_t *from, const char *key, bool must, char **text,
                     struct ut_error *e) {
  char found[UT_FOUND_SIZE];
  yaml_node_t *node = ut_document_find(d, from, key);
  *text = NULL;
  if (!node)
    return must ? ut_document_fail(d, from, e, NULL, "'%s' is missing", key) : 0;
  if (node->type != YAML_SCALAR_NODE)
    return ut_document_fail(d, node, e, NULL, "'%s' is a text; found %s", key, ut_document_found(node, found));
  *text = strdup((const char *)node->data.scalar.value);
  return *text ? 0 : ut_fail_memory(e);
}

/* A word, or a list of them, as one text with commas. */
static int read_words(struct ut_document *d, yaml_node_t *from, const char *key, char **text, struct ut_error *e) {
  yaml_node_t *list = ut_document_find(d, from, key);
  size_t size;
  if (!list || list->type != YAML_SEQUENCE_NODE)
    return read_text(d, from, key, false, text, e);
  FILE *f = ut_memory_open(text, &size);
  if (!f)
    return ut_fail_memory(e);
  for (yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top; i++)
    fprintf(f, "%s%s", i > list->data.sequence.items.start ? "," : "", word_of(d, *i) ? word_of(d, *i) : "");
  return ut_memory_close(f, text) ? ut_fail_memory(e) : 0;
}

static bool is_number(const char *text) {
  char *end;
  strtod(text, &end);
  return end != text && !*end;
}

/* A condition of SQL, or keys with the values that they must have. */
static int read_condition(struct ut_document *d, yaml_node_t *from, const char *key, char **text, struct ut_error *e) {
  yaml_node_t *map = ut_document_find(d, from, key);
  size_t size;
  if (!map || map->type != YAML_MAPPING_NODE)
    return read_text(d, from, key, false, text, e);
  FILE *f = ut_memory_open(text, &size);
  if (!f)
    return ut_fail_memory(e);
  for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
    const char *name = word_of(d, p->key), *value = word_of(d, p->value);
    const char *quote = value && is_number(value) ? "" : "'";
    fprintf(f, "%s\"%s\" = %s%s%s", p > map->data.mapping.pairs.start ? " AND " : "", name ? name : "", quote,
            value ? value : "", quote);
  }
  return ut_memory_close(f, text) ? ut_fail_memory(e) : 0;
}

/* ---- sweeps */

/* The sweep as a document of its own: its keys, and those of `quick` in their place or left out. */
static int write_sweep(struct ut_document *d, yaml_node_t *from, bool quick, struct ut_experiment_sweep *s,
                       struct ut_error *e) {
  yaml_document_t out;
  yaml_node_t *instead = ut_document_find(d, from, "quick");
  if (!yaml_document_initialize(&out, NULL, NULL, NULL, 1, 1))
    return ut_fail_memory(e);
  int status = yaml_document_add_mapping(&out, NULL, YAML_BLOCK_MAPPING_STYLE) ? 0 : ut_fail_memory(e);
  for (int round = 0; round < 2 && !status; round++) {
    const yaml_node_t *map = round ? (quick ? instead : NULL) : from;
    if (map && map->type != YAML_MAPPING_NODE)
      status = ut_document_fail(d, map, e, NULL, "the keys of a sweep are expected here");
    for (yaml_node_pair_t *p = !map || status ? NULL : map->data.mapping.pairs.start;
         p && p < map->data.mapping.pairs.top && !status; p++) {
      const char *key = word_of(d, p->key);
      if (!key || (!round && !strcmp(key, "quick")))
        continue;
      const int value = ut_yaml_copy(&out, &d->yaml, yaml_document_get_node(&d->yaml, p->value));
      status = value ? ut_yaml_set(&out, key, value, e) : ut_fail_memory(e);
    }
  }
  if (status) {
    yaml_document_delete(&out);
    return -1;
  }
  s->text = ut_yaml_text(&out, &s->length, e);
  return s->text ? 0 : -1;
}

static int read_sweeps(struct ut_experiment *x, struct ut_document *d, bool quick, struct ut_error *e) {
  yaml_node_t *map = ut_document_find(d, NULL, "sweeps");
  if (!map || map->type != YAML_MAPPING_NODE)
    return ut_document_fail(d, map, e, "as in `sweeps: {trees: {run: run, base: ..., axes: ...}}`",
                            "an experiment has sweeps, each with a name");
  const size_t count = (size_t)(map->data.mapping.pairs.top - map->data.mapping.pairs.start);
  x->sweep = calloc(count + 1, sizeof *x->sweep);
  if (!x->sweep)
    return ut_fail_memory(e);
  for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
    struct ut_experiment_sweep *s = &x->sweep[x->sweeps];
    yaml_node_t *from = yaml_document_get_node(&d->yaml, p->value);
    const char *name = word_of(d, p->key);
    if (!name || from->type != YAML_MAPPING_NODE)
      return ut_document_fail(d, from, e, NULL, "a sweep with a name is expected here");
    if (!(s->name = strdup(name)))
      return ut_fail_memory(e);
    x->sweeps++;
    const yaml_node_t *run = ut_document_find(d, from, "run");
    s->simulated = !run || run->type != YAML_SCALAR_NODE || !strcmp((const char *)run->data.scalar.value, "run") ||
                   !strcmp((const char *)run->data.scalar.value, "cosim");
    if (write_sweep(d, from, quick, s, e))
      return -1;
  }
  return 0;
}

/* ---- pictures and reasons */

/* The sweeps that a picture names; without a name all of them. */
static int read_picture_sweeps(struct ut_experiment *x, struct ut_document *d, yaml_node_t *from,
                               struct ut_experiment_picture *p, struct ut_error *e) {
  char *names, *rest;
  if (read_words(d, from, "sweep", &names, e))
    return -1;
  p->sweep = calloc(x->sweeps + 1, sizeof *p->sweep);
  int status = p->sweep ? 0 : ut_fail_memory(e);
  for (size_t i = 0; !status && !names && i < x->sweeps; i++)
    p->sweep[p->sweeps++] = i;
  rest = names;
  for (char *name; !status && (name = strsep(&rest, ","));) {
    size_t i = 0;
    while (i < x->sweeps && strcmp(x->sweep[i].name, name))
      i++;
    if (i == x->sweeps || p->sweeps == x->sweeps)
      status = ut_document_fail(d, from, e, NULL, "there is no sweep '%.80s', or it is named twice", name);
    else
      p->sweep[p->sweeps++] = i;
  }
  free(names);
  return status;
}

static int read_picture(struct ut_experiment *x, struct ut_document *d, yaml_node_t *from, struct ut_error *e) {
  struct ut_experiment_picture *p = &x->picture[x->pictures];
  const struct {
    const char *key;
    const char **text;
  } texts[] = {{"title", &p->plot.title},
               {"x", &p->plot.x},
               {"y", &p->plot.y},
               {"x_title", &p->plot.x_title},
               {"y_title", &p->plot.y_title}};
  char *log = NULL;
  if (check_keys(d, from, picture_keys, COUNT(picture_keys), e))
    return -1;
  x->pictures++;
  if (read_picture_sweeps(x, d, from, p, e))
    return -1;
  for (size_t i = 0; i < COUNT(texts); i++)
    if (read_text(d, from, texts[i].key, false, (char **)texts[i].text, e))
      return -1;
  if (read_words(d, from, "series", (char **)&p->plot.series, e) ||
      read_condition(d, from, "where", (char **)&p->plot.where, e) || read_text(d, from, "log", false, &log, e))
    return -1;
  p->plot.log_x = log && strchr(log, 'x');
  p->plot.log_y = log && strchr(log, 'y');
  free(log);
  return 0;
}

static int read_pictures(struct ut_experiment *x, struct ut_document *d, struct ut_error *e) {
  yaml_node_t *list = ut_document_find(d, NULL, "plot");
  if (!list)
    return 0;
  if (list->type != YAML_SEQUENCE_NODE)
    return ut_document_fail(d, list, e, NULL, "a list of pictures is expected here");
  x->picture =
      calloc((size_t)(list->data.sequence.items.top - list->data.sequence.items.start) + 1, sizeof *x->picture);
  if (!x->picture)
    return ut_fail_memory(e);
  for (yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top; i++)
    if (read_picture(x, d, yaml_document_get_node(&d->yaml, *i), e))
      return -1;
  return 0;
}

static bool is_printed(const struct ut_experiment *x, const char *name) {
  for (size_t i = 0; i < x->printed.values; i++)
    if (!strcmp(x->printed.value[i].name, name))
      return true;
  return false;
}

static int read_reasons(struct ut_experiment *x, struct ut_document *d, struct ut_error *e) {
  yaml_node_t *map = ut_document_find(d, NULL, "differences");
  if (!map)
    return 0;
  if (map->type != YAML_MAPPING_NODE)
    return ut_document_fail(d, map, e, NULL, "`name of a value: why it differs` is expected here");
  x->reason = calloc((size_t)(map->data.mapping.pairs.top - map->data.mapping.pairs.start) + 1, sizeof *x->reason);
  if (!x->reason)
    return ut_fail_memory(e);
  for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
    struct ut_experiment_reason *r = &x->reason[x->reasons];
    const char *name = word_of(d, p->key), *text = word_of(d, p->value);
    if (!name || !text || !is_printed(x, name))
      return ut_document_fail(d, yaml_document_get_node(&d->yaml, p->key), e, NULL,
                              "the name of a printed value, with a sentence, is expected here");
    x->reasons++;
    if (!(r->name = strdup(name)) || !(r->text = strdup(text)))
      return ut_fail_memory(e);
  }
  return 0;
}

const char *ut_experiment_reason(const struct ut_experiment *x, const char *value) {
  for (size_t i = 0; i < x->reasons; i++)
    if (!strcmp(x->reason[i].name, value))
      return x->reason[i].text;
  return NULL;
}

/* ---- the whole */

static int read_document(struct ut_experiment *x, struct ut_document *d, bool quick, struct ut_error *e) {
  yaml_node_t *root = yaml_document_get_root_node(&d->yaml);
  return check_keys(d, root, keys, COUNT(keys), e) || read_text(d, root, "title", true, &x->title, e) ||
                 read_text(d, root, "source", true, &x->source, e) ||
                 read_text(d, root, "notes", false, &x->notes, e) || read_sweeps(x, d, quick, e) ||
                 read_pictures(x, d, e) || read_reasons(x, d, e)
             ? -1
             : 0;
}

int ut_experiment_load(struct ut_experiment *x, const char *folder, const char *name, bool quick, struct ut_error *e) {
  char path[PATH_MAX], table[PATH_MAX], *text = NULL;
  struct ut_document d;
  size_t length;
  *x = (struct ut_experiment){0};
  if (ut_path_set(e, path, "%s/%s.yaml", folder, name) || ut_path_set(e, table, "%s/%s.tsv", folder, name))
    return -1;
  int status = -1;
  text = ut_input_read(path, "figure", UT_INPUT_ONCE, UT_LIMIT_YAML_BYTES, &length, e);
  if (!text)
    return -1;
  x->path = strdup(path);
  x->name = strdup(name);
  if (!x->path || !x->name) {
    ut_fail_memory(e);
  } else if (!ut_printed_load(&x->printed, table, e) && !ut_document_load(&d, text, length, x->path, e)) {
    status = read_document(x, &d, quick, e);
    ut_document_free(&d);
  }
  free(text);
  if (status)
    ut_experiment_free(x);
  return status;
}

void ut_experiment_free(struct ut_experiment *x) {
  for (size_t i = 0; i < x->sweeps; i++)
    free(x->sweep[i].name), free(x->sweep[i].text);
  for (size_t i = 0; i < x->pictures; i++) {
    const struct ut_results_plot *p = &x->picture[i].plot;
    const char *const texts[] = {p->title, p->x_title, p->y_title, p->x, p->y, p->series, p->where};
    for (size_t j = 0; j < COUNT(texts); j++)
      free((char *)texts[j]);
    free(x->picture[i].sweep);
  }
  for (size_t i = 0; i < x->reasons; i++)
    free(x->reason[i].name), free(x->reason[i].text);
  free(x->sweep), free(x->picture), free(x->reason);
  free(x->path), free(x->name), free(x->title), free(x->source), free(x->notes);
  ut_printed_free(&x->printed);
  *x = (struct ut_experiment){0};
}

/* ---- all experiments */

static int by_version(const FTSENT **a, const FTSENT **b) {
  return strverscmp((*a)->fts_name, (*b)->fts_name);
}

char **ut_experiment_list(const char *folder, size_t *count, struct ut_error *e) {
  char *const roots[] = {(char *)folder, NULL};
  char **names = NULL;
  *count = 0;
  FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_version);
  bool memory = tree || errno != ENOMEM;
  for (FTSENT *f; tree && memory && (errno = 0, f = fts_read(tree));) {
    if (f->fts_info != FTS_F || f->fts_level != 2 || !ut_path_ends(f->fts_path, ".tsv"))
      continue;
    const char *path = f->fts_path + strlen(folder) + 1;
    char **more = realloc(names, (*count + 1) * sizeof *names);
    names = more ? more : names;
    char *name = more ? strndup(path, strlen(path) - strlen(".tsv")) : NULL;
    memory = name != NULL;
    if (name)
      names[(*count)++] = name;
  }
  memory &= errno != ENOMEM;
  if (tree)
    fts_close(tree);
  if (!memory) {
    ut_experiment_list_free(names, *count);
    names = NULL;
    *count = 0;
    ut_fail_memory(e);
  } else if (!*count) {
    ut_fail(e, UT_BAD_INPUT, "%s: there are no experiments, PAPER/NAME.tsv", folder);
  }
  return names;
}

void ut_experiment_list_free(char **names, size_t count) {
  for (size_t i = 0; i < count; i++)
    free(names[i]);
  free(names);
}
