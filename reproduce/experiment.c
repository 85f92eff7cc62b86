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
static const char *word_of(struct ut_document *document, int node) {
  const yaml_node_t *n = yaml_document_get_node(&document->yaml, node);
  return n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : NULL;
}

/* Fails where a mapping has a key that is not in the list. */
static int check_keys(struct ut_document *document, yaml_node_t *map, const char *const *names, size_t count,
                      struct ut_error *e) {
  char found[UT_FOUND_SIZE], hint[256];
  if (map->type != YAML_MAPPING_NODE)
    return ut_document_fail(document, map, e, NULL, "keys are expected here, found %s", ut_document_found(map, found));
  for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
    const char *key = word_of(document, p->key);
    bool known = false;
    for (size_t i = 0; key && i < count; i++)
      known |= !strcmp(key, names[i]);
    if (!known)
      return ut_document_fail(document, yaml_document_get_node(&document->yaml, p->key), e,
                              ut_schema_hint(key ? key : "", names, count, hint, sizeof hint), "unknown key");
  }
  return 0;
}

/* A copy of the text at a key of `from`; NULL where it is missing, which is an error if it must be there. */
static int read_text(struct ut_document *document, yaml_node_t *from, const char *key, bool must, char **text,
                     struct ut_error *e) {
  char found[UT_FOUND_SIZE];
  yaml_node_t *node = ut_document_find(document, from, key);
  *text = NULL;
  if (!node)
    return must ? ut_document_fail(document, from, e, NULL, "'%s' is missing", key) : 0;
  if (node->type != YAML_SCALAR_NODE)
    return ut_document_fail(document, node, e, NULL, "'%s' is a text; found %s", key, ut_document_found(node, found));
  *text = strdup((const char *)node->data.scalar.value);
  return *text ? 0 : ut_fail_memory(e);
}

/* A word, or a list of them, as one text with commas. */
static int read_words(struct ut_document *document, yaml_node_t *from, const char *key, char **text,
                      struct ut_error *e) {
  yaml_node_t *list = ut_document_find(document, from, key);
  size_t size;
  if (!list || list->type != YAML_SEQUENCE_NODE)
    return read_text(document, from, key, false, text, e);
  FILE *f = ut_memory_open(text, &size);
  if (!f)
    return ut_fail_memory(e);
  for (yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top; i++)
    fprintf(f, "%s%s", i > list->data.sequence.items.start ? "," : "",
            word_of(document, *i) ? word_of(document, *i) : "");
  return ut_memory_close(f, text) ? ut_fail_memory(e) : 0;
}

static bool is_number(const char *text) {
  char *end;
  strtod(text, &end);
  return end != text && !*end;
}

/* A condition of SQL, or keys with the values that they must have. */
static int read_condition(struct ut_document *document, yaml_node_t *from, const char *key, char **text,
                          struct ut_error *e) {
  yaml_node_t *map = ut_document_find(document, from, key);
  size_t size;
  if (!map || map->type != YAML_MAPPING_NODE)
    return read_text(document, from, key, false, text, e);
  FILE *f = ut_memory_open(text, &size);
  if (!f)
    return ut_fail_memory(e);
  for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
    const char *name = word_of(document, p->key), *value = word_of(document, p->value);
    const char *quote = value && is_number(value) ? "" : "'";
    fprintf(f, "%s\"%s\" = %s%s%s", p > map->data.mapping.pairs.start ? " AND " : "", name ? name : "", quote,
            value ? value : "", quote);
  }
  return ut_memory_close(f, text) ? ut_fail_memory(e) : 0;
}

/* ---- sweeps */

/* The sweep as a document of its own: its keys, and those of `quick` in their place or left out. */
static int write_sweep(struct ut_document *document, yaml_node_t *from, bool quick, struct ut_experiment_sweep *sweep,
                       struct ut_error *e) {
  yaml_document_t out;
  yaml_node_t *instead = ut_document_find(document, from, "quick");
  if (!yaml_document_initialize(&out, NULL, NULL, NULL, 1, 1))
    return ut_fail_memory(e);
  int status = yaml_document_add_mapping(&out, NULL, YAML_BLOCK_MAPPING_STYLE) ? 0 : ut_fail_memory(e);
  for (int round = 0; round < 2 && !status; round++) {
    const yaml_node_t *map = round ? (quick ? instead : NULL) : from;
    if (map && map->type != YAML_MAPPING_NODE)
      status = ut_document_fail(document, map, e, NULL, "the keys of a sweep are expected here");
    for (yaml_node_pair_t *p = !map || status ? NULL : map->data.mapping.pairs.start;
         p && p < map->data.mapping.pairs.top && !status; p++) {
      const char *key = word_of(document, p->key);
      if (!key || (!round && !strcmp(key, "quick")))
        continue;
      const int value = ut_yaml_copy(&out, &document->yaml, yaml_document_get_node(&document->yaml, p->value));
      status = value ? ut_yaml_set(&out, key, value, e) : ut_fail_memory(e);
    }
  }
  if (status) {
    yaml_document_delete(&out);
    return -1;
  }
  sweep->text = ut_yaml_text(&out, &sweep->length, e);
  return sweep->text ? 0 : -1;
}

static int read_sweeps(struct ut_experiment *experiment, struct ut_document *document, bool quick, struct ut_error *e) {
  yaml_node_t *map = ut_document_find(document, NULL, "sweeps");
  if (!map || map->type != YAML_MAPPING_NODE)
    return ut_document_fail(document, map, e, "as in `sweeps: {trees: {run: run, base: ..., axes: ...}}`",
                            "an experiment has sweeps, each with a name");
  const size_t count = (size_t)(map->data.mapping.pairs.top - map->data.mapping.pairs.start);
  experiment->sweep = calloc(count + 1, sizeof *experiment->sweep);
  if (!experiment->sweep)
    return ut_fail_memory(e);
  for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
    struct ut_experiment_sweep *sweep = &experiment->sweep[experiment->sweeps];
    yaml_node_t *from = yaml_document_get_node(&document->yaml, p->value);
    const char *name = word_of(document, p->key);
    if (!name || from->type != YAML_MAPPING_NODE)
      return ut_document_fail(document, from, e, NULL, "a sweep with a name is expected here");
    if (!(sweep->name = strdup(name)))
      return ut_fail_memory(e);
    experiment->sweeps++;
    const yaml_node_t *run = ut_document_find(document, from, "run");
    sweep->simulated = !run || run->type != YAML_SCALAR_NODE || !strcmp((const char *)run->data.scalar.value, "run") ||
                       !strcmp((const char *)run->data.scalar.value, "cosim");
    if (write_sweep(document, from, quick, sweep, e))
      return -1;
  }
  return 0;
}

/* ---- pictures and reasons */

/* The sweeps that a picture names; without a name all of them. */
static int read_picture_sweeps(struct ut_experiment *experiment, struct ut_document *document, yaml_node_t *from,
                               struct ut_experiment_picture *picture, struct ut_error *e) {
  char *names, *rest;
  if (read_words(document, from, "sweep", &names, e))
    return -1;
  picture->sweep = calloc(experiment->sweeps + 1, sizeof *picture->sweep);
  int status = picture->sweep ? 0 : ut_fail_memory(e);
  for (size_t i = 0; !status && !names && i < experiment->sweeps; i++)
    picture->sweep[picture->sweeps++] = i;
  rest = names;
  for (char *name; !status && (name = strsep(&rest, ","));) {
    size_t i = 0;
    while (i < experiment->sweeps && strcmp(experiment->sweep[i].name, name))
      i++;
    if (i == experiment->sweeps || picture->sweeps == experiment->sweeps)
      status = ut_document_fail(document, from, e, NULL, "there is no sweep '%.80s', or it is named twice", name);
    else
      picture->sweep[picture->sweeps++] = i;
  }
  free(names);
  return status;
}

static int read_picture(struct ut_experiment *experiment, struct ut_document *document, yaml_node_t *from,
                        struct ut_error *e) {
  struct ut_experiment_picture *picture = &experiment->picture[experiment->pictures];
  const struct {
    const char *key;
    const char **text;
  } texts[] = {{"title", &picture->plot.title},
               {"x", &picture->plot.x},
               {"y", &picture->plot.y},
               {"x_title", &picture->plot.x_title},
               {"y_title", &picture->plot.y_title}};
  char *log = NULL;
  if (check_keys(document, from, picture_keys, COUNT(picture_keys), e))
    return -1;
  experiment->pictures++;
  if (read_picture_sweeps(experiment, document, from, picture, e))
    return -1;
  for (size_t i = 0; i < COUNT(texts); i++)
    if (read_text(document, from, texts[i].key, false, (char **)texts[i].text, e))
      return -1;
  if (read_words(document, from, "series", (char **)&picture->plot.series, e) ||
      read_condition(document, from, "where", (char **)&picture->plot.where, e) ||
      read_text(document, from, "log", false, &log, e))
    return -1;
  picture->plot.log_x = log && strchr(log, 'x');
  picture->plot.log_y = log && strchr(log, 'y');
  free(log);
  return 0;
}

static int read_pictures(struct ut_experiment *experiment, struct ut_document *document, struct ut_error *e) {
  yaml_node_t *list = ut_document_find(document, NULL, "plot");
  if (!list)
    return 0;
  if (list->type != YAML_SEQUENCE_NODE)
    return ut_document_fail(document, list, e, NULL, "a list of pictures is expected here");
  experiment->picture = calloc((size_t)(list->data.sequence.items.top - list->data.sequence.items.start) + 1,
                               sizeof *experiment->picture);
  if (!experiment->picture)
    return ut_fail_memory(e);
  for (yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top; i++)
    if (read_picture(experiment, document, yaml_document_get_node(&document->yaml, *i), e))
      return -1;
  return 0;
}

static bool is_printed(const struct ut_experiment *experiment, const char *name) {
  for (size_t i = 0; i < experiment->printed.values; i++)
    if (!strcmp(experiment->printed.value[i].name, name))
      return true;
  return false;
}

static int read_reasons(struct ut_experiment *experiment, struct ut_document *document, struct ut_error *e) {
  yaml_node_t *map = ut_document_find(document, NULL, "differences");
  if (!map)
    return 0;
  if (map->type != YAML_MAPPING_NODE)
    return ut_document_fail(document, map, e, NULL, "`name of a value: why it differs` is expected here");
  experiment->reason =
      calloc((size_t)(map->data.mapping.pairs.top - map->data.mapping.pairs.start) + 1, sizeof *experiment->reason);
  if (!experiment->reason)
    return ut_fail_memory(e);
  for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
    struct ut_experiment_reason *reason = &experiment->reason[experiment->reasons];
    const char *name = word_of(document, p->key), *text = word_of(document, p->value);
    if (!name || !text || !is_printed(experiment, name))
      return ut_document_fail(document, yaml_document_get_node(&document->yaml, p->key), e, NULL,
                              "the name of a printed value, with a sentence, is expected here");
    experiment->reasons++;
    if (!(reason->name = strdup(name)) || !(reason->text = strdup(text)))
      return ut_fail_memory(e);
  }
  return 0;
}

const char *ut_experiment_reason(const struct ut_experiment *experiment, const char *value) {
  for (size_t i = 0; i < experiment->reasons; i++)
    if (!strcmp(experiment->reason[i].name, value))
      return experiment->reason[i].text;
  return NULL;
}

/* ---- the whole */

static int read_document(struct ut_experiment *experiment, struct ut_document *document, bool quick,
                         struct ut_error *e) {
  yaml_node_t *root = yaml_document_get_root_node(&document->yaml);
  return check_keys(document, root, keys, COUNT(keys), e) ||
                 read_text(document, root, "title", true, &experiment->title, e) ||
                 read_text(document, root, "source", true, &experiment->source, e) ||
                 read_text(document, root, "notes", false, &experiment->notes, e) ||
                 read_sweeps(experiment, document, quick, e) || read_pictures(experiment, document, e) ||
                 read_reasons(experiment, document, e)
             ? -1
             : 0;
}

int ut_experiment_load(struct ut_experiment *experiment, const char *folder, const char *name, bool quick,
                       struct ut_error *e) {
  char path[PATH_MAX], table[PATH_MAX], *text = NULL;
  struct ut_document document;
  size_t length;
  *experiment = (struct ut_experiment){0};
  if (ut_path_set(e, path, "%s/%s.yaml", folder, name) || ut_path_set(e, table, "%s/%s.tsv", folder, name))
    return -1;
  int status = -1;
  text = ut_input_read(path, "figure", UT_INPUT_ONCE, UT_LIMIT_YAML_BYTES, &length, e);
  if (!text)
    return -1;
  experiment->path = strdup(path);
  experiment->name = strdup(name);
  if (!experiment->path || !experiment->name) {
    ut_fail_memory(e);
  } else if (!ut_printed_load(&experiment->printed, table, e) &&
             !ut_document_load(&document, text, length, experiment->path, e)) {
    status = read_document(experiment, &document, quick, e);
    ut_document_free(&document);
  }
  free(text);
  if (status)
    ut_experiment_free(experiment);
  return status;
}

void ut_experiment_free(struct ut_experiment *experiment) {
  for (size_t i = 0; i < experiment->sweeps; i++)
    free(experiment->sweep[i].name), free(experiment->sweep[i].text);
  for (size_t i = 0; i < experiment->pictures; i++) {
    const struct ut_results_plot *plot = &experiment->picture[i].plot;
    const char *const texts[] = {plot->title, plot->x_title, plot->y_title, plot->x,
                                 plot->y,     plot->series,  plot->where};
    for (size_t j = 0; j < COUNT(texts); j++)
      free((char *)texts[j]);
    free(experiment->picture[i].sweep);
  }
  for (size_t i = 0; i < experiment->reasons; i++)
    free(experiment->reason[i].name), free(experiment->reason[i].text);
  free(experiment->sweep), free(experiment->picture), free(experiment->reason);
  free(experiment->path), free(experiment->name), free(experiment->title), free(experiment->source),
      free(experiment->notes);
  ut_printed_free(&experiment->printed);
  *experiment = (struct ut_experiment){0};
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
