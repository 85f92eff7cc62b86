/* scenario_section.c - a run of a scenario, as a section of a page. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "network.h"
#include "page_source.h"
#include "plane_bypass.h"
#include "planned_routes.h"

static struct ut_scenario *load(const struct ut_page_source *s, struct ut_error *e) {
  struct ut_scenario *scenario = ut_scenario_parse(s->text, s->length, s->path, e);
  if (scenario && !ut_bypass_planes(scenario, e) && !ut_plan_scenario(scenario, e))
    return scenario;
  ut_scenario_free(scenario);
  return NULL;
}

int ut_scenario_section(struct ut_html_page *p, const struct ut_page_source *s, struct ut_page_options *o,
                        struct ut_error *e) {
  struct ut_scenario *scenario = load(s, e);
  if (!scenario)
    return -1;
  (void)o;
  char name[UT_NETWORK_NAME_SIZE], command[1024];
  snprintf(command, sizeof command, "./uturn run %.900s --json", s->path);
  const struct ut_html_command commands[] = {{"packets, throughput, latency", command}};
  json_t *data = json_pack("{s:s}", "network", ut_scenario_network(scenario, name));
  const struct ut_html_section section = {.type = "player",
                                          .title = scenario->name,
                                          .source = s->path,
                                          .text = s->text,
                                          .command = commands,
                                          .commands = 1,
                                          .data = data};
  const int status = ut_html_page_add(p, &section, e);
  json_decref(data);
  ut_scenario_free(scenario);
  return status;
}
