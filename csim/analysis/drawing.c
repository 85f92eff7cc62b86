/* drawing.c - see drawing.h */
#define _GNU_SOURCE
#include "drawing.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Points of 1/72 inch. */
static const double radius = 9, terminal_drop = 26, lane = 3.2;
static const char *const vc_colour[8] = {"#1f5fa8", "#e07b00", "#7a3fa0", "#00897b",
                                         "#6d4c41", "#c2185b", "#558b2f", "#455a64"};

struct place {
  double x, y;
};

static unsigned width_of(const struct ut_topology *t) {
  unsigned most = 0;
  for (uint32_t i = 0; i < t->switches; i++)
    if (t->position[i] + 1 > most)
      most = t->position[i] + 1;
  return most;
}

/* Switches stand as far apart as their terminals need. */
static double column(const struct ut_topology *t) {
  double terminals = (double)t->terminals / width_of(t) * 13, pitch = width_of(t) <= 16 ? 56 : 30;
  return terminals > pitch ? terminals : pitch;
}

static double row(const struct ut_topology *t) {
  double gap = column(t) * width_of(t) / 7;
  return gap < 80 ? 80 : gap > 170 ? 170 : gap;
}

static struct place switch_at(const struct ut_topology *t, uint32_t sw) {
  return (struct place){(t->position[sw] + 0.5) * column(t), t->level[sw] * row(t)};
}

static struct place terminal_at(const struct ut_topology *t, uint32_t terminal) {
  const struct ut_attachment *a = &t->attachment[terminal];
  double ports = (double)t->terminals / width_of(t);
  struct place at = switch_at(t, a->sw);
  at.x += (a->in_port - (ports - 1) / 2) * column(t) / ports;
  at.y -= terminal_drop;
  return at;
}

static bool failed(const struct ut_drawing *d, uint32_t sw) {
  for (unsigned i = 0; d->faults && i < d->faults->switches; i++)
    if (d->faults->sw[i] == sw)
      return true;
  return false;
}

static bool faulty(const struct ut_drawing *d, size_t link) {
  for (unsigned i = 0; d->faults && i < d->faults->links; i++)
    if (d->faults->link[i] == link)
      return true;
  const struct ut_link *l = &d->topology->link[link];
  return failed(d, l->lower) || failed(d, l->upper);
}

/* A straight line between two nodes, `aside` to the left of its direction, from and to the rims of circles. */
static void line(FILE *f, const char *from, const char *to, struct place a, struct place b, double rim_a, double rim_b,
                 double aside, bool arrow, const char *style) {
  double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy);
  dx /= length;
  dy /= length;
  double head = arrow ? 7 : 0;
  struct place start = {a.x + dx * rim_a - dy * aside, a.y + dy * rim_a + dx * aside};
  struct place tip = {b.x - dx * rim_b - dy * aside, b.y - dy * rim_b + dx * aside};
  struct place end = {tip.x - dx * head, tip.y - dy * head};
  fprintf(f, "  %s -> %s [pos=\"", from, to);
  if (arrow)
    fprintf(f, "e,%.2f,%.2f ", tip.x, tip.y);
  fprintf(f, "%.2f,%.2f %.2f,%.2f %.2f,%.2f %.2f,%.2f\"%s];\n", start.x, start.y, start.x + (end.x - start.x) / 3,
          start.y + (end.y - start.y) / 3, start.x + (end.x - start.x) * 2 / 3, start.y + (end.y - start.y) * 2 / 3,
          end.x, end.y, style);
}

static void draw_switches(const struct ut_drawing *d, FILE *f) {
  const struct ut_topology *t = d->topology;
  char name[UT_SWITCH_NAME_SIZE];
  for (uint32_t sw = 0; sw < t->switches; sw++) {
    struct place at = switch_at(t, sw);
    const char *fill = "white", *pen = "#333333", *more = "";
    bool visited = sw == d->end, turned = false;
    for (size_t i = 0; i < d->hops; i++) {
      visited |= d->hop[i].sw == sw;
      turned |= d->hop[i].sw == sw && d->hop[i].u_turn;
    }
    if (visited)
      fill = "#dce8f6";
    if (turned)
      fill = "#ffd699";
    if (sw == d->end)
      fill = "#f5b7b1";
    if (failed(d, sw)) {
      pen = "#c62828";
      more = ",style=\"dashed\",penwidth=1.6,fontcolor=\"#c62828\"";
    }
    fprintf(f,
            "  s%u [pos=\"%.2f,%.2f\",shape=circle,width=%.3f,fixedsize=true,label=\"%s\",fontsize=6.5,"
            "style=filled,fillcolor=\"%s\",color=\"%s\"%s];\n",
            (unsigned)sw, at.x, at.y, 2 * radius / 72, ut_topology_switch_name(t, sw, name), fill, pen, more);
  }
  for (uint32_t i = 0; i < t->terminals; i++) {
    struct place at = terminal_at(t, i);
    bool marked = i == d->source || i == d->destination;
    fprintf(f,
            "  t%u [pos=\"%.2f,%.2f\",shape=box,width=0.15,height=0.15,fixedsize=true,label=\"%u\",fontsize=6,"
            "style=filled,fillcolor=\"%s\",color=\"#555555\",fontcolor=\"%s\"];\n",
            (unsigned)i, at.x, at.y, (unsigned)i,
            i == d->source        ? "#2e7d32"
            : i == d->destination ? "#1f5fa8"
                                  : "#f4f4f4",
            marked ? "white" : "#555555");
  }
}

static void draw_links(const struct ut_drawing *d, FILE *f) {
  const struct ut_topology *t = d->topology;
  char from[24], to[24];
  for (uint32_t i = 0; i < t->terminals; i++) {
    snprintf(from, sizeof from, "t%u", (unsigned)i);
    snprintf(to, sizeof to, "s%u", (unsigned)t->attachment[i].sw);
    line(f, from, to, terminal_at(t, i), switch_at(t, t->attachment[i].sw), 5.4, radius, 0, false,
         ",color=\"#bbbbbb\",penwidth=0.6");
  }
  for (size_t i = 0; i < t->links; i++) {
    const struct ut_link *l = &t->link[i];
    snprintf(from, sizeof from, "s%u", (unsigned)l->lower);
    snprintf(to, sizeof to, "s%u", (unsigned)l->upper);
    line(f, from, to, switch_at(t, l->lower), switch_at(t, l->upper), radius, radius, 0, false,
         faulty(d, i) ? ",color=\"#d32f2f\",style=dashed,penwidth=1.8" : ",color=\"#b5b5b5\",penwidth=0.7");
  }
}

/* Hops side by side: those in one direction of a link in lanes on one side of it. */
static void draw_hops(const struct ut_drawing *d, FILE *f) {
  const struct ut_topology *t = d->topology;
  char from[24], to[24], style[128];
  for (size_t i = 0; i < d->hops; i++) {
    const struct ut_drawn_hop *h = &d->hop[i];
    const struct ut_peer *p = &t->peer[(size_t)h->sw * t->po + h->port];
    struct place a = switch_at(t, h->sw), b;
    double rim = radius;
    unsigned before = 0;
    for (size_t j = 0; j < i; j++)
      before += d->hop[j].sw == h->sw && d->hop[j].port == h->port;
    snprintf(from, sizeof from, "s%u", (unsigned)h->sw);
    if (p->kind == UT_PEER_SWITCH) {
      b = switch_at(t, p->index);
      snprintf(to, sizeof to, "s%u", (unsigned)p->index);
    } else {
      b = terminal_at(t, p->index);
      snprintf(to, sizeof to, "t%u", (unsigned)p->index);
      rim = 5.4;
    }
    const char *colour = vc_colour[h->vc % 8];
    double aside = lane * (0.9 + 2 * before);
    snprintf(style, sizeof style, ",color=\"%s\",penwidth=2.2,arrowsize=0.55", colour);
    line(f, from, to, a, b, radius, rim, aside, true, style);
    /* the number: on a third of the way, so that the hop back has room for its own */
    double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy);
    double along = p->kind == UT_PEER_SWITCH ? 0.36 : 0.5, out = aside + 0.5;
    struct place at = {a.x + dx * along - dy / length * out, a.y + dy * along + dx / length * out};
    fprintf(f,
            "  h%zu [pos=\"%.2f,%.2f\",shape=circle,width=0.155,fixedsize=true,label=\"%zu\",fontsize=7,"
            "style=filled,fillcolor=\"%s\",color=white,penwidth=0.6,fontcolor=white];\n",
            i, at.x, at.y, i + 1, colour);
    if (h->note[0])
      fprintf(f,
              "  n%zu [pos=\"%.2f,%.2f\",shape=plaintext,label=\"%s\",fontsize=7,fontcolor=\"#b35900\",width=0.1,"
              "height=0.1];\n",
              i, a.x + radius + 2 + 1.9 * (double)strlen(h->note), a.y - 8 * (double)before, h->note);
  }
}

static void draw_words(const struct ut_drawing *d, FILE *f) {
  const struct ut_topology *t = d->topology;
  for (unsigned level = 0; level < t->levels; level++)
    fprintf(f, "  l%u [pos=\"%.2f,%.2f\",shape=plaintext,label=\"level %u\",fontsize=9,fontcolor=\"#666666\"];\n",
            level, -30.0, level * row(t), level);
  if (d->end != UINT32_MAX) {
    struct place at = switch_at(t, d->end);
    fprintf(f, "  end [pos=\"%.2f,%.2f\",shape=plaintext,label=\"discarded\",fontsize=8,fontcolor=\"#c62828\"];\n",
            at.x - radius - 19, at.y);
  }
  double y = -terminal_drop - 24;
  for (unsigned v = 0; d->hops && d->vcs > 1 && v < d->vcs; v++)
    fprintf(f, "  v%u [pos=\"%.2f,%.2f\",shape=plaintext,label=\"VC %u\",fontsize=9,fontcolor=\"%s\",width=0.1];\n", v,
            16 + 40.0 * v, y, v, vc_colour[v % 8]);
  if (d->caption) /* left-aligned lines end in \l; the node is as wide as its text, so its place is its middle */
    fprintf(f, "  caption [pos=\"%.2f,%.2f\",shape=plaintext,fontsize=9,label=\"%s\"];\n", column(t) * width_of(t) / 2,
            y - 24, d->caption);
}

void ut_drawing_dot(const struct ut_drawing *d, FILE *f) {
  fprintf(f, "digraph network {\n  graph [bgcolor=white,outputorder=edgesfirst,pad=0.2];\n"
             "  node [fontname=\"Helvetica\"];\n  edge [fontname=\"Helvetica\",arrowhead=normal,dir=forward];\n");
  fprintf(f, "  edge [arrowhead=none];\n");
  draw_links(d, f);
  draw_switches(d, f);
  fprintf(f, "  edge [arrowhead=normal];\n");
  draw_hops(d, f);
  draw_words(d, f);
  fprintf(f, "}\n");
}

static void call_graphviz(int input, int output) {
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  execlp("neato", "neato", "-n2", "-Tsvg", (char *)NULL);
  _exit(127);
}

int ut_drawing_svg(const struct ut_drawing *d, const char *path, struct ut_error *e) {
  FILE *svg = fopen(path, "w"), *dot = tmpfile();
  if (!svg || !dot) {
    ut_fail(e, svg ? UT_INTERNAL : UT_BAD_INPUT, "%s: cannot be written: %s", svg ? "a temporary file" : path,
            strerror(errno));
    if (svg)
      fclose(svg);
    if (dot)
      fclose(dot);
    return -1;
  }
  ut_drawing_dot(d, dot);
  bool bad = fflush(dot) != 0 || fseek(dot, 0, SEEK_SET) != 0;
  fflush(stdout);
  pid_t pid = bad ? -1 : fork();
  if (pid == 0)
    call_graphviz(fileno(dot), fileno(svg));
  int status = -1;
  if (pid > 0)
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
      ;
  fclose(dot);
  bad = fclose(svg) != 0 || pid < 0;
  if (!bad && status == 0)
    return 0;
  remove(path);
  if (pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return ut_fail(e, UT_INTERNAL, "%s: Graphviz is missing (program neato, Debian package graphviz)", path);
  return ut_fail(e, UT_INTERNAL, "%s: Graphviz could not draw it", path);
}
