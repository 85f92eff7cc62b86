/* SPDX-License-Identifier: Apache-2.0 */
/* run_parts.js - what the player and the map of links share: the sums of the run, the part of it that is here, its
 * deadlock. */
'use strict';
/* {notices: before the picture, facts: behind it}.  link(source, tag): an element that leads to the packet of that name, or null. */
uturn.runParts = (data, link) => {
  const {h, number} = uturn, totals = data.totals, {from, until, why} = data.window;
  const lost = Object.values(totals.discarded_packets).reduce((a, b) => a + b, 0);
  const reasonNames = {cut_by_fault: 'cut by a fault', in_failed_switch: 'in a failed switch', unreachable: 'unreachable', purged: 'waited too long'};
  const lostWhy = Object.entries(totals.discarded_packets).filter(([, n]) => n).map(([reason, n]) => `${number(n)} ${reasonNames[reason] || reason}`).join(', ');
  const left = totals.in_flight_packets + totals.queued_packets;
  const workload = totals.workload, complete = workload && workload.completion_cycles, alone = workload && workload.without_faults_completion_cycles;
  const ofWorkload = !workload ? [] : [['complete', 'completion', complete === null ? 'no' : `after ${uturn.plural(complete, 'cycle')}`],
    ...(complete !== null && alone ? [['slowdown', 'slowdown', (complete / alone).toFixed(3), `${uturn.plural(alone, 'cycle')} without faults`]] : [])];
  const facts = [
    ['network', 'network', data.network.name], ['routing', 'algorithm', data.algorithm],
    workload ? ['workload', 'workload', workload.pattern, uturn.plural(workload.messages, 'message')] : ['load', 'load', data.load ? `${+(100 * data.load).toPrecision(3)} %` : 'from a file', 'flits per cycle and terminal'],
    ...ofWorkload, ['cycles', 'cycles', number(totals.cycles)], ['delivered', 'delivered', number(totals.delivered_packets)],
    ['discarded', 'discarded', number(lost), lostWhy], ...(left ? [['still on their way', 'left', number(left)]] : []),
    ['mean latency', 'latency', totals.latency_mean === null ? '-' : `${totals.latency_mean.toFixed(1)} cycles`],
    ...(totals.u_turns === null ? [] : [['U-turns', 'u_turns', number(totals.u_turns)]]),
  ];
  const notices = [];
  const list = h('dl', {class: 'facts run-facts card', 'aria-label': 'The whole run'},
    facts.map(([name, key, value, title]) => h('div', {}, h('dt', {}, name), h('dd', {'data-total': key, title}, value))));

  if (totals.deadlock) {
    const lines = totals.deadlock.text.trim().split('\n').slice(1).map(line => {
      const match = /packet (\d+):(\d+) /.exec(line), element = match && link(+match[1], +match[2]);
      if (!element)
        return line.trim() + '\n';
      const [before, behind] = line.split(`packet ${match[1]}:${match[2]}`);
      return [before.trimStart(), element, behind, '\n'];
    });
    notices.push(h('div', {class: 'notice bad', role: 'note', 'data-deadlock': 'true'}, h('strong', {}, `Deadlock, found in cycle ${number(totals.deadlock.cycle)}. `),
      'These packets wait for each other in a circle, and can never move again. The run ends here.', h('details', {}, h('summary', {}, 'Who waits for whom'), h('pre', {class: 'deadlock-text', tabindex: '0'}, lines))));
  }
  if (workload && complete === null)
    notices.push(h('div', {class: 'notice bad', role: 'note', 'data-incomplete': 'true'}, h('strong', {}, `${workload.pattern} is incomplete after ${uturn.plural(totals.cycles, 'cycle')}. `),
      uturn.incompleteText(workload), alone ? ` Without faults it is complete after ${uturn.plural(alone, 'cycle')}.` : ''));
  const mismatch = data.registers && data.registers.mismatch;
  if (mismatch)
    notices.push(h('div', {class: 'notice bad', role: 'note', 'data-mismatch': 'true'}, h('strong', {}, `${data.registers.device} and ${data.registers.golden} differ. `), mismatch.text,
      `. Packets and numbers are those of the golden side, which goes on; the table of registers has both sides.`));
  if (from !== 0 || until !== totals.cycles)
    notices.push(h('p', {class: 'notice', 'data-window': 'true'}, `Of the ${number(totals.cycles)} cycles of this run, cycles ${number(from)} to ${number(until - 1)} are on this page, ${why}. ` +
      'The numbers under "The whole run", below, are those of all cycles. ', h('code', {}, '--window A:B'), ' takes other cycles.'));
  return {notices, facts: h('section', {class: 'whole-run'}, h('h3', {}, 'The whole run'), list)};
};
/* Writes which parts of a workload are missing. */
uturn.incompleteText = ({waiting_tasks: tasks, lost_messages: lost, waits}) =>
  `${uturn.plural(tasks, 'task waits', 'tasks wait')}, ${uturn.plural(lost, 'message is', 'messages are')} lost${waits ? `; the first that waits: ${waits}` : ''}.`;
