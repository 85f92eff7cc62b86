/* SPDX-License-Identifier: Apache-2.0 */
/* heat.js - how busy the links of a run were: a row for each link, a column for each stretch of time. */
'use strict';
uturn.define('heat', part => {
  const {h, number} = uturn, data = part.data, net = data.network, load = part.blob, {channels, columns, every} = data.heat, {from, until} = data.window;
  const ports = net.ports, sender = c => Math.floor(c / ports), target = c => net.peers[3 * c + 1];
  const direction = c => net.directions[net.directions_of[sender(c)]][c % ports];
  const groupName = c => net.levelled ? `level ${net.levels[sender(c)]}, ${direction(c)}` : direction(c);

  /* Links that leave a level, or go in a direction, are adjacent. */
  const groups = [{name: `all ${number(channels.length)} links`, first: 0, end: channels.length}];
  channels.forEach((c, i) => {
    const name = groupName(c), last = groups[groups.length - 1];
    if (groups.length > 1 && last.name === name)
      last.end = i + 1;
    else
      groups.push({name, first: i, end: i + 1});
  });

  const outOfOrder = channels.map(c => data.faults.filter(f =>
    f.switch !== undefined ? f.switch === sender(c) || f.switch === target(c) : f.channels.includes(c)).map(f => [f.from, f.until === null ? Infinity : f.until]));
  const isDown = (row, column) => outOfOrder[row].some(([a, b]) => a < from + (column + 1) * every && b > from + column * every);

  const state = {group: groups[0], row: 0, column: 0};
  const picture = h('canvas', {class: 'picture heat', tabindex: '0', role: 'application', id: part.id + '-picture',
    'aria-label': 'Map of links: arrow keys go from link to link and from time to time'});
  const says = h('p', {class: 'heat-says', role: 'status'});
  const choice = h('select', {'aria-label': 'Which links', onchange: () => choose(+choice.value)}, groups.map((g, i) => h('option', {value: String(i)}, g.name)));
  const topText = h('span'), scale = h('canvas', {class: 'heat-scale', 'aria-hidden': 'true'});
  const legend = h('ul', {class: 'legend', 'aria-label': 'What the colours mean'}, h('li', {}, '0', scale, topText),
    h('li', {}, h('span', {class: 'heat-down', 'aria-hidden': 'true'}), 'out of order'));
  const parts = uturn.runParts(data, () => null);
  part.element.append(...parts.notices, h('p', {class: 'intro'}, `This network, ${net.name} with ${number(net.switches)} switches, is ${net.drawn ? 'too large to be' : 'not drawn, so it is not'} played packet by packet. ` +
    `Each row of the map is a link between two switches, in one direction; each column is ${uturn.plural(every, 'cycle')}. The stronger the colour, the busier was the link.`),
    h('div', {class: 'stage card'}, h('div', {class: 'stage-top'}, h('label', {}, 'Links ', choice)), picture, h('div', {class: 'transport'}, says), legend), parts.facts);

  /* The darkest colour is the busiest link's load, rounded up, so that low loads can be distinguished, too. */
  const top = uturn.topLoad(load.reduce((a, b) => Math.max(a, b), 0) / 255), colours = uturn.makeLoadScale();
  topText.textContent = top === 1 ? '1 flit a cycle' : `${top} flits a cycle`;
  let bad = null; /* of a link that is out of order */
  function readColours() {
    const probe = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    probe.fillStyle = uturn.colour('bad');
    probe.fillRect(0, 0, 1, 1);
    bad = probe.getImageData(0, 0, 1, 1).data.slice(0, 3);
    colours.read();
  }

  /* As many rows as the picture has, each the mean of its links. */
  let image = null;
  function makeImage(height) {
    const {first, end} = state.group, rows = Math.min(end - first, height), c = document.createElement('canvas'), x = c.getContext('2d');
    c.width = columns;
    c.height = rows;
    const pixels = x.createImageData(columns, rows);
    for (let y = 0; y < rows; y++) {
      const a = first + Math.floor((end - first) * y / rows), b = Math.max(a + 1, first + Math.floor((end - first) * (y + 1) / rows));
      for (let column = 0; column < columns; column++) {
        let sum = 0, down = false;
        for (let row = a; row < b; row++) {
          sum += load[row * columns + column];
          down = down || outOfOrder[row].length && isDown(row, column);
        }
        const i = 4 * (y * columns + column);
        pixels.data.set(down ? bad : colours.at(sum / (b - a) / 255 / top), i);
        pixels.data[i + 3] = 255;
      }
    }
    x.putImageData(pixels, 0, 0);
    return c;
  }

  function draw() {
    const w = picture.clientWidth, hgt = picture.clientHeight, ratio = Math.min(2, devicePixelRatio || 1), x = picture.getContext('2d');
    if (!w)
      return;
    picture.width = Math.round(w * ratio);
    picture.height = Math.round(hgt * ratio);
    image = image || makeImage(Math.round(hgt));
    x.imageSmoothingEnabled = false;
    x.drawImage(image, 0, 0, picture.width, picture.height);
    const rows = state.group.end - state.group.first, cw = picture.width / columns, ch = picture.height / rows;
    x.strokeStyle = uturn.colour('ink');
    x.lineWidth = 2 * ratio;
    const cx = state.column * cw, cy = (state.row - state.group.first) * ch;
    x.strokeRect(cx - 2, cy - 2, Math.max(cw, 3) + 4, Math.max(ch, 3) + 4);
    uturn.drawLoadScale(scale, colours);
    tell();
  }
  function tell() {
    const c = channels[state.row], a = from + state.column * every, b = Math.min(until, a + every) - 1, down = isDown(state.row, state.column);
    says.textContent = `Link from switch ${net.names[sender(c)]} to switch ${net.names[target(c)]} (${groupName(c)}), cycles ${number(a)} to ${number(b)}: ` +
      `${(load[state.row * columns + state.column] / 255).toFixed(2)} flits a cycle${down ? '; out of order' : ''}.`;
  }
  function choose(i) {
    state.group = groups[i];
    state.row = Math.max(state.group.first, Math.min(state.group.end - 1, state.row));
    image = null;
    draw();
  }
  function point(event) {
    const rect = picture.getBoundingClientRect(), {first, end} = state.group;
    state.column = Math.max(0, Math.min(columns - 1, Math.floor((event.clientX - rect.left) / rect.width * columns)));
    state.row = Math.max(first, Math.min(end - 1, first + Math.floor((event.clientY - rect.top) / rect.height * (end - first))));
    draw();
  }
  picture.addEventListener('pointermove', point);
  picture.addEventListener('pointerdown', point);
  picture.addEventListener('keydown', event => {
    const way = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.altKey)
      return;
    const by = event.shiftKey ? 10 : 1;
    state.column = Math.max(0, Math.min(columns - 1, state.column + by * way[0]));
    state.row = Math.max(state.group.first, Math.min(state.group.end - 1, state.row + by * way[1]));
    event.preventDefault();
    event.stopPropagation();
    draw();
  });
  new ResizeObserver(() => {
    image = null;
    draw();
  }).observe(picture);
  readColours();
  return {
    keys: [['← → ↑ ↓', 'in the map: another time, another link; with Shift by ten']],
    onshow: draw,
    ontheme() {
      readColours();
      image = null;
      draw();
    },
  };
});
