/* faults.c - see faults.h */
#include "faults.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"

/* ---- the schedule under construction ---- */

/* One fault of one component. */
struct interval {
  uint64_t at, until;
  uint32_t sw;
  uint8_t port, kind; /* as in ut_fault_event */
};

struct builder {
  const struct ut_scenario *scenario;
  const struct ut_topology *topology;
  struct interval *interval;
  size_t intervals, capacity;
  uint32_t *link_taken,
      *switch_taken; /* [switches * po], [switches]: entry (from 1) that may not draw it, or has drawn it */
};

static size_t place(const struct ut_topology *t, uint32_t sw, unsigned port) {
  return (size_t)sw * t->po + port;
}

static int __attribute__((cold)) out_of_memory(const struct builder *b, struct ut_error *e) {
  return ut_fail(e, UT_INTERNAL, "%s: out of memory for the faults", b->scenario->path);
}

static int add_interval(struct builder *b, const struct ut_fault *fault, enum ut_fault_kind kind, uint32_t sw,
                        unsigned port, struct ut_error *e) {
  if (b->intervals == b->capacity) {
    size_t capacity = b->capacity ? 2 * b->capacity : 16;
    struct interval *interval = realloc(b->interval, capacity * sizeof *interval);
    if (!interval)
      return out_of_memory(b, e);
    b->interval = interval;
    b->capacity = capacity;
  }
  b->interval[b->intervals++] = (struct interval){
      .at = fault->at_cycle, .until = fault->until_cycle, .sw = sw, .port = (uint8_t)port, .kind = (uint8_t)kind};
  return 0;
}

static int add_explicit(struct builder *b, const struct ut_fault *fault, struct ut_error *e) {
  const struct ut_topology *t = b->topology;
  uint32_t sw = ut_topology_switch(t, fault->level, fault->index);
  if (sw == UINT32_MAX)
    return ut_fail(e, UT_BAD_INPUT, "%s:%u: there is no switch %u.%u; this %s has levels 0..%u", b->scenario->path,
                   fault->line, fault->level, fault->index, t->kind, t->levels - 1);
  if (fault->kind == UT_FAULT_SWITCH)
    return add_interval(b, fault, UT_FAULT_SWITCH, sw, 0, e);
  const struct ut_peer *peer = fault->port < t->po ? &t->peer[place(t, sw, fault->port)] : NULL;
  if (!peer || peer->kind == UT_PEER_NONE)
    return ut_fail(e, UT_BAD_INPUT, "%s:%u: switch %u.%u has no link at port %u", b->scenario->path, fault->line,
                   fault->level, fault->index, fault->port);
  /* one name for each link: its lower end */
  if (peer->kind == UT_PEER_SWITCH && peer->index < sw)
    return add_interval(b, fault, UT_FAULT_LINK, peer->index, peer->port, e);
  return add_interval(b, fault, UT_FAULT_LINK, sw, fault->port, e);
}

/* Switches that are never drawn. */
static uint32_t switches_of_level_0(const struct ut_topology *t) {
  uint32_t count = 0;
  if (!t->up_ports) /* a direct network: no switch is worth more than another */
    return 0;
  while (count < t->switches && t->level[count] == 0)
    count++;
  return count;
}

/* Marks, and counts, the components that an entry may not draw because they have another fault in its time.  Links to
 * terminals are not counted: they are never drawn. */
static size_t mark_taken(struct builder *b, const struct ut_fault *fault, enum ut_fault_kind kind, uint32_t entry) {
  const struct ut_topology *t = b->topology;
  size_t taken = 0;
  for (size_t i = 0; i < b->intervals; i++) {
    const struct interval *other = &b->interval[i];
    if (other->kind != kind || other->until <= fault->at_cycle || fault->until_cycle <= other->at)
      continue;
    uint32_t *mark =
        kind == UT_FAULT_LINK ? &b->link_taken[place(t, other->sw, other->port)] : &b->switch_taken[other->sw];
    bool drawable = kind == UT_FAULT_LINK ? t->peer[place(t, other->sw, other->port)].kind == UT_PEER_SWITCH
                                          : other->sw >= switches_of_level_0(t);
    taken += drawable && *mark != entry;
    *mark = entry;
  }
  return taken;
}

/* Draws with rejection: even taking the very last component costs, on average, only as many draws as there are
 * components. */
static int add_random(struct builder *b, const struct ut_fault *fault, uint32_t entry, struct ut_error *e) {
  const struct ut_topology *t = b->topology;
  bool links = fault->kind == UT_FAULT_RANDOM_LINKS;
  enum ut_fault_kind kind = links ? UT_FAULT_LINK : UT_FAULT_SWITCH;
  uint32_t leaves = switches_of_level_0(t);
  size_t all = links ? t->links : t->switches - leaves;
  size_t taken = mark_taken(b, fault, kind, entry);
  if (fault->count > all - taken)
    return ut_fail(e, UT_BAD_INPUT,
                   "%s:%u: %u random %s wanted, only %zu are left (%zu in this %s, %zu faulty in that time)",
                   b->scenario->path, fault->line, fault->count,
                   links ? "inter-switch links" : "switches above level 0", all - taken, all, t->kind, taken);
  struct ut_random random;
  ut_random_init(&random, b->scenario->run.seed, UT_RANDOM_FAULTS, entry);
  for (unsigned drawn = 0; drawn < fault->count;) {
    uint32_t number = ut_random_below(&random, (uint32_t)all);
    uint32_t sw = links ? t->link[number].lower : leaves + number;
    unsigned port = links ? t->link[number].lower_port : 0;
    uint32_t *mark = links ? &b->link_taken[place(t, sw, port)] : &b->switch_taken[sw];
    if (*mark == entry)
      continue;
    *mark = entry;
    drawn++;
    if (add_interval(b, fault, kind, sw, port, e))
      return -1;
  }
  return 0;
}

/* An entry as often as it happens; each time has its own draws. */
static int add_entry(struct builder *b, const struct ut_fault *fault, uint32_t entry, bool random, struct ut_error *e) {
  struct ut_fault now = *fault;
  for (unsigned i = 0; i == 0 || i < fault->times; i++) {
    if (random ? add_random(b, &now, entry, e) : add_explicit(b, &now, e))
      return -1;
    now.at_cycle += fault->every_cycles;
    if (now.until_cycle != UINT64_MAX)
      now.until_cycle += fault->every_cycles;
    entry += (uint32_t)b->scenario->fault_count;
  }
  return 0;
}

/* Fixed faults first: random ones avoid them wherever they stand in the list. */
static int collect(struct builder *b, struct ut_error *e) {
  const struct ut_scenario *s = b->scenario;
  for (unsigned pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < s->fault_count; i++) {
      const struct ut_fault *fault = &s->faults[i];
      bool random = fault->kind == UT_FAULT_RANDOM_LINKS || fault->kind == UT_FAULT_RANDOM_SWITCHES;
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

static int event_order(const void *a, const void *b) {
  const struct ut_fault_event *x = a, *y = b;
  if (x->cycle != y->cycle)
    return x->cycle < y->cycle ? -1 : 1;
  if (x->up != y->up)
    return x->up ? 1 : -1;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  if (x->sw != y->sw)
    return x->sw < y->sw ? -1 : 1;
  return (int)x->port - (int)y->port;
}

static int schedule(struct ut_faults *f, const struct builder *b, struct ut_error *e) {
  f->event = calloc(2 * b->intervals + 1, sizeof *f->event);
  if (!f->event)
    return out_of_memory(b, e);
  for (size_t i = 0; i < b->intervals; i++) {
    const struct interval *fault = &b->interval[i];
    struct ut_fault_event event = {.cycle = fault->at, .sw = fault->sw, .port = fault->port, .kind = fault->kind};
    f->event[f->events++] = event;
    event.up = true;
    event.cycle = fault->until;
    if (event.cycle != UINT64_MAX)
      f->event[f->events++] = event;
  }
  qsort(f->event, f->events, sizeof *f->event, event_order);
  return 0;
}

static int build(struct ut_faults *f, struct builder *b, struct ut_error *e) {
  const struct ut_topology *t = b->topology;
  b->link_taken = calloc((size_t)t->switches * t->po, sizeof *b->link_taken);
  b->switch_taken = calloc(t->switches, sizeof *b->switch_taken);
  int result = b->link_taken && b->switch_taken ? collect(b, e) : out_of_memory(b, e);
  if (!result)
    result = schedule(f, b, e);
  if (result) {
    free(b->link_taken);
    free(b->switch_taken);
  } else { /* marks are not needed any more: the same memory counts faults */
    f->link_down = b->link_taken;
    f->switch_down = b->switch_taken;
    ut_faults_rewind(f);
  }
  free(b->interval);
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
  free(f->link_down);
  free(f->switch_down);
  *f = (struct ut_faults){0};
}

/* ---- state ---- */

void ut_faults_rewind(struct ut_faults *f) {
  const struct ut_topology *t = f->topology;
  f->next = 0;
  f->failures = 0;
  if (!f->link_down)
    return;
  memset(f->link_down, 0, (size_t)t->switches * t->po * sizeof *f->link_down);
  memset(f->switch_down, 0, t->switches * sizeof *f->switch_down);
}

/* One fault more or one less; true when that changed the component's state. */
static bool count_fault(uint32_t *count, bool up) {
  return up ? --*count == 0 : ++*count == 1;
}

static bool apply(struct ut_faults *f, const struct ut_fault_event *event) {
  if (event->kind == UT_FAULT_SWITCH)
    return count_fault(&f->switch_down[event->sw], event->up);
  const struct ut_peer *peer = &f->topology->peer[place(f->topology, event->sw, event->port)];
  if (peer->kind == UT_PEER_SWITCH)
    count_fault(&f->link_down[place(f->topology, peer->index, peer->port)], event->up);
  return count_fault(&f->link_down[place(f->topology, event->sw, event->port)], event->up);
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

bool ut_faults_link_up(const struct ut_faults *f, uint32_t sw, unsigned port) {
  const struct ut_topology *t = f->topology;
  const struct ut_peer *peer = &t->peer[place(t, sw, port)];
  if (peer->kind == UT_PEER_NONE)
    return false;
  if (!f->link_down)
    return true;
  return f->link_down[place(t, sw, port)] == 0 && f->switch_down[sw] == 0 &&
         (peer->kind == UT_PEER_TERMINAL || f->switch_down[peer->index] == 0);
}

uint64_t ut_faults_links_up(const struct ut_faults *f, uint32_t sw) {
  uint64_t mask = 0;
  for (unsigned port = 0; port < f->topology->po; port++)
    mask |= (uint64_t)ut_faults_link_up(f, sw, port) << port;
  return mask;
}
