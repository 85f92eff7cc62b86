/* SPDX-License-Identifier: Apache-2.0 */
/* terminal_loads.c - see terminal_loads.h */
#include "terminal_loads.h"

#include <stdlib.h>

#include "family.h"
#include "number_file.h"
#include "scenario.h"
#include "traffic.h"

double ut_mean_gap(double packets_per_cycle, bool poisson) {
  if (packets_per_cycle <= 0)
    return -1;
  if (poisson)
    return 1 / packets_per_cycle;
  return packets_per_cycle < 1 ? 1 / ut_minus_log(1 - packets_per_cycle) : 0;
}

/* line_of: [terminals], zero: the line of each terminal. */
static int read_lines(struct ut_terminal_load *load, uint32_t terminals, struct ut_number_file *file, unsigned *line_of,
                      struct ut_error *e) {
  int more;
  file->columns = 2;
  file->real_columns = 1 << 1;
  file->titles = true;
  while ((more = ut_number_file_next(file, e)) > 0) {
    uint16_t terminal;
    if (file->count != 2)
      return ut_lines_fail(&file->file, 1, e, "expected two numbers: terminal and load");
    if (ut_number_file_terminal(file, 0, terminals, &terminal, e))
      return -1;
    if (line_of[terminal])
      return ut_lines_fail(&file->file, 1, e, "terminal %u has a load from line %u", (unsigned)terminal,
                           line_of[terminal]);
    line_of[terminal] = file->file.line;
    load[terminal] = (struct ut_terminal_load){file->real[1], file->real[1]};
  }
  return more;
}

int ut_terminal_loads_read(struct ut_terminal_load *load, uint32_t terminals, const char *path, struct ut_error *e) {
  struct ut_number_file file;
  if (ut_number_file_open(&file, path, "terminal_loads", e))
    return -1;
  for (uint32_t terminal = 0; terminal < terminals; terminal++)
    load[terminal] = (struct ut_terminal_load){1, 1};
  unsigned *line_of = calloc(terminals, sizeof *line_of);
  const int result =
      line_of ? read_lines(load, terminals, &file, line_of, e) : ut_fail(e, UT_BAD_INPUT, "%s: out of memory", path);
  free(line_of);
  ut_number_file_close(&file);
  return result;
}

/* Checks what a terminal has to send, in flits per cycle. */
static int check_load(const struct ut_traffic *traffic, const struct ut_scenario *scenario, uint32_t terminal,
                      const struct ut_terminal_load *load, const char *path, struct ut_error *e) {
  struct ut_sizes sizes = {.terminal_links = UT_MAX_TERMINAL_LINKS};
  if (scenario->topology.family)
    scenario->topology.family->sizes(scenario, &sizes);
  if (load->mean > sizes.terminal_links * (1 + 1e-9)) /* but for the rounding of sums */
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: terminal %u would send %.4g flits per cycle, and has %u injection link%s\nmake "
                   "'traffic.load_flits_per_cycle', the mean of all terminals, less than %.4g",
                   path, (unsigned)terminal, load->mean, sizes.terminal_links, sizes.terminal_links == 1 ? "" : "s",
                   scenario->traffic.load_flits_per_cycle * sizes.terminal_links / load->mean);
  if (!traffic->poisson && load->most > traffic->lengths.mean * (1 + 1e-9))
    return ut_fail(e, UT_BAD_INPUT,
                   "%s: terminal %u would send up to %.4g flits per cycle, and a Bernoulli process makes at most one "
                   "packet of %g in a cycle\nchoose process: poisson, or longer packets",
                   path, (unsigned)terminal, load->most, traffic->lengths.mean);
  return 0;
}

int ut_terminal_loads_apply(struct ut_traffic *traffic, const struct ut_scenario *scenario,
                            const struct ut_terminal_load *load, const char *path, struct ut_error *e) {
  double sum = 0;
  for (uint32_t terminal = 0; terminal < traffic->terminals; terminal++)
    sum += load[terminal].mean;
  if (!(sum > 0 && sum < 1e300))
    return ut_fail(e, UT_BAD_INPUT, "%s: the sum of all loads is %.4g, must be finite and above 0", path, sum);
  const double unit = scenario->traffic.load_flits_per_cycle * traffic->terminals / sum;
  traffic->mean_gaps = calloc(traffic->terminals, sizeof *traffic->mean_gaps);
  if (!traffic->mean_gaps)
    return ut_fail(e, UT_BAD_INPUT, "traffic: out of memory for %u terminals", (unsigned)traffic->terminals);
  for (uint32_t terminal = 0; terminal < traffic->terminals; terminal++) {
    const struct ut_terminal_load flits = {load[terminal].mean * unit, load[terminal].most * unit};
    if (check_load(traffic, scenario, terminal, &flits, path, e))
      return -1;
    traffic->mean_gaps[terminal] = ut_mean_gap(flits.most / traffic->lengths.mean, traffic->poisson);
  }
  return 0;
}
