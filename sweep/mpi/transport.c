/* SPDX-License-Identifier: Apache-2.0 */
/* transport.c - see transport.h
 *
 * A message is sent in chunks that MPI copies at once (its eager protocol, 4 KB with shared memory): a message of a
 * rank that dies arrives or does not, and no rank reads from the memory of a process that is gone.
 */
#include "transport.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

enum { PIECE = 3072, TAG = 1 };

/* A chunk in flight. */
struct piece {
  struct piece *next;
  MPI_Request request;
  int to;
  char data[PIECE];
};

/* A message that is arriving, or has arrived. */
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
  for (struct piece **piece_state = &sending; *piece_state;) {
    struct piece *piece = *piece_state;
    int done = 0;
    if (MPI_Test(&piece->request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done) {
      *piece_state = piece->next;
      free(piece);
    } else {
      piece_state = &piece->next;
    }
  }
}

static bool send_partition(int to, const void *data, size_t bytes) {
  struct piece *piece = malloc(sizeof *piece);
  if (!piece)
    return false;
  piece->to = to;
  memcpy(piece->data, data, bytes);
  if (MPI_Isend(piece->data, (int)bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &piece->request) != MPI_SUCCESS) {
    free(piece);
    return false;
  }
  piece->next = sending;
  sending = piece;
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
  for (const struct piece *piece = sending; piece; piece = piece->next)
    if (piece->to == to)
      return false;
  return true;
}

/* Receives one chunk, if one has arrived. */
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
  struct message *message = partly[from];
  if (!message) {
    uint64_t length;
    memcpy(&length, data, sizeof length);
    message = malloc(sizeof *message + length);
    if (!message)
      abort(); /* the rank is lost; half a message cannot be left out */
    *message = (struct message){.from = from, .bytes = length};
    partly[from] = message;
  } else {
    memcpy(message->data + message->there, data, (size_t)bytes);
    message->there += (uint64_t)bytes;
  }
  if (message->there == message->bytes) {
    partly[from] = NULL;
    *last = message;
    last = &message->next;
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
  struct message *message = first;
  void *data = malloc(message->bytes + 1);
  if (!data)
    return NULL;
  memcpy(data, message->data, message->bytes);
  ((char *)data)[message->bytes] = '\0';
  *from = message->from;
  *bytes = message->bytes;
  first = message->next;
  if (!first)
    last = &first;
  free(message);
  return data;
}

static void close_all(bool together) {
  if (together)
    MPI_Finalize();
}

bool ut_transport_open(struct ut_transport *transport);
bool ut_transport_open(struct ut_transport *transport) {
  *transport = (struct ut_transport){
      .send = send_message, .arrived = arrived, .receive = receive, .sent = all_sent, .close = close_all};
  if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
    return false;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &transport->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &transport->ranks);
  ranks = transport->ranks;
  partly = calloc((size_t)ranks, sizeof *partly);
  return partly;
}
