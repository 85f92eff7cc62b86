/* SPDX-License-Identifier: Apache-2.0 */
/* commands.c - see commands.h */
#include "commands.h"

#include <stdio.h>
#include <string.h>

#include "nearest.h"

extern const struct ut_syntax ut_syntax_cosim, ut_syntax_coverage, ut_syntax_faults, ut_syntax_upsets, ut_syntax_run,
    ut_syntax_new, ut_syntax_schema, ut_syntax_wave, ut_syntax_trace, ut_syntax_net, ut_syntax_route, ut_syntax_prove,
    ut_syntax_tolerance, ut_syntax_cost, ut_syntax_sweep, ut_syntax_plot, ut_syntax_reproduce, ut_syntax_report,
    ut_syntax_bench, ut_syntax_validate, ut_syntax_test, ut_syntax_man, ut_syntax_completion, ut_syntax_hunt,
    ut_syntax_plan;

#define COMMAND(name, summary)                                                                                         \
  { #name, summary, ut_cmd_##name, &ut_syntax_##name }
const struct ut_command_entry ut_commands[] = {
    COMMAND(cosim, "RTL and golden model in lockstep, every register in every cycle"),
    COMMAND(coverage, "which rules of the papers and which situations runs have exercised, and which not"),
    COMMAND(run, "golden model alone"),
    COMMAND(new, "write a scenario or a sweep to start from, every key explained"),
    COMMAND(schema, "JSON schema of scenarios or sweeps, for editors"),
    COMMAND(wave, "show a wave dump in GTKWave, or as a PNG"),
    COMMAND(trace, "one packet's journey, hop by hop, and as a drawing"),
    COMMAND(net, "the network as a drawing: switches, links, faults, loads"),
    COMMAND(route, "what a switch answers a packet: candidates, escape channels, the rule"),
    COMMAND(prove, "connectivity, livelock and deadlock for every fault set"),
    COMMAND(plan, "forwarding tables for a network in a file, with their proof"),
    COMMAND(tolerance, "probability of staying connected against the number of faults"),
    COMMAND(cost, "cells, area, registers and longest path of the switch; the price of a mechanism"),
    COMMAND(hunt, "random lockstep of all families until RTL and golden switches differ"),
    COMMAND(faults, "stuck-at faults of the gates that a run would have shown, and those that nothing shows"),
    COMMAND(upsets, "what becomes of a running network in which a flip-flop of the gates is flipped"),
    COMMAND(sweep, "many runs into a database: axes, repetitions, searches; resumable, all cores"),
    COMMAND(plot, "results as curves: latency over load, throughput over faults"),
    COMMAND(reproduce, "published tables and figures, measured beside what is printed"),
    COMMAND(report, "one self-contained HTML page: a run to be played in a browser"),
    COMMAND(bench, "speed of golden model, RTL and lockstep"),
    COMMAND(validate, "the same network on BookSim 2: latency without load, curves, saturation"),
    COMMAND(test, "the test suite"),
    COMMAND(man, "the manual page"),
    COMMAND(completion, "completion of commands, options and values for bash, zsh and fish"),
};
const size_t ut_command_count = sizeof ut_commands / sizeof ut_commands[0];

const char ut_summary[] =
    "a fault-tolerant network switch in Verilog, and its golden model that equals it in every cycle";

const struct ut_named_text ut_exit_statuses[] = {
    {"0", "success"},
    {"1", "internal error"},
    {"2", "bad input; or too little memory or disk, output that cannot be written, a tool that is missing or fails"},
    {"3", "mismatch"},
    {"4", "deadlock or counter-example"},
    {"5", "a workload that is incomplete"},
    {"128+N", "ended by signal N; 130: Ctrl-C"},
    {NULL, NULL},
};

const struct ut_named_text ut_variables[] = {
    {"UTURN_CACHE", "folder of what has been compiled and synthesized; default: uturn in $XDG_CACHE_HOME or ~/.cache"},
    {"UTURN_BUILD", "folder that the script uturn builds in; default: build/ of the repository"},
    {"UTURN_COMMAND", "how messages call the program in commands to run; the script uturn sets it"},
    {"UTURN_ROOT", "the repository; the script uturn sets it"},
    {NULL, NULL},
};

const struct ut_command_entry *ut_command_find(const char *name) {
  const char *names[sizeof ut_commands / sizeof ut_commands[0]];
  for (size_t i = 0; i < ut_command_count; i++) {
    names[i] = ut_commands[i].name;
    if (!strcmp(name, names[i]))
      return &ut_commands[i];
  }
  const char *near = ut_nearest(name, names, ut_command_count);
  fprintf(stderr, "uturn: unknown command '%s'; %s%s%s`uturn --help` lists all\n", name, near ? "did you mean '" : "",
          near ? near : "", near ? "'? " : "");
  return NULL;
}

size_t ut_options_of(const struct ut_syntax *syntax, const struct ut_option *list[], size_t most, bool hidden) {
  size_t count = 0;
  for (const struct ut_option *option = syntax->option; option->read || option->group; option++)
    if (option->group)
      count += ut_options_of(option->group, list + count, most - count, hidden);
    else if (option->name && (hidden || !option->hidden) && count < most)
      list[count++] = option;
  return count;
}
