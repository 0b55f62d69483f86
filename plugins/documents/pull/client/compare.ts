import { createHash, type Hash } from "node:crypto"
import type { Client, Result } from "./client.ts"
import { goneCodes, ServiceProblem } from "./errors.ts"
import { ListReader } from "./list-reader.ts"
import type { Change, CopiedRecord, EventState, List, State, SyncOptions } from "../pull.d.mts"
import { digestsIn, lists } from "./responses.ts"
import { sha256 } from "./sha256.ts"
import { day, hour } from "./sleep.ts"
import { commitOf, unread } from "./state.ts"

/** Compares a copy with the service's digests. Its methods yield changes and change the state. */
export class Comparison {
  readonly #options: SyncOptions
  readonly #state: State
  readonly #client: Client
  readonly #lists: ListReader

  constructor(options: SyncOptions, state: State, client: Client) {
    this.#options = options
    this.#state = state
    this.#client = client
    this.#lists = new ListReader(options, client)
  }

  /**
   * Compares the copy of an event with the digests, and reads what differs again. `now` is the service's time, and
   * `readChanges` reads the feed.
   */
  async *compare(
    event: string,
    saved: EventState,
    { now, readChanges }: { now: number; readChanges: () => AsyncGenerator<Change, void> },
  ): AsyncGenerator<Change, void> {
    const { copy, check } = this.#options
    let isSame = true
    for (const list of copy ? lists : []) {
      const digest = await this.#readDigest(event, list)
      if (!digest) continue
      const { url, fields, digests } = digest
      if (saved.fields[list] !== fields) {
        // The feed sends all records again with new fields; an export may come from another version of the service.
        if (saved.fields[list] !== undefined) Object.assign(saved, unread(saved.generation))
        saved.fields[list] = fields
        yield* readChanges()
      }
      const lines: string[] = []
      let differ = 0
      for (const [category, { buckets }] of Object.entries(digests)) {
        const digits = Object.keys(buckets)[0]?.length ?? 1
        const mine = digestsOf(copy?.(event, category) ?? [], digits, check === "content")
        for (const bucket of new Set([...Object.keys(buckets), ...mine.keys()])) {
          lines.push(`${list === "items" ? `${category} ` : ""}${bucket} ${mine.get(bucket)}\n`)
          if (mine.get(bucket) === buckets[bucket]?.digest) continue
          differ++
          yield* this.#repair(event, saved, { list, category, bucket })
        }
      }
      const known = saved.fields[list] ? `&fields=${saved.fields[list]}` : ""
      const acknowledgment = `${url}&mine=${sha256(lines.join(""))}${known}`
      // Something may have changed since the first response.
      const isRight = differ === 0 && await this.#client.read(acknowledgment, ({ headers }) => {
        return headers.get("copy") !== "different"
      })
      if (!isRight) isSame = false
    }
    // A repaired event is compared again after an hour.
    saved.checked = isSame ? now : now - day + hour
  }

  /** Reads the digest of a list; undefined if there is none because items are only announced. */
  async #readDigest(event: string, list: typeof lists[number]) {
    const of = this.#options.check === "content" ? "of=content&" : ""
    const url = `${this.#options.family}/events/${event}/${list}/digest?${of}hash=`
    const parse = (result: Result) => ({ url, ...digestsIn(result, list) })
    return await this.#client.read(url, parse).catch((error) => {
      const isMissing = error instanceof ServiceProblem && error.status === 404
      if (!isMissing || goneCodes.includes(error.code)) throw error
    })
  }

  /** Reads a bucket again, and deletes the records of the copy that are not in it. */
  async *#repair(
    event: string,
    { generation }: EventState,
    { list, category, bucket }: { list: List; category: string; bucket: string },
  ): AsyncGenerator<Change, void> {
    const path = `/events/${event}/${list}`
    const { rows } = await this.#lists.read(list, path, `&hash=${bucket}`)
    const read = new Set(rows.filter((row) => row.category === category).map(({ id }) => id))
    for (const row of rows) yield { type: "upsert", event, ...row, generation }
    for (const { id } of [...this.#options.copy?.(event, category) ?? []]) {
      if (read.has(id) || sha256(id).slice(0, bucket.length) !== bucket) continue
      yield { type: "delete", event, list, category, id }
    }
    yield commitOf(this.#state)
  }
}

/** Returns the digest of each bucket of records, which are ordered by id. */
function digestsOf(records: Iterable<CopiedRecord>, digits: number, isOfContent: boolean) {
  const hashes = new Map<string, Hash>()
  for (const { id, updated, json = "" } of records) {
    const bucket = sha256(id).slice(0, digits)
    const hash = hashes.get(bucket) ?? createHash("sha256")
    hashes.set(bucket, hash.update(`${id} ${isOfContent ? sha256(json) : updated}\n`))
  }
  return new Map([...hashes].map(([bucket, hash]) => [bucket, hash.digest("hex")]))
}
