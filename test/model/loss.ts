import { answer } from "./answer.ts"
import type { Design } from "./design.ts"
import { type Change, tableOf } from "./history.ts"
import { beat, look, rememberSteps } from "./look.ts"
import { afterAnswer, nextQuery, type Partner, type PartnerKind } from "./partner.ts"
import type { Scope } from "./scope.ts"
import { healed } from "./splits.ts"
import { commit, historyOf, type World } from "./world.ts"

/**
 * Has everything be committed, and at once, and again after a while, the partner end its poll and poll once more at the
 * primary. Returns what its copy lacks then; undefined if all is well. What the database itself has lost is not missed.
 */
export function lossOf(world: World, design: Design, { partner: kind }: Scope): string | undefined {
  if (!kind || !world.partner) return undefined
  for (const pauses of [[1], [100, 200]]) {
    const quiet = quieted(world, design, pauses)
    const partner = polledOnceMore(quiet, world.partner, kind, design)
    const loss = partner ? differenceOf(quiet, partner) : "the primary refuses to answer"
    if (loss !== undefined) return loss
  }
  return undefined
}

function quieted(world: World, design: Design, pauses: readonly number[]): World {
  let state: World = {
    ...healed(world, design),
    isElecting: false,
    isStuck: false,
    paused: undefined,
    look: undefined,
  }
  for (const entry of [...world.backlog, ...world.open]) state = commit(state, entry)
  state = { ...state, open: [], backlog: [] }
  for (const seconds of pauses) {
    state = { ...state, time: world.time + seconds }
    state = beat(state, look(state, state.primary, design), design)
  }
  return design.steps === "memory" ? rememberSteps(state) : state
}

function polledOnceMore(
  world: World,
  partner: Partner,
  kind: PartnerKind,
  design: Design,
): Partner | undefined {
  let state = partner
  for (let polls = partner.poll ? 2 : 1; polls > 0;) {
    const got = answer(design, world, world.primary, nextQuery(state, kind))
    if (!got) return undefined
    state = afterAnswer(state, kind, got)
    if (!state.poll) polls--
  }
  return state
}

function differenceOf(world: World, { copy }: Partner): string | undefined {
  const table = tableOf(historyOf(world, world.primary))
  for (const record of new Set([...table.keys(), ...Object.keys(copy)])) {
    const row = table.get(record)
    const has = copy[record]
    const wanted = row?.gone ? undefined : row?.id
    if (has === wanted || isLost(world, record, has, row)) continue
    const is = !row
      ? "does not exist"
      : row.gone
      ? `was deleted at ${row.stamp}`
      : `was changed at ${row.stamp}`
    const state = has === undefined
      ? "does not have it"
      : row?.gone
      ? "still has it"
      : "has another state of it"
    return `${record} ${is}, and the partner ${state} after one more poll`
  }
  return undefined
}

/** Returns true if the copy has what a failover has lost, and the record has not been changed since. */
function isLost(
  { lost, before }: World,
  record: string,
  has: number | undefined,
  row: Change | undefined,
): boolean {
  if (row && row.id > before) return false
  return lost.some(({ id, gone, record: other }) =>
    has === undefined ? gone && other === record : id === has
  )
}
