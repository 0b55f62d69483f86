import type {
  DemonstrationService,
  Participant,
} from "../../../plugins/capabilities/demonstration/demonstration.ts"
import { bigEvent } from "../events.ts"
import { type Scene, sceneOf } from "../scene.ts"
import { changeRecord } from "./changes.ts"
import { turnOver } from "./turnover.ts"

/**
 * Steps from one turnover to the next: more of them at first, so that there is a deletion within a minute.
 * Then a record of each table is deleted every eight minutes.
 */
const turnovers = { early: 8, late: 64, from: 64 }

/** Steps from one pause to the next. During a pause, polls find nothing new. */
const untilPause = 40

/** Changes the event that runs: a record every second or two, and now and then their number. */
export class Writer implements Participant {
  readonly name = "writer"
  readonly #scene: Scene
  #steps = 0

  /** The same seed makes the same changes to the same data. */
  constructor(seed: number) {
    // The seed of an event is a part of its external ids.
    this.#scene = { ...sceneOf({ ...bigEvent, seed }), event: bigEvent }
  }

  async step({ db }: Pick<DemonstrationService, "db">): Promise<number> {
    const work = { db, scene: this.#scene }
    const step = ++this.#steps
    const every = step < turnovers.from ? turnovers.early : turnovers.late
    if (step % every !== every / 2) await changeRecord(work)
    else await turnOver(work, step % (2 * every) < every ? "guest" : "ticket")
    const { faker } = this.#scene
    return step % untilPause === 0 ? 20 : faker.number.float({ min: 1, max: 2 })
  }
}
