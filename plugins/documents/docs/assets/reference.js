/**
 * The part of an operation that this page reads.
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
 * The part of an OpenAPI document that this page reads.
 * @typedef {{
 *   info: { license?: unknown },
 *   paths: Record<string, Record<string, Operation>>,
 *   components: { securitySchemes?: unknown, parameters?: Record<string, Parameter> },
 *   tags: { name: string }[],
 * }} OpenApi
 */

await show()

/** Shows the reference. */
async function show() {
  const status = /** @type {HTMLElement} */ (document.getElementById("reference-status"))
  try {
    status.textContent = "Loading the reference…"
    const [openapi] = await Promise.all([readOpenapi(), loadViewer()])
    draw(openapi)
    status.textContent = ""
  } catch (error) {
    status.textContent = `The reference cannot be shown: ${/** @type {Error} */ (error).message}`
  }
}

/**
 * Fetches the document with the operations that the account may call.
 * @returns {Promise<OpenApi>}
 */
async function readOpenapi() {
  const response = await fetch("/openapi.json")
  if (!response.ok) throw new Error((await response.json()).detail)
  return await response.json()
}

/** @returns {Promise<void>} */
async function loadViewer() {
  const place = "/docs/viewer.js"
  const response = await fetch(place)
  if (!response.ok) throw new Error((await response.json()).detail)
  await new Promise((resolve, reject) => {
    const script = document.createElement("script")
    script.src = place
    script.addEventListener("load", () => resolve(undefined))
    script.addEventListener("error", () => reject(new Error("its script cannot be loaded")))
    document.head.append(script)
  })
}

/** @param {OpenApi} openapi */
function draw(openapi) {
  const { Scalar } = /** @type {{ Scalar: { createApiReference: Function } }} */ (
    /** @type {unknown} */ (window)
  )
  Scalar.createApiReference("#viewer", {
    content: viewerDocument(openapi),
    // The header's button is the only switch of the theme: followTheme.
    hideDarkModeToggle: true,
    forceDarkModeState: shownTheme(),
    orderSchemaPropertiesBy: "preserve",
    orderRequiredPropertiesFirst: false,
    // Disables all requests to other hosts.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    // There are no client libraries: each operation has its command for curl.
    hiddenClients: true,
    hideModels: true,
    defaultOpenAllTags: true,
    showDeveloperTools: "never",
    documentDownloadType: "none",
  })
  addEventListener("event-export.theme", followTheme)
  followTheme()
}

/** @returns {string} `light` or `dark` */
function shownTheme() {
  return document.documentElement.dataset["shown"] ?? "light"
}

/** Makes the viewer follow the page's theme. */
function followTheme() {
  const theme = shownTheme()
  for (const each of ["light", "dark"]) {
    document.body.classList.toggle(`${each}-mode`, each === theme)
  }
}

/**
 * Returns the document for the viewer. It omits the session cookie, which the browser sends by itself and nobody should
 * paste; these pages and lists that are only announced; and the licence, which is the program's, not the data's. It
 * names this page's URL as the only server, because the page may not send requests elsewhere. It adds a curl sample
 * with the cookie file to each operation.
 * @param {OpenApi} openapi
 */
function viewerDocument(
  { info: { license: _license, ...info }, paths, components, tags, ...rest },
) {
  const { securitySchemes: _schemes, ...shown } = components
  const ours = /^\/(docs(\/.*)?|llms\.txt|problems\/.*|favicon\.ico|\.well-known\/.*)?$/
  const open = Object.entries(paths).filter(([path]) => !ours.test(path)).map(
    ([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).filter(isCallable).map((
          [method, { security: _security, ...operation }],
        ) => [method, {
          ...operation,
          "x-codeSamples": [{
            lang: "shell",
            label: "curl",
            source: curlSample(method, path, operation, shown),
          }],
        }]),
      ),
    ],
  )
  return {
    ...rest,
    info,
    servers: [{ url: location.origin }],
    tags: tags.filter(({ name }) => name !== "docs"),
    paths: Object.fromEntries(open),
    components: shown,
  }
}

/**
 * Returns true unless an operation is only announced: then all its responses are errors.
 * @param {[string, Operation]} operation
 */
function isCallable([, { responses = {} }]) {
  return Object.keys(responses).some((status) => status < "400")
}

/**
 * Returns the curl command of an operation, with example values in the path.
 * @param {string} method
 * @param {string} path
 * @param {Operation} operation
 * @param {OpenApi["components"]} components
 */
function curlSample(method, path, { parameters = [], requestBody, responses = {} }, components) {
  const own = parameters.map((parameter) => {
    const name = parameter.$ref?.split("/").at(-1)
    return name === undefined ? parameter : components.parameters?.[name] ?? parameter
  })
  const filled = path.replaceAll(/\{(\w+)\}/g, (placeholder, name) => {
    const found = own.find((parameter) => parameter.in === "path" && parameter.name === name)
    return String(found?.example ?? found?.schema?.examples?.[0] ?? placeholder)
  })
  const url = `'${location.origin}${filled}'`
  if (path === "/session" && requestBody) {
    return `curl -c cookies.txt -H 'content-type: application/json' -d @- ${url} <<JSON
{"username": "…", "password": "…"}
JSON`
  }
  const verb = method === "get" ? "" : `-X ${method.toUpperCase()} `
  // Without a 401, the operation is for anyone.
  return `curl ${verb}${"401" in responses ? "-b cookies.txt " : ""}${url}`
}
