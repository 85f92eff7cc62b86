/* SPDX-License-Identifier: Apache-2.0 */
/* player.js - a run of a network, to be played: controls, time line, stories. */
'use strict';
uturn.define('player', part => {
  const {h, number, plural} = uturn, data = part.data, run = uturn.makeRun(data, part.blob), {net, from, until} = run, last = until - 1;
  part.blob = null;
  const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 125, 250, 500, 1000];
  const state = {time: from, speed: net.switches > 64 ? 8 : 4, playing: false, selected: {}, cursor: null, rate: /[?&]fps\b/.test(location.search)};

  /* ---- the elements of the page */

  const svg = path => {
    const holder = document.createElement('span');
    holder.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true">${path}</svg>`;
    return holder.firstChild;
  };
  const icon = {
    play: '<path d="M7 4v16l13-8z"/>', pause: '<path d="M6 4h4v16H6zM14 4h4v16h-4z"/>', forward: '<path d="M6 4v16l9-8zM16 4h3v16h-3z"/>',
    back: '<path d="M18 4v16l-9-8zM5 4h3v16H5z"/>', next: '<path d="M4 5v14l7-7zM11 5v14l7-7zM18 5h3v14h-3z"/>', previous: '<path d="M20 5v14l-7-7zM13 5v14l-7-7zM3 5h3v14H3z"/>',
  };
  const button = (name, text, action, options = {}) =>
    h('button', {type: 'button', 'aria-label': text, title: text, onclick: action, ...options}, svg(icon[name]));

  const totals = data.totals, lost = Object.values(totals.discarded_packets).reduce((a, b) => a + b, 0);
  const packetLink = (p, text) => h('button', {type: 'button', class: 'link', onclick: () => select({packet: p}, true)}, text || `packet ${run.packetName(p)}`);
  const stuckLink = (source, tag) => {
    const p = [...run.stuck].find(q => run.src[q] === source && run.seq[q] % 256 === tag);
    return p === undefined ? null : packetLink(p, `packet ${source}:${tag}`);
  };

  const canvas = h('canvas', {class: 'picture', tabindex: '0', role: 'application', id: part.id + '-picture',
    'aria-label': `The network: ${net.name}, ${net.switches} switches. Arrow keys go from switch to switch, Enter tells a switch's story.`});
  const rateText = h('span', {class: 'rate', hidden: !state.rate, 'aria-hidden': 'true'}, ''), clock = h('span', {class: 'clock', 'aria-hidden': 'true'});
  const zoomButtons = h('div', {class: 'zoom', role: 'group', 'aria-label': 'Size of the picture'}, [['+', 'Larger', () => zoomBy(1.4)], ['−', 'Smaller', () => zoomBy(1 / 1.4)], ['⤢', 'All of it', fitAll]].map(
    ([sign, text, action]) => h('button', {type: 'button', 'aria-label': text, title: text, onclick: action}, sign)));

  const line = h('canvas', {class: 'line', 'aria-hidden': 'true'});
  const slider = h('input', {type: 'range', min: String(from), max: String(last), step: '1', value: String(from), 'aria-label': 'Cycle', id: part.id + '-slider',
    oninput: () => { pause(); go(+slider.value); }});
  const playButton = h('button', {type: 'button', class: 'primary', id: part.id + '-play', onclick: () => state.playing ? pause() : play()}, svg(icon.play), h('span', {}, 'Play'));
  const speedBox = h('select', {'aria-label': 'Speed in cycles a second', id: part.id + '-speed', onchange: () => { state.speed = +speedBox.value; }},
    SPEEDS.map(s => h('option', {value: String(s), selected: s === state.speed}, `${s} cycles/s`)));
  const cycleBox = h('input', {type: 'number', min: String(from), max: String(last), 'aria-label': 'Go to cycle', id: part.id + '-cycle',
    onchange: () => { pause(); go(+cycleBox.value); }});
  const controls = h('div', {class: 'controls', role: 'group', 'aria-label': 'Play'},
    playButton, button('previous', 'Event before', () => jump(-1)), button('back', 'One cycle back', () => step(-1)), button('forward', 'One cycle on', () => step(1)),
    button('next', 'Next event', () => jump(1)), h('span', {class: 'spacer'}), h('label', {}, 'cycle', cycleBox), speedBox);
  const nowText = {};
  const now = h('p', {class: 'now'}, [['flight', 'in the network'], ['delivered', 'delivered'], ['discarded', 'discarded'],
    ...(totals.u_turns !== null ? [['turned', 'U-turns']] : net.levelled ? [] : [['detoured', 'detours']])].map(([key, text]) =>
    h('span', {}, nowText[key] = h('b', {'data-now': key}, '0'), ' ', text)));

  const loads = uturn.makeLoadsPanel(run, data, part.id, {turn: showLoads, change: retell, redraw: update, reveal: revealLink});

  const registers = uturn.makeRegistersPanel(run, data, part.id, {go: cycle => { pause(); go(cycle); }, select: sw => select({switch: sw})});

  const sample = inside => svg(inside);
  const legend = h('ul', {class: 'legend', 'aria-label': 'What the colours mean'}, [
    ['<path d="M0 12h14" stroke="var(--accent)" stroke-width="3" opacity=".6"/><circle cx="17" cy="12" r="5" fill="var(--accent)"/>', 'packet', true],
    ...(run.upTo(run.turned, last) ? [['<circle cx="12" cy="12" r="5" fill="var(--turn)"/>', 'it has made a U-turn', true]] : []),
    ...(run.upTo(run.detoured, last) ? [['<circle cx="12" cy="12" r="5" fill="var(--away)"/>', 'it has taken a detour', true]] : []),
    ...(totals.deadlock ? [['<circle cx="12" cy="12" r="5" fill="var(--bad)"/>', 'it will be caught in the deadlock', true]] : []),
    ...(run.faults.length ? [['<path d="M0 12h24" stroke="var(--bad)" stroke-width="2.5" stroke-dasharray="6 4"/><path d="m8 8 8 8m0-8-8 8" stroke="var(--bad)" stroke-width="2.5"/>', 'failed']] : []),
    ...(lost ? [['<path d="m6 6 12 12m0-12L6 18" stroke="var(--bad)" stroke-width="3"/>', 'packet lost', true]] : []),
    ['<rect x="1" y="7" width="22" height="10" fill="none" stroke="var(--ink-faint)"/><rect x="1" y="7" width="13" height="10" fill="var(--ink-soft)"/>', 'buffer, partly full'],
    ...(data.states ? [['<rect x="2" y="5" width="20" height="14" rx="4" fill="none" stroke="var(--away)" stroke-width="2.5" stroke-dasharray="4 3"/>', 'unsafe node'],
      ['<rect x="2" y="5" width="20" height="14" rx="4" fill="none" stroke="var(--away)" stroke-width="2.5"/>', 'disabled node']] : []),
  ].map(([picture, text, ofPackets]) => h('li', {class: ofPackets ? 'of-packets' : ''}, sample(picture), text)), loads.legend);

  const search = h('input', {type: 'search', placeholder: 'packet 5:12', 'aria-label': 'Find a packet, a switch or a cycle', id: part.id + '-search',
    autocomplete: 'off', spellcheck: 'false'});
  const searchAnswer = h('p', {class: 'search-answer', role: 'status'});
  const searchForm = h('form', {class: 'search', role: 'search', onsubmit: event => { event.preventDefault(); find(search.value); }}, search, h('button', {}, 'Find'));
  const storyTitle = h('h3', {}, 'Story'), story = h('div', {class: 'story', tabindex: '0', 'aria-live': 'polite', 'aria-label': 'Story', id: part.id + '-story'});
  const eventList = h('ol', {class: 'events', 'aria-label': 'Events'});
  const side = h('div', {class: 'side'}, h('div', {class: 'card'}, searchForm, searchAnswer, storyTitle, story),
    h('div', {class: 'card'}, h('h3', {}, 'Events'), eventList));

  const stage = h('div', {class: 'stage card'}, h('div', {class: 'stage-top'}, clock, rateText, loads.button, zoomButtons), controls, canvas, loads.row,
    h('div', {class: 'transport'}, line, slider, now), legend);
  const parts = uturn.runParts(data, stuckLink);
  part.element.append(...parts.notices, h('div', {class: 'player'}, stage, side, registers && registers.element), parts.facts);
  const view = uturn.makeRunView(run, canvas, loads.lowest);
  canvas.style.aspectRatio = `1 / ${view.aspect + 0.04}`;

  /* ---- events */

  const MOST_EVENTS = 300, SIGN = {fail: '✕', repair: '✓', turn: '↩', detour: '↷', discard: '×', deadlock: '∞', mismatch: '≠', complete: '✓', incomplete: '!'};
  const eventButtons = run.events.slice(0, MOST_EVENTS).map(e => h('button', {type: 'button', class: e.kind, onclick: () => goEvent(e)},
    h('span', {class: 'sign', 'aria-hidden': 'true'}, SIGN[e.kind]), h('span', {class: 'cycle'}, h('span', {class: 'visually-hidden'}, 'cycle '), number(e.cycle)), h('span', {}, e.text)));
  eventList.append(...eventButtons.map(b => h('li', {}, b)));
  if (!run.events.length)
    eventList.append(h('li', {}, 'Nothing fails, and no packet turns or is lost.'));
  if (run.events.length > MOST_EVENTS)
    eventList.append(h('li', {}, `... and ${number(run.events.length - MOST_EVENTS)} more: "next event" goes to them.`));
  function goEvent(e) {
    pause();
    if (e.target) {
      select(e.target, false);
      view.revealTarget(e.target, e.cycle);
    }
    go(e.cycle);
  }
  function jump(by) {
    const cycle = Math.floor(state.time);
    const e = by > 0 ? run.events.find(x => x.cycle > cycle) : run.events.findLast(x => x.cycle < cycle);
    if (e)
      goEvent(e);
    else
      go(by > 0 ? last : from);
  }
  let marked = -1;
  function markEvent() {
    let at = -1;
    for (let i = 0; i < eventButtons.length && run.events[i].cycle <= state.time; i++)
      at = i;
    if (at === marked)
      return;
    if (marked >= 0)
      eventButtons[marked].removeAttribute('aria-current');
    marked = at;
    if (at >= 0) {
      eventButtons[at].setAttribute('aria-current', 'true');
      const item = eventButtons[at].parentElement, top = item.offsetTop - eventList.offsetTop;
      if (top < eventList.scrollTop || top > eventList.scrollTop + eventList.clientHeight - 40)
        eventList.scrollTop = top - eventList.clientHeight / 2;
    }
  }

  /* ---- time */

  function go(time) {
    state.time = Math.max(from, Math.min(last, Number.isFinite(time) ? time : from));
    update();
  }
  function step(by) {
    pause();
    go((by > 0 ? Math.floor(state.time) : Math.ceil(state.time)) + by);
  }
  function play() {
    if (state.time >= last)
      state.time = from;
    state.playing = true;
    showPlaying();
    begin();
  }
  function pause() {
    state.playing = false;
    showPlaying();
    update(); /* the texts about a switch wait for that */
  }
  function showPlaying() {
    playButton.replaceChildren(svg(state.playing ? icon.pause : icon.play), h('span', {}, state.playing ? 'Pause' : 'Play'));
  }
  function speedBy(by) {
    const at = Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(state.speed) + by));
    state.speed = SPEEDS[at];
    speedBox.value = String(state.speed);
  }

  /* ---- frames: one is asked for when something has changed, and while it plays */

  let asked = false, dirty = true, before = 0, shown = false;
  const frames = [];
  let spent = 0;
  function begin() {
    if (!asked && shown) {
      asked = true;
      requestAnimationFrame(frame);
    }
  }
  function update() {
    dirty = true;
    begin();
  }
  function measure(now_, cost) {
    frames.push(now_);
    spent = spent ? 0.95 * spent + 0.05 * cost : cost;
    while (frames.length > 2 && frames[0] < now_ - 1000)
      frames.shift();
    const rate = frames.length > 1 ? 1000 * (frames.length - 1) / (frames[frames.length - 1] - frames[0]) : 0;
    part.section.dataset.fps = rate.toFixed(1);
    part.section.dataset.cost = spent.toFixed(2);
    if (state.rate)
      rateText.textContent = `${rate.toFixed(0)} frames/s, ${spent.toFixed(1)} ms each`;
  }
  function frame(now_) {
    asked = false;
    const passed = Math.min(200, now_ - before);
    before = now_;
    if (state.playing) {
      state.time += state.speed * passed / 1000;
      if (state.time >= last) {
        state.time = last;
        pause();
      }
      dirty = true;
    }
    if (dirty) {
      const began = performance.now();
      dirty = false;
      show(view.draw(state.time, state.selected, document.activeElement === canvas ? state.cursor : null, loads.at(state.time), loads.link()));
      measure(now_, performance.now() - began);
    }
    if (state.playing)
      begin();
    else
      frames.length = 0;
  }
  const write = (element, text) => {
    if (element.textContent !== text)
      element.textContent = text;
  };
  function show(active) {
    const cycle = Math.floor(state.time);
    slider.value = String(cycle);
    write(clock, `cycle ${number(cycle)}`);
    slider.setAttribute('aria-valuetext', `cycle ${number(cycle)}`);
    if (document.activeElement !== cycleBox || !state.playing)
      cycleBox.value = String(cycle);
    write(nowText.flight, number(active));
    write(nowText.delivered, number(run.upTo(run.delivered, cycle)));
    write(nowText.discarded, number(run.upTo(run.discarded, cycle)));
    if (nowText.turned)
      write(nowText.turned, number(run.upTo(run.turned, cycle)));
    if (nowText.detoured)
      write(nowText.detoured, number(run.upTo(run.detoured, cycle)));
    drawLine();
    markEvent();
    tellProgress();
  }

  /* ---- the time line: throughput as an area, events as ticks */

  let lineStill = null;
  const across = cycle => (cycle - from) / Math.max(1, last - from);
  function drawLineStill(w, hgt, ratio) {
    const c = document.createElement('canvas'), x = c.getContext('2d');
    c.width = w * ratio;
    c.height = hgt * ratio;
    x.scale(ratio, ratio);
    const {from: starts, throughput} = data.intervals, most = Math.max(1e-9, ...throughput), top = 12, base = hgt - 1;
    x.beginPath();
    x.moveTo(0, base);
    starts.forEach((cycle, i) => {
      const y = base - (base - top) * throughput[i] / most, x1 = w * across(Math.max(from, cycle)), x2 = w * across(i + 1 < starts.length ? starts[i + 1] : until);
      x.lineTo(x1, y);
      x.lineTo(x2, y);
    });
    x.lineTo(w, base);
    x.closePath();
    x.fillStyle = uturn.colour('accent-soft');
    x.fill();
    x.strokeStyle = uturn.colour('accent');
    x.lineWidth = 1;
    x.stroke();
    x.fillStyle = uturn.colour('ink-faint');
    x.font = `11px ${getComputedStyle(document.body).fontFamily}`;
    x.textBaseline = 'top';
    x.fillText(`throughput, up to ${most.toPrecision(2)} flits/cycle/terminal`, 2, 0);
    const colourOf = {fail: 'bad', repair: 'good', turn: 'turn', detour: 'away', discard: 'bad', deadlock: 'bad', mismatch: 'bad', complete: 'good', incomplete: 'bad'};
    for (const e of run.events) {
      x.fillStyle = uturn.colour(colourOf[e.kind]);
      const small = e.kind === 'discard';
      x.fillRect(Math.min(w - 2, w * across(e.cycle)), small ? hgt - 9 : 13, small ? 1 : 2, hgt);
    }
    lineStill = c;
  }
  function drawLine() {
    const w = line.clientWidth, hgt = line.clientHeight, ratio = Math.min(2, devicePixelRatio || 1);
    if (!w)
      return;
    if (line.width !== Math.round(w * ratio) || line.height !== Math.round(hgt * ratio)) {
      line.width = Math.round(w * ratio);
      line.height = Math.round(hgt * ratio);
      lineStill = null;
    }
    if (!lineStill)
      drawLineStill(w, hgt, ratio);
    const x = line.getContext('2d');
    x.setTransform(1, 0, 0, 1, 0, 0);
    x.clearRect(0, 0, line.width, line.height);
    x.drawImage(lineStill, 0, 0);
    x.scale(ratio, ratio);
    x.fillStyle = uturn.colour('ink');
    x.fillRect(Math.min(w - 2, w * across(state.time)), 10, 2, hgt);
  }
  const seek = event => {
    const rect = line.getBoundingClientRect();
    pause();
    go(Math.round(from + (last - from) * Math.max(0, Math.min(1, (event.clientX - rect.left) / rect.width))));
  };
  line.addEventListener('pointerdown', event => { line.setPointerCapture(event.pointerId); seek(event); });
  line.addEventListener('pointermove', event => event.buttons && seek(event));

  /* ---- stories */

  let steps = [], stepsDone = -1;
  function select(what, travel) {
    state.selected = what || {};
    if (what && what.packet !== undefined && travel) {
      const p = what.packet;
      pause();
      if (state.time < run.start[p] || state.time >= run.end[p])
        state.time = Math.max(from, Math.min(last, run.start[p]));
    }
    if (what && what.switch !== undefined)
      state.cursor = what.switch;
    tell();
    update();
  }
  const stepItem = s => h('li', {class: s.kind}, h('button', {type: 'button', class: 'link cycle', title: 'Go to this cycle',
    onclick: () => { pause(); go(Math.max(from, Math.min(last, s.cycle))); }}, number(s.cycle)), h('span', {}, s.text));
  function tell() {
    const {packet, switch: sw} = state.selected;
    steps = [];
    stepsDone = -1;
    if (packet !== undefined) {
      storyTitle.textContent = `Packet ${run.packetName(packet)}`;
      const list = run.storyOfPacket(packet);
      steps = list.map(s => ({cycle: s.cycle, element: stepItem(s)}));
      story.replaceChildren(h('p', {}, `From terminal ${run.src[packet]} (framed green) to terminal ${run.dst[packet]} (framed blue). On the left the cycles: a click goes there.`),
        h('ol', {class: 'steps'}, steps.map(s => s.element)));
    } else if (sw !== undefined) {
      storyTitle.textContent = `Switch ${run.switchLong(sw)}`;
      tellSwitch(sw);
    } else if (loads.isOn()) {
      storyTitle.textContent = loads.title;
      tellLoads();
    } else {
      storyTitle.textContent = 'Story';
      story.replaceChildren(h('p', {}, 'Click a packet or a switch: what happened to it is told here. Or type above, as in ', h('code', {}, 'packet 5:12'),
        ': the packet of terminal 5 with number 12.'));
    }
    tellProgress();
  }
  let toldAt = -1;
  function tellLoads() {
    toldAt = Math.floor(state.time);
    loads.at(state.time);
    story.replaceChildren(...loads.story());
  }
  function showLoads(isOn) {
    for (const item of legend.querySelectorAll('.of-packets'))
      item.hidden = isOn;
    loads.draw();
    retell();
  }
  /* The elements have other numbers now. */
  function retell() {
    tell();
    update();
  }
  function revealLink(c) {
    const at = view.endOf(c);
    view.reveal(at.x, at.y);
    update();
  }
  function tellSwitch(sw) {
    const cycle = Math.floor(state.time), inside = run.packetsIn(sw, state.time), active = run.activeFaults(state.time).filter(f => f.switch === sw), states = run.statesAt(cycle);
    const beside = run.activeFaults(state.time).filter(f => f.channels && f.channels.some(c => c < run.firstInjection && run.senderOf(c) === sw || run.peerKind(c) === run.SWITCH && run.peerIndex(c) === sw));
    toldAt = cycle;
    loads.at(state.time);
    story.replaceChildren(...[
      loads.isOn() ? loads.ofSwitch(sw, state.time) : null,
      h('p', {}, active.length ? `It has failed, since cycle ${number(active[0].from)}.` :
        `Level ${net.levels[sw]}. ${beside.length ? `Of its links, ${beside.map(f => f.name).join(', ')} ${beside.length > 1 ? 'have' : 'has'} failed.` : 'It works, and so do its links.'}` +
        `${states ? ` Its state is ${data.state_names[states[sw]]}.` : ''}`),
      h('p', {}, inside.length ? `In cycle ${number(cycle)} there ${inside.length === 1 ? 'is' : 'are'} ${plural(inside.length, 'packet')} in its buffers:` :
        `In cycle ${number(cycle)} its buffers are empty.`),
      inside.length ? h('ol', {class: 'steps'}, inside.slice(0, 60).map(i => h('li', {class: 'done'}, packetLink(i.packet, run.packetName(i.packet)),
        h('span', {}, `${plural(i.flits, 'flit')} at port ${i.port}${net.vcs > 1 ? `, VC ${i.vc}` : ''}; to terminal ${run.dst[i.packet]}; here for ${plural(Math.max(0, cycle - i.since), 'cycle')}.`)))) : null,
    ].filter(Boolean));
  }
  function tellProgress() {
    if (!state.playing && toldAt !== Math.floor(state.time)) {
      if (state.selected.switch !== undefined)
        tellSwitch(state.selected.switch);
      else if (state.selected.packet === undefined && loads.movesOn())
        tellLoads();
    }
    if (!state.playing && registers)
      registers.show(state.selected.switch, Math.floor(state.time));
    let done = 0;
    for (const s of steps) {
      s.element.classList.toggle('done', s.cycle <= state.time);
      done += s.cycle <= state.time;
    }
    if (done === stepsDone)
      return;
    stepsDone = done;
    const item = steps.length ? steps[Math.max(0, done - 1)].element : null, top = item ? item.offsetTop - story.offsetTop : 0;
    if (item && (top < story.scrollTop || top + item.offsetHeight > story.scrollTop + story.clientHeight))
      story.scrollTop = top - story.clientHeight / 3;
  }

  function find(text) {
    const packet = /^\s*(?:packet\s+)?(\d+):(\d+)(?::(\d+))?\s*$/i.exec(text), sw = /^\s*(?:switch\s+)?(\d+\.\d+)\s*$/i.exec(text), cycle = /^\s*(?:cycle\s+)?([\d,]+)\s*$/i.exec(text);
    let answer = '';
    if (packet) {
      const p = run.findPacket(+packet[1], +packet[2], packet[3] ? +packet[3] : 1);
      if (p >= 0)
        select({packet: p}, true);
      else
        answer = `No packet ${packet[1]}:${packet[2]} on this page; the number behind the colon counts the packets of terminal ${packet[1]}, from 0.`;
    } else if (sw && run.byName.has(sw[1])) {
      select({switch: run.byName.get(sw[1])});
      const at = view.switchAt(state.cursor);
      view.reveal(at.x, at.y);
    } else if (cycle) {
      pause();
      go(+cycle[1].replaceAll(',', ''));
    } else {
      answer = 'A packet as in 5:12, a switch as in 1.3, or a cycle as in 200.';
    }
    searchAnswer.textContent = answer;
  }

  /* ---- moving and enlarging the picture */

  function zoomBy(by, x, y) {
    view.zoom(by, x, y);
    canvas.style.touchAction = view.isZoomed() ? 'none' : 'pan-y';
    update();
  }
  function fitAll() {
    view.fit();
    canvas.style.touchAction = 'pan-y';
    update();
  }
  const spot = event => {
    const rect = canvas.getBoundingClientRect();
    return {x: event.clientX - rect.left, y: event.clientY - rect.top};
  };
  canvas.addEventListener('wheel', event => {
    if (document.activeElement !== canvas && !event.ctrlKey)
      return; /* the page scrolls */
    event.preventDefault();
    const at = spot(event);
    zoomBy(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), at.x, at.y);
  }, {passive: false});
  const fingers = new Map();
  let moved = 0;
  canvas.addEventListener('pointerdown', event => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, spot(event));
    if (fingers.size === 1)
      moved = 0;
  });
  canvas.addEventListener('pointermove', event => {
    const was = fingers.get(event.pointerId), is = spot(event);
    if (!was) {
      if (loads.isOn())
        loads.mark(view.pickLink(is.x, is.y));
      return;
    }
    if (fingers.size === 1) {
      moved += Math.hypot(is.x - was.x, is.y - was.y);
      if (moved > 5)
        view.pan(is.x - was.x, is.y - was.y);
    } else {
      const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
      const spread = Math.hypot(is.x - other.x, is.y - other.y) / Math.max(1, Math.hypot(was.x - other.x, was.y - other.y));
      moved += 10;
      zoomBy(spread, (is.x + other.x) / 2, (is.y + other.y) / 2);
      view.pan((is.x - was.x) / 2, (is.y - was.y) / 2);
    }
    fingers.set(event.pointerId, is);
    update();
  });
  canvas.addEventListener('pointerup', event => {
    if (fingers.size === 1 && moved <= 5) {
      const at = spot(event);
      select(view.pick(at.x, at.y, state.time, !loads.isOn()));
      if (loads.isOn())
        loads.mark(view.pickLink(at.x, at.y));
    }
    fingers.delete(event.pointerId);
  });
  canvas.addEventListener('pointercancel', event => fingers.delete(event.pointerId));
  canvas.addEventListener('focus', update);
  canvas.addEventListener('blur', update);
  canvas.style.touchAction = 'pan-y';

  /* ---- keys */

  const ARROWS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
  canvas.addEventListener('keydown', event => {
    const way = ARROWS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
      return;
    if (way) {
      state.cursor = state.cursor === null ? 0 : view.neighbour(state.cursor, ...way);
      const at = view.switchAt(state.cursor);
      view.reveal(at.x, at.y);
      canvas.setAttribute('aria-description', `Switch ${run.switchLong(state.cursor)}`);
      update();
    } else if (event.key === 'Enter') {
      select({switch: state.cursor === null ? 0 : state.cursor});
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  function onkey(event) {
    const onControl = event.target.matches('button, summary, a, input');
    const by = event.shiftKey ? 10 : 1;
    switch (event.key) {
    case ' ':
      if (event.target.matches('button, summary'))
        return false;
      state.playing ? pause() : play();
      return true;
    case 'p': case 'P': state.playing ? pause() : play(); return true;
    case 'ArrowRight': if (event.target.matches('input')) return false; step(by); return true;
    case 'ArrowLeft': if (event.target.matches('input')) return false; step(-by); return true;
    case '.': step(1); return true;
    case ',': step(-1); return true;
    case 'n': case 'N': jump(1); return true;
    case 'b': case 'B': jump(-1); return true;
    case '>': speedBy(1); return true;
    case '<': speedBy(-1); return true;
    case '+': case '=': zoomBy(1.4); return true;
    case '-': zoomBy(1 / 1.4); return true;
    case '0': fitAll(); return true;
    case '/': search.focus(); search.select(); return true;
    case 'f': case 'F':
      state.rate = !state.rate;
      rateText.hidden = !state.rate;
      update();
      return true;
    case 'l': case 'L': loads.turn(); return true;
    case 'r': case 'R': if (registers) registers.focus(); return Boolean(registers);
    case 'Escape': loads.mark(null); select(null); return true;
    case 'Home': if (onControl) return false; pause(); go(from); return true;
    case 'End': if (onControl) return false; pause(); go(last); return true;
    default: return false;
    }
  }
  const keys = [['Space', 'play or pause; also P'], ['← →', 'a cycle back, or on; with Shift ten; also , and .'], ['B N', 'the event before, or the next one'], ['< >', 'slower, faster'],
    ['Home End', 'first cycle, last cycle'], ['/', 'find: packet 5:12, switch 1.3, cycle 200'], ['+ - 0', 'larger, smaller, all of it'],
    ['Enter', 'in the picture: the story of the switch that the arrow keys have chosen'], ['L', 'loads of links, or packets'], ...(registers ? [['R', 'to the registers of the switch']] : []), ['Esc', 'no story'], ['F', 'frames a second']];

  /* ---- life */

  new ResizeObserver(() => {
    if (!canvas.clientWidth)
      return;
    view.resize();
    lineStill = null;
    update();
  }).observe(canvas);
  const firstEvent = run.events.find(e => e.cycle > from && !['deadlock', 'complete', 'incomplete'].includes(e.kind)); /* how that comes is to be seen */
  state.time = Math.max(from, Math.min(last, firstEvent ? firstEvent.cycle - 10 : from + 40));
  if (registers) { /* where they are, and at the mismatch if there is one */
    const {from: begin, until: end, mismatch} = data.registers;
    if (mismatch || state.time < begin || state.time >= end)
      state.time = Math.max(from, Math.min(last, mismatch ? mismatch.cycle : begin));
    if (mismatch && mismatch.switch !== null)
      state.selected = {switch: state.cursor = mismatch.switch};
  }
  tell();
  return {
    keys, onkey,
    onshow() {
      shown = true;
      view.resize();
      view.fit();
      update();
    },
    onhide() {
      shown = false;
      pause();
    },
    ontheme() {
      view.ontheme();
      loads.ontheme();
      lineStill = null;
      update();
    },
  };
});
