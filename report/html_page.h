/* SPDX-License-Identifier: Apache-2.0 */
/* html_page.h - a self-contained page: one HTML file that needs no network and no other file.
 *
 * A page consists of sections.  Each has a type; a JavaScript file of report/page/ for that type shows its data in the
 * browser. Data and bytes are compressed (gzip), and stored in the page as base64.  The page itself, report/page/, is
 * in this program.  No file has the page's name before the page is complete.
 */
#ifndef UT_HTML_PAGE_H
#define UT_HTML_PAGE_H

#include <jansson.h>
#include <stddef.h>

#include "output.h"

/* Limit on the bytes of a page; the author of a section keeps within ut_html_page_room(). */
enum { UT_HTML_PAGE_LIMIT = 5000000 };

/* How a number of a section can be reproduced: "packets delivered, discarded", "./uturn run S.yaml --json". */
struct ut_html_command {
  const char *what, *command;
};

struct ut_html_section {
  const char *type;          /* of the file that shows it: "player" */
  const char *title;         /* heading */
  const char *lead;          /* an introduction for new readers, a paragraph in each line; NULL: none */
  const char *source, *text; /* path and text of its source; text NULL: not a text file */
  const struct ut_html_command *command;
  size_t commands;
  const json_t *data; /* or NULL */
  const void *blob;   /* or NULL: bytes that ut_html_compress() has made */
  size_t size;
};

struct ut_html_page {
  struct ut_output to;
  const char *title, *version, *command;
  /* private */
  char first[256];   /* title of the first section */
  FILE *body, *tabs; /* sections, and links to them */
  char *text, *tab_text;
  size_t size, tab_size;
  unsigned sections;
};

/* title (NULL: that of the section), the version of uturn and the command that makes the page must outlive it.  Returns
 * -1 and fills *e: `path` cannot be written. */
int ut_html_page_open(struct ut_html_page *page, const char *path, const char *title, const char *version,
                      const char *command, struct ut_error *e);
/* Adds a section behind the others.  Returns -1 and fills *e when out of memory. */
int ut_html_page_add(struct ut_html_page *page, const struct ut_html_section *section, struct ut_error *e);
/* Returns how many bytes are left for compressed data. */
size_t ut_html_page_room(struct ut_html_page *page);
/* Returns 1 if the section fits, 0 if not, -1 and *e when out of memory. */
int ut_html_page_holds(struct ut_html_page *page, const json_t *data, struct ut_error *e);
/* Completes the file.  Returns -1 and fills *e: it cannot be written; no file is left then. */
int ut_html_page_close(struct ut_html_page *page, struct ut_error *e);
/* Discards it; also after a close, or if it is not open. */
void ut_html_page_drop(struct ut_html_page *page);

/* gzip; malloc'd.  NULL: out of memory. */
void *ut_html_compress(const void *data, size_t size, size_t *compressed);

#endif
