import { setTimeout } from "node:timers/promises"
import type {
  DemonstrationService,
  Participant,
} from "../../../plugins/capabilities/demonstration/demonstration.ts"
import { bigEvent } from "../events.ts"
import { sceneOf } from "../scene.ts"
import { changeMobile } from "./changes.ts"
import { pick } from "./pick.ts"
import { insertRecord } from "./turnover.ts"
import type { Work } from "./work.ts"

/** Seconds: from the changes to their commit, and from there to the next ones. */
const usual = { open: { min: 5, max: 12 }, pause: { min: 8, max: 16 } }

/**
 * Changes the event that runs in transactions that stay open: their records get their `updated` seconds before anybody can
 * see them. A client that computes `since` itself never gets them. The embedded database has one writer at a time,
 * which would wait: there, it does nothing.
 */
export class LateWriter implements Participant {
  readonly name = "late writer"
  readonly #scene: Work["scene"]
  readonly #seconds: typeof usual

  /** The same seed makes the same records. */
  constructor(seed: number, seconds = usual) {
    this.#scene = { ...sceneOf({ ...bigEvent, seed }), event: bigEvent }
    this.#seconds = seconds
  }

  async step(
    { db, dialect, signal, count }: Pick<
      DemonstrationService,
      "db" | "dialect" | "signal" | "count"
    >,
  ): Promise<number> {
    const scene = this.#scene
    const { open, pause } = this.#seconds
    if (dialect === "sqlite" || await pick({ db, scene }, "guest") === undefined) return 3600
    await db.transaction().execute(async (transaction) => {
      const work = { db: transaction, scene }
      await insertRecord(work, "guest")
      await insertRecord(work, "ticket")
      await changeMobile(work)
      await setTimeout(scene.random.float(open.max, open.min) * 1000, undefined, { signal })
    })
    for (let n = 0; n < 3; n++) count?.("changes")
    return scene.random.float(pause.max, pause.min)
  }
}
