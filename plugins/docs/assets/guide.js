import { element, readAccount, readOpenapi, showAccount } from "./session.js"

// Browsers let a page write to the clipboard only over TLS, or from this machine.
for (const example of navigator.clipboard ? document.querySelectorAll(".example") : []) {
  const button = /** @type {HTMLButtonElement} */ (example.querySelector(".copy"))
  const code = /** @type {HTMLElement} */ (example.querySelector("code"))
  button.hidden = false
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.textContent ?? "")
    button.textContent = "Copied"
    setTimeout(() => (button.textContent = "Copy"), 2000)
  })
}

const account = await readAccount()
showAccount(account)
if (account) {
  fill("username", account.username)
  const { paths } = await readOpenapi()
  const families = Object.keys(paths).filter((path) => path.endsWith("/events"))
  // Prefers a family with items, because the examples read items too.
  const events = families.find((path) => `${path}/{eventId}/items/digest` in paths) ?? families[0]
  if (events) fill("family", events.replace(/\/events$/, ""))
  element("filled").textContent = "They name your account and the path of your family."
}

/**
 * Fills the reader's own names into the examples.
 * @param {string} place
 * @param {string} text
 */
function fill(place, text) {
  for (const each of document.querySelectorAll(`[data-fill="${place}"]`)) each.textContent = text
}
