/* service.c - see service.h */
#include "service.h"

#include <stdlib.h>

bool ut_service_init(struct ut_service *s, const struct ut_topology *t, uint64_t seed) {
  *s = (struct ut_service){.topology = t};
  s->serves = malloc(t->terminals * sizeof *s->serves);
  s->list = malloc(t->terminals * sizeof *s->list);
  s->random = malloc(t->terminals * sizeof *s->random);
  if (!s->serves || !s->list || !s->random)
    return false;
  for (uint32_t i = 0; i < t->terminals; i++)
    ut_random_init(&s->random[i], seed, UT_RANDOM_SERVICE, i);
  return true;
}

void ut_service_fini(struct ut_service *s) {
  free(s->serves);
  free(s->list);
  free(s->random);
  *s = (struct ut_service){0};
}

void ut_service_survey(struct ut_service *s, const struct ut_faults *f) {
  const struct ut_topology *t = s->topology;
  s->count = 0;
  for (uint32_t i = 0; i < t->terminals; i++) {
    s->serves[i] = ut_faults_switch_up(f, ut_topology_attachment(t, i).sw);
    if (s->serves[i])
      s->list[s->count++] = i;
  }
}

uint32_t ut_service_other(struct ut_service *s, uint32_t src) {
  if (s->count < 2)
    return src;
  for (;;) {
    const uint32_t other = s->list[ut_random_below(&s->random[src], s->count)];
    if (other != src)
      return other;
  }
}
