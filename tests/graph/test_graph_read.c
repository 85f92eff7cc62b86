/* SPDX-License-Identifier: Apache-2.0 */
/* test_graph_read.c - networks in the three forms of files, and tables of their switches: what is read of each, and
 * what is refused, with the place and the remedy. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "graph_read.h"
#include "path_layers.h"
#include "switch_tables.h"

static char path[] = "/tmp/uturn-graph-XXXXXX";

static void write_file(const char *text) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  assert_int_equal(fclose(f), 0);
}

static struct ut_graph *read_text(const char *text, unsigned local) {
  struct ut_error e = {0};
  write_file(text);
  struct ut_graph *graph = ut_graph_read(path, local, &e);
  if (!graph)
    fail_msg("%s\nis not read: %s", text, e.text);
  return graph;
}

static uint32_t node(const struct ut_graph *graph, const char *name) {
  const uint32_t found = ut_graph_find(graph, name);
  if (found == UT_NO_NODE)
    fail_msg("there is no node '%s'", name);
  return found;
}

/* Says where a channel leads: "leaf1:4 2", port and cycles; "-": there is none. */
static const char *leads(const struct ut_graph *graph, const char *from, unsigned port, char text[96]) {
  strcpy(text, "-");
  for (uint32_t i = 0; i < graph->channels; i++) {
    const struct ut_graph_channel *channel = &graph->channel[i];
    if (channel->from == node(graph, from) && channel->from_port + graph->first_port == port)
      snprintf(text, 96, "%s:%u %u", graph->node[channel->to].name, channel->to_port + graph->first_port,
               channel->cycles);
  }
  return text;
}

#define LEADS(graph, from, port, to)                                                                                   \
  do {                                                                                                                 \
    char text[96];                                                                                                     \
    assert_string_equal(leads(graph, from, port, text), to);                                                           \
  } while (0)

/* Two leaves with a terminal each, two cables between them. */
static const char node_list[] = "vendid=0x0\n"
                                "Switch\t4 \"S-0000000000200001\"\t\t# \"leaf0\" base port 0 lid 2 lmc 0\n"
                                "[2]\t\"H-0000000000100000\"[1](100001)\t\t# \"host0\" lid 1 4xSDR\n"
                                "[3]\t\"S-0000000000200002\"[1]\t\t# \"leaf1\" lid 3 4xSDR\n"
                                "[4]\t\"S-0000000000200002\"[2]\n"
                                "\n"
                                "Switch\t4 \"S-0000000000200002\"\t\t# \"leaf1\" base port 0 lid 3 lmc 0\n"
                                "[1]\t\"S-0000000000200001\"[3]\n"
                                "[4]\t\"H-0000000000100002\"[1](100003)\n"
                                "Ca\t1 \"H-0000000000100002\"\t\t# \"host1\"\n"
                                "[1](100003)\t\"S-0000000000200002\"[4]\t\t# lid 5 lmc 0 \"leaf1\" lid 3 4xSDR\n"
                                "Ca\t1 \"H-0000000000100000\"\t\t# \"host0\"\n"
                                "[1](100001)\t\"S-0000000000200001\"[2]\t\t# lid 1 lmc 0 \"leaf0\" lid 2 4xSDR\n";

static void reads_node_lists(void **state) {
  (void)state;
  struct ut_graph *graph = read_text(node_list, 0);
  assert_int_equal(graph->nodes, 4);
  assert_int_equal(graph->channels, 8);
  assert_int_equal(graph->first_port, 1);
  assert_int_equal(graph->node[node(graph, "leaf0")].ports, 4);
  assert_true(node(graph, "host0") < node(graph, "host1")); /* by switch, not by line */
  assert_int_equal(graph->node[node(graph, "S-0000000000200002")].lid, 3);
  assert_int_equal(graph->node[node(graph, "host1")].lid, 5);
  assert_int_equal(graph->node[node(graph, "host1")].guid, 0x100003);
  LEADS(graph, "leaf0", 2, "host0:1 0");
  LEADS(graph, "leaf0", 3, "leaf1:1 0");
  LEADS(graph, "leaf1", 2, "leaf0:4 0"); /* said at the other end only */
  LEADS(graph, "leaf0", 1, "-");
  assert_true(ut_graph_is_bidirectional(graph));
  ut_graph_free(graph);
}

/* What ibnetdiscover prints may begin with any of its lines. */
static void first_lines(void **state) {
  static const char *const first[] = {"devid=0x0", "sysimgguid=0x200001", "switchguid=0x200001(200001)", "caguid=0x1"};
  (void)state;
  for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
    char text[2048];
    snprintf(text, sizeof text, "%s\n%s", first[i], node_list);
    struct ut_graph *graph = read_text(text, 0);
    assert_int_equal(graph->nodes, 4);
    ut_graph_free(graph);
  }
}

/* An adapter with two cables is two terminals. */
static void several_ports(void **state) {
  (void)state;
  struct ut_graph *graph = read_text("Hca 2 \"H0\"\n[1] \"s0\"[1]\n[2] \"s1\"[1]\n"
                                     "Switch 3 \"s0\"\n[2] \"s1\"[2]\nSwitch 3 \"s1\"\n",
                                     0);
  LEADS(graph, "s0", 1, "H0/1:1 0");
  LEADS(graph, "s1", 1, "H0/2:1 0");
  ut_graph_free(graph);
}

/* The latency back is that of the other line, or 1; a router that is named twice is joined by two cables. */
static void reads_anynet(void **state) {
  (void)state;
  struct ut_graph *graph = read_text("router 0 node 0 node 1 5 router 1 15 router 2 router 2 3\n"
                                     "router 1 router 0 4 node 2\n"
                                     "node 3 router 2\n",
                                     0);
  assert_int_equal(graph->nodes, 7);
  LEADS(graph, "router0", 0, "node0:0 1");
  LEADS(graph, "router0", 1, "node1:0 5");
  LEADS(graph, "node1", 0, "router0:1 5");
  LEADS(graph, "router0", 2, "router1:0 15");
  LEADS(graph, "router1", 0, "router0:2 4");
  LEADS(graph, "router0", 4, "router2:2 3");
  LEADS(graph, "router2", 1, "router0:3 1");
  LEADS(graph, "router2", 2, "router0:4 1");
  assert_true(ut_graph_is_bidirectional(graph));
  ut_graph_free(graph);
}

#define GRAPHML(keys, kind, body)                                                                                      \
  "<?xml version=\"1.0\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n" keys                          \
  "<graph edgedefault=\"" kind "\">\n" body "</graph>\n</graphml>\n"
#define KEYS                                                                                                           \
  "<key id=\"k\" for=\"node\" attr.name=\"kind\" attr.type=\"string\"/>\n"                                             \
  "<key id=\"t\" for=\"node\" attr.name=\"terminals\" attr.type=\"int\"/>\n"                                           \
  "<key id=\"l\" for=\"edge\" attr.name=\"latency\" attr.type=\"int\"/>\n"

static void reads_graphml(void **state) {
  (void)state;
  struct ut_graph *graph = read_text(GRAPHML(KEYS, "undirected",
                                             "<node id=\"a\"><data key=\"t\">2</data></node>\n"
                                             "<node id=\"b\"/>\n"
                                             "<node id=\"h\"><data key=\"k\">host</data></node>\n"
                                             "<edge source=\"a\" target=\"b\"><data key=\"l\">7</data></edge>\n"
                                             "<edge source=\"b\" target=\"a\" sourceport=\"5\"/>\n"
                                             "<edge source=\"h\" target=\"b\"/>\n"),
                                     0);
  LEADS(graph, "a", 0, "b:0 7");
  LEADS(graph, "b", 5, "a:1 0");
  LEADS(graph, "h", 0, "b:1 0");
  LEADS(graph, "a", 3, "a.1:0 0");
  assert_true(ut_graph_is_bidirectional(graph));
  ut_graph_free(graph);

  graph = read_text(GRAPHML(KEYS, "directed",
                            "<node id=\"a\"/>\n<node id=\"b\"/>\n<node id=\"c\"/>\n"
                            "<edge source=\"a\" target=\"b\"/>\n<edge source=\"b\" target=\"c\"/>\n"
                            "<edge source=\"b\" target=\"a\"/>\n<edge source=\"c\" target=\"a\"/>\n"),
                    1);
  LEADS(graph, "a", 0, "b:0 0");
  LEADS(graph, "b", 0, "a:0 0"); /* the channel back of the first cable */
  LEADS(graph, "c", 0, "a:1 0");
  assert_false(ut_graph_is_bidirectional(graph));
  ut_graph_free(graph);
}

/* CRLF, tabs, a byte order mark, no newline at the end. */
static void reads_what_editors_make(void **state) {
  (void)state;
  struct ut_graph *graph = read_text("\xef\xbb\xbfrouter 0\tnode 0  router 1\r\n\r\n# comment\r\nrouter 1 node 1", 0);
  assert_int_equal(graph->nodes, 4);
  ut_graph_free(graph);
}

static void refuses(void **state) {
  (void)state;
  static const struct {
    const char *text, *message; /* behind the name of the file */
  } cases[] = {
      {"", ": the file is empty: a node list"},
      {"# nothing\n\n", ": the file is empty"},
      {"hello world\n", ":1:1: this is no network"},
      {"router 0 node 0 node 1 node 3\n", ": there is no node 2: they must be numbered from 0 to 3 without gaps"},
      {"router 0 node 0 router 2\nrouter 2 node 1\n", ": there is no router 1"},
      {"router 0 node 0 router 1 0\nrouter 1 node 1\n", ":1:26: a latency is 1..255 cycles"},
      {"router 0 node 0 router 1 256\nrouter 1 node 1\n", ":1:26: a latency is 1..255 cycles"},
      {"node 0 node 1\n", ":1:8: node 0 is joined to node 1: a router must be between them"},
      {"router 0 node 0 router 1\nrouter 1 node 0\n", ":2:1: node 0 is joined to router 0 already, in line 1"},
      {"router 0 node 0 switch 1\n", ":1:17: expected 'router' or 'node', not 'switch'"},
      {"router 0 node 0 router\n", ":1:23: expected the number of a router"},
      {"router 0 node 0 router 0\n", ":1:1: router 0 is joined to itself"},
      {"router 0 node 0\n", ": one terminal: a network has at least two"},
      {"router 0 router 1\n", ": no terminals: name them in the file, or give each switch some with 'local_ports'"},
      {"router 0 node 0 node 1\nrouter 1 node 2 router 2\n", NULL}, /* in two parts */

      {"Switch 4 \"s0\"\n[0] \"s1\"[1]\n", ":2:1: port 0 is that of the switch itself"},
      {"Switch 4 \"s0\"\n[255] \"s1\"[1]\n", ":2:1: expected a port, 1..254"},
      {"Switch 4 \"s0\"\n[5] \"s1\"[1]\n", ":2:1: 's0' has 4 ports, this is port 5"},
      {"Switch 4 \"s0\"\n[1] \"s1\"[1]\n", ":2: port 1 of 's0' is joined to 's1', which the file does not have"},
      {"Switch 4 \"s0\"\n[1] \"s0\"[2]\n", ":2: 's0' is joined to itself"},
      {"Switch 4 \"s0\"\n[1] \"s1\"[1]\n[1] \"s1\"[2]\nSwitch 4 \"s1\"\n",
       ":3: port 1 of 's0' has a cable already, in line 2"},
      {"Switch 4 \"s0\"\n[1] \"s1\"[1]\nSwitch 4 \"s1\"\n[1] \"s0\"[2]\n",
       ":4: the two ends disagree: port 1 of 's1' is joined to port 1 of 's0' in line 2"},
      {"Switch 4 \"s0\"\nSwitch 4 \"s0\"\n", ":2: another node is called 's0' already, in line 1: rename one of them"},
      {"Switch 4 \"s0\" # \"x\"\nSwitch 4 \"s1\" # \"x\"\n", ":2: another node is called 'x' already, in line 1"},
      {"Switch 4 \"s0\" # \"s0\" base port 0 lid 0 lmc 0\n", ":1:34: a LID is 1..49151"},
      {"Switch 4 \"s0\" # \"s0\" lid 49152 lmc 0\n", ":1:22: a LID is 1..49151"},
      {"Switch 4 \"s0\" # \"a\" lid 7\n[1] \"h\"[1]\n[2] \"s1\"[1]\nSwitch 2 \"s1\" # \"b\" lid 7\n[2] \"g\"[1]\n"
       "Ca 1 \"h\"\nCa 1 \"g\"\n",
       ":4: 'b' has LID 7, which 'a' has, too"},
      {"Switch 2 \"s\"\n[1] \"a\"[1](7)\n[2] \"b\"[1](7)\nCa 1 \"a\"\n[1](7) \"s\"[1]\nCa 1 \"b\"\n[1](7) \"s\"[2]\n",
       ":6: 'b' has GUID 0x7, which 'a' has, too"},
      {"Rt 2 \"r\"\n", ":1:1: a router between subnets"},
      {"[1] \"s1\"[1]\n", ":1:1: a port before any node"},
      {"Switch 4 \"s0\"\nCa 1 \"h0\"\nCa 1 \"h1\"\n", ":2: terminal 'h0' is joined to no switch"},
      {"Ca 1 \"h0\"\n[1] \"h1\"[1]\nCa 1 \"h1\"\n", ":2: terminals 'h0' and 'h1' are joined without a switch"},
      {"Switch 4 \"s0\"\nnonsense\n", ":2:1: expected a node, as Switch 4 \"s0\", or a port"},

      {"<graphml><graph edgedefault=\"directed\"></graphml>", ":1: this is no XML"},
      {"<svg/>", ":1: expected the element 'graphml', not 'svg'"},
      {"<graphml/>", ":1: there is no element 'graph'"},
      {"<!DOCTYPE x [<!ENTITY a \"b\">]>\n<graphml/>", ":2: a document type declaration, which is not read"},
      {GRAPHML("", "mixed", ""), ":3: a graph needs edgedefault=\"directed\" or \"undirected\""},
      {GRAPHML("", "undirected", "<node/>\n"), ":4: a node without an id"},
      {GRAPHML("", "undirected", "<node id=\"a\"/>\n<edge source=\"a\" target=\"b\"/>\n"),
       ":5: expected the id of a node, not 'b'"},
      {GRAPHML("", "undirected", "<node id=\"a\"/>\n<edge source=\"a\"/>\n"),
       ":5: an edge needs both 'source' and 'target'"},
      {GRAPHML("", "undirected",
               "<node id=\"a\"/>\n<node id=\"b\"/>\n<edge source=\"a\" target=\"b\" directed=\"true\"/>\n"),
       ":6: a directed edge in an undirected graph"},
      {GRAPHML(KEYS, "undirected",
               "<node id=\"a\"/>\n<node id=\"b\"/>\n<edge source=\"a\" target=\"b\"><data key=\"l\">0</data></edge>\n"),
       ":9: expected a whole number, 1..255, not '0'"},
      {GRAPHML(KEYS, "undirected",
               "<node id=\"a\"/>\n<node id=\"b\"/>\n<node id=\"h\"><data key=\"k\">host</data></node>\n"
               "<edge source=\"a\" target=\"h\"/>\n<edge source=\"b\" target=\"h\"/>\n"),
       ":11: terminal 'h' is joined to several switches: make it several terminals"},
      {GRAPHML("", "undirected", "<node id=\"a\"><graph edgedefault=\"directed\"/></node>\n"),
       ":4: a graph within a node"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct ut_error e = {0};
    char expected[400];
    write_file(cases[i].text);
    struct ut_graph *graph = ut_graph_read(path, 0, &e);
    if (graph && cases[i].message)
      fail_msg("%s\nis read, expected: %s", cases[i].text, cases[i].message);
    ut_graph_free(graph);
    if (!cases[i].message)
      continue;
    snprintf(expected, sizeof expected, "%s%s", path, cases[i].message);
    if (strncmp(e.text, expected, strlen(expected)) || e.code != UT_BAD_INPUT)
      fail_msg("%s\nis refused with status %d:\n%s\nexpected:\n%s ...", cases[i].text, (int)e.code, e.text, expected);
  }
  struct ut_error e = {0};
  assert_null(ut_graph_read("/tmp", 0, &e));
  assert_null(ut_graph_read("/nowhere/at.all", 0, &e));
}

/* ---- tables */

#define LEAF0 "Unicast lids [0-5] of switch Lid 2 guid 0x0000000000200001 ('leaf0'):\n"
#define LEAF1 "Unicast lids [0-5] of switch Lid 3 guid 0x0000000000200002 ('leaf1'):\n"
#define FDBS(n) "dump_ucast_routes: Switch 0x000000000020000" #n "\nLID    : Port : Hops : Optimal\n"

/* The same tables in all forms, the last one without a way from leaf1 to host0. */
static void reads_tables(void **state) {
  (void)state;
  static const char *const texts[] = {
      LEAF0 "0x0001 002 # Channel Adapter portguid 0x0000000000100001: 'host0'\n0x0002 000 # Switch\n0x0005 004\n"
            "0x0009 001 # a LID that no node has\n3 lids dumped\n" LEAF1 "0x0001 001\n0x0005 004\n",
      "Unicast lids [0x0-0x5] of switch DR path slid 0; dlid 0; 0,1 guid 0x0000000000200002 (leaf1):\n  Lid  Out   "
      "Destination\n       Port     Info \n0x0001 001 : (host0)\r\n0x0005 004\n"
      "Unicast lids [0x0-0x5] of switch DR path 0 guid 0x0 (leaf0):\n0x0001 002\n0x0005 004\n*** WARNING ***: old\n",
      FDBS(1) "0x0001 : 002  : 01   : yes\n0x0005 : 004  : 01   : yes\n" FDBS(
          2) "0x0001 : 001  : 01   : yes\n0x0005 : 004  : 00   : yes\n",
      "switch,destination,port\nleaf0,host0,2\nleaf0, host1 ,4\nleaf1,host0,1\nleaf1,H-0000000000100002,4\n",
      FDBS(1) "0x0001 : 002  : 01   : yes\n0x0005 : 004  : 01   : yes\n" FDBS(
          2) "0x0001 : UNREACHABLE\n0x0005 : 004  : 00   : yes\n",
  };
  struct ut_graph *graph = read_text(node_list, 0);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct ut_error e = {0};
    write_file(texts[i]);
    struct ut_switch_tables *tables = ut_switch_tables_read(path, graph, &e);
    if (!tables)
      fail_msg("%s\nis not read: %s", texts[i], e.text);
    const uint32_t leaf[] = {node(graph, "leaf0"), node(graph, "leaf1")};
    const unsigned far = i == 4 ? UT_NO_TABLE_PORT : 0;
    assert_int_equal(ut_switch_tables_port(tables, leaf[0], node(graph, "host0")), 1);
    assert_int_equal(ut_switch_tables_port(tables, leaf[0], node(graph, "host1")), 3);
    assert_int_equal(ut_switch_tables_port(tables, leaf[1], node(graph, "host0")), far);
    assert_int_equal(ut_switch_tables_port(tables, leaf[1], node(graph, "host1")), 3);
    ut_switch_tables_free(tables);
  }
  ut_graph_free(graph);
}

static void refuse_tables(const struct ut_graph *graph, const char *text, const char *message) {
  struct ut_error e = {0};
  char expected[400];
  write_file(text);
  snprintf(expected, sizeof expected, "%s%s", path, message);
  struct ut_switch_tables *tables = ut_switch_tables_read(path, graph, &e);
  if (tables || strncmp(e.text, expected, strlen(expected)) || e.code != UT_BAD_INPUT)
    fail_msg("%s\n%s, status %d:\n%s\nexpected:\n%s ...", text, tables ? "is read" : "is refused", (int)e.code, e.text,
             expected);
}

static void refuses_tables(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      /* text; message behind the name of the file */
      {"", ": the file is empty"},
      {"hello\n", ":1:1: these are no tables"},
      {LEAF0 LEAF1, ":1: the table of 'leaf0' has no rows: give it some, or take it away"},
      {LEAF0 "0x0001 002\n" LEAF1 "1 lids dumped\n", ":3: the table of 'leaf1' has no rows"},
      {LEAF0 "0x0001 002\n" LEAF0 "0x0001 002\n", ":3:1: 'leaf0' has a table already, in line 1"},
      {LEAF0 "0x0001 002\n", ": no table of 'leaf1', a switch of '"},
      {"Unicast lids [0-5] of switch Lid 2 guid 0x99 ('x'):\n", ":1:41: the table of a switch that the network '"},
      {LEAF0 "0x0001 002\n0x0001 003\n", ":3:8: 'leaf0' sends packets for 'host0' to port 2 already"},
      {LEAF0 "0x0001 001\n", ":2:8: port 1 of 'leaf0' has no cable: it has 4 ports"},
      {LEAF0 "0x0001 017\n", ":2:8: port 17 of 'leaf0' has no cable: it has 4 ports"},
      {LEAF0 "0x0001 255\n", ":2:8: port 255 is none: where 'leaf0' has no way to a destination leave its row away"},
      {LEAF0 "0x0001 000\n", ":2:8: port 0 is 'leaf0' itself: only its own address has it"},
      {LEAF0 "0x0001 2x\n", ":2:8: expected a port, 0..254"},
      {LEAF0 "0x0000 002\n", ":2:1: a LID is 0x1..0xbfff"},
      {LEAF0 "0xc000 002\n", ":2:1: a LID is 0x1..0xbfff"},
      {LEAF0 "nonsense\n", ":2:1: expected a row, as 0x0001 017, or a line 'Unicast lids ...'"},
      {FDBS(7), ":1:27: the table of a switch that the network '"},
      {"leaf0,host0\n", ":1:1: expected three cells, switch,destination,port"},
      {"leaf0,host0,2,1\n", ":1:1: expected three cells, switch,destination,port"},
      {"leaf9,host0,2\n", ":1:1: the network has no switch 'leaf9'"},
      {"host0,host1,2\n", ":1:1: the network has no switch 'host0'"},
      {"leaf0,host9,2\n", ":1:7: the network has no node 'host9'"},
      {"leaf0,host0,two\n", ":1:13: expected a port, 0..254"},
      {"leaf0,host0,2\n", ": no table of 'leaf1'"},
  };
  struct ut_graph *graph = read_text(node_list, 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    refuse_tables(graph, cases[i][0], cases[i][1]);
  ut_graph_free(graph);
  graph = read_text("Switch 2 \"s0\"\n[1] \"h0\"[1]\n[2] \"h1\"[1]\nCa 1 \"h0\"\nCa 1 \"h1\"\n", 0);
  refuse_tables(graph, "Unicast lids [0-5] of switch Lid 2 guid 0x7 (s0):\n0x0001 001\n",
                ": rows go by LIDs, and 'h0' has none in '");
  ut_graph_free(graph);
}

/* ---- path SLs and SL-to-VL tables */

static char sl2vl_path[] = "/tmp/uturn-graph-sl2vl";
#define SLS "0x0000000000100001 5 3\n0x0000000000100001 3 0\n0x0000000000100003 1 9\n"
#define VLS "Switch 0x0000000000200001, base LID 2, \"leaf0\"\n#in out : 0  1\n0   1   : "

static struct ut_path_layers *read_layers(const struct ut_graph *graph, const char *sls, const char *vls,
                                          struct ut_error *e) {
  FILE *f = fopen(sl2vl_path, "w");
  assert_non_null(f);
  fputs(vls ? vls : "", f);
  assert_int_equal(fclose(f), 0);
  write_file(sls);
  return ut_path_layers_read(path, vls ? sl2vl_path : NULL, graph, e);
}

/* host0 sends to host1 with SL 3, back with SL 9, which the VL table turns into VL 1. */
static void reads_path_layers(void **state) {
  (void)state;
  static const char *const refused[][3] = {
      /* path SLs, SL-to-VL table; message */
      {"0x0000000000100001 5 3\n", NULL, ": no SL from 'host1' to 'host0': every pair needs a row, none is assumed"},
      {"0x0000000000100001 5 16\n", NULL, ":1:22: an SL is 0..15"},
      {"0x0000000000100001 5 3\n0x0000000000100001 5 4\n", NULL, ":2:22: this pair has another SL already"},
      {"0x0000000000100009 5 3\n", NULL, ":1:1: no terminal has a port of that GUID"},
      {"0x0000000000100001\n", NULL, ":1:1: expected a port's GUID, a LID"},
      {SLS, VLS "0 1 2 3 4 5 6 7\n", ":3:1: 8 VLs, one for each of 16 SLs is expected"},
      {SLS, VLS "0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0\n", ":3:1: 17 VLs, one for each of 16 SLs is expected"},
      {SLS, VLS "0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 16\n", ":3:41: expected a VL, 0..15"},
      {SLS, VLS "0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7\n1 1 : 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
       ":4:1: not the VLs of the rows before"},
  };
  struct ut_graph *graph = read_text(node_list, 0);
  struct ut_error e = {0};
  for (unsigned i = 0; i < 2; i++) {
    struct ut_path_layers *layers = read_layers(graph, SLS, i ? VLS "0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7\n" : NULL, &e);
    if (!layers)
      fail_msg("%s", e.text);
    assert_int_equal(layers->terminals, 2);
    assert_int_equal(layers->layer[1], 3);
    assert_int_equal(layers->layer[2], i ? 1 : 9);
    assert_int_equal(layers->most, i ? 3 : 9);
    ut_path_layers_free(layers);
  }
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    char expected[400];
    struct ut_path_layers *layers = read_layers(graph, refused[i][0], refused[i][1], &e);
    snprintf(expected, sizeof expected, "%s%s", refused[i][1] ? sl2vl_path : path, refused[i][2]);
    if (layers || strncmp(e.text, expected, strlen(expected)) || e.code != UT_BAD_INPUT)
      fail_msg("%s%s:\n%s\nexpected:\n%s ...", refused[i][0], layers ? "is read" : "is refused", e.text, expected);
  }
  unlink(sl2vl_path);
  ut_graph_free(graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_node_lists),  cmocka_unit_test(first_lines),   cmocka_unit_test(several_ports),
      cmocka_unit_test(reads_anynet),      cmocka_unit_test(reads_graphml), cmocka_unit_test(reads_what_editors_make),
      cmocka_unit_test(refuses),           cmocka_unit_test(reads_tables),  cmocka_unit_test(refuses_tables),
      cmocka_unit_test(reads_path_layers),
  };
  const int file = mkstemp(path);
  if (file < 0)
    return 1;
  close(file);
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  return failed;
}
