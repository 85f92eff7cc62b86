// shim.cpp - one Verilated switch behind the C interface of shim.h.
#include <cstring>
#include <memory>
#include <new>

#include "Vut_switch.h"
#include "shape_gen.h"
#include "shim.h"
#include "shim_compare.h"
#include "toggles.h"
#include "verilated.h"
#if UT_TRACED
#include "verilated_fst_c.h"
#endif

namespace {

struct Model {
#if !UT_TRACED
  VerilatedContext own;
#endif
  VerilatedContext *context;
  std::unique_ptr<Vut_switch> top;
  Payload payload = {};
  unsigned turn = 0; // of the empty places, over buffers and TURNS
  ut_mask credit[UT_V];
  uint64_t flit[UT_PO * (UT_WORDS + 1)];
#if UT_NET_WORDS
  ut_toggles toggles;
  uint64_t room[UT_TOGGLE_ROOM(UT_NET_WORDS)];
#endif
};

// Lowers the clock without an evaluation: nothing in the switch looks at the falling edge.  The name is internal to
// Verilator; where it is not there, the falling edge is evaluated.
template <class R>
inline auto lower(Vut_switch *top, R *root, int) -> decltype(root->__Vtrigrprev__TOP__clk_i = 0, void()) {
  top->clk_i = 0;
  root->__Vtrigrprev__TOP__clk_i = 0;
}
template <class R> inline void lower(Vut_switch *top, R *, long) {
  top->clk_i = 0;
  top->eval();
}

inline void clock(Model *m) {
  m->top->clk_i = 1;
  m->top->eval();
#if !UT_TRACED
  lower(m->top.get(), m->top->rootp, 0);
#endif
}

#if UT_TRACED
VerilatedContext *&traced_context() { // one dump holds models of one context only
  static VerilatedContext own, *shared = &own;
  return shared;
}
#endif

void *create(uint64_t seed, const char *name) {
  Model *m = new (std::nothrow) Model();
  if (!m)
    return nullptr;
#if UT_TRACED
  m->context = traced_context();
  m->context->traceEverOn(true);
#else
  m->context = &m->own;
#endif
#if UT_NET_WORDS
  ut_toggles_init(&m->toggles, m->room, UT_NET_WORDS);
#endif
  m->context->threads(1);   // else each context starts idle threads, one a core
  m->context->randReset(2); // a register that a reset forgets starts with chance values
  m->context->randSeed((int)(seed % 0x7fffffff) + 1);
  m->top.reset(new Vut_switch(m->context, name));
  m->top->clk_i = 0;
  m->top->rst_i = 1;
  m->top->eval();
  return m;
}

#if UT_NET_WORDS
inline void count(Model *m) {
  ut_toggles_sample(&m->toggles, &m->top->rootp->ut_switch__DOT__uturn_nets[0]);
}
inline void start_anew(Model *m) {
  m->toggles.known = false;
}
#else
inline void count(Model *) {
}
inline void start_anew(Model *) {
}
#endif

void destroy(void *p) {
  delete static_cast<Model *>(p);
}

void reset(void *p, uint64_t straps) {
  Model *m = static_cast<Model *>(p);
  m->top->rst_i = 1;
  m->top->straps_i = straps;
  m->top->in_valid_i = 0;
  m->top->in_up_i = 0;
  m->top->out_up_i = 0;
  start_anew(m);
  clock(m);
#if UT_TRACED
  m->top->clk_i = 0;
  m->top->eval();
#endif
  m->top->rst_i = 0;
}

#if UT_ALG_TABLES(UT_ROUTE, UT_ALGORITHM)
void configure(void *p, uint64_t word) {
  Model *m = static_cast<Model *>(p);
  m->top->rst_i = 1;
  m->top->config_i = word;
  clock(m);
#if UT_TRACED
  m->top->clk_i = 0;
  m->top->eval();
#endif
  m->top->rst_i = 0;
  m->top->config_i = 0;
}
#else
constexpr void (*configure)(void *, uint64_t) = nullptr;
#endif

void step(void *p, const ut_switch_in *in, ut_model_out *out) {
  Model *m = static_cast<Model *>(p);
  Vut_switch *t = m->top.get();
  t->in_up_i = in->in_up;
  t->out_up_i = in->out_up;
  t->in_valid_i = in->valid;
#if UT_REPORTS == 1
  t->report_i = in->report[0];
#else
  for (unsigned i = 0; i < UT_REPORTS; i++)
    put(t->report_i, i * UT_PO, UT_PO, in->report[i]);
#endif
#if UT_ALG_TABLES(UT_ROUTE, UT_ALGORITHM) || UT_ALG_STATES(UT_ROUTE, UT_ALGORITHM)
  t->config_i = in->config;
#endif
  UT_FOR_EACH(ip, in->valid) {
    const uint64_t *flit = in->flit[ip];
    unsigned tag = ut_flit_tag(flit[UT_WORDS]);
    put(t->in_vc_i, ip * VW, VW, ut_flit_vc(flit[UT_WORDS]));
    put(t->in_kind_i, ip * 2, 2, tag & UT_KIND_MASK);
    put(t->in_bad_i, ip, 1, tag / UT_BAD);
    for (unsigned w = 0; w < UT_WORDS; w++)
      put64(t->in_data_i, ip * UT_WORDS + w, flit[w]);
  }
#if UT_V == 1
  t->out_credit_i = in->credit[0];
#else
  std::memset(&t->out_credit_i, 0, sizeof t->out_credit_i);
  for (unsigned v = 0; v < UT_V; v++)
    UT_FOR_EACH(op, in->credit[v]) put(t->out_credit_i, op * UT_V + v, 1, 1);
#endif
  clock(m);
  count(m);

  out->valid = t->out_valid_o;
  UT_FOR_EACH(op, out->valid) {
    uint64_t *flit = m->flit + op * (UT_WORDS + 1);
    for (unsigned w = 0; w < UT_WORDS; w++)
      flit[w] = word64(t->out_data_o, op * UT_WORDS + w);
    flit[UT_WORDS] = ut_flit_meta((unsigned)(get(t->out_kind_o, op * 2, 2) | get(t->out_bad_o, op, 1) * UT_BAD),
                                  (unsigned)get(t->out_vc_o, op * VW, VW));
  }
#if UT_V == 1
  m->credit[0] = t->in_credit_o;
#else
  for (unsigned v = 0; v < UT_V; v++) {
    m->credit[v] = 0;
    for (unsigned i = 0; i < UT_PI; i++)
      m->credit[v] |= (ut_mask)get(t->in_credit_o, i * UT_V + v, 1) << i;
  }
#endif
  out->flit = m->flit;
  out->stride = UT_WORDS + 1;
  out->credit = m->credit;
  out->reports = t->report_o;
  // A traced switch never sleeps, so that its clock is seen; and the inputs of one that sleeps could toggle.
  out->busy = UT_TRACED || UT_NET_WORDS || !t->idle_o;
}

Root *root(void *p) {
  return static_cast<Model *>(p)->top->rootp;
}
uint64_t compare(void *p, const ut_group *g, ut_switch *s) {
  return compare_registers(root(p), static_cast<Model *>(p)->payload, static_cast<Model *>(p)->turn, g, s);
}
void differences(void *p, const ut_group *g, ut_switch *s, ut_model_difference *f, void *ctx) {
  report_differences(root(p), static_cast<Model *>(p)->payload, g, s, f, ctx);
}
void adopt(void *p, const ut_group *g, ut_switch *s) {
  adopt_registers(root(p), static_cast<Model *>(p)->payload, g, s);
}
bool flip(void *p, const char *path, unsigned bit) {
  return flip_register(root(p), path, bit);
}
unsigned state_bits(void *p, const ut_group *g, ut_switch *s) {
  return count_bits(root(p), static_cast<Model *>(p)->payload, g, s);
}

#if UT_TRACED
struct Trace {
  VerilatedFstC fst;
};
void *trace_new() {
  return new Trace();
}
void trace_add(void *t, void *p) {
  static_cast<Model *>(p)->top->trace(&static_cast<Trace *>(t)->fst, 99);
}
void trace_open(void *t, const char *path) {
  static_cast<Trace *>(t)->fst.open(path);
}
void trace_dump(void *t, uint64_t time) {
  static_cast<Trace *>(t)->fst.dump(time);
}
void trace_fall(void *p) {
  Model *m = static_cast<Model *>(p);
  m->top->clk_i = 0;
  m->top->eval();
}
void trace_close(void *t) {
  static_cast<Trace *>(t)->fst.close();
  delete static_cast<Trace *>(t);
}
void *context() {
  return traced_context();
}
void share(void *c) {
  traced_context() = static_cast<VerilatedContext *>(c);
}
#else
constexpr void *(*trace_new)() = nullptr;
constexpr void (*trace_add)(void *, void *) = nullptr;
constexpr void (*trace_open)(void *, const char *) = nullptr;
constexpr void (*trace_dump)(void *, uint64_t) = nullptr;
constexpr void (*trace_fall)(void *) = nullptr;
constexpr void (*trace_close)(void *) = nullptr;
constexpr void *(*context)() = nullptr;
constexpr void (*share)(void *) = nullptr;
#endif

#if UT_NET_WORDS
void forget(void *p) {
  ut_toggles_forget(&static_cast<Model *>(p)->toggles);
}
uint64_t toggles(void *p, uint64_t *sum) {
  ut_toggles &t = static_cast<Model *>(p)->toggles;
  ut_toggles_empty(&t);
  for (unsigned i = 0; i < 64 * UT_NET_WORDS; i++)
    sum[i] += t.sum[i];
  return t.cycles;
}
#else
constexpr void (*forget)(void *) = nullptr;
constexpr uint64_t (*toggles)(void *, uint64_t *) = nullptr;
#endif

} // namespace

extern "C" __attribute__((visibility("default"))) const ut_model_api *ut_model(void) {
  static const ut_model_api api = {state_bits, create,     destroy,          reset,       configure, step,
                                   adopt,      compare,    differences,      flip,        trace_new, trace_add,
                                   trace_open, trace_dump, trace_fall,       trace_close, context,   share,
                                   forget,     toggles,    64 * UT_NET_WORDS};
  return &api;
}
