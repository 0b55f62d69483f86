import { createHash } from "node:crypto"

/** Matches the start and end tags of sections, which never occur in escaped text. */
const tags = /<(\/?)section\b([^>]*)>/g

/** A section that a script replaces while the page is visible. */
interface Part {
  readonly start: number
  readonly end: number
}

/** Finds the sections marked with `data-live`. */
function findParts(text: string): Part[] {
  const parts: Part[] = []
  const open: { readonly start: number; readonly isLive: boolean }[] = []
  for (const { index, 0: tag, 1: slash, 2: attributes = "" } of text.matchAll(tags)) {
    if (slash === "") {
      open.push({ start: index, isLive: /\sdata-live(?=\s|$)/.test(attributes) })
      continue
    }
    const begun = open.pop()
    if (begun?.isLive) parts.push({ start: begun.start, end: index + tag.length })
  }
  return parts
}

/** Returns the tag of a part. Ignores relative times, which the script updates itself. */
function tagOf(part: string): string {
  const lasting = part.replace(/(<time [^>]*title=[^>]*>)[^<]*/g, "$1")
  return createHash("sha256").update(lasting).digest("base64url").slice(0, 10)
}

/** Gives each live section of a page its tag: `data-live` becomes `data-live="TAG"`. */
export function tagParts(text: string): string {
  return findParts(text).reduceRight((all, { start, end }) => {
    const part = all.slice(start, end)
    const tagged = part.replace("data-live", `data-live="${tagOf(part)}"`)
    return all.slice(0, start) + tagged + all.slice(end)
  }, text)
}

/** Returns the live sections of a page whose tags the browser does not have. */
export function changedParts(text: string, known: string): string {
  const has = new Set(known.split(" "))
  return findParts(text).map(({ start, end }) => text.slice(start, end))
    .filter((part) => !has.has(tagOf(part)))
    .map(tagParts)
    .join("\n")
}
