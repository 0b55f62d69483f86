import { setTimeout } from "node:timers/promises"
import {
  type Database,
  type ListAnswer,
  Problem,
  problems,
  readPreferences,
} from "../../../core/capability.ts"
import type { AnswerList, BegunLayer, ListAttempt, ListLayer } from "../../../core/lists.ts"

/** A request of an account of the demonstration. */
interface Circumstances {
  /** The time in Unix seconds. */
  readonly now: number
  readonly path: string
}

/** What the header `Prefer: simulate=…` may ask for: errors by status, or a response that comes late. */
const simulations = {
  429: () => problemOf("too_many_requests", { "retry-after": "2" }),
  503: () => problemOf("unavailable", { "retry-after": "5" }),
  410: ({ now, path }: Circumstances) => {
    const headers = { "complete-since": String(now) }
    if (!path.endsWith("/changes")) return problemOf("resync_required", headers)
    const detail =
      `Deletions are not known that far back. Empty the copy, and begin again: GET ${path}`
    return problemOf("resync_required", { ...headers, link: `<${path}>; rel="first"` }, detail)
  },
  slow: undefined,
} as const
type Simulation = keyof typeof simulations

/** Milliseconds that a slow response is late. */
const late = 5000

/**
 * Returns the layer that gives accounts of the demonstration the error that they prefer, on every list but exports, and
 * nothing to any other account. The request has been charged and authorized as usual.
 */
export function simulationLayer(database: Database): ListLayer {
  return {
    begin({ asked: { request: { headers } } }, { list, export: isExport }) {
      if (!headers.has("prefer")) return undefined
      const name = readPreferences(headers).get("simulate") ?? ""
      if (!Object.hasOwn(simulations, name) || isExport) return undefined
      if (name === "410" && !list.hasHorizon) return undefined
      return new SimulationOf(name as Simulation, database)
    },
  }
}

/** The simulation of one request. */
class SimulationOf implements BegunLayer {
  readonly #name: Simulation
  readonly #database: Database

  constructor(name: Simulation, database: Database) {
    this.#name = name
    this.#database = database
  }

  async answer({ exchange, signal }: ListAttempt, next: AnswerList): Promise<ListAnswer> {
    const { asked: { id, url }, decided: { admission } } = exchange
    const session = admission?.session
    if (!session || !await this.#isOfDemonstration(session.account.id)) return await next()
    const simulation = simulations[this.#name]
    if (!simulation) {
      const answered = await next()
      await setTimeout(late, undefined, { signal }).catch(() => {})
      return this.#apply(answered)
    }
    // It is returned, not thrown: nothing failed, and the health of partners counts only what did.
    return this.#apply(simulation({ now: session.now, path: url.pathname }).toAnswer(id))
  }

  /** Returns true for an account with the password that everyone knows. */
  async #isOfDemonstration(id: string): Promise<boolean> {
    const found = await this.#database.readOnce(({ db, run }) =>
      run(
        db.selectFrom("account").select("id").where("id", "=", id).where("demonstration", "=", 1),
      )
    )
    return found.length > 0
  }

  #apply({ headers, ...answered }: ListAnswer): ListAnswer {
    const applied = headers["preference-applied"]
    const own = `simulate=${this.#name}`
    return {
      ...answered,
      headers: { ...headers, "preference-applied": applied ? `${applied}, ${own}` : own },
    }
  }
}

function problemOf(
  code: "too_many_requests" | "unavailable" | "resync_required",
  headers: Readonly<Record<string, string>>,
  detail: string = problems[code].detail,
): Problem {
  return new Problem(code, `${detail} This is simulated, as you prefer.`, { headers })
}
