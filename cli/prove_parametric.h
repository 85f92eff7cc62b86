/* SPDX-License-Identifier: Apache-2.0 */
/* prove_parametric.h - `uturn prove --parametric`: the papers' theorems for every k and n. */
#ifndef UT_PROVE_PARAMETRIC_H
#define UT_PROVE_PARAMETRIC_H

#include <stdbool.h>

/* Proves the theorems of an algorithm (theorem.h) and prints them; certificate: NULL, or the file for what shows them.
 * Returns the exit status; UT_DEADLOCK: one is not proven. */
int ut_prove_parametric(const char *algorithm, const char *certificate, bool json);

#endif
