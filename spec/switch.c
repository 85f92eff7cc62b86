/* SPDX-License-Identifier: Apache-2.0 */
/* switch.c - one cycle of the switch: the steps in the order of docs/reference/cycle-contract.md.  Twin:
 * rtl/ut_switch.v */
#include <stdlib.h>
#include <string.h>

#include "policies.h"
#include "steps.h"

/* The registers of a block are read by other blocks, so the order of the updates matters where they do: input VCs look
 * at up_q of the output ports (a cut packet), and the states of nodes and the re-route vector at that of cycle t. */
void spec_step(struct spec_switch *s, const struct spec_inputs *in) {
  struct spec_cycle c;
  memset(&c, 0, sizeof c);
  c.in = in;
  s->discards = 0;

  spec_route_heads(s, &c);  /* 1: routes */
  spec_allocate_vcs(s, &c); /* 2: output VCs */
  if (s->shape.xbar_cycles) /* the winners of the last cycle cross */
    spec_cross_winners(s, &c);
  spec_allocate_switch(s, &c); /* 3: the crossbar */
  spec_traverse(s, &c);        /* 4: flits leave */
  if (s->shape.output_depth)
    spec_transmit(s, &c); /* and those at the fronts of output queues */
  if (s->cover)
    spec_cover_cycle(s, &c);

  for (unsigned ip = 0; ip < s->shape.pi; ip++) /* 5: registers of t+1 */
    spec_update_input(s, &c, ip);
  if (UT_ALG_VECTOR(s->shape.route, s->shape.algorithm))
    spec_update_reroute_vector(s, &c);
  if (UT_ALG_STATES(s->shape.route, s->shape.algorithm))
    spec_update_node_states(s, &c);
  s->stale_link = false;
  for (unsigned op = 0; op < s->shape.po; op++)
    spec_update_output(s, &c, op);
  spec_update_tables(s, in->config);
  spec_update_exclusions(s, in->config);
}

void spec_update_tables(struct spec_switch *s, uint64_t word) {
  if (!UT_ALG_TABLES(s->shape.route, s->shape.algorithm) || !ut_config_write(word))
    return;
  spec_cover(s->cover, COVER_TABLE_WRITTEN);
  s->in[ut_config_in_port(word)].vc[ut_config_in_vc(word)].table[ut_config_dst(word)] =
      (struct spec_table_entry){.valid = ut_config_valid(word), .port = ut_config_port(word), .vc = ut_config_vc(word)};
}

void spec_update_exclusions(struct spec_switch *s, uint64_t word) {
  const unsigned port = ut_exclusion_port(word), number = ut_exclusion_number(word);
  if (!ut_exclusion_write(word) || port >= s->shape.po / 2 || number >= s->shape.exclusions)
    return;
  spec_cover(s->cover, COVER_EXCLUSION_WRITTEN);
  s->exclusion[port][number] =
      (struct spec_interval){.first = ut_exclusion_first(word), .last = ut_exclusion_last(word)};
}

bool spec_is_idle(const struct spec_switch *s) {
  bool busy = s->stale_link || s->reroute.stale || s->nodes.stale || s->nodes.purge;
  busy |= s->reroute.vector && ut_level_strap_timeout(s->straps); /* its timer runs */
  EACH_INPUT_VC (s, ip, ivc) {
    const struct spec_input_vc *vc = &s->in[ip].vc[ivc];
    const bool dead = !s->in[ip].up || vc->cut;
    busy |= vc->count || vc->credit || (dead ? vc->open : vc->pending_credits > 0);
  }
  for (unsigned op = 0; op < s->shape.po; op++) {
    busy |= s->out[op].valid;
    for (unsigned ovc = 0; ovc < s->shape.v; ovc++)
      busy |= s->out[op].vc[ovc].count > 0;
  }
  return !busy;
}

/* ---- reset */

static void reset_input(struct spec_switch *s, unsigned ip) {
  struct spec_input_port *in = &s->in[ip];
  in->up = in->discard = false;
  in->route_pointer = in->switch_pointer = 0;
  in->select_pointer = (ip + s->shape.po / 2) % s->shape.po; /* the opposite port: inputs spread over the outputs */
  for (unsigned ivc = 0; ivc < s->shape.v; ivc++) {
    struct spec_input_vc *vc = &in->vc[ivc];
    struct spec_input_vc fresh = {.state = UT_VC_STATE_IDLE, .pending_credits = s->shape.depth};
    fresh.buffer = vc->buffer;
    fresh.table = vc->table;
    fresh.answer = vc->answer;
    fresh.answer.uses_state = false;
    *vc = fresh;
  }
  if (spec_selections[s->shape.selection].seed)
    in->policy = spec_selections[s->shape.selection].seed(s, ip);
}

static void reset_output(struct spec_switch *s, unsigned op) {
  const struct spec_output_port old = s->out[op];
  s->out[op] = (struct spec_output_port){.flit = old.flit, .flit_vc = old.flit_vc};
  for (unsigned ovc = 0; ovc < s->shape.v; ovc++)
    s->out[op].vc[ovc].queue = old.vc[ovc].queue;
}

void spec_reset(struct spec_switch *s, uint64_t straps) {
  s->straps = straps;
  for (unsigned ip = 0; ip < s->shape.pi; ip++)
    reset_input(s, ip);
  for (unsigned op = 0; op < s->shape.po; op++)
    reset_output(s, op);
  s->reroute = (struct spec_reroute_vector){0};
  s->nodes = (struct spec_node_states){0};
  s->stale_link = false;
  s->discards = 0;
}

/* ---- memory */

bool spec_init(struct spec_switch *s, const struct ut_shape *shape) {
  memset(s, 0, sizeof *s);
  s->shape = *shape;
  const size_t inputs = (size_t)shape->pi * shape->v, outputs = (size_t)shape->po * shape->v;
  struct spec_flit *flits = calloc(inputs * shape->depth + outputs * shape->output_depth, sizeof *flits);
  struct spec_table_entry *entries = calloc(inputs * shape->destinations + 1, sizeof *entries);
  s->in[0].vc[0].buffer = flits; /* what spec_fini() frees */
  s->in[0].vc[0].table = entries;
  s->discard = calloc(inputs + outputs * shape->output_depth, sizeof *s->discard);
  if (!flits || !entries || !s->discard)
    return false;
  for (unsigned i = 0; i < inputs; i++) {
    struct spec_input_vc *vc = &s->in[i / shape->v].vc[i % shape->v];
    vc->buffer = flits + (size_t)i * shape->depth;
    vc->table = entries + (size_t)i * shape->destinations;
  }
  flits += inputs * shape->depth;
  for (unsigned i = 0; i < outputs; i++)
    s->out[i / shape->v].vc[i % shape->v].queue = flits + (size_t)i * shape->output_depth;
  for (unsigned port = 0; port < SPEC_PORTS / 2; port++)
    for (unsigned i = 0; i < UT_MAX_EXCLUSIONS; i++)
      s->exclusion[port][i].first = 1; /* empty */
  spec_reset(s, 0);
  return true;
}

void spec_fini(struct spec_switch *s) {
  free(s->in[0].vc[0].buffer);
  free(s->in[0].vc[0].table);
  free(s->discard);
  memset(s, 0, sizeof *s);
}
