/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz.h - what libFuzzer is to break: functions that take any bytes.  They may refuse them; whatever else goes wrong
 * is a finding (fuzz.c, docs/explanation/test_coverage.md). */
#ifndef UT_FUZZ_H
#define UT_FUZZ_H

#include <stddef.h>
#include <stdint.h>

typedef void fuzz_target(const uint8_t *data, size_t size);

/* Files that people write: fuzz_files.c. */
fuzz_target fuzz_scenario, fuzz_trace, fuzz_permutation, fuzz_dependencies, fuzz_goal, fuzz_sweep, fuzz_liberty;
/* A small network, drawn from the bytes, runs and is counted: fuzz_run.c. */
fuzz_target fuzz_run;

#endif
