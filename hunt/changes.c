/* changes.c - see changes.h */
#include "changes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cache_sources.h"
#include "model_modules.h"
#include "topology.h"

static bool same(const struct ut_source *a, const struct ut_source *b) {
  return a->size == b->size && !memcmp(a->data, b->data, a->size);
}

static const struct ut_source *find(const struct ut_sources *s, const char *name) {
  for (size_t i = 0; i < s->n; i++)
    if (!strcmp(s->item[i].name, name))
      return &s->item[i];
  return NULL;
}

/* A file of ours that has changed: a module has the name of its file. */
static int add(struct ut_hunt_changes *c, const char *file, struct ut_error *e) {
  const char *name = strrchr(file, '/') + 1, *end = strrchr(name, '.');
  if (strcmp(end, ".v") || !strcmp(name, "ut_switch.v"))
    c->everything = true;
  c->module[c->modules] = strndup(name, (size_t)(end - name));
  return c->module[c->modules++] ? 0 : ut_fail_memory(e);
}

static int compare(struct ut_hunt_changes *c, const struct ut_sources *ours, const struct ut_sources *theirs,
                   struct ut_error *e) {
  c->module = calloc(ours->n + 1, sizeof *c->module);
  if (!c->module)
    return ut_fail_memory(e);
  for (size_t i = 0; i < ours->n; i++) {
    const struct ut_source *other = find(theirs, ours->item[i].name);
    if ((!other || !same(&ours->item[i], other)) && add(c, ours->item[i].name, e))
      return -1;
  }
  c->everything |= c->modules == 0;
  return 0;
}

int ut_hunt_changes_find(struct ut_hunt_changes *c, const char *root_dir, const char *rtl_dir, struct ut_error *e) {
  struct ut_sources ours = {0}, theirs = {0};
  char folder[PATH_MAX], other[PATH_MAX];
  *c = (struct ut_hunt_changes){.everything = !rtl_dir};
  if (!rtl_dir)
    return 0;
  const int status = ut_sources_rtl_folder(root_dir, NULL, folder, e) ||
                             ut_sources_rtl_folder(root_dir, rtl_dir, other, e) ||
                             ut_sources_add_rtl(&ours, folder, e) || ut_sources_add_rtl(&theirs, other, e) ||
                             compare(c, &ours, &theirs, e)
                         ? -1
                         : 0;
  ut_sources_free(&ours);
  ut_sources_free(&theirs);
  return status;
}

void ut_hunt_changes_free(struct ut_hunt_changes *c) {
  for (size_t i = 0; i < c->modules; i++)
    free(c->module[i]);
  free(c->module);
  *c = (struct ut_hunt_changes){0};
}

int ut_hunt_changes_concern(const struct ut_hunt_changes *c, const struct ut_model_request *request, const char *scenario,
                            struct ut_error *e) {
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  if (c->everything)
    return 1;
  struct ut_scenario *s = ut_scenario_parse(scenario, strlen(scenario), "hunt", e);
  const int count = s ? ut_scenario_elaborations(s, elaboration, shape, e) : -1;
  ut_scenario_free(s);
  int concerned = count < 0 ? -1 : 0;
  for (int i = 0; i < count && concerned == 0; i++) {
    struct ut_model_request one = *request;
    one.shape = &shape[i];
    concerned = ut_model_contains(&one, (const char *const *)c->module, e);
  }
  return concerned;
}
