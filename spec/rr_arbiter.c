/* SPDX-License-Identifier: Apache-2.0 */
/* rr_arbiter.c - round-robin: selects one of several requests.  Twin: rtl/ut_rr_arbiter.v */
#include "steps.h"

int spec_round_robin(const bool *request, unsigned lines, unsigned pointer) {
  for (unsigned line = pointer; line < lines; line++)
    if (request[line])
      return (int)line;
  for (unsigned line = 0; line < lines; line++)
    if (request[line])
      return (int)line;
  return -1;
}
