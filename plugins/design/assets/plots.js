// Served beside this file, from the package.
const place = "./uplot.js"
/** @type {typeof import("uplot")} */
const uPlot = (await import(place)).default

/** What parts of the plots are shown, by their titles: a plot that is drawn anew shows the same. */
const zooms = /** @type {Map<string, {min: number, max: number}>} */ (new Map())

// Plots are drawn in the colours of the theme.
addEventListener("event-export.theme", () => {
  for (const canvas of document.querySelectorAll(".plot .canvas")) {
    const figure = canvas.closest(".plot")
    canvas.remove()
    if (figure) drawPlot(figure)
  }
})

/**
 * Draws the table of a figure as a plot above it. The first column has times, in `datetime`; those with the class
 * `number` have the numbers. The time of the latest row is not over: what belongs to it is dashed.
 * @param {Element} figure
 */
export function drawPlot(figure) {
  const table = figure.querySelector("table")
  const details = figure.querySelector("details")
  if (!table || !details || figure.querySelector(".canvas")) return
  const title = figure.querySelector("figcaption")?.textContent ?? ""
  const names = [...table.tHead?.querySelectorAll("th.number") ?? []]
    .map((cell) => cell.textContent ?? "")
  // The table has the latest row first.
  const rows = [...table.tBodies[0]?.rows ?? []].reverse()
  const times = rows.map((row) =>
    Date.parse(row.querySelector("time")?.getAttribute("datetime") ?? "") / 1000
  )
  const columns = names.map((_, index) =>
    rows.map((row) => numberIn(row.cells[index + 1]?.getAttribute("data-value")))
  )
  const marks = rows.map((row) =>
    [.../** @type {NodeListOf<HTMLElement>} */ (row.querySelectorAll(".mark"))].map((mark) => ({
      at: Number(mark.dataset["at"]),
      word: mark.dataset["word"] ?? "",
      text: mark.textContent ?? "",
    }))
  )
  const canvas = document.createElement("div")
  canvas.className = "canvas"
  canvas.ariaHidden = "true"
  canvas.title = "Drag to look closer, double-click to see all."
  details.open = false
  details.before(canvas)
  const colour = (/** @type {string} */ name) => {
    canvas.style.color = `var(${name})`
    return getComputedStyle(canvas).color
  }
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const axis = { stroke: colour("--quiet"), grid: { stroke: colour("--line"), width: 1 } }
  const strokes = [colour("--accent"), colour("--bad"), colour("--quiet")]
  const draw = (/** @type {import("uplot")} */ plot) => {
    const { ctx, bbox: { left, top, width, height } } = plot
    const scale = devicePixelRatio
    ctx.save()
    ctx.beginPath()
    ctx.rect(left, top, width, height)
    ctx.clip()
    ctx.lineWidth = 1.5 * scale
    drawRunning(plot, { times, columns, strokes })
    ctx.strokeStyle = ctx.fillStyle = colour("--ink")
    ctx.lineWidth = scale
    ctx.setLineDash([2 * scale, 3 * scale])
    ctx.font = `${11 * scale}px system-ui, sans-serif`
    ctx.textBaseline = "top"
    ctx.textAlign = "left"
    let free = left
    for (const { at, word } of marks.flat()) {
      const x = plot.valToPos(at, "x", true)
      if (x < left || x > left + width) continue
      ctx.beginPath()
      ctx.moveTo(x, top)
      ctx.lineTo(x, top + height)
      ctx.stroke()
      // What would cover another word is in the legend only.
      const wide = ctx.measureText(word).width + 6 * scale
      const start = x + wide > left + width ? x - wide : x + 3 * scale
      if (start < free) continue
      ctx.fillText(word, start, top)
      free = start + wide
    }
    ctx.restore()
  }
  const plot = new uPlot(
    {
      width: canvas.clientWidth,
      height: 176,
      tzDate: (/** @type {number} */ seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
      cursor: { drag: { x: true, y: false, setScale: true } },
      hooks: {
        draw: [draw],
        setScale: [(plot, key) => {
          const { min, max } = plot.scales["x"] ?? {}
          if (key !== "x" || min === undefined || max === undefined) return
          if (min === null || max === null || (min <= first && max >= last)) zooms.delete(title)
          else zooms.set(title, { min, max })
        }],
      },
      axes: [{
        ...axis,
        values: (_, splits, _axis, _space, step) =>
          splits.map((at) => step >= 86_400 ? textOf(at).slice(5, 10) : textOf(at).slice(11)),
      }, {
        ...axis,
        size: 68,
      }],
      scales: {
        y: { range: (_, _least, /** @type {number} */ most) => [0, Math.max(1, most * 1.1)] },
      },
      series: [
        {
          label: "Time (UTC)",
          value: (_, at, _series, /** @type {number | null} */ index) =>
            at === null || index === null ? "–" : [
              textOf(at) + (index === times.length - 1 ? " so far" : ""),
              ...marks[index]?.map(({ text }) => text) ?? [],
            ].join(" · "),
        },
        ...names.map((label, index) => ({
          label,
          stroke: strokes[index] ?? "gray",
          width: 1.5,
          points: { show: rows.length < 3 },
          paths: pathsBeforeLast(times.length),
        })),
      ],
    },
    [times, ...columns],
    canvas,
  )
  const zoom = zooms.get(title)
  if (zoom) plot.setScale("x", zoom)
  new ResizeObserver(() => plot.setSize({ width: canvas.clientWidth, height: 176 })).observe(canvas)
}

/** Draws lines as uPlot does, but not to the last point. */
function pathsBeforeLast(/** @type {number} */ count) {
  const linear = uPlot.paths.linear?.()
  return (
    /** @type {import("uplot")} */ plot,
    /** @type {number} */ series,
    /** @type {number} */ from,
    /** @type {number} */ to,
  ) => linear?.(plot, series, from, Math.min(to, count - 2)) ?? null
}

/**
 * Draws what belongs to a time that is not over: dashed, with an open end.
 * @param {import("uplot")} plot
 * @param {{times: number[], columns: (number | null)[][], strokes: string[]}} drawn
 */
function drawRunning(plot, { times, columns, strokes }) {
  const { ctx } = plot
  const scale = devicePixelRatio
  for (const [index, column] of columns.entries()) {
    const [former, last] = column.slice(-2)
    if (last === null || last === undefined || column.length < 2) continue
    const x = plot.valToPos(times.at(-1) ?? 0, "x", true)
    const y = plot.valToPos(last, "y", true)
    ctx.strokeStyle = strokes[index] ?? "gray"
    ctx.setLineDash([4 * scale, 4 * scale])
    ctx.beginPath()
    if (former !== null && former !== undefined) {
      ctx.moveTo(
        plot.valToPos(times.at(-2) ?? 0, "x", true),
        plot.valToPos(former, "y", true),
      )
      ctx.lineTo(x, y)
      ctx.stroke()
    }
    ctx.setLineDash([])
    ctx.beginPath()
    ctx.arc(x, y, 3 * scale, 0, 2 * Math.PI)
    ctx.stroke()
  }
}

/** Writes a time in UTC, such as `2027-01-31 18:00`. */
function textOf(/** @type {number} */ seconds) {
  return new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ")
}

function numberIn(/** @type {string | null | undefined} */ text) {
  return text === null || text === undefined || text === "" ? null : Number(text)
}
