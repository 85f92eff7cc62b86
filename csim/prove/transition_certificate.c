/* SPDX-License-Identifier: Apache-2.0 */
/* transition_certificate.c - see transition_certificate.h */
#include "transition_certificate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "certificate_text.h"
#include "layout.h"
#include "output.h"
#include "scenario.h"
#include "scenario_facts.h"

struct certificate {
  struct ut_transition_prover *prover;
  const struct ut_fault_space *space;
  FILE *f;
  ut_mask *base, *entry; /* [switches * 2 * terminals]: ports by bank and destination, without faults; now */
  ut_mask *base_bank, *bank;
  uint32_t *rank, *degree, *queue; /* [channels] */
  uint32_t *first, *to;            /* arcs by channel: [channels + 1], [arcs] */
  struct ut_transition_certificate_report report;
  bool bad_memory;
};

int ut_transition_certificate_possible(const struct ut_transition_prover *prover, const struct ut_fault_space *space,
                                       struct ut_error *e) {
  const struct ut_shape *shape = &prover->explorer.group[0].shape;
  const struct ut_topology *topo = prover->topology;
  const char *why = NULL;
  if (!topo->bidirectional || topo->injections > 1)
    why = "its links have one direction, or its terminals several links";
  else if (shape->v > 1 || shape->vc_map || shape->via)
    why = "certificates of transitions are for one virtual channel";
  else if (prover->explorer.forwarding.local)
    why = "its switches do not go by tables alone";
  for (unsigned i = 0; i < space->blocks && !why; i++)
    if (!space->block[i].exhaustive)
      why = "only some of the fault sets are asked for: --exhaustive, or fewer faults";
    else if (space->block[i].switches)
      why = "certificates of transitions are for links";
  return why ? ut_fail(e, UT_BAD_INPUT, "%s: --certificate is not supported: %s", ut_scenario_path(prover->scenario),
                       why)
             : 0;
}

/* ---- tables */

/* The ports that an entry names in the present contents of the switch's groups. */
static ut_mask ports_of(const struct certificate *certificate, uint32_t sw, uint32_t contents) {
  const struct ut_explorer *explorer = &certificate->prover->explorer;
  const struct ut_next_hops *hops = &explorer->forwarding.hops;
  const unsigned halves = hops->by ? ut_next_hops_halves(hops) : 0;
  ut_mask ports = 0;
  if (!hops->by)
    return contents & 1 ? ut_bit(contents >> 1 & 63) : 0;
  for (unsigned half = 0; half < halves; half++)
    ports |= (ut_mask)ut_held_words_get(&explorer->held, sw, contents * halves + half) << 32 * half;
  return ports;
}

static uint32_t entry_at(const struct certificate *certificate, unsigned bank, uint32_t dst) {
  const struct ut_forwarding *forwarding = &certificate->prover->explorer.forwarding;
  return forwarding->hops.by ? ut_next_hops_entry_at(&forwarding->hops, bank, dst)
                             : ut_forwarding_at(forwarding, bank, 0, dst);
}

static uint32_t bank_at(const struct certificate *certificate, unsigned port) {
  const struct ut_forwarding *forwarding = &certificate->prover->explorer.forwarding;
  return forwarding->hops.by ? ut_next_hops_bank_at(&forwarding->hops, port) : forwarding->entries + port;
}

/* Reads what the switches hold. */
static void read_tables(struct certificate *certificate) {
  const struct ut_topology *topo = certificate->prover->topology;
  const struct ut_held_words *held = &certificate->prover->explorer.held;
  for (uint32_t sw = 0; sw < topo->switches; sw++) {
    certificate->bank[sw] = 0;
    for (unsigned port = 0; port < topo->pi; port++)
      certificate->bank[sw] |= (ut_mask)(ut_held_words_get(held, sw, bank_at(certificate, port)) & 1) << port;
    for (unsigned bank = 0; bank < 2; bank++)
      for (uint32_t dst = 0; dst < topo->terminals; dst++)
        certificate->entry[((size_t)sw * 2 + bank) * topo->terminals + dst] =
            ports_of(certificate, sw, ut_held_words_get(held, sw, entry_at(certificate, bank, dst)));
  }
}

/* Writes the tables where they differ from `base` and `base_bank`. */
static void put_tables(struct certificate *certificate, const char *word) {
  const struct ut_topology *topo = certificate->prover->topology;
  for (uint32_t sw = 0; sw < topo->switches; sw++) {
    if (certificate->bank[sw] != certificate->base_bank[sw])
      fprintf(certificate->f, "%s %u banks %" PRIx64 "\n", word, (unsigned)sw, (uint64_t)certificate->bank[sw]);
    for (unsigned bank = 0; bank < 2; bank++)
      for (uint32_t dst = 0; dst < topo->terminals; dst++) {
        const size_t i = ((size_t)sw * 2 + bank) * topo->terminals + dst;
        if (certificate->entry[i] != certificate->base[i])
          fprintf(certificate->f, "%s %u to %u %u %" PRIx64 "\n", word, (unsigned)sw, bank, (unsigned)dst,
                  (uint64_t)certificate->entry[i]);
      }
  }
}

/* Writes one word of the manager; those of groups stand in the entries that name them. */
static void put_write(struct certificate *certificate, const struct ut_table_change *change) {
  const unsigned kind = ut_config_kind(change->after);
  if (kind == UT_CONFIG_KIND_BANK)
    fprintf(certificate->f, "write %u bank %u %u\n", (unsigned)change->sw, (unsigned)ut_config_port(change->after),
            (unsigned)ut_config_bank(change->after));
  if (kind == UT_CONFIG_KIND_ENTRY)
    fprintf(certificate->f, "write %u to %u %u %" PRIx64 "\n", (unsigned)change->sw,
            (unsigned)ut_config_bank(change->after), (unsigned)ut_config_dst(change->after),
            (uint64_t)ports_of(certificate, change->sw, ut_table_contents(change->after)));
}

/* ---- ranks */

/* Lists the dependencies by the channel that waits. */
static void list_arcs(struct certificate *certificate) {
  const struct ut_hash *arcs = &certificate->prover->rings.all.hash;
  const uint32_t channels = certificate->prover->explorer.channels;
  memset(certificate->first, 0, (channels + 1) * sizeof *certificate->first);
  memset(certificate->degree, 0, channels * sizeof *certificate->degree);
  free(certificate->to);
  certificate->to = malloc((arcs->used + 1) * sizeof *certificate->to);
  if ((certificate->bad_memory |= !certificate->to))
    return;
  for (uint32_t i = 0; i < arcs->size; i++)
    if (arcs->entry[i].generation == arcs->generation) {
      certificate->first[arcs->entry[i].key >> 32]++;
      certificate->degree[(uint32_t)arcs->entry[i].key]++;
    }
  for (uint32_t c = 0, sum = 0; c <= channels; c++)
    certificate->first[c] = sum += c < channels ? certificate->first[c] : 0;
  for (uint32_t i = 0; i < arcs->size; i++)
    if (arcs->entry[i].generation == arcs->generation)
      certificate->to[--certificate->first[arcs->entry[i].key >> 32]] = (uint32_t)arcs->entry[i].key;
}

/* Gives each channel a higher rank than those that wait for it. */
static void find_ranks(struct certificate *certificate) {
  const uint32_t channels = certificate->prover->explorer.channels;
  uint32_t length = 0;
  memset(certificate->rank, 0, channels * sizeof *certificate->rank);
  for (uint32_t c = 0; c < channels; c++)
    if (!certificate->degree[c])
      certificate->queue[length++] = c;
  for (uint32_t i = 0; i < length; i++) {
    const uint32_t c = certificate->queue[i];
    for (uint32_t j = certificate->first[c]; j < certificate->first[c + 1]; j++) {
      const uint32_t to = certificate->to[j];
      if (certificate->rank[to] <= certificate->rank[c])
        certificate->rank[to] = certificate->rank[c] + 1;
      if (!--certificate->degree[to])
        certificate->queue[length++] = to;
    }
  }
}

static void put_ranks(const struct certificate *certificate) {
  const struct ut_explorer *explorer = &certificate->prover->explorer;
  for (uint32_t sw = 0; sw < explorer->topology->switches; sw++) {
    fprintf(certificate->f, "rank %u", (unsigned)sw);
    for (unsigned port = 0; port < explorer->topology->pi; port++)
      fprintf(certificate->f, " %u", (unsigned)certificate->rank[ut_explorer_channel(explorer, sw, port, 0)]);
    fprintf(certificate->f, "\n");
  }
}

/* ---- transitions */

static void note_old(struct ut_transition_prover *prover, void *ctx) {
  (void)prover;
  read_tables(ctx);
  put_tables(ctx, "old");
}

static void note_phase(struct ut_transition_prover *prover, void *ctx) {
  struct certificate *certificate = ctx;
  fprintf(certificate->f, "phase\n");
  for (uint32_t i = 0; i < prover->changes.changes; i++)
    put_write(certificate, &prover->changes.change[i]);
  certificate->report.words += prover->changes.changes;
  certificate->report.phases++;
  list_arcs(certificate);
  if (certificate->bad_memory)
    return;
  find_ranks(certificate);
  put_ranks(certificate);
}

static void put_head(const struct certificate *certificate) {
  const struct ut_topology *topo = certificate->prover->topology;
  FILE *f = certificate->f;
  fprintf(f, "uturn transitions 1\n");
  fprintf(f, "# what a manager writes between two plans, docs/reference/certificate.md; check: "
             "tools/check_certificate\n");
  fprintf(f, "parts %u %u %u\n", (unsigned)topo->switches, (unsigned)topo->terminals, (unsigned)topo->pi);
  ut_certificate_put_cables(topo, f);
  for (unsigned i = 0; i < certificate->space->blocks && !certificate->space->is_fixed; i++)
    fprintf(f, "all %u\n", certificate->space->block[i].links);
  if (certificate->space->is_fixed)
    fprintf(f, "set");
  for (unsigned i = 0; i < certificate->space->fixed.links && certificate->space->is_fixed; i++)
    fprintf(f, " %u", (unsigned)certificate->space->fixed.link[i]);
  if (certificate->space->is_fixed)
    fprintf(f, "\n");
}

static int certify_set(struct certificate *certificate, const struct ut_fault_set *set, struct ut_error *e) {
  struct ut_transition transition;
  struct ut_transition_verdict verdict;
  for (unsigned i = 0; i < ut_transitions_of(set); i++) {
    ut_transition_get(set, i, &transition);
    fprintf(certificate->f, "transition %s\n", transition.repair ? "repair" : "fault");
    if (ut_transition_examine(certificate->prover, &transition, &verdict, e))
      return -1;
    if (certificate->bad_memory)
      return ut_fail_memory(e);
    certificate->report.transitions++;
  }
  certificate->report.sets++;
  return 0;
}

static int write_all(struct certificate *certificate, struct ut_error *e) {
  struct ut_fault_set set;
  put_head(certificate);
  ut_transition_settle(certificate->prover, &(struct ut_fault_set){0});
  read_tables(certificate);
  put_tables(certificate, "base"); /* those compared with are 0 yet */
  const size_t entries = (size_t)certificate->prover->topology->switches * 2 * certificate->prover->topology->terminals;
  memcpy(certificate->base, certificate->entry, entries * sizeof *certificate->base);
  memcpy(certificate->base_bank, certificate->bank,
         certificate->prover->topology->switches * sizeof *certificate->bank);
  for (uint64_t i = 0; i < certificate->space->count; i++) {
    ut_fault_space_get(certificate->space, i, &set);
    if (certify_set(certificate, &set, e))
      return -1;
  }
  fprintf(certificate->f, "end\n");
  return 0;
}

static bool allocate(struct certificate *certificate) {
  const struct ut_topology *topo = certificate->prover->topology;
  const uint32_t channels = certificate->prover->explorer.channels;
  const size_t entries = (size_t)topo->switches * 2 * topo->terminals;
  certificate->base = calloc(entries, sizeof *certificate->base);
  certificate->entry = calloc(entries, sizeof *certificate->entry);
  certificate->base_bank = calloc(topo->switches, sizeof *certificate->base_bank);
  certificate->bank = calloc(topo->switches, sizeof *certificate->bank);
  certificate->rank = calloc(channels, sizeof *certificate->rank);
  certificate->degree = calloc(channels, sizeof *certificate->degree);
  certificate->queue = calloc(channels, sizeof *certificate->queue);
  certificate->first = calloc(channels + 1, sizeof *certificate->first);
  return certificate->base && certificate->entry && certificate->base_bank && certificate->bank && certificate->rank &&
         certificate->degree && certificate->queue && certificate->first;
}

static void release(struct certificate *certificate) {
  free(certificate->base), free(certificate->entry), free(certificate->base_bank), free(certificate->bank);
  free(certificate->rank), free(certificate->degree), free(certificate->queue);
  free(certificate->first), free(certificate->to);
}

int ut_transition_certificate_write(struct ut_transition_prover *prover, const struct ut_fault_space *space,
                                    const char *path, struct ut_transition_certificate_report *report,
                                    struct ut_error *e) {
  struct certificate certificate = {.prover = prover, .space = space};
  struct ut_output out;
  if (!allocate(&certificate)) {
    release(&certificate);
    return ut_fail_memory(e);
  }
  if (ut_output_open(&out, path, UT_OUTPUT_ANY, e)) {
    release(&certificate);
    return -1;
  }
  certificate.f = out.file;
  prover->listener = (struct ut_transition_listener){note_old, note_phase, &certificate};
  const int status = write_all(&certificate, e);
  prover->listener = (struct ut_transition_listener){0};
  *report = certificate.report;
  release(&certificate);
  if (!status)
    return ut_output_close(&out, e);
  ut_output_drop(&out);
  return -1;
}
