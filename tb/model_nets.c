/* model_nets.c - see model_nets.h */
#include "model_nets.h"

#include <stdlib.h>
#include <string.h>

#include "gates.h"
#include "memory_text.h"

enum { WORD = 64 };

static void write_words(FILE *f, const struct ut_gates *g, unsigned words) {
  fprintf(f, "  reg [%d:0] uturn_nets [0:%u] /*verilator public_flat_rd*/;\n  always @(posedge clk_i) begin\n",
          WORD - 1, words - 1);
  for (unsigned w = 0; w < words; w++) {
    fprintf(f, "    uturn_nets[%u] = { ", w);
    for (unsigned b = WORD; b--;) {
      const size_t i = (size_t)w * WORD + b;
      const bool used = i < g->nets && strcmp(g->net[i].name, "clk_i");
      fprintf(f, "%s %s", used ? g->net[i].name : "1'b0", b ? ", " : "};\n");
    }
  }
  fprintf(f, "  end\n");
}

int ut_model_nets_add(struct ut_source *netlist, unsigned *words, struct ut_error *e) {
  struct ut_gates gates;
  char *data = NULL;
  size_t size = 0;
  const char *end = strstr(netlist->data, "\nendmodule");
  if (ut_gates_read(&gates, netlist->data, netlist->name, e) || !end) {
    ut_gates_free(&gates);
    return end ? -1 : ut_fail(e, UT_INTERNAL, "the netlist %.900s has no end", netlist->name);
  }
  *words = (unsigned)((gates.nets + WORD - 1) / WORD);
  FILE *f = ut_memory_open(&data, &size);
  if (f) {
    fwrite(netlist->data, 1, (size_t)(end + 1 - netlist->data), f);
    write_words(f, &gates, *words);
    fputs(end + 1, f);
  }
  ut_gates_free(&gates);
  if (!f || ut_memory_close(f, &data))
    return ut_fail_memory(e);
  free(netlist->data);
  netlist->data = data;
  netlist->size = size;
  return 0;
}
