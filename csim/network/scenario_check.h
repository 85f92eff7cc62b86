/* scenario_check.h - what a scenario's keys together make impossible. */
#ifndef UT_SCENARIO_CHECK_H
#define UT_SCENARIO_CHECK_H

#include "algorithms.h"
#include "scenario.h"
#include "scenario_document.h"

/* What the checks of one scenario pass on. */
struct ut_check {
  const struct ut_scenario *s;
  struct ut_document *d; /* or NULL */
  struct ut_error *e;
};

/* Whether the file has that key. */
bool ut_check_given(const struct ut_check *c, const char *path);
/* The first of two keys that the file has, to blame it for what follows from both. */
const char *ut_check_blamed(const struct ut_check *c, const char *path, const char *other);
/* The error at the value of the key `path`, or, when it has its default value, at what it would belong to. -1 */
int ut_impossible(const struct ut_check *c, const char *path, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* base^exponent, not beyond UINT64_MAX. */
uint64_t ut_power(uint64_t base, unsigned exponent);
/* k 2..most and k^n terminals, of a network of levels called `what`. */
int ut_check_levels(const struct ut_check *c, unsigned most, const char *what);

/* The local ports of a network where every switch has terminals, beside so many others. */
int ut_check_local_ports(const struct ut_check *c, unsigned network_ports);

/* Whether networks of that family can have that algorithm. */
bool ut_algorithm_fits(const struct ut_algorithm *a, const struct ut_family *family);
/* The scenario's algorithm; NULL when its topology has none of that name. */
const struct ut_algorithm *ut_scenario_algorithm(const struct ut_scenario *s);

/* d: the document of the scenario, to name the place; NULL: the messages name the key only.  0, or -1 and *e. */
/* The keys of `topology:` only. */
int ut_scenario_check_topology(const struct ut_scenario *s, struct ut_document *d, struct ut_error *e);
int ut_scenario_check_shape(const struct ut_scenario *s, struct ut_document *d, struct ut_error *e);
int ut_scenario_check(const struct ut_scenario *s, struct ut_document *d, struct ut_error *e);

#endif
