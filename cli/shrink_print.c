/* SPDX-License-Identifier: Apache-2.0 */
/* shrink_print.c - see shrink_print.h */
#include "shrink_print.h"
#include "json_text.h"
#include "scenario.h"

#include <inttypes.h>
#include <jansson.h>

static const char *const end_word[] = {
    [UT_SHRINK_COMPLETE] = "complete", [UT_SHRINK_OUT_OF_TIME] = "out_of_time", [UT_SHRINK_STOPPED] = "interrupted"};

static const char *const end_text[] = {[UT_SHRINK_COMPLETE] = "nothing that was tried makes it smaller",
                                       [UT_SHRINK_OUT_OF_TIME] = "the time has ended the search: --shrink-seconds",
                                       [UT_SHRINK_STOPPED] = "interrupted"};

/* ---- text */

static void print_failure(const char *name, const struct ut_shrink_size *z, const struct ut_failure *f) {
  char size[UT_SHRINK_SIZE_TEXT];
  printf("  %-11s %s; ", name, ut_shrink_size_text(z, size));
  if (*f->where)
    printf("switch %s %s: 0x%" PRIx64 ", expected 0x%" PRIx64 "\n", f->where, f->register_path, f->device, f->golden);
  else
    printf("packets are missing from the accounts\n");
}

static void print_text(const struct ut_shrink_result *r, const struct ut_shrink_search *q) {
  if (!r->fails) {
    printf("%s: no mismatch, so there is nothing to shrink\n", q->scenario->path);
    return;
  }
  printf("%s: smaller scenario with a mismatch in '%s'\n", q->scenario->path, r->last.register_class);
  print_failure("before", &r->before, &r->first);
  print_failure("after", &r->after, &r->last);
  printf("  search      %u runs, %u model%s, %.1f s; %s\n", r->runs, r->models, r->models == 1 ? "" : "s", r->seconds,
         end_text[r->end]);
  if (r->traced)
    printf("  written     %s.yaml, %s.trace\n", q->prefix, q->prefix);
  else
    printf("  written     %s.yaml; its packets as a trace do not fail\n", q->prefix);
  printf("reproduce: %s\n", q->command);
}

/* ---- JSON */

static json_t *failure_json(const struct ut_shrink_size *z, const struct ut_failure *f) {
  json_t *o =
      json_pack("{s:i,s:I,s:I,s:I,s:I}", "switches", (int)z->switches, "packets", (json_int_t)z->packets, "faults",
                (json_int_t)z->faults, "cycles", (json_int_t)z->cycles, "cycle", (json_int_t)f->cycle);
  json_object_set_new(o, "switch", *f->where ? json_string(f->where) : json_null());
  json_object_set_new(o, "register", *f->where ? json_string(f->register_path) : json_null());
  return o;
}

json_t *ut_shrink_json(const struct ut_shrink_result *r, const struct ut_shrink_search *q) {
  json_t *o = json_pack("{s:o,s:b,s:i}", "scenario", ut_json_text(q->scenario->path), "mismatch", r->fails, "runs",
                        (int)r->runs);
  if (r->fails) {
    char path[4096];
    json_object_set_new(o, "register_class", json_string(r->last.register_class));
    json_object_set_new(o, "before", failure_json(&r->before, &r->first));
    json_object_set_new(o, "after", failure_json(&r->after, &r->last));
    json_object_set_new(o, "models", json_integer(r->models));
    json_object_set_new(o, "seconds", json_real(r->seconds));
    json_object_set_new(o, "end", json_string(end_word[r->end]));
    snprintf(path, sizeof path, "%s.yaml", q->prefix);
    json_object_set_new(o, "file", ut_json_text(path));
    snprintf(path, sizeof path, "%s.trace", q->prefix);
    json_object_set_new(o, "trace", r->traced ? ut_json_text(path) : json_null());
    json_object_set_new(o, "command", json_string(q->command));
  }
  return o;
}

static void print_json(const struct ut_shrink_result *r, const struct ut_shrink_search *q) {
  json_t *o = ut_shrink_json(r, q);
  json_dumpf(o, stdout, JSON_INDENT(2));
  putchar('\n');
  json_decref(o);
}

void ut_shrink_print(const struct ut_shrink_result *r, const struct ut_shrink_search *q, bool json) {
  (json ? print_json : print_text)(r, q);
}
