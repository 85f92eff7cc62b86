/* SPDX-License-Identifier: Apache-2.0 */
/* shrink_print.c - see shrink_print.h */
#include "shrink_print.h"
#include "result.h"
#include "scenario_facts.h"

#include <inttypes.h>

static const char *const end_word[] = {
    [UT_SHRINK_COMPLETE] = "complete", [UT_SHRINK_OUT_OF_TIME] = "out_of_time", [UT_SHRINK_STOPPED] = "interrupted"};

static const char *const end_text[] = {[UT_SHRINK_COMPLETE] = "nothing that was tried makes it smaller",
                                       [UT_SHRINK_OUT_OF_TIME] = "the time has ended the search: --shrink-seconds",
                                       [UT_SHRINK_STOPPED] = "interrupted"};

static const char layout[] = "{?mismatch}"
                             "{scenario}: smaller scenario with a mismatch in '{register_class}'\n"
                             "  before      {before._text}\n"
                             "  after       {after._text}\n"
                             "  search      {runs} runs, {models} model{models+s}, {seconds:.1f} s; {_end}\n"
                             "  written     {file}{?trace}, {trace}{:}; its packets as a trace do not fail{/}\n"
                             "reproduce: {command}\n"
                             "{:}"
                             "{scenario}: no mismatch, so there is nothing to shrink\n"
                             "{/}";

static json_t *failure_json(const struct ut_shrink_size *shrink_size, const struct ut_failure *failure) {
  char size[UT_SHRINK_SIZE_TEXT];
  const bool registers = *failure->where;
  ut_shrink_size_text(shrink_size, size);
  return UT_OBJECT({"switches", ut_int(shrink_size->switches)}, {"packets", ut_int(shrink_size->packets)},
                   {"faults", ut_int(shrink_size->faults)}, {"cycles", ut_int(shrink_size->cycles)},
                   {"cycle", ut_int(failure->cycle)}, {"switch", ut_string(registers ? failure->where : NULL)},
                   {"register", ut_string(registers ? failure->register_path : NULL)},
                   {"_text", registers
                                 ? ut_format("%s; switch %s %s: 0x%" PRIx64 ", expected 0x%" PRIx64, size,
                                             failure->where, failure->register_path, failure->device, failure->golden)
                                 : ut_format("%s; packets are missing from the accounts", size)});
}

json_t *ut_shrink_json(const struct ut_shrink_result *result, const struct ut_shrink_search *search) {
  json_t *o = UT_OBJECT({"scenario", ut_string(ut_scenario_path(search->scenario))},
                        {"mismatch", json_boolean(result->fails)}, {"runs", ut_int(result->runs)});
  if (!result->fails)
    return o;
  return UT_ADD(o, {"register_class", ut_string(result->last.register_class)},
                {"before", failure_json(&result->before, &result->first)},
                {"after", failure_json(&result->after, &result->last)}, {"models", ut_int(result->models)},
                {"seconds", ut_real(result->seconds)}, {"end", ut_string(end_word[result->end])},
                {"_end", ut_string(end_text[result->end])}, {"file", ut_format("%s.yaml", search->prefix)},
                {"trace", result->traced ? ut_format("%s.trace", search->prefix) : json_null()},
                {"command", ut_string(search->command)});
}

void ut_shrink_print(const struct ut_shrink_result *result, const struct ut_shrink_search *search, bool json) {
  ut_result_print(ut_shrink_json(result, search), json, 17, layout);
}
