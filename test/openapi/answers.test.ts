// slow: compares thousands of responses with the document
import t, { type Test } from "tap"
import { type ProblemCode, problems } from "../../core/http/problems.ts"
import type { MountedRoute } from "../../core/routes/contract.ts"
import { exampleRequestId } from "../../plugins/openapi/examples.ts"
import { problemsOf } from "../../plugins/openapi/problems.ts"
import { onEveryEngine } from "../support/database.ts"
import { type CameBack, Described } from "./described.ts"
import { cameBack, rareCodes, rareProblems } from "./rare-problems.ts"
import { badRequest, goodRequest, plainProblems, send } from "./requests.ts"
import { openStage } from "./stage.ts"

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

/** Every answer that a document describes is asked for, and compared with what the document says. */
await onEveryEngine(t, async (t, engine) => {
  const stage = await openStage(t, engine)
  const described = new Described(stage.document)
  const left = new Set<string>()

  const compare = (t: Test, route: MountedRoute, came: CameBack, example?: string) => {
    const name = `${route.method} ${route.pattern.text}`
    t.strictSame(described.differences(route, came), [], `${name} ${came.status}`)
    const [type = ""] = (came.headers.get("content-type") ?? "").split(";")
    const shown = described.answersOf(route).get(came.status)?.content[type]?.examples ?? {}
    if (example === undefined) return
    t.ok(example in shown, `${name} ${came.status} shows ${example}`)
    // The order of fields is the same, too. Only requests that were refused early have ids of their own.
    const ownId = came.headers.get("x-request-id") ?? ""
    const body = came.text.replace(ownId, exampleRequestId)
    t.equal(body, JSON.stringify(shown[example]?.["value"]), `${name} ${came.status} ${example}`)
    left.delete(`${name} ${came.status} ${example}`)
  }
  for (const route of stage.routes) {
    for (const [status, { content }] of described.answersOf(route)) {
      const shown = Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples))
      for (const each of shown) left.add(`${route.method} ${route.pattern.text} ${status} ${each}`)
    }
  }

  for (const route of stage.routes) {
    if (route.kind === "handler" && route.announced) continue
    await t.test(`${route.method} ${route.pattern.text} is as described, and its example is real`, async (t) => {
      const asked = await goodRequest(route, stage)
      const came = await cameBack(send(asked, stage.usual.url))
      t.ok(came.status < 300, `${came.status} ${came.text}`)
      compare(t, route, came, route.kind === "listing" ? "page" : undefined)
      const etag = came.headers.get("etag")
      if (etag === null) return
      const headers = { ...asked.headers, "if-none-match": etag, traceparent }
      const again = await cameBack(send({ ...asked, headers }, stage.usual.url))
      t.equal(again.status, 304)
      compare(t, route, again)
      const page = { ...asked, path: `${asked.path.split("?")[0]}?limit=1` }
      compare(t, route, await cameBack(send(page, stage.usual.url)))
    })
  }

  for (const code of plainProblems) {
    await t.test(`${code} is as described on every route that can return it, and its example is real`, async (t) => {
      const routes = stage.routes.filter((route) => codesOf(route).includes(code))
      t.ok(routes.length > 0)
      for (const route of routes) {
        const asked = await badRequest(route, code, stage)
        compare(t, route, await cameBack(send(asked, stage.usual.url)), code)
      }
    })
  }

  for (const [code, provoke] of Object.entries(await rareProblems(stage))) {
    await t.test(`${code} is as described on every route that can return it, and its example is real`, async (t) => {
      const routes = stage.routes.filter((route) =>
        codesOf(route).includes(code as ProblemCode) && !isUntroubled(route, code)
      )
      t.ok(routes.length > 0)
      for (const route of routes) {
        compare(t, route, await provoke(route), code)
      }
    })
  }

  await t.test("every example of the document was requested", (t) => {
    const expected = stage.routes.flatMap((route) => {
      const name = `${route.method} ${route.pattern.text}`
      const isLeft = (code: string) =>
        isUntroubled(route, code) || code === "unavailable" && engine === "sqlite"
      return [
        ...isLeft("internal") ? [`${name} 500 internal`] : [],
        ...isLeft("unavailable") ? [`${name} 503 unavailable`] : [],
      ]
    })
    t.strictSame([...left].sort(), expected.sort())
    t.end()
  })
})

t.test("every error of the table is in the document, or is about unknown URLs", (t) => {
  const told = new Set<string>([...plainProblems, ...rareCodes])
  const untold = Object.keys(problems).filter((code) => !told.has(code))
  t.strictSame(untold, ["method_not_allowed"])
  t.end()
})

function codesOf(route: MountedRoute): readonly ProblemCode[] {
  return problemsOf(route).flatMap(({ codes }) => codes)
}

/** Handlers that ask no database: only a bug could bring them to fail, and the document says so of all. */
function isUntroubled(route: MountedRoute, code: string): boolean {
  if (route.auth.kind !== "anyone" || route.kind === "handler" && route.describe?.body) return false
  return code === "internal" || code === "unavailable" && route.pattern.text !== "/readyz"
}
