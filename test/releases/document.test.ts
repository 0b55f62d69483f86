import t from "tap"
import { documentChanges } from "./document-changes.ts"
import { recorded } from "./last-release.ts"
import { presentDocument } from "./present-document.ts"
import type { Json } from "./schema-changes.ts"

const before = JSON.parse(recorded("openapi.json")) as Json

/**
 * Without `since`, an export has become whole: clients that read it get more, and miss nothing. Programs to download have
 * given way to others; nothing asks for them but people. Neither does anything ask for pages, which are no longer described.
 */
const intended =
  /\/export: query since: it has another default$|^get \/docs(\/(poll\.\w+|\{file\}|changes|reference))? is gone$|guide\.md: it has another operationId$/

t.test("the OpenAPI document still has all that the last release promised", async (t) => {
  const changes = documentChanges(before, await presentDocument())
  t.strictSame(changes.filter((change) => !intended.test(change)), [])
})

const guests = "/connector-a/v1/events/{eventId}/guests"
const list = ["paths", guests, "get"]
const guest = ["components", "schemas", "ConnectorAGuest"]
const since = ["components", "parameters", "since"]
const logIn = ["paths", "/session", "post"]
const body = [...logIn, "requestBody", "content", "application/json", "schema"]
const session = ["paths", "/session", "get", "responses", "200", "content", "application/json", "schema"]
const limit = ["components", "parameters", "limit", "schema"]

/** Changes that break a client, and what is said of them. */
const breaking: Readonly<Record<string, [change: (document: Json) => void, said: RegExp]>> = {
  "a path is gone": [(document) => remove(document, ["paths", guests]), /^get .*guests is gone$/],
  "a status is gone": [(document) => remove(document, [...list, "responses", "304"]), /304 is gone/],
  "a media type is gone": [
    (document) => remove(document, [...list, "responses", "200", "content", "text/csv"]),
    /status 200: text\/csv.* is gone/,
  ],
  "a header is gone": [
    (document) => remove(document, [...list, "responses", "200", "headers", "Next-Since"]),
    /the header Next-Since is gone/,
  ],
  "a header may be missing": [
    (document) => put(document, ["components", "headers", "Next-Since", "required"], false),
    /the header Next-Since may be missing/,
  ],
  "a field is gone": [(document) => remove(document, [...guest, "properties", "email"]), /email is gone/],
  "a field may be missing": [
    (document) => put(document, [...guest, "required"], ["id"]),
    /\bemail may be missing/,
  ],
  "a field has another type": [
    (document) => put(document, [...guest, "properties", "email", "type"], "integer"),
    /email was string, and is integer/,
  ],
  "a field may be null": [
    (document) => put(document, [...guest, "properties", "email", "type"], ["string", "null"]),
    /email was string, and is string or null/,
  ],
  "a value is gone": [
    (document) => put(document, [...session, "properties", "role", "enum"], ["service", "partner"]),
    /role has lost the value "operator"/,
  ],
  "a parameter is required": [(document) => put(document, [...since, "required"], true), /since is required/],
  "a parameter has another default": [
    (document) => put(document, [...limit, "default"], 10),
    /limit: it has another default/,
  ],
  "a parameter takes fewer values": [
    (document) => put(document, ["components", "parameters", "category", "schema", "enum"], ["", "pledges"]),
    /category: it has lost the value "tickets"/,
  ],
  "a new parameter is required": [
    (document) =>
      put(document, [...list, "parameters", "next"], { name: "x", in: "query", required: true }),
    /query x is required/,
  ],
  "a field of a body is required": [
    (document) => put(document, [...body, "required"], ["username", "password", "code"]),
    /code is required/,
  ],
  "a body takes fewer fields": [
    (document) => remove(document, [...body, "properties", "username"]),
    /username is gone/,
  ],
  "a session is needed": [
    (document) => put(document, [...logIn, "security"], [{ session: [] }]),
    /it needs a session/,
  ],
  "a way to log in is gone": [
    (document) => put(document, [...list, "security"], [{ session: [] }]),
    /it does not take bearer/,
  ],
  "an operation has another name": [
    (document) => put(document, [...list, "operationId"], "listGuests"),
    /another operationId/,
  ],
}

for (const [name, [change, said]] of Object.entries(breaking)) {
  t.test(`the comparison of documents notices that ${name}`, (t) => {
    const now = structuredClone(before)
    change(now)
    const found = documentChanges(before, now)
    t.ok(found.some((sentence) => said.test(sentence)), found.slice(0, 5).join("\n") || "nothing")
    t.end()
  })
}

/** Changes that clients bear. */
const harmless: Readonly<Record<string, (document: Json) => void>> = {
  "a new path": (document) => put(document, ["paths", "/new"], { get: { responses: {} } }),
  "a new field": (document) => put(document, [...guest, "properties", "pronouns"], { type: "string" }),
  "a new optional parameter": (document) =>
    put(document, [...list, "parameters", "next"], { name: "x", in: "query", schema: {} }),
  "a field that is never null any more": (document) =>
    put(document, [...guest, "properties", "mainAddress"], {
      $ref: "#/components/schemas/AddressDetail",
    }),
  "a new value": (document) =>
    put(document, [...session, "properties", "role", "enum", "next"], "auditor"),
}

for (const [name, change] of Object.entries(harmless)) {
  t.test(`the comparison of documents lets ${name} pass`, (t) => {
    const now = structuredClone(before)
    change(now)
    t.strictSame(documentChanges(before, now), [])
    t.end()
  })
}

t.test("an operation that was deprecated may be gone", (t) => {
  const deprecated = structuredClone(before)
  put(deprecated, [...list, "deprecated"], true)
  const now = structuredClone(before)
  remove(now, list)
  t.strictSame(documentChanges(deprecated, now), [])
  t.end()
})

function put(document: Json, path: readonly string[], value: unknown): void {
  const place = path.slice(0, -1).reduce<unknown>((part, key) => (part as Json)[key], document)
  if (place === undefined) throw new TypeError(`there is no ${path.join(" ")}`)
  if (Array.isArray(place) && path.at(-1) === "next") place.push(value)
  else (place as Record<string, unknown>)[path.at(-1) ?? ""] = value
}

function remove(document: Json, path: readonly string[]): void {
  const place = path.slice(0, -1).reduce<unknown>((part, key) => (part as Json)[key], document)
  const name = path.at(-1) ?? ""
  const found = Object.keys(place as Json).find((key) => key.startsWith(name))
  if (found === undefined) throw new TypeError(`there is no ${path.join(" ")}`)
  delete (place as Record<string, unknown>)[found]
}
