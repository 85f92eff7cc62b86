/* SPDX-License-Identifier: Apache-2.0 */
/* load_scale.js - colours of loads, for the map of links and the player: from the ground over the accent to the colour of ink; darker (or, in the
 * dark, lighter) means more, so that no colour has to be told from another. */
'use strict';
/* {read: takes the colours as they are now, at(share): [red, green, blue], css(share)}.  lowest: the share of the way that nothing has come already. */
uturn.makeLoadScale = (lowest = 0) => {
  const MIDDLE = 0.6;
  let ground, accent, ink;
  function read() {
    const probe = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    [ground, accent, ink] = ['panel', 'accent', 'ink'].map(name => {
      probe.fillStyle = uturn.colour(name);
      probe.fillRect(0, 0, 1, 1);
      return probe.getImageData(0, 0, 1, 1).data.slice(0, 3);
    });
  }
  function at(share) {
    const way = lowest + (1 - lowest) * Math.min(1, share), [a, b, f] = way < MIDDLE ? [ground, accent, way / MIDDLE] : [accent, ink, (way - MIDDLE) / (1 - MIDDLE)];
    return [0, 1, 2].map(i => a[i] + (b[i] - a[i]) * f);
  }
  read();
  return {read, at, css: share => `rgb(${at(share).map(Math.round)})`};
};
/* The end of a scale: the highest load, flits per cycle, rounded up. */
uturn.topLoad = most => [0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1].find(top => top >= most) || 1;
/* The scale as a picture, for a legend. */
uturn.drawLoadScale = (canvas, scale) => {
  const x = canvas.getContext('2d');
  canvas.width = 120;
  canvas.height = 12;
  for (let i = 0; i < canvas.width; i++) {
    x.fillStyle = scale.css(i / (canvas.width - 1));
    x.fillRect(i, 0, 1, canvas.height);
  }
};
