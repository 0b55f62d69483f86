/**
 * The key of the browser's storage that records a log-in, because scripts cannot see the cookie. So a page
 * sends no request for a visitor who has never logged in.
 */
const remembered = "event-export.logged-in"

/**
 * Returns the account that is logged in, or undefined if there is none.
 * @returns {Promise<{ username: string, role: string } | undefined>}
 */
export async function readAccount() {
  if (localStorage.getItem(remembered) === null) return undefined
  const response = await fetch("/session")
  if (response.ok) return await response.json()
  if (response.status === 401) localStorage.removeItem(remembered)
  return undefined
}

/**
 * Logs in. Returns the problem as text, or undefined.
 * @param {string} username
 * @param {string} password
 * @returns {Promise<string | undefined>}
 */
export async function logIn(username, password) {
  const response = await fetch("/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username, password }),
  })
  if (!response.ok) return (await response.json()).detail
  localStorage.setItem(remembered, "yes")
  return undefined
}

/**
 * Shows the account in the header.
 * @param {{ username: string } | undefined} account
 */
export function showAccount(account) {
  element("who").textContent = account?.username ?? ""
  element("to-log-in").hidden = account !== undefined
  element("log-out").hidden = account === undefined
}

/** Offers to log out if the header has the name of an account: the service has written it there. */
export function showNamedAccount() {
  const username = element("who").textContent
  if (username) localStorage.setItem(remembered, "yes")
  showAccount(username ? { username } : undefined)
}

/**
 * The part of an operation that these pages read.
 * @typedef {{
 *   security?: unknown,
 *   parameters?: Parameter[],
 *   requestBody?: unknown,
 *   responses?: Record<string, unknown>,
 * }} Operation
 */

/**
 * A parameter of an operation, or a reference to one.
 * @typedef {{
 *   $ref?: string,
 *   in?: string,
 *   name?: string,
 *   example?: unknown,
 *   schema?: { examples?: unknown[] },
 * }} Parameter
 */

/**
 * The part of an OpenAPI document that these pages read.
 * @typedef {{
 *   paths: Record<string, Record<string, Operation>>,
 *   components: { securitySchemes?: unknown, parameters?: Record<string, Parameter> },
 *   tags: { name: string }[],
 * }} OpenApi
 */

/**
 * Reads the document with the operations that the account may call.
 * @returns {Promise<OpenApi>}
 */
export async function readOpenapi() {
  const response = await fetch("/openapi.json")
  if (!response.ok) throw new Error((await response.json()).detail)
  return await response.json()
}

/**
 * Returns the element with an id; the page must have it.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function element(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id))
}

element("log-out").addEventListener("click", async () => {
  await fetch("/session", { method: "DELETE" })
  localStorage.removeItem(remembered)
  location.reload()
})
