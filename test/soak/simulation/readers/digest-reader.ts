import {
  type Bucket,
  differingBuckets,
  type DigestKind,
  digestKinds,
  digestOfCopy,
} from "../../../support/partner/digest.ts"
import { pagesOf, type Reply } from "../../../support/partner/reply.ts"
import { keyOf, type Row, rowsOf } from "../../../support/partner/rows.ts"
import type { Random } from "../../../support/random.ts"
import type { Client } from "../client.ts"
import { Violation } from "../simulation.ts"
import type { World } from "../world.ts"
import { ask } from "./asking.ts"
import type { Keeper } from "./keep.ts"
import type { ListReader } from "./list-reader.ts"

/**
 * A program that compares its copy of a list with digests, reads again what differs, and acknowledges it. Its reader
 * keeps records as JSON, of all categories.
 */
export class DigestReader implements Keeper {
  readonly #world: World
  readonly #reader: ListReader
  readonly #client: Client

  constructor(world: World, reader: ListReader, client: Client) {
    this.#world = world
    this.#reader = reader
    this.#client = client
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
    const { ids, hashes, contents } = digestKinds
    const isOffered = this.#world.configuration.capabilities.includes("export")
    const kind = random.pick<DigestKind>(isOffered ? [ids, hashes, contents] : [ids, hashes])
    const wrong = (await this.#compare(kind)).map(({ bucket }) => bucket)
    for (const bucket of new Set(wrong)) await this.#repair(kind, bucket)
  }

  async differences(): Promise<readonly string[]> {
    const found = [...await this.#reader.differences()]
    for (const kind of Object.values(digestKinds)) {
      for (const { category, bucket } of await this.#compare(kind)) {
        found.push(`the digest ${kind.query} of ${category} ${bucket} differs`)
      }
    }
    if (found.length === 0) await this.#acknowledge()
    return found
  }

  /** Loses a record, or changes one. */
  #damage(random: Random): void {
    const { copy } = this.#reader
    if (copy.size === 0) return
    const key = random.pick([...copy.keys()])
    const row = copy.get(key) as Row
    if (random.below(2) === 0) copy.delete(key)
    else copy.set(key, { ...row, updated: 1, fields: { ...row.fields, updated: 1 } })
  }

  /** Returns the buckets in which the copy differs from the service. */
  async #compare(kind: DigestKind): Promise<readonly Bucket[]> {
    const reply = await this.#ask(kind.query)
    if (reply.status === 400) return []
    const { copy, list } = this.#reader
    return differingBuckets([...copy.values()], { list, kind, reply })
  }

  /** Drops the records of a bucket, and reads them again. */
  async #repair({ query, bucketOf }: DigestKind, bucket: string): Promise<void> {
    const { copy, get, list, path } = this.#reader
    const name = query === "hash=" ? "hash" : "bucket"
    const found = new Map<string, Row>()
    for await (const page of pagesOf(get, `${path}?since=-1&${name}=${bucket}`)) {
      for (const row of rowsOf(page, list)) found.set(keyOf(row), row)
    }
    for (const [key, { id }] of copy) if (bucketOf(id, bucket.length) === bucket) copy.delete(key)
    for (const [key, row] of found) {
      if (bucketOf(row.id, bucket.length) !== bucket) {
        throw new Violation(`${path}?${name}=${bucket} has the id ${row.id}`)
      }
      copy.set(key, row)
    }
  }

  /** Says that the copy is right. @throws {Violation} if the service does not agree. */
  async #acknowledge(): Promise<void> {
    const { copy, fields = "", list } = this.#reader
    const mine = digestOfCopy([...copy.values()], list)
    const { headers } = await this.#ask(String(new URLSearchParams({ mine, fields })))
    if (headers.get("copy") !== "same") {
      throw new Violation(`the service calls the copy of ${this.name} ${headers.get("copy")}`)
    }
  }

  async #ask(query: string): Promise<Reply> {
    // Digests of content come with exports.
    const expected = query === "of=content" ? ["400 invalid_parameter"] : []
    const path = `${this.#reader.path}/digest${query && `?${query}`}`
    return await ask(this.#client, path, { expected })
  }
}
