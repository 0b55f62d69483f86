import type { ListingRoute, MountedRoute } from "../routes/contract.ts"
import type { ListRequest } from "./authorize.ts"
import type { ListAnswer, OpenExchange } from "./exchange.ts"
import type { LimitSettings } from "./limits.ts"
import type { Node } from "./nodes.ts"

/** A layer around the answers of lists, such as one that holds requests until there is something new. */
export interface ListLayer {
  /** Returns what the layer does with a request; undefined if it lets it pass. Nothing has been read or charged yet. */
  begin(
    exchange: OpenExchange,
    route: MountedRoute & ListingRoute,
  ): Promise<BegunLayer | undefined> | BegunLayer | undefined
}

/** A layer around the answer of one request. */
export interface BegunLayer {
  /** True if the admission has to look up deletions. */
  readonly needsDeletions?: boolean
  /** The node to ask first; undefined if it does not matter which. May change until the request is read again. */
  readonly node?: Node | undefined
  /** Answers the request; `next` does so without this layer. @throws {Problem} as `next` does. */
  answer(attempt: ListAttempt, next: AnswerList): Promise<ListAnswer>
}

/** Answers a request for a list. */
export type AnswerList = () => Promise<ListAnswer>

/** A request for a list that has been admitted, charged and authorized. */
export interface ListAttempt {
  readonly exchange: OpenExchange
  readonly limits: LimitSettings
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal | undefined
  /**
   * Reads the list as of the admission or, if its server fails, begins again with an admission at another.
   * @throws {Problem} as `work` does; 401 or 404 if another admission says so.
   */
  read<T>(work: (request: ListRequest) => Promise<T>): Promise<T>
  /** Counts the request as running no longer. */
  leave(): void
}
