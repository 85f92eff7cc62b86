/* SPDX-License-Identifier: Apache-2.0 */
/* timing.c - see timing.h */
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_files.h"
#include "cache_log.h"
#include "cache_tools.h"
#include "memory_text.h"
#include "standard_cells.h"

static const double period_ns = 10; /* any will do: the longest path is the same */

char *ut_timing_script(const struct ut_synthesis *synthesis, const char *netlist, const char *report) {
  char *text = NULL;
  size_t size;
  FILE *f = ut_memory_open(&text, &size);
  if (!f)
    return NULL;
  fprintf(f,
          "read_liberty cells.lib\n"
          "read_verilog %s\n"
          "link_design ut_switch\n"
          "create_clock -name clk -period %g [get_ports clk_i]\n"
          "set_driving_cell -lib_cell %s [all_inputs]\n"
          "set_load %g [all_outputs]\n"
          "set_input_delay 0 -clock clk [all_inputs]\n"
          "set_output_delay 0 -clock clk [all_outputs]\n"
          "report_checks -path_delay max -format full -digits 4 > %s\n"
          "exit\n",
          netlist, period_ns / synthesis->liberty.time_ns, ut_synthesis_driver(synthesis), ut_synthesis_load(synthesis),
          report);
  return ut_memory_close(f, &text) ? NULL : text;
}

/* ---- the report ---- */

/* A name as the RTL has it: registers without the suffix that synthesis gave them, no escapes. */
static void plain_name(char out[UT_POINT_SIZE], const char *name) {
  size_t n = 0;
  for (; *name && n + 1 < UT_POINT_SIZE; name++)
    if (*name != '\\')
      out[n++] = *name;
  out[n] = '\0';
  if (n > 4 && !strcmp(out + n - 4, "_reg"))
    out[n - 4] = '\0';
}

int ut_timing_add(struct ut_timing *timing, const char *instance, const char *cell, double ns) {
  struct ut_step *more = realloc(timing->step, (timing->steps + 1) * sizeof *more);
  if (!more)
    return -1;
  timing->step = more;
  struct ut_step *step = &timing->step[timing->steps++];
  plain_name(step->instance, instance);
  snprintf(step->cell, sizeof step->cell, "%s", cell);
  step->ns = ns;
  return 0;
}

static int add_step(struct ut_timing *timing, const char *pin, const char *cell, double delay) {
  char instance[512];
  snprintf(instance, sizeof instance, "%s", pin);
  char *slash = strrchr(instance, '/');
  if (slash)
    *slash = '\0';
  return ut_timing_add(timing, instance, cell, delay);
}

/* A line "delay time ^ instance/pin (cell)".  The register at the beginning has two, of its clock and of its output:
 * they count as one. */
static int path_line(struct ut_timing *timing, const char *line, double time_ns) {
  double delay, time;
  char edge, pin[512], cell[64];
  if (sscanf(line, " %lf %lf %c %511s (%63[^)])", &delay, &time, &edge, pin, cell) != 5 || (edge != '^' && edge != 'v'))
    return 0;
  size_t had = timing->steps;
  if (add_step(timing, pin, cell, delay * time_ns))
    return -1;
  if (had && !strcmp(timing->step[had].instance, timing->step[had - 1].instance) &&
      !strcmp(timing->step[had].cell, timing->step[had - 1].cell)) {
    timing->step[had - 1].ns += delay * time_ns;
    timing->steps--;
  }
  return 0;
}

int ut_timing_parse(struct ut_timing *timing, const char *report, double time_ns) {
  bool found = false;
  double slack;
  *timing = (struct ut_timing){0};
  for (const char *line = report; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
    if (strstr(line, "data arrival time") && strchr(line, '\n') > strstr(line, "data arrival time"))
      found = true; /* the following lines concern the required time */
    if (!found && path_line(timing, line, time_ns))
      return -1;
    int end = 0; /* set when the word was there too */
    if (sscanf(line, " %lf slack%n", &slack, &end) == 1 && end) {
      timing->ns = period_ns - slack * time_ns;
      break;
    }
  }
  if (!found || timing->steps < 2 || timing->ns <= 0)
    return -1;
  snprintf(timing->start, sizeof timing->start, "%s", timing->step[0].instance);
  snprintf(timing->end, sizeof timing->end, "%s", timing->step[timing->steps - 1].instance);
  timing->steps--;
  timing->levels = (unsigned)timing->steps - 1;
  return 0;
}

int ut_timing_run(struct ut_timing *timing, const struct ut_synthesis *synthesis, const char *sta, const char *netlist,
                  const struct ut_entry *entry, const struct ut_caller *caller) {
  struct ut_job job = {.does = "timing the switch", .log_fd = -1, .makes = "timing.txt"};
  char path[PATH_MAX], *report = NULL, *script = ut_timing_script(synthesis, netlist, "timing.txt");
  size_t size;
  *timing = (struct ut_timing){0};
  if (!script)
    return ut_fail_memory(caller->e);
  int status = ut_path_set(caller->e, path, "%s/timing.tcl", entry->tmp) ||
               ut_file_write(path, script, strlen(script), caller->e);
  free(script);
  if (status)
    return -1;
  ut_args_add(&job.command, "%s", sta);
  ut_args_add(&job.command, "-no_init");
  ut_args_add(&job.command, "-no_splash");
  ut_args_add(&job.command, "-exit");
  ut_args_add(&job.command, "timing.tcl");
  ut_caller_say(caller, "timing");
  status = ut_log_run(caller, entry, synthesis->rtl, &job, 1);
  ut_jobs_free(&job, 1);
  if (status || ut_path_set(caller->e, path, "%s/timing.txt", entry->tmp))
    return -1;
  int error = ut_file_read(path, &report, &size);
  status = error ? -1 : ut_timing_parse(timing, report, synthesis->liberty.time_ns);
  free(report);
  return status ? ut_fail(caller->e, UT_BAD_INPUT,
                          "OpenSTA finds no path between registers of the netlist: has %.900s timing tables?",
                          synthesis->liberty.path)
                : 0;
}

void ut_timing_report(json_t *j, const struct ut_timing *timing) {
  json_object_set_new(j, "longest_path_ns", json_real(timing->ns));
  json_object_set_new(j, "logic_levels", json_integer(timing->levels));
  json_object_set_new(j, "path", json_pack("{s:s,s:s}", "from", timing->start, "to", timing->end));
}

void ut_timing_free(struct ut_timing *timing) {
  free(timing->step);
  *timing = (struct ut_timing){0};
}
