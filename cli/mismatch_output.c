/* SPDX-License-Identifier: Apache-2.0 */
/* mismatch_output.c - see mismatch_output.h */
#include "mismatch_output.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

/* Lines of text of one kind; JSON has all of them, and tails. */
enum { MOST_REGISTERS = 24, MOST_EVENTS = 32, MOST_FAULTS = 8 };

static const char *switch_name(const struct ut_mismatch *m, char name[UT_SWITCH_NAME_SIZE]) {
  return ut_topology_switch_name(m->lockstep->golden.topology, m->lockstep->mismatch_switch, name);
}

/* ---- text */

/* What it held before, and what the third text says where that is not what the golden switch holds. */
static void print_values(const struct ut_mismatch *m, const struct ut_mismatch_register *r, FILE *f) {
  if (r->values.known)
    fprintf(f, "   before 0x%" PRIx64, r->values.before);
  if (m->verdict > UT_VERDICT_DEVICE)
    fprintf(f, "   %s 0x%" PRIx64, m->third, r->third);
}

static void print_first(const struct ut_mismatch *m, FILE *f) {
  const struct ut_mismatch_register *r = &m->reg[0];
  char name[UT_SWITCH_NAME_SIZE];
  fprintf(f, "cycle %" PRIu64 ": switch %s %s: %s holds 0x%" PRIx64 ", %s expected 0x%" PRIx64 "\n",
          m->lockstep->golden.cycle, switch_name(m, name), r->path, m->device, r->values.device, m->golden,
          r->values.golden);
  fprintf(f, "    could be the first: no register of a step before '%s' differs", ut_register_step_name(r->step));
  print_values(m, r, f);
  fputc('\n', f);
}

static void print_others(const struct ut_mismatch *m, FILE *f) {
  for (size_t i = 1; i < m->registers && i < MOST_REGISTERS; i++) {
    const struct ut_mismatch_register *r = &m->reg[i];
    fprintf(f, "    also %-28s %s 0x%" PRIx64 "   %s 0x%" PRIx64, r->path, m->device, r->values.device, m->golden,
            r->values.golden);
    print_values(m, r, f);
    fprintf(f, "   %s: %s\n", ut_register_step_name(r->step), r->first ? "could be the first, too" : "may follow");
  }
  if (m->registers > MOST_REGISTERS)
    fprintf(f, "    and %zu more\n", m->registers - MOST_REGISTERS);
}

/* From which event on the text tells them; *left_out: so many before it. */
static size_t first_event(const struct ut_switch_events *e, size_t *left_out) {
  size_t first = e->count;
  *left_out = 0;
  for (size_t i = e->count, told = 0; i-- > 0;)
    if (e->event[i].kind == UT_SWITCH_TAIL_LEAVES)
      continue;
    else if (++told <= MOST_EVENTS)
      first = i;
    else
      (*left_out)++;
  return first;
}

static void print_events(const struct ut_mismatch *m, FILE *f) {
  const uint64_t cycle = m->lockstep->golden.cycle;
  const struct ut_switch_events *e = &m->events;
  char name[UT_SWITCH_NAME_SIZE], text[UT_SWITCH_EVENT_SIZE];
  size_t left_out;
  const size_t first = first_event(e, &left_out);
  fprintf(f, "  events at switch %s in cycles %" PRIu64 " to %" PRIu64 "%s:\n", switch_name(m, name),
          cycle > UT_MISMATCH_HISTORY ? cycle - UT_MISMATCH_HISTORY : 0, cycle - 1, first < e->count ? "" : ": none");
  if (left_out)
    fprintf(f, "    %zu earlier ones, and\n", left_out);
  for (size_t i = first; i < e->count; i++)
    if (e->event[i].kind != UT_SWITCH_TAIL_LEAVES)
      fprintf(f, "    %" PRIu64 " %s\n", e->event[i].cycle,
              ut_switch_event_text(&m->lockstep->golden, m->lockstep->mismatch_switch, &e->event[i], text));
}

static void print_faults(const struct ut_mismatch *m, FILE *f) {
  char text[UT_OUTAGE_NAME_SIZE];
  fprintf(f, "  faults in force:%s", m->outages ? "" : " none");
  for (size_t i = 0; i < m->outages && i < MOST_FAULTS; i++)
    fprintf(f, "%s %s since %" PRIu64, i ? "," : "", ut_outage_name(m->lockstep->golden.topology, &m->outage[i], text),
            m->outage[i].from);
  if (m->outages > MOST_FAULTS)
    fprintf(f, " and %zu more", m->outages - MOST_FAULTS);
  fputc('\n', f);
}

static void print_places(const struct ut_mismatch *m, FILE *f) {
  char name[UT_SWITCH_NAME_SIZE];
  if (!m->places)
    return;
  fprintf(f, "  switch %s in cycle %" PRIu64 ", what differs and what touches it:\n", switch_name(m, name),
          m->lockstep->golden.cycle);
  for (size_t i = 0; i < m->places; i++) {
    const struct ut_mismatch_place *p = &m->place[i];
    if (!strcmp(p->device, p->golden))
      fprintf(f, "    %-20s both    %s\n", p->name, p->golden);
    else
      fprintf(f, "    %-20s %-7s %s\n    %-20s %-7s %s\n", p->name, m->device, p->device, "", m->golden, p->golden);
  }
}

void ut_mismatch_print(const struct ut_mismatch *m, const char *again, FILE *f) {
  char text[UT_VERDICT_SIZE];
  if (m->registers) {
    print_first(m, f);
    print_others(m, f);
    print_events(m, f);
    print_faults(m, f);
    print_places(m, f);
  } else {
    fputs(m->lockstep->report ? m->lockstep->report : "mismatch\n", f);
  }
  if (m->failure)
    fprintf(f, "  not enough memory for the rest of the report\n");
  if (ut_mismatch_verdict_text(m, text))
    fprintf(f, "  two of three: %s\n", text);
  fprintf(f, "reproduce%s: %s\n", m->lockstep->gates ? "" : " and look", again);
}

/* ---- JSON */

static void set(json_t *o, const char *key, json_t *value) {
  json_object_set_new(o, key, value);
}

static void append(json_t *array, json_t *value) {
  json_array_append_new(array, value);
}

/* Registers have up to 64 bits: as in the text, so that no reader rounds them. */
static json_t *hex(uint64_t value) {
  char text[24];
  snprintf(text, sizeof text, "0x%" PRIx64, value);
  return json_string(text);
}

static json_t *registers_json(const struct ut_mismatch *m) {
  json_t *list = json_array();
  for (size_t i = 0; i < m->registers; i++) {
    const struct ut_mismatch_register *r = &m->reg[i];
    json_t *o = json_object();
    set(o, "register", json_string(r->path));
    set(o, m->lockstep->gates ? "netlist" : "rtl", hex(r->values.device));
    set(o, m->golden, hex(r->values.golden));
    if (m->verdict != UT_VERDICT_NONE)
      set(o, m->third, hex(r->third));
    set(o, "before", r->values.known ? hex(r->values.before) : json_null());
    set(o, "step", json_string(ut_register_step_name(r->step)));
    set(o, "could_be_first", json_boolean(r->first));
    append(list, o);
  }
  return list;
}

static json_t *events_json(const struct ut_mismatch *m) {
  json_t *list = json_array();
  char text[UT_SWITCH_EVENT_SIZE];
  for (size_t i = 0; i < m->events.count; i++) {
    const struct ut_switch_event *e = &m->events.event[i];
    append(list, json_pack("{s:I,s:s,s:i,s:i,s:s}", "cycle", (json_int_t)e->cycle, "event",
                           ut_switch_event_name(e->kind), "port", (int)e->port, "vc", (int)e->vc, "text",
                           ut_switch_event_text(&m->lockstep->golden, m->lockstep->mismatch_switch, e, text)));
  }
  return list;
}

static json_t *faults_json(const struct ut_mismatch *m) {
  json_t *list = json_array();
  char text[UT_OUTAGE_NAME_SIZE];
  for (size_t i = 0; i < m->outages; i++)
    append(list, json_pack("{s:s,s:I}", "fault", ut_outage_name(m->lockstep->golden.topology, &m->outage[i], text),
                           "since_cycle", (json_int_t)m->outage[i].from));
  return list;
}

static json_t *places_json(const struct ut_mismatch *m) {
  json_t *list = json_array();
  for (size_t i = 0; i < m->places; i++)
    append(list, json_pack("{s:s,s:s,s:s}", "place", m->place[i].name, m->lockstep->gates ? "netlist" : "rtl",
                           m->place[i].device, m->golden, m->place[i].golden));
  return list;
}

struct json_t *ut_mismatch_json(const struct ut_mismatch *m, const char *again) {
  json_t *o = json_object();
  char text[UT_VERDICT_SIZE];
  set(o, "cycle", json_integer((json_int_t)m->lockstep->golden.cycle));
  if (!m->registers) {
    set(o, "accounts", json_string(m->lockstep->report ? m->lockstep->report : ""));
  } else {
    set(o, "switch", json_string(switch_name(m, text)));
    set(o, "registers", registers_json(m));
    set(o, "events", events_json(m));
    set(o, "places", places_json(m));
  }
  set(o, "faults_in_force", faults_json(m));
  set(o, "two_of_three", ut_mismatch_verdict_text(m, text) ? json_string(text) : json_null());
  set(o, "complete", json_boolean(!m->failure));
  set(o, "command", json_string(again));
  return o;
}
