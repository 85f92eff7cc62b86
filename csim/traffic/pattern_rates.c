/* SPDX-License-Identifier: Apache-2.0 */
/* pattern_rates.c - a rate for each pair of terminals, from a file: lines of source, destination and rate; behind these
 * the cycles on..off-1 of each period in which the pair sends.  Rates are relative: the mean of what terminals send is
 * the scenario's load.
 *
 * A source draws packets at the sum of the rates of its pairs, and a pair for each of them by its share; a packet of a
 * pair that is off then is left out.  So each pair is the process of the scenario, at its own rate.
 */
#include <stdlib.h>

#include "number_file.h"
#include "pattern.h"
#include "reserve.h"
#include "scenario.h"
#include "scenario_refusal.h"
#include "terminal_loads.h"
#include "traffic_draw.h"

enum { MAX_PERIOD = 1000000000 };

struct line {
  struct ut_pair_rate pair; /* until: the rate itself */
  uint16_t src;
};

struct reader {
  struct ut_number_file file;
  uint32_t terminals, lines, room;
  struct line *line;
};

/* Reads the current line. */
static int read_line(const struct reader *reader, struct line *line, struct ut_error *e) {
  const struct ut_number_file *file = &reader->file;
  struct ut_pair_rate *pair = &line->pair;
  if (file->count != 3 && file->count != 6)
    return ut_lines_fail(&file->file, 1, e, "expected source, destination and rate, or these and on, off and period");
  if (ut_number_file_terminal(file, 0, reader->terminals, &line->src, e) ||
      ut_number_file_terminal(file, 1, reader->terminals, &pair->dst, e))
    return -1;
  pair->until = file->real[2];
  if (file->count == 3)
    return 0;
  for (unsigned i = 3; i < 6; i++)
    if (file->value[i] > MAX_PERIOD)
      return ut_lines_fail(&file->file, file->column[i], e, "more than %d cycles", MAX_PERIOD);
  pair->on = (uint32_t)file->value[3];
  pair->off = (uint32_t)file->value[4];
  pair->period = (uint32_t)file->value[5];
  if (pair->on >= pair->off || pair->off > pair->period)
    return ut_lines_fail(&file->file, file->column[3], e, "on %u, off %u, period %u: must be on < off <= period",
                         pair->on, pair->off, pair->period);
  return 0;
}

static int read_lines(struct reader *reader, struct ut_error *e) {
  int more;
  reader->file.columns = 6;
  reader->file.real_columns = 1 << 2;
  reader->file.titles = true;
  while ((more = ut_number_file_next(&reader->file, e)) > 0) {
    struct line line = {.src = 0};
    if (read_line(reader, &line, e))
      return -1;
    if (!(line.pair.until > 0))
      continue;
    if (!ut_reserve_one(&reader->line, sizeof *reader->line, reader->lines, &reader->room))
      return ut_fail(e, UT_BAD_INPUT, "%s: out of memory", reader->file.file.path);
    reader->line[reader->lines++] = line;
  }
  return more;
}

/* Sorts the pairs by source, in the order of the file, and makes sums of their rates; load: [terminals], zero. */
static bool sort_pairs(struct ut_traffic *traffic, const struct reader *reader, struct ut_terminal_load *load) {
  size_t *first = traffic->pair_first = calloc((size_t)traffic->terminals + 2, sizeof *first);
  traffic->pair = calloc((size_t)reader->lines + 1, sizeof *traffic->pair);
  if (!first || !traffic->pair)
    return false;
  for (uint32_t i = 0; i < reader->lines; i++)
    first[reader->line[i].src + 2]++;
  for (uint32_t source = 0; source < traffic->terminals; source++)
    first[source + 2] += first[source + 1];
  for (uint32_t i = 0; i < reader->lines; i++) { /* moves each first[source + 1] to the end of the source's pairs */
    const struct line *line = &reader->line[i];
    struct ut_pair_rate *pair = &traffic->pair[first[line->src + 1]++];
    *pair = line->pair;
    load[line->src].mean += pair->until * (pair->period ? (double)(pair->off - pair->on) / pair->period : 1);
    pair->until = load[line->src].most += pair->until;
  }
  for (uint32_t source = 0; source < traffic->terminals; source++)
    for (size_t i = first[source]; i < first[source + 1]; i++)
      traffic->pair[i].until = i + 1 == first[source + 1] ? 1 : traffic->pair[i].until / load[source].most;
  return true;
}

static int read_rates(struct ut_traffic *traffic, const char *path, struct ut_terminal_load *load, struct ut_error *e) {
  struct reader reader = {.terminals = traffic->terminals};
  if (ut_number_file_open(&reader.file, path, "rates", e))
    return -1;
  int result = read_lines(&reader, e);
  if (!result && !sort_pairs(traffic, &reader, load))
    result = ut_fail(e, UT_BAD_INPUT, "%s: out of memory for %u pairs", path, reader.lines);
  free(reader.line);
  ut_number_file_close(&reader.file);
  return result;
}

static uint16_t draw(const struct ut_traffic *traffic, struct ut_traffic_source *source, uint32_t bits) {
  (void)bits; /* too few for a table of many pairs */
  const double share = ut_random_unit(&source->random);
  size_t from = traffic->pair_first[source->terminal], to = traffic->pair_first[source->terminal + 1] - 1;
  while (from < to) {
    const size_t middle = from + (to - from) / 2;
    if (share <= traffic->pair[middle].until)
      to = middle;
    else
      from = middle + 1;
  }
  source->pair = from;
  return traffic->pair[from].dst;
}

static bool sends(const struct ut_traffic *traffic, const struct ut_traffic_source *source, uint64_t cycle) {
  const struct ut_pair_rate *pair = &traffic->pair[source->pair];
  const uint64_t phase = pair->period ? cycle % pair->period : 0;
  return !pair->period || (phase >= pair->on && phase < pair->off);
}

static int check(const struct ut_check *checker, uint32_t terminals) {
  (void)terminals;
  return checker->s->traffic.terminal_loads_file
             ? ut_impossible(checker, "traffic.terminal_loads_file", "leave it away",
                             "the file of pattern rates says what each terminal sends")
             : 0;
}

const struct ut_pattern ut_pattern_rates = {
    .name = "rates",
    .summary = "from a file: lines `src dst rate`, relative rates of pairs",
    .keys = {"traffic.rates_file"},
    .check = check,
    .draw = draw,
    .read_rates = read_rates,
    .sends = sends,
};
