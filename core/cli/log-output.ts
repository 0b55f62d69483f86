import { Buffer } from "node:buffer"
import { setTimeout as delay } from "node:timers/promises"

interface LogOutputOptions {
  /**
   * Writes some of the bytes, at least one, without blocking the process. Returns how many, or rejects
   * with an error that has a `code`.
   */
  readonly write: (bytes: Uint8Array) => Promise<number>
  /** Writes a line to the operator, elsewhere. */
  readonly notify: (line: string) => void
  /** Called once the output works again, with the number of lines that were dropped meanwhile. */
  readonly onRecovery?: (dropped: number) => void
  /** Upper bound for waiting bytes. Lines beyond it are dropped. */
  readonly most?: number
  /** Milliseconds after a write in which lines are collected, if not as usual; 0 for a person who looks at them. */
  readonly collecting?: number
}

/** Milliseconds between two attempts: after the first, and at most. */
const pauses = { first: 5, most: 1000, closing: 50 }

/** Milliseconds after a write in which lines are collected: a write costs as much as a third of a short response. */
const usualCollecting = 20

/**
 * Writes lines to standard output, in order, in the background: no request waits for a full disk or a
 * slow reader. Keeps what the output does not take, up to a bound, and tries again by itself. Drops
 * and counts lines beyond it. Tells the operator when that begins, and when it ends.
 */
export class LogOutput {
  readonly #options: Required<LogOutputOptions>
  #waiting: string[] = []
  /** Bytes of the waiting lines, and of what is being written. */
  #bytes = 0
  #dropped = 0
  /** The number of dropped lines when the output failed; undefined while it works. */
  #droppedBefore: number | undefined
  #running: Promise<void> | undefined
  readonly #closing = new AbortController()

  constructor(options: LogOutputOptions) {
    this.#options = {
      most: 1024 * 1024,
      collecting: usualCollecting,
      onRecovery: () => {},
      ...options,
    }
  }

  get dropped(): number {
    return this.#dropped
  }

  /** Takes a line, with its end. */
  write(line: string): void {
    const bytes = Buffer.byteLength(line)
    if (this.#bytes + bytes > this.#options.most) {
      this.#fail("it is too slow")
      this.#dropped++
      return
    }
    this.#waiting.push(line)
    this.#bytes += bytes
    this.#running ??= this.#run()
  }

  /** Waits until all lines are written, or for `within` milliseconds. */
  async close(within: number): Promise<void> {
    this.#closing.abort()
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, within)
    await Promise.race([this.#running, late])
    clearTimeout(timer)
    if (this.#bytes > 0) {
      this.#options.notify(`The last ${this.#bytes} bytes of the log could not be written.`)
    }
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting
      this.#waiting = []
      await this.#writeAll(Buffer.from(lines.join("")))
      if (this.#waiting.length === 0) this.#recover()
      const { collecting } = this.#options
      if (collecting > 0 && !this.#closing.signal.aborted) await this.#pause(collecting)
    }
    this.#running = undefined
  }

  async #writeAll(bytes: Uint8Array): Promise<void> {
    for (let left = bytes, pause = pauses.first; left.length > 0;) {
      try {
        const written = await this.#options.write(left)
        left = left.subarray(written)
        this.#bytes -= written
        pause = pauses.first
      } catch (error) {
        const { code } = error as { code?: unknown }
        // The reader is merely slow: no line is lost before the buffer is full.
        if (code !== "EAGAIN") this.#fail(String(code ?? error))
        await this.#pause(pause)
        pause = Math.min(2 * pause, pauses.most)
      }
    }
  }

  /** Ends early when the output is closed; later pauses are short. */
  async #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#closing
    if (signal.aborted) {
      await delay(Math.min(milliseconds, pauses.closing), undefined, { ref: false })
    } else await delay(milliseconds, undefined, { ref: false, signal }).catch(() => {})
  }

  #fail(reason: string): void {
    if (this.#droppedBefore !== undefined) return
    this.#droppedBefore = this.#dropped
    this.#options.notify(
      `The log on standard output takes no more lines (${reason}). The service continues, keeps the ` +
        `next ${this.#options.most} bytes, drops what is beyond them, and tries again.`,
    )
  }

  #recover(): void {
    if (this.#droppedBefore === undefined) return
    const dropped = this.#dropped - this.#droppedBefore
    this.#droppedBefore = undefined
    this.#options.notify(`The log on standard output takes lines again. ${dropped} were dropped.`)
    if (dropped > 0) this.#options.onRecovery(dropped)
  }
}
