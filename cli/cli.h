/* SPDX-License-Identifier: Apache-2.0 */
/* cli.h - what the subcommands share.  One file per subcommand; commands.c holds the table. */
#ifndef UT_CLI_H
#define UT_CLI_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "elaborator.h"
#include "lockstep.h"
#include "network.h"
#include "option_table.h"
#include "progress.h"
#include "stability_watch.h"

struct ut_exercise;
struct ut_mismatch;

/* A subcommand: argv[0] is its own name; returns the exit status (enum ut_exit). */
typedef int ut_command(int argc, char **argv);
ut_command ut_cmd_prove, ut_cmd_route, ut_cmd_tolerance, ut_cmd_trace, ut_cmd_net, ut_cmd_plan;
ut_command ut_cmd_cosim, ut_cmd_coverage, ut_cmd_hunt, ut_cmd_faults, ut_cmd_upsets, ut_cmd_run, ut_cmd_wave,
    ut_cmd_cost, ut_cmd_sweep, ut_cmd_plot, ut_cmd_reproduce, ut_cmd_report, ut_cmd_bench, ut_cmd_validate, ut_cmd_test;
ut_command ut_cmd_new, ut_cmd_schema, ut_cmd_man, ut_cmd_completion;

/* Options that every command with a scenario takes, as a group. */
struct ut_scenario_options {
  const char *path;
  bool json, seed_set, load_set;
  uint64_t cycles, seed; /* cycles 0: as in the scenario */
  double load;
  struct ut_texts fault; /* as they are printed (fault_text.h), beside those of the scenario */
};
extern const struct ut_syntax ut_scenario_syntax;
/* --elaborate WHEN, an enum ut_elaborate_when. */
extern const struct ut_syntax ut_elaborate_syntax;
/* --threads N, an unsigned: 0 where it is not given. */
extern const struct ut_syntax ut_threads_syntax;

/* Loads the scenario and applies the options.  NULL and *e; or NULL after printing the error, *status then holds the
 * exit status. */
struct ut_scenario *ut_scenario_open(const struct ut_scenario_options *options, struct ut_error *e);
struct ut_scenario *ut_open_scenario(const struct ut_scenario_options *options, int *status);

/* Prints e->text to stderr, returns e->code. */
int ut_print_error(const struct ut_error *e);

/* The same for want of memory. */
int ut_print_no_memory(void);

/* Set by the signals that let a command finish (ending.h), after ut_catch_interrupt(). */
extern volatile sig_atomic_t ut_interrupted;
void ut_catch_interrupt(void);

/* The repository: $UTURN_ROOT, else where this program was built. */
const char *ut_root_dir(void);

/* What a switch model is made from. */
struct ut_device {
  const char *rtl_dir; /* folder of ut_switch.v; NULL: ours */
  const char *liberty; /* of the cells: osu018, osu035 or a file; NULL: osu018 */
  bool gate;           /* the netlist that the RTL is synthesized to */
  bool lanes;          /* its switches are lanes of vectors, not Verilated */
  bool blocks;         /* gates, mapped block by block */
  unsigned copies;     /* of these, lanes for so many; 0: for the switches of the network */
  bool covered;        /* Verilated RTL: lines and branches are counted */
  bool counted;        /* of these, and their toggles are counted */
  bool traced;
};

/* Ends the elaboration of golden switches (elaborator.h); prints a line when it has failed. */
void ut_elaborate_end(struct ut_elaborator *elaborator);

/* The models of a scenario's switches, built if they have to be (progress on stderr).  -1 after filling *e, or false
 * after printing the error.  To be freed in both cases. */
int ut_models_get(const struct ut_scenario *scenario, const struct ut_device *device, struct ut_models *models,
                  struct ut_error *e);
bool ut_get_models(const struct ut_scenario *scenario, const struct ut_device *device, struct ut_models *models,
                   int *status);

/* The results of a run, as text or as one JSON object.  lockstep NULL: the model alone. */
struct ut_report {
  const struct ut_network *network;
  const struct ut_lockstep *lockstep;
  bool deadlock, interrupted;
  bool checked, differs; /* against the spec: registers of some switch differ */
  double wall_s;
  bool compared;           /* the workload has run without faults, too: */
  uint64_t without_faults; /* cycles until it was complete then; UINT64_MAX: it was not */
  struct ut_stability_watch stability;
  const struct ut_exercise *exercise; /* of a lockstep that has come to its end without a mismatch, else NULL */
  const struct ut_mismatch *mismatch; /* of the lockstep; NULL: there was none */
  const char *again;                  /* the command that repeats it */
  bool cover_points;                  /* the golden switches count them (coverage.h) */
};
void ut_report_print(const struct ut_report *report, bool json);

#endif
