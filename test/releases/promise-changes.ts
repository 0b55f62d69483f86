import { isDeepStrictEqual } from "node:util"

/** An object of a document in JSON. */
export type Json = Readonly<Record<string, unknown>>

/** A part of an OpenAPI document or of a JSON schema, and the document that its references point into. */
interface Place {
  readonly document: Json
  readonly value: unknown
}

interface Context {
  /** Who sends what is described: the service, or its client. */
  readonly side: "response" | "request"
  readonly at: string
  /** Pairs of references that are being compared. */
  readonly seen: readonly string[]
}

/** A value of a keyword, or undefined, in the older document and in the newer. */
type Rule = (was: unknown, is: unknown, context: Context) => readonly string[]

/** Keywords whose values have names, not keywords. */
const named = /^(paths|responses|headers|content|properties)$/

/** Keywords that restrict a request, and may go. */
const limits = /^(enum|const|type|format|pattern|(min|max)(imum|Length|Items))$/

/**
 * Returns what breaks those who rely on a document, a sentence each. Of responses, everything that was promised must
 * still be there; a request that was right must still be. An operation that was deprecated may be gone.
 */
export function promiseChanges(before: Json, now: Json, side: Context["side"]): string[] {
  const [was, is] = [before, now].map((document) => {
    const { components: _, info: _i, ...value } = document
    return { document, value }
  })
  return compare(was as Place, is as Place, { side, at: "", seen: [] })
}

function compare(was: Place, is: Place, context: Context): string[] {
  const pair = `${refOf(was)} ${refOf(is)}`
  if (pair !== " " && context.seen.includes(pair)) return []
  const inside = { ...context, seen: [...context.seen, pair] }
  const [before, now] = [resolve(was), resolve(is)]
  if (!isObject(before) || !isObject(now)) {
    const isNarrower = context.side === "request" ? now === false : before === false
    return isNarrower && before !== now ? [`${context.at} takes nothing`] : []
  }
  if (alternativesOf(before) || alternativesOf(now)) {
    return alternativeChanges({ ...was, value: before }, { ...is, value: now }, inside)
  }
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((key) => {
    const rule = rules[key]
    if (rule) return rule(before[key], now[key], inside)
    const parts = [{ ...was, value: before[key] }, { ...is, value: now[key] }] as const
    if (key === "parameters") return parameterChanges(...parts, inside)
    return named.test(key) && before[key] !== undefined
      ? nameChanges(...parts, inside)
      : partChanges(key, parts, inside)
  })
}

function nameChanges(was: Place, is: Place, context: Context): string[] {
  const [before, now] = [was.value ?? {}, is.value ?? {}] as [Json, Json]
  return Object.keys(before).flatMap((name) =>
    partChanges(name, [{ ...was, value: before[name] }, { ...is, value: now[name] }], context)
  )
}

function partChanges(key: string, [was, is]: readonly [Place, Place], context: Context): string[] {
  const { side, at } = context
  const inside = {
    side: key === "requestBody" ? "request" : side,
    at: at ? `${at}.${key}` : key,
  } as const
  if (is.value === undefined && isObject(resolve(was))) {
    return (resolve(was) as Json)["deprecated"] ? [] : [`${inside.at} is gone`]
  }
  if (isObject(was.value)) return compare(was, is, { ...context, ...inside })
  if (was.value === undefined) {
    const isNarrower = side === "request" && (limits.test(key) || is.value === false)
    return isNarrower ? [`${inside.at} is new`] : []
  }
  const mayGo = side === "request" ? limits.test(key) : key === "default"
  const isSame = isDeepStrictEqual(was.value, is.value) || is.value === undefined && mayGo
  return isSame ? [] : [`${at} has another ${key}`]
}

const rules: Readonly<Record<string, Rule>> = {
  description: () => [],
  required: (was, is, { side, at }) => {
    const [more, fewer] = side === "response" ? [was, is] : [is, was]
    const names = (value: unknown) => Array.isArray(value) ? value : value === true ? [""] : []
    return names(more).filter((name) => !names(fewer).includes(name)).map((name) =>
      `${at}${name && `.${name}`} ${side === "response" ? "may be missing" : "is required"}`
    )
  },
  type: (was, is, { side, at }) => {
    if (was === undefined || is === undefined) return []
    const [few, many] = side === "response" ? [is, was] : [was, is]
    const isWithin = [few].flat().every((type) =>
      [many].flat().some((other) => other === type || other === "number" && type === "integer")
    )
    return isWithin
      ? []
      : [`${at} was ${[was].flat().join(" or ")}, and is ${[is].flat().join(" or ")}`]
  },
  enum: (was, is, { side, at }) => {
    if (!Array.isArray(was)) {
      return is && side === "request" ? [`${at} is restricted to values`] : []
    }
    if (!Array.isArray(is)) return side === "response" ? [`${at} names no values`] : []
    return was.filter((value) => !is.includes(value))
      .map((value) => `${at} has lost the value ${JSON.stringify(value)}`)
  },
  // Times such as "a year ago" move on.
  default: (was, is, { side, at }) =>
    side === "response" || was === undefined || isDeepStrictEqual(was, is) ||
      Math.min(Number(was), Number(is)) > 1_000_000_000
      ? []
      : [`${at} has another default`],
  security: (was, is, { at }) => {
    const [before, now] = [was, is].map((ways) =>
      ((ways ?? []) as readonly Json[]).map((way) => Object.keys(way).sort().join())
    ) as [string[], string[]]
    if (now.length === 0) return []
    if (before.length === 0) return [`${at} needs a session`]
    return before.filter((way) => !now.includes(way)).map((way) => `${at} does not take ${way}`)
  },
}

/** Each alternative must have one on the other side that it can take the place of. */
function alternativeChanges(was: Place, is: Place, context: Context): string[] {
  const placesIn = (place: Place) =>
    (alternativesOf(place.value as Json) ?? [place.value]).map((value) => ({ ...place, value }))
  const [before, now] = [placesIn(was), placesIn(is)]
  const costs = context.side === "response"
    ? now.map((one) => before.map((other) => compare(other, one, context)))
    : before.map((one) => now.map((other) => compare(one, other, context)))
  return costs.flatMap((found) =>
    found.reduce((least, each) => each.length < least.length ? each : least)
  )
}

/** Parameters have their place and name for a key. */
function parameterChanges(was: Place, is: Place, context: Context): string[] {
  const byName = ({ document, value }: Place) =>
    Object.fromEntries(
      ((value ?? []) as unknown[]).map((each) => {
        const found = resolve({ document, value: each }) as Json
        return [`${found["in"]} ${found["name"]}`, found]
      }),
    )
  const [before, now] = [byName(was), byName(is)]
  const added = Object.keys(now).filter((key) => !before[key] && now[key]?.["required"])
  return [
    ...nameChanges({ ...was, value: before }, { ...is, value: now }, {
      ...context,
      side: "request",
    }),
    ...added.map((key) => `${context.at}.${key} is required`),
  ]
}

function alternativesOf(schema: Json): readonly unknown[] | undefined {
  return (schema["anyOf"] ?? schema["oneOf"]) as readonly unknown[] | undefined
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function refOf({ value }: Place): string {
  return isObject(value) ? String(value["$ref"] ?? "") : ""
}

/** Returns what a place refers to, in the end. @throws {TypeError} if there is nothing. */
function resolve(place: Place): unknown {
  const ref = refOf(place)
  if (!ref) return place.value
  const value = ref.replace(/^#\/?/, "").split("/").filter(Boolean).reduce<unknown>(
    (part, key) => (part as Json)?.[key.replaceAll("~1", "/").replaceAll("~0", "~")],
    place.document,
  )
  if (value === undefined) throw new TypeError(`there is no ${ref}`)
  return resolve({ ...place, value })
}
