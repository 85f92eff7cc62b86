/* SPDX-License-Identifier: Apache-2.0 */
/* families.h - the table of families of networks, a row each: docs/howto/add_a_family.md.
 *
 * A row names the object that describes the family (family.h): torus is ut_family_torus, and `kind: torus` in a
 * scenario.  Schema, messages, checks and pages follow.  The order is that of lists.
 */
#ifndef UT_FAMILIES_H
#define UT_FAMILIES_H

#define UT_FOR_EACH_FAMILY(X)                                                                                          \
  X(fat_tree)                                                                                                          \
  X(m_port_tree)                                                                                                       \
  X(torus)                                                                                                             \
  X(mesh)                                                                                                              \
  X(hypercube)                                                                                                         \
  X(graph)                                                                                                             \
  X(xgft)                                                                                                              \
  X(dragonfly)                                                                                                         \
  X(hyperx)                                                                                                            \
  X(slim_fly)                                                                                                          \
  X(ruft)                                                                                                              \
  X(ruft_pl)                                                                                                           \
  X(ft_ruft_212)                                                                                                       \
  X(ft_ruft_222)

/* The number of each: UT_FAMILY_torus. */
#define UT_FAMILY_NUMBER(name) UT_FAMILY_##name,
enum { UT_FOR_EACH_FAMILY(UT_FAMILY_NUMBER) UT_FAMILIES };
#undef UT_FAMILY_NUMBER

#endif
