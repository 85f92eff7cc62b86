/* SPDX-License-Identifier: Apache-2.0 */
/* check_theorems.c - checks a certificate of `uturn prove --parametric` (docs/reference/certificate.md) and shares no
 * code with what wrote it: no header of the project, no library but C's.  It only multiplies and adds polynomials.
 *
 *   cc -O2 -o check_theorems tools/check_theorems.c && ./check_theorems FILE
 *
 * Accepted means, for all integers that satisfy what is assumed:
 *   hop    the rank of the state behind it is higher than that of the state before it, in lexicographic order;
 *   most   no rank is above the bound;
 *   claim  what it shows is not negative.
 * "by D: c #a #b, ..." shows that a goal is not negative: D times the goal is the sum of c times assumption a times
 * assumption b, monomial by monomial, and D and all c are positive.
 * Exit status: 0 accepted, 1 refused, 2 not readable, or the answer cannot be written.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NAMES = 12, MONOMIALS = 64, WORD = 40, LINE = 400, KINDS = 32, TEXTS = 8, RANKS = 3, ASSUMED = 24, DEGREE = 9 };

static const char *path;
static unsigned line;

/* Prints what somebody else has written without what could make a terminal say something else. */
static void say(FILE *f, const char *text) {
  for (; *text; text++)
    fprintf(f, *text < ' ' || *text > '~' ? "\\x%02x" : "%c", (unsigned char)*text);
}

static void refuse(const char *format, ...) {
  char text[2 * LINE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  say(stderr, path);
  fprintf(stderr, ":%u: refused: ", line);
  say(stderr, text);
  fprintf(stderr, "\n");
  exit(1);
}

/* ---- polynomials: sums of monomials, each once, none with factor 0 */

struct monomial {
  uint8_t power[NAMES];
  int64_t factor;
};
struct poly {
  unsigned count;
  struct monomial monomial[MONOMIALS];
};

static int64_t times(int64_t a, int64_t b) {
  int64_t product;
  if (__builtin_mul_overflow(a, b, &product))
    refuse("numbers are too large");
  return product;
}

static void add_monomial(struct poly *p, const uint8_t *power, int64_t factor) {
  unsigned i = 0;
  while (i < p->count && memcmp(p->monomial[i].power, power, NAMES))
    i++;
  if (i == p->count) {
    if (i == MONOMIALS)
      refuse("more than %d monomials", MONOMIALS);
    memcpy(p->monomial[p->count++].power, power, NAMES);
    p->monomial[i].factor = 0;
  }
  if (__builtin_add_overflow(p->monomial[i].factor, factor, &p->monomial[i].factor))
    refuse("numbers are too large");
  if (p->monomial[i].factor == 0)
    p->monomial[i] = p->monomial[--p->count];
}

static struct poly number(int64_t value) {
  const uint8_t none[NAMES] = {0};
  struct poly p = {0};
  add_monomial(&p, none, value);
  return p;
}

static struct poly variable(unsigned name) {
  uint8_t power[NAMES] = {0};
  struct poly p = {0};
  power[name] = 1;
  add_monomial(&p, power, 1);
  return p;
}

static void add(struct poly *sum, const struct poly *p, int64_t factor) {
  for (unsigned i = 0; i < p->count; i++)
    add_monomial(sum, p->monomial[i].power, times(factor, p->monomial[i].factor));
}

static struct poly multiply(const struct poly *a, const struct poly *b) {
  struct poly product = {0};
  for (unsigned i = 0; i < a->count; i++)
    for (unsigned j = 0; j < b->count; j++) {
      uint8_t power[NAMES];
      for (unsigned name = 0; name < NAMES; name++) {
        power[name] = (uint8_t)(a->monomial[i].power[name] + b->monomial[j].power[name]);
        if (power[name] > DEGREE)
          refuse("a power above %d", DEGREE);
      }
      add_monomial(&product, power, times(a->monomial[i].factor, b->monomial[j].factor));
    }
  return product;
}

/* ---- the theorem that is being read */

struct words {
  unsigned count;
  char word[NAMES][WORD];
};
struct kind {
  char name[WORD];
  struct words parameter;
  unsigned ranges, ranks;
  char range[TEXTS][LINE], rank[RANKS][LINE];
};
static struct {
  char title[LINE];
  struct words given, all; /* all: given, and names of hops and claims */
  unsigned assumes, kinds;
  char assume[TEXTS][LINE];
  struct kind kind[KINDS];
} now;
static unsigned theorems, hops, claims, bounds;

/* Names that a text may use: words, and parameters, which stand for polynomials. */
struct scope {
  const struct words *word, *parameter;
  const struct poly *argument;
};

static void split(struct words *w, const char *text) {
  int length;
  char word[WORD];
  w->count = 0;
  for (; sscanf(text, " %39[a-z_]%n", word, &length) == 1; text += length) {
    if (w->count == NAMES)
      refuse("more than %d names", NAMES);
    strcpy(w->word[w->count++], word);
  }
  if (text[strspn(text, " ")])
    refuse("'%s' is no name", text);
}

static unsigned place_of(const struct words *w, const char *name) {
  unsigned i = 0;
  while (w && i < w->count && strcmp(w->word[i], name))
    i++;
  return i;
}

/* ---- reading polynomials; *text moves on */

static struct poly read_sum(const char **text, const struct scope *scope);

static char next_character(const char **text) {
  *text += strspn(*text, " ");
  return **text;
}

static struct poly read_atom(const char **text, const struct scope *scope) {
  char name[WORD];
  int length;
  if (next_character(text) == '(') {
    ++*text;
    const struct poly p = read_sum(text, scope);
    if (next_character(text) != ')')
      refuse("')' is missing before '%s'", *text);
    ++*text;
    return p;
  }
  if (isdigit((unsigned char)**text)) {
    unsigned value;
    if (sscanf(*text, "%9u%n", &value, &length) != 1)
      refuse("'%s' is no number", *text);
    *text += length;
    return number(value);
  }
  if (sscanf(*text, "%39[a-z_]%n", name, &length) != 1)
    refuse("'%s' is no number or name", *text);
  *text += length;
  unsigned i = place_of(scope->parameter, name);
  if (scope->parameter && i < scope->parameter->count)
    return scope->argument[i];
  i = place_of(scope->word, name);
  if (i == scope->word->count)
    refuse("'%s' is not known here", name);
  return variable(i);
}

static struct poly read_product(const char **text, const struct scope *scope) {
  struct poly product = read_atom(text, scope);
  while (next_character(text) == '*') {
    ++*text;
    const struct poly factor = read_atom(text, scope);
    product = multiply(&product, &factor);
  }
  return product;
}

static struct poly read_sum(const char **text, const struct scope *scope) {
  struct poly sum = {0};
  int64_t sign = 1;
  if (next_character(text) == '-')
    sign = -1, ++*text;
  for (;;) {
    const struct poly p = read_product(text, scope);
    add(&sum, &p, sign);
    const char c = next_character(text);
    if (c != '+' && c != '-')
      return sum;
    sign = c == '+' ? 1 : -1, ++*text;
  }
}

static struct poly read_poly(const char *text, const struct scope *scope) {
  const struct poly p = read_sum(&text, scope);
  if (*text)
    refuse("'%s' follows a polynomial", text);
  return p;
}

/* ---- what is assumed, and proofs */

/* Reads digits, without a sign, behind a prefix; returns how many characters; 0: there is no such number. */
static int read_number(const char *from, const char *prefix, unsigned *value) {
  const size_t length = strlen(prefix);
  int digits;
  if (strncmp(from, prefix, length) || !isdigit((unsigned char)from[length]) ||
      sscanf(from + length, "%9u%n", value, &digits) != 1)
    return 0;
  return (int)length + digits;
}

static struct {
  unsigned count;
  struct poly poly[ASSUMED];
} assumed;

static void assume(const char *text, const struct scope *scope) {
  if (assumed.count == ASSUMED)
    refuse("more than %d assumptions", ASSUMED);
  assumed.poly[assumed.count++] = read_poly(text, scope);
}

static void assume_given(void) {
  const struct scope all = {&now.all, NULL, NULL};
  assumed.count = 0;
  for (unsigned i = 0; i < now.assumes; i++)
    assume(now.assume[i], &all);
}

struct place {
  const struct kind *kind;
  struct poly argument[NAMES];
};

static struct scope scope_of(const struct place *place) {
  return (struct scope){&now.given, &place->kind->parameter, place->argument};
}

static void assume_range(const struct place *place) {
  const struct scope scope = scope_of(place);
  for (unsigned i = 0; i < place->kind->ranges; i++)
    assume(place->kind->range[i], &scope);
}

static struct poly rank_of(const struct place *place, unsigned i) {
  const struct scope scope = scope_of(place);
  return read_poly(place->kind->rank[i], &scope);
}

/* Reads a part "c #a #b" of a proof and adds it. */
static const char *read_part(struct poly *sum, const char *text) {
  unsigned factor = 0, which;
  int length = read_number(text, " ", &factor);
  if (factor == 0)
    refuse("'%s' is no positive number", text);
  struct poly product = number(factor);
  for (text += length; (length = read_number(text, " #", &which)); text += length) {
    if (which < 1 || which > assumed.count)
      refuse("#%u: there are %u assumptions", which, assumed.count);
    product = multiply(&product, &assumed.poly[which - 1]);
  }
  add(sum, &product, 1);
  return text;
}

/* Whether a line "by ..." shows that goal - least is not negative. */
static bool shows(const char *proof, const struct poly *goal, int64_t least) {
  unsigned divisor = 0;
  const int length = read_number(proof, "by ", &divisor);
  if (divisor == 0)
    refuse("'%s' is no proof", proof);
  const struct poly minus = number(-least);
  struct poly wanted = *goal, rest = {0};
  add(&wanted, &minus, 1);
  add(&rest, &wanted, -(int64_t)divisor);
  for (proof += length; *proof == ':' || *proof == ',';)
    proof = read_part(&rest, proof + 1);
  if (*proof)
    refuse("'%s' follows a proof", proof);
  return rest.count == 0;
}

/* ---- lines */

static char text[LINE];

/* The next line that is no comment; "" at the end. */
static void next_line(FILE *f) {
  do {
    line++;
    if (!fgets(text, sizeof text, f)) {
      text[0] = '\0';
      return;
    }
    char *end = strchr(text, '\n');
    if (!end)
      refuse("a line is too long, or has no end");
    *end = '\0';
  } while (text[0] == '#' || text[0] == '\0');
}

/* What follows a word that the line begins with; NULL: it does not. */
static const char *after(const char *word) {
  const size_t length = strlen(word);
  return strncmp(text, word, length) == 0 && text[length] == ' ' ? text + length + 1 : NULL;
}

/* Takes lines that begin with the word into a list. */
static unsigned take_list(FILE *f, const char *word, char (*list)[LINE], unsigned most) {
  unsigned count = 0;
  for (const char *rest; (rest = after(word)); next_line(f)) {
    if (count == most)
      refuse("more than %u lines '%s'", most, word);
    strcpy(list[count++], rest);
  }
  return count;
}

static void read_kind(FILE *f, const char *rest) {
  struct kind *kind = &now.kind[now.kinds];
  int length = 0;
  if (now.kinds++ == KINDS || sscanf(rest, "%39[a-z_0-9]%n", kind->name, &length) != 1)
    refuse("too many kinds, or one without a name");
  for (unsigned i = 0; i + 1 < now.kinds; i++)
    if (!strcmp(now.kind[i].name, kind->name))
      refuse("a second kind '%s'", kind->name);
  split(&kind->parameter, rest + length);
  next_line(f);
  kind->ranges = take_list(f, "range", kind->range, TEXTS);
  kind->ranks = take_list(f, "rank", kind->rank, RANKS);
  if (kind->ranks == 0 || kind->ranks != now.kind[0].ranks)
    refuse("kind '%s' has %u ranks", kind->name, kind->ranks);
}

/* Reads KIND(POLYNOMIAL, ...) or KIND(). */
static void read_place(struct place *place, const char **at) {
  const struct scope all = {&now.all, NULL, NULL};
  char name[WORD];
  int length = 0;
  unsigned i = 0, count = 0;
  if (sscanf(*at, " %39[a-z_0-9]%n", name, &length) != 1)
    refuse("'%s': a kind is missing", *at);
  while (i < now.kinds && strcmp(now.kind[i].name, name))
    i++;
  if (i == now.kinds)
    refuse("there is no kind '%s'", name);
  place->kind = &now.kind[i];
  *at += length;
  if (strncmp(*at, "()", 2) == 0)
    ++*at;
  for (; (count == 0 && **at == '(') || **at == ',';) {
    ++*at;
    if (count == place->kind->parameter.count)
      refuse("kind '%s' has %u parameters", name, count);
    place->argument[count++] = read_sum(at, &all);
  }
  if (count != place->kind->parameter.count || **at != ')')
    refuse("kind '%s' has %u parameters", name, place->kind->parameter.count);
  ++*at;
}

/* ---- what a theorem consists of */

static void check_hop(FILE *f, const char *rest) {
  static struct place from, to;
  const struct scope all = {&now.all, NULL, NULL};
  char name[WORD];
  int length = 0;
  if (sscanf(rest, "%39[a-z_0-9]%n", name, &length) != 1)
    refuse("a hop has no name");
  rest += length;
  read_place(&from, &rest);
  if (strncmp(rest, " -> ", 4))
    refuse("hop %s: ' -> ' is missing", name);
  rest += 4;
  read_place(&to, &rest);
  if (*rest)
    refuse("'%s' follows a hop", rest);
  assume_given();
  assume_range(&from);
  assume_range(&to);
  for (next_line(f); (rest = after("when")); next_line(f))
    assume(rest, &all);
  for (unsigned i = 0; i < from.kind->ranks; i++, next_line(f)) {
    const struct poly before = rank_of(&from, i);
    struct poly rise = rank_of(&to, i);
    add(&rise, &before, -1);
    if (shows(text, &rise, 1)) {
      hops++;
      next_line(f);
      return;
    }
    if (!shows(text, &rise, 0))
      break;
  }
  refuse("hop %s: the rank is not shown to rise", name);
}

static void check_most(FILE *f, unsigned i, const char *rest) {
  static struct place place;
  const struct scope all = {&now.all, NULL, NULL};
  char bound[LINE];
  strcpy(bound, rest);
  if (now.kinds == 0 || i >= now.kind[0].ranks)
    refuse("there is no rank %u", i + 1);
  for (unsigned kind = 0; kind < now.kinds; kind++) {
    next_line(f);
    place.kind = &now.kind[kind];
    if (now.given.count + place.kind->parameter.count > NAMES)
      refuse("too many names");
    for (unsigned j = 0; j < place.kind->parameter.count; j++)
      place.argument[j] = variable(now.given.count + j);
    assume_given();
    assume_range(&place);
    const struct poly rank = rank_of(&place, i);
    struct poly space = read_poly(bound, &all);
    add(&space, &rank, -1);
    if (!shows(text, &space, 0))
      refuse("kind %s: the rank is not shown to be at most %s", place.kind->name, bound);
    bounds++;
  }
  next_line(f);
}

static void check_claim(FILE *f, const char *rest) {
  const struct scope all = {&now.all, NULL, NULL};
  char name[LINE];
  strcpy(name, rest);
  assume_given();
  for (next_line(f); (rest = after("when")); next_line(f))
    assume(rest, &all);
  if (!(rest = after("shows")))
    refuse("claim %s shows nothing", name);
  const struct poly goal = read_poly(rest, &all);
  next_line(f);
  if (!shows(text, &goal, 0))
    refuse("claim %s is not shown", name);
  claims++;
  next_line(f);
}

/* Names that bounds and assumptions use are `given`: in `most` and `range` the others stand for parameters. */
static void check_scope(const char *rest) {
  const struct scope given = {&now.given, NULL, NULL};
  read_poly(rest, &given);
}

static void read_names(FILE *f) {
  char both[2 * LINE];
  const char *rest = after("given");
  if (!rest)
    refuse("'given' is missing");
  split(&now.given, rest);
  strcpy(both, rest);
  next_line(f);
  if (!(rest = after("names")))
    refuse("'names' is missing");
  strcat(strcat(both, " "), rest);
  split(&now.all, both);
  next_line(f);
}

static void check_theorem(FILE *f) {
  const char *rest = after("theorem");
  unsigned mosts = 0;
  if (!rest)
    refuse("a theorem is missing");
  memset(&now, 0, sizeof now);
  hops = claims = bounds = 0;
  strcpy(now.title, rest);
  next_line(f);
  read_names(f);
  now.assumes = take_list(f, "assume", now.assume, TEXTS);
  for (unsigned i = 0; i < now.assumes; i++)
    check_scope(now.assume[i]);
  while ((rest = after("kind")))
    read_kind(f, rest);
  for (; (rest = after("most")); mosts++) {
    check_scope(rest);
    check_most(f, mosts, rest);
  }
  while ((rest = after("hop")))
    check_hop(f, rest);
  while ((rest = after("claim")))
    check_claim(f, rest);
  if (strcmp(text, "end"))
    refuse("'%s' is not known here", text);
  next_line(f);
  theorems++;
  printf("  ");
  say(stdout, now.title);
  printf("\n    %u kinds of hops, %u claims, %u bounds of ranks\n", hops, claims, bounds);
}

int main(int argc, char **argv) {
  struct stat there;
  path = argc == 2 ? argv[1] : "";
  const bool is_file = argc == 2 && stat(path, &there) == 0 && S_ISREG(there.st_mode);
  FILE *f = is_file ? fopen(path, "r") : NULL;
  if (!f) {
    say(stderr, argc == 2 ? path : "usage: check_theorems FILE");
    fprintf(stderr, argc == 2 ? ": cannot be read, or is no file\n" : "\n");
    return 2;
  }
  next_line(f);
  if (strcmp(text, "uturn theorems 1"))
    refuse("it does not begin with 'uturn theorems 1'");
  next_line(f);
  if (!after("algorithm"))
    refuse("'algorithm' is missing");
  printf("theorems about ");
  say(stdout, after("algorithm"));
  printf(", for all integers that satisfy their assumptions\n");
  for (next_line(f); text[0];)
    check_theorem(f);
  fclose(f);
  if (theorems == 0)
    refuse("there is no theorem");
  say(stdout, path);
  printf(": accepted: %u theorems, if the switches make these kinds of hops only\n", theorems);
  if (fflush(stdout) == 0 && !ferror(stdout))
    return 0;
  fprintf(stderr, "accepted, but that cannot be written to standard output\n");
  return 2;
}
