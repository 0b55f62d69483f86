/** The sections of the guide when it was one page, by their ids, and the pages that have them now. */
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

/** Leads from a place in the one page of before to the page that has it now. */
function followMoved() {
  const id = location.hash.slice(1)
  if (location.pathname !== "/docs" || id === "" || document.getElementById(id)) return
  const [page] = Object.entries(moved).find(([, ids]) => ids.includes(id)) ??
    (id.startsWith("error-") ? ["/docs/errors"] : [])
  if (page) location.replace(`${page}#${id}`)
}

/** Keeps the language that the reader chooses for the examples. */
function rememberLanguage() {
  const key = "event-export.language"
  const stored = document.getElementById(localStorage.getItem(key) ?? "")
  if (stored instanceof HTMLInputElement && stored.name === "language") stored.checked = true
  for (const choice of document.querySelectorAll("input[name=language]")) {
    choice.addEventListener("change", () => localStorage.setItem(key, choice.id))
  }
}
