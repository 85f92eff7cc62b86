/* test_sides.c - tb/sides: of a mismatch it names the side that is wrong: the RTL where a bit of it is flipped, the
 * model where its cycle loses a credit.
 *
 * Needs Verilator and a C++ compiler; half a minute, unless the cache has the class.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model_cache.h"
#include "registers.h"
#include "sides.h"

enum { WRONG_SWITCH = 5, WRONG_CYCLE = 500 };

static struct ut_error error;
static struct ut_scenario *scenario;
static struct ut_models models;

static int begin(void **state) {
  (void)state;
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  scenario = ut_scenario_load("scenarios/demo.yaml", &error);
  if (!scenario || ut_scenario_elaborations(scenario, elaboration, shape, &error) != 1)
    fail_msg("%s", error.text);
  const struct ut_model_request request = {.shape = shape, .root_dir = UTURN_SOURCE_DIR};
  models.path[0] = ut_model_cache_get(&request, NULL, NULL, &error);
  if (!models.path[0])
    fail_msg("%s", error.text);
  return 0;
}

static int end(void **state) {
  (void)state;
  free(models.path[0]);
  ut_scenario_free(scenario);
  return 0;
}

/* The model's cycle, but for a mistake: it takes a credit from port 0 of a switch. */
static ut_block_steps *right_steps;

static uint64_t wrong_steps(const struct ut_group *g, const struct ut_cycle *c, uint32_t first, uint32_t count,
                            struct ut_events *events) {
  const uint64_t hops = right_steps(g, c, first, count, events);
  struct ut_switch *s = ut_switch_of(g, WRONG_SWITCH);
  const uint32_t block = ((uint32_t)WRONG_SWITCH - g->first) >> g->form.block_bits;
  if (block >= first && block < first + count && ut_reg_credits(g, s, 0, 0) == 3)
    ut_set_credits(g, s, 0, 0, 2);
  return hops;
}

/* The verdict's first line, after a run that must end in a mismatch; to be freed. */
static char *verdict(struct ut_lockstep *l) {
  char *text = NULL;
  size_t size = 0;
  bool same = true;
  for (unsigned cycle = 0; same && cycle < 2000; cycle++)
    same = ut_lockstep_step(l);
  assert_false(same);
  FILE *f = open_memstream(&text, &size);
  assert_non_null(f);
  ut_sides_print(l, f);
  fclose(f);
  text[strcspn(text, "\n")] = '\0';
  return text;
}

static void says(bool spec, ut_block_steps *steps, const char *expected) {
  struct ut_lockstep l;
  if (ut_lockstep_init(&l, scenario, &models, &error))
    fail_msg("%s", error.text);
  if (steps) {
    right_steps = l.golden.group[0].steps;
    ut_group_set_model_steps(&l.golden.group[0], steps);
  } else {
    l.plant = (struct ut_plant){.cycle = WRONG_CYCLE, .sw = WRONG_SWITCH, .register_path = "in0.vc0.owed_q"};
  }
  assert_true(!spec || ut_lockstep_use_spec(&l));
  char *text = verdict(&l);
  assert_string_equal(text, expected);
  free(text);
  ut_lockstep_fini(&l);
}

static void names_the_rtl(void **state) {
  (void)state;
  says(false, NULL,
       "  two of three: the spec agrees with the model in all registers of this switch, so the RTL is wrong");
  says(true, NULL,
       "  two of three: the model agrees with the spec in all registers of this switch, so the RTL is wrong");
}

static void names_the_model(void **state) {
  (void)state;
  says(false, wrong_steps, "  two of three: the spec agrees with the RTL, so the model is wrong");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(names_the_rtl), cmocka_unit_test(names_the_model)};
  return cmocka_run_group_tests(tests, begin, end);
}
