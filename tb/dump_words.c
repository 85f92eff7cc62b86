/* SPDX-License-Identifier: Apache-2.0 */
/* dump_words.c - see dump_words.h */
#include "dump_words.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "outages.h"

enum { NAME_SIZE = UT_DIRECTION_SIZE + 4 };

/* The packet whose flits pass by. */
struct passing {
  bool known;
  uint64_t header;
};

/* Numbers of registers; of several in a row the first. */
struct input_vc {
  size_t state, count, rd, wr, tag, data, cand;
  uint64_t written, held; /* wr and count of the last cycle */
  struct passing at_front, arriving;
  char packet_words[UT_DUMP_TEXT_SIZE], arrives_words[UT_DUMP_TEXT_SIZE];
  struct ut_dump_text packet, arrives;
};
struct output {
  size_t valid, kind, bad, vc, data;
  struct passing leaving[UT_MAX_VCS];
  char sends_words[UT_MAX_VCS][UT_DUMP_TEXT_SIZE];
  struct ut_dump_text sends[UT_MAX_VCS];
};

struct ut_dump_words {
  const struct ut_network *network;
  const struct ut_shape *shape;
  bool started; /* the last cycle was seen */
  char name[UT_MAX_PORTS][NAME_SIZE];
  struct input_vc in[UT_MAX_PORTS][UT_MAX_VCS];
  struct output out[UT_MAX_PORTS];
};

/* ---- names */

/* A name without spaces, for scopes. */
static void name_port(const struct ut_topology *t, unsigned ports, unsigned port, char name[NAME_SIZE]) {
  char other[UT_DIRECTION_SIZE];
  bool alone = true;
  size_t length = 0;
  char text[UT_DIRECTION_SIZE];
  ut_topology_direction(t, port, text);
  for (unsigned p = 0; p < ports; p++)
    alone &= p == port || strcmp(ut_topology_direction(t, p, other), text) != 0;
  for (const char *c = text; *c; c++)
    if (*c != ' ')
      name[length++] = *c;
  name[length] = 0;
  if (!alone)
    snprintf(name + length, NAME_SIZE - length, "%u", port);
}

/* Of an input port: that of its link, where both directions are one. */
static const char *input_name(const struct ut_dump_words *w, unsigned port, char text[NAME_SIZE]) {
  if (w->network->topology.bidirectional)
    return w->name[port];
  snprintf(text, NAME_SIZE, "port%u", port);
  return text;
}

struct ut_dump_words *ut_dump_words_new(const struct ut_network *n, uint32_t sw) {
  struct ut_dump_words *w = calloc(1, sizeof *w);
  if (!w)
    return NULL;
  w->network = n;
  w->shape = &n->shape[ut_topology_elaboration(&n->topology, sw)];
  for (unsigned p = 0; p < w->shape->po; p++)
    name_port(&n->topology, w->shape->po, p, w->name[p]);
  return w;
}

/* ---- which registers */

static const struct {
  const char *name;
  size_t at;
} input_registers[] = {{"state_q", offsetof(struct input_vc, state)},
                       {"fifo.count_q", offsetof(struct input_vc, count)},
                       {"fifo.rd_q", offsetof(struct input_vc, rd)},
                       {"fifo.wr_q", offsetof(struct input_vc, wr)},
                       {"fifo.tag_q", offsetof(struct input_vc, tag)},
                       {"fifo.data_q", offsetof(struct input_vc, data)},
                       {"cand_q", offsetof(struct input_vc, cand)},
                       {NULL, 0}},
  output_registers[] = {{"valid_q", offsetof(struct output, valid)}, {"kind_q", offsetof(struct output, kind)},
                        {"bad_q", offsetof(struct output, bad)},     {"vc_q", offsetof(struct output, vc)},
                        {"data_q", offsetof(struct output, data)},   {NULL, 0}};

void ut_dump_words_note(struct ut_dump_words *w, const char *path, size_t n) {
  unsigned port, vc;
  int behind = 0;
  if (sscanf(path, "in%u.vc%u.%n", &port, &vc, &behind) == 2 && behind) {
    for (unsigned i = 0; input_registers[i].name; i++)
      if (!strcmp(path + behind, input_registers[i].name))
        *(size_t *)((char *)&w->in[port][vc] + input_registers[i].at) = n;
  } else if (sscanf(path, "out%u.%n", &port, &behind) == 1 && behind) {
    for (unsigned i = 0; output_registers[i].name; i++)
      if (!strcmp(path + behind, output_registers[i].name))
        *(size_t *)((char *)&w->out[port] + output_registers[i].at) = n;
  }
}

/* ---- variables */

static void open_port(const struct ut_dump_file *f, const char *side, const char *name) {
  char scope[NAME_SIZE + 8];
  snprintf(scope, sizeof scope, "%s_%s", side, name);
  ut_dump_scope(f, scope);
}

static void open_vc(const struct ut_dump_file *f, unsigned vc) {
  char scope[16];
  snprintf(scope, sizeof scope, "vc%u", vc);
  ut_dump_scope(f, scope);
}

static void declare_input(struct ut_dump_words *w, const struct ut_dump_file *f, unsigned port) {
  char name[NAME_SIZE];
  open_port(f, "in", input_name(w, port, name));
  for (unsigned v = 0; v < w->shape->v; v++) {
    open_vc(f, v);
    w->in[port][v].packet = ut_dump_text(f, "packet");
    w->in[port][v].arrives = ut_dump_text(f, "arrives");
    ut_dump_scope(f, NULL);
  }
  ut_dump_scope(f, NULL);
}

static void declare_output(struct ut_dump_words *w, const struct ut_dump_file *f, unsigned port) {
  open_port(f, "out", w->name[port]);
  for (unsigned v = 0; v < w->shape->v; v++) {
    open_vc(f, v);
    w->out[port].sends[v] = ut_dump_text(f, "sends");
    ut_dump_scope(f, NULL);
  }
  ut_dump_scope(f, NULL);
}

void ut_dump_words_declare(struct ut_dump_words *w, const struct ut_dump_file *f) {
  for (unsigned p = 0; p < w->shape->pi; p++)
    declare_input(w, f, p);
  for (unsigned p = 0; p < w->shape->po; p++)
    declare_output(w, f, p);
}

/* ---- words */

/* Appends; what has no room is left out. */
static void append(char text[UT_DUMP_TEXT_SIZE], const char *more) {
  const size_t used = strlen(text);
  snprintf(text + used, UT_DUMP_TEXT_SIZE - used, "%s", more);
}

static void append_packet(char text[UT_DUMP_TEXT_SIZE], const struct passing *p) {
  char packet[UT_DUMP_TEXT_SIZE] = "?";
  if (p->known)
    snprintf(packet, sizeof packet, "%u>%u #%u", ut_header_src(p->header), ut_header_dst(p->header),
             ut_header_tag(p->header));
  append(text, packet);
}

/* A flit of a VC that passes by: its head says whose those that follow are. */
static void note_flit(struct passing *p, uint64_t tag, uint64_t header) {
  if (tag & UT_KIND_HEAD)
    *p = (struct passing){true, header};
}

static void append_flit(char text[UT_DUMP_TEXT_SIZE], const struct passing *p, uint64_t tag) {
  static const char *const name[] = {UT_KIND_NAMES};
  append_packet(text, p);
  append(text, " ");
  append(text, name[tag & UT_KIND_MASK]);
  append(text, tag & UT_BAD ? " bad" : "");
}

static void append_channels(const struct ut_dump_words *w, const uint64_t *cand, char text[UT_DUMP_TEXT_SIZE]) {
  char channel[NAME_SIZE + 8];
  for (unsigned v = 0; v < w->shape->v; v++)
    for (unsigned p = 0; p < w->shape->po; p++)
      if (cand[v] >> p & 1) {
        snprintf(channel, sizeof channel, w->shape->v > 1 ? " %s.%u" : " %s", w->name[p], v);
        append(text, channel);
      }
}

static void look_at_input(const struct ut_dump_words *w, struct input_vc *x, const uint64_t *r) {
  static const char *const name[] = {UT_VC_STATE_NAMES};
  const unsigned words = w->shape->w / 64;
  const uint64_t state = r[x->state], count = r[x->count], front = r[x->rd];
  if (count && front < w->shape->depth)
    note_flit(&x->at_front, r[x->tag + front], r[x->data + front * words]);
  x->packet_words[0] = 0;
  if ((count || state != UT_VC_STATE_IDLE) && state <= UT_VC_STATE_DRAIN) {
    append_packet(x->packet_words, &x->at_front);
    append(x->packet_words, " ");
    append(x->packet_words, name[state]);
    if (state == UT_VC_STATE_WAITING || state == UT_VC_STATE_ACTIVE)
      append_channels(w, r + x->cand, x->packet_words);
  }
}

static void look_at_arrival(const struct ut_dump_words *w, struct input_vc *x, const uint64_t *r) {
  const uint64_t place = x->written;
  x->arrives_words[0] = 0;
  if (w->started && (r[x->wr] != x->written || r[x->count] > x->held) && place < w->shape->depth) {
    const uint64_t tag = r[x->tag + place];
    note_flit(&x->arriving, tag, r[x->data + place * (w->shape->w / 64)]);
    append_flit(x->arrives_words, &x->arriving, tag);
  }
  x->written = r[x->wr];
  x->held = r[x->count];
}

static void look_at_output(const struct ut_dump_words *w, struct output *x, const uint64_t *r) {
  const uint64_t tag = r[x->kind] | (r[x->bad] ? UT_BAD : 0), vc = r[x->vc];
  for (unsigned v = 0; v < w->shape->v; v++)
    x->sends_words[v][0] = 0;
  if (!r[x->valid] || vc >= w->shape->v)
    return;
  note_flit(&x->leaving[vc], tag, r[x->data]);
  append_flit(x->sends_words[vc], &x->leaving[vc], tag);
}

void ut_dump_words_look(struct ut_dump_words *w, const uint64_t *registers) {
  for (unsigned p = 0; p < w->shape->pi; p++)
    for (unsigned v = 0; v < w->shape->v; v++) {
      look_at_input(w, &w->in[p][v], registers);
      look_at_arrival(w, &w->in[p][v], registers);
    }
  for (unsigned p = 0; p < w->shape->po; p++)
    look_at_output(w, &w->out[p], registers);
  w->started = true;
}

void ut_dump_words_write(struct ut_dump_words *w, const struct ut_dump_file *f) {
  for (unsigned v = 0; v < w->shape->v; v++) {
    for (unsigned p = 0; p < w->shape->pi; p++) {
      ut_dump_write_text(f, &w->in[p][v].packet, w->in[p][v].packet_words);
      ut_dump_write_text(f, &w->in[p][v].arrives, w->in[p][v].arrives_words);
    }
    for (unsigned p = 0; p < w->shape->po; p++)
      ut_dump_write_text(f, &w->out[p].sends[v], w->out[p].sends_words[v]);
  }
}

void ut_dump_events(const struct ut_topology *t, const struct ut_outage *o, size_t outages, uint64_t cycle, bool first,
                    char text[UT_DUMP_TEXT_SIZE]) {
  char name[UT_OUTAGE_NAME_SIZE];
  text[0] = 0;
  for (size_t i = 0; i < outages; i++) {
    const bool down = o[i].from == cycle || (first && o[i].from < cycle && cycle < o[i].until);
    if (down || o[i].until == cycle) {
      append(text, text[0] ? "; " : "");
      append(text, ut_outage_name(t, &o[i], name));
      append(text, down ? " down" : " up");
    }
  }
}
