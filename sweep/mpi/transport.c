/* SPDX-License-Identifier: Apache-2.0 */
/* transport.c - see transport.h
 *
 * A message is sent in pieces that MPI copies at once (its eager protocol, 4 KB where memory is shared): what a rank
 * has sent before it dies arrives, or does not, and nobody reads from the memory of a process that is gone.
 */
#include "transport.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

enum { PIECE = 3072, TAG = 1 };

/* A piece on its way. */
struct piece {
  struct piece *next;
  MPI_Request request;
  int to;
  char data[PIECE];
};

/* A message that arrives, or has arrived. */
struct message {
  struct message *next;
  int from;
  uint64_t bytes, there;
  char data[];
};

static struct piece *sending;
static struct message **partly;                /* [ranks]: the one that arrives from there */
static struct message *first, **last = &first; /* whole ones */
static int ranks;

static void free_sent(void) {
  for (struct piece **p = &sending; *p;) {
    struct piece *piece = *p;
    int done = 0;
    if (MPI_Test(&piece->request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done) {
      *p = piece->next;
      free(piece);
    } else {
      p = &piece->next;
    }
  }
}

static bool send_partition(int to, const void *data, size_t bytes) {
  struct piece *p = malloc(sizeof *p);
  if (!p)
    return false;
  p->to = to;
  memcpy(p->data, data, bytes);
  if (MPI_Isend(p->data, (int)bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &p->request) != MPI_SUCCESS) {
    free(p);
    return false;
  }
  p->next = sending;
  sending = p;
  return true;
}

static bool send_message(int to, const void *data, size_t bytes) {
  const uint64_t length = bytes;
  if (!send_partition(to, &length, sizeof length))
    return false;
  for (size_t i = 0; i < bytes; i += PIECE)
    if (!send_partition(to, (const char *)data + i, bytes - i < PIECE ? bytes - i : PIECE))
      return false;
  free_sent();
  return true;
}

static bool all_sent(int to) {
  free_sent();
  for (const struct piece *p = sending; p; p = p->next)
    if (p->to == to)
      return false;
  return true;
}

/* One piece, if one has arrived. */
static bool take_partition(void) {
  int there = 0, bytes = 0;
  char data[PIECE];
  MPI_Status status;
  if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS || !there)
    return false;
  const int from = status.MPI_SOURCE;
  if (MPI_Recv(data, PIECE, MPI_BYTE, from, TAG, MPI_COMM_WORLD, &status) != MPI_SUCCESS)
    return false;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  struct message *m = partly[from];
  if (!m) {
    uint64_t length;
    memcpy(&length, data, sizeof length);
    m = malloc(sizeof *m + length);
    if (!m)
      abort(); /* the rank is lost; half a message cannot be left out */
    *m = (struct message){.from = from, .bytes = length};
    partly[from] = m;
  } else {
    memcpy(m->data + m->there, data, (size_t)bytes);
    m->there += (uint64_t)bytes;
  }
  if (m->there == m->bytes) {
    partly[from] = NULL;
    *last = m;
    last = &m->next;
  }
  return true;
}

static bool arrived(void) {
  free_sent();
  while (!first && take_partition())
    ;
  return first;
}

static void *receive(int *from, size_t *bytes) {
  if (!arrived())
    return NULL;
  struct message *m = first;
  void *data = malloc(m->bytes + 1);
  if (!data)
    return NULL;
  memcpy(data, m->data, m->bytes);
  ((char *)data)[m->bytes] = '\0';
  *from = m->from;
  *bytes = m->bytes;
  first = m->next;
  if (!first)
    last = &first;
  free(m);
  return data;
}

static void close_all(bool together) {
  if (together)
    MPI_Finalize();
}

bool ut_transport_open(struct ut_transport *t);
bool ut_transport_open(struct ut_transport *t) {
  *t = (struct ut_transport){
      .send = send_message, .arrived = arrived, .receive = receive, .sent = all_sent, .close = close_all};
  if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
    return false;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &t->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &t->ranks);
  ranks = t->ranks;
  partly = calloc((size_t)ranks, sizeof *partly);
  return partly;
}
