/** Characters beyond which a `Prefer` header is ignored. */
const longestHeader = 1000

/**
 * Returns the preferences of a request (RFC 7240): values by lower-case names; empty for a preference without a value.
 * If a name is given twice, the first counts. Parameters and malformed parts are ignored.
 */
export function readPreferences(headers: Headers): ReadonlyMap<string, string> {
  const preferences = new Map<string, string>()
  const text = headers.get("prefer") ?? ""
  if (text.length > longestHeader) return preferences
  // Quoted values may contain commas and semicolons.
  for (const [part] of text.matchAll(/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g)) {
    const [, name, word = ""] = preference.exec(part) ?? []
    if (name === undefined || preferences.has(name.toLowerCase())) continue
    const quoted = /^"(.*)"$/s.exec(word)?.[1]
    preferences.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/gs, "$1") ?? word)
  }
  return preferences
}

const token = "[\\w!#$%&'*+.^`|~-]+"

/** A name, and perhaps a value. Parameters may follow. */
const preference = new RegExp(
  `^\\s*(${token})\\s*(?:=\\s*(${token}|"(?:[^"\\\\]|\\\\.)*"))?\\s*(?:;|$)`,
  "s",
)
