import { element, logIn, readAccount, readOpenapi, showAccount } from "./session.js"

const form = /** @type {HTMLFormElement} */ (element("log-in"))

form.addEventListener("submit", async (event) => {
  event.preventDefault()
  const { username, password } = Object.fromEntries(new FormData(form))
  const problem = await logIn(String(username), String(password))
  element("log-in-problem").textContent = problem ?? ""
  if (problem !== undefined) return
  element("main").focus()
  await show()
})

await show()

/** Shows the reference if there is a session, else the log-in form. */
async function show() {
  const account = await readAccount()
  showAccount(account)
  form.hidden = account !== undefined
  if (!account) return
  const status = element("reference-status")
  try {
    status.textContent = "Loading the reference…"
    const [openapi] = await Promise.all([readOpenapi(), loadViewer()])
    draw(openapi)
    status.textContent = ""
  } catch (error) {
    status.textContent = `The reference cannot be shown: ${/** @type {Error} */ (error).message}`
  }
}

/** @returns {Promise<void>} */
function loadViewer() {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script")
    script.src = "/docs/viewer.js"
    script.addEventListener("load", () => resolve())
    script.addEventListener("error", () => reject(new Error("its script cannot be loaded")))
    document.head.append(script)
  })
}

/** @param {import("./session.js").OpenApi} openapi */
function draw(openapi) {
  const { Scalar } = /** @type {{ Scalar: { createApiReference: Function } }} */ (
    /** @type {unknown} */ (window)
  )
  Scalar.createApiReference("#viewer", {
    content: viewerDocument(openapi),
    // Disables all requests to other hosts.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    defaultOpenAllTags: true,
    showDeveloperTools: "never",
    documentDownloadType: "none",
  })
}

/**
 * Returns the document for the viewer. It has no session cookie, which the browser sends by itself and
 * which nobody should paste; not these pages; and this page's URL, because it may send requests to no other.
 * @param {import("./session.js").OpenApi} openapi
 */
function viewerDocument(
  { paths, components: { securitySchemes: _, ...components }, tags, ...rest },
) {
  const shown = Object.entries(paths).filter(([path]) => !/^\/docs(\/|$)/.test(path))
  const open = shown.map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map((
        [method, { security: _, ...operation }],
      ) => [method, operation]),
    ),
  ])
  return {
    ...rest,
    servers: [{ url: location.origin }],
    tags: tags.filter(({ name }) => name !== "docs"),
    paths: Object.fromEntries(open),
    components,
  }
}
