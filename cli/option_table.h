/* SPDX-License-Identifier: Apache-2.0 */
/* option_table.h - the options of a command as a table: --help, manual page, completion and the parser read it.
 *
 * A row says how an option is written, what it means, who reads its value, and which member of the command's struct
 * takes it.  A file that has a table defines UT_INPUT as that struct:
 *
 *   #define UT_INPUT struct run_options
 *   static const struct ut_option options[] = {
 *       {"seeds", 0, "N", "seeds of --compare; default 5", UT_COUNT(seeds), .most = UT_MAX_SEEDS, .with = "compare"},
 *       UT_ONE_SCENARIO(path),
 *       {0},
 *   };
 *
 * The argument of an option says what it takes, and completion reads it: words side by side ("rtl|gate"), in capitals
 * what is to be filled in: FILE, FILE.fst (files), DIR, SCENARIO, TEMPLATE, COMMAND, N and others.
 */
#ifndef UT_OPTION_TABLE_H
#define UT_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

struct ut_option;
struct ut_syntax;

/* Reads a value of the option (NULL: it has none) into the member.  -1 and *e: it is none. */
typedef int ut_read_value(const struct ut_option *o, void *into, const char *text, struct ut_error *e);

struct ut_option {
  const char *name; /* without the hyphens; NULL: a positional argument */
  char letter;      /* short name; 0: none */
  const char *argument, *help;
  ut_read_value *read;
  size_t at, size;            /* the member that takes the value */
  size_t given;               /* 1 + the place of a bool that becomes true, too; 0: none */
  uint64_t most;              /* the highest number, or how many there can be; 0: as many as there is room for */
  const char *wants;          /* for messages: of a real number what it means, of a positional argument the noun */
  const char *missing;        /* of a positional argument: the question where it is missing; NULL: it can be left out */
  const char *with, *without; /* another option that must be given, or must not */
  const struct ut_syntax *group; /* instead of an option: those of a group, whose struct is the member */
  int section;                   /* in the help, from 0 on */
  bool hidden;
};

/* A command's options, or a group of them that commands share. */
struct ut_syntax {
  const char *arguments, *about;                 /* of a command, for its help */
  const struct ut_option *option;                /* ended by {0} */
  int (*check)(void *input, struct ut_error *e); /* of all values together, when all have been read; NULL: nothing */
};

/* ---- members, by the reader of their values; the text is that of the command line */

#define UT_MEMBER(member) .at = offsetof(UT_INPUT, member), .size = sizeof(((UT_INPUT *)0)->member)
#define UT_GIVEN(member) .given = 1 + offsetof(UT_INPUT, member)
#define UT_OWN(reader, member) .read = (reader), UT_MEMBER(member)
#define UT_FLAG(member) .read = ut_read_flag, UT_MEMBER(member)   /* bool: becomes true */
#define UT_TEXT(member) .read = ut_read_text, UT_MEMBER(member)   /* const char * */
#define UT_FILE(member) .read = ut_read_file, UT_MEMBER(member)   /* the same, with an ending of the argument */
#define UT_TEXTS(member) .read = ut_read_texts, UT_MEMBER(member) /* struct ut_texts: given several times */
#define UT_NAMES(member) .read = ut_read_names, UT_MEMBER(member) /* struct ut_names: all positional arguments */
#define UT_WORD(member) .read = ut_read_word, UT_MEMBER(member)   /* const char *: one of the argument's words */
#define UT_CHOICE(member)                                                                                              \
  .read = ut_read_choice, UT_MEMBER(member)                         /* bool, unsigned or enum: its number, from 0 on   \
                                                                     */
#define UT_ONE_WORD .read = ut_read_choice                          /* no member: the argument's only word */
#define UT_NUMBER(member) .read = ut_read_number, UT_MEMBER(member) /* uint64_t or unsigned */
#define UT_COUNT(member) .read = ut_read_count, UT_MEMBER(member)   /* the same, at least 1 */
#define UT_REAL(member) .read = ut_read_real, UT_MEMBER(member)     /* double, not negative */
#define UT_AMOUNT(member) .read = ut_read_amount, UT_MEMBER(member) /* double above 0 */
#define UT_RANGE(member) .read = ut_read_range, UT_MEMBER(member)   /* unsigned[2]: "N" or "A..B" */
#define UT_LOADS(member) .read = ut_read_loads, UT_MEMBER(member)   /* struct ut_load_range: "FROM:TO:STEP" */

/* Whole rows: those of a group; what many commands have. */
#define UT_GROUP(syntax, member)                                                                                       \
  { .group = &(syntax), UT_MEMBER(member) }
#define UT_JSON(member)                                                                                                \
  { "json", 0, NULL, "one JSON object on standard output, nothing else", UT_FLAG(member) }
#define UT_RTL(member)                                                                                                 \
  { "rtl", 0, "DIR", "folder of ut_switch.v, instead of rtl/: your own changed RTL", UT_TEXT(member) }
#define UT_LIBERTY(member)                                                                                             \
  { "liberty", 0, "osu018|osu035|FILE", "the cells, default osu018", UT_TEXT(member) }
#define UT_ONE_SCENARIO(member)                                                                                        \
  { .argument = "SCENARIO", .wants = "scenario", .missing = UT_WHICH_SCENARIO, UT_TEXT(member) }
#define UT_FAULT(member)                                                                                               \
  {                                                                                                                    \
    "fault", 0, "NAME",                                                                                                \
        "one more fault, named as net, prove and tolerance print it: 'link 0.6-1.5', or 'switch 2.9 in cycles "        \
        "100-199'; may be given several times",                                                                        \
        UT_TEXTS(member), .wants = "a scenario can have more"                                                          \
  }
#define UT_SCENARIOS(member, at_most)                                                                                  \
  { .argument = "SCENARIO", .wants = "scenario", .missing = UT_WHICH_SCENARIO, .most = (at_most), UT_NAMES(member) }
#define UT_WHICH_SCENARIO "which scenario?  For example scenarios/demo.yaml"

enum { UT_MAX_TEXTS = 64, UT_MAX_SMALL_COUNT = 1000000 }; /* the latter: where an unsigned has no `most` of its own */
struct ut_texts {
  const char *text[UT_MAX_TEXTS];
  unsigned count;
};
struct ut_names {
  const char *const *name;
  size_t count;
};
/* Flits per cycle and terminal. */
struct ut_load_range {
  double from, to, step;
};

ut_read_value ut_read_flag, ut_read_text, ut_read_file, ut_read_texts, ut_read_word, ut_read_choice, ut_read_number,
    ut_read_count, ut_read_real, ut_read_amount, ut_read_range, ut_read_loads;
/* Marks a row; the parser hands over all words at once. */
ut_read_value ut_read_names;

/* Word number i of an argument "a|b|c", of *length characters; NULL: there are no more. */
const char *ut_option_word(const char *argument, unsigned i, size_t *length);

/* Parses with usage on error turned into exit status 2.  -1: *status is the exit status (also after --help). */
int ut_parse(const struct ut_syntax *syntax, int argc, char **argv, void *input, int *status);

#endif
