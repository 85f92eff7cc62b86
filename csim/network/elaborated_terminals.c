/* SPDX-License-Identifier: Apache-2.0 */
/* elaborated_terminals.c - the cycle of terminals with the shape as constants.  It is compiled together with that of
 * the switches (csim/switch/elaborated.c) and loaded.  The source is the same as that of the cycle for any shape in
 * terminal.c.  UT_SHAPE: the parameters, an initializer of struct ut_shape.
 */
#include "terminal_cycle.h"

static const struct ut_shape shape = UT_SHAPE;

static void step_plain(const struct ut_terminal_cycle *cycle) {
  ut_terminals_cycle(cycle, UT_PLAIN, ut_terminal_form_of(&shape));
}
static void step(const struct ut_terminal_cycle *cycle) {
  ut_terminals_cycle(cycle, ut_terminal_mode(cycle->t), ut_terminal_form_of(&shape));
}

__attribute__((visibility("default"))) const struct ut_terminal_steps ut_elaborated_terminals = {{step, step_plain}};
