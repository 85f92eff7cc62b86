/* SPDX-License-Identifier: Apache-2.0 */
/* options.c - what every command does with its options: --help, --usage, --version, --quiet, names that are misspelt.
 */
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

static void put_option(FILE *f, const struct argp_option *o) {
  char name[128], letter[8] = "    ";
  if (o->key > ' ' && o->key < 0x7f)
    snprintf(letter, sizeof letter, "-%c, ", o->key);
  const int length =
      snprintf(name, sizeof name, "  %s--%s%s%s", letter, o->name, o->arg ? "=" : "", o->arg ? o->arg : "");
  fputs(name, f);
  if (length > TEXT_COLUMN - 2)
    fprintf(f, "\n%*s", TEXT_COLUMN, "");
  else
    fprintf(f, "%*s", TEXT_COLUMN - length, "");
  put_wrapped(f, o->doc, TEXT_COLUMN, TEXT_COLUMN);
}

static int in_order(const void *a, const void *b) {
  const struct argp_option *x = *(const struct argp_option *const *)a, *y = *(const struct argp_option *const *)b;
  return x->group != y->group ? (x->group < y->group ? -1 : 1) : strcmp(x->name, y->name);
}

static void put_options(FILE *f, const struct argp *argp) {
  const struct argp_option *list[UT_MAX_OPTIONS];
  const size_t count = ut_options_of(argp, list, UT_MAX_OPTIONS, false);
  qsort(list, count, sizeof *list, in_order);
  for (size_t i = 0; i < count; i++)
    put_option(f, list[i]);
}

void ut_put_help(FILE *f, const char *name, const struct argp *argp) {
  char usage[256];
  snprintf(usage, sizeof usage, "Usage: %s [OPTION...]%s%s", name, argp->args_doc ? " " : "",
           argp->args_doc ? argp->args_doc : "");
  put_wrapped(f, usage, 0, 0);
  put_wrapped(f, argp->doc, 0, 0);
  fputc('\n', f);
  put_options(f, argp);
  put_options(f, &ut_common_argp);
}

/* ---- the options of every command */

enum { KEY_USAGE = 0x7f0 };
static const struct argp_option common_options[] = {
    {"help", 'h', 0, 0, "this list", 0},
    {NULL, '?', 0, OPTION_HIDDEN, NULL, 0},
    {"quiet", 'q', 0, 0, "no progress on standard error", 0},
    {"usage", KEY_USAGE, 0, OPTION_HIDDEN, "the options in short", 0},
    {"version", 'V', 0, 0, "the version of uturn", 0},
    {0},
};

static error_t parse_common(int key, char *arg, struct argp_state *state) {
  (void)arg;
  switch (key) {
  case 'h':
  case '?': ut_put_help(stdout, state->name, *(const struct argp *const *)state->input); exit(UT_OK);
  case KEY_USAGE: argp_state_help(state, stdout, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK); return 0;
  case 'V': puts("uturn " UTURN_VERSION); exit(UT_OK);
  case 'q': ut_quiet = true; return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}
const struct argp ut_common_argp = {common_options, parse_common, 0, 0, 0, 0, 0};

/* ---- options that do not exist */

/* The long option that a word of the command line is, or begins; NULL: none. */
static const struct argp_option *option_of(const char *word, const struct argp_option *const *list, size_t count) {
  const size_t length = strcspn(word, "=");
  for (size_t i = 0; i < count; i++)
    if (!strncmp(list[i]->name, word, length))
      return list[i];
  return NULL;
}

/* Whether a word of the command line is a long option that does not exist; then says which one was meant. */
static bool misspelt(const struct argp *argp, int argc, char **argv) {
  const struct argp_option *list[UT_MAX_OPTIONS];
  size_t count = ut_options_of(argp, list, UT_MAX_OPTIONS, true);
  count += ut_options_of(&ut_common_argp, list + count, UT_MAX_OPTIONS - count, true);
  for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
    if (strncmp(argv[i], "--", 2))
      continue;
    const struct argp_option *option = option_of(argv[i] + 2, list, count);
    i += option && option->arg && !strchr(argv[i], '='); /* its value, whatever that looks like */
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

/* ---- parsing */

/* A command's options and those of every command. */
struct all_options {
  const struct argp *argp;
  void *input;
};

static error_t parse_all(int key, char *arg, struct argp_state *state) {
  struct all_options *all = state->input;
  (void)arg;
  if (key != ARGP_KEY_INIT)
    return ARGP_ERR_UNKNOWN;
  state->child_inputs[0] = all->input;
  state->child_inputs[1] = &all->argp;
  return 0;
}

int ut_parse(const struct argp *argp, int argc, char **argv, void *input, int *status) {
  const struct argp_child children[] = {{argp, 0, NULL, 0}, {&ut_common_argp, 0, NULL, 0}, {0}};
  const struct argp with_common = {.parser = parse_all, .children = children};
  struct all_options all = {argp, input};
  argp_err_exit_status = UT_BAD_INPUT;
  error_t bad = misspelt(argp, argc, argv)
                    ? EINVAL
                    : argp_parse(&with_common, argc, argv, ARGP_NO_HELP, NULL, &all); /* may exit */
  if (bad == ENOMEM)
    ut_print_no_memory();
  *status = bad ? UT_BAD_INPUT : UT_OK;
  return bad ? -1 : 0;
}
