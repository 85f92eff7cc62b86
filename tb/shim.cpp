// SPDX-License-Identifier: Apache-2.0
// shim.cpp - a switch, Verilated or a lane of gates, behind the C interface of shim.h.
#include <cstring>
#include <new>

#include "shape_gen.h"
#include "shim.h"
#if UT_SLICED
#include "shim_twins.h"
#else
#include "shim_compare.h"
#include "shim_verilated.h"
#endif

namespace {

#if !UT_SLICED
// A Verilated switch, and its golden twin.
struct Twin : Device {
  Payload payload = {};
  unsigned turn = 0; // position among the empty places, over buffers and TURNS

  uint64_t compare(const ut_group *g, ut_switch *s) {
    return compare_registers(root(), payload, turn, g, s);
  }
  unsigned bits(const ut_group *g, ut_switch *s) {
    return count_bits(root(), payload, g, s);
  }
  bool adopt(const ut_group *g, ut_switch *s) {
    adopt_registers(root(), payload, g, s);
    return true;
  }
  bool flip(const char *path, unsigned bit) {
    return flip_register(root(), path, bit);
  }
};
#endif

struct Model : Twin {
  ut_mask credit[UT_V];
  uint64_t flit[UT_PO * (UT_WORDS + 1)];
};

void *create(uint64_t seed, const char *name, void *first) {
  Model *m = new (std::nothrow) Model();
  if (m && m->begin(seed, name, static_cast<Model *>(first)))
    return m;
  delete m;
  return nullptr;
}

void destroy(void *p) {
  delete static_cast<Model *>(p);
}

void reset(void *p, uint64_t straps) {
  Model *m = static_cast<Model *>(p);
  auto *t = m->pins();
  t->rst_i = 1;
  t->straps_i = straps;
  t->in_valid_i = 0;
  t->in_up_i = 0;
  t->out_up_i = 0;
  m->clock_in_reset();
  t->rst_i = 0;
}

#if UT_ALG_TABLES(UT_ROUTE, UT_ALGORITHM) || UT_EXCLUSIONS
void configure(void *p, uint64_t word) {
  Model *m = static_cast<Model *>(p);
  auto *t = m->pins();
  t->rst_i = 1;
  t->config_i = word;
  m->clock_in_reset();
  t->rst_i = 0;
  t->config_i = 0;
}
#else
constexpr void (*configure)(void *, uint64_t) = nullptr;
#endif

void put_inputs(Model *m, const ut_switch_in *in) {
  auto *t = m->pins();
  t->in_up_i = in->in_up;
  t->out_up_i = in->out_up;
  t->in_valid_i = in->valid;
#if UT_REPORTS == 1
  t->report_i = in->report[0];
#else
  for (unsigned i = 0; i < UT_REPORTS; i++)
    put(t->report_i, i * UT_PO, UT_PO, in->report[i]);
#endif
#if UT_ALG_TABLES(UT_ROUTE, UT_ALGORITHM) || UT_ALG_STATES(UT_ROUTE, UT_ALGORITHM) || UT_EXCLUSIONS
  t->config_i = in->config;
#endif
  UT_FOR_EACH (ip, in->valid) {
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
    UT_FOR_EACH (op, in->credit[v])
      put(t->out_credit_i, op * UT_V + v, 1, 1);
#endif
}

void get_outputs(Model *m, ut_model_out *out) {
  auto *t = m->pins();
  out->valid = t->out_valid_o;
  UT_FOR_EACH (op, out->valid) {
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
  // A traced switch is never idle, so that its clock is dumped, and because the inputs of an idle switch could toggle.
  out->busy = UT_TRACED || UT_NET_WORDS || !t->idle_o;
  out->error = t->error_o;
}

void step(void *const *models, unsigned count, const ut_switch_in *in, ut_model_out *out) {
  Device *devices[Device::TOGETHER];
  for (unsigned i = 0; i < count; i++) {
    devices[i] = static_cast<Model *>(models[i]);
    put_inputs(static_cast<Model *>(models[i]), &in[i]);
  }
  Device::clock_all(devices, count);
  for (unsigned i = 0; i < count; i++)
    get_outputs(static_cast<Model *>(models[i]), &out[i]);
}

Root *root(void *p) {
  return static_cast<Model *>(p)->root();
}
uint64_t compare(void *p, const ut_group *g, ut_switch *s) {
  return static_cast<Model *>(p)->compare(g, s);
}
void registers(void *p, const ut_group *g, ut_switch *s, ut_model_register *f, void *ctx) {
  report_registers(root(p), static_cast<Model *>(p)->payload, g, s, f, ctx);
}
void differences(void *p, const ut_group *g, ut_switch *s, ut_model_difference *f, void *ctx) {
  struct Listener {
    ut_model_difference *tell;
    void *ctx;
  } listener = {f, ctx};
  registers(
      p, g, s,
      [](void *l, const char *path, unsigned, uint64_t rtl, uint64_t golden) {
        if (rtl != golden)
          static_cast<Listener *>(l)->tell(static_cast<Listener *>(l)->ctx, path, rtl, golden);
      },
      &listener);
}
bool adopt(void *p, const ut_group *g, ut_switch *s) {
  return static_cast<Model *>(p)->adopt(g, s);
}
bool flip(void *p, const char *path, unsigned bit) {
  return static_cast<Model *>(p)->flip(path, bit);
}
void flippable(void *p, ut_model_flippable *f, void *ctx) {
  list_flippable(root(p), f, ctx);
}
unsigned state_bits(void *p, const ut_group *g, ut_switch *s) {
  return static_cast<Model *>(p)->bits(g, s);
}

#if UT_TRACED
// Verilator makes variables from Verilog only and keeps its writer private; an explicit instantiation may name it.
void *writer_of(VerilatedFst *fst);
template <auto WRITER> struct Reveal {
  friend void *writer_of(VerilatedFst *fst) {
    return fst->*WRITER;
  }
};
template struct Reveal<&VerilatedFst::m_fst>;

struct Trace {
  VerilatedFstC fst;

  struct Writer { // the name that fstapi.h gives it depends on its version
    void *writer;
    template <class T> operator T *() const {
      return static_cast<T *>(writer);
    }
  };
  Writer writer() {
    return {writer_of(fst.spTrace())};
  }
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
void trace_scope(void *t, const char *name) {
  const auto writer = static_cast<Trace *>(t)->writer();
  if (name)
    fstWriterSetScope(writer, FST_ST_VCD_SCOPE, name, nullptr);
  else
    fstWriterSetUpscope(writer);
}
uint32_t trace_variable(void *t, const char *name, unsigned bits) {
  return fstWriterCreateVar(static_cast<Trace *>(t)->writer(), bits ? FST_VT_VCD_REG : FST_VT_GEN_STRING,
                            FST_VD_IMPLICIT, bits, name, 0);
}
void trace_digits(void *t, uint32_t variable, const char *binary) {
  fstWriterEmitValueChange(static_cast<Trace *>(t)->writer(), variable, binary);
}
void trace_text(void *t, uint32_t variable, const char *text) {
  fstWriterEmitVariableLengthValueChange(static_cast<Trace *>(t)->writer(), variable, text,
                                         (uint32_t)std::strlen(text));
}
void trace_settle(void *p, const ut_switch_in *in) {
  Model *m = static_cast<Model *>(p);
  put_inputs(m, in);
  m->top->eval();
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
constexpr void (*trace_scope)(void *, const char *) = nullptr;
constexpr uint32_t (*trace_variable)(void *, const char *, unsigned) = nullptr;
constexpr void (*trace_digits)(void *, uint32_t, const char *) = nullptr;
constexpr void (*trace_text)(void *, uint32_t, const char *) = nullptr;
constexpr void (*trace_settle)(void *, const ut_switch_in *) = nullptr;
constexpr void (*trace_dump)(void *, uint64_t) = nullptr;
constexpr void (*trace_fall)(void *) = nullptr;
constexpr void (*trace_close)(void *) = nullptr;
constexpr void *(*context)() = nullptr;
constexpr void (*share)(void *) = nullptr;
#endif

#if UT_COVERED
void lines(void *p, const char *path) {
  static_cast<Model *>(p)->context->coveragep()->write(path);
}
#else
constexpr void (*lines)(void *, const char *) = nullptr;
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

#if UT_SLICED
void watch(void *p, uint32_t number, ut_model_watcher *f, void *ctx) {
  static_cast<Model *>(p)->watch(number, f, ctx);
}
bool conclude(void *p, uint64_t *found) {
  return static_cast<Model *>(p)->conclude(found);
}
void upset(void *p, unsigned flip_flop) {
  static_cast<Model *>(p)->upset(flip_flop);
}
void differing(void *p, uint64_t *lanes) {
  static_cast<Model *>(p)->pack->find_differing(lanes);
}
void restore(void *p) {
  static_cast<Model *>(p)->restore();
}
#else
constexpr void (*watch)(void *, uint32_t, ut_model_watcher *, void *) = nullptr;
constexpr void (*upset)(void *, unsigned) = nullptr;
constexpr void (*differing)(void *, uint64_t *) = nullptr;
constexpr void (*restore)(void *) = nullptr;
constexpr bool (*conclude)(void *, uint64_t *) = nullptr;
#endif

} // namespace

extern "C" __attribute__((visibility("default"))) const ut_model_api *ut_model(void) {
  static const ut_model_api api = {state_bits,      create,
                                   destroy,         reset,
                                   configure,       step,
                                   adopt,           compare,
                                   conclude,        differences,
                                   registers,       flip,
                                   flippable,       trace_new,
                                   trace_add,       trace_open,
                                   trace_scope,     trace_variable,
                                   trace_digits,    trace_text,
                                   trace_settle,    trace_dump,
                                   trace_fall,      trace_close,
                                   context,         share,
                                   lines,           forget,
                                   toggles,         watch,
                                   upset,           differing,
                                   restore,         64 * UT_NET_WORDS,
                                   Device::TOGETHER};
  return &api;
}
