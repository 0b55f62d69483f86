// Served beside this file, from the package.
const place = "./uplot.js"
/** @type {typeof import("uplot")} */
const uPlot = (await import(place)).default

/**
 * Draws the table of a figure as a plot above it. The first column has times, in `datetime`; the others are
 * numbers.
 * @param {Element} figure
 */
export function drawPlot(figure) {
  const table = figure.querySelector("table")
  const details = figure.querySelector("details")
  if (!table || !details || figure.querySelector(".canvas")) return
  const names = [...table.tHead?.rows[0]?.cells ?? []].map((cell) => cell.textContent ?? "")
  // The table has the latest row first.
  const rows = [...table.tBodies[0]?.rows ?? []].reverse()
  const times = rows.map((row) =>
    Date.parse(row.querySelector("time")?.getAttribute("datetime") ?? "") / 1000
  )
  const columns = names.slice(1).map((_, index) =>
    rows.map((row) => numberIn(row.cells[index + 1]?.getAttribute("data-value")))
  )
  const canvas = document.createElement("div")
  canvas.className = "canvas"
  canvas.ariaHidden = "true"
  details.open = false
  details.before(canvas)
  const colour = (/** @type {string} */ name) =>
    getComputedStyle(document.documentElement).getPropertyValue(name).trim()
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const isLong = last - first > 2 * 86_400
  const axis = { stroke: colour("--quiet"), grid: { stroke: colour("--line"), width: 1 } }
  const strokes = [colour("--accent"), colour("--bad"), colour("--quiet")]
  const plot = new uPlot(
    {
      width: canvas.clientWidth,
      height: 176,
      tzDate: (/** @type {number} */ seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
      cursor: { drag: { x: false, y: false } },
      axes: [{
        ...axis,
        values: (_, splits) =>
          splits.map((at) => isLong ? textOf(at).slice(5, 10) : textOf(at).slice(11)),
      }, {
        ...axis,
        size: 56,
      }],
      scales: {
        y: { range: (_, _least, /** @type {number} */ most) => [0, Math.max(1, most * 1.1)] },
      },
      series: [
        { label: "Time (UTC)", value: (_, at) => at === null ? "–" : textOf(at) },
        ...names.slice(1).map((label, index) => ({
          label,
          stroke: strokes[index] ?? "gray",
          width: 1.5,
          points: { show: rows.length < 3 },
        })),
      ],
    },
    [times, ...columns],
    canvas,
  )
  new ResizeObserver(() => plot.setSize({ width: canvas.clientWidth, height: 176 })).observe(canvas)
}

/** Writes a time in UTC, such as `2027-01-31 18:00`. */
function textOf(/** @type {number} */ seconds) {
  return new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ")
}

function numberIn(/** @type {string | null | undefined} */ text) {
  return text === null || text === undefined || text === "" ? null : Number(text)
}
