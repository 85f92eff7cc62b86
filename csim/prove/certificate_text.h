/* SPDX-License-Identifier: Apache-2.0 */
/* certificate_text.h - the parts of a certificate as text. */
#ifndef UT_CERTIFICATE_TEXT_H
#define UT_CERTIFICATE_TEXT_H

#include <stdio.h>

#include "certificate_ranks.h"

/* Writes all views and all rows; text that is the same for several input VCs or views is written once.  Returns false
 * when out of memory. */
bool ut_certificate_put_rows(const struct ut_view_rows *rows, FILE *f);
/* Writes all ranks, switch by switch. */
void ut_certificate_put_ranks(const struct ut_rank_pool *pool, FILE *f);

/* Writes the cables and terminals of a network that has no definition. */
void ut_certificate_put_cables(const struct ut_topology *topo, FILE *f);

#endif
