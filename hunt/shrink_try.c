/* SPDX-License-Identifier: Apache-2.0 */
/* shrink_try.c - keeps a case if it still fails in the class that is wanted: see reduce.h */
#include "reduce.h"

#include <string.h>

bool ut_shrinker_try(struct ut_shrinker *x, struct ut_case *c) {
  struct ut_failure f;
  struct ut_error e;
  struct ut_case ended;
  const bool possible = !ut_oracle_is_over(&x->oracle) && !ut_case_settle(c, &e);
  const unsigned missing = possible ? ut_oracle_missing(&x->oracle, c->scenario) : 0;
  if (!possible || (missing && (!x->may_build || !ut_oracle_has_time_for(&x->oracle, missing))) ||
      ut_oracle_ask(&x->oracle, c, &f, &e) != UT_ANSWER_FAILS || strcmp(f.register_class, x->wanted)) {
    ut_case_free(c);
    return false;
  }
  if (ut_case_copy(&ended, c)) { /* what is behind the failure has no part in it */
    ut_case_end_at(&ended, f.cycle);
    if (!ut_case_settle(&ended, &e)) {
      struct ut_case before = *c;
      *c = ended;
      ended = before;
    }
    ut_case_free(&ended);
  }
  ut_case_free(&x->best);
  x->best = *c;
  x->failure = f;
  return true;
}
