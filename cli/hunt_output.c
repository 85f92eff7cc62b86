/* SPDX-License-Identifier: Apache-2.0 */
/* hunt_output.c - see hunt_output.h */
#include "hunt_output.h"
#include "program_name.h"

#include "result.h"

static const char layout[] =
    "{scenarios} scenario{scenarios+s} of {switches} switch{switches+es} ({#families}{@} {.}{, }{/}) in {seconds:.0f} "
    "s: "
    "{?found}they differ{:}no mismatch{/}\n"
    "{switch_cycles:.0f} switch-cycles, {compared_switch_states:.0f} switch states compared, {_gbit:.1f} Gbit of "
    "registers\n"
    "packets: {delivered_packets:.0f} delivered; discarded: {#_discarded}{.:.0f} {@}{, }{/}\n"
    "{u_turns:.0f} U-turns, {deadlocks:.0f} deadlocks where they may be\n"
    "{?_spec}"
    "coverage: {_points_hit} of {_points} cover points that apply{?_missed}; not hit: {#points_missed}{.}{, }{/}{/}\n"
    "{/}{?unchanged_switches}"
    "{unchanged_switches} {unchanged_switches+switches are/switch is} the same hardware as in the unchanged RTL\n"
    "{/}{?refused_switches}"
    "{refused_switches} switch{refused_switches+es} could not be run, the first one: {_reason}\n"
    "{/}{?_deadlock}"
    "a deadlock that the algorithm claims not to have\n"
    "{:}{?_register}"
    "cycle {mismatch.cycle}: switch {mismatch.switch} {_register.register}: RTL holds {_register.rtl}, {_golden} "
    "expected {?_spec}{_register.spec}{:}{_register.model}{/}\n"
    "{:}{?_message}"
    "{_message}\n"
    "{/}{/}{/}{?found}"
    "kept as {scenario}; all about it: {_program} cosim {scenario}{_options}\n"
    "{/}";

static json_t *points_json(const struct ut_hunt_points *points, bool hit) {
  json_t *list = json_array();
  for (unsigned i = 0; i < SPEC_COVER_POINTS; i++)
    if (points->applies[i] && points->hit[i] == hit)
      json_array_append_new(list, ut_string(spec_cover_texts[i].name));
  return list;
}

/* Cover points that apply, and those that are hit; the text tells those that are not if nothing was found. */
static void add_points(json_t *o, const struct ut_hunt_result *result) {
  json_t *hit = points_json(&result->points, true), *missed = points_json(&result->points, false);
  UT_ADD(o, {"points_hit", hit}, {"points_missed", missed}, {"_spec", json_true()},
         {"_points_hit", ut_int(json_array_size(hit))},
         {"_points", ut_int(json_array_size(hit) + json_array_size(missed))},
         {"_missed", json_boolean(!result->find.status && json_array_size(missed))});
}

static void add_tally(json_t *o, const struct ut_hunt_result *result) {
  const struct ut_hunt_tally *tally = &result->tally;
  const struct ut_hunt_numbers *numbers = &tally->sum;
  json_t *families = json_object();
  for (unsigned f = 0; f < UT_HUNT_FAMILIES; f++)
    UT_ADD(families, {ut_hunt_families[f].name, ut_int(tally->of_family[f])});
  json_t *discarded = UT_OBJECT({"cut_by_fault", ut_real(numbers->cut_by_fault)},
                                {"in_failed_switch", ut_real(numbers->in_failed_switch)},
                                {"unreachable", ut_real(numbers->unreachable)}, {"purged", ut_real(numbers->purged)});
  UT_ADD(o, {"found", json_boolean(result->find.status)}, {"seconds", ut_real(result->seconds)},
         {"scenarios", ut_int(tally->scenarios)}, {"switches", ut_int(tally->shapes)},
         {"unchanged_switches", ut_int(result->same)}, {"refused_switches", ut_int(result->refused)},
         {"_reason", ut_string(result->reason ? result->reason : "?")}, {"families", families},
         {"switch_cycles", ut_real(numbers->switch_cycles)}, {"cycles", ut_real(numbers->cycles)},
         {"compared_switch_states", ut_real(numbers->states)}, {"compared_bits", ut_real(numbers->bits)},
         {"_gbit", ut_real(numbers->bits / 1e9)}, {"delivered_packets", ut_real(numbers->delivered)},
         {"discarded_packets",
          ut_real(numbers->cut_by_fault + numbers->in_failed_switch + numbers->unreachable + numbers->purged)},
         {"_discarded", discarded}, {"u_turns", ut_real(numbers->u_turns)}, {"deadlocks", ut_real(numbers->deadlocks)});
}

static void add_find(json_t *o, const struct ut_hunt_view *view) {
  const struct ut_hunt_find *find = &view->result->find;
  json_t *results = find->json ? json_loads(find->json, 0, NULL) : NULL,
         *mismatch = json_object_get(results, "mismatch");
  UT_ADD(o, {"status", ut_int(find->status)},
         {"family", ut_string(ut_hunt_families[ut_hunt_shapes[find->shape].family].name)}, {"seed", ut_int(find->seed)},
         {"scenario", ut_string(view->keep)}, {"mismatch", json_incref(mismatch)},
         {"shrunk", view->smaller->fails ? ut_shrink_json(view->smaller, view->search) : json_null()},
         {"_deadlock", json_boolean(find->status == UT_DEADLOCK)},
         {"_register", json_incref(json_array_get(json_object_get(mismatch, "registers"), 0))},
         {"_program", ut_string(ut_program_name())}, {"_message", ut_string(find->message)},
         {"_golden", ut_string(view->spec ? "spec" : "model")},
         {"_options", ut_format("%s%s%s", view->spec ? " --golden spec" : "", view->rtl_dir ? " --rtl " : "",
                                view->rtl_dir ? view->rtl_dir : "")});
  json_decref(results);
}

void ut_hunt_print(const struct ut_hunt_view *view, bool json) {
  const bool found = view->result->find.status;
  json_t *o = json_object();
  add_tally(o, view->result);
  if (view->spec)
    add_points(o, view->result);
  if (found)
    add_find(o, view);
  ut_result_print(o, json, 9, layout);
  if (found && view->smaller->fails && !json)
    ut_shrink_print(view->smaller, view->search, false);
}
