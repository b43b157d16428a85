// SPDX-License-Identifier: GPL-2.0-only
// Replaces each picture of curves over time with a drawing: {label, curves: [{name, at, times (ms), values}]}.
{
  const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [340, 70, 15, 12, 45];
  const DOWN = HEIGHT - TOP - BOTTOM;

  // The samples between two times, with a neighbour on each side.
  const visible = ({times, values}, from, to) => {
    const first = Math.max(times.findIndex(time => time >= from) - 1, 0);
    const after = times.findIndex(time => time > to);
    const end = after < 0 ? times.length : after + 1;
    return {times: times.slice(first, end), values: values.slice(first, end)};
  };

  const enhance = source => {
    const {label, curves} = JSON.parse(source.textContent);
    const figure = source.closest("figure");
    const whole = [Math.min(...curves.map(curve => curve.times[0])), Math.max(...curves.map(curve => curve.times.at(-1)))];
    let [from, to] = whole;
    const scroll = figure.querySelector(".scroll");
    const svg = element("svg", {role: "img", "aria-label": figure.querySelector("img").alt});
    let [WIDTH, ACROSS] = [0, 0];

    const draw = () => {
      WIDTH = Math.max(Math.min(scroll.clientWidth, 1100), 300);
      ACROSS = WIDTH - LEFT - RIGHT;
      for (const [name, value] of [["viewBox", `0 0 ${WIDTH} ${HEIGHT}`], ["width", WIDTH], ["height", HEIGHT]]) svg.setAttribute(name, value);
      const parts = curves.map(curve => visible(curve, from, to));
      const high = Math.max(...parts.flatMap(part => part.values)) || 1;
      const [x, y] = [makeScale(from, to, 0, ACROSS), makeScale(0, high * 1.05, DOWN, 0)];
      svg.replaceChildren();
      for (const tick of y.ticks) {
        svg.append(element("line", {class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: TOP + y.place(tick), y2: TOP + y.place(tick)}));
        svg.append(element("text", {x: LEFT - 8, y: TOP + y.place(tick) + 4, "text-anchor": "end"}, number(tick)));
      }
      for (const tick of x.ticks) {
        svg.append(element("text", {x: LEFT + x.place(tick), y: HEIGHT - BOTTOM + 18, "text-anchor": "middle"}, number(tick)));
      }
      const inside = element("svg", {x: LEFT, y: TOP, width: ACROSS, height: DOWN});  // clips everything outside
      curves.forEach(({at, look}, place) => {
        const {times, values} = parts[place];
        const path = times.map((time, n) => `${n ? "L" : "M"}${x.place(time).toFixed(2)} ${y.place(values[n]).toFixed(2)}`).join("");
        inside.append(element("path", {class: "curve", d: path, stroke: colorOf(look, at), "stroke-dasharray": look?.linestyle == "-" ? "" : dash(at)}));
      });
      svg.append(inside, element("text", {x: LEFT + ACROSS / 2, y: HEIGHT - 6, "text-anchor": "middle"}, "time (ms)"));
      svg.append(element("text", {transform: `translate(16 ${HEIGHT / 2}) rotate(-90)`, "text-anchor": "middle"}, label));
    };

    const move = (first, last) => {
      const length = Math.min(last - first, whole[1] - whole[0]);
      from = Math.min(Math.max(first, whole[0]), whole[1] - length);
      to = from + length;
      draw();
    };
    const zoom = (factor, share) => {
      const about = from + (to - from) * share;
      move(about - (about - from) * factor, about + (to - about) * factor);
    };
    svg.addEventListener("wheel", event => {
      event.preventDefault();
      const box = svg.getBoundingClientRect();
      const share = ((event.clientX - box.x) / box.width * WIDTH - LEFT) / ACROSS;
      zoom(event.deltaY < 0 ? 0.8 : 1.25, Math.min(Math.max(share, 0), 1));
    }, {passive: false});
    svg.addEventListener("pointermove", event => {
      if (!(event.buttons & 1)) return;
      const aside = event.movementX / svg.getBoundingClientRect().width * WIDTH / ACROSS * (to - from);
      move(from - aside, to - aside);
    });

    const button = (text, action) => {
      const made = element("button", {type: "button"}, text);
      made.addEventListener("click", action);
      return made;
    };
    const legend = element("ul", {class: "legend"}, ...curves.map(({name, at, look}) => element("li", {},
      element("svg", {viewBox: "0 0 35 13", "aria-hidden": "true"},
        element("path", {d: "M0 6.5H35", class: "curve", stroke: colorOf(look, at), "stroke-dasharray": look?.linestyle == "-" ? "" : dash(at)})), ` ${name}`)));
    const buttons = element("div", {class: "controls"}, button("closer", () => zoom(0.8, 0.5)),
      button("farther", () => zoom(1.25, 0.5)), button("whole time", () => move(...whole)));
    scroll.classList.add("chart", "zoomed");
    scroll.replaceChildren(svg);
    scroll.before(legend);
    scroll.after(buttons);
    draw();
    new ResizeObserver(draw).observe(scroll);
  };
  document.querySelectorAll("script.curves").forEach(enhance);
}
