/* SPDX-License-Identifier: Apache-2.0 */
/* node_model.c - see node_model.h */
#include "node_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "family.h"

const char *const ut_node_state_name[UT_NODE_STATES] = {"safe", "unsafe", "disabled", "faulty"};

int ut_node_model_init(struct ut_node_model *model, const struct ut_topology *topo, struct ut_error *e) {
  const size_t n = topo->switches;
  *model = (struct ut_node_model){.topology = topo};
  if (!topo->family->node_rules)
    return ut_fail(e, UT_BAD_INPUT, "there is no model of failed nodes for a %s", topo->kind);
  model->state = calloc(n, sizeof *model->state);
  model->bad = calloc(n, sizeof *model->bad);
  model->block = calloc(n, sizeof *model->block);
  model->list = calloc(n, sizeof *model->list);
  model->reached = calloc(n, sizeof *model->reached);
  if (model->state && model->bad && model->block && model->list && model->reached)
    return 0;
  ut_node_model_free(model);
  return ut_fail(e, UT_BAD_INPUT, "out of memory for the states of %zu nodes", n);
}

void ut_node_model_free(struct ut_node_model *model) {
  free(model->state), free(model->bad), free(model->block), free(model->list), free(model->reached);
  *model = (struct ut_node_model){0};
}

void ut_node_model_void(struct ut_node_model *model, const struct ut_node_reason *reason) {
  if (model->reasons < UT_MAX_REASONS)
    model->reason[model->reasons] = *reason;
  model->reasons++;
}

/* Repeats until the states are stable: a bad node stays bad, so the order does not matter. */
static void find_unsafe(struct ut_node_model *model, const struct ut_node_rules *rules) {
  for (bool changes = true; changes;) {
    changes = false;
    for (uint32_t i = 0; i < model->topology->switches; i++)
      if (!model->bad[i] && rules->unsafe(model->topology, model->bad, i)) {
        model->bad[i] = changes = true;
        model->state[i] = UT_NODE_UNSAFE;
      }
  }
}

/* Numbers the block of a bad node: all bad nodes that can be reached from it through bad ones, in a grid also across a
 * corner, because no node between two bad ones there is safe. */
static void fill_block(struct ut_node_model *model, uint32_t first) {
  const struct ut_topology *topo = model->topology;
  uint32_t count = 0;
  model->block[first] = (int32_t)model->blocks;
  model->list[count++] = first;
  for (uint32_t i = 0; i < count; i++)
    for (unsigned p = 0; p < topo->po; p++) {
      const struct ut_peer *to = &topo->peer[(size_t)model->list[i] * topo->po + p];
      if (to->kind == UT_PEER_SWITCH && model->bad[to->index] && model->block[to->index] == UT_NO_BLOCK) {
        model->block[to->index] = (int32_t)model->blocks;
        model->list[count++] = to->index;
      }
    }
  model->blocks++;
}

/* Removes the unsafe nodes of blocks at the dateline. */
static void clear_dateline(struct ut_node_model *model, const struct ut_node_rules *rules) {
  for (uint32_t i = 0; i < model->topology->switches; i++)
    if (model->bad[i] && rules->at_dateline(model->topology, i))
      for (uint32_t j = 0; j < model->topology->switches; j++)
        if (model->block[j] == model->block[i] && model->state[j] == UT_NODE_UNSAFE)
          model->state[j] = UT_NODE_DISABLED;
}

/* Lists the safe nodes that can be reached through safe nodes from the first one, in model->list; returns how many. */
static uint32_t reach(struct ut_node_model *model) {
  const struct ut_topology *topo = model->topology;
  bool *reached = model->reached;
  uint32_t count = 0;
  memset(reached, 0, topo->switches * sizeof *reached);
  for (uint32_t i = 0; i < topo->switches && !count; i++)
    if (!model->bad[i])
      model->list[count++] = i;
  for (uint32_t i = 0; i < count; i++) {
    reached[model->list[i]] = true;
    for (unsigned p = 0; p < topo->po; p++) {
      const struct ut_peer *to = &topo->peer[(size_t)model->list[i] * topo->po + p];
      if (to->kind == UT_PEER_SWITCH && !model->bad[to->index] && !reached[to->index]) {
        reached[to->index] = true;
        model->list[count++] = to->index;
      }
    }
  }
  return count;
}

/* Returns whether an available node is cut off: it is neither among the reached nodes nor, if it is unsafe, next to one
 * of them. */
static bool cut_off(const struct ut_node_model *model, uint32_t node) {
  const struct ut_topology *topo = model->topology;
  bool joined = model->reached[node];
  for (unsigned p = 0; p < topo->po && model->bad[node]; p++) {
    const struct ut_peer *to = &topo->peer[(size_t)node * topo->po + p];
    joined |= to->kind == UT_PEER_SWITCH && model->reached[to->index];
  }
  return !joined;
}

static void judge_reach(struct ut_node_model *model) {
  if (!reach(model))
    ut_node_model_void(model, &(struct ut_node_reason){.kind = UT_REASON_NO_SAFE_NODE});
  for (uint32_t i = 0; i < model->topology->switches; i++)
    if (model->state[i] < UT_NODE_DISABLED && cut_off(model, i))
      ut_node_model_void(model, &(struct ut_node_reason){.kind = UT_REASON_CUT_OFF, .node = i});
}

void ut_node_model_set(struct ut_node_model *model, const uint32_t *failed, unsigned count) {
  const struct ut_topology *topo = model->topology;
  const struct ut_node_rules *rules = topo->family->node_rules;
  memset(model->state, UT_NODE_SAFE, topo->switches * sizeof *model->state);
  memset(model->bad, 0, topo->switches * sizeof *model->bad);
  model->reasons = model->blocks = 0;
  for (unsigned i = 0; i < count; i++) {
    model->state[failed[i]] = UT_NODE_FAULTY;
    model->bad[failed[i]] = true;
  }
  find_unsafe(model, rules);
  for (uint32_t i = 0; i < topo->switches && rules->disabled; i++) /* once: they were bad before */
    if (model->state[i] == UT_NODE_UNSAFE && rules->disabled(topo, model->bad, i))
      model->state[i] = UT_NODE_DISABLED;
  for (uint32_t i = 0; i < topo->switches; i++)
    model->block[i] = UT_NO_BLOCK;
  for (uint32_t i = 0; i < topo->switches; i++)
    if (model->bad[i] && model->block[i] == UT_NO_BLOCK)
      fill_block(model, i);
  if (model->dateline && rules->at_dateline)
    clear_dateline(model, rules);
  if (rules->judge)
    rules->judge(model);
  judge_reach(model);
}

const char *ut_node_reason_text(const struct ut_node_model *model, const struct ut_node_reason *reason,
                                char text[UT_NODE_REASON_SIZE]) {
  char tuple[UT_SWITCH_TUPLE_SIZE];
  switch (reason->kind) {
  case UT_REASON_NO_SAFE_NODE: snprintf(text, UT_NODE_REASON_SIZE, "no safe node is left"); break;
  case UT_REASON_SPANS:
    snprintf(text, UT_NODE_REASON_SIZE, "block %u is as long as dimension %u", (unsigned)reason->block,
             reason->dimension);
    break;
  case UT_REASON_HALF:
    snprintf(text, UT_NODE_REASON_SIZE, "block %u takes half of a ring of dimension %u or more",
             (unsigned)reason->block, reason->dimension);
    break;
  case UT_REASON_NO_BOX:
    snprintf(text, UT_NODE_REASON_SIZE, "block %u is no rectangle in every plane", (unsigned)reason->block);
    break;
  case UT_REASON_CUT_OFF:
    snprintf(text, UT_NODE_REASON_SIZE, "node %u %s is cut off from the safe nodes: the faults disconnect",
             (unsigned)reason->node, ut_topology_switch_tuple(model->topology, reason->node, tuple));
    break;
  }
  return text;
}
