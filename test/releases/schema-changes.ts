import { isDeepStrictEqual } from "node:util"

/** A JSON schema, or another part of a document. */
export type Json = Readonly<Record<string, unknown>>

/** Who sends what a schema describes: the service, or its client. */
export type Direction = "response" | "request"

/** A schema with the document that its references point into. */
export interface Place {
  readonly document: Json
  readonly schema: unknown
}

/**
 * Returns what breaks those who rely on a schema, a sentence each. Of a response, everything that was promised must
 * still be there; a request that was right must still be. Knows the keywords that this service uses.
 */
export function schemaChanges(before: Place, now: Place, direction: Direction): string[] {
  return compare(before, now, { direction, at: "", seen: new Set() })
}

interface Context {
  readonly direction: Direction
  readonly at: string
  /** Pairs of references that are being compared. */
  readonly seen: ReadonlySet<string>
}

function compare(before: Place, now: Place, context: Context): string[] {
  const anything = context.direction === "request" ? before : now
  // Nothing was allowed there, or nothing comes any more.
  if (anything.schema === false) return []
  if ((anything === before ? now : before).schema === false) return [`${context.at} takes nothing`]
  const pair = `${refOf(before)} ${refOf(now)}`
  if (context.seen.has(pair)) return []
  const seen = pair === " " ? context.seen : new Set([...context.seen, pair])
  const [was, is] = [resolve(before), resolve(now)]
  const inside = { ...context, seen }
  const places = { was: { ...before, schema: was }, is: { ...now, schema: is } }
  return [
    ...typeChanges(was, is, inside),
    ...valueChanges(was, is, inside),
    ...limitChanges(was, is, inside),
    ...alternativeChanges(places, inside),
    ...propertyChanges(places, inside),
    ...(["items", "additionalProperties"] as const).flatMap((name) =>
      isSchema(was[name]) && isSchema(is[name])
        ? compare(part(places.was, name), part(places.is, name), into(inside, `[${name}]`))
        : []
    ),
  ]
}

function typeChanges(was: Json, is: Json, { direction, at }: Context): string[] {
  if (was["anyOf"] || is["anyOf"]) return []
  const [before, now] = [typesOf(was), typesOf(is)]
  if (!before || !now) {
    const lost = direction === "response" ? before && !now : now && !before
    return lost ? [`${at || "it"} has another type`] : []
  }
  const [few, many] = direction === "response" ? [now, before] : [before, now]
  const fits = (type: string) =>
    many.includes(type) || (type === "integer" && many.includes("number"))
  return few.every(fits)
    ? []
    : [`${at || "it"} was ${before.join(" or ")}, and is ${now.join(" or ")}`]
}

function valueChanges(was: Json, is: Json, { direction, at }: Context): string[] {
  const [before, now] = [valuesOf(was), valuesOf(is)]
  const name = at || "it"
  if (!before) return now && direction === "request" ? [`${name} is restricted to values`] : []
  if (!now) return direction === "response" ? [`${name} does not name its values any more`] : []
  return before.filter((value) => !now.some((each) => isDeepStrictEqual(each, value)))
    .map((value) => `${name} has lost the value ${JSON.stringify(value)}`)
}

/** Keywords that must stay as they are, or go in requests. */
const exact = ["format", "pattern"]

/** Keywords of requests that must not become narrower: whether a larger number is narrower. */
const limits = {
  minimum: true,
  minLength: true,
  minItems: true,
  maximum: false,
  maxLength: false,
  maxItems: false,
}

function limitChanges(was: Json, is: Json, { direction, at }: Context): string[] {
  const changed = (name: string) => `${at || "it"} has another ${name}`
  const differs = exact.filter((name) => is[name] !== was[name])
    .filter((name) => direction === "response" ? was[name] !== undefined : is[name] !== undefined)
  if (direction === "response") return differs.map(changed)
  const narrower = Object.entries(limits).filter(([name, isLower]) => {
    if (is[name] === undefined) return false
    const [now, before] = [Number(is[name]), Number(was[name] ?? (isLower ? -Infinity : Infinity))]
    return isLower ? now > before : now < before
  }).map(([name]) => name)
  // Times such as "a year ago" move on.
  const isTime = (value: unknown) => Number(value) > 1_000_000_000
  const hasOther = !isDeepStrictEqual(was["default"], is["default"]) &&
    !(isTime(was["default"]) && isTime(is["default"])) && was["default"] !== undefined
  return [...differs, ...narrower, ...hasOther ? ["default"] : []].map(changed)
}

/** Each alternative must have one on the other side that it can take the place of. */
function alternativeChanges(
  { was, is }: { readonly was: SchemaPlace; readonly is: SchemaPlace },
  context: Context,
): string[] {
  const [before, now] = [alternativesOf(was), alternativesOf(is)]
  if (!before && !now) return []
  const [few, many] = context.direction === "response"
    ? [now ?? [is], before ?? [was]]
    : [before ?? [was], now ?? [is]]
  const best = few.map((one) => {
    const found = many.map((other) =>
      context.direction === "response" ? compare(other, one, context) : compare(one, other, context)
    )
    return found.reduce((least, each) => each.length < least.length ? each : least)
  })
  return best.flat()
}

function propertyChanges(
  { was, is }: { readonly was: SchemaPlace; readonly is: SchemaPlace },
  context: Context,
): string[] {
  const [before, now] = [was.schema["properties"] ?? {}, is.schema["properties"] ?? {}] as Json[]
  const required = (schema: Json) => (schema["required"] ?? []) as readonly string[]
  const isResponse = context.direction === "response"
  const [must, least] = isResponse ? [was, is] : [is, was]
  return [
    ...Object.keys(before ?? {}).flatMap((name) => {
      const inside = into(context, name)
      if (now?.[name] === undefined) return [`${inside.at} is gone`]
      return compare(
        { ...was, schema: before?.[name] },
        { ...is, schema: now[name] },
        inside,
      )
    }),
    ...required(must.schema).filter((name) => !required(least.schema).includes(name))
      .filter((name) => !isResponse || now?.[name] !== undefined)
      .map((name) => `${into(context, name).at} ${isResponse ? "may be missing" : "is required"}`),
    ...!isResponse && is.schema["additionalProperties"] === false &&
        was.schema["additionalProperties"] !== false
      ? [`${context.at || "it"} takes no other properties`]
      : [],
  ]
}

type SchemaPlace = Place & { readonly schema: Json }

/** Returns what a place refers to, in the end. @throws {TypeError} if there is nothing. */
export function resolve({ document, schema }: Place): Json {
  const ref = (schema as Json | undefined)?.["$ref"]
  if (typeof ref !== "string") return (schema ?? {}) as Json
  const found = ref.replace(/^#\/?/, "").split("/").filter(Boolean).reduce<unknown>(
    (value, key) => (value as Json)?.[key.replaceAll("~1", "/").replaceAll("~0", "~")],
    document,
  )
  if (found === undefined) throw new TypeError(`there is no ${ref}`)
  return resolve({ document, schema: found })
}

function refOf({ schema }: Place): string {
  return String((schema as Json | undefined)?.["$ref"] ?? "")
}

function part(place: SchemaPlace, name: string): Place {
  return { ...place, schema: place.schema[name] }
}

function isSchema(value: unknown): boolean {
  return typeof value === "object" && value !== null
}

function into(context: Context, name: string): Context {
  const isName = !name.startsWith("[")
  return { ...context, at: context.at && isName ? `${context.at}.${name}` : context.at + name }
}

function typesOf(schema: Json): readonly string[] | undefined {
  const { type } = schema as { type?: string | readonly string[] }
  return typeof type === "string" ? [type] : type
}

function valuesOf(schema: Json): readonly unknown[] | undefined {
  if ("const" in schema) return [schema["const"]]
  return schema["enum"] as readonly unknown[] | undefined
}

function alternativesOf({ document, schema }: SchemaPlace): Place[] | undefined {
  const found = (schema["anyOf"] ?? schema["oneOf"]) as readonly unknown[] | undefined
  return found?.map((each) => ({ document, schema: each }))
}
