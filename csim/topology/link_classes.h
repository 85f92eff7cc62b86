/* SPDX-License-Identifier: Apache-2.0 */
/* link_classes.h - which links may fail: between switches, of injection, of ejection; and a number for each of them.
 *
 * Numbers: first the links between switches, as in ut_topology.link; then, in a network with links of one direction,
 * the injection links terminal by terminal, then the ejection links in the same order; in a bidirectional network the
 * link of each terminal, which is both.
 */
#ifndef UT_LINK_CLASSES_H
#define UT_LINK_CLASSES_H

#include <stdbool.h>
#include <stdint.h>

#include "topology.h"

enum ut_link_class { UT_CLASS_NETWORK = 1, UT_CLASS_INJECTION = 2, UT_CLASS_EJECTION = 4 };

/* Finds the classes that a word of the command line names; false: it names none. */
#define UT_LINK_WORDS "network|injection|ejection|terminal|all"
bool ut_link_classes(const char *word, unsigned *classes);

/* The links of these classes have the numbers first..first+count-1.  classes: as a word names them. */
struct ut_link_range {
  uint32_t first, count;
};
struct ut_link_range ut_links_of(const struct ut_topology *topo, unsigned classes);

/* Returns a channel of a link, by its number; the other channel, if there is one, is its twin. */
uint32_t ut_link_channel(const struct ut_topology *topo, uint32_t link);

#endif
