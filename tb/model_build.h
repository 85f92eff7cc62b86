/* SPDX-License-Identifier: Apache-2.0 */
/* model_build.h - the steps of a build: Verilate, compile, link. */
#ifndef UT_MODEL_BUILD_H
#define UT_MODEL_BUILD_H

#include "cache_entry.h"
#include "model_recipe.h"
#include "model_units.h"

struct ut_model_build {
  const struct ut_recipe *recipe;
  const struct ut_entry *model;
  struct ut_entry *support; /* Verilator's own C++ */
  const struct ut_caller *caller;
  /* for model_build.c */
  char include[PATH_MAX]; /* where that is */
  uint64_t weight[UT_UNITS];
};

/* Builds the model, and the support entry when it is missing; of: struct ut_model_build. */
ut_entry_builder ut_build_model;

#endif
