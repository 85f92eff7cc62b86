/* SPDX-License-Identifier: Apache-2.0 */
/* templates.h - scenarios and sweeps to start from: scenarios/templates/ and
 * experiments/templates/, a file each, which `uturn new` explains. */
#ifndef UT_TEMPLATES_H
#define UT_TEMPLATES_H

enum { UT_TEMPLATES_SIZE = 2048 };
/* Their names, a space behind each; returns text. */
const char *ut_template_names(char text[UT_TEMPLATES_SIZE]);

#endif
