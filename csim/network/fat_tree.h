/* fat_tree.h - the k-ary n-tree (RUFT section 3.1; REROUTE Definition 1, where tier = n-1-level).
 *
 * k^n terminals, n levels of k^(n-1) switches with k ports down (0..k-1) and k ports up (k..2k-1).  Switch (s, o) is at
 * level s, its index o is read as n-1 digits of base k.  (s, o) and (s+1, o') are connected if and only if o and o'
 * agree in all digits but digit s: up port k + j of (s, o) leads to the o' whose digit s is j, and arrives there at
 * down port (digit s of o).  Terminal p is at port p mod k of leaf switch p / k.  Root switches have no links at their
 * up ports.
 */
#ifndef UT_FAT_TREE_H
#define UT_FAT_TREE_H

#include <stdbool.h>

#include "topology.h"

/* k 2..16, n >= 1, k^n <= 65536.  timeout (0..65535 cycles) and repair: straps of the re-route vector, rtl/header.tsv.
 * Switch number = level * k^(n-1) + o.  -1 and *e (UT_BAD_INPUT) when impossible, or when memory ran out (UT_INTERNAL).
 */
int ut_fat_tree_init(struct ut_topology *t, unsigned k, unsigned n, unsigned timeout, bool repair, struct ut_error *e);

#endif
