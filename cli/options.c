/* SPDX-License-Identifier: Apache-2.0 */
/* options.c - what every command does with its options: --help, --usage, --version, --quiet, names that are misspelt.
 */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "nearest.h"

/* ---- help: our own printer, for that of argp breaks the columns where a name is as long as its column */

enum { TEXT_COLUMN = 29, LAST_COLUMN = 79 };

/* A text from `column` on, where the cursor is; further lines begin at `margin`. */
static void put_wrapped(FILE *f, const char *text, size_t column, size_t margin) {
  for (const char *c = text; *c;) {
    const size_t blanks = strspn(c, " "), length = strcspn(c + blanks, " \n");
    const bool fits = column + blanks + length <= LAST_COLUMN || column == margin;
    if (!fits)
      fprintf(f, "\n%*s", (int)margin, "");
    fprintf(f, "%.*s", (int)(length + (fits ? blanks : 0)), c + (fits ? 0 : blanks));
    column = (fits ? column + blanks : margin) + length;
    c += blanks + length;
    if (*c == '\n') {
      fprintf(f, "\n%*s", (int)margin, "");
      column = margin;
      c++;
    }
  }
  fputc('\n', f);
}

static void put_option(FILE *f, const struct ut_option *option) {
  char name[128], letter[8] = "    ";
  if (option->letter)
    snprintf(letter, sizeof letter, "-%c, ", option->letter);
  const int length = snprintf(name, sizeof name, "  %s--%s%s%s", letter, option->name, option->argument ? "=" : "",
                              option->argument ? option->argument : "");
  fputs(name, f);
  if (length > TEXT_COLUMN - 2)
    fprintf(f, "\n%*s", TEXT_COLUMN, "");
  else
    fprintf(f, "%*s", TEXT_COLUMN - length, "");
  put_wrapped(f, option->help, TEXT_COLUMN, TEXT_COLUMN);
}

static int in_order(const void *a, const void *b) {
  const struct ut_option *x = *(const struct ut_option *const *)a, *y = *(const struct ut_option *const *)b;
  return x->section != y->section ? (x->section < y->section ? -1 : 1) : strcmp(x->name, y->name);
}

static void put_options(FILE *f, const struct ut_syntax *syntax) {
  const struct ut_option *list[UT_MAX_OPTIONS];
  const size_t count = ut_options_of(syntax, list, UT_MAX_OPTIONS, false);
  qsort(list, count, sizeof *list, in_order);
  for (size_t i = 0; i < count; i++)
    put_option(f, list[i]);
}

void ut_put_help(FILE *f, const char *name, const struct ut_syntax *syntax) {
  char usage[256];
  snprintf(usage, sizeof usage, "Usage: %s [OPTION...]%s%s", name, syntax->arguments ? " " : "",
           syntax->arguments ? syntax->arguments : "");
  put_wrapped(f, usage, 0, 0);
  put_wrapped(f, syntax->about, 0, 0);
  fputc('\n', f);
  put_options(f, syntax);
  put_options(f, &ut_common_syntax);
}

/* ---- the options of every command */

/* What they are asked about. */
struct common {
  const char *name;
  const struct ut_syntax *syntax;
  const struct argp *argp;
};

static int show_help(const struct ut_option *option, void *into, const char *text, struct ut_error *e) {
  const struct common *common = into;
  (void)option, (void)text, (void)e;
  ut_put_help(stdout, common->name, common->syntax);
  exit(UT_OK);
}

static int show_usage(const struct ut_option *option, void *into, const char *text, struct ut_error *e) {
  struct common *common = into;
  (void)option, (void)text, (void)e;
  argp_help(common->argp, stdout, ARGP_HELP_USAGE, (char *)(uintptr_t)common->name);
  exit(UT_OK);
}

static int show_version(const struct ut_option *option, void *into, const char *text, struct ut_error *e) {
  (void)option, (void)into, (void)text, (void)e;
  puts("uturn " UTURN_VERSION);
  exit(UT_OK);
}

static int be_quiet(const struct ut_option *option, void *into, const char *text, struct ut_error *e) {
  (void)option, (void)into, (void)text, (void)e;
  ut_quiet = true;
  return 0;
}

static const struct ut_option common_options[] = {
    {"help", 'h', NULL, "this list", .read = show_help},
    {NULL, '?', NULL, NULL, .read = show_help, .hidden = true},
    {"quiet", 'q', NULL, "no progress on standard error", .read = be_quiet},
    {"usage", 0, NULL, "the options in short", .read = show_usage, .hidden = true},
    {"version", 'V', NULL, "the version of uturn", .read = show_version},
    {0},
};
const struct ut_syntax ut_common_syntax = {.option = common_options};

/* ---- options that do not exist */

/* The long option that a word of the command line is, or begins; NULL: none. */
static const struct ut_option *option_of(const char *word, const struct ut_option *const *list, size_t count) {
  const size_t length = strcspn(word, "=");
  for (size_t i = 0; i < count; i++)
    if (!strncmp(list[i]->name, word, length))
      return list[i];
  return NULL;
}

/* Whether a word of the command line is a long option that does not exist; then says which one was meant. */
static bool misspelt(const struct ut_syntax *syntax, int argc, char **argv) {
  const struct ut_option *list[UT_MAX_OPTIONS];
  size_t count = ut_options_of(syntax, list, UT_MAX_OPTIONS, true);
  count += ut_options_of(&ut_common_syntax, list + count, UT_MAX_OPTIONS - count, true);
  for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
    if (strncmp(argv[i], "--", 2))
      continue;
    const struct ut_option *option = option_of(argv[i] + 2, list, count);
    i += option && option->argument && !strchr(argv[i], '='); /* its value, whatever that looks like */
    if (option)
      continue;
    const char *names[UT_MAX_OPTIONS];
    char word[64];
    for (size_t n = 0; n < count; n++)
      names[n] = list[n]->name;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(argv[i] + 2, "="), argv[i] + 2);
    const char *near = ut_nearest(word, names, count);
    fprintf(stderr, "%s: unknown option '--%s'; %s%s%s`%s --help` lists all\n", argv[0], word,
            near ? "did you mean '--" : "", near ? near : "", near ? "'? " : "", argv[0]);
    return true;
  }
  return false;
}

/* ---- parsing: argp splits the command line */

enum { FIRST_KEY = 0x100 }; /* of options without a letter */

struct parsing {
  const struct ut_syntax *syntax;
  void *input;
  struct place {
    const struct ut_option *option;
    char *input; /* what it is a member of */
    bool given;
  } place[UT_MAX_OPTIONS];
  size_t places;
  struct ut_error error;
};

static void add_places(struct parsing *parsing, const struct ut_syntax *syntax, char *input) {
  for (const struct ut_option *option = syntax->option; option->read || option->group; option++)
    if (option->group)
      add_places(parsing, option->group, input + option->at);
    else if (parsing->places < UT_MAX_OPTIONS)
      parsing->place[parsing->places++] = (struct place){option, input, false};
}

static bool is_positional(const struct ut_option *option) {
  return !option->name && !option->letter;
}

/* As argp wants them. */
static void write_options(const struct parsing *parsing, struct argp_option *list) {
  for (size_t i = 0; i < parsing->places; i++) {
    const struct ut_option *option = parsing->place[i].option;
    if (!is_positional(option))
      *list++ = (struct argp_option){option->name,     option->letter ? option->letter : FIRST_KEY + (int)i,
                                     option->argument, option->hidden ? OPTION_HIDDEN : 0,
                                     option->help,     option->section};
  }
  *list = (struct argp_option){0};
}

static struct place *place_of(struct parsing *parsing, int key) {
  for (size_t i = 0; i < parsing->places; i++)
    if (parsing->place[i].option->letter ? parsing->place[i].option->letter == key : key == FIRST_KEY + (int)i)
      return &parsing->place[i];
  return NULL;
}

static void read_value(struct parsing *parsing, struct place *place, const char *text, struct argp_state *state) {
  const struct ut_option *option = place->option;
  place->given = true;
  if (option->read(option, place->input + option->at, text, &parsing->error))
    argp_error(state, "%s", parsing->error.text);
  if (option->given)
    *(bool *)(place->input + option->given - 1) = true;
}

/* A positional argument: it belongs to the first row that has none yet. */
static error_t read_alone(struct parsing *parsing, char *text, struct argp_state *state) {
  const struct ut_option *last = NULL;
  for (size_t i = 0; i < parsing->places; i++) {
    struct place *place = &parsing->place[i];
    if (!is_positional(place->option))
      continue;
    last = place->option;
    if (last->read == ut_read_names)
      return ARGP_ERR_UNKNOWN; /* argp comes back with all that are left */
    if (place->given)
      continue;
    read_value(parsing, place, text, state);
    return 0;
  }
  if (!last)
    return ARGP_ERR_UNKNOWN;
  argp_error(state, "one %s at a time: '%s' is too many", last->wants, text);
  return 0;
}

/* All that are left; of a command that takes none argp says that there are too many. */
static error_t read_all_alone(struct parsing *parsing, struct argp_state *state) {
  for (size_t i = 0; i < parsing->places; i++) {
    struct place *place = &parsing->place[i];
    if (place->option->read != ut_read_names)
      continue;
    const struct ut_names names = {(const char *const *)state->argv + state->next, (size_t)(state->argc - state->next)};
    const uint64_t most = place->option->most;
    if (most && names.count > most)
      argp_error(state, "%u %ss at most: '%s' is too many", (unsigned)most, place->option->wants, names.name[most]);
    *(struct ut_names *)(void *)(place->input + place->option->at) = names;
    place->given = true;
    return 0;
  }
  return ARGP_ERR_UNKNOWN;
}

static bool is_given(const struct parsing *parsing, const char *name) {
  for (size_t i = 0; i < parsing->places; i++)
    if (parsing->place[i].given && parsing->place[i].option->name && !strcmp(parsing->place[i].option->name, name))
      return true;
  return false;
}

/* What a row says of other options. */
static int check_row(const struct parsing *parsing, const struct place *place, struct ut_error *e) {
  const struct ut_option *option = place->option;
  if (option->missing && !place->given)
    return ut_fail(e, UT_BAD_INPUT, "%s", option->missing);
  if (place->given && option->without && is_given(parsing, option->without))
    return ut_fail(e, UT_BAD_INPUT, "--%s or --%s, not both", option->name, option->without);
  if (place->given && option->with && !is_given(parsing, option->with))
    return ut_fail(e, UT_BAD_INPUT, "--%s is for --%s", option->name, option->with);
  return 0;
}

static int check_together(const struct ut_syntax *syntax, char *input, struct ut_error *e) {
  for (const struct ut_option *option = syntax->option; option->read || option->group; option++)
    if (option->group && check_together(option->group, input + option->at, e))
      return -1;
  return syntax->check ? syntax->check(input, e) : 0;
}

static void check_all(struct parsing *parsing, struct argp_state *state) {
  int bad = 0;
  for (size_t i = 0; i < parsing->places && !bad; i++)
    bad = check_row(parsing, &parsing->place[i], &parsing->error);
  if (bad || check_together(parsing->syntax, parsing->input, &parsing->error))
    argp_error(state, "%s", parsing->error.text);
}

static error_t parse(int key, char *text, struct argp_state *state) {
  struct parsing *parsing = state->input;
  struct place *place = place_of(parsing, key);
  if (place) {
    read_value(parsing, place, text, state);
    return 0;
  }
  switch (key) {
  case ARGP_KEY_ARG: return read_alone(parsing, text, state);
  case ARGP_KEY_ARGS: return read_all_alone(parsing, state);
  case ARGP_KEY_END: check_all(parsing, state); return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

int ut_parse(const struct ut_syntax *syntax, int argc, char **argv, void *input, int *status) {
  struct argp_option options[UT_MAX_OPTIONS + 1];
  const struct argp argp = {options, parse, syntax->arguments, syntax->about, NULL, NULL, NULL};
  struct common common = {argv[0], syntax, &argp};
  struct parsing parsing = {.syntax = syntax, .input = input};
  add_places(&parsing, syntax, input);
  add_places(&parsing, &ut_common_syntax, (char *)&common);
  write_options(&parsing, options);
  argp_err_exit_status = UT_BAD_INPUT;
  error_t bad = misspelt(syntax, argc, argv)
                    ? EINVAL
                    : argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, &parsing); /* may exit */
  if (bad == ENOMEM)
    ut_print_no_memory();
  *status = bad ? UT_BAD_INPUT : UT_OK;
  return bad ? -1 : 0;
}
