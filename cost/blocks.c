/* SPDX-License-Identifier: Apache-2.0 */
/* blocks.c - see blocks.h */
#include "blocks.h"

#include <stdlib.h>
#include <string.h>

#include "cache_files.h"
#include "cache_log.h"
#include "memory_text.h"
#include "standard_cells.h"

enum { PARTS = UT_BLOCKS + 1 };

const char *const ut_block_name[UT_BLOCKS] = {"input_port", "route_unit",  "vc_allocator",   "switch_allocator",
                                              "crossbar",   "output_unit", "reroute_vector", "node_states"};

/* ---- names ---- */

/* The instance names of the blocks in the RTL, in the order of ut_block_name. */
static const char *const block_instance[UT_BLOCKS] = {
    "u_input", "u_route", "u_vc_allocator", "u_switch_allocator", "u_crossbar", "u_output", "u_vector", "u_nodes",
};

const char *ut_block_title(int b) {
  return b < UT_BLOCKS ? ut_block_name[b] : "rest";
}

const char *ut_block_instance(int b) {
  return b < UT_BLOCKS ? block_instance[b] : "";
}

int ut_block_of_title(const char *title) {
  int b = 0;
  while (b < UT_BLOCKS && (!title || strcmp(ut_block_name[b], title)))
    b++;
  return b;
}

int ut_block_of_module(const char *module) {
  const char *name = strrchr(module, '\\');
  name = name ? name + 1 : module;
  for (int b = 0; b < UT_BLOCKS; b++)
    if (!strncmp(name, "ut_", 3) && !strcmp(name + 3, ut_block_name[b]))
      return b;
  return UT_BLOCKS;
}

int ut_block_of_instance(const char *path) {
  const char *end = strrchr(path, '/'), *begin = path;
  if (!end)
    return UT_BLOCKS;
  for (const char *slash = path; (slash = strchr(slash, '/')) && slash < end; slash++)
    begin = slash + 1;
  for (int b = UT_BLOCKS; b--;) {
    size_t n = strlen(block_instance[b]);
    const char *tail = strstr(begin, block_instance[b]);
    /* u_crossbar and u_crossbar_tag are one block */
    if (tail && tail < end && (tail == begin || tail[-1] == '.') && (tail + n == end || tail[n] == '_'))
      return b;
  }
  return UT_BLOCKS;
}

int ut_block_of_name(const char *name) {
  for (int b = UT_BLOCKS; b--;) { /* backwards: a route unit lies in an input port */
    size_t n = strlen(block_instance[b]);
    const char *at = strstr(name, block_instance[b]);
    if (at && (at == name || at[-1] == '.') && (at[n] == '.' || at[n] == '_'))
      return b;
  }
  return UT_BLOCKS;
}

/* What each block on the path adds to it, in the order in which the path enters them. */
static json_t *shares(const struct ut_timing *timing, int (*block_of)(const char *cell)) {
  json_t *list = json_array();
  int last = -1;
  double ns = 0;
  unsigned cells = 0;
  for (size_t i = 0; i <= timing->steps; i++) {
    int b = i < timing->steps ? block_of(timing->step[i].instance) : -1;
    if (b != last && cells)
      json_array_append_new(list,
                            json_pack("{s:s,s:i,s:f}", "block", ut_block_title(last), "cells", (int)cells, "ns", ns));
    if (b != last)
      ns = cells = 0;
    if (i < timing->steps)
      ns += timing->step[i].ns;
    cells++;
    last = b;
  }
  return list;
}

json_t *ut_block_path(const struct ut_timing *timing, int (*block_of)(const char *cell)) {
  return json_pack("{s:f,s:i,s:s,s:s,s:o}", "ns", timing->ns, "logic_levels", (int)timing->levels, "from",
                   timing->start, "to", timing->end, "blocks", shares(timing, block_of));
}

/* ---- scripts ---- */

/* Into one file for each block, and one for the rest, in which the blocks are empty modules; a block has several
 * modules when its instances have different parameters. */
static void write_split(FILE *f, const struct ut_synthesis *synthesis) {
  ut_script_read(f, synthesis);
  for (int b = 0; b < UT_BLOCKS; b++)
    fprintf(f, "setattr -mod -set keep_hierarchy 1 *ut_%s\n", ut_block_name[b]);
  fprintf(f, "flatten\n");
  ut_script_name(f);
  for (int b = 0; b < UT_BLOCKS; b++)
    fprintf(f, "select *ut_%s\nwrite_rtlil -selected %s.il\n", ut_block_name[b], ut_block_name[b]);
  fprintf(f, "select -clear\nblackbox");
  for (int b = 0; b < UT_BLOCKS; b++)
    fprintf(f, " *ut_%s", ut_block_name[b]);
  fprintf(f, "\nwrite_rtlil rest.il\n");
}

static void write_mapping(FILE *f, const struct ut_synthesis *synthesis, int part, const char *named) {
  fprintf(f, "read_rtlil rest.il\n");
  if (part < UT_BLOCKS) /* read with the blocks that it may contain as empty modules */
    fprintf(f, "delete ut_switch\nread_rtlil -overwrite %s.il\n", ut_block_title(part));
  ut_script_synthesize(f, synthesis, "-nofsm -nordff -noabc", "coarse", NULL);
  ut_script_map(f, synthesis, named);
}

static void write_part(FILE *f, const struct ut_synthesis *synthesis, int part) {
  write_mapping(f, synthesis, part, NULL);
  fprintf(f, "setattr -unset src w:* c:*\n");
  if (part < UT_BLOCKS)
    fprintf(f, "select *ut_%s\nwrite_rtlil -selected %s.mapped.il\n", ut_block_title(part), ut_block_title(part));
  else /* with the cells, too */
    fprintf(f, "write_rtlil rest.mapped.il\n");
}

static void write_join(FILE *f, const struct ut_synthesis *synthesis) {
  for (int part = PARTS; part--;) /* the rest has empty modules for the blocks */
    fprintf(f, "read_rtlil -overwrite %s.mapped.il\n", ut_block_title(part));
  fprintf(f, "write_json blocks.json\n");
  if (!synthesis->memory)
    fprintf(f, "splitnets -ports\nopt_clean -purge\nwrite_verilog -noattr -noexpr blocks.v\n");
}

/* Does the same for gates in lockstep: each cell knows its block, and the nets keep their names. */
static void write_named_part(FILE *f, const struct ut_synthesis *synthesis, int part) {
  char named[256];
  const char *title = ut_block_title(part), *select = part < UT_BLOCKS ? "*ut_" : "ut_switch";
  snprintf(named, sizeof named,
           "setattr -unset src w:* c:*\nselect %s%s\nsetattr -set " UT_BLOCK_ATTRIBUTE " \"%s\" c:*\n"
           "write_rtlil -selected %s.mapped.il\nselect -clear\n",
           select, part < UT_BLOCKS ? title : "", title, title);
  write_mapping(f, synthesis, part, named);
}

static void write_named_join(FILE *f, const struct ut_synthesis *synthesis) {
  (void)synthesis;
  fprintf(f, "read_liberty -lib -ignore_miss_func cells.lib\n");
  for (int part = PARTS; part--;)
    fprintf(f, "read_rtlil -overwrite %s.mapped.il\n", ut_block_title(part));
  fprintf(f, "setattr -mod -unset keep_hierarchy *ut_*\nhierarchy -top ut_switch\nflatten\n");
  fprintf(f, "setattr -set keep 1 a:uturn_register\n"); /* also those that no other block looks at: lockstep does */
  fprintf(f, "opt_clean\nwrite_verilog entry/ut_switch.v\n");
  ut_script_models(f);
}

/* Joins the blocks: script 0 splits, the last one joins, those between them map one part each. */
struct steps {
  void (*part)(FILE *f, const struct ut_synthesis *s, int part);
  void (*join)(FILE *f, const struct ut_synthesis *s);
};
static const struct steps apart = {write_part, write_join}, whole = {write_named_part, write_named_join};

static char *script(const struct steps *steps, const struct ut_synthesis *synthesis, int number) {
  char *text = NULL;
  size_t size;
  FILE *f = ut_memory_open(&text, &size);
  if (!f)
    return NULL;
  if (number == 0)
    write_split(f, synthesis);
  else if (number <= PARTS)
    steps->part(f, synthesis, number - 1);
  else
    steps->join(f, synthesis);
  return ut_memory_close(f, &text) ? NULL : text;
}

static char *scripts(const struct steps *steps, const struct ut_synthesis *synthesis) {
  char *all = NULL;
  size_t size;
  FILE *f = ut_memory_open(&all, &size);
  for (int i = 0; f && i < PARTS + 2; i++) {
    char *one = script(steps, synthesis, i);
    fputs(one ? one : "", f);
    free(one);
  }
  return f && !ut_memory_close(f, &all) ? all : NULL;
}

char *ut_blocks_scripts(const struct ut_synthesis *synthesis) {
  return scripts(&apart, synthesis);
}

/* Runs scripts from..to of the list, two at once. */
static int run(const struct steps *steps, const struct ut_synthesis *synthesis, int from, int to,
               const struct ut_entry *entry, const struct ut_caller *caller) {
  struct ut_job jobs[PARTS];
  char name[32];
  for (int i = from; i <= to; i++) {
    snprintf(name, sizeof name, "blocks%d.ys", i);
    if (ut_synthesis_put(entry, name, script(steps, synthesis, i), caller->e))
      return -1;
  }
  for (int i = from; i <= to; i++) {
    snprintf(name, sizeof name, "blocks%d.ys", i);
    ut_synthesis_job(&jobs[i - from], synthesis, name, NULL);
  }
  return ut_synthesis_run(synthesis, jobs, to - from + 1, entry, caller);
}

static int make(const struct steps *steps, const struct ut_synthesis *synthesis, const struct ut_entry *entry,
                const struct ut_caller *caller) {
  if (ut_synthesis_write(synthesis, entry->tmp, caller->e))
    return -1;
  ut_caller_say(caller, "synthesizing its blocks");
  return run(steps, synthesis, 0, 0, entry, caller) || run(steps, synthesis, 1, PARTS, entry, caller) ||
                 run(steps, synthesis, PARTS + 1, PARTS + 1, entry, caller)
             ? -1
             : 0;
}

int ut_blocks_make(const struct ut_synthesis *synthesis, const struct ut_entry *entry, const struct ut_caller *caller) {
  return make(&apart, synthesis, entry, caller);
}

/* ---- the blocks as one netlist ---- */

struct block_netlist {
  const struct ut_synthesis *synthesis;
  struct ut_entry entry;
};

static int build(void *of, const struct ut_caller *caller) {
  const struct block_netlist *netlist = of;
  return make(&whole, netlist->synthesis, &netlist->entry, caller) ||
                 ut_synthesis_keep(&netlist->entry, "cells.lib", caller->e) || ut_log_keep(&netlist->entry, caller->e)
             ? -1
             : 0;
}

static char *get(const struct ut_synthesis *synthesis, const struct ut_caller *caller) {
  struct block_netlist netlist = {.synthesis = synthesis};
  XXH128_hash_t key;
  char *text = scripts(&whole, synthesis);
  XXH3_state_t *h = XXH3_createState();
  if (text && h) {
    XXH3_128bits_reset(h);
    ut_key_bytes(h, &synthesis->key, sizeof synthesis->key);
    ut_key_text(h, text);
    key = XXH3_128bits_digest(h);
  }
  const int status = text && h ? 0 : ut_fail_memory(caller->e);
  free(text);
  XXH3_freeState(h);
  if (status || ut_entry_init(&netlist.entry, synthesis->dir, key, "ut_switch.v", caller->e) ||
      ut_entry_make(&netlist.entry, build, &netlist, caller) < 0)
    return NULL;
  return strdup(netlist.entry.path);
}

char *ut_block_netlist_get(const struct ut_synthesis_request *request, ut_cache_progress *progress, void *ctx,
                           struct ut_error *e) {
  struct ut_caller caller = {.progress = progress, .ctx = ctx, .interrupted = request->interrupted, .e = e};
  struct ut_synthesis *synthesis = malloc(sizeof *synthesis);
  if (!synthesis) {
    ut_fail_memory(e);
    return NULL;
  }
  snprintf(caller.what, sizeof caller.what, "blocks of %ux%u ports, %u VC%s of %u flits", request->shape->pi,
           request->shape->po, request->shape->v, request->shape->v > 1 ? "s" : "", request->shape->depth);
  char *path = ut_synthesis_open(synthesis, request, &caller) ? NULL : get(synthesis, &caller);
  ut_synthesis_close(synthesis);
  free(synthesis);
  return path;
}
