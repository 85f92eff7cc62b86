/* SPDX-License-Identifier: Apache-2.0 */
/* html_page.c - see html_page.h */
#define _GNU_SOURCE /* memmem */
#include "html_page.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "cache_files.h"
#include "memory_text.h"
#include "page_files.h"

/* Size of the page without its data and their frames. */
enum { FRAME = 250000 };

/* ---- text and bytes */

static void put_escaped(FILE *f, const char *text) {
  for (; *text; text++)
    switch (*text) {
    case '&': fputs("&amp;", f); break;
    case '<': fputs("&lt;", f); break;
    case '>': fputs("&gt;", f); break;
    case '"': fputs("&quot;", f); break;
    default: fputc(*text, f);
    }
}

void *ut_html_compress(const void *data, size_t size, size_t *compressed) {
  enum { GZIP = 16 + MAX_WBITS, LEVEL = 6 }; /* 9 takes four times as long for 2 % */
  z_stream z = {0};
  if (size > UINT_MAX / 2) /* zlib counts in unsigned; no page has room for that */
    return NULL;
  if (deflateInit2(&z, LEVEL, Z_DEFLATED, GZIP, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    return NULL;
  const size_t room = deflateBound(&z, size);
  unsigned char *out = malloc(room);
  z.next_in = (unsigned char *)(uintptr_t)data;
  z.avail_in = (uInt)size;
  z.next_out = out;
  z.avail_out = (uInt)room;
  const bool good = out && deflate(&z, Z_FINISH) == Z_STREAM_END;
  *compressed = z.total_out;
  deflateEnd(&z);
  if (good)
    return out;
  free(out);
  return NULL;
}

static void put_base64(FILE *f, const unsigned char *data, size_t size) {
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < size; i += 3) {
    const size_t left = size - i;
    const unsigned long word =
        (unsigned long)data[i] << 16 | (left > 1 ? (unsigned long)data[i + 1] << 8 : 0) | (left > 2 ? data[i + 2] : 0);
    fputc(digit[word >> 18], f);
    fputc(digit[word >> 12 & 63], f);
    fputc(left > 1 ? digit[word >> 6 & 63] : '=', f);
    fputc(left > 2 ? digit[word & 63] : '=', f);
  }
}

/* Adds data that the browser inflates: <script id="TYPE-ID-NAME">. */
static void put_bytes(FILE *f, unsigned id, const char *type, const char *name, const void *compressed, size_t size) {
  fprintf(f, "<script type=\"application/octet-stream\" id=\"%s-%u-%s\" data-encoding=\"gzip+base64\">", type, id,
          name);
  put_base64(f, compressed, size);
  fputs("</script>\n", f);
}

/* Returns the JSON escaped for a page; NULL: out of memory. */
static void *compress_json(const json_t *data, size_t *size) {
  char *text = json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(9));
  void *bytes = text ? ut_html_compress(text, strlen(text), size) : NULL;
  free(text);
  return bytes;
}

static int put_data(FILE *f, unsigned id, const char *type, const json_t *data, struct ut_error *e) {
  size_t size;
  void *bytes = compress_json(data, &size);
  if (bytes)
    put_bytes(f, id, type, "data", bytes, size);
  free(bytes);
  return bytes ? 0 : ut_fail_memory(e);
}

/* ---- sections */

static void put_origin(FILE *f, const struct ut_html_page *page, const struct ut_html_section *section) {
  fputs("<details class=\"origin\">\n<summary>How these numbers were made</summary>\n<dl class=\"commands\">\n", f);
  for (size_t i = 0; i < section->commands; i++) {
    fputs("<dt>", f);
    put_escaped(f, section->command[i].what);
    fputs("</dt><dd><code>", f);
    put_escaped(f, section->command[i].command);
    fputs("</code></dd>\n", f);
  }
  fputs("<dt>this page</dt><dd><code>", f);
  put_escaped(f, page->command);
  fputs("</code></dd>\n<dt>version of uturn</dt><dd>", f);
  put_escaped(f, page->version);
  fputs("</dd>\n</dl>\n", f);
  if (section->source) {
    fputs("<p class=\"source\">Made from <code>", f);
    put_escaped(f, section->source);
    fputs(section->text ? "</code>:</p>\n<pre class=\"source-text\" tabindex=\"0\"><code>" : "</code>.</p>\n", f);
    if (section->text) {
      put_escaped(f, section->text);
      fputs("</code></pre>\n", f);
    }
  }
  fputs("</details>\n", f);
}

/* Paragraphs; words in backquotes are code. */
static void put_lead(FILE *f, const char *text) {
  bool code = false;
  fputs("<p class=\"lead\">", f);
  for (; *text; text++)
    if (*text == '`')
      fputs((code = !code) ? "<code>" : "</code>", f);
    else if (*text == '\n')
      fputs("</p>\n<p class=\"lead\">", f);
    else
      put_escaped(f, (const char[]){*text, '\0'});
  fputs(code ? "</code></p>\n" : "</p>\n", f);
}

int ut_html_page_add(struct ut_html_page *page, const struct ut_html_section *section, struct ut_error *e) {
  FILE *f = page->body;
  const unsigned id = ++page->sections;
  int status = 0;
  if (id == 1)
    snprintf(page->first, sizeof page->first, "%s", section->title);
  fprintf(page->tabs, "<a href=\"#%s-%u\" id=\"%s-%u-tab\">", section->type, id, section->type, id);
  put_escaped(page->tabs, section->title);
  fputs("</a>\n", page->tabs);
  fprintf(f, "<section class=\"part\" id=\"%s-%u\" data-type=\"%s\" aria-labelledby=\"%s-%u-title\">\n", section->type,
          id, section->type, section->type, id);
  fprintf(f, "<h2 id=\"%s-%u-title\">", section->type, id);
  put_escaped(f, section->title);
  fputs("</h2>\n", f);
  if (section->lead)
    put_lead(f, section->lead);
  fputs("<div class=\"part-body\"></div>\n", f);
  put_origin(f, page, section);
  if (section->data)
    status = put_data(f, id, section->type, section->data, e);
  if (section->blob)
    put_bytes(f, id, section->type, "blob", section->blob, section->size);
  fputs("</section>\n", f);
  return status;
}

size_t ut_html_page_room(struct ut_html_page *page) {
  fflush(page->body);
  const size_t used = page->size + FRAME;
  return used < UT_HTML_PAGE_LIMIT ? (UT_HTML_PAGE_LIMIT - used) / 4 * 3 : 0;
}

int ut_html_page_holds(struct ut_html_page *page, const json_t *data, struct ut_error *e) {
  size_t size = 0;
  void *bytes = compress_json(data, &size);
  const int status = bytes ? size <= ut_html_page_room(page) : ut_fail_memory(e);
  free(bytes);
  return status;
}

/* ---- the page */

int ut_html_page_open(struct ut_html_page *page, const char *path, const char *title, const char *version,
                      const char *command, struct ut_error *e) {
  *page = (struct ut_html_page){.title = title, .version = version, .command = command};
  if (ut_output_open(&page->to, path, UT_OUTPUT_ANY, e))
    return -1;
  page->body = ut_memory_open(&page->text, &page->size);
  page->tabs = ut_memory_open(&page->tab_text, &page->tab_size);
  if (page->body && page->tabs)
    return 0;
  ut_html_page_drop(page);
  return ut_fail_memory(e);
}

void ut_html_page_drop(struct ut_html_page *page) {
  if (page->body)
    ut_memory_close(page->body, &page->text);
  if (page->tabs)
    ut_memory_close(page->tabs, &page->tab_text);
  free(page->text);
  free(page->tab_text);
  ut_output_drop(&page->to);
  *page = (struct ut_html_page){0};
}

static void put_file(FILE *f, const struct ut_page_file *file) {
  fwrite(file->begin, 1, (size_t)(file->end - file->begin), f);
}

/* Adds all files whose names end so. */
static void put_files(FILE *f, const char *end, const char *before, const char *behind) {
  for (size_t i = 0; i < ut_page_file_count; i++)
    if (ut_path_ends(ut_page_files[i].name, end)) {
      fputs(before, f);
      put_file(f, &ut_page_files[i]);
      fputs(behind, f);
    }
}

/* Writes the replacement of {{NAME}} in index.html. */
static void put_part(const struct ut_html_page *page, const char *name, size_t length) {
  FILE *f = page->to.file;
#define IS(text) (length == sizeof(text) - 1 && !memcmp(name, text, length))
  if (IS("title") && (page->title || page->sections == 1))
    put_escaped(f, page->title ? page->title : page->first);
  else if (IS("title"))
    put_escaped(f, page->first), fprintf(f, ", and %u more", page->sections - 1);
  else if (IS("version"))
    put_escaped(f, page->version);
  else if (IS("style"))
    put_files(f, ".css", "", "");
  else if (IS("tabs") && page->sections < 2)
    ; /* nowhere else to go */
  else if (IS("tabs"))
    fprintf(f, "<nav id=\"parts\" aria-label=\"Parts of this page\">\n%s</nav>\n", page->tab_text);
  else if (IS("sections"))
    fwrite(page->text, 1, page->size, f);
  else if (IS("scripts"))
    put_files(f, ".js", "<script>\n", "</script>\n");
  else
    abort(); /* index.html is ours */
#undef IS
}

/* Where a text begins that is in there; `end`: nowhere. */
static const char *find(const char *from, const char *end, const char *what) {
  const char *at = memmem(from, (size_t)(end - from), what, strlen(what));
  return at ? at : end;
}

int ut_html_page_close(struct ut_html_page *page, struct ut_error *e) {
  const struct ut_page_file *index = ut_page_file("index.html");
  const bool bad = fflush(page->body) || ferror(page->body) || fflush(page->tabs) || ferror(page->tabs);
  if (bad) {
    ut_html_page_drop(page);
    return ut_fail_memory(e);
  }
  for (const char *at = index->begin; at != index->end;) {
    const char *mark = find(at, index->end, "{{");
    fwrite(at, 1, (size_t)(mark - at), page->to.file);
    if (mark == index->end)
      break;
    const char *end = find(mark, index->end, "}}");
    put_part(page, mark + 2, (size_t)(end - mark - 2));
    at = end + 2;
  }
  const int status = ut_output_close(&page->to, e);
  ut_html_page_drop(page);
  return status;
}
