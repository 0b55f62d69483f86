import type { Admission, AdmissionQuestion } from "../access/admission.ts"
import type { SessionKey } from "../access/sessions.ts"
import { Unavailable } from "../data/unavailable.ts"
import { categories } from "../records/categories.ts"
import { type Admitted, authorize, type ListRequest, notLoggedIn } from "./authorize.ts"
import type { Findings } from "./facts.ts"
import type { LimitSettings } from "./limits.ts"
import type { BegunLayer, ListTurn } from "./list-layer.ts"
import type { Need, Node } from "./nodes.ts"
import type { Parts } from "./parts.ts"

/** A request of a session, and what its turn depends on. */
interface TurnOptions {
  readonly key: SessionKey
  /** Its place among the running requests of the account. */
  readonly running: Disposable
  /** The layers that it passes, if it is for a list. */
  readonly layers: readonly BegunLayer[]
}

/** The turn of a request of a session: it is admitted by one server, or another if that fails, and reads there. */
export class Turn implements ListTurn {
  readonly findings: Findings
  readonly signal: AbortSignal | undefined
  readonly #parts: Parts
  readonly #options: TurnOptions
  readonly #question: AdmissionQuestion
  /** What the first reading begins with. Each other begins with an admission of its own. */
  #admitted: Admitted | undefined

  constructor(findings: Findings, parts: Parts, options: TurnOptions) {
    this.findings = findings
    this.signal = goneSignal(findings.incoming.request)
    this.#parts = parts
    this.#options = options
    const isAboutDeletions = options.layers.some(({ needsDeletions }) => needsDeletions)
    this.#question = questionOf(options.key, findings, parts, isAboutDeletions)
  }

  /**
   * Admits the request. While no server is in use, one of any age will do for a page that shows operators how the
   * service is.
   * @throws {Problem} 401, 429. @throws {Unavailable}
   */
  async admit(): Promise<Admission> {
    const { nodes } = this.#parts
    const need = this.#need()
    try {
      this.#admitted = await nodes.read(need, (node) => this.#admitAt(node, need))
    } catch (error) {
      if (!(error instanceof Unavailable && isForOperators(this.findings))) throw error
      const anyAge = { ...need, isAnyAge: true }
      this.#admitted = await nodes.read(anyAge, (node) => this.#admitAt(node, anyAge))
    }
    return this.#admitted.admission
  }

  get limits(): LimitSettings {
    return this.#parts.limits.settingsOf(this.#options.key)
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

  /** Reads from the admission on. */
  async #readAgain<T>(work: (request: ListRequest) => Promise<T>): Promise<T> {
    this.findings.incoming.watch.enter("auth")
    const need = this.#need()
    return await this.#parts.nodes.read(need, async (node) => {
      const request = this.#requestOf(await this.#admitAt(node, need)) // 401
      authorize(request.route, request.admission, request.input) // 404
      return await work(request)
    })
  }

  async #admitAt(node: Node, need: Need): Promise<Admitted> {
    const { gate, limits, nodes } = this.#parts
    const { incoming: { address, request, watch } } = this.findings
    this.findings.node = watch.node = node.name
    const { watermark, steps } = node.changes
    const admission = this.findings.admission = await gate.lookUp(node, this.#question, watch)
    if (!admission) throw limits.refuseStranger(address, notLoggedIn(request.headers)) // 401, 429
    const assertFit = (admission: Admission) => nodes.assertFit(admission, { node, need })
    await assertFit(admission)
    const lookUp = (question: AdmissionQuestion) => gate.lookUp(node, question, watch)
    const known = { watermark, steps: admission.heartbeat?.steps ?? steps }
    return { admission, ...known, node, assertFit, lookUp }
  }

  #requestOf(admitted: Admitted): ListRequest {
    const { match, input, incoming } = this.findings
    if (match?.route.kind !== "listing" || !input) throw new TypeError("only lists are read")
    return { route: match.route, incoming, input, question: this.#question, ...admitted }
  }

  /** Returns which node the request needs now. */
  #need(): Need {
    return {
      ...needOf(this.findings),
      signal: this.signal,
      preferred: this.#options.layers.find(({ node }) => node)?.node,
      onRetry: () => this.#countRetry(),
    }
  }

  #countRetry(): void {
    this.findings.retries = (this.findings.retries ?? 0) + 1
  }
}

/** Returns the question of the admission: everything that the checks need to know, at once. */
export function questionOf(
  key: SessionKey,
  { match, input, incoming: { address } }: Findings,
  { sessions: { idle }, nodes }: Parts,
  isAboutDeletions = false,
): AdmissionQuestion {
  const eventId = input?.eventId?.value
  const list = match?.route.kind === "listing" ? match.route.list : undefined
  const listed = list?.categories ?? []
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
    ...nodes.areMany && { heartbeat: true },
  }
}

/**
 * Returns which node a request needs. What the walk of an offset has seen, only the primary has for sure. Handlers read
 * what the primary has, and may write.
 */
function needOf({ match, input }: Findings): Need {
  if (match?.route.kind !== "listing") return { primary: "first", isPatient: false }
  const { offset = 0, cursor } = input?.query?.value ?? {}
  return { primary: offset > 0 && cursor === undefined ? "only" : "spared" }
}

/** Returns true for a page that shows operators how the service is. While no server is in use, they need it most. */
function isForOperators({ match, incoming: { method } }: Findings): boolean {
  return match?.route.kind === "handler" && method === "GET" &&
    match.route.needs.includes("status")
}

/** Returns the signal that the client has gone. With a body it may come when that has been read. */
function goneSignal({ method, signal }: Request): AbortSignal | undefined {
  return method === "GET" || method === "HEAD" ? signal : undefined
}
