/* bench.c - `uturn bench`: speed of golden model, RTL alone and lockstep, and instructions per flit-hop of the golden
 * model.
 *
 * Timings of one case are taken in turns, several rounds, and the best of each kind counts: the machines are shared,
 * noise only adds. Instructions are counted by valgrind's callgrind over a whole `uturn run`, start-up subtracted by a
 * second run of half the cycles.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

struct bench_case {
  const char *scenario;
  double load;
  uint64_t golden_cycles, rtl_cycles; /* timed cycles of one round */
};
static const struct bench_case cases[] = {
    {"bench_4ary3tree", 0.05, 60000, 6000}, {"bench_4ary3tree", 0.2, 40000, 4000},
    {"bench_4ary3tree", 0.4, 20000, 3000},  {"bench_8ary3tree", 0.05, 6000, 600},
    {"bench_8ary3tree", 0.2, 4000, 400},    {"bench_8ary3tree", 0.4, 3000, 300},
    {"torus_8x8x8", 0.05, 16000, 600},      {"torus_8x8x8", 0.2, 6000, 300},
    {"torus_8x8x8", 0.4, 3000, 200},
};
enum { CASES = sizeof cases / sizeof cases[0], ROUNDS = 3, WARM_UP = 300 };

struct figures {
  double golden, hops, rtl, lockstep, ratio; /* per second; ratio lockstep / rtl, best pair of neighbours in time */
  double instructions;                       /* per flit-hop; negative: valgrind is not there */
};

static double time_golden(const struct ut_scenario *s, uint64_t cycles, double *hops, struct ut_error *e) {
  struct ut_network n;
  if (ut_network_init(&n, s, NULL, e))
    return -1;
  for (unsigned i = 0; i < WARM_UP; i++)
    ut_network_step(&n);
  uint64_t before = n.flit_hops;
  double start = ut_now();
  for (uint64_t i = 0; i < cycles; i++)
    ut_network_step(&n);
  double seconds = ut_now() - start;
  *hops = (double)(n.flit_hops - before) / seconds;
  double rate = (double)cycles * n.topology.switches / seconds;
  ut_network_fini(&n);
  return rate;
}

/* RTL alone (pair: in lockstep). */
static double time_rtl(const struct ut_scenario *s, const struct ut_models *models, uint64_t cycles, bool pair,
                       struct ut_error *e) {
  struct ut_lockstep l;
  double start = 0, rate = -1;
  bool ok = true;
  if (ut_lockstep_init(&l, s, models, e))
    return -1;
  for (uint64_t i = 0; i < cycles + WARM_UP && ok; i++) {
    if (i == WARM_UP)
      start = ut_now();
    if (pair)
      ok = ut_lockstep_step(&l);
    else
      ut_network_step(&l.rtl);
  }
  if (ok)
    rate = (double)cycles * l.rtl.topology.switches / (ut_now() - start);
  else
    ut_fail(e, UT_MISMATCH, "%s", l.report ? l.report : "mismatch");
  ut_lockstep_fini(&l);
  return rate;
}

/* Instructions of `uturn run` over so many cycles; 0: valgrind is not there. */
static double count_run(const char *scenario, double load, uint64_t cycles, double *hops) {
  char command[1024], line[512], out[] = "/tmp/uturn-bench-XXXXXX", self[512];
  double instructions = 0;
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  int fd = mkstemp(out);
  if (length < 0 || fd < 0)
    return 0;
  close(fd);
  self[length] = 0;
  snprintf(command, sizeof command,
           "valgrind --tool=callgrind --callgrind-out-file=/dev/null '%s' run '%s' --load %g --cycles %" PRIu64
           " --json 2>&1 >%s",
           self, scenario, load, cycles, out);
  FILE *f = popen(command, "r");
  while (f && fgets(line, sizeof line, f)) {
    char *at = strstr(line, "Collected : ");
    if (at)
      instructions = strtod(at + 12, NULL);
  }
  if (f)
    pclose(f);
  json_t *o = json_load_file(out, 0, NULL);
  *hops = json_number_value(json_object_get(o, "flit_hops"));
  json_decref(o);
  remove(out);
  return instructions;
}

static double instructions_per_hop(const char *scenario, double load) {
  double more_hops, fewer_hops, more = count_run(scenario, load, 4000, &more_hops);
  if (more <= 0)
    return -1;
  double fewer = count_run(scenario, load, 2000, &fewer_hops);
  return more_hops > fewer_hops ? (more - fewer) / (more_hops - fewer_hops) : -1;
}

static int measure(const struct bench_case *c, const char *path, struct figures *r) {
  struct ut_error e;
  struct ut_models models;
  int status = UT_OK;
  struct ut_scenario_options o = {.path = path, .load_set = true, .load = c->load};
  *r = (struct figures){0};
  struct ut_scenario *s = ut_open_scenario(&o, &status);
  if (!s)
    return status;
  const bool built = ut_get_models(s, &(struct ut_device){0}, &models, &status);
  for (unsigned i = 0; built && i < ROUNDS && !ut_interrupted && status == UT_OK; i++) {
    double hops = 0, golden = time_golden(s, c->golden_cycles, &hops, &e);
    double rtl = golden < 0 ? -1 : time_rtl(s, &models, c->rtl_cycles, false, &e);
    double lockstep = rtl < 0 ? -1 : time_rtl(s, &models, c->rtl_cycles, true, &e);
    if (lockstep < 0) {
      status = ut_print_error(&e);
      break;
    }
    r->golden = golden > r->golden ? golden : r->golden;
    r->hops = hops > r->hops ? hops : r->hops;
    r->rtl = rtl > r->rtl ? rtl : r->rtl;
    r->lockstep = lockstep > r->lockstep ? lockstep : r->lockstep;
  }
  if (status == UT_OK && r->rtl > 0) {
    r->ratio = r->lockstep / r->rtl;
    r->instructions = instructions_per_hop(path, c->load);
  }
  ut_free_models(&models);
  ut_scenario_free(s);
  return status;
}

static json_t *as_json(const struct bench_case *c, const struct figures *r) {
  return json_pack("{s:s, s:f, s:{s:f, s:f, s:o}, s:{s:f}, s:{s:f, s:f}}", "scenario", c->scenario, "load", c->load,
                   "golden", "switch_cycles_per_s", r->golden, "flit_hops_per_s", r->hops, "instructions_per_flit_hop",
                   r->instructions >= 0 ? json_real(r->instructions) : json_null(), "rtl", "switch_cycles_per_s",
                   r->rtl, "lockstep", "switch_cycles_per_s", r->lockstep, "ratio_to_rtl", r->ratio);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  (void)arg;
  if (key != 'j')
    return ARGP_ERR_UNKNOWN;
  *(bool *)state->input = true;
  return 0;
}
static const struct argp_option options[] = {{"json", 'j', 0, 0, "one JSON object on standard output", 0}, {0}};
static const struct argp argp = {options, parse, 0, "Measures the speed of golden model, RTL alone and lockstep.",
                                 0,       0,     0};

int ut_cmd_bench(int argc, char **argv) {
  bool json = false;
  int status;
  if (ut_parse(&argp, argc, argv, &json, &status))
    return status;
  ut_catch_interrupt();
  json_t *list = json_array();
  if (!json)
    printf("%-18s %5s  %12s %12s %9s  %12s  %12s %6s\n", "scenario", "load", "golden sc/s", "flit-hops/s", "instr/hop",
           "RTL sc/s", "lockstep sc/s", "ratio");
  for (unsigned i = 0; i < CASES && status == UT_OK && !ut_interrupted; i++) {
    struct figures r;
    char path[512];
    snprintf(path, sizeof path, "%s/scenarios/%s.yaml", ut_root_dir(), cases[i].scenario);
    status = measure(&cases[i], path, &r);
    if (status != UT_OK)
      break;
    json_array_append_new(list, as_json(&cases[i], &r));
    if (!json) {
      printf("%-18s %5.2f  %12.3g %12.3g %9.1f  %12.3g  %12.3g %6.2f\n", cases[i].scenario, cases[i].load, r.golden,
             r.hops, r.instructions, r.rtl, r.lockstep, r.ratio);
      fflush(stdout);
    }
  }
  if (json) {
    json_t *o = json_pack("{s:o}", "cases", list);
    json_dumpf(o, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    putchar('\n');
    json_decref(o);
  } else {
    json_decref(list);
  }
  return ut_interrupted ? UT_INTERRUPTED : status;
}
