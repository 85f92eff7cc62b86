/* SPDX-License-Identifier: Apache-2.0 */
/* result.h - what a command has found: one tree of JSON values, printed as JSON, or as text by a layout.
 *
 * Keys that begin with '_' are for the text only: JSON does not have them.
 *
 * A layout is the text, with these in braces:
 *   {KEY}               the value: a text, or a number; null is "-", an object the sum of its numbers
 *   {KEY:.3f}           the value by a format of printf, without its %; {KEY:9,} with thousands apart
 *   {KEY+es}            "es", unless the number is 1; {KEY+are/is}: "is" if it is 1
 *   {?KEY}..{:}..{/}    the first part if the value is there and is not null, false, 0 or empty, else the second one;
 *                       {:} and the second one may be left out; {?KEY=TEXT} asks for one value
 *   {#KEY}..{/}         once for each element of an array, or each value of an object
 *   {, }                between elements: ", " behind all of them but the last one; the text may begin with ',', ';',
 *                       a space or a line break
 *   {|KEY}              a table with a row for each element: a line of titles and a line of cells, with '|' between
 *   TITLES              them; then, if anything, what follows each row.  Columns are as wide as they need to be.  A
 *   CELLS               title that begins with '<': its column stands on the left.  A column without any cell is left
 *   {/}                 out, and so is a line of titles without any.
 *
 * A KEY is looked for in the element, then in what is around it; A.B is in an object, A.0 in an array; "." is the
 * element itself, "@" its key.  Outside tables a value that is not there stands as {KEY} in the text, so that a wrong
 * layout is seen.
 */
#ifndef UT_RESULT_H
#define UT_RESULT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "json_text.h"

/* Values.  No number (NAN), or no text (NULL), is null. */
json_t *ut_int(uint64_t value);
json_t *ut_int_if(bool known, uint64_t value); /* else null */
json_t *ut_real(double value);
json_t *ut_string(const char *text);
json_t *ut_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* An object, or more of its keys; a value NULL: the key is left out. */
struct ut_member {
  const char *key;
  json_t *value;
};
json_t *ut_object_add(json_t *object, const struct ut_member *member);
#define UT_ADD(object, ...) ut_object_add(object, (const struct ut_member[]){__VA_ARGS__, {NULL, NULL}})
#define UT_OBJECT(...) UT_ADD(json_object(), __VA_ARGS__)

/* Prints on standard output, as JSON or by the layout, and frees the tree.  digits: of JSON's numbers; 17: all. */
void ut_result_print(json_t *result, bool json, int digits, const char *layout);
/* The same of a tree {"rows": [...]}, of which JSON has the rows only, or the only one. */
void ut_result_print_rows(json_t *result, bool json, bool one, int digits, const char *layout);
/* Takes away what is for the text only. */
void ut_result_strip(json_t *tree);
/* The text; the layout has an end for each of its parts. */
void ut_result_put(const json_t *result, const char *layout, FILE *out);
/* Whether a text lacks something for want of memory; for the end of a command.  (A tree: json_set_alloc_funcs().) */
bool ut_result_lacks(void);
void ut_result_lack(void); /* says that it does */

#endif
