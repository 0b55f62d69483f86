import type { Sent } from "./exchange.ts"
import { Violation } from "./simulation.ts"
import type { World } from "./world.ts"

/** The longest that services may take to write what waits, in milliseconds. More is no violation: they may be unable to. */
const longestWait = 15_000

/** Something that a service must have recorded. */
interface Expected<T> {
  readonly what: T
  readonly sent: Pick<Sent, "service" | "life" | "instance">
  /** Tells requests of the same process apart. What is recorded of a request may be lost together. */
  readonly request: string
}

/**
 * What services write in the background, because of what their clients have got: all of it must be in the database once
 * nothing waits. What waited in a process that was killed may be lost, and as much as a process says that it has dropped.
 */
export class Recordings<T> {
  readonly #world: World
  readonly #batch: string
  readonly #capability: string
  #expected: Expected<T>[] = []
  /** The requests of which something is missing, by process. */
  readonly #missing = new Map<string, Set<string>>()

  /** `batch` is the name of what they write, and `capability` whose it is. */
  constructor(world: World, batch: string, capability: string) {
    this.#world = world
    this.#batch = batch
    this.#capability = capability
  }

  /** Expects something of a request, if the configuration that it met records anything. */
  expect(request: Sent, what: T): void {
    const { service, life, instance, config, client, began, path } = request
    const { capabilities } = this.#world.configuration.version(config) ?? {}
    if (!capabilities?.includes(this.#capability)) return
    if (!(this.#batch in instance.recorders.numbers)) {
      return this.#world.fail(new Violation(`${service} records no ${this.#batch}`))
    }
    const sent = { service, life, instance }
    this.#expected.push({ what, sent, request: `${client} ${began} ${path}` })
  }

  /**
   * Waits until services have written what waits, and looks for all that is expected. @throws {Violation} if something is
   * missing that should not be; `describe` says what.
   */
  async check(
    isThere: (what: T) => Promise<boolean>,
    describe: (what: T) => string,
  ): Promise<void> {
    await this.#untilWritten()
    const expected = this.#expected
    this.#expected = []
    for (const each of expected) {
      const { what, sent, request } = each
      const { waiting, dropped } = this.#numbers(each)
      const isKilled = this.#isKilled(each)
      if (waiting > 0 && !isKilled) {
        this.#expected.push(each)
      } else if (!await isThere(what) && !isKilled) {
        const process = `${sent.service} ${sent.life}`
        const missing = (this.#missing.get(process) ?? new Set()).add(request)
        this.#missing.set(process, missing)
        if (missing.size > dropped) {
          throw new Violation(`${sent.service}: ${describe(what)}`)
        }
      }
    }
  }

  #numbers({ sent }: Expected<T>) {
    return sent.instance.recorders.numbers[this.#batch] ?? { waiting: 0, dropped: 0 }
  }

  #isKilled({ sent: { service, life } }: Expected<T>): boolean {
    return this.#world.services.some(({ name, crashes }) => name === service && crashes.has(life))
  }

  async #untilWritten(): Promise<void> {
    const { time } = this.#world
    const late = time.steady + longestWait
    const waits = () =>
      this.#expected.some((each) => !this.#isKilled(each) && this.#numbers(each).waiting > 0)
    while (waits() && time.steady < late) await time.sleep(100)
  }
}
