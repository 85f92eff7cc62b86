/* new.c - `uturn new`: writes a scenario to start from, with what each of its keys means, takes and defaults to.
 *
 * A template is a scenario.  Its lines "key: value", and "#key: value" of keys that it leaves at their defaults, get a
 * comment from the table of keys, each key once.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "key_text.h"
#include "nearest.h"
#include "templates.h"

enum { COLUMN = 34, WIDTH = 118, MAX_TEMPLATES = 32, MAX_DEPTH = 8, NAME_SIZE = 32, LINE_SIZE = 512 };

struct new_options {
  const char *template, *file;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct new_options *o = state->input;
  if (key != ARGP_KEY_ARG)
    return ARGP_ERR_UNKNOWN;
  if (o->file)
    argp_error(state, "one file at a time: '%s' is too many", arg);
  *(o->template ? &o->file : &o->template) = arg;
  return 0;
}
const struct argp ut_argp_new = {
    NULL,
    parse,
    "[TEMPLATE [FILE.yaml]]",
    "Writes a scenario to start from into FILE.yaml, or to standard output: it runs as it is, and says of each key "
    "what it means, what it takes and what it is when it is left away.  Without TEMPLATE: lists the templates.",
    0,
    0,
    0};

/* ---- the templates there are */

struct templates {
  char name[MAX_TEMPLATES][NAME_SIZE];
  size_t count;
};

static int by_name(const void *a, const void *b) {
  return strcmp(a, b);
}

static void list_templates(struct templates *t) {
  char path[PATH_MAX];
  t->count = 0;
  snprintf(path, sizeof path, "%s/scenarios/templates", ut_root_dir());
  DIR *folder = opendir(path);
  for (const struct dirent *d; folder && (d = readdir(folder));) {
    const char *dot = strrchr(d->d_name, '.');
    if (d->d_name[0] != '.' && dot && !strcmp(dot, ".yaml") && dot - d->d_name < NAME_SIZE && t->count < MAX_TEMPLATES)
      snprintf(t->name[t->count++], NAME_SIZE, "%.*s", (int)(dot - d->d_name), d->d_name);
  }
  if (folder)
    closedir(folder);
  qsort(t->name, t->count, NAME_SIZE, by_name);
}

const char *ut_template_names(char text[UT_TEMPLATES_SIZE]) {
  struct templates t;
  size_t used = 0;
  text[0] = '\0';
  list_templates(&t);
  for (size_t i = 0; i < t.count; i++)
    used += (size_t)snprintf(text + used, UT_TEMPLATES_SIZE - used, "%s ", t.name[i]);
  return text;
}

static FILE *open_template(const char *name) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/scenarios/templates/%s.yaml", ut_root_dir(), name);
  FILE *f = fopen(path, "r");
  if (!f)
    fprintf(stderr, "uturn: %s: %s\n", path, strerror(errno));
  return f;
}

/* Each with its first line. */
static int print_list(void) {
  struct templates t;
  list_templates(&t);
  for (size_t i = 0; i < t.count; i++) {
    char line[LINE_SIZE] = "";
    FILE *f = open_template(t.name[i]);
    if (!f || !fgets(line, sizeof line, f))
      return UT_INTERNAL;
    fclose(f);
    const char *colon = strchr(line, ':'); /* "# name: what it is" */
    printf("  %-10s %s", t.name[i], colon ? colon + 2 : line);
  }
  printf("\nuturn new TEMPLATE FILE.yaml writes one, uturn new TEMPLATE shows it\n");
  return UT_OK;
}

static int unknown_template(const char *name) {
  struct templates t;
  const char *names[MAX_TEMPLATES];
  char list[UT_TEMPLATES_SIZE];
  list_templates(&t);
  for (size_t i = 0; i < t.count; i++)
    names[i] = t.name[i];
  const char *near = ut_nearest(name, names, t.count);
  fprintf(stderr, "uturn: unknown template '%s'; %s%s%sknown ones: %s\n", name, near ? "did you mean '" : "",
          near ? near : "", near ? "'? " : "", ut_template_names(list));
  return UT_BAD_INPUT;
}

/* ---- what its keys mean */

struct explainer {
  FILE *out;
  const struct ut_family *family; /* of the template so far */
  char path[MAX_DEPTH][64];       /* of the keys that the current line is below */
  size_t indent[MAX_DEPTH], depth;
  bool explained[256]; /* [number of the key] */
};

/* "meaning; values; default X" */
static void key_text(const struct ut_key *key, const struct ut_family *family, char text[2 * UT_KEY_TEXT_SIZE]) {
  char values[UT_KEY_TEXT_SIZE];
  const char *otherwise = key->otherwise ? key->otherwise : key->follows;
  ut_key_values(key, "", family, values);
  snprintf(text, 2 * UT_KEY_TEXT_SIZE, "%s%s%s%s%s", key->text, *values ? "; " : "", values,
           otherwise ? "; default " : "", otherwise ? otherwise : "");
}

/* A line, and the comment beside and below it. */
static void put_line(FILE *out, const char *line, const char *comment) {
  int column = fprintf(out, "%s", line);
  while (*comment) {
    const size_t room = (size_t)(WIDTH - (column > COLUMN ? column + 1 : COLUMN) - 2);
    size_t length = strlen(comment);
    while (length > room) { /* up to the last space that it reaches */
      size_t end = length;
      while (end > 0 && comment[--end] != ' ')
        ;
      if (!end)
        break;
      length = end;
    }
    fprintf(out, "%*s# %.*s\n", column < COLUMN ? COLUMN - column : 1, "", (int)length, comment);
    comment += length + (comment[length] == ' ');
    column = 0;
  }
}

/* The key of a line, and how deep it stands; NULL: it has none. */
static const char *key_of(const char *line, size_t *indent, size_t *length) {
  *indent = strspn(line, " ");
  const char *key = line + *indent;
  key += *key == '#';
  if (!strncmp(key, "- ", 2)) {
    key += 2;
    *indent += 2;
  }
  *length = strspn(key, "abcdefghijklmnopqrstuvwxyz_");
  return *length && key[*length] == ':' ? key : NULL;
}

static void explain_line(struct explainer *x, char *line) {
  size_t indent, length;
  const char *name = key_of(line, &indent, &length);
  line[strcspn(line, "\n")] = '\0';
  const struct ut_key *key = NULL;
  if (name) {
    while (x->depth && x->indent[x->depth - 1] >= indent)
      x->depth--;
    char *path = x->path[x->depth];
    const int size = snprintf(path, sizeof x->path[0], "%s%s%.*s", x->depth ? x->path[x->depth - 1] : "",
                              x->depth ? "." : "", (int)length, name);
    if (size < 0 || (size_t)size >= sizeof x->path[0]) /* no key has such a path */
      *path = '\0';
    x->indent[x->depth] = indent;
    x->depth += x->depth + 1 < MAX_DEPTH;
    key = ut_key_find(path);
    if (!strcmp(path, "topology.kind"))
      x->family = ut_family_find(name + length + 1 + strspn(name + length + 1, " "));
  }
  if (!key || x->explained[key - ut_keys]) {
    fprintf(x->out, "%s\n", line);
    return;
  }
  char text[2 * UT_KEY_TEXT_SIZE];
  x->explained[key - ut_keys] = true;
  key_text(key, x->family, text);
  put_line(x->out, line, text);
}

/* file: what THIS.yaml stands for in its comments. */
static void explain(FILE *template, FILE *out, const char *file) {
  static const char this[] = "THIS.yaml";
  struct explainer x = {.out = out};
  char line[LINE_SIZE];
  while (fgets(line, sizeof line, template)) {
    const char *at = strstr(line, this);
    if (at)
      fprintf(out, "%.*s%s%s", (int)(at - line), line, file, at + strlen(this));
    else
      explain_line(&x, line);
  }
}

/* ---- the command */

static int write_file(const char *path, FILE *template) {
  const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
  FILE *out = descriptor < 0 ? NULL : fdopen(descriptor, "w");
  if (!out) {
    fprintf(stderr, "uturn: %s: %s\n", path,
            errno == EEXIST ? "is there already; choose another name" : strerror(errno));
    return UT_BAD_INPUT;
  }
  explain(template, out, path);
  const bool good = !ferror(out);
  if (fclose(out) || !good) {
    fprintf(stderr, "uturn: %s: cannot be written: %s\n", path, strerror(errno));
    remove(path);
    return UT_BAD_INPUT;
  }
  fprintf(stderr, "uturn: wrote %s; next: uturn run %s\n", path, path);
  return UT_OK;
}

int ut_cmd_new(int argc, char **argv) {
  struct new_options o = {0};
  struct templates t;
  int status;
  if (ut_parse(&ut_argp_new, argc, argv, &o, &status))
    return status;
  if (!o.template)
    return print_list();
  list_templates(&t);
  if (!bsearch(o.template, t.name, t.count, NAME_SIZE, by_name))
    return unknown_template(o.template);
  FILE *template = open_template(o.template);
  if (!template)
    return UT_INTERNAL;
  if (o.file)
    status = write_file(o.file, template);
  else
    explain(template, stdout, "FILE.yaml");
  fclose(template);
  return status;
}
