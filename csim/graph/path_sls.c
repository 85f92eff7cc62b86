/* SPDX-License-Identifier: Apache-2.0 */
/* path_sls.c - see path_sls.h */
#include "path_sls.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "graph_ends.h"
#include "graph_forms.h"
#include "lines.h"
#include "number.h"

enum { LIDS = 0xc000 };

struct address {
  uint64_t guid;
  uint32_t node;
};

struct reading {
  const struct ut_graph *graph;
  struct ut_lines lines;
  struct ut_error *e;
  struct ut_path_sls *sls;
  struct address *port; /* [ports]: those of terminals, by GUID */
  uint32_t ports;
  uint32_t *node_of; /* [LIDS]: UT_NO_NODE: no node has it */
  uint64_t guid;     /* of the row before, and its terminal */
  uint32_t from;
  struct ut_sl_vls *vls;
  uint32_t sw;     /* whose SL-to-VL table is being read; UT_NO_NODE: that of an adapter */
  unsigned tables; /* of nodes, so far */
  bool rows;
};

static int fail_at(const struct reading *reading, const char *word, const char *what) {
  return ut_lines_fail(&reading->lines, (size_t)(word - reading->lines.text) + 1, reading->e, "%s", what);
}

static const char *skip_blanks(const char *text) {
  return text + strspn(text, " \t\r");
}

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

/* ---- path SLs */

static int by_guid(const void *a, const void *b) {
  const struct address *one = a, *other = b;
  return (one->guid > other->guid) - (one->guid < other->guid);
}

/* Returns the number of the terminal with that GUID; UT_NO_NODE: there is none. */
static uint32_t terminal_with(struct reading *reading, uint64_t guid) {
  if (guid != reading->guid || reading->from == UT_NO_NODE) {
    const struct address key = {.guid = guid},
                         *found = bsearch(&key, reading->port, reading->ports, sizeof key, by_guid);
    reading->guid = guid;
    reading->from = found ? reading->sls->number[found->node] : UT_NO_NODE;
  }
  return reading->from;
}

/* "0x0000000000100001 5 3" */
static int read_sl(struct reading *reading, const char *text) {
  char *end;
  const uint64_t guid = strtoull(text, &end, 16);
  const char *word = skip_blanks(end);
  uint64_t lid, sl;
  if (end == text || !ut_number_read(&word, LIDS - 1, &lid) || lid == 0)
    return fail_at(reading, text, "expected a port's GUID, a LID, 1..49151, and an SL, as 0x0000000000100001 5 3");
  const char *at = word = skip_blanks(word);
  if (!ut_number_read(&at, UT_SLS - 1, &sl) || *skip_blanks(at))
    return fail_at(reading, word, "an SL is 0..15");
  const uint32_t from = terminal_with(reading, guid), to = reading->node_of[lid];
  if (from == UT_NO_NODE)
    return fail_at(reading, text, "no terminal has a port of that GUID: the two files must be of one fabric");
  if (to == UT_NO_NODE)
    return 0;
  uint8_t *entry = &reading->sls->sl[(size_t)to * reading->sls->terminals + from];
  if (*entry != UT_NO_SL && *entry != sl)
    return fail_at(reading, word, "this pair has another SL already: keep one of the rows");
  *entry = (uint8_t)sl;
  return 0;
}

/* Numbers the terminals, and finds nodes by their addresses.  0, or -1 when out of memory. */
static int survey(struct reading *reading) {
  const struct ut_graph *graph = reading->graph;
  struct ut_path_sls *sls = reading->sls;
  sls->number = malloc((graph->nodes + 1) * sizeof *sls->number);
  sls->node = malloc((graph->nodes + 1) * sizeof *sls->node);
  reading->node_of = malloc(LIDS * sizeof *reading->node_of);
  reading->port = malloc((graph->nodes + 1) * sizeof *reading->port);
  if (!sls->number || !sls->node || !reading->node_of || !reading->port)
    return -1;
  memset(reading->node_of, 0xff, LIDS * sizeof *reading->node_of);
  for (uint32_t i = 0; i < graph->nodes; i++) {
    const struct ut_graph_node *node = &graph->node[i];
    if (node->lid)
      reading->node_of[node->lid] = i;
    sls->number[i] = node->terminal ? sls->terminals : UT_NO_NODE;
    if (node->terminal)
      sls->node[sls->terminals++] = i;
    if (node->terminal && node->guid)
      reading->port[reading->ports++] = (struct address){.guid = node->guid, .node = i};
  }
  qsort(reading->port, reading->ports, sizeof *reading->port, by_guid);
  const size_t size = (size_t)graph->nodes * sls->terminals;
  sls->sl = malloc(size + 1);
  if (!sls->sl)
    return -1;
  memset(sls->sl, UT_NO_SL, size);
  return 0;
}

struct ut_path_sls *ut_path_sls_read(const char *path, const struct ut_graph *graph, struct ut_error *e) {
  struct ut_path_sls *sls = calloc(1, sizeof *sls);
  struct reading reading = {.graph = graph, .e = e, .sls = sls, .from = UT_NO_NODE};
  if (sls)
    sls->graph = graph;
  const int result = sls && !survey(&reading) ? read_file(&reading, path, "path SL", read_sl) : ut_fail_memory(e);
  free(reading.node_of);
  free(reading.port);
  if (!result)
    return sls;
  ut_path_sls_free(sls);
  return NULL;
}

void ut_path_sls_free(struct ut_path_sls *sls) {
  if (!sls)
    return;
  free(sls->number);
  free(sls->node);
  free(sls->sl);
  free(sls);
}

int ut_path_sls_complete(const struct ut_path_sls *sls, bool switches, const char *path, struct ut_error *e) {
  const struct ut_graph *graph = sls->graph;
  for (uint32_t from = 0; from < sls->terminals; from++)
    for (uint32_t to = 0; to < graph->nodes; to++)
      if (to != sls->node[from] && (switches || graph->node[to].terminal) && ut_path_sl(sls, from, to) == UT_NO_SL)
        return ut_fail(e, UT_BAD_INPUT, "%s: no SL from '%s' to '%s': every pair needs a row, none is assumed", path,
                       graph->node[sls->node[from]].name, graph->node[to].name);
  return 0;
}

/* ---- SL-to-VL tables */

/* "Switch 0x0000000000200000, base LID 2, "ring0"" */
static int read_node(struct reading *reading, const char *text) {
  const char *word = strstr(text, "0x");
  const uint64_t guid = word ? strtoull(word, NULL, 16) : 0;
  reading->tables++;
  reading->sw = UT_NO_NODE;
  if (strncmp(text, "Switch", strlen("Switch")))
    return 0;
  for (uint32_t i = 0; i < reading->graph->nodes && guid; i++)
    if (!reading->graph->node[i].terminal && reading->graph->node[i].guid == guid)
      reading->sw = i;
  if (reading->sw == UT_NO_NODE)
    return fail_at(reading, word ? word : text,
                   "the VLs of a switch that the network does not have: the two files must be of one fabric");
  return 0;
}

/* The 16 VLs behind a colon. */
static int take_vls(const struct reading *reading, const char *word, uint8_t vl[UT_SLS]) {
  unsigned columns = 0;
  for (word = skip_blanks(word); *word; word = skip_blanks(word)) {
    uint64_t number;
    const char *at = word;
    if (!ut_number_read(&at, UT_SLS - 1, &number) || (*at && !isspace((unsigned char)*at)))
      return fail_at(reading, word, "expected a VL, 0..15");
    if (columns < UT_SLS)
      vl[columns] = (uint8_t)number;
    columns++;
    word = at;
  }
  if (columns != UT_SLS)
    return ut_lines_fail(&reading->lines, 1, reading->e, "%u VLs, one for each of 16 SLs is expected", columns);
  return 0;
}

/* Takes a port as the file counts it; *port counts from 0, and is UT_NO_NODE for that of the switch itself. */
static int take_port(const struct reading *reading, const char **word, uint32_t *port) {
  const unsigned first = reading->graph->first_port;
  const char *at = *word;
  uint64_t number;
  if (!ut_number_read(&at, UT_GRAPH_MOST_PORTS, &number))
    return fail_at(reading, *word, "expected an input port, an output port, ':' and 16 VLs");
  if (reading->sw != UT_NO_NODE && number >= first && number - first >= reading->graph->node[reading->sw].ports)
    return ut_lines_fail(&reading->lines, (size_t)(*word - reading->lines.text) + 1, reading->e, "'%s' has %u ports",
                         reading->graph->node[reading->sw].name, reading->graph->node[reading->sw].ports);
  *port = number < first ? UT_NO_NODE : (uint32_t)number - first;
  *word = skip_blanks(at);
  return 0;
}

/* "0   1   : 0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  7" */
static int read_vls(struct reading *reading, const char *text) {
  const char *word = text;
  uint8_t vl[UT_SLS];
  uint32_t in, out;
  if (!reading->tables)
    return fail_at(reading, text, "VLs before any switch: a line as Switch 0x0000000000200000 comes first");
  if (take_port(reading, &word, &in) || take_port(reading, &word, &out))
    return -1;
  if (*word != ':')
    return fail_at(reading, word, "expected an input port, an output port, ':' and 16 VLs");
  if (take_vls(reading, word + 1, vl))
    return -1;
  struct ut_sl_vls *vls = reading->vls;
  if (!reading->rows)
    memcpy(vls->first, vl, sizeof vl);
  else if (!vls->line && memcmp(vls->first, vl, sizeof vl))
    vls->line = reading->lines.line;
  reading->rows = true;
  if (reading->sw == UT_NO_NODE || in == UT_NO_NODE || out == UT_NO_NODE)
    return 0;
  uint8_t *entry = &vls->of[reading->sw][((size_t)in * reading->graph->node[reading->sw].ports + out) * UT_SLS];
  if (*entry != UT_NO_SL && memcmp(entry, vl, sizeof vl))
    return fail_at(reading, text, "these two ports have other VLs already: keep one of the rows");
  memcpy(entry, vl, sizeof vl);
  return 0;
}

static int read_vl_line(struct reading *reading, const char *text) {
  return !strncmp(text, "Switch", 6) || !strncmp(text, "Channel", 7) ? read_node(reading, text)
                                                                     : read_vls(reading, text);
}

/* Tables without rows.  0, or -1 when out of memory. */
static int make_tables(struct ut_sl_vls *vls, const struct ut_graph *graph) {
  vls->graph = graph;
  vls->of = calloc(graph->nodes + 1, sizeof *vls->of);
  for (uint32_t i = 0; vls->of && i < graph->nodes; i++) {
    const size_t size = (size_t)graph->node[i].ports * graph->node[i].ports * UT_SLS;
    if (graph->node[i].terminal)
      continue;
    if (!(vls->of[i] = malloc(size + 1)))
      return -1;
    memset(vls->of[i], UT_NO_SL, size);
  }
  return vls->of ? 0 : -1;
}

struct ut_sl_vls *ut_sl_vls_read(const char *path, const struct ut_graph *graph, struct ut_error *e) {
  struct ut_sl_vls *vls = calloc(1, sizeof *vls);
  struct reading reading = {.graph = graph, .e = e, .vls = vls, .sw = UT_NO_NODE};
  int result =
      vls && !make_tables(vls, graph) ? read_file(&reading, path, "SL-to-VL", read_vl_line) : ut_fail_memory(e);
  if (!result && !reading.rows)
    result =
        ut_fail(e, UT_BAD_INPUT, "%s: no SL-to-VL tables: it should be what OpenSM writes to opensm-sl2vl.dump", path);
  if (!result)
    return vls;
  ut_sl_vls_free(vls);
  return NULL;
}

void ut_sl_vls_free(struct ut_sl_vls *vls) {
  if (!vls)
    return;
  for (uint32_t i = 0; vls->of && i < vls->graph->nodes; i++)
    free(vls->of[i]);
  free(vls->of);
  free(vls);
}

int ut_sl_vls_complete(const struct ut_sl_vls *vls, const char *path, struct ut_error *e) {
  const struct ut_graph *graph = vls->graph;
  struct ut_graph_ends ends;
  int result = 0;
  if (ut_graph_ends_find(&ends, graph))
    return ut_fail_memory(e);
  for (uint32_t i = 0; !result && i < graph->channels; i++) {
    const struct ut_graph_channel *in = &graph->channel[i];
    for (unsigned port = 0; !result && !graph->node[in->to].terminal && port < graph->node[in->to].ports; port++)
      if (port != in->to_port && ut_graph_out_of(&ends, in->to, port) != UT_NO_NODE &&
          ut_sl_vl(vls, in->to, in->to_port, port, 0) == UT_NO_SL)
        result = ut_fail(e, UT_BAD_INPUT,
                         "%s: no VLs of '%s' from port %u to port %u: every two ports need a row, none is assumed",
                         path, graph->node[in->to].name, in->to_port + graph->first_port, port + graph->first_port);
  }
  ut_graph_ends_free(&ends);
  return result;
}
