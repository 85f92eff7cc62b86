/* SPDX-License-Identifier: Apache-2.0 */
/* test_store.c - sweep/: store, schedule, summary; with outcomes that are made up */
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "schedule.h"
#include "store.h"
#include "summary.h"
#include "sweep_fixture.h"

static const volatile sig_atomic_t never;
static char path[PATH_MAX];

static struct ut_store open_store(void) {
  struct ut_store s;
  struct ut_error e;
  if (ut_store_open(&s, fixture_path("results.sqlite", path), false, &never, &e))
    fail_msg("%s", e.text);
  return s;
}

static void close_store(struct ut_store *s) {
  struct ut_error e;
  if (ut_store_close(s, &e))
    fail_msg("%s", e.text);
}

static int64_t count(struct ut_store *s, const char *sql) {
  sqlite3_stmt *q;
  assert_int_equal(sqlite3_prepare_v2(s->db, sql, -1, &q, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(q), SQLITE_ROW);
  const int64_t n = sqlite3_column_int64(q, 0);
  sqlite3_finalize(q);
  return n;
}

static struct ut_sweep *sweep_of(const char *rest) {
  struct ut_error e;
  struct ut_sweep *s = fixture_sweep(rest, &e);
  if (!s)
    fail_msg("%s", e.text);
  return s;
}

/* ---- made-up runs */

/* A result that depends on point and repetition alone; those of point 1 scatter. */
static struct ut_outcome outcome(const struct ut_run *r) {
  struct ut_outcome o = {.started = 1e9, .wall_s = 0.5, .cpu_s = 0.25};
  char json[256];
  const double latency = r->point == 1 ? 20 + 5 * (r->repetition % 3) : 10 + 0.01 * r->repetition;
  const double load = r->probe ? r->load : 0.1;
  snprintf(json, sizeof json,
           "{\"scenario\": \"x\", \"deadlock\": false, \"latency_cycles\": {\"mean\": %g, \"p99\": 40},"
           " \"throughput_flits_per_cycle_per_terminal\": %g, \"list\": [1, {\"two\": 2.5}]}",
           latency, load < 0.5 ? load : 0.5);
  o.json = strdup(json);
  return o;
}

/* Makes at most `most` runs, up to `side` of them side by side, which end in another order than they began; the number
 * of runs. */
static size_t drive(struct ut_sweep *sweep, struct ut_store *store, size_t most, size_t side, bool again_failed) {
  struct ut_error e;
  if (ut_store_plan(store, sweep, &e))
    fail_msg("%s", e.text);
  struct ut_schedule *s = ut_schedule_make(sweep, store, (struct ut_share){0, 1}, again_failed, &e);
  assert_non_null(s);
  struct ut_run running[8];
  size_t n = 0, made = 0;
  for (;;) {
    int there = 0;
    while (n < side && made + n < most && (there = ut_schedule_next(s, &running[n], &e)) == 1)
      n++;
    if (there < 0)
      fail_msg("%s", e.text);
    if (!n)
      break;
    n--; /* the youngest ends first */
    struct ut_outcome o = outcome(&running[n]);
    if (ut_schedule_take(s, &running[n], &o, &e))
      fail_msg("%s", e.text);
    ut_outcome_free(&o);
    ut_run_free(&running[n]);
    made++;
  }
  assert_true(ut_schedule_complete(s) || made == most);
  ut_schedule_free(s);
  return made;
}

static const char two_points[] = "axes:\n  - routing.algorithm: [fta, destro]\n"
                                 "repeat: {least: 3, most: 10, until: {result: latency.mean, within_percent: 2}}\n";

/* ---- tests */

static void rows(void **state) {
  (void)state;
  struct ut_sweep *sweep = sweep_of(two_points);
  struct ut_store store = open_store();
  assert_int_equal(drive(sweep, &store, 100, 1, false), 3 + 10); /* the second point is never known well enough */
  assert_int_equal(drive(sweep, &store, 100, 1, false), 0);
  assert_int_equal(count(&store, "SELECT count(*) FROM runs"), 13);
  assert_int_equal(count(&store, "SELECT count(DISTINCT key) FROM runs"), 13);
  assert_int_equal(count(&store, "SELECT count(*) FROM results"), 13 * 6);
  assert_int_equal(count(&store, "SELECT count(*) FROM results WHERE name = 'list[1].two' AND value = 2.5"), 13);
  assert_int_equal(count(&store, "SELECT value = 'destro' FROM axes WHERE point = 1"), 1);
  assert_int_equal(count(&store, "SELECT min(seed) = 7 AND max(seed) = 16 FROM runs"), 1);
  close_store(&store);
  assert_int_equal(access(fixture_path("results.sqlite-wal", path), F_OK), -1); /* one file */
  fixture_path("results.sqlite", path);
  unlink(path);
  ut_sweep_free(sweep);
}

/* Whatever is stopped when, however many runs go on side by side: the same rows. */
static void any_order(void **state) {
  (void)state;
  struct ut_sweep *sweep = sweep_of(two_points);
  for (size_t side = 1; side <= 8; side++) {
    struct ut_store store = open_store();
    size_t made = 0;
    for (size_t most = 1; made < 13 && most < 20; most++)
      made += drive(sweep, &store, most % 4 + 1, side, false);
    assert_int_equal(made, 13);
    assert_int_equal(drive(sweep, &store, 100, side, false), 0);
    assert_int_equal(count(&store, "SELECT count(*) FROM runs WHERE point = 0"), 3);
    close_store(&store);
    unlink(path);
  }
  ut_sweep_free(sweep);
}

/* Rows of a changed sweep stay, and are used again. */
static void changed_file(void **state) {
  (void)state;
  struct ut_store store = open_store();
  struct ut_sweep *one = sweep_of("axes:\n  - routing.algorithm: [fta, destro]\n");
  assert_int_equal(drive(one, &store, 100, 1, false), 2);
  ut_sweep_free(one);
  struct ut_sweep *other = sweep_of("axes:\n  - routing.algorithm: [destro, reroute_adaptive_link]\n");
  assert_int_equal(drive(other, &store, 100, 1, false), 1);
  ut_sweep_free(other);
  assert_int_equal(count(&store, "SELECT count(*) FROM runs"), 3);
  assert_int_equal(count(&store, "SELECT count(*) FROM runs WHERE point IS NULL"), 1);
  assert_int_equal(count(&store, "SELECT point FROM runs WHERE scenario LIKE '%destro%'"), 0);
  /* an axis more, whose value the base has: the same runs, with another name */
  struct ut_sweep *more = sweep_of("axes:\n  - routing.algorithm: [destro, reroute_adaptive_link]\n"
                                   "  - topology.k: [2]\n");
  assert_int_equal(drive(more, &store, 100, 1, false), 0);
  assert_int_equal(count(&store, "SELECT count(*) FROM axes WHERE name = 'topology.k'"), 2);
  ut_sweep_free(more);
  close_store(&store);
  unlink(path);
}

static void failures(void **state) {
  (void)state;
  struct ut_error e;
  struct ut_run r;
  struct ut_standing standing;
  struct ut_sweep *sweep = sweep_of("repeat: 3\n");
  struct ut_store store = open_store();
  assert_int_equal(ut_store_plan(&store, sweep, &e), 0);
  struct ut_schedule *s = ut_schedule_make(sweep, &store, (struct ut_share){0, 1}, false, &e);
  struct ut_outcome refused = {.status = 2, .message = (char[]){"no such option"}}, crashed = {.status = 139};
  assert_int_equal(ut_schedule_next(s, &r, &e), 1);
  assert_int_equal(ut_schedule_take(s, &r, &refused, &e), -1); /* the first one: so would be all */
  assert_non_null(strstr(e.text, "no such option"));
  ut_schedule_drop(s, &r);
  ut_run_free(&r);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(ut_schedule_next(s, &r, &e), 1);
    struct ut_outcome good = outcome(&r);
    assert_int_equal(r.repetition, i);
    assert_int_equal(ut_schedule_take(s, &r, i == 1 ? &crashed : &good, &e), 0);
    ut_outcome_free(&good);
    ut_run_free(&r);
  }
  assert_int_equal(ut_schedule_next(s, &r, &e), 0);
  assert_true(ut_schedule_complete(s));
  ut_schedule_standing(s, &standing);
  assert_true(standing.planned == 3 && standing.done == 3 && standing.failed == 1);
  ut_schedule_free(s);
  assert_int_equal(count(&store, "SELECT status FROM runs WHERE repetition = 1"), 139);
  assert_int_equal(drive(sweep, &store, 100, 1, false), 0); /* it has been run */
  assert_int_equal(drive(sweep, &store, 100, 1, true), 1);
  assert_int_equal(count(&store, "SELECT count(*) FROM runs WHERE status = 0"), 3);
  assert_int_equal(count(&store, "SELECT count(*) FROM runs"), 3);
  close_store(&store);
  unlink(path);
  ut_sweep_free(sweep);
}

static void search(void **state) {
  (void)state;
  struct ut_sweep *sweep = sweep_of("find: saturation\nrepeat: 2\n");
  for (size_t most = 1; most <= 100; most += 33) { /* stopped after each run, and not at all */
    struct ut_store store = open_store();
    size_t made = 0;
    for (size_t more; (more = drive(sweep, &store, most, 2, false)) > 0;)
      made += more;
    assert_int_equal(made, count(&store, "SELECT count(*) FROM runs WHERE probe"));
    assert_int_equal(count(&store, "SELECT count(*) FROM runs WHERE NOT probe"), 2);
    assert_int_equal(count(&store, "SELECT count(*) FROM results WHERE name = 'saturation.load_flits_per_cycle' AND "
                                   "abs(value - 0.5 / 0.95) < 0.005"),
                     2);
    assert_int_equal(count(&store, "SELECT count(DISTINCT key) = count(*) FROM runs"), 1);
    close_store(&store);
    unlink(path);
  }
  ut_sweep_free(sweep);
}

static void summary(void **state) {
  (void)state;
  struct ut_error e;
  struct ut_summary s;
  struct ut_sweep *sweep = sweep_of(two_points);
  struct ut_store store = open_store();
  drive(sweep, &store, 100, 1, false);
  close_store(&store);
  assert_int_equal(ut_store_read(&store, path, &e), 0);
  assert_int_equal(ut_summary_load(&s, &store, NULL, &e), 0);
  assert_true(s.points == 2 && s.axes == 1 && s.wanted == 2 && s.names == 6);
  const size_t latency = ut_summary_result(&s, "latency.mean", &e);
  assert_string_equal(s.name[latency], "latency_cycles.mean");
  assert_string_equal(s.point[1].value[0], "destro");
  assert_true(s.point[0].runs == 3 && s.point[1].runs == 10);
  assert_true(fabs(s.point[0].estimate[latency].mean - 10.01) < 1e-9);
  assert_true(fabs(s.point[0].estimate[latency].half_width - 4.302653 * 0.01 / sqrt(3)) < 1e-6);
  ut_summary_free(&s);
  static const struct {
    const char *where;
    size_t points, runs;
  } some[] = {{"algorithm = 'fta'", 1, 3},
              {"mean < 21 and algorithm = 'destro'", 1, 4},
              {"latency_cycles.mean > 100", 0, 0},
              {"repetition = 0 -- all", 2, 1},
              {"\"routing.algorithm\" like 'd%'", 1, 10}};
  for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
    if (ut_summary_load(&s, &store, some[i].where, &e))
      fail_msg("%s: %s", some[i].where, e.text);
    assert_int_equal(s.points, some[i].points);
    if (s.points)
      assert_int_equal(s.point[0].runs, some[i].runs);
    ut_summary_free(&s);
  }
  static const char *const wrong[] = {"latensy > 3", "1; DROP TABLE runs", "1) OR (1"};
  for (size_t i = 0; i < 2; i++) {
    assert_int_equal(ut_summary_load(&s, &store, wrong[i], &e), -1);
    assert_int_equal(e.code, UT_BAD_INPUT);
    ut_summary_free(&s);
  }
  close_store(&store);
  unlink(path);
  ut_sweep_free(sweep);
}

/* ---- files that cannot be used: status 2, and not changed */

static void refused(const char *says) {
  struct ut_store s;
  struct ut_error e;
  char *before, *after;
  size_t size[2];
  assert_int_equal(ut_file_read(path, &before, &size[0]), 0);
  assert_int_equal(ut_store_open(&s, path, false, &never, &e), -1);
  assert_int_equal(e.code, UT_BAD_INPUT);
  if (!strstr(e.text, says))
    fail_msg("%s\ndoes not say: %s", e.text, says);
  assert_int_equal(ut_store_read(&s, path, &e), -1);
  assert_int_equal(ut_file_read(path, &after, &size[1]), 0);
  assert_true(size[0] == size[1] && !memcmp(before, after, size[0]));
  free(before);
  free(after);
}

static void bad_files(void **state) {
  (void)state;
  struct ut_sweep *sweep = sweep_of("repeat: 40\n");
  struct ut_store store = open_store(), other;
  struct ut_error e;
  drive(sweep, &store, 100, 1, false);
  assert_int_equal(ut_store_open(&other, path, false, &never, &e), -1); /* written by another */
  assert_true(e.code == UT_BAD_INPUT && strstr(e.text, "another sweep is writing"));
  assert_int_equal(ut_store_read(&other, path, &e), 0); /* and read meanwhile */
  assert_int_equal(count(&other, "SELECT count(*) FROM runs"), 40);
  close_store(&other);
  close_store(&store);
  const int fd = open(path, O_RDWR);
  char garbage[3000];
  memset(garbage, 0xa5, sizeof garbage);
  assert_int_equal(pwrite(fd, garbage, sizeof garbage, 4096 * 3), sizeof garbage);
  refused("damaged");
  assert_int_equal(pwrite(fd, garbage, sizeof garbage, 0), sizeof garbage);
  refused("no database of results");
  unlink(path);
  close(fd);
  assert_int_equal(sqlite3_open(path, &other.db), SQLITE_OK);
  sqlite3_exec(other.db, "CREATE TABLE x(y)", NULL, NULL, NULL);
  sqlite3_close(other.db);
  refused("another program");
  unlink(path);
  store = open_store();
  sqlite3_exec(store.db, "PRAGMA user_version = 99", NULL, NULL, NULL);
  close_store(&store);
  refused("another version");
  unlink(path);
  ut_sweep_free(sweep);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows),   cmocka_unit_test(any_order), cmocka_unit_test(changed_file), cmocka_unit_test(failures),
      cmocka_unit_test(search), cmocka_unit_test(summary),   cmocka_unit_test(bad_files),
  };
  return cmocka_run_group_tests(tests, NULL, fixture_remove);
}
