/* SPDX-License-Identifier: Apache-2.0 */
/* spec_registers.c - converts the registers of the model to those of the spec, and back, and compares them.
 *
 * A round-robin pointer is a number in the spec: the line that is served first.  The model and the RTL store it as a
 * mask: the lines from that one on.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cycle.h"
#include "registers.h"
#include "spec_group.h"

/* ---- pointers and masks */

/* The lines from the pointer on. */
static ut_mask mask_of(unsigned pointer, unsigned lines) {
  return ut_mask_all(lines) & ~ut_mask_all(pointer);
}
static unsigned pointer_of(ut_mask mask, unsigned lines) {
  return mask ? ut_first(mask) : lines;
}
/* The same for masks by VC, over input ports; line = VC * pi + port. */
static ut_mask word_of(unsigned pointer, unsigned vc, unsigned pi) {
  const unsigned before = pointer > vc * pi ? pointer - vc * pi : 0;
  return mask_of(before < pi ? before : pi, pi);
}
/* Returns the lanes from the pointer on, as the model stores them after a grant. */
static ut_set lanes_of(unsigned pointer, unsigned pi, const struct ut_form form) {
  if (pointer == 0)
    return ut_set_all();
  return ut_set_above((pointer - 1) / pi << form.port_bits | (pointer - 1) % pi, form);
}

static unsigned va_pointer(const struct ut_group *group, const struct ut_switch *sw, unsigned op, unsigned ovc) {
  const unsigned pi = group->shape.pi;
  for (unsigned ivc = 0; ivc < group->shape.v; ivc++)
    if (ut_reg_va(group, sw, op, ovc, ivc))
      return ivc * pi + ut_first(ut_reg_va(group, sw, op, ovc, ivc));
  return group->shape.v * pi;
}

static unsigned sa_words(const struct ut_shape *shape) {
  return shape->v > 1 && shape->xbar == UT_XBAR_VC ? shape->v : 1;
}
static unsigned sa_pointer(const struct ut_group *group, const struct ut_switch *sw, unsigned op) {
  const unsigned pi = group->shape.pi;
  for (unsigned ivc = 0; ivc < sa_words(&group->shape); ivc++)
    if (ut_reg_sa(group, sw, op, ivc))
      return ivc * pi + ut_first(ut_reg_sa(group, sw, op, ivc));
  return group->shape.v > 1 ? sa_words(&group->shape) * pi : 0;
}

/* ---- registers of an input VC that are one bit or one number; `has`: the member of the form that must be set */

struct bit_register {
  const char *name;
  enum ut_register model;
  size_t spec, has;
};
#define ALWAYS offsetof(struct ut_form, v)
#define OF_VC(field) offsetof(struct spec_input_vc, field)
#define OF_FORM(field) offsetof(struct ut_form, field)
static const struct bit_register bits[] = {
    {"open_q", UT_S_OPEN, OF_VC(open), ALWAYS},
    {"credit_q", UT_S_CREDIT, OF_VC(credit), ALWAYS},
    {"cut_q", UT_S_CUT, OF_VC(cut), OF_FORM(wormhole)},
    {"depends_q", UT_S_DEPENDS, OF_VC(answer.uses_state), OF_FORM(vector)},
    {"stripped_q", UT_S_STRIPPED, OF_VC(stripped), OF_FORM(strips)},
    {"old_q", UT_S_OLD, OF_VC(old), OF_FORM(states)},
    {"cross_q", UT_S_CROSS, OF_VC(cross), OF_FORM(xbar_cycles)},
};

static unsigned rt_of(const struct ut_group *group, const struct ut_switch *sw, unsigned ip, unsigned ivc) {
  return ut_reg_rt(group, sw, ip, ivc);
}
struct number_register {
  const char *name;
  unsigned (*model)(const struct ut_group *g, const struct ut_switch *s, unsigned ip, unsigned ivc);
  size_t spec, has;
};
static const struct number_register numbers[] = {
    {"state_q", ut_reg_state, OF_VC(state), ALWAYS},
    {"fifo.rd_q", ut_reg_rd, OF_VC(read), ALWAYS},
    {"fifo.count_q", ut_reg_count, OF_VC(count), ALWAYS},
    {"pending_credits_q", ut_reg_pending_credits, OF_VC(pending_credits), ALWAYS},
    {"wait_q", ut_reg_wait, OF_VC(wait), OF_FORM(route_cycles)},
    {"rt_q", rt_of, OF_VC(answer.rt), OF_FORM(rewrites)},
    {NULL, ut_reg_policy, OF_VC(policy), OF_FORM(policy_bits)}, /* rtl/policies.tsv names it */
};
enum { BITS = sizeof bits / sizeof *bits, NUMBERS = sizeof numbers / sizeof *numbers };

static bool has(const struct ut_group *group, size_t member) {
  return *(const unsigned *)((const char *)&group->form + member) != 0;
}

/* ---- from the model */

struct spec_flit ut_spec_flit_of(const uint64_t *words, unsigned count) {
  const unsigned tag = ut_flit_tag(words[count]);
  struct spec_flit flit = {.head = tag & UT_KIND_HEAD, .tail = tag & UT_KIND_TAIL, .bad = tag & UT_BAD};
  memcpy(flit.word, words, count * sizeof *words);
  return flit;
}

/* Entries of the forwarding table, over both banks, and the VCs and destinations of each. */
static unsigned entries_of(const struct ut_group *group) {
  return group->form.tables ? ut_entries_of(group->shape) : 0;
}
static void load_table(const struct ut_group *group, const struct ut_switch *sw, struct spec_switch *to) {
  const uint16_t *table = ut_table_of(group, (struct ut_switch *)(uintptr_t)sw, 0, 0);
  for (unsigned i = 0; i < entries_of(group); i++)
    to->table[i] = (struct spec_table_entry){.valid = table[i] >> (group->port_bits + group->vc_bits) & 1,
                                             .port = table[i] & ((1u << group->port_bits) - 1),
                                             .vc = table[i] >> group->port_bits & ((1u << group->vc_bits) - 1),
                                             .group = table[i]};
  for (unsigned i = 0; i < group->shape.groups; i++)
    to->group[i] = ut_groups_of(group, (struct ut_switch *)(uintptr_t)sw)[i];
  for (unsigned row = 0; row < ut_vc_rows_of(group->shape); row++)
    for (unsigned vc = 0; vc < group->shape.v; vc++)
      to->vcs[row][vc] = ut_vc_row_of(group, (struct ut_switch *)(uintptr_t)sw, row)[vc];
  for (unsigned port = 0; port < group->shape.pi; port++)
    to->begins[port] = sw->begins >> port & 1;
  for (unsigned port = 0; port < group->shape.pi; port++)
    to->bank[port] = sw->banks >> port & 1;
}

/* As the RTL packs it. */
static uint32_t interval_of(const struct spec_interval *interval) {
  return (uint32_t)interval->last << 16 | interval->first;
}
/* Interval n of all up ports. */
static struct spec_interval *interval_at(const struct ut_group *group, const struct spec_switch *spec, unsigned n) {
  const struct spec_interval *port = spec->exclusion[n / group->shape.exclusions];
  return (struct spec_interval *)(uintptr_t)&port[n % group->shape.exclusions];
}
static unsigned intervals(const struct ut_group *group) {
  return group->shape.po / 2 * group->shape.exclusions;
}

static void load_input_vc(const struct ut_group *group, const struct ut_switch *sw, unsigned ip, unsigned ivc,
                          struct spec_input_vc *to) {
  const struct ut_site site = ut_site_of(group, sw);
  for (unsigned i = 0; i < BITS; i++)
    *(bool *)((char *)to + bits[i].spec) =
        has(group, bits[i].has) && ut_at_bit(site, bits[i].model, ip, ivc, group->form);
  for (unsigned i = 0; i < NUMBERS; i++)
    *(unsigned *)((char *)to + numbers[i].spec) = numbers[i].model(group, sw, ip, ivc);
  for (unsigned ovc = 0; ovc < group->shape.v; ovc++) {
    to->answer.cand[ovc] = ut_reg_cand(group, sw, ip, ivc, ovc);
    to->answer.bubble[ovc] = ut_reg_bubble(group, sw, ip, ivc, ovc);
    to->answer.preferred[ovc] = ut_reg_preferred(group, sw, ip, ivc, ovc);
  }
  to->out_port = ut_reg_out_port(group, sw, ip, ivc);
  to->out_vc = ut_reg_out_vc(group, sw, ip, ivc);
  for (unsigned place = 0; group->wires && place < group->shape.depth; place++)
    to->buffer[place] = ut_spec_flit_of(ut_reg_place(group, sw, ip, ivc, place), group->form.words);
}

static void load_output_vc(const struct ut_group *group, const struct ut_switch *sw, unsigned op, unsigned ovc,
                           struct spec_output_vc *to) {
  to->owned = ut_reg_owned(group, sw, op, ovc);
  to->credits = ut_reg_credits(group, sw, op, ovc);
  to->pointer = va_pointer(group, sw, op, ovc);
  to->read = ut_reg_queue_rd(group, sw, op, ovc);
  to->count = ut_reg_queue_count(group, sw, op, ovc);
  for (unsigned place = 0; place < group->shape.output_depth; place++)
    to->queue[place] = ut_spec_flit_of(ut_reg_queue_place(group, sw, op, ovc, place), group->form.words);
}

static void load_family(const struct ut_group *group, const struct ut_switch *sw, struct spec_switch *to) {
  for (unsigned n = 0; n < intervals(group); n++)
    *interval_at(group, to, n) = (struct spec_interval){.first = (uint16_t)ut_reg_interval(group, sw, n),
                                                        .last = (uint16_t)(ut_reg_interval(group, sw, n) >> 16)};
  load_table(group, sw, to);
  to->reroute = (struct spec_reroute_vector){0};
  to->nodes = (struct spec_node_states){0};
  if (group->form.vector)
    to->reroute = (struct spec_reroute_vector){.vector = sw->vector,
                                               .neighbour = sw->neighbour,
                                               .timer = sw->timer,
                                               .fault = sw->fault,
                                               .far = sw->far,
                                               .stale = sw->stale_state};
  if (!group->form.states)
    return;
  const struct ut_node_states *n = ut_node_states_of(group, sw);
  to->nodes = (struct spec_node_states){.bad = n->bad,
                                        .diagonal = n->diagonal,
                                        .border = n->border,
                                        .corner = n->corner,
                                        .unsafe = n->unsafe,
                                        .disabled = n->disabled,
                                        .stale = sw->stale_state,
                                        .refuses = n->refuses,
                                        .refused = n->refused,
                                        .restart = n->restart,
                                        .purge = n->purge};
}

void ut_spec_load(const struct ut_group *group, const struct ut_switch *sw, struct spec_switch *to) {
  const struct ut_shape *shape = &group->shape;
  to->straps = sw->straps;
  to->stale_link = ut_reg_stale_link(group, sw);
  load_family(group, sw, to);
  for (unsigned ip = 0; ip < shape->pi; ip++) {
    struct spec_input_port *in = &to->in[ip];
    in->up = ut_reg_in_up(group, sw) >> ip & 1;
    in->discard = ut_reg_discard(group, sw) >> ip & 1;
    in->select_pointer = pointer_of(ut_reg_select(group, sw, ip), shape->po);
    in->policy = ut_reg_select_policy(group, sw, ip);
    in->route_pointer = shape->v > 1 ? pointer_of(ut_reg_route_pointer(group, sw, ip), shape->v) : 0;
    in->switch_pointer = shape->v > 1 ? pointer_of(ut_reg_switch_pointer(group, sw, ip), shape->v) : 0;
    for (unsigned ivc = 0; ivc < shape->v; ivc++)
      load_input_vc(group, sw, ip, ivc, &in->vc[ivc]);
  }
  for (unsigned op = 0; op < shape->po; op++) {
    struct spec_output_port *out = &to->out[op];
    out->up = sw->out_up >> op & 1;
    out->valid = ut_reg_valid(group, sw) >> op & 1;
    out->pointer = sa_pointer(group, sw, op);
    out->link_pointer = shape->v > 1 ? pointer_of(ut_reg_link_pointer(group, sw, op), shape->v) : 0;
    if (group->wires) {
      out->flit = ut_spec_flit_of(ut_reg_flit(group, sw, op), group->form.words);
      out->flit_vc = ut_flit_vc(ut_reg_flit(group, sw, op)[group->form.words]);
    }
    for (unsigned ovc = 0; ovc < shape->v; ovc++)
      load_output_vc(group, sw, op, ovc, &out->vc[ovc]);
  }
}

/* ---- to the model */

static void put_flit(uint64_t *words, const struct spec_flit *flit, unsigned vc, unsigned count) {
  memcpy(words, flit->word, count * sizeof *words);
  words[count] =
      ut_flit_meta((flit->head ? UT_KIND_HEAD : 0) | (flit->tail ? UT_KIND_TAIL : 0) | (flit->bad ? UT_BAD : 0), vc);
}

/* Buffers: a position in the ring advances with each arrival, and is set directly if there was none. */
static void show_buffer(const struct ut_group *group, struct ut_switch *sw, unsigned ip, unsigned ivc,
                        const struct spec_input_vc *from) {
  const unsigned depth = group->shape.depth, read = ut_reg_rd(group, sw, ip, ivc),
                 count = ut_reg_count(group, sw, ip, ivc);
  const unsigned left = depth == 1 ? count > from->count : (from->read + depth - read) % depth;
  const unsigned came = from->count + left - count;
  const struct ut_site site = ut_site_of(group, sw);
  const unsigned write = ut_at_write(site, ip, ivc, group->form);
  const unsigned next = came ? ut_position_next(write, depth) : write;
  const unsigned lane = ut_at_lane(site, ip, ivc, group->form);
  ut_position_set(group->wires->write, site.b->lane + lane, next, group->form.wide);
  ut_position_set(UT_IN_BLOCK(void, site.b, group->form.at_rd), lane, ut_position_before(next, from->count, depth),
                  group->form.wide);
  ut_set_bit(group, sw, UT_S_OCCUPIED, ip, ivc, from->count > 0);
  if (came)
    put_flit(ut_wires_flit(group->wires, site.b->lane + lane, write),
             &from->buffer[(from->read + from->count - 1) % depth], ivc, group->form.words);
}

static void show_input_vc(const struct ut_group *group, struct ut_switch *sw, unsigned ip, unsigned ivc,
                          const struct spec_input_vc *from) {
  const struct ut_site site = ut_site_of(group, sw);
  const unsigned lane = ut_at_lane(site, ip, ivc, group->form);
  for (unsigned i = 0; i < BITS; i++)
    if (has(group, bits[i].has))
      ut_set_bit(group, sw, bits[i].model, ip, ivc, *(const bool *)((const char *)from + bits[i].spec));
  ut_set_state(group, sw, ip, ivc, from->state);
  show_buffer(group, sw, ip, ivc, from);
  UT_IN_BLOCK(uint8_t, site.b, group->form.at_pending_credits)[lane] = (uint8_t)from->pending_credits;
  ut_set_bit(group, sw, UT_S_PENDING_CREDITS, ip, ivc, from->pending_credits > 0);
  if (group->form.route_cycles > 2)
    UT_IN_BLOCK(uint8_t, site.b, group->form.at_wait)[lane] = (uint8_t)from->wait;
  if (group->form.policy_bits)
    UT_IN_BLOCK(uint8_t, site.b, group->form.at_policy)[lane] = (uint8_t)from->policy;
  if (group->form.rewrites)
    UT_IN_BLOCK(uint32_t, site.b, group->form.at_rt)[lane] = from->answer.rt;
  ut_out_set(UT_IN_BLOCK(void, site.b, group->form.at_out), lane,
             ut_at_lane(site, from->out_port, from->out_vc, group->form), group->form);
  for (unsigned ovc = 0; ovc < group->shape.v; ovc++) {
    ut_set_cand(group, sw, ip, ivc, ovc, from->answer.cand[ovc]);
    if (group->form.bubble)
      ut_set_bubble(group, sw, ip, ivc, ovc, from->answer.bubble[ovc]);
    if (group->form.preferred)
      ut_set_preferred(group, sw, ip, ivc, ovc, from->answer.preferred[ovc]);
  }
}

static void show_input_port(const struct ut_group *group, struct ut_switch *sw, unsigned ip,
                            const struct spec_input_port *from) {
  const struct ut_site site = ut_site_of(group, sw);
  for (unsigned ivc = 0; ivc < group->shape.v; ivc++) {
    ut_set_bit(group, sw, UT_S_IN_UP, ip, ivc, from->up);
    ut_set_bit(group, sw, UT_S_DISCARD, ip, ivc, from->discard);
    show_input_vc(group, sw, ip, ivc, &from->vc[ivc]);
  }
  if (group->form.select_bits)
    UT_IN_BLOCK(uint16_t, site.b, group->form.at_select_policy)[site.port_index + ip] = (uint16_t)from->policy;
  else
    UT_IN_BLOCK(ut_mask, site.b, group->form.at_select)
  [site.port_index + ip] = mask_of(from->select_pointer, group->shape.po);
  if (group->shape.v == 1)
    return;
  UT_IN_BLOCK(uint8_t, site.b, group->form.at_route_pointer)
  [site.port_index + ip] = (uint8_t)mask_of(from->route_pointer, group->shape.v);
  UT_IN_BLOCK(uint8_t, site.b, group->form.at_switch_pointer)
  [site.port_index + ip] = (uint8_t)mask_of(from->switch_pointer, group->shape.v);
}

static void show_queue(const struct ut_group *group, struct ut_switch *sw, unsigned op, unsigned ovc,
                       const struct spec_output_vc *from) {
  ut_set_queue(group, sw, op, ovc, from->read, from->count);
  for (unsigned place = 0; place < group->shape.output_depth; place++)
    put_flit(ut_reg_queue_place(group, sw, op, ovc, place), &from->queue[place], ovc, group->form.words);
}

static void show_output_port(const struct ut_group *group, struct ut_switch *sw, unsigned op,
                             const struct spec_switch *spec) {
  const struct ut_site site = ut_site_of(group, sw);
  const struct spec_output_port *from = &spec->out[op];
  for (unsigned ovc = 0; ovc < group->shape.v; ovc++) {
    const struct spec_output_vc *vc = &from->vc[ovc];
    ut_set_bit(group, sw, UT_S_OUT_UP, op, ovc, from->up);
    ut_set_bit(group, sw, UT_S_VALID, op, ovc, from->valid && from->flit_vc == ovc);
    ut_set_owned(group, sw, op, ovc, vc->owned);
    ut_set_credits(group, sw, op, ovc, vc->credits);
    if (group->form.output_depth)
      show_queue(group, sw, op, ovc, vc);
    ut_set_store(UT_IN_BLOCK(void, site.b, group->form.at_va), ut_at_lane(site, op, ovc, group->form),
                 lanes_of(vc->pointer, group->shape.pi, group->form), group->form);
  }
  put_flit(ut_at_set_flit(site, op, group->form), &from->flit, from->flit_vc, group->form.words);
  if (group->shape.v == 1)
    return;
  UT_IN_BLOCK(uint8_t, site.b, group->form.at_last)
  [site.port_index + op] = ut_last_of(ut_at_lane(site, op, from->flit_vc, group->form), group->form);
  ut_set_store(UT_IN_BLOCK(void, site.b, group->form.at_sa), site.port_index + op,
               lanes_of(from->pointer, group->shape.pi, group->form), group->form);
  if (group->form.output_depth)
    UT_IN_BLOCK(uint8_t, site.b, group->form.at_link_pointer)
  [site.port_index + op] = (uint8_t)mask_of(from->link_pointer, group->shape.v);
}

/* As the RTL packs an entry. */
static unsigned entry_of(const struct ut_group *group, const struct spec_table_entry *entry) {
  if (group->shape.groups)
    return entry->group & ((1u << ut_bits_of(group->shape.groups)) - 1);
  return (entry->valid << group->vc_bits | entry->vc) << group->port_bits | entry->port;
}
static void show_table(const struct ut_group *group, struct ut_switch *sw, const struct spec_switch *from) {
  ut_table_of(group, sw, 0, 0)[from->written] = (uint16_t)entry_of(group, &from->table[from->written]);
  for (unsigned i = 0; i < group->shape.groups; i++)
    ut_groups_of(group, sw)[i] = from->group[i];
  for (unsigned row = 0; row < ut_vc_rows_of(group->shape); row++)
    for (unsigned vc = 0; vc < group->shape.v; vc++)
      ut_vc_row_of(group, sw, row)[vc] = from->vcs[row][vc];
  sw->banks = sw->begins = 0;
  for (unsigned port = 0; port < group->shape.pi; port++) {
    sw->banks |= from->bank[port] ? ut_bit(port) : 0;
    sw->begins |= from->begins[port] ? ut_bit(port) : 0;
  }
}

/* Returns the input ports where the purge of the last cycle has met the head of that VC. */
static ut_mask purged_of(const struct spec_switch *spec, unsigned ivc) {
  ut_mask ports = 0;
  for (unsigned i = 0; i < spec->discards; i++)
    if (spec->discard[i].reason == SPEC_PURGED && spec->discard[i].vc == ivc)
      ports |= ut_bit(spec->discard[i].port);
  return ports;
}

static void show_nodes(const struct ut_group *group, struct ut_switch *sw, const struct spec_switch *from) {
  const struct spec_node_states *spec = &from->nodes;
  struct ut_node_states *states = ut_node_states_of(group, sw);
  states->changed = spec->bad != states->bad || spec->diagonal != states->diagonal || spec->border != states->border ||
                    spec->corner != states->corner || spec->unsafe != states->unsafe ||
                    spec->disabled != states->disabled;
  states->bad = spec->bad;
  states->diagonal = spec->diagonal;
  states->border = (uint8_t)spec->border;
  states->corner = (uint8_t)spec->corner;
  states->unsafe = spec->unsafe;
  states->disabled = spec->disabled;
  states->refuses = spec->refuses;
  states->refused = (uint16_t)spec->refused;
  states->restart = spec->restart;
  states->purge = spec->purge;
  for (unsigned ivc = 0; ivc < group->shape.v; ivc++)
    states->purged[ivc] = purged_of(from, ivc);
}

void ut_spec_show(const struct ut_group *group, struct ut_switch *sw, const struct spec_switch *from) {
  const struct spec_reroute_vector *vector = &from->reroute;
  sw->out_up = 0;
  for (unsigned op = 0; op < group->shape.po; op++)
    sw->out_up |= (ut_mask)from->out[op].up << op;
  sw->vector = vector->vector;
  sw->neighbour = vector->neighbour;
  sw->timer = (uint16_t)vector->timer;
  sw->fault = vector->fault;
  sw->far = vector->far;
  sw->stale_state = vector->stale || from->nodes.stale;
  if (group->form.states)
    show_nodes(group, sw, from);
  const struct ut_site site = ut_site_of(group, sw);
  ut_block_put(ut_register(site.b, UT_S_STALE_STATE, group->form), site.base,
               ut_set_lanes(sw->stale_state ? ~(ut_mask)0 : 0, group->form), group->form);
  ut_block_put(ut_register(site.b, UT_S_STALE_LINK, group->form), site.base,
               ut_set_lanes(from->stale_link ? ~(ut_mask)0 : 0, group->form), group->form);
  for (unsigned ip = 0; ip < group->shape.pi; ip++)
    show_input_port(group, sw, ip, &from->in[ip]);
  for (unsigned op = 0; op < group->shape.po; op++)
    show_output_port(group, sw, op, from);
  for (unsigned ip = 0; ip < group->shape.pi; ip++)
    if (group->form.tables)
      show_table(group, sw, from);
  for (unsigned n = 0; n < intervals(group); n++)
    ut_exclusions_of(group, sw, 0)[n] = interval_of(interval_at(group, from, n));
  site.b->slow_path = true; /* its switches are compared in every cycle */
}

/* ---- compared */

struct comparison {
  ut_spec_difference *f;
  void *ctx;
  unsigned compared, differ;
};

static void same(struct comparison *comparison, uint64_t model, uint64_t spec, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void same(struct comparison *comparison, uint64_t model, uint64_t spec, const char *format, ...) {
  comparison->compared++;
  if (model == spec)
    return;
  comparison->differ++;
  if (!comparison->f)
    return;
  char path[64];
  va_list args;
  va_start(args, format);
  vsnprintf(path, sizeof path, format, args);
  va_end(args);
  const size_t length = strlen(path); /* the first part of a register has the name of the whole, as in lockstep */
  if (length > 3 && !strcmp(path + length - 3, "[0]"))
    path[length - 3] = '\0';
  comparison->f(comparison->ctx, path, model, spec);
}

static void same_flit(struct comparison *comparison, const uint64_t *words, const struct spec_flit *flit,
                      unsigned count, const char *where) {
  const unsigned tag = flit->bad * UT_BAD | flit->tail * UT_KIND_TAIL | flit->head * UT_KIND_HEAD;
  same(comparison, ut_flit_tag(words[count]), tag, "%s.tag_q", where);
  for (unsigned i = 0; i < count; i++)
    same(comparison, words[i], flit->word[i], "%s.data_q[%u]", where, i);
}

static void compare_input_vc(struct comparison *comparison, const struct ut_group *group, const struct ut_switch *sw,
                             unsigned ip, unsigned ivc, const struct spec_input_vc *spec) {
  const struct ut_site site = ut_site_of(group, sw);
  for (unsigned i = 0; i < BITS; i++)
    if (has(group, bits[i].has))
      same(comparison, ut_at_bit(site, bits[i].model, ip, ivc, group->form),
           *(const bool *)((const char *)spec + bits[i].spec), "in%u.vc%u.%s", ip, ivc, bits[i].name);
  for (unsigned i = 0; i < NUMBERS; i++)
    if (has(group, numbers[i].has))
      same(comparison, numbers[i].model(group, sw, ip, ivc), *(const unsigned *)((const char *)spec + numbers[i].spec),
           "in%u.vc%u.%s", ip, ivc,
           numbers[i].name ? numbers[i].name : UT_ARBITRATION_REGISTER_NAME(group->shape.arbitration));
  for (unsigned ovc = 0; ovc < group->shape.v; ovc++) {
    same(comparison, ut_reg_cand(group, sw, ip, ivc, ovc), spec->answer.cand[ovc], "in%u.vc%u.cand_q[%u]", ip, ivc,
         ovc);
    if (group->form.bubble)
      same(comparison, ut_reg_bubble(group, sw, ip, ivc, ovc), spec->answer.bubble[ovc], "in%u.vc%u.bubble_q[%u]", ip,
           ivc, ovc);
    if (group->form.preferred)
      same(comparison, ut_reg_preferred(group, sw, ip, ivc, ovc), spec->answer.preferred[ovc],
           "in%u.vc%u.preferred_q[%u]", ip, ivc, ovc);
  }
  char where[40];
  snprintf(where, sizeof where, "in%u.vc%u.fifo", ip, ivc);
  for (unsigned i = 0; i < spec->count && i < ut_reg_count(group, sw, ip, ivc); i++)
    same_flit(comparison, ut_reg_peek(group, sw, ip, ivc, i), &spec->buffer[(spec->read + i) % group->shape.depth],
              group->form.words, where);
}

static void compare_entries(struct comparison *comparison, const struct ut_group *group, const struct ut_switch *sw,
                            const struct spec_switch *spec, unsigned first, unsigned count) {
  const uint16_t *table = ut_table_of(group, (struct ut_switch *)(uintptr_t)sw, 0, 0);
  for (unsigned i = first; i < first + count && i < entries_of(group); i++)
    same(comparison, table[i], entry_of(group, &spec->table[i]), "u_tables.table_q[%u]", i);
}
static void compare_vc_map(struct comparison *comparison, const struct ut_group *group, const struct ut_switch *sw,
                           const struct spec_switch *spec) {
  ut_mask begins = 0;
  for (unsigned port = 0; port < group->shape.pi; port++)
    begins |= spec->begins[port] ? ut_bit(port) : 0;
  same(comparison, sw->begins, begins, "u_tables.begins_q");
  for (unsigned row = 0; row < ut_vc_rows_of(group->shape); row++)
    for (unsigned vc = 0; vc < group->shape.v; vc++)
      same(comparison, ut_vc_row_of(group, (struct ut_switch *)(uintptr_t)sw, row)[vc], spec->vcs[row][vc],
           "u_tables.map_q[%u]", row * group->shape.v + vc);
}
/* A large table (UT_WHOLE_TABLE): what was written, and a part of the rest; all of it for a report. */
static void compare_table(struct comparison *comparison, const struct ut_group *group, const struct ut_switch *sw,
                          const struct spec_switch *spec) {
  const unsigned entries = entries_of(group), parts = (entries + UT_WHOLE_TABLE - 1) / UT_WHOLE_TABLE;
  ut_mask banks = 0;
  for (unsigned port = 0; port < group->shape.pi; port++)
    banks |= spec->bank[port] ? ut_bit(port) : 0;
  same(comparison, sw->banks, banks, "u_tables.bank_q");
  for (unsigned i = 0; i < group->shape.groups; i++)
    same(comparison, ut_groups_of(group, (struct ut_switch *)(uintptr_t)sw)[i], spec->group[i], "u_tables.group_q[%u]",
         i);
  compare_vc_map(comparison, group, sw, spec);
  if (comparison->f || parts <= 1 || !group->spec) {
    compare_entries(comparison, group, sw, spec, 0, entries);
    return;
  }
  const unsigned turn = group->spec->turn[sw->id - group->first]++ % parts;
  compare_entries(comparison, group, sw, spec, spec->written, 1);
  compare_entries(comparison, group, sw, spec, turn * UT_WHOLE_TABLE, UT_WHOLE_TABLE);
}

static void compare_input_port(struct comparison *comparison, const struct ut_group *group, const struct ut_switch *sw,
                               unsigned ip, const struct spec_input_port *spec) {
  same(comparison, ut_reg_in_up(group, sw) >> ip & 1, spec->up, "in%u.up_q", ip);
  same(comparison, ut_reg_discard(group, sw) >> ip & 1, spec->discard, "discard_q[%u]", ip);
  if (group->form.select_bits)
    same(comparison, ut_reg_select_policy(group, sw, ip), spec->policy, "in%u.%s", ip,
         UT_SELECTION_REGISTER_NAME(group->shape.selection));
  else
    same(comparison, ut_reg_select(group, sw, ip), mask_of(spec->select_pointer, group->shape.po), "in%u.select_q", ip);
  if (group->shape.v > 1)
    same(comparison, ut_reg_route_pointer(group, sw, ip), mask_of(spec->route_pointer, group->shape.v),
         "in%u.route_arbiter.pointer_q", ip);
  if (group->shape.v > 1 && group->shape.xbar == UT_XBAR_PORT)
    same(comparison, ut_reg_switch_pointer(group, sw, ip), mask_of(spec->switch_pointer, group->shape.v),
         "in%u.switch_arbiter.pointer_q", ip);
  for (unsigned ivc = 0; ivc < group->shape.v; ivc++)
    compare_input_vc(comparison, group, sw, ip, ivc, &spec->vc[ivc]);
}

static void compare_queue(struct comparison *comparison, const struct ut_group *group, const struct ut_switch *sw,
                          unsigned op, unsigned ovc, const struct spec_output_vc *spec) {
  char where[40];
  snprintf(where, sizeof where, "out%u.vc%u.queue", op, ovc);
  same(comparison, ut_reg_queue_rd(group, sw, op, ovc), spec->read, "%s.rd_q", where);
  same(comparison, ut_reg_queue_count(group, sw, op, ovc), spec->count, "%s.count_q", where);
  for (unsigned i = 0; i < spec->count; i++) {
    const unsigned place = (spec->read + i) % group->shape.output_depth;
    same_flit(comparison, ut_reg_queue_place(group, sw, op, ovc, place), &spec->queue[place], group->form.words, where);
  }
}

static void compare_output_port(struct comparison *comparison, const struct ut_group *group, const struct ut_switch *sw,
                                unsigned op, const struct spec_output_port *spec) {
  const unsigned pi = group->shape.pi;
  char where[20];
  snprintf(where, sizeof where, "out%u", op);
  same(comparison, sw->out_up >> op & 1, spec->up, "out%u.up_q", op);
  same(comparison, ut_reg_valid(group, sw) >> op & 1, spec->valid, "out%u.valid_q", op);
  if (group->wires) {
    const uint64_t *flit = ut_reg_flit(group, sw, op);
    same_flit(comparison, flit, &spec->flit, group->form.words, where);
    same(comparison, ut_flit_vc(flit[group->form.words]), spec->flit_vc, "out%u.vc_q", op);
  }
  for (unsigned ivc = 0; group->shape.v > 1 && ivc < sa_words(&group->shape); ivc++)
    same(comparison, ut_reg_sa(group, sw, op, ivc), word_of(spec->pointer, ivc, pi),
         "out%u.switch_arbiter.pointer_q[%u]", op, ivc);
  if (group->shape.v > 1 && group->form.output_depth)
    same(comparison, ut_reg_link_pointer(group, sw, op), mask_of(spec->link_pointer, group->shape.v),
         "out%u.link_arbiter.pointer_q", op);
  for (unsigned ovc = 0; ovc < group->shape.v; ovc++) {
    same(comparison, ut_reg_owned(group, sw, op, ovc), spec->vc[ovc].owned, "out%u.vc%u.owned_q", op, ovc);
    same(comparison, ut_reg_credits(group, sw, op, ovc), spec->vc[ovc].credits, "out%u.vc%u.credits_q", op, ovc);
    if (group->form.output_depth)
      compare_queue(comparison, group, sw, op, ovc, &spec->vc[ovc]);
    for (unsigned ivc = 0; ivc < group->shape.v; ivc++)
      same(comparison, ut_reg_va(group, sw, op, ovc, ivc), word_of(spec->vc[ovc].pointer, ivc, pi),
           "vc_arbiter%u.pointer_q[%u]", ovc * group->shape.po + op, ivc);
  }
}

static void compare_nodes(struct comparison *comparison, const struct ut_node_states *states,
                          const struct spec_node_states *spec) {
  same(comparison, states->bad, spec->bad, "u_nodes.bad_q");
  same(comparison, states->diagonal, spec->diagonal, "u_nodes.diagonal_q");
  same(comparison, states->border, spec->border, "u_nodes.border_q");
  same(comparison, states->corner, spec->corner, "u_nodes.corner_q");
  same(comparison, states->unsafe, spec->unsafe, "u_nodes.unsafe_q");
  same(comparison, states->disabled, spec->disabled, "u_nodes.disabled_q");
  same(comparison, states->refuses, spec->refuses, "u_nodes.refuses_q");
  same(comparison, states->refused, spec->refused, "u_nodes.refused_q");
  same(comparison, states->restart, spec->restart, "u_nodes.restart_q");
  same(comparison, states->purge, spec->purge, "u_nodes.purge_q");
}

static void compare_exclusions(struct comparison *comparison, const struct ut_group *group, const struct ut_switch *sw,
                               const struct spec_switch *spec) {
  for (unsigned n = 0; n < intervals(group); n++)
    same(comparison, ut_reg_interval(group, sw, n), interval_of(interval_at(group, spec, n)),
         "u_exclusions.interval_q[%u]", n);
}

static void compare_family(struct comparison *comparison, const struct ut_group *group, const struct ut_switch *sw,
                           const struct spec_switch *spec) {
  same(comparison, ut_reg_stale_link(group, sw), spec->stale_link, "stale_link_q");
  same(comparison, sw->stale_state, spec->reroute.stale || spec->nodes.stale,
       group->form.states ? "u_nodes.stale_q" : "u_vector.stale_q");
  same(comparison, ut_switch_report(group, sw), spec_report(spec), "report_o");
  same(comparison, ut_reg_idle(group, sw), spec_is_idle(spec), "idle_o");
  if (group->form.vector) {
    same(comparison, sw->vector, spec->reroute.vector, "u_vector.vector_q");
    same(comparison, sw->neighbour, spec->reroute.neighbour, "u_vector.neighbour_q");
    same(comparison, sw->timer, spec->reroute.timer, "u_vector.timer_q");
  }
  compare_exclusions(comparison, group, sw, spec);
  if (group->form.tables)
    compare_table(comparison, group, sw, spec);
  if (!group->form.states)
    return;
  compare_nodes(comparison, ut_node_states_of(group, sw), &spec->nodes);
  for (unsigned ivc = 0; ivc < group->shape.v; ivc++) /* not a register, but observers read it */
    same(comparison, ut_node_states_of(group, sw)->purged[ivc], purged_of(spec, ivc), "purged[%u]", ivc);
}

unsigned ut_spec_compare_registers(const struct ut_group *group, const struct ut_switch *sw,
                                   const struct spec_switch *spec, ut_spec_difference *f, void *ctx, unsigned *differ) {
  struct comparison comparison = {.f = f, .ctx = ctx};
  compare_family(&comparison, group, sw, spec);
  for (unsigned ip = 0; ip < group->shape.pi; ip++)
    compare_input_port(&comparison, group, sw, ip, &spec->in[ip]);
  for (unsigned op = 0; op < group->shape.po; op++)
    compare_output_port(&comparison, group, sw, op, &spec->out[op]);
  *differ = comparison.differ;
  return comparison.compared;
}
