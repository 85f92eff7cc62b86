/* SPDX-License-Identifier: Apache-2.0 */
/* graph_read.c - see graph_read.h */
#include "graph_read.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "graph_forms.h"
#include "input_limits.h"
#include "lines.h"

typedef int reader(struct ut_graph *graph, struct ut_error *e);

static bool begins(const char *text, const char *word) {
  return !strncmp(text, word, strlen(word));
}

/* Returns the reader of a file with such a line; NULL: the line does not tell. */
static reader *reader_of(const char *text) {
  static const char *const nodes[] = {
      "Switch", "Hca", "Ca", "Rt", "Router", "vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=", "["};
  text += strspn(text, " \t\r");
  if (*text == '<')
    return ut_graph_read_graphml;
  if (begins(text, "router") || begins(text, "node"))
    return ut_graph_read_anynet;
  for (unsigned i = 0; i < sizeof nodes / sizeof *nodes; i++)
    if (begins(text, nodes[i]))
      return ut_graph_read_node_list;
  return NULL;
}

static int refuse_form(const struct ut_lines *lines, bool empty, struct ut_error *e) {
  static const char known[] = "a node list (Switch 4 \"s0\"), an anynet file (router 0 node 0) and GraphML are read";
  return empty ? ut_fail(e, UT_BAD_INPUT, "%s: the file is empty: %s", lines->path, known)
               : ut_lines_fail(lines, 1, e, "this is no network: %s", known);
}

/* Returns the reader of that file; NULL and *e. */
static reader *find_reader(const char *path, struct ut_error *e) {
  struct ut_lines lines;
  struct stat stat;
  reader *found = NULL;
  int more = ut_lines_open(&lines, path, "network", UT_LIMIT_GRAPH_LINE_BYTES, e) ? -1 : 1;
  if (more > 0 && !fstat(fileno(lines.stream), &stat) && stat.st_size > UT_LIMIT_FILE_BYTES)
    more = ut_fail(e, UT_BAD_INPUT, "%s: more than %d MB; is this the right file?", path, UT_LIMIT_FILE_BYTES >> 20);
  while (more > 0 && (more = ut_lines_next(&lines, e)) > 0) {
    const char *text = lines.text + strspn(lines.text, " \t\r");
    if (!*text || *text == '#')
      continue;
    found = reader_of(text);
    if (!found)
      more = refuse_form(&lines, false, e);
    break;
  }
  if (more == 0)
    refuse_form(&lines, true, e);
  ut_lines_close(&lines);
  return found;
}

static int add_local(struct ut_graph *graph, unsigned local, struct ut_error *e) {
  const uint32_t switches = graph->nodes;
  for (uint32_t sw = 0; sw < switches; sw++)
    if (ut_graph_add_local(graph, sw, local, e))
      return -1;
  return 0;
}

static bool has_terminals(const struct ut_graph *graph) {
  for (uint32_t i = 0; i < graph->nodes; i++)
    if (graph->node[i].terminal)
      return true;
  return false;
}

struct ut_graph *ut_graph_read(const char *path, unsigned local, struct ut_error *e) {
  reader *read = find_reader(path, e);
  if (!read)
    return NULL;
  struct ut_graph *graph = ut_graph_new(path);
  int result = graph ? read(graph, e) : ut_fail_memory(e);
  if (!result && !has_terminals(graph))
    result = local ? add_local(graph, local, e)
                   : ut_fail(e, UT_BAD_INPUT,
                             "%s: no terminals: name them in the file, or give each switch some with 'local_ports' in "
                             "'topology', as in local_ports: 1",
                             path);
  if (!result)
    result = ut_graph_check(graph, e);
  if (!result)
    return graph;
  ut_graph_free(graph);
  return NULL;
}
