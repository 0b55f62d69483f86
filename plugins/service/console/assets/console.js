/** Fetches the changed parts of the page from time to time, and says so if it cannot. */

// The design serves it beside this file.
const page = "./page.js"
/** @type {typeof import("../../../design/assets/page.js")} */
const { addCopyButtons } = await import(page)

const seconds = Number(document.body.dataset["refresh"] ?? 0)
const note = document.getElementById("live")
const updated = document.getElementById("updated")
/** The most milliseconds that a response may take. */
const patience = 30_000
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer

/** Replaces the received parts of this page, except one that is in use. */
async function replaceParts(/** @type {Document} */ next) {
  for (const fresh of next.querySelectorAll("[data-live][id]")) {
    const old = document.getElementById(fresh.id)
    if (!old || old.contains(document.activeElement)) continue
    const opened = new Map(
      [...old.querySelectorAll("details")].map((each) => [keyOf(each), each.open]),
    )
    old.replaceWith(fresh)
    for (const details of fresh.querySelectorAll("details")) {
      details.open = opened.get(keyOf(details)) ?? details.open
    }
    addCopyButtons(fresh)
  }
}

/** Returns a fold's title without its numbers, which change. */
function keyOf(/** @type {Element} */ details) {
  return details.querySelector("summary")?.textContent?.replace(/[\d\s]+/g, " ") ?? ""
}

async function update() {
  const parts = [...document.querySelectorAll("[data-live]")]
    .map((part) => part.getAttribute("data-live")).join(" ")
  try {
    const response = await fetch(location.href, {
      headers: { accept: "text/html", "console-parts": parts },
      signal: AbortSignal.timeout(patience),
    })
    if (response.redirected) return warn("Your session has ended.", "Log in again")
    if (!response.ok) throw new Error(String(response.status))
    const text = await response.text()
    await replaceParts(new DOMParser().parseFromString(text, "text/html"))
    tell(Date.parse(response.headers.get("date") ?? "") || Date.now())
  } catch {
    warn("The service is not responding. Trying again.")
  }
  schedule()
}

/** Marks the page as fresh, and updates relative times. */
function tell(/** @type {number} */ now) {
  document.body.classList.remove("stale")
  note?.replaceChildren()
  for (const time of document.querySelectorAll("time[title]:not(.short)")) {
    time.textContent = distance((now - Date.parse(time.getAttribute("datetime") ?? "")) / 1000)
  }
  if (updated) updated.textContent = `Updated ${clock(now)}, every ${seconds} s`
}

/** Warns at the top of the page that its data is out of date. */
function warn(/** @type {string} */ text, link = "") {
  if (!note || document.body.classList.contains("stale") && note.textContent?.startsWith(text)) {
    return
  }
  document.body.classList.add("stale")
  const [from = ""] = updated?.textContent?.match(/\d\d:\d\d:\d\d UTC/) ?? []
  note.replaceChildren(`${text} This is from ${from}. `)
  if (link === "") return
  const anchor = document.createElement("a")
  anchor.href = location.href
  anchor.textContent = link
  note.append(anchor)
}

function clock(/** @type {number} */ milliseconds) {
  return `${new Date(milliseconds).toISOString().slice(11, 19)} UTC`
}

/** Formats how long ago something was, like `time` in `parts.ts`. */
function distance(/** @type {number} */ ago) {
  const whole = Math.round(Math.abs(ago))
  if (whole < 1) return "now"
  const words = whole < 60
    ? `${whole} s`
    : whole < 3600
    ? `${Math.round(whole / 60)} min`
    : whole < 172_800
    ? `${Math.round(whole / 3600)} h`
    : `${Math.round(whole / 86_400)} days`
  return ago > 0 ? `${words} ago` : `in ${words}`
}

/** Schedules the next update. A hidden page is updated when it becomes visible again. */
function schedule() {
  clearTimeout(timer)
  if (!document.hidden) timer = setTimeout(update, seconds * 1000)
}

if (seconds > 0) {
  document.addEventListener("visibilitychange", () => document.hidden ? schedule() : update())
  schedule()
}
