/* SPDX-License-Identifier: Apache-2.0 */
/* new.c - `uturn new`: writes a scenario or a sweep to start from, with what each key means, takes and defaults to.
 *
 * A template is a scenario or a sweep.  Its lines "key: value", and "#key: value" of keys that it leaves at their
 * defaults, get a comment from the table of keys, each key once.  Keys below `base:` of a sweep, and those of its axes,
 * are keys of scenarios.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "key_text.h"
#include "nearest.h"
#include "output.h"
#include "program_name.h"
#include "sweep_schema.h"
#include "templates.h"

enum { COLUMN = 34, WIDTH = 118, MAX_TEMPLATES = 32, MAX_DEPTH = 8, NAME_SIZE = 32, LINE_SIZE = 512 };

struct new_options {
  const char *template, *file;
};

#define UT_INPUT struct new_options
static const struct ut_option options[] = {
    {.argument = "TEMPLATE", .wants = "template", UT_TEXT(template)},
    {.argument = "FILE.yaml", .wants = "file", UT_TEXT(file)},
    {0},
};
const struct ut_syntax ut_syntax_new = {
    "[TEMPLATE [FILE.yaml]]",
    "Writes a scenario or a sweep to start from into FILE.yaml, or to standard output: it runs as it is, and says of "
    "each key what it means, what it takes and what it is when it is left away.  Without TEMPLATE: lists the "
    "templates.",
    options, NULL};

/* ---- the templates there are */

static const struct kind {
  const char *folder, *command; /* what is next */
  bool sweep;
} kinds[] = {{"scenarios/templates", "run", false}, {"experiments/templates", "sweep", true}};
enum { KINDS = sizeof kinds / sizeof *kinds };

struct template {
  char name[NAME_SIZE];
  const struct kind *kind;
};
struct templates {
  struct template list[MAX_TEMPLATES];
  size_t count;
};

/* Scenarios first. */
static int by_name(const void *a, const void *b) {
  const struct template *x = a, *y = b;
  return x->kind != y->kind ? (x->kind > y->kind) - (x->kind < y->kind) : strcmp(x->name, y->name);
}

static void list_folder(struct templates *templates, const struct kind *kind) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", ut_root_dir(), kind->folder);
  DIR *folder = opendir(path);
  for (const struct dirent *dirent; folder && (dirent = readdir(folder));) {
    const char *dot = strrchr(dirent->d_name, '.');
    if (dirent->d_name[0] == '.' || !dot || strcmp(dot, ".yaml") || dot - dirent->d_name >= NAME_SIZE ||
        templates->count == MAX_TEMPLATES)
      continue;
    snprintf(templates->list[templates->count].name, NAME_SIZE, "%.*s", (int)(dot - dirent->d_name), dirent->d_name);
    templates->list[templates->count++].kind = kind;
  }
  if (folder)
    closedir(folder);
}

static void list_templates(struct templates *templates) {
  templates->count = 0;
  for (size_t i = 0; i < KINDS; i++)
    list_folder(templates, &kinds[i]);
  qsort(templates->list, templates->count, sizeof *templates->list, by_name);
}

static const struct template *find_template(const struct templates *templates, const char *name) {
  size_t i = 0;
  while (i < templates->count && strcmp(templates->list[i].name, name))
    i++;
  return i < templates->count ? &templates->list[i] : NULL;
}

const char *ut_template_names(char text[UT_TEMPLATES_SIZE]) {
  struct templates templates;
  size_t used = 0;
  text[0] = '\0';
  list_templates(&templates);
  for (size_t i = 0; i < templates.count; i++)
    used += (size_t)snprintf(text + used, UT_TEMPLATES_SIZE - used, "%s ", templates.list[i].name);
  return text;
}

static FILE *open_template(const struct template *template) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s/%s.yaml", ut_root_dir(), template->kind->folder, template->name);
  FILE *f = fopen(path, "r");
  if (!f)
    fprintf(stderr, "uturn: %s: %s\n", path, strerror(errno));
  return f;
}

/* Each with its first line. */
static int print_list(void) {
  struct templates templates;
  list_templates(&templates);
  for (size_t i = 0; i < templates.count; i++) {
    char line[LINE_SIZE] = "";
    FILE *f = open_template(&templates.list[i]);
    if (!f || !fgets(line, sizeof line, f))
      return UT_BAD_INPUT;
    fclose(f);
    if (!i || templates.list[i].kind != templates.list[i - 1].kind)
      printf("%s%s\n", i ? "\n" : "", templates.list[i].kind->sweep ? "Sweeps:" : "Scenarios:");
    const char *colon = strchr(line, ':'); /* "# name: what it is" */
    printf("  %-18s %s", templates.list[i].name, colon ? colon + 2 : line);
  }
  printf("\n%s new TEMPLATE FILE.yaml writes one, %s new TEMPLATE shows it\n", ut_program_name(), ut_program_name());
  return UT_OK;
}

static int unknown_template(const struct templates *templates, const char *name) {
  const char *names[MAX_TEMPLATES];
  char list[UT_TEMPLATES_SIZE];
  for (size_t i = 0; i < templates->count; i++)
    names[i] = templates->list[i].name;
  const char *near = ut_nearest(name, names, templates->count);
  fprintf(stderr, "uturn: unknown template '%s'; %s%s%sknown ones: %s\n", name, near ? "did you mean '" : "",
          near ? near : "", near ? "'? " : "", ut_template_names(list));
  return UT_BAD_INPUT;
}

/* ---- what its keys mean */

struct explainer {
  FILE *out;
  bool sweep;
  const struct ut_family *family; /* of the template so far */
  char path[MAX_DEPTH][64];       /* of the keys that the current line is below */
  size_t indent[MAX_DEPTH], depth;
  bool explained[256], explained_sweep[64]; /* [number of the key] */
};

/* "meaning; values; default X" */
static void put_text(const char *text, const char *values, const char *otherwise, char out[2 * UT_KEY_TEXT_SIZE]) {
  snprintf(out, 2 * UT_KEY_TEXT_SIZE, "%s%s%s%s%s", text, *values ? "; " : "", values, otherwise ? "; default " : "",
           otherwise ? otherwise : "");
}

/* Of a key of a scenario, the first time; false: it is none, or it has been explained. */
static bool scenario_text(struct explainer *explainer, const char *path, char text[2 * UT_KEY_TEXT_SIZE]) {
  const struct ut_key *key = ut_key_find(path);
  char values[UT_KEY_TEXT_SIZE];
  if (!key || explainer->explained[key - ut_keys])
    return false;
  explainer->explained[key - ut_keys] = true;
  put_text(key->text, ut_key_values(key, "", explainer->family, values), key->otherwise ? key->otherwise : key->follows,
           text);
  return true;
}

/* The same of a key of a sweep. */
static bool sweep_text(struct explainer *explainer, const char *path, char text[2 * UT_KEY_TEXT_SIZE]) {
  const struct ut_sweep_key *key = ut_sweep_key_find(path);
  char values[UT_KEY_TEXT_SIZE];
  if (!key || explainer->explained_sweep[key - ut_sweep_keys])
    return false;
  explainer->explained_sweep[key - ut_sweep_keys] = true;
  put_text(key->text, ut_sweep_key_values(key, "", values), key->otherwise ? key->otherwise : key->follows, text);
  return true;
}

/* What is left of a path below a group; NULL: it is not there. */
static const char *path_below(const char *path, const char *group) {
  const size_t length = strlen(group);
  return strncmp(path, group, length) || path[length] != '.' ? NULL : path + length + 1;
}

/* A line, and the comment beside and below it. */
static void put_line(FILE *out, const char *line, const char *comment) {
  int column = fprintf(out, "%s", line);
  if (!*comment)
    fputc('\n', out);
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
  *length = strspn(key, "abcdefghijklmnopqrstuvwxyz_.");
  return *length && key[*length] == ':' ? key : NULL;
}

static void explain_line(struct explainer *explainer, char *line) {
  size_t indent, length;
  const char *name = key_of(line, &indent, &length);
  char text[2 * UT_KEY_TEXT_SIZE] = "";
  line[strcspn(line, "\n")] = '\0';
  if (name) {
    while (explainer->depth && explainer->indent[explainer->depth - 1] >= indent)
      explainer->depth--;
    char *path = explainer->path[explainer->depth];
    const int size = snprintf(path, sizeof explainer->path[0], "%s%s%.*s",
                              explainer->depth ? explainer->path[explainer->depth - 1] : "",
                              explainer->depth ? "." : "", (int)length, name);
    if (size < 0 || (size_t)size >= sizeof explainer->path[0]) /* no key has such a path */
      *path = '\0';
    explainer->indent[explainer->depth] = indent;
    explainer->depth += explainer->depth + 1 < MAX_DEPTH;
    const char *base = path_below(path, "base"), *axis = path_below(path, "axes"), *zip = path_below(path, "axes.zip");
    const char *scenario = !explainer->sweep ? path : base ? base : zip ? zip : axis;
    if (scenario && !strcmp(scenario, "topology.kind"))
      explainer->family = ut_family_find(name + length + 1 + strspn(name + length + 1, " "));
    if (!(explainer->sweep && sweep_text(explainer, path, text)) && scenario)
      scenario_text(explainer, scenario, text);
  }
  put_line(explainer->out, line, text);
}

/* file: what THIS.yaml stands for in its comments. */
static void explain(FILE *template, const struct kind *kind, FILE *out, const char *file) {
  static const char this[] = "THIS.yaml";
  struct explainer explainer = {.out = out, .sweep = kind->sweep};
  char line[LINE_SIZE];
  while (fgets(line, sizeof line, template)) {
    const char *at = strstr(line, this);
    if (at)
      fprintf(out, "%.*s%s%s", (int)(at - line), line, file, at + strlen(this));
    else
      explain_line(&explainer, line);
  }
}

/* ---- the network beside a template */

/* The name of the file beside a template that it reads, in the folder of `path`; false: it reads none. */
static bool network_beside(const struct template *template, const char *path, char from[PATH_MAX], char to[PATH_MAX]) {
  const char *slash = strrchr(path, '/');
  snprintf(from, PATH_MAX, "%s/%s/%s.anynet", ut_root_dir(), template->kind->folder, template->name);
  const int size = snprintf(to, PATH_MAX, "%.*s%s.anynet", slash ? (int)(slash + 1 - path) : 0, path, template->name);
  return access(from, R_OK) == 0 && size > 0 && size < PATH_MAX;
}

static int copy_network(const char *from, const char *to, struct ut_error *e) {
  struct ut_output out;
  char line[LINE_SIZE];
  FILE *f = fopen(from, "r");
  if (!f)
    return ut_fail(e, UT_BAD_INPUT, "%s: %s", from, strerror(errno));
  int status = ut_output_open(&out, to, UT_OUTPUT_REGULAR, e);
  while (!status && fgets(line, sizeof line, f))
    fputs(line, out.file);
  fclose(f);
  return status || ut_output_close(&out, e) ? -1 : 0;
}

/* Writes it, unless there is a file of that name: it stays, and is said to. */
static int write_network(const struct template *template, const char *path) {
  char from[PATH_MAX], to[PATH_MAX];
  struct stat there;
  struct ut_error e;
  if (!network_beside(template, path, from, to))
    return UT_OK;
  const bool stays = lstat(to, &there) == 0;
  if (!stays && copy_network(from, to, &e))
    return ut_print_error(&e);
  fprintf(stderr, stays ? "uturn: %s is there already, and stays as it is\n" : "uturn: wrote %s\n", to);
  return UT_OK;
}

/* ---- the command */

static int write_file(const char *path, FILE *file, const struct template *template) {
  struct ut_output out;
  struct ut_error e;
  struct stat there;
  if (lstat(path, &there) == 0) {
    ut_fail(&e, UT_BAD_INPUT, "%s: is there already; choose another name", path);
    return ut_print_error(&e);
  }
  if (ut_output_open(&out, path, UT_OUTPUT_REGULAR, &e))
    return ut_print_error(&e);
  explain(file, template->kind, out.file, path);
  if (ut_output_close(&out, &e))
    return ut_print_error(&e);
  const int status = write_network(template, path);
  if (!status)
    fprintf(stderr, "uturn: wrote %s; next: %s %s %s\n", path, ut_program_name(), template->kind->command, path);
  return status;
}

int ut_cmd_new(int argc, char **argv) {
  struct new_options options = {0};
  struct templates templates;
  int status;
  if (ut_parse(&ut_syntax_new, argc, argv, &options, &status))
    return status;
  if (!options.template)
    return print_list();
  list_templates(&templates);
  const struct template *template = find_template(&templates, options.template);
  if (!template)
    return unknown_template(&templates, options.template);
  FILE *f = open_template(template);
  if (!f)
    return UT_BAD_INPUT;
  if (options.file)
    status = write_file(options.file, f, template);
  else
    explain(f, template->kind, stdout, "FILE.yaml");
  fclose(f);
  return status;
}
