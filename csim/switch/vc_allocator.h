/* vc_allocator.h - gives free output VCs to waiting packets.  Twins: rtl/ut_vc_allocator.v, rtl/ut_vc_select.v */
#ifndef UT_VC_ALLOCATOR_H
#define UT_VC_ALLOCATOR_H

#include "local_first.h"
#include "rr_arbiter.h"
#include "switch.h"

/* The selection function: the port and VC that one bidding input VC picks among its candidates.  room: free output VCs
 * with room for a packet.  false: none fits. */
UT_INLINE bool ut_vc_select(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc,
                            const ut_mask *room, unsigned *op, unsigned *ovc, const struct ut_traits t) {
  const unsigned v = t.v;
  const ut_mask *cand = ut_cand_of(s, ip, ivc, t);
  ut_mask fit[UT_MAX_VCS], any = 0, liked = 0;
  for (unsigned o = 0; o < v; o++) {
    fit[o] = cand[o] & room[o];
    if (t.bubble)
      fit[o] &= ut_masks(g, s, UT_M_ENOUGH2, v)[o] | ~UT_AT(ut_mask, g, s, bubble)[(ip * v + ivc) * v + o];
    any |= fit[o];
  }
  if (!any)
    return false;
  if (t.preferred) {
    const ut_mask *preferred = UT_AT(ut_mask, g, s, preferred) + (ip * v + ivc) * v;
    for (unsigned o = 0; o < v; o++)
      liked |= fit[o] & preferred[o];
    for (unsigned o = 0; o < v && liked; o++)
      fit[o] &= preferred[o];
  }
  /* most credits */
  ut_mask best[UT_MAX_VCS] = {0}, ports = 0;
  if (v == 1 && !(fit[0] & (fit[0] - 1))) {
    best[0] = ports = fit[0];
  } else {
    unsigned most = 0;
    for (unsigned o = 0; o < v; o++)
      UT_FOR_EACH(p, fit[o]) {
        unsigned credits = *ut_credits_of(s, p, o, t);
        if (credits > most) {
          most = credits;
          for (unsigned q = 0; q < o; q++)
            best[q] = 0;
          best[o] = 0;
        }
        if (credits == most)
          best[o] |= ut_bit(p);
      }
    for (unsigned o = 0; o < v; o++)
      ports |= best[o];
  }
  *op = ut_rr_pick(ports, ut_port_of(s, ip, t)->select);
  *ovc = 0;
  while (v > 1 && !(best[*ovc] & ut_bit(*op)))
    ++*ovc;
  return true;
}

/* Puts together what the packet's flits need. */
UT_INLINE void ut_vc_join(struct ut_switch *s, unsigned ip, unsigned ivc, unsigned op, unsigned ovc,
                          const struct ut_traits t) {
  const struct ut_port *from = ut_port_of(s, ip, t), *to = ut_port_of(s, op, t);
  *ut_transfer_of(s, ip * t.v + ivc, t) =
      (struct ut_transfer){.slot = to->to_slot,
                           .node = to->to.node,
                           .box = to->to.node * (1 + t.v),
                           .credit_node = from->from.node,
                           .credit_box = from->from.node * (1 + t.v) + 1 + ivc,
                           .bit = to->to.bit,
                           .credit_bit = from->from.bit,
                           .output = (uint16_t)(ut_ports_begin(t) + op * ut_port_stride(t)),
                           .credits = (uint8_t)(op * t.v + ovc),
                           .output_vc = (uint8_t)ovc};
}

/* The input ports that were granted something in this cycle, and the lowest VC of each that was: it moves the port's
 * selection priority. */
struct ut_vc_grants {
  ut_mask ports;
  uint8_t lowest[UT_MAX_PORTS];
};

/* Output VC (op, ovc) goes to input VC (ip, ivc). */
UT_INLINE void ut_vc_give(const struct ut_group *g, struct ut_switch *s, unsigned ip, unsigned ivc, unsigned op,
                          unsigned ovc, struct ut_vc_grants *grants, const struct ut_traits t) {
  const unsigned v = t.v;
  ut_mask *cand = ut_cand_of(s, ip, ivc, t), bit = ut_bit(ip), to = ut_bit(op);
  for (unsigned q = 0; q < v; q++)
    cand[q] = 0;
  cand[ovc] = to;
  ut_bytes(s, UT_B_OUT, t)[ip * v + ivc] = ut_out_name(op, ovc);
  ut_bytes(s, UT_B_STATE, t)[ip * v + ivc] = UT_VC_STATE_ACTIVE;
  ut_masks(g, s, UT_M_WAITING, v)[ivc] &= ~bit;
  ut_masks(g, s, UT_M_ACTIVE, v)[ivc] |= bit;
  ut_masks(g, s, UT_M_OWNED, v)[ovc] |= to;
  if (ut_has_transfers(t))
    ut_vc_join(s, ip, ivc, op, ovc, t);
  if (v == 1 || !(grants->ports & bit) || ivc < grants->lowest[ip]) {
    grants->ports |= bit;
    grants->lowest[ip] = (uint8_t)ivc;
    ut_port_of(s, ip, t)->select = ut_above_first(to, g->all_out);
  }
}

/* Step 2 of the cycle.  bid: the VCs that bid.  Fills granted: the VCs that became active. */
UT_INLINE void ut_vc_allocate(const struct ut_group *g, struct ut_switch *s, const ut_mask *bid, ut_mask *granted,
                              const struct ut_traits t) {
  const unsigned v = t.v;
  ut_mask req[UT_MAX_PORTS * UT_MAX_VCS * UT_MAX_VCS]; /* by (ovc,op) and ivc, over ip */
  ut_mask touched[UT_MAX_VCS] = {0}, room[UT_MAX_VCS];
  unsigned po = g->shape.po;
  for (unsigned o = 0; o < v; o++)
    room[o] = s->out_up & ~ut_masks(g, s, UT_M_OWNED, v)[o] & ut_masks(g, s, UT_M_ENOUGH, v)[o];

  for (unsigned i = 0; i < v; i++)
    UT_FOR_EACH(ip, bid[i]) {
      unsigned op, ovc;
      if (!ut_vc_select(g, s, ip, i, room, &op, &ovc, t))
        continue;
      ut_mask *r = req + (ovc * po + op) * v;
      if (!(touched[ovc] & ut_bit(op))) {
        touched[ovc] |= ut_bit(op);
        for (unsigned w = 0; w < v; w++)
          r[w] = 0;
      }
      r[i] |= UT_BIT_OF(ip);
    }
  struct ut_vc_grants grants;
  grants.ports = 0;
  for (unsigned o = 0; o < v; o++)
    UT_FOR_EACH(op, touched[o]) {
      ut_mask *r = req + (o * po + op) * v;
      if (t.local_first)
        ut_local_first(r, v, g->local_in);
      unsigned i, ip = ut_rr_grant_words(r, ut_va_of(s, op, o, t), v, g->all_in, &i);
      ut_vc_give(g, s, ip, i, op, o, &grants, t);
      granted[i] |= ut_bit(ip);
    }
}

#endif
