/* SPDX-License-Identifier: Apache-2.0 */
/* reports.h - bits of the word that a switch reports to its neighbours (report_o); for the files of spec/ and the
 * benches of its twins (tests/rtl). */
#ifndef UT_SPEC_REPORTS_H
#define UT_SPEC_REPORTS_H

/* Of a switch with a re-route vector: a down link of it is down; so it has heard from a switch above. */
enum { SPEC_REPORT_FAULT, SPEC_REPORT_FAR };
/* Of one that keeps states of nodes: the node is unsafe; in grids a bit a port, the neighbours that are bad, then two
 * bits, on the plus and on the minus side of the highest dimension the bad ones reach the right border. */
enum { SPEC_REPORT_BAD, SPEC_REPORT_NEIGHBOURS };

#endif
