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

/* The packet whose flits are passing. */
struct passing {
  bool known;
  uint64_t header;
};

/* Numbers of registers; of several consecutive ones the first. */
struct input_vc {
  size_t state, count, rd, wr, tag, data, cand;
  uint64_t written, held; /* wr and count in the last cycle */
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
  bool started; /* the last cycle was recorded */
  char name[UT_MAX_PORTS][NAME_SIZE];
  struct input_vc in[UT_MAX_PORTS][UT_MAX_VCS];
  struct output out[UT_MAX_PORTS];
};

/* ---- names */

/* A name without spaces, for scopes. */
static void name_port(const struct ut_topology *topo, uint32_t sw, unsigned ports, unsigned port,
                      char name[NAME_SIZE]) {
  char other[UT_DIRECTION_SIZE];
  bool alone = true;
  size_t length = 0;
  char text[UT_DIRECTION_SIZE];
  ut_topology_way(topo, sw, port, text);
  for (unsigned p = 0; p < ports; p++)
    alone &= p == port || strcmp(ut_topology_way(topo, sw, p, other), text) != 0;
  for (const char *c = text; *c; c++)
    if (*c != ' ')
      name[length++] = *c;
  name[length] = 0;
  if (!alone)
    snprintf(name + length, NAME_SIZE - length, "%u", port);
}

/* Returns the name of an input port: that of its link, if both directions are one link. */
static const char *input_name(const struct ut_dump_words *words, unsigned port, char text[NAME_SIZE]) {
  if (words->network->topology->bidirectional)
    return words->name[port];
  snprintf(text, NAME_SIZE, "port%u", port);
  return text;
}

struct ut_dump_words *ut_dump_words_new(const struct ut_network *net, uint32_t sw) {
  struct ut_dump_words *words = calloc(1, sizeof *words);
  if (!words)
    return NULL;
  words->network = net;
  words->shape = &net->shape[ut_topology_elaboration(net->topology, sw)];
  for (unsigned p = 0; p < words->shape->po; p++)
    name_port(net->topology, sw, words->shape->po, p, words->name[p]);
  return words;
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

void ut_dump_words_note(struct ut_dump_words *words, const char *path, size_t n) {
  unsigned port, vc;
  int behind = 0;
  if (sscanf(path, "in%u.vc%u.%n", &port, &vc, &behind) == 2 && behind) {
    for (unsigned i = 0; input_registers[i].name; i++)
      if (!strcmp(path + behind, input_registers[i].name))
        *(size_t *)((char *)&words->in[port][vc] + input_registers[i].at) = n;
  } else if (sscanf(path, "out%u.%n", &port, &behind) == 1 && behind) {
    for (unsigned i = 0; output_registers[i].name; i++)
      if (!strcmp(path + behind, output_registers[i].name))
        *(size_t *)((char *)&words->out[port] + output_registers[i].at) = n;
  }
}

/* ---- variables */

static void open_port(const struct ut_dump_file *file, const char *side, const char *name) {
  char scope[NAME_SIZE + 8];
  snprintf(scope, sizeof scope, "%s_%s", side, name);
  ut_dump_scope(file, scope);
}

static void open_vc(const struct ut_dump_file *file, unsigned vc) {
  char scope[16];
  snprintf(scope, sizeof scope, "vc%u", vc);
  ut_dump_scope(file, scope);
}

static void declare_input(struct ut_dump_words *words, const struct ut_dump_file *file, unsigned port) {
  char name[NAME_SIZE];
  open_port(file, "in", input_name(words, port, name));
  for (unsigned v = 0; v < words->shape->v; v++) {
    open_vc(file, v);
    words->in[port][v].packet = ut_dump_text(file, "packet");
    words->in[port][v].arrives = ut_dump_text(file, "arrives");
    ut_dump_scope(file, NULL);
  }
  ut_dump_scope(file, NULL);
}

static void declare_output(struct ut_dump_words *words, const struct ut_dump_file *file, unsigned port) {
  open_port(file, "out", words->name[port]);
  for (unsigned v = 0; v < words->shape->v; v++) {
    open_vc(file, v);
    words->out[port].sends[v] = ut_dump_text(file, "sends");
    ut_dump_scope(file, NULL);
  }
  ut_dump_scope(file, NULL);
}

void ut_dump_words_declare(struct ut_dump_words *words, const struct ut_dump_file *file) {
  for (unsigned p = 0; p < words->shape->pi; p++)
    declare_input(words, file, p);
  for (unsigned p = 0; p < words->shape->po; p++)
    declare_output(words, file, p);
}

/* ---- words */

/* Appends to the text; what does not fit is left out. */
static void append(char text[UT_DUMP_TEXT_SIZE], const char *more) {
  const size_t used = strlen(text);
  snprintf(text + used, UT_DUMP_TEXT_SIZE - used, "%s", more);
}

static void append_packet(char text[UT_DUMP_TEXT_SIZE], const struct passing *passing) {
  char packet[UT_DUMP_TEXT_SIZE] = "?";
  if (passing->known)
    snprintf(packet, sizeof packet, "%u>%u #%u", ut_header_src(passing->header), ut_header_dst(passing->header),
             ut_header_tag(passing->header));
  append(text, packet);
}

/* Tracks a flit on a VC: the head tells to which packet the flits behind it belong. */
static void note_flit(struct passing *passing, uint64_t tag, uint64_t header) {
  if (tag & UT_KIND_HEAD)
    *passing = (struct passing){true, header};
}

static void append_flit(char text[UT_DUMP_TEXT_SIZE], const struct passing *passing, uint64_t tag) {
  static const char *const name[] = {UT_KIND_NAMES};
  append_packet(text, passing);
  append(text, " ");
  append(text, name[tag & UT_KIND_MASK]);
  append(text, tag & UT_BAD ? " bad" : "");
}

static void append_channels(const struct ut_dump_words *words, const uint64_t *cand, char text[UT_DUMP_TEXT_SIZE]) {
  char channel[NAME_SIZE + 8];
  for (unsigned v = 0; v < words->shape->v; v++)
    for (unsigned p = 0; p < words->shape->po; p++)
      if (cand[v] >> p & 1) {
        snprintf(channel, sizeof channel, words->shape->v > 1 ? " %s.%u" : " %s", words->name[p], v);
        append(text, channel);
      }
}

static void look_at_input(const struct ut_dump_words *dump_words, struct input_vc *vc, const uint64_t *r) {
  static const char *const name[] = {UT_VC_STATE_NAMES};
  const unsigned words = dump_words->shape->w / 64;
  const uint64_t state = r[vc->state], count = r[vc->count], front = r[vc->rd];
  if (count && front < dump_words->shape->depth)
    note_flit(&vc->at_front, r[vc->tag + front], r[vc->data + front * words]);
  vc->packet_words[0] = 0;
  if ((count || state != UT_VC_STATE_IDLE) && state <= UT_VC_STATE_DRAIN) {
    append_packet(vc->packet_words, &vc->at_front);
    append(vc->packet_words, " ");
    append(vc->packet_words, name[state]);
    if (state == UT_VC_STATE_WAITING || state == UT_VC_STATE_ACTIVE)
      append_channels(dump_words, r + vc->cand, vc->packet_words);
  }
}

static void look_at_arrival(const struct ut_dump_words *words, struct input_vc *vc, const uint64_t *r) {
  const uint64_t place = vc->written;
  vc->arrives_words[0] = 0;
  if (words->started && (r[vc->wr] != vc->written || r[vc->count] > vc->held) && place < words->shape->depth) {
    const uint64_t tag = r[vc->tag + place];
    note_flit(&vc->arriving, tag, r[vc->data + place * (words->shape->w / 64)]);
    append_flit(vc->arrives_words, &vc->arriving, tag);
  }
  vc->written = r[vc->wr];
  vc->held = r[vc->count];
}

static void look_at_output(const struct ut_dump_words *words, struct output *output, const uint64_t *r) {
  const uint64_t tag = r[output->kind] | (r[output->bad] ? UT_BAD : 0), vc = r[output->vc];
  for (unsigned v = 0; v < words->shape->v; v++)
    output->sends_words[v][0] = 0;
  if (!r[output->valid] || vc >= words->shape->v)
    return;
  note_flit(&output->leaving[vc], tag, r[output->data]);
  append_flit(output->sends_words[vc], &output->leaving[vc], tag);
}

void ut_dump_words_look(struct ut_dump_words *words, const uint64_t *registers) {
  for (unsigned p = 0; p < words->shape->pi; p++)
    for (unsigned v = 0; v < words->shape->v; v++) {
      look_at_input(words, &words->in[p][v], registers);
      look_at_arrival(words, &words->in[p][v], registers);
    }
  for (unsigned p = 0; p < words->shape->po; p++)
    look_at_output(words, &words->out[p], registers);
  words->started = true;
}

void ut_dump_words_write(struct ut_dump_words *words, const struct ut_dump_file *file) {
  for (unsigned v = 0; v < words->shape->v; v++) {
    for (unsigned p = 0; p < words->shape->pi; p++) {
      ut_dump_write_text(file, &words->in[p][v].packet, words->in[p][v].packet_words);
      ut_dump_write_text(file, &words->in[p][v].arrives, words->in[p][v].arrives_words);
    }
    for (unsigned p = 0; p < words->shape->po; p++)
      ut_dump_write_text(file, &words->out[p].sends[v], words->out[p].sends_words[v]);
  }
}

void ut_dump_events(const struct ut_topology *topo, const struct ut_outage *outage, size_t outages, uint64_t cycle,
                    bool first, char text[UT_DUMP_TEXT_SIZE]) {
  char name[UT_OUTAGE_NAME_SIZE];
  text[0] = 0;
  for (size_t i = 0; i < outages; i++) {
    const bool down = outage[i].from == cycle || (first && outage[i].from < cycle && cycle < outage[i].until);
    if (down || outage[i].until == cycle) {
      append(text, text[0] ? "; " : "");
      append(text, ut_outage_name(topo, &outage[i], name));
      append(text, down ? " down" : " up");
    }
  }
}
