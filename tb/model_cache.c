/* model_cache.c - see model_cache.h.
 *
 * The steps are in files of their own: what a model is made from and its key (model_recipe, model_sources), entries and
 * locks (model_entry), the build (model_build, model_units, model_log), running tools (model_tools).
 */
#include "model_cache.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model_build.h"
#include "model_caller.h"
#include "model_entry.h"
#include "model_files.h"
#include "model_log.h"
#include "model_recipe.h"

/* The name of the cache folder.  *of_tmp: it is the one below /tmp. */
static int name_cache(struct ut_error *e, char *out, bool *of_tmp) {
  const char *own = getenv("UTURN_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  char here[PATH_MAX];
  *of_tmp = false;
  if (own && own[0] == '/')
    return ut_path_set(e, out, "%s", own);
  if (own && own[0])
    return getcwd(here, sizeof here) ? ut_path_set(e, out, "%s/%s", here, own)
                                     : ut_fail_os(e, errno, "find", "the current folder");
  if (xdg && xdg[0] == '/')
    return ut_path_set(e, out, "%s/uturn", xdg);
  if (home && home[0] == '/' && home[1])
    return ut_path_set(e, out, "%s/.cache/uturn", home);
  *of_tmp = true;
  return ut_path_set(e, out, "/tmp/uturn-%lu", (unsigned long)getuid());
}

/* Names the cache folder, creates it, and makes sure that it can be used. */
static int open_cache(char *dir, struct ut_error *e) {
  bool of_tmp;
  struct stat st;
  if (name_cache(e, dir, &of_tmp) || ut_folders_make(dir, of_tmp ? 0700 : 0777, e))
    return -1;
  /* Anybody can create names below /tmp, and what lies here is executed. */
  if (of_tmp && (lstat(dir, &st) || !S_ISDIR(st.st_mode) || st.st_uid != getuid() || (st.st_mode & 022)))
    return ut_fail(e, UT_BAD_INPUT,
                   "the cache folder %s is not yours alone: remove it, or set UTURN_CACHE to another folder", dir);
  if (access(dir, R_OK | X_OK))
    return ut_fail_os(e, errno, "read the cache folder", dir);
  return 0;
}

static int build_claimed(const struct ut_recipe *r, const struct ut_entry *model, struct ut_entry *support,
                         const struct ut_caller *c) {
  if (ut_build_model(r, model, support, c) || ut_entry_publish(model, c->e))
    return -1;
  ut_log_forget_failure(model);
  return 0;
}

/* Makes sure that the recipe's model is in the cache.  Returns its path; NULL after filling the error. */
static char *get(struct ut_recipe *r, const struct ut_caller *c) {
  char dir[PATH_MAX];
  XXH128_hash_t support_key, model_key;
  struct ut_entry support, model;
  if (open_cache(dir, c->e) || ut_recipe_gather(r, c) || ut_recipe_keys(r, &support_key, &model_key, c->e) ||
      ut_entry_init(&support, dir, support_key, "support.o", c->e) ||
      ut_entry_init(&model, dir, model_key, "model.so", c->e))
    return NULL;
  ut_entries_sweep(dir);
  int claim = ut_entry_claim(&model, c), status = claim < 0 ? -1 : 0;
  if (claim == UT_CLAIMED) {
    status = build_claimed(r, &model, &support, c);
    ut_entry_release(&model);
  }
  return status ? NULL : strdup(model.path);
}

char *ut_model_cache_get(const struct ut_model_request *request, ut_model_progress *progress, void *ctx,
                         struct ut_error *e) {
  struct ut_caller c = {.progress = progress, .ctx = ctx, .interrupted = request->interrupted, .e = e};
  struct ut_recipe r;
  if (ut_recipe_init(&r, request, e))
    return NULL;
  const struct ut_shape *s = request->shape;
  snprintf(c.what, sizeof c.what, "switch model %ux%u ports, %u VC%s of %u flits%s", s->pi, s->po, s->v,
           s->v > 1 ? "s" : "", s->depth, r.traced ? ", traced" : "");
  char *path = get(&r, &c);
  ut_recipe_free(&r);
  return path;
}

char *ut_model_cache_dir(void) {
  char path[PATH_MAX];
  bool of_tmp;
  return name_cache(NULL, path, &of_tmp) ? NULL : strdup(path);
}
