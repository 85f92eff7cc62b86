/* SPDX-License-Identifier: Apache-2.0 */
/* certificate_text.h - the parts of a certificate as text. */
#ifndef UT_CERTIFICATE_TEXT_H
#define UT_CERTIFICATE_TEXT_H

#include <stdio.h>

#include "certificate_ranks.h"

/* All views, and all rows; what is the same in several input VCs or views is written once.  false: out of memory. */
bool ut_certificate_put_rows(const struct ut_view_rows *rows, FILE *f);
/* All ranks, switch by switch. */
void ut_certificate_put_ranks(const struct ut_rank_pool *pool, FILE *f);

#endif
