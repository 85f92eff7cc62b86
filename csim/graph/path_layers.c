/* SPDX-License-Identifier: Apache-2.0 */
/* path_layers.c - see path_layers.h */
#include "path_layers.h"

#include <stdlib.h>
#include <string.h>

#include "graph_forms.h"
#include "lines.h"
#include "number.h"

enum { SLS = 16, LIDS = 0xc000, NO_SL = 0xff };

struct reading {
  struct ut_path_layers *layers;
  const struct ut_graph *graph;
  struct ut_lines lines;
  struct ut_error *e;
  uint32_t *terminal_of; /* [LIDS]: UT_NO_NODE: no terminal has it */
  uint32_t *node;        /* [terminals] */
  uint32_t *home;        /* [terminals]: the node of the switch */
  uint32_t *first;       /* [nodes]: of a switch, its first terminal */
  unsigned vl[SLS], rows;
};

static int fail_at(const struct reading *reading, const char *word, const char *what) {
  return ut_lines_fail(&reading->lines, (size_t)(word - reading->lines.text) + 1, reading->e, "%s", what);
}

static const char *skip_blanks(const char *text) {
  return text + strspn(text, " \t\r");
}

/* ---- path SLs */

static uint32_t terminal_with(const struct reading *reading, uint64_t guid) {
  for (uint32_t i = 0; i < reading->layers->terminals && guid; i++)
    if (reading->graph->node[reading->node[i]].guid == guid)
      return i;
  return UT_NO_NODE;
}

/* "0x0000000000100001 5 3" */
static int read_sl(struct reading *reading, const char *text) {
  char *end;
  const uint64_t guid = strtoull(text, &end, 16);
  const char *word = skip_blanks(end);
  uint64_t lid, sl;
  if (end == text || !ut_number_read(&word, LIDS - 1, &lid))
    return fail_at(reading, text, "expected a port's GUID, a LID, 1..49151, and an SL, as 0x0000000000100001 5 3");
  const char *at = word = skip_blanks(word);
  if (!ut_number_read(&at, SLS - 1, &sl) || *skip_blanks(at))
    return fail_at(reading, word, "an SL is 0..15");
  const uint32_t from = terminal_with(reading, guid), to = reading->terminal_of[lid];
  if (from == UT_NO_NODE)
    return fail_at(reading, text, "no terminal has a port of that GUID: the two files must be of one fabric");
  if (to == UT_NO_NODE) /* a switch */
    return 0;
  uint8_t *layer = &reading->layers->layer[(size_t)from * reading->layers->terminals + to];
  if (*layer != NO_SL && *layer != sl)
    return fail_at(reading, word, "this pair has another SL already: keep one of the rows");
  *layer = (uint8_t)sl;
  return 0;
}

/* ---- SL-to-VL tables */

/* "0   1   : 0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  7" */
static int read_vls(struct reading *reading, const char *text) {
  const char *word = strchr(text, ':');
  unsigned vl[SLS], columns = 0;
  for (word = skip_blanks(word + 1); *word; word = skip_blanks(word)) {
    uint64_t number;
    const char *at = word;
    if (!ut_number_read(&at, SLS - 1, &number))
      return fail_at(reading, word, "expected a VL, 0..15");
    if (columns < SLS)
      vl[columns] = (unsigned)number;
    columns++;
    word = at;
  }
  if (columns != SLS)
    return ut_lines_fail(&reading->lines, 1, reading->e, "%u VLs, one for each of 16 SLs is expected", columns);
  if (reading->rows++ && memcmp(vl, reading->vl, sizeof vl))
    return fail_at(reading, text,
                   "not the VLs of the rows before: a packet keeps its VC here, so all ports need the same");
  memcpy(reading->vl, vl, sizeof vl);
  return 0;
}

static int read_vl_line(struct reading *reading, const char *text) {
  if (!strncmp(text, "Switch", 6) || !strncmp(text, "Channel", 7))
    return 0;
  return strchr(text, ':') ? read_vls(reading, text)
                           : fail_at(reading, text, "expected an input port, an output port, ':' and 16 VLs");
}

/* ---- the files */

static int read_file(struct reading *reading, const char *path, const char *what,
                     int (*read_line)(struct reading *reading, const char *text)) {
  int more = ut_lines_open(&reading->lines, path, what, UT_LIMIT_GRAPH_LINE_BYTES, reading->e) ? -1 : 1;
  while (more > 0 && (more = ut_lines_next(&reading->lines, reading->e)) > 0) {
    const char *text = skip_blanks(reading->lines.text);
    if (*text && *text != '#' && read_line(reading, text))
      more = -1;
  }
  ut_lines_close(&reading->lines);
  return more;
}

/* 0, or -1 when out of memory. */
static int survey(struct reading *reading) {
  const struct ut_graph *graph = reading->graph;
  struct ut_path_layers *layers = reading->layers;
  reading->terminal_of = malloc(LIDS * sizeof *reading->terminal_of);
  reading->node = malloc((graph->nodes + 1) * sizeof *reading->node);
  reading->home = calloc(graph->nodes + 1, sizeof *reading->home);
  reading->first = calloc(graph->nodes + 1, sizeof *reading->first);
  if (!reading->terminal_of || !reading->node || !reading->home || !reading->first)
    return -1;
  memset(reading->terminal_of, 0xff, LIDS * sizeof *reading->terminal_of);
  for (uint32_t i = 0; i < graph->nodes; i++)
    if (graph->node[i].terminal) {
      reading->terminal_of[graph->node[i].lid] = layers->terminals;
      reading->node[layers->terminals++] = i;
    }
  reading->terminal_of[0] = UT_NO_NODE;
  uint32_t *number = calloc(graph->nodes + 1, sizeof *number);
  for (uint32_t i = layers->terminals; number && i-- > 0;)
    number[reading->node[i]] = i;
  for (uint32_t i = graph->channels; number && i-- > 0;)
    if (graph->node[graph->channel[i].from].terminal) {
      const uint32_t terminal = number[graph->channel[i].from];
      reading->home[terminal] = graph->channel[i].to;
    }
  for (uint32_t i = layers->terminals; i-- > 0;)
    reading->first[reading->home[i]] = i;
  if (!number)
    return -1;
  free(number);
  layers->layer = malloc((size_t)layers->terminals * layers->terminals);
  if (!layers->layer)
    return -1;
  memset(layers->layer, NO_SL, (size_t)layers->terminals * layers->terminals);
  return 0;
}

/* Turns SLs into VLs; refuses a pair without one. */
static int finish(struct reading *reading, const char *sl_path) {
  struct ut_path_layers *layers = reading->layers;
  for (size_t i = 0; i < (size_t)layers->terminals * layers->terminals; i++) {
    const size_t from = i / layers->terminals, to = i % layers->terminals;
    uint8_t *layer = &layers->layer[i];
    if (*layer == NO_SL && from != to)
      return ut_fail(reading->e, UT_BAD_INPUT, "%s: no SL from '%s' to '%s': every pair needs a row, none is assumed",
                     sl_path, reading->graph->node[reading->node[from]].name,
                     reading->graph->node[reading->node[to]].name);
    *layer = *layer == NO_SL ? 0 : (uint8_t)reading->vl[*layer];
    layers->most = *layer > layers->most ? *layer : layers->most;
  }
  return 0;
}

/* Refuses terminals of one switch whose packets to another switch are in different layers. */
static int check_switches(const struct reading *reading, const char *sl_path) {
  const struct ut_path_layers *layers = reading->layers;
  const struct ut_graph *graph = reading->graph;
  for (uint32_t from = 0; from < layers->terminals; from++) {
    const uint32_t first = reading->first[reading->home[from]];
    for (uint32_t to = 0; to < layers->terminals; to++)
      if (reading->home[to] != reading->home[from] &&
          layers->layer[(size_t)from * layers->terminals + to] != layers->layer[(size_t)first * layers->terminals + to])
        return ut_fail(reading->e, UT_BAD_INPUT,
                       "%s: '%s' and '%s' of one switch send to '%s' on different VCs: layers are by switch here",
                       sl_path, graph->node[reading->node[first]].name, graph->node[reading->node[from]].name,
                       graph->node[reading->node[to]].name);
  }
  return 0;
}

struct ut_path_layers *ut_path_layers_read(const char *sl_path, const char *sl2vl_path, const struct ut_graph *graph,
                                           struct ut_error *e) {
  struct ut_path_layers *layers = calloc(1, sizeof *layers);
  struct reading reading = {.layers = layers, .graph = graph, .e = e};
  for (unsigned i = 0; i < SLS; i++)
    reading.vl[i] = i;
  int result = layers && !survey(&reading) ? read_file(&reading, sl_path, "path SL", read_sl) : ut_fail_memory(e);
  if (!result && sl2vl_path)
    result = read_file(&reading, sl2vl_path, "SL-to-VL", read_vl_line);
  if (!result)
    result = finish(&reading, sl_path);
  if (!result)
    result = check_switches(&reading, sl_path);
  free(reading.terminal_of);
  free(reading.node);
  free(reading.home);
  free(reading.first);
  if (!result)
    return layers;
  ut_path_layers_free(layers);
  return NULL;
}

void ut_path_layers_free(struct ut_path_layers *layers) {
  if (!layers)
    return;
  free(layers->layer);
  free(layers);
}
