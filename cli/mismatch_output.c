/* SPDX-License-Identifier: Apache-2.0 */
/* mismatch_output.c - see mismatch_output.h */
#include "mismatch_output.h"

#include <inttypes.h>
#include <string.h>

/* Lines of text of one kind; JSON has all of them, and tails. */
enum { MOST_REGISTERS = 24, MOST_EVENTS = 32, MOST_FAULTS = 8 };

const char ut_mismatch_layout[] =
    "{?registers}"
    "cycle {cycle}: switch {switch} {_first.register}: {_device} holds {_first._device_value}, {_golden} expected "
    "{_first._golden_value}\n"
    "    could be the first: no register of a step before '{_first.step}' differs{?_first.before}   before "
    "{_first.before}{/}{?_first._third_value}   {_third} {_first._third_value}{/}\n"
    "{|_others}"
    "    <|<|<|<|<|<\n"
    "also {register}|{_device} {_device_value}|{_golden} {_golden_value}|{?before}before {before}{/}|{?_third_value}"
    "{_third} {_third_value}{/}|{step}: {?could_be_first}could be the first, too{:}may follow{/}\n"
    "{/}{?_more_registers}"
    "    and {_more_registers} more\n"
    "{/}"
    "  events at switch {switch} in cycles {_history_from} to {_history_last}:{?_events}{:} none{/}\n"
    "{?_earlier_events}"
    "    {_earlier_events} earlier ones, and\n"
    "{/}{#_events}"
    "    {cycle} {text}\n"
    "{/}"
    "  faults in force:{?_faults} {#_faults}{fault} since {since_cycle}{, }{/}{:} none{/}{?_more_faults} and "
    "{_more_faults} "
    "more{/}\n"
    "{?_places}"
    "  switch {switch} in cycle {cycle}, what differs and what touches it:\n"
    "{|_places}"
    "    <|<|<\n"
    "{name}|{whose}|{text}\n"
    "{/}{/}{:}"
    "{accounts}{?accounts}{:}mismatch\n{/}"
    "{/}{?complete}{:}"
    "  not enough memory for the rest of the report\n"
    "{/}{?two_of_three}"
    "  two of three: {two_of_three}\n"
    "{/}"
    "reproduce{?_rtl} and look{/}: {command}\n";

/* From which event on the text tells them; *left_out: so many before it. */
static size_t first_event(const struct ut_switch_events *events, size_t *left_out) {
  size_t first = events->count;
  *left_out = 0;
  for (size_t i = events->count, told = 0; i-- > 0;)
    if (events->event[i].kind == UT_SWITCH_TAIL_LEAVES)
      continue;
    else if (++told <= MOST_EVENTS)
      first = i;
    else
      (*left_out)++;
  return first;
}

/* Registers have up to 64 bits: as in the text, so that no reader rounds them. */
static json_t *hex(uint64_t value) {
  return ut_format("0x%" PRIx64, value);
}

/* The elements from..to-1, for the text. */
static json_t *part_of(const json_t *list, size_t from, size_t to) {
  json_t *part = json_array();
  for (size_t i = from; i < to && i < json_array_size(list); i++)
    json_array_append(part, json_array_get(list, i));
  return part;
}
static json_t *beyond(size_t count, size_t most) {
  return ut_int(count > most ? count - most : 0);
}

static const char *device_key(const struct ut_mismatch *mismatch) {
  return mismatch->lockstep->gates ? "netlist" : "rtl";
}

/* third: only where it says something else than the golden switch holds. */
static void add_registers(json_t *o, const struct ut_mismatch *mismatch) {
  json_t *list = json_array();
  for (size_t i = 0; i < mismatch->registers; i++) {
    const struct ut_mismatch_register *mismatch_register = &mismatch->reg[i];
    json_array_append_new(
        list,
        UT_OBJECT({"register", ut_string(mismatch_register->path)},
                  {device_key(mismatch), hex(mismatch_register->values.device)},
                  {mismatch->golden, hex(mismatch_register->values.golden)},
                  {mismatch->verdict == UT_VERDICT_NONE ? "_none" : mismatch->third, hex(mismatch_register->third)},
                  {"before", mismatch_register->values.known ? hex(mismatch_register->values.before) : json_null()},
                  {"step", ut_string(ut_register_step_name(mismatch_register->step))},
                  {"could_be_first", json_boolean(mismatch_register->first)},
                  {"_device_value", hex(mismatch_register->values.device)},
                  {"_golden_value", hex(mismatch_register->values.golden)},
                  {"_third_value", mismatch->verdict > UT_VERDICT_DEVICE ? hex(mismatch_register->third) : NULL}));
  }
  UT_ADD(o, {"registers", list}, {"_first", json_incref(json_array_get(list, 0))},
         {"_others", part_of(list, 1, MOST_REGISTERS)},
         {"_more_registers", beyond(mismatch->registers, MOST_REGISTERS)});
}

static void add_events(json_t *o, const struct ut_mismatch *mismatch) {
  const uint64_t cycle = mismatch->lockstep->golden.cycle;
  json_t *list = json_array(), *told = json_array();
  char text[UT_SWITCH_EVENT_SIZE];
  size_t left_out;
  const size_t first = first_event(&mismatch->events, &left_out);
  for (size_t i = 0; i < mismatch->events.count; i++) {
    const struct ut_switch_event *switch_event = &mismatch->events.event[i];
    ut_switch_event_text(&mismatch->lockstep->golden, mismatch->lockstep->mismatch_switch, switch_event, text);
    json_t *event = UT_OBJECT(
        {"cycle", ut_int(switch_event->cycle)}, {"event", ut_string(ut_switch_event_name(switch_event->kind))},
        {"port", ut_int(switch_event->port)}, {"vc", ut_int(switch_event->vc)}, {"text", ut_string(text)});
    json_array_append_new(list, event);
    if (i >= first && switch_event->kind != UT_SWITCH_TAIL_LEAVES)
      json_array_append(told, event);
  }
  UT_ADD(o, {"events", list}, {"_events", told}, {"_earlier_events", ut_int(left_out)},
         {"_history_from", ut_int(cycle > UT_MISMATCH_HISTORY ? cycle - UT_MISMATCH_HISTORY : 0)},
         {"_history_last", ut_int(cycle - 1)});
}

static void add_faults(json_t *o, const struct ut_mismatch *mismatch) {
  json_t *list = json_array();
  char text[UT_OUTAGE_NAME_SIZE];
  for (size_t i = 0; i < mismatch->outages; i++)
    json_array_append_new(
        list,
        UT_OBJECT({"fault", ut_string(ut_outage_name(mismatch->lockstep->golden.topology, &mismatch->outage[i], text))},
                  {"since_cycle", ut_int(mismatch->outage[i].from)}));
  UT_ADD(o, {"faults_in_force", list}, {"_faults", part_of(list, 0, MOST_FAULTS)},
         {"_more_faults", beyond(mismatch->outages, MOST_FAULTS)});
}

/* In the text a place has a line if both are the same, else two. */
static void add_places(json_t *o, const struct ut_mismatch *mismatch) {
  json_t *list = json_array(), *lines = json_array();
  for (size_t i = 0; i < mismatch->places; i++) {
    const struct ut_mismatch_place *place = &mismatch->place[i];
    const bool same = !strcmp(place->device, place->golden);
    json_array_append_new(list,
                          UT_OBJECT({"place", ut_string(place->name)}, {device_key(mismatch), ut_string(place->device)},
                                    {mismatch->golden, ut_string(place->golden)}));
    json_array_append_new(lines, UT_OBJECT({"name", ut_string(place->name)},
                                           {"whose", ut_string(same ? "both" : mismatch->device)},
                                           {"text", ut_string(place->device)}));
    if (!same)
      json_array_append_new(lines, UT_OBJECT({"name", ut_string("")}, {"whose", ut_string(mismatch->golden)},
                                             {"text", ut_string(place->golden)}));
  }
  UT_ADD(o, {"places", list}, {"_places", lines});
}

json_t *ut_mismatch_json(const struct ut_mismatch *mismatch, const char *again) {
  const struct ut_lockstep *lockstep = mismatch->lockstep;
  char text[UT_VERDICT_SIZE], name[UT_SWITCH_NAME_SIZE];
  json_t *o = UT_OBJECT({"cycle", ut_int(lockstep->golden.cycle)}, {"_device", ut_string(mismatch->device)},
                        {"_golden", ut_string(mismatch->golden)}, {"_third", ut_string(mismatch->third)},
                        {"_rtl", json_boolean(!lockstep->gates)});
  if (mismatch->registers) {
    UT_ADD(o,
           {"switch", ut_string(ut_topology_switch_name(lockstep->golden.topology, lockstep->mismatch_switch, name))});
    add_registers(o, mismatch);
    add_events(o, mismatch);
    add_places(o, mismatch);
  } else {
    UT_ADD(o, {"accounts", ut_string(lockstep->report ? lockstep->report : "")});
  }
  add_faults(o, mismatch);
  return UT_ADD(o, {"two_of_three", ut_string(ut_mismatch_verdict_text(mismatch, text) ? text : NULL)},
                {"complete", json_boolean(!mismatch->failure)}, {"command", ut_string(again)});
}
