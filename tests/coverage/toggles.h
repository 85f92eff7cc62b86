/* SPDX-License-Identifier: Apache-2.0 */
// toggles.h - what Verilator's code for wave dumps writes to when toggles are counted
// (docs/explanation/test_coverage.md): in place of verilated_vcd_c.h.  Nothing is dumped: each signal is compared with
// what it was, and the bits that differ are kept. The models of a class share the bits; each has its own old values.
//
// Verilator's own --coverage-toggle leaves out every signal that is declared in a generate block.
#ifndef UT_TOGGLES_H
#define UT_TOGGLES_H

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "verilated.h"
#include "verilated_trace.h"

class VerilatedVcd {
public:
  // One of the signals: where its bits are, and how many of them.
  struct Signal {
    std::string path;
    uint32_t code;
    int lsb, bits;
  };
  struct Class {
    std::vector<Signal> signals;
    std::vector<uint32_t> toggled;
  };
  static Class &shared() {
    static Class *c = new Class; // there until the end: it is written when all else goes
    return *c;
  }

  class Buffer {
  public:
    std::vector<uint32_t> old;
    uint32_t *oldp(uint32_t code) {
      return old.data() + code;
    }
    void fullBit(uint32_t *p, uint32_t v) {
      *p = v;
    }
    void fullCData(uint32_t *p, uint32_t v, int) {
      *p = v;
    }
    void fullSData(uint32_t *p, uint32_t v, int) {
      *p = v;
    }
    void fullIData(uint32_t *p, uint32_t v, int) {
      *p = v;
    }
    void fullQData(uint32_t *p, uint64_t v, int) {
      p[0] = (uint32_t)v;
      p[1] = (uint32_t)(v >> 32);
    }
    void fullWData(uint32_t *p, WDataInP v, int bits) {
      for (int i = 0; i < (bits + 31) / 32; i++)
        p[i] = v[i];
    }
    void chgBit(uint32_t *p, uint32_t v) {
      change(p, v);
    }
    void chgCData(uint32_t *p, uint32_t v, int) {
      change(p, v);
    }
    void chgSData(uint32_t *p, uint32_t v, int) {
      change(p, v);
    }
    void chgIData(uint32_t *p, uint32_t v, int) {
      change(p, v);
    }
    void chgQData(uint32_t *p, uint64_t v, int) {
      change(p, (uint32_t)v);
      change(p + 1, (uint32_t)(v >> 32));
    }
    void chgWData(uint32_t *p, WDataInP v, int bits) {
      for (int i = 0; i < (bits + 31) / 32; i++)
        change(p + i, v[i]);
    }

  private:
    void change(uint32_t *p, uint32_t v) {
      const uint32_t differs = *p ^ v;
      if (VL_UNLIKELY(differs)) {
        shared().toggled[p - old.data()] |= differs;
        *p = v;
      }
    }
  };

  using InitCb = void (*)(void *, VerilatedVcd *, uint32_t);
  using DumpCb = void (*)(void *, Buffer *);
  using CleanupCb = void (*)(void *, VerilatedVcd *);
  void addModel(VerilatedModel *) {
  }
  void addInitCb(InitCb f, void *of) {
    f(of, this, 0);
  }
  void addFullCb(DumpCb f, void *of) {
    full.push_back({f, of});
  }
  void addChgCb(DumpCb f, void *of) {
    changes.push_back({f, of});
  }
  void addCleanupCb(CleanupCb f, void *of) {
    cleanup.push_back({f, of});
  }

  void scopeEscape(char) {
  }
  void pushNamePrefix(const std::string &s) {
    prefix.push_back(prefix.empty() ? s : prefix.back() + s);
  }
  void popNamePrefix(unsigned n = 1) {
    prefix.resize(prefix.size() - n);
  }
  void declBit(uint32_t code, const char *name, bool array, int index) {
    declare(code, name, array, index, 0, 0);
  }
  void declBus(uint32_t code, const char *name, bool array, int index, int msb, int lsb) {
    declare(code, name, array, index, msb, lsb);
  }
  void declQuad(uint32_t code, const char *name, bool array, int index, int msb, int lsb) {
    declare(code, name, array, index, msb, lsb);
  }
  void declArray(uint32_t code, const char *name, bool array, int index, int msb, int lsb) {
    declare(code, name, array, index, msb, lsb);
  }

  // After an evaluation.  Until reset has ended there is nothing to compare with: registers begin with chance values.
  void sample(bool still) {
    begun |= !still;
    if (buffer.old.empty()) {
      buffer.old.resize(size);
      shared().toggled.resize(size);
      known = size;
    }
    for (const Dump &d : begun ? changes : full)
      d.f(d.of, &buffer);
    for (const Clean &d : cleanup)
      d.f(d.of, this);
  }

  // Path, lowest bit, bits, and which of them changed, as hexadecimal words, the lowest first.
  static void write(const char *path) {
    FILE *f = std::fopen(path, "w");
    if (!f)
      return;
    for (const Signal &s : shared().signals) {
      std::fprintf(f, "%s\t%d\t%d\t", s.path.c_str(), s.lsb, s.bits);
      for (int i = 0; i < (s.bits + 31) / 32; i++)
        std::fprintf(f, "%08x", shared().toggled[s.code + i]);
      std::fputc('\n', f);
    }
    std::fclose(f);
  }

private:
  struct Dump {
    DumpCb f;
    void *of;
  };
  struct Clean {
    CleanupCb f;
    void *of;
  };
  void declare(uint32_t code, const char *name, bool array, int index, int msb, int lsb) {
    const int bits = msb - lsb + 1;
    if (code + (bits + 31) / 32 > size)
      size = code + (bits + 31) / 32;
    if (known) // by another model of this class
      return;
    shared().signals.push_back(
        {(prefix.empty() ? "" : prefix.back()) + name + (array ? "[" + std::to_string(index) + "]" : ""), code, lsb,
         bits});
  }
  static inline uint32_t known = 0;
  std::vector<Dump> full, changes;
  std::vector<Clean> cleanup;
  std::vector<std::string> prefix;
  Buffer buffer;
  uint32_t size = 1;
  bool begun = false;
};

class VerilatedVcdC {
public:
  bool isOpen() const {
    return false;
  }
  VerilatedVcd *spTrace() {
    return &vcd;
  }
  VerilatedVcd vcd;
};

#endif
