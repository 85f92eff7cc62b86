/* SPDX-License-Identifier: Apache-2.0 */
/* synthesis.c - see synthesis.h */
#include "synthesis.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_files.h"
#include "cache_folder.h"
#include "cache_log.h"
#include "cache_tools.h"
#include "fpga.h"
#include "memory_text.h"
#include "simple_gates.h"
#include "standard_cells.h"
#include "steady.h"
#include "tool.h"

/* Part of every key: change it when the steps change in a way that no script shows. */
static const char recipe[] = "uturn netlist 2";

/* ---- the script ---- */

void ut_script_read(FILE *f, const struct ut_synthesis *s) {
  fprintf(f, "read_verilog -Irtl");
  for (size_t i = 0; i < s->sources.n; i++)
    if (ut_path_ends(s->sources.item[i].name, ".v"))
      fprintf(f, " \"%s\"", s->sources.item[i].name); /* ut_sources_add_rtl() refuses names that this does not quote */
  fprintf(f, "\nhierarchy -check -top ut_switch");
  for (int i = 0; i < UT_PARAMETERS; i++)
    fprintf(f, " -chparam %s %u", s->parameter[i].name, s->parameter[i].value);
  fprintf(f, "\nproc\n");
}

void ut_script_name(FILE *f) {
  fprintf(f, "setattr -set uturn_register 1 -set uturn_name 1 w:*_q\n");
}

static char *flat_script(const struct ut_synthesis *s) {
  char *text = NULL;
  size_t size;
  FILE *f = ut_memory_open(&text, &size);
  if (!f)
    return NULL;
  ut_script_read(f, s);
  ut_script_name(f);
  s->technology->script(f, s);
  return ut_memory_close(f, &text) ? NULL : text;
}

int ut_synthesis_write(const struct ut_synthesis *s, const char *folder, struct ut_error *e) {
  const struct ut_technology *t = s->technology;
  return ut_sources_write(&s->sources, folder, e) || (t->write && t->write(s, folder, e)) ? -1 : 0;
}

/* ---- running it ---- */

/* The name of the broken rule in what a tool said: the name of a module that does not exist. */
static bool broken_rule(const char *text, char rule[128]) {
  const char *found = strstr(text, "\\ERROR_");
  if (!found)
    return false;
  found += strlen("\\ERROR_");
  size_t n = strcspn(found, "'` \n");
  snprintf(rule, 128, "%.*s", (int)(n < 127 ? n : 127), found);
  for (char *p = rule; *p; p++)
    if (*p == '_')
      *p = ' ';
  return true;
}

static int reword_failure(const struct ut_synthesis *s, struct ut_error *e) {
  char rule[128];
  if (broken_rule(e->text, rule))
    return ut_fail(e, UT_BAD_INPUT,
                   "the RTL in %.900s rejects this switch: %s; change the scenario (docs/reference/switch.md)", s->rtl,
                   rule);
  if (s->technology->reword)
    s->technology->reword(s, e);
  return -1;
}

void ut_synthesis_job(struct ut_job *j, const struct ut_synthesis *s, const char *script, const char *makes) {
  *j = (struct ut_job){.does = "synthesizing the switch", .log_fd = -1, .makes = makes};
  ut_args_add(&j->command, "%s", s->yosys);
  ut_args_add(&j->command, "-q");
  ut_args_add(&j->command, "%s", script);
}

int ut_synthesis_run(const struct ut_synthesis *s, struct ut_job *jobs, int count, const struct ut_entry *n,
                     const struct ut_caller *c) {
  int status = ut_log_run(c, n, s->rtl, jobs, count);
  ut_jobs_free(jobs, count);
  return status ? reword_failure(s, c->e) : 0;
}

int ut_synthesis_put(const struct ut_entry *n, const char *name, char *text, struct ut_error *e) {
  char path[PATH_MAX];
  int status = !text ? ut_fail_memory(e)
               : ut_path_set(e, path, "%s/%s", n->tmp, name) || ut_file_write(path, text, strlen(text), e) ? -1
                                                                                                           : 0;
  free(text);
  return status;
}

/* ---- the entry ---- */

static int find_yosys(struct ut_synthesis *s, const struct ut_caller *c) {
  if (ut_tool_need("yosys", "yosys", "synthesis", s->yosys, c->e))
    return -1;
  return ut_tool_says(c, s->yosys, "-V", NULL, s->version, sizeof s->version);
}

static int make_key(struct ut_synthesis *s, struct ut_error *e) {
  XXH3_state_t *h = XXH3_createState();
  char *script = flat_script(s);
  if (h && script) {
    XXH3_128bits_reset(h);
    ut_key_text(h, recipe);
    ut_key_text(h, s->yosys);
    ut_key_text(h, s->version);
    ut_key_text(h, script);
    ut_key_parameters(h, s->parameter);
    ut_key_sources(h, &s->sources);
    if (s->technology->key)
      s->technology->key(h, s);
    s->key = XXH3_128bits_digest(h);
  }
  int status = h && script ? 0 : ut_fail_memory(e);
  free(script);
  XXH3_freeState(h);
  return status;
}

int ut_synthesis_open(struct ut_synthesis *s, const struct ut_synthesis_request *request, const struct ut_caller *c) {
  *s = (struct ut_synthesis){.memory = request->memory,
                             .technology = request->fpga     ? &ut_fpga
                                           : request->simple ? &ut_simple_gates
                                                             : &ut_standard_cells};
  ut_parameters_set(s->parameter, request->shape);
  if (s->technology->open(s, request, c->e) || find_yosys(s, c) || ut_cache_open(s->dir, c->e) ||
      ut_sources_rtl_folder(request->root_dir, request->rtl_dir, s->rtl, c->e) ||
      ut_sources_add_rtl(&s->sources, s->rtl, c->e))
    return -1;
  ut_sources_sort(&s->sources);
  return make_key(s, c->e) || ut_entry_init(&s->entry, s->dir, s->key, s->technology->artefact, c->e) ? -1 : 0;
}

void ut_synthesis_close(struct ut_synthesis *s) {
  ut_liberty_free(&s->liberty);
  ut_sources_free(&s->sources);
}

int ut_synthesis_keep(const struct ut_entry *n, const char *name, struct ut_error *e) {
  char from[PATH_MAX], to[PATH_MAX];
  if (ut_path_set(e, from, "%s/%s", n->tmp, name) || ut_path_set(e, to, "%s/entry/%s", n->tmp, name))
    return -1;
  return rename(from, to) ? ut_fail_os(e, errno, "move", from) : 0;
}

static int build(void *of, const struct ut_caller *c) {
  const struct ut_synthesis *s = of;
  char path[PATH_MAX], text[64];
  const struct ut_technology *t = s->technology;
  const struct ut_entry *n = &s->entry;
  double start = ut_seconds();
  struct ut_job j;
  if (ut_synthesis_write(s, n->tmp, c->e) || ut_synthesis_put(n, "flat.ys", flat_script(s), c->e))
    return -1;
  char makes[64];
  snprintf(makes, sizeof makes, "entry/%s", t->last ? t->last : t->artefact);
  ut_synthesis_job(&j, s, "flat.ys", makes);
  ut_caller_say(c, "synthesizing");
  if (ut_synthesis_run(s, &j, 1, n, c))
    return -1;
  int length = snprintf(text, sizeof text, "%.1f\n", ut_seconds() - start);
  return ut_path_set(c->e, path, "%s/entry/seconds.txt", n->tmp) || ut_file_write(path, text, (size_t)length, c->e) ||
                 (t->keep && t->keep(s, c->e)) || ut_synthesis_keep(n, "flat.ys", c->e) || ut_log_keep(n, c->e)
             ? -1
             : 0;
}

int ut_synthesis_make(struct ut_synthesis *s, const struct ut_caller *c) {
  return ut_entry_make(&s->entry, build, s, c) < 0 ? -1 : 0;
}

double ut_synthesis_seconds(const struct ut_synthesis *s) {
  char path[PATH_MAX], *text;
  size_t size;
  if (ut_path_set(NULL, path, "%s/seconds.txt", s->entry.folder) || ut_file_read(path, &text, &size))
    return 0;
  double seconds = strtod(text, NULL);
  free(text);
  return seconds;
}

char *ut_netlist_get(const struct ut_synthesis_request *request, ut_cache_progress *progress, void *ctx,
                     struct ut_error *e) {
  struct ut_caller c = {.progress = progress, .ctx = ctx, .interrupted = request->interrupted, .e = e};
  struct ut_synthesis *s = malloc(sizeof *s);
  const struct ut_shape *shape = request->shape;
  if (!s) {
    ut_fail_memory(e);
    return NULL;
  }
  snprintf(c.what, sizeof c.what, "netlist of %ux%u ports, %u VC%s of %u flits", shape->pi, shape->po, shape->v,
           shape->v > 1 ? "s" : "", shape->depth);
  char *path = ut_synthesis_open(s, request, &c) || ut_synthesis_make(s, &c) ? NULL : strdup(s->entry.path);
  ut_synthesis_close(s);
  free(s);
  return path;
}
