import t from "tap"
import { parse } from "yaml"
import { freshApp } from "../../support/app.ts"

type Json = Readonly<Record<string, unknown>>

const { build, logIn, request } = await freshApp(t, "sqlite")
const organization = await build.organization("acme")
const event = await build.event(organization)
for (const [name, role] of [["partner", "partner"], ["acme-export", "service"]] as const) {
  await build.account(name, role)
  await build.grant(name, { organization: "acme" })
}

t.test("/docs/kit/airbyte.yaml has a stream per kind of record, with the paths and fields of the document", async (t) => {
  const get = await logIn("acme-export")
  const { paths, components } = await (await get("/openapi.json")).json()
  const text = await (await get("/docs/kit/airbyte.yaml")).text()
  const manifest = parse(text)
  for (const [, path = ""] of text.matchAll(/\$ref: "?#\/([\w/]+)/g)) {
    t.ok(path.split("/").reduce((part, name) => part?.[name], manifest), path)
  }
  t.strictSame(manifest.streams.map(({ name }: Json) => name), [
    "event",
    "guest",
    "buy_now_item",
    "auction_item",
    "pledge",
    "raffle",
    "gli_raffle",
    "ticket",
  ])
  for (const { name, retriever, schema_loader } of manifest.streams) {
    const path = retriever.requester.path.replace("{{ stream_partition.event_id }}", "{eventId}")
    const { parameters } = paths[path].get
    const { responses } = paths[path.replace(/\/export$/, "")].get
    const { category } = retriever.requester.request_parameters ?? {}
    if (category !== undefined) {
      t.ok(parameters.some(({ $ref }: { $ref: string }) => $ref.endsWith("/category")), name)
    }
    const resolve = (schema: Json): Json =>
      "$ref" in schema ? components.schemas[String(schema["$ref"]).split("/").at(-1) ?? ""] : schema
    const body = resolve(responses["200"].content["application/json"].schema)
    const array = category === undefined
      ? body
      : (body["properties"] as Record<string, Json>)[category]
    const fields = Object.keys(resolve(array?.["items"] as Json)["properties"] as Json)
    const own = Object.keys(schema_loader.schema.properties)
    t.strictSame(own.filter((field) => fields.includes(field)), fields, name)
  }
})

t.test("GET /docs/kit lists files that exist, as a page for browsers, and for each family of the account", async (t) => {
  const get = await logIn("partner")
  const { files } = await (await get("/docs/kit")).json()
  const shown = await get("/docs/kit", { headers: { accept: "text/html" } })
  const page = await shown.text()
  t.match(page, />partner<\/\w+>[^]*<button>Log out<\/button>/)
  t.match(page, /<a href="\/docs\/kit"\s+aria-current="page"\s*>Kit<\/a>/)
  t.match(page, 'Questions: <a href="mailto:partners@example.org">partners@example.org</a>')
  t.match(
    shown.headers.get("content-security-policy"),
    "script-src 'self'",
    "its theme switch works",
  )
  t.strictSame(
    new Set(files.map(({ family }: Json) => family)),
    new Set([
      null,
      "/connector-a/v1",
      "/connector-b/v1",
    ]),
  )
  t.match(page, 'href="/docs/log-in-and-tokens#tokens"')
  for (const { url, name, family, about, credential } of files) {
    t.match(about, /^[A-Z].*\.$/, "a sentence")
    t.ok(page.includes(`data-label="Needs">${credential}</td>`), `${name} says what it needs`)
    t.ok(page.includes(`href="${url.replaceAll("&", "&amp;")}"`), url)
    const response = await get(url)
    const text = await response.text()
    t.equal(response.status, 200, url)
    t.match(response.headers.get("cache-control"), "private")
    if (family) {
      t.ok(
        text.includes(`${family.slice(1)}/`) || text.includes(family),
        `${name} is for ${family}`,
      )
    }
    if (!family || text.includes("eventId")) t.ok(family || text.includes(event), url)
    t.notMatch(text, /undefined|\[object|\/(acme|borealis)\/|event_export_session/, url)
  }
  t.equal((await get("/docs/kit/nothing")).status, 404)
  t.equal((await get("/docs/kit/dlt.py?family=/borealis/v1")).status, 404, "not this account's")
  const stranger = await request("/docs/kit", { headers: { accept: "text/html" } })
  t.equal(stranger.status, 303)
  t.equal(stranger.headers.get("location"), "/docs/log-in?next=%2Fdocs%2Fkit")
  t.match(await (await request("/docs/kit")).json(), { code: "unauthenticated" })
})
