/* SPDX-License-Identifier: Apache-2.0 */
/* yaml_edit.h - changes a YAML document: sets a value at a path of keys, and returns the text.
 *
 * A path is written as in messages: "switch.vcs", "faults[0].link.port".  Missing groups of keys on the way are made;
 * an entry of a list must exist, or be the next one.
 */
#ifndef UT_YAML_EDIT_H
#define UT_YAML_EDIT_H

#include <stddef.h>

#include <stdio.h>

#include <yaml.h>

#include "error.h"

/* Copies `node` of `from` with all that it holds into `into`.  The number of the copy; 0: out of memory. */
int ut_yaml_copy(yaml_document_t *into, yaml_document_t *from, const yaml_node_t *node);
/* A plain scalar.  Its number; 0: out of memory. */
int ut_yaml_scalar(yaml_document_t *into, const char *value);
/* Puts node number `value` at `path`, and replaces an old value.  Returns -1 and fills *e (UT_BAD_INPUT): the path
 * leads through a value that has no keys. */
int ut_yaml_set(yaml_document_t *d, const char *path, int value, struct ut_error *e);
/* Puts it behind the last entry of the list `key` of the document, which is made if it is not there. */
int ut_yaml_append(yaml_document_t *d, const char *key, int value, struct ut_error *e);
int ut_yaml_set_text(yaml_document_t *d, const char *path, const char *value, struct ut_error *e);

/* The document as text (malloc'd, terminated).  The document is gone afterwards, in any case.  NULL and *e: out of
 * memory. */
char *ut_yaml_text(yaml_document_t *d, size_t *length, struct ut_error *e);

/* Writes a name as a text in single quotes.  Characters that YAML does not allow there - line breaks, control
 * characters, bytes that are no UTF-8 - are written as in messages, so that the text names another file: see
 * ut_sweep_read_over(). */
void ut_yaml_put_name(FILE *f, const char *name);

#endif
