/* SPDX-License-Identifier: Apache-2.0 */
/* faults.c - see faults.h */
#include "faults.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "family.h"
#include "random.h"
#include "scenario.h"

/* ---- components ---- */

/* Returns the channel that names the link of this channel: from the switch with the lower number, or to a terminal. */
static uint32_t channel_of_link(const struct ut_topology *topo, uint32_t channel) {
  const uint32_t twin = ut_topology_twin(topo, channel);
  const struct ut_peer from = ut_topology_sender(topo, channel), to = topo->peer[channel];
  const bool other = from.kind == UT_PEER_TERMINAL || (to.kind == UT_PEER_SWITCH && to.index < from.index);
  return twin == UT_NO_CHANNEL || !other ? channel : twin;
}

static struct ut_component component_of(const struct ut_topology *topo, uint32_t channel, bool both) {
  const struct ut_peer from = ut_topology_sender(topo, channel);
  const struct ut_peer at = from.kind == UT_PEER_SWITCH ? from : topo->peer[channel];
  return (struct ut_component){
      .sw = at.index, .channel = channel, .port = at.port, .kind = UT_FAULT_LINK, .both = both};
}

static bool __attribute__((format(printf, 3, 4)))
refuse(struct ut_fault_problem *problem, const char *key, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(problem->text, sizeof problem->text, format, args);
  va_end(args);
  problem->key = key;
  return false;
}

/* Returns the switches that are never drawn: the leaves of a tree, whose terminals would be lost. */
static uint32_t first_drawn(const struct ut_topology *topo) {
  uint32_t count = 0;
  if (!topo->up_ports) /* all switches are equivalent */
    return 0;
  while (count < topo->switches && topo->level[count] == 0)
    count++;
  return count;
}

static uint32_t terminal_links(const struct ut_topology *topo) {
  return topo->terminals * (topo->bidirectional ? topo->injections : topo->injections + topo->ejections);
}

/* Counts the components from which an entry of that kind draws. */
static size_t drawable(const struct ut_topology *topo, enum ut_fault_kind kind) {
  switch (kind) {
  case UT_FAULT_RANDOM_LINKS: return topo->links;
  case UT_FAULT_RANDOM_TERMINAL_LINKS: return terminal_links(topo);
  default: return topo->switches - first_drawn(topo);
  }
}

static const char *drawn_name(const struct ut_topology *topo, enum ut_fault_kind kind) {
  switch (kind) {
  case UT_FAULT_RANDOM_LINKS: return "links between switches";
  case UT_FAULT_RANDOM_TERMINAL_LINKS: return "links of terminals";
  default: return topo->up_ports ? "switches above level 0" : "switches";
  }
}

/* Returns how many switches that level has. */
static unsigned width_of(const struct ut_topology *topo, unsigned level) {
  unsigned count = 0;
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    count += topo->level[sw] == level;
  return count;
}

static bool locate_switch(const struct ut_topology *topo, const struct ut_fault *fault, uint32_t *sw,
                          struct ut_fault_problem *problem) {
  if (fault->level >= topo->levels && topo->levels == 1)
    return refuse(problem, "level", "level %u does not exist, all switches of this network are in level 0",
                  fault->level);
  if (fault->level >= topo->levels)
    return refuse(problem, "level", "level %u does not exist, this network has 0%s to %u%s", fault->level,
                  topo->up_ports ? " (leaves)" : "", topo->levels - 1, topo->up_ports ? " (roots)" : "");
  *sw = ut_topology_switch(topo, fault->level, fault->index);
  if (*sw == UINT32_MAX)
    return refuse(problem, "switch", "switch %u.%u does not exist, level %u has 0..%u", fault->level, fault->index,
                  fault->level, width_of(topo, fault->level) - 1);
  return true;
}

static bool locate_link(const struct ut_topology *topo, const struct ut_fault *fault, uint32_t sw,
                        struct ut_component *out, struct ut_fault_problem *problem) {
  const struct ut_elaboration *elaboration = &topo->elaboration[ut_topology_elaboration(topo, sw)];
  const uint32_t channel = sw * topo->po + fault->port;
  const unsigned first = topo->first_port; /* ports are said as the network's file numbers them */
  char name[UT_SWITCH_NAME_SIZE];
  ut_topology_switch_name(topo, sw, name);
  if (fault->port >= elaboration->po)
    return refuse(problem, "port", "port %u does not exist, switch %s has %s%u..%u", fault->port + first, name,
                  topo->bidirectional ? "" : "output ports ", first, elaboration->po - 1u + first);
  if (topo->peer[channel].kind == UT_PEER_NONE && ut_topology_up_ports(topo, sw) >> fault->port & 1)
    return refuse(problem, "port", "switch %s is a root: its up ports %u..%u have no link", name,
                  (unsigned)__builtin_ctzll(ut_topology_up_ports(topo, sw)), elaboration->po - 1u);
  if (topo->peer[channel].kind == UT_PEER_NONE)
    return refuse(problem, "port", "switch %s has no link at port %u", name, fault->port + first);
  if (fault->direction == UT_DIRECTION_BOTH)
    *out = component_of(topo, channel_of_link(topo, channel), topo->bidirectional);
  else
    *out = component_of(topo, fault->direction == UT_DIRECTION_OUT ? channel : ut_topology_twin(topo, channel), false);
  return true;
}

static bool locate_terminal_link(const struct ut_topology *topo, const struct ut_fault *fault, struct ut_component *out,
                                 struct ut_fault_problem *problem) {
  const bool in = fault->kind == UT_FAULT_INJECTION;
  const unsigned links = in ? topo->injections : topo->ejections;
  if (fault->terminal >= topo->terminals)
    return refuse(problem, "terminal", "terminal %u does not exist, this network has 0..%u", fault->terminal,
                  topo->terminals - 1);
  if (fault->link >= links)
    return refuse(problem, "link", "terminal %u has %u %s link%s, there is no %u", fault->terminal, links,
                  in ? "injection" : "ejection", links == 1 ? "" : "s", fault->link);
  *out = component_of(topo,
                      in ? ut_topology_injection(topo, fault->terminal, fault->link)
                         : topo->ejection[fault->terminal * topo->ejections + fault->link],
                      false);
  return true;
}

static bool locate_subcube(const struct ut_topology *topo, const struct ut_fault *fault,
                           struct ut_fault_problem *problem) {
  const bool half = fault->half_of != UT_NO_DIMENSION;
  if (!topo->cube)
    return refuse(problem, "", "'random_subcube' is for a hypercube, this topology is %s", topo->kind);
  if (half && fault->half_of >= topo->cube)
    return refuse(problem, "half_of", "dimension %u does not exist, this hypercube has 0..%u", fault->half_of,
                  topo->cube - 1);
  return fault->count + half <= topo->cube ||
         refuse(problem, "", "a %u-cube does not fit into %sa %u-cube", fault->count, half ? "half " : "", topo->cube);
}

bool ut_faults_locate(const struct ut_topology *topo, const struct ut_fault *fault, struct ut_component *out,
                      struct ut_fault_problem *problem) {
  uint32_t sw;
  if (fault->direction != UT_DIRECTION_BOTH && !topo->bidirectional)
    return refuse(problem, "direction",
                  "'direction' is for links with two directions, those of a %s have one: leave it away", topo->kind);
  switch (fault->kind) {
  case UT_FAULT_INJECTION:
  case UT_FAULT_EJECTION: return locate_terminal_link(topo, fault, out, problem);
  case UT_FAULT_LINK: return locate_switch(topo, fault, &sw, problem) && locate_link(topo, fault, sw, out, problem);
  case UT_FAULT_SWITCH:
    if (!locate_switch(topo, fault, &sw, problem))
      return false;
    *out = (struct ut_component){.sw = sw, .kind = UT_FAULT_SWITCH};
    return true;
  case UT_FAULT_RANDOM_SUBCUBE: return locate_subcube(topo, fault, problem);
  case UT_FAULT_RANDOM_SWITCHES:
    if (fault->apart && !topo->family->apart)
      return refuse(problem, "apart", "'apart' is for nodes with coordinates, a %s has none", topo->kind);
    /* fall through */
  default:
    return fault->count <= drawable(topo, fault->kind) ||
           refuse(problem, "", "%u random %s wanted, this network has %zu", fault->count, drawn_name(topo, fault->kind),
                  drawable(topo, fault->kind));
  }
}

/* ---- the schedule under construction ---- */

/* A fault of one component, as an interval of cycles. */
struct interval {
  uint64_t at, until;
  struct ut_component what;
};

/* One end of an interval; lists of ends are sorted by `cycle`. */
struct moment {
  uint64_t cycle, other; /* `other`: cycle of its other end */
  size_t interval;
};

struct builder {
  const struct ut_scenario *scenario;
  const struct ut_topology *topology;
  struct interval *interval;
  size_t intervals, capacity;
  struct moment *begin, *end; /* [sorted]: the ends of all intervals of the entries before this one */
  size_t sorted;
  size_t begun, ended, passed; /* up to the present time of an entry: in `begin`, in `end`, and in its own intervals */
  /* [channels], at the channel that names the link; [switches]: how many intervals keep the component from being drawn
   * now.  All are zero between two entries. */
  uint32_t *link_taken, *switch_taken;
  size_t taken; /* components that must not be drawn now */
};

static int __attribute__((cold)) out_of_memory(const struct builder *builder, struct ut_error *e) {
  return ut_fail(e, UT_BAD_INPUT, "%s: out of memory for the faults", builder->scenario->path);
}

static int add_interval(struct builder *builder, const struct ut_fault *fault, struct ut_component what,
                        struct ut_error *e) {
  if (builder->intervals == builder->capacity) {
    size_t capacity = builder->capacity ? 2 * builder->capacity : 16;
    struct interval *interval = realloc(builder->interval, capacity * sizeof *interval);
    if (!interval)
      return out_of_memory(builder, e);
    builder->interval = interval;
    builder->capacity = capacity;
  }
  builder->interval[builder->intervals++] =
      (struct interval){.at = fault->at_cycle, .until = fault->until_cycle, .what = what};
  return 0;
}

static int add_explicit(struct builder *builder, const struct ut_fault *fault, struct ut_error *e) {
  struct ut_component what;
  struct ut_fault_problem problem;
  if (!ut_faults_locate(builder->topology, fault, &what, &problem))
    return ut_fail(e, UT_BAD_INPUT, "%s:%u: %s", builder->scenario->path, fault->line, problem.text);
  return add_interval(builder, fault, what, e);
}

/* Returns the mark of a component. */
static uint32_t *mark_of(struct builder *builder, const struct ut_component *component) {
  return component->kind == UT_FAULT_SWITCH
             ? &builder->switch_taken[component->sw]
             : &builder->link_taken[channel_of_link(builder->topology, component->channel)];
}

static bool is_of_terminal(const struct ut_topology *topo, uint32_t channel) {
  return channel >= topo->switches * topo->po || topo->peer[channel].kind == UT_PEER_TERMINAL;
}

/* Returns whether an entry of that kind could draw the component. */
static bool is_drawable(const struct ut_topology *topo, enum ut_fault_kind kind, const struct ut_component *component) {
  if (ut_fault_is_of_switches(kind))
    return component->kind == UT_FAULT_SWITCH && component->sw >= first_drawn(topo);
  return component->kind == UT_FAULT_LINK &&
         is_of_terminal(topo, component->channel) == (kind == UT_FAULT_RANDOM_TERMINAL_LINKS);
}

/* Counts that an interval begins, or ceases, to keep its component from being drawn by an entry of that kind. */
static void take(struct builder *builder, enum ut_fault_kind kind, size_t i) {
  if (is_drawable(builder->topology, kind, &builder->interval[i].what))
    builder->taken += (*mark_of(builder, &builder->interval[i].what))++ == 0;
}

static void give_back(struct builder *builder, enum ut_fault_kind kind, size_t i) {
  if (is_drawable(builder->topology, kind, &builder->interval[i].what))
    builder->taken -= --*mark_of(builder, &builder->interval[i].what) == 0;
}

static int by_cycle(const void *a, const void *b) {
  const struct moment *x = a, *y = b;
  return x->cycle < y->cycle ? -1 : x->cycle > y->cycle;
}

/* Merges `more` moments that stand behind `count` sorted ones into these; `spare` has room for them. */
static void merge(struct moment *list, size_t count, size_t more, struct moment *spare) {
  qsort(list + count, more, sizeof *list, by_cycle);
  memcpy(spare, list + count, more * sizeof *list);
  while (more)
    if (count && list[count - 1].cycle > spare[more - 1].cycle)
      count--, list[count + more] = list[count];
    else
      more--, list[count + more] = spare[more];
}

/* Before an entry draws: merges the intervals of earlier entries.  No component is taken yet. */
static int begin_entry(struct builder *builder, struct ut_error *e) {
  const size_t more = builder->intervals - builder->sorted, size = (builder->intervals + 1) * sizeof *builder->begin;
  struct moment *begin = realloc(builder->begin, size), *spare = malloc((more + 1) * sizeof *spare);
  builder->begin = begin ? begin : builder->begin;
  struct moment *end = realloc(builder->end, size);
  builder->end = end ? end : builder->end;
  if (!begin || !end || !spare) {
    free(spare);
    return out_of_memory(builder, e);
  }
  for (size_t i = builder->sorted; i < builder->intervals; i++) {
    begin[i] = (struct moment){builder->interval[i].at, builder->interval[i].until, i};
    end[i] = (struct moment){builder->interval[i].until, builder->interval[i].at, i};
  }
  merge(begin, builder->sorted, more, spare);
  merge(end, builder->sorted, more, spare);
  free(spare);
  builder->sorted = builder->passed = builder->intervals;
  builder->begun = builder->ended = 0;
  return 0;
}

/* Advances to the next time of an entry: its times ascend, so each interval begins and ends once. */
static void move_on(struct builder *builder, const struct ut_fault *fault) {
  for (; builder->begun < builder->sorted && builder->begin[builder->begun].cycle < fault->until_cycle;
       builder->begun++)
    take(builder, fault->kind, builder->begin[builder->begun].interval);
  for (; builder->ended < builder->sorted && builder->end[builder->ended].cycle <= fault->at_cycle; builder->ended++)
    give_back(builder, fault->kind, builder->end[builder->ended].interval);
  for (; builder->passed < builder->intervals && builder->interval[builder->passed].until <= fault->at_cycle;
       builder->passed++)
    give_back(builder, fault->kind, builder->passed);
}

/* After an entry has drawn.  until: the end of its last time. */
static void end_entry(struct builder *builder, enum ut_fault_kind kind, uint64_t until) {
  for (; builder->ended < builder->sorted; builder->ended++)
    if (builder->end[builder->ended].other < until)
      give_back(builder, kind, builder->end[builder->ended].interval);
  for (; builder->passed < builder->intervals; builder->passed++)
    give_back(builder, kind, builder->passed);
}

/* Returns component `number` of those from which an entry draws. */
static struct ut_component drawn(const struct ut_topology *topo, const struct ut_fault *fault, uint32_t number) {
  uint32_t channel;
  switch (fault->kind) {
  case UT_FAULT_RANDOM_SWITCHES:
    return (struct ut_component){.sw = first_drawn(topo) + number, .kind = UT_FAULT_SWITCH};
  case UT_FAULT_RANDOM_LINKS: channel = topo->link[number].lower * topo->po + topo->link[number].lower_port; break;
  default: {
    const uint32_t ejections = topo->terminals * topo->ejections;
    channel = number < ejections ? topo->ejection[number] : topo->switches * topo->po + number - ejections;
  }
  }
  if (fault->direction == UT_DIRECTION_IN)
    channel = ut_topology_twin(topo, channel);
  return component_of(topo, channel, topo->bidirectional && fault->direction == UT_DIRECTION_BOTH);
}

/* Returns whether the component is as far as the entry requires from those that it has drawn, the intervals from
 * `first` on. */
static bool far_enough(const struct builder *builder, const struct ut_fault *fault, size_t first,
                       const struct ut_component *what) {
  for (size_t i = first; fault->apart && i < builder->intervals; i++)
    if (builder->topology->family->apart(builder->topology, builder->interval[i].what.sw, what->sw) < fault->apart)
      return false;
  return true;
}

/* Adds the interval of a component that has been drawn; the component is taken from now on. */
static int add_taken(struct builder *builder, const struct ut_fault *fault, struct ut_component what,
                     struct ut_error *e) {
  if (add_interval(builder, fault, what, e))
    return -1;
  take(builder, fault->kind, builder->intervals - 1);
  return 0;
}

/* Adds every other node of a subcube.  Its position, the directions in which it extends and which of its two halves
 * fails are equally likely. */
static int add_subcube(struct builder *builder, const struct ut_fault *fault, struct ut_random *random,
                       struct ut_error *e) {
  const struct ut_topology *topo = builder->topology;
  uint32_t inside = 0;
  for (unsigned count = 0; count < fault->count;) {
    const unsigned d = ut_random_below(random, topo->cube);
    const bool taken = d == fault->half_of || inside >> d & 1;
    inside |= (uint32_t)!taken << d;
    count += !taken;
  }
  const uint32_t place = ut_random_below(random, topo->switches);
  const bool odd = ut_random_below(random, 2);
  for (uint32_t node = 0; node < topo->switches; node++) {
    if ((node ^ place) & ~inside || __builtin_parity(node) != odd || builder->switch_taken[node])
      continue;
    if (add_taken(builder, fault, (struct ut_component){.sw = node, .kind = UT_FAULT_SWITCH}, e))
      return -1;
  }
  return 0;
}

/* Removes the components that an entry has drawn for one time, the intervals from `first` on. */
static void take_back(struct builder *builder, const struct ut_fault *fault, size_t first) {
  while (builder->intervals > first)
    give_back(builder, fault->kind, --builder->intervals);
}

/* Draws with rejection: even taking the very last component costs, on average, only as many draws as there are
 * components.  If switches must keep a distance, there may be no place for the last of them: then it starts again. */
static int add_drawn(struct builder *builder, const struct ut_fault *fault, struct ut_random *random, size_t all,
                     struct ut_error *e) {
  enum { BEGINNINGS = 1000 };
  const size_t first = builder->intervals;
  size_t tries = 0;
  for (unsigned count = 0, beginning = 0; count < fault->count;) {
    const struct ut_component what = drawn(builder->topology, fault, ut_random_below(random, (uint32_t)all));
    if (fault->apart && tries++ > 16 * all) {
      if (++beginning == BEGINNINGS)
        return ut_fail(e, UT_BAD_INPUT, "%s:%u: no place found for %u switches that are %u apart",
                       builder->scenario->path, fault->line, fault->count, fault->apart);
      take_back(builder, fault, first);
      count = 0, tries = 0;
    } else if (!*mark_of(builder, &what) && far_enough(builder, fault, first, &what)) {
      count++;
      if (add_taken(builder, fault, what, e))
        return -1;
    }
  }
  return 0;
}

static int add_random(struct builder *builder, const struct ut_fault *fault, uint32_t entry, struct ut_error *e) {
  const struct ut_topology *topo = builder->topology;
  const size_t all = drawable(topo, fault->kind);
  struct ut_fault_problem problem;
  if (!ut_faults_locate(topo, fault, NULL, &problem))
    return ut_fail(e, UT_BAD_INPUT, "%s:%u: %s", builder->scenario->path, fault->line, problem.text);
  move_on(builder, fault);
  if (fault->kind != UT_FAULT_RANDOM_SUBCUBE && fault->count > all - builder->taken)
    return ut_fail(e, UT_BAD_INPUT,
                   "%s:%u: %u random %s wanted, only %zu are left (%zu in this %s, %zu faulty in that time)",
                   builder->scenario->path, fault->line, fault->count, drawn_name(topo, fault->kind),
                   all - builder->taken, all, topo->kind, builder->taken);
  struct ut_random random;
  ut_random_init(&random, builder->scenario->run.seed, UT_RANDOM_FAULTS, entry);
  return fault->kind == UT_FAULT_RANDOM_SUBCUBE ? add_subcube(builder, fault, &random, e)
                                                : add_drawn(builder, fault, &random, all, e);
}

/* Adds an entry as often as it happens; each time has its own draws. */
static int add_entry(struct builder *builder, const struct ut_fault *fault, uint32_t entry, bool random,
                     struct ut_error *e) {
  struct ut_fault now = *fault;
  uint64_t until = 0;
  if (random && begin_entry(builder, e))
    return -1;
  for (unsigned i = 0; i == 0 || i < fault->times; i++) {
    if (random ? add_random(builder, &now, entry, e) : add_explicit(builder, &now, e))
      return -1;
    until = now.until_cycle;
    now.at_cycle += fault->every_cycles;
    if (now.until_cycle != UINT64_MAX)
      now.until_cycle += fault->every_cycles;
    entry += (uint32_t)builder->scenario->fault_count;
  }
  if (random)
    end_entry(builder, fault->kind, until);
  return 0;
}

/* Adds fixed faults first: random ones avoid them wherever they are in the list. */
static int collect(struct builder *builder, struct ut_error *e) {
  const struct ut_scenario *scenario = builder->scenario;
  for (unsigned pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < scenario->fault_count; i++) {
      const struct ut_fault *fault = &scenario->faults[i];
      bool random = fault->kind >= UT_FAULT_RANDOM_LINKS;
      if (random != (pass == 1))
        continue;
      if (fault->until_cycle <= fault->at_cycle)
        return ut_fail(e, UT_BAD_INPUT, "%s:%u: the fault ends at cycle %llu, must be after its start at cycle %llu",
                       scenario->path, fault->line, (unsigned long long)fault->until_cycle,
                       (unsigned long long)fault->at_cycle);
      if (add_entry(builder, fault, (uint32_t)i + 1, random, e))
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

static int schedule(struct ut_faults *faults, const struct builder *builder, struct ut_error *e) {
  faults->event = calloc(2 * builder->intervals + 1, sizeof *faults->event);
  if (!faults->event)
    return out_of_memory(builder, e);
  for (size_t i = 0; i < builder->intervals; i++) {
    const struct interval *fault = &builder->interval[i];
    faults->event[faults->events++] = (struct ut_fault_event){.cycle = fault->at, .what = fault->what};
    if (fault->until != UINT64_MAX)
      faults->event[faults->events++] = (struct ut_fault_event){.cycle = fault->until, .what = fault->what, .up = true};
  }
  qsort(faults->event, faults->events, sizeof *faults->event, event_order);
  return 0;
}

static int build(struct ut_faults *faults, struct builder *builder, struct ut_error *e) {
  const struct ut_topology *topo = builder->topology;
  /* the counters of faults: all are zero again when the marks are not needed any more */
  builder->link_taken = faults->channel_down = calloc(topo->channels, sizeof *faults->channel_down);
  builder->switch_taken = faults->switch_down = calloc(topo->switches, sizeof *faults->switch_down);
  int result = faults->channel_down && faults->switch_down ? collect(builder, e) : out_of_memory(builder, e);
  if (!result)
    result = schedule(faults, builder, e);
  free(builder->interval);
  free(builder->begin);
  free(builder->end);
  return result;
}

int ut_faults_init(struct ut_faults *faults, const struct ut_scenario *scenario, const struct ut_topology *topo,
                   struct ut_error *e) {
  *faults = (struct ut_faults){.topology = topo};
  if (scenario->fault_count == 0)
    return 0;
  struct builder builder = {.scenario = scenario, .topology = topo};
  if (build(faults, &builder, e) == 0)
    return 0;
  ut_faults_free(faults);
  return -1;
}

void ut_faults_free(struct ut_faults *faults) {
  free(faults->event);
  free(faults->channel_down);
  free(faults->switch_down);
  *faults = (struct ut_faults){0};
}

/* ---- state ---- */

void ut_faults_rewind(struct ut_faults *faults) {
  const struct ut_topology *topo = faults->topology;
  faults->next = 0;
  faults->failures = 0;
  faults->in_reset = false;
  if (!faults->channel_down)
    return;
  memset(faults->channel_down, 0, topo->channels * sizeof *faults->channel_down);
  memset(faults->switch_down, 0, topo->switches * sizeof *faults->switch_down);
}

/* Counts one fault more or less; returns whether that changed the component's state. */
static bool count_fault(uint32_t *count, bool up) {
  return up ? --*count == 0 : ++*count == 1;
}

static bool apply(struct ut_faults *faults, const struct ut_fault_event *event) {
  const struct ut_component *component = &event->what;
  if (component->kind == UT_FAULT_SWITCH)
    return count_fault(&faults->switch_down[component->sw], event->up);
  bool changed = count_fault(&faults->channel_down[component->channel], event->up);
  if (component->both)
    changed |= count_fault(&faults->channel_down[ut_topology_twin(faults->topology, component->channel)], event->up);
  return changed;
}

const struct ut_fault_event *ut_faults_next(struct ut_faults *faults, uint64_t cycle) {
  while (faults->next < faults->events && faults->event[faults->next].cycle <= cycle) {
    const struct ut_fault_event *event = &faults->event[faults->next++];
    if (apply(faults, event)) {
      faults->failures += !event->up;
      return event;
    }
  }
  return NULL;
}

static bool end_up(const struct ut_faults *faults, const struct ut_peer *peer) {
  return peer->kind == UT_PEER_TERMINAL || ut_faults_switch_up(faults, peer->index);
}

bool ut_faults_channel_up(const struct ut_faults *faults, uint32_t channel) {
  const struct ut_topology *topo = faults->topology;
  if (topo->peer[channel].kind == UT_PEER_NONE)
    return false;
  if (!faults->channel_down)
    return true;
  const struct ut_peer from = ut_topology_sender(topo, channel);
  return faults->channel_down[channel] == 0 && end_up(faults, &from) && end_up(faults, &topo->peer[channel]);
}

uint64_t ut_faults_out_up(const struct ut_faults *faults, uint32_t sw) {
  uint64_t mask = 0;
  for (unsigned port = 0; port < faults->topology->po; port++)
    mask |= (uint64_t)ut_faults_link_up(faults, sw, port) << port;
  return mask;
}

uint64_t ut_faults_in_up(const struct ut_faults *faults, uint32_t sw) {
  const struct ut_topology *topo = faults->topology;
  uint64_t mask = 0;
  for (unsigned port = 0; port < topo->pi; port++) {
    const uint32_t channel = topo->feeder[(size_t)sw * topo->pi + port];
    mask |= (uint64_t)(channel != UT_NO_CHANNEL && ut_faults_channel_up(faults, channel)) << port;
  }
  return mask;
}
