import { findPersonal } from "../../support/scanned-log.ts"
import type { Observations } from "./observations.ts"

/** Reads what a service prints, and reports what no service may print. */
export class ServiceLog {
  /** Lines so far. */
  lines = 0
  /** Entries of the audit log that the service reported as lost. */
  dropped = 0
  readonly #observations: Observations
  readonly #secrets: readonly string[]
  readonly #messages = new Map<string, number>()
  readonly #onEntry: (entry: Readonly<Record<string, unknown>>) => void
  #rest = ""

  /** `onEntry` gets each line. */
  constructor(
    observations: Observations,
    secrets: readonly string[],
    onEntry: (entry: Readonly<Record<string, unknown>>) => void = () => {},
  ) {
    this.#observations = observations
    this.#secrets = secrets
    this.#onEntry = onEntry
  }

  /** Takes the next text of standard output. */
  readonly read = (text: string): void => {
    const lines = (this.#rest + text).split("\n")
    this.#rest = lines.pop() ?? ""
    for (const line of lines) this.#readLine(line)
  }

  /** Takes text of standard error, which has messages for people. */
  readonly readError = (text: string): void => {
    this.#scan(text)
    for (const line of text.trim().split("\n")) this.#note(`standard error: ${line}`)
  }

  /** The messages of warnings and errors, with how often each came. */
  get messages(): ReadonlyMap<string, number> {
    return this.#messages
  }

  #readLine(line: string): void {
    this.lines++
    this.#scan(line)
    let entry: Record<string, unknown>
    try {
      entry = JSON.parse(line)
    } catch {
      this.#observations.violate(`a service printed a line that is no JSON: ${line.slice(0, 300)}`)
      return
    }
    this.#onEntry(entry)
    const { level, msg, error, name, dropped, reason, status } = entry
    if (name === "audit" && typeof dropped === "number") this.dropped += dropped
    if (typeof status === "number" && status >= 500 && status !== 503) {
      this.#observations.violate(`a service logged status ${status} of ${entry["route"]}`)
    }
    if (typeof level !== "number" || level < 40) return
    const { code, message } = (error ?? {}) as { code?: string; message?: string }
    const [cause = ""] = String(code ?? message ?? reason ?? "").split("\n")
    this.#note(cause ? `${msg}: ${cause}` : String(msg))
    if (msg === "request failed") {
      this.#observations.violate(`a service logged an internal error: ${JSON.stringify(error)}`)
    }
  }

  #scan(text: string): void {
    const found = findPersonal(text) ?? this.#secrets.find((secret) => text.includes(secret))
    if (found !== undefined) {
      this.#observations.violate(`a service printed "${found}": ${text.slice(0, 1000)}`)
    }
  }

  #note(message: string): void {
    this.#messages.set(message, (this.#messages.get(message) ?? 0) + 1)
  }
}
