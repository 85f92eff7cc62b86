/* SPDX-License-Identifier: Apache-2.0 */
/* model_nets.c - see model_nets.h */
#define _GNU_SOURCE /* memmem, strchrnul */
#include "model_nets.h"

#include <stdlib.h>
#include <string.h>

#include "gates.h"
#include "memory_text.h"

enum { WORD = 64 };

/* Prints the text of a source anew into *data; f is NULL, or the stream that it was printed to. */
static int replace(struct ut_source *source, FILE *f, char **data, size_t *size, struct ut_error *e) {
  if (!f || ut_memory_close(f, data))
    return ut_fail_memory(e);
  free(source->data);
  source->data = *data;
  source->size = *size;
  return 0;
}

int ut_model_nets_show_registers(struct ut_source *netlist, struct ut_error *e) {
  char *data = NULL;
  size_t size = 0;
  FILE *f = ut_memory_open(&data, &size);
  for (const char *line = netlist->data, *end; f && *line; line = *end ? end + 1 : end) {
    end = strchrnul(line, '\n');
    const char *stop = memchr(line, ';', (size_t)(end - line));
    bool seen = stop && !strncmp(line, "  wire ", 7) && memmem(line, (size_t)(stop - line), "_q", 2);
    if (!seen)
      stop = end;
    fprintf(f, "%.*s%s%.*s\n", (int)(stop - line), line, seen ? "/*verilator public_flat_rd*/" : "", (int)(end - stop),
            stop);
  }
  return replace(netlist, f, &data, &size, e);
}

static void write_words(FILE *f, const struct ut_gates *gates, unsigned words) {
  fprintf(f, "  reg [%d:0] uturn_nets [0:%u] /*verilator public_flat_rd*/;\n  always @(posedge clk_i) begin\n",
          WORD - 1, words - 1);
  for (unsigned w = 0; w < words; w++) {
    fprintf(f, "    uturn_nets[%u] = { ", w);
    for (unsigned b = WORD; b--;) {
      const size_t i = (size_t)w * WORD + b;
      const bool used = i < gates->nets && strcmp(gates->net[i].name, "clk_i");
      fprintf(f, "%s %s", used ? gates->net[i].name : "1'b0", b ? ", " : "};\n");
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
  return replace(netlist, f, &data, &size, e);
}
