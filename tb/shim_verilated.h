/* SPDX-License-Identifier: Apache-2.0 */
// shim_verilated.h - a switch made by Verilator; C++, part of shim.cpp.  It has the same members as the switch of
// shim_lanes.h, which replaces it for gates in lanes.
#ifndef UT_SHIM_VERILATED_H
#define UT_SHIM_VERILATED_H

#include <memory>

#include "Vut_switch.h"
#include "shim_state.h"
#include "toggles.h"
#if UT_TRACED
#include "verilated_fst_c.h"
#endif
#if UT_COVERED
#include "verilated_cov.h"
#endif

namespace {

#if UT_TRACED
VerilatedContext *&traced_context() { // one dump holds models of one context only
  static VerilatedContext own, *shared = &own;
  return shared;
}
#endif

// Lowers the clock without an evaluation: nothing in the switch depends on the falling edge.  The name is internal to
// Verilator; where it does not exist, the falling edge is evaluated.
template <class R>
inline auto lower(Vut_switch *top, R *root, int) -> decltype(root->__Vtrigrprev__TOP__clk_i = 0, void()) {
  top->clk_i = 0;
  root->__Vtrigrprev__TOP__clk_i = 0;
}
template <class R> inline void lower(Vut_switch *top, R *, long) {
  top->clk_i = 0;
  top->eval();
}

struct Device {
  static constexpr unsigned TOGETHER = 1; // switches that are clocked by one call at most
#if !UT_TRACED
  VerilatedContext own;
#endif
  VerilatedContext *context;
  std::unique_ptr<Vut_switch> top;
#if UT_NET_WORDS
  ut_toggles toggles;
  uint64_t room[UT_TOGGLE_CAPACITY(UT_NET_WORDS)];
#endif

  // Makes a switch in its random state before reset.  Returns false when out of memory.
  bool begin(uint64_t seed, const char *name, Device *) {
#if UT_TRACED
    context = traced_context();
    context->traceEverOn(true);
#else
    context = &own;
#endif
#if UT_NET_WORDS
    ut_toggles_init(&toggles, room, UT_NET_WORDS);
#endif
    context->threads(1);   // otherwise each context starts idle threads, one for each core
    context->randReset(2); // registers that reset does not initialise start with random values
    context->randSeed((int)(seed % 0x7fffffff) + 1);
    top.reset(new Vut_switch(context, name));
    top->clk_i = 0;
    top->rst_i = 1;
    top->eval();
    return true;
  }
  // Its ports, and its registers.
  Vut_switch *pins() {
    return top.get();
  }
  Root *root() {
    return top->rootp;
  }
  void clock() {
    top->clk_i = 1;
    top->eval();
#if !UT_TRACED
    lower(top.get(), top->rootp, 0);
#endif
  }
  // One clock in reset.
  void clock_in_reset() {
#if UT_NET_WORDS
    toggles.known = false;
#endif
    clock();
#if UT_TRACED
    top->clk_i = 0;
    top->eval();
#endif
  }
  // One clock of those that have inputs for it.
  static void clock_all(Device *const *devices, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
      devices[i]->clock();
#if UT_NET_WORDS
      ut_toggles_sample(&devices[i]->toggles, &devices[i]->top->rootp->ut_switch__DOT__uturn_nets[0]);
#endif
    }
  }
};

} // namespace

#endif
