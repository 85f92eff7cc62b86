/* SPDX-License-Identifier: Apache-2.0 */
/* check_certificate.c - checks a certificate of `uturn prove --certificate` (docs/reference/certificate.md) and shares
 * no code with what wrote it: no header of the project, no library but C's.  To be read in one sitting, from the
 * bottom.
 *
 *   cc -O2 -o check_certificate tools/check_certificate.c && ./check_certificate FILE
 *
 * It knows networks by their definitions, makes the fault sets itself, and takes the answers of the switches from the
 * file.  Under each fault set it sends all packets through the network, hop by hop, every choice being taken.  Accepted
 * means:
 *   delivery  nothing is discarded or arrives elsewhere, and after so many hops nothing is on its way any more;
 *   deadlock  each packet that can be in a channel has a candidate of a higher rank, or a terminal, or goes on in a
 * ring that is only entered where a buffer has space for two packets. Exit status: 0 accepted, 1 refused, 2 not
 * readable, or the answer cannot be written.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_PORTS = 64, MOST_VCS = 8, MOST_OWN = 16, MOST_FAULTS = 128, MOST_SWITCHES = 65536, MOST_TERMINALS = 65536 };
typedef uint64_t word;

static const char *path; /* of the certificate, to be printed */
static unsigned line;

/* Prints what somebody else has written: what could make a terminal say something else does not reach it. */
static void say(const char *text) {
  for (; *text; text++)
    fprintf(stderr, *text < ' ' || *text > '~' ? "\\x%02x" : "%c", (unsigned char)*text);
}

/* The same of a name, as a text. */
static const char *printable(const char *name) {
  char *text = calloc(strlen(name) + 1, 4), *end = text;
  for (; text && *name; name++)
    end += sprintf(end, *name < ' ' || *name > '~' ? "\\x%02x" : "%c", (unsigned char)*name);
  return text ? text : "";
}

/* The certificate is refused: what is wrong, and in which line, where it is one line's fault. */
static void refuse(const char *format, ...) {
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fprintf(stderr, "%s:", path);
  if (line)
    fprintf(stderr, "%u:", line);
  fprintf(stderr, " refused: ");
  say(text);
  fprintf(stderr, "\n");
  exit(1);
}

static void *memory(void *old, size_t count, size_t size) {
  void *new = realloc(old, (count ? count : 1) * size);
  if (!new) {
    fprintf(stderr, "check_certificate: out of memory\n");
    exit(2);
  }
  return new;
}

/* Room for one more in an array that grows by doubling. */
#define ONE_MORE(array, count)                                                                                         \
  (((count) & ((count)-1)) == 0 ? (array) = memory(array, (count) ? 2 * (count) : 1, sizeof *(array)) : NULL)

/* ---- the network, from its definition */

enum { NOWHERE, TO_SWITCH, TO_TERMINAL };
struct end {
  uint32_t index;
  unsigned port, kind;
};
static struct {
  char name[80];
  uint32_t switches, terminals, words;
  unsigned ports, vcs, down; /* down: ports 0..down-1 of a tree lead down */
  uint32_t width;            /* of a tree: switches of a level */
  struct end
      *end; /* [switches * ports]: where output ports lead, and, links having two directions, input ports come from */
  uint32_t *link; /* [links]: as switch * ports + port, of the end with the lower switch */
  uint32_t links;
} net;

static struct end *end_of(uint32_t sw, unsigned port) {
  return &net.end[(size_t)sw * net.ports + port];
}

static void connect(uint32_t a, unsigned a_port, uint32_t b, unsigned b_port) {
  *end_of(a, a_port) = (struct end){b, b_port, TO_SWITCH};
  *end_of(b, b_port) = (struct end){a, a_port, TO_SWITCH};
}

/* k-ary n-tree: up port k + j of switch o of level s leads to the switch of level s + 1 whose digit s is j and whose
 * other digits are those of o; there to the down port that is digit s of o.  Terminal p is at leaf p / k. */
static void build_tree(unsigned k, unsigned n) {
  net.down = k, net.width = net.terminals / k;
  if (net.ports != 2 * k || net.switches != n * net.width)
    refuse("a %s has other numbers of parts", net.name);
  for (uint32_t p = 0; p < net.terminals; p++)
    *end_of(p / k, p % k) = (struct end){p, 0, TO_TERMINAL};
  for (uint32_t s = 0, step = 1; s + 1 < n; s++, step *= k)
    for (uint32_t o = 0; o < net.width; o++)
      for (uint32_t j = 0, digit = o / step % k; j < k; j++)
        connect(s * net.width + o, k + j, (s + 1) * net.width + o + j * step - digit * step, digit);
}

/* Grid: port 2d leads on in dimension d, port 2d + 1 back; the terminals' ports are behind them.  A cube is a mesh of
 * two switches a dimension, with one port for each. */
static void build_grid(const unsigned *size, unsigned dimensions, bool wrap, bool cube) {
  uint32_t nodes = 1;
  const unsigned first = cube ? dimensions : 2 * dimensions, locals = net.terminals / net.switches;
  for (unsigned d = 0; d < dimensions; d++)
    nodes = nodes <= MOST_SWITCHES ? nodes * size[d] : nodes;
  if (net.switches != nodes || net.ports != first + locals || net.terminals != locals * nodes)
    refuse("a %s has other numbers of parts", net.name);
  for (uint32_t i = 0; i < nodes; i++) {
    for (uint32_t d = 0, step = 1; d < dimensions; step *= size[d++]) {
      const uint32_t here = i / step % size[d], there = (here + 1) % size[d];
      if (there || wrap)
        connect(i, cube ? d : 2 * d, i - here * step + there * step, cube ? d : 2 * d + 1);
    }
    for (unsigned j = 0; j < locals; j++)
      *end_of(i, first + j) = (struct end){i * locals + j, 0, TO_TERMINAL};
  }
}

/* A graph says its cables itself; others are built from their definition. */
static bool is_graph(void) {
  return !strcmp(net.name, "graph");
}

static void build(void) {
  unsigned size[8], sizes = 0, k, n;
  char kind[16] = "", *at = net.name, again[sizeof net.name] = "";
  net.words = (net.terminals + 63) / 64;
  net.end = memory(NULL, (size_t)net.switches * net.ports, sizeof *net.end);
  memset(net.end, 0, (size_t)net.switches * net.ports * sizeof *net.end);
  if (is_graph())
    return;
  if (sscanf(net.name, "%u-ary %u-%15s", &k, &n, kind) == 3 && !strcmp(kind, "tree")) {
    uint64_t terminals = 1;
    for (unsigned i = 0; i < n && terminals <= MOST_TERMINALS; i++)
      terminals *= k;
    if (terminals != net.terminals || k < 2)
      refuse("a %s has other numbers of parts", net.name);
    build_tree(k, n);
    snprintf(again, sizeof again, "%u-ary %u-tree", k, n);
  } else if (sscanf(net.name, "%u-%15s", &n, kind) == 2 && !strcmp(kind, "cube") && n >= 1 && n <= 8) {
    for (unsigned d = 0; d < n; d++)
      size[d] = 2;
    build_grid(size, n, false, true);
    snprintf(again, sizeof again, "%u-cube", n);
  } else {
    for (; isdigit((unsigned char)*at) && sizes < 4; at += *at == 'x')
      size[sizes++] = (unsigned)strtoul(at, &at, 10);
    at += strncmp(at, "-node", 5) ? 0 : 5;
    for (unsigned d = 0; d < sizes; d++)
      if (size[d] < 2 || size[d] > 256)
        refuse("a network '%s' is not known", net.name);
    if (!sizes || (strcmp(at, " torus") && strcmp(at, " mesh")))
      refuse("a network '%s' is not known", net.name);
    build_grid(size, sizes, !strcmp(at, " torus"), false);
    snprintf(again, sizeof again, "%s", net.name);
  }
  if (strcmp(again, net.name)) /* it is printed in the end: nothing may stand behind it */
    refuse("a network '%s' is not known", net.name);
}

/* Links by their lower switch; each terminal is at one port. */
static void list_links(void) {
  uint32_t terminals = 0;
  for (uint32_t i = 0; i < net.switches * net.ports; i++) {
    terminals += net.end[i].kind == TO_TERMINAL;
    if (net.end[i].kind == TO_SWITCH && net.end[i].index > i / net.ports) {
      ONE_MORE(net.link, net.links);
      net.link[net.links++] = i;
    }
  }
  if (terminals != net.terminals)
    refuse("%u of %u terminals have a cable", terminals, net.terminals);
}

/* Channels are input VCs: (switch, port, VC). */
static uint32_t channel_of(uint32_t sw, unsigned port, unsigned vc) {
  return (sw * net.ports + port) * net.vcs + vc;
}

/* The channel that goes straight on: out through the port by whose number the link was entered.  UINT32_MAX: none. */
static uint32_t straight_on(uint32_t channel) {
  const uint32_t lane = channel / net.vcs, sw = lane / net.ports;
  const struct end *from = &net.end[lane];
  const struct end *to = from->kind == TO_SWITCH ? end_of(sw, from->port) : from;
  return to->kind == TO_SWITCH ? channel_of(to->index, to->port, channel % net.vcs) : UINT32_MAX;
}

/* ---- numbers for keys: a hash table of (a, b, c) */

struct entry {
  uint64_t a, b, c;
  uint32_t value, age;
};
struct table {
  struct entry *entry;
  uint32_t size, used, age;
};

static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  return x ^ x >> 29;
}

static struct entry *slot(const struct table *table, uint64_t a, uint64_t b, uint64_t c) {
  uint32_t i = (uint32_t)(mix(mix(a * 3 + b) + c * 7) >> 8) & (table->size - 1);
  while (table->entry[i].age == table->age &&
         (table->entry[i].a != a || table->entry[i].b != b || table->entry[i].c != c))
    i = (i + 1) & (table->size - 1);
  return &table->entry[i];
}

static uint32_t look_up(const struct table *table, uint64_t a, uint64_t b, uint64_t c) {
  const struct entry *entry = table->size ? slot(table, a, b, c) : NULL;
  return entry && entry->age == table->age ? entry->value : UINT32_MAX;
}

/* The number of that key; `fresh` if it has none yet. */
static uint32_t number_of(struct table *table, uint64_t a, uint64_t b, uint64_t c, uint32_t fresh) {
  if (2 * table->used >= table->size) {
    struct table more = {.size = table->size ? 2 * table->size : 1024, .used = table->used, .age = 1};
    more.entry = memory(NULL, more.size, sizeof *more.entry);
    memset(more.entry, 0, more.size * sizeof *more.entry);
    for (uint32_t i = 0; i < table->size; i++)
      if (table->entry[i].age == table->age) {
        struct entry *to = slot(&more, table->entry[i].a, table->entry[i].b, table->entry[i].c);
        *to = table->entry[i];
        to->age = 1;
      }
    free(table->entry);
    *table = more;
  }
  struct entry *entry = slot(table, a, b, c);
  if (entry->age != table->age) {
    *entry = (struct entry){a, b, c, fresh, table->age};
    table->used++;
  }
  return entry->value;
}

static void empty(struct table *table) {
  table->used = 0;
  table->age++;
}

/* ---- the file */

struct candidate {
  uint8_t port, vc;
  bool two; /* asks for space for two packets */
};
struct group { /* packets for these destinations are answered so */
  word *to;
  struct candidate *candidate;
  unsigned candidates;
  word set;
  uint32_t rt;
};
struct answer {
  uint32_t first, groups;
};
enum { NO_REPORTS, NEAR, FAR };
static struct {
  unsigned start, reports, buffer, hops;
  bool every; /* each candidate must rise */
  bool fixed; /* one fault set: */
  uint32_t link[MOST_FAULTS], sw[MOST_FAULTS];
  unsigned links, switches_down;
  struct {
    unsigned links, switches;
  } all[64];
  unsigned alls;
  struct {
    uint32_t sw;
  } * view;
  uint32_t views, answers, groups, ranks, uses;
  struct table view_of, answer_of; /* (switch, up, reports and vector); (view, input VC, rt) */
  struct answer *answer;
  struct group *group;
  uint32_t **rank; /* [ranks][channels] */
  struct {
    uint32_t ranks;
    uint64_t sets;
  } * use;
} cert;

static char *cursor; /* in the line that is read */

static uint64_t number(int base, uint64_t most) {
  char *end;
  while (*cursor == ' ')
    cursor++;
  if (!isxdigit((unsigned char)*cursor))
    refuse("a number is missing at '%.20s'", cursor);
  const unsigned long long n = strtoull(cursor, &end, base);
  if (end == cursor || end - cursor > 16 || n > most)
    refuse("'%.20s' is no number up to %llu", cursor, (unsigned long long)most);
  cursor = end;
  return n;
}

static void end_of_line(void) {
  if (*cursor)
    refuse("'%.20s' is too much", cursor);
}

/* The next range of a list like "0-3,7"; false: the list is at its end. */
static bool range(uint32_t *from, uint32_t *to, uint32_t count) {
  if (*cursor == ' ' || !*cursor)
    return false;
  if (!count)
    refuse("'%.20s': there are none yet", cursor);
  *from = *to = (uint32_t)number(10, count - 1);
  if (*cursor == '-' && cursor++)
    *to = (uint32_t)number(10, count - 1);
  if (*to < *from)
    refuse("the range %u-%u is empty", *from, *to);
  if (*cursor == ',')
    cursor++;
  return true;
}

/* Ports that lead down; of a grid none does. */
static word down_ports(void) {
  return ((word)1 << net.down) - 1;
}
/* Two sets of up ports in a word: at most 32 ports lead up. */
static word up_half(word reports, word vector) {
  return reports >> net.down << 32 | vector >> net.down;
}

static void read_view(void) {
  const uint32_t sw = (uint32_t)number(10, net.switches - 1);
  const word up = number(16, UINT64_MAX), reports = number(16, UINT64_MAX), vector = number(16, UINT64_MAX);
  if ((reports | vector) & down_ports())
    refuse("reports and vectors are of up ports");
  if (number_of(&cert.view_of, sw, up, up_half(reports, vector), cert.views) != cert.views)
    refuse("this view was there before");
  ONE_MORE(cert.view, cert.views);
  cert.view[cert.views++].sw = sw;
}

/* "at VIEWS INPUTS RT": the answers that follow are to packets there. */
static void read_at(void) {
  uint32_t from, to, first, last;
  while (*cursor == ' ')
    cursor++;
  char *const views = cursor;
  cursor += strcspn(cursor, " ");
  char *const inputs = cursor + (*cursor == ' ');
  cursor = inputs + strcspn(inputs, " ");
  const uint32_t rt = (uint32_t)number(10, 0xffffff);
  end_of_line();
  for (cursor = views; range(&from, &to, cert.views);)
    for (uint32_t v = from; v <= to; v++) {
      char *const next = cursor;
      for (cursor = inputs; range(&first, &last, net.ports * net.vcs);)
        for (uint32_t i = first; i <= last; i++)
          if (number_of(&cert.answer_of, v, i, rt, cert.answers) != cert.answers)
            refuse("view %u has answered packets in input VC %u before", v, i);
      cursor = next;
    }
  cursor += strlen(cursor);
  ONE_MORE(cert.answer, cert.answers);
  cert.answer[cert.answers++] = (struct answer){cert.groups, 0};
}

/* "4-7.0,2.1*": ports, VC, a star where space for two packets is asked for; "-": none, the packet is discarded. */
static void read_candidates(struct group *group) {
  while (*cursor == ' ')
    cursor++;
  if (*cursor == '-' && cursor++)
    return;
  do {
    const unsigned from = (unsigned)number(10, net.ports - 1);
    const unsigned to = *cursor == '-' && cursor++ ? (unsigned)number(10, net.ports - 1) : from;
    if (*cursor++ != '.')
      refuse("expected PORT.VC");
    const unsigned vc = (unsigned)number(10, net.vcs - 1);
    const bool two = *cursor == '*' && cursor++;
    for (unsigned p = from; p <= to; p++) {
      ONE_MORE(group->candidate, group->candidates);
      group->candidate[group->candidates++] = (struct candidate){(uint8_t)p, (uint8_t)vc, two};
    }
  } while (*cursor == ',' && cursor++);
}

/* "to DESTINATIONS CANDIDATES SET RT": bits of the vector that the packet sets; its header's field afterwards. */
static void read_to(void) {
  struct group group = {.to = memory(NULL, net.words, sizeof(word))};
  uint32_t from, to;
  if (!cert.answers)
    refuse("'to' before 'at'");
  memset(group.to, 0, net.words * sizeof *group.to);
  while (*cursor == ' ')
    cursor++;
  while (range(&from, &to, net.terminals))
    for (uint32_t d = from; d <= to; d++)
      group.to[d / 64] |= (word)1 << d % 64;
  read_candidates(&group);
  group.set = number(16, UINT64_MAX);
  group.rt = (uint32_t)number(10, 0xffffff);
  struct answer *answer = &cert.answer[cert.answers - 1];
  for (uint32_t i = answer->first; i < cert.groups; i++)
    for (uint32_t w = 0; w < net.words; w++)
      if (cert.group[i].to[w] & group.to[w])
        refuse("a destination has two answers");
  ONE_MORE(cert.group, cert.groups);
  cert.group[cert.groups++] = group;
  answer->groups++;
}

static void read_rank(void) {
  const size_t each = (size_t)net.ports * net.vcs, sw = number(10, net.switches - 1);
  if (!cert.ranks)
    refuse("'rank' before 'ranks'");
  for (size_t i = 0; i < each; i++)
    cert.rank[cert.ranks - 1][sw * each + i] = (uint32_t)number(10, UINT32_MAX - 1);
}

static void read_ranks(void) {
  const size_t channels = (size_t)net.switches * net.ports * net.vcs;
  ONE_MORE(cert.rank, cert.ranks);
  cert.rank[cert.ranks] = memory(NULL, channels, sizeof(uint32_t));
  memset(cert.rank[cert.ranks++], 0, channels * sizeof(uint32_t));
}

static void read_parts(void) {
  net.switches = (uint32_t)number(10, MOST_SWITCHES), net.terminals = (uint32_t)number(10, MOST_TERMINALS);
  net.ports = (unsigned)number(10, MOST_PORTS), net.vcs = (unsigned)number(10, MOST_VCS);
  if (!net.switches || !net.terminals || !net.ports || !net.vcs || net.end)
    refuse("these are no parts of a network");
  build();
}

static void read_name(void) {
  snprintf(net.name, sizeof net.name, "%s", cursor + (*cursor == ' '));
  cursor += strlen(cursor);
}

static void read_reports(void) {
  static const char *const words[] = {" none", " near", " far"};
  for (cert.reports = 0; cert.reports < 3 && strcmp(cursor, words[cert.reports]); cert.reports++)
    ;
  if (cert.reports == 3)
    refuse("reports are none, near or far, not '%s'", cursor);
  cursor += strlen(cursor);
}

static void read_rise(void) {
  cert.every = !strcmp(cursor, " every");
  if (!cert.every && strcmp(cursor, " some"))
    refuse("some or every candidate rises, not '%s'", cursor);
  cursor += strlen(cursor);
}

static void read_start(void) {
  cert.start = (unsigned)number(10, net.vcs);
  if (!cert.start)
    refuse("packets start nowhere");
}
static void read_buffer(void) {
  cert.buffer = (unsigned)number(10, 1000000);
}
static void read_hops(void) {
  cert.hops = (unsigned)number(10, 1000000);
}
static void read_set(void) {
  cert.fixed = true;
}

static void read_all(void) {
  if (cert.alls == 64)
    refuse("too many families of fault sets");
  cert.all[cert.alls].links = (unsigned)number(10, MOST_FAULTS);
  cert.all[cert.alls++].switches = (unsigned)number(10, MOST_FAULTS);
}

static void read_link(void) {
  const uint32_t sw = (uint32_t)number(10, net.switches - 1), port = (uint32_t)number(10, net.ports - 1);
  if (!cert.fixed || cert.links == MOST_FAULTS || end_of(sw, port)->kind != TO_SWITCH)
    refuse("no link between switches that can fail here");
  cert.link[cert.links++] = sw * net.ports + port;
}

static void read_switch(void) {
  if (!cert.fixed || cert.switches_down == MOST_FAULTS)
    refuse("no switch can fail here");
  cert.sw[cert.switches_down++] = (uint32_t)number(10, net.switches - 1);
}

static void refuse_cable(uint32_t sw, unsigned port) {
  if (!is_graph())
    refuse("a %s has the cables of its definition", net.name);
  if (end_of(sw, port)->kind != NOWHERE)
    refuse("port %u of switch %u has a cable already", port, sw);
}

/* "cable SWITCH PORT SWITCH PORT" */
static void read_cable(void) {
  const uint32_t a = (uint32_t)number(10, net.switches - 1), a_port = (uint32_t)number(10, net.ports - 1);
  const uint32_t b = (uint32_t)number(10, net.switches - 1), b_port = (uint32_t)number(10, net.ports - 1);
  refuse_cable(a, a_port);
  refuse_cable(b, b_port);
  if (a == b)
    refuse("switch %u is joined to itself", a);
  connect(a, a_port, b, b_port);
}

/* "terminal TERMINAL SWITCH PORT": all of them, in their order */
static void read_terminal(void) {
  static uint32_t next;
  const uint32_t terminal = (uint32_t)number(10, net.terminals - 1);
  const uint32_t sw = (uint32_t)number(10, net.switches - 1), port = (uint32_t)number(10, net.ports - 1);
  refuse_cable(sw, port);
  if (terminal != next++)
    refuse("terminal %u comes next", next - 1);
  *end_of(sw, port) = (struct end){terminal, 0, TO_TERMINAL};
}

static void read_use(void) {
  const uint32_t ranks = (uint32_t)number(10, cert.ranks ? cert.ranks - 1 : 0);
  ONE_MORE(cert.use, cert.uses);
  cert.use[cert.uses].ranks = ranks;
  cert.use[cert.uses++].sets = number(10, UINT64_C(1000000000000));
}

static const struct {
  const char *word;
  void (*read)(void);
} reader[] = {{"network", read_name}, {"parts", read_parts},   {"start", read_start},      {"reports", read_reports},
              {"rise", read_rise},    {"buffer", read_buffer}, {"hops", read_hops},        {"set", read_set},
              {"link", read_link},    {"switch", read_switch}, {"all", read_all},          {"view", read_view},
              {"at", read_at},        {"to", read_to},         {"ranks", read_ranks},      {"rank", read_rank},
              {"use", read_use},      {"cable", read_cable},   {"terminal", read_terminal}};
enum { WORDS = sizeof reader / sizeof reader[0], HEAD = 7 /* the first ones, each needed once */ };

/* Each line begins with a word, and goes to its reader. */
static void read_file(FILE *f) {
  static char *text;
  static size_t room;
  bool seen[WORDS] = {false}, ended = false;
  for (ssize_t length; (length = getline(&text, &room, f)) >= 0;) {
    line++;
    if (strlen(text) != (size_t)length)
      refuse("a zero byte");
    if (length && text[length - 1] == '\n')
      text[length - 1] = '\0';
    if (line == 1 && strcmp(text, "uturn certificate 1"))
      refuse("this is no certificate, version 1");
    if (line == 1 || text[0] == '#')
      continue;
    if (ended)
      refuse("something behind the end");
    ended = !strcmp(text, "end");
    const size_t letters = strcspn(text, " ");
    unsigned w = 0;
    while (w < WORDS && (strncmp(text, reader[w].word, letters) || reader[w].word[letters]))
      w++;
    if (ended)
      continue;
    if (w == WORDS || (w < HEAD && seen[w]) || (w > 1 && !net.end))
      refuse("'%.20s' is not expected here", text);
    seen[w] = true;
    cursor = text + letters;
    reader[w].read();
    end_of_line();
  }
  if (!ended)
    refuse("the file has no end");
  line = 0;
  for (unsigned w = 0; w < HEAD; w++)
    if (!seen[w])
      refuse("'%s' is missing", reader[w].word);
  list_links();
  if (is_graph() && cert.reports)
    refuse("a graph has no ports up that hear reports");
  if (!cert.every && !cert.buffer)
    refuse("some candidate rises: that is for buffers of whole packets");
  if (cert.fixed == (cert.alls > 0))
    refuse("either one fault set or whole families of them");
}

/* ---- one fault set */

/* A packet: where it is, its header's field, and the bits that it has set in vectors it met. */
struct state {
  uint32_t channel, rt, own;
};
struct own {
  uint32_t sw[MOST_OWN];
  word bits[MOST_OWN];
  word count; /* no hole behind it: compared by memcmp */
};
static struct {
  word *up, *reports; /* [switches]: output ports that work; up ports to a switch that reports a fault */
  bool *dead;         /* [switches] */
  const uint32_t *rank;
  struct table state_of;
  struct state *state;
  struct own *own;
  uint32_t states, owns;
  word *now, *then;                      /* [states * words]: destinations of the packets there */
  word *packets;                         /* [words]: those of the state that is looked at */
  uint32_t *here, *there, heres, theres; /* the states that have some */
  size_t room;
  bool *relied, *entered; /* [channels]: a ring that is relied upon; entered without space for two packets */
  char name[400];         /* of the set, for messages */
} now;

static void take_down(uint32_t lane) {
  const struct end *to = &net.end[lane];
  now.up[lane / net.ports] &= ~((word)1 << lane % net.ports);
  if (to->kind == TO_SWITCH)
    now.up[to->index] &= ~((word)1 << to->port);
}

/* Switch `sw` has a faulty down link, and says so. */
static bool faulty(uint32_t sw) {
  const word down = down_ports();
  return !now.dead[sw] && (now.up[sw] & down) != down;
}

/* Up ports of `sw` that work and lead to a switch that reports: `near` its own fault, or one of a switch above it. */
static word heard(uint32_t sw, bool near) {
  word bits = 0;
  for (unsigned p = net.down; p < net.ports; p++)
    if (now.up[sw] >> p & 1 && end_of(sw, p)->kind == TO_SWITCH &&
        (near ? faulty(end_of(sw, p)->index) : heard(end_of(sw, p)->index, true) != 0))
      bits |= (word)1 << p;
  return bits;
}

/* The network with those faults: what works, and what is reported. */
static void fail(const uint32_t *link, unsigned links, const uint32_t *sw, unsigned switches) {
  int used = snprintf(now.name, sizeof now.name, links + switches ? "faults" : "no faults");
  for (uint32_t s = 0; s < net.switches; s++) {
    now.up[s] = 0;
    now.dead[s] = false;
    for (unsigned p = 0; p < net.ports; p++)
      now.up[s] |= (word)(end_of(s, p)->kind != NOWHERE) << p;
  }
  for (unsigned i = 0; i < links; i++) {
    take_down(link[i]);
    if ((size_t)used < sizeof now.name)
      used += snprintf(now.name + used, sizeof now.name - (size_t)used, " link %u port %u", link[i] / net.ports,
                       link[i] % net.ports);
  }
  for (unsigned i = 0; i < switches; i++) {
    now.dead[sw[i]] = true;
    for (unsigned p = 0; p < net.ports; p++)
      take_down(sw[i] * net.ports + p);
    if ((size_t)used < sizeof now.name)
      used += snprintf(now.name + used, sizeof now.name - (size_t)used, " switch %u", sw[i]);
  }
  for (uint32_t s = 0; s < net.switches && cert.reports; s++)
    now.reports[s] = cert.reports == NEAR ? heard(s, true) : heard(s, false) | (s < net.width ? heard(s, true) : 0);
}

static word own_bits(uint32_t own, uint32_t sw) {
  for (unsigned i = 0; i < now.own[own].count; i++)
    if (now.own[own].sw[i] == sw)
      return now.own[own].bits[i];
  return 0;
}

/* The own bits with some more; the same number for the same bits (in whatever order they came: more states, no harm).
 */
static uint32_t with_bits(uint32_t own, uint32_t sw, word bits) {
  struct own mine = now.own[own];
  unsigned i = 0;
  if (!(bits & ~own_bits(own, sw)))
    return own;
  while (i < mine.count && mine.sw[i] != sw)
    i++;
  if (i == MOST_OWN)
    refuse("%s: a packet turns back at more than %d switches", now.name, MOST_OWN);
  mine.sw[i] = sw;
  mine.bits[i] |= bits;
  mine.count += i == mine.count;
  for (uint32_t j = 0; j < now.owns; j++)
    if (!memcmp(&now.own[j], &mine, sizeof mine))
      return j;
  ONE_MORE(now.own, now.owns);
  now.own[now.owns] = mine;
  return now.owns++;
}

/* Packets, those of `more` that are in `filter`, too, arrive with the next hop. */
static void arrive(uint32_t channel, uint32_t rt, uint32_t own, const word *more, const word *filter) {
  const uint32_t s = number_of(&now.state_of, channel, rt, own, now.states);
  if (s == now.states) {
    if (now.states == now.room) {
      now.room = now.room ? 2 * now.room : 1024;
      now.state = memory(now.state, now.room, sizeof *now.state);
      now.now = memory(now.now, now.room * net.words, sizeof *now.now);
      now.then = memory(now.then, now.room * net.words, sizeof *now.then);
      now.here = memory(now.here, now.room, sizeof *now.here);
      now.there = memory(now.there, now.room, sizeof *now.there);
    }
    now.state[now.states++] = (struct state){channel, rt, own};
    memset(now.now + (size_t)s * net.words, 0, net.words * sizeof(word));
    memset(now.then + (size_t)s * net.words, 0, net.words * sizeof(word));
  }
  word before = 0, *mask = now.then + (size_t)s * net.words;
  for (uint32_t w = 0; w < net.words; w++) {
    before |= mask[w];
    mask[w] |= more[w] & filter[w];
  }
  if (!before)
    now.there[now.theres++] = s;
}

/* Packets with these destinations are in `channel`, and are answered with that group: each candidate must exist, and
 * one of them (or each) must be a way out.  Then they take each of them. */
static void hop(uint32_t s, const struct group *group) {
  const struct state at = now.state[s];
  const uint32_t sw = at.channel / net.vcs / net.ports;
  const uint32_t own = with_bits(at.own, sw, group->set & now.reports[sw]);
  bool rises = false, goes_on = false, falls = false;
  if (!group->candidates)
    refuse("%s: switch %u discards a packet", now.name, sw);
  for (unsigned i = 0; i < group->candidates; i++) {
    const struct candidate *candidate = &group->candidate[i];
    const struct end *to = end_of(sw, candidate->port);
    if (!(now.up[sw] >> candidate->port & 1))
      refuse("%s: switch %u sends a packet through port %u, which does not work", now.name, sw, candidate->port);
    if (to->kind == TO_TERMINAL) {
      for (uint32_t w = 0; w < net.words; w++)
        if (now.packets[w] & group->to[w] & ~(to->index / 64 == w ? (word)1 << to->index % 64 : 0))
          refuse("%s: switch %u delivers a packet to terminal %u, not to its own", now.name, sw, to->index);
      rises = true;
      continue;
    }
    const uint32_t next = channel_of(to->index, to->port, candidate->vc);
    const bool on = next == straight_on(at.channel);
    const bool up = now.rank[next] > now.rank[at.channel] && (!candidate->two || cert.buffer >= 2);
    rises |= up;
    falls |= !up;
    goes_on |= on && !candidate->two && now.rank[next] == now.rank[at.channel];
    now.entered[next] |= !candidate->two && !on;
    arrive(next, group->rt, own, now.packets, group->to);
  }
  if (cert.every ? falls : !rises && !goes_on)
    refuse("%s: at switch %u, input port %u, VC %u, %s candidate has a higher rank", now.name, sw,
           at.channel / net.vcs % net.ports, at.channel % net.vcs, cert.every ? "not every" : "no");
  now.relied[at.channel] |= !cert.every && !rises;
}

/* All packets of one state: with each vector that the switch may have, what the certificate says that it answers. */
static void go_on(uint32_t s) {
  const struct state at = now.state[s];
  const uint32_t lane = at.channel / net.vcs, sw = lane / net.ports;
  const word own = own_bits(at.own, sw), others = now.reports[sw] & ~own;
  memcpy(now.packets, now.now + (size_t)s * net.words, net.words * sizeof *now.packets);
  for (word more = 0;; more = (more - others) & others) {
    const uint32_t view = look_up(&cert.view_of, sw, now.up[sw], up_half(now.reports[sw], own | more));
    const uint32_t a = look_up(&cert.answer_of, view, at.channel % (net.ports * net.vcs), at.rt);
    word left = 0, answered;
    if (view == UINT32_MAX || a == UINT32_MAX)
      refuse(
          "%s: what does switch %u answer in input port %u, VC %u, with links %llx, reports %llx, vector %llx, rt %u?",
          now.name, sw, lane % net.ports, at.channel % net.vcs, (unsigned long long)now.up[sw],
          (unsigned long long)now.reports[sw], (unsigned long long)(own | more), at.rt);
    for (uint32_t g = cert.answer[a].first; g < cert.answer[a].first + cert.answer[a].groups; g++) {
      answered = 0;
      for (uint32_t w = 0; w < net.words; w++)
        answered |= now.packets[w] & cert.group[g].to[w];
      if (answered)
        hop(s, &cert.group[g]);
    }
    for (uint32_t w = 0; w < net.words; w++) {
      answered = 0;
      for (uint32_t g = cert.answer[a].first; g < cert.answer[a].first + cert.answer[a].groups; g++)
        answered |= cert.group[g].to[w];
      left |= now.packets[w] & ~answered;
    }
    if (left)
      refuse("%s: switch %u has no answer for some destination", now.name, sw);
    if (more == others)
      return;
  }
}

/* What arrived is here now. */
static void turn(void) {
  for (uint32_t i = 0; i < now.heres; i++)
    memset(now.now + (size_t)now.here[i] * net.words, 0, net.words * sizeof(word));
  word *const mask = now.now;
  uint32_t *const list = now.here;
  now.now = now.then, now.then = mask;
  now.here = now.there, now.there = list;
  now.heres = now.theres, now.theres = 0;
}

/* Packets at every terminal that works, for every other one. */
static void inject(void) {
  word *all = memory(NULL, 2 * net.words, sizeof *all), *other = all + net.words;
  memset(all, 0, 2 * net.words * sizeof *all);
  for (uint32_t i = 0; i < net.switches * net.ports; i++)
    if (net.end[i].kind == TO_TERMINAL && !now.dead[i / net.ports])
      all[net.end[i].index / 64] |= (word)1 << net.end[i].index % 64;
  for (uint32_t i = 0; i < net.switches * net.ports; i++) {
    if (net.end[i].kind != TO_TERMINAL || now.dead[i / net.ports])
      continue;
    memset(other, 0xff, net.words * sizeof *other);
    other[net.end[i].index / 64] &= ~((word)1 << net.end[i].index % 64);
    for (unsigned vc = 0; vc < cert.start; vc++)
      arrive(i * net.vcs + vc, 0, 0, all, other);
  }
  free(all);
}

/* Rings that packets are said to go on in: closed, buffers for two packets, entered only where there is room for two.
 */
static void check_rings(void) {
  const uint32_t channels = net.switches * net.ports * net.vcs;
  for (uint32_t c = 0; c < channels; c++) {
    uint32_t i = c, steps = 0;
    if (!now.relied[c])
      continue;
    if (cert.buffer < 2)
      refuse("%s: rings need buffers of two packets", now.name);
    do {
      if (now.entered[i] || steps++ > channels)
        refuse("%s: the ring of switch %u, port %u, VC %u is entered without space for two packets", now.name,
               c / net.vcs / net.ports, c / net.vcs % net.ports, c % net.vcs);
      const uint32_t next = straight_on(i);
      if (next == UINT32_MAX || now.rank[next] != now.rank[i])
        refuse("%s: no ring of one rank at switch %u, port %u", now.name, i / net.vcs / net.ports,
               i / net.vcs % net.ports);
      i = next;
    } while (i != c);
  }
}

static void check_set(const uint32_t *rank) {
  const size_t channels = (size_t)net.switches * net.ports * net.vcs;
  now.rank = rank;
  now.states = now.heres = now.theres = 0;
  now.owns = 1;
  empty(&now.state_of);
  memset(now.relied, 0, channels);
  memset(now.entered, 0, channels);
  inject();
  turn();
  for (unsigned hops = 0; now.heres; hops++, turn()) {
    if (hops > cert.hops)
      refuse("%s: some packet is on its way after %u hops", now.name, cert.hops);
    for (uint32_t i = 0; i < now.heres; i++)
      go_on(now.here[i]);
  }
  check_rings();
}

/* ---- all of them, in the order of the certificate: link sets in lexicographic order, in each of them switch sets */

static uint64_t sets_checked;

static void check_next(void) {
  static uint32_t run;
  static uint64_t in_run;
  while (run < cert.uses && in_run == cert.use[run].sets)
    run++, in_run = 0;
  if (run == cert.uses || !cert.ranks)
    refuse("%s: no ranks for this fault set", now.name);
  in_run++;
  check_set(cert.rank[cert.use[run].ranks]);
  sets_checked++;
}

static void choose_switches(const uint32_t *link, unsigned links, uint32_t *sw, unsigned have, unsigned want,
                            uint32_t from) {
  if (have == want) {
    fail(link, links, sw, want);
    check_next();
    return;
  }
  for (sw[have] = from; sw[have] < net.switches; sw[have]++)
    choose_switches(link, links, sw, have + 1, want, sw[have] + 1);
}

static void choose_links(uint32_t *link, unsigned have, unsigned want, unsigned switches, uint32_t from) {
  uint32_t sw[MOST_FAULTS + 1];
  if (have == want) { /* leaf switches of a tree do not fail */
    choose_switches(link, want, sw, 0, switches, net.width);
    return;
  }
  for (uint32_t i = from; i < net.links; i++) {
    link[have] = net.link[i];
    choose_links(link, have + 1, want, switches, i + 1);
  }
}

int main(int argc, char **argv) {
  uint32_t link[MOST_FAULTS + 1];
  uint64_t promised = 0;
  const char *name = argc == 2 ? argv[1] : "";
  path = printable(name);
  struct stat there; /* looked at before it is opened: a pipe blocks, a device has no end */
  const bool is_file = argc == 2 && stat(name, &there) == 0 && S_ISREG(there.st_mode);
  FILE *f = is_file ? fopen(name, "r") : NULL;
  if (!f) {
    fprintf(stderr, argc == 2 ? "%s: cannot be read, or is no file\n" : "usage: check_certificate FILE%s\n", path);
    return 2;
  }
  read_file(f);
  fclose(f);
  const size_t channels = (size_t)net.switches * net.ports * net.vcs;
  now.up = calloc(net.switches, sizeof *now.up), now.reports = calloc(net.switches, sizeof *now.reports);
  now.dead = calloc(net.switches, sizeof *now.dead), now.own = calloc(1, sizeof *now.own);
  now.relied = calloc(channels, 1), now.entered = calloc(channels, 1);
  now.packets = calloc(net.words, sizeof *now.packets);
  if (!now.up || !now.reports || !now.dead || !now.own || !now.relied || !now.entered || !now.packets) {
    fprintf(stderr, "check_certificate: out of memory\n");
    return 2;
  }
  if (cert.fixed) {
    fail(cert.link, cert.links, cert.sw, cert.switches_down);
    check_next();
  }
  for (unsigned i = 0; i < cert.alls; i++)
    choose_links(link, 0, cert.all[i].links, cert.all[i].switches, 0);
  for (uint32_t i = 0; i < cert.uses; i++)
    promised += cert.use[i].sets;
  if (promised != sets_checked)
    refuse("ranks for %llu fault sets, there are %llu", (unsigned long long)promised, (unsigned long long)sets_checked);
  printf("%s: accepted: %s, %llu fault sets", path, net.name, (unsigned long long)sets_checked);
  for (unsigned i = 0; i < cert.alls; i++)
    printf("%s%u+%u", i ? ", " : ", all with links+switches ", cert.all[i].links, cert.all[i].switches);
  printf("\n  every packet arrives after at most %u hops; no channels wait for each other for ever:\n  %s\n", cert.hops,
         cert.every ? "every candidate leads to a higher rank"
                    : "of the candidates one leads to a higher rank, a terminal, or on in its ring");
  printf("  if the answers are those of the switches, packets start in %u VCs%s, buffers hold %u packets\n", cert.start,
         cert.every ? "" : ", switching is virtual cut-through", cert.buffer);
  if (fflush(stdout) == 0 && !ferror(stdout))
    return 0;
  fprintf(stderr, "%s: accepted, but that cannot be written to standard output\n", path);
  return 2;
}
