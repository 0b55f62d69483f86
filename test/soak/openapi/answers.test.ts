import t, { type Test } from "tap"
import { type ProblemCode, problems } from "../../../core/http/problems.ts"
import { exampleEventId } from "../../../core/records/kinds/common.ts"
import type { MountedRoute } from "../../../core/routes/contract.ts"
import { exampleRequestId, problemsOf } from "../../../plugins/documents/openapi/problems.ts"
import { ApiDocument, type TextResponse } from "./api-document.ts"
import { rareCodes, rareProblems, readResponse } from "./rare-problems.ts"
import { badRequest, goodRequest, isFeed, plainProblems, send } from "./requests.ts"
import type { Json } from "../../../plugins/documents/openapi/schemas.ts"
import { openStage } from "./stage.ts"

/** Requests each response that the document describes, and compares it with the description. */
await t.test("responses", async (t) => {
  const stage = await openStage(t)
  const document = new ApiDocument(stage.document)
  const left = new Set<string>()

  const compare = (t: Test, route: MountedRoute, response: TextResponse, example?: string) => {
    const name = `${route.method} ${route.pattern.text}`
    const { status, headers, text } = response
    t.strictSame(document.differences(route, response), [], `${name} ${status}`)
    const [type = ""] = (headers.get("content-type") ?? "").split(";")
    const examples = document.responsesOf(route).get(status)?.content[type]?.examples ?? {}
    if (example === undefined) return
    t.ok(example in examples, `${name} ${status} has the example ${example}`)
    // Compares the order of fields, too. Requests that were refused early have a request id of their own.
    const ownId = headers.get("x-request-id") ?? ""
    const body = text.replace(ownId, exampleRequestId).replace(
      /GET http\S*\/changes/,
      "GET …/changes",
    )
    t.equal(body, JSON.stringify(examples[example]?.["value"]), `${name} ${status} ${example}`)
    left.delete(`${name} ${status} ${example}`)
  }
  /** The example of a feed has a change of each category; one of them is a deletion, which no first page has. */
  const compareFeed = (t: Test, route: MountedRoute, { text }: TextResponse) => {
    const { examples = {} } = document.responsesOf(route).get(200)?.content["application/json"] ??
      {}
    const { changes } = examples["page"]?.["value"] as { changes: readonly Json[] }
    const sent: readonly Json[] = JSON.parse(text).changes
    for (const change of changes.filter((change) => "record" in change)) {
      t.strictSame(
        sent.filter(({ id, category }) => id === change["id"] && category === change["category"]),
        [
          change,
        ],
      )
    }
    left.delete(`${route.method} ${route.pattern.text} 200 page`)
  }
  for (const route of stage.routes) {
    for (const [status, { content }] of document.responsesOf(route)) {
      const names = Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples))
      for (const each of names) left.add(`${route.method} ${route.pattern.text} ${status} ${each}`)
    }
  }

  for (const route of stage.routes) {
    if (route.kind === "handler" && route.announced) continue
    await t.test(`${route.method} ${route.pattern.text} is as described, and its example is real`, async (t) => {
      const request = await goodRequest(route, stage)
      const response = await readResponse(send(request, stage.usual.url))
      t.ok(response.status < 300, `${response.status} ${response.text}`)
      const hasPage = route.kind === "listing" && !route.export && !isFeed(route)
      compare(t, route, response, hasPage ? "page" : undefined)
      if (isFeed(route)) compareFeed(t, route, response)
      const types = Object.keys(document.responsesOf(route).get(200)?.content ?? {})
      for (const accept of route.kind === "listing" ? types : []) {
        const asked = { ...request, headers: { ...request.headers, accept } }
        const chosen = await readResponse(send(asked, stage.usual.url))
        t.ok(chosen.headers.get("content-type")?.startsWith(accept), accept)
        compare(t, route, chosen)
      }
      const etag = response.headers.get("etag")
      if (etag === null) return
      const headers = { ...request.headers, "if-none-match": etag }
      const again = await readResponse(send({ ...request, headers }, stage.usual.url))
      t.equal(again.status, 304)
      compare(t, route, again)
      const page = { ...request, path: `${request.path.split("?")[0]}?limit=1` }
      compare(t, route, await readResponse(send(page, stage.usual.url)))
      const patient = { ...request, headers: { ...request.headers, prefer: "wait=1" } }
      compare(t, route, await readResponse(send(patient, stage.usual.url)))
    })
  }

  for (const code of plainProblems) {
    await t.test(`${code} is as described on every route that can return it, and its example is real`, async (t) => {
      const routes = stage.routes.filter((route) => codesOf(route).includes(code))
      t.ok(routes.length > 0)
      for (const route of routes) {
        const request = await badRequest(route, code, stage)
        compare(t, route, await readResponse(send(request, stage.usual.url)), code)
      }
    })
  }

  for (const [code, provoke] of Object.entries(await rareProblems(stage))) {
    await t.test(`${code} is as described on every route that can return it, and its example is real`, async (t) => {
      const routes = stage.routes.filter((route) =>
        codesOf(route).includes(code as ProblemCode) && !(code === "internal" && cannotFail(route))
      )
      t.ok(routes.length > 0)
      for (const route of routes) {
        compare(t, route, await provoke(route), code)
      }
    })
  }

  await t.test("a page without ETag is as described", async (t) => {
    const { build, database } = stage.workshop
    const { organization_id } = await database.writer.selectFrom("event").select("organization_id")
      .where("id", "=", exampleEventId).executeTakeFirstOrThrow()
    await build.event(organization_id)
    const routes = stage.routes.filter((route) =>
      route.kind === "listing" && route.list.name === "events"
    )
    t.ok(routes.length > 0)
    for (const route of routes) {
      const request = await goodRequest(route, stage)
      const page = { ...request, path: `${request.path.split("?")[0]}?limit=1` }
      const response = await readResponse(send(page, stage.usual.url))
      t.equal(response.headers.get("etag"), null)
      compare(t, route, response)
    }
  })

  await t.test("every example of the document was requested", (t) => {
    const expected = stage.routes.flatMap((route) => {
      const name = `${route.method} ${route.pattern.text}`
      // The embedded database is never unavailable.
      return [
        ...cannotFail(route) ? [`${name} 500 internal`] : [],
        `${name} 503 unavailable`,
      ]
    })
    t.strictSame([...left].sort(), expected.sort())
    t.end()
  })
})

t.test("every error of the table is in the document, or is about unknown URLs", (t) => {
  const told = new Set<string>([...plainProblems, ...rareCodes])
  const untold = Object.keys(problems).filter((code) => !told.has(code))
  t.strictSame(untold, ["method_not_allowed", "unavailable"])
  t.end()
})

function codesOf(route: MountedRoute): readonly ProblemCode[] {
  return problemsOf(route).flatMap(({ codes }) => codes)
}

/** True for handlers without a database: only a bug causes their errors, but all routes describe them. */
function cannotFail(route: MountedRoute): boolean {
  return route.auth.kind === "anyone" && !(route.kind === "handler" && route.describe?.body)
}
