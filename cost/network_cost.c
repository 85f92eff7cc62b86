/* network_cost.c - switches, links and crosspoints of a whole network, and RUFT's analytic counts.  See cost.h. */
#include <string.h>

#include "cost.h"
#include "topology.h"

void ut_cost_analytic(unsigned k, unsigned n, struct ut_analytic out[UT_ANALYTIC]) {
  uint64_t terminals = 1, kk = (uint64_t)k * k;
  for (unsigned i = 0; i < n; i++)
    terminals *= k;
  uint64_t stage = terminals / k; /* switches */
  /* The first and the last stage of FT-RUFT-212 are k x 2k and 2k x k; with one stage it is both. */
  uint64_t ends = n > 1 ? 2 * stage * 2 * kk : stage * 4 * kk;
  const struct ut_analytic all[UT_ANALYTIC] = {
      {"fta", 2 * n * terminals, n * stage * 3 * kk},
      {"ruft", (n + 1) * terminals, n * stage * kk},
      {"ruft_pl", 2 * (n + 1) * terminals, n * stage * 4 * kk},
      {"ft_ruft_212", (n + 3) * terminals, ends + (n > 2 ? (n - 2) * stage * kk : 0)},
      {"ft_ruft_222", 2 * (n + 1) * terminals, n * stage * 4 * kk},
  };
  memcpy(out, all, sizeof all);
}

json_t *ut_cost_network(const struct ut_scenario *s, uint64_t crosspoints, double area_nand2, struct ut_error *e) {
  struct ut_analytic analytic[UT_ANALYTIC];
  struct ut_topology t;
  if (ut_topology_init(&t, s, e))
    return NULL;
  json_t *j = json_pack("{s:I,s:I,s:I,s:I,s:f}", "switches", (json_int_t)t.switches, "terminals",
                        (json_int_t)t.terminals, "links", (json_int_t)(2 * (t.links + t.terminals)), "crosspoints",
                        (json_int_t)(crosspoints * t.switches), "nand2_equivalents", area_nand2 * t.switches);
  ut_topology_free(&t);
  if (s->topology.dimensions) { /* RUFT counts no tori */
    json_object_set_new(j, "switching_elements", json_null());
    return j;
  }
  ut_cost_analytic(s->topology.k, s->topology.n, analytic);
  json_object_set_new(j, "switching_elements", json_integer((json_int_t)analytic[0].switching_elements));
  json_t *list = json_array();
  for (unsigned i = 0; i < UT_ANALYTIC; i++)
    json_array_append_new(list, json_pack("{s:s,s:I,s:I}", "topology", analytic[i].topology, "links",
                                          (json_int_t)analytic[i].links, "switching_elements",
                                          (json_int_t)analytic[i].switching_elements));
  json_object_set_new(j, "analytic", list);
  return j;
}
