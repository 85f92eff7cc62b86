/* SPDX-License-Identifier: Apache-2.0 */
/* player_run.js - a recorded run: decodes its columns (docs/reference/report.md), finds what is there in a cycle, tells stories. */
'use strict';
uturn.makeRun = (data, blob) => {
  const net = data.network, {from, until} = data.window;
  const NEVER = 0xffffffff, ports = net.ports, vcs = net.vcs, firstInjection = net.switches * ports;
  const count = data.packets, moveCount = data.moves;

  /* ---- columns */

  let at = 0;
  function next() {
    let value = 0, scale = 1, byte;
    do {
      byte = blob[at++];
      value += (byte & 0x7f) * scale;
      scale *= 128;
    } while (byte & 0x80);
    return value;
  }
  const nextSigned = () => {
    const value = next();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  };
  const column = (length, Type, read) => {
    const list = new Type(length);
    for (let i = 0; i < length; i++)
      list[i] = read(i);
    return list;
  };

  let last = 0;
  const start = column(count, Uint32Array, () => last += next());
  const born = column(count, Uint32Array, i => start[i] - next());
  const src = column(count, Uint16Array, next);
  const expected = new Float64Array(net.terminals);
  const seq = column(count, Uint32Array, i => {
    const value = expected[src[i]] + nextSigned();
    expected[src[i]] = value + 1;
    return value;
  });
  const dst = column(count, Uint16Array, next), flits = column(count, Uint16Array, next), fate = column(count, Uint8Array, next);
  const end = column(count, Uint32Array, next); /* made absolute below */
  const first = new Uint32Array(count + 1);
  for (let i = 0; i < count; i++)
    first[i + 1] = first[i] + next();
  const output = column(moveCount, Uint16Array, next);
  const head = column(moveCount, Uint32Array, next), tail = column(moveCount, Uint32Array, next), flags = column(moveCount, Uint8Array, next);
  const channel = new Uint32Array(moveCount), vc = new Uint8Array(moveCount);

  /* Where a channel ends, and how long it is. */
  const peerKind = c => net.peers[3 * c], peerIndex = c => net.peers[3 * c + 1], peerPort = c => net.peers[3 * c + 2];
  const SWITCH = 1, TERMINAL = 2;
  const lengthOfKind = c => c >= firstInjection ? net.injection_cycles : peerKind(c) === TERMINAL ? net.ejection_cycles : net.link_cycles;
  const lengthOf = c => lengthOfKind(c) + (net.extra_cycles ? net.extra_cycles[c] : 0);
  const senderOf = c => Math.floor(c / ports); /* of a channel of a switch */

  for (let p = 0; p < count; p++) {
    let where = -1, before = start[p];
    for (let m = first[p]; m < first[p + 1]; m++) {
      const port = Math.floor(output[m] / vcs);
      vc[m] = output[m] % vcs;
      channel[m] = where < 0 ? firstInjection + src[p] * net.injections + port : where * ports + port;
      where = peerIndex(channel[m]);
      before = head[m] += before;
      tail[m] = tail[m] ? head[m] + flits[p] - 1 + tail[m] - 1 : NEVER;
    }
    end[p] = end[p] ? before + end[p] - 1 : NEVER;
  }
  /* A tail that never came would have followed at once. */
  const tailOf = (p, m) => tail[m] === NEVER ? head[m] + flits[p] - 1 : tail[m];

  const CUT = 0, DELIVERED = 4, IN_FLIGHT = 5;
  const reasonText = ['cut by a fault on its way', 'in a switch that failed', 'no way to its destination was left', 'it had waited too long for a way'];

  /* ---- the packets of a cycle, by stretches of 64 cycles */

  const STRETCH = 64, stretches = Math.ceil((until - from) / STRETCH) + 1;
  const stretchOf = cycle => Math.max(0, Math.min(stretches - 1, Math.floor((cycle - from) / STRETCH)));
  const bucket = new Uint32Array(stretches + 1);
  for (let p = 0; p < count; p++)
    for (let b = stretchOf(start[p]), e = stretchOf(end[p]); b <= e; b++)
      bucket[b + 1]++;
  for (let b = 0; b < stretches; b++)
    bucket[b + 1] += bucket[b];
  const member = new Uint32Array(bucket[stretches]), fill = bucket.slice();
  for (let p = 0; p < count; p++)
    for (let b = stretchOf(start[p]), e = stretchOf(end[p]); b <= e; b++)
      member[fill[b]++] = p;

  /* Calls f(packet) for those in the network at that time. */
  function eachActive(time, f) {
    const b = stretchOf(time);
    for (let i = bucket[b]; i < bucket[b + 1]; i++) {
      const p = member[i];
      if (start[p] <= time && time < end[p] && first[p] !== first[p + 1])
        f(p);
    }
  }

  /* The last move that has begun; the packet is in the network. */
  function moveAt(p, time) {
    let m = first[p + 1] - 1;
    while (m > first[p] && head[m] > time)
      m--;
    return m;
  }

  /* Flits of a packet that have passed a point, when the first does at a and the last one at b. */
  function passed(p, a, b, time) {
    if (time < a)
      return 0;
    if (time >= b)
      return flits[p];
    return Math.min(flits[p], 1 + Math.floor((flits[p] - 1) * (time - a) / (b - a)));
  }
  /* Returns the flits that are in the buffer to which move m has brought them. */
  function buffered(p, m, time) {
    const cycles = lengthOf(channel[m]);
    if (time < head[m] + cycles || peerKind(channel[m]) !== SWITCH)
      return 0;
    const came = passed(p, head[m] + cycles, tailOf(p, m) + cycles, time);
    return m + 1 < first[p + 1] ? came - passed(p, head[m + 1], tailOf(p, m + 1), time) : came;
  }

  /* Calls f(channel, flits) for flits that are put onto wires in cycles a to b - 1. */
  function eachSent(a, b, f) {
    const first_ = stretchOf(a), last_ = stretchOf(b - 1);
    for (let stretch = first_; stretch <= last_; stretch++)
      for (let i = bucket[stretch]; i < bucket[stretch + 1]; i++) {
        const p = member[i];
        if (stretch !== Math.max(first_, stretchOf(start[p])))
          continue; /* it has been here */
        for (let m = first[p]; m < first[p + 1] && head[m] < b; m++) {
          const until_ = tail[m] === NEVER ? Math.min(b - 1, end[p]) : b - 1;
          const sent = passed(p, head[m], tailOf(p, m), until_) - passed(p, head[m], tailOf(p, m), a - 1);
          if (sent > 0)
            f(channel[m], sent);
        }
      }
  }

  /* ---- counts up to a cycle, from the beginning of the window on */

  const cycles = until - from;
  const delivered = new Uint32Array(cycles + 1), discarded = new Uint32Array(cycles + 1), turned = new Uint32Array(cycles + 1),
    detoured = new Uint32Array(cycles + 1);
  const within = cycle => cycle >= from && cycle < until;
  let firstTurn = NEVER, firstDetour = NEVER;
  for (let p = 0; p < count; p++) {
    if (fate[p] < IN_FLIGHT && within(end[p]))
      (fate[p] === DELIVERED ? delivered : discarded)[end[p] - from + 1]++;
    for (let m = first[p]; m < first[p + 1]; m++) {
      if (!(flags[m] & 3) || !within(head[m]))
        continue;
      if (flags[m] & 1) {
        turned[head[m] - from + 1]++;
        firstTurn = Math.min(firstTurn, head[m]);
      }
      if (flags[m] & 2) {
        detoured[head[m] - from + 1]++;
        firstDetour = Math.min(firstDetour, head[m]);
      }
    }
  }
  for (const list of [delivered, discarded, turned, detoured])
    for (let i = 0; i < cycles; i++)
      list[i + 1] += list[i];
  /* How many up to the end of the cycle of that time. */
  const upTo = (list, time) => list[Math.max(0, Math.min(cycles, Math.floor(time) - from + 1))];

  /* ---- names */

  const {number, plural} = uturn;
  const tag = p => seq[p] % 256, nth = p => Math.floor(seq[p] / 256) + 1;
  const packetName = p => `${src[p]}:${tag(p)}` + (seq[p] > 255 ? `:${nth(p)}` : '');
  const switchName = s => net.names[s];
  const switchLong = s => net.tuples[s] ? `${net.names[s]} ${net.tuples[s]}` : net.names[s];

  const byName = new Map(net.names.map((name, i) => [name, i]));
  let byPacket = null;
  function findPacket(source, number_, times) {
    if (!byPacket) {
      byPacket = new Map();
      for (let p = 0; p < count; p++)
        byPacket.set(src[p] * 2 ** 32 + seq[p], p);
    }
    const p = byPacket.get(source * 2 ** 32 + number_ + 256 * (times - 1));
    return p === undefined ? -1 : p;
  }

  /* ---- faults */

  const faults = data.faults.map(f => ({...f, until: f.until === null ? Infinity : f.until}));
  const activeFaults = time => faults.filter(f => f.from <= time && time < f.until);
  function touches(fault, sw) {
    if (fault.switch !== undefined) {
      if (fault.switch === sw)
        return true;
      for (let port = 0; port < ports; port++)
        if (peerKind(sw * ports + port) === SWITCH && peerIndex(sw * ports + port) === fault.switch)
          return true;
      return false;
    }
    return fault.channels.some(c => (c < firstInjection && senderOf(c) === sw) || (peerKind(c) === SWITCH && peerIndex(c) === sw));
  }
  /* The failed components next to these switches, of the first switch that has some. */
  function blame(switches, time) {
    const active = activeFaults(time);
    for (const sw of switches) {
      const near = active.filter(f => touches(f, sw));
      if (near.length)
        return near.slice(0, 2).map(f => f.name).join(' and ');
    }
    return '';
  }

  const statesAt = time => {
    let found = null;
    for (const s of data.states || [])
      if (s.cycle <= time)
        found = s.state;
    return found;
  };
  /* Returns what a packet in a switch avoids: failed components next to it, or bad nodes. */
  function avoided(sw, time) {
    const states = statesAt(time), bad = [];
    for (let port = 0; states && port < ports; port++) {
      const c = sw * ports + port, other = peerIndex(c);
      if (peerKind(c) === SWITCH && states[other] && states[other] < 3)
        bad.push(`${data.state_names[states[other]]} node ${switchName(other)}`);
    }
    return blame([sw], time) || bad.join(' and ');
  }

  /* ---- events of the time line */

  function listEvents() {
    const list = [];
    const add = (cycle, kind, text, target) => within(cycle) && list.push({cycle, kind, text, target});
    for (const f of faults) {
      const target = f.switch !== undefined ? {switch: f.switch} : null;
      add(Math.max(f.from, from), 'fail', f.from < from ? `${f.name} has failed` : `${f.name} fails`, target);
      if (f.until < until)
        add(f.until, 'repair', `${f.name} works again`, target);
    }
    for (let p = 0; p < count; p++) {
      if (fate[p] < DELIVERED && within(end[p]))
        add(end[p], 'discard', `packet ${packetName(p)} is discarded: ${reasonText[fate[p]]}`, {packet: p});
      for (let m = first[p]; m < first[p + 1]; m++) {
        if (flags[m] & 1 && head[m] === firstTurn)
          add(head[m], 'turn', `packet ${packetName(p)} makes the first U-turn, in ${switchName(senderOf(channel[m]))}`, {packet: p});
        if (flags[m] & 2 && head[m] === firstDetour)
          add(head[m], 'detour', `packet ${packetName(p)} is the first to take a detour, in ${switchName(senderOf(channel[m]))}`, {packet: p});
      }
    }
    const mismatch = data.registers && data.registers.mismatch;
    if (mismatch)
      add(mismatch.cycle, 'mismatch', mismatch.text.replace(/^cycle \d+: /, ''), mismatch.switch === null ? null : {switch: mismatch.switch});
    if (data.totals.deadlock)
      add(Math.min(data.totals.deadlock.cycle, until) - 1, 'deadlock', 'deadlock: packets wait for each other in a circle, for ever', null);
    const workload = data.totals.workload, end_ = data.totals.cycles - 1;
    if (workload && workload.completion_cycles !== null)
      add(Math.min(workload.start_cycle + workload.completion_cycles, end_), 'complete', `${workload.pattern} is complete, after ${plural(workload.completion_cycles, 'cycle')}`, null);
    else if (workload && !data.totals.deadlock)
      add(end_, 'incomplete', `${workload.pattern} ends incomplete: ${uturn.incompleteText(workload)}`, null);
    list.sort((a, b) => a.cycle - b.cycle);
    return list;
  }
  const events = listEvents();

  /* ---- stories: [{cycle, text, kind}] */

  const arrivalBefore = m => head[m - 1] + lengthOf(channel[m - 1]) - 1;
  /* Cycles more than an idle switch takes.  At an intermediate node they go into stripping, as far as is known here. */
  const waitBefore = m => flags[m] & 4 ? 0 : Math.max(0, head[m] - arrivalBefore(m) - net.switch_cycles);
  function storyOfMove(p, m) {
    const c = channel[m], sw = senderOf(c), before = channel[m - 1], arrived = arrivalBefore(m), waited = waitBefore(m);
    const port = c % ports, to = peerKind(c) === TERMINAL ? `terminal ${peerIndex(c)}` : `switch ${switchName(peerIndex(c))}`;
    const way = peerKind(c) === TERMINAL ? '' : ` ${net.directions[net.directions_of[sw]][port]}`;
    const came = `At switch ${switchLong(sw)}${flags[m] & 4 ? `, an intermediate node of its planned route, where a header word is stripped; on after ${plural(head[m] - arrived, 'cycle')}` : ''}`, wait = waited ? `, waits ${plural(waited, 'cycle')}` : '';
    const on = vcs > 1 ? ` (VC ${vc[m]})` : '';
    if (flags[m] & 1) {
      const why = blame([m - 1 > first[p] ? senderOf(before) : sw, sw], head[m]);
      return {cycle: arrived, kind: 'turn', text: `${came}${wait}; makes a U-turn${why ? ` because of the dead ${why}` : ''}: up again to ${to}${on}.`};
    }
    if (flags[m] & 2) {
      const why = avoided(sw, head[m]);
      return {cycle: arrived, kind: 'detour', text: `${came}${wait}; takes a detour${why ? ` around ${why}` : ''}:${way} to ${to}${on}, no nearer to its destination.`};
    }
    return {cycle: arrived, kind: waited ? 'wait' : 'move', text: `${came}${wait || (flags[m] & 4 ? '' : ', passes at once')};${way} to ${to}${on}.`};
  }

  function waitedIn(p) {
    let sum = 0;
    for (let m = first[p] + 1; m < first[p + 1]; m++)
      sum += waitBefore(m);
    return sum;
  }

  function hopsOf(p) {
    let hops = 0;
    for (let m = first[p] + 1; m < first[p + 1]; m++)
      hops += peerKind(channel[m]) === SWITCH;
    return hops;
  }

  function flagged(p, bit) {
    let sum = 0;
    for (let m = first[p]; m < first[p + 1]; m++)
      sum += (flags[m] & bit) !== 0;
    return sum;
  }

  /* The fault that has cut a packet, if it is known. */
  function culprit(p) {
    const mine = new Set(channel.subarray(first[p], first[p + 1]));
    const fault = faults.findLast(f => f.from <= end[p] && f.from >= start[p] && (f.switch !== undefined ?
      [...mine].some(c => peerKind(c) === SWITCH && peerIndex(c) === f.switch || c < firstInjection && senderOf(c) === f.switch) : f.channels.some(c => mine.has(c))));
    return fault ? `, ${fault.name} failed in cycle ${number(fault.from)}` : '';
  }

  function endOfStory(p) {
    const m = first[p + 1] - 1, deadlock = data.totals.deadlock;
    if (fate[p] === DELIVERED) {
      const turns = flagged(p, 1), detours = flagged(p, 2);
      return {cycle: end[p], kind: 'delivered', text: `Delivered at terminal ${dst[p]}: latency ${plural(end[p] - born[p], 'cycle')}; ` +
        `${plural(hopsOf(p), 'hop')} between switches${turns ? `, ${plural(turns, 'U-turn')}` : ''}${detours ? `, ${plural(detours, 'hop')} no nearer` : ''}, ` +
        `waited ${plural(waitedIn(p), 'cycle')} in switches.`};
    }
    if (fate[p] < DELIVERED)
      return {cycle: end[p], kind: 'discard', text: `Discarded: ${reasonText[fate[p]]}${fate[p] === CUT ? culprit(p) : ''}.`};
    if (m >= first[p] && peerKind(channel[m]) === SWITCH) {
      const arrived = head[m] + lengthOf(channel[m]) - 1;
      if (arrived < until)
        return {cycle: arrived, kind: 'wait', text: `At switch ${switchLong(peerIndex(channel[m]))}, and still there at the end of this recording, ` +
          `${plural(until - arrived, 'cycle')} later${deadlock ? ': it is caught in the deadlock' : ''}.`};
    }
    return {cycle: until, kind: 'wait', text: 'Still on its way at the end of this recording.'};
  }

  function storyOfPacket(p) {
    const list = [{cycle: born[p], kind: 'move', text: `Created at terminal ${src[p]}, for terminal ${dst[p]}; ${plural(flits[p], 'flit')}.`}];
    if (first[p] < first[p + 1]) {
      const m = first[p], waited = head[m] - born[p];
      list.push({cycle: head[m], kind: 'move', text: `Sent${waited > 1 ? ` after ${plural(waited, 'cycle')} in the queue of its terminal` : ''}: ` +
        `its head is on the wire to switch ${switchLong(peerIndex(channel[m]))}.`});
    }
    for (let m = first[p] + 1; m < first[p + 1]; m++)
      list.push(storyOfMove(p, m));
    const m = first[p + 1] - 1; /* in a switch, and thrown away there */
    if (fate[p] < DELIVERED && m >= first[p] && peerKind(channel[m]) === SWITCH && head[m] + lengthOf(channel[m]) <= end[p])
      list.push({cycle: head[m] + lengthOf(channel[m]) - 1, kind: 'wait', text: `At switch ${switchLong(peerIndex(channel[m]))}.`});
    list.push(endOfStory(p));
    return list;
  }

  /* Packets whose flits are in a switch's buffers, longest there first: [{packet, flits, since}]. */
  function packetsIn(sw, time) {
    const list = [];
    eachActive(time, p => {
      for (let m = moveAt(p, time); m >= first[p]; m--) {
        const inside = peerKind(channel[m]) === SWITCH && peerIndex(channel[m]) === sw ? buffered(p, m, time) : 0;
        if (inside) {
          list.push({packet: p, flits: inside, port: peerPort(channel[m]), vc: vc[m], since: head[m] + lengthOf(channel[m]) - 1});
          break;
        }
      }
    });
    return list.sort((a, b) => a.since - b.since);
  }

  /* The packets that the deadlock search has named. */
  const stuck = new Set();
  for (const [, source, number_] of (data.totals.deadlock ? data.totals.deadlock.text : '').matchAll(/packet (\d+):(\d+) /g))
    for (let p = count - 1; p >= 0; p--)
      if (src[p] === +source && tag(p) === +number_ && end[p] === NEVER) {
        stuck.add(p);
        break;
      }

  return {net, from, until, count, NEVER, DELIVERED, SWITCH, TERMINAL, firstInjection, start, born, src, dst, seq, flits, fate, end, first, head, channel,
    vc, flags, tailOf, lengthOf, peerKind, peerIndex, peerPort, senderOf, eachActive, eachSent, moveAt, buffered, delivered, discarded, turned, detoured, upTo,
    packetName, switchName, switchLong, byName, findPacket, faults, activeFaults, events, storyOfPacket, packetsIn, flagged, stuck, statesAt, reasonText};
};
