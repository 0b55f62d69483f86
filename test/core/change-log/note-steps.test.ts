import t from "tap"
import type { ChangeLogState } from "../../../core/change-log/change-state.ts"
import { clockMargin, readSteps } from "../../../core/change-log/clock-steps.ts"
import { clockSkew, noteStep, recordStep } from "../../../core/change-log/note-steps.ts"
import { freshDatabase, withoutMysql } from "../../support/database.ts"

const known = 1000
const usual: ChangeLogState = {
  ...{ clock: known, known, top: 0, settled: 0, floor: null, watermark: null, steps: [] },
  ...{ server: "one", present: "one" },
}
/** Of a service that reads from servers that may be 30 seconds behind. */
const floors = { staleness: 30, floor: undefined, add: () => {}, beginAgain: () => {} }

interface Case {
  readonly state: Partial<ChangeLogState>
  readonly added?: readonly (number | null)[]
  readonly isWithReplicas?: boolean
  /** The step that is recorded; left out if none is. */
  readonly step?: readonly [reached: number, backTo: number]
}

const cases: Record<string, Case> = {
  "a clock that goes on": { state: { clock: known + 5 }, added: [known + 1, null] },
  "a clock that was adjusted a little": { state: { clock: known - clockMargin } },
  "a clock that was set back": {
    state: { clock: known - clockMargin - 1 },
    step: [known, known - 2 * clockMargin - 1],
  },
  "a row from before, and a clock that has gone on since": {
    state: { clock: known + 5 },
    added: [known + 1, null, known - 100],
    step: [known, known - 100 - clockMargin],
  },
  "another server, whose clock shows nothing": {
    state: { clock: known + 1, present: "another" },
    step: [known + 1 + clockSkew, known - clockSkew],
  },
  "the first server": { state: { server: null } },
  "replicas that may be behind": {
    state: { clock: known - 100 },
    isWithReplicas: true,
    step: [known + clockSkew + 30, known - 100 - clockSkew - 30],
  },
  "a floor of a service with replicas": {
    state: { clock: known - 100, floor: known - 40 },
    step: [known + clockSkew + 40, known - 100 - clockSkew - 40],
  },
  "a step that another look records now": {
    state: { clock: known - 100, known: 0, present: "another" },
    step: [known - 100 + clockSkew, known - 100 - clockSkew],
  },
}

t.test("on MySQL", { skip: withoutMysql }, async (t) => {
  const database = await freshDatabase(t, "mysql")
  const { writer: db, dialect } = database
  t.beforeEach(() => db.deleteFrom("clock_step").execute())

  for (const [name, { state, added = [], isWithReplicas, step }] of Object.entries(cases)) {
    await t.test(`recordStep notes ${step ? "a step" : "no step"} for ${name}`, async (t) => {
      const given = { ...usual, ...state }
      await db.updateTable("change_state").set({ clock: given.known, server: "one" }).execute()
      const steps = await recordStep(db, dialect, {
        ...{ state: given, added, floors: isWithReplicas ? floors : undefined },
      })
      const [reached, backTo] = step ?? []
      const expected = step ? [{ reached, backTo }] : []
      t.strictSame(steps, expected)
      t.strictSame(await readSteps(db), expected)
      const { clock } = await db.selectFrom("change_state").select("clock")
        .executeTakeFirstOrThrow()
      t.equal(clock, step ? 0 : known, "nobody reads a time while it is noted")
    })
  }

  await t.test("recordStep leaves the time that another look has written meanwhile", async (t) => {
    await db.updateTable("change_state").set({ clock: known + 7 }).execute()
    const state = { ...usual, clock: known - 100 }
    await recordStep(db, dialect, { state, added: [], floors: undefined })
    const { clock } = await db.selectFrom("change_state").select("clock").executeTakeFirstOrThrow()
    t.equal(clock, known + 7)
  })

  await t.test("noteStep keeps, of two steps that reached the same time, the one that went back further", async (t) => {
    for (const backTo of [50, 70, 30]) await noteStep(db, dialect, { reached: 100, backTo })
    await noteStep(db, dialect, { reached: 90, backTo: 80 })
    const steps = await readSteps(db)
    t.strictSame(steps.toSorted((a, b) => a.reached - b.reached), [
      { reached: 90, backTo: 80 },
      { reached: 100, backTo: 30 },
    ])
  })
})
