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

static uint32_t output_of(const struct ut_energy_model *model, size_t gate) {
  const struct ut_gate *cell = &model->gates.gate[gate];
  for (size_t p = cell->pin; p < cell->pin + cell->pins; p++)
    if (model->pin[p]->output && model->gates.pin[p].net != UT_GATE_CONSTANT)
      return model->gates.pin[p].net;
  return UT_GATE_CONSTANT;
}

/* Toggles of a cell's output in a cycle. */
static double activity(const struct task *task, size_t gate) {
  const uint32_t net = output_of(task->m, gate);
  return net == UT_GATE_CONSTANT || !task->cycles ? 0 : (double)task->toggles[net] / (double)task->cycles;
}

/* ---- what OpenSTA reads ---- */

static bool is_input(const struct ut_energy_model *model, size_t net) {
  return model->net[net].driver == UINT32_MAX;
}

static void write_netlist(FILE *f, const struct ut_energy_model *model) {
  const struct ut_gates *gates = &model->gates;
  const char *comma = "";
  fprintf(f, "module ut_switch (");
  for (size_t n = 0; n < gates->nets; n++)
    if (is_input(model, n) || gates->net[n].outputs) {
      fprintf(f, "%sn%zu", comma, n);
      comma = ",\n  ";
    }
  fprintf(f, ");\n");
  for (size_t n = 0; n < gates->nets; n++)
    fprintf(f, "  %s n%zu;\n", is_input(model, n) ? "input" : gates->net[n].outputs ? "output" : "wire", n);
  for (size_t i = 0; i < gates->gates; i++) {
    const struct ut_gate *gate = &gates->gate[i];
    fprintf(f, "  %s g%zu (", gate->type, i);
    comma = "";
    for (size_t p = gate->pin; p < gate->pin + gate->pins; p++)
      if (gates->pin[p].net != UT_GATE_CONSTANT) {
        fprintf(f, "%s.%s(n%u)", comma, gates->pin[p].name, gates->pin[p].net);
        comma = ", ";
      }
    fprintf(f, ");\n");
  }
  fprintf(f, "endmodule\n");
}

static void write_script(FILE *f, const struct task *task) {
  const struct ut_energy_model *model = task->m;
  const double time = model->library.time_ns, load = UT_ENERGY_PORT_PF / model->library.capacitance_pf;
  fprintf(f,
          "read_liberty check.lib\nread_verilog check.v\nlink_design ut_switch\n"
          "create_clock -name clk -period %g [get_ports n%u]\nset_input_transition %g [get_ports n%u]\n",
          period_ns / time, model->clock, UT_ENERGY_CLOCK_NS / time, model->clock);
  for (size_t n = 0; n < model->gates.nets; n++)
    if (is_input(model, n) && n != model->clock)
      fprintf(f, "set_driving_cell -lib_cell %s [get_ports n%zu]\nset_input_delay 0 -clock clk [get_ports n%zu]\n",
              model->driver->name, n, n);
  for (size_t n = 0; n < model->gates.nets; n++)
    if (model->gates.net[n].outputs && !is_input(model, n))
      fprintf(f, "set_load %g [get_ports n%zu]\n", load * model->gates.net[n].outputs, n);
  fprintf(f, "set corner [sta::cmd_corner]\nset out [open entry/power.txt w]\n"
             "proc p {cell activity} {\n  global corner out\n  sta::set_power_global_activity $activity 0.5\n"
             "  puts $out [sta::instance_power [sta::find_instance $cell] $corner]\n}\n");
  for (size_t i = 0; i < model->gates.gates; i++)
    fprintf(f, "p g%zu %.9g\n", i, activity(task, i));
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

static int write_all(struct task *task, struct ut_error *e) {
  char **const text[] = {&task->netlist, &task->script, &task->liberty};
  for (int i = 0; i < 3; i++) {
    size_t size;
    FILE *f = ut_memory_open(text[i], &size);
    if (!f)
      return ut_fail_memory(e);
    if (i == 0)
      write_netlist(f, task->m);
    else if (i == 1)
      write_script(f, task);
    else
      write_liberty(f, task->m->text);
    if (ut_memory_close(f, text[i]))
      return ut_fail_memory(e);
  }
  return 0;
}

/* ---- the run ---- */

static int build(void *of, const struct ut_caller *caller) {
  const struct task *task = of;
  static const char *const name[] = {"check.v", "check.tcl", "check.lib"};
  const char *const text[] = {task->netlist, task->script, task->liberty};
  struct ut_job job = {.does = "asking OpenSTA for power", .log_fd = -1, .makes = "entry/power.txt"};
  char path[PATH_MAX];
  for (int i = 0; i < 3; i++)
    if (ut_path_set(caller->e, path, "%s/%s", task->entry.tmp, name[i]) ||
        ut_file_write(path, text[i], strlen(text[i]), caller->e))
      return -1;
  ut_args_add(&job.command, "%s", task->sta);
  ut_args_add(&job.command, "-no_init");
  ut_args_add(&job.command, "-no_splash");
  ut_args_add(&job.command, "-exit");
  ut_args_add(&job.command, "check.tcl");
  ut_caller_say(caller, "asking OpenSTA");
  const int status = ut_log_run(caller, &task->entry, "the netlist", &job, 1);
  ut_jobs_free(&job, 1);
  return status || ut_log_keep(&task->entry, caller->e) ? -1 : 0;
}

static int open_entry(struct task *task, const struct ut_caller *caller) {
  XXH3_state_t *h = XXH3_createState();
  if (!h)
    return ut_fail_memory(caller->e);
  XXH3_128bits_reset(h);
  ut_key_text(h, "uturn energy check 1");
  ut_key_text(h, task->sta);
  ut_key_text(h, task->version);
  ut_key_text(h, task->netlist);
  ut_key_text(h, task->script);
  ut_key_text(h, task->liberty);
  const XXH128_hash_t key = XXH3_128bits_digest(h);
  XXH3_freeState(h);
  return ut_entry_init(&task->entry, task->dir, key, "power.txt", caller->e);
}

/* ---- ours by OpenSTA's rules ---- */

static double internal_by_its_rules(const struct task *task, size_t gate) {
  const struct ut_energy_model *model = task->m;
  const struct ut_gate *cell = &model->gates.gate[gate];
  const double a = activity(task, gate);
  double sum = 0;
  for (size_t p = cell->pin; p < cell->pin + cell->pins; p++) {
    if (model->gates.pin[p].net == UT_GATE_CONSTANT)
      continue;
    for (size_t i = 0; i < model->pin[p]->groups; i++) {
      const struct ut_power_group *group = &model->pin[p]->group[i];
      const uint32_t from = group->related ? ut_energy_net_at(model, cell, group->related) : model->gates.pin[p].net;
      const bool clock = model->gates.pin[p].net == model->clock;
      sum += (clock ? 2 : a) * (from == model->clock ? 2 : 1) * ut_energy_of_group(model, cell, p, group, true);
    }
  }
  return sum;
}

static double switching(const struct task *task, size_t gate) {
  const struct ut_energy_model *model = task->m;
  const struct ut_gate *cell = &model->gates.gate[gate];
  double load = 0;
  for (size_t p = cell->pin; p < cell->pin + cell->pins; p++)
    if (model->pin[p]->output && model->gates.pin[p].net != UT_GATE_CONSTANT)
      load += ut_energy_load(&model->net[model->gates.pin[p].net]);
  return activity(task, gate) * load * model->library.voltage * model->library.voltage / 2;
}

static int compare(const struct task *task, const char *report, struct ut_energy_check *check, struct ut_error *e) {
  const char *p = report;
  *check = (struct ut_energy_check){0};
  for (size_t i = 0; i < task->m->gates.gates; i++) {
    double w[4]; /* internal, switching, leakage, all */
    int used = 0;
    if (sscanf(p, "%lf %lf %lf %lf%n", &w[0], &w[1], &w[2], &w[3], &used) != 4)
      return ut_fail(e, UT_BAD_INPUT, "OpenSTA has reported no power of cell %zu; remove %s, and reinstall `sta`", i,
                     task->entry.folder);
    p += used;
    check->internal[0] += internal_by_its_rules(task, i);
    check->switching[0] += switching(task, i);
    check->leakage_uw[0] += task->m->kind[i]->leakage_uw;
    check->internal[1] += w[0] * period_ns * 1e3; /* W * ns = nJ */
    check->switching[1] += w[1] * period_ns * 1e3;
    check->leakage_uw[1] += w[2] * 1e6;
  }
  return 0;
}

int ut_energy_check(const struct ut_energy_model *model, const uint64_t *toggles, uint64_t cycles,
                    struct ut_energy_check *check, const struct ut_caller *caller) {
  struct task task = {.m = model, .toggles = toggles, .cycles = cycles};
  char *report = NULL;
  size_t size;
  int status = ut_tool_need("sta", "opensta", "power", task.sta, caller->e) ||
               ut_tool_says(caller, task.sta, "-version", NULL, task.version, sizeof task.version) ||
               ut_cache_open(task.dir, caller->e) || write_all(&task, caller->e) || open_entry(&task, caller) ||
               ut_entry_make(&task.entry, build, &task, caller) < 0;
  if (!status && ut_file_read(task.entry.path, &report, &size))
    status = ut_fail(caller->e, UT_BAD_INPUT, "cannot read %.900s; remove its folder and try again", task.entry.path);
  if (!status)
    status = compare(&task, report, check, caller->e);
  free(report);
  free(task.netlist);
  free(task.script);
  free(task.liberty);
  return status ? -1 : 0;
}
