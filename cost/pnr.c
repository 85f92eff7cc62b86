/* SPDX-License-Identifier: Apache-2.0 */
/* pnr.c - see pnr.h */
#include "pnr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_files.h"
#include "cache_log.h"
#include "cache_tools.h"
#include "memory_text.h"
#include "netlist.h"
#include "report.h"

/* Part of every key: change it when what is run changes in a way that no text shows. */
static const char recipe[] = "uturn pnr 2";
static const char target_mhz[] = "50"; /* in the middle of what comes out; weighs paths, and is not kept */
static const char prefix[] = "u_switch.";

/* ---- the wrapper ---- */

static bool is_input(json_t *port) {
  return !strcmp(json_string_value(json_object_get(port, "direction")), "input");
}

/* Bits of the ports of one direction, but the clock.  With a file they are connected to slices of a vector, from bit
 * `from` on; returns the end. */
static unsigned connect(FILE *f, json_t *module, bool inputs, const char *vector, unsigned from) {
  const char *name;
  json_t *port;
  json_object_foreach(json_object_get(module, "ports"), name, port) {
    unsigned size = (unsigned)json_array_size(json_object_get(port, "bits"));
    if (is_input(port) != inputs || !strcmp(name, "clk_i"))
      continue;
    if (f)
      fprintf(f, ",\n    .%s(%s[%u:%u])", name, vector, from + size - 1, from);
    from += size;
  }
  return from;
}

char *ut_pnr_wrapper(const struct ut_chip *chip, json_t *module, unsigned *pins) {
  char *text = NULL;
  size_t size;
  const unsigned in = connect(NULL, module, true, NULL, 0), out = connect(NULL, module, false, NULL, 0);
  FILE *f = ut_memory_open(&text, &size);
  if (!f)
    return NULL;
  *pins = in + out;
  fprintf(f,
          "module uturn_pins (input clk_i, input in_i, output out_o);\n"
          "  wire [%u:0] in;\n  wire [%u:0] out;\n  wire [%u:0] switch_o;\n"
          "  assign in[0] = in_i;\n  assign out[0] = in[%u];\n  assign out_o = out[%u];\n"
          "  genvar i;\n  generate\n"
          "    for (i = 0; i < %u; i = i + 1) begin : g_in %s end\n"
          "    for (i = 0; i < %u; i = i + 1) begin : g_out %s end\n"
          "  endgenerate\n"
          "  ut_switch u_switch (\n    .clk_i(clk_i)",
          in, out, out - 1, in, out, in, chip->in_cell, out, chip->out_cell);
  connect(f, module, true, "in", 1);
  connect(f, module, false, "switch_o", 0);
  fprintf(f, ");\nendmodule\n");
  return ut_memory_close(f, &text) ? NULL : text;
}

/* ---- the tool's output ---- */

/* "ICESTORM_LC:  4561/ 7680"; other lines name the resource too. */
static bool read_utilization(const char *said, const char *resource, unsigned *used, unsigned *available) {
  for (const char *at = said; at && (at = strstr(at, resource)); at++)
    if (sscanf(at + strlen(resource), ": %u/ %u", used, available) == 2)
      return true;
  return false;
}

/* The name of a placed cell as the netlist has it: without the wrapper's prefix and the suffix of packing.  Cells of
 * the wrapper keep their name. */
static void netlist_name(char out[UT_POINT_SIZE], const struct ut_chip *chip, const char *placed) {
  snprintf(out, UT_POINT_SIZE, "%s", strncmp(placed, prefix, strlen(prefix)) ? placed : placed + strlen(prefix));
  for (const char *const *s = chip->suffix; *s; s++) {
    char *end = ut_path_ends(out, *s) ? out + strlen(out) - strlen(*s) : NULL;
    if (end) {
      *end = '\0';
      return;
    }
  }
}

static size_t pin(json_t *cell, const char *name) {
  json_t *bits = json_object_get(json_object_get(cell, "connections"), name);
  return ut_netlist_bit(json_array_get(bits, 0));
}

/* The bit of the register in a placed cell: its own, or the one behind its LUT.  0: it has none. */
static size_t register_bit(json_t *module, const char *name) {
  const char *other;
  json_t *each, *cells = json_object_get(module, "cells"), *cell = json_object_get(cells, name);
  const size_t q = pin(cell, "Q"), o = pin(cell, "O");
  if (q || !o)
    return q;
  json_object_foreach(cells, other, each) {
    if (pin(each, "Q") && pin(each, "D") == o)
      return pin(each, "Q");
  }
  return 0;
}

/* An end of the path: the register in the cell, or the port whose register in the wrapper it is. */
static int name_end(char out[UT_POINT_SIZE], const struct ut_chip *chip, const char *placed, json_t *module) {
  char name[UT_POINT_SIZE];
  size_t bits;
  struct ut_net_name *names = ut_netlist_names(module, &bits);
  if (!names)
    return -1;
  netlist_name(name, chip, placed);
  const size_t bit = register_bit(module, name);
  const struct ut_net_name net_name = bit < bits ? names[bit] : (struct ut_net_name){0};
  const char *known = net_name.name ? net_name.name : name, *made = strstr(known, chip->made);
  if (strncmp(placed, prefix, strlen(prefix)))
    snprintf(out, UT_POINT_SIZE, "a port");
  else if (made)
    snprintf(out, UT_POINT_SIZE, "near %.*s", (int)(made - known), known);
  else if (net_name.name && net_name.width > 1)
    snprintf(out, UT_POINT_SIZE, "%.200s[%u]", net_name.name, net_name.index);
  else
    snprintf(out, UT_POINT_SIZE, "%s", known);
  free(names);
  return 0;
}

static const char *text(json_t *step, const char *end, const char *key) {
  const char *s = json_string_value(json_object_get(json_object_get(step, end), key));
  return s ? s : "";
}

/* One line of the path: a register's output, a wire, a cell or the setup time.  A wire counts for the cell that it
 * leads to. */
static int add_step(struct ut_placement *placement, const struct ut_chip *chip, json_t *step, double *wire) {
  const char *type = json_string_value(json_object_get(step, "type"));
  const double ns = json_number_value(json_object_get(step, "delay"));
  char name[UT_POINT_SIZE];
  placement->timing.ns += ns;
  if (!type)
    return -1;
  if (!strcmp(type, "routing")) {
    placement->wires_ns += ns;
    *wire = ns;
    return 0;
  }
  /* The two ends of the first step stand in each other's place in nextpnr 0.4: there the cell with the output is meant.
   */
  netlist_name(name, chip, text(step, "to", "cell"));
  if (name[0] == '$' && placement->timing.steps) /* made in packing, beside the cell before it */
    snprintf(name, sizeof name, "%s", placement->timing.step[placement->timing.steps - 1].instance);
  int status = ut_timing_add(&placement->timing, name, type, ns + *wire);
  *wire = 0;
  return status;
}

/* The critical path within the clock, from a register to a register; others begin or end at the chip's pins. */
static json_t *critical_path(json_t *report) {
  json_t *path;
  size_t i;
  json_array_foreach(json_object_get(report, "critical_paths"), i, path) {
    const char *from = json_string_value(json_object_get(path, "from"));
    const char *to = json_string_value(json_object_get(path, "to"));
    if (from && to && !strncmp(from, "posedge", 7) && !strcmp(from, to))
      return json_object_get(path, "path");
  }
  return NULL;
}

int ut_pnr_parse(struct ut_placement *placement, const struct ut_chip *chip, json_t *report, json_t *module) {
  json_t *step, *path = critical_path(report);
  const size_t steps = json_array_size(path);
  double wire = 0;
  size_t i;
  if (steps < 2)
    return -1;
  json_array_foreach(path, i, step) {
    if (add_step(placement, chip, step, &wire))
      return -1;
  }
  if (placement->timing.steps < 2)
    return -1;
  placement->timing.steps--; /* setup time */
  placement->timing.levels = (unsigned)placement->timing.steps - 1;
  return name_end(placement->timing.start, chip, text(json_array_get(path, 1), "from", "cell"), module) ||
                 name_end(placement->timing.end, chip, text(json_array_get(path, steps - 1), "to", "cell"), module)
             ? -1
             : 0;
}

/* ---- running it ---- */

static char *script(const struct ut_synthesis *synthesis) {
  char *out = NULL;
  size_t size;
  FILE *f = ut_memory_open(&out, &size);
  if (!f)
    return NULL;
  fprintf(
      f,
      "read_verilog %s\nread_rtlil ../%s/ut_switch.il\nread_verilog pins.v\nhierarchy -check -top uturn_pins\nproc\n"
      "flatten\nopt_clean\nwrite_json pins.json\n",
      synthesis->part->chip->library, synthesis->entry.key); /* beside our own: no name of a folder of the user's */
  return ut_memory_close(f, &out) ? NULL : out;
}

static void job(struct ut_job *layout_job, const struct ut_chip *chip, const char *tool, bool pack_only) {
  *layout_job = (struct ut_job){.does = pack_only ? "packing the switch" : "placing and routing the switch",
                                .log_fd = -1,
                                .makes = pack_only ? NULL : "pnr.json"};
  ut_args_add(&layout_job->command, "%s", tool);
  ut_args_add_all(&layout_job->command, chip->arguments);
  ut_args_add_all(&layout_job->command, (const char *const[]){"--json", "pins.json", "--seed", NULL});
  ut_args_add(&layout_job->command, "%d", UT_PNR_SEED);
  if (pack_only) {
    ut_args_add(&layout_job->command, "--pack-only");
    return;
  }
  ut_args_add_all(&layout_job->command, (const char *const[]){"-q", "--timing-allow-fail", "--report", "pnr.json",
                                                              "--freq", target_mhz, NULL});
}

void ut_pnr_key(XXH3_state_t *h, const struct ut_chip *chip) {
  ut_key_text(h, recipe);
  ut_key_text(h, target_mhz);
  ut_key_bytes(h, &(int){UT_PNR_SEED}, sizeof(int));
  ut_key_list(h, chip->arguments);
  ut_key_text(h, chip->library);
  ut_key_text(h, chip->in_cell);
  ut_key_text(h, chip->out_cell);
}

static int pack(struct ut_placement *placement, const struct ut_synthesis *synthesis, const char *tool,
                const struct ut_entry *entry, const struct ut_caller *caller) {
  struct ut_job layout_job;
  unsigned used = 0;
  job(&layout_job, synthesis->part->chip, tool, true);
  int status = ut_log_run(caller, entry, synthesis->rtl, &layout_job, 1);
  char *said = status ? NULL : ut_job_output(&layout_job);
  ut_jobs_free(&layout_job, 1);
  bool found = read_utilization(said, synthesis->part->chip->resource, &used, &placement->available);
  free(said);
  if (status)
    return -1;
  if (!found || used < placement->pins)
    return ut_fail(caller->e, UT_BAD_INPUT, "%s does not say how many %s it uses; reinstall it", tool,
                   synthesis->part->chip->resource);
  placement->cells = used - placement->pins;
  placement->fits = used <= placement->available;
  return 0;
}

static int place(struct ut_placement *placement, const struct ut_synthesis *synthesis, const char *tool, json_t *module,
                 const struct ut_entry *entry, const struct ut_caller *caller) {
  struct ut_job layout_job;
  char path[PATH_MAX];
  ut_caller_say(caller, "placing and routing");
  job(&layout_job, synthesis->part->chip, tool, false);
  int status = ut_log_run(caller, entry, synthesis->rtl, &layout_job, 1);
  ut_jobs_free(&layout_job, 1);
  if (status || ut_path_set(caller->e, path, "%s/pnr.json", entry->tmp))
    return -1;
  json_t *report = ut_report_load(path, caller->e);
  if (!report)
    ut_fail(caller->e, UT_BAD_INPUT, "%s has written a report that cannot be read; reinstall it", tool);
  status = report ? ut_pnr_parse(placement, synthesis->part->chip, report, module) : 0;
  if (report && status)
    ut_fail(caller->e, UT_BAD_INPUT, "%s tells of no path between registers; reinstall it", tool);
  json_decref(report);
  return report && !status ? 0 : -1;
}

int ut_pnr_run(struct ut_placement *placement, const struct ut_synthesis *synthesis, const char *tool, json_t *module,
               const struct ut_entry *entry, const struct ut_caller *caller) {
  struct ut_job job;
  *placement = (struct ut_placement){0};
  if (ut_synthesis_put(entry, "pins.v", ut_pnr_wrapper(synthesis->part->chip, module, &placement->pins), caller->e) ||
      ut_synthesis_put(entry, "pins.ys", script(synthesis), caller->e))
    return -1;
  ut_synthesis_job(&job, synthesis, "pins.ys", "pins.json");
  if (ut_synthesis_run(synthesis, &job, 1, entry, caller) || pack(placement, synthesis, tool, entry, caller))
    return -1;
  return placement->fits ? place(placement, synthesis, tool, module, entry, caller) : 0;
}

void ut_pnr_free(struct ut_placement *placement) {
  ut_timing_free(&placement->timing);
}
