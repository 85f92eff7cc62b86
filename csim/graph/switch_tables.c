/* SPDX-License-Identifier: Apache-2.0 */
/* switch_tables.c - see switch_tables.h */
#include "switch_tables.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "graph_forms.h"
#include "lines.h"
#include "number.h"

enum { LIDS = 0xc000, CELLS = 3, TEXT_SIZE = 128 };
#define MOST_BYTES 0x7fffffff /* of a file: the tables of 1,620 switches for 11,664 hosts have 1.4 GB */
enum form { UNKNOWN, DUMP, FDBS, CSV };

static const char dump_header[] = "Unicast lids", fdbs_header[] = "dump_ucast_routes: Switch",
                  older_header[] = "osm_ucast_mgr_dump_ucast_routes: Switch";

struct reading {
  struct ut_switch_tables *tables;
  const struct ut_graph *graph;
  struct ut_lines lines;
  struct ut_error *e;
  enum form form;
  uint32_t *node_of; /* [LIDS]: UT_NO_NODE: no node has it */
  uint8_t **used;    /* [nodes]: of a switch, by port: whether a channel leaves there */
  uint32_t sw;       /* whose table is being read; UT_NO_NODE: none yet */
  unsigned rows;     /* of that table */
  bool old, skips;   /* tables of a network before it was changed; this one is of a switch that is gone */
};

static int fail_at(const struct reading *reading, const char *word, const char *what, const char *name) {
  return ut_lines_fail(&reading->lines, (size_t)(word - reading->lines.text) + 1, reading->e, what, name);
}

static bool begins(const char *text, const char *word) {
  return !strncmp(text, word, strlen(word));
}

/* Most of a file's text is rows, which are looked at once, character by character. */
static inline const char *skip_blanks(const char *text) {
  while (*text == ' ' || *text == '\t' || *text == '\r')
    text++;
  return text;
}

/* ---- names */

/* Returns the switch with that GUID; UT_NO_NODE: there is none. */
static uint32_t switch_with(const struct ut_graph *graph, uint64_t guid) {
  for (uint32_t i = 0; i < graph->nodes && guid; i++)
    if (!graph->node[i].terminal && graph->node[i].guid == guid)
      return i;
  return UT_NO_NODE;
}

/* Takes the name of a header, "(ring0):" or "('ring0'):". */
static void name_in(const char *text, char name[TEXT_SIZE]) {
  const char *open = strchr(text, '('), *close = open ? strrchr(open, ')') : NULL;
  *name = '\0';
  if (!close)
    return;
  const bool quotes = open[1] == '\'' && close[-1] == '\'' && close - open > 2;
  snprintf(name, TEXT_SIZE, "%.*s", (int)(close - open - 1 - 2 * quotes), open + 1 + quotes);
}

static uint32_t switch_called(const struct ut_graph *graph, const char *name) {
  const uint32_t node = ut_graph_find(graph, name);
  return node != UT_NO_NODE && !graph->node[node].terminal ? node : UT_NO_NODE;
}

/* ---- tables */

static int refuse_empty(const struct reading *reading) {
  if (reading->sw == UT_NO_NODE || reading->rows)
    return 0;
  return ut_fail(reading->e, UT_BAD_INPUT, "%s:%u: the table of '%s' has no rows: give it some, or take it away",
                 reading->lines.path, reading->tables->of[reading->sw].line, reading->graph->node[reading->sw].name);
}

static int begin_table(struct reading *reading, uint32_t sw) {
  struct ut_switch_table *table = &reading->tables->of[sw];
  if (table->line && reading->form != CSV)
    return ut_lines_fail(&reading->lines, 1, reading->e, "'%s' has a table already, in line %u: keep one of them",
                         reading->graph->node[sw].name, table->line);
  table->line = table->line ? table->line : reading->lines.line;
  reading->sw = sw;
  reading->rows = 0;
  return 0;
}

static bool is_header(const struct reading *reading, const char *text) {
  return reading->form == FDBS ? begins(text, fdbs_header) || begins(text, older_header) : begins(text, dump_header);
}

/* A header names a switch by its GUID, or where the network has none by its name. */
static int read_header(struct reading *reading, const char *text) {
  const char *guid = reading->form == FDBS ? strstr(text, "Switch") : strstr(text, "guid ");
  char name[TEXT_SIZE];
  if (refuse_empty(reading))
    return -1;
  const char *digits = guid ? strstr(guid, "0x") : NULL;
  uint32_t sw = digits ? switch_with(reading->graph, strtoull(digits, NULL, 16)) : UT_NO_NODE;
  name_in(text, name);
  if (sw == UT_NO_NODE && *name)
    sw = switch_called(reading->graph, name);
  reading->skips = sw == UT_NO_NODE && reading->old;
  if (reading->skips)
    return 0;
  if (sw == UT_NO_NODE)
    return fail_at(reading, digits ? digits : text,
                   "the table of a switch that the network '%s' does not have: the two files must be of one fabric",
                   reading->graph->path);
  return begin_table(reading, sw);
}

/* Refuses a port, as the file numbers it, that leads nowhere. */
static inline int check_port(const struct reading *reading, const char *word, unsigned port) {
  const struct ut_graph *graph = reading->graph;
  const struct ut_graph_node *sw = &graph->node[reading->sw];
  const unsigned first = graph->first_port;
  if (port == UT_NO_TABLE_PORT)
    return fail_at(reading, word, "port 255 is none: where '%s' has no way to a destination leave its row away",
                   sw->name);
  if (port < first)
    return fail_at(reading, word, "port 0 is '%s' itself: only its own address has it", sw->name);
  if (port - first < sw->ports && reading->used[reading->sw][port - first])
    return 0;
  return ut_lines_fail(&reading->lines, (size_t)(word - reading->lines.text) + 1, reading->e,
                       "port %u of '%s' has no cable: it has %u ports, look into '%s'", port, sw->name, sw->ports,
                       graph->path);
}

/* Enters a row; word: where the port is said. */
static inline int enter(struct reading *reading, uint32_t to, unsigned port, const char *word) {
  reading->rows++;
  if (to == UT_NO_NODE || (to == reading->sw && port == 0 && reading->graph->first_port))
    return 0;
  if (check_port(reading, word, port))
    return reading->old && port <= UT_GRAPH_MOST_PORTS ? 0 : -1;
  uint8_t *entry = &reading->tables->of[reading->sw].port[to];
  const unsigned own = port - reading->graph->first_port;
  if (*entry != UT_NO_TABLE_PORT && *entry != own)
    return ut_lines_fail(&reading->lines, (size_t)(word - reading->lines.text) + 1, reading->e,
                         "'%s' sends packets for '%s' to port %u already: keep one of the rows",
                         reading->graph->node[reading->sw].name, reading->graph->node[to].name,
                         *entry + reading->graph->first_port);
  *entry = (uint8_t)own;
  return 0;
}

/* ---- lines */

/* 1 + the value of a hexadecimal digit; 0: it is none. */
static const uint8_t hex_digit[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
    ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

/* Takes the digits of a LID behind "0x".  Returns it; 0: it is none. */
static inline unsigned take_lid(const char **text) {
  unsigned lid = 0, digit;
  const char *c = *text;
  for (; (digit = hex_digit[(unsigned char)*c]); c++)
    lid = lid < LIDS ? 16 * lid + digit - 1 : LIDS;
  *text = c;
  return lid < LIDS ? lid : 0;
}

/* Takes a port of up to three digits.  false: there is none. */
static inline bool take_port(const char **text, unsigned *port) {
  const char *c = *text;
  unsigned number = 0, digit;
  for (; (digit = (unsigned)(unsigned char)*c - '0') < 10 && c < *text + 3; c++)
    number = 10 * number + digit;
  if (c == *text || number > UT_NO_TABLE_PORT || !(*c == '\0' || *c == ' ' || *c == '\t' || *c == '\r'))
    return false;
  *text = c;
  *port = number;
  return true;
}

/* "0x0001 001 ..." or "0x0001 : 001 : ..."; "UNREACHABLE" in place of a port is no row. */
static int read_row(struct reading *reading, const char *text) {
  const char *word = text + strlen("0x");
  const unsigned lid = take_lid(&word);
  unsigned port;
  word = skip_blanks(word);
  if (reading->skips)
    return 0;
  if (reading->sw == UT_NO_NODE)
    return fail_at(reading, text, "a row before any switch: a line '%s ...' comes first",
                   reading->form == FDBS ? fdbs_header : dump_header);
  if (lid == 0)
    return fail_at(reading, text, "a LID is 0x1..0xbfff%s", "");
  word = *word == ':' ? skip_blanks(word + 1) : word;
  if (*word == 'U' && begins(word, "UNREACHABLE")) {
    reading->rows++;
    return 0;
  }
  const char *at = word;
  if (!take_port(&at, &port))
    return fail_at(reading, word, "expected a port, 0..254, as in 0x0001 017%s", "");
  return enter(reading, reading->node_of[lid], port, word);
}

static int read_lid_line(struct reading *reading, const char *text) {
  if (is_header(reading, text))
    return read_header(reading, text);
  /* column heads, how many rows there were, and what a shell script says of itself */
  if (begins(text, "***") || begins(text, "Lid") || begins(text, "LID") || begins(text, "Port") ||
      isdigit((unsigned char)*text))
    return 0;
  return fail_at(reading, text, "expected a row, as 0x0001 017, or a line '%s ...'",
                 reading->form == FDBS ? fdbs_header : dump_header);
}

/* Splits a line at its commas; the cells point into it.  Returns how many there are, at most CELLS + 1. */
static unsigned split(const char *text, const char *cell[CELLS], size_t length[CELLS]) {
  unsigned count = 0;
  for (;; text++) {
    text = skip_blanks(text);
    size_t size = strcspn(text, ",");
    const bool more = text[size] == ',';
    const char *next = text + size;
    while (size && isspace((unsigned char)text[size - 1]))
      size--;
    if (count < CELLS) {
      cell[count] = text;
      length[count] = size;
    }
    count++;
    if (!more || count > CELLS)
      return count;
    text = next;
  }
}

/* "leaf0,host3,17" */
static int read_csv_line(struct reading *reading, const char *text) {
  const char *cell[CELLS];
  size_t length[CELLS];
  char name[TEXT_SIZE];
  uint64_t port;
  if (begins(text, "switch,"))
    return 0;
  if (split(text, cell, length) != CELLS)
    return fail_at(reading, text, "expected three cells, switch,destination,port%s", "");
  snprintf(name, sizeof name, "%.*s", (int)length[0], cell[0]);
  const uint32_t sw = switch_called(reading->graph, name);
  if (sw == UT_NO_NODE)
    return fail_at(reading, cell[0], "the network has no switch '%s': `uturn net` prints the names", name);
  snprintf(name, sizeof name, "%.*s", (int)length[1], cell[1]);
  const uint32_t to = ut_graph_find(reading->graph, name);
  if (to == UT_NO_NODE)
    return fail_at(reading, cell[1], "the network has no node '%s': `uturn net` prints the names", name);
  const char *at = cell[2];
  if (!ut_number_read(&at, UT_NO_TABLE_PORT, &port) || at != cell[2] + length[2])
    return fail_at(reading, cell[2], "expected a port, 0..254%s", "");
  return begin_table(reading, sw) || enter(reading, to, (unsigned)port, cell[2]) ? -1 : 0;
}

/* ---- rows as they usually are */

/* The fastest way through most of a file, 20 million rows of a large fabric: "0x0001 001 ..." or "0x0001 : 001 ...", of
 * a LID that has no entry yet.  Stops at any other line, which read_line() looks at. */
enum { USUAL_SIZE = 24, USUAL_LINE = 256 };

/* Returns the LID of "0x0001"; 0: it is none. */
static inline unsigned usual_lid(const char *row) {
  const unsigned a = hex_digit[(unsigned char)row[2]], b = hex_digit[(unsigned char)row[3]],
                 c = hex_digit[(unsigned char)row[4]], d = hex_digit[(unsigned char)row[5]];
  if (row[0] != '0' || row[1] != 'x' || !a || !b || !c || !d)
    return 0;
  const unsigned lid = (a - 1) << 12 | (b - 1) << 8 | (c - 1) << 4 | (d - 1);
  return lid < LIDS ? lid : 0;
}

/* Returns the port of " 001 ", or " : 001 "; UT_NO_TABLE_PORT: it is none. */
static inline unsigned usual_port(const char *word, bool colon) {
  if (colon && (word[0] != ' ' || word[1] != ':'))
    return UT_NO_TABLE_PORT;
  word += colon ? 2 : 0;
  const unsigned a = (unsigned)(word[1] - '0'), b = (unsigned)(word[2] - '0'), c = (unsigned)(word[3] - '0');
  return word[0] != ' ' || a > 1 || b > 9 || c > 9 || word[4] != ' ' ? UT_NO_TABLE_PORT : 100 * a + 10 * b + c;
}

/* Enters one such row.  false: it is not one, or needs a closer look. */
static inline bool enter_usual(struct reading *reading, const char *row, bool colon) {
  const unsigned lid = usual_lid(row), first = reading->graph->first_port, port = usual_port(row + 6, colon);
  const uint32_t to = reading->node_of[lid];
  if (lid == 0 || to == UT_NO_NODE || port < first || port - first >= reading->graph->node[reading->sw].ports)
    return false;
  uint8_t *entry = &reading->tables->of[reading->sw].port[to];
  if (!reading->used[reading->sw][port - first] || *entry != UT_NO_TABLE_PORT)
    return false;
  *entry = (uint8_t)(port - first);
  return true;
}

static void read_usual_rows(struct reading *reading) {
  struct ut_lines *lines = &reading->lines;
  const bool colon = reading->form == FDBS;
  if (reading->sw == UT_NO_NODE || reading->skips || lines->zeros || reading->form == CSV)
    return;
  while (lines->next + USUAL_SIZE < lines->end) {
    const char *row = lines->block + lines->next;
    const size_t left = lines->end - lines->next;
    const char *end = memchr(row + 8, '\n', (left < USUAL_LINE ? left : USUAL_LINE) - 8);
    if (!end || end < row + 13 || !enter_usual(reading, row, colon))
      return;
    reading->rows++;
    lines->line++;
    lines->next = (size_t)(end + 1 - lines->block);
  }
}

static int read_line(struct reading *reading) {
  const char *text = skip_blanks(reading->lines.text);
  if (text[0] == '0' && text[1] == 'x' && (reading->form == DUMP || reading->form == FDBS))
    return read_row(reading, text);
  if (!*text || *text == '#')
    return 0;
  if (reading->form == UNKNOWN)
    reading->form = begins(text, dump_header)                                 ? DUMP
                    : begins(text, fdbs_header) || begins(text, older_header) ? FDBS
                    : strchr(text, ',')                                       ? CSV
                                                                              : UNKNOWN;
  if (reading->form == UNKNOWN)
    return fail_at(reading, text,
                   "these are no tables: opensm-lfts.dump, the output of dump_lfts.sh, *.fdbs and CSV "
                   "(switch,destination,port) are read%s",
                   "");
  return reading->form == CSV ? read_csv_line(reading, text) : read_lid_line(reading, text);
}

/* ---- the file */

/* Finds the nodes of LIDs, and the ports with a cable.  0, or -1 when out of memory. */
static int survey(struct reading *reading) {
  const struct ut_graph *graph = reading->graph;
  reading->node_of = malloc(LIDS * sizeof *reading->node_of);
  reading->used = calloc(graph->nodes, sizeof *reading->used);
  if (!reading->node_of || !reading->used)
    return -1;
  memset(reading->node_of, 0xff, LIDS * sizeof *reading->node_of);
  for (uint32_t i = 0; i < graph->nodes; i++) {
    const struct ut_graph_node *node = &graph->node[i];
    if (node->lid)
      reading->node_of[node->lid] = i;
    if (node->terminal)
      continue;
    reading->used[i] = calloc(node->ports + 1u, 1);
    if (!reading->used[i])
      return -1;
  }
  for (uint32_t i = 0; i < graph->channels; i++)
    if (!graph->node[graph->channel[i].from].terminal)
      reading->used[graph->channel[i].from][graph->channel[i].from_port] = 1;
  return 0;
}

/* Each switch has a table, and where tables go by LIDs each terminal has one. */
static int check_complete(const struct reading *reading) {
  const struct ut_graph *graph = reading->graph;
  if (reading->form == UNKNOWN)
    return ut_fail(reading->e, UT_BAD_INPUT, "%s: the file is empty: it should hold tables of switches",
                   reading->lines.path);
  for (uint32_t i = 0; i < graph->nodes; i++) {
    if (!graph->node[i].terminal && !reading->tables->of[i].line && !reading->old)
      return ut_fail(reading->e, UT_BAD_INPUT,
                     "%s: no table of '%s', a switch of '%s': the two files must be of one fabric", reading->lines.path,
                     graph->node[i].name, graph->path);
    if (reading->form != CSV && graph->node[i].terminal && !graph->node[i].lid)
      return ut_fail(reading->e, UT_BAD_INPUT,
                     "%s: rows go by LIDs, and '%s' has none in '%s': take what ibnetdiscover prints as the network",
                     reading->lines.path, graph->node[i].name, graph->path);
  }
  return 0;
}

static int read_all(struct reading *reading, const char *path) {
  struct stat stat;
  if (ut_lines_open(&reading->lines, path, "tables", UT_LIMIT_GRAPH_LINE_BYTES, reading->e))
    return -1;
  if (!fstat(fileno(reading->lines.stream), &stat) && stat.st_size > MOST_BYTES)
    return ut_fail(reading->e, UT_BAD_INPUT, "%s: more than %d MB; is this the right file?", path, MOST_BYTES >> 20);
  int more;
  while ((more = ut_lines_next(&reading->lines, reading->e)) > 0) {
    if (read_line(reading))
      return -1;
    read_usual_rows(reading);
  }
  return more < 0 || refuse_empty(reading) || check_complete(reading) ? -1 : 0;
}

static struct ut_switch_tables *read_tables(const char *path, const struct ut_graph *graph, bool old,
                                            struct ut_error *e) {
  struct ut_switch_tables *tables = ut_switch_tables_new(graph);
  struct reading reading = {.tables = tables, .graph = graph, .e = e, .sw = UT_NO_NODE, .old = old};
  int result = tables && !survey(&reading) ? read_all(&reading, path) : ut_fail_memory(e);
  if (reading.lines.path)
    ut_lines_close(&reading.lines);
  for (uint32_t i = 0; reading.used && i < graph->nodes; i++)
    free(reading.used[i]);
  free(reading.used);
  free(reading.node_of);
  if (!result)
    return tables;
  ut_switch_tables_free(tables);
  return NULL;
}

struct ut_switch_tables *ut_switch_tables_read(const char *path, const struct ut_graph *graph, struct ut_error *e) {
  return read_tables(path, graph, false, e);
}

struct ut_switch_tables *ut_switch_tables_read_old(const char *path, const struct ut_graph *graph, struct ut_error *e) {
  return read_tables(path, graph, true, e);
}

struct ut_switch_tables *ut_switch_tables_new(const struct ut_graph *graph) {
  struct ut_switch_tables *tables = calloc(1, sizeof *tables);
  if (!tables)
    return NULL;
  tables->graph = graph;
  tables->of = calloc(graph->nodes + 1, sizeof *tables->of);
  bool enough = tables->of;
  for (uint32_t i = 0; enough && i < graph->nodes; i++) {
    if (graph->node[i].terminal)
      continue;
    uint8_t *port = tables->of[i].port = malloc(graph->nodes);
    enough = port;
    if (port)
      memset(port, UT_NO_TABLE_PORT, graph->nodes);
  }
  if (enough)
    return tables;
  ut_switch_tables_free(tables);
  return NULL;
}

void ut_switch_tables_free(struct ut_switch_tables *tables) {
  if (!tables)
    return;
  for (uint32_t i = 0; tables->of && i < tables->graph->nodes; i++)
    free(tables->of[i].port);
  free(tables->of);
  free(tables);
}
