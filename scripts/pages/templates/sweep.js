// SPDX-License-Identifier: GPL-2.0-only
// Draws a sweep: {axes: [{name, values, numeric}], measures: [name], rows: [{at: [place of each axis's value], is: [measure]}]}.
const data = JSON.parse(document.getElementById("data").textContent);
const SHAPES = {
  o: "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0", s: "M-4.5-4.5h9v9h-9z", "^": "M0-6L5.5 4.5h-11z", D: "M0-6L6 0L0 6L-6 0z",
  v: "M0 6L5.5-4.5h-11z", x: "M-5-5L5 5M5-5L-5 5"};
const MARKERS = Object.keys(SHAPES);
const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [420, 100, 20, 15, 50];
const chart = document.getElementById("chart");

const axisOf = name => data.axes.findIndex(axis => axis.name == name);

// The form: the choice of the axes, and the values of the other options.
const form = document.getElementById("controls");
const choose = (id, label, options, chosen) => {
  const select = element("select", {id, name: id}, ...options.map(([value, text]) => element("option", {value}, text)));
  select.value = chosen;
  form.append(element("label", {}, label, select));
};
const named = data.axes.map(axis => [axis.name, axis.name]);
choose("x", "x axis", named, data.x);
choose("series", "curves", [["", "one"], ...named], data.series);
choose("value", "y axis", data.measures.map((name, place) => [String(place), name]), String(data.value));
data.axes.forEach((axis, place) =>
  choose(`only-${place}`, `only ${axis.name}`, axis.values.map((value, at) => [String(at), String(value)]), "0"));
for (const axis of ["x", "y"]) {
  choose(`scale-${axis}`, `scale of ${axis}`, [["linear", "linear"], ["log", "logarithmic"]], "linear");
}
const chosen = id => document.getElementById(id).value;

// The address stores the choices.
for (const [id, value] of new URLSearchParams(location.hash.slice(1))) {
  const select = form.elements[id];
  if (select && [...select.options].some(option => option.value == value)) select.value = value;
}

// Returns means and spread of the runs at one place of the picture.
const summarize = values => {
  const runs = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return {
    runs, mean, least: Math.min(...values), largest: Math.max(...values),
    // Half the width of the 95 % interval of the mean; unknown for a single run.
    half: runs > 1 ? (data.quantiles[runs - 2] ?? data.limit) * Math.sqrt(squares / (runs - 1) / runs) : null,
  };
};

const collect = (x, series, value) => {
  const others = data.axes.map((_, place) => place).filter(place => place != x && place != series);
  const rows = data.rows.filter(
    row => row.is[value] !== null && others.every(place => row.at[place] == Number(chosen(`only-${place}`))));
  const curves = [];
  (series < 0 ? [null] : data.axes[series].values).forEach((name, at) => {
    const points = [];
    data.axes[x].values.forEach((text, place) => {
      const values = rows.filter(row => row.at[x] == place && (series < 0 || row.at[series] == at)).map(row => row.is[value]);
      if (values.length) points.push({text, place, ...summarize(values)});
    });
    if (points.length) curves.push({name: name === null ? "all" : String(name), at, points});
  });
  return curves;
};

// Positions from left to right. For named values, all curves are side by side, with space between them.
const makeX = (axis, width, curves) => {
  const [from, to] = [LEFT + 20, width - RIGHT - 20];
  if (!axis.numeric) {
    const step = (to - from) / axis.values.length;
    const aside = Math.min(0.8 * step / curves, 40);
    const middle = place => from + (place + 0.5) * step;
    return {
      place: (point, n) => middle(point.place) + aside * (n - (curves - 1) / 2),
      ticks: axis.values.map((text, place) => [middle(place), text]),
    };
  }
  const logarithmic = chosen("scale-x") == "log" && Math.min(...axis.values) > 0;
  const scale = makeScale(Math.min(...axis.values), Math.max(...axis.values), from, to, logarithmic);
  const ticks = (axis.values.length <= (to - from) / 90 ? axis.values : scale.ticks).map(tick => [scale.place(tick), number(tick)]);
  return {place: (point, n) => scale.place(axis.values[point.place]) + 5 * (n - (curves - 1) / 2), ticks};
};

const marker = (look, at, x, y, ...children) => element("path", {
  class: "point", d: SHAPES[look ? look.marker : MARKERS[at % COLORS]], transform: `translate(${x} ${y})`,
  fill: colorOf(look, at), stroke: colorOf(look, at)}, ...children);

let picture = null;  // what is shown: name and table

const draw = () => {
  const [x, series, value] = [axisOf(chosen("x")), axisOf(chosen("series")), Number(chosen("value"))];
  // Options that are on an axis cannot be chosen separately.
  data.axes.forEach((_, place) => { document.getElementById(`only-${place}`).parentElement.hidden = place == x || place == series; });
  document.getElementById("scale-x").parentElement.hidden = !data.axes[x].numeric;
  const curves = collect(x, series == x ? -1 : series, value);
  const alone = curves.length == 1 && curves[0].name == "all";
  const measure = data.measures[value];
  const points = curves.flatMap(curve => curve.points);
  const title = `${measure} against ${data.axes[x].name}, ${curves.map(curve => curve.name).join(", ") || "no runs"}`;
  const width = Math.max(Math.min(chart.clientWidth, 900), 300);
  const svg = element("svg", {viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: "img", "aria-label": title});
  // Without curves, points of named values have the style of these values.
  const lookOf = (curve, point) => alone ? [data.axes[x].looks?.[point.place], data.axes[x].numeric ? 0 : point.place]
    : [data.axes[series]?.looks?.[curve.at], curve.at];
  const places = [];
  if (points.length) {
    const isLogarithmic = chosen("scale-y") == "log";
    // On a logarithmic axis, a bar that would reach 0 or below ends at a tenth of the mean.
    const lower = point => Math.max(point.mean - point.half, isLogarithmic ? point.mean / 10 : -Infinity);
    const low = Math.min(...points.map(lower));
    const high = Math.max(...points.map(point => point.mean + point.half));
    const logarithmic = isLogarithmic && low > 0;
    const bottom = logarithmic ? low / 1.1 : Math.min(low, 0);
    const scale = makeScale(bottom, high > bottom ? (logarithmic ? high * 1.1 : high * 1.05) : bottom + 1, HEIGHT - BOTTOM, TOP, logarithmic);
    const across = makeX(data.axes[x], width, curves.length);
    for (const tick of scale.ticks) {
      const y = scale.place(tick);
      svg.append(element("line", {class: "grid", x1: LEFT, x2: width - RIGHT, y1: y, y2: y}));
      svg.append(element("text", {x: LEFT - 8, y: y + 4, "text-anchor": "end"}, number(tick)));
    }
    // Names that would overlap are in two rows.
    const crowded = across.ticks.some(([place, text], n) => n && place - across.ticks[n - 1][0] < 4 * (String(text).length + String(across.ticks[n - 1][1]).length));
    across.ticks.forEach(([place, text], n) => {
      svg.append(element("text", {x: place, y: HEIGHT - BOTTOM + (crowded && n % 2 ? 32 : 17), "text-anchor": "middle"}, String(text)));
    });
    curves.forEach((curve, n) => {
      const left = point => across.place(point, n);
      if (data.axes[x].numeric) {
        const path = curve.points.map((point, at) => `${at ? "L" : "M"}${left(point)} ${scale.place(point.mean)}`).join("");
        const look = lookOf(curve, curve.points[0]);
        svg.append(element("path", {class: "curve", d: path, stroke: colorOf(...look), "stroke-dasharray": look[0] ? "" : dash(curve.at)}));
      }
      for (const point of curve.points) {
        const look = lookOf(curve, point);
        const bar = `M${left(point)} ${scale.place(lower(point))}V${scale.place(point.mean + point.half)}`;
        svg.append(element("path", {class: "curve", d: bar, stroke: colorOf(...look)}));
        const runs = `${point.half === 0 ? "equal in " : ""}${point.runs} ${point.runs == 1 ? "run" : "runs"}`;
        const text = `${alone ? "" : `${curve.name}, `}${point.text}: ${number(point.mean)}${point.half ? ` ± ${number(point.half)}` : ""} (${runs})`;
        svg.append(marker(...look, left(point), scale.place(point.mean), element("title", {}, text)));
        places.push([left(point), scale.place(point.mean), text]);
      }
    });
  } else {
    svg.append(element("text", {x: width / 2, y: HEIGHT / 2, "text-anchor": "middle"}, "No run has this value with these options."));
  }
  svg.append(element("text", {x: (LEFT + width) / 2, y: HEIGHT - 3, "text-anchor": "middle"}, data.axes[x].name));
  svg.append(element("text", {transform: `translate(16 ${HEIGHT / 2}) rotate(-90)`, "text-anchor": "middle"}, measure));
  showUnderMouse(svg, places, width);
  chart.replaceChildren(svg);
  document.getElementById("legend").replaceChildren(...(alone ? [] : curves).map(curve => {
    const look = lookOf(curve, curve.points[0]);
    const line = element("path", {d: "M0 6.5H35", class: "curve", stroke: colorOf(...look), "stroke-dasharray": look[0] ? "" : dash(curve.at)});
    const parts = [...(data.axes[x].numeric ? [line] : []), marker(...look, 17.5, 6.5)];
    return element("li", {}, element("svg", {viewBox: "0 0 35 13", "aria-hidden": "true"}, ...parts), ` ${curve.name}`);
  }));
  const cells = (kind, texts) => element("tr", {}, ...texts.map((text, n) => element(kind, n > 1 ? {class: "number"} : {}, text)));
  const heading = [series < 0 || series == x ? "curve" : data.axes[series].name, data.axes[x].name, "mean", "± (95 %)", "least", "largest", "runs"];
  document.getElementById("head").replaceChildren(cells("th", heading));
  document.getElementById("body").replaceChildren(...curves.flatMap(curve => curve.points.map(point => cells("td", [
    curve.name, String(point.text), number(point.mean), number(point.half), number(point.least), number(point.largest), String(point.runs)]))));
  const rows = curves.flatMap(curve => curve.points.map(
    point => [curve.name, point.text, point.mean, point.half ?? "", point.least, point.largest, point.runs]));
  picture = {name: title.replace(/[^\w.]+/g, "-"), table: [heading, ...rows]};
};

// Its values are shown next to the point nearest to the mouse.
const showUnderMouse = (svg, places, width) => {
  const told = element("text", {class: "told", "aria-hidden": "true"});
  svg.append(told);
  svg.addEventListener("pointermove", event => {
    const box = svg.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.x) / box.width * width, (event.clientY - box.y) / box.height * HEIGHT];
    const far = ([left, top]) => Math.hypot(left - x, top - y);
    const next = places.reduce((best, place) => far(place) < far(best) ? place : best, places[0]);
    if (!next || far(next) > 60) return told.replaceChildren();
    const isRight = next[0] > width / 2;
    for (const [name, value] of [["x", next[0] + (isRight ? -12 : 12)], ["y", Math.max(next[1] - 12, 20)], ["text-anchor", isRight ? "end" : "start"]]) {
      told.setAttribute(name, value);
    }
    told.replaceChildren(next[2]);
  });
  svg.addEventListener("pointerleave", () => told.replaceChildren());
};

const save = (text, type, ending) => {
  const link = element("a", {href: URL.createObjectURL(new Blob([text], {type})), download: `${picture.name}.${ending}`});
  link.click();
  URL.revokeObjectURL(link.href);
};

// Returns the picture as a separate file, with the colours that it has on the page.
const asSvg = () => {
  const svg = chart.firstChild;
  const copy = svg.cloneNode(true);
  const parts = copy.querySelectorAll("*");
  svg.querySelectorAll("*").forEach((part, n) => {
    const style = getComputedStyle(part);
    for (const name of ["fill", "stroke", "stroke-width"]) parts[n].setAttribute(name, style[name]);
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("style", `font: ${getComputedStyle(svg).fontSize} sans-serif; background: ${getComputedStyle(chart.closest(".card")).backgroundColor}`);
  return new XMLSerializer().serializeToString(copy);
};
const quoted = cell => /[",\n]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell);
const asCsv = () => picture.table.map(row => row.map(quoted).join(",") + "\n").join("");
document.getElementById("save-svg").addEventListener("click", () => save(asSvg(), "image/svg+xml", "svg"));
document.getElementById("save-csv").addEventListener("click", () => save(asCsv(), "text/csv", "csv"));

form.addEventListener("change", () => {
  location.replace(`#${new URLSearchParams(new FormData(form))}`);
  draw();
});
new ResizeObserver(draw).observe(chart);
form.addEventListener("submit", event => event.preventDefault());
draw();
