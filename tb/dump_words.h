/* SPDX-License-Identifier: Apache-2.0 */
/* dump_words.h - the events in a switch of a wave dump, in words.
 *
 * A packet is `55>26 #7`: from terminal 55 to 26, with tag 7, as `uturn trace --packet 55:7` asks for it.  An output VC
 * is the name of its port, as `uturn net` calls it, with the number of the port if others have the same name (up6), and
 * the number of the VC if there are several: `+x.1`.
 */
#ifndef UT_DUMP_WORDS_H
#define UT_DUMP_WORDS_H

#include "dump_variables.h"
#include "network.h"

struct ut_dump_words; /* of a switch */

/* NULL: out of memory. */
struct ut_dump_words *ut_dump_words_new(const struct ut_network *net, uint32_t sw);

/* To be called for all registers of a switch: number n has that path (shim.h). */
void ut_dump_words_note(struct ut_dump_words *words, const char *path, size_t n);

/* Declares in the scope that is open, for each port by its name and each VC:
 *   in_PORT.vc<v>.packet    the packet at the front of the buffer, its state and the output VCs that it may take or has
 *   in_PORT.vc<v>.arrives   the flit that has just come into the buffer
 *   out_PORT.vc<v>.sends    the flit in the output register
 * All of them are empty while there is nothing. */
void ut_dump_words_declare(struct ut_dump_words *words, const struct ut_dump_file *file);

/* Reads the registers by their numbers.  To be called at the end of every cycle, also before the window, because body
 * flits do not say to which packet they belong. */
void ut_dump_words_look(struct ut_dump_words *words, const uint64_t *registers);
/* Writes the texts of the last recorded cycle. */
void ut_dump_words_write(struct ut_dump_words *words, const struct ut_dump_file *file);

/* Returns the links and switches that fail or come back in that cycle: "link 1.5-0.2 down", or "".  first: includes
 * those that failed before and are still down. */
struct ut_outage;
void ut_dump_events(const struct ut_topology *topo, const struct ut_outage *outage, size_t outages, uint64_t cycle,
                    bool first, char text[UT_DUMP_TEXT_SIZE]);

#endif
