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
/* For gates as straight-line code: further optimisation is not worth its time (docs/explanation/gate_lanes.md).
 */
const char *const ut_lane_flags[] = {"-x", "c", "-std=gnu11", "-O1", "-fPIC", "-fvisibility=hidden", "-w", NULL};
const char *const ut_link_flags[] = {"-shared", "-fPIC", "-Wl,-z,defs", "-latomic", "-pthread", NULL};

/* ---- the parts of a recipe ---- */

int ut_recipe_init(struct ut_recipe *recipe, const struct ut_model_request *request, struct ut_error *e) {
  const struct ut_shape *shape = request->shape;
  if (!shape || !request->root_dir || shape->pi < 1 || shape->pi > UT_MAX_PORTS || shape->po < 1 ||
      shape->po > UT_MAX_PORTS || shape->v < 1 || shape->v > UT_MAX_VCS || shape->w % 64 || shape->w < 64 ||
      shape->w > 64 * UT_MAX_FLIT_WORDS)
    return ut_fail(e, UT_INTERNAL, "switch model: the request has no root folder or no legal shape");
  *recipe = (struct ut_recipe){.shape = shape,
                               .traced = request->traced,
                               .covered = request->covered,
                               .netlist = request->netlist,
                               .lanes = request->lanes,
                               .counted = request->counted};
  ut_parameters_set(recipe->parameter, shape);
  if (!realpath(request->root_dir, recipe->root))
    return ut_fail_source(e, errno, "find the root folder", request->root_dir);
  return ut_sources_rtl_folder(recipe->root, request->rtl_dir, recipe->rtl, e);
}

/* `verilator` is a script that passes the folder of its program to a shell unquoted. */
static int check_verilator(const char *what, const char *path, struct ut_error *e) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/_.,:@%+=-";
  if (!path || !path[strspn(path, plain)])
    return 0;
  return ut_fail(e, UT_BAD_INPUT,
                 "%s is '%.900s': Verilator takes no folder with a blank or a character of shells in its name: move it",
                 what, path);
}

static int find_tools(struct ut_recipe *recipe, const struct ut_caller *caller) {
  if (!recipe->lanes && (ut_tool_need("verilator", "verilator", "the switch model", recipe->verilator, caller->e) ||
                         check_verilator("VERILATOR_ROOT", getenv("VERILATOR_ROOT"), caller->e) ||
                         check_verilator("the program `verilator`", recipe->verilator, caller->e)))
    return -1;
  recipe->clang = ut_tool_find("clang++", recipe->compiler);
  if (!recipe->clang && !ut_tool_find("g++", recipe->compiler))
    return ut_fail(caller->e, UT_BAD_INPUT,
                   "the switch model needs `clang++` or `g++`, and neither is in PATH: install one "
                   "(Debian: apt-get install clang) or correct PATH");
  ut_tool_features(recipe->features);
  return (!recipe->lanes && ut_tool_says(caller, recipe->verilator, "--version", NULL, recipe->verilator_version,
                                         sizeof recipe->verilator_version)) ||
                 ut_tool_says(caller, recipe->compiler, "--version", NULL, recipe->compiler_version,
                              sizeof recipe->compiler_version)
             ? -1
             : 0;
}

int ut_recipe_gather(struct ut_recipe *recipe, const struct ut_caller *caller) {
  if (find_tools(recipe, caller))
    return -1;
  if (recipe->lanes)
    return ut_model_sources_read_lanes(&recipe->sources, recipe->root, recipe->netlist, recipe->lanes, caller->e);
  return recipe->netlist ? ut_model_sources_read_gates(&recipe->sources, recipe->root, recipe->netlist,
                                                       recipe->counted ? &recipe->net_words : NULL, caller->e)
                         : ut_model_sources_read(&recipe->sources, recipe->root, recipe->rtl, caller->e);
}

void ut_recipe_free(struct ut_recipe *recipe) {
  ut_sources_free(&recipe->sources);
}

/* ---- the keys ---- */

int ut_recipe_keys(const struct ut_recipe *recipe, XXH128_hash_t *support, XXH128_hash_t *model, struct ut_error *e) {
  XXH3_state_t *h = XXH3_createState();
  if (!h)
    return ut_fail_memory(e);
  const char *root = getenv("VERILATOR_ROOT");
  XXH3_128bits_reset(h);
  ut_key_text(h, build_recipe);
  ut_key_text(h, root ? root : "");
  ut_key_text(h, recipe->verilator);
  ut_key_text(h, recipe->verilator_version);
  ut_key_text(h, recipe->compiler);
  ut_key_text(h, recipe->compiler_version);
  ut_key_text(h, recipe->traced ? "traced" : recipe->covered ? "covered" : "bare");
  ut_key_list(h, ut_compile_flags);
  ut_key_list(h, recipe->features);
  *support = XXH3_128bits_digest(h);

  ut_key_text(h, recipe->lanes ? "lanes" : recipe->counted ? "counted gates" : recipe->netlist ? "gates" : "RTL");
  ut_key_list(h, ut_lane_flags);
  ut_key_list(h, ut_verilator_flags);
  ut_key_list(h, ut_link_flags);
  ut_key_parameters(h, recipe->parameter);
  ut_key_sources(h, &recipe->sources);
  *model = XXH3_128bits_digest(h);
  XXH3_freeState(h);
  return 0;
}

/* ---- in words ---- */

int ut_recipe_write(const struct ut_recipe *recipe, const char *path, struct ut_error *e) {
  struct ut_text text;
  FILE *f = ut_text_open(&text, e);
  if (!f)
    return -1;
  for (int i = 0; i < UT_PARAMETERS; i++)
    fprintf(f, "%s %u\n", recipe->parameter[i].name, recipe->parameter[i].value);
  fprintf(f, "TRACED %d\n\n%s\n\n%s\n", recipe->traced, recipe->verilator_version, recipe->compiler_version);
  return ut_text_write(&text, f, path, e);
}
