/** The scripts of pages: copy buttons, the search key, hits while typing, and marking the section being read. */

const copied = document.createElement("p")
copied.className = "unseen"
copied.setAttribute("role", "status")
document.body.append(copied)

/**
 * Adds a copy button to each example, command, id and token. An id may be shown shortened.
 * @param {ParentNode} part
 */
export function addCopyButtons(part) {
  for (const code of part.querySelectorAll(".example code, .command code, code[data-copy]")) {
    const example = code.closest(".example")
    const place = example?.querySelector("figcaption") ?? code.closest("a") ?? code
    const holder = example ? place : place.parentElement
    if (holder?.querySelector("button.copy") && (example || isCopy(place.nextElementSibling))) {
      continue
    }
    const textOf = () => code.getAttribute("data-copy") || (code.textContent ?? "")
    const name = example ? `the ${place.textContent} example` : textOf().slice(0, 60)
    const button = document.createElement("button")
    button.type = "button"
    button.className = "copy"
    const label = (/** @type {string} */ word) => {
      button.textContent = word
      button.setAttribute("aria-label", `${word} ${name}`)
    }
    label("Copy")
    button.addEventListener("click", async () => {
      const done = await navigator.clipboard?.writeText(textOf()).then(() => true, () => false)
      // A page over plain http may not write to the clipboard: select the text instead.
      if (!done) {
        if (!example) code.textContent = textOf()
        getSelection()?.selectAllChildren(code)
      }
      label(done ? "Copied" : "Selected")
      copied.textContent = done ? "Copied." : "Selected: copy it now."
      setTimeout(() => {
        label("Copy")
        // A live part of the page is not replaced while it has the focus.
        button.blur()
      }, 2000)
    })
    if (example) place.append(button)
    else place.after(" ", button)
  }
}

function isCopy(/** @type {Element | null} */ element) {
  return element?.matches("button.copy") ?? false
}

/** Makes copied text contain full times. */
function copyTimesWhole() {
  document.addEventListener("copy", (event) => {
    const selection = getSelection()
    if (!selection || selection.rangeCount === 0 || selection.isCollapsed) return
    const part = document.createElement("div")
    part.className = "unseen"
    part.append(selection.getRangeAt(0).cloneContents())
    const times = part.querySelectorAll("time[title]")
    if (times.length === 0) return
    for (const time of times) time.textContent = time.getAttribute("title")
    for (const button of part.querySelectorAll("button.copy")) button.remove()
    document.body.append(part)
    event.clipboardData?.setData("text/plain", part.innerText)
    part.remove()
    event.preventDefault()
  })
}

/** Makes the key `/` focus the search, unless the user is typing somewhere. */
function focusSearchByKey() {
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    if (key !== "/" || ctrlKey || metaKey || altKey) return
    if (target instanceof Element && target.closest("input, textarea, select")) return
    const search = document.getElementById("search")
    if (!search) return
    event.preventDefault()
    search.focus()
  })
}

/**
 * Shows hits below the search field while the user types. The arrow keys move between them; Escape hides them.
 * @param {HTMLFormElement} form
 */
function showHits(form) {
  const input = /** @type {HTMLInputElement} */ (form.querySelector("input"))
  const list = document.createElement("ul")
  list.className = "found"
  list.hidden = true
  form.append(list)
  const said = document.createElement("p")
  said.className = "unseen"
  said.setAttribute("role", "status")
  form.append(said)
  let last = ""
  input.addEventListener("input", async () => {
    const text = last = input.value.trim()
    if (text === "") return void (list.hidden = true)
    const url = new URL(form.action)
    url.searchParams.set("q", text)
    const response = await fetch(url, { headers: { accept: "application/json" } }).catch(() => {})
    // If this fails, the search page says why.
    if (!response?.ok || text !== last) return
    const { hits } = /** @type {{ hits: Hit[] }} */ (await response.json())
    if (text !== last) return
    const shown = hits.slice(0, 8)
    list.replaceChildren(...hitItems(shown, text))
    list.hidden = shown.length === 0
    said.textContent = shown.length === 0 ? "Nothing found." : `${shown.length} found.`
  })
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      list.hidden = true
      input.focus()
    }
    if (list.hidden || !["ArrowDown", "ArrowUp"].includes(event.key)) return
    const all = [input, ...list.querySelectorAll("a")]
    const here = all.indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement))
    const step = event.key === "ArrowDown" ? 1 : -1
    all.at((here + step) % all.length)?.focus()
    event.preventDefault()
  })
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Node && !form.contains(target)) list.hidden = true
  })
}

/** @typedef {{ path: string, name: string, page?: string, kind?: string, about?: string }} Hit */

/** Returns list items for hits, grouped by page. */
function hitItems(/** @type {Hit[]} */ hits, /** @type {string} */ search) {
  return [...Map.groupBy(hits, ({ page }) => page)].flatMap(([page, group]) => {
    const items = group.map((hit) => hitItem(hit, search))
    if (page === undefined) return items
    const name = document.createElement("li")
    name.className = "group-name"
    name.textContent = page
    return [name, ...items]
  })
}

function hitItem(
  /** @type {Hit} */ { path, name, kind, about },
  /** @type {string} */ search,
) {
  const link = document.createElement("a")
  link.href = path
  for (const [text, className] of [[kind, "kind"], [name, ""], [about, "about"]]) {
    if (!text) continue
    const part = document.createElement("span")
    part.className = className ?? ""
    part.append(...marked(text, search))
    link.append(part)
  }
  const item = document.createElement("li")
  item.append(link)
  return item
}

/** Marks the search words in a text. */
function marked(/** @type {string} */ text, /** @type {string} */ search) {
  const words = search.split(/\s+/).map((word) => word.replace(/[^\p{L}\p{N}]/gu, "\\$&"))
  return text.split(new RegExp(`(${words.join("|")})`, "i")).map((part, index) => {
    if (index % 2 === 0) return part
    const mark = document.createElement("mark")
    mark.textContent = part
    return mark
  })
}

/** Marks the section that is being read under "On this page". */
function markSection() {
  const links = [
    .../** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".on-page a")),
  ]
  const sections = links.flatMap((link) => {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)))
    return heading ? [{ link, heading }] : []
  })
  if (sections.length === 0) return
  const mark = () => {
    const read =
      sections.findLast(({ heading }) => heading.getBoundingClientRect().top < innerHeight / 4) ??
        sections[0]
    for (const { link } of sections) link.toggleAttribute("aria-current", false)
    read?.link.setAttribute("aria-current", "true")
  }
  addEventListener("scroll", () => requestAnimationFrame(mark), { passive: true })
  mark()
}

addCopyButtons(document)
copyTimesWhole()
focusSearchByKey()
const searching = document.querySelector("form.search[data-json]")
if (searching instanceof HTMLFormElement) showHits(searching)
markSection()
