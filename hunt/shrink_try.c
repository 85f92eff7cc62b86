/* SPDX-License-Identifier: Apache-2.0 */
/* shrink_try.c - keeps a case if it still fails in the wanted class: see reduce.h */
#include "reduce.h"

#include <string.h>

bool ut_shrinker_try(struct ut_shrinker *shrinker, struct ut_case *repro) {
  struct ut_failure failure;
  struct ut_error e;
  struct ut_case ended;
  const bool possible = !ut_oracle_is_over(&shrinker->oracle) && !ut_case_settle(repro, &e);
  const unsigned missing = possible ? ut_oracle_missing(&shrinker->oracle, repro->scenario) : 0;
  if (!possible || (missing && (!shrinker->may_build || !ut_oracle_has_time_for(&shrinker->oracle, missing))) ||
      ut_oracle_ask(&shrinker->oracle, repro, &failure, &e) != UT_ANSWER_FAILS ||
      strcmp(failure.register_class, shrinker->wanted)) {
    ut_case_free(repro);
    return false;
  }
  if (ut_case_copy(&ended, repro)) { /* events after the failure have no part in it */
    ut_case_end_at(&ended, failure.cycle);
    if (!ut_case_settle(&ended, &e)) {
      struct ut_case before = *repro;
      *repro = ended;
      ended = before;
    }
    ut_case_free(&ended);
  }
  ut_case_free(&shrinker->best);
  shrinker->best = *repro;
  shrinker->failure = failure;
  return true;
}
