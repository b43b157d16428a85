// Draws a sweep: {axes: [{name, values, numeric}], measures: [name], rows: [{at: [place of each axis's value], is: [measure]}]}.
const data = JSON.parse(document.getElementById("data").textContent);
const SHAPES = ["M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0", "M-4.5-4.5h9v9h-9z", "M0-6L5.5 4.5h-11z", "M0-6L6 0L0 6L-6 0z",
  "M0 6L5.5-4.5h-11z", "M-5-5L5 5M5-5L-5 5"];
const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [900, 420, 80, 20, 15, 50];

const axisOf = name => data.axes.findIndex(axis => axis.name == name);

// The form: what is on which axis, and values of the options that are on none.
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

// Means and spread of the runs at one place of the picture.
const summarize = values => {
  const runs = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return {
    runs, mean, least: Math.min(...values), largest: Math.max(...values),
    // Half of the 95 % interval of the mean; of a single run none is known.
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

const makeX = axis => {
  const [from, to] = [LEFT + 30, WIDTH - RIGHT - 30];
  if (!axis.numeric) {
    const step = (to - from) / Math.max(axis.values.length - 1, 1);
    const ticks = axis.values.map((text, place) => [axis.values.length > 1 ? from + place * step : (from + to) / 2, text]);
    return {place: point => ticks[point.place][0], ticks};
  }
  const logarithmic = chosen("scale-x") == "log" && Math.min(...axis.values) > 0;
  const scale = makeScale(Math.min(...axis.values), Math.max(...axis.values), from, to, logarithmic);
  const ticks = (axis.values.length <= 8 ? axis.values : scale.ticks).map(tick => [scale.place(tick), number(tick)]);
  return {place: point => scale.place(axis.values[point.place]), ticks};
};

const marker = (at, x, y, ...children) => element("path", {
  class: "point", d: SHAPES[at % COLORS], transform: `translate(${x} ${y})`, fill: color(at), stroke: color(at)}, ...children);

const draw = () => {
  const [x, series, value] = [axisOf(chosen("x")), axisOf(chosen("series")), Number(chosen("value"))];
  data.axes.forEach((_, place) => { document.getElementById(`only-${place}`).parentElement.hidden = place == x || place == series; });
  const curves = collect(x, series == x ? -1 : series, value);
  const measure = data.measures[value];
  const points = curves.flatMap(curve => curve.points);
  const title = `${measure} against ${data.axes[x].name}, ${curves.map(curve => curve.name).join(", ") || "no runs"}`;
  const svg = element("svg", {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title});
  if (points.length) {
    const isLogarithmic = chosen("scale-y") == "log";
    // A bar that would reach 0 or below ends at a tenth of the mean on a logarithmic axis.
    const lower = point => Math.max(point.mean - point.half, isLogarithmic ? point.mean / 10 : -Infinity);
    const low = Math.min(...points.map(lower));
    const high = Math.max(...points.map(point => point.mean + point.half));
    const logarithmic = isLogarithmic && low > 0;
    const bottom = logarithmic ? low / 1.1 : Math.min(low, 0);
    const scale = makeScale(bottom, high > bottom ? (logarithmic ? high * 1.1 : high * 1.05) : bottom + 1, HEIGHT - BOTTOM, TOP, logarithmic);
    const across = makeX(data.axes[x]);
    for (const tick of scale.ticks) {
      const y = scale.place(tick);
      svg.append(element("line", {class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y, y2: y}));
      svg.append(element("text", {x: LEFT - 8, y: y + 4, "text-anchor": "end"}, number(tick)));
    }
    for (const [place, text] of across.ticks) {
      svg.append(element("text", {x: place, y: HEIGHT - BOTTOM + 20, "text-anchor": "middle"}, String(text)));
    }
    curves.forEach((curve, n) => {
      const aside = 5 * (n - (curves.length - 1) / 2);  // bars of several curves stand side by side
      const left = point => across.place(point) + aside;
      const path = curve.points.map((point, at) => `${at ? "L" : "M"}${left(point)} ${scale.place(point.mean)}`).join("");
      svg.append(element("path", {class: "curve", d: path, stroke: color(curve.at), "stroke-dasharray": dash(curve.at)}));
      for (const point of curve.points) {
        const bar = `M${left(point)} ${scale.place(lower(point))}V${scale.place(point.mean + point.half)}`;
        svg.append(element("path", {class: "curve", d: bar, stroke: color(curve.at)}));
        const text = `${curve.name}, ${point.text}: ${number(point.mean)}${point.half === null ? "" : ` ± ${number(point.half)}`}`;
        svg.append(marker(curve.at, left(point), scale.place(point.mean), element("title", {}, text)));
      }
    });
  } else {
    svg.append(element("text", {x: WIDTH / 2, y: HEIGHT / 2, "text-anchor": "middle"}, "No run has this value with these options."));
  }
  svg.append(element("text", {x: (LEFT + WIDTH) / 2, y: HEIGHT - 8, "text-anchor": "middle"}, data.axes[x].name));
  svg.append(element("text", {transform: `translate(16 ${HEIGHT / 2}) rotate(-90)`, "text-anchor": "middle"}, measure));
  document.getElementById("chart").replaceChildren(svg);
  document.getElementById("legend").replaceChildren(...curves.map(curve => element("li", {},
    element("svg", {viewBox: "0 0 35 13", "aria-hidden": "true"},
      element("path", {d: "M0 6.5H35", class: "curve", style: "stroke-width: 2", stroke: color(curve.at), "stroke-dasharray": dash(curve.at)}),
      marker(curve.at, 17.5, 6.5)),
    ` ${curve.name}`)));
  const cells = (kind, texts) => element("tr", {}, ...texts.map((text, n) => element(kind, n > 1 ? {class: "number"} : {}, text)));
  const heading = [series < 0 || series == x ? "curve" : data.axes[series].name, data.axes[x].name, "mean", "± (95 %)", "least", "largest", "runs"];
  document.getElementById("head").replaceChildren(cells("th", heading));
  document.getElementById("body").replaceChildren(...curves.flatMap(curve => curve.points.map(point => cells("td", [
    curve.name, String(point.text), number(point.mean), number(point.half), number(point.least), number(point.largest), String(point.runs)]))));
};

form.addEventListener("change", draw);
form.addEventListener("submit", event => event.preventDefault());
draw();
