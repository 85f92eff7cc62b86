/* SPDX-License-Identifier: Apache-2.0 */
/* collective.c - named workloads: collective operations, and exchanges with neighbours.
 *
 * If possible, a function adds the tasks of one terminal after those of the other: packets of messages that may be sent
 * at the same time are sent in the order in which their tasks were added.
 */
#include <stdlib.h>
#include <string.h>

#include "family.h"
#include "pattern.h"
#include "scenario.h"
#include "workload.h"

/* The arguments that the generators pass on. */
struct plan {
  struct ut_workload *w;
  uint32_t ranks, root;
  uint64_t bytes;
  uint64_t compute_cycles;
  struct ut_error *e;
};

static struct plan plan_of(struct ut_workload *workload, const struct ut_scenario *scenario,
                           const struct ut_topology *topo, struct ut_error *e) {
  return (struct plan){.w = workload,
                       .ranks = topo->terminals,
                       .root = scenario->traffic.root,
                       .bytes = scenario->traffic.message_bytes,
                       .compute_cycles = scenario->traffic.compute_cycles,
                       .e = e};
}

/* Returns the task that computes with a received message, or the receive itself if computing takes no time. */
static uint32_t reduce(const struct plan *plan, uint32_t rank, uint32_t receive) {
  if (!plan->compute_cycles)
    return receive;
  const struct ut_task compute = {.amount = plan->compute_cycles, .terminal = (uint16_t)rank, .kind = UT_TASK_COMPUTE};
  const uint32_t task = ut_workload_add(plan->w, &compute, plan->e);
  return task == UT_NO_TASK || ut_workload_require(plan->w, task, receive, false, 0, plan->e) ? UT_NO_TASK : task;
}

/* ---- all to all */

/* Each terminal sends to the next one, then to the one after that, and so on: a linear shift, so that no two terminals
 * begin with the same destination. */
static int all_to_all(struct ut_workload *workload, const struct ut_scenario *scenario, const struct ut_topology *topo,
                      struct ut_error *e) {
  const struct plan plan = plan_of(workload, scenario, topo, e), *plan_state = &plan;
  if (ut_workload_expect(plan_state->w, 2 * (uint64_t)plan_state->ranks * (plan_state->ranks - 1), plan_state->e))
    return -1;
  for (uint32_t rank = 0; rank < plan_state->ranks; rank++)
    for (uint32_t step = 1; step < plan_state->ranks; step++)
      if (ut_workload_message(plan_state->w, rank, (rank + step) % plan_state->ranks, plan_state->bytes, 0,
                              plan_state->e) == UT_NO_TASK)
        return -1;
  return 0;
}

/* ---- all-reduce in a ring */

/* Returns the length of chunk c of a message; chunks are as equal as possible. */
static uint64_t chunk_bytes(const struct plan *plan, uint32_t chunk) {
  return plan->bytes / plan->ranks + (chunk < plan->bytes % plan->ranks);
}

/* N - 1 steps of reduce-scatter, then N - 1 of all-gather.  In step s terminal r sends chunk r - s to r + 1: in step 0
 * its own chunk, later the chunk that arrived in the step before. */
static int all_reduce_ring(struct ut_workload *workload, const struct ut_scenario *scenario,
                           const struct ut_topology *topo, struct ut_error *e) {
  const struct plan plan = plan_of(workload, scenario, topo, e), *plan_state = &plan;
  const uint32_t n = plan_state->ranks, steps = 2 * (n - 1);
  if (ut_workload_expect(plan_state->w, 2 * (uint64_t)n * steps, plan_state->e))
    return -1;
  uint32_t *ready = malloc(2 * (size_t)n * sizeof *ready); /* the task that the next send of each terminal waits for */
  if (!ready)
    return ut_fail(plan_state->e, UT_BAD_INPUT, "traffic: out of memory for %u terminals", n);
  uint32_t *next = ready + n;
  int status = 0;
  for (uint32_t rank = 0; rank < n; rank++)
    ready[rank] = UT_NO_TASK;
  for (uint32_t step = 0; !status && step < steps; step++) {
    for (uint32_t rank = 0; !status && rank < n; rank++) {
      const uint32_t to = (rank + 1) % n, chunk = (rank + 2 * n - step) % n;
      const uint32_t send =
          ut_workload_message(plan_state->w, rank, to, chunk_bytes(plan_state, chunk), 0, plan_state->e);
      if (send == UT_NO_TASK || ut_workload_require(plan_state->w, send, ready[rank], false, 0, plan_state->e))
        status = -1;
      else
        next[to] = step < n - 1 ? reduce(plan_state, to, send + 1) : send + 1;
      status |= !status && next[to] == UT_NO_TASK ? -1 : 0;
    }
    memcpy(ready, next, n * sizeof *ready);
  }
  free(ready);
  return status;
}

/* ---- trees */

/* In a binomial tree, by numbers counted from the root: the parent of v is v without its lowest bit, its children are v
 * with one bit set below that. */
static uint32_t lowest_bit(uint32_t v, uint32_t n) {
  uint32_t bit = v & -v;
  if (!v)
    for (bit = 1; bit < n;)
      bit <<= 1;
  return bit;
}

static uint32_t rank_of(const struct plan *plan, uint32_t v) {
  return (v + plan->root) % plan->ranks;
}

/* Down the tree, the largest subtree first.  after: [ranks] by number, the task that the sends of each wait for; it
 * becomes the receives. */
static int tree_down(const struct plan *plan, uint32_t *after) {
  for (uint32_t v = 0; v < plan->ranks; v++)
    for (uint32_t bit = lowest_bit(v, plan->ranks) / 2; bit; bit /= 2) {
      if (v + bit >= plan->ranks)
        continue;
      const uint32_t send =
          ut_workload_message(plan->w, rank_of(plan, v), rank_of(plan, v + bit), plan->bytes, 0, plan->e);
      if (send == UT_NO_TASK || ut_workload_require(plan->w, send, after[v], false, 0, plan->e))
        return -1;
      after[v + bit] = send + 1;
    }
  return 0;
}

/* Up the tree: a terminal sends when the messages of all its children have arrived and it has computed with them.
 * last: [ranks], becomes the task that the root's own reduction waits for. */
static int tree_up(const struct plan *plan, uint32_t *last) {
  for (uint32_t v = plan->ranks; v-- > 0;) { /* children have higher numbers */
    const struct ut_task whole = {.terminal = (uint16_t)rank_of(plan, v), .kind = UT_TASK_COMPUTE, .cpu = UT_ANY_CPU};
    const uint32_t all = ut_workload_add(plan->w, &whole, plan->e); /* when all children have sent */
    if (all == UT_NO_TASK)
      return -1;
    for (uint32_t bit = 1; bit < lowest_bit(v, plan->ranks); bit *= 2) {
      if (v + bit >= plan->ranks)
        break;
      const uint32_t part = reduce(plan, rank_of(plan, v), last[v + bit]);
      if (part == UT_NO_TASK || ut_workload_require(plan->w, all, part, false, 0, plan->e))
        return -1;
    }
    last[v] = all;
    if (!v)
      break;
    const uint32_t to = rank_of(plan, v & (v - 1));
    const uint32_t send = ut_workload_message(plan->w, rank_of(plan, v), to, plan->bytes, 0, plan->e);
    if (send == UT_NO_TASK || ut_workload_require(plan->w, send, all, false, 0, plan->e))
      return -1;
    last[v] = send + 1; /* at the parent */
  }
  return 0;
}

static int tree(const struct plan *plan, bool up) {
  uint32_t *task = malloc(plan->ranks * sizeof *task);
  if (!task)
    return ut_fail(plan->e, UT_BAD_INPUT, "traffic: out of memory for %u terminals", plan->ranks);
  int status = 0;
  for (uint32_t v = 0; v < plan->ranks; v++)
    task[v] = UT_NO_TASK;
  if (up)
    status = tree_up(plan, task);
  if (!status)
    status = tree_down(plan, task);
  free(task);
  return status;
}

static int all_reduce_tree(struct ut_workload *workload, const struct ut_scenario *scenario,
                           const struct ut_topology *topo, struct ut_error *e) {
  const struct plan plan = plan_of(workload, scenario, topo, e), *plan_state = &plan;
  return tree(plan_state, true);
}

static int broadcast(struct ut_workload *workload, const struct ut_scenario *scenario, const struct ut_topology *topo,
                     struct ut_error *e) {
  const struct plan plan = plan_of(workload, scenario, topo, e), *plan_state = &plan;
  return tree(plan_state, false);
}

/* ---- neighbours */

/* Lists the neighbours of a terminal.  If nodes have terminals, they are those of the adjacent nodes, in the order of
 * ports; otherwise those in a grid of processes, rows of consecutive numbers, with wrap-around in rows and columns.
 * Returns how many there are; the same one may appear twice. */
static unsigned neighbours(const struct ut_topology *topo, uint32_t rank, uint32_t *out) {
  unsigned count = 0;
  if (topo->family->distance) {
    const uint32_t each = topo->terminals / topo->switches, sw = rank / each;
    for (unsigned port = 0; port < topo->po; port++) {
      const struct ut_peer *peer = &topo->peer[(size_t)sw * topo->po + port];
      if (peer->kind == UT_PEER_SWITCH)
        out[count++] = peer->index * each + rank % each;
    }
    return count;
  }
  uint32_t rows = 1;
  for (uint32_t i = 1; i <= topo->terminals / i; i++)
    rows = topo->terminals % i ? rows : i;
  const uint32_t columns = topo->terminals / rows, x = rank % columns, y = rank / columns;
  out[count++] = y * columns + (x + 1) % columns;
  out[count++] = y * columns + (x + columns - 1) % columns;
  out[count++] = (y + 1) % rows * columns + x;
  out[count++] = (y + rows - 1) % rows * columns + x;
  return count;
}

static int nearest_neighbour(struct ut_workload *workload, const struct ut_scenario *scenario,
                             const struct ut_topology *topo, struct ut_error *e) {
  const struct plan plan = plan_of(workload, scenario, topo, e), *plan_state = &plan;
  for (uint32_t rank = 0; rank < plan_state->ranks; rank++) {
    uint32_t beside[UT_MAX_PORTS + 4], compute = UT_NO_TASK;
    const unsigned count = neighbours(topo, rank, beside);
    if (plan_state->compute_cycles && (compute = reduce(plan_state, rank, UT_NO_TASK)) == UT_NO_TASK)
      return -1;
    for (unsigned i = 0; i < count; i++) {
      bool again = beside[i] == rank;
      for (unsigned j = 0; j < i; j++)
        again |= beside[j] == beside[i];
      if (again)
        continue;
      const uint32_t send = ut_workload_message(plan_state->w, rank, beside[i], plan_state->bytes, 0, plan_state->e);
      if (send == UT_NO_TASK || ut_workload_require(plan_state->w, send, compute, false, 0, plan_state->e))
        return -1;
    }
  }
  return 0;
}

/* ---- the patterns */

const struct ut_pattern ut_pattern_all_to_all = {
    .name = "all_to_all",
    .summary = "[workload](workloads.md): every terminal sends a message to every other one",
    .keys = {"traffic.message_bytes"},
    .tasks = all_to_all,
};
const struct ut_pattern ut_pattern_all_reduce_ring = {
    .name = "all_reduce_ring",
    .summary = "workload: reduce-scatter and all-gather in a ring of all terminals",
    .keys = {"traffic.message_bytes", "traffic.compute_cycles"},
    .tasks = all_reduce_ring,
};
const struct ut_pattern ut_pattern_all_reduce_tree = {
    .name = "all_reduce_tree",
    .summary = "workload: up a binomial tree to its root, and down again",
    .keys = {"traffic.message_bytes", "traffic.root", "traffic.compute_cycles"},
    .tasks = all_reduce_tree,
};
const struct ut_pattern ut_pattern_broadcast = {
    .name = "broadcast",
    .summary = "workload: down a binomial tree from its root",
    .keys = {"traffic.message_bytes", "traffic.root"},
    .tasks = broadcast,
};
const struct ut_pattern ut_pattern_nearest_neighbour = {
    .name = "nearest_neighbour",
    .summary = "workload: every terminal sends a message to each of the terminals beside it",
    .keys = {"traffic.message_bytes", "traffic.compute_cycles"},
    .tasks = nearest_neighbour,
};
