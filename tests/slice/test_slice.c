/* SPDX-License-Identifier: Apache-2.0 */
/* test_slice.c - slice/slice: random netlists as compiled C, against their cells evaluated one by one, lane by lane;
 * and where the images have what. */
#include "slice.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "folder.h"
#include "image.h"
#include "memory_text.h"

enum { IN = 40, GATES = 3000, FLIPS = 100, SHOWN = 30, WORDS = 2, CYCLES = 5 }; /* gates: for several functions */

#include "random_netlist.h"

static struct ut_error error;
typedef uint64_t lanes[WORDS] __attribute__((aligned(16)));
typedef void step(const lanes *s, const lanes *x, lanes *n, lanes *t);

/* The compiled circuit of these texts. */
static void *compile(const struct ut_slice *s) {
  char path[256], command[1024];
  int n = snprintf(command, sizeof command, "cc -shared -fPIC -O0 -w -o %s/gates.so", folder);
  for (unsigned i = 0; i < s->texts; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, s->text[i].name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(s->text[i].data, 1, s->text[i].size, f), s->text[i].size);
    fclose(f);
    if (strstr(s->text[i].name, ".c")) /* not of the path: the folder may be .../uturn-test.cXYZ */
      n += snprintf(command + n, sizeof command - (size_t)n, " %s", path);
  }
  assert_int_equal(system(command), 0);
  snprintf(path, sizeof path, "%s/gates.so", folder);
  void *library = dlopen(path, RTLD_NOW);
  if (!library)
    fail_msg("%s", dlerror());
  return library;
}

/* The number that stands behind a name in gates.h. */
static unsigned size_of(const struct ut_slice *s, const char *name) {
  const char *at = strstr(s->text[0].data, name);
  assert_non_null(at);
  return (unsigned)strtoul(at + strlen(name) + 3, NULL, 10);
}

static void compare(const struct ut_slice *s, void *library) {
  static uint64_t expected[WORDS][NODES];
  static lanes value[2][2000], x[2000], t[GATES];
  const unsigned states = size_of(s, "UT_FLIP_FLOPS");
  step *clock = NULL, *show = NULL;
  *(void **)&clock = dlsym(library, "ut_gates_clock");
  *(void **)&show = dlsym(library, "ut_gates_show");
  const uint32_t *tap = dlsym(library, "ut_gates_tap");
  assert_int_equal(states, FLIPS);
  assert_true(size_of(s, "UT_TEMPORARIES") > 1 && size_of(s, "UT_TEMPORARIES") < GATES / 2);
  for (unsigned i = 0; i < FLIPS; i++)
    for (unsigned w = 0; w < WORDS; w++)
      value[0][i][w] = expected[w][IN + i] = chance();
  for (unsigned c = 0; c < CYCLES; c++) {
    lanes *now = value[c % 2], *then = value[1 - c % 2];
    for (unsigned w = 0; w < WORDS; w++) {
      for (unsigned i = 0; i < IN; i++)
        x[i][w] = expected[w][i] = chance();
      evaluate(expected[w], NODES, 0);
      uint64_t after[FLIPS];
      for (unsigned i = 0; i < FLIPS; i++)
        after[i] = expected[w][next[i]];
      memcpy(&expected[w][IN], after, sizeof after);
      evaluate(expected[w], NODES, 0); /* outputs show what flip-flops hold then */
    }
    clock((const lanes *)now, (const lanes *)x, then, t);
    show((const lanes *)then, (const lanes *)x, then + size_of(s, "UT_ZERO"), t);
    for (unsigned w = 0; w < WORDS; w++) {
      for (unsigned i = 0; i < FLIPS; i++)
        assert_int_equal(then[tap[64 * UT_IMAGE_GROUP + i]][w], expected[w][IN + i]);
      for (unsigned i = 0; i < SHOWN; i++)
        assert_int_equal(then[tap[i]][w], expected[w][shown[i]]);
    }
  }
}

static void random_circuits(void **state) {
  (void)state;
  struct ut_liberty l;
  assert_int_equal(ut_liberty_parse(&l, small_library, strlen(small_library), "small.lib", &error), 0);
  char *text = random_netlist();
  struct ut_circuit c;
  struct ut_slice s;
  if (ut_circuit_read(&c, text, "net.v", &l, &error) || ut_slice_make(&s, &c, WORDS, &error))
    fail_msg("%s", error.text);
  void *library = compile(&s);
  compare(&s, library);
  dlclose(library);
  ut_slice_free(&s);
  ut_circuit_free(&c);
  ut_liberty_free(&l);
  free(text);
}

static void images(void **state) {
  (void)state;
  static const char text[] =
      "module m(a_i, b_i, o_o);\n  input a_i;\n  input [64:0] b_i;\n  output [8:0] o_o;\n"
      "  wire \\x.r_q ;\n  wire [2:0] \\x.m_q[10] ;\n  wire [2:0] \\x.m_q[9] ;\n"
      "  wire [63:0] d_q;\n  wire [15:0] \\x.r_q_i ;\n  INV g ( .A(a_i), .Y(d_q[0]) );\nendmodule\n";
  static const struct {
    const char *name;
    unsigned at, size;
  } expected[] = {{"b_i", 0, 12},
                  {"a_i", 12, 1},
                  {"o_o", 32, 2},
                  {"d_q", 64, 8},
                  {"\\x.m_q[9]", 72, 1},
                  {"\\x.m_q[10]", 73, 1},
                  {"\\x.r_q", 74, 1},
                  {"\\x.u.data_q[0]", 96, 8},
                  {"\\x.u.data_q[1]", 104, 8},
                  {"\\x.u.tag_q[0]", 112, 1},
                  {"\\x.u.tag_q[1]", 113, 1},
                  {"\\x.u.tag_q[2]", 114, 1},
                  {"\\x.u.tag_q[3]", 115, 1}};
  struct ut_memory memories[] = {{.name = "\\x.u.data_q", .length = 11, .width = 64, .address = 1},
                                 {.name = "\\x.u.tag_q", .length = 10, .width = 3, .address = 2}};
  struct ut_circuit c = {.memory = memories, .memories = 2};
  struct ut_image m;
  char *root;
  size_t size;
  assert_int_equal(ut_gates_read(&c.gates, text, "net.v", &error), 0);
  assert_int_equal(ut_image_make(&m, &c, &error), 0);
  assert_int_equal(m.fields, sizeof expected / sizeof *expected);
  for (size_t i = 0; i < m.fields; i++) {
    assert_memory_equal(m.field[i].name->name, expected[i].name, strlen(expected[i].name));
    assert_int_equal(m.field[i].at, expected[i].at);
    assert_int_equal(m.field[i].size, expected[i].size);
  }
  for (int i = 0; i <= UT_IMAGE_PARTS; i++)
    assert_int_equal(m.begin[i], 4 * i);
  FILE *f = ut_memory_open(&root, &size);
  ut_image_write(&m, f);
  assert_int_equal(ut_memory_close(f, &root), 0);
  assert_non_null(strstr(root, "alignas(32) VlWide<3> b_i;"));
  assert_non_null(strstr(root, "CData ut_switch__DOT__x__02em_q__05b10__05d;"));
  free(root);
  ut_image_free(&m);
  ut_gates_free(&c.gates);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_circuits),
      cmocka_unit_test(images),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
