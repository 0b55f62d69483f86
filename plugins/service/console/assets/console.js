/** Fetches the page again from time to time, and replaces the parts that are marked. Draws the plots. */

const seconds = Number(document.body.dataset["refresh"] ?? 0)
const note = document.getElementById("live")
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer

/** Replaces the parts of this page that differ in `next`, except one that is in use. */
async function replaceParts(/** @type {Document} */ next) {
  for (const fresh of next.querySelectorAll("[data-live][id]")) {
    const old = document.getElementById(fresh.id)
    if (!old || old.dataset["source"] === fresh.outerHTML) continue
    if (old.contains(document.activeElement)) continue
    const opened = [...old.querySelectorAll("details")].map(({ open }) => open)
    const source = fresh.outerHTML
    old.replaceWith(fresh)
    const replaced = /** @type {HTMLElement} */ (fresh)
    replaced.dataset["source"] = source
    for (const [index, details] of replaced.querySelectorAll("details").entries()) {
      details.open = opened[index] ?? details.open
    }
    await drawPlots(replaced)
  }
}

async function update() {
  try {
    const response = await fetch(location.href, { headers: { accept: "text/html" } })
    if (response.redirected) return say("Your session has ended. Load the page again to log in.")
    if (!response.ok) throw new Error(String(response.status))
    const text = await response.text()
    await replaceParts(new DOMParser().parseFromString(text, "text/html"))
    say(`Updated at ${new Date().toISOString().slice(11, 19)} UTC, every ${seconds} s.`)
  } catch {
    say("The service does not answer. Trying again.")
  }
  schedule()
}

function say(/** @type {string} */ text) {
  if (note && note.textContent !== text) note.textContent = text
}

/** Waits for the next time. A hidden page is updated when it is seen again. */
function schedule() {
  clearTimeout(timer)
  if (!document.hidden) timer = setTimeout(update, seconds * 1000)
}

async function drawPlots(/** @type {ParentNode} */ part) {
  if (!part.querySelector(".plot")) return
  const { drawPlot } = await import("./plots.js")
  for (const figure of part.querySelectorAll(".plot")) drawPlot(figure)
}

if (seconds > 0) {
  document.addEventListener("visibilitychange", () => document.hidden ? schedule() : update())
  schedule()
}
await drawPlots(document)
