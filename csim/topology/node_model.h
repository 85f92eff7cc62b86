/* SPDX-License-Identifier: Apache-2.0 */
/* node_model.h - the fault model of DETOUR as the manager sees it: which nodes are safe under a set of failed nodes,
 * the blocks, and which guarantees of the model the set voids.
 *
 * The states follow from the definitions over all nodes at once.  The switches compute the same from their neighbours'
 * reports (csim/switch/node_states.h); tests/topology/test_node_model.c compares the two.
 */
#ifndef UT_NODE_MODEL_H
#define UT_NODE_MODEL_H

#include "topology.h"

enum ut_node_state { UT_NODE_SAFE, UT_NODE_UNSAFE, UT_NODE_DISABLED, UT_NODE_FAULTY, UT_NODE_STATES };
/* "safe", "unsafe", ... */
extern const char *const ut_node_state_name[UT_NODE_STATES];

/* Why packets may not arrive. */
enum ut_node_reason_kind {
  UT_REASON_NO_SAFE_NODE,
  UT_REASON_SPANS,   /* a block is as long as the network in that dimension */
  UT_REASON_HALF,    /* a block takes half of a ring of dimension 0: the way past it is the longer one */
  UT_REASON_NO_BOX,  /* a block is not a rectangle in some plane */
  UT_REASON_CUT_OFF, /* a good node cannot reach the others through safe nodes: the faults disconnect */
};

struct ut_node_reason {
  enum ut_node_reason_kind kind;
  uint32_t block;
  uint32_t node; /* the node that is cut off */
  unsigned dimension;
};

enum { UT_MAX_REASONS = 16, UT_NODE_REASON_SIZE = 128, UT_NO_BLOCK = -1 };

struct ut_node_model {
  const struct ut_topology *topology;
  bool dateline;  /* set by the caller: a block at the dateline of the highest dimension keeps no unsafe nodes */
  uint8_t *state; /* [switches]: enum ut_node_state */
  bool *bad;      /* [switches]: not safe */
  int32_t *block; /* [switches]: number of the block, or UT_NO_BLOCK */
  uint32_t *list; /* [switches]: for searches */
  bool *reached;  /* [switches]: through safe nodes */
  uint32_t blocks;
  struct ut_node_reason reason[UT_MAX_REASONS]; /* the first ones; none: the set obeys the model */
  unsigned reasons;                             /* how many there are */
};

/* The definitions of a family of networks. */
struct ut_node_rules {
  /* Returns whether a good node is unsafe next to those bad ones (definitions 1 and 1'). */
  bool (*unsafe)(const struct ut_topology *t, const bool *bad, uint32_t node);
  /* Returns whether an unsafe node is treated as faulty (definition 2).  NULL: none is. */
  bool (*disabled)(const struct ut_topology *t, const bool *bad, uint32_t node);
  /* Returns whether a block with that node keeps no unsafe nodes.  NULL: there is no dateline. */
  bool (*at_dateline)(const struct ut_topology *t, uint32_t node);
  /* Adds the guarantees that the shape of blocks voids.  NULL: their shape does not matter. */
  void (*judge)(struct ut_node_model *m);
};
extern const struct ut_node_rules ut_node_rules_cube, ut_node_rules_grid;

/* -1 and *e: out of memory, or there is no such model of that network (UT_BAD_INPUT). */
int ut_node_model_init(struct ut_node_model *model, const struct ut_topology *topo, struct ut_error *e);
void ut_node_model_free(struct ut_node_model *model);

/* Computes the states of the network with those switches failed. */
void ut_node_model_set(struct ut_node_model *model, const uint32_t *failed, unsigned count);

static inline bool ut_node_model_obeyed(const struct ut_node_model *model) {
  return model->reasons == 0;
}

/* "block 1 spans dimension 0"; returns text. */
const char *ut_node_reason_text(const struct ut_node_model *model, const struct ut_node_reason *reason,
                                char text[UT_NODE_REASON_SIZE]);

/* For the families. */
void ut_node_model_void(struct ut_node_model *model, const struct ut_node_reason *reason);

#endif
