/* SPDX-License-Identifier: Apache-2.0 */
/* blocks.h - the blocks of the switch, each synthesized on its own.
 *
 * Each block is read by its own Yosys process: abc's result depends on numbers that Yosys gives to nets, so in one
 * process a block would depend on its neighbours, by more than the cost of many a mechanism.
 */
#ifndef UT_BLOCKS_H
#define UT_BLOCKS_H

#include <jansson.h>

#include "synthesis.h"
#include "timing.h"

/* The blocks are modules of rtl/, ut_<name>; what belongs to none of them is the rest.  A block in a block, such as the
 * route unit in the input port, counts for itself. */
enum { UT_BLOCKS = 8 };
extern const char *const ut_block_name[UT_BLOCKS];

/* The name of block b, or that of the rest for UT_BLOCKS. */
const char *ut_block_title(int b);
/* Returns the instance name of block b in the RTL; "" for UT_BLOCKS: the rest is the switch itself. */
const char *ut_block_instance(int b);
/* The block of that name; UT_BLOCKS: none, also for NULL. */
int ut_block_of_title(const char *title);
/* Returns the block of a module: Yosys calls it $paramod...\ut_name.  UT_BLOCKS: none. */
int ut_block_of_module(const char *module);
/* Returns the innermost block that contains a cell.  Of instances in a netlist with modules: block/block/cell; of names
 * in a flat netlist: block.block.cell.  UT_BLOCKS: none. */
int ut_block_of_instance(const char *path);
int ut_block_of_name(const char *name);
/* A path as JSON: its ends, and what each block that it goes through adds to it, in the order in which it enters them.
 */
json_t *ut_block_path(const struct ut_timing *timing, int (*block_of)(const char *cell));

/* All scripts, for a key.  NULL: out of memory. */
char *ut_blocks_scripts(const struct ut_synthesis *synthesis);
/* Makes blocks.json and, for OpenSTA, blocks.v in the temporary folder of a claimed entry: the mapped switch with its
 * blocks as modules.  Returns 0, or -1 after filling the error. */
int ut_blocks_make(const struct ut_synthesis *synthesis, const struct ut_entry *entry, const struct ut_caller *caller);

/* Joins the blocks to one flat netlist, for lockstep: like ut_netlist_get(), but each block is mapped alone, and each
 * cell has an attribute that names its block. */
#define UT_BLOCK_ATTRIBUTE "uturn_block"
char *ut_block_netlist_get(const struct ut_synthesis_request *request, ut_cache_progress *progress, void *ctx,
                           struct ut_error *e);

#endif
