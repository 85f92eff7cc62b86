/* blocks.c - see blocks.h */
#include "blocks.h"

#include <stdlib.h>
#include <string.h>

#include "cache_files.h"
#include "memory_text.h"
#include "standard_cells.h"

enum { PARTS = UT_BLOCKS + 1 };

const char *const ut_block_name[UT_BLOCKS] = {"input_port", "route_unit",  "vc_allocator",   "switch_allocator",
                                              "crossbar",   "output_unit", "reroute_vector", "node_states"};

/* ---- names ---- */

/* How the RTL calls the instances of the blocks, in the order of ut_block_name. */
static const char *const block_instance[UT_BLOCKS] = {
    "u_input", "u_route", "u_vc_allocator", "u_switch_allocator", "u_crossbar", "u_output", "u_vector", "u_nodes",
};

const char *ut_block_title(int b) {
  return b < UT_BLOCKS ? ut_block_name[b] : "rest";
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
  for (int b = UT_BLOCKS; b--;) { /* from the back: a route unit lies in an input port */
    size_t n = strlen(block_instance[b]);
    const char *at = strstr(name, block_instance[b]);
    if (at && (at == name || at[-1] == '.') && (at[n] == '.' || at[n] == '_'))
      return b;
  }
  return UT_BLOCKS;
}

/* What each block that the path goes through adds to it, in the order in which it enters them. */
static json_t *shares(const struct ut_timing *t, int (*block_of)(const char *cell)) {
  json_t *list = json_array();
  int last = -1;
  double ns = 0;
  unsigned cells = 0;
  for (size_t i = 0; i <= t->steps; i++) {
    int b = i < t->steps ? block_of(t->step[i].instance) : -1;
    if (b != last && cells)
      json_array_append_new(list,
                            json_pack("{s:s,s:i,s:f}", "block", ut_block_title(last), "cells", (int)cells, "ns", ns));
    if (b != last)
      ns = cells = 0;
    if (i < t->steps)
      ns += t->step[i].ns;
    cells++;
    last = b;
  }
  return list;
}

json_t *ut_block_path(const struct ut_timing *t, int (*block_of)(const char *cell)) {
  return json_pack("{s:f,s:i,s:s,s:s,s:o}", "ns", t->ns, "logic_levels", (int)t->levels, "from", t->start, "to", t->end,
                   "blocks", shares(t, block_of));
}

/* ---- scripts ---- */

/* Into one file for each block, and one for the rest, in which the blocks are empty modules; a block has several
 * modules when its instances have different parameters. */
static void write_split(FILE *f, const struct ut_synthesis *s) {
  ut_script_read(f, s);
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

static void write_part(FILE *f, const struct ut_synthesis *s, int part) {
  fprintf(f, "read_rtlil rest.il\n");
  if (part < UT_BLOCKS) /* among the blocks that it may contain, as empty modules */
    fprintf(f, "delete ut_switch\nread_rtlil -overwrite %s.il\n", ut_block_title(part));
  ut_script_synthesize(f, s, "-nofsm -nordff -noabc", "coarse");
  ut_script_map(f, s, NULL);
  fprintf(f, "setattr -unset src w:* c:*\n");
  if (part < UT_BLOCKS)
    fprintf(f, "select *ut_%s\nwrite_rtlil -selected %s.mapped.il\n", ut_block_title(part), ut_block_title(part));
  else /* with the cells, too */
    fprintf(f, "write_rtlil rest.mapped.il\n");
}

static void write_join(FILE *f, const struct ut_synthesis *s) {
  for (int part = PARTS; part--;) /* the rest has empty modules for the blocks */
    fprintf(f, "read_rtlil -overwrite %s.mapped.il\n", ut_block_title(part));
  fprintf(f, "write_json blocks.json\n");
  if (!s->memory)
    fprintf(f, "splitnets -ports\nopt_clean -purge\nwrite_verilog -noattr -noexpr blocks.v\n");
}

/* Script 0 splits, the last one joins, those between them map a part each. */
static char *script(const struct ut_synthesis *s, int number) {
  char *text = NULL;
  size_t size;
  FILE *f = ut_memory_open(&text, &size);
  if (!f)
    return NULL;
  if (number == 0)
    write_split(f, s);
  else if (number <= PARTS)
    write_part(f, s, number - 1);
  else
    write_join(f, s);
  return ut_memory_close(f, &text) ? NULL : text;
}

char *ut_blocks_scripts(const struct ut_synthesis *s) {
  char *all = NULL;
  size_t size;
  FILE *f = ut_memory_open(&all, &size);
  for (int i = 0; f && i < PARTS + 2; i++) {
    char *one = script(s, i);
    fputs(one ? one : "", f);
    free(one);
  }
  return f && !ut_memory_close(f, &all) ? all : NULL;
}

/* Runs scripts from..to of the list, two at once. */
static int run(const struct ut_synthesis *s, int from, int to, const struct ut_entry *n, const struct ut_caller *c) {
  struct ut_job jobs[PARTS];
  char name[32];
  for (int i = from; i <= to; i++) {
    snprintf(name, sizeof name, "blocks%d.ys", i);
    if (ut_synthesis_put(n, name, script(s, i), c->e))
      return -1;
  }
  for (int i = from; i <= to; i++) {
    snprintf(name, sizeof name, "blocks%d.ys", i);
    ut_synthesis_job(&jobs[i - from], s, name);
  }
  return ut_synthesis_run(s, jobs, to - from + 1, n, c);
}

int ut_blocks_make(const struct ut_synthesis *s, const struct ut_entry *n, const struct ut_caller *c) {
  if (ut_synthesis_write(s, n->tmp, c->e))
    return -1;
  ut_caller_say(c, "synthesizing its blocks");
  return run(s, 0, 0, n, c) || run(s, 1, PARTS, n, c) || run(s, PARTS + 1, PARTS + 1, n, c) ? -1 : 0;
}
