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

void ut_script_read(FILE *f, const struct ut_synthesis *synthesis) {
  fprintf(f, "read_verilog -Irtl");
  for (size_t i = 0; i < synthesis->sources.n; i++)
    if (ut_path_ends(synthesis->sources.item[i].name, ".v"))
      fprintf(f, " \"%s\"",
              synthesis->sources.item[i].name); /* ut_sources_add_rtl() refuses names that this does not quote */
  fprintf(f, "\nhierarchy -check -top ut_switch");
  for (int i = 0; i < UT_PARAMETERS; i++)
    fprintf(f, " -chparam %s %u", synthesis->parameter[i].name, synthesis->parameter[i].value);
  fprintf(f, "\nproc\n");
}

void ut_script_name(FILE *f) {
  fprintf(f, "setattr -set uturn_register 1 -set uturn_name 1 w:*_q\n");
}

static char *flat_script(const struct ut_synthesis *synthesis) {
  char *text = NULL;
  size_t size;
  FILE *f = ut_memory_open(&text, &size);
  if (!f)
    return NULL;
  ut_script_read(f, synthesis);
  ut_script_name(f);
  synthesis->technology->script(f, synthesis);
  return ut_memory_close(f, &text) ? NULL : text;
}

int ut_synthesis_write(const struct ut_synthesis *synthesis, const char *folder, struct ut_error *e) {
  const struct ut_technology *technology = synthesis->technology;
  return ut_sources_write(&synthesis->sources, folder, e) ||
                 (technology->write && technology->write(synthesis, folder, e))
             ? -1
             : 0;
}

/* ---- running it ---- */

/* Returns the name of the broken rule from a tool's output: the name of a module that does not exist. */
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

static int reword_failure(const struct ut_synthesis *synthesis, struct ut_error *e) {
  char rule[128];
  if (broken_rule(e->text, rule))
    return ut_fail(e, UT_BAD_INPUT,
                   "the RTL in %.900s rejects this switch: %s; change the scenario (docs/reference/switch.md)",
                   synthesis->rtl, rule);
  if (synthesis->technology->reword)
    synthesis->technology->reword(synthesis, e);
  return -1;
}

void ut_synthesis_job(struct ut_job *job, const struct ut_synthesis *synthesis, const char *script, const char *makes) {
  *job = (struct ut_job){.does = "synthesizing the switch", .log_fd = -1, .makes = makes};
  ut_args_add(&job->command, "%s", synthesis->yosys);
  ut_args_add(&job->command, "-q");
  ut_args_add(&job->command, "%s", script);
}

int ut_synthesis_run(const struct ut_synthesis *synthesis, struct ut_job *jobs, int count, const struct ut_entry *entry,
                     const struct ut_caller *caller) {
  int status = ut_log_run(caller, entry, synthesis->rtl, jobs, count);
  ut_jobs_free(jobs, count);
  return status ? reword_failure(synthesis, caller->e) : 0;
}

int ut_synthesis_put(const struct ut_entry *entry, const char *name, char *text, struct ut_error *e) {
  char path[PATH_MAX];
  int status = !text ? ut_fail_memory(e)
               : ut_path_set(e, path, "%s/%s", entry->tmp, name) || ut_file_write(path, text, strlen(text), e) ? -1
                                                                                                               : 0;
  free(text);
  return status;
}

/* ---- the entry ---- */

static int find_yosys(struct ut_synthesis *synthesis, const struct ut_caller *caller) {
  if (ut_tool_need("yosys", "yosys", "synthesis", synthesis->yosys, caller->e))
    return -1;
  return ut_tool_says(caller, synthesis->yosys, "-V", NULL, synthesis->version, sizeof synthesis->version);
}

static int make_key(struct ut_synthesis *synthesis, struct ut_error *e) {
  XXH3_state_t *h = XXH3_createState();
  char *script = flat_script(synthesis);
  if (h && script) {
    XXH3_128bits_reset(h);
    ut_key_text(h, recipe);
    ut_key_text(h, synthesis->yosys);
    ut_key_text(h, synthesis->version);
    ut_key_text(h, script);
    ut_key_parameters(h, synthesis->parameter);
    ut_key_sources(h, &synthesis->sources);
    if (synthesis->technology->key)
      synthesis->technology->key(h, synthesis);
    synthesis->key = XXH3_128bits_digest(h);
  }
  int status = h && script ? 0 : ut_fail_memory(e);
  free(script);
  XXH3_freeState(h);
  return status;
}

int ut_synthesis_open(struct ut_synthesis *synthesis, const struct ut_synthesis_request *request,
                      const struct ut_caller *caller) {
  *synthesis = (struct ut_synthesis){.memory = request->memory,
                                     .technology = request->fpga     ? &ut_fpga
                                                   : request->simple ? &ut_simple_gates
                                                                     : &ut_standard_cells};
  ut_parameters_set(synthesis->parameter, request->shape);
  if (synthesis->technology->open(synthesis, request, caller->e) || find_yosys(synthesis, caller) ||
      ut_cache_open(synthesis->dir, caller->e) ||
      ut_sources_rtl_folder(request->root_dir, request->rtl_dir, synthesis->rtl, caller->e) ||
      ut_sources_add_rtl(&synthesis->sources, synthesis->rtl, caller->e))
    return -1;
  ut_sources_sort(&synthesis->sources);
  return make_key(synthesis, caller->e) || ut_entry_init(&synthesis->entry, synthesis->dir, synthesis->key,
                                                         synthesis->technology->artefact, caller->e)
             ? -1
             : 0;
}

void ut_synthesis_close(struct ut_synthesis *synthesis) {
  ut_liberty_free(&synthesis->liberty);
  ut_sources_free(&synthesis->sources);
}

int ut_synthesis_keep(const struct ut_entry *entry, const char *name, struct ut_error *e) {
  char from[PATH_MAX], to[PATH_MAX];
  if (ut_path_set(e, from, "%s/%s", entry->tmp, name) || ut_path_set(e, to, "%s/entry/%s", entry->tmp, name))
    return -1;
  return rename(from, to) ? ut_fail_os(e, errno, "move", from) : 0;
}

static int build(void *of, const struct ut_caller *caller) {
  const struct ut_synthesis *synthesis = of;
  char path[PATH_MAX], text[64];
  const struct ut_technology *technology = synthesis->technology;
  const struct ut_entry *entry = &synthesis->entry;
  double start = ut_seconds();
  struct ut_job job;
  if (ut_synthesis_write(synthesis, entry->tmp, caller->e) ||
      ut_synthesis_put(entry, "flat.ys", flat_script(synthesis), caller->e))
    return -1;
  char makes[64];
  snprintf(makes, sizeof makes, "entry/%s", technology->last ? technology->last : technology->artefact);
  ut_synthesis_job(&job, synthesis, "flat.ys", makes);
  ut_caller_say(caller, "synthesizing");
  if (ut_synthesis_run(synthesis, &job, 1, entry, caller))
    return -1;
  int length = snprintf(text, sizeof text, "%.1f\n", ut_seconds() - start);
  return ut_path_set(caller->e, path, "%s/entry/seconds.txt", entry->tmp) ||
                 ut_file_write(path, text, (size_t)length, caller->e) ||
                 (technology->keep && technology->keep(synthesis, caller->e)) ||
                 ut_synthesis_keep(entry, "flat.ys", caller->e) || ut_log_keep(entry, caller->e)
             ? -1
             : 0;
}

int ut_synthesis_make(struct ut_synthesis *synthesis, const struct ut_caller *caller) {
  return ut_entry_make(&synthesis->entry, build, synthesis, caller) < 0 ? -1 : 0;
}

double ut_synthesis_seconds(const struct ut_synthesis *synthesis) {
  char path[PATH_MAX], *text;
  size_t size;
  if (ut_path_set(NULL, path, "%s/seconds.txt", synthesis->entry.folder) || ut_file_read(path, &text, &size))
    return 0;
  double seconds = strtod(text, NULL);
  free(text);
  return seconds;
}

char *ut_netlist_get(const struct ut_synthesis_request *request, ut_cache_progress *progress, void *ctx,
                     struct ut_error *e) {
  struct ut_caller caller = {.progress = progress, .ctx = ctx, .interrupted = request->interrupted, .e = e};
  struct ut_synthesis *synthesis = malloc(sizeof *synthesis);
  const struct ut_shape *shape = request->shape;
  if (!synthesis) {
    ut_fail_memory(e);
    return NULL;
  }
  snprintf(caller.what, sizeof caller.what, "netlist of %ux%u ports, %u VC%s of %u flits", shape->pi, shape->po,
           shape->v, shape->v > 1 ? "s" : "", shape->depth);
  char *path = ut_synthesis_open(synthesis, request, &caller) || ut_synthesis_make(synthesis, &caller)
                   ? NULL
                   : strdup(synthesis->entry.path);
  ut_synthesis_close(synthesis);
  free(synthesis);
  return path;
}
