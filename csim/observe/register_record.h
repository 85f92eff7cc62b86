/* SPDX-License-Identifier: Apache-2.0 */
/* register_record.h - the registers of some switches over some cycles, of one side or of two: what the player of a page
 * shows of a switch (docs/reference/report.md).
 *
 * The code that reads the registers (tb/lockstep, a golden network) passes all of a switch, always in the same order.
 * Only changes are stored.
 */
#ifndef UT_REGISTER_RECORD_H
#define UT_REGISTER_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UT_REGISTER_PATH_SIZE = 64 };

/* The registers of a switch as they were read last, by their paths in reports (in0.vc0.state_q). */
struct ut_register_view {
  uint32_t sw;
  size_t registers, room;
  struct ut_register_name {
    char path[UT_REGISTER_PATH_SIZE];
    unsigned bits;
  } * name;                  /* [registers] */
  uint64_t *device, *golden; /* [registers] */
  /* private */
  size_t next;
  bool known, failure;
};

/* One reading of all registers: begin, pass each, end.  Returns false when out of memory. */
void ut_register_view_begin(struct ut_register_view *view);
/* ctx: the view.  device: the RTL, or another implementation that is compared with the golden side. */
void ut_register_view_tell(void *ctx, const char *path, unsigned bits, uint64_t device, uint64_t golden);
bool ut_register_view_end(struct ut_register_view *view);
void ut_register_view_free(struct ut_register_view *view);

/* Values of a register from that cycle on. */
struct ut_register_change {
  uint32_t reg;
  uint64_t cycle, device, golden;
};

struct ut_recorded_registers {
  struct ut_register_view view;
  struct ut_register_change *change; /* by cycle; in the first one all registers */
  size_t changes, room;
  uint64_t *before; /* [2 * registers]: device and golden, as they were seen before */
};

struct ut_register_record {
  uint64_t from, until;             /* cycles from..until-1 */
  const char *device, *golden;      /* "RTL", "model" */
  struct ut_recorded_registers *of; /* [switches] */
  unsigned switches;
  bool mismatch; /* both sides differ in `cycle`, first in this switch; UINT32_MAX: in the accounts */
  uint64_t cycle;
  uint32_t sw;
  const char *report; /* a line */
  bool failure;       /* out of memory: something is missing */
};

/* false: out of memory; to be freed in both cases. */
bool ut_register_record_init(struct ut_register_record *record, const uint32_t *switches, unsigned count);
/* Records the contents of the views, all of them read in this cycle, which is not before the last one.  Returns false
 * when out of memory. */
bool ut_register_record_take(struct ut_register_record *record, uint64_t cycle);
void ut_register_record_free(struct ut_register_record *record);

#endif
