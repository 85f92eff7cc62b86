/* SPDX-License-Identifier: Apache-2.0 */
/* image.h - the memory layout of one switch of many, for programs that read and write it: a C++ struct with the ports
 * and the registers of the netlist as members, spelled and sized as by Verilator.
 *
 * It has four parts, each of whole groups of words: inputs, outputs, registers, and places of memories.  Lanes are
 * transposed part by part, except the last one: memories exist only there.
 */
#ifndef UT_IMAGE_H
#define UT_IMAGE_H

#include <stdio.h>

#include "circuit.h"

enum { UT_IMAGE_INPUTS, UT_IMAGE_OUTPUTS, UT_IMAGE_REGISTERS, UT_IMAGE_MEMORIES, UT_IMAGE_PARTS };
enum { UT_IMAGE_GROUP = 4 }; /* 64-bit words */

struct ut_image_field {
  const struct ut_gate_name *name;
  unsigned at, size; /* bytes from the begin of the image */
  int part;
  const struct ut_memory *memory; /* of a place: whose; NULL: it is none */
};
struct ut_image {
  struct ut_image_field *field; /* in the order of their places */
  size_t fields;
  struct ut_gate_name *place;         /* what places of memories are called, and */
  char *text;                         /* where these names lie */
  unsigned begin[UT_IMAGE_PARTS + 1]; /* of each part, and the end, in words */
};

/* Returns 0, or -1 after filling *e; free in both cases. */
int ut_image_make(struct ut_image *image, const struct ut_circuit *circuit, struct ut_error *e);
void ut_image_free(struct ut_image *image);

/* Returns the bytes of a member of that many bits. */
unsigned ut_image_size(unsigned width);

/* Writes the struct, called Root. */
void ut_image_write(const struct ut_image *image, FILE *f);

#endif
