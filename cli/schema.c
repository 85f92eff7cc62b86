/* SPDX-License-Identifier: Apache-2.0 */
/* schema.c - `uturn schema`: what a scenario or a sweep can say, as a JSON schema for editors; the tables of our pages.
 */
#include <string.h>

#include "cli.h"
#include "page.h"
#include "schema_output.h"
#include "sweep_schema.h"

enum { KEY_WRITE = 0x800 };

struct schema_options {
  bool sweep;
  const char *page;
};

static const struct argp_option options[] = {
    {"write", KEY_WRITE, "FILE", 0,
     "writes the tables of keys into a page instead, between its lines <!-- schema: NAME --> and <!-- schema: end -->",
     0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct schema_options *o = state->input;
  switch (key) {
  case KEY_WRITE: o->page = arg; return 0;
  case ARGP_KEY_ARG:
    o->sweep = !strcmp(arg, "sweep");
    if (state->arg_num || (!o->sweep && strcmp(arg, "scenario")))
      argp_error(state, "of 'scenario' or 'sweep', not of '%s'", arg);
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}
const struct argp ut_argp_schema = {
    options,
    parse,
    "[scenario|sweep]",
    "Prints the JSON schema of scenarios, or of sweeps, with which editors complete and check them: names, types, "
    "words, ranges, defaults, meanings.  First line of such a file: # yaml-language-server: $schema=FILE",
    0,
    0,
    0};

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
  struct schema_options o = {0};
  int status;
  if (ut_parse(&ut_argp_schema, argc, argv, &o, &status))
    return status;
  if (o.page)
    return write_page(o.page);
  json_t *schema = o.sweep ? ut_sweep_schema_json() : ut_schema_json();
  const int failed = json_dumpf(schema, stdout, JSON_INDENT(2));
  putchar('\n');
  json_decref(schema);
  return failed && !ferror(stdout) ? UT_INTERNAL : UT_OK; /* at the exit it is told that writing has failed */
}
