/* SPDX-License-Identifier: Apache-2.0 */
/* yaml_edit.c - see yaml_edit.h */
#define _GNU_SOURCE
#include "yaml_edit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory_text.h"

enum { NAME_SIZE = 128 };

static int __attribute__((cold)) out_of_memory(struct ut_error *e) {
  return ut_fail(e, UT_BAD_INPUT, "out of memory");
}

int ut_yaml_scalar(yaml_document_t *into, const char *value) {
  return yaml_document_add_scalar(into, NULL, (const yaml_char_t *)value, (int)strlen(value), YAML_PLAIN_SCALAR_STYLE);
}

/* Nodes are copied before they are filled: adding one moves the others. */
int ut_yaml_copy(yaml_document_t *into, yaml_document_t *from, const yaml_node_t *node) {
  int copy;
  switch (node->type) {
  case YAML_SCALAR_NODE:
    return yaml_document_add_scalar(into, node->tag, node->data.scalar.value, (int)node->data.scalar.length,
                                    node->data.scalar.style);
  case YAML_SEQUENCE_NODE:
    copy = yaml_document_add_sequence(into, node->tag, node->data.sequence.style);
    for (yaml_node_item_t *i = node->data.sequence.items.start; copy && i < node->data.sequence.items.top; i++) {
      const int item = ut_yaml_copy(into, from, yaml_document_get_node(from, *i));
      if (!item || !yaml_document_append_sequence_item(into, copy, item))
        return 0;
    }
    return copy;
  case YAML_MAPPING_NODE:
    copy = yaml_document_add_mapping(into, node->tag, node->data.mapping.style);
    for (yaml_node_pair_t *p = node->data.mapping.pairs.start; copy && p < node->data.mapping.pairs.top; p++) {
      const int key = ut_yaml_copy(into, from, yaml_document_get_node(from, p->key));
      const int value = key ? ut_yaml_copy(into, from, yaml_document_get_node(from, p->value)) : 0;
      if (!value || !yaml_document_append_mapping_pair(into, copy, key, value))
        return 0;
    }
    return copy;
  default: return 0;
  }
}

void ut_yaml_put_name(FILE *f, const char *name) {
  fputc('\'', f);
  for (const char *c = name; *c;) {
    /* U+2028 and U+2029 break lines, U+FEFF, U+FFFE and U+FFFF are refused */
    const bool left_out = !strncmp(c, "\xe2\x80\xa8", 3) || !strncmp(c, "\xe2\x80\xa9", 3) ||
                          !strncmp(c, "\xef\xbb\xbf", 3) || !strncmp(c, "\xef\xbf\xbe", 3) ||
                          !strncmp(c, "\xef\xbf\xbf", 3);
    if (left_out || *c == '\n' || *c == '\t') {
      fprintf(f, "\\x%02x", (unsigned char)*c++);
      continue;
    }
    size_t length = 1; /* of the character, with the bytes that follow */
    while ((unsigned char)*c >= 0x80 && ((unsigned char)c[length] & 0xc0) == 0x80 && length < 4)
      length++;
    char one[8], escaped[40];
    memcpy(one, c, length);
    one[length] = '\0';
    ut_escape_controls(escaped, sizeof escaped, one);
    fputs(*c == '\'' ? "''" : escaped, f);
    c += length;
  }
  fputc('\'', f);
}

/* ---- paths */

/* Where the number of a node stands in the one that holds it. */
static int *key_slot(yaml_document_t *d, int holder, const char *name) {
  yaml_node_t *node = yaml_document_get_node(d, holder);
  for (yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top; p++) {
    const yaml_node_t *key = yaml_document_get_node(d, p->key);
    if (key->type == YAML_SCALAR_NODE && !strcmp((const char *)key->data.scalar.value, name))
      return &p->value;
  }
  return NULL;
}

static int *new_key(yaml_document_t *d, int holder, const char *name, int value) {
  const int key = ut_yaml_scalar(d, name);
  if (!key || !yaml_document_append_mapping_pair(d, holder, key, value))
    return NULL;
  return &yaml_document_get_node(d, holder)->data.mapping.pairs.top[-1].value;
}

struct step {
  char name[NAME_SIZE];
  bool listed; /* a number in brackets */
  unsigned long index;
};

/* Takes the first step of a path and returns the rest; NULL: it is not a path. */
static const char *take_step(const char *path, struct step *step) {
  *step = (struct step){.listed = *path == '['};
  if (step->listed) {
    char *end;
    if (path[1] < '0' || path[1] > '9')
      return NULL;
    step->index = strtoul(path + 1, &end, 10);
    if (*end++ != ']' || (*end && *end != '.' && *end != '[') || (*end == '.' && !end[1]))
      return NULL;
    return end + (*end == '.');
  }
  const size_t length = strcspn(path, ".[");
  if (!length || length >= NAME_SIZE || (path[length] == '.' && !path[length + 1]))
    return NULL;
  memcpy(step->name, path, length);
  return path + length + (path[length] == '.');
}

/* Makes the node that the next step needs, a group of keys or a list; returns its number. */
static int new_holder(yaml_document_t *d, const char *rest) {
  return *rest == '[' ? yaml_document_add_sequence(d, NULL, YAML_FLOW_SEQUENCE_STYLE)
                      : yaml_document_add_mapping(d, NULL, YAML_ANY_MAPPING_STYLE);
}

/* Returns the number of the node at that step of `holder`; adds it if it is missing or `last`; 0 after filling *e. */
static int enter(yaml_document_t *d, int holder, const struct step *step, const char *path, const char *rest, int value,
                 struct ut_error *e) {
  const yaml_node_t *node = yaml_document_get_node(d, holder);
  const bool last = !*rest, list = node->type == YAML_SEQUENCE_NODE;
  if (step->listed ? !list : node->type != YAML_MAPPING_NODE) {
    ut_fail(e, UT_BAD_INPUT, "'%s' leads through %s, where %s would have to be", path,
            list                              ? "a list"
            : node->type == YAML_MAPPING_NODE ? "a group of keys"
                                              : "a single value",
            step->listed ? "a list" : "a group of keys");
    return 0;
  }
  int *slot = NULL;
  if (step->listed) {
    const size_t items = (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
    if (step->index > items) {
      ut_fail(e, UT_BAD_INPUT, "'%s': there are %zu entries, numbered from 0", path, items);
      return 0;
    }
    if (step->index < items)
      slot = &node->data.sequence.items.start[step->index];
  } else {
    slot = key_slot(d, holder, step->name);
  }
  if (slot) {
    if (last)
      *slot = value;
    return *slot;
  }
  const int made = last ? value : new_holder(d, rest);
  const bool done = made && (step->listed ? yaml_document_append_sequence_item(d, holder, made)
                                          : !!new_key(d, holder, step->name, made));
  if (!done)
    out_of_memory(e);
  return done ? made : 0;
}

int ut_yaml_set(yaml_document_t *d, const char *path, int value, struct ut_error *e) {
  int holder = 1; /* the root */
  if (!value)
    return out_of_memory(e);
  for (const char *rest = path; *rest;) {
    struct step step;
    rest = take_step(rest, &step);
    if (!rest)
      return ut_fail(e, UT_BAD_INPUT, "'%s' is no path of keys, as in traffic.load_flits_per_cycle or faults[0].at",
                     path);
    holder = enter(d, holder, &step, path, rest, value, e);
    if (!holder)
      return -1;
  }
  return 0;
}

int ut_yaml_append(yaml_document_t *d, const char *key, int value, struct ut_error *e) {
  const int *slot = key_slot(d, 1, key);
  const yaml_node_t *list = slot ? yaml_document_get_node(d, *slot) : NULL;
  char path[NAME_SIZE + 24];
  if (list && list->type == YAML_SEQUENCE_NODE && value)
    return yaml_document_append_sequence_item(d, *slot, value) ? 0 : out_of_memory(e);
  snprintf(path, sizeof path, "%.100s[0]", key);
  return ut_yaml_set(d, path, value, e);
}

int ut_yaml_set_text(yaml_document_t *d, const char *path, const char *value, struct ut_error *e) {
  return ut_yaml_set(d, path, ut_yaml_scalar(d, value), e);
}

/* ---- text */

char *ut_yaml_text(yaml_document_t *d, size_t *length, struct ut_error *e) {
  char *text = NULL;
  size_t size = 0;
  FILE *stream = ut_memory_open(&text, &size);
  yaml_emitter_t emitter;
  bool ok = stream && yaml_emitter_initialize(&emitter);
  if (ok) {
    yaml_emitter_set_output_file(&emitter, stream);
    yaml_emitter_set_width(&emitter, -1);
    yaml_emitter_set_unicode(&emitter, 1);
    ok = yaml_emitter_open(&emitter) && yaml_emitter_dump(&emitter, d) && yaml_emitter_close(&emitter);
    yaml_emitter_delete(&emitter);
  } else {
    yaml_document_delete(d);
  }
  if (stream && ut_memory_close(stream, &text))
    ok = false;
  if (!ok) {
    free(text);
    out_of_memory(e);
    return NULL;
  }
  *length = size;
  return text;
}
