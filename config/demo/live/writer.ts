import type { Kysely } from "kysely"
import type {
  DemonstrationService,
  Participant,
} from "../../../plugins/capabilities/demonstration/demonstration.ts"
import { bigEvent } from "../events.ts"
import type { Platform } from "../platform.ts"
import { type Scene, sceneOf } from "../scene.ts"
import { changeSomething } from "./changes.ts"
import { turnOver } from "./turnover.ts"

/** Steps from one turnover to the next: a few guests and items per minute come, and as many are deleted. */
const untilTurnover = 3

/** Steps from one pause to the next. During a pause, polls find nothing new. */
const untilPause = 40

/** Changes the event that runs, on the platform: a row every second or two, of which some come or go. */
export class Writer implements Participant {
  readonly name = "writer"
  readonly #scene: Scene
  #steps = 0

  /** The same seed makes the same changes to the same data. */
  constructor(seed: number) {
    // The seed of an event is a part of its references.
    this.#scene = { ...sceneOf({ ...bigEvent, seed }), event: bigEvent }
  }

  async step(
    { platform, count }: Pick<DemonstrationService, "platform" | "count">,
  ): Promise<number> {
    const work = { db: platform as Kysely<Platform>, scene: this.#scene }
    const step = ++this.#steps
    if (step % untilTurnover !== 0) await changeSomething(work)
    else await turnOver(work, step % (2 * untilTurnover) === 0 ? "product" : "attendee")
    count?.("changes")
    const { random } = this.#scene
    return step % untilPause === 0 ? 20 : random.float(2, 1)
  }
}
