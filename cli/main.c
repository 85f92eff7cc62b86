/* main.c - uturn: dispatches to the subcommands. */
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "nearest.h"

static const struct {
  const char *name, *summary;
  ut_command *run;
} commands[] = {
    {"cosim", "RTL and golden model in lockstep, every register in every cycle", ut_cmd_cosim},
    {"run", "golden model alone", ut_cmd_run},
    {"wave", "show a wave dump in GTKWave, or as a PNG", ut_cmd_wave},
    {"trace", "one packet's journey, hop by hop, and as a drawing", ut_cmd_trace},
    {"net", "the network as a drawing: switches, links, faults, loads", ut_cmd_net},
    {"route", "what a switch answers a packet: candidates, escape channels, the rule", ut_cmd_route},
    {"prove", "connectivity, livelock and deadlock for every fault set", ut_cmd_prove},
    {"tolerance", "probability of staying connected against the number of faults", ut_cmd_tolerance},
    {"cost", "cells, area, registers and longest path of the switch; the price of a mechanism", ut_cmd_cost},
    {"sweep", "many runs into a database: axes, repetitions, searches; resumable, all cores", ut_cmd_sweep},
    {"bench", "speed of golden model, RTL and lockstep", ut_cmd_bench},
    {"test", "the test suite", ut_cmd_test},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void help(FILE *f) {
  fprintf(f,
          "uturn - a fault-tolerant network switch in Verilog, and its golden model that equals it in every cycle\n\n"
          "usage: uturn COMMAND [OPTIONS], uturn COMMAND --help, uturn --version\n\n");
  for (unsigned i = 0; i < COMMANDS; i++)
    fprintf(f, "  %-9s %s\n", commands[i].name, commands[i].summary);
  fprintf(f, "\nexit status: 0 success, 1 internal error, 2 bad input, 3 mismatch, 4 deadlock or counter-example, 130 "
             "interrupted\n"
             "try: uturn cosim scenarios/demo.yaml\n");
}

int main(int argc, char **argv) {
  if (argc < 2) {
    help(stderr);
    return UT_BAD_INPUT;
  }
  if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
    help(stdout);
    return UT_OK;
  }
  if (!strcmp(argv[1], "--version")) {
    puts("uturn " UTURN_VERSION);
    return UT_OK;
  }
  for (unsigned i = 0; i < COMMANDS; i++)
    if (!strcmp(argv[1], commands[i].name)) {
      char name[32];
      snprintf(name, sizeof name, "uturn %s", commands[i].name);
      argv[1] = name;
      return commands[i].run(argc - 1, argv + 1);
    }
  const char *names[COMMANDS];
  for (unsigned i = 0; i < COMMANDS; i++)
    names[i] = commands[i].name;
  const char *near = ut_nearest(argv[1], names, COMMANDS);
  fprintf(stderr,
          near ? "uturn: unknown command '%s'; did you mean '%s'? `uturn --help` lists all\n"
               : "uturn: unknown command '%s'; `uturn --help` lists all\n",
          argv[1], near);
  return UT_BAD_INPUT;
}
