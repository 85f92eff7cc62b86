/* player.js - a run of a network, to be played. */
'use strict';
uturn.define('player', part => {
  part.element.append(uturn.h('p', {class: 'notice'}, `A run of a ${part.data.network}.`));
  return {keys: []};
});
