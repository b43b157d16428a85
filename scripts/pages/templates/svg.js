// SPDX-License-Identifier: GPL-2.0-only
// Common parts of the drawings.
const element = (name, attributes, ...children) => {
  const svg = ["svg", "path", "line", "text", "g", "title"].includes(name);
  const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  made.append(...children);
  return made;
};
const number = value => value === null ? "–" : String(Number(value.toPrecision(4)));
const COLORS = 6;
const color = at => `var(--series-${at % COLORS})`;
// A scheme has its own colour; the colour of other curves depends on their place.
const colorOf = (look, at) => look ? `light-dark(${look.light}, ${look.dark})` : color(at);
const dash = at => ["", "7 4", "2 3"][Math.floor(at / COLORS) % 3];

// Maps numbers to positions between two ends of the picture, and chooses the positions of grid lines.
const makeScale = (low, high, from, to, logarithmic) => {
  if (logarithmic) {
    const [first, last] = [Math.log10(low), Math.log10(high)];
    const span = last - first || 1;
    const ticks = [];
    for (let power = Math.floor(first); power <= Math.ceil(last); ++power) {
      for (const step of span > 3 ? [1] : [1, 2, 5]) ticks.push(step * 10 ** power);
    }
    const place = value => from + (Math.log10(value) - first) / span * (to - from);
    return {place, ticks: ticks.filter(tick => tick >= low * 0.999 && tick <= high * 1.001)};
  }
  const span = high - low || Math.abs(high) || 1;
  const rough = span / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find(factor => factor * power >= rough) * power;
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step / 1e6; tick += step) ticks.push(Math.abs(tick) < step / 1e6 ? 0 : tick);
  return {place: value => from + (value - low) / span * (to - from), ticks};
};
