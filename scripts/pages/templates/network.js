// SPDX-License-Identifier: GPL-2.0-only
// Draws the network at a time: {begin: ms, end: ms, nodes: [[name, x, level, is a host]], halves: [{from, to, failed, bars: [[begin, ms]]}]}.
{
  const network = JSON.parse(document.getElementById("network-data").textContent);
  const [SPREAD, HEIGHT, MARGIN] = [1000, 130, 40];
  const picture = document.getElementById("network-picture");
  const slider = document.getElementById("network-time");
  const make = (name, attributes, ...children) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  const widest = Math.max(...network.nodes.map(node => node[1]), 1);
  const [bottom, top_] = [Math.min, Math.max].map(end => end(...network.nodes.map(node => node[2])));
  const places = network.nodes.map(([, x, level]) => [MARGIN + x / widest * SPREAD, MARGIN + (top_ - level) * HEIGHT]);
  const whole = [0, 0, SPREAD + 2 * MARGIN, (top_ - bottom) * HEIGHT + 2 * MARGIN];
  let view = [...whole];
  const show = () => picture.setAttribute("viewBox", view.join(" "));

  const halves = network.halves.map(half => {
    const [from, to] = [places[half.from], places[half.to]];
    // The coloured part ends at a third of the link, so that where links cross, no colour seems to continue in another link.
    const line = (share, name) => make("line", {x1: from[0], y1: from[1], x2: from[0] + (to[0] - from[0]) * share, y2: from[1] + (to[1] - from[1]) * share,
      class: name});
    const coloured = line(1 / 3, "half");
    picture.append(line(1 / 2, half.failed ? "base failed" : "base"), coloured);
    return coloured;
  });
  // If there are many hosts, only every k-th is labelled.
  const hosts = network.nodes.map((node, place) => place).filter(place => network.nodes[place][3]).sort((a, b) => places[a][0] - places[b][0]);
  const step = Math.ceil(hosts.length / 40);
  const named = new Set(hosts.filter((_, at) => at % step == 0));
  network.nodes.forEach(([name, , , isHost], place) => {
    const [x, y] = places[place];
    picture.append(isHost ? make("circle", {cx: x, cy: y, r: 4}) : make("rect", {x: x - 5, y: y - 5, width: 10, height: 10}));
    if (!isHost || named.has(place)) picture.append(make("text", {x, y: y + (isHost ? 17 : -9), "text-anchor": "middle"}, name));
  });

  // The last bar that has begun determines the state, because bars are sorted and do not overlap.
  const isPaused = (bars, time) => {
    let [low, high] = [0, bars.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (bars[middle][0] <= time) low = middle + 1; else high = middle;
    }
    return low > 0 && time < bars[low - 1][0] + bars[low - 1][1];
  };

  const digits = 4 + Math.max(Math.ceil(Math.log10(network.end / (network.end - network.begin))), 0);
  const update = () => {
    const time = network.begin + slider.value / slider.max * (network.end - network.begin);
    const stopped = network.halves.map(half => isPaused(half.bars, time));
    halves.forEach((line, place) => line.classList.toggle("stopped", stopped[place]));
    const names = network.halves.filter((_, place) => stopped[place]).map(half => `${network.nodes[half.from][0]} by ${network.nodes[half.to][0]}`);
    const some = names.slice(0, 8).join(", ") + (names.length > 8 ? ", ..." : "");
    document.getElementById("network-told").textContent = `${time.toPrecision(digits)} ms: ${names.length} stopped${some && ": "}${some}`;
  };

  // Zooms around a point of the window, or around its middle.
  const zoom = (factor, clientX, clientY) => {
    const box = picture.getBoundingClientRect();
    const [right, down] = clientX === undefined ? [0.5, 0.5] : [(clientX - box.x) / box.width, (clientY - box.y) / box.height];
    const width = Math.min(view[2] * factor, whole[2]);
    const height = whole[3] * width / whole[2];
    view = [view[0] + (view[2] - width) * right, view[1] + (view[3] - height) * down, width, height];
    show();
  };
  picture.addEventListener("wheel", event => {
    event.preventDefault();
    zoom(event.deltaY < 0 ? 0.8 : 1.25, event.clientX, event.clientY);
  }, {passive: false});
  picture.addEventListener("pointermove", event => {
    if (!(event.buttons & 1)) return;
    const scale = view[2] / picture.getBoundingClientRect().width;
    view = [view[0] - event.movementX * scale, view[1] - event.movementY * scale, view[2], view[3]];
    show();
  });
  document.getElementById("network-closer").addEventListener("click", () => zoom(0.8));
  document.getElementById("network-farther").addEventListener("click", () => zoom(1.25));
  document.getElementById("network-whole").addEventListener("click", () => { view = [...whole]; show(); });
  slider.addEventListener("input", update);
  show();
  update();
}
