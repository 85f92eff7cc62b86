/* SPDX-License-Identifier: Apache-2.0 */
/* scenario_document.h - a YAML text with the place of everything in it, and errors that show the place.
 *
 * libcyaml reads values but forgets their places.  So the same text is also kept as libyaml's tree, whose nodes have
 * line and column.  A place is named by its path in the document, as in "switch.vcs" or "faults[2].link.port".
 */
#ifndef UT_SCENARIO_DOCUMENT_H
#define UT_SCENARIO_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include <yaml.h>

#include "error.h"

/* The kind of a document, for messages. */
struct ut_document_words {
  const char *name; /* "scenario" */
  const char *root; /* keys that its root must have, as a hint */
};

struct ut_document {
  const struct ut_document_words *words;
  const char *path; /* in messages */
  const char *text; /* borrowed, UTF-8 without byte order mark */
  size_t length;
  yaml_document_t yaml;
};

/* Reads one YAML document.  Its root is a mapping.  -1 and *e (UT_BAD_INPUT, or UT_INTERNAL: out of memory) on failure;
 * *document needs no free then.  path and text must outlive *document. */
int ut_document_load(struct ut_document *document, const char *text, size_t length, const char *path,
                     struct ut_error *e);
/* Does the same for a file that is not a scenario. */
int ut_document_load_as(struct ut_document *document, const char *text, size_t length, const char *path,
                        const struct ut_document_words *words, struct ut_error *e);
void ut_document_free(struct ut_document *document);

/* The node at `path` below `from` (NULL: the root); NULL when it is not there. */
yaml_node_t *ut_document_find(struct ut_document *document, yaml_node_t *from, const char *path);

/* Writes the kind of a node, for "expected ..., found ...", into text and returns text. */
enum { UT_FOUND_SIZE = 96 };
const char *ut_document_found(const yaml_node_t *node, char text[UT_FOUND_SIZE]);

/* Fills *e (UT_BAD_INPUT) with "path:line:column: message", the line with a mark under `node`, and `hint` (NULL: none)
 * on a line of its own.  Always returns -1. */
int ut_document_fail(const struct ut_document *document, const yaml_node_t *node, struct ut_error *e, const char *hint,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
