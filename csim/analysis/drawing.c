/* drawing.c - see drawing.h */
#define _GNU_SOURCE
#include "drawing.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Points of 1/72 inch. */
static const double box_height = 24, terminal_size = 11, terminal_pitch = 13, terminal_drop = 30, lane = 3.4;
static const char *const vc_colour[8] = {"#1f5fa8", "#e07b00", "#7a3fa0", "#00897b",
                                         "#6d4c41", "#c2185b", "#558b2f", "#455a64"};
#define RED "#d32f2f"

struct place {
  double x, y;
};

/* What all parts of the drawing share. */
struct canvas {
  const struct ut_drawing *d;
  const struct ut_topology *t;
  FILE *f;
  unsigned width, up, down; /* switches of a level; ports of each kind */
  unsigned leaf;            /* terminals of a leaf switch */
  double box, column, row;  /* width of a switch; distances of switches and levels */
  double full;              /* load that is drawn at full width */
  struct place *label;      /* numbers of hops, and crosses, so far */
  size_t labels;
  unsigned legends;
  double legend_x;
};

/* ---- places */

static void measure(struct canvas *c) {
  const struct ut_topology *t = c->t;
  for (uint32_t i = 0; i < t->switches; i++)
    if (t->position[i] + 1 > c->width)
      c->width = t->position[i] + 1;
  c->up = (unsigned)__builtin_popcountll(t->up_ports);
  c->down = t->po - c->up;
  c->leaf = (t->terminals + c->width - 1) / c->width;
  /* a packet in a small network has many hops on few links: room for their numbers */
  const bool roomy = c->d->hops && c->width <= 9;
  c->box = fmax(c->d->hops ? 50 : 42, 9 * fmax(c->up, c->down));
  c->column = fmax(c->box + (roomy ? 34 : 16), c->leaf * terminal_pitch + 8);
  const double all = c->column * c->width;
  c->row = fmin(fmax(all / 7, roomy ? 130 : 92), fmax(190, all / 14));
  double most = 0;
  for (size_t i = 0; c->d->load && i < (size_t)t->switches * t->po; i++)
    most = fmax(most, c->d->load[i]);
  /* the scale ends at a round number */
  double unit = most > 0 ? pow(10, floor(log10(most))) : 1;
  c->full = most <= unit ? unit : most <= 2 * unit ? 2 * unit : most <= 5 * unit ? 5 * unit : 10 * unit;
}

static struct place switch_at(const struct canvas *c, uint32_t sw) {
  return (struct place){(c->t->position[sw] + 0.5) * c->column, c->t->level[sw] * c->row};
}

static struct place terminal_at(const struct canvas *c, uint32_t terminal) {
  const struct ut_attachment *a = &c->t->attachment[terminal];
  struct place at = switch_at(c, a->sw);
  at.x += (a->in_port - (c->leaf - 1) / 2.0) * fmax(terminal_pitch, 0.85 * c->column / c->leaf);
  at.y -= terminal_drop + box_height / 2;
  return at;
}

/* Where a link leaves the box of its switch: up ports along the upper side, down ports along the lower one. */
static struct place port_at(const struct canvas *c, uint32_t sw, unsigned port) {
  struct place at = switch_at(c, sw);
  bool up = c->t->up_ports >> port & 1;
  unsigned ports = up ? c->up : c->down;
  uint64_t alike = up ? c->t->up_ports : ~c->t->up_ports;
  unsigned index = (unsigned)__builtin_popcountll(alike & ((UINT64_C(1) << port) - 1));
  at.x += (index - (ports - 1) / 2.0) * (c->box - 8) / ports;
  at.y += up ? box_height / 2 : -box_height / 2;
  return at;
}

/* The ends of a link, as seen from the switch that has it at `port`. */
static void ends(const struct canvas *c, uint32_t sw, unsigned port, struct place *a, struct place *b) {
  const struct ut_peer *p = &c->t->peer[(size_t)sw * c->t->po + port];
  *a = port_at(c, sw, port);
  if (p->kind == UT_PEER_SWITCH) {
    *b = port_at(c, p->index, p->port);
  } else {
    *b = terminal_at(c, p->index);
    b->y += terminal_size / 2;
  }
}

/* ---- faults */

static bool failed(const struct canvas *c, uint32_t sw) {
  for (size_t i = 0; i < c->d->outages; i++)
    if (c->d->outage[i].kind == UT_FAULT_SWITCH && c->d->outage[i].sw == sw)
      return true;
  return false;
}

/* The link itself, not a switch at its end. */
static bool broken(const struct canvas *c, uint32_t sw, unsigned port) {
  const struct ut_peer *p = &c->t->peer[(size_t)sw * c->t->po + port];
  for (size_t i = 0; i < c->d->outages; i++) {
    const struct ut_outage *o = &c->d->outage[i];
    if (o->kind == UT_FAULT_LINK &&
        ((o->sw == sw && o->port == port) || (p->kind == UT_PEER_SWITCH && o->sw == p->index && o->port == p->port)))
      return true;
  }
  return false;
}

/* ---- elements */

/* A string of Graphviz; a line ends in `eol` ("\\l": left-aligned). */
static void put_text(FILE *f, const char *text, const char *eol) {
  for (; *text; text++)
    if (*text == '\n')
      fputs(eol, f);
    else if (*text == '"' || *text == '\\')
      fprintf(f, "\\%c", *text);
    else
      fputc(*text, f);
}

/* The same for the labels that are HTML. */
static void put_html(FILE *f, const char *text) {
  for (; *text; text++)
    if (*text == '<')
      fputs("&lt;", f);
    else if (*text == '>')
      fputs("&gt;", f);
    else if (*text == '&')
      fputs("&amp;", f);
    else
      fputc(*text, f);
}

/* A straight line, `aside` to the left of its direction. */
static void line(const struct canvas *c, struct place a, struct place b, double aside, bool arrow, const char *style) {
  double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy), head = arrow ? 7 : 0;
  dx /= length;
  dy /= length;
  struct place start = {a.x - dy * aside, a.y + dx * aside}, tip = {b.x - dy * aside, b.y + dx * aside};
  struct place end = {tip.x - dx * head, tip.y - dy * head};
  /* the ends have their places, so it does not matter between which nodes Graphviz believes the edge to be */
  fprintf(c->f, "  s0 -> s0 [pos=\"");
  if (arrow)
    fprintf(c->f, "e,%.2f,%.2f ", tip.x, tip.y);
  fprintf(c->f, "%.2f,%.2f %.2f,%.2f %.2f,%.2f %.2f,%.2f\",arrowhead=%s%s];\n", start.x, start.y,
          start.x + (end.x - start.x) / 3, start.y + (end.y - start.y) / 3, start.x + (end.x - start.x) * 2 / 3,
          start.y + (end.y - start.y) * 2 / 3, end.x, end.y, arrow ? "normal" : "none", style);
}

static void cross(const struct canvas *c, const char *name, size_t number, struct place at) {
  fprintf(c->f,
          "  %s%zu [pos=\"%.2f,%.2f\",shape=circle,width=0.15,fixedsize=true,style=filled,fillcolor=white,"
          "color=\"" RED "\",penwidth=0.8,label=\"×\",fontsize=11,fontcolor=\"" RED "\"];\n",
          name, number, at.x, at.y);
}

/* ---- the network */

static void draw_switch(const struct canvas *c, uint32_t sw) {
  const struct ut_drawing *d = c->d;
  char name[UT_SWITCH_NAME_SIZE], tuple[UT_SWITCH_TUPLE_SIZE];
  struct place at = switch_at(c, sw);
  const char *fill = "#f7f9fb", *pen = "#44546a", *more = "", *below = NULL, *ink = "#7a8797";
  bool visited = sw == d->end, turned = false;
  for (size_t i = 0; i < d->hops; i++)
    if (d->hop[i].sw == sw) {
      visited = true;
      turned |= d->hop[i].u_turn;
      if (d->hop[i].note[0] && (!below || d->hop[i].u_turn))
        below = d->hop[i].note;
    }
  if (visited)
    fill = "#dce8f6", more = ",penwidth=1.2";
  if (turned)
    fill = "#ffe0ad", pen = "#b35900", more = ",penwidth=2.6";
  if (sw == d->end && (!d->end_text || !strcmp(d->end_text, "discarded")))
    fill = "#f5b7b1";
  if (failed(c, sw))
    fill = "#fdecea", pen = RED, more = ",style=\"rounded,filled,dashed\",penwidth=1.8,fontcolor=\"" RED "\"";
  if (below)
    ink = turned ? "#b35900" : "#1f5fa8";
  else
    below = ut_topology_switch_tuple(c->t, sw, tuple);
  fprintf(c->f,
          "  s%u [pos=\"%.2f,%.2f\",shape=box,style=\"rounded,filled\",width=%.3f,height=%.3f,fixedsize=true,"
          "fillcolor=\"%s\",color=\"%s\"%s,fontsize=9,label=<%s%s%s<BR/><FONT POINT-SIZE=\"6.5\" COLOR=\"%s\">",
          (unsigned)sw, at.x, at.y, c->box / 72, box_height / 72, fill, pen, more, turned ? "<B>" : "",
          ut_topology_switch_name(c->t, sw, name), turned ? "</B>" : "", ink);
  put_html(c->f, below);
  fprintf(c->f, "</FONT>>];\n");
}

static void draw_terminal(const struct canvas *c, uint32_t i) {
  const struct ut_drawing *d = c->d;
  struct place at = terminal_at(c, i);
  bool marked = i == d->source || i == d->destination;
  fprintf(c->f,
          "  t%u [pos=\"%.2f,%.2f\",shape=box,width=%.3f,height=%.3f,fixedsize=true,label=\"%u\",fontsize=%s,"
          "style=filled,fillcolor=\"%s\",color=\"%s\",penwidth=0.6,fontcolor=\"%s\"];\n",
          (unsigned)i, at.x, at.y, terminal_size / 72, terminal_size / 72, (unsigned)i, i < 1000 ? "5.5" : "4.2",
          i == d->source        ? "#2e7d32"
          : i == d->destination ? "#1f5fa8"
                                : "#f4f4f4",
          marked ? "#333333" : "#999999", marked ? "white" : "#555555");
}

/* Width and colour of a load, from pale and thin to dark and thick. */
static void load_style(double share, char style[96]) {
  static const int from[3] = {0xd3, 0xde, 0xea}, middle[3] = {0x3f, 0x8f, 0xd0}, to[3] = {0x08, 0x1d, 0x58};
  int rgb[3];
  for (unsigned i = 0; i < 3; i++)
    rgb[i] = share < 0.5 ? (int)(from[i] + (middle[i] - from[i]) * 2 * share)
                         : (int)(middle[i] + (to[i] - middle[i]) * (2 * share - 1));
  snprintf(style, 96, ",color=\"#%02x%02x%02x\",penwidth=%.2f", (unsigned)rgb[0], (unsigned)rgb[1], (unsigned)rgb[2],
           0.5 + 3.3 * share);
}

/* The busier direction of a link between switches; of a terminal's link only the way to the terminal is counted. */
static double share_of(const struct canvas *c, uint32_t sw, unsigned port) {
  const struct ut_peer *p = &c->t->peer[(size_t)sw * c->t->po + port];
  double load = c->d->load[(size_t)sw * c->t->po + port];
  if (p->kind == UT_PEER_SWITCH)
    load = fmax(load, c->d->load[(size_t)p->index * c->t->po + p->port]);
  return fmin(load / c->full, 1);
}

static void draw_link(const struct canvas *c, uint32_t sw, unsigned port, unsigned layer, unsigned layers) {
  const struct ut_peer *p = &c->t->peer[(size_t)sw * c->t->po + port];
  const bool terminal = p->kind == UT_PEER_TERMINAL, own = broken(c, sw, port);
  const bool down = own || failed(c, sw) || (!terminal && failed(c, p->index));
  char style[96];
  struct place a, b;
  double share = c->d->load && !down ? share_of(c, sw, port) : 0;
  /* what is faulty lies on top, below it what is busy */
  if (layer != (down ? layers - 1 : fmin(floor(share * (layers - 1)), layers - 2)))
    return;
  ends(c, sw, port, &a, &b);
  if (down)
    snprintf(style, sizeof style, ",color=\"" RED "\",style=dashed,penwidth=%s", own ? "2" : "1.1");
  else if (c->d->load)
    load_style(share, style);
  else
    snprintf(style, sizeof style, ",color=\"%s\",penwidth=0.7", c->d->hops ? "#c3cad3" : "#8fa3b8");
  line(c, a, b, 0, false, style);
}

/* Each link once: down from its upper end. */
static void draw_links(const struct canvas *c) {
  const unsigned layers = c->d->load ? 8 : 2;
  for (unsigned layer = 0; layer < layers; layer++) {
    for (uint32_t i = 0; i < c->t->terminals; i++)
      draw_link(c, c->t->attachment[i].sw, c->t->attachment[i].out_port, layer, layers);
    for (size_t i = 0; i < c->t->links; i++)
      draw_link(c, c->t->link[i].upper, c->t->link[i].upper_port, layer, layers);
  }
}

static void draw_crosses(struct canvas *c) {
  for (size_t i = 0; i < c->d->outages; i++) {
    const struct ut_outage *o = &c->d->outage[i];
    struct place a, b;
    if (o->kind != UT_FAULT_LINK)
      continue;
    ends(c, o->sw, o->port, &a, &b);
    c->label[c->labels] = (struct place){(a.x + b.x) / 2, (a.y + b.y) / 2};
    cross(c, "x", i, c->label[c->labels++]);
  }
}

/* ---- the packet */

/* A place for the number of a hop along its line, where no other number is. */
static struct place label_at(struct canvas *c, struct place a, struct place b, double out, double width, bool only) {
  static const double along[] = {0.36, 0.28, 0.44, 0.2, 0.6, 0.68, 0.76, 0.52};
  double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy), most = -1;
  struct place best = {0, 0};
  for (unsigned i = 0; i < (only ? 1 : sizeof along / sizeof along[0]) && most < 1; i++) {
    double part = only ? 0.5 : along[i], room = 1;
    struct place at = {a.x + dx * part - dy / length * out, a.y + dy * part + dx / length * out};
    for (size_t j = 0; j < c->labels; j++)
      room = fmin(room, fmax(fabs(c->label[j].x - at.x) / (width + 2), fabs(c->label[j].y - at.y) / 13));
    if (room > most)
      most = room, best = at;
  }
  c->label[c->labels++] = best;
  return best;
}

static void draw_hop(struct canvas *c, size_t i) {
  const struct ut_drawing *d = c->d;
  const struct ut_drawn_hop *h = &d->hop[i];
  const char *colour = vc_colour[h->vc % 8];
  char style[96], text[32];
  struct place a, b;
  const struct ut_peer *p = &c->t->peer[(size_t)h->sw * c->t->po + h->port];
  const bool terminal = p->kind == UT_PEER_TERMINAL;
  unsigned before = 0, others = 0; /* hops on the same link lie side by side, each direction on its left */
  for (size_t j = 0; j < d->hops; j++) {
    const bool same = d->hop[j].sw == h->sw && d->hop[j].port == h->port;
    before += same && j < i;
    others += j != i && (same || (!terminal && d->hop[j].sw == p->index && d->hop[j].port == p->port));
  }
  double aside = others ? lane * (0.65 + before) : 0;
  ends(c, h->sw, h->port, &a, &b);
  snprintf(style, sizeof style, ",color=\"%s\",penwidth=2.4,arrowsize=0.6%s", colour, h->lost ? ",style=dashed" : "");
  line(c, a, b, aside, true, style);
  snprintf(text, sizeof text, d->vcs > 1 ? "%zu VC%u" : "%zu", i + 1, h->vc);
  const double width = 5 + 4.9 * (double)strlen(text);
  struct place at = label_at(c, a, b, aside + 0.5, width, terminal);
  fprintf(c->f,
          "  h%zu [pos=\"%.2f,%.2f\",shape=box,style=\"rounded,filled\",width=%.3f,height=0.155,fixedsize=true,"
          "label=\"%s\",fontsize=7.5,fillcolor=\"%s\",color=white,penwidth=0.8,fontcolor=white];\n",
          i, at.x, at.y, width / 72, text, colour);
  if (h->lost)
    cross(c, "y", i, (struct place){a.x + (b.x - a.x) * 0.7, a.y + (b.y - a.y) * 0.7});
}

static void draw_injection(const struct canvas *c) {
  const struct ut_attachment *a = &c->t->attachment[c->d->source];
  struct place from = terminal_at(c, c->d->source);
  from.y += terminal_size / 2;
  line(c, from, port_at(c, a->sw, a->in_port), 0, true, ",color=\"#2e7d32\",penwidth=2.4,arrowsize=0.6");
}

/* ---- words */

static void put_words(const struct canvas *c, const char *name, unsigned number, struct place left, double width,
                      double size, const char *colour, const char *text) {
  unsigned lines = 1;
  for (const char *p = text; *p; p++)
    lines += *p == '\n';
  fprintf(c->f,
          "  %s%u [pos=\"%.2f,%.2f\",shape=plaintext,width=%.3f,height=%.3f,fixedsize=true,margin=0,fontsize=%.1f,"
          "fontcolor=\"%s\",label=\"",
          name, number, left.x + width / 2, left.y, width / 72, 1.25 * size * lines / 72, size, colour);
  put_text(c->f, text, "\\l");
  fprintf(c->f, "\\l\"];\n");
}

/* A sample of a line, or of a box if shape is not NULL, and what it means; the next one stands to the right of it. */
static void legend(struct canvas *c, const char *box, const char *style, const char *text) {
  const double y = -terminal_drop - box_height / 2 - 30, width = 4.3 * (double)strlen(text) + 6;
  struct place a = {c->legend_x, y}, b = {c->legend_x + 20, y};
  if (box)
    fprintf(c->f, "  g%u [pos=\"%.2f,%.2f\",shape=box,label=\"\",width=0.2,height=0.13,fixedsize=true%s];\n",
            c->legends, a.x + 11, y, box);
  else
    line(c, a, b, 0, false, style);
  put_words(c, "w", c->legends++, (struct place){b.x + 5, y}, width, 8, "#444444", text);
  c->legend_x += 20 + 5 + width + 12;
}

static void draw_legend(struct canvas *c) {
  const struct ut_drawing *d = c->d;
  char style[128], text[48];
  bool turned = false;
  for (size_t i = 0; i < d->hops; i++)
    turned |= d->hop[i].u_turn;
  if (d->source != UINT32_MAX)
    legend(c, ",style=filled,fillcolor=\"#2e7d32\"", NULL, "source");
  if (d->destination != UINT32_MAX)
    legend(c, ",style=filled,fillcolor=\"#1f5fa8\"", NULL, "destination");
  if (turned)
    legend(c, ",style=\"rounded,filled\",fillcolor=\"#ffe0ad\",color=\"#b35900\",penwidth=2.2", NULL, "U-turn switch");
  for (unsigned v = 0; d->hops && v < d->vcs; v++) {
    snprintf(style, sizeof style, ",color=\"%s\",penwidth=2.4", vc_colour[v % 8]);
    snprintf(text, sizeof text, "VC %u", v);
    legend(c, NULL, style, text);
  }
  for (unsigned i = 0; d->load && i < 5; i++) {
    load_style(i / 4.0, style);
    snprintf(text, sizeof text, "%.3g%s", c->full * i / 4, i == 4 ? " flits/cycle, the busier direction" : "");
    legend(c, NULL, style, text);
  }
  if (d->outages)
    legend(c, NULL, ",color=\"" RED "\",style=dashed,penwidth=2", "faulty");
}

static void draw_words(struct canvas *c) {
  const struct ut_drawing *d = c->d;
  char text[48];
  for (unsigned level = 0; level < c->t->levels; level++) {
    const bool top = level + 1 == c->t->levels && level;
    snprintf(text, sizeof text, "level %u%s", level, top ? "\n(roots)" : level ? "" : "\n(leaves)");
    put_words(c, "l", level, (struct place){-52, level * c->row}, 48, 8, "#777777", text);
  }
  if (d->end != UINT32_MAX) {
    struct place at = switch_at(c, d->end);
    fprintf(c->f,
            "  end [pos=\"%.2f,%.2f\",shape=plaintext,style=filled,fillcolor=white,width=0.1,height=0.1,margin=0.02,"
            "label=\"%s\",fontsize=8,fontcolor=\"#c62828\"];\n",
            at.x, at.y + box_height / 2 + 7, d->end_text ? d->end_text : "discarded");
  }
  c->legend_x = -52;
  draw_legend(c);
  if (d->caption) {
    unsigned lines = 1;
    size_t longest = 0, length = 0;
    for (const char *p = d->caption; *p; p++)
      if (*p == '\n')
        lines++, length = 0;
      else if (++length > longest)
        longest = length;
    double top = (c->t->levels - 1) * c->row + box_height / 2 + 16;
    put_words(c, "caption", 0, (struct place){-52, top + 6.2 * lines}, 5.2 * (double)longest + 8, 10, "#222222",
              d->caption);
  }
}

void ut_drawing_dot(const struct ut_drawing *d, FILE *f) {
  struct canvas c = {.d = d, .t = d->topology, .f = f};
  c.label = calloc(d->hops + d->outages + 1, sizeof *c.label);
  if (!c.label)
    return; /* nothing that Graphviz would draw: reported there */
  measure(&c);
  fprintf(f, "digraph network {\n  graph [bgcolor=white,outputorder=edgesfirst,pad=0.15];\n"
             "  node [fontname=\"Helvetica\"];\n  edge [fontname=\"Helvetica\",dir=forward];\n");
  draw_links(&c);
  for (uint32_t sw = 0; sw < c.t->switches; sw++)
    draw_switch(&c, sw);
  for (uint32_t i = 0; i < c.t->terminals; i++)
    draw_terminal(&c, i);
  draw_crosses(&c);
  if (d->injected)
    draw_injection(&c);
  for (size_t i = 0; i < d->hops; i++)
    draw_hop(&c, i);
  draw_words(&c);
  fprintf(f, "}\n");
  free(c.label);
}

/* ---- the file */

/* -q: the nodes of words are smaller than Graphviz would make them. */
static void call_graphviz(int input, int output) {
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  execlp("neato", "neato", "-q", "-n2", "-Tsvg", (char *)NULL);
  _exit(127);
}

/* Draws into a file that has no name yet.  0 or the exit status of Graphviz. */
static int draw(const struct ut_drawing *d, FILE *dot, FILE *picture) {
  ut_drawing_dot(d, dot);
  if (fflush(dot) || ferror(dot) || fseek(dot, 0, SEEK_SET))
    return -1;
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0)
    call_graphviz(fileno(dot), fileno(picture));
  int status = -1;
  while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Graphviz gives its background a border of colour `transparent`, which some viewers draw black. */
static void remove_border(char *text, size_t length) {
  static const char border[] = "stroke=\"transparent\"", none[] = "stroke=\"none\"       ";
  char *at = memmem(text, length, border, sizeof border - 1);
  if (at)
    memcpy(at, none, sizeof none - 1);
}

/* Copies the finished picture; what cannot be finished is removed. */
static int save(FILE *picture, const char *path, struct ut_error *e) {
  char part[65536];
  size_t length;
  struct stat info;
  rewind(picture);
  FILE *f = fopen(path, "w");
  if (!f)
    return ut_fail(e, UT_BAD_INPUT, "%s: cannot be written: %s", path, strerror(errno));
  bool plain = fstat(fileno(f), &info) == 0 && S_ISREG(info.st_mode), good = true;
  errno = 0;
  while (good && (length = fread(part, 1, sizeof part, picture))) {
    remove_border(part, length); /* which is in the first part */
    good = fwrite(part, 1, length, f) == length;
  }
  good = fflush(f) == 0 && good;
  int reason = errno;
  if (fclose(f) == 0 && good && !ferror(picture))
    return 0;
  if (plain)
    remove(path);
  return ut_fail(e, UT_BAD_INPUT, "%s: cannot be written: %s", path, strerror(reason ? reason : errno));
}

int ut_drawing_check(const struct ut_topology *t, struct ut_error *e) {
  if (t->terminals <= UT_MAX_DRAWN_TERMINALS)
    return 0;
  return ut_fail(e, UT_BAD_INPUT, "a network of %u terminals is too large for a drawing (at most %u)",
                 (unsigned)t->terminals, (unsigned)UT_MAX_DRAWN_TERMINALS);
}

int ut_drawing_svg(const struct ut_drawing *d, const char *path, struct ut_error *e) {
  if (ut_drawing_check(d->topology, e))
    return -1;
  FILE *dot = tmpfile(), *picture = tmpfile();
  int status = 0;
  if (!dot || !picture)
    status = ut_fail(e, UT_INTERNAL, "a temporary file cannot be written: %s", strerror(errno));
  int graphviz = status ? 0 : draw(d, dot, picture);
  if (graphviz == 127)
    status = ut_fail(e, UT_INTERNAL, "%s: Graphviz is missing (program neato, Debian package graphviz)", path);
  else if (graphviz)
    status = ut_fail(e, UT_INTERNAL, "%s: Graphviz could not draw it", path);
  if (!status)
    status = save(picture, path, e);
  if (dot)
    fclose(dot);
  if (picture)
    fclose(picture);
  return status;
}
