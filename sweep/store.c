/* SPDX-License-Identifier: Apache-2.0 */
/* store.c - see store.h */
#define _GNU_SOURCE
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "cache_files.h"
#include "input.h"
#include "input_limits.h"
#include "memory_text.h"
#include "store_check.h"

enum {
  BUSY_MS = 20000,
  MOST_COLUMNS = 1900, /* SQLite has 2000 */
};

static const char tables[] =
    "CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
    "CREATE TABLE axes(point INTEGER, axis INTEGER, name TEXT, value, PRIMARY KEY(point, axis)) WITHOUT ROWID;"
    "CREATE TABLE runs(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, point INTEGER, repetition INTEGER,"
    " probe INTEGER NOT NULL, load REAL, seed INTEGER, status INTEGER NOT NULL, message TEXT, started TEXT,"
    " wall_s REAL, cpu_s REAL, version TEXT, command TEXT, scenario TEXT, json TEXT);"
    "CREATE INDEX runs_of_point ON runs(point, repetition);"
    "CREATE TABLE results(run INTEGER NOT NULL REFERENCES runs(id), name TEXT NOT NULL, value REAL,"
    " PRIMARY KEY(run, name)) WITHOUT ROWID;";

/* ---- failures */

static int run_sql(const struct ut_store *store, const char *sql, const char *doing, struct ut_error *e) {
  return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : ut_store_fail(store, doing, e);
}

char *ut_store_meta(const struct ut_store *store, const char *name) {
  sqlite3_stmt *q = NULL;
  char *value = NULL;
  if (sqlite3_prepare_v2(store->db, "SELECT value FROM meta WHERE name = ?", -1, &q, NULL) == SQLITE_OK) {
    sqlite3_bind_text(q, 1, name, -1, SQLITE_STATIC);
    if (sqlite3_step(q) == SQLITE_ROW && sqlite3_column_text(q, 0))
      value = strdup((const char *)sqlite3_column_text(q, 0));
  }
  sqlite3_finalize(q);
  return value;
}

static int set_meta(const struct ut_store *store, const char *name, const char *value, struct ut_error *e) {
  sqlite3_stmt *q = ut_store_prepare(store, "INSERT OR REPLACE INTO meta VALUES(?, ?)", e);
  if (!q)
    return -1;
  sqlite3_bind_text(q, 1, name, -1, SQLITE_STATIC);
  sqlite3_bind_text(q, 2, value, -1, SQLITE_STATIC);
  const bool ok = sqlite3_step(q) == SQLITE_DONE;
  sqlite3_finalize(q);
  return ok ? 0 : ut_store_fail(store, "write it", e);
}

/* ---- opening */

/* A database must be a regular file: SQLite waits for ever at the end of a pipe, and leaves a journal next to a
 * device. */
static int refuse_irregular(const char *path, struct ut_error *e) {
  struct stat there;
  const char *found = stat(path, &there) ? NULL : ut_input_irregular(&there);
  return found ? ut_fail(e, UT_BAD_INPUT, "%s: %s, and results are a regular file\nchoose another file with --results",
                         path, found)
               : 0;
}

/* The writer locks one byte of the file, far behind what SQLite locks or writes.  The lock ends with the process, for
 * whatever reason. */
static int lock_file(struct ut_store *store, bool wait, const volatile sig_atomic_t *interrupted, struct ut_error *e) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = INT64_C(1) << 60, .l_len = 1};
  const char *slash = strrchr(store->path, '/');
  if (strlen(slash ? slash + 1 : store->path) + strlen("-journal") > NAME_MAX)
    return ut_fail(e, UT_BAD_INPUT,
                   "%.300s...: a name of results can have %zu bytes, for SQLite makes files beside it\nchoose another "
                   "file with --results, or rename the scenario",
                   store->path, NAME_MAX - strlen("-journal"));
  store->lock_fd = open(store->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (store->lock_fd < 0)
    return ut_fail(e, UT_BAD_INPUT, "%s: cannot open the results for writing: %s\nchoose another file with --results",
                   store->path, strerror(errno));
  if (!fcntl(store->lock_fd, F_OFD_SETLK, &lock))
    return 0;
  if (errno != EAGAIN && errno != EACCES)
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: cannot lock the results: %s\nchoose a file on another file system with "
                   "--results",
                   store->path, strerror(errno));
  while (wait && !*interrupted) {
    if (!fcntl(store->lock_fd, F_OFD_SETLKW, &lock))
      return 0;
    if (errno != EINTR)
      break;
  }
  if (wait)
    return ut_fail(e, UT_INTERRUPTED, "%s: interrupted while another sweep was writing it", store->path);
  return ut_fail(e, UT_BAD_INPUT,
                 "%s: another sweep is writing these results\nwait for it with --wait, read what is there with --read, "
                 "or choose another file with --results",
                 store->path);
}

static int create_tables(struct ut_store *store, struct ut_error *e) {
  char sql[sizeof tables + 160];
  snprintf(sql, sizeof sql, "BEGIN IMMEDIATE; PRAGMA application_id = %d; PRAGMA user_version = %d; %s COMMIT;",
           UT_STORE_ID, UT_STORE_FORMAT, tables);
  return run_sql(store, sql, "create it", e);
}

static int prepare_all(struct ut_store *store, struct ut_error *e) {
  store->find = ut_store_prepare(store, "SELECT status, message, json, wall_s, cpu_s FROM runs WHERE key = ?", e);
  store->assign = store->find
                      ? ut_store_prepare(store,
                                         "UPDATE runs SET point = ?2, repetition = ?3, probe = ?4 WHERE key = ?1 AND "
                                         "(point IS NOT ?2 OR repetition IS NOT ?3 OR probe IS NOT ?4)",
                                         e)
                      : NULL;
  store->add =
      store->assign
          ? ut_store_prepare(store,
                             "INSERT INTO runs(key, point, repetition, probe, load, seed, status, message, "
                             "started, wall_s, cpu_s, version, command, scenario, json) VALUES(?1, ?2, ?3, ?4, "
                             "?5, ?6, ?7, ?8, strftime('%Y-%m-%dT%H:%M:%fZ', ?9, 'unixepoch'), ?10, ?11, ?12, "
                             "?13, ?14, ?15) ON CONFLICT(key) DO UPDATE SET point = ?2, repetition = ?3, "
                             "probe = ?4, status = ?7, message = ?8, started = excluded.started, wall_s = ?10, "
                             "cpu_s = ?11, json = ?15 RETURNING id",
                             e)
          : NULL;
  store->number = store->add ? ut_store_prepare(store, "INSERT OR REPLACE INTO results VALUES(?, ?, ?)", e) : NULL;
  return store->number ? 0 : -1;
}

static void abandon(struct ut_store *store) {
  sqlite3_finalize(store->find);
  sqlite3_finalize(store->assign);
  sqlite3_finalize(store->add);
  sqlite3_finalize(store->number);
  sqlite3_close(store->db);
  if (store->lock_fd >= 0)
    close(store->lock_fd);
  free(store->path);
  *store = (struct ut_store){.lock_fd = -1};
}

static int open_database(struct ut_store *store, int flags, struct ut_error *e) {
  if (sqlite3_open_v2(store->path, &store->db, flags, NULL) != SQLITE_OK)
    return ut_store_fail(store, "open it", e);
  sqlite3_busy_timeout(store->db, BUSY_MS);
  sqlite3_limit(store->db, SQLITE_LIMIT_LENGTH, UT_LIMIT_FILE_BYTES); /* of what an expression of the user makes, too */
  return 0;
}

static int open_for_writing(struct ut_store *store, bool wait, const volatile sig_atomic_t *interrupted,
                            struct ut_error *e) {
  bool empty;
  if (refuse_irregular(store->path, e) || lock_file(store, wait, interrupted, e) ||
      open_database(store, SQLITE_OPEN_READWRITE, e) || ut_store_check(store, &empty, e) ||
      run_sql(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", "write it", e) ||
      (empty && create_tables(store, e)))
    return -1;
  return prepare_all(store, e);
}

int ut_store_open(struct ut_store *store, const char *path, bool wait, const volatile sig_atomic_t *interrupted,
                  struct ut_error *e) {
  signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of a write, not the end of the process */
  *store = (struct ut_store){.path = strdup(path), .lock_fd = -1};
  if (store->path && open_for_writing(store, wait, interrupted, e) == 0)
    return 0;
  if (!store->path)
    ut_fail(e, UT_BAD_INPUT, "%s: out of memory", path);
  abandon(store);
  return -1;
}

int ut_store_read(struct ut_store *store, const char *path, struct ut_error *e) {
  bool empty;
  *store = (struct ut_store){.path = strdup(path), .lock_fd = -1};
  int status = store->path ? 0 : ut_fail(e, UT_BAD_INPUT, "%s: out of memory", path);
  if (!status && access(path, R_OK))
    status = ut_fail(e, UT_BAD_INPUT, "%s: cannot read the results: %s", path, strerror(errno));
  if (!status)
    status =
        refuse_irregular(path, e) || open_database(store, SQLITE_OPEN_READONLY, e) || ut_store_check(store, &empty, e)
            ? -1
            : 0;
  if (!status && empty)
    status = ut_fail(e, UT_BAD_INPUT, "%s: there are no results yet", path);
  if (status)
    abandon(store);
  return status;
}

int ut_store_close(struct ut_store *store, struct ut_error *e) {
  int status = 0;
  if (!store->db)
    return 0;
  if (store->lock_fd >= 0) {
    sqlite3_stmt **const all[] = {&store->find, &store->assign, &store->add, &store->number};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
      sqlite3_finalize(*all[i]);
      *all[i] = NULL;
    }
    status = ut_store_view(store, false, e);
    /* Makes one file that can be copied; while other processes read, the file stays as it is. */
    sqlite3_busy_timeout(store->db, 0);
    sqlite3_exec(store->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
  }
  abandon(store);
  return status;
}

int ut_store_path(const char *sweep, char path[PATH_MAX], struct ut_error *e) {
  static const char *const ends[] = {".yaml", ".yml", ".sqlite"};
  int stem = (int)strlen(sweep);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (ut_path_ends(sweep, ends[i])) {
      stem -= (int)strlen(ends[i]);
      break;
    }
  return ut_path_set(e, path, "%.*s.sqlite", stem, sweep);
}

/* ---- the plan */

/* A number as a number, so that SQL can compare it. */
static void bind_value(sqlite3_stmt *q, int place, const char *text) {
  char *end;
  const double value = strtod(text, &end);
  if (!*text || *end || strspn(text, "+-.0123456789eE") != strlen(text))
    sqlite3_bind_text(q, place, text, -1, SQLITE_TRANSIENT);
  else if (strspn(text, "-0123456789") == strlen(text))
    sqlite3_bind_int64(q, place, strtoll(text, NULL, 10));
  else
    sqlite3_bind_double(q, place, value);
}

static int write_axes(struct ut_store *store, const struct ut_sweep *sweep, struct ut_error *e) {
  sqlite3_stmt *q = ut_store_prepare(store, "INSERT INTO axes VALUES(?, ?, ?, ?)", e);
  bool ok = q != NULL;
  if (!q)
    return -1;
  for (size_t point = 0; ok && point < ut_points_count(sweep); point++)
    for (size_t a = 0; ok && a < sweep->axes; a++) {
      sqlite3_bind_int64(q, 1, (int64_t)point);
      sqlite3_bind_int64(q, 2, (int64_t)a);
      sqlite3_bind_text(q, 3, sweep->axis[a].key, -1, SQLITE_STATIC);
      bind_value(q, 4, ut_points_value(sweep, point, a));
      ok = sqlite3_step(q) == SQLITE_DONE;
      sqlite3_reset(q);
    }
  if (!ok)
    ut_store_fail(store, "write it", e);
  sqlite3_finalize(q);
  return ok ? 0 : -1;
}

static int write_meta(struct ut_store *store, const struct ut_sweep *sweep, const char *plan, struct ut_error *e) {
  static const char *const searches[] = {
      [UT_FIND_NOTHING] = "", [UT_FIND_SATURATION] = "saturation", [UT_FIND_PEAK] = "peak"};
  char points[24], confidence[24];
  snprintf(points, sizeof points, "%zu", ut_points_count(sweep));
  snprintf(confidence, sizeof confidence, "%.10g", sweep->stopping.confidence);
  const char *const values[][2] = {{"plan", plan},
                                   {"sweep", sweep->path},
                                   {"text", sweep->text},
                                   {"command", sweep->command},
                                   {"find", searches[sweep->find.what]},
                                   {"points", points},
                                   {"confidence", confidence},
                                   {"version", ut_results_version()}};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    if (set_meta(store, values[i][0], values[i][1], e))
      return -1;
  return 0;
}

int ut_store_plan(struct ut_store *store, struct ut_sweep *sweep, struct ut_error *e) {
  char plan[UT_RUN_KEY_CHARS + 1];
  if (ut_points_hash(sweep, plan, e))
    return -1;
  char *old = ut_store_meta(store, "plan");
  const bool same = old && !strcmp(old, plan);
  free(old);
  if (run_sql(store, "BEGIN IMMEDIATE", "write it", e))
    return -1;
  int status = same ? 0
               : run_sql(store, "UPDATE runs SET point = NULL WHERE point IS NOT NULL; DELETE FROM axes", "write it", e)
                   ? -1
                   : write_axes(store, sweep, e);
  if (!status)
    status = write_meta(store, sweep, plan, e);
  if (!status)
    status = run_sql(store, "COMMIT", "write it", e);
  if (status)
    sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
  return status;
}

/* ---- rows */

void ut_outcome_free(struct ut_outcome *outcome) {
  free(outcome->json);
  free(outcome->message);
  outcome->json = outcome->message = NULL;
}

bool ut_outcome_is_result(const struct ut_outcome *outcome) {
  return outcome->json && (outcome->status == UT_OK || outcome->status == UT_MISMATCH ||
                           outcome->status == UT_DEADLOCK || outcome->status == UT_INCOMPLETE);
}

static char *copy_column(sqlite3_stmt *q, int column) {
  const char *text = (const char *)sqlite3_column_text(q, column);
  return text ? strdup(text) : NULL;
}

static void bind_place(sqlite3_stmt *q, const struct ut_run *run) {
  sqlite3_bind_text(q, 1, run->key, -1, SQLITE_STATIC);
  sqlite3_bind_int64(q, 2, (int64_t)run->point);
  sqlite3_bind_int64(q, 3, run->repetition);
  sqlite3_bind_int(q, 4, run->probe);
}

int ut_store_get(struct ut_store *store, const struct ut_run *run, struct ut_outcome *outcome, struct ut_error *e) {
  *outcome = (struct ut_outcome){0};
  sqlite3_bind_text(store->find, 1, run->key, -1, SQLITE_STATIC);
  const int step = sqlite3_step(store->find);
  if (step == SQLITE_ROW) {
    outcome->status = sqlite3_column_int(store->find, 0);
    outcome->message = copy_column(store->find, 1);
    outcome->json = copy_column(store->find, 2);
    outcome->wall_s = sqlite3_column_double(store->find, 3);
    outcome->cpu_s = sqlite3_column_double(store->find, 4);
  }
  const int bad = step == SQLITE_ROW || step == SQLITE_DONE ? 0 : ut_store_fail(store, "read it", e);
  sqlite3_reset(store->find);
  if (bad || step == SQLITE_DONE)
    return bad;
  bind_place(store->assign, run);
  const bool ok = sqlite3_step(store->assign) == SQLITE_DONE;
  if (!ok)
    ut_store_fail(store, "write it", e);
  sqlite3_reset(store->assign);
  if (!ok)
    ut_outcome_free(outcome);
  return ok ? 1 : -1;
}

static int walk(const json_t *value, char *name, size_t used, size_t size, ut_store_number *call, void *ctx) {
  const char *key;
  json_t *below;
  size_t i;
  int status = 0;
  switch (json_typeof(value)) {
  case JSON_OBJECT:
    json_object_foreach((json_t *)(uintptr_t)value, key, below) {
      const int more = snprintf(name + used, size - used, "%s%s", used ? "." : "", key);
      if (!status && used + (size_t)more < size)
        status = walk(below, name, used + (size_t)more, size, call, ctx);
    }
    break;
  case JSON_ARRAY:
    json_array_foreach(value, i, below) {
      const int more = snprintf(name + used, size - used, "[%zu]", i);
      if (!status && used + (size_t)more < size)
        status = walk(below, name, used + (size_t)more, size, call, ctx);
    }
    break;
  case JSON_INTEGER:
  case JSON_REAL: status = call(ctx, name, json_number_value(value)); break;
  case JSON_TRUE:
  case JSON_FALSE: status = call(ctx, name, json_is_true(value)); break;
  default: break;
  }
  if (used < size)
    name[used] = '\0';
  return status;
}

int ut_store_numbers(const char *json, ut_store_number *call, void *ctx) {
  char name[256] = "";
  json_t *value = json ? json_loads(json, 0, NULL) : NULL;
  if (!value)
    return 0;
  const int status = walk(value, name, 0, sizeof name, call, ctx);
  json_decref(value);
  return status;
}

struct add_number {
  sqlite3_stmt *statement;
  int64_t run;
};

static int add_number(void *ctx, const char *name, double value) {
  const struct add_number *number = ctx;
  sqlite3_bind_int64(number->statement, 1, number->run);
  sqlite3_bind_text(number->statement, 2, name, -1, SQLITE_TRANSIENT);
  sqlite3_bind_double(number->statement, 3, value);
  const int step = sqlite3_step(number->statement);
  sqlite3_reset(number->statement);
  return step == SQLITE_DONE ? 0 : -1;
}

static void bind_text(sqlite3_stmt *q, int place, const char *text) {
  sqlite3_bind_text(q, place, text, text ? -1 : 0, SQLITE_STATIC); /* NULL stays NULL */
}

/* Returns "run --drain=1": what a user would type before the scenario; NULL: out of memory. */
static char *command_text(const struct ut_run *run) {
  char *text = NULL;
  size_t size;
  FILE *f = ut_memory_open(&text, &size);
  if (!f)
    return NULL;
  for (size_t i = 0; run->arguments && run->arguments[i]; i++)
    fprintf(f, "%s%s", i ? " " : "", run->arguments[i]);
  return ut_memory_close(f, &text) ? NULL : text;
}

static int add_row(struct ut_store *store, const struct ut_run *run, const struct ut_outcome *outcome) {
  sqlite3_stmt *q = store->add;
  char *command = command_text(run);
  bind_place(q, run);
  if (run->probe)
    sqlite3_bind_double(q, 5, run->load);
  else
    sqlite3_bind_null(q, 5);
  sqlite3_bind_int64(q, 6, (int64_t)run->seed);
  sqlite3_bind_int(q, 7, outcome->status);
  bind_text(q, 8, outcome->message);
  sqlite3_bind_double(q, 9, outcome->started);
  sqlite3_bind_double(q, 10, outcome->wall_s);
  sqlite3_bind_double(q, 11, outcome->cpu_s);
  bind_text(q, 12, ut_results_version());
  bind_text(q, 13, command);
  bind_text(q, 14, run->scenario);
  bind_text(q, 15, outcome->json);
  struct add_number number = {.statement = store->number};
  int step = sqlite3_step(q);
  if (step == SQLITE_ROW) {
    number.run = sqlite3_column_int64(q, 0);
    step = sqlite3_step(q);
  }
  sqlite3_reset(q);
  sqlite3_clear_bindings(q);
  free(command);
  return step == SQLITE_DONE &&
                 (!ut_outcome_is_result(outcome) || ut_store_numbers(outcome->json, add_number, &number) == 0)
             ? 0
             : -1;
}

int ut_store_add(struct ut_store *store, const struct ut_run *run, const struct ut_outcome *outcome,
                 struct ut_error *e) {
  if (run_sql(store, "BEGIN IMMEDIATE", "store a result", e))
    return -1;
  if (add_row(store, run, outcome) == 0 && sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK)
    return 0;
  ut_store_fail(store, "store a result", e);
  sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
  return -1;
}

/* ---- other databases */

int ut_store_merge(struct ut_store *store, const char *path, struct ut_error *e) {
  static const char rows[] =
      "BEGIN IMMEDIATE;"
      "INSERT INTO main.runs(key, repetition, probe, load, seed, status, message, started, wall_s, cpu_s, version, "
      "command, scenario, json) SELECT key, repetition, probe, load, seed, status, message, started, wall_s, cpu_s, "
      "version, command, scenario, json FROM other.runs WHERE true ON CONFLICT(key) DO UPDATE SET status = "
      "excluded.status, message = excluded.message, started = excluded.started, wall_s = excluded.wall_s, cpu_s = "
      "excluded.cpu_s, version = excluded.version, json = excluded.json WHERE runs.json IS NULL AND excluded.json IS "
      "NOT NULL;"
      "INSERT OR IGNORE INTO main.results SELECT here.id, n.name, n.value FROM other.results n JOIN other.runs o ON "
      "o.id = n.run JOIN main.runs here ON here.key = o.key;"
      "COMMIT";
  struct ut_store other; /* is it one? */
  if (ut_store_read(&other, path, e))
    return -1;
  ut_store_close(&other, NULL);
  char *attach = sqlite3_mprintf("ATTACH %Q AS other", path);
  int status = attach ? run_sql(store, attach, "read another database", e) : ut_fail(e, UT_BAD_INPUT, "out of memory");
  sqlite3_free(attach);
  if (status)
    return -1;
  status = run_sql(store, rows, "take over results", e);
  if (status)
    sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
  sqlite3_exec(store->db, "DETACH other", NULL, NULL, NULL);
  return status;
}

bool ut_store_busy(const char *path) {
  struct ut_store store = {.path = (char *)(uintptr_t)path, .lock_fd = -1};
  struct ut_error e;
  const bool busy = !access(path, F_OK) && lock_file(&store, false, NULL, &e);
  if (store.lock_fd >= 0)
    close(store.lock_fd);
  return busy;
}

/* ---- the view */

static int put_columns(const struct ut_store *store, FILE *f, const char *names, const char *column,
                       struct ut_error *e) {
  sqlite3_stmt *q = ut_store_prepare(store, names, e);
  if (!q)
    return -1;
  int step, status = 0;
  while (!status && (step = sqlite3_step(q)) == SQLITE_ROW) {
    char *sql = sqlite3_mprintf(column, sqlite3_column_text(q, 0), sqlite3_column_text(q, 0));
    if (sql)
      fputs(sql, f);
    else
      status = ut_fail(e, UT_BAD_INPUT, "%s: out of memory", store->path);
    sqlite3_free(sql);
  }
  if (!status && step != SQLITE_DONE)
    status = ut_store_fail(store, "read it", e);
  sqlite3_finalize(q);
  return status;
}

int ut_store_view(struct ut_store *store, bool temporary, struct ut_error *e) {
  char *sql = NULL, numbers[640];
  size_t size;
  FILE *f = ut_memory_open(&sql, &size);
  if (!f)
    return ut_fail(e, UT_BAD_INPUT, "%s: out of memory", store->path);
  /* numbers about time and speed, or named like a column of ours, are left out */
  snprintf(
      numbers, sizeof numbers,
      "SELECT DISTINCT name FROM results WHERE name NOT IN ('run', 'point', 'repetition', 'seed', 'status', 'message', "
      "'started', 'wall_s', 'cpu_s') AND name NOT IN (SELECT name FROM axes) AND run IN (SELECT id FROM runs "
      "WHERE point IS NOT NULL AND NOT probe) ORDER BY name LIMIT %d",
      MOST_COLUMNS);
  fprintf(f, "%s CREATE %sVIEW sweep AS SELECT r.id AS run, r.point, r.repetition, r.seed, r.status",
          temporary ? "DROP VIEW IF EXISTS temp.sweep;" : "BEGIN IMMEDIATE; DROP VIEW IF EXISTS sweep;",
          temporary ? "TEMP " : "");
  int status = put_columns(store, f, "SELECT DISTINCT name FROM axes ORDER BY axis",
                           ", (SELECT value FROM axes a WHERE a.point = r.point AND a.name = %Q) AS \"%w\"", e);
  if (!status)
    status = put_columns(store, f, numbers,
                         ", (SELECT value FROM results n WHERE n.run = r.id AND n.name = %Q) AS \"%w\"", e);
  fprintf(f,
          ", r.started, r.wall_s, r.cpu_s, r.message FROM %sruns r WHERE r.point IS NOT NULL AND NOT r.probe"
          " ORDER BY r.point, r.repetition;%s",
          temporary ? "main." : "", temporary ? "" : " COMMIT;"); /* "main." would hinder ATTACH */
  if (ut_memory_close(f, &sql) && !status)
    status = ut_fail(e, UT_BAD_INPUT, "%s: out of memory", store->path);
  if (!status)
    status = run_sql(store, sql, "make its view", e);
  if (status && !temporary)
    sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
  free(sql);
  return status;
}
