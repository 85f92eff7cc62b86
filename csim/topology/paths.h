/* SPDX-License-Identifier: Apache-2.0 */
/* paths.h - planned routes: the header words that terminals of a grid give to packets that would meet faults on their
 * ordinary path (INTERMEDIATE sections 3, 4 and 5.2).  There is one entry for each affected pair of nodes; other pairs
 * use the plain header.
 *
 * Entries are listed in advance, or, in networks too large for a list of all pairs, planned when they are first asked
 * for and kept by their source.  Threads may then ask at once, each for other sources.
 */
#ifndef UT_PATHS_H
#define UT_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layout.h"
#include "shape.h"

enum { UT_LEG_MISROUTES = 3 };

/* The rt field of a planned header word: how to get to its stop. */
struct ut_leg {
  unsigned sub_path; /* number in the path */
  bool more;         /* another header word follows: this one is stripped at its stop */
  bool deterministic;
  unsigned misroutes; /* directions in which the packet is still misrouted, in order */
  struct {
    uint8_t port, hops;
  } misroute[UT_LEG_MISROUTES];
};
uint32_t ut_leg_rt(const struct ut_leg *leg);
struct ut_leg ut_leg_of(uint32_t rt);

/* Returns whether a header word with that field is stripped as soon as it is at its stop. */
static inline bool ut_leg_ends(uint32_t rt) {
  return ut_rt_path_more(rt) && !ut_rt_path_misroutes(rt);
}

/* The header words of a packet from one node to another, in their order. */
struct ut_path {
  uint8_t headers;                 /* 0: no route, the source discards the packets */
  uint16_t stop[UT_MAX_SUB_PATHS]; /* a terminal of the intermediate node; of the last header: any, replaced by dst */
  uint32_t rt[UT_MAX_SUB_PATHS];   /* rt_path of rtl/header.tsv */
};

/* Who plans entries that are not listed. */
struct ut_path_planner {
  void *ctx;
  bool (*affects)(const void *ctx, uint32_t from, uint32_t to); /* whether the pair has an entry */
  void (*plan)(const void *ctx, uint32_t from, uint32_t to, struct ut_path *path);
  void (*free)(void *ctx);
};

/* Entries that a source has asked for: open addressing. */
struct ut_kept_paths {
  struct ut_kept_path **slot; /* NULL: free */
  uint32_t slots, used;       /* slots: a power of two, or 0 */
};

struct ut_paths;
/* ut_paths_ask(): called through the paths, because compiled terminals (elaborate/) have no library to find it in. */
typedef const struct ut_path *ut_paths_ask_function(const struct ut_paths *paths, uint32_t from, uint32_t to);

struct ut_paths {
  uint32_t nodes;
  unsigned local; /* terminals of a node */
  uint32_t *of;   /* [nodes * nodes], by source and destination: 1 + number of the path, 0: the plain header */
  struct ut_path *path;
  uint32_t count, room;
  struct ut_path_planner planner;
  ut_paths_ask_function *ask; /* NULL: entries are listed */
  struct ut_kept_paths *kept; /* [nodes], by source */
  uint64_t entries;           /* listed, or to be planned */
  uint32_t most_entries;      /* to be planned for one source */
  uint64_t separated,
      without_route;   /* pairs of nodes without any path; with a path, but none that the mechanisms allow */
  uint32_t lost[2];    /* nodes of the first pair of without_route */
  unsigned entry_bits; /* of a terminal's table, for one destination */
};

/* Makes it without entries.  NULL: out of memory. */
struct ut_paths *ut_paths_new(uint32_t nodes, unsigned local);
/* Makes one whose entries are planned when they are asked for; it owns planner->ctx from then on. */
struct ut_paths *ut_paths_new_asking(uint32_t nodes, unsigned local, const struct ut_path_planner *planner);
void ut_paths_free(struct ut_paths *paths);

/* Adds an entry; each pair at most once.  Returns false when out of memory. */
bool ut_paths_add(struct ut_paths *paths, uint32_t from, uint32_t to, const struct ut_path *path);

/* Returns the bytes of the largest table of a terminal: entries for the destinations that have one, with their
 * addresses. */
size_t ut_paths_table_bytes(const struct ut_paths *paths);

/* Returns the entry of two nodes where entries are not listed; NULL: the plain header. */
const struct ut_path *ut_paths_ask(const struct ut_paths *paths, uint32_t from, uint32_t to);
/* What that returns when out of memory: no route. */
extern const struct ut_path ut_path_not_kept;

/* Returns how many entries of a node's table differ: for so many destinations another path, one more or none. */
uint32_t ut_paths_changes(const struct ut_paths *from, const struct ut_paths *to, uint32_t node);

/* Returns the entry for packets between two terminals, valid as long as `paths`; NULL: the plain header. */
static inline const struct ut_path *ut_paths_find(const struct ut_paths *paths, uint32_t src, uint32_t dst) {
  if (__builtin_expect(paths->ask != 0, 0))
    return paths->ask(paths, src / paths->local, dst / paths->local);
  uint32_t i = paths->of[(uint64_t)(src / paths->local) * paths->nodes + dst / paths->local];
  return i ? &paths->path[i - 1] : 0;
}

/* Returns whether a header word belongs to a packet to dst from the source that it names: as the last one, or as that
 * of an earlier sub-path.  paths NULL: there are no earlier ones. */
static inline bool ut_paths_header_is_of(const struct ut_paths *paths, uint32_t dst, uint64_t header) {
  if (!paths || !ut_rt_path_more(ut_header_rt(header)))
    return dst == ut_header_dst(header);
  const struct ut_path *path = ut_paths_find(paths, ut_header_src(header), dst);
  unsigned i = ut_rt_path_sub_path(ut_header_rt(header));
  return path && i + 1 < path->headers && path->stop[i] == ut_header_dst(header);
}

#endif
