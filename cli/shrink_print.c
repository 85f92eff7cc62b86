/* SPDX-License-Identifier: Apache-2.0 */
/* shrink_print.c - see shrink_print.h */
#include "shrink_print.h"
#include "result.h"
#include "scenario.h"

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

static json_t *failure_json(const struct ut_shrink_size *z, const struct ut_failure *f) {
  char size[UT_SHRINK_SIZE_TEXT];
  const bool registers = *f->where;
  ut_shrink_size_text(z, size);
  return UT_OBJECT({"switches", ut_int(z->switches)}, {"packets", ut_int(z->packets)}, {"faults", ut_int(z->faults)},
                   {"cycles", ut_int(z->cycles)}, {"cycle", ut_int(f->cycle)},
                   {"switch", ut_string(registers ? f->where : NULL)},
                   {"register", ut_string(registers ? f->register_path : NULL)},
                   {"_text", registers ? ut_format("%s; switch %s %s: 0x%" PRIx64 ", expected 0x%" PRIx64, size,
                                                   f->where, f->register_path, f->device, f->golden)
                                       : ut_format("%s; packets are missing from the accounts", size)});
}

json_t *ut_shrink_json(const struct ut_shrink_result *r, const struct ut_shrink_search *q) {
  json_t *o = UT_OBJECT({"scenario", ut_string(q->scenario->path)}, {"mismatch", json_boolean(r->fails)},
                        {"runs", ut_int(r->runs)});
  if (!r->fails)
    return o;
  return UT_ADD(o, {"register_class", ut_string(r->last.register_class)},
                {"before", failure_json(&r->before, &r->first)}, {"after", failure_json(&r->after, &r->last)},
                {"models", ut_int(r->models)}, {"seconds", ut_real(r->seconds)}, {"end", ut_string(end_word[r->end])},
                {"_end", ut_string(end_text[r->end])}, {"file", ut_format("%s.yaml", q->prefix)},
                {"trace", r->traced ? ut_format("%s.trace", q->prefix) : json_null()},
                {"command", ut_string(q->command)});
}

void ut_shrink_print(const struct ut_shrink_result *r, const struct ut_shrink_search *q, bool json) {
  ut_result_print(ut_shrink_json(r, q), json, 17, layout);
}
