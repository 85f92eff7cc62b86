/* SPDX-License-Identifier: Apache-2.0 */
/* program_name.c - see program_name.h */
#include "program_name.h"

#include <stdlib.h>

static const char *program = "uturn";

void ut_program_name_start(const char *started_as) {
  const char *command = getenv("UTURN_COMMAND");
  program = command && *command ? command : started_as ? started_as : program;
}

const char *ut_program_name(void) {
  return program;
}
