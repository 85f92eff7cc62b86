/* SPDX-License-Identifier: Apache-2.0 */
/* flip_flops.c - see flip_flops.h */
#include "flip_flops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *ut_flip_flop_class_name(enum ut_flip_flop_class class) {
  static const char *const names[UT_FLIP_CLASSES] = {[UT_FLIP_DATA] = "data",
                                                     [UT_FLIP_KIND] = "kind",
                                                     [UT_FLIP_BUFFER] = "buffer_control",
                                                     [UT_FLIP_STATE] = "vc_state",
                                                     [UT_FLIP_CANDIDATES] = "candidates",
                                                     [UT_FLIP_CREDITS] = "credits",
                                                     [UT_FLIP_OWNERS] = "owners",
                                                     [UT_FLIP_ARBITERS] = "arbiters",
                                                     [UT_FLIP_REROUTE] = "reroute_state",
                                                     [UT_FLIP_STRAPS] = "straps",
                                                     [UT_FLIP_REST] = "rest"};
  return names[class];
}

/* Classes by a part of the name; the first row that matches counts. */
static const struct {
  const char *part;
  enum ut_flip_flop_class class;
} classes[] = {
    {"u_vector.", UT_FLIP_REROUTE},
    {"u_nodes.", UT_FLIP_REROUTE},
    {".up_q", UT_FLIP_REROUTE},
    {"data_q", UT_FLIP_DATA},
    {"tag_q", UT_FLIP_KIND},
    {"kind_q", UT_FLIP_KIND},
    {"bad_q", UT_FLIP_KIND},
    {"vc_q", UT_FLIP_KIND},
    {"valid_q", UT_FLIP_KIND},
    {"rd_q", UT_FLIP_BUFFER},
    {"wr_q", UT_FLIP_BUFFER},
    {"count_q", UT_FLIP_BUFFER},
    {"cand_q", UT_FLIP_CANDIDATES},
    {"rt_q", UT_FLIP_CANDIDATES},
    {"credit_q", UT_FLIP_CREDITS},
    {"credits_q", UT_FLIP_CREDITS},
    {"pending_credits_q", UT_FLIP_CREDITS},
    {"offer_q", UT_FLIP_CREDITS},
    {"owned_q", UT_FLIP_OWNERS},
    {"owner_q", UT_FLIP_OWNERS},
    {"pointer_q", UT_FLIP_ARBITERS},
    {"select_q", UT_FLIP_ARBITERS},
    {"straps_q", UT_FLIP_STRAPS},
    {".u_vc.", UT_FLIP_STATE},
};

static enum ut_flip_flop_class class_of(const char *name) {
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
    if (strstr(name, classes[i].part))
      return classes[i].class;
  return UT_FLIP_REST;
}

/* The name of an RTL register is preferred to that of a wire with the same value. */
static bool is_register(const struct ut_gate_name *gate_name) {
  for (size_t i = 0; i + 1 < gate_name->length; i++)
    if (gate_name->name[i] == '_' && gate_name->name[i + 1] == 'q' &&
        (i + 2 == gate_name->length || strchr("[ ", gate_name->name[i + 2])))
      return true;
  return false;
}

struct ut_flip_flop *ut_flip_flops_of(const struct ut_circuit *circuit) {
  struct ut_flip_flop *flop = calloc(circuit->states + 1, sizeof *flop);
  const struct ut_gates *gates = &circuit->gates;
  for (unsigned registers = 2; flop && registers-- > 0;)
    for (const struct ut_gate_name *gate_name = gates->name; gate_name < gates->name + gates->names; gate_name++)
      for (unsigned i = 0; i < gate_name->width && is_register(gate_name) == (registers == 1); i++) {
        const struct ut_op *op = &circuit->op[circuit->bit[gate_name->bit + i]];
        if (op->kind != UT_OP_STATE || *flop[op->a].name)
          continue;
        const bool odd = *gate_name->name == '\\';
        const int length = (int)(gate_name->length - odd), most = (int)sizeof flop->name - 12;
        snprintf(flop[op->a].name, sizeof flop->name, gate_name->width > 1 ? "%.*s[%u]" : "%.*s",
                 length < most ? length : most, gate_name->name + odd, i);
      }
  for (size_t i = 0; flop && i < circuit->states; i++)
    flop[i].class = class_of(flop[i].name);
  return flop;
}
