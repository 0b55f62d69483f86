import { isDeepStrictEqual } from "node:util"
import { type Digest, expectedDigest, sha256 } from "../../../support/partner/digest.ts"
import type { Random } from "../../../support/random.ts"
import type { Got } from "../client.ts"
import { Violation } from "../simulation.ts"
import type { World } from "../world.ts"
import { ask } from "./asking.ts"
import { keyOf } from "./copy.ts"
import type { Keeper } from "./keep.ts"
import { readPages } from "./link.ts"
import type { ListReader } from "./list-reader.ts"
import { itemCategories, type List, type Row, rowsOf } from "./rows.ts"

/** How buckets are named, and what stands for a record. */
interface Kind {
  readonly query: string
  readonly bucketOf: (id: string, length: number) => string
  readonly lineOf: (row: Row) => string | number
}

const byId = (id: string, length: number) => id.slice(0, length)
const byHash = (id: string, length: number) => sha256(id).slice(0, length)
const updatedOf = ({ fields }: Row) => fields["updated"] as number

const kinds: readonly Kind[] = [
  { query: "", bucketOf: byId, lineOf: updatedOf },
  { query: "hash=", bucketOf: byHash, lineOf: updatedOf },
  { query: "of=content", bucketOf: byId, lineOf: ({ fields }) => sha256(JSON.stringify(fields)) },
]

/**
 * A program that compares its copy of a list with digests, reads again what differs, and acknowledges it. Its reader
 * keeps records as JSON, of all categories.
 */
export class DigestReader implements Keeper {
  readonly #world: World
  readonly #reader: ListReader
  readonly #list: List

  constructor(world: World, reader: ListReader, list: List) {
    this.#world = world
    this.#reader = reader
    this.#list = list
  }

  get name(): string {
    return `${this.#reader.name} with digests,`
  }

  get state(): string {
    return this.#reader.state
  }

  get isInterrupted(): boolean {
    return this.#reader.isInterrupted
  }

  crash(): void {
    this.#reader.crash()
  }

  /** Polls; then damages its copy, and finds and repairs that. */
  async poll(random: Random, isCalm = false): Promise<void> {
    await this.#reader.poll(random, isCalm)
    this.#damage(random)
    const offered = this.#world.configuration.capabilities.includes("export")
      ? kinds
      : kinds.slice(0, 2)
    const kind = random.pick(offered)
    const wrong = (await this.#compare(kind)).map(({ bucket }) => bucket)
    for (const bucket of new Set(wrong)) await this.#repair(kind, bucket)
  }

  async differences(): Promise<readonly string[]> {
    const found = [...await this.#reader.differences()]
    for (const kind of kinds) {
      for (const { category, bucket } of await this.#compare(kind)) {
        found.push(`the digest ${kind.query} of ${category} ${bucket} differs`)
      }
    }
    if (found.length === 0) await this.#acknowledge()
    return found
  }

  /** Loses a record, or changes one. */
  #damage(random: Random): void {
    const { rows } = this.#reader.copy
    if (rows.size === 0) return
    const key = random.pick([...rows.keys()])
    const row = rows.get(key) as Row
    if (random.below(2) === 0) rows.delete(key)
    else rows.set(key, { ...row, fields: { ...row.fields, updated: 1 } })
  }

  /** Returns the buckets in which the copy differs from the service. */
  async #compare(kind: Kind): Promise<{ readonly category: string; readonly bucket: string }[]> {
    const got = await this.#ask(kind.query)
    if (got.status === 400) return []
    return this.#own(got, kind).flatMap(([category, own, theirs]) => {
      const buckets = [...new Set([...Object.keys(own.buckets), ...Object.keys(theirs.buckets)])]
      return buckets
        .filter((bucket) => !isDeepStrictEqual(own.buckets[bucket], theirs.buckets[bucket]))
        .map((bucket) => ({ category, bucket }))
    })
  }

  /** Returns the digest of the copy beside that of the service, by category. */
  #own(got: Got, { bucketOf, lineOf }: Kind): (readonly [string, own: Digest, theirs: Digest])[] {
    const isOfGuests = this.#list === "guests"
    const theirs = (isOfGuests ? { guests: got.json } : got.json) as Record<string, Digest>
    const categories = isOfGuests ? ["guests"] : itemCategories
    if (Object.keys(theirs).join() !== categories.join()) {
      throw new Violation(`a digest of ${this.#list} has ${Object.keys(theirs)}`)
    }
    const rows = [...this.#reader.copy.rows.values()]
    return categories.map((category) => {
      const digest = theirs[category] as Digest
      const length = Object.keys(digest.buckets)[0]?.length ?? 1
      const own = rows.filter((row) => row.category === category)
        .map((row) => ({ id: row.id, updated: lineOf(row) }))
      return [category, expectedDigest(own, (id) => bucketOf(id, length)), digest] as const
    })
  }

  /** Drops the records of a bucket, and reads them again. */
  async #repair({ query, bucketOf }: Kind, bucket: string): Promise<void> {
    const { rows } = this.#reader.copy
    const name = query === "hash=" ? "hash" : "bucket"
    const found = new Map<string, Row>()
    const { client, path } = this.#reader
    const pages = readPages(this.#world, client, `${path}?since=-1&${name}=${bucket}`)
    for await (const got of pages) {
      for (const row of rowsOf(got, this.#list)) found.set(keyOf(row), row)
    }
    for (const [key, { id }] of rows) if (bucketOf(id, bucket.length) === bucket) rows.delete(key)
    for (const [key, row] of found) {
      if (bucketOf(row.id, bucket.length) !== bucket) {
        throw new Violation(`${path}?${name}=${bucket} has the id ${row.id}`)
      }
      rows.set(key, row)
    }
  }

  /** Says that the copy is right. @throws {Violation} if the service does not agree. */
  async #acknowledge(): Promise<void> {
    const [kind] = kinds as [Kind]
    const first = await this.#ask(kind.query)
    const lines = this.#own(first, kind).flatMap(([category, own, theirs]) =>
      Object.keys(theirs.buckets).map((bucket) => {
        const prefix = this.#list === "items" ? `${category} ` : ""
        return `${prefix}${bucket} ${own.buckets[bucket]?.digest}\n`
      })
    )
    const query = new URLSearchParams({
      mine: sha256(lines.join("")),
      fields: this.#reader.fields ?? "",
    })
    const got = await this.#ask(String(query))
    if (got.headers.get("copy") !== "same") {
      throw new Violation(`the service calls the copy of ${this.name} ${got.headers.get("copy")}`)
    }
  }

  async #ask(query: string): Promise<Got> {
    const { client, path } = this.#reader
    // Digests of content come with exports.
    const expected = query === "of=content" ? ["400 invalid_parameter"] : []
    return await ask(client, `${path}/digest${query && `?${query}`}`, { expected })
  }
}
