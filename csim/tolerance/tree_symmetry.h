/* SPDX-License-Identifier: Apache-2.0 */
/* tree_symmetry.h - the ways to lay a k-ary n-tree onto itself that change nothing for its routing algorithm, and a
 * representative of the fault sets that they make of each other.
 *
 * The links of a k-ary n-tree are pairs of paths: down to the lower switch's subtree, which is a path in the tree of
 * positions, one digit for each level from the root; and up to the copy of the upper switch, which is a path in the
 * tree of choices, one digit for each level from the leaf switches.  A link above level l has n-1-l digits of the one
 * and l+1 of the other.  Every switch can exchange its subtrees, and every choice what lies behind it: automorphisms of
 * the two trees, 2^62 of them for the 2-ary 6-tree.
 *
 * All keep paths.  Which ones keep what the algorithm does is found by asking its route function, state by state of a
 * switch; where there are too many states, in random ones.
 */
#ifndef UT_TREE_SYMMETRY_H
#define UT_TREE_SYMMETRY_H

#include "explorer.h"

struct ut_tree_symmetry {
  unsigned k, levels;
  uint32_t terminals;
  bool positions; /* subtrees may be exchanged, at every switch by themselves */
  bool choices;   /* up links may be */
};

/* Of a fat tree; the explorer stays as it is.  Neither holds for tables, which do not look the same everywhere.
 */
void ut_tree_symmetry_find(struct ut_tree_symmetry *symmetry, struct ut_explorer *explorer);

/* A set of links (indices, in any order) that symmetries make of that one: up to about five links always the same one
 * for all sets of an orbit, of more perhaps one of several.  Ascending; out may be in.  count: at most UT_MAX_FAULTS.
 */
void ut_tree_symmetry_representative(const struct ut_tree_symmetry *symmetry, const uint32_t *in, unsigned count,
                                     uint32_t *out);

#endif
