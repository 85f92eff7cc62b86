/* SPDX-License-Identifier: Apache-2.0 */
/* standard_cells.c - see standard_cells.h */
#include "standard_cells.h"

#include <stdio.h>
#include <string.h>

#include "cache_files.h"
#include "report.h"

static const double load_pf = 0.05;

const char *ut_synthesis_driver(const struct ut_synthesis *synthesis) {
  return synthesis->liberty.buffer->name;
}

double ut_synthesis_load(const struct ut_synthesis *synthesis) {
  return load_pf / synthesis->liberty.capacitance_pf;
}

static unsigned depth(const struct ut_synthesis *synthesis) {
  for (int i = 0; i < UT_PARAMETERS; i++)
    if (!strcmp(synthesis->parameter[i].name, "DEPTH"))
      return synthesis->parameter[i].value;
  return 0;
}

void ut_script_synthesize(FILE *f, const struct ut_synthesis *synthesis, const char *options, const char *from,
                          const char *memories) {
  fprintf(f, "synth %s -run %s:fine\n%s", options, from, memories ? memories : "");
  if (!synthesis->memory && depth(synthesis) == 1) /* else the only place of a buffer loses its name */
    fprintf(f, "opt -fast -full\nmemory_map\nsetattr -set uturn_register 1 -set uturn_name 1 w:*_q?0?\n");
  if (synthesis->memory) /* what `fine` does, but for the memories */
    fprintf(f, "opt -fast -full\nopt -full\ntechmap\nopt -fast\n");
  else
    fprintf(f, "synth %s -run fine:check\n", options);
  fprintf(f, "setundef -zero\n");
}

void ut_script_map(FILE *f, const struct ut_synthesis *synthesis, const char *named) {
  /* Without -constr abc inserts no buffers, and its delays mean nothing.  Yosys would give it the names with our folder
   * before them, in which abc takes a blank or a semicolon for an end. */
  fprintf(f,
          "dfflibmap -liberty cells.lib\n"
          "abc -liberty /proc/self/cwd/cells.lib -constr /proc/self/cwd/cells.constr -D %d\n"
          "opt_clean\n",
          UT_TARGET_PS);
  fprintf(f, "%s", named ? named : "");
  fprintf(f, "opt_clean -purge\n"
             "read_liberty -lib -ignore_miss_func cells.lib\n");
  fprintf(f, "rename -wire -suffix _reg");
  for (size_t i = 0; i < synthesis->liberty.cells; i++)
    if (synthesis->liberty.cell[i].flip_flop)
      fprintf(f, " t:%s", synthesis->liberty.cell[i].name);
  fprintf(f, "\ncheck%s -assert\n", synthesis->memory ? "" : " -mapped");
}

void ut_script_models(FILE *f) {
  /* Debian's own models of the cells do not parse in Verilator. */
  fprintf(f, "design -reset\nread_liberty -ignore_miss_func cells.lib\nwrite_verilog -noattr entry/cells.v\n");
}

static void script(FILE *f, const struct ut_synthesis *synthesis) {
  ut_script_synthesize(f, synthesis, "-flatten -nofsm -nordff -noabc -top ut_switch", "begin", NULL);
  ut_script_map(f, synthesis, "write_verilog -noattr entry/ut_switch.v\n");
  fprintf(f, "setattr -unset src w:* c:*\nwrite_json entry/ut_switch.json\n");
  if (!synthesis->memory)
    fprintf(f, "splitnets -ports\nopt_clean -purge\nwrite_verilog -noattr -noexpr entry/timing.v\n");
  ut_script_models(f);
}

static int read_library(struct ut_synthesis *synthesis, const struct ut_synthesis_request *request,
                        struct ut_error *e) {
  return ut_liberty_read(&synthesis->liberty, request->liberty ? request->liberty : "osu018", e);
}

static void add_key(XXH3_state_t *h, const struct ut_synthesis *synthesis) {
  ut_key_bytes(h, synthesis->liberty.text, synthesis->liberty.size);
  ut_key_text(h, ut_synthesis_driver(synthesis));
}

static int write_library(const struct ut_synthesis *synthesis, const char *folder, struct ut_error *e) {
  char path[PATH_MAX], constraints[256];
  int n = snprintf(constraints, sizeof constraints, "set_driving_cell %.180s\nset_load %g\n",
                   ut_synthesis_driver(synthesis),
                   1000 * load_pf); /* abc reads femtofarads, whatever the Liberty file's unit */
  return ut_path_set(e, path, "%s/cells.lib", folder) ||
                 ut_file_write(path, synthesis->liberty.text, synthesis->liberty.size, e) ||
                 ut_path_set(e, path, "%s/cells.constr", folder) || ut_file_write(path, constraints, (size_t)n, e)
             ? -1
             : 0;
}

static int keep_library(const struct ut_synthesis *synthesis, struct ut_error *e) {
  return ut_synthesis_keep(&synthesis->entry, "cells.lib", e);
}

static void reword(const struct ut_synthesis *synthesis, struct ut_error *e) {
  if (!strstr(e->text, "unmapped internal cell") && !strstr(e->text, "dfflegalize") && !strstr(e->text, "ABC: Error"))
    return;
  ut_fail(e, UT_BAD_INPUT,
          "the switch cannot be mapped to the cells of %.900s: it needs at least a D flip-flop with a rising clock, an "
          "inverter and a two-input NAND",
          synthesis->liberty.path);
}

const struct ut_technology ut_standard_cells = {
    .artefact = "ut_switch.v",
    .last = "cells.v",
    .open = read_library,
    .script = script,
    .reporter = &ut_cells_reporter,
    .key = add_key,
    .write = write_library,
    .keep = keep_library,
    .reword = reword,
};
