/* SPDX-License-Identifier: Apache-2.0 */
/* node_model.c - see node_model.h */
#include "node_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "family.h"

const char *const ut_node_state_name[UT_NODE_STATES] = {"safe", "unsafe", "disabled", "faulty"};

int ut_node_model_init(struct ut_node_model *m, const struct ut_topology *t, struct ut_error *e) {
  const size_t n = t->switches;
  *m = (struct ut_node_model){.topology = t};
  if (!t->family->node_rules)
    return ut_fail(e, UT_BAD_INPUT, "there is no model of failed nodes for a %s", t->kind);
  m->state = calloc(n, sizeof *m->state);
  m->bad = calloc(n, sizeof *m->bad);
  m->block = calloc(n, sizeof *m->block);
  m->list = calloc(n, sizeof *m->list);
  m->reached = calloc(n, sizeof *m->reached);
  if (m->state && m->bad && m->block && m->list && m->reached)
    return 0;
  ut_node_model_free(m);
  return ut_fail(e, UT_BAD_INPUT, "out of memory for the states of %zu nodes", n);
}

void ut_node_model_free(struct ut_node_model *m) {
  free(m->state), free(m->bad), free(m->block), free(m->list), free(m->reached);
  *m = (struct ut_node_model){0};
}

void ut_node_model_void(struct ut_node_model *m, const struct ut_node_reason *r) {
  if (m->reasons < UT_MAX_REASONS)
    m->reason[m->reasons] = *r;
  m->reasons++;
}

/* Until stable: a bad node stays bad, so the order does not matter. */
static void find_unsafe(struct ut_node_model *m, const struct ut_node_rules *rules) {
  for (bool changes = true; changes;) {
    changes = false;
    for (uint32_t i = 0; i < m->topology->switches; i++)
      if (!m->bad[i] && rules->unsafe(m->topology, m->bad, i)) {
        m->bad[i] = changes = true;
        m->state[i] = UT_NODE_UNSAFE;
      }
  }
}

/* All bad nodes that can be reached from that one through bad ones.  Those across a corner of a grid can be: between
 * two bad ones no node is safe. */
static void fill_block(struct ut_node_model *m, uint32_t first) {
  const struct ut_topology *t = m->topology;
  uint32_t count = 0;
  m->block[first] = (int32_t)m->blocks;
  m->list[count++] = first;
  for (uint32_t i = 0; i < count; i++)
    for (unsigned p = 0; p < t->po; p++) {
      const struct ut_peer *to = &t->peer[(size_t)m->list[i] * t->po + p];
      if (to->kind == UT_PEER_SWITCH && m->bad[to->index] && m->block[to->index] == UT_NO_BLOCK) {
        m->block[to->index] = (int32_t)m->blocks;
        m->list[count++] = to->index;
      }
    }
  m->blocks++;
}

/* Blocks at the dateline lose their unsafe nodes. */
static void clear_dateline(struct ut_node_model *m, const struct ut_node_rules *rules) {
  for (uint32_t i = 0; i < m->topology->switches; i++)
    if (m->bad[i] && rules->at_dateline(m->topology, i))
      for (uint32_t j = 0; j < m->topology->switches; j++)
        if (m->block[j] == m->block[i] && m->state[j] == UT_NODE_UNSAFE)
          m->state[j] = UT_NODE_DISABLED;
}

/* The safe nodes that can be reached through safe ones from the first one: m->list, in order; returns how many. */
static uint32_t reach(struct ut_node_model *m) {
  const struct ut_topology *t = m->topology;
  bool *reached = m->reached;
  uint32_t count = 0;
  memset(reached, 0, t->switches * sizeof *reached);
  for (uint32_t i = 0; i < t->switches && !count; i++)
    if (!m->bad[i])
      m->list[count++] = i;
  for (uint32_t i = 0; i < count; i++) {
    reached[m->list[i]] = true;
    for (unsigned p = 0; p < t->po; p++) {
      const struct ut_peer *to = &t->peer[(size_t)m->list[i] * t->po + p];
      if (to->kind == UT_PEER_SWITCH && !m->bad[to->index] && !reached[to->index]) {
        reached[to->index] = true;
        m->list[count++] = to->index;
      }
    }
  }
  return count;
}

/* A node that serves must be among the reached ones, or beside one of them. */
static bool cut_off(const struct ut_node_model *m, uint32_t node) {
  const struct ut_topology *t = m->topology;
  bool joined = m->reached[node];
  for (unsigned p = 0; p < t->po && m->bad[node]; p++) {
    const struct ut_peer *to = &t->peer[(size_t)node * t->po + p];
    joined |= to->kind == UT_PEER_SWITCH && m->reached[to->index];
  }
  return !joined;
}

static void judge_reach(struct ut_node_model *m) {
  if (!reach(m))
    ut_node_model_void(m, &(struct ut_node_reason){.kind = UT_REASON_NO_SAFE_NODE});
  for (uint32_t i = 0; i < m->topology->switches; i++)
    if (m->state[i] < UT_NODE_DISABLED && cut_off(m, i))
      ut_node_model_void(m, &(struct ut_node_reason){.kind = UT_REASON_CUT_OFF, .node = i});
}

void ut_node_model_set(struct ut_node_model *m, const uint32_t *failed, unsigned count) {
  const struct ut_topology *t = m->topology;
  const struct ut_node_rules *rules = t->family->node_rules;
  memset(m->state, UT_NODE_SAFE, t->switches * sizeof *m->state);
  memset(m->bad, 0, t->switches * sizeof *m->bad);
  m->reasons = m->blocks = 0;
  for (unsigned i = 0; i < count; i++) {
    m->state[failed[i]] = UT_NODE_FAULTY;
    m->bad[failed[i]] = true;
  }
  find_unsafe(m, rules);
  for (uint32_t i = 0; i < t->switches && rules->disabled; i++) /* once: they were bad before */
    if (m->state[i] == UT_NODE_UNSAFE && rules->disabled(t, m->bad, i))
      m->state[i] = UT_NODE_DISABLED;
  for (uint32_t i = 0; i < t->switches; i++)
    m->block[i] = UT_NO_BLOCK;
  for (uint32_t i = 0; i < t->switches; i++)
    if (m->bad[i] && m->block[i] == UT_NO_BLOCK)
      fill_block(m, i);
  if (m->dateline && rules->at_dateline)
    clear_dateline(m, rules);
  if (rules->judge)
    rules->judge(m);
  judge_reach(m);
}

const char *ut_node_reason_text(const struct ut_node_model *m, const struct ut_node_reason *r,
                                char text[UT_NODE_REASON_SIZE]) {
  char tuple[UT_SWITCH_TUPLE_SIZE];
  switch (r->kind) {
  case UT_REASON_NO_SAFE_NODE: snprintf(text, UT_NODE_REASON_SIZE, "no safe node is left"); break;
  case UT_REASON_SPANS:
    snprintf(text, UT_NODE_REASON_SIZE, "block %u is as long as dimension %u", (unsigned)r->block, r->dimension);
    break;
  case UT_REASON_HALF:
    snprintf(text, UT_NODE_REASON_SIZE, "block %u takes half of a ring of dimension %u or more", (unsigned)r->block,
             r->dimension);
    break;
  case UT_REASON_NO_BOX:
    snprintf(text, UT_NODE_REASON_SIZE, "block %u is no rectangle in every plane", (unsigned)r->block);
    break;
  case UT_REASON_CUT_OFF:
    snprintf(text, UT_NODE_REASON_SIZE, "node %u %s is cut off from the safe nodes: the faults disconnect",
             (unsigned)r->node, ut_topology_switch_tuple(m->topology, r->node, tuple));
    break;
  }
  return text;
}
