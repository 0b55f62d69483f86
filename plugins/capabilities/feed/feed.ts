import { hash } from "node:crypto"
import { Buffer } from "node:buffer"
import {
  type CapabilityHost,
  type ListAnswer,
  type OmittedRecord,
  represent,
  type Snapshot,
} from "../../../core/capability.ts"
import {
  admitAgain,
  type AnswerOwn,
  type ListRequest,
  readCompleteSince,
  refuseAfter,
} from "../../../core/lists.ts"
import { etagOf, Problem } from "../../../core/plugin.ts"
import { openCursor, sealCursor } from "./cursor.ts"
import type { FeedKey } from "./feed-key.ts"
import { linesTypeOf } from "./media-type.ts"
import { oldestFirst } from "./oldest-first.ts"
import { changeText, jsonOf, linesOf } from "./page-body.ts"
import { recordsByKeys } from "./read-keys.ts"
import { type FeedLists, feedOf } from "./routes.ts"
import { type SentChanges, sharesOf, wholeOf } from "./share.ts"
import { begin, end, type FeedMoment, type FeedState, type FeedWalk, stateOfNow } from "./walk.ts"

/** A page of the feed, which was read or did not have to be. */
interface PageResult extends Omit<SentChanges, "feed"> {
  readonly texts: readonly string[]
  readonly leftOut: readonly OmittedRecord[]
}

/** How walks begin, go on and end. */
interface FeedDesign {
  readonly begin: typeof begin
  readonly end: typeof end
  readonly stateOfNow: typeof stateOfNow
}

/** What a request for a feed is about. */
interface FeedRequest {
  readonly request: ListRequest
  readonly feed: FeedLists
  readonly moment: FeedMoment
}

/** Answers requests for the changes of an event. */
export class Feed {
  readonly #host: Pick<CapabilityHost, "walks">
  readonly #key: FeedKey
  readonly #design: FeedDesign

  /** Tests give other designs, to show what those lose. */
  constructor(
    host: Pick<CapabilityHost, "walks">,
    key: FeedKey,
    design: FeedDesign = { begin, end, stateOfNow },
  ) {
    this.#host = host
    this.#key = key
    this.#design = design
  }

  /** @throws {Problem} 400 for a cursor of another feed; 410 if the copy must be made again. @throws {Unavailable} */
  readonly answer: AnswerOwn = (request) => {
    const feed = feedOf(request.route.list)
    return feed && this.#answer(request, feed)
  }

  async #answer(request: ListRequest, feed: FeedLists): Promise<ListAnswer> {
    const { route, node, input, admission: { session, event } } = request
    const key = await this.#key.find(node.database)
    const binding = {
      accountId: session.account.id,
      route: route.pattern.text,
      eventId: event?.id ?? "",
    }
    const { from, limit = 0 } = input.query?.value ?? {}
    const asked = from === undefined || from === "now" ? undefined : openCursor(from, binding, key)
    if (from !== undefined && from !== "now" && !asked) {
      throw refuseAfter(from)
    }
    const about = { request, feed, moment: this.#momentOf(request, feed) }
    const found = from === "now"
      ? nothingRead(about, this.#design.stateOfNow(about.moment))
      : await this.#find(about, { asked, limit })
    const answered = await this.#represent(about, found, sealCursor(found.next, binding, key))
    return from === "now" ? { ...answered, pages: [] } : answered
  }

  async #represent(
    { request, feed }: FeedRequest,
    found: PageResult,
    next: string,
  ): Promise<ListAnswer> {
    const { route: { list }, incoming } = request
    const { texts, leftOut } = found
    const more = found.next.walk !== undefined
    const page = { changes: texts, next, more }
    const type = linesTypeOf(incoming.request.headers.get("accept"))
    const bytes = Buffer.from(type === undefined ? jsonOf(page) : linesOf(page))
    const etag = more || texts.length > 0 ? undefined : etagOf(bytes)
    const pollInterval = this.#host.walks.intervalOf(request)
    const headers = {
      ...this.#host.walks.headersOf(request),
      ...type !== undefined && { "content-type": type },
    }
    const content = { bytes, etag, compressed: {} }
    const answer = await represent(content, headers, incoming.request.headers)
    const sent = { ...found, feed }
    const common = { at: request.admission.at, pollInterval }
    const whole = { ...wholeOf(sent, list, common), leftOut }
    return { ...answer, page: whole, pages: sharesOf(sent, common) }
  }

  #momentOf(request: ListRequest, { records }: FeedLists): FeedMoment {
    const { node: { changes }, steps, admission: { event, heartbeat } } = request
    return {
      bound: this.#host.walks.boundOf(request),
      steps,
      version: changes.isBlind || !event ? undefined : versionOf(request, event),
      newest: Math.max(event?.newest ?? -Infinity, event?.deleted ?? -Infinity),
      areMany: heartbeat?.floor != null,
      lists: Object.fromEntries(
        Object.entries(records).map(([name, list]) => [name, list.fields ?? ""]),
      ),
    }
  }

  async #find(
    about: FeedRequest,
    { asked, limit }: { readonly asked: FeedState | undefined; readonly limit: number },
  ): Promise<PageResult> {
    const begun = this.#design.begin(asked, about.moment)
    if ("unchanged" in begun) return { ...nothingRead(about, begun.unchanged), asked }
    const { request: { node, incoming } } = about
    const { common } = node.changes
    const read = await node.database.snapshot(
      (snapshot) => this.#read(snapshot, about, { walk: begun.walk, limit }),
      incoming.watch,
    )
    // If it has changed meanwhile, the version of the snapshot is unknown.
    const { version, ...page } = read.page
    const isValid = node.changes.common === common && !node.changes.isBlind
    const next = this.#design.end(begun.walk, { ...page, version: isValid ? version : undefined })
    if (next === "resync") throw beginAgain(about, page.completeSince)
    const { changes, texts, leftOut } = read
    return {
      walk: begun.walk,
      asked,
      next,
      changes,
      texts,
      leftOut,
      bound: about.moment.bound,
    }
  }

  /** Reads a page in a snapshot, which repeats the admission and its checks. */
  async #read(
    snapshot: Snapshot,
    { request, feed }: FeedRequest,
    { walk, limit }: { readonly walk: FeedWalk; readonly limit: number },
  ) {
    const { categories, projections } = feed
    const { admission: { event }, scope: { eventId } } = await admitAgain(
      snapshot,
      request,
      walk.bound,
    )
    const { since, gone, after } = walk
    const { filter } = request.question
    const query = { eventId, categories, filter, since, gone, after, limit }
    const found = await oldestFirst(snapshot, query)
    const present = found.changes.filter(({ isDeleted }) => !isDeleted)
    const { texts, leftOut } = await recordsByKeys(snapshot, present, {
      eventId,
      projections,
    })
    const changes = found.changes.filter((key) => key.isDeleted || texts.has(key))
    return {
      changes,
      texts: changes.map((key) => changeText(key, texts.get(key) ?? "")),
      leftOut: [...found.leftOut, ...leftOut],
      page: {
        version: event && versionOf(request, event),
        newest: Math.max(event?.newest ?? -Infinity, event?.deleted ?? -Infinity),
        last: found.more ? found.last : undefined,
        completeSince: await readCompleteSince(snapshot, { eventId, categories, filter }),
      },
    }
  }
}

/** Returns a page that did not have to be read. */
function nothingRead({ moment: { bound } }: FeedRequest, next: FeedState): PageResult {
  return {
    walk: undefined,
    asked: undefined,
    next,
    changes: [],
    texts: [],
    leftOut: [],
    bound,
  }
}

/** Returns a hash of an event's version; undefined if the version is not known. */
function versionOf(
  { node }: ListRequest,
  event: NonNullable<ListRequest["admission"]["event"]>,
): string | undefined {
  const version = node.changes.versions.versionOf(event)
  return version && hash("sha256", version).slice(0, 16)
}

function beginAgain({ request }: FeedRequest, completeSince: number): Problem {
  const { incoming: { url } } = request
  const fresh = `${url.origin}${url.pathname}`
  const detail =
    "Deletions after the cursor are no longer known. Empty the copy, and begin again without it: " +
    `GET ${fresh}`
  const headers = { "complete-since": String(completeSince), link: `<${fresh}>; rel="first"` }
  return new Problem("resync_required", detail, { headers })
}
