import { createHash } from "node:crypto"

/** A strong entity tag: equal for equal bytes. */
export function etagOf(bytes: Uint8Array): string {
  return `"${createHash("sha256").update(bytes).digest("base64url")}"`
}

/** True where `If-None-Match` (a list of tags, weak or strong, or `*`) has the tag. */
export function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  if (ifNoneMatch.trim() === "*") return true
  // Tags may have commas in them, so the list is not split at commas.
  const tags = ifNoneMatch.matchAll(/(?:^|,)[ \t]*(?:W\/)?("[^"]*")[ \t]*(?=,|$)/g)
  return [...tags].some(([, tag]) => tag === etag)
}
