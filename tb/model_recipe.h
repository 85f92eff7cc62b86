/* SPDX-License-Identifier: Apache-2.0 */
/* model_recipe.h - the inputs of a switch model: parameters, tools with their versions and flags, sources; and the keys
 * computed from them. */
#ifndef UT_MODEL_RECIPE_H
#define UT_MODEL_RECIPE_H

#include <limits.h>
#include <stdbool.h>

#include <xxhash.h>

#include "cache_caller.h"
#include "cache_key.h"
#include "cache_tools.h"
#include "model_cache.h"
#include "model_sources.h"

extern const char *const ut_verilator_flags[], *const ut_compile_flags[],
                                                   *const ut_lane_flags[], *const ut_link_flags[]; /* NULL-terminated */

struct ut_recipe {
  struct ut_parameter parameter[UT_PARAMETERS];
  const struct ut_shape *shape; /* values of the parameters */
  bool traced, covered;
  const char *netlist;                /* NULL: the RTL */
  unsigned lanes;                     /* words of a vector that the netlist is evaluated in; 0: Verilated */
  bool counted;                       /* counts the toggles of its nets */
  unsigned net_words;                 /* words that hold them */
  char root[PATH_MAX], rtl[PATH_MAX]; /* folders, absolute */
  char verilator[PATH_MAX], compiler[PATH_MAX];
  bool clang; /* the compiler is clang++ */
  const char *features[UT_FEATURES];
  char verilator_version[256], compiler_version[1024];
  struct ut_sources sources;
};

/* Sets and checks the parameters and the folders.  Returns 0, or -1 after filling *e. */
int ut_recipe_init(struct ut_recipe *recipe, const struct ut_model_request *request, struct ut_error *e);
/* Finds the tools and reads the sources.  Returns 0, or -1 after filling the error. */
int ut_recipe_gather(struct ut_recipe *recipe, const struct ut_caller *caller);
void ut_recipe_free(struct ut_recipe *recipe);

/* Computes the keys of the tools' part (Verilator's own C++, compiled once) and of the model.  Returns 0, or -1 after
 * filling *e. */
int ut_recipe_keys(const struct ut_recipe *recipe, XXH128_hash_t *support, XXH128_hash_t *model, struct ut_error *e);
/* Writes a description of the model for readers of the cache.  Returns 0, or -1 after filling *e. */
int ut_recipe_write(const struct ut_recipe *recipe, const char *path, struct ut_error *e);

#endif
