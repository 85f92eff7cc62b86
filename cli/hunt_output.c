/* SPDX-License-Identifier: Apache-2.0 */
/* hunt_output.c - see hunt_output.h */
#include "hunt_output.h"
#include "json_text.h"
#include "program_name.h"

#include <inttypes.h>
#include <stdio.h>

#include <jansson.h>

static const char *text_of(const json_t *o, const char *key) {
  const json_t *value = json_object_get(o, key);
  return json_is_string(value) ? json_string_value(value) : "";
}

static void print_find(const struct ut_hunt_view *v) {
  const struct ut_hunt_find *find = &v->result->find;
  json_t *json = find->json ? json_loads(find->json, 0, NULL) : NULL;
  const json_t *mismatch = json_object_get(json, "mismatch"),
               *reg = json_array_get(json_object_get(mismatch, "registers"), 0);
  const char *golden = v->spec ? "spec" : "model";
  if (find->status == UT_DEADLOCK)
    printf("a deadlock that the algorithm claims not to have\n");
  else if (reg)
    printf("cycle %" JSON_INTEGER_FORMAT ": switch %s %s: RTL holds %s, %s expected %s\n",
           json_integer_value(json_object_get(mismatch, "cycle")), text_of(mismatch, "switch"),
           text_of(reg, "register"), text_of(reg, "rtl"), golden, text_of(reg, golden));
  else if (find->message)
    printf("%s\n", find->message);
  printf("kept as %s; all about it: %s cosim %s%s%s%s\n", v->keep, ut_program_name(), v->keep,
         v->spec ? " --golden spec" : "", v->rtl_dir ? " --rtl " : "", v->rtl_dir ? v->rtl_dir : "");
  if (v->smaller->fails)
    ut_shrink_print(v->smaller, v->search, false);
  json_decref(json);
}

/* Cover points that apply, and those that are hit; of a hunt that has found nothing those that are not. */
static void print_points(const struct ut_hunt_points *p, bool missed) {
  enum { COLUMNS = 100 };
  unsigned applies = 0, hit = 0;
  int column = 0;
  for (unsigned i = 0; i < SPEC_COVER_POINTS; i++)
    applies += p->applies[i], hit += p->hit[i];
  printf("coverage: %u of %u cover points that apply%s\n", hit, applies, missed && hit < applies ? "; not hit:" : "");
  for (unsigned i = 0; i < SPEC_COVER_POINTS; i++)
    if (missed && p->applies[i] && !p->hit[i]) {
      if (column > COLUMNS)
        putchar('\n'), column = 0;
      column += printf("%s%s", column ? " " : "  ", spec_cover_texts[i].name);
    }
  if (column)
    putchar('\n');
}

static json_t *points_json(const struct ut_hunt_points *p, bool hit) {
  json_t *list = json_array();
  for (unsigned i = 0; i < SPEC_COVER_POINTS; i++)
    if (p->applies[i] && p->hit[i] == hit)
      json_array_append_new(list, json_string(spec_cover_texts[i].name));
  return list;
}

static void print_tally(const struct ut_hunt_view *v) {
  const struct ut_hunt_result *r = v->result;
  const struct ut_hunt_tally *t = &r->tally;
  const struct ut_hunt_numbers *s = &t->sum;
  printf("%" PRIu64 " scenario%s of %u switch%s (", t->scenarios, t->scenarios == 1 ? "" : "s", t->shapes,
         t->shapes == 1 ? "" : "es");
  for (unsigned f = 0; f < UT_HUNT_FAMILIES; f++)
    printf("%s%s %" PRIu64, f ? ", " : "", ut_hunt_families[f].name, t->of_family[f]);
  printf(") in %.0f s: %s\n", r->seconds, r->find.status ? "they differ" : "no mismatch");
  printf("%.0f switch-cycles, %.0f switch states compared, %.1f Gbit of registers\n", s->switch_cycles, s->states,
         s->bits / 1e9);
  printf(
      "packets: %.0f delivered; discarded: %.0f cut_by_fault, %.0f in_failed_switch, %.0f unreachable, %.0f purged\n",
      s->delivered, s->cut_by_fault, s->in_failed_switch, s->unreachable, s->purged);
  printf("%.0f U-turns, %.0f deadlocks where they may be\n", s->u_turns, s->deadlocks);
  if (v->spec)
    print_points(&r->points, !r->find.status);
  if (r->same)
    printf("%u %s the same hardware as in the unchanged RTL\n", r->same, r->same == 1 ? "switch is" : "switches are");
  if (r->refused)
    printf("%u switch%s could not be run, the first one: %s\n", r->refused, r->refused == 1 ? "" : "es",
           r->reason ? r->reason : "?");
}

static void set(json_t *o, const char *key, json_t *value) {
  json_object_set_new(o, key, value);
}

static void print_json(const struct ut_hunt_view *v) {
  const struct ut_hunt_result *r = v->result;
  json_t *out = json_object();
  const struct ut_hunt_tally *t = &r->tally;
  set(out, "found", json_boolean(r->find.status));
  set(out, "seconds", json_real(r->seconds));
  set(out, "scenarios", json_integer((json_int_t)t->scenarios));
  set(out, "switches", json_integer(t->shapes));
  set(out, "unchanged_switches", json_integer(r->same));
  set(out, "refused_switches", json_integer(r->refused));
  json_t *families = json_object();
  for (unsigned f = 0; f < UT_HUNT_FAMILIES; f++)
    set(families, ut_hunt_families[f].name, json_integer((json_int_t)t->of_family[f]));
  set(out, "families", families);
  set(out, "switch_cycles", json_real(t->sum.switch_cycles));
  set(out, "cycles", json_real(t->sum.cycles));
  set(out, "compared_switch_states", json_real(t->sum.states));
  set(out, "compared_bits", json_real(t->sum.bits));
  set(out, "delivered_packets", json_real(t->sum.delivered));
  set(out, "discarded_packets",
      json_real(t->sum.cut_by_fault + t->sum.in_failed_switch + t->sum.unreachable + t->sum.purged));
  set(out, "u_turns", json_real(t->sum.u_turns));
  set(out, "deadlocks", json_real(t->sum.deadlocks));
  if (v->spec) {
    set(out, "points_hit", points_json(&r->points, true));
    set(out, "points_missed", points_json(&r->points, false));
  }
  if (r->find.status) {
    json_t *results = r->find.json ? json_loads(r->find.json, 0, NULL) : NULL;
    set(out, "status", json_integer(r->find.status));
    set(out, "family", json_string(ut_hunt_families[ut_hunt_shapes[r->find.shape].family].name));
    set(out, "seed", json_integer((json_int_t)r->find.seed));
    set(out, "scenario", ut_json_text(v->keep));
    json_object_set(out, "mismatch", json_object_get(results, "mismatch"));
    set(out, "shrunk", v->smaller->fails ? ut_shrink_json(v->smaller, v->search) : json_null());
    json_decref(results);
  }
  json_dumpf(out, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
  putchar('\n');
  json_decref(out);
}

void ut_hunt_print(const struct ut_hunt_view *v, bool json) {
  if (json) {
    print_json(v);
    return;
  }
  print_tally(v);
  if (v->result->find.status)
    print_find(v);
}
