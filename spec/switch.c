/* SPDX-License-Identifier: Apache-2.0 */
/* switch.c - one cycle of the switch: the steps in the order of docs/reference/cycle-contract.md.  Twin:
 * rtl/ut_switch.v */
#include <stdlib.h>
#include <string.h>

#include "policies.h"
#include "ports.h"
#include "steps.h"

/* Other blocks read the registers of a block, so the order of the updates matters in two places: input VCs read up_q of
 * the output ports (a cut packet), and the node states and the re-route vector read up_q of cycle t. */
void spec_step(struct spec_switch *sw, const struct spec_inputs *in) {
  struct spec_cycle cycle;
  memset(&cycle, 0, sizeof cycle);
  cycle.in = in;
  sw->discards = 0;

  spec_route_heads(sw, &cycle);  /* 1: routes */
  spec_allocate_vcs(sw, &cycle); /* 2: output VCs */
  if (sw->shape.xbar_cycles)     /* the winners of the last cycle cross */
    spec_cross_winners(sw, &cycle);
  spec_allocate_switch(sw, &cycle); /* 3: the crossbar */
  spec_traverse(sw, &cycle);        /* 4: flits leave */
  if (sw->shape.output_depth)
    spec_transmit(sw, &cycle); /* and those at the fronts of output queues */
  if (sw->cover)
    spec_cover_cycle(sw, &cycle);

  for (unsigned ip = 0; ip < sw->shape.pi; ip++) /* 5: registers of t+1 */
    spec_update_input(sw, &cycle, ip);
  if (UT_ALG_VECTOR(sw->shape.route, sw->shape.algorithm))
    spec_update_reroute_vector(sw, &cycle);
  if (UT_ALG_STATES(sw->shape.route, sw->shape.algorithm))
    spec_update_node_states(sw, &cycle);
  sw->stale_link = false;
  for (unsigned op = 0; op < sw->shape.po; op++)
    spec_update_output(sw, &cycle, op);
  spec_update_tables(sw, in->config);
  spec_update_exclusions(sw, in->config);
}

/* Returns how many numbers of groups an entry can hold: a power of two. */
static unsigned group_numbers(const struct ut_shape *shape) {
  unsigned numbers = 1;
  while (numbers < shape->groups)
    numbers *= 2;
  return numbers;
}

static void update_group(struct spec_switch *sw, uint64_t word) {
  const unsigned number = ut_hop_group_number(word), first = 32 * ut_hop_group_half(word);
  if (number >= sw->shape.groups)
    return;
  const uint64_t others = sw->group[number] & ~((uint64_t)UINT32_MAX << first);
  spec_cover(sw->cover, COVER_GROUP_WRITTEN);
  sw->group[number] = (others | (uint64_t)ut_hop_group_ports(word) << first) & spec_first_ports(sw->shape.po);
}

/* The rows of layers come first, then those of input VCs. */
static void update_vc_row(struct spec_switch *sw, uint64_t word) {
  const unsigned name = ut_vc_row_row(word), vc = ut_vc_row_vc(word), first = 32 * ut_vc_row_half(word);
  const unsigned limit = name < UT_MAX_VC_MAP ? sw->shape.vc_map : UT_MAX_VC_MAP + sw->shape.v;
  if (!sw->shape.vc_map || name >= limit || vc >= sw->shape.v)
    return;
  uint64_t *ports = &sw->vcs[name < UT_MAX_VC_MAP ? name : sw->shape.vc_map + name - UT_MAX_VC_MAP][vc];
  const uint64_t others = *ports & ~((uint64_t)UINT32_MAX << first);
  *ports = (others | (uint64_t)ut_vc_row_ports(word) << first) & spec_first_ports(sw->shape.po);
}

static void update_bank(struct spec_switch *sw, uint64_t word) {
  const unsigned port = ut_config_port(word);
  if (port >= sw->shape.pi)
    return;
  sw->bank[port] = ut_config_bank(word);
  const bool escape = spec_has_escape_vc(&sw->shape);
  sw->begins[port] = (sw->shape.vc_map || escape) && ut_config_valid(word);
}

void spec_update_tables(struct spec_switch *sw, uint64_t word) {
  if (!UT_ALG_TABLES(sw->shape.route, sw->shape.algorithm) || !ut_config_write(word))
    return;
  if (ut_hop_group_write(word) && ut_hop_group_kind(word) == UT_CONFIG_KIND_GROUP)
    update_group(sw, word);
  if (ut_vc_row_write(word) && ut_vc_row_kind(word) == UT_CONFIG_KIND_VCS)
    update_vc_row(sw, word);
  if (ut_config_kind(word) == UT_CONFIG_KIND_BANK)
    update_bank(sw, word);
  if (ut_config_kind(word) != UT_CONFIG_KIND_ENTRY)
    return;
  spec_cover(sw->cover, COVER_TABLE_WRITTEN);
  struct spec_table_entry *entry = spec_table(sw, ut_config_bank(word), ut_config_in_vc(word)) + ut_config_dst(word);
  sw->written = (unsigned)(entry - sw->table);
  *entry = (struct spec_table_entry){.valid = ut_config_valid(word),
                                     .port = ut_config_port(word),
                                     .vc = ut_config_vc(word),
                                     .group = ut_config_group(word) % group_numbers(&sw->shape)};
}

void spec_update_exclusions(struct spec_switch *sw, uint64_t word) {
  const unsigned port = ut_exclusion_port(word), number = ut_exclusion_number(word);
  if (!ut_exclusion_write(word) || port >= sw->shape.po / 2 || number >= sw->shape.exclusions)
    return;
  spec_cover(sw->cover, COVER_EXCLUSION_WRITTEN);
  sw->exclusion[port][number] =
      (struct spec_interval){.first = ut_exclusion_first(word), .last = ut_exclusion_last(word)};
}

bool spec_is_idle(const struct spec_switch *sw) {
  bool busy = sw->stale_link || sw->reroute.stale || sw->nodes.stale || sw->nodes.purge;
  busy |= sw->reroute.vector && ut_level_strap_timeout(sw->straps); /* its timer runs */
  EACH_INPUT_VC (sw, ip, ivc) {
    const struct spec_input_vc *vc = &sw->in[ip].vc[ivc];
    const bool dead = !sw->in[ip].up || vc->cut;
    busy |= vc->count || vc->credit || (dead ? vc->open : vc->pending_credits > 0);
  }
  for (unsigned op = 0; op < sw->shape.po; op++) {
    busy |= sw->out[op].valid;
    for (unsigned ovc = 0; ovc < sw->shape.v; ovc++)
      busy |= sw->out[op].vc[ovc].count > 0;
  }
  return !busy;
}

/* ---- reset */

static void reset_input(struct spec_switch *sw, unsigned ip) {
  struct spec_input_port *in = &sw->in[ip];
  in->up = in->discard = false;
  in->route_pointer = in->switch_pointer = 0;
  in->select_pointer = (ip + sw->shape.po / 2) % sw->shape.po; /* the opposite port: inputs spread over the outputs */
  for (unsigned ivc = 0; ivc < sw->shape.v; ivc++) {
    struct spec_input_vc *vc = &in->vc[ivc];
    struct spec_input_vc fresh = {.state = UT_VC_STATE_IDLE, .pending_credits = sw->shape.depth};
    fresh.buffer = vc->buffer;
    fresh.answer = vc->answer;
    fresh.answer.uses_state = false;
    *vc = fresh;
  }
  if (spec_selections[sw->shape.selection].seed)
    in->policy = spec_selections[sw->shape.selection].seed(sw, ip);
}

static void reset_output(struct spec_switch *sw, unsigned op) {
  const struct spec_output_port old = sw->out[op];
  sw->out[op] = (struct spec_output_port){.flit = old.flit, .flit_vc = old.flit_vc};
  for (unsigned ovc = 0; ovc < sw->shape.v; ovc++)
    sw->out[op].vc[ovc].queue = old.vc[ovc].queue;
}

void spec_reset(struct spec_switch *sw, uint64_t straps) {
  sw->straps = straps;
  for (unsigned ip = 0; ip < sw->shape.pi; ip++)
    reset_input(sw, ip);
  for (unsigned op = 0; op < sw->shape.po; op++)
    reset_output(sw, op);
  sw->reroute = (struct spec_reroute_vector){0};
  sw->nodes = (struct spec_node_states){0};
  sw->stale_link = false;
  sw->discards = 0;
}

/* ---- memory */

bool spec_init(struct spec_switch *sw, const struct ut_shape *shape) {
  memset(sw, 0, sizeof *sw);
  sw->shape = *shape;
  const size_t inputs = (size_t)shape->pi * shape->v, outputs = (size_t)shape->po * shape->v;
  struct spec_flit *flits = calloc(inputs * shape->depth + outputs * shape->output_depth, sizeof *flits);
  sw->in[0].vc[0].buffer = flits; /* memory that spec_fini() frees */
  sw->table = calloc((size_t)3 * shape->v * shape->destinations + 1, sizeof *sw->table);
  sw->discard = calloc(inputs + outputs * shape->output_depth, sizeof *sw->discard);
  if (!flits || !sw->table || !sw->discard)
    return false;
  for (unsigned i = 0; i < inputs; i++)
    sw->in[i / shape->v].vc[i % shape->v].buffer = flits + (size_t)i * shape->depth;
  flits += inputs * shape->depth;
  for (unsigned i = 0; i < outputs; i++)
    sw->out[i / shape->v].vc[i % shape->v].queue = flits + (size_t)i * shape->output_depth;
  for (unsigned port = 0; port < SPEC_PORTS / 2; port++)
    for (unsigned i = 0; i < UT_MAX_EXCLUSIONS; i++)
      sw->exclusion[port][i].first = 1; /* empty */
  spec_reset(sw, 0);
  return true;
}

void spec_fini(struct spec_switch *sw) {
  free(sw->in[0].vc[0].buffer);
  free(sw->table);
  free(sw->discard);
  memset(sw, 0, sizeof *sw);
}
