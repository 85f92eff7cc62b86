/* SPDX-License-Identifier: Apache-2.0 */
/* route.c - `uturn route`: what a switch answers a packet, or all answers of a network, as text or JSON. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "excerpt.h"
#include "named_faults.h"
#include "number.h"
#include "plane_bypass.h"
#include "result.h"
#include "route_answers.h"
#include "scenario_read.h"
#include "topology.h"
#include "topology_build.h"

struct route_options {
  const char *path, *sw, *from, *dst;
  bool all, json;
  uint64_t rt;
  struct ut_texts fault;
};

#define UT_INPUT struct route_options
static const struct ut_option options[] = {
    UT_ONE_SCENARIO(path),
    UT_FAULT(fault),
    {"switch", 0, "S", "the switch: level.index, or its number", UT_TEXT(sw)},
    {"from", 0, "PORT:VC",
     "where the packet is: input port and VC, the channel that brought it as printed (\"+0.1\"), or inj: from a "
     "terminal",
     UT_TEXT(from)},
    {"dst", 0, "D", "the terminal that it goes to", UT_TEXT(dst)},
    {"rt", 0, "N", "its header's rt field; default 0", UT_NUMBER(rt), .most = (1 << UT_HEADER_RT_WIDTH) - 1},
    {"all", 0, NULL,
     "instead of one question every state that a packet can reach, whatever an adversary chooses; with --json, one "
     "object a line",
     UT_FLAG(all)},
    {"json", 0, NULL, "JSON on standard output, nothing else", UT_FLAG(json)},
    {0},
};

static int check(void *input, struct ut_error *e) {
  const struct route_options *options = input;
  if (options->all && (options->sw || options->from || options->dst))
    return ut_fail(e, UT_BAD_INPUT, "--all, or one question with --switch, --from and --dst");
  if (options->all && !options->json)
    return ut_fail(e, UT_BAD_INPUT, "--all is printed as JSON: add --json");
  if (!options->all && (!options->sw || !options->from || !options->dst))
    return ut_fail(e, UT_BAD_INPUT, "a question has --switch, --from and --dst; --all --json prints all answers");
  return 0;
}

const struct ut_syntax ut_syntax_route = {
    "SCENARIO",
    "Prints what a switch of SCENARIO's network answers a packet: the output channels it may take, which of them are "
    "escape channels, and the rule of the paper that gave them.  The scenario's faults that are never repaired are "
    "there, and those of --fault.",
    options, check};

/* ---- the question */

/* A whole number that ends where it should. */
static bool parse_number(const char *text, char end, uint32_t *value, const char **rest) {
  uint64_t n;
  if (!ut_number_read(&text, UINT32_MAX, &n) || *text != end)
    return false;
  *value = (uint32_t)n;
  *rest = text + (end != 0);
  return true;
}

static int find_switch(const struct route_options *options, const struct ut_topology *topo, uint32_t *sw,
                       struct ut_error *e) {
  const char *rest;
  char last[UT_SWITCH_NAME_SIZE];
  if (ut_parse_switch(options->sw, topo, sw) || (parse_number(options->sw, 0, sw, &rest) && *sw < topo->switches))
    return 0;
  return ut_fail(e, UT_BAD_INPUT, "--switch %s: there is no such switch; %s has 0 to %u, the last one is %s",
                 options->sw, options->path, (unsigned)(topo->switches - 1),
                 ut_topology_switch_name(topo, topo->switches - 1, last));
}

/* The first input VC that goes by that name, or the one of that number. */
static int find_from(const struct route_options *options, const struct ut_explorer *explorer, uint32_t sw,
                     unsigned *port, unsigned *vc, struct ut_error *e) {
  char text[UT_CHANNEL_NAME_SIZE];
  uint32_t wanted_port, wanted_vc;
  const char *rest;
  const bool numbers =
      parse_number(options->from, ':', &wanted_port, &rest) && parse_number(rest, 0, &wanted_vc, &rest);
  for (*port = 0; *port < explorer->topology->pi; ++*port) {
    if (ut_explorer_feeder(explorer, sw, *port).kind == UT_PEER_NONE)
      continue;
    for (*vc = 0; *vc < explorer->v; ++*vc)
      if (numbers ? *port == wanted_port && *vc == wanted_vc
                  : !strcmp(ut_route_from_name(explorer, sw, *port, *vc, text), options->from))
        return 0;
  }
  char name[UT_SWITCH_NAME_SIZE];
  return ut_fail(e, UT_BAD_INPUT,
                 "--from %s: switch %s has no such input; it is PORT:VC with VC 0 to %u and a port that has a link, "
                 "the name of a channel, or inj at a terminal",
                 options->from, ut_topology_switch_name(explorer->topology, sw, name), explorer->v - 1);
}

static int find_destination(const struct route_options *options, const struct ut_topology *topo, uint32_t *dst,
                            struct ut_error *e) {
  const char *rest;
  if (parse_number(options->dst, 0, dst, &rest) && *dst < topo->terminals)
    return 0;
  return ut_fail(e, UT_BAD_INPUT, "--dst %s: there is no such terminal; %s has terminals 0 to %u", options->dst,
                 options->path, (unsigned)(topo->terminals - 1));
}

/* ---- output */

/* The names of channels, by port and VC, each once: several VCs can have one name. */
static json_t *names(const struct ut_explorer *explorer, uint32_t sw, const ut_mask *set) {
  json_t *list = json_array();
  for (unsigned port = 0; port < explorer->topology->po; port++)
    for (unsigned vc = 0; vc < explorer->v; vc++) {
      char text[UT_CHANNEL_NAME_SIZE];
      bool known = !(set[vc] >> port & 1);
      ut_route_channel_name(explorer, sw, port, vc, text);
      for (size_t i = 0; i < json_array_size(list); i++)
        known |= !strcmp(json_string_value(json_array_get(list, i)), text);
      if (!known)
        json_array_append_new(list, json_string(text));
    }
  return list;
}

static json_t *answer_json(const struct ut_explorer *explorer, const struct ut_route_answer *answer) {
  char from[UT_CHANNEL_NAME_SIZE];
  const struct ut_form *form = &explorer->group[0].form;
  const bool has_rt = form->rewrites || form->strips || answer->rt;
  return UT_OBJECT({"node", ut_int(answer->sw)}, {"destination", ut_int(answer->dst)},
                   {"from", ut_string(ut_route_from_name(explorer, answer->sw, answer->in_port, answer->in_vc, from))},
                   {"candidates", names(explorer, answer->sw, answer->cand)},
                   {"escape", names(explorer, answer->sw, answer->escape)}, {"rt", has_rt ? ut_int(answer->rt) : NULL});
}

/* One object a line, each once: several VCs or terminals can make the same one. */
static void print_all(const struct ut_route_answers *answers) {
  json_t *seen = json_object(); /* of this switch and destination */
  for (size_t i = 0; i < answers->answers; i++) {
    const struct ut_route_answer *answer = &answers->answer[i];
    if (i && (answer->sw != answer[-1].sw || answer->dst != answer[-1].dst))
      json_object_clear(seen);
    json_t *o = answer_json(&answers->explorer, answer);
    char *line = json_dumps(o, 0);
    if (line && !json_object_get(seen, line)) {
      puts(line);
      json_object_set_new(seen, line, json_true());
    }
    free(line);
    json_decref(o);
  }
  json_decref(seen);
}

static const char layout[] = "switch {_text}: packet to {destination} from {from} (port {_port} VC {_vc})\n"
                             "{?rule}"
                             "  rule       {rule}\n"
                             "{/}{?discard}"
                             "  nothing leads there: the packet is discarded\n"
                             "{/}{|_candidates}"
                             "  <|<\n"
                             "{channel}|port {port} VC {vc} to {to}{?escape}, escape{/}\n"
                             "{/}";

static json_t *candidates_json(const struct ut_explorer *explorer, const struct ut_route_answer *answer) {
  const struct ut_topology *topo = explorer->topology;
  char text[UT_SWITCH_TEXT_SIZE], channel[UT_CHANNEL_NAME_SIZE];
  json_t *list = json_array();
  for (unsigned port = 0; port < topo->po; port++)
    for (unsigned vc = 0; vc < explorer->v; vc++) {
      const struct ut_peer *to = &topo->peer[(size_t)answer->sw * topo->po + port];
      if (answer->cand[vc] >> port & 1)
        json_array_append_new(
            list,
            UT_OBJECT({"channel", ut_string(ut_route_channel_name(explorer, answer->sw, port, vc, channel))},
                      {"port", ut_int(port)}, {"vc", ut_int(vc)},
                      {"to", to->kind == UT_PEER_SWITCH ? ut_string(ut_topology_switch_text(topo, to->index, text))
                                                        : ut_format("terminal %u", (unsigned)to->index)},
                      {"escape", json_boolean(answer->escape[vc] >> port & 1)}));
    }
  return list;
}

static void print(const struct ut_explorer *explorer, const struct ut_route_answer *answer, bool json) {
  char name[UT_SWITCH_NAME_SIZE], text[UT_SWITCH_TEXT_SIZE];
  ut_result_print(UT_ADD(answer_json(explorer, answer),
                         {"switch", ut_string(ut_topology_switch_name(explorer->topology, answer->sw, name))},
                         {"_text", ut_string(ut_topology_switch_text(explorer->topology, answer->sw, text))},
                         {"_port", ut_int(answer->in_port)}, {"_vc", ut_int(answer->in_vc)},
                         {"discard", json_boolean(answer->discard)}, {"rule", ut_string(answer->rule)},
                         {"_candidates", candidates_json(explorer, answer)}),
                  json, 17, layout);
}

/* ---- the command */

static int answer(const struct route_options *options, struct ut_route_answers *answers, struct ut_error *e) {
  struct ut_route_answer route_answer;
  uint32_t sw = 0, dst = 0;
  unsigned port = 0, vc = 0; /* not every compiler sees that they are set */
  if (options->all) {
    if (ut_route_answers_all(answers, e))
      return ut_print_error(e);
    print_all(answers);
    return UT_OK;
  }
  if (find_switch(options, answers->explorer.topology, &sw, e) ||
      find_from(options, &answers->explorer, sw, &port, &vc, e) ||
      find_destination(options, answers->explorer.topology, &dst, e))
    return ut_print_error(e);
  ut_route_answers_ask(answers, sw, port, vc, dst, (uint32_t)options->rt, &route_answer);
  print(&answers->explorer, &route_answer, options->json);
  return UT_OK;
}

int ut_cmd_route(int argc, char **argv) {
  struct route_options options = {0};
  struct ut_route_answers answers;
  struct ut_error e;
  int status;
  if (ut_parse(&ut_syntax_route, argc, argv, &options, &status))
    return status;
  struct ut_scenario *scenario = ut_scenario_load(options.path, &e);
  if (!scenario)
    return ut_print_error(&e);
  if (ut_scenario_add_faults(scenario, options.fault.text, options.fault.count, &e) || ut_bypass_planes(scenario, &e)) {
    ut_scenario_free(scenario);
    return ut_print_error(&e);
  }
  if (ut_route_answers_init(&answers, scenario, ut_scenario_topology(scenario), &e)) {
    status = ut_print_error(&e);
  } else {
    status = answer(&options, &answers, &e);
    ut_route_answers_free(&answers);
  }
  ut_scenario_free(scenario);
  return status;
}
