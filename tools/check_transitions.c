/* SPDX-License-Identifier: Apache-2.0 */
/* check_transitions.c - checks a certificate of `uturn prove --transitions --certificate`
 * (docs/reference/certificate.md, "Transitions") and shares no code with what wrote it: no header of the project, no
 * library but C's.  To be read in one sitting, from the bottom.
 *
 *   cc -O2 -o check_transitions tools/check_transitions.c && ./check_transitions FILE
 *
 * The file has a network of switches with one virtual channel, the tables without faults, and for each event, a link
 * that fails or comes back, what is written into the switches: phases of words.  The order of the words of one switch
 * is kept, that of different switches is not.  Between phases the network is empty.  For each event the checker sends
 * all packets through the network: by the old tables over the old links, then from wherever they can be, and from the
 * start, over the new links by each mixture of words.  Accepted means: each hop leads to a channel of a higher rank, so
 * no packets wait for each other and none goes round; none arrives at a wrong terminal; tables for the same faults are
 * the same; no event is missing.  Exit status: 0 accepted, 1 refused, 2 not readable, or the answer cannot be written.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_PORTS = 64, MOST_FAULTS = 8, MOST_SWITCHES = 65536, MOST_TERMINALS = 65536, MOST_LINE = 4096 };
typedef uint64_t word;

static const char *path;
static unsigned line;

/* The certificate is refused: what is wrong, near which line.  Nothing of the file is printed. */
static void refuse(const char *format, ...) {
  va_list arguments;
  fprintf(stderr, "certificate:%u: refused: ", line);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, "\n");
  exit(1);
}

/* The same, if there is memory. */
static void *there_is(void *memory) {
  if (!memory) {
    fprintf(stderr, "check_transitions: out of memory\n");
    exit(2);
  }
  return memory;
}

static void *memory(size_t count, size_t size) {
  return there_is(calloc(count ? count : 1, size));
}

/* ---- the network */

enum { NOWHERE, TO_SWITCH, TO_TERMINAL };
struct end {
  uint32_t index;
  unsigned port, kind;
};
struct cable {
  uint32_t a, b;
  unsigned a_port, b_port;
};
static struct {
  uint32_t switches, terminals, cables, placed;
  unsigned ports;
  struct end *end;     /* [switches * ports]: where output ports lead, and input ports come from */
  struct cable *cable; /* in the order of the file */
} net;

static struct end *end_of(uint32_t sw, unsigned port) {
  return &net.end[(size_t)sw * net.ports + port];
}

static size_t entries(void) {
  return (size_t)net.switches * 2 * net.terminals;
}

static size_t entry_at(uint32_t sw, unsigned bank, uint32_t dst) {
  return ((size_t)sw * 2 + bank) * net.terminals + dst;
}

/* Tables: output ports by switch, bank and destination; input ports of bank 1. */
struct tables {
  word *entry, *bank;
};

static struct tables new_tables(void) {
  return (struct tables){memory(entries(), sizeof(word)), memory(net.switches, sizeof(word))};
}

static void copy(struct tables *to, const struct tables *from) {
  memcpy(to->entry, from->entry, entries() * sizeof(word));
  memcpy(to->bank, from->bank, net.switches * sizeof(word));
}

static bool same(const struct tables *a, const struct tables *b) {
  return !memcmp(a->entry, b->entry, entries() * sizeof(word)) &&
         !memcmp(a->bank, b->bank, net.switches * sizeof(word));
}

/* A word that is written: an entry, or the bank of an input port. */
struct write {
  uint32_t sw, dst;
  unsigned bank, port;
  bool is_entry;
  word ports;
  uint32_t next; /* the next one of the same switch */
};
enum { NONE = UINT32_MAX };

/* ---- the file */

static FILE *file;
static char text[MOST_LINE], *cursor;

/* Reads the next line that is no comment. */
static void next_line(void) {
  do {
    if (!fgets(text, sizeof text, file))
      refuse("the file ends too early");
    line++;
    if (!strchr(text, '\n'))
      refuse("the line is too long, or not ended");
    *strchr(text, '\n') = 0;
  } while (*text == '#');
  cursor = text;
}

/* Takes a word if it is the next one. */
static bool take(const char *name) {
  const size_t length = strlen(name);
  if (strncmp(cursor, name, length) || (cursor[length] != ' ' && cursor[length]))
    return false;
  cursor += length + (cursor[length] == ' ');
  return true;
}

static word number(int base, word most) {
  char *end;
  if (!*cursor || !strchr("0123456789abcdef", *cursor))
    refuse("a number is missing");
  const word value = strtoull(cursor, &end, base);
  if (value > most || end - cursor > 20 || end == cursor || (*end && *end != ' '))
    refuse("no number up to %llu", (unsigned long long)most);
  cursor = end + (*end == ' ');
  return value;
}

static void end_of_line(void) {
  if (*cursor)
    refuse("too much in the line");
}

static void place(uint32_t sw, unsigned port, struct end end) {
  if (end_of(sw, port)->kind != NOWHERE)
    refuse("port %u of switch %u has two cables", port, sw);
  *end_of(sw, port) = end;
}

static void read_cable(void) {
  const uint32_t a = (uint32_t)number(10, net.switches - 1);
  const unsigned a_port = (unsigned)number(10, net.ports - 1);
  const uint32_t b = (uint32_t)number(10, net.switches - 1);
  const unsigned b_port = (unsigned)number(10, net.ports - 1);
  end_of_line();
  place(a, a_port, (struct end){b, b_port, TO_SWITCH});
  place(b, b_port, (struct end){a, a_port, TO_SWITCH});
  net.cable = there_is(realloc(net.cable, (net.cables + 1) * sizeof *net.cable));
  net.cable[net.cables++] = (struct cable){a, b, a_port, b_port};
}

static void read_terminal(void) {
  const uint32_t terminal = (uint32_t)number(10, net.terminals - 1);
  const uint32_t sw = (uint32_t)number(10, net.switches - 1);
  const unsigned port = (unsigned)number(10, net.ports - 1);
  end_of_line();
  if (terminal != net.placed++)
    refuse("terminal %u is out of its order", terminal);
  place(sw, port, (struct end){terminal, 0, TO_TERMINAL});
}

static word all_ports(void) {
  return net.ports == 64 ? UINT64_MAX : ((word)1 << net.ports) - 1;
}

/* "SWITCH banks PORTS" or "SWITCH to BANK DESTINATION PORTS". */
static void read_table(struct tables *tables) {
  const uint32_t sw = (uint32_t)number(10, net.switches - 1);
  if (take("banks")) {
    tables->bank[sw] = number(16, all_ports());
  } else if (take("to")) {
    const unsigned bank = (unsigned)number(10, 1);
    const uint32_t dst = (uint32_t)number(10, net.terminals - 1);
    tables->entry[entry_at(sw, bank, dst)] = number(16, all_ports());
  } else {
    refuse("expected 'banks' or 'to'");
  }
  end_of_line();
}

/* ---- one phase */

static struct {
  struct tables tables; /* before it */
  struct write *write;
  uint32_t writes, room, *first, *last; /* by switch */
  uint32_t *rank;                       /* [switches * ports] */
  word *up, *up_before;                 /* [switches]: output ports whose links work; before the event */
  bool *seen;                           /* [switches * ports], of packets to one terminal */
  uint32_t *queue, length;
} now;

static void add_write(const struct write *write) {
  if (now.writes == now.room) {
    now.room = now.room ? 2 * now.room : 1024;
    now.write = there_is(realloc(now.write, now.room * sizeof *now.write));
  }
  now.write[now.writes] = *write;
  if (now.first[write->sw] == NONE)
    now.first[write->sw] = now.writes;
  else
    now.write[now.last[write->sw]].next = now.writes;
  now.last[write->sw] = now.writes++;
}

/* "SWITCH bank PORT BANK" or "SWITCH to BANK DESTINATION PORTS". */
static void read_write(void) {
  struct write write = {.sw = (uint32_t)number(10, net.switches - 1), .next = NONE};
  if (take("bank")) {
    write.port = (unsigned)number(10, net.ports - 1);
    write.bank = (unsigned)number(10, 1);
  } else if (take("to")) {
    write.is_entry = true;
    write.bank = (unsigned)number(10, 1);
    write.dst = (uint32_t)number(10, net.terminals - 1);
    write.ports = number(16, all_ports());
  } else {
    refuse("expected 'bank' or 'to'");
  }
  end_of_line();
  add_write(&write);
}

static void read_ranks(void) {
  for (uint32_t sw = 0; sw < net.switches; sw++) {
    if (sw)
      next_line();
    if (!take("rank") || number(10, net.switches - 1) != sw)
      refuse("expected the ranks of switch %u", sw);
    for (unsigned port = 0; port < net.ports; port++)
      now.rank[sw * net.ports + port] = (uint32_t)number(10, UINT32_MAX);
    end_of_line();
  }
}

static void arrive(uint32_t channel) {
  if (now.seen[channel])
    return;
  now.seen[channel] = true;
  now.queue[now.length++] = channel;
}

/* A packet takes each of these ports.  A channel that a terminal feeds needs no rank: nobody waits for it. */
static void hop(uint32_t channel, uint32_t dst, word ports) {
  const uint32_t sw = channel / net.ports;
  for (unsigned port = 0; port < net.ports; port++) {
    const struct end *to = end_of(sw, port);
    const uint32_t next = to->index * net.ports + to->port;
    if (!(ports >> port & 1))
      continue;
    if (to->kind == NOWHERE || (to->kind == TO_TERMINAL && to->index != dst))
      refuse("switch %u sends packets for terminal %u through port %u, which leads elsewhere", sw, dst, port);
    if (to->kind == TO_TERMINAL)
      continue;
    if (net.end[channel].kind == TO_SWITCH && now.up[sw] >> port & 1 && now.rank[next] <= now.rank[channel])
      refuse("switch %u: a packet for terminal %u from input port %u goes through port %u to no higher rank", sw, dst,
             channel % net.ports, port);
    arrive(next);
  }
}

/* By each mixture: the first words of the switch that matter, new, and the others, old. */
static void mix(uint32_t channel, uint32_t dst) {
  const uint32_t sw = channel / net.ports;
  unsigned bank = now.tables.bank[sw] >> channel % net.ports & 1;
  word entry[2] = {now.tables.entry[entry_at(sw, 0, dst)], now.tables.entry[entry_at(sw, 1, dst)]};
  hop(channel, dst, entry[bank] & now.up[sw]);
  for (uint32_t i = now.first[sw]; i != NONE; i = now.write[i].next) {
    const struct write *write = &now.write[i];
    if (write->is_entry && write->dst == dst)
      entry[write->bank] = write->ports;
    else if (!write->is_entry && write->port == channel % net.ports)
      bank = write->bank;
    else
      continue;
    hop(channel, dst, entry[bank] & now.up[sw]);
  }
}

static void inject(uint32_t dst) {
  for (uint32_t i = 0; i < net.switches * net.ports; i++)
    if (net.end[i].kind == TO_TERMINAL && net.end[i].index != dst)
      arrive(i);
}

/* All packets to a terminal; first: also those that are on their way when the event comes. */
static void check_packets(uint32_t dst, bool first) {
  now.length = 0;
  memset(now.seen, 0, (size_t)net.switches * net.ports);
  inject(dst);
  for (uint32_t i = 0; i < now.length && first; i++) {
    const uint32_t sw = now.queue[i] / net.ports;
    const unsigned bank = now.tables.bank[sw] >> now.queue[i] % net.ports & 1;
    hop(now.queue[i], dst, now.tables.entry[entry_at(sw, bank, dst)] & now.up_before[sw]);
  }
  for (uint32_t i = 0; i < now.length; i++)
    mix(now.queue[i], dst);
}

static void begin_phase(void) {
  now.writes = 0;
  for (uint32_t sw = 0; sw < net.switches; sw++)
    now.first[sw] = NONE;
}

static void end_phase(void) {
  for (uint32_t i = 0; i < now.writes; i++) {
    const struct write *write = &now.write[i];
    const word port = (word)1 << write->port;
    if (write->is_entry)
      now.tables.entry[entry_at(write->sw, write->bank, write->dst)] = write->ports;
    else
      now.tables.bank[write->sw] = write->bank ? now.tables.bank[write->sw] | port : now.tables.bank[write->sw] & ~port;
  }
}

/* ---- one event */

struct faults {
  uint32_t cable[MOST_FAULTS];
  unsigned count;
};

/* Tables for sets of faults that have been seen. */
static struct known {
  struct faults faults;
  struct tables tables;
} * known;
static uint32_t knowns;
static struct tables base; /* without faults */
static uint64_t events, phases, words;

/* The tables for the same faults are the same each time. */
static void remember(const struct faults *faults, const struct tables *tables) {
  if (!faults->count) {
    if (!same(&base, tables))
      refuse("the tables without faults are others than at the beginning");
    return;
  }
  for (uint32_t i = 0; i < knowns; i++)
    if (known[i].faults.count == faults->count &&
        !memcmp(known[i].faults.cable, faults->cable, faults->count * sizeof *faults->cable)) {
      if (!same(&known[i].tables, tables))
        refuse("the tables for these faults are others than before");
      return;
    }
  if (knowns == 4096) /* keeps the latest ones */
    knowns = 0;
  known = known ? known : memory(4096, sizeof *known);
  if (!known[knowns].tables.entry)
    known[knowns].tables = new_tables();
  known[knowns].faults = *faults;
  copy(&known[knowns++].tables, tables);
}

static void set_links(word *up, const struct faults *faults) {
  for (uint32_t sw = 0; sw < net.switches; sw++) {
    up[sw] = 0;
    for (unsigned port = 0; port < net.ports; port++)
      up[sw] |= (word)(end_of(sw, port)->kind != NOWHERE) << port;
  }
  for (unsigned i = 0; i < faults->count; i++) {
    const struct cable *cable = &net.cable[faults->cable[i]];
    up[cable->a] &= ~((word)1 << cable->a_port);
    up[cable->b] &= ~((word)1 << cable->b_port);
  }
}

/* The event that comes next in the file: from faults `before` to `after`. */
static void check_event(const struct faults *before, const struct faults *after) {
  if (!take("transition") || !take(before->count < after->count ? "fault" : "repair") || *cursor)
    refuse("expected a transition: a link %s", before->count < after->count ? "fails" : "comes back");
  set_links(now.up_before, before);
  set_links(now.up, after);
  copy(&now.tables, &base);
  for (next_line(); take("old"); next_line())
    read_table(&now.tables);
  remember(before, &now.tables);
  bool first = true;
  while (take("phase")) {
    end_of_line();
    begin_phase();
    for (next_line(); take("write"); next_line())
      read_write();
    read_ranks();
    for (uint32_t dst = 0; dst < net.terminals; dst++)
      check_packets(dst, first);
    words += now.writes;
    end_phase();
    first = false;
    phases++;
    next_line();
  }
  if (first)
    refuse("expected 'phase'");
  remember(after, &now.tables);
  events++;
}

/* ---- all of them */

static struct faults without(const struct faults *set, unsigned i) {
  struct faults less = *set;
  memmove(less.cable + i, less.cable + i + 1, (less.count - i - 1) * sizeof *less.cable);
  less.count--;
  return less;
}

/* From the network without faults to the set and back; from each set with a link less, and back. */
static void check_set(const struct faults *set) {
  static const struct faults none;
  if (!set->count)
    return;
  check_event(&none, set);
  check_event(set, &none);
  for (unsigned i = 0; i < set->count && set->count > 1; i++) {
    const struct faults less = without(set, i);
    check_event(&less, set);
    check_event(set, &less);
  }
}

static void choose(struct faults *set, unsigned want, uint32_t from) {
  if (set->count == want) {
    check_set(set);
    return;
  }
  for (uint32_t i = from; i < net.cables; i++) {
    set->cable[set->count++] = i;
    choose(set, want, i + 1);
    set->count--;
  }
}

static void read_parts(void) {
  next_line();
  if (!take("uturn transitions 1"))
    refuse("this is no certificate of transitions");
  next_line();
  if (!take("parts"))
    refuse("expected 'parts'");
  net.switches = (uint32_t)number(10, MOST_SWITCHES);
  net.terminals = (uint32_t)number(10, MOST_TERMINALS);
  net.ports = (unsigned)number(10, MOST_PORTS);
  end_of_line();
  const size_t channels = (size_t)net.switches * net.ports;
  if (!channels || !net.terminals)
    refuse("a network without parts");
  net.end = memory(channels, sizeof *net.end);
  base = new_tables();
  now.tables = new_tables();
  now.first = memory(net.switches, sizeof *now.first), now.last = memory(net.switches, sizeof *now.last);
  now.up = memory(net.switches, sizeof *now.up), now.up_before = memory(net.switches, sizeof *now.up_before);
  now.rank = memory(channels, sizeof *now.rank), now.queue = memory(channels, sizeof *now.queue);
  now.seen = memory(channels, 1);
}

static void print_accepted(const unsigned *all, unsigned alls, bool fixed) {
  printf("%s: accepted: graph of %u switches, %u terminals, %llu transitions, ", path, net.switches, net.terminals,
         (unsigned long long)events);
  for (unsigned i = 0; i < alls; i++)
    printf("%s%u", i ? ", " : "all with links ", all[i]);
  printf("%s\n  %llu words in %llu phases: meanwhile no channels wait for each other, no packet goes round or arrives\n"
         "  elsewhere: each hop leads to a higher rank\n"
         "  if these words are written, those of a switch in their order, and the network is empty between phases\n",
         fixed ? "of one set of faults" : "", (unsigned long long)words, (unsigned long long)phases);
}

static void check_file(void) {
  struct faults fixed = {.count = 0};
  unsigned all[64], alls = 0;
  bool is_fixed = false;
  read_parts();
  for (next_line(); take("cable"); next_line())
    read_cable();
  for (; take("terminal"); next_line())
    read_terminal();
  if (net.placed != net.terminals)
    refuse("%u of %u terminals have a cable", net.placed, net.terminals);
  for (; take("all"); next_line()) {
    all[alls] = (unsigned)number(10, MOST_FAULTS);
    end_of_line();
    if (++alls == 64)
      refuse("too many families");
  }
  if (!alls && (is_fixed = take("set"))) {
    while (*cursor && fixed.count < MOST_FAULTS)
      fixed.cable[fixed.count++] = (uint32_t)number(10, net.cables - 1);
    end_of_line();
    next_line();
  }
  for (; take("base"); next_line())
    read_table(&base);
  for (unsigned i = 0; i < alls; i++) {
    struct faults set = {.count = 0};
    choose(&set, all[i], 0);
  }
  if (is_fixed)
    check_set(&fixed);
  if (!take("end") || *cursor)
    refuse("expected 'end'");
  if (fgetc(file) != EOF)
    refuse("something stands behind the end");
  print_accepted(all, alls, is_fixed);
}

int main(int argc, char **argv) {
  struct stat there; /* looked at before it is opened: a pipe blocks, a device has no end */
  path = argc == 2 ? argv[1] : "";
  for (const char *c = path; *c; c++)
    path = *c < ' ' || *c > '~' ? "certificate" : path;
  const bool is_file = argc == 2 && stat(argv[1], &there) == 0 && S_ISREG(there.st_mode);
  file = is_file ? fopen(argv[1], "r") : NULL;
  if (!file) {
    fprintf(stderr, argc == 2 ? "%s: cannot be read, or is no file\n" : "usage: check_transitions FILE%s\n", path);
    return 2;
  }
  check_file();
  fclose(file);
  if (fflush(stdout) == 0 && !ferror(stdout))
    return 0;
  fprintf(stderr, "%s: accepted, but that cannot be written to standard output\n", path);
  return 2;
}
