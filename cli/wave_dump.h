/* wave_dump.h - the dump of `cosim --wave`: options, what is dumped, and the run that makes it. */
#ifndef UT_WAVE_DUMP_H
#define UT_WAVE_DUMP_H

#include "cli.h"
#include "lockstep.h"

enum ut_wave_window { UT_WINDOW_DEFAULT, UT_WINDOW_CYCLES, UT_WINDOW_FAULT, UT_WINDOW_MISMATCH };

struct ut_wave_options {
  const char *path; /* NULL: no dump */
  enum ut_wave_window window;
  uint64_t first, last; /* UT_WINDOW_CYCLES */
  const char *switches; /* as given; NULL: those of the fault or mismatch */
};
/* argp child, input struct ut_wave_options. */
extern const struct argp ut_wave_argp;

/* "L.I" of that topology; false: no such switch. */
bool ut_parse_switch(const char *text, const struct ut_topology *t, uint32_t *sw);

/* Before anything is built or run: window, switches, and whether the file can be written.  0, or -1 and *e. */
int ut_wave_check(const struct ut_wave_options *o, const struct ut_scenario *s, struct ut_error *e);
/* The run that is `done` once more up to the window's end, with a traced model, in a process of its own: what becomes
 * of Verilator's writer on a full disk ends that process only.  Returns the exit status. */
int ut_wave_dump(const struct ut_wave_options *o, const struct ut_device *device, const struct ut_scenario *s,
                 const struct ut_lockstep *done);

#endif
