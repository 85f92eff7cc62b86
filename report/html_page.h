/* SPDX-License-Identifier: Apache-2.0 */
/* html_page.h - a page that is self-contained: one HTML file that needs no network and no other file.
 *
 * A page is made of sections.  Each has a type; a JavaScript file of report/page/ of that type shows its data in the
 * browser.  Data and bytes are compressed (gzip), and stand in the page as base64.  The page itself, report/page/, is
 * in this program.  Nothing is written under the page's name before the page is complete.
 */
#ifndef UT_HTML_PAGE_H
#define UT_HTML_PAGE_H

#include <jansson.h>
#include <stddef.h>

#include "output.h"

/* Bytes of a page; who makes a section keeps within ut_html_page_room(). */
enum { UT_HTML_PAGE_LIMIT = 5000000 };

/* How a number of a section is had again: "packets delivered, discarded", "./uturn run S.yaml --json". */
struct ut_html_command {
  const char *what, *command;
};

struct ut_html_section {
  const char *type;          /* of the file that shows it: "player" */
  const char *title;         /* heading */
  const char *lead;          /* lines are paragraphs, for somebody who has never seen this; NULL: none */
  const char *source, *text; /* path and text of what it was made from; text NULL: no text file */
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

/* title (NULL: that of the section), version of uturn and the command that makes the page must outlive it.  -1 and
 * *e: `path` cannot be written. */
int ut_html_page_open(struct ut_html_page *page, const char *path, const char *title, const char *version,
                      const char *command, struct ut_error *e);
/* The section stands behind those before it.  -1 and *e: out of memory. */
int ut_html_page_add(struct ut_html_page *page, const struct ut_html_section *section, struct ut_error *e);
/* Bytes that are left for compressed data. */
size_t ut_html_page_room(struct ut_html_page *page);
/* 1: there is room for it; 0: there is none; -1 and *e: out of memory. */
int ut_html_page_holds(struct ut_html_page *page, const json_t *data, struct ut_error *e);
/* Completes the file.  -1 and *e: it cannot be written; nothing is left then. */
int ut_html_page_close(struct ut_html_page *page, struct ut_error *e);
/* Gives it up; also after a close, or when it is not open. */
void ut_html_page_drop(struct ut_html_page *page);

/* gzip; malloc'd.  NULL: out of memory. */
void *ut_html_compress(const void *data, size_t size, size_t *compressed);

#endif
