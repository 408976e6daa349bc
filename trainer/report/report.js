// The read-out of a chart under the pointer. The page is complete without it: the figures are taken
// back from the drawn curves through the scales that each <svg> names.

function scaleOf(attribute) {
  const [kind, low, high] = attribute.split(" ").map((word, i) => (i ? Number(word) : word));
  if (kind === "logarithmic") return (part) => low * Math.pow(high / low, part);
  return (part) => low + (high - low) * part;
}

// The points of a path, whose coordinates run from 0 to 1000.
function pointsOf(path) {
  path.points ??= [...path.getAttribute("d").matchAll(/([-\d.]+),([-\d.]+)/g)].map((pair) => ({
    x: Number(pair[1]) / 1000,
    y: Number(pair[2]) / 1000,
  }));
  return path.points;
}

function nearest(points, x) {
  let low = 0;
  let high = points.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (points[middle].x < x) low = middle;
    else high = middle;
  }
  return x - points[low].x < points[high].x - x ? points[low] : points[high];
}

const round = (value) => value.toLocaleString("en-US", { maximumSignificantDigits: 4 });

function show(view, clientX) {
  const svg = view.querySelector("svg");
  const box = svg.getBoundingClientRect();
  const part = Math.min(1, Math.max(0, (clientX - box.left) / box.width));
  const xScale = scaleOf(svg.dataset.x);
  const yScale = scaleOf(svg.dataset.y);
  const parts = [];
  for (const path of svg.querySelectorAll("path.line:not(.faint)")) {
    if (pointsOf(path).length === 0) continue;
    const point = nearest(pointsOf(path), part);
    const step = Math.round(xScale(point.x)).toLocaleString("en-US");
    parts.push(`${path.dataset.name} ${round(yScale(1 - point.y))} at step ${step}`);
  }
  view.closest("figure").querySelector(".read-out").textContent = parts.join("  ·  ");
  view.style.setProperty("--cursor", part);
}

for (const view of document.querySelectorAll(".view")) {
  view.addEventListener("pointermove", (event) => show(view, event.clientX));
  view.addEventListener("pointerleave", () => {
    view.closest("figure").querySelector(".read-out").textContent = "";
    view.style.removeProperty("--cursor");
  });
}
