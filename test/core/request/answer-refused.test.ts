import { writeFileSync } from "node:fs"
import { join } from "node:path"
import t from "tap"
import { freshWorkshop, logInto } from "../../support/service.ts"

const source = `import {
  definePlugin, handler, operatorOnly, Problem, signedIn, v,
} from "event-export/plugin"
const refused = (problem, { request, requestId }) => {
  if (request.headers.get("accept") !== "text/html") return undefined
  if (problem.code === "not_found") throw new Error("cannot")
  if (problem.code === "unauthenticated") {
    return new Response(null, { status: 303, headers: { location: "/log-in" } })
  }
  const headers = { "content-type": "text/html" }
  return new Response(\`<p>\${problem.message} \${requestId}\`, { status: problem.status, headers })
}
const fail = ({ params }) => {
  throw new Problem(params.code, "so it is", { headers: { "retry-after": "7" } })
}
export default definePlugin({
  apiVersion: 3, name: "pages", summary: "Pages", settings: v.strictObject({}),
  mount: () => ({ prefix: "/pages", routes: [
    handler("GET", "/fails/:code", { auth: signedIn, handle: fail, refused }),
    handler("GET", "/plain/:code", { auth: signedIn, handle: fail }),
    handler("GET", "/operators", { auth: operatorOnly, handle: fail, refused }),
  ] }),
})`

await t.test("a route", async (t) => {
  const workshop = await freshWorkshop(t)
  writeFileSync(join(workshop.folder, "package.json"), '{ "type": "module" }')
  writeFileSync(join(workshop.folder, "pages.js"), source)
  workshop.write("  - use: ./pages.js")
  await workshop.build.account("somebody")
  const { fetch } = await workshop.start()
  const send = await logInto(fetch, "somebody")
  const html = { accept: "text/html", "x-request-id": "the-id" }

  await t.test("words its refusals itself, with the headers of the problem", async (t) => {
    const response = await send("/pages/fails/unavailable", html)
    t.equal(response.status, 503)
    t.equal(await response.text(), "<p>so it is the-id")
    t.match(Object.fromEntries(response.headers), {
      ...{ "content-type": "text/html", "cache-control": "no-store", "retry-after": "7" },
      "x-request-id": "the-id",
    })
    t.match(workshop.entries.at(-1), { status: 503, code: "unavailable", account: "somebody" })
    const denied = await send("/pages/operators", html)
    t.equal(await denied.text(), "<p>This is for operators of the service. the-id")
  })

  await t.test("leaves them to the service by returning undefined, and by throwing", async (t) => {
    t.match(await (await send("/pages/fails/unavailable")).json(), { code: "unavailable" })
    t.match(await (await send("/pages/plain/unavailable", html)).json(), { code: "unavailable" })
    const thrown = await send("/pages/fails/not_found", html)
    t.equal(thrown.status, 404)
    t.match(await thrown.json(), { code: "not_found" })
    t.ok(workshop.entries.some(({ message }) => message === "plugin pages cannot word a refusal"))
  })

  await t.test("that redirects strangers still counts as a refusal: they cannot flood the log", async (t) => {
    const before = workshop.entries.length
    const stranger = () => fetch(new Request("http://localhost/pages/operators", { headers: html }))
    const responses = await Promise.all(Array.from({ length: 40 }, stranger))
    const [first] = responses
    t.equal(first?.status, 303)
    t.equal(first?.headers.get("location"), "/log-in")
    const lines = workshop.entries.slice(before).filter(({ message }) => message === "request")
    t.ok(lines.length <= 20, `${lines.length} lines for 40 requests`)
    t.match(lines[0], { status: 303, code: "unauthenticated" })
  })
})
