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

/* What others call a network that is here under another name, in small letters and digits only, and what to write for
 * it. */
#define UT_FOR_EACH_OTHER_KIND(X)                                                                                      \
  X("ring", "kind: torus, sizes: [8]")                                                                                 \
  X("line", "kind: mesh, sizes: [8]")                                                                                  \
  X("chain", "kind: mesh, sizes: [8]")                                                                                 \
  X("mesh2d", "kind: mesh, sizes: [4, 4]")                                                                             \
  X("2dmesh", "kind: mesh, sizes: [4, 4]")                                                                             \
  X("mesh3d", "kind: mesh, sizes: [4, 4, 4]")                                                                          \
  X("3dmesh", "kind: mesh, sizes: [4, 4, 4]")                                                                          \
  X("cmesh", "kind: mesh, sizes: [4, 4], local_ports: 4")                                                              \
  X("concentratedmesh", "kind: mesh, sizes: [4, 4], local_ports: 4")                                                   \
  X("torus2d", "kind: torus, sizes: [4, 4]")                                                                           \
  X("2dtorus", "kind: torus, sizes: [4, 4]")                                                                           \
  X("torus3d", "kind: torus, sizes: [4, 4, 4]")                                                                        \
  X("3dtorus", "kind: torus, sizes: [4, 4, 4]")                                                                        \
  X("karyncube", "kind: torus, k: 4, n: 3")                                                                            \
  X("cube", "kind: hypercube, n: 4")                                                                                   \
  X("ncube", "kind: hypercube, n: 4")                                                                                  \
  X("fly", "kind: ruft, k: 4, n: 3")                                                                                   \
  X("butterfly", "kind: ruft, k: 4, n: 3")                                                                             \
  X("omega", "kind: ruft, k: 2, n: 4")                                                                                 \
  X("flatfly", "kind: hyperx, sizes: [4, 4], local_ports: 4")                                                          \
  X("fbfly", "kind: hyperx, sizes: [4, 4], local_ports: 4")                                                            \
  X("flattenedbutterfly", "kind: hyperx, sizes: [4, 4], local_ports: 4")                                               \
  X("fullmesh", "kind: hyperx, sizes: [8]")                                                                            \
  X("complete", "kind: hyperx, sizes: [8]")                                                                            \
  X("fullyconnected", "kind: hyperx, sizes: [8]")                                                                      \
  X("alltoall", "kind: hyperx, sizes: [8]")                                                                            \
  X("crossbar", "kind: xgft, down: [8], up: [1]")                                                                      \
  X("star", "kind: xgft, down: [8], up: [1]")                                                                          \
  X("tree", "kind: xgft, down: [4, 4], up: [1, 1]")                                                                    \
  X("karyntree", "kind: fat_tree, k: 4, n: 3")                                                                         \
  X("clos", "kind: xgft, down: [4, 8], up: [1, 4]")                                                                    \
  X("foldedclos", "kind: xgft, down: [4, 8], up: [1, 4]")                                                              \
  X("leafspine", "kind: xgft, down: [4, 8], up: [1, 4]")                                                               \
  X("spineleaf", "kind: xgft, down: [4, 8], up: [1, 4]")                                                               \
  X("pgft", "kind: xgft, down: [4, 8], up: [1, 2], cables: [1, 2]")                                                    \
  X("rlft", "kind: xgft, down: [4, 8], up: [1, 2], cables: [1, 2]")                                                    \
  X("anynet", "kind: graph, file: network.anynet")                                                                     \
  X("graphml", "kind: graph, file: network.graphml")                                                                   \
  X("file", "kind: graph, file: network.net")                                                                          \
  X("custom", "kind: graph, file: network.net")                                                                        \
  X("irregular", "kind: graph, file: network.net")                                                                     \
  X("random", "kind: graph, file: network.net")                                                                        \
  X("jellyfish", "kind: graph, file: network.net")                                                                     \
  X("dragonflyplus", "kind: graph, file: network.net")

#endif
