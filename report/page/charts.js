/* SPDX-License-Identifier: Apache-2.0 */
/* charts.js - curves with error bars, to be pointed at: uturn.makeChart(spec).
 *
 * spec: {title, x, y (texts at the axes), logX, logY, cut: {above, at} or null (plot/curves.h),
 *        curves: [{title, points: [{x, y, half, runs, row}]}], onpick(row)}
 *
 * Points are joined in their order.  A chart is {element, set(spec)}.  Colours, marks and dashes are those of
 * plot/curves.c; style.css has the colours, --curve-0 and so on, for dark and light.
 */
'use strict';
(() => {
  const {h, number, plural} = uturn;
  const NS = document.querySelector('svg').namespaceURI; /* no address of the network stands in a page */
  const s = (name, attributes, ...children) => {
    const element = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes || {}))
      if (value !== null && value !== undefined)
        element.setAttribute(key, value);
    element.append(...children);
    return element;
  };

  /* ---- looks */

  const LOOKS = 8, MOST_BESIDE = 5;
  const DASHES = ['', '7 4', '12 5', '2 3', '8 3 2 3', '13 3 2 3', '8 3 2 3 2 3', '12 3 12 3 2 3'];
  const star = (corners, r) => Array.from({length: corners}, (_, i) => {
    const a = 2 * Math.PI * i / corners - Math.PI / 2;
    return `${(r * Math.cos(a)).toFixed(2)},${(r * Math.sin(a)).toFixed(2)}`;
  }).join('L');
  const circle = 'M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0', square = 'M-3.6,-3.6h7.2v7.2h-7.2z';
  const MARKS = [{d: circle}, {d: square}, {d: 'M0,-4.8L4.6,3.4H-4.6z'}, {d: 'M0,4.8L4.6,-3.4H-4.6z'}, {d: 'M0,-5L4.4,0L0,5L-4.4,0z'},
    {d: `M${star(5, 4.8)}z`}, {d: circle, open: true}, {d: square, open: true}];
  /* Where colours come again, they have other marks and dashes. */
  const lookOf = i => {
    const other = (i + Math.floor(i / LOOKS)) % LOOKS;
    return {colour: `var(--curve-${i % LOOKS})`, mark: MARKS[other], dash: DASHES[other]};
  };
  const markOf = (look, transform) => s('path', {d: look.mark.d, transform, fill: look.mark.open ? 'var(--panel)' : look.colour, stroke: look.colour,
    'stroke-width': look.mark.open ? 1.8 : 1});
  const sampleOf = look => s('svg', {viewBox: '0 0 34 14', width: 34, height: 14, 'aria-hidden': 'true'},
    s('path', {d: 'M1,7H33', stroke: look.colour, 'stroke-width': 2, 'stroke-dasharray': look.dash, fill: 'none'}), markOf(look, 'translate(17,7)'));

  /* ---- numbers */

  /* Two digits of the half width of an interval, and as many places of the value; without an interval five digits. */
  const places = half => Math.max(0, Math.min(12, 1 - Math.floor(Math.log10(half))));
  const figure = (value, half) => value === null || value === undefined || Number.isNaN(value) ? '–' : half > 0 ? value.toFixed(places(half)) : String(+value.toPrecision(5));
  const halfText = half => half > 0 ? ` ± ${half.toFixed(places(half))}` : '';
  const shortened = text => text.split(', ')[0];
  uturn.figure = figure;
  uturn.halfText = halfText;

  function linearTicks(low, high, count) {
    const rough = (high - low) / Math.max(count, 1), power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map(f => f * power).find(f => f >= rough * 0.999);
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), ticks = [];
    for (let i = Math.ceil(low / step - 1e-9) + 0; i * step <= high * (1 + 1e-12) + 1e-12; i++)
      ticks.push({at: i * step, text: (i * step).toLocaleString('en', {minimumFractionDigits: Math.min(digits, 12), maximumFractionDigits: Math.min(digits, 12)})});
    return ticks;
  }
  function logTicks(low, high) {
    const factors = Math.log10(high / low) > 3 ? [1] : [1, 2, 5], ticks = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
      for (const f of factors) {
        const at = f * 10 ** power;
        if (at >= low * 0.999 && at <= high * 1.001)
          ticks.push({at, text: at >= 1e6 || at < 1e-4 ? at.toExponential(0) : String(+at.toPrecision(3))});
      }
    return ticks;
  }

  /* From where to where an axis goes: from 0 where that leaves no more than half of it empty (plot/curves.c). */
  function spanOf(values, log, cut) {
    let low = Math.min(...values.map(v => v.low)), high = Math.max(...values.map(v => v.high));
    const least = Math.min(...values.map(v => v.at)), most = Math.max(...values.map(v => v.at));
    if (least >= 0)
      low = Math.max(low, 0);
    if (log) {
      low = low > 0 ? low : least;
      return {low: low / 1.1, high: high * 1.1, log};
    }
    const isCut = cut && low > 0 && Math.max(high, most) > cut.above * low;
    if (isCut)
      high = cut.at * low;
    if (low >= 0 && low <= 0.5 * high)
      low = 0;
    else if (high <= 0 && high >= 0.5 * low)
      high = 0;
    const room = high > low ? 0.05 * (high - low) : high ? 0.1 * Math.abs(high) : 1;
    return {low: low === 0 ? 0 : low - room, high: high === 0 && low < 0 ? 0 : high + room, log, isCut};
  }
  const scale = (span, from, to) => {
    const f = span.log ? Math.log : v => v, a = f(span.low), b = f(span.high);
    return v => from + (f(v) - a) / (b - a || 1) * (to - from);
  };

  /* ---- the chart */

  let charts = 0;
  uturn.makeChart = first => {
    const id = `chart-${++charts}`;
    let spec, hidden, at = null, all = false, bars = true, places = [], width = 0;
    const title = h('h4', {class: 'chart-title', id: id + '-title'}), yTitle = h('p', {class: 'chart-y'});
    const svg = s('svg', {class: 'chart-picture', tabindex: '0', role: 'application', 'aria-roledescription': 'chart', 'aria-describedby': id + '-how'});
    const tip = h('div', {class: 'chart-tip', 'aria-hidden': 'true', hidden: true});
    const live = h('p', {class: 'visually-hidden', role: 'status', 'aria-live': 'polite', id: id + '-live'});
    const legend = h('ul', {class: 'chart-legend', 'aria-label': 'Curves: press to hide or show'});
    const check = (text, change) => {
      const box = h('input', {type: 'checkbox', onchange: () => { change(box.checked); draw(); }});
      return {box, label: h('label', {class: 'check'}, box, text)};
    };
    const logX = check('log x', on => { spec.logX = on; }), logY = check('log y', on => { spec.logY = on; });
    const barBox = check('error bars', on => { bars = on; }), allBox = check('full height', on => { all = on; });
    const tools = h('div', {class: 'chart-tools', role: 'group', 'aria-label': 'Axes of the chart'}, logX.label, logY.label, barBox.label, allBox.label);
    const stage = h('div', {class: 'chart-stage'}, svg, tip);
    const element = h('figure', {class: 'chart', 'aria-labelledby': id + '-title'}, h('div', {class: 'chart-head'}, title, tools), yTitle, stage, legend, live,
      h('p', {class: 'visually-hidden', id: id + '-how'}, 'Left and right arrow: points of a curve. Up and down: other curves. Enter: the row of the table. Escape: no point.'));

    const usable = p => p.x !== null && p.y !== null && !(spec.logX && p.x <= 0) && !(spec.logY && p.y <= 0);
    const visible = () => spec.curves.map((c, i) => ({...c, number: i, points: c.points.filter(usable)})).filter(c => !hidden.has(c.title) && c.points.length);

    /* ---- drawing */

    function drawAxes(group, box, x, y, toX, toY) {
      const low = box.bottom, ticksX = x.log ? logTicks(x.low, x.high) : linearTicks(x.low, x.high, (box.right - box.left) / 70);
      const ticksY = y.log ? logTicks(y.low, y.high) : linearTicks(y.low, y.high, (box.bottom - box.top) / 48);
      for (const t of ticksY)
        group.append(s('path', {class: 'grid', d: `M${box.left},${toY(t.at)}H${box.right}`}),
          s('text', {class: 'tick', x: box.left - 8, y: toY(t.at) + 4, 'text-anchor': 'end'}, t.text));
      let last = -Infinity;
      for (const t of ticksX) {
        const place = toX(t.at), half = 4 * t.text.length;
        group.append(s('path', {class: 'grid', d: `M${place},${box.top}V${low}`}));
        if (place - half < last + 8)
          continue;
        last = place + half;
        group.append(s('text', {class: 'tick', x: place, y: low + 19, 'text-anchor': 'middle'}, t.text));
      }
      group.append(s('path', {class: 'axis', d: `M${box.left},${box.top}V${low}H${box.right}`}),
        s('text', {class: 'axis-title', x: (box.left + box.right) / 2, y: low + 42, 'text-anchor': 'middle'}, spec.x));
    }

    function drawCurve(group, curve, box, toX, toY) {
      const look = lookOf(curve.number), on = group.appendChild(s('g', {'data-curve': curve.title}));
      const of = p => ({x: toX(p.x), y: toY(p.y)});
      on.append(s('path', {d: 'M' + curve.points.map(p => `${of(p).x.toFixed(1)},${of(p).y.toFixed(1)}`).join('L'), fill: 'none', stroke: look.colour, 'stroke-width': 2,
        'stroke-dasharray': look.dash, 'stroke-linejoin': 'round'}));
      for (const p of curve.points)
        if (bars && p.half > 0 && !(spec.logY && p.y - p.half <= 0)) {
          const {x} = of(p), a = toY(p.y - p.half), b = toY(p.y + p.half);
          on.append(s('path', {class: 'bar', d: `M${x},${a.toFixed(1)}V${b.toFixed(1)}M${x - 3.5},${a.toFixed(1)}h7M${x - 3.5},${b.toFixed(1)}h7`, stroke: look.colour}));
        }
      for (const p of curve.points) {
        const {x, y} = of(p);
        on.append(markOf(look, `translate(${x.toFixed(1)},${y.toFixed(1)})`));
        places.push({curve, point: p, x, y, inside: y >= box.top - 1});
      }
    }

    function draw() {
      const curves = visible();
      width = stage.clientWidth || width || 640;
      const height = Math.round(Math.min(430, Math.max(270, width * 0.52)));
      svg.replaceChildren();
      svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
      svg.style.height = height + 'px';
      places = [];
      allBox.label.hidden = true;
      if (!curves.length) {
        svg.append(s('text', {class: 'tick', x: width / 2, y: height / 2, 'text-anchor': 'middle'},
          spec.curves.length && hidden.size ? 'All curves are hidden.' : 'No point has both values.'));
        point(null);
        return;
      }
      const points = curves.flatMap(c => c.points);
      const x = spanOf(points.map(p => ({at: p.x, low: p.x, high: p.x})), spec.logX);
      const extent = points.map(p => ({at: p.y, low: p.y - (bars ? p.half || 0 : 0), high: p.y + (bars ? p.half || 0 : 0)}));
      let y = spanOf(extent, spec.logY, spec.cut);
      allBox.label.hidden = !y.isCut;
      if (y.isCut && all)
        y = spanOf(extent, false, null);
      const labels = (y.log ? logTicks(y.low, y.high) : linearTicks(y.low, y.high, 6)).map(t => t.text.length);
      const box = {left: 18 + 7.4 * Math.max(2, ...labels), right: width - 14, top: 10, bottom: height - 52};
      const toX = scale(x, box.left, box.right), toY = scale(y, box.bottom, box.top);
      const clip = id + '-clip', drawn = s('g', {'clip-path': `url(#${clip})`});
      svg.append(s('clipPath', {id: clip}, s('rect', {x: box.left - 7, y: box.top - 7, width: box.right - box.left + 14, height: box.bottom - box.top + 14})));
      drawAxes(svg, box, x, y, toX, toY);
      for (const curve of curves)
        drawCurve(drawn, curve, box, toX, toY);
      svg.append(drawn, s('g', {class: 'cross'}));
      svg.box = box;
      const again = at && places.find(p => p.point === at.point);
      point(again || null);
    }

    /* ---- pointing */

    const wordsOf = p => `${p.curve.title ? p.curve.title + ': ' : ''}${spec.x} ${figure(p.point.x)}; ${spec.y} ${figure(p.point.y, p.point.half)}${halfText(p.point.half)}; ${plural(p.point.runs, 'run')}`;

    /* Points of other curves at the same x, or so near that the eye takes it for the same. */
    function beside(place) {
      const near = new Map();
      for (const p of places)
        if (p.curve !== place.curve && Math.abs(p.x - place.x) <= 4 && !(near.has(p.curve) && Math.abs(near.get(p.curve).x - place.x) <= Math.abs(p.x - place.x)))
          near.set(p.curve, p);
      return [...near.values()].sort((a, b) => Math.abs(a.y - place.y) - Math.abs(b.y - place.y)).slice(0, MOST_BESIDE).sort((a, b) => a.y - b.y);
    }
    function fillTip(place) {
      const line = p => h('li', {class: p === place ? 'here' : null}, sampleOf(lookOf(p.curve.number)), h('span', {class: 'name'}, p.curve.title || shortened(spec.y)),
        h('b', {}, figure(p.point.y, p.point.half) + halfText(p.point.half)), h('span', {class: 'runs'}, (p.point.x === place.point.x ? '' : `at ${figure(p.point.x)}, `) + plural(p.point.runs, 'run')));
      tip.replaceChildren(h('p', {}, `${shortened(spec.x)} `, h('b', {}, figure(place.point.x))), h('ul', {}, [place, ...beside(place)].map(line)));
    }
    function placeTip(place) {
      tip.hidden = false;
      const w = tip.offsetWidth, t = tip.offsetHeight, top = Math.max(0, place.inside ? place.y : svg.box.top);
      tip.style.left = `${Math.max(0, Math.min(width - w, place.x + 16 + w <= width ? place.x + 16 : place.x - 16 - w))}px`;
      tip.style.top = `${top - t - 12 >= -8 ? top - t - 12 : top + 18}px`;
    }

    function point(place, byKey) {
      const cross = svg.querySelector('.cross');
      at = place;
      if (cross)
        cross.replaceChildren();
      tip.hidden = true;
      if (!place) {
        live.textContent = '';
        return;
      }
      const box = svg.box, y = Math.max(place.y, box.top);
      cross.append(s('path', {d: `M${place.x},${box.top}V${box.bottom}M${box.left},${y}H${box.right}`}), s('circle', {cx: place.x, cy: y, r: 8}));
      fillTip(place);
      placeTip(place);
      if (byKey)
        live.textContent = wordsOf(place);
    }

    function nearest(event) {
      const frame = svg.getBoundingClientRect(), x = (event.clientX - frame.left) * width / frame.width, y = (event.clientY - frame.top) * width / frame.width;
      let best = null, least = Infinity;
      for (const p of places) {
        const away = (p.x - x) ** 2 + (p.inside ? p.y - y : svg.box.top - y) ** 2;
        if (away < least)
          [best, least] = [p, away];
      }
      return least < 120 ** 2 ? best : null;
    }

    const pick = () => at && spec.onpick && at.point.row !== undefined && spec.onpick(at.point.row);
    function move(key) {
      if (!places.length)
        return false;
      if (!at)
        return ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'].includes(key) && (point(places[0], true), true);
      const own = places.filter(p => p.curve === at.curve), i = own.indexOf(at), curves = [...new Set(places.map(p => p.curve))];
      const by = {ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: own.length - 1}[key];
      if (by !== undefined) {
        point(own[Math.max(0, Math.min(own.length - 1, by))], true);
        return true;
      }
      const other = {ArrowUp: -1, ArrowDown: 1}[key];
      if (other) {
        const curve = curves[(curves.indexOf(at.curve) + other + curves.length) % curves.length];
        point(places.filter(p => p.curve === curve).reduce((a, b) => Math.abs(b.x - at.x) < Math.abs(a.x - at.x) ? b : a), true);
        return true;
      }
      if (key === 'Escape')
        return point(null), true;
      return key === 'Enter' && (pick(), true);
    }

    svg.addEventListener('pointermove', event => point(nearest(event)));
    svg.addEventListener('pointerdown', event => point(nearest(event)));
    svg.addEventListener('pointerleave', event => event.pointerType === 'mouse' && point(null));
    svg.addEventListener('click', pick);
    svg.addEventListener('blur', () => point(null));
    svg.addEventListener('keydown', event => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey && move(event.key)) {
        event.preventDefault();
        event.stopPropagation();
      }
    });

    /* ---- the legend */

    function makeLegend() {
      const toggle = (curve, item) => {
        if (!hidden.delete(curve.title))
          hidden.add(curve.title);
        item.setAttribute('aria-pressed', String(!hidden.has(curve.title)));
        draw();
      };
      legend.replaceChildren(...spec.curves.map((curve, i) => {
        const item = h('button', {type: 'button', 'aria-pressed': String(!hidden.has(curve.title)), onclick: () => toggle(curve, item)},
          sampleOf(lookOf(i)), h('span', {}, curve.title));
        return h('li', {}, item);
      }));
      legend.hidden = spec.curves.length < 2;
    }

    function set(next) {
      hidden = new Set([...(hidden || [])].filter(t => next.curves.some(c => c.title === t)));
      spec = next;
      at = null;
      title.textContent = spec.title;
      yTitle.textContent = spec.y;
      svg.setAttribute('aria-label', `${spec.title}: ${spec.y} over ${spec.x}, ${plural(spec.curves.length, 'curve')}`);
      const points = spec.curves.flatMap(c => c.points);
      logX.box.checked = spec.logX;
      logY.box.checked = spec.logY;
      logX.box.disabled = !points.some(p => p.x > 0);
      logY.box.disabled = !points.some(p => p.y > 0);
      barBox.box.checked = bars;
      barBox.label.hidden = !points.some(p => p.half > 0);
      makeLegend();
      draw();
    }
    set(first);
    new ResizeObserver(() => stage.clientWidth && stage.clientWidth !== width && draw()).observe(stage);
    return {element, set};
  };

  uturn.chartKeys = [['← →', 'in a chart: along a curve'], ['↑ ↓', 'in a chart: to another curve'],
    ['Enter', 'in a chart: the row of the point in the table'], ['Esc', 'in a chart: no point']];
})();
