/** The sections of the former one-page guide, by id, with the pages that have them now. */
const moved = {
  "/docs/log-in-and-tokens": ["log-in"],
  "/docs/pull": ["the-client-pull"],
  "/docs/tools": ["tools"],
  "/docs/lists": ["the-lists"],
  "/docs/digests": ["compare-digests"],
  "/docs/exports": ["csv-and-ndjson", "export"],
  "/docs/records": ["values", "consent"],
  "/docs/parameters": ["rate-limits", "parameters", "headers"],
  "/docs/endpoints": ["endpoints", "openapi-document"],
  "/docs/errors": ["errors", "try-errors"],
  "/docs/changes": ["what-may-change"],
  "/docs/sync": ["find-your-events", "wait-for-a-change"],
}

followMoved()
rememberLanguage()
offerToken()
unfoldRecords()

/** Redirects from a place in the former one-page guide to the page that has it now. */
function followMoved() {
  const id = location.hash.slice(1)
  if (location.pathname !== "/docs" || id === "" || document.getElementById(id)) return
  const [page] = Object.entries(moved).find(([, ids]) => ids.includes(id)) ??
    (id.startsWith("error-") ? ["/docs/errors"] : [])
  if (page) location.replace(`${page}#${id}`)
}

/** Remembers the language that the reader chooses for the examples. */
function rememberLanguage() {
  const key = "event-export.language"
  const stored = document.getElementById(localStorage.getItem(key) ?? "")
  if (stored instanceof HTMLInputElement && stored.name === "language") stored.checked = true
  for (const choice of document.querySelectorAll("input[name=language]")) {
    choice.addEventListener("change", () => localStorage.setItem(key, choice.id))
  }
}

/** Lets the reader put their own token into the examples of this page. It is not stored anywhere. */
function offerToken() {
  const place = document.getElementById("own-token")
  const button = place?.querySelector("button")
  const status = place?.querySelector("span")
  if (!place || !button || !status) return
  place.hidden = false
  button.addEventListener("click", async () => {
    button.disabled = true
    try {
      const token = await makeToken()
      replaceInExamples("-b cookies.txt", `-H 'Authorization: Bearer ${token}'`)
      status.textContent = "The examples of this page have your token for an hour. Keep it secret."
      button.hidden = true
    } catch (error) {
      status.textContent = `There is no token: ${/** @type {Error} */ (error).message}`
      button.disabled = false
    }
  })
}

/** Creates a token for an hour, and revokes the one that the guide created before. */
async function makeToken() {
  const name = "guide"
  const own = /** @type {{ id: string, name: string }[]} */ (await request("GET", ""))
  for (const former of own.filter((each) => each.name === name)) {
    await request("DELETE", `/${former.id}`)
  }
  const { token } = await request("POST", "", { name, lifetime: 3600 })
  return /** @type {string} */ (token)
}

/**
 * @param {string} method
 * @param {string} path Below that of tokens.
 * @param {object} [body]
 */
async function request(method, path, body) {
  const response = await fetch(`/session/tokens${path}`, {
    method,
    ...body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
  })
  const text = await response.text()
  const content = text === "" ? {} : JSON.parse(text)
  if (!response.ok) throw new Error(content.detail)
  return content
}

function replaceInExamples(/** @type {string} */ before, /** @type {string} */ after) {
  for (const code of document.querySelectorAll(".example code")) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const text = /** @type {Text} */ (texts.currentNode)
      text.data = text.data.replaceAll(before, after)
    }
  }
}

/** Makes the fields of a nested record unfold below its field. */
function unfoldRecords() {
  for (const link of document.querySelectorAll('td[data-label="Type"] a[href^="#"]')) {
    const heading = document.getElementById(link.getAttribute("href")?.slice(1) ?? "")
    const table = heading?.nextElementSibling?.querySelector("table")
    const row = link.closest("tr")
    if (!table || !row) continue
    const button = document.createElement("button")
    button.type = "button"
    button.className = "unfold"
    button.setAttribute("aria-label", `Fields of ${link.textContent}`)
    button.setAttribute("aria-expanded", "false")
    /** @type {Element | undefined} */
    let unfolded
    button.addEventListener("click", () => {
      if (unfolded) unfolded.remove()
      unfolded = unfolded ? undefined : insertBelow(row, table)
      button.setAttribute("aria-expanded", String(unfolded !== undefined))
    })
    link.before(button, " ")
  }
}

function insertBelow(/** @type {Element} */ row, /** @type {Element} */ table) {
  const copy = /** @type {Element} */ (table.cloneNode(true))
  for (const each of copy.querySelectorAll("[id]")) each.removeAttribute("id")
  const cell = document.createElement("td")
  cell.colSpan = row.children.length
  cell.append(copy)
  const inserted = document.createElement("tr")
  inserted.className = "unfolded"
  inserted.append(cell)
  row.after(inserted)
  return inserted
}
