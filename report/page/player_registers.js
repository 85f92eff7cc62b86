/* SPDX-License-Identifier: Apache-2.0 */
/* player_registers.js - the registers of a switch over the cycles around one, RTL and golden side where the page comes from `cosim --report`. */
'use strict';
/* What data.registers has (docs/reference/report.md): {from, until, device, golden, switchOf(number) -> {groups}, or null}.  A group is {title, rows}, a row
 * {name, path, changes: [{at, device, golden}], moves: it changes, differs: the first cycle in which both sides differ, or Infinity}. */
uturn.makeRegisters = (run, record) => {
  const {net} = run, ports = net.ports, {number} = uturn, made = new Map();

  /* "1f 5:1e/1f": the first value, then those from a cycle on; both sides where they differ. */
  const changesOf = text => text.split(' ').map((word, i) => {
    const [at, values] = i ? word.split(':') : ['0', word], [device, golden] = values.split('/');
    return {at: record.from + +at, device, golden: golden ?? device};
  });
  function rowOf(path, text) {
    const changes = changesOf(text), differs = changes.find(c => c.device !== c.golden);
    return {path, changes, moves: changes.length > 1, differs: differs ? differs.at : Infinity};
  }

  /* Where an input comes from: "0.3", "terminal 5". */
  function sourceOf(sw, port) {
    for (let c = 0; 3 * c < net.peers.length; c++)
      if (run.peerKind(c) === run.SWITCH && run.peerIndex(c) === sw && run.peerPort(c) === port)
        return c < run.firstInjection ? run.switchName(run.senderOf(c)) : `terminal ${Math.floor((c - run.firstInjection) / net.injections)}`;
    return null;
  }
  function titleOf(sw, side, port, vc) {
    const c = sw * ports + port, ofVc = vc === undefined ? '' : `, VC ${vc}`;
    if (side === 'in') {
      const source = sourceOf(sw, port);
      return `Input port ${port}${source ? ` from ${source}` : ''}${ofVc}`;
    }
    const end = run.peerKind(c) === run.SWITCH ? ` to ${run.switchName(run.peerIndex(c))}` : run.peerKind(c) === run.TERMINAL ? ` to terminal ${run.peerIndex(c)}` : '';
    return `Output port ${port}, ${net.directions[net.directions_of[sw]][port]}${end}${ofVc}`;
  }

  /* Registers that differ first, then registers that change. */
  const byWeight = (a, b) => (a.differs === b.differs ? 0 : a.differs - b.differs) || b.moves - a.moves || a.place - b.place;
  function groupsOf(sw, names, values) {
    const groups = new Map();
    names.forEach((path, i) => {
      const [, side, port, vc, name] = /^(?:(in|out)(\d+)\.(?:vc(\d+)\.)?)?(.*)$/.exec(path), key = path.slice(0, path.length - name.length);
      if (!groups.has(key))
        groups.set(key, {title: side ? titleOf(sw, side, +port, vc) : 'The whole switch', rows: [], differs: Infinity, moves: false, place: groups.size});
      const group = groups.get(key), row = {...rowOf(path, values[i]), name, place: i};
      group.rows.push(row);
      group.differs = Math.min(group.differs, row.differs);
      group.moves ||= row.moves;
    });
    const list = [...groups.values()].sort(byWeight);
    for (const group of list)
      group.rows.sort(byWeight);
    return list;
  }

  const recorded = new Map(record.switches.map(s => [s.switch, s]));
  return {
    from: record.from, until: record.until, device: record.device, golden: record.golden, switches: [...recorded.keys()],
    cycles: `cycles ${number(record.from)} to ${number(record.until - 1)}`,
    switchOf(sw) {
      const s = recorded.get(sw);
      if (s && !made.has(sw))
        made.set(sw, {groups: groupsOf(sw, record.names[s.names], s.values)});
      return made.get(sw) || null;
    },
    /* {device, golden} in a cycle of the window. */
    valueAt: (row, cycle) => row.changes.findLast(c => c.at <= cycle),
  };
};

/* The table below the picture; null: the page has no registers.  does: {go(cycle), select(switch)}.  What is returned: {element, show(switch, cycle), focus()}. */
uturn.makeRegistersPanel = (run, data, id, does) => {
  if (!data.registers)
    return null;
  const {h, number, plural} = uturn, registers = uturn.makeRegisters(run, data.registers), BEFORE = 5, COLUMNS = 11, DIGITS = 6;
  const all = h('input', {type: 'checkbox', id: id + '-registers-all', onchange: () => draw()});
  const title = h('h3', {}, 'Registers'), words = h('p', {class: 'register-words'}), table = h('table', {class: 'register-table'});
  const scroll = h('div', {class: 'table-scroll', role: 'region', tabindex: '0', 'aria-label': 'Registers', id: id + '-registers'}, table);
  const element = h('div', {class: 'card registers'}, h('div', {class: 'register-head'}, title, h('label', {class: 'check'}, all, 'also those that do not change')), words, scroll);
  let sw, cycle, drawn = '';

  const link = (text, action, name) => h('button', {type: 'button', class: 'link', 'aria-label': name || null, onclick: action}, text);
  const short = value => value.length > DIGITS ? `…${value.slice(-DIGITS)}` : value;
  function cell(row, at) {
    const value = registers.valueAt(row, at), before = at > registers.from ? registers.valueAt(row, at - 1) : value, differs = value.device !== value.golden;
    const kind = [differs ? 'differs' : value !== before ? 'changed' : '', at === cycle ? 'here' : ''].join(' ').trim();
    const full = differs ? `${registers.device} ${value.device}, ${registers.golden} ${value.golden}` : value.golden;
    return h('td', {class: kind || null, title: full}, differs ? [h('span', {}, short(value.device)), h('span', {}, short(value.golden))] : short(value.golden));
  }
  /* The cycles around the current one that there are. */
  function columns() {
    const first = Math.max(registers.from, Math.min(cycle - BEFORE, registers.until - COLUMNS));
    return Array.from({length: Math.min(COLUMNS, registers.until - first)}, (_, i) => first + i);
  }
  function fill(groups) {
    const cycles = columns(), span = String(cycles.length + 1);
    const head = h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, 'cycle'), cycles.map(at => h('th', {scope: 'col', 'aria-current': at === cycle ? 'true' : null},
      link(number(at), () => does.go(at), `Go to cycle ${number(at)}`)))));
    const bodies = groups.map(group => ({group, rows: group.rows.filter(row => all.checked || row.moves || row.differs < Infinity)})).filter(({rows}) => rows.length).map(({group, rows}) =>
      h('tbody', {}, h('tr', {class: 'group'}, h('th', {scope: 'rowgroup', colspan: span}, group.title)),
        rows.map(row => h('tr', {'data-register': row.path, class: row.differs < Infinity ? 'differ' : null}, h('th', {scope: 'row'}, row.name), cycles.map(at => cell(row, at))))));
    table.replaceChildren(head, ...bodies);
  }
  function say(...children) {
    words.replaceChildren(...children);
    table.replaceChildren();
  }
  function draw() {
    const there = sw === undefined ? null : registers.switchOf(sw), outside = cycle < registers.from || cycle >= registers.until;
    title.textContent = sw === undefined ? 'Registers' : `Registers of switch ${run.switchLong(sw)}`;
    all.parentElement.hidden = !there || outside;
    if (sw === undefined || !there) {
      const some = registers.switches.slice(0, 16).flatMap((s, i) => [i ? ', ' : '', link(run.switchName(s), () => does.select(s))]);
      say(sw === undefined ? 'Click a switch. ' : 'They are not on this page. ', `Recorded in ${registers.cycles}, of ${plural(registers.switches.length, 'switch', 'switches')}: `, ...some,
        registers.switches.length > 16 ? ', ...' : '.');
    } else if (outside) {
      const near = cycle < registers.from ? registers.from : registers.until - 1;
      say(`They are recorded in ${registers.cycles}: `, link(`go to cycle ${number(near)}`, () => does.go(near)), '.');
    } else {
      words.textContent = `In hexadecimal, from ${registers.cycles}. Marked: changed in this cycle. Two values: ${registers.device} above, ${registers.golden} below, where they differ.`;
      fill(there.groups);
    }
  }
  say('Click a switch.');
  return {
    element,
    show(sw_, cycle_) {
      const wanted = `${sw_} ${cycle_}`;
      if (wanted === drawn)
        return;
      drawn = wanted;
      [sw, cycle] = [sw_, cycle_];
      draw();
    },
    focus() {
      element.scrollIntoView({block: 'nearest'});
      scroll.focus();
    },
  };
};
