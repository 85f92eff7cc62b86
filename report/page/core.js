/* SPDX-License-Identifier: Apache-2.0 */
/* core.js - what all sections of a page share: data, colours, tabs, keys.
 *
 * A file that shows sections of a type says
 *
 *   uturn.define('player', part => { ...; return {keys: [['Space', 'play or pause']], onkey: event => true}; });
 *
 * part: {id, type, title, element (where it draws), data (parsed JSON, or null), blob (Uint8Array, or null)}.  What it
 * returns is optional, as are: keys, for the help; onkey(event), which is told of keys that nobody else wants while the
 * section is shown and returns true if it took one; onlink(text), told of what stands behind # and the section's id and
 * /; onshow(), onhide(); ontheme().  Sections are made when they are first shown.
 */
'use strict';
const uturn = (() => {
  const makers = {}, parts = [];
  let shown = null;

  /* ---- small tools */

  /* An element with attributes and children: h('p', {class: 'lead'}, 'text', h('b', {}, 'more')).  Functions are listeners. */
  function h(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {}))
      if (typeof value === 'function')
        element.addEventListener(key.replace(/^on/, ''), value);
      else if (value !== false && value !== null && value !== undefined)
        element.setAttribute(key, value === true ? '' : value);
    element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
    return element;
  }

  const format = new Intl.NumberFormat('en');
  const number = value => format.format(value);
  const plural = (count, one, many) => `${number(count)} ${count === 1 ? one : many || one + 's'}`;

  /* A colour of style.css, as it is now: colour('accent'). */
  const colour = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();

  /* ---- data */

  function bytesOf(text) {
    if (Uint8Array.fromBase64)
      return Uint8Array.fromBase64(text);
    const binary = atob(text), bytes = new Uint8Array(binary.length);
    for (let i = 0; i < bytes.length; i++)
      bytes[i] = binary.charCodeAt(i);
    return bytes;
  }

  /* The bytes of <script id="...">, inflated; null: there is none. */
  async function bytes(id) {
    const element = document.getElementById(id);
    if (!element)
      return null;
    const stream = new Blob([bytesOf(element.textContent)]).stream().pipeThrough(new DecompressionStream('gzip'));
    element.textContent = '';
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  /* ---- sections */

  function define(type, make) {
    makers[type] = make;
  }

  function begin(part) {
    part.begun = part.begun || make(part);
    return part.begun;
  }

  async function make(part) {
    part.element.setAttribute('aria-busy', 'true');
    try {
      const data = await bytes(part.id + '-data');
      part.data = data && JSON.parse(new TextDecoder().decode(data));
      part.blob = await bytes(part.id + '-blob');
      if (!makers[part.type])
        throw new Error(`nothing here shows parts of type ${part.type}`);
      part.made = await makers[part.type](part) || {};
    } catch (error) {
      console.error(error);
      part.element.replaceChildren(h('p', {class: 'notice bad', role: 'alert'}, `This part cannot be shown: ${error.message}`));
    }
    part.element.removeAttribute('aria-busy');
    part.section.dataset.ready = 'true';
  }

  function show(part, byUser) {
    if (shown && shown !== part && shown.made && shown.made.onhide)
      shown.made.onhide();
    shown = part;
    for (const other of parts) {
      other.section.hidden = other !== part;
      if (other.tab) {
        other.tab.setAttribute('aria-selected', String(other === part));
        other.tab.tabIndex = other === part ? 0 : -1;
      }
    }
    if (byUser)
      history.replaceState(null, '', '#' + part.id);
    begin(part).then(() => part === shown && part.made && part.made.onshow && part.made.onshow());
  }

  /* The part that the address names, or something in it: #sweep-1, #reproductions-2/reroute/figure_8. */
  const linked = () => parts.find(part => location.hash === '#' + part.id || location.hash.startsWith(`#${part.id}/`));
  function follow(part) {
    const rest = decodeURIComponent(location.hash.slice(part.id.length + 2));
    show(part);
    begin(part).then(() => rest && part === shown && part.made && part.made.onlink && part.made.onlink(rest));
  }

  function step(by) {
    const at = (parts.indexOf(shown) + by + parts.length) % parts.length;
    show(parts[at], true);
    if (parts[at].tab)
      parts[at].tab.focus();
  }

  /* Links to parts become tabs. */
  function makeTabs() {
    const nav = document.getElementById('parts');
    if (!nav)
      return;
    nav.setAttribute('role', 'tablist');
    for (const part of parts) {
      part.tab = document.getElementById(part.id + '-tab');
      part.tab.setAttribute('role', 'tab');
      part.tab.setAttribute('aria-controls', part.id);
      part.tab.addEventListener('click', event => {
        event.preventDefault();
        show(part, true);
      });
      part.section.setAttribute('role', 'tabpanel');
    }
    nav.addEventListener('keydown', event => {
      const by = {ArrowRight: 1, ArrowLeft: -1, ' ': 0}[event.key];
      if (by !== undefined) {
        event.preventDefault();
        event.stopPropagation();
        step(by);
      }
    });
  }

  /* ---- dark and light */

  const isDark = () => {
    const theme = document.documentElement.dataset.theme;
    return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  };
  function tellTheme() {
    for (const part of parts)
      if (part.made && part.made.ontheme)
        part.made.ontheme();
  }
  function turnTheme() {
    const theme = isDark() ? 'light' : 'dark';
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem('uturn-theme', theme);
    } catch (error) { /* it is not kept */ }
    tellTheme();
  }

  /* ---- keys */

  const pageKeys = [['?', 'these keys'], ['T', 'dark or light'], ['Tab', 'to the next control; Shift Tab back']];

  function keyList(keys) {
    return h('dl', {class: 'keys'}, keys.map(([key, text]) =>
      [h('dt', {}, key.split(' ').map((one, i) => [i ? ' ' : '', h('kbd', {}, one)])), h('dd', {}, text)]));
  }

  function help() {
    const text = document.getElementById('help-text');
    const own = shown && shown.made && shown.made.keys;
    const tabs = parts.length > 1 ? [['[ ]', 'the part before, or behind']] : [];
    text.replaceChildren(...(own && own.length ? [h('h3', {}, shown.title), keyList(own)] : []), h('h3', {}, 'Page'), keyList([...tabs, ...pageKeys]));
    document.getElementById('help').showModal();
  }

  /* A field takes letters by itself. */
  const isTyping = target => target.matches('input:not([type=range]):not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]');

  function onkey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) ||
        document.getElementById('help').open)
      return;
    const page = {'?': help, t: turnTheme, T: turnTheme, '[': () => step(-1), ']': () => step(1)}[event.key];
    if (page)
      page();
    else if (!(shown && shown.made && shown.made.onkey && shown.made.onkey(event)))
      return;
    event.preventDefault();
  }

  function boot() {
    for (const section of document.querySelectorAll('section.part'))
      parts.push({id: section.id, type: section.dataset.type, section, title: section.querySelector('h2').textContent,
        element: section.querySelector('.part-body'), data: null, blob: null});
    if (parts.length === 1 && parts[0].title === document.querySelector('h1').textContent)
      parts[0].section.querySelector('h2').className = 'visually-hidden';
    makeTabs();
    document.getElementById('theme-button').addEventListener('click', turnTheme);
    document.getElementById('help-button').addEventListener('click', help);
    document.addEventListener('keydown', onkey);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', tellTheme);
    addEventListener('hashchange', () => linked() && follow(linked()));
    if (linked())
      follow(linked());
    else if (parts.length)
      show(parts[0]);
    document.documentElement.className = '';
  }
  document.addEventListener('DOMContentLoaded', boot);

  return {define, h, number, plural, colour, isDark};
})();
