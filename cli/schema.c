/* SPDX-License-Identifier: Apache-2.0 */
/* schema.c - `uturn schema`: what a scenario or a sweep can say, as a JSON schema for editors; the tables of our pages.
 */
#include <string.h>

#include "cli.h"
#include "page.h"
#include "schema_output.h"
#include "schema_tables.h"
#include "sweep_schema.h"

struct schema_options {
  bool sweep;
  const char *page;
};

#define UT_INPUT struct schema_options
static const struct ut_option options[] = {
    {.argument = "scenario|sweep", .wants = "schema", UT_CHOICE(sweep)},
    {"write", 0, "FILE",
     "writes the tables of keys into a page instead, between its lines <!-- schema: NAME --> and <!-- schema: end -->",
     UT_TEXT(page)},
    {0},
};
const struct ut_syntax ut_syntax_schema = {
    "[scenario|sweep]",
    "Prints the JSON schema of scenarios, or of sweeps, with which editors complete and check them: names, types, "
    "words, ranges, defaults, meanings.  First line of such a file: # yaml-language-server: $schema=FILE",
    options, NULL};

static bool put_table(void *ctx, FILE *out, unsigned i) {
  (void)ctx;
  ut_schema_put_table(out, i);
  return true;
}

static int write_page(const char *path) {
  const struct ut_page_tables tables = {.command = "schema", .name = ut_schema_table_name, .put = put_table};
  struct ut_error e;
  return ut_page_write(path, &tables, &e) ? ut_print_error(&e) : UT_OK;
}

int ut_cmd_schema(int argc, char **argv) {
  struct schema_options options = {0};
  int status;
  if (ut_parse(&ut_syntax_schema, argc, argv, &options, &status))
    return status;
  if (options.page)
    return write_page(options.page);
  json_t *schema = options.sweep ? ut_sweep_schema_json() : ut_schema_json();
  const int failed = json_dumpf(schema, stdout, JSON_INDENT(2));
  putchar('\n');
  json_decref(schema);
  return failed && !ferror(stdout) ? UT_INTERNAL : UT_OK; /* at the exit it is told that writing has failed */
}
