import { isDeepStrictEqual } from "node:util"

/** Stands for what is left out: any value, the other elements of an array, or the other fields of an object. */
const leftOut = "…"

/** Reads JSON as documents show it, with `…` for what they leave out. */
export function parseShown(text: string): unknown {
  const open: string[] = []
  let last = ""
  const json = text.replaceAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]|…/g, (token) => {
    if (token === "{" || token === "[") open.push(token)
    if (token === "}" || token === "]") open.pop()
    const isValue = last === ":" || open.at(-1) === "["
    last = token
    if (token !== leftOut) return token
    return isValue ? `"${leftOut}"` : `"${leftOut}":"${leftOut}"`
  })
  return JSON.parse(json)
}

/**
 * Returns how what a service has sent differs from what a document shows: in the types of values, and in the keys and
 * their order. Values may differ, and null stands for any value that is no object.
 */
export function differences(shown: unknown, sent: unknown, path = "$"): string[] {
  if (shown === leftOut || shown === null) return []
  if (Array.isArray(shown)) {
    if (!Array.isArray(sent)) return [`${path} is no array`]
    if (sent.length === 0 && shown.length > 0) return [`${path} is empty`]
    return shown.flatMap((each, at) => differences(each, sent[at] ?? sent[0], `${path}[${at}]`))
  }
  if (typeof shown !== "object") {
    return sent === null || typeof sent === typeof shown
      ? []
      : [`${path} is ${JSON.stringify(sent)}`]
  }
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) {
    return [`${path} is no object`]
  }
  const named = Object.keys(shown).filter((key) => key !== leftOut)
  const keys = Object.keys(sent)
  const compared = leftOut in shown ? keys.slice(0, named.length) : keys
  if (!isDeepStrictEqual(compared, named)) {
    return [`${path} has ${keys.join()}, not ${named.join()}`]
  }
  return Object.entries(shown).flatMap(([key, value]) =>
    differences(value, (sent as Record<string, unknown>)[key], `${path}.${key}`)
  )
}
