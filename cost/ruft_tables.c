/* SPDX-License-Identifier: Apache-2.0 */
/* ruft_tables.c - the analytic counts of RUFT tables 3 and 4.  See cost.h. */
#include <string.h>

#include "cost.h"

void ut_cost_analytic(unsigned k, unsigned n, struct ut_analytic out[UT_ANALYTIC]) {
  uint64_t terminals = 1, kk = (uint64_t)k * k;
  for (unsigned i = 0; i < n; i++)
    terminals *= k;
  uint64_t stage = terminals / k; /* switches */
  /* The first and the last stage of FT-RUFT-212 are k x 2k and 2k x k; with one stage it is both. */
  uint64_t ends = n > 1 ? 2 * stage * 2 * kk : stage * 4 * kk;
  const struct ut_analytic all[UT_ANALYTIC] = {
      {"fta", 2 * n * terminals, n * stage * 3 * kk},
      {"ruft", (n + 1) * terminals, n * stage * kk},
      {"ruft_pl", 2 * (n + 1) * terminals, n * stage * 4 * kk},
      {"ft_ruft_212", (n + 3) * terminals, ends + (n > 2 ? (n - 2) * stage * kk : 0)},
      {"ft_ruft_222", 2 * (n + 1) * terminals, n * stage * 4 * kk},
  };
  memcpy(out, all, sizeof all);
}
