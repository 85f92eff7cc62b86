/* SPDX-License-Identifier: Apache-2.0 */
/* journey_drawing.h - a journey as a picture. */
#ifndef UT_JOURNEY_DRAWING_H
#define UT_JOURNEY_DRAWING_H

#include "journey.h"

/* Draws it with those faults. -1 and *e as for ut_drawing_svg. */
int ut_journey_draw(const struct ut_journey *journey, const struct ut_network *net, const struct ut_outage *outage,
                    size_t outages, const char *path, struct ut_error *e);

#endif
