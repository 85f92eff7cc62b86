/* SPDX-License-Identifier: Apache-2.0 */
/* points.c - see points.h */
#define _GNU_SOURCE
#include "points.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cache_files.h"
#include "cache_key.h"
#include "fault_draw.h"
#include "results_version.h" /* made by the build */
#include "scenario_keys.h"
#include "scenario_read.h"
#include "yaml_edit.h"

const char *ut_results_version(void) {
  return UT_RESULTS_VERSION;
}

static int __attribute__((cold)) out_of_memory(const struct ut_sweep *sweep, struct ut_error *e) {
  return ut_fail(e, UT_BAD_INPUT, "%s: out of memory", sweep->path);
}

/* ---- which values */

size_t ut_points_count(const struct ut_sweep *sweep) {
  size_t count = 1;
  for (size_t g = 0; g < sweep->groups; g++)
    if (__builtin_mul_overflow(count, sweep->group[g].values, &count))
      return SIZE_MAX;
  return count;
}

size_t ut_points_step(const struct ut_sweep *sweep, size_t point, size_t axis) {
  size_t g = sweep->groups;
  while (g-- > 0) {
    if (axis >= sweep->group[g].first && axis < sweep->group[g].first + sweep->group[g].count)
      return point % sweep->group[g].values;
    point /= sweep->group[g].values;
  }
  return 0;
}

const char *ut_points_name(const struct ut_sweep *sweep, size_t point, char text[UT_POINT_NAME_SIZE]) {
  size_t used = 0;
  *text = '\0';
  for (size_t a = 0; a < sweep->axes && used < UT_POINT_NAME_SIZE; a++)
    used += (size_t)snprintf(text + used, UT_POINT_NAME_SIZE - used, "%s%s %s", a ? ", " : "", sweep->axis[a].key,
                             ut_points_value(sweep, point, a));
  return text;
}

/* ---- the scenario */

enum { FILE_KEYS = 8 }; /* ut_key_file(), at most */

static bool is_scenario_key(const char *key) {
  return key[0] != '-' && strcmp(key, UT_AXIS_FAULTY_LINKS) && strcmp(key, UT_AXIS_FAULTY_SWITCHES);
}

static unsigned faults_of(const struct ut_sweep *sweep, size_t point, const char *key) {
  const struct ut_axis *axis = ut_sweep_axis(sweep, key);
  return axis ? (unsigned)strtoul(ut_points_value(sweep, point, (size_t)(axis - sweep->axis)), NULL, 10) : 0;
}

static int set_axes(struct ut_sweep *sweep, yaml_document_t *d, size_t point, struct ut_error *e) {
  for (size_t i = 0; i < sweep->axes; i++) {
    const struct ut_axis *axis = &sweep->axis[i];
    const size_t step = ut_points_step(sweep, point, i);
    if (!is_scenario_key(axis->key))
      continue;
    const int value = axis->node ? ut_yaml_copy(d, &sweep->document.yaml,
                                                yaml_document_get_node(&sweep->document.yaml, axis->node[step]))
                                 : ut_yaml_scalar(d, axis->text[step]);
    if (ut_yaml_set(d, axis->key, value, e))
      return -1;
  }
  return 0;
}

/* The contents of a text in addition to the values of the axes. */
struct addition {
  bool seeded, faults, loaded;
  uint64_t seed;
  double load;
  char *const *file; /* [FILE_KEYS]: names instead of those in the scenario, NULL: as there; or NULL */
};

static int add(struct ut_sweep *sweep, struct ut_document *document, size_t point, const struct addition *with,
               struct ut_error *e) {
  char text[64];
  const unsigned links = with->faults ? faults_of(sweep, point, UT_AXIS_FAULTY_LINKS) : 0;
  const unsigned switches = with->faults ? faults_of(sweep, point, UT_AXIS_FAULTY_SWITCHES) : 0;
  snprintf(text, sizeof text, "%" PRIu64, with->seed);
  if (with->seeded && ut_yaml_set_text(&document->yaml, "run.seed", text, e))
    return -1;
  snprintf(text, sizeof text, "%.10g", with->load);
  if (with->loaded && ut_yaml_set_text(&document->yaml, UT_LOAD_KEY, text, e))
    return -1;
  if (with->loaded &&
      !ut_document_find(document, NULL, "run.warmup") && /* near saturation no number of cycles is enough */
      ut_yaml_set_text(&document->yaml, "run.warmup", "until_stable", e))
    return -1;
  for (int i = 0; with->file && i < FILE_KEYS; i++)
    if (with->file[i] && ut_yaml_set_text(&document->yaml, ut_key_file((unsigned)i), with->file[i], e))
      return -1;
  return links || switches
             ? ut_faults_draw(&document->yaml, document->text, document->length, sweep, links, switches, with->seed, e)
             : 0;
}

/* The base with the values of a point, as a text (malloc'd); NULL after filling *e. */
static char *compose(struct ut_sweep *sweep, size_t point, const struct addition *with, size_t *length,
                     struct ut_error *e) {
  struct ut_document document;
  char *plain = NULL; /* without faults: their network is that of this text */
  if (with->faults && (sweep->faults.links || sweep->faults.switches)) {
    struct addition network = *with;
    network.faults = false;
    plain = compose(sweep, point, &network, length, e);
    if (!plain)
      return NULL;
  }
  if (ut_document_load(&document, sweep->base, sweep->base_length, sweep->base_path, e)) {
    free(plain);
    return NULL;
  }
  int status = set_axes(sweep, &document.yaml, point, e);
  if (!status && plain)
    document.text = plain, document.length = *length;
  if (!status)
    status = add(sweep, &document, point, with, e);
  free(plain);
  if (!status)
    return ut_yaml_text(&document.yaml, length, e);
  ut_document_free(&document);
  return NULL;
}

/* The files that a scenario names, by their full names (malloc'd) or NULL, and whether there are any. */
static int find_files(const struct ut_sweep *sweep, const char *text, size_t length, char *file[FILE_KEYS], bool *any,
                      struct ut_error *e) {
  struct ut_document document;
  int status = ut_document_load(&document, text, length, sweep->base_path, e);
  *any = false;
  if (status)
    return -1;
  const char *slash = strrchr(sweep->base_path, '/');
  char folder[PATH_MAX], name[PATH_MAX];
  snprintf(name, sizeof name, "%.*s", slash ? (int)(slash - sweep->base_path) + 1 : 1, slash ? sweep->base_path : ".");
  for (unsigned i = 0; i < FILE_KEYS && ut_key_file(i) && !status; i++) {
    const yaml_node_t *node = ut_document_find(&document, NULL, ut_key_file(i));
    const char *value = node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
    file[i] = NULL;
    if (!value)
      continue;
    *any = true;
    if (*value == '/')
      file[i] = strdup(value);
    else if (!realpath(name, folder) || asprintf(&file[i], "%s/%s", folder, value) < 0)
      file[i] = NULL;
    if (!file[i])
      status = out_of_memory(sweep, e);
  }
  ut_document_free(&document);
  return status;
}

/* ---- runs */

/* Adds the contents of a file, or of a folder of RTL, to the hash, if an argument names one. */
static void hash_file(XXH3_state_t *h, const char *path) {
  char *data = NULL;
  size_t size = 0;
  struct stat status;
  struct ut_error e;
  struct ut_sources rtl = {0};
  if (stat(path, &status))
    return;
  if (S_ISREG(status.st_mode) && ut_file_read(path, &data, &size) == 0)
    ut_key_bytes(h, data, size);
  else if (S_ISDIR(status.st_mode) && ut_sources_add_rtl(&rtl, path, &e) == 0) {
    ut_sources_sort(&rtl);
    ut_key_sources(h, &rtl);
  }
  ut_sources_free(&rtl);
  free(data);
}

static void print_key(XXH128_hash_t hash, char key[UT_RUN_KEY_CHARS + 1]) {
  snprintf(key, UT_RUN_KEY_CHARS + 1, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64, (uint64_t)hash.low64);
}

static int hash_run(struct ut_run *run, const struct ut_sweep *sweep, const char *text, size_t length,
                    char *const *file, char *const *option, struct ut_error *e) {
  XXH3_state_t *h = XXH3_createState();
  if (!h)
    return out_of_memory(sweep, e);
  XXH3_128bits_reset(h);
  ut_key_text(h, ut_results_version());
  ut_key_text(h, sweep->command);
  for (; *option; option++) {
    const char *equals = strchr(*option, '=');
    ut_key_text(h, *option);
    hash_file(h, equals ? equals + 1 : *option);
  }
  ut_key_bytes(h, text, length);
  for (int i = 0; i < FILE_KEYS; i++)
    if (file[i])
      hash_file(h, file[i]);
  print_key(XXH3_128bits_digest(h), run->key);
  XXH3_freeState(h);
  return 0;
}

static bool has_option(char *const *option, const char *name) {
  for (; *option; option++)
    if (!strncmp(*option, name, strlen(name)))
      return true;
  return false;
}

/* Command and options, of which *option are those that the user chose; NULL: out of memory.  One core for each run. */
static char **arguments_of(const struct ut_sweep *sweep, size_t point, char *const **option) {
  size_t n = 0, options = 0;
  while (sweep->options[options])
    options++;
  char **a = calloc(options + sweep->axes + 7, sizeof *a);
  if (!a)
    return NULL;
  bool ok = (a[n++] = strdup("uturn")) != NULL;
  ok &= (a[n++] = strdup(sweep->command)) != NULL;
  for (size_t i = 0; i < options; i++)
    ok &= (a[n++] = strdup(sweep->options[i])) != NULL;
  for (size_t i = 0; i < sweep->axes; i++)
    if (sweep->axis[i].key[0] == '-') {
      ok &= asprintf(&a[n], "%s=%s", sweep->axis[i].key, ut_points_value(sweep, point, i)) > 0;
      n++;
    }
  *option = a + 2;
  return ok ? a : NULL;
}

static bool add_own_arguments(const struct ut_sweep *sweep, char **a) {
  const bool simulates = !strcmp(sweep->command, "run") || !strcmp(sweep->command, "cosim");
  const char *own = simulates ? "--threads" : "--workers";
  const bool given = has_option(a, own) || !strcmp(sweep->command, "route"); /* that is done at once */
  size_t n = 0;
  while (a[n])
    n++;
  bool ok = given || (asprintf(&a[n], "%s=1", own) > 0 && ++n);
  ok = ok && (a[n++] = strdup("--quiet")) != NULL; /* what is on standard error is kept as the run's message */
  ok = ok && (a[n++] = strdup("--json")) != NULL;
  return ok && (a[n++] = strdup("/dev/stdin")) != NULL;
}

static void free_files(char *file[FILE_KEYS]) {
  for (int i = 0; i < FILE_KEYS; i++)
    free(file[i]);
}

/* Returns the text so that another process can read it from anywhere: with the full names of files (malloc'd, and the
 * names in `file`).  NULL after filling *e. */
static char *place(struct ut_sweep *sweep, size_t point, const struct addition *with, const char *text, size_t *length,
                   char *file[FILE_KEYS], struct ut_error *e) {
  bool files;
  if (find_files(sweep, text, *length, file, &files, e))
    return NULL;
  if (!files) {
    char *copy = strndup(text, *length);
    if (!copy)
      out_of_memory(sweep, e);
    return copy;
  }
  struct addition placed = *with;
  placed.file = file;
  return compose(sweep, point, &placed, length, e);
}

static int finish_run(struct ut_run *run, struct ut_sweep *sweep, const struct addition *with, const char *text,
                      size_t length, struct ut_error *e) {
  char *file[FILE_KEYS] = {NULL};
  char *const *option = NULL;
  size_t placed = length;
  run->scenario = place(sweep, run->point, with, text, &placed, file, e);
  run->arguments = run->scenario ? arguments_of(sweep, run->point, &option) : NULL;
  int status = run->arguments  ? hash_run(run, sweep, text, length, file, option, e)
               : run->scenario ? out_of_memory(sweep, e)
                               : -1;
  if (!status && !add_own_arguments(sweep, run->arguments))
    status = out_of_memory(sweep, e);
  free_files(file);
  return status;
}

int ut_run_make(struct ut_run *run, struct ut_sweep *sweep, size_t point, unsigned repetition, bool probe, double load,
                struct ut_error *e) {
  size_t length;
  *run = (struct ut_run){
      .point = point, .repetition = repetition, .probe = probe, .load = load, .seed = sweep->seed + repetition};
  const struct addition with = {.seeded = true, .faults = true, .loaded = probe, .seed = run->seed, .load = load};
  char *text = compose(sweep, point, &with, &length, e);
  int status = text ? finish_run(run, sweep, &with, text, length, e) : -1;
  free(text);
  if (status)
    ut_run_free(run);
  return status;
}

void ut_run_free(struct ut_run *run) {
  for (size_t i = 0; run->arguments && run->arguments[i]; i++)
    free(run->arguments[i]);
  free(run->arguments);
  free(run->scenario);
  run->arguments = NULL;
  run->scenario = NULL;
}

void ut_found_key(const struct ut_run *probe, const struct ut_sweep *sweep, char key[UT_RUN_KEY_CHARS + 1]) {
  const double values[] = {sweep->find.what,      sweep->find.from,     sweep->find.to,
                           sweep->find.precision, sweep->find.accepted, sweep->find.latency};
  struct {
    char of[UT_RUN_KEY_CHARS];
    double values[sizeof values / sizeof *values];
  } all;
  memcpy(all.of, probe->key, sizeof all.of);
  memcpy(all.values, values, sizeof values);
  print_key(XXH3_128bits(&all, sizeof all), key);
}

int ut_points_hash(struct ut_sweep *sweep, char key[UT_RUN_KEY_CHARS + 1], struct ut_error *e) {
  XXH3_state_t *h = XXH3_createState();
  struct ut_run run;
  int status = h ? 0 : out_of_memory(sweep, e);
  if (!status)
    XXH3_128bits_reset(h);
  for (size_t a = 0; !status && a < sweep->axes; a++) { /* a value that the base already has makes no different run */
    ut_key_text(h, sweep->axis[a].key);
    for (size_t v = 0; v < sweep->axis[a].values; v++)
      ut_key_text(h, sweep->axis[a].text[v]);
  }
  for (size_t point = 0; !status && point < ut_points_count(sweep); point++) {
    char found[UT_RUN_KEY_CHARS + 1];
    status = ut_run_make(&run, sweep, point, 0, sweep->find.what != UT_FIND_NOTHING, sweep->find.from, e);
    if (status)
      break;
    ut_found_key(&run, sweep, found);
    ut_key_text(h, found);
    ut_run_free(&run);
  }
  if (!status)
    print_key(XXH3_128bits_digest(h), key);
  XXH3_freeState(h);
  return status;
}

/* ---- the check */

enum { MOST_POINTS = 1000000 };

static int check_point(struct ut_sweep *sweep, size_t point, struct ut_error *why) {
  const struct addition with = {
      .seeded = true, .faults = true, .loaded = sweep->find.what, .seed = sweep->seed, .load = sweep->find.to};
  char *file[FILE_KEYS] = {NULL}, path[32];
  size_t length;
  char *text = compose(sweep, point, &with, &length, why);
  char *placed = text ? place(sweep, point, &with, text, &length, file, why) : NULL;
  snprintf(path, sizeof path, "point %zu", point);
  struct ut_scenario *scenario = placed ? ut_scenario_parse(placed, length, path, why) : NULL;
  const int status = scenario ? 0 : -1;
  ut_scenario_free(scenario);
  free_files(file);
  free(placed);
  free(text);
  return status;
}

int ut_points_check(struct ut_sweep *sweep, struct ut_error *e) {
  const size_t points = ut_points_count(sweep);
  char name[UT_POINT_NAME_SIZE];
  struct ut_error why;
  if (points > MOST_POINTS)
    return ut_fail(e, UT_BAD_INPUT, "%s: the axes have more than %d combinations", sweep->path, MOST_POINTS);
  for (size_t point = 0; point < points; point++)
    if (check_point(sweep, point, &why))
      return ut_fail(e, why.code, "%s: point %zu%s%.500s%s is no scenario that can be run:\n%.1400s", sweep->path,
                     point, sweep->axes ? " (" : "", ut_points_name(sweep, point, name), sweep->axes ? ")" : "",
                     why.text);
  return 0;
}
