/* SPDX-License-Identifier: Apache-2.0 */
/* link_classes.c - see link_classes.h */
#include "link_classes.h"

#include <string.h>

bool ut_link_classes(const char *word, unsigned *classes) {
  static const struct {
    const char *word;
    unsigned classes;
  } words[] = {{"network", UT_CLASS_NETWORK},
               {"injection", UT_CLASS_INJECTION},
               {"ejection", UT_CLASS_EJECTION},
               {"terminal", UT_CLASS_INJECTION | UT_CLASS_EJECTION},
               {"all", UT_CLASS_NETWORK | UT_CLASS_INJECTION | UT_CLASS_EJECTION}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(word, words[i].word)) {
      *classes = words[i].classes;
      return true;
    }
  return false;
}

struct ut_link_range ut_links_of(const struct ut_topology *topo, unsigned classes) {
  const unsigned terminal = UT_CLASS_INJECTION | UT_CLASS_EJECTION;
  if (topo->bidirectional && classes & terminal) /* one link is both */
    classes |= terminal;
  const uint32_t injection = (uint32_t)topo->links,
                 ejection = injection + (topo->bidirectional ? 0 : topo->terminals * topo->injections),
                 end = ejection + topo->terminals * topo->ejections;
  const uint32_t first = classes & UT_CLASS_NETWORK ? 0 : classes & UT_CLASS_INJECTION ? injection : ejection;
  const uint32_t last = classes & UT_CLASS_EJECTION ? end : classes & UT_CLASS_INJECTION ? ejection : injection;
  return (struct ut_link_range){first, last - first};
}

uint32_t ut_link_channel(const struct ut_topology *topo, uint32_t link) {
  if (link < topo->links)
    return topo->link[link].lower * topo->po + topo->link[link].lower_port;
  const uint32_t of_terminals = link - (uint32_t)topo->links, injections = topo->terminals * topo->injections;
  if (topo->bidirectional)
    return topo->ejection[of_terminals];
  return of_terminals < injections ? ut_topology_injection(topo, 0, 0) + of_terminals
                                   : topo->ejection[of_terminals - injections];
}
