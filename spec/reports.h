/* SPDX-License-Identifier: Apache-2.0 */
/* reports.h - bits of the word that a switch reports to its neighbours (report_o); for the files of spec/ and the
 * benches of its twins (tests/rtl). */
#ifndef UT_SPEC_REPORTS_H
#define UT_SPEC_REPORTS_H

/* Of a switch with a re-route vector: one of its down links is down; a switch above it has reported that. */
enum { SPEC_REPORT_FAULT, SPEC_REPORT_FAR };
/* Of a switch that keeps node states: the node is unsafe.  In grids then one bit for each port, the neighbours that
 * are bad, and two bits: on the plus and on the minus side of the highest dimension, the bad nodes reach the right
 * border. */
enum { SPEC_REPORT_BAD, SPEC_REPORT_NEIGHBOURS };

#endif
