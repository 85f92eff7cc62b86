/* cost.c - see cost.h */
#include "cost.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "cache_files.h"
#include "cache_log.h"
#include "cache_tools.h"
#include "netlist.h"
#include "timing.h"

/* Part of every key: change it when the report changes in a way that no script shows. */
static const char recipe[] = "uturn cost 1";

/* How the RTL calls the instances of the blocks, in the order of ut_block_name. */
static const char *const block_instance[UT_BLOCKS] = {
    "u_input", "u_route", "u_vc_allocator", "u_switch_allocator", "u_crossbar", "u_output", "u_vector", "u_nodes",
};
static const char rest[] = "rest";

struct report {
  struct ut_synthesis synthesis;
  const struct ut_shape *shape;
  char sta[PATH_MAX], sta_version[256];
  struct ut_entry entry;
};

/* ---- counts as JSON ---- */

static int count(const struct report *r, json_t *module, struct ut_counts *counts, struct ut_error *e) {
  *counts = (struct ut_counts){.kind = calloc(r->synthesis.liberty.cells, sizeof *counts->kind)};
  if (!counts->kind)
    return ut_fail_memory(e);
  return ut_netlist_count(module, &r->synthesis.liberty, r->shape, counts, e);
}

static void set_counts(const struct report *r, json_t *j, const struct ut_counts *c) {
  const uint64_t *f = c->flip_flops;
  uint64_t buffers = f[UT_STATE_INPUT_BUFFER] + f[UT_STATE_OUTPUT_REGISTER];
  uint64_t control = f[UT_STATE_CONTROL] + f[UT_STATE_TABLE], bits = 0;
  for (int i = 0; i < UT_STATES; i++)
    bits += c->memory_bits[i];
  json_object_set_new(j, "cells", json_integer((json_int_t)c->cells));
  json_object_set_new(j, "area_um2", json_real(c->area));
  json_object_set_new(j, "nand2_equivalents", json_real(c->area / r->synthesis.liberty.nand2->area));
  json_object_set_new(j, "flip_flops",
                      json_pack("{s:I,s:I,s:I}", "buffers", (json_int_t)buffers, "control", (json_int_t)control,
                                "reroute", (json_int_t)f[UT_STATE_REROUTE]));
  json_object_set_new(j, "memory_bits", json_integer((json_int_t)bits));
}

static void set_details(const struct report *r, json_t *j, const struct ut_counts *c) {
  const struct ut_liberty *l = &r->synthesis.liberty;
  json_t *kinds = json_object();
  for (size_t i = 0; i < l->cells; i++)
    if (c->kind[i])
      json_object_set_new(kinds, l->cell[i].name, json_integer((json_int_t)c->kind[i]));
  json_object_set_new(j, "cells_by_kind", kinds);
  json_object_set_new(j, "flip_flops_of",
                      json_pack("{s:I,s:I,s:I}", "input_buffers", (json_int_t)c->flip_flops[UT_STATE_INPUT_BUFFER],
                                "output_registers", (json_int_t)c->flip_flops[UT_STATE_OUTPUT_REGISTER],
                                "forwarding_tables", (json_int_t)c->flip_flops[UT_STATE_TABLE]));
  json_object_set_new(j, "memory_bits_of",
                      json_pack("{s:I,s:I}", "input_buffers", (json_int_t)c->memory_bits[UT_STATE_INPUT_BUFFER],
                                "forwarding_tables", (json_int_t)c->memory_bits[UT_STATE_TABLE]));
}

static json_t *load_design(const char *path, struct ut_error *e) {
  json_error_t why;
  json_t *design = json_load_file(path, 0, &why);
  if (!design)
    ut_fail(e, UT_INTERNAL, "cannot read the netlist %.900s: %s", path, why.text);
  return design;
}

/* ---- the flat netlist ---- */

static int report_flat(const struct report *r, json_t *j, struct ut_error *e) {
  char path[PATH_MAX];
  struct ut_counts counts = {0};
  json_t *design = NULL;
  if (ut_path_set(e, path, "%s/ut_switch.json", r->synthesis.entry.folder) || !(design = load_design(path, e)))
    return -1;
  json_t *module = ut_netlist_module(design, "ut_switch");
  int crosspoints = -1;
  int status = count(r, module, &counts, e);
  if (!status)
    status = (crosspoints = ut_netlist_crosspoints(module, &r->synthesis.liberty, r->shape, e)) < 0 ? -1 : 0;
  if (!status) {
    const struct ut_shape *s = r->shape;
    set_counts(r, j, &counts);
    set_details(r, j, &counts);
    json_object_set_new(j, "crossbar",
                        json_pack("{s:i,s:i,s:i}", "inputs", (int)(s->xbar == UT_XBAR_VC ? s->pi * s->v : s->pi),
                                  "outputs", (int)s->po, "crosspoints", crosspoints));
  }
  free(counts.kind);
  json_decref(design);
  return status;
}

/* ---- the blocks ---- */

/* The block that a module belongs to: Yosys calls it $paramod...\ut_name.  UT_BLOCKS: none. */
static int block_of_module(const char *module) {
  const char *name = strrchr(module, '\\');
  name = name ? name + 1 : module;
  for (int b = 0; b < UT_BLOCKS; b++)
    if (!strncmp(name, "ut_", 3) && !strcmp(name + 3, ut_block_name[b]))
      return b;
  return UT_BLOCKS;
}

/* The innermost block that an instance of the kept hierarchy lies in: block/block/cell. */
static int block_of_instance(const char *path) {
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

static const char *block_name(int b) {
  return b < UT_BLOCKS ? ut_block_name[b] : rest;
}

static void add_counts(struct ut_counts *sum, const struct ut_counts *one) {
  sum->cells += one->cells;
  sum->area += one->area;
  for (int i = 0; i < UT_STATES; i++) {
    sum->flip_flops[i] += one->flip_flops[i];
    sum->memory_bits[i] += one->memory_bits[i];
  }
}

struct sum {
  struct ut_counts counts;
  unsigned instances;
};

/* Adds `times` instances of a kind of module to their block, with those that it contains. */
static int add_module(const struct report *r, json_t *design, const char *type, unsigned times,
                      struct sum sum[UT_BLOCKS + 1], struct ut_error *e) {
  struct ut_counts one;
  const char *name;
  json_t *cell, *module = ut_netlist_module(design, type);
  int b = block_of_module(type), status = count(r, module, &one, e);
  for (unsigned i = 0; !status && i < times; i++)
    add_counts(&sum[b].counts, &one);
  sum[b].instances += times;
  free(one.kind);
  json_object_foreach(json_object_get(module, "cells"), name, cell) {
    const char *inner = json_string_value(json_object_get(cell, "type"));
    if (!status && inner && block_of_module(inner) < UT_BLOCKS)
      status = add_module(r, design, inner, times, sum, e);
  }
  return status;
}

static int report_blocks(const struct report *r, json_t *j, struct ut_error *e) {
  char path[PATH_MAX];
  struct sum sum[UT_BLOCKS + 1] = {0};
  json_t *design = NULL, *blocks = json_array();
  if (ut_path_set(e, path, "%s/blocks.json", r->entry.tmp) || !(design = load_design(path, e)))
    return -1;
  int status = add_module(r, design, "ut_switch", 1, sum, e);
  for (int b = 0; b <= UT_BLOCKS && !status; b++) {
    if (!sum[b].instances)
      continue;
    json_t *block = json_pack("{s:s,s:i}", "name", block_name(b), "instances", (int)sum[b].instances);
    set_counts(r, block, &sum[b].counts);
    json_array_append_new(blocks, block);
  }
  json_object_set_new(j, "blocks", blocks);
  json_decref(design);
  return status;
}

/* ---- the longest path ---- */

/* What each block that the path goes through adds to it, in the order in which it enters them. */
static json_t *path_blocks(const struct ut_timing *t) {
  json_t *list = json_array();
  int last = -1;
  double ns = 0;
  unsigned cells = 0;
  for (size_t i = 0; i <= t->steps; i++) {
    int b = i < t->steps ? block_of_instance(t->step[i].instance) : -1;
    if (b != last && cells)
      json_array_append_new(list, json_pack("{s:s,s:i,s:f}", "block", block_name(last), "cells", (int)cells, "ns", ns));
    if (b != last)
      ns = cells = 0;
    if (i < t->steps)
      ns += t->step[i].ns;
    cells++;
    last = b;
  }
  return list;
}

static int report_timing(const struct report *r, json_t *j, const struct ut_caller *c) {
  struct ut_timing flat = {0}, blocks = {0};
  char path[PATH_MAX];
  if (ut_path_set(c->e, path, "%s/timing.v", r->synthesis.entry.folder))
    return -1;
  int status = ut_timing_run(&flat, &r->synthesis, r->sta, path, &r->entry, c) ||
               ut_timing_run(&blocks, &r->synthesis, r->sta, "blocks.v", &r->entry, c);
  if (!status) {
    json_object_set_new(j, "longest_path_ns", json_real(flat.ns));
    json_object_set_new(j, "logic_levels", json_integer(flat.levels));
    json_object_set_new(j, "path", json_pack("{s:s,s:s}", "from", flat.start, "to", flat.end));
    json_object_set_new(j, "path_through_blocks",
                        json_pack("{s:f,s:i,s:s,s:s,s:o}", "ns", blocks.ns, "logic_levels", (int)blocks.levels, "from",
                                  blocks.start, "to", blocks.end, "blocks", path_blocks(&blocks)));
  }
  ut_timing_free(&flat);
  ut_timing_free(&blocks);
  return status ? -1 : 0;
}

/* ---- the entry ---- */

static int write_report(const struct report *r, const json_t *j, struct ut_error *e) {
  char path[PATH_MAX];
  if (ut_path_set(e, path, "%s/entry/cost.json", r->entry.tmp))
    return -1;
  return json_dump_file(j, path, JSON_INDENT(2)) ? ut_fail(e, UT_INTERNAL, "cannot write %.900s", path) : 0;
}

static int build(void *of, const struct ut_caller *c) {
  struct report *r = of;
  const struct ut_entry *n = &r->entry;
  if (ut_synthesis_make(&r->synthesis, c))
    return -1;
  json_t *j = json_object();
  json_object_set_new(j, "liberty", json_string(r->synthesis.liberty.library));
  int status = report_flat(r, j, c->e) || ut_blocks_make(&r->synthesis, n, c) || report_blocks(r, j, c->e);
  if (!status && r->synthesis.memory) {
    json_object_set_new(j, "longest_path_ns", json_null());
    json_object_set_new(j, "logic_levels", json_null());
  } else if (!status) {
    status = report_timing(r, j, c);
  }
  json_object_set_new(j, "synthesis_s", json_real(ut_synthesis_seconds(&r->synthesis)));
  status = status || write_report(r, j, c->e) || ut_log_keep(n, c->e);
  json_decref(j);
  return status ? -1 : 0;
}

static int make_key(const struct report *r, XXH128_hash_t *key, struct ut_error *e) {
  XXH3_state_t *h = XXH3_createState();
  char *blocks = ut_blocks_scripts(&r->synthesis);
  char *timing = ut_timing_script(&r->synthesis, "timing.v", "timing.txt");
  if (h && blocks && timing) {
    XXH3_128bits_reset(h);
    ut_key_text(h, recipe);
    ut_key_bytes(h, &r->synthesis.key, sizeof r->synthesis.key);
    ut_key_text(h, blocks);
    ut_key_text(h, r->synthesis.memory ? "" : timing);
    ut_key_text(h, r->sta);
    ut_key_text(h, r->sta_version);
    *key = XXH3_128bits_digest(h);
  }
  int status = h && blocks && timing ? 0 : ut_fail_memory(e);
  free(blocks);
  free(timing);
  XXH3_freeState(h);
  return status;
}

static int find_sta(struct report *r, const struct ut_caller *c) {
  if (r->synthesis.memory)
    return 0;
  if (ut_tool_need("sta", "opensta", "timing", r->sta, c->e))
    return -1;
  return ut_tool_says(c, r->sta, "-version", NULL, r->sta_version, sizeof r->sta_version);
}

static int open_report(struct report *r, const struct ut_synthesis_request *request, const struct ut_caller *c) {
  XXH128_hash_t key;
  *r = (struct report){.shape = request->shape};
  return ut_synthesis_open(&r->synthesis, request, c) || find_sta(r, c) || make_key(r, &key, c->e) ||
                 ut_entry_init(&r->entry, r->synthesis.dir, key, "cost.json", c->e)
             ? -1
             : 0;
}

static json_t *get(struct report *r, const struct ut_caller *c) {
  return ut_entry_make(&r->entry, build, r, c) < 0 ? NULL : load_design(r->entry.path, c->e);
}

json_t *ut_cost_get(const struct ut_synthesis_request *request, ut_cache_progress *progress, void *ctx,
                    struct ut_error *e) {
  struct ut_caller c = {.progress = progress, .ctx = ctx, .interrupted = request->interrupted, .e = e};
  const struct ut_shape *s = request->shape;
  struct report *r = malloc(sizeof *r);
  if (!r) {
    ut_fail_memory(e);
    return NULL;
  }
  snprintf(c.what, sizeof c.what, "cost of %ux%u ports, %u VC%s of %u flits%s", s->pi, s->po, s->v, s->v > 1 ? "s" : "",
           s->depth, request->memory ? ", memories" : "");
  json_t *j = open_report(r, request, &c) ? NULL : get(r, &c);
  ut_synthesis_close(&r->synthesis);
  free(r);
  return j;
}
