/* SPDX-License-Identifier: Apache-2.0 */
/* mismatch_places.c - the parts of a switch that a mismatch is about, in words, on both sides.
 *
 * Those whose registers differ, and those that touch them: the output VC that such an input VC owns, the input VCs that
 * own, or may take, such an output VC.  What does not differ the device holds as the golden switch does.
 */
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
  bool in[UT_MAX_PORTS][UT_MAX_VCS], out[UT_MAX_PORTS][UT_MAX_VCS]; /* to be shown */
};

/* ---- the registers of a VC, on one side */

static uint64_t value_of(const struct view *w, bool device, uint64_t golden, const char *format, unsigned port,
                         unsigned vc) {
  char path[64];
  snprintf(path, sizeof path, format, port, vc);
  return device ? ut_mismatch_device_value(w->m, path, golden) : golden;
}

struct input_vc {
  unsigned state, count;
  ut_mask cand[UT_MAX_VCS]; /* waiting: the candidate set; active: the output VC that it owns */
};

static struct input_vc input_vc_of(const struct view *w, bool device, unsigned ip, unsigned v) {
  struct input_vc i;
  i.state = (unsigned)value_of(w, device, ut_reg_state(w->g, w->s, ip, v), "in%u.vc%u.state_q", ip, v);
  i.count = (unsigned)value_of(w, device, ut_reg_count(w->g, w->s, ip, v), "in%u.vc%u.fifo.count_q", ip, v);
  for (unsigned o = 0; o < w->n->v; o++) {
    char path[48];
    snprintf(path, sizeof path, o ? "in%%u.vc%%u.cand_q[%u]" : "in%%u.vc%%u.cand_q", o);
    i.cand[o] = (ut_mask)value_of(w, device, ut_reg_cand(w->g, w->s, ip, v, o), path, ip, v);
  }
  return i;
}

static bool has_way(const struct input_vc *i) {
  return i->state == UT_VC_STATE_WAITING || i->state == UT_VC_STATE_ACTIVE;
}

/* ---- which ones */

static void mark_all(struct view *w, bool (*marks)[UT_MAX_VCS], unsigned port) {
  for (unsigned v = 0; v < w->n->v; v++)
    marks[port][v] = true;
}

/* Of a register: its VC, or all VCs of its port. */
static void mark(struct view *w, const char *path) {
  unsigned port, vc;
  const int input = sscanf(path, "in%u.vc%u.", &port, &vc);
  if (input == 2)
    w->in[port][vc] = true;
  else if (input == 1)
    mark_all(w, w->in, port);
  else if (sscanf(path, "vc_arbiter%u.", &port) == 1)
    w->out[port % w->g->shape.po][port / w->g->shape.po] = true;
  else {
    const int output = sscanf(path, "out%u.vc%u.", &port, &vc);
    if (output == 2)
      w->out[port][vc] = true;
    else if (output == 1)
      mark_all(w, w->out, port);
  }
}

/* Input VC (ip, v) and the output VCs on its way touch each other, on one side.  An output VC of a candidate set is one
 * of many: it shows the VCs that wait for it, but they do not show it. */
static void mark_touching(struct view *w, bool device, unsigned ip, unsigned v, bool differs) {
  const struct input_vc i = input_vc_of(w, device, ip, v);
  for (unsigned o = 0; has_way(&i) && o < w->n->v; o++)
    UT_FOR_EACH (op, i.cand[o]) {
      if (differs && i.state == UT_VC_STATE_ACTIVE)
        w->out[op][o] = true;
      else if (!differs && w->out[op][o])
        w->in[ip][v] = true;
    }
}

static void mark_all_touching(struct view *w, bool differs) {
  const struct view marked = *w;
  for (unsigned ip = 0; ip < w->g->shape.pi; ip++)
    for (unsigned v = 0; v < w->n->v; v++)
      if (marked.in[ip][v] == differs) {
        mark_touching(w, false, ip, v, differs);
        mark_touching(w, true, ip, v, differs);
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

static void write_input(const struct view *w, bool device, unsigned ip, unsigned v, char *text, size_t size) {
  const struct input_vc i = input_vc_of(w, device, ip, v);
  const unsigned states = sizeof state_names / sizeof *state_names;
  snprintf(text, size, "%s, %u flit%s", i.state < states ? state_names[i.state] : "no state", i.count,
           i.count == 1 ? "" : "s");
  if (has_way(&i))
    add(text, size, i.state == UT_VC_STATE_ACTIVE ? ", owns" : ", candidates");
  for (unsigned o = 0; has_way(&i) && o < w->n->v; o++) {
    if (i.cand[o])
      add(text, size, " output VC %u of port", o);
    UT_FOR_EACH (op, i.cand[o])
      add(text, size, " %u", (unsigned)op);
  }
}

static void write_output(const struct view *w, bool device, unsigned op, unsigned v, char *text, size_t size) {
  const bool up = value_of(w, device, w->s->out_up >> op & 1, "out%u.up_q", op, v);
  const bool owned = value_of(w, device, ut_reg_owned(w->g, w->s, op, v), "out%u.vc%u.owned_q", op, v);
  const unsigned credits =
      (unsigned)value_of(w, device, ut_reg_credits(w->g, w->s, op, v), "out%u.vc%u.credits_q", op, v);
  snprintf(text, size, "%s, %s, %u credit%s", up ? "up" : "down", owned ? "owned" : "free", credits,
           credits == 1 ? "" : "s");
  if (w->g->form.output_depth) {
    const unsigned flits =
        (unsigned)value_of(w, device, ut_reg_queue_count(w->g, w->s, op, v), "out%u.vc%u.queue.count_q", op, v);
    add(text, size, ", %u flit%s in its queue", flits, flits == 1 ? "" : "s");
  }
}

static void write_switch(const struct view *w, bool device, char *text, size_t size) {
  ut_mask in_up = 0;
  for (unsigned ip = 0; ip < w->g->shape.pi; ip++)
    in_up |= (ut_mask)value_of(w, device, ut_reg_in_up(w->g, w->s) >> ip & 1, "in%u.up_q", ip, 0) << ip;
  snprintf(text, size, "input links up 0x%x", in_up);
  if (w->g->form.vector) {
    const unsigned up = w->g->shape.po / 2;
    add(text, size, ", re-route vector 0x%x, its timer %u, faults reported by ports 0x%x",
        (unsigned)value_of(w, device, w->s->vector >> up, "u_vector.vector_q", 0, 0) << up,
        (unsigned)value_of(w, device, w->s->timer, "u_vector.timer_q", 0, 0),
        (unsigned)value_of(w, device, w->s->neighbour >> up, "u_vector.neighbour_q", 0, 0) << up);
  }
}

/* ---- */

typedef void write_vc(const struct view *w, bool device, unsigned port, unsigned v, char *text, size_t size);

/* side: "input" or "output". */
static void show_vcs(const struct view *w, const char *side, const bool (*marks)[UT_MAX_VCS], write_vc *write) {
  for (unsigned port = 0; port < UT_MAX_PORTS; port++)
    for (unsigned v = 0; v < w->n->v; v++) {
      struct ut_mismatch_place *p = &w->m->place[w->m->places];
      if (!marks[port][v])
        continue;
      snprintf(p->name, sizeof p->name, "%s port %u VC %u", side, port, v);
      write(w, true, port, v, p->device, sizeof p->device);
      write(w, false, port, v, p->golden, sizeof p->golden);
      w->m->places++;
    }
}

static void show_switch(const struct view *w) {
  struct ut_mismatch_place *p = &w->m->place[w->m->places];
  snprintf(p->name, sizeof p->name, "switch");
  write_switch(w, true, p->device, sizeof p->device);
  write_switch(w, false, p->golden, sizeof p->golden);
  w->m->places += strcmp(p->device, p->golden) != 0;
}

bool ut_mismatch_find_places(struct ut_mismatch *m) {
  const struct ut_network *n = &m->lockstep->golden;
  const uint32_t sw = m->lockstep->mismatch_switch;
  struct view w = {.m = m, .n = n, .g = ut_network_group(n, sw), .s = ut_network_switch(n, sw)};
  m->place = calloc((size_t)(w.g->shape.pi + w.g->shape.po) * n->v + 1, sizeof *m->place);
  if (!m->place)
    return false;
  for (size_t i = 0; i < m->registers; i++)
    mark(&w, m->reg[i].path);
  mark_all_touching(&w, true);
  mark_all_touching(&w, false);
  show_vcs(&w, "input", (const bool(*)[UT_MAX_VCS])w.in, write_input);
  show_vcs(&w, "output", (const bool(*)[UT_MAX_VCS])w.out, write_output);
  show_switch(&w);
  return true;
}
