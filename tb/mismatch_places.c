/* SPDX-License-Identifier: Apache-2.0 */
/* mismatch_places.c - the parts of a switch that a mismatch concerns, in words, on both sides.
 *
 * These are the parts whose registers differ, and the parts connected with them: the output VC that a differing input
 * VC owns, and the input VCs that own, or may take, a differing output VC.  A register that does not differ has the
 * golden value in the device.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "mismatch.h"
#include "registers.h"

struct view {
  struct ut_mismatch *m;
  const struct ut_network *n;
  const struct ut_group *g;
  const struct ut_switch *s;
  bool in[UT_MAX_PORTS][UT_MAX_VCS], out[UT_MAX_PORTS][UT_MAX_VCS]; /* this part is shown */
};

/* ---- the registers of a VC, on one side */

static uint64_t value_of(const struct view *view, bool device, uint64_t golden, const char *format, unsigned port,
                         unsigned vc) {
  char path[64];
  snprintf(path, sizeof path, format, port, vc);
  return device ? ut_mismatch_device_value(view->m, path, golden) : golden;
}

struct input_vc {
  unsigned state, count;
  ut_mask cand[UT_MAX_VCS]; /* waiting: the candidate set; active: the output VC that it owns */
};

static struct input_vc input_vc_of(const struct view *view, bool device, unsigned ip, unsigned v) {
  struct input_vc vc;
  vc.state = (unsigned)value_of(view, device, ut_reg_state(view->g, view->s, ip, v), "in%u.vc%u.state_q", ip, v);
  vc.count = (unsigned)value_of(view, device, ut_reg_count(view->g, view->s, ip, v), "in%u.vc%u.fifo.count_q", ip, v);
  for (unsigned o = 0; o < view->n->v; o++) {
    char path[48];
    snprintf(path, sizeof path, o ? "in%%u.vc%%u.cand_q[%u]" : "in%%u.vc%%u.cand_q", o);
    vc.cand[o] = (ut_mask)value_of(view, device, ut_reg_cand(view->g, view->s, ip, v, o), path, ip, v);
  }
  return vc;
}

static bool has_way(const struct input_vc *vc) {
  return vc->state == UT_VC_STATE_WAITING || vc->state == UT_VC_STATE_ACTIVE;
}

/* ---- which parts */

static void mark_all(struct view *view, bool (*marks)[UT_MAX_VCS], unsigned port) {
  for (unsigned v = 0; v < view->n->v; v++)
    marks[port][v] = true;
}

/* Marks the VC of a register, or all VCs of its port. */
static void mark(struct view *view, const char *path) {
  unsigned port, vc;
  const int input = sscanf(path, "in%u.vc%u.", &port, &vc);
  if (input == 2)
    view->in[port][vc] = true;
  else if (input == 1)
    mark_all(view, view->in, port);
  else if (sscanf(path, "vc_arbiter%u.", &port) == 1)
    view->out[port % view->g->shape.po][port / view->g->shape.po] = true;
  else {
    const int output = sscanf(path, "out%u.vc%u.", &port, &vc);
    if (output == 2)
      view->out[port][vc] = true;
    else if (output == 1)
      mark_all(view, view->out, port);
  }
}

/* Connects input VC (ip, v) with the output VCs of its packet, on one side.  An output VC in a candidate set is one of
 * many: it shows the VCs that wait for it, but these do not show it. */
static void mark_touching(struct view *view, bool device, unsigned ip, unsigned v, bool differs) {
  const struct input_vc vc = input_vc_of(view, device, ip, v);
  for (unsigned o = 0; has_way(&vc) && o < view->n->v; o++)
    UT_FOR_EACH (op, vc.cand[o]) {
      if (differs && vc.state == UT_VC_STATE_ACTIVE)
        view->out[op][o] = true;
      else if (!differs && view->out[op][o])
        view->in[ip][v] = true;
    }
}

static void mark_all_touching(struct view *view, bool differs) {
  const struct view marked = *view;
  for (unsigned ip = 0; ip < view->g->shape.pi; ip++)
    for (unsigned v = 0; v < view->n->v; v++)
      if (marked.in[ip][v] == differs) {
        mark_touching(view, false, ip, v, differs);
        mark_touching(view, true, ip, v, differs);
      }
}

/* ---- in words */

static void add(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void add(char *text, size_t size, const char *format, ...) {
  const size_t used = strlen(text);
  va_list args;
  va_start(args, format);
  vsnprintf(text + used, size - used, format, args);
  va_end(args);
}

static const char *const state_names[] = {UT_VC_STATE_NAMES};

static void write_input(const struct view *view, bool device, unsigned ip, unsigned v, char *text, size_t size) {
  const struct input_vc vc = input_vc_of(view, device, ip, v);
  const unsigned states = sizeof state_names / sizeof *state_names;
  snprintf(text, size, "%s, %u flit%s", vc.state < states ? state_names[vc.state] : "no state", vc.count,
           vc.count == 1 ? "" : "s");
  if (has_way(&vc))
    add(text, size, vc.state == UT_VC_STATE_ACTIVE ? ", owns" : ", candidates");
  for (unsigned o = 0; has_way(&vc) && o < view->n->v; o++) {
    if (vc.cand[o])
      add(text, size, " output VC %u of port", o);
    UT_FOR_EACH (op, vc.cand[o])
      add(text, size, " %u", (unsigned)op);
  }
}

static void write_output(const struct view *view, bool device, unsigned op, unsigned v, char *text, size_t size) {
  const bool up = value_of(view, device, view->s->out_up >> op & 1, "out%u.up_q", op, v);
  const bool owned = value_of(view, device, ut_reg_owned(view->g, view->s, op, v), "out%u.vc%u.owned_q", op, v);
  const unsigned credits =
      (unsigned)value_of(view, device, ut_reg_credits(view->g, view->s, op, v), "out%u.vc%u.credits_q", op, v);
  snprintf(text, size, "%s, %s, %u credit%s", up ? "up" : "down", owned ? "owned" : "free", credits,
           credits == 1 ? "" : "s");
  if (view->g->form.output_depth) {
    const unsigned flits = (unsigned)value_of(view, device, ut_reg_queue_count(view->g, view->s, op, v),
                                              "out%u.vc%u.queue.count_q", op, v);
    add(text, size, ", %u flit%s in its queue", flits, flits == 1 ? "" : "s");
  }
}

static void write_switch(const struct view *view, bool device, char *text, size_t size) {
  ut_mask in_up = 0;
  for (unsigned ip = 0; ip < view->g->shape.pi; ip++)
    in_up |= (ut_mask)value_of(view, device, ut_reg_in_up(view->g, view->s) >> ip & 1, "in%u.up_q", ip, 0) << ip;
  snprintf(text, size, "input links up 0x%" PRIx64, in_up);
  if (view->g->form.vector) {
    const unsigned up = view->g->shape.po / 2;
    add(text, size, ", re-route vector 0x%" PRIx64 ", its timer %u, faults reported by ports 0x%" PRIx64,
        value_of(view, device, view->s->vector >> up, "u_vector.vector_q", 0, 0) << up,
        (unsigned)value_of(view, device, view->s->timer, "u_vector.timer_q", 0, 0),
        value_of(view, device, view->s->neighbour >> up, "u_vector.neighbour_q", 0, 0) << up);
  }
}

/* ---- */

typedef void write_vc(const struct view *w, bool device, unsigned port, unsigned v, char *text, size_t size);

/* side: "input" or "output". */
static void show_vcs(const struct view *view, const char *side, const bool (*marks)[UT_MAX_VCS], write_vc *write) {
  for (unsigned port = 0; port < UT_MAX_PORTS; port++)
    for (unsigned v = 0; v < view->n->v; v++) {
      struct ut_mismatch_place *place = &view->m->place[view->m->places];
      if (!marks[port][v])
        continue;
      snprintf(place->name, sizeof place->name, "%s port %u VC %u", side, port, v);
      write(view, true, port, v, place->device, sizeof place->device);
      write(view, false, port, v, place->golden, sizeof place->golden);
      view->m->places++;
    }
}

static void show_switch(const struct view *view) {
  struct ut_mismatch_place *place = &view->m->place[view->m->places];
  snprintf(place->name, sizeof place->name, "switch");
  write_switch(view, true, place->device, sizeof place->device);
  write_switch(view, false, place->golden, sizeof place->golden);
  view->m->places += strcmp(place->device, place->golden) != 0;
}

bool ut_mismatch_find_places(struct ut_mismatch *mismatch) {
  const struct ut_network *net = &mismatch->lockstep->golden;
  const uint32_t sw = mismatch->lockstep->mismatch_switch;
  struct view view = {.m = mismatch, .n = net, .g = ut_network_group(net, sw), .s = ut_network_switch(net, sw)};
  mismatch->place = calloc((size_t)(view.g->shape.pi + view.g->shape.po) * net->v + 1, sizeof *mismatch->place);
  if (!mismatch->place)
    return false;
  for (size_t i = 0; i < mismatch->registers; i++)
    mark(&view, mismatch->reg[i].path);
  mark_all_touching(&view, true);
  mark_all_touching(&view, false);
  show_vcs(&view, "input", (const bool(*)[UT_MAX_VCS])view.in, write_input);
  show_vcs(&view, "output", (const bool(*)[UT_MAX_VCS])view.out, write_output);
  show_switch(&view);
  return true;
}
