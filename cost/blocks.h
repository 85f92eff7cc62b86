/* blocks.h - the blocks of the switch, each synthesized on its own.
 *
 * Each block is read by a Yosys of its own: abc's result depends on numbers that Yosys gives to nets, so in one process
 * a block would come out differently beside other neighbours, by more than what many a mechanism costs.
 */
#ifndef UT_BLOCKS_H
#define UT_BLOCKS_H

#include "synthesis.h"

/* The blocks are modules of rtl/, ut_<name>; what belongs to none of them is the rest.  A block in a block, such as the
 * route unit in the input port, counts for itself. */
enum { UT_BLOCKS = 8 };
extern const char *const ut_block_name[UT_BLOCKS];

/* All scripts, for a key.  NULL: out of memory. */
char *ut_blocks_scripts(const struct ut_synthesis *s);
/* Makes blocks.json and, for OpenSTA, blocks.v in the temporary folder of a claimed entry: the mapped switch with its
 * blocks as modules.  Returns 0, or -1 after filling the error. */
int ut_blocks_make(const struct ut_synthesis *s, const struct ut_entry *n, const struct ut_caller *c);

#endif
