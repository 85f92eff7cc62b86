/* SPDX-License-Identifier: Apache-2.0 */
/* coverage.js - cover points: which were hit, and which scenario hit them first. */
'use strict';
uturn.define('coverage', part => {
  const {h, plural} = uturn, data = part.data, points = data.points, scenarios = data.scenarios;
  const verdict = p => !p.applies ? 'does not apply' : p.hits ? 'hit' : 'not hit';
  const state = {verdicts: new Set(['hit', 'not hit'])};

  const pointColumns = [
    {title: 'group', text: i => points[i].group},
    {title: 'point', text: i => points[i].name, cell: i => h('code', {}, points[i].name)},
    {title: 'meaning', text: i => points[i].meaning},
    {title: 'source', text: i => points[i].source},
    {title: 'verdict', text: i => verdict(points[i])},
    {title: 'hits', numeric: true, text: i => points[i].hits},
    {title: 'first hit by', text: i => points[i].first || ''},
  ];
  const table = uturn.makeTable({caption: 'all points', file: 'coverage.csv', rows: points.length, columns: pointColumns,
    shown: i => state.verdicts.has(verdict(points[i])), detail: i => h('p', {}, `It applies where: ${points[i].where || 'always'}.`), more: 'where it applies'});

  const boxes = ['not hit', 'hit', 'does not apply'].map(name => {
    const box = h('input', {type: 'checkbox', onchange: () => {
      if (!state.verdicts.delete(name))
        state.verdicts.add(name);
      table.refresh();
    }});
    box.checked = state.verdicts.has(name);
    return h('label', {}, box, ` ${name}: ${points.filter(p => verdict(p) === name).length} `);
  });

  const runs = uturn.makeTable({caption: 'scenarios', file: 'scenarios.csv', rows: scenarios.length, columns: [
    {title: 'scenario', text: i => scenarios[i].scenario},
    {title: 'points hit', numeric: true, text: i => scenarios[i].hit},
    {title: 'new ones', numeric: true, text: i => scenarios[i].new.length},
  ], detail: i => h('p', {}, scenarios[i].new.join(', ') || 'Nothing new.'), more: 'which points are new'});

  part.element.append(h('p', {}, `${data.points_hit} of ${plural(data.points_that_apply, 'point')} hit`), h('p', {role: 'group', 'aria-label': 'Points that are shown'}, boxes),
    table.element, h('h3', {}, 'What each scenario adds to those before it'), runs.element);
});
