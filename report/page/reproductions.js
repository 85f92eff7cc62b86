/* SPDX-License-Identifier: Apache-2.0 */
/* reproductions.js - values printed in papers next to the measured ones. */
'use strict';
uturn.define('reproductions', part => {
  const {h, number, plural} = uturn, data = part.data;
  const MARKS = ['=', '≈', '?', '≠', '–'], CLASSES = ['equal', 'within', 'uncertain', 'differs', 'unmeasured'];
  const paperOf = name => name.split('/')[0];
  const there = data.experiments.filter(x => x.values), missing = data.experiments.filter(x => !x.values);
  const values = there.flatMap(x => x.values.map(v => ({...v, experiment: x})));
  const papers = [...new Set(there.map(x => paperOf(x.name)))];
  const state = {paper: '', verdicts: new Set()};
  const folder = data.folder === 'reproduced' ? '' : ` --results ${uturn.quote(data.folder)}`;
  const commandOf = x => `./uturn reproduce ${x.name}${x.scale ? ' ' + x.scale : ''}${folder}`;
  const idOf = x => `${part.id}/${x.name}`;
  const sheets = new Map();

  const factsOf = facts => h('dl', {class: 'made'}, facts.filter(Boolean).map(([name, text]) => [h('dt', {}, name), h('dd', {}, text)]));

  /* ---- all values */

  const badge = verdict => h('span', {class: `verdict ${CLASSES[verdict]}`}, h('span', {'aria-hidden': 'true'}, MARKS[verdict]), data.verdicts[verdict]);
  function link(x) {
    const follow = event => {
      event.preventDefault();
      history.replaceState(null, '', '#' + idOf(x));
      go(x);
    };
    return h('a', {href: '#' + idOf(x), onclick: follow}, x.name);
  }
  const isShown = v => (!state.paper || paperOf(v.experiment.name) === state.paper) && (!state.verdicts.size || state.verdicts.has(v.verdict));
  const measured = v => uturn.figure(v.measured, v.half_width) + uturn.halfText(v.half_width);
  const columns = [
    {title: 'experiment', text: i => values[i].experiment.name, cell: i => link(values[i].experiment)},
    {title: 'value', text: i => values[i].name, cell: i => h('span', {class: 'value-name'}, values[i].name)},
    {title: 'printed', numeric: true, text: i => `${values[i].printed} ${values[i].unit}`,
      cell: i => h('span', {}, values[i].printed, h('span', {class: 'half'}, ' ' + values[i].unit)), csv: [['printed', i => values[i].printed], ['unit', i => values[i].unit]]},
    {title: 'measured', numeric: true, text: i => measured(values[i]), sort: i => values[i].measured, csv: [['measured', i => values[i].measured], ['half_width', i => values[i].half_width]]},
    {title: 'difference', numeric: true, text: i => uturn.figure(values[i].difference),
      sort: i => values[i].difference === undefined ? null : Math.abs(values[i].difference), csv: [['difference', i => values[i].difference]]},
    {title: 'verdict', text: i => data.verdicts[values[i].verdict], sort: i => values[i].verdict, cell: i => badge(values[i].verdict),
      csv: [['verdict', i => data.verdicts[values[i].verdict]], ['tolerance', i => values[i].tolerance], ['reason', i => values[i].reason], ['source', i => `${values[i].experiment.source}; ${values[i].source}`]]},
  ];
  function detail(i) {
    const v = values[i], x = v.experiment;
    const why = {differs: ['why it differs', v.reason || 'Nobody has said why.'], unmeasured: ['why', 'The results that the query asks for are not there.']}[CLASSES[v.verdict]];
    return factsOf([why, ['printed in', `${x.source}; ${v.source}`], ['tolerance', v.tolerance === '0' ? 'none beyond rounding' : v.tolerance],
      ['query on the runs', h('code', {}, v.query)], ['measure it again', uturn.makeCommand(commandOf(x))]]);
  }
  const table = uturn.makeTable({caption: 'all values', file: 'reproductions.csv', rows: values.length, columns, shown: i => isShown(values[i]), detail, more: 'why, and how it was measured'});

  /* ---- counts and filters */

  const counts = h('div', {class: 'tiles', role: 'group', 'aria-label': 'Verdicts: press to see only these'});
  function fillCounts() {
    const focused = [...counts.children].indexOf(document.activeElement), inPaper = values.filter(v => !state.paper || paperOf(v.experiment.name) === state.paper);
    counts.replaceChildren(...data.verdicts.map((text, verdict) => {
      const press = () => {
        if (!state.verdicts.delete(verdict))
          state.verdicts.add(verdict);
        refresh();
      };
      return h('button', {type: 'button', class: `tile ${CLASSES[verdict]}`, 'aria-pressed': String(state.verdicts.has(verdict)), 'data-verdict': text, onclick: press},
        h('b', {}, number(inPaper.filter(v => v.verdict === verdict).length)), h('span', {}, h('span', {'aria-hidden': 'true'}, MARKS[verdict] + ' '), text));
    }));
    if (focused >= 0)
      counts.children[focused].focus();
  }
  function refresh() {
    fillCounts();
    table.refresh();
  }
  const paper = h('select', {onchange: () => { state.paper = paper.value; refresh(); }}, h('option', {value: ''}, `all ${papers.length} papers`), papers.map(p => h('option', {value: p}, p)));
  table.element.querySelector('.table-tools').prepend(h('label', {class: 'inline'}, 'Paper', paper));

  /* ---- experiments */

  function makePicture(picture) {
    const curves = picture.curves.map(c => ({title: c.title, points: c.x.map((x, i) => ({x, y: c.y[i], half: c.half[i], runs: c.runs[i]}))}));
    return h('div', {class: 'card'}, uturn.makeChart({title: picture.title, x: picture.x, y: picture.y, logX: picture.log_x, logY: picture.log_y, cut: picture.cut, curves}).element);
  }
  function makeSweep(x, sweep) {
    const points = sweep.point.length < sweep.wanted ? `${sweep.point.length} of ${plural(sweep.wanted, 'point')}` : plural(sweep.wanted, 'point');
    const fill = () => {
      if (box.open && box.children.length === 1)
        box.append(uturn.makeResults(sweep, sweep.name),
          h('details', {class: 'sub'}, h('summary', {}, 'The sweep as it was run'), h('pre', {class: 'source-text', tabindex: '0'}, h('code', {}, sweep.text))));
    };
    const box = h('details', {class: 'sub', ontoggle: fill}, h('summary', {}, `All points of its sweep “${sweep.name}”: ${points}, ${plural(sweep.made.id.length, 'run')}`));
    return box;
  }
  function fillSheet(x) {
    const scale = {'--full': 'all seeds, points and samples', '--quick': 'fewer seeds, points and samples'}[x.scale] || 'not as the experiment stands now';
    const versions = [...new Set(x.sweeps.flatMap(s => s.made.versions))];
    return [factsOf([['printed in', x.source], ['measured with', scale], ['measure it again', uturn.makeCommand(commandOf(x))],
      [versions.length > 1 ? 'versions of the results' : 'version of the results', h('code', {}, versions.join(', '))]]),
      x.sweeps.length < x.sweeps_wanted && h('p', {class: 'notice'}, `${x.sweeps.length} of its ${x.sweeps_wanted} sweeps have results so far.`),
      x.notes && h('div', {class: 'notes'}, x.notes.trim().split(/\n\s*\n/).map(text => h('p', {}, text))),
      h('div', {class: 'charts'}, x.pictures.map(makePicture)), x.sweeps.map(sweep => makeSweep(x, sweep))];
  }
  function makeSheet(x) {
    const countOf = verdict => x.values.filter(v => v.verdict === verdict).length;
    const tally = data.verdicts.map((text, verdict) => countOf(verdict) > 0 && h('span', {class: `verdict ${CLASSES[verdict]}`, title: text},
      h('span', {'aria-hidden': 'true'}, MARKS[verdict]), String(countOf(verdict)), h('span', {class: 'visually-hidden'}, ' ' + text)));
    const fill = () => {
      if (sheet.open && sheet.children.length === 1)
        sheet.append(h('div', {class: 'sheet-body'}, fillSheet(x)));
    };
    const sheet = h('details', {class: 'sheet card', id: idOf(x), ontoggle: fill},
      h('summary', {}, h('span', {class: 'sheet-name'}, x.name), h('span', {class: 'sheet-title'}, x.title), h('span', {class: 'tally'}, tally)));
    sheets.set(x.name, sheet);
    return sheet;
  }
  function go(x) {
    const sheet = sheets.get(x.name);
    sheet.open = true;
    sheet.scrollIntoView({block: 'start'});
    sheet.querySelector('summary').focus({preventScroll: true});
  }

  part.element.append(counts, table.element, h('h3', {class: 'sheets-title'}, plural(there.length, 'experiment')), ...there.map(makeSheet));
  if (missing.length)
    part.element.append(h('details', {class: 'sub'}, h('summary', {}, `${plural(missing.length, 'experiment')} without results in this folder`),
      h('dl', {class: 'made'}, missing.map(x => [h('dt', {}, x.title), h('dd', {}, uturn.makeCommand(`./uturn reproduce ${x.name}${folder}`))]))));
  fillCounts();
  return {keys: uturn.chartKeys, onlink: rest => { const x = there.find(one => one.name === rest); if (x) go(x); }};
});
