import type { Admission, AdmissionQuestion } from "../access/admission.ts"
import type { SessionKey } from "../access/sessions.ts"
import { Unavailable } from "../data/unavailable.ts"
import { categories } from "../records/kinds/categories.ts"
import { type AdmittedRequest, authorize, type ListRequest } from "./authorize.ts"
import type { OpenExchange } from "./exchange.ts"
import type { Components } from "./components.ts"
import type { LimitSettings } from "./limits.ts"
import type { BegunLayer, ListAttempt } from "./list-layer.ts"
import type { Node, ReadPreference } from "./nodes.ts"
import { notLoggedIn, whyEnded } from "./not-logged-in.ts"

/** What an attempt depends on, apart from the request. */
interface AttemptOptions {
  readonly key: SessionKey
  /** Its place among the running requests of the account. */
  readonly running: Disposable
  /** The layers that it passes, if it is for a list. */
  readonly layers: readonly BegunLayer[]
}

/** The attempt to answer a request of a session: one server admits it, or another if that fails, and it reads there. */
export class Attempt implements ListAttempt {
  readonly exchange: OpenExchange
  readonly signal: AbortSignal | undefined
  readonly #components: Components
  readonly #options: AttemptOptions
  readonly #question: AdmissionQuestion
  /** What the first reading begins with. Each other begins with an admission of its own. */
  #admitted: AdmittedRequest | undefined

  constructor(exchange: OpenExchange, components: Components, options: AttemptOptions) {
    this.exchange = exchange
    this.signal = goneSignal(exchange.asked.request)
    this.#components = components
    this.#options = options
    const isAboutDeletions = options.layers.some(({ needsDeletions }) => needsDeletions)
    this.#question = questionOf(options.key, exchange, components, isAboutDeletions)
  }

  /**
   * Admits the request. While no server is in use, one of any age will do for a page that shows operators how the
   * service is.
   * @throws {Problem} 401, 429. @throws {Unavailable}
   */
  async admit(): Promise<Admission> {
    const { nodes } = this.#components
    const preference = this.#preference()
    try {
      this.#admitted = await nodes.read(preference, (node) => this.#admitAt(node, preference))
    } catch (error) {
      if (!(error instanceof Unavailable && isForOperators(this.exchange))) throw error
      const anyAge = { ...preference, isAnyAge: true }
      this.#admitted = await nodes.read(anyAge, (node) => this.#admitAt(node, anyAge))
    }
    return this.#admitted.admission
  }

  get limits(): LimitSettings {
    return this.#components.limits.settingsOf(this.#options.key)
  }

  async read<T>(work: (request: ListRequest) => Promise<T>): Promise<T> {
    const admitted = this.#admitted
    this.#admitted = undefined
    if (!admitted) return await this.#readAgain(work)
    try {
      return await work(this.#requestOf(admitted))
    } catch (error) {
      if (!admitted.node.canAnotherTry(error)) throw error
      this.#countRetry()
      return await this.#readAgain(work)
    }
  }

  leave(): void {
    this.#options.running[Symbol.dispose]()
  }

  /** Begins again with the admission. */
  async #readAgain<T>(work: (request: ListRequest) => Promise<T>): Promise<T> {
    const preference = this.#preference()
    return await this.#components.nodes.read(preference, async (node) => {
      const request = this.#requestOf(await this.#admitAt(node, preference)) // 401
      authorize(request.route, request.admission, request.input) // 404
      return await work(request)
    })
  }

  async #admitAt(node: Node, preference: ReadPreference): Promise<AdmittedRequest> {
    const { admissions, limits, nodes } = this.#components
    const { asked: { address, request, watch }, decided } = this.exchange
    decided.node = node.name
    const { watermark, steps } = node.changes
    const admission = decided.admission = await admissions.lookUp(node, this.#question, watch)
    if (!admission) { // 401, 429
      throw limits.refuseStranger(address, notLoggedIn(whyEnded(request.headers)))
    }
    const assertFit = (admission: Admission) => nodes.assertFit(admission, { node, preference })
    await assertFit(admission)
    const lookUp = (question: AdmissionQuestion) => admissions.lookUp(node, question, watch)
    const known = { watermark, steps: admission.heartbeat?.steps ?? steps }
    return { admission, ...known, node, assertFit, lookUp }
  }

  #requestOf(admitted: AdmittedRequest): ListRequest {
    const { asked: incoming, asked: { match, input } } = this.exchange
    if (match?.route.kind !== "listing" || !input) throw new TypeError("only lists are read")
    return { route: match.route, incoming, input, question: this.#question, ...admitted }
  }

  /** Returns which node the request needs now. */
  #preference(): ReadPreference {
    return {
      ...preferenceOf(this.exchange),
      signal: this.signal,
      preferred: this.#options.layers.find(({ node }) => node)?.node,
      onRetry: () => this.#countRetry(),
    }
  }

  #countRetry(): void {
    const { decided } = this.exchange
    decided.retries = (decided.retries ?? 0) + 1
  }
}

/** Returns the question of the admission: everything that the checks need to know, at once. */
export function questionOf(
  key: SessionKey,
  { asked: { match, input, address } }: OpenExchange,
  { sessions: { idle }, nodes }: Components,
  isAboutDeletions = false,
): AdmissionQuestion {
  const eventId = input?.eventId?.value
  const list = match?.route.kind === "listing" ? match.route.list : undefined
  const listed = list?.categories ?? []
  const filter = eventId === undefined ? undefined : list?.gone?.filter ?? list?.filter
  // Only a list with an empty body can be answered without reading records.
  const isOfRecords = list?.emptyBody !== undefined
  const tables = isOfRecords ? listed.map((category) => categories[category]) : []
  // With one server, the tag of a page says enough about deletions.
  const needsDeletions = isOfRecords
    ? isAboutDeletions || nodes.areMany || list?.hasHorizon === true
    : nodes.areMany && list?.hasHorizon === true
  return {
    ...{ key, idle, address, eventId, tables },
    ...needsDeletions && { deletions: listed },
    ...filter && { filter },
    ...nodes.areMany && { heartbeat: true },
  }
}

/**
 * Returns which node a request needs. Only the primary is sure to have what a walk by offset has seen. Handlers read
 * what the primary has, and may write.
 */
function preferenceOf({ asked: { match, input } }: OpenExchange): ReadPreference {
  if (match?.route.kind !== "listing") return { primary: "first", isPatient: false }
  const { offset = 0, cursor } = input?.query?.value ?? {}
  return { primary: offset > 0 && cursor === undefined ? "only" : "spared" }
}

/** Returns true for a page that shows operators how the service is. While no server is in use, they need it most. */
function isForOperators({ asked: { match, method } }: OpenExchange): boolean {
  return match?.route.kind === "handler" && method === "GET" &&
    match.route.needs.includes("status")
}

/** Returns the signal that the client has gone. With a body it may come when that has been read. */
function goneSignal({ method, signal }: Request): AbortSignal | undefined {
  return method === "GET" || method === "HEAD" ? signal : undefined
}
