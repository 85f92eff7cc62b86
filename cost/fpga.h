/* SPDX-License-Identifier: Apache-2.0 */
/* fpga.h - FPGA parts: how Yosys synthesizes for them, the classes of their cells, and the chips on which a switch can
 * be placed.
 */
#ifndef UT_FPGA_H
#define UT_FPGA_H

#include <stdint.h>

#include "synthesis.h"

enum ut_fpga_class {
  UT_FPGA_LUT, /* logic */
  UT_FPGA_FLIP_FLOP,
  UT_FPGA_CARRY,
  UT_FPGA_MUX,     /* joins LUTs to wider functions */
  UT_FPGA_LUT_RAM, /* LUTs that hold bits: distributed RAM, shift registers */
  UT_FPGA_BLOCK_RAM,
  UT_FPGA_CLASSES,
};

struct ut_fpga_cell {
  const char *begin; /* of the names of its kind; none is the beginning of another */
  enum ut_fpga_class class;
  unsigned luts; /* places of LUTs that it takes; of a carry cell those that its chain takes by itself */
};

/* A chip that a free placer and router supports. */
struct ut_chip {
  const char *title;
  const char *tool, *package;     /* the program, and the Debian package that has it */
  const char *const *arguments;   /* which chip; NULL-terminated */
  const char *resource;           /* of its report: logic cells */
  const char *suffix[4];          /* that packing gives to a cell's name; up to NULL */
  const char *made;               /* in Yosys' names of cells: behind the net of ours that it made the cell near */
  const char *library;            /* arguments of read_verilog for the models of the cells */
  const char *in_cell, *out_cell; /* Verilog of a stage of the pins' shift registers: pnr.c */
};

struct ut_part {
  const char *name, *title, *synthesis; /* synthesis: Yosys' command */
  const struct ut_fpga_cell *cell;      /* up to one without a name */
  const struct ut_chip *chip;           /* NULL: synthesis only */
};

extern const struct ut_technology ut_fpga;

/* The part of that name, or NULL after filling *e with the known ones. */
const struct ut_part *ut_part_find(const char *name, struct ut_error *e);
/* Returns the class of a kind of cell; NULL: it is not counted. */
const struct ut_fpga_cell *ut_part_cell(const struct ut_part *part, const char *kind);

#endif
