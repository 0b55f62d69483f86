import { Buffer } from "node:buffer"
import { createHmac } from "node:crypto"
import type { Positions } from "../../records/lists/page.ts"
import { deriveKey, isEqual } from "./signed-text.ts"

/** What a page was made from: the pattern of the route, the event, its version, the fields, the form, and the query but `since`. */
export type TagSubject = readonly unknown[]

/** What a tag says of the page that it came with. Times are Unix seconds. */
export interface TaggedPage {
  readonly since: number
  /** Where each part of the list continues that has more records. */
  readonly next: Positions
}

/**
 * Makes and reads the entity tags of pages that follow from an event's version: `"SINCE.NEXT.MAC"`. Two snapshots with
 * the same version hold the same records (`Versions`), so the tag needs no bytes: any process can tell, also after a
 * restart, that nothing has changed, and where the page continues. The keys are derived from the session secrets,
 * newest first: the first signs, all are accepted.
 */
export class PageTags {
  readonly #keys: readonly Buffer[]
  readonly #release: string

  /** `release` is the version of the program: another one may write the same records differently. */
  constructor(secrets: readonly string[], release: string) {
    this.#release = release
    this.#keys = secrets.map((secret) => deriveKey(secret, "entity tags"))
  }

  /** Returns the tag of a page, in quotes. */
  seal(subject: TagSubject, { since, next }: TaggedPage): string {
    const isLast = Object.keys(next).length === 0
    const content = `${since}.${
      isLast ? "" : Buffer.from(JSON.stringify(next)).toString("base64url")
    }`
    return `"${content}.${this.#sign(content, subject, this.#keys[0] as Buffer)}"`
  }

  /**
   * Finds a tag in `If-None-Match` that shows that the client has the page since `since`: a tag of the same `since`, or
   * an earlier one. A later one never matches: an earlier `since` may have more records.
   */
  find(
    ifNoneMatch: string | null,
    subject: TagSubject,
    since: number,
  ): (TaggedPage & { readonly tag: string }) | undefined {
    for (const [tag, content = "", mac = ""] of (ifNoneMatch ?? "").matchAll(form)) {
      const [from = "", next = ""] = content.split(".")
      if (Number(from) > since) continue
      if (!this.#keys.some((key) => isEqual(this.#sign(content, subject, key), mac))) continue
      return { tag, since: Number(from), next: positionsOf(next) }
    }
    return undefined
  }

  #sign(content: string, subject: TagSubject, key: Buffer): string {
    const text = JSON.stringify([this.#release, subject, content])
    return createHmac("sha256", key).update(text).digest("base64url").slice(0, 22)
  }
}

/** A tag, also of a compressed representation. */
const form = /"(-?\d+\.[\w-]*)\.([\w-]{22})(?:-[a-z]+)?"/g

function positionsOf(sealed: string): Positions {
  return sealed === "" ? {} : JSON.parse(Buffer.from(sealed, "base64url").toString())
}
