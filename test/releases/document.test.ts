import t from "tap"
import { recorded } from "./last-release.ts"
import { presentDocument } from "./present-document.ts"
import { type Json, promiseChanges } from "./promise-changes.ts"

const before = JSON.parse(recorded("openapi.json")) as Json

/**
 * What version 2.0 breaks: a header that only operators got, as their log has the same; one that repeated what the caller's
 * own tracing knows; and names that were in snake_case outside of the records.
 */
const intended = [
  /\.Server-Timing is gone$/,
  /\.traceresponse is gone$/,
  /^\/session\/(pings|tokens)\..*\.[a-z]+(_[a-z]+)+ (is gone|may be missing)$/,
]

t.test("the OpenAPI document still has all that the last release promised", async (t) => {
  const changes = promiseChanges(before, await presentDocument(), "response")
  t.strictSame(changes.filter((change) => !intended.some((each) => each.test(change))), [])
})

const guests = "/connector-a/v1/events/{eventId}/guests"
const items = "/connector-b/v1/events/{eventId}/items"
const list = ["paths", guests, "get"]
const guest = ["components", "schemas", "ConnectorAGuest"]
const since = ["components", "parameters", "since"]
const logIn = ["paths", "/session", "post"]
const body = [...logIn, "requestBody", "content", "application/json", "schema"]
const session = ["paths", "/session", "get", "responses", "200", "content", "application/json", "schema"]
const limit = ["components", "parameters", "limit", "schema"]

/** Changes that break a client, and what is said of them. */
const breaking: Readonly<Record<string, [change: (document: Json) => void, said: RegExp]>> = {
  "a path is gone": [(document) => remove(document, ["paths", guests]), /guests is gone$/],
  "a status is gone": [(document) => remove(document, [...list, "responses", "304"]), /304 is gone/],
  "a media type is gone": [
    (document) => remove(document, [...list, "responses", "200", "content", "text/csv"]),
    /200\.text\/csv.* is gone/,
  ],
  "a header is gone": [
    (document) => remove(document, [...list, "responses", "200", "headers", "Next-Since"]),
    /Next-Since is gone/,
  ],
  "a header may be missing": [
    (document) => put(document, ["components", "headers", "Next-Since", "required"], false),
    /Next-Since may be missing/,
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
    /limit\.schema has another default/,
  ],
  "a parameter takes fewer values": [
    (document) => put(document, ["components", "parameters", "category", "schema", "enum"], ["", "pledges"]),
    /category\.schema has lost the value "tickets"/,
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
    /post needs a session/,
  ],
  "a way to log in is gone": [
    (document) => put(document, [...list, "security"], [{ session: [] }]),
    /get does not take bearer/,
  ],
  "an operation has another name": [
    (document) => put(document, [...list, "operationId"], "listGuests"),
    /has another operationId/,
  ],
}

t.test("the comparison of documents notices what breaks a client", (t) => {
  for (const [name, [change, said]] of Object.entries(breaking)) {
    t.match(changesAfter(change).join("\n"), new RegExp(said, "m"), name)
  }
  t.end()
})

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

t.test("the comparison of documents lets pass what clients bear", (t) => {
  for (const [name, change] of Object.entries(harmless)) t.strictSame(changesAfter(change), [], name)
  const deprecated = structuredClone(part)
  put(deprecated, [...list, "deprecated"], true)
  t.strictSame(changesAfter((document) => remove(document, list), deprecated), [], "a deprecated path")
  t.end()
})

/** What the changes are made in: comparing all paths each time would take long. */
const part: Json = { ...before, paths: pick(before["paths"] as Json, [guests, items, "/session"]) }

function pick(all: Json, names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, all[name]]))
}

function changesAfter(change: (document: Json) => void, former = part): string[] {
  const now = structuredClone(former)
  change(now)
  return promiseChanges(former, now, "response")
}

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
