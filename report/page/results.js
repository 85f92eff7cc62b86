/* SPDX-License-Identifier: Apache-2.0 */
/* results.js - the results of a sweep: what is drawn over what, a table of all points, and how each was made.
 *
 * Data are columns (report/results_json.c): axes {name, title, values, labels, numbers, at}, results {name, title, mean,
 * half, n}; a place in at, mean and so on is a point.
 */
'use strict';
(() => {
  const {h, plural} = uturn;
  const quote = text => /^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
  const [EACH, JOINED, ALONG] = ['each', 'joined', 'along'];
  const endings = {0: 'ended well', 3: 'status 3: RTL and model differ', 4: 'status 4: deadlock'};

  uturn.quote = quote;
  /* Words of a command are not broken at hyphens. */
  uturn.makeCommand = text => h('code', {class: 'command'}, text.split(' ').map((word, i) => [i ? ' ' : '', h('span', {}, word)]));

  const valueAt = (data, quantity, p) => quantity.axis === undefined ? data.results[quantity.result].mean[p] : data.axes[quantity.axis].numbers[data.axes[quantity.axis].at[p]];
  const titleOf = (data, quantity) => quantity.axis === undefined ? data.results[quantity.result].title : data.axes[quantity.axis].title;
  const codeOf = quantity => quantity.axis === undefined ? `r${quantity.result}` : `a${quantity.axis}`;
  const quantityOf = code => ({[code[0] === 'r' ? 'result' : 'axis']: +code.slice(1)});
  const shortened = title => title.split(', ')[0];
  const unitOf = title => title.split(', ').slice(1).join(', ');

  /* ---- curves */

  function curvesOf(data, state) {
    const curves = new Map();
    data.point.forEach((_, p) => {
      const result = data.results[state.y.result], x = valueAt(data, state.x, p), y = result.mean[p];
      if (x === null || y === null || !isShown(data, state, p))
        return;
      const title = data.axes.map((axis, a) => state.of[a] === EACH ? axis.labels[axis.at[p]] : null).filter(t => t !== null).join(', ');
      if (!curves.has(title))
        curves.set(title, {title, points: []});
      const half = result.half ? result.half[p] || 0 : 0, runs = result.n ? result.n[p] : data.runs[p] - data.failed[p];
      curves.get(title).points.push({x, y, half, runs, row: p});
    });
    return [...curves.values()];
  }
  const isShown = (data, state, p) => data.axes.every((axis, a) => typeof state.of[a] !== 'number' || axis.at[p] === state.of[a]);

  /* ---- the table */

  const axisColumn = axis => ({
    title: shortened(axis.title), unit: unitOf(axis.title), name: axis.name, numeric: Boolean(axis.numbers),
    text: p => axis.values[axis.at[p]], sort: axis.numbers && (p => axis.numbers[axis.at[p]]),
  });
  const resultColumn = (result, half = p => result.half ? result.half[p] : 0) => ({
    title: shortened(result.title), unit: unitOf(result.title), name: result.name, numeric: true, sort: p => result.mean[p],
    text: p => uturn.figure(result.mean[p], half(p)) + uturn.halfText(half(p)),
    cell: p => h('span', {}, uturn.figure(result.mean[p], half(p)), h('span', {class: 'half'}, uturn.halfText(half(p)))),
    csv: [[result.name, p => result.mean[p]], ...(result.half ? [[result.name + ' half width', p => result.half[p]]] : [])],
  });
  function runsColumn(data) {
    const extra = p => [data.failed[p] ? `${data.failed[p]} failed` : null, data.deadlocks[p] ? plural(data.deadlocks[p], 'deadlock') : null].filter(Boolean).join(', ');
    return {title: 'runs', name: 'runs', numeric: true, sort: p => data.runs[p], text: p => data.runs[p] + (extra(p) ? ` (${extra(p)})` : ''),
      csv: [['runs', p => data.runs[p]], ['failed', p => data.failed[p]], ['deadlocks', p => data.deadlocks[p]]]};
  }
  const columnsOf = (data, all) => [...data.axes.map(axisColumn), ...data.results.slice(0, all || !data.usual ? undefined : data.usual).map(result => resultColumn(result)), runsColumn(data)];

  function detailOf(data, p) {
    const made = data.made, runs = made.of.map((point, i) => point === data.point[p] ? i : -1).filter(i => i >= 0), first = runs[0];
    const place = i => `sqlite3 ${quote(data.file)} 'SELECT scenario FROM runs WHERE id = ${made.id[i]}' | ./${made.commands[made.command[i]]}`;
    const versions = [...new Set(runs.map(i => made.versions[made.version[i]]))];
    const seedText = i => made.seed[i] + (made.status[i] ? ` (${endings[made.status[i]] || `status ${made.status[i]}: failed`})` : '');
    const scenario = made.scenarios && made.scenarios[p];
    return h('dl', {class: 'made'}, h('dt', {}, runs.length > 1 ? 'seeds of the runs' : 'seed'), h('dd', {}, runs.map(seedText).join(', ')),
      h('dt', {}, runs.length > 1 ? 'the first run again' : 'the run again'), h('dd', {}, uturn.makeCommand(place(first))),
      runs.length > 1 && [h('dt', {}, 'the others'), h('dd', {}, 'the same with id ', runs.slice(1).map(i => made.id[i]).join(', '))],
      h('dt', {}, 'version of the results'), h('dd', {}, h('code', {}, versions.join(', '))),
      scenario && [h('dt', {}, 'its scenario'), h('dd', {}, h('pre', {class: 'source-text', tabindex: '0'}, h('code', {}, scenario)))]);
  }

  /* ---- controls */

  function optionsOf(list, code) {
    return list.map(([value, text]) => h('option', {value, selected: value === code}, text));
  }
  function groupOf(label, list, code) {
    return list.length ? h('optgroup', {label}, optionsOf(list, code)) : null;
  }
  const field = (label, control) => h('label', {class: 'field'}, h('span', {}, label), control);

  /* What is drawn first (data.choice); of: for each axis what becomes of its values, or the only one that counts. */
  const firstState = data => data.choice && {
    x: data.choice.x, y: data.choice.y, logX: false, logY: false,
    of: data.axes.map((axis, a) => data.choice.series.includes(a) ? EACH : data.choice.x.axis === a ? ALONG : JOINED),
  };
  const specOf = (data, state, onpick) => {
    const x = titleOf(data, state.x), y = titleOf(data, state.y);
    return {title: `${shortened(y)} over ${shortened(x)}`, x, y, curves: curvesOf(data, state), logX: state.logX, logY: state.logY,
      cut: data.results[state.y.result].cut ? data.cut : null, onpick};
  };

  function makeControls(data, state, redraw) {
    const varying = data.axes.map((axis, a) => a).filter(a => data.axes[a].values.length > 1), selects = new Map();
    const all = data.results.map((r, i) => [`r${i}`, r.title]), usual = all.slice(0, data.usual || undefined);
    const results = code => [groupOf('Results', usual, code), groupOf('More results', all.slice(usual.length), code)].filter(Boolean);
    const axes = code => [groupOf('Axes', varying.filter(a => data.axes[a].numbers).map(a => [`a${a}`, data.axes[a].title]), code)].filter(Boolean);
    function fillAxis(a) {
      const along = state.of[a] === ALONG, values = data.axes[a].values.map((v, i) => [String(i), `only ${v}`]);
      selects.get(a).disabled = along;
      selects.get(a).replaceChildren(...optionsOf(along ? [[ALONG, 'along x']] : [[EACH, 'a curve for each'], [JOINED, 'all in one curve'], ...values], String(state.of[a])));
    }
    function changeX() {
      const before = state.x.axis;
      state.x = quantityOf(x.value);
      if (before !== undefined)
        state.of[before] = state.x.axis === undefined ? JOINED : EACH;
      if (state.x.axis !== undefined)
        state.of[state.x.axis] = ALONG;
      varying.forEach(fillAxis);
      redraw();
    }
    function changeAxis(a, value) {
      state.of[a] = value === EACH || value === JOINED ? value : +value;
      redraw();
    }
    const x = h('select', {onchange: changeX}, [...axes(codeOf(state.x)), ...results(codeOf(state.x))]);
    const y = h('select', {onchange: () => { state.y = quantityOf(y.value); redraw(); }}, results(codeOf(state.y)));
    for (const a of varying) {
      selects.set(a, h('select', {onchange: event => changeAxis(a, event.target.value)}));
      fillAxis(a);
    }
    return h('div', {class: 'fields', role: 'group', 'aria-label': 'What is drawn'}, field('x', x), field('y', y),
      varying.map(a => field(shortened(data.axes[a].title), selects.get(a))));
  }

  function makeDrawing(data, state, table) {
    const spec = () => specOf(data, state, p => table.reveal(p)), chart = uturn.makeChart(spec());
    const redraw = () => { chart.set(spec()); table.refresh(); };
    const fixed = data.axes.filter(axis => axis.values.length === 1).map(axis => `${axis.name} ${axis.values[0]}`);
    return h('div', {class: 'card'}, makeControls(data, state, redraw), chart.element,
      h('p', {class: 'chart-note'}, `Points are means over runs; bars are ${Math.round(1000 * data.confidence) / 10} % confidence intervals.`,
        fixed.length ? ` The same at all points: ${fixed.join('; ')}.` : ''));
  }

  /* Chart, controls and table. */
  uturn.makeResults = (data, name) => {
    const state = firstState(data);
    const table = uturn.makeTable({caption: `results of ${name}`, file: `${name}.csv`, rows: data.point.length, columns: columnsOf(data, false),
      shown: p => !state || isShown(data, state, p), detail: p => detailOf(data, p), more: 'how it was made'});
    if (data.usual < data.results.length) {
      const all = h('input', {type: 'checkbox', onchange: () => table.setColumns(columnsOf(data, all.checked))});
      table.element.querySelector('a[download]').before(h('label', {class: 'check'}, all, `all ${data.results.length} results`));
    }
    return h('div', {class: 'results'},
      state ? makeDrawing(data, state, table) : h('p', {class: 'notice'}, 'No axis of this sweep has numbers to draw a result over; the table has all values.'), table.element,
      data.left_out > 0 && h('p', {class: 'chart-note'}, `${plural(data.left_out, 'more result')} had no room on this page; the database has them: `,
        uturn.makeCommand(`./uturn sweep ${quote(data.file)} --read --json`)));
  };

  uturn.define('sweep', part => {
    const data = part.data;
    const found = {saturation: 'Each run is a search for the load at which the network saturates.', peak: 'Each run is a search for the highest throughput.'}[data.find];
    if (data.changed)
      part.element.append(h('p', {class: 'notice'}, 'The sweep file has changed since these results were made. The text below is the one that was run.'));
    if (data.point.length < data.wanted)
      part.element.append(h('p', {class: 'notice'}, `${data.point.length} of ${plural(data.wanted, 'point')} have results so far.`));
    if (found)
      part.element.append(h('p', {class: 'lead'}, found));
    part.element.append(uturn.makeResults(data, part.title));
    return {keys: uturn.chartKeys};
  });
})();
