/* SPDX-License-Identifier: Apache-2.0 */
/* register_order.c - see register_order.h */
#include "register_order.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "layout.h"

static const char *const step_name[] = {[UT_STEP_ARRIVE] = "arrive",
                                        [UT_STEP_ROUTE] = "route",
                                        [UT_STEP_VC_ALLOCATION] = "VC allocation",
                                        [UT_STEP_SWITCH_ALLOCATION] = "switch allocation",
                                        [UT_STEP_TRAVERSE] = "traverse",
                                        [UT_STEP_TRANSMIT] = "transmit",
                                        [UT_STEP_UPDATE] = "update",
                                        [UT_STEP_DERIVED] = "derived",
                                        [UT_STEP_OUTPUT] = "output"};
_Static_assert(sizeof step_name / sizeof *step_name == UT_REGISTER_STEPS, "a name for each step");

const char *ut_register_step_name(enum ut_register_step step) {
  return step_name[step];
}

/* Registers by their paths without numbers, with the step that decides them.  state_q, owned_q and cand_q, which
 * several steps write, are handled below.  A name that ends with "." stands for all registers below it; the first line
 * that matches counts. */
static const struct line {
  const char *name;
  enum ut_register_step step;
  bool payload;
} lines[] = {
    {"in.up_q", UT_STEP_ARRIVE, false},
    {"out.up_q", UT_STEP_ARRIVE, false},
    {"stale_link_q", UT_STEP_ARRIVE, false},
    {"u_tables.", UT_STEP_ARRIVE, true},
    {"u_exclusions.", UT_STEP_ARRIVE, true},
    {"in.vc.open_q", UT_STEP_ARRIVE, false},
    {"in.vc.cut_q", UT_STEP_ARRIVE, false},
    {"in.vc.old_q", UT_STEP_ARRIVE, false},
    {"in.vc.fifo.wr_q", UT_STEP_ARRIVE, false},
    {"in.vc.fifo.tag_q", UT_STEP_ARRIVE, true},
    {"in.vc.fifo.data_q", UT_STEP_ARRIVE, true},
    {"in.route_arbiter.pointer_q", UT_STEP_ROUTE, false},
    {"in.vc.bubble_q", UT_STEP_ROUTE, true},
    {"in.vc.preferred_q", UT_STEP_ROUTE, true},
    {"in.vc.depends_q", UT_STEP_ROUTE, false},
    {"in.vc.wait_q", UT_STEP_ROUTE, false},
    {"in.vc.rt_q", UT_STEP_ROUTE, true},
    {"in.vc.stripped_q", UT_STEP_ROUTE, false},
    {"vc_arbiter.pointer_q", UT_STEP_VC_ALLOCATION, false},
    {"in.switch_arbiter.pointer_q", UT_STEP_SWITCH_ALLOCATION, false},
    {"out.switch_arbiter.pointer_q", UT_STEP_SWITCH_ALLOCATION, false},
    {"in.vc.cross_q", UT_STEP_SWITCH_ALLOCATION, false},
    {"in.vc.fifo.", UT_STEP_TRAVERSE, false},
    {"out.vc.queue.wr_q", UT_STEP_TRAVERSE, false},
    {"out.vc.queue.tag_q", UT_STEP_TRAVERSE, true},
    {"out.vc.queue.data_q", UT_STEP_TRAVERSE, true},
    {"out.vc.queue.", UT_STEP_TRANSMIT, false},
    {"out.link_arbiter.pointer_q", UT_STEP_TRANSMIT, false},
    {"out.valid_q", UT_STEP_TRANSMIT, false},
    {"out.kind_q", UT_STEP_TRANSMIT, true},
    {"out.bad_q", UT_STEP_TRANSMIT, true},
    {"out.vc_q", UT_STEP_TRANSMIT, true},
    {"out.data_q", UT_STEP_TRANSMIT, true},
    {"in.vc.credit_q", UT_STEP_UPDATE, false},
    {"in.vc.pending_credits_q", UT_STEP_UPDATE, false},
    {"out.vc.credits_q", UT_STEP_UPDATE, false},
    {"discard_q", UT_STEP_UPDATE, false},
    {"u_vector.vector_q", UT_STEP_UPDATE, false},
    {"u_vector.timer_q", UT_STEP_UPDATE, false},
    {"out.vc.offer_q", UT_STEP_DERIVED, false},
    {"u_vector.stale_q", UT_STEP_DERIVED, false},
    {"u_nodes.stale_q", UT_STEP_DERIVED, false},
    {"error_q", UT_STEP_DERIVED, false},
    {"idle_o", UT_STEP_OUTPUT, false},
    {"discard_o", UT_STEP_OUTPUT, false},
    {"error_o", UT_STEP_OUTPUT, false},
    {"u_vector.", UT_STEP_ARRIVE, false},
    {"u_nodes.", UT_STEP_ARRIVE, false},
    /* the registers of the policies (rtl/policies.tsv), and select_q */
    {"in.vc.", UT_STEP_TRAVERSE, false},
    {"in.", UT_STEP_VC_ALLOCATION, false},
};

const char *ut_register_name(const char *path, char name[UT_REGISTER_NAME_SIZE]) {
  size_t used = 0;
  for (; *path && *path != '[' && used + 1 < UT_REGISTER_NAME_SIZE; path++)
    if (!isdigit((unsigned char)*path))
      name[used++] = *path;
  name[used] = '\0';
  return name;
}

static const struct line *line_of(const char *name) {
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    const size_t length = strlen(lines[i].name);
    if (lines[i].name[length - 1] == '.' ? !strncmp(name, lines[i].name, length) : !strcmp(name, lines[i].name))
      return &lines[i];
  }
  return NULL;
}

/* Where the possible steps differ by what the packet at the front does. */
static enum ut_register_step step_of_state(const struct ut_register_values *values) {
  const uint64_t a = values->device, b = values->golden;
  if (values->known && values->before == UT_VC_STATE_ACTIVE) /* cut: its link is down; otherwise its tail has left */
    return a == UT_VC_STATE_DRAIN || b == UT_VC_STATE_DRAIN ? UT_STEP_ARRIVE : UT_STEP_TRAVERSE;
  if (values->known && values->before == UT_VC_STATE_DRAIN)
    return UT_STEP_ARRIVE;
  if ((a == UT_VC_STATE_WAITING && b == UT_VC_STATE_ACTIVE) || (a == UT_VC_STATE_ACTIVE && b == UT_VC_STATE_WAITING))
    return UT_STEP_VC_ALLOCATION;
  return UT_STEP_ROUTE;
}

enum ut_register_step ut_register_step_of(const char *path, const struct ut_register_values *values, bool vc_active) {
  char name[UT_REGISTER_NAME_SIZE];
  ut_register_name(path, name);
  if (!strcmp(name, "in.vc.state_q"))
    return step_of_state(values);
  if (!strcmp(name, "in.vc.cand_q")) /* the candidate set, or the output VC that was granted */
    return vc_active ? UT_STEP_VC_ALLOCATION : UT_STEP_ROUTE;
  if (!strcmp(name, "out.vc.owned_q")) /* granted now, or free again */
    return values->known && values->before ? UT_STEP_TRAVERSE : UT_STEP_VC_ALLOCATION;
  const struct line *line = line_of(name);
  return line ? line->step : UT_STEP_DERIVED;
}

bool ut_register_is_payload(const char *path) {
  char name[UT_REGISTER_NAME_SIZE];
  ut_register_name(path, name);
  const struct line *line = line_of(name);
  return !strcmp(name, "in.vc.cand_q") || (line && line->payload);
}
