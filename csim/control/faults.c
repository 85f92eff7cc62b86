/* SPDX-License-Identifier: Apache-2.0 */
/* faults.c - see faults.h */
#include "faults.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "family.h"
#include "random.h"

/* ---- components ---- */

/* The channel that names a link, to which this one belongs: from the switch with the lower number, or to a terminal. */
static uint32_t channel_of_link(const struct ut_topology *t, uint32_t channel) {
  const uint32_t twin = ut_topology_twin(t, channel);
  const struct ut_peer from = ut_topology_sender(t, channel), to = t->peer[channel];
  const bool other = from.kind == UT_PEER_TERMINAL || (to.kind == UT_PEER_SWITCH && to.index < from.index);
  return twin == UT_NO_CHANNEL || !other ? channel : twin;
}

static struct ut_component component_of(const struct ut_topology *t, uint32_t channel, bool both) {
  const struct ut_peer from = ut_topology_sender(t, channel);
  const struct ut_peer at = from.kind == UT_PEER_SWITCH ? from : t->peer[channel];
  return (struct ut_component){
      .sw = at.index, .channel = channel, .port = at.port, .kind = UT_FAULT_LINK, .both = both};
}

static bool __attribute__((format(printf, 3, 4)))
refuse(struct ut_fault_problem *p, const char *key, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(p->text, sizeof p->text, format, args);
  va_end(args);
  p->key = key;
  return false;
}

/* Switches that are never drawn: the leaves of a tree, whose terminals would be lost. */
static uint32_t first_drawn(const struct ut_topology *t) {
  uint32_t count = 0;
  if (!t->up_ports) /* no switch is worth more than another */
    return 0;
  while (count < t->switches && t->level[count] == 0)
    count++;
  return count;
}

static uint32_t terminal_links(const struct ut_topology *t) {
  return t->terminals * (t->bidirectional ? t->injections : t->injections + t->ejections);
}

/* Components that an entry of that kind draws from. */
static size_t drawable(const struct ut_topology *t, enum ut_fault_kind kind) {
  switch (kind) {
  case UT_FAULT_RANDOM_LINKS: return t->links;
  case UT_FAULT_RANDOM_TERMINAL_LINKS: return terminal_links(t);
  default: return t->switches - first_drawn(t);
  }
}

static const char *drawn_name(const struct ut_topology *t, enum ut_fault_kind kind) {
  switch (kind) {
  case UT_FAULT_RANDOM_LINKS: return "links between switches";
  case UT_FAULT_RANDOM_TERMINAL_LINKS: return "links of terminals";
  default: return t->up_ports ? "switches above level 0" : "switches";
  }
}

static bool locate_switch(const struct ut_topology *t, const struct ut_fault *f, uint32_t *sw,
                          struct ut_fault_problem *p) {
  if (f->level >= t->levels && t->levels == 1)
    return refuse(p, "level", "level %u does not exist, all switches of this network are in level 0", f->level);
  if (f->level >= t->levels)
    return refuse(p, "level", "level %u does not exist, this network has 0%s to %u%s", f->level,
                  t->up_ports ? " (leaves)" : "", t->levels - 1, t->up_ports ? " (roots)" : "");
  *sw = ut_topology_switch(t, f->level, f->index);
  if (*sw == UINT32_MAX) /* every level has as many */
    return refuse(p, "switch", "switch %u.%u does not exist, level %u has 0..%u", f->level, f->index, f->level,
                  t->switches / t->levels - 1);
  return true;
}

static bool locate_link(const struct ut_topology *t, const struct ut_fault *f, uint32_t sw, struct ut_component *out,
                        struct ut_fault_problem *p) {
  const struct ut_elaboration *e = &t->elaboration[ut_topology_elaboration(t, sw)];
  const uint32_t channel = sw * t->po + f->port;
  if (f->port >= e->po)
    return refuse(p, "port", "port %u does not exist, switch %u.%u has %s0..%u", f->port, f->level, f->index,
                  t->bidirectional ? "" : "output ports ", e->po - 1u);
  if (t->peer[channel].kind == UT_PEER_NONE && t->up_ports)
    return refuse(p, "port", "switch %u.%u is a root: its up ports %u..%u have no link", f->level, f->index,
                  (unsigned)__builtin_ctzll(t->up_ports), e->po - 1u);
  if (t->peer[channel].kind == UT_PEER_NONE)
    return refuse(p, "port", "switch %u.%u has no link at port %u", f->level, f->index, f->port);
  if (f->direction == UT_DIRECTION_BOTH)
    *out = component_of(t, channel_of_link(t, channel), t->bidirectional);
  else
    *out = component_of(t, f->direction == UT_DIRECTION_OUT ? channel : ut_topology_twin(t, channel), false);
  return true;
}

static bool locate_terminal_link(const struct ut_topology *t, const struct ut_fault *f, struct ut_component *out,
                                 struct ut_fault_problem *p) {
  const bool in = f->kind == UT_FAULT_INJECTION;
  const unsigned links = in ? t->injections : t->ejections;
  if (f->terminal >= t->terminals)
    return refuse(p, "terminal", "terminal %u does not exist, this network has 0..%u", f->terminal, t->terminals - 1);
  if (f->link >= links)
    return refuse(p, "link", "terminal %u has %u %s link%s, there is no %u", f->terminal, links,
                  in ? "injection" : "ejection", links == 1 ? "" : "s", f->link);
  *out = component_of(
      t, in ? ut_topology_injection(t, f->terminal, f->link) : t->ejection[f->terminal * t->ejections + f->link],
      false);
  return true;
}

static bool locate_subcube(const struct ut_topology *t, const struct ut_fault *f, struct ut_fault_problem *p) {
  const bool half = f->half_of != UT_NO_DIMENSION;
  if (!t->cube)
    return refuse(p, "", "'random_subcube' is for a hypercube, this topology is %s", t->kind);
  if (half && f->half_of >= t->cube)
    return refuse(p, "half_of", "dimension %u does not exist, this hypercube has 0..%u", f->half_of, t->cube - 1);
  return f->count + half <= t->cube ||
         refuse(p, "", "a %u-cube does not fit into %sa %u-cube", f->count, half ? "half " : "", t->cube);
}

bool ut_faults_locate(const struct ut_topology *t, const struct ut_fault *f, struct ut_component *out,
                      struct ut_fault_problem *p) {
  uint32_t sw;
  if (f->direction != UT_DIRECTION_BOTH && !t->bidirectional)
    return refuse(p, "direction", "'direction' is for links with two directions, those of a %s have one: leave it away",
                  t->kind);
  switch (f->kind) {
  case UT_FAULT_INJECTION:
  case UT_FAULT_EJECTION: return locate_terminal_link(t, f, out, p);
  case UT_FAULT_LINK: return locate_switch(t, f, &sw, p) && locate_link(t, f, sw, out, p);
  case UT_FAULT_SWITCH:
    if (!locate_switch(t, f, &sw, p))
      return false;
    *out = (struct ut_component){.sw = sw, .kind = UT_FAULT_SWITCH};
    return true;
  case UT_FAULT_RANDOM_SUBCUBE: return locate_subcube(t, f, p);
  case UT_FAULT_RANDOM_SWITCHES:
    if (f->apart && !t->family->apart)
      return refuse(p, "apart", "'apart' is for nodes with coordinates, a %s has none", t->kind);
    /* fall through */
  default:
    return f->count <= drawable(t, f->kind) || refuse(p, "", "%u random %s wanted, this network has %zu", f->count,
                                                      drawn_name(t, f->kind), drawable(t, f->kind));
  }
}

/* ---- the schedule under construction ---- */

/* One fault of one component. */
struct interval {
  uint64_t at, until;
  struct ut_component what;
};

/* One end of an interval; lists of them are sorted by `cycle`. */
struct moment {
  uint64_t cycle, other; /* `other`: that of its other end */
  size_t interval;
};

struct builder {
  const struct ut_scenario *scenario;
  const struct ut_topology *topology;
  struct interval *interval;
  size_t intervals, capacity;
  struct moment *begin, *end; /* [sorted]: the ends of all intervals of the entries before this one */
  size_t sorted;
  size_t begun, ended, passed; /* up to where its times have come in `begin`, in `end`, and in its own intervals */
  /* [channels], where one names its link; [switches]: how many intervals keep it from being drawn now.  All are zero
   * between two entries. */
  uint32_t *link_taken, *switch_taken;
  size_t taken; /* components that may not be drawn now */
};

static int __attribute__((cold)) out_of_memory(const struct builder *b, struct ut_error *e) {
  return ut_fail(e, UT_BAD_INPUT, "%s: out of memory for the faults", b->scenario->path);
}

static int add_interval(struct builder *b, const struct ut_fault *fault, struct ut_component what, struct ut_error *e) {
  if (b->intervals == b->capacity) {
    size_t capacity = b->capacity ? 2 * b->capacity : 16;
    struct interval *interval = realloc(b->interval, capacity * sizeof *interval);
    if (!interval)
      return out_of_memory(b, e);
    b->interval = interval;
    b->capacity = capacity;
  }
  b->interval[b->intervals++] = (struct interval){.at = fault->at_cycle, .until = fault->until_cycle, .what = what};
  return 0;
}

static int add_explicit(struct builder *b, const struct ut_fault *fault, struct ut_error *e) {
  struct ut_component what;
  struct ut_fault_problem problem;
  if (!ut_faults_locate(b->topology, fault, &what, &problem))
    return ut_fail(e, UT_BAD_INPUT, "%s:%u: %s", b->scenario->path, fault->line, problem.text);
  return add_interval(b, fault, what, e);
}

/* The mark of a component. */
static uint32_t *mark_of(struct builder *b, const struct ut_component *c) {
  return c->kind == UT_FAULT_SWITCH ? &b->switch_taken[c->sw]
                                    : &b->link_taken[channel_of_link(b->topology, c->channel)];
}

static bool is_of_terminal(const struct ut_topology *t, uint32_t channel) {
  return channel >= t->switches * t->po || t->peer[channel].kind == UT_PEER_TERMINAL;
}

/* Whether an entry of that kind could draw the component. */
static bool is_drawable(const struct ut_topology *t, enum ut_fault_kind kind, const struct ut_component *c) {
  if (ut_fault_is_of_switches(kind))
    return c->kind == UT_FAULT_SWITCH && c->sw >= first_drawn(t);
  return c->kind == UT_FAULT_LINK && is_of_terminal(t, c->channel) == (kind == UT_FAULT_RANDOM_TERMINAL_LINKS);
}

/* An interval begins, or ceases, to keep its component from being drawn by an entry of that kind. */
static void take(struct builder *b, enum ut_fault_kind kind, size_t i) {
  if (is_drawable(b->topology, kind, &b->interval[i].what))
    b->taken += (*mark_of(b, &b->interval[i].what))++ == 0;
}

static void give_back(struct builder *b, enum ut_fault_kind kind, size_t i) {
  if (is_drawable(b->topology, kind, &b->interval[i].what))
    b->taken -= --*mark_of(b, &b->interval[i].what) == 0;
}

static int by_cycle(const void *a, const void *b) {
  const struct moment *x = a, *y = b;
  return x->cycle < y->cycle ? -1 : x->cycle > y->cycle;
}

/* Sorts `more` moments that stand behind `count` sorted ones in among these; `spare` has room for them. */
static void merge(struct moment *list, size_t count, size_t more, struct moment *spare) {
  qsort(list + count, more, sizeof *list, by_cycle);
  memcpy(spare, list + count, more * sizeof *list);
  while (more)
    if (count && list[count - 1].cycle > spare[more - 1].cycle)
      count--, list[count + more] = list[count];
    else
      more--, list[count + more] = spare[more];
}

/* Before an entry draws: sorts in what the former ones have added.  Nothing is taken yet. */
static int begin_entry(struct builder *b, struct ut_error *e) {
  const size_t more = b->intervals - b->sorted, size = (b->intervals + 1) * sizeof *b->begin;
  struct moment *begin = realloc(b->begin, size), *spare = malloc((more + 1) * sizeof *spare);
  b->begin = begin ? begin : b->begin;
  struct moment *end = realloc(b->end, size);
  b->end = end ? end : b->end;
  if (!begin || !end || !spare) {
    free(spare);
    return out_of_memory(b, e);
  }
  for (size_t i = b->sorted; i < b->intervals; i++) {
    begin[i] = (struct moment){b->interval[i].at, b->interval[i].until, i};
    end[i] = (struct moment){b->interval[i].until, b->interval[i].at, i};
  }
  merge(begin, b->sorted, more, spare);
  merge(end, b->sorted, more, spare);
  free(spare);
  b->sorted = b->passed = b->intervals;
  b->begun = b->ended = 0;
  return 0;
}

/* Moves on to the next time of an entry: its times ascend, so each interval comes and goes once. */
static void move_on(struct builder *b, const struct ut_fault *fault) {
  for (; b->begun < b->sorted && b->begin[b->begun].cycle < fault->until_cycle; b->begun++)
    take(b, fault->kind, b->begin[b->begun].interval);
  for (; b->ended < b->sorted && b->end[b->ended].cycle <= fault->at_cycle; b->ended++)
    give_back(b, fault->kind, b->end[b->ended].interval);
  for (; b->passed < b->intervals && b->interval[b->passed].until <= fault->at_cycle; b->passed++)
    give_back(b, fault->kind, b->passed);
}

/* After an entry has drawn; until: the end of its last time. */
static void end_entry(struct builder *b, enum ut_fault_kind kind, uint64_t until) {
  for (; b->ended < b->sorted; b->ended++)
    if (b->end[b->ended].other < until)
      give_back(b, kind, b->end[b->ended].interval);
  for (; b->passed < b->intervals; b->passed++)
    give_back(b, kind, b->passed);
}

/* Component `number` of those that an entry draws from. */
static struct ut_component drawn(const struct ut_topology *t, const struct ut_fault *fault, uint32_t number) {
  uint32_t channel;
  switch (fault->kind) {
  case UT_FAULT_RANDOM_SWITCHES: return (struct ut_component){.sw = first_drawn(t) + number, .kind = UT_FAULT_SWITCH};
  case UT_FAULT_RANDOM_LINKS: channel = t->link[number].lower * t->po + t->link[number].lower_port; break;
  default: {
    const uint32_t ejections = t->terminals * t->ejections;
    channel = number < ejections ? t->ejection[number] : t->switches * t->po + number - ejections;
  }
  }
  if (fault->direction == UT_DIRECTION_IN)
    channel = ut_topology_twin(t, channel);
  return component_of(t, channel, t->bidirectional && fault->direction == UT_DIRECTION_BOTH);
}

/* Whether the component is as far as the entry wants from those that it has drawn, the intervals from `first` on. */
static bool far_enough(const struct builder *b, const struct ut_fault *fault, size_t first,
                       const struct ut_component *what) {
  for (size_t i = first; fault->apart && i < b->intervals; i++)
    if (b->topology->family->apart(b->topology, b->interval[i].what.sw, what->sw) < fault->apart)
      return false;
  return true;
}

/* An interval of a component that has been drawn: it is taken at once. */
static int add_taken(struct builder *b, const struct ut_fault *fault, struct ut_component what, struct ut_error *e) {
  if (add_interval(b, fault, what, e))
    return -1;
  take(b, fault->kind, b->intervals - 1);
  return 0;
}

/* Every other node of a subcube: where it lies, where it extends and which of its two halves are equally likely. */
static int add_subcube(struct builder *b, const struct ut_fault *fault, struct ut_random *random, struct ut_error *e) {
  const struct ut_topology *t = b->topology;
  uint32_t inside = 0;
  for (unsigned count = 0; count < fault->count;) {
    const unsigned d = ut_random_below(random, t->cube);
    const bool taken = d == fault->half_of || inside >> d & 1;
    inside |= (uint32_t)!taken << d;
    count += !taken;
  }
  const uint32_t place = ut_random_below(random, t->switches);
  const bool odd = ut_random_below(random, 2);
  for (uint32_t node = 0; node < t->switches; node++) {
    if ((node ^ place) & ~inside || __builtin_parity(node) != odd || b->switch_taken[node])
      continue;
    if (add_taken(b, fault, (struct ut_component){.sw = node, .kind = UT_FAULT_SWITCH}, e))
      return -1;
  }
  return 0;
}

/* Takes back what an entry has drawn for one time, the intervals from `first` on. */
static void take_back(struct builder *b, const struct ut_fault *fault, size_t first) {
  while (b->intervals > first)
    give_back(b, fault->kind, --b->intervals);
}

/* Draws with rejection: even taking the very last component costs, on average, only as many draws as there are
 * components.  Switches that are to be apart may leave no place for the last of them: then it begins again. */
static int add_drawn(struct builder *b, const struct ut_fault *fault, struct ut_random *random, size_t all,
                     struct ut_error *e) {
  enum { BEGINNINGS = 1000 };
  const size_t first = b->intervals;
  size_t tries = 0;
  for (unsigned count = 0, beginning = 0; count < fault->count;) {
    const struct ut_component what = drawn(b->topology, fault, ut_random_below(random, (uint32_t)all));
    if (fault->apart && tries++ > 16 * all) {
      if (++beginning == BEGINNINGS)
        return ut_fail(e, UT_BAD_INPUT, "%s:%u: no place found for %u switches that are %u apart", b->scenario->path,
                       fault->line, fault->count, fault->apart);
      take_back(b, fault, first);
      count = 0, tries = 0;
    } else if (!*mark_of(b, &what) && far_enough(b, fault, first, &what)) {
      count++;
      if (add_taken(b, fault, what, e))
        return -1;
    }
  }
  return 0;
}

static int add_random(struct builder *b, const struct ut_fault *fault, uint32_t entry, struct ut_error *e) {
  const struct ut_topology *t = b->topology;
  const size_t all = drawable(t, fault->kind);
  struct ut_fault_problem problem;
  if (!ut_faults_locate(t, fault, NULL, &problem))
    return ut_fail(e, UT_BAD_INPUT, "%s:%u: %s", b->scenario->path, fault->line, problem.text);
  move_on(b, fault);
  if (fault->kind != UT_FAULT_RANDOM_SUBCUBE && fault->count > all - b->taken)
    return ut_fail(e, UT_BAD_INPUT,
                   "%s:%u: %u random %s wanted, only %zu are left (%zu in this %s, %zu faulty in that time)",
                   b->scenario->path, fault->line, fault->count, drawn_name(t, fault->kind), all - b->taken, all,
                   t->kind, b->taken);
  struct ut_random random;
  ut_random_init(&random, b->scenario->run.seed, UT_RANDOM_FAULTS, entry);
  return fault->kind == UT_FAULT_RANDOM_SUBCUBE ? add_subcube(b, fault, &random, e)
                                                : add_drawn(b, fault, &random, all, e);
}

/* An entry as often as it happens; each time has its own draws. */
static int add_entry(struct builder *b, const struct ut_fault *fault, uint32_t entry, bool random, struct ut_error *e) {
  struct ut_fault now = *fault;
  uint64_t until = 0;
  if (random && begin_entry(b, e))
    return -1;
  for (unsigned i = 0; i == 0 || i < fault->times; i++) {
    if (random ? add_random(b, &now, entry, e) : add_explicit(b, &now, e))
      return -1;
    until = now.until_cycle;
    now.at_cycle += fault->every_cycles;
    if (now.until_cycle != UINT64_MAX)
      now.until_cycle += fault->every_cycles;
    entry += (uint32_t)b->scenario->fault_count;
  }
  if (random)
    end_entry(b, fault->kind, until);
  return 0;
}

/* Fixed faults first: random ones avoid them wherever they stand in the list. */
static int collect(struct builder *b, struct ut_error *e) {
  const struct ut_scenario *s = b->scenario;
  for (unsigned pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < s->fault_count; i++) {
      const struct ut_fault *fault = &s->faults[i];
      bool random = fault->kind >= UT_FAULT_RANDOM_LINKS;
      if (random != (pass == 1))
        continue;
      if (fault->until_cycle <= fault->at_cycle)
        return ut_fail(e, UT_BAD_INPUT, "%s:%u: the fault ends at cycle %llu, must be after its start at cycle %llu",
                       s->path, fault->line, (unsigned long long)fault->until_cycle,
                       (unsigned long long)fault->at_cycle);
      if (add_entry(b, fault, (uint32_t)i + 1, random, e))
        return -1;
    }
  }
  return 0;
}

static int order(uint64_t a, uint64_t b) {
  return a < b ? -1 : a > b;
}

static int event_order(const void *a, const void *b) {
  const struct ut_fault_event *x = a, *y = b;
  int o = order(x->cycle, y->cycle);
  o = o ? o : order(x->up, y->up);
  o = o ? o : order(x->what.kind, y->what.kind);
  o = o ? o : order(x->what.sw, y->what.sw);
  o = o ? o : order(x->what.port, y->what.port);
  return o ? o : order(x->what.channel, y->what.channel);
}

static int schedule(struct ut_faults *f, const struct builder *b, struct ut_error *e) {
  f->event = calloc(2 * b->intervals + 1, sizeof *f->event);
  if (!f->event)
    return out_of_memory(b, e);
  for (size_t i = 0; i < b->intervals; i++) {
    const struct interval *fault = &b->interval[i];
    f->event[f->events++] = (struct ut_fault_event){.cycle = fault->at, .what = fault->what};
    if (fault->until != UINT64_MAX)
      f->event[f->events++] = (struct ut_fault_event){.cycle = fault->until, .what = fault->what, .up = true};
  }
  qsort(f->event, f->events, sizeof *f->event, event_order);
  return 0;
}

static int build(struct ut_faults *f, struct builder *b, struct ut_error *e) {
  const struct ut_topology *t = b->topology;
  /* what counts faults later: all is zero again when the marks are not needed any more */
  b->link_taken = f->channel_down = calloc(t->channels, sizeof *f->channel_down);
  b->switch_taken = f->switch_down = calloc(t->switches, sizeof *f->switch_down);
  int result = f->channel_down && f->switch_down ? collect(b, e) : out_of_memory(b, e);
  if (!result)
    result = schedule(f, b, e);
  free(b->interval);
  free(b->begin);
  free(b->end);
  return result;
}

int ut_faults_init(struct ut_faults *f, const struct ut_scenario *s, const struct ut_topology *t, struct ut_error *e) {
  *f = (struct ut_faults){.topology = t};
  if (s->fault_count == 0)
    return 0;
  struct builder b = {.scenario = s, .topology = t};
  if (build(f, &b, e) == 0)
    return 0;
  ut_faults_free(f);
  return -1;
}

void ut_faults_free(struct ut_faults *f) {
  free(f->event);
  free(f->channel_down);
  free(f->switch_down);
  *f = (struct ut_faults){0};
}

/* ---- state ---- */

void ut_faults_rewind(struct ut_faults *f) {
  const struct ut_topology *t = f->topology;
  f->next = 0;
  f->failures = 0;
  if (!f->channel_down)
    return;
  memset(f->channel_down, 0, t->channels * sizeof *f->channel_down);
  memset(f->switch_down, 0, t->switches * sizeof *f->switch_down);
}

/* One fault more or one less; true when that changed the component's state. */
static bool count_fault(uint32_t *count, bool up) {
  return up ? --*count == 0 : ++*count == 1;
}

static bool apply(struct ut_faults *f, const struct ut_fault_event *event) {
  const struct ut_component *c = &event->what;
  if (c->kind == UT_FAULT_SWITCH)
    return count_fault(&f->switch_down[c->sw], event->up);
  bool changed = count_fault(&f->channel_down[c->channel], event->up);
  if (c->both)
    changed |= count_fault(&f->channel_down[ut_topology_twin(f->topology, c->channel)], event->up);
  return changed;
}

const struct ut_fault_event *ut_faults_next(struct ut_faults *f, uint64_t cycle) {
  while (f->next < f->events && f->event[f->next].cycle <= cycle) {
    const struct ut_fault_event *event = &f->event[f->next++];
    if (apply(f, event)) {
      f->failures += !event->up;
      return event;
    }
  }
  return NULL;
}

static bool end_up(const struct ut_faults *f, const struct ut_peer *p) {
  return p->kind == UT_PEER_TERMINAL || f->switch_down[p->index] == 0;
}

bool ut_faults_channel_up(const struct ut_faults *f, uint32_t channel) {
  const struct ut_topology *t = f->topology;
  if (t->peer[channel].kind == UT_PEER_NONE)
    return false;
  if (!f->channel_down)
    return true;
  const struct ut_peer from = ut_topology_sender(t, channel);
  return f->channel_down[channel] == 0 && end_up(f, &from) && end_up(f, &t->peer[channel]);
}

uint64_t ut_faults_out_up(const struct ut_faults *f, uint32_t sw) {
  uint64_t mask = 0;
  for (unsigned port = 0; port < f->topology->po; port++)
    mask |= (uint64_t)ut_faults_link_up(f, sw, port) << port;
  return mask;
}

uint64_t ut_faults_in_up(const struct ut_faults *f, uint32_t sw) {
  const struct ut_topology *t = f->topology;
  uint64_t mask = 0;
  for (unsigned port = 0; port < t->pi; port++) {
    const uint32_t channel = t->feeder[(size_t)sw * t->pi + port];
    mask |= (uint64_t)(channel != UT_NO_CHANNEL && ut_faults_channel_up(f, channel)) << port;
  }
  return mask;
}
