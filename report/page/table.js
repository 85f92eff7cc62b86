/* SPDX-License-Identifier: Apache-2.0 */
/* table.js - rows to be sorted, filtered, unfolded and taken away: uturn.makeTable(spec).
 *
 * spec: {caption, file (name of the CSV), rows (how many), columns: [{title, name, unit, numeric, text(row), sort(row),
 *        cell(row) (an element in place of the text), csv: [[heading, value(row)], ...] (else name and text)}],
 *        shown(row): whether filters elsewhere let it through, detail(row): what is unfolded below it, more: what that is}
 *
 * A table is {element, refresh(), setColumns(columns), reveal(row)}.
 */
'use strict';
(() => {
  const {h, number, plural} = uturn;
  const PAGE = 60;
  const csvCell = value => /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;

  uturn.makeTable = spec => {
    let columns = spec.columns, order = null, limit = PAGE, found = [];
    const open = new Set();
    const search = h('input', {type: 'search', placeholder: 'Filter rows', 'aria-label': `Filter the rows of ${spec.caption}`, autocomplete: 'off', spellcheck: 'false',
      oninput: () => { limit = PAGE; fill(); }});
    const count = h('p', {class: 'table-count', role: 'status'});
    const sorter = h('select', {'aria-label': 'Sort by', onchange: () => sortBy(sorter.value === '' ? null : {column: +sorter.value >> 1, down: Boolean(+sorter.value & 1)})});
    const csv = h('a', {class: 'button', download: spec.file, href: 'data:text/csv,', onclick: () => { csv.href = csvOf(); }}, 'CSV');
    csv.title = 'What is shown, as a file for a spreadsheet';
    const head = h('thead', {}), body = h('tbody', {});
    const table = h('table', {class: 'table'}, h('caption', {class: 'visually-hidden'}, spec.caption), head, body);
    const more = h('button', {type: 'button', class: 'more', onclick: () => { limit = Infinity; fill(); }});
    const scroll = h('div', {class: 'table-scroll', role: 'region', 'aria-label': spec.caption, tabindex: '0'}, table);
    const tools = h('div', {class: 'table-tools'}, search, h('label', {class: 'table-sort'}, 'Sort by', sorter), count, csv);
    const element = h('div', {class: 'table-box'}, tools, scroll, more);

    const textOf = (column, row) => String(column.text(row) ?? '');
    const rowText = row => columns.map(c => textOf(c, row)).join('\t').toLowerCase();
    const sortValue = (column, row) => column.sort ? column.sort(row) : column.numeric ? parseFloat(column.text(row)) : textOf(column, row);

    function compare(a, b) {
      if (typeof a === 'number' || typeof b === 'number') {
        const none = v => v === null || v === undefined || Number.isNaN(v);
        return none(a) || none(b) ? none(a) - none(b) : a - b;
      }
      return String(a).localeCompare(String(b), 'en', {numeric: true});
    }
    function findRows() {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      found = Array.from({length: spec.rows}, (_, i) => i).filter(row => !spec.shown || spec.shown(row));
      if (words.length)
        found = found.filter(row => words.every(word => rowText(row).includes(word)));
      if (order) {
        const column = columns[order.column], sign = order.down ? -1 : 1;
        found = found.map(row => [sortValue(column, row), row]).sort((a, b) => sign * compare(a[0], b[0]) || a[1] - b[1]).map(pair => pair[1]);
      }
    }
    function csvOf() {
      const parts = columns.flatMap(c => c.csv || [[c.name || c.title, row => textOf(c, row)]]);
      const lines = [parts.map(p => csvCell(p[0])), ...found.map(row => parts.map(p => csvCell(String(p[1](row) ?? ''))))];
      return 'data:text/csv;charset=utf-8,' + encodeURIComponent(lines.map(l => l.join(',')).join('\r\n') + '\r\n');
    }

    /* ---- head and body */

    function sortBy(next) {
      order = next;
      sorter.value = order ? String(2 * order.column + order.down) : '';
      fill();
    }
    /* Up, down, as it was. */
    const turn = i => sortBy(!order || order.column !== i ? {column: i, down: false} : order.down ? null : {column: i, down: true});
    function headOf(column, i) {
      const own = order && order.column === i, arrow = h('span', {class: 'arrow', 'aria-hidden': 'true'}, own ? order.down ? '▼' : '▲' : '');
      return h('th', {scope: 'col', class: column.numeric ? 'number' : null, 'aria-sort': own ? order.down ? 'descending' : 'ascending' : null},
        h('button', {type: 'button', title: column.name ? `Sort by ${column.name}` : null, onclick: () => turn(i)}, h('span', {}, column.title, column.unit && h('small', {}, column.unit)), arrow));
    }
    function fillHead() {
      head.replaceChildren(h('tr', {}, h('th', {class: 'fold'}, h('span', {class: 'visually-hidden'}, 'More')), columns.map(headOf)));
    }
    function fillSorter() {
      const options = columns.flatMap((c, i) => ['▲', '▼'].map((arrow, down) => h('option', {value: 2 * i + down}, `${c.title} ${arrow}`)));
      sorter.replaceChildren(h('option', {value: ''}, 'their order'), ...options);
    }
    function detailRow(row) {
      return h('tr', {class: 'detail'}, h('td', {colspan: String(columns.length + 1)}, h('div', {class: 'detail-box'}, spec.detail(row))));
    }
    function makeRow(row) {
      const fold = h('button', {type: 'button', class: 'fold-button', 'aria-expanded': String(open.has(row)), 'aria-label': `${spec.caption}, row ${row + 1}: ${spec.more}`,
        onclick: () => unfold(row, line, fold)}, h('span', {class: 'turn', 'aria-hidden': 'true'}, '▸'), h('span', {class: 'fold-text', 'aria-hidden': 'true'}, spec.more));
      const line = h('tr', {'data-row': String(row)}, h('td', {class: 'fold'}, fold),
        columns.map(c => h('td', {class: c.numeric ? 'number' : null, 'data-label': c.title}, c.cell ? c.cell(row) : textOf(c, row))));
      return open.has(row) ? [line, detailRow(row)] : [line];
    }
    function unfold(row, line, fold) {
      if (open.delete(row)) {
        line.nextElementSibling.remove();
      } else {
        open.add(row);
        line.after(detailRow(row));
      }
      fold.setAttribute('aria-expanded', String(open.has(row)));
    }

    function fill() {
      const focused = head.contains(document.activeElement) ? [...head.querySelectorAll('button')].indexOf(document.activeElement) : -1;
      findRows();
      fillHead();
      body.replaceChildren(...found.slice(0, limit).flatMap(makeRow));
      count.textContent = found.length === spec.rows ? plural(spec.rows, 'row') : `${number(found.length)} of ${plural(spec.rows, 'row')}`;
      more.hidden = found.length <= limit;
      more.textContent = `Show all ${number(found.length)} rows`;
      if (focused >= 0)
        head.querySelectorAll('button')[focused].focus();
    }

    function setColumns(next) {
      columns = next;
      order = null;
      fillSorter();
      fill();
    }
    /* Brings a row into sight, unfolded. */
    function reveal(row) {
      if (!found.includes(row)) {
        search.value = '';
        findRows();
      }
      open.add(row);
      if (found.indexOf(row) >= limit)
        limit = Infinity;
      fill();
      const line = body.querySelector(`tr[data-row="${row}"]`);
      if (!line)
        return;
      line.scrollIntoView({block: 'center'});
      line.classList.add('found');
      line.querySelector('button').focus({preventScroll: true});
    }
    fillSorter();
    fill();
    return {element, refresh: fill, setColumns, reveal};
  };
})();
