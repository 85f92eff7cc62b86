/* SPDX-License-Identifier: Apache-2.0 */
/* transport.h - messages between the ranks of an MPI job, for ranks.c.
 *
 * It is a library of its own, uturn_mpi.so next to the program, loaded if mpirun has started it: the program needs no
 * MPI.  No call waits for another rank, so a rank that has died blocks no other.
 */
#ifndef UT_TRANSPORT_H
#define UT_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>

struct ut_transport {
  int rank, ranks;
  /* Sends a copy.  false: out of memory, or MPI cannot. */
  bool (*send)(int to, const void *data, size_t bytes);
  /* A message has arrived. */
  bool (*arrived)(void);
  /* Takes the oldest one (malloc'd); NULL: there is none. */
  void *(*receive)(int *from, size_t *bytes);
  /* All that was sent to that rank is on its way. */
  bool (*sent)(int to);
  /* together: all ranks are there, and end now, too. */
  void (*close)(bool together);
};

/* The one symbol of the library: starts MPI. */
#define UT_TRANSPORT_OPEN "ut_transport_open"
typedef bool ut_transport_open_function(struct ut_transport *t);

#endif
