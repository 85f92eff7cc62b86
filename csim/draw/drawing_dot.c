/* SPDX-License-Identifier: Apache-2.0 */
/* drawing_dot.c - a drawing as input for Graphviz.  Where the network lies: places.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawing.h"
#include "fault_entry.h"
#include "places.h"

static const double lane = 3.4;
static const char *const vc_colour[8] = {"#1f5fa8", "#e07b00", "#7a3fa0", "#00897b",
                                         "#6d4c41", "#c2185b", "#558b2f", "#455a64"};
#define RED "#d32f2f"
/* Below the line of a hop. */
static const char away_style[] = ",color=\"#f48fb1\",penwidth=7";

/* State that all parts of the drawing share. */
struct canvas {
  const struct ut_drawing *d;
  const struct ut_topology *t;
  FILE *f;
  struct ut_places places;
  double full;           /* load that is drawn at full width */
  struct ut_spot *label; /* numbers of hops, and crosses, so far */
  size_t labels;
  unsigned crosses, legends;
  double legend_x;
};

/* The load at the end of the scale: a round number. */
static double full_load(const struct canvas *canvas) {
  double most = 0;
  for (size_t i = 0; canvas->d->load && i < (size_t)canvas->t->switches * canvas->t->po; i++)
    most = fmax(most, canvas->d->load[i]);
  double unit = most > 0 ? pow(10, floor(log10(most))) : 1;
  return most <= unit ? unit : most <= 2 * unit ? 2 * unit : most <= 5 * unit ? 5 * unit : 10 * unit;
}

static const struct ut_port_place *port_at(const struct canvas *canvas, uint32_t sw, unsigned port) {
  return &canvas->places.port[(size_t)sw * canvas->t->po + port];
}

/* The other end of a stub. */
static const struct ut_port_place *far_end(const struct canvas *canvas, uint32_t sw, unsigned port) {
  const struct ut_peer *peer = &canvas->t->peer[(size_t)sw * canvas->t->po + port];
  return port_at(canvas, peer->index, peer->port);
}

/* ---- faults */

static bool failed(const struct canvas *canvas, uint32_t sw) {
  for (size_t i = 0; i < canvas->d->outages; i++)
    if (canvas->d->outage[i].kind == UT_FAULT_SWITCH && canvas->d->outage[i].sw == sw)
      return true;
  return false;
}

/* The link itself, not a switch at its end. */
static bool broken(const struct canvas *canvas, uint32_t channel) {
  const uint32_t twin = ut_topology_twin(canvas->t, channel);
  for (size_t i = 0; i < canvas->d->outages; i++) {
    const struct ut_outage *outage = &canvas->d->outage[i];
    if (outage->kind == UT_FAULT_LINK && (outage->channel == channel || outage->channel == twin))
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
static void line(const struct canvas *canvas, struct ut_spot a, struct ut_spot b, double aside, bool arrow,
                 const char *style) {
  double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy), head = arrow ? 7 : 0;
  dx /= length;
  dy /= length;
  struct ut_spot start = {a.x - dy * aside, a.y + dx * aside}, tip = {b.x - dy * aside, b.y + dx * aside};
  struct ut_spot end = {tip.x - dx * head, tip.y - dy * head};
  /* the ends have fixed places, so it does not matter between which nodes Graphviz takes the edge to be */
  fprintf(canvas->f, "  s0 -> s0 [pos=\"");
  if (arrow)
    fprintf(canvas->f, "e,%.2f,%.2f ", tip.x, tip.y);
  fprintf(canvas->f, "%.2f,%.2f %.2f,%.2f %.2f,%.2f %.2f,%.2f\",arrowhead=%s%s];\n", start.x, start.y,
          start.x + (end.x - start.x) / 3, start.y + (end.y - start.y) / 3, start.x + (end.x - start.x) * 2 / 3,
          start.y + (end.y - start.y) * 2 / 3, end.x, end.y, arrow ? "normal" : "none", style);
}

static void cross(struct canvas *canvas, struct ut_spot at) {
  fprintf(canvas->f,
          "  x%u [pos=\"%.2f,%.2f\",shape=circle,width=0.15,fixedsize=true,style=filled,fillcolor=white,"
          "color=\"" RED "\",penwidth=0.8,label=\"×\",fontsize=11,fontcolor=\"" RED "\"];\n",
          canvas->crosses++, at.x, at.y);
}

/* ---- the network */

/* Colours of nodes that are not safe and have not failed: of one block with those that have. */
static const char *const state_fill[UT_NODE_STATES] = {[UT_NODE_UNSAFE] = "#fdeeb4", [UT_NODE_DISABLED] = "#e2d5ec"};

static void draw_switch(const struct canvas *canvas, uint32_t sw) {
  const struct ut_drawing *drawing = canvas->d;
  char name[UT_SWITCH_NAME_SIZE], tuple[UT_SWITCH_TUPLE_SIZE];
  struct ut_spot at = canvas->places.sw[sw];
  const char *fill = "#f7f9fb", *pen = "#44546a", *more = "", *below = NULL, *ink = "#7a8797";
  bool visited = sw == drawing->end, marked = false;
  for (size_t i = 0; i < drawing->hops; i++)
    if (drawing->hop[i].sw == sw) {
      visited = true;
      marked |= drawing->hop[i].marked;
      if (drawing->hop[i].note[0] && (!below || drawing->hop[i].marked))
        below = drawing->hop[i].note;
    }
  if (drawing->state && state_fill[drawing->state[sw]])
    fill = state_fill[drawing->state[sw]];
  else if (visited)
    fill = "#dce8f6", more = ",penwidth=1.2";
  if (marked)
    fill = "#ffe0ad", pen = "#b35900", more = ",penwidth=2.6";
  if (sw == drawing->end && (!drawing->end_text || !strcmp(drawing->end_text, "discarded")))
    fill = "#f5b7b1";
  if (failed(canvas, sw))
    fill = "#fdecea", pen = RED, more = ",style=\"rounded,filled,dashed\",penwidth=1.8,fontcolor=\"" RED "\"";
  if (below)
    ink = marked ? "#b35900" : "#1f5fa8";
  else
    below = ut_topology_switch_tuple(canvas->t, sw, tuple);
  fprintf(canvas->f,
          "  s%u [pos=\"%.2f,%.2f\",shape=box,style=\"rounded,filled\",width=%.3f,height=%.3f,fixedsize=true,"
          "fillcolor=\"%s\",color=\"%s\"%s,fontsize=9,label=<%s",
          (unsigned)sw, at.x, at.y, canvas->places.box / 72, UT_BOX_HEIGHT / 72.0, fill, pen, more,
          marked ? "<B>" : "");
  put_html(canvas->f, ut_places_name(&canvas->places, canvas->t, sw, name));
  fprintf(canvas->f, "%s", marked ? "</B>" : "");
  if (*below) {
    fprintf(canvas->f, "<BR/><FONT POINT-SIZE=\"6.5\" COLOR=\"%s\">", ink);
    put_html(canvas->f, below);
    fprintf(canvas->f, "</FONT>");
  }
  fprintf(canvas->f, ">];\n");
}

static void draw_terminal(const struct canvas *canvas, uint32_t i) {
  const struct ut_drawing *drawing = canvas->d;
  struct ut_spot at = canvas->places.terminal[i];
  bool marked = i == drawing->source || i == drawing->destination;
  fprintf(canvas->f,
          "  t%u [pos=\"%.2f,%.2f\",shape=box,width=%.3f,height=%.3f,fixedsize=true,label=\"%u\",fontsize=%s,"
          "style=filled,fillcolor=\"%s\",color=\"%s\",penwidth=0.6,fontcolor=\"%s\"];\n",
          (unsigned)i, at.x, at.y, UT_TERMINAL_SIZE / 72.0, UT_TERMINAL_SIZE / 72.0, (unsigned)i,
          i < 1000 ? "5.5" : "4.2",
          i == drawing->source        ? "#2e7d32"
          : i == drawing->destination ? "#1f5fa8"
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

/* Returns the busier direction of a link between switches; of a terminal's link, only the direction to the terminal is
 * counted. */
static double share_of(const struct canvas *canvas, uint32_t sw, unsigned port) {
  const struct ut_peer *peer = &canvas->t->peer[(size_t)sw * canvas->t->po + port];
  double load = canvas->d->load[(size_t)sw * canvas->t->po + port];
  if (peer->kind == UT_PEER_SWITCH && canvas->t->bidirectional)
    load = fmax(load, canvas->d->load[(size_t)peer->index * canvas->t->po + peer->port]);
  return fmin(load / canvas->full, 1);
}

static bool end_failed(const struct canvas *canvas, const struct ut_peer *peer) {
  return peer->kind == UT_PEER_SWITCH && failed(canvas, peer->index);
}

/* A channel, or the link that it belongs to. */
static void draw_link(const struct canvas *canvas, uint32_t channel, unsigned layer, unsigned layers) {
  const struct ut_peer from = ut_topology_sender(canvas->t, channel), *peer = &canvas->t->peer[channel];
  const bool own = broken(canvas, channel), down = own || end_failed(canvas, &from) || end_failed(canvas, peer);
  const bool injection = from.kind == UT_PEER_TERMINAL;
  const struct ut_port_place *at = injection ? &canvas->places.injection[channel - canvas->t->switches * canvas->t->po]
                                             : &canvas->places.port[channel];
  char style[96];
  double share = canvas->d->load && !down && !injection ? share_of(canvas, from.index, from.port) : 0;
  /* faulty links are drawn on top, busy ones below */
  if (layer != (down ? layers - 1 : fmin(floor(share * (layers - 1)), layers - 2)))
    return;
  if (down)
    snprintf(style, sizeof style, ",color=\"" RED "\",style=dashed,penwidth=%s", own ? "2" : "1.1");
  else if (canvas->d->load && !injection)
    load_style(share, style);
  else
    snprintf(style, sizeof style, ",color=\"%s\",penwidth=0.7", canvas->d->hops ? "#c3cad3" : "#8fa3b8");
  line(canvas, at->at, at->end, 0, false, style);
  if (at->stub)
    line(canvas, far_end(canvas, from.index, from.port)->at, far_end(canvas, from.index, from.port)->end, 0, false,
         style);
}

/* Draws each link once: down from its upper end or, if it has one direction, from its beginning. */
static void draw_links(const struct canvas *canvas) {
  const unsigned layers = canvas->d->load ? 8 : 2;
  const struct ut_topology *topo = canvas->t;
  for (unsigned layer = 0; layer < layers; layer++) {
    for (uint32_t i = 0; i < (topo->bidirectional ? topo->switches * topo->po : topo->channels); i++)
      if (topo->peer[i].kind == UT_PEER_TERMINAL || (!topo->bidirectional && topo->peer[i].kind == UT_PEER_SWITCH))
        draw_link(canvas, i, layer, layers);
    for (size_t i = 0; i < (topo->bidirectional ? topo->links : 0); i++)
      draw_link(canvas, topo->link[i].upper * topo->po + topo->link[i].upper_port, layer, layers);
  }
}

static void cross_out(struct canvas *canvas, const struct ut_port_place *place) {
  canvas->label[canvas->labels] = (struct ut_spot){(place->at.x + place->end.x) / 2, (place->at.y + place->end.y) / 2};
  cross(canvas, canvas->label[canvas->labels++]);
}

static void draw_crosses(struct canvas *canvas) {
  for (size_t i = 0; i < canvas->d->outages; i++) {
    const struct ut_outage *outage = &canvas->d->outage[i];
    if (outage->kind != UT_FAULT_LINK)
      continue;
    const uint32_t outputs = canvas->t->switches * canvas->t->po;
    if (outage->channel >= outputs) {
      cross_out(canvas, &canvas->places.injection[outage->channel - outputs]);
      continue;
    }
    cross_out(canvas, port_at(canvas, outage->sw, outage->port));
    if (port_at(canvas, outage->sw, outage->port)->stub)
      cross_out(canvas, far_end(canvas, outage->sw, outage->port));
  }
}

/* ---- the packet */

/* Returns how far a place is from the present labels; 1 and more: far enough. */
static double room_at(const struct canvas *canvas, struct ut_spot at, double width) {
  double room = 1;
  for (size_t j = 0; j < canvas->labels; j++)
    room = fmin(room, fmax(fabs(canvas->label[j].x - at.x) / (width + 2), fabs(canvas->label[j].y - at.y) / 13));
  return room;
}

/* A place on the line from a to b or `out` to the left of it. */
static struct ut_spot spot_on(struct ut_spot a, struct ut_spot b, double part, double out) {
  const double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy);
  return (struct ut_spot){a.x + dx * part - dy / length * out, a.y + dy * part + dx / length * out};
}

/* Finds a place for the number of a hop along its line that no other number has. */
static struct ut_spot label_at(struct canvas *canvas, struct ut_spot a, struct ut_spot b, double out, double width,
                               bool only) {
  static const double along[] = {0.36, 0.28, 0.44, 0.2, 0.6, 0.68, 0.76, 0.52};
  double most = -1;
  struct ut_spot best = spot_on(a, b, 0.5, out);
  for (unsigned i = 0; !only && i < sizeof along / sizeof along[0] && most < 1; i++) {
    const struct ut_spot at = spot_on(a, b, along[i], out);
    const double room = room_at(canvas, at, width);
    if (room > most)
      most = room, best = at;
  }
  canvas->label[canvas->labels++] = best;
  return best;
}

/* The same on either side of a stub, which is too short for a number. */
static struct ut_spot label_beside(struct canvas *canvas, struct ut_spot a, struct ut_spot b, double aside,
                                   double width) {
  static const double along[] = {0.5, 0.8, 0.2, 1.1};
  const double dx = fabs(b.x - a.x), dy = fabs(b.y - a.y);
  const double far = fmax(9 * dx, (width / 2 + 4) * dy) / sqrt(dx * dx + dy * dy); /* a label is wide and low */
  double most = -1;
  struct ut_spot best = a;
  for (unsigned i = 0; i < 2 * sizeof along / sizeof along[0] && most < 1; i++) {
    const struct ut_spot at = spot_on(a, b, along[i / 2], i % 2 ? -far : aside + far);
    const double room = room_at(canvas, at, width);
    if (room > most)
      most = room, best = at;
  }
  canvas->label[canvas->labels++] = best;
  return best;
}

/* Writes the number of a hop; only returns its width if at is NULL. */
static double write_number(const struct canvas *canvas, size_t i, const char *name, const struct ut_spot *at) {
  const struct ut_drawn_hop *hop = &canvas->d->hop[i];
  char text[32];
  snprintf(text, sizeof text, canvas->d->vcs > 1 ? "%zu VC%u" : "%zu", i + 1, hop->vc);
  const double width = 5 + 4.9 * (double)strlen(text);
  if (at)
    fprintf(canvas->f,
            "  %s%zu [pos=\"%.2f,%.2f\",shape=box,style=\"rounded,filled\",width=%.3f,height=0.155,fixedsize=true,"
            "label=\"%s\",fontsize=7.5,fillcolor=\"%s\",color=white,penwidth=0.8,fontcolor=white];\n",
            name, i, at->x, at->y, width / 72, text, vc_colour[hop->vc % 8]);
  return width;
}

/* The number stands at both ends. */
static void draw_hop_stubs(struct canvas *canvas, size_t i, double aside, const char *style) {
  const struct ut_drawn_hop *hop = &canvas->d->hop[i];
  const struct ut_port_place *out = port_at(canvas, hop->sw, hop->port), *in = far_end(canvas, hop->sw, hop->port);
  const double width = write_number(canvas, i, "", NULL);
  if (hop->away) {
    line(canvas, out->at, out->end, aside, false, away_style);
    line(canvas, in->end, in->at, aside, false, away_style);
  }
  line(canvas, out->at, out->end, aside, true, style);
  line(canvas, in->end, in->at, aside, true, style);
  struct ut_spot at = label_beside(canvas, out->at, out->end, aside, width);
  write_number(canvas, i, "h", &at);
  at = label_beside(canvas, in->end, in->at, aside, width);
  write_number(canvas, i, "i", &at);
}

static void reserve_places(struct canvas *canvas) {
  for (size_t i = 0; canvas->places.crowded && i < canvas->d->hops; i++) {
    const struct ut_drawn_hop *hop = &canvas->d->hop[i];
    const struct ut_port_place *place = port_at(canvas, hop->sw, hop->port);
    if (canvas->t->peer[(size_t)hop->sw * canvas->t->po + hop->port].kind == UT_PEER_TERMINAL)
      canvas->label[canvas->labels++] = spot_on(place->at, place->end, 0.5, 0);
  }
}

static void draw_hop(struct canvas *canvas, size_t i) {
  const struct ut_drawing *drawing = canvas->d;
  const struct ut_drawn_hop *hop = &drawing->hop[i];
  char style[96];
  const struct ut_peer *peer = &canvas->t->peer[(size_t)hop->sw * canvas->t->po + hop->port];
  const struct ut_port_place *at = port_at(canvas, hop->sw, hop->port);
  const struct ut_spot a = at->at, b = at->end;
  const bool terminal = peer->kind == UT_PEER_TERMINAL;
  unsigned before = 0, others = 0; /* hops on the same link lie side by side, each direction on its left */
  for (size_t j = 0; j < drawing->hops; j++) {
    const bool same = drawing->hop[j].sw == hop->sw && drawing->hop[j].port == hop->port;
    before += same && j < i;
    others +=
        j != i && (same || (!terminal && drawing->hop[j].sw == peer->index && drawing->hop[j].port == peer->port));
  }
  double aside = others ? lane * (0.65 + before) : 0;
  snprintf(style, sizeof style, ",color=\"%s\",penwidth=2.4,arrowsize=0.6%s", vc_colour[hop->vc % 8],
           hop->lost ? ",style=dashed" : "");
  if (at->stub) {
    draw_hop_stubs(canvas, i, aside, style);
  } else {
    if (hop->away)
      line(canvas, a, b, aside, false, away_style);
    line(canvas, a, b, aside, true, style);
    const struct ut_spot number = label_at(canvas, a, b, aside + 0.5, write_number(canvas, i, "", NULL), terminal);
    write_number(canvas, i, "h", &number);
  }
  if (hop->lost)
    cross(canvas, (struct ut_spot){a.x + (b.x - a.x) * 0.7, a.y + (b.y - a.y) * 0.7});
}

static void draw_injection(const struct canvas *canvas) {
  const struct ut_port_place *place =
      &canvas->places.injection[canvas->d->source * canvas->t->injections + canvas->d->injection];
  line(canvas, place->at, place->end, 0, true, ",color=\"#2e7d32\",penwidth=2.4,arrowsize=0.6");
}

/* ---- words */

static void put_words(const struct canvas *canvas, const char *name, unsigned number, struct ut_spot left, double width,
                      double size, const char *colour, const char *text) {
  unsigned lines = 1;
  for (const char *p = text; *p; p++)
    lines += *p == '\n';
  fprintf(canvas->f,
          "  %s%u [pos=\"%.2f,%.2f\",shape=plaintext,width=%.3f,height=%.3f,fixedsize=true,margin=0,fontsize=%.1f,"
          "fontcolor=\"%s\",label=\"",
          name, number, left.x + width / 2, left.y, width / 72, 1.25 * size * lines / 72, size, colour);
  put_text(canvas->f, text, "\\l");
  fprintf(canvas->f, "\\l\"];\n");
}

/* A sample of a line, or of a box if shape is not NULL, and what it means; the next one stands to the right of it. */
static void legend(struct canvas *canvas, const char *box, const char *style, const char *text) {
  const double y = canvas->places.bottom - 30, width = 4.3 * (double)strlen(text) + 6;
  struct ut_spot a = {canvas->legend_x, y}, b = {canvas->legend_x + 20, y};
  if (box)
    fprintf(canvas->f, "  g%u [pos=\"%.2f,%.2f\",shape=box,label=\"\",width=0.2,height=0.13,fixedsize=true%s];\n",
            canvas->legends, a.x + 11, y, box);
  else
    line(canvas, a, b, 0, false, style);
  put_words(canvas, "w", canvas->legends++, (struct ut_spot){b.x + 5, y}, width, 8, "#444444", text);
  canvas->legend_x += 20 + 5 + width + 12;
}

static void draw_legend(struct canvas *canvas) {
  const struct ut_drawing *drawing = canvas->d;
  char style[128], text[48];
  bool marked = false, away = false;
  for (size_t i = 0; i < drawing->hops; i++) {
    marked |= drawing->hop[i].marked;
    away |= drawing->hop[i].away;
  }
  if (drawing->source != UINT32_MAX)
    legend(canvas, ",style=filled,fillcolor=\"#2e7d32\"", NULL, "source");
  if (drawing->destination != UINT32_MAX)
    legend(canvas, ",style=filled,fillcolor=\"#1f5fa8\"", NULL, "destination");
  if (marked)
    legend(canvas, ",style=\"rounded,filled\",fillcolor=\"#ffe0ad\",color=\"#b35900\",penwidth=2.2", NULL,
           drawing->mark);
  for (unsigned v = 0; drawing->hops && v < drawing->vcs; v++) {
    snprintf(style, sizeof style, ",color=\"%s\",penwidth=2.4", vc_colour[v % 8]);
    snprintf(text, sizeof text, "VC %u", v);
    legend(canvas, NULL, style, text);
  }
  if (away)
    legend(canvas, NULL, away_style, "leads away from the destination");
  for (unsigned i = 0; drawing->load && i < 5; i++) {
    load_style(i / 4.0, style);
    snprintf(text, sizeof text, "%.3g%s", canvas->full * i / 4,
             i < 4                      ? ""
             : canvas->t->bidirectional ? " flits/cycle, the busier direction"
                                        : " flits/cycle");
    legend(canvas, NULL, style, text);
  }
  for (unsigned state = 0; drawing->state && state < UT_NODE_STATES; state++) {
    bool some = false;
    for (uint32_t sw = 0; sw < canvas->t->switches; sw++)
      some |= drawing->state[sw] == state;
    if (!some || !state_fill[state])
      continue;
    snprintf(style, sizeof style, ",style=\"rounded,filled\",fillcolor=\"%s\",color=\"#44546a\"", state_fill[state]);
    legend(canvas, style, NULL, ut_node_state_name[state]);
  }
  if (drawing->outages)
    legend(canvas, NULL, ",color=\"" RED "\",style=dashed,penwidth=2", "faulty");
}

static void draw_words(struct canvas *canvas) {
  const struct ut_drawing *drawing = canvas->d;
  for (size_t i = 0; i < canvas->places.word_count; i++) {
    const struct ut_words *words = &canvas->places.words[i];
    put_words(canvas, "l", (unsigned)i, words->left, words->width, words->size, "#777777", words->text);
  }
  if (drawing->end != UINT32_MAX) {
    struct ut_spot at = canvas->places.sw[drawing->end];
    fprintf(canvas->f,
            "  end [pos=\"%.2f,%.2f\",shape=plaintext,style=filled,fillcolor=white,width=0.1,height=0.1,margin=0.02,"
            "label=\"%s\",fontsize=8,fontcolor=\"#c62828\"];\n",
            at.x, at.y + UT_BOX_HEIGHT / 2 + 7, drawing->end_text ? drawing->end_text : "discarded");
  }
  canvas->legend_x = canvas->places.left;
  draw_legend(canvas);
  if (drawing->caption) {
    unsigned lines = 1;
    size_t longest = 0, length = 0;
    for (const char *p = drawing->caption; *p; p++)
      if (*p == '\n')
        lines++, length = 0;
      else if (++length > longest)
        longest = length;
    put_words(canvas, "caption", 0, (struct ut_spot){canvas->places.left, canvas->places.top + 16 + 6.2 * lines},
              5.2 * (double)longest + 8, 10, "#222222", drawing->caption);
  }
}

void ut_drawing_dot(const struct ut_drawing *drawing, FILE *f) {
  struct canvas canvas = {.d = drawing, .t = drawing->topology, .f = f};
  canvas.label = calloc(3 * drawing->hops + 2 * drawing->outages + 1, sizeof *canvas.label);
  if (!canvas.label || !ut_places_init(&canvas.places, canvas.t, drawing->hops)) {
    free(canvas.label);
    return; /* nothing that Graphviz would draw: reported there */
  }
  canvas.full = full_load(&canvas);
  fprintf(f, "digraph network {\n  graph [bgcolor=white,outputorder=edgesfirst,pad=0.15];\n"
             "  node [fontname=\"Helvetica\"];\n  edge [fontname=\"Helvetica\",dir=forward];\n");
  draw_links(&canvas);
  for (uint32_t sw = 0; sw < canvas.t->switches; sw++)
    draw_switch(&canvas, sw);
  for (uint32_t i = 0; i < canvas.t->terminals; i++)
    draw_terminal(&canvas, i);
  draw_crosses(&canvas);
  reserve_places(&canvas);
  if (drawing->injected)
    draw_injection(&canvas);
  for (size_t i = 0; i < drawing->hops; i++)
    draw_hop(&canvas, i);
  draw_words(&canvas);
  fprintf(f, "}\n");
  ut_places_free(&canvas.places);
  free(canvas.label);
}
