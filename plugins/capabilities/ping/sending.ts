import { randomUUID } from "node:crypto"
import {
  type CapabilityHost,
  counter,
  gauge,
  type Metric,
  type OpenCapability,
  remember,
  RetryLog,
} from "../../../core/capability.ts"
import { Poster } from "./post.ts"
import { noOutcomes, Sender } from "./sender.ts"
import { type PingSettings, rulesOf } from "./settings.ts"

/** Milliseconds until the next step after a failed one. */
const pauseAfterFailure = 1000

/** Sends pings while the configuration is in service and this process is the sender. */
export function startSending(host: CapabilityHost<PingSettings>): OpenCapability {
  const { plan, keep } = host
  const poster = new Poster(rulesOf(plan))
  const alarm = new Alarm()
  const sender = new Sender({
    ...{ ...host, poster, owner: randomUUID(), wake: () => alarm.ring() },
    outcomes: keep("outcomes", noOutcomes),
  })
  // Closing a configuration wakes the sender of the next one at once.
  const next = keep("next", () => ({ wake: () => {} }))
  next.wake = () => alarm.ring()
  const running = run(sender, { ...host, alarm })
  const ended = running.then(async () => {
    await sender.end()
    next.wake()
    poster.close()
  })
  const receivers = remember(() => countReceivers(host), { fresh: 10_000 })
  return {
    metrics: async () => metricsOf(sender, await receivers() ?? []),
    close: () => ended,
  }
}

/** Runs one step after another until the configuration closes. Never rejects. */
async function run(
  sender: Sender,
  { alarm, log, closing, every = 0 }: Pick<CapabilityHost, "log" | "closing" | "every"> & {
    readonly alarm: Alarm
  },
): Promise<void> {
  const attempts = new RetryLog(() => log, {
    failed: "cannot send pings now; they are sent later",
    over: "pings are sent again",
  })
  closing.addEventListener("abort", () => alarm.ring())
  let pause = every
  while (!closing.aborted) {
    await alarm.wait(pause)
    if (closing.aborted) return
    try {
      pause = await sender.step()
      attempts.succeeded()
    } catch (error) {
      attempts.failed(error)
      pause = pauseAfterFailure
    }
  }
}

/** Milliseconds within which rings count as one. */
const together = 20

/** Ends the current wait, or the next one as soon as it begins. */
class Alarm {
  #isRung = false
  #end = () => {}

  ring(): void {
    this.#isRung = true
    this.#end()
  }

  /** Resolves after a number of milliseconds, or a moment after a ring. */
  async wait(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    let timer = setTimeout(resolve, this.#isRung ? together : milliseconds)
    // A wait does not keep the process alive unless the alarm has rung.
    if (!this.#isRung) timer.unref()
    this.#end = () => {
      clearTimeout(timer)
      timer = setTimeout(resolve, Math.min(together, milliseconds))
    }
    await promise
    this.#end = () => {}
    this.#isRung = false
  }
}

interface Count {
  readonly kind: string
  readonly count: number
}

async function countReceivers(
  { database }: Pick<CapabilityHost, "database">,
): Promise<readonly Count[]> {
  return await database.readOnce(({ db, run }) =>
    run(
      db.selectFrom("ping_receiver")
        .innerJoin("account", "account.id", "ping_receiver.account_id")
        .where("disabled", "=", 0)
        .select((eb) => [
          eb.case().when("state", "=", "on").then(
            eb.case().when("attempts", ">", 0).then("failing").else("on").end(),
          ).else(eb.ref("state")).end().as("kind"),
          eb.fn.countAll<number>().as("count"),
        ])
        .groupBy("kind"),
    )
  )
}

function metricsOf(sender: Sender, receivers: readonly Count[]): readonly Metric[] {
  const { outcomes, waiting, running } = sender.numbers
  const numbers = new Map(receivers.map(({ kind, count }) => [kind, Number(count)]))
  return [
    gauge(
      "event_export_ping_sender",
      "1 in the process that sends pings.",
      Number(sender.isActive),
    ),
    gauge(
      "event_export_ping_receivers",
      "Receivers of pings of enabled accounts by state; `failing` are on, and their last attempt has failed.",
      ["on", "failing", "unconfirmed", "off"].map((state) => ({
        labels: { state },
        value: numbers.get(state) ?? 0,
      })),
    ),
    counter(
      "event_export_pings_total",
      "Pings and challenges by outcome; `withdrawn` were not sent, as the account may not read the list.",
      Object.entries(outcomes).map(([outcome, value]) => ({ labels: { outcome }, value })),
    ),
    gauge("event_export_pings_waiting", "Pings that wait in memory or are being sent.", waiting),
    gauge("event_export_pings_running", "Pings and challenges that are being sent.", running),
  ]
}
