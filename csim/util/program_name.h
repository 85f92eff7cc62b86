/* SPDX-License-Identifier: Apache-2.0 */
/* program_name.h - how commands that are printed for the user to run call the program: as it was started itself. */
#ifndef UT_PROGRAM_NAME_H
#define UT_PROGRAM_NAME_H

/* At the start: argv[0].  $UTURN_COMMAND, which the script uturn sets, stands above it. */
void ut_program_name_start(const char *started_as);

/* "./uturn"; before ut_program_name_start() "uturn". */
const char *ut_program_name(void);

#endif
