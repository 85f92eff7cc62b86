/* SPDX-License-Identifier: Apache-2.0 */
/* player_loads.js - how busy the links of a recorded run are: flits per cycle that each output port has sent; the controls and words of that view. */
'use strict';
/* Over the cycles that `uturn net --loads` counts, as far as they are recorded, counted when the page was made (data.loads); or over some cycles around
 * one, counted here, where flits of a packet are taken to be evenly spread. */
uturn.makeLoads = (run, data) => {
  const {net} = run, {number} = uturn, AROUND = 100, LOWEST = 0.16, ports = net.ports;
  const ofRun = {from: data.loads.from, until: data.loads.until, flits: Float64Array.from(data.loads.flits)};
  const outputs = [...ofRun.flits.keys()].filter(c => run.peerKind(c)), between = outputs.filter(c => run.peerKind(c) === run.SWITCH);

  /* {from, until, load: [output], top: of the scale} */
  function divide({from, until, flits}, top) {
    const load = flits.map(f => f / Math.max(1, until - from));
    return {from, until, load, top: top || uturn.topLoad(outputs.reduce((most, c) => Math.max(most, load[c]), 0))};
  }
  const whole = divide(ofRun);
  let latest = null, top = null;
  /* One scale for all cycles, so that it does not move while the run is played: that of the busiest of some of them. */
  function topAround() {
    let most = 0;
    for (let from = run.from; from < run.until; from += AROUND) {
      const flits = new Float64Array(ofRun.flits.length);
      run.eachSent(from, Math.min(run.until, from + AROUND), (c, sent) => {
        if (c < run.firstInjection)
          most = Math.max(most, (flits[c] += sent) / AROUND);
      });
    }
    return uturn.topLoad(most);
  }
  function around(cycle) {
    const from = Math.max(run.from, Math.min(cycle - AROUND / 2, run.until - AROUND)), until = Math.min(run.until, from + AROUND);
    if (latest && latest.from === from)
      return latest;
    const flits = new Float64Array(ofRun.flits.length);
    run.eachSent(from, until, (c, sent) => {
      if (c < run.firstInjection)
        flits[c] += sent;
    });
    return latest = divide({from, until, flits}, top = top || topAround());
  }

  const endName = c => run.peerKind(c) === run.SWITCH ? run.switchName(run.peerIndex(c)) : `terminal ${run.peerIndex(c)}`;
  const way = c => run.peerKind(c) === run.SWITCH ? ` ${net.directions[net.directions_of[run.senderOf(c)]][c % ports]}` : '';
  const name = c => `${run.switchName(run.senderOf(c))}-${endName(c)}${way(c)}`;
  const rate = (loads, c) => loads.load[c].toFixed(3);
  const isFailed = (c, time) => run.activeFaults(time).some(f => f.channels ? f.channels.includes(c) : f.switch === run.senderOf(c) || run.peerKind(c) === run.SWITCH && f.switch === run.peerIndex(c));
  return {
    AROUND, LOWEST, whole, around, outputs, name, rate,
    text: (loads, c, time) => `${name(c)}: ${rate(loads, c)} flits per cycle${isFailed(c, time) ? '; it has failed' : ''}`,
    cycles: loads => `cycles ${number(loads.from)} to ${number(Math.max(loads.from, loads.until - 1))}`,
    /* Links between switches, the busiest first. */
    busiest: (loads, most) => between.filter(c => loads.load[c] > 0).sort((a, b) => loads.load[b] - loads.load[a] || a - b).slice(0, most),
    /* [{end, way, out, in: outputs, or -1: not counted, failed}] of a switch, in the order of its ports. */
    ofSwitch(sw, time) {
      const list = [];
      for (let c = sw * ports; c < (sw + 1) * ports; c++)
        if (run.peerKind(c))
          list.push({end: endName(c), way: way(c), out: c, in: -1, failed: isFailed(c, time)});
      for (const c of between)
        if (run.peerIndex(c) === sw) {
          const twin = list.find(l => l.out === sw * ports + run.peerPort(c) && run.peerKind(l.out) === run.SWITCH && run.peerIndex(l.out) === run.senderOf(c));
          if (twin)
            twin.in = c;
          else
            list.push({end: run.switchName(run.senderOf(c)), way: '', out: -1, in: c, failed: isFailed(c, time)});
        }
      return list;
    },
  };
};

/* on: {turn(isOn): the view has been turned on or off, change(): the numbers are others, redraw(), reveal(link)}. */
uturn.makeLoadsPanel = (run, data, id, on) => {
  const {h} = uturn, loads = uturn.makeLoads(run, data), scale = uturn.makeLoadScale(loads.LOWEST), BUSIEST = 8;
  let isOn = false, link = null, now = run.from, said = '';
  const button = h('button', {type: 'button', class: 'loads', 'aria-pressed': 'false', title: 'How busy links are, in place of packets: key L', id: id + '-loads', onclick: turn}, 'Loads');
  const choice = h('select', {'aria-label': 'Loads of which cycles', id: id + '-loads-of', onchange: () => on.change()},
    h('option', {value: 'whole'}, loads.cycles(loads.whole)), h('option', {value: 'around'}, `${loads.AROUND} cycles around this one`));
  const picture = h('canvas', {class: 'load-scale', 'aria-hidden': 'true'}), top = h('b'), cycles = h('span');
  const legend = h('li', {hidden: true, class: 'of-loads'}, '0', picture, top, h('span', {}, ' flits per cycle, ', cycles));
  const says = h('p', {role: 'status'}), row = h('div', {class: 'load-row', hidden: true}, choice, says);
  const current = () => choice.value === 'whole' ? loads.whole : loads.around(Math.floor(now));

  function turn() {
    isOn = !isOn;
    button.setAttribute('aria-pressed', String(isOn));
    row.hidden = legend.hidden = !isOn;
    link = null;
    on.turn(isOn);
  }
  /* Marks a link, and says its load; null: none. */
  function mark(c) {
    if (link === c)
      return;
    link = c;
    on.redraw();
  }
  const write = (element, text) => {
    if (element.textContent !== text)
      element.textContent = text;
  };
  /* The loads to be drawn at that time; null: the view is off. */
  function at(time) {
    now = time;
    if (!isOn)
      return null;
    const shown = current();
    write(top, String(shown.top));
    write(cycles, loads.cycles(shown));
    write(says, link === null ? 'Point at a link, or choose a switch: its loads are said here.' : loads.text(shown, link, time) + '.');
    return shown;
  }
  const rateOf = c => c < 0 ? '-' : loads.rate(current(), c);
  const linkButton = c => h('button', {type: 'button', class: 'link', onclick: () => { mark(c); on.reveal(c); }}, loads.name(c));
  return {
    button, legend, row, turn, mark, at, lowest: loads.LOWEST, title: 'Busiest links', isOn: () => isOn, link: () => link,
    /* The text depends on the cycle. */
    movesOn: () => isOn && choice.value === 'around',
    /* The text when nothing is chosen. */
    story() {
      const list = loads.busiest(current(), BUSIEST);
      return [h('p', {}, `Flits per cycle in ${loads.cycles(current())}, each direction for itself`,
        choice.value === 'whole' ? [`: ${data.loads.what}, as in `, h('code', {}, './uturn net --loads'), '.'] : '. Flits of a packet are taken to be evenly spread.'),
        list.length ? h('ol', {class: 'steps loads'}, list.map(c => h('li', {class: 'done'}, h('span', {class: 'cycle'}, rateOf(c)), linkButton(c)))) : h('p', {}, 'No flit has gone from switch to switch.')];
    },
    /* The links of a switch. */
    ofSwitch: (sw, time) => h('table', {class: 'load-table'}, h('caption', {}, `Flits per cycle in ${loads.cycles(current())}`),
      h('thead', {}, h('tr', {}, ['link', 'from here', 'to here'].map(text => h('th', {scope: 'col'}, text)))),
      h('tbody', {}, loads.ofSwitch(sw, time).map(l => h('tr', {}, h('th', {scope: 'row'}, l.end + l.way, l.failed ? ' (failed)' : ''), h('td', {}, rateOf(l.out)), h('td', {}, rateOf(l.in)))))),
    draw: () => uturn.drawLoadScale(picture, scale),
    ontheme() {
      scale.read();
      uturn.drawLoadScale(picture, scale);
    },
  };
};
