/* SPDX-License-Identifier: Apache-2.0 */
/* energy_check.c - the same energies by OpenSTA.
 *
 * The report_power of 2.0.17, Debian's version, is not ours: it does not take activities of pins inside the netlist,
 * and it has other rules for internal power.  So it is asked for one cell after the other, each at the toggle rate of
 * its output, with a Liberty file without functions; and ours is counted anew by those rules:
 *   - all pins of a cell toggle as often as its output;
 *   - each group of an output's internal power counts whole, not only in part, and twice where its related pin is the
 *     clock, as does the clock pin itself: the energies of both edges are added up, but not halved.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_files.h"
#include "cache_folder.h"
#include "cache_key.h"
#include "cache_log.h"
#include "cache_tools.h"
#include "energy_model.h"
#include "memory_text.h"
#include "tool.h"

static const double period_ns = 10;

struct task {
  const struct ut_energy_model *m;
  const uint64_t *toggles;
  uint64_t cycles;
  char sta[PATH_MAX], version[256], dir[PATH_MAX];
  char *netlist, *script, *liberty;
  struct ut_entry entry;
};

static uint32_t output_of(const struct ut_energy_model *m, size_t gate) {
  const struct ut_gate *g = &m->gates.gate[gate];
  for (size_t p = g->pin; p < g->pin + g->pins; p++)
    if (m->pin[p]->output && m->gates.pin[p].net != UT_GATE_CONSTANT)
      return m->gates.pin[p].net;
  return UT_GATE_CONSTANT;
}

/* Toggles of a cell's output in a cycle. */
static double activity(const struct task *t, size_t gate) {
  const uint32_t net = output_of(t->m, gate);
  return net == UT_GATE_CONSTANT || !t->cycles ? 0 : (double)t->toggles[net] / (double)t->cycles;
}

/* ---- what OpenSTA reads ---- */

static bool is_input(const struct ut_energy_model *m, size_t net) {
  return m->net[net].driver == UINT32_MAX;
}

static void write_netlist(FILE *f, const struct ut_energy_model *m) {
  const struct ut_gates *g = &m->gates;
  const char *comma = "";
  fprintf(f, "module ut_switch (");
  for (size_t n = 0; n < g->nets; n++)
    if (is_input(m, n) || g->net[n].outputs) {
      fprintf(f, "%sn%zu", comma, n);
      comma = ",\n  ";
    }
  fprintf(f, ");\n");
  for (size_t n = 0; n < g->nets; n++)
    fprintf(f, "  %s n%zu;\n", is_input(m, n) ? "input" : g->net[n].outputs ? "output" : "wire", n);
  for (size_t i = 0; i < g->gates; i++) {
    const struct ut_gate *gate = &g->gate[i];
    fprintf(f, "  %s g%zu (", gate->type, i);
    comma = "";
    for (size_t p = gate->pin; p < gate->pin + gate->pins; p++)
      if (g->pin[p].net != UT_GATE_CONSTANT) {
        fprintf(f, "%s.%s(n%u)", comma, g->pin[p].name, g->pin[p].net);
        comma = ", ";
      }
    fprintf(f, ");\n");
  }
  fprintf(f, "endmodule\n");
}

static void write_script(FILE *f, const struct task *t) {
  const struct ut_energy_model *m = t->m;
  const double time = m->library.time_ns, load = UT_ENERGY_PORT_PF / m->library.capacitance_pf;
  fprintf(f,
          "read_liberty check.lib\nread_verilog check.v\nlink_design ut_switch\n"
          "create_clock -name clk -period %g [get_ports n%u]\nset_input_transition %g [get_ports n%u]\n",
          period_ns / time, m->clock, UT_ENERGY_CLOCK_NS / time, m->clock);
  for (size_t n = 0; n < m->gates.nets; n++)
    if (is_input(m, n) && n != m->clock)
      fprintf(f, "set_driving_cell -lib_cell %s [get_ports n%zu]\nset_input_delay 0 -clock clk [get_ports n%zu]\n",
              m->driver->name, n, n);
  for (size_t n = 0; n < m->gates.nets; n++)
    if (m->gates.net[n].outputs && !is_input(m, n))
      fprintf(f, "set_load %g [get_ports n%zu]\n", load * m->gates.net[n].outputs, n);
  fprintf(f, "set corner [sta::cmd_corner]\nset out [open entry/power.txt w]\n"
             "proc p {cell activity} {\n  global corner out\n  sta::set_power_global_activity $activity 0.5\n"
             "  puts $out [sta::instance_power [sta::find_instance $cell] $corner]\n}\n");
  for (size_t i = 0; i < m->gates.gates; i++)
    fprintf(f, "p g%zu %.9g\n", i, activity(t, i));
  fprintf(f, "close $out\nexit\n");
}

/* The file without the functions of pins, from which OpenSTA would guess which input makes an output toggle. */
static void write_liberty(FILE *f, const char *text) {
  for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
    end = strchrnul(line, '\n');
    if (strncmp(line + strspn(line, " \t"), "function", 8))
      fprintf(f, "%.*s\n", (int)(end - line), line);
  }
}

static int write_all(struct task *t, struct ut_error *e) {
  char **const text[] = {&t->netlist, &t->script, &t->liberty};
  for (int i = 0; i < 3; i++) {
    size_t size;
    FILE *f = ut_memory_open(text[i], &size);
    if (!f)
      return ut_fail_memory(e);
    if (i == 0)
      write_netlist(f, t->m);
    else if (i == 1)
      write_script(f, t);
    else
      write_liberty(f, t->m->text);
    if (ut_memory_close(f, text[i]))
      return ut_fail_memory(e);
  }
  return 0;
}

/* ---- the run ---- */

static int build(void *of, const struct ut_caller *c) {
  const struct task *t = of;
  static const char *const name[] = {"check.v", "check.tcl", "check.lib"};
  const char *const text[] = {t->netlist, t->script, t->liberty};
  struct ut_job j = {.does = "asking OpenSTA for power", .log_fd = -1, .makes = "entry/power.txt"};
  char path[PATH_MAX];
  for (int i = 0; i < 3; i++)
    if (ut_path_set(c->e, path, "%s/%s", t->entry.tmp, name[i]) || ut_file_write(path, text[i], strlen(text[i]), c->e))
      return -1;
  ut_args_add(&j.command, "%s", t->sta);
  ut_args_add(&j.command, "-no_init");
  ut_args_add(&j.command, "-no_splash");
  ut_args_add(&j.command, "-exit");
  ut_args_add(&j.command, "check.tcl");
  ut_caller_say(c, "asking OpenSTA");
  const int status = ut_log_run(c, &t->entry, "the netlist", &j, 1);
  ut_jobs_free(&j, 1);
  return status || ut_log_keep(&t->entry, c->e) ? -1 : 0;
}

static int open_entry(struct task *t, const struct ut_caller *c) {
  XXH3_state_t *h = XXH3_createState();
  if (!h)
    return ut_fail_memory(c->e);
  XXH3_128bits_reset(h);
  ut_key_text(h, "uturn energy check 1");
  ut_key_text(h, t->sta);
  ut_key_text(h, t->version);
  ut_key_text(h, t->netlist);
  ut_key_text(h, t->script);
  ut_key_text(h, t->liberty);
  const XXH128_hash_t key = XXH3_128bits_digest(h);
  XXH3_freeState(h);
  return ut_entry_init(&t->entry, t->dir, key, "power.txt", c->e);
}

/* ---- ours by OpenSTA's rules ---- */

static double internal_by_its_rules(const struct task *t, size_t gate) {
  const struct ut_energy_model *m = t->m;
  const struct ut_gate *g = &m->gates.gate[gate];
  const double a = activity(t, gate);
  double sum = 0;
  for (size_t p = g->pin; p < g->pin + g->pins; p++) {
    if (m->gates.pin[p].net == UT_GATE_CONSTANT)
      continue;
    for (size_t i = 0; i < m->pin[p]->groups; i++) {
      const struct ut_power_group *group = &m->pin[p]->group[i];
      const uint32_t from = group->related ? ut_energy_net_at(m, g, group->related) : m->gates.pin[p].net;
      const bool clock = m->gates.pin[p].net == m->clock;
      sum += (clock ? 2 : a) * (from == m->clock ? 2 : 1) * ut_energy_of_group(m, g, p, group, true);
    }
  }
  return sum;
}

static double switching(const struct task *t, size_t gate) {
  const struct ut_energy_model *m = t->m;
  const struct ut_gate *g = &m->gates.gate[gate];
  double load = 0;
  for (size_t p = g->pin; p < g->pin + g->pins; p++)
    if (m->pin[p]->output && m->gates.pin[p].net != UT_GATE_CONSTANT)
      load += ut_energy_load(&m->net[m->gates.pin[p].net]);
  return activity(t, gate) * load * m->library.voltage * m->library.voltage / 2;
}

static int compare(const struct task *t, const char *report, struct ut_energy_check *check, struct ut_error *e) {
  const char *p = report;
  *check = (struct ut_energy_check){0};
  for (size_t i = 0; i < t->m->gates.gates; i++) {
    double w[4]; /* internal, switching, leakage, all */
    int used = 0;
    if (sscanf(p, "%lf %lf %lf %lf%n", &w[0], &w[1], &w[2], &w[3], &used) != 4)
      return ut_fail(e, UT_BAD_INPUT, "OpenSTA has reported no power of cell %zu; remove %s, and reinstall `sta`", i,
                     t->entry.folder);
    p += used;
    check->internal[0] += internal_by_its_rules(t, i);
    check->switching[0] += switching(t, i);
    check->leakage_uw[0] += t->m->kind[i]->leakage_uw;
    check->internal[1] += w[0] * period_ns * 1e3; /* W * ns = nJ */
    check->switching[1] += w[1] * period_ns * 1e3;
    check->leakage_uw[1] += w[2] * 1e6;
  }
  return 0;
}

int ut_energy_check(const struct ut_energy_model *m, const uint64_t *toggles, uint64_t cycles,
                    struct ut_energy_check *check, const struct ut_caller *c) {
  struct task t = {.m = m, .toggles = toggles, .cycles = cycles};
  char *report = NULL;
  size_t size;
  int status = ut_tool_need("sta", "opensta", "power", t.sta, c->e) ||
               ut_tool_says(c, t.sta, "-version", NULL, t.version, sizeof t.version) || ut_cache_open(t.dir, c->e) ||
               write_all(&t, c->e) || open_entry(&t, c) || ut_entry_make(&t.entry, build, &t, c) < 0;
  if (!status && ut_file_read(t.entry.path, &report, &size))
    status = ut_fail(c->e, UT_BAD_INPUT, "cannot read %.900s; remove its folder and try again", t.entry.path);
  if (!status)
    status = compare(&t, report, check, c->e);
  free(report);
  free(t.netlist);
  free(t.script);
  free(t.liberty);
  return status ? -1 : 0;
}
