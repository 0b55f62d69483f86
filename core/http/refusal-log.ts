import type { Log } from "../log.ts"
import { networkOf } from "../networks.ts"

/** The fields of a line about a request or a connection that was refused. */
interface RefusalEntry extends Readonly<Record<string, unknown>> {
  /** The IP address that it comes from. */
  readonly address: string
  /** Why. */
  readonly code: string
}

const usualOptions = {
  /** Upper bounds for the lines about one IPv4 address or /64, and about all together. */
  perAddress: 10,
  inAll: 50,
  /** Milliseconds after which it begins to count again. */
  window: 1000,
}

/** Logs refusals of strangers. In a flood, writes the first lines of each second and the number of the others. */
export class RefusalLog {
  readonly #log: Log
  readonly #options: Readonly<typeof usualOptions>
  /** Lines written in this window, by network and in all. There are never more networks than lines. */
  readonly #written = new Map<string, number>()
  #inAll = 0
  #omitted = new Map<string, number>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(log: Log, options: Partial<typeof usualOptions> = {}) {
    this.#log = log
    this.#options = { ...usualOptions, ...options }
  }

  /** Writes a line, or counts it if there have been too many. */
  write(fields: RefusalEntry, message: string): void {
    this.#timer ??= setTimeout(() => this.flush(), this.#options.window).unref()
    const network = networkOf(fields.address)
    const written = this.#written.get(network) ?? 0
    if (this.#inAll >= this.#options.inAll || written >= this.#options.perAddress) {
      this.#omitted.set(fields.code, (this.#omitted.get(fields.code) ?? 0) + 1)
      return
    }
    this.#inAll++
    this.#written.set(network, written + 1)
    this.#log.info(fields, message)
  }

  /** Writes how many lines were left out, and begins a new window. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const codes = Object.fromEntries(this.#omitted)
    const requests = [...this.#omitted.values()].reduce((sum, count) => sum + count, 0)
    this.#written.clear()
    this.#omitted.clear()
    this.#inAll = 0
    if (requests > 0) this.#log.info({ requests, codes }, "more requests were refused")
  }
}
