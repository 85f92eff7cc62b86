/* SPDX-License-Identifier: Apache-2.0 */
/* prove_parametric.c - see prove_parametric.h */
#include "prove_parametric.h"

#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "output.h"
#include "result.h"
#include "theorem.h"

static const char layout[] = "{algorithm}, for all {sizes}\n"
                             "{#theorems}  {theorem}: {?proven}proven: {says}{:}not proven: {says}{/}\n"
                             "    {hops} kinds of hops, {claims} claims, {bounds} bounds of ranks\n"
                             "{?failing}    fails: {failing}{?example}, with {example}{/}\n{/}{/}";

/* Every theorem of the algorithm.  Returns their number; *proven: all are; *sizes: of which networks. */
static unsigned prove_all(const char *algorithm, FILE *file, json_t *list, bool *proven, const char **sizes,
                          struct ut_error *e) {
  unsigned count = 0;
  const struct ut_theorem *t;
  for (unsigned i = 0; (t = ut_theorem_at(i)); i++) {
    struct ut_theorem_proof proof;
    if (strcmp(t->algorithm, algorithm))
      continue;
    if (ut_theorem_prove(t, file, &proof, e))
      return 0;
    json_array_append_new(list, UT_OBJECT({"theorem", ut_string(t->paper)}, {"says", ut_string(t->says)},
                                          {"proven", json_boolean(proof.proven)}, {"hops", ut_int(proof.hops)},
                                          {"claims", ut_int(proof.claims)}, {"bounds", ut_int(proof.bounds)},
                                          {"failing", ut_string(proof.proven ? NULL : proof.failing)},
                                          {"example", ut_string(*proof.example ? proof.example : NULL)}));
    *proven &= proof.proven;
    *sizes = t->sizes;
    count++;
  }
  return count;
}

static int no_theorem(const char *algorithm, struct ut_error *e) {
  char names[400] = "";
  size_t at = 0;
  const char *last = "";
  const struct ut_theorem *t;
  for (unsigned i = 0; (t = ut_theorem_at(i)); i++, last = t->algorithm)
    if (strcmp(last, t->algorithm) && at < sizeof names)
      at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", at ? ", " : "", t->algorithm);
  return ut_fail(e, UT_BAD_INPUT,
                 "--parametric %s: there is no theorem for every size of network; there are some of %s", algorithm,
                 names);
}

/* Completes the certificate where all is proven; else there is none. */
static int finish(struct ut_output *output, bool proven, struct ut_error *e) {
  if (!output->file)
    return 0;
  if (proven)
    return ut_output_close(output, e);
  fprintf(stderr, "uturn: %s is not written: there is a counter-example\n", output->path);
  ut_output_drop(output);
  return 0;
}

int ut_prove_parametric(const char *algorithm, const char *certificate, bool json) {
  struct ut_output output = {0};
  struct ut_error e = {.code = UT_OK};
  bool proven = true;
  const char *sizes = "";
  if (certificate && ut_output_open(&output, certificate, UT_OUTPUT_ANY, &e))
    return ut_print_error(&e);
  if (output.file)
    fprintf(output.file, "uturn theorems 1\nalgorithm %s\n", algorithm);
  json_t *list = json_array();
  const unsigned count = prove_all(algorithm, output.file, list, &proven, &sizes, &e);
  if (count == 0 && e.code == UT_OK)
    no_theorem(algorithm, &e);
  if (count == 0) {
    ut_output_drop(&output);
    json_decref(list);
    return ut_print_error(&e);
  }
  const int status = finish(&output, proven, &e) ? ut_print_error(&e) : proven ? UT_OK : UT_DEADLOCK;
  ut_result_print(UT_OBJECT({"algorithm", ut_string(algorithm)}, {"sizes", ut_string(sizes)}, {"theorems", list}), json,
                  9, layout);
  return status;
}
