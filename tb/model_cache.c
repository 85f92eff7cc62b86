/* SPDX-License-Identifier: Apache-2.0 */
/* model_cache.c - see model_cache.h.
 *
 * The steps are in files of their own: what a model is made from and its key (model_recipe, model_sources), entries and
 * locks (cache_entry), the build (model_build, model_units, cache_log), running tools (cache_tools).
 */
#include "model_cache.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cache_caller.h"
#include "cache_entry.h"
#include "cache_folder.h"
#include "model_build.h"
#include "model_recipe.h"

/* Makes sure that the recipe's model is in the cache.  Returns its path; NULL after filling the error. */
static char *get(struct ut_recipe *r, const struct ut_caller *c) {
  char dir[PATH_MAX];
  XXH128_hash_t support_key, model_key;
  struct ut_entry support, model;
  struct ut_model_build b = {.recipe = r, .model = &model, .support = &support, .caller = c};
  if (ut_cache_open(dir, c->e) || ut_recipe_gather(r, c) || ut_recipe_keys(r, &support_key, &model_key, c->e) ||
      ut_entry_init(&support, dir, support_key, "support.o", c->e) ||
      ut_entry_init(&model, dir, model_key, "model.so", c->e))
    return NULL;
  return ut_entry_make(&model, ut_build_model, &b, c) < 0 ? NULL : strdup(model.path);
}

char *ut_model_cache_get(const struct ut_model_request *request, ut_cache_progress *progress, void *ctx,
                         struct ut_error *e) {
  struct ut_caller c = {.progress = progress, .ctx = ctx, .interrupted = request->interrupted, .e = e};
  struct ut_recipe r;
  if (ut_recipe_init(&r, request, e))
    return NULL;
  const struct ut_shape *s = request->shape;
  snprintf(c.what, sizeof c.what, "switch model %ux%u ports, %u VC%s of %u flits%s%s%s", s->pi, s->po, s->v,
           s->v > 1 ? "s" : "", s->depth, r.traced ? ", traced" : "", r.counted ? ", toggles counted" : "",
           r.lanes ? ", in lanes" : "");
  char *path = get(&r, &c);
  ut_recipe_free(&r);
  return path;
}
