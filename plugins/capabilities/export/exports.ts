import { Buffer } from "node:buffer"
import { createHash, type Hash } from "node:crypto"
import { performance } from "node:perf_hooks"
import { setImmediate } from "node:timers/promises"
import type { Admission } from "../../../core/accounts.ts"
import {
  type CapabilityHost,
  escapeLineBreaks,
  lineBreaks,
  type ListAnswer,
  type OmittedRecord,
  type SentPage,
  type Snapshot,
} from "../../../core/capability.ts"
import { chooseEncoding, Problem } from "../../../core/plugin.ts"
import { admitAgain, exportLimit, type ListLayer, type ListRequest } from "../../../core/lists.ts"
import {
  cutMark,
  type ExportEnd,
  exportFormOf,
  lastLine,
  type RowForm,
  trailerNames,
  trailersOf,
} from "./row-form.ts"
import { type Portion, readPortions } from "./portions.ts"
import { rowHeaders } from "./rows.ts"
import type { Slots, SlotSettings } from "./slots.ts"
import { StreamedBody } from "./streamed-body.ts"

/** The operator's settings about exports. */
export interface ExportSettings extends SlotSettings {
  /** The most records per response. */
  readonly records: number
  /** Seconds after which a response ends, with a cursor for the rest. */
  readonly seconds: number
}

/** The end of a streamed response. */
type StreamEnd = Awaited<NonNullable<ListAnswer["streamed"]>["ended"]>

/** Milliseconds that a client has to read the rest of a response after its time limit. */
const patience = 60_000

/** An export to run. */
interface Job {
  readonly request: ListRequest
  readonly walk: ReturnType<CapabilityHost["walks"]["of"]>
  readonly form: RowForm
  readonly encoding: ReturnType<typeof chooseEncoding>
  /** Aborts when the response has to end. */
  readonly until: AbortSignal
}

/** A running export, with what it has sent. */
interface RunningExport {
  readonly body: StreamedBody
  /** The page that may be sent. */
  readonly page: SentPage
  readonly hash: Hash
  rows: number
  readonly leftOut: OmittedRecord[]
  /** Where the unsent records begin; undefined until some have been sent. */
  rest: Portion["next"] | undefined
  /** The content of its last line, once everything has been sent. */
  end?: ExportEnd
}

/** Answers requests for whole lists with one response from one snapshot, generated while it is sent. */
export class Exports implements ListLayer {
  readonly #host: CapabilityHost<ExportSettings>
  readonly #slots: Slots

  constructor(host: CapabilityHost<ExportSettings>, slots: Slots) {
    this.#host = host
    this.#slots = slots
  }

  begin: ListLayer["begin"] = (_, route) =>
    route.export && { answer: (turn) => turn.read((request) => this.#answer(request)) }

  /**
   * Begins an export, and returns once its first records have been read. Streams nothing for HEAD.
   * @throws {Problem} 400 or 410 for an unusable cursor; 429 or 503 if too many exports run; also as `authorize` does.
   * @throws {Unavailable}
   */
  async #answer(request: ListRequest): Promise<ListAnswer> {
    const { route: { list }, incoming, admission: { session: { account } } } = request
    const { walks, settings, draining } = this.#host
    const walk = walks.of(request)
    const wanted = incoming.request.headers
    const form = exportFormOf(list, { ...walk.query, accept: wanted.get("accept") })
    const headers = {
      ...walks.headersOf(request),
      "cache-control": "private, no-store",
      ...rowHeaders(form, request),
      "next-since": String(walk.nextSince),
    }
    if (incoming.method === "HEAD") return { status: 200, headers, body: null }
    const stop = new AbortController()
    const leave = this.#slots.take(account.id, () => stop.abort())
    const encoding = chooseEncoding(wanted.get("accept-encoding"))
    const late = AbortSignal.timeout(settings.seconds * 1000)
    const until = AbortSignal.any([stop.signal, draining, late])
    const { promise: begun, resolve: begin } = Promise.withResolvers<RunningExport>()
    const ended = this.#run({ request, walk, form, encoding, until }, begin).finally(leave)
    // An error before the export begins fails the request.
    const first = await Promise.race([begun, ended.then(failToBegin)])
    const { body, page } = first
    const trailers = { names: trailerNames, read: () => first.end ? trailersOf(first.end) : {} }
    return {
      status: 200,
      headers: { ...headers, ...encoding && { "content-encoding": encoding } },
      body: body.readable,
      streamed: { begun: page, trailers, ended },
    }
  }

  /** Runs an export. Rejects only before it has begun. */
  async #run(job: Job, begin: (begun: RunningExport) => void): Promise<StreamEnd> {
    const { request: { incoming, node } } = job
    let begun: RunningExport | undefined
    const start = (first: RunningExport) => begin(begun = first)
    try {
      const sent = await node.database.longSnapshot(
        (snapshot) => this.#send(snapshot, job, start),
        incoming.watch,
      )
      return await this.#finish(job, sent)
    } catch (error) {
      if (!begun) throw error
      const { body, page, rows, rest } = begun
      const isGone = body.readable.destroyed
      // The records sent so far are right, and another server can send the rest.
      if (!isGone && rest && mayEnd(job, begun) && node.canAnotherTry(error)) {
        return await this.#finish(job, begun)
      }
      // A caller that may no longer read gets nothing more.
      const isRefusal = error instanceof Problem && error.code !== "unavailable"
      if (job.form.hasEnd || isRefusal) body.fail(error as Error)
      else body.failBehind(Buffer.from(cutMark(job.form)), error as Error)
      const sent = { ...page, rows, hasNext: true }
      return { page: sent, ending: "cut", bytes: body.bytes, ...!isGone && { error } }
    }
  }

  /** Reads the records in a snapshot and writes them. Calls `begin` once the first have been read. */
  async #send(
    snapshot: Snapshot,
    job: Job,
    begin: (begun: RunningExport) => void,
  ): Promise<RunningExport> {
    const { request, walk: { query, nextSince }, form, encoding, until } = job
    const { route: { list }, node } = request
    const { admission, scope } = await admitAgain(snapshot, request, nextSince)
    const limit = Math.min(query.limit, this.#host.settings.records)
    const page = { ...query, limit }
    const portions = readPortions(snapshot, { list, scope, page })
    const first = await portions.next()
    const begun: RunningExport = {
      body: new StreamedBody(encoding),
      page: this.#pageOf(job, admission, first.done ? 0 : first.value.rows),
      hash: createHash("sha256"),
      rows: 0,
      leftOut: [],
      rest: undefined,
    }
    begun.body.breakOff(until, patience)
    begin(begun)
    if (form.head !== "") await write(begun, Buffer.from(form.head), until)
    let checkedAt = performance.now()
    for (let result = first; !result.done; result = await portions.next()) {
      if (performance.now() - checkedAt > 1000) {
        // Check rights as of now, not as of the snapshot: the caller may have lost some since.
        await node.database.readOnce((reader) => admitAgain(reader, request))
        checkedAt = performance.now()
      }
      await write(begun, bytesOf(result.value, form), until)
      begun.rows += result.value.rows
      begun.leftOut.push(...result.value.leftOut)
      begun.rest = result.value.next
      if (until.aborted) return begun
      // Otherwise, an embedded database would hold up all other requests.
      await setImmediate()
    }
    // Parts that were not read are empty, unless the limit was reached.
    if (begun.rows < limit) begun.rest = {}
    return begun
  }

  /** Ends the body. @throws {Problem} if it would end early and its format cannot say so. */
  async #finish(job: Job, begun: RunningExport): Promise<StreamEnd> {
    if (!mayEnd(job, begun)) throw new Problem("unavailable", cannotSay)
    const { request, walk, form } = job
    const { body, page, rows, leftOut, rest = {}, hash } = begun
    const goesOn = hasMore(begun)
    const next = goesOn ? this.#host.walks.urlOf(walk, rest, request) : null
    const end = begun.end = { count: rows, sha256: hash.digest("hex"), next }
    body.end(Buffer.from(lastLine(form, end)))
    await body.closed
    const ending = !body.isWhole ? "cut" : goesOn ? "continued" : "complete"
    const from = ending === "continued"
      ? Math.min(...Object.values(rest).map(([time]) => time))
      : page.range.from
    const range = { ...page.range, from }
    const sent = { ...page, rows, leftOut, range, hasNext: ending !== "complete" }
    return { page: sent, ending, bytes: body.bytes }
  }

  #pageOf({ request, walk }: Job, admission: Admission, rows: number): SentPage {
    const { query, nextSince } = walk
    const { after, since, cursor } = query
    // A record may have a time in the future. A part that was not read continues after the latest time.
    const at = admission.at
    const latest = Math.max(at, admission.event?.newest ?? 0)
    const to = after
      ? Math.min(latest, Math.max(...Object.values(after).map(([time]) => time)))
      : latest
    return {
      list: request.route.list,
      rows,
      at,
      since,
      nextSince,
      isFirst: cursor === undefined,
      isFiltered: walk.isFiltered,
      range: { from: since, to },
      span: undefined,
      leftOut: [],
      cursor,
      pollInterval: this.#host.walks.intervalOf(request),
      hasNext: true,
    }
  }
}

const cannotSay =
  "The export would end before its last record, and a file of this form cannot say so. Ask for end=line, or for NDJSON."

/**
 * Returns true if a body may end regularly: with all records, with as many as the client requested, or with a line that
 * says where the rest is. All other bodies are broken off, which clients notice.
 */
function mayEnd({ form, walk: { query: { limit } } }: Job, begun: RunningExport): boolean {
  return form.hasEnd || !hasMore(begun) || (begun.rows >= limit && limit < exportLimit)
}

function hasMore({ rest = {} }: RunningExport): boolean {
  return Object.keys(rest).length > 0
}

/** Writes bytes, and adds them to the checksum of the last line. */
async function write(
  { body, hash }: RunningExport,
  bytes: Uint8Array,
  until: AbortSignal,
): Promise<void> {
  hash.update(bytes)
  await body.write(bytes, until)
}

function failToBegin(): never {
  throw new TypeError("an export ended before it began")
}

/** Returns the bytes of a portion in a format. */
function bytesOf({ lines }: Portion, form: RowForm): Uint8Array {
  if (form.extension === "ndjson" && !hasLineBreaks(lines)) return lines
  const text = new TextDecoder().decode(lines)
  if (form.extension === "ndjson") return Buffer.from(escapeLineBreaks(text))
  const rows = JSON.parse(`[${text.trimEnd().replaceAll("\n", ",")}]`)
  return Buffer.from(form.write(rows))
}

/**
 * Returns true if a text has characters at which some readers would end a line. Most texts have none, and need not be
 * decoded.
 */
function hasLineBreaks({ buffer, byteOffset, byteLength }: Uint8Array): boolean {
  const bytes = Buffer.from(buffer, byteOffset, byteLength)
  return lineBreaks.some((letter) => bytes.includes(letter))
}
