/* SPDX-License-Identifier: Apache-2.0 */
/* model_recipe.c - see model_recipe.h */
#include "model_recipe.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_files.h"
#include "cache_tools.h"
#include "tool.h"

/* Part of every key: change it when the build steps change in a way that no flag shows. */
static const char build_recipe[] = "uturn model 2";

const char *const ut_verilator_flags[] = {"--cc",
                                          "--top-module",
                                          "ut_switch",
                                          "--prefix",
                                          "Vut_switch",
                                          "-O3",
                                          "--x-assign",
                                          "fast",
                                          "--x-initial",
                                          "unique",
                                          "--no-timing",
                                          "-Wno-fatal",
                                          "--output-split",
                                          "10000",
                                          "--output-split-cfuncs",
                                          "20000",
                                          "--Mdir",
                                          "obj",
                                          "-Irtl",
                                          NULL};
const char *const ut_compile_flags[] = {"-fPIC",
                                        "-std=c++17",
                                        "-fvisibility=hidden",
                                        "-DVL_TIME_CONTEXT",
                                        "-w",
                                        "-I",
                                        "obj",
                                        "-I",
                                        "src/spec",
                                        "-I",
                                        "src/csim/switch",
                                        "-I",
                                        "src/tb",
                                        NULL};
/* Of gates as straight-line code: what more optimisation finds is not worth its time (docs/explanation/gate_lanes.md).
 */
const char *const ut_lane_flags[] = {"-x", "c", "-std=gnu11", "-O1", "-fPIC", "-fvisibility=hidden", "-w", NULL};
const char *const ut_link_flags[] = {"-shared", "-fPIC", "-Wl,-z,defs", "-latomic", "-pthread", NULL};

/* ---- what it consists of ---- */

int ut_recipe_init(struct ut_recipe *r, const struct ut_model_request *request, struct ut_error *e) {
  const struct ut_shape *s = request->shape;
  if (!s || !request->root_dir || s->pi < 1 || s->pi > UT_MAX_PORTS || s->po < 1 || s->po > UT_MAX_PORTS || s->v < 1 ||
      s->v > UT_MAX_VCS || s->w % 64 || s->w < 64 || s->w > 64 * UT_MAX_FLIT_WORDS)
    return ut_fail(e, UT_INTERNAL, "switch model: the request has no root folder or no legal shape");
  *r = (struct ut_recipe){.shape = s,
                          .traced = request->traced,
                          .covered = request->covered,
                          .netlist = request->netlist,
                          .lanes = request->lanes,
                          .counted = request->counted};
  ut_parameters_set(r->parameter, s);
  if (!realpath(request->root_dir, r->root))
    return ut_fail_source(e, errno, "find the root folder", request->root_dir);
  return ut_sources_rtl_folder(r->root, request->rtl_dir, r->rtl, e);
}

/* `verilator` is a script that hands the folder of its program to a shell as it is. */
static int check_verilator(const char *what, const char *path, struct ut_error *e) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/_.,:@%+=-";
  if (!path || !path[strspn(path, plain)])
    return 0;
  return ut_fail(e, UT_BAD_INPUT,
                 "%s is '%.900s': Verilator takes no folder with a blank or a character of shells in its name: move it",
                 what, path);
}

static int find_tools(struct ut_recipe *r, const struct ut_caller *c) {
  if (!r->lanes && (ut_tool_need("verilator", "verilator", "the switch model", r->verilator, c->e) ||
                    check_verilator("VERILATOR_ROOT", getenv("VERILATOR_ROOT"), c->e) ||
                    check_verilator("the program `verilator`", r->verilator, c->e)))
    return -1;
  r->clang = ut_tool_find("clang++", r->compiler);
  if (!r->clang && !ut_tool_find("g++", r->compiler))
    return ut_fail(c->e, UT_BAD_INPUT,
                   "the switch model needs `clang++` or `g++`, and neither is in PATH: install one "
                   "(Debian: apt-get install clang) or correct PATH");
  ut_tool_features(r->features);
  return (!r->lanes &&
          ut_tool_says(c, r->verilator, "--version", NULL, r->verilator_version, sizeof r->verilator_version)) ||
                 ut_tool_says(c, r->compiler, "--version", NULL, r->compiler_version, sizeof r->compiler_version)
             ? -1
             : 0;
}

int ut_recipe_gather(struct ut_recipe *r, const struct ut_caller *c) {
  if (find_tools(r, c))
    return -1;
  if (r->lanes)
    return ut_model_sources_read_lanes(&r->sources, r->root, r->netlist, r->lanes, c->e);
  return r->netlist
             ? ut_model_sources_read_gates(&r->sources, r->root, r->netlist, r->counted ? &r->net_words : NULL, c->e)
             : ut_model_sources_read(&r->sources, r->root, r->rtl, c->e);
}

void ut_recipe_free(struct ut_recipe *r) {
  ut_sources_free(&r->sources);
}

/* ---- the keys ---- */

int ut_recipe_keys(const struct ut_recipe *r, XXH128_hash_t *support, XXH128_hash_t *model, struct ut_error *e) {
  XXH3_state_t *h = XXH3_createState();
  if (!h)
    return ut_fail_memory(e);
  const char *root = getenv("VERILATOR_ROOT");
  XXH3_128bits_reset(h);
  ut_key_text(h, build_recipe);
  ut_key_text(h, root ? root : "");
  ut_key_text(h, r->verilator);
  ut_key_text(h, r->verilator_version);
  ut_key_text(h, r->compiler);
  ut_key_text(h, r->compiler_version);
  ut_key_text(h, r->traced ? "traced" : r->covered ? "covered" : "bare");
  ut_key_list(h, ut_compile_flags);
  ut_key_list(h, r->features);
  *support = XXH3_128bits_digest(h);

  ut_key_text(h, r->lanes ? "lanes" : r->counted ? "counted gates" : r->netlist ? "gates" : "RTL");
  ut_key_list(h, ut_lane_flags);
  ut_key_list(h, ut_verilator_flags);
  ut_key_list(h, ut_link_flags);
  ut_key_parameters(h, r->parameter);
  ut_key_sources(h, &r->sources);
  *model = XXH3_128bits_digest(h);
  XXH3_freeState(h);
  return 0;
}

/* ---- in words ---- */

int ut_recipe_write(const struct ut_recipe *r, const char *path, struct ut_error *e) {
  struct ut_text t;
  FILE *f = ut_text_open(&t, e);
  if (!f)
    return -1;
  for (int i = 0; i < UT_PARAMETERS; i++)
    fprintf(f, "%s %u\n", r->parameter[i].name, r->parameter[i].value);
  fprintf(f, "TRACED %d\n\n%s\n\n%s\n", r->traced, r->verilator_version, r->compiler_version);
  return ut_text_write(&t, f, path, e);
}
