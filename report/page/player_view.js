/* SPDX-License-Identifier: Apache-2.0 */
/* player_view.js - draws a run as it is at some time, on a canvas that can be moved and enlarged. */
'use strict';
uturn.makeRunView = (run, canvas, lowestLoad) => {
  const net = run.net, places = net.places, ctx = canvas.getContext('2d'), still = document.createElement('canvas'), stillCtx = still.getContext('2d');
  const [boxWidth, boxHeight] = places.box, terminalSize = places.terminal_size, ports = net.ports, vcs = net.vcs;
  const spot = (list, i) => ({x: list[2 * i], y: list[2 * i + 1]});
  const switchAt = s => spot(places.switches, s), terminalAt = t => spot(places.terminals, t);

  /* ---- the way of a channel: pieces of lines, a little to the right of the line that both directions share */

  const ASIDE = 18;
  function placeOf(c) {
    const p = places.channels;
    return {x: p[5 * c], y: p[5 * c + 1], ex: p[5 * c + 2], ey: p[5 * c + 3], stub: p[5 * c + 4]};
  }
  const channelCount = net.peers.length / 3;
  const geometry = new Array(channelCount).fill(null);
  for (let c = 0; c < channelCount; c++) {
    if (!run.peerKind(c))
      continue;
    const a = placeOf(c), length = Math.hypot(a.ex - a.x, a.ey - a.y) || 1;
    const both = c < run.firstInjection && run.peerKind(c) === run.SWITCH && net.peers[3 * (run.peerIndex(c) * ports + run.peerPort(c)) + 1] === run.senderOf(c);
    const aside = both ? ASIDE : 0, nx = -(a.ey - a.y) / length * aside, ny = (a.ex - a.x) / length * aside;
    const g = {x: a.x + nx, y: a.y + ny, ex: a.ex + nx, ey: a.ey + ny, stub: !!a.stub};
    if (a.stub) {
      const b = placeOf(run.peerIndex(c) * ports + run.peerPort(c)), l = Math.hypot(b.ex - b.x, b.ey - b.y) || 1;
      const mx = (b.ey - b.y) / l * aside, my = -(b.ex - b.x) / l * aside;
      Object.assign(g, {fx: b.ex + mx, fy: b.ey + my, gx: b.x + mx, gy: b.y + my});
    }
    geometry[c] = g;
  }
  const point = {x: 0, y: 0};
  function along(c, part) {
    const g = geometry[c];
    if (g.stub && part > 0.5) {
      const f = 2 * part - 1;
      point.x = g.fx + (g.gx - g.fx) * f;
      point.y = g.fy + (g.gy - g.fy) * f;
    } else {
      const f = g.stub ? 2 * part : part;
      point.x = g.x + (g.ex - g.x) * f;
      point.y = g.y + (g.ey - g.y) * f;
    }
    return point;
  }
  /* The part from a to b of a channel, as a path. */
  function trace(c, a, b) {
    const g = geometry[c];
    const line = (u, v) => {
      along(c, u);
      ctx.moveTo(point.x, point.y);
      along(c, v);
      ctx.lineTo(point.x, point.y);
    };
    if (!g.stub)
      return line(a, b);
    if (a < 0.5)
      line(a, Math.min(b, 0.5));
    if (b > 0.5)
      line(Math.max(a, 0.5000001), b);
  }
  /* Where a channel ends, at the edge of the box. */
  const endOf = c => {
    const g = geometry[c];
    return g.stub ? {x: g.gx, y: g.gy} : {x: g.ex, y: g.ey};
  };

  /* ---- buffers: a bar inside the box for each VC of each input port */

  const bars = new Array(channelCount).fill(null), BAR = 70, WIDE = 34;
  for (let c = 0; c < channelCount; c++) {
    if (!geometry[c] || run.peerKind(c) !== run.SWITCH)
      continue;
    const at = endOf(c), s = switchAt(run.peerIndex(c)), dx = at.x - s.x, dy = at.y - s.y;
    const side = Math.abs(dx) / boxWidth > Math.abs(dy) / boxHeight, one = WIDE / Math.min(vcs, 4);
    bars[c] = {across: side, sx: Math.sign(dx) || 1, sy: Math.sign(dy) || 1, one,
      x: s.x + (side ? Math.sign(dx) * boxWidth / 2 : Math.max(-boxWidth / 2 + WIDE / 2 + 4, Math.min(boxWidth / 2 - WIDE / 2 - 4, dx))),
      y: s.y + (side ? Math.max(-boxHeight / 2 + WIDE / 2, Math.min(boxHeight / 2 - WIDE / 2, dy)) : Math.sign(dy) * boxHeight / 2)};
  }
  function barRect(c, v, share, f) {
    const b = bars[c], length = BAR * share, from = -WIDE / 2 + v * (WIDE / vcs), w = WIDE / vcs - (vcs > 1 ? 2 : 0);
    if (b.across)
      f(b.sx > 0 ? b.x - length - 3 : b.x + 3, b.y + from, length, w);
    else
      f(b.x + from, b.sy > 0 ? b.y - length - 3 : b.y + 3, w, length);
  }
  /* Where a head waits: in its bar. */
  function waitingAt(c) {
    const b = bars[c];
    point.x = b.x - (b.across ? b.sx * 45 : 0);
    point.y = b.y - (b.across ? 0 : b.sy * 45);
    return point;
  }

  /* ---- looking at it */

  const bounds = {x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity};
  const include = (x, y) => {
    bounds.x0 = Math.min(bounds.x0, x);
    bounds.y0 = Math.min(bounds.y0, y);
    bounds.x1 = Math.max(bounds.x1, x);
    bounds.y1 = Math.max(bounds.y1, y);
  };
  for (let s = 0; s < net.switches; s++) {
    const p = switchAt(s);
    include(p.x - boxWidth / 2, p.y - boxHeight / 2);
    include(p.x + boxWidth / 2, p.y + boxHeight / 2);
  }
  for (let t = 0; t < net.terminals; t++) {
    const p = terminalAt(t);
    include(p.x - terminalSize, p.y - terminalSize);
    include(p.x + terminalSize, p.y + terminalSize);
  }
  for (const g of geometry)
    if (g && g.stub)
      include(g.ex, g.ey);
  for (const [x, y, , text] of places.words)
    include(x, y), include(x + 30 * text.length, y);

  let scale = 1, x0 = 0, y0 = 0, width = 1, height = 1, ratio = 1, fitScale = 1, stale = true, colours = {};
  function readColours() {
    for (const name of ['panel', 'sunken', 'line', 'line-strong', 'ink', 'ink-soft', 'ink-faint', 'accent', 'accent-soft', 'bad', 'good', 'turn', 'away'])
      colours[name] = uturn.colour(name);
    scaleOfLoads.read();
    stale = true;
  }
  function fit() {
    const margin = 14, w = bounds.x1 - bounds.x0, h = bounds.y1 - bounds.y0;
    scale = fitScale = Math.min((width - 2 * margin) / w, (height - 2 * margin) / h, 0.22);
    x0 = (bounds.x0 + bounds.x1) / 2 - width / 2 / scale;
    y0 = (bounds.y0 + bounds.y1) / 2 - height / 2 / scale;
    stale = true;
  }
  function resize() {
    const rect = canvas.getBoundingClientRect(), fitted = Math.abs(scale / fitScale - 1) < 0.01;
    width = Math.max(1, rect.width);
    height = Math.max(1, rect.height);
    ratio = Math.min(2, devicePixelRatio || 1);
    for (const c of [canvas, still]) {
      c.width = Math.round(width * ratio);
      c.height = Math.round(height * ratio);
    }
    if (fitted)
      fit();
    stale = true;
  }
  function zoom(by, px = width / 2, py = height / 2) {
    const target = Math.max(fitScale * 0.8, Math.min(3, scale * by)), x = x0 + px / scale, y = y0 + py / scale;
    scale = target;
    x0 = x - px / scale;
    y0 = y - py / scale;
    stale = true;
  }
  function pan(dx, dy) {
    x0 -= dx / scale;
    y0 -= dy / scale;
    stale = true;
  }
  function reveal(x, y) {
    const px = (x - x0) * scale, py = (y - y0) * scale, edge = 40;
    if (px < edge || px > width - edge || py < edge || py > height - edge) {
      x0 = x - width / 2 / scale;
      y0 = y - height / 2 / scale;
      stale = true;
    }
  }
  /* The same of a switch, or of a packet's head. */
  function revealTarget(target, time) {
    if (target.switch !== undefined)
      Object.assign(point, switchAt(target.switch));
    else if (run.first[target.packet] === run.first[target.packet + 1])
      Object.assign(point, terminalAt(run.src[target.packet]));
    else
      headAt(target.packet, run.moveAt(target.packet, time), time);
    reveal(point.x, point.y);
  }
  const toWorld = (px, py) => ({x: x0 + px / scale, y: y0 + py / scale});
  const isZoomed = () => scale > fitScale * 1.02;

  /* ---- the static part */

  function transform(c) {
    c.setTransform(ratio * scale, 0, 0, ratio * scale, -x0 * scale * ratio, -y0 * scale * ratio);
  }
  function roundBox(c, p, grow = 0) {
    c.beginPath();
    c.roundRect(p.x - boxWidth / 2 - grow, p.y - boxHeight / 2 - grow, boxWidth + 2 * grow, boxHeight + 2 * grow, 40 + grow);
  }
  function drawStill() {
    const c = stillCtx, thin = Math.max(4, 0.8 / scale);
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.fillStyle = colours.panel;
    c.fillRect(0, 0, still.width, still.height);
    transform(c);
    c.lineWidth = thin;
    c.strokeStyle = colours['line-strong'];
    c.globalAlpha = 0.55;
    c.beginPath();
    for (let i = 0; i < channelCount; i++) {
      if (!geometry[i])
        continue;
      const a = placeOf(i);
      c.moveTo(a.x, a.y);
      c.lineTo(a.ex, a.ey);
    }
    c.stroke();
    c.globalAlpha = 1;
    c.fillStyle = colours.sunken;
    c.strokeStyle = colours['line-strong'];
    for (let s = 0; s < net.switches; s++) {
      roundBox(c, switchAt(s));
      c.fill();
      c.stroke();
    }
    c.fillStyle = colours.panel;
    for (let t = 0; t < net.terminals; t++) {
      const p = terminalAt(t), h = terminalSize / 2;
      c.beginPath();
      c.rect(p.x - h, p.y - h, terminalSize, terminalSize);
      c.fill();
      c.stroke();
    }
    drawWords(c);
    stale = false;
  }
  function drawWords(c) {
    c.textBaseline = 'middle';
    c.textAlign = 'center';
    c.fillStyle = colours['ink-faint'];
    const family = getComputedStyle(document.body).fontFamily;
    if (terminalSize * scale > 11) {
      c.font = `${Math.min(terminalSize * 0.55, 15 / scale)}px ${family}`;
      for (let t = 0; t < net.terminals; t++) {
        const p = terminalAt(t);
        c.fillText(String(t), p.x, p.y);
      }
    }
    c.textAlign = 'left';
    for (const [x, y, size, text] of places.words) {
      if (size * scale < 5)
        continue;
      const small = Math.min(size, 16 / scale);
      c.font = `${small}px ${family}`;
      text.split('\n').forEach((line, i) => c.fillText(line, x, y + i * small * 1.2));
    }
  }
  /* Drawn above the moving part. */
  function drawNames() {
    if (boxHeight * scale < 13)
      return;
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    ctx.font = `600 ${Math.min(boxHeight * 0.36, 19 / scale)}px ${getComputedStyle(document.body).fontFamily}`;
    ctx.fillStyle = colours.ink;
    for (let s = 0; s < net.switches; s++) {
      const p = switchAt(s);
      ctx.fillText(run.switchName(s), p.x, p.y + 4, boxWidth - 20);
    }
  }

  /* ---- the moving part */

  const inBuffer = new Float32Array(channelCount * vcs), inSwitch = new Float32Array(net.switches), room = new Float32Array(net.switches);
  let touched = [];
  for (let c = 0; c < channelCount; c++)
    if (bars[c])
      room[run.peerIndex(c)] += net.depth * vcs;

  const KINDS = ['accent', 'turn', 'away', 'bad'];
  const kindOf = (p, time) => {
    if (run.stuck.has(p))
      return 3;
    let kind = 0;
    for (let m = run.first[p]; m < run.first[p + 1] && run.head[m] <= time; m++)
      if (run.flags[m] & 3)
        kind = run.flags[m] & 1 ? 1 : Math.max(kind, 2);
    return kind;
  };
  /* Moves `point` to where a head is. */
  function headAt(p, m, time) {
    const c = run.channel[m], cycles = run.lengthOf(c), f = (time - run.head[m]) / cycles;
    if (f < 1 || run.peerKind(c) !== run.SWITCH) {
      along(c, Math.max(0, Math.min(1, f)));
      return;
    }
    const next = m + 1 < run.first[p + 1] ? run.head[m + 1] : Infinity;
    waitingAt(c);
    if (next - time < 1) { /* through the switch, in its last cycle there */
      const x = point.x, y = point.y, share = 1 - (next - time);
      along(run.channel[m + 1], 0);
      point.x = x + (point.x - x) * share;
      point.y = y + (point.y - y) * share;
    }
  }

  const groups = KINDS.map(() => ({list: [], paths: []}));
  function collect(time) {
    for (const g of groups)
      g.list.length = g.paths.length = 0;
    for (const i of touched)
      inBuffer[i] = 0;
    touched = [];
    inSwitch.fill(0);
    let active = 0;
    run.eachActive(time, p => {
      active++;
      const g = groups[kindOf(p, time)], now = run.moveAt(p, time);
      g.list.push(p, now);
      for (let m = now; m >= run.first[p]; m--) {
        const c = run.channel[m], cycles = run.lengthOf(c), left = run.tailOf(p, m) + 1;
        if (time < left + cycles) {
          const a = Math.max(0, (time - left) / cycles), b = Math.min(1, (time - run.head[m]) / cycles);
          if (b > a)
            g.paths.push(c, a, b);
        }
        const flits = run.buffered(p, m, time);
        if (flits) {
          const i = c * vcs + run.vc[m];
          if (!inBuffer[i])
            touched.push(i);
          inBuffer[i] += flits;
          inSwitch[run.peerIndex(c)] += flits;
        } else if (time >= left + cycles) {
          break;
        }
      }
    });
    return active;
  }

  function drawSwitches(time) {
    const states = run.statesAt(time);
    ctx.fillStyle = colours.accent;
    for (let s = 0; s < net.switches; s++) {
      if (!inSwitch[s])
        continue;
      ctx.globalAlpha = Math.min(0.38, 0.9 * inSwitch[s] / room[s]);
      roundBox(ctx, switchAt(s));
      ctx.fill();
    }
    ctx.globalAlpha = 1;
    if (!states)
      return;
    ctx.strokeStyle = colours.away;
    ctx.lineWidth = 14;
    for (let s = 0; s < net.switches; s++)
      if (states[s] === 1 || states[s] === 2) {
        ctx.setLineDash(states[s] === 1 ? [30, 20] : []);
        roundBox(ctx, switchAt(s));
        ctx.stroke();
      }
    ctx.setLineDash([]);
  }
  function drawBars() {
    if (boxHeight * scale < 7)
      return;
    ctx.fillStyle = colours['ink-soft'];
    ctx.beginPath();
    for (const i of touched)
      barRect(Math.floor(i / vcs), i % vcs, Math.min(1, inBuffer[i] / net.depth), (x, y, w, h) => ctx.rect(x, y, w, h));
    ctx.fill();
    ctx.strokeStyle = colours['ink-faint'];
    ctx.lineWidth = Math.max(3, 0.6 / scale);
    ctx.beginPath();
    for (const i of touched)
      barRect(Math.floor(i / vcs), i % vcs, 1, (x, y, w, h) => ctx.rect(x, y, w, h));
    ctx.stroke();
  }
  function cross(x, y, r) {
    ctx.moveTo(x - r, y - r);
    ctx.lineTo(x + r, y + r);
    ctx.moveTo(x + r, y - r);
    ctx.lineTo(x - r, y + r);
  }
  function drawFaults(time) {
    const wide = Math.max(14, 2 / scale), size = Math.max(36, 5 / scale);
    ctx.strokeStyle = colours.bad;
    for (const f of run.activeFaults(time)) {
      ctx.lineWidth = wide;
      const fresh = Math.max(0, 1 - (time - f.from) / 12);
      if (f.switch !== undefined) {
        const p = switchAt(f.switch);
        ctx.fillStyle = colours.panel;
        roundBox(ctx, p);
        ctx.fill();
        ctx.globalAlpha = 0.2;
        ctx.fillStyle = colours.bad;
        ctx.fill();
        ctx.globalAlpha = 1;
        ctx.stroke();
        ctx.beginPath();
        ctx.moveTo(p.x - boxWidth / 2 + 20, p.y - boxHeight / 2 + 20);
        ctx.lineTo(p.x + boxWidth / 2 - 20, p.y + boxHeight / 2 - 20);
        ctx.moveTo(p.x + boxWidth / 2 - 20, p.y - boxHeight / 2 + 20);
        ctx.lineTo(p.x - boxWidth / 2 + 20, p.y + boxHeight / 2 - 20);
        ctx.stroke();
        ring(p.x, p.y, fresh, time - f.from);
        continue;
      }
      for (const c of f.channels) {
        const a = placeOf(c), mx = (a.x + a.ex) / 2, my = (a.y + a.ey) / 2;
        ctx.setLineDash([4 * wide, 2.4 * wide]);
        ctx.beginPath();
        ctx.moveTo(a.x, a.y);
        ctx.lineTo(a.ex, a.ey);
        ctx.stroke();
        ctx.setLineDash([]);
        ctx.beginPath();
        cross(mx, my, size);
        ctx.stroke();
        ring(mx, my, fresh, time - f.from);
      }
    }
  }
  /* Draws the events of the last cycles. */
  function ring(x, y, fresh, age) {
    if (fresh <= 0)
      return;
    ctx.globalAlpha = fresh;
    ctx.beginPath();
    ctx.arc(x, y, Math.max(60, 8 / scale) + age * Math.max(12, 1.2 / scale), 0, 7);
    ctx.stroke();
    ctx.globalAlpha = 1;
  }
  /* The busier a link, the stronger its colour and the wider it is; each direction for itself. */
  const LOAD_STEPS = 16, scaleOfLoads = uturn.makeLoadScale(lowestLoad);
  function drawLoads({load, top}, link) {
    const widest = Math.max(32, 3.2 / scale), classes = Array.from({length: LOAD_STEPS + 1}, () => []);
    for (let c = 0; c < run.firstInjection; c++)
      if (geometry[c] && load[c] > 0)
        classes[Math.min(LOAD_STEPS, Math.ceil(LOAD_STEPS * load[c] / top))].push(c);
    classes.forEach((list, step) => {
      ctx.strokeStyle = scaleOfLoads.css(step / LOAD_STEPS);
      ctx.lineWidth = widest * (0.35 + 0.65 * step / LOAD_STEPS);
      ctx.beginPath();
      for (const c of list)
        trace(c, 0, 1);
      ctx.stroke();
    });
    if (link === null)
      return;
    for (const [colour, wide] of [['ink', widest + Math.max(16, 3 / scale)], ['panel', widest + Math.max(4, 1 / scale)], [null, widest * 0.8]]) {
      ctx.strokeStyle = colour ? colours[colour] : scaleOfLoads.css(load[link] / top);
      ctx.lineWidth = wide;
      ctx.beginPath();
      trace(link, 0, 1);
      ctx.stroke();
    }
  }
  function drawPackets(time) {
    const radius = Math.max(17, Math.min(26, 3.4 / scale), 2 / scale), wide = Math.max(15, Math.min(24, 2 / scale), 1.1 / scale);
    ctx.lineCap = 'round';
    groups.forEach((g, kind) => {
      ctx.strokeStyle = ctx.fillStyle = colours[KINDS[kind]];
      ctx.lineWidth = wide;
      ctx.globalAlpha = 0.6;
      ctx.beginPath();
      for (let i = 0; i < g.paths.length; i += 3)
        trace(g.paths[i], g.paths[i + 1], g.paths[i + 2]);
      ctx.stroke();
      ctx.globalAlpha = 1;
      ctx.beginPath();
      for (let i = 0; i < g.list.length; i += 2) {
        headAt(g.list[i], g.list[i + 1], time);
        ctx.moveTo(point.x + radius, point.y);
        ctx.arc(point.x, point.y, radius, 0, 6.2832);
      }
      ctx.fill();
    });
    ctx.lineCap = 'butt';
  }
  /* Packets that were discarded in the last cycles: a cross where they were. */
  function drawLosses(time) {
    const size = Math.max(30, 5 / scale);
    ctx.strokeStyle = colours.bad;
    ctx.lineWidth = Math.max(12, 1.8 / scale);
    for (const e of run.events) {
      if (e.kind !== 'discard' || e.cycle > time || time - e.cycle > 12)
        continue;
      const p = e.target.packet;
      if (run.first[p] === run.first[p + 1]) {
        Object.assign(point, terminalAt(run.src[p]));
      } else {
        headAt(p, run.first[p + 1] - 1, run.end[p]);
      }
      ctx.globalAlpha = 1 - (time - e.cycle) / 12;
      ctx.beginPath();
      cross(point.x, point.y, size);
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
  }
  function drawSelection(time, selected) {
    ctx.strokeStyle = colours.ink;
    if (selected.switch !== undefined) {
      ctx.lineWidth = Math.max(14, 2.2 / scale);
      roundBox(ctx, switchAt(selected.switch), 22);
      ctx.stroke();
    }
    if (selected.packet === undefined)
      return;
    const p = selected.packet, {first, head} = run;
    ctx.lineWidth = Math.max(9, 1.5 / scale);
    for (let m = first[p]; m < first[p + 1]; m++) {
      ctx.globalAlpha = head[m] <= time ? 0.85 : 0.5;
      ctx.setLineDash(head[m] <= time ? [] : [30, 26]);
      ctx.beginPath();
      trace(run.channel[m], 0, 1);
      if (m + 1 < first[p + 1]) {
        Object.assign(point, endOf(run.channel[m]));
        ctx.moveTo(point.x, point.y);
        along(run.channel[m + 1], 0);
        ctx.lineTo(point.x, point.y);
      }
      ctx.stroke();
    }
    ctx.setLineDash([]);
    ctx.globalAlpha = 1;
    for (const [t, colour] of [[run.src[p], 'good'], [run.dst[p], 'accent']]) {
      const at = terminalAt(t), h = terminalSize / 2 + 12;
      ctx.strokeStyle = colours[colour];
      ctx.lineWidth = Math.max(14, 2.2 / scale);
      ctx.strokeRect(at.x - h, at.y - h, 2 * h, 2 * h);
    }
    if (first[p] < first[p + 1] && run.start[p] <= time && time < run.end[p]) {
      headAt(p, run.moveAt(p, time), time);
      ctx.strokeStyle = colours.ink;
      ctx.beginPath();
      ctx.arc(point.x, point.y, Math.max(44, 7 / scale), 0, 7);
      ctx.stroke();
    }
  }
  function drawCursor(cursor) {
    ctx.strokeStyle = colours.accent;
    ctx.lineWidth = Math.max(12, 2 / scale);
    ctx.setLineDash([24, 16]);
    roundBox(ctx, switchAt(cursor), 44);
    ctx.stroke();
    ctx.setLineDash([]);
  }

  /* Returns the packets in the network.  loads: of links, in place of packets, and which link is marked; or null. */
  function draw(time, selected, cursor, loads, link) {
    if (stale)
      drawStill();
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.drawImage(still, 0, 0);
    transform(ctx);
    const active = collect(time);
    if (loads)
      drawLoads(loads, link);
    drawSwitches(time);
    drawFaults(time);
    drawBars();
    drawNames();
    if (!loads) {
      drawPackets(time);
      drawLosses(time);
    }
    drawSelection(time, selected);
    if (cursor !== null)
      drawCursor(cursor);
    return active;
  }

  /* The switch that is there, or null. */
  function switchOn(at) {
    const slack = Math.max(0, 6 / scale);
    for (let s = 0; s < net.switches; s++) {
      const p = switchAt(s);
      if (Math.abs(at.x - p.x) < boxWidth / 2 + slack && Math.abs(at.y - p.y) < boxHeight / 2 + slack)
        return s;
    }
    return null;
  }
  /* Returns the item at that place: a packet if one is near enough and packets are drawn, otherwise a switch, or
   * nothing. */
  function pick(px, py, time, packets) {
    const at = toWorld(px, py), reach = Math.max(34, 11 / scale);
    let best = reach, found = null;
    for (const g of packets ? groups : [])
      for (let i = 0; i < g.list.length; i += 2) {
        headAt(g.list[i], g.list[i + 1], time);
        const d = Math.hypot(point.x - at.x, point.y - at.y);
        if (d < best) {
          best = d;
          found = {packet: g.list[i]};
        }
      }
    const sw = found ? null : switchOn(at);
    return sw === null ? found : {switch: sw};
  }
  /* How far a point is from a line. */
  function distance(at, x, y, ex, ey) {
    const dx = ex - x, dy = ey - y, f = Math.max(0, Math.min(1, ((at.x - x) * dx + (at.y - y) * dy) / (dx * dx + dy * dy || 1)));
    return Math.hypot(at.x - x - f * dx, at.y - y - f * dy);
  }
  /* The output of a switch whose link is there, or null. */
  function pickLink(px, py) {
    const at = toWorld(px, py);
    let best = Math.max(30, 9 / scale), found = null;
    if (switchOn(at) !== null)
      return null;
    for (let c = 0; c < run.firstInjection; c++) {
      const g = geometry[c];
      if (!g)
        continue;
      const d = Math.min(distance(at, g.x, g.y, g.ex, g.ey), g.stub ? distance(at, g.fx, g.fy, g.gx, g.gy) : Infinity);
      if (d < best) {
        best = d;
        found = c;
      }
    }
    return found;
  }
  /* The next switch in that direction. */
  function neighbour(from, dx, dy) {
    const a = switchAt(from);
    let best = Infinity, found = from;
    for (let s = 0; s < net.switches; s++) {
      const b = switchAt(s), ahead = (b.x - a.x) * dx + (b.y - a.y) * dy, beside = Math.abs((b.x - a.x) * dy) + Math.abs((b.y - a.y) * dx);
      if (ahead > 10 && ahead + 3 * beside < best) {
        best = ahead + 3 * beside;
        found = s;
      }
    }
    return found;
  }

  readColours();
  return {draw, resize, fit, zoom, pan, pick, pickLink, neighbour, endOf, reveal, revealTarget, switchAt, isZoomed, ontheme: readColours,
    aspect: (bounds.y1 - bounds.y0) / (bounds.x1 - bounds.x0)};
};
