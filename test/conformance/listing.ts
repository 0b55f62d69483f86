import { isDeepStrictEqual } from "node:util"
import { type List, recordsOf, recordTypes } from "../../core/capability.ts"
import { foldText } from "../../core/data/fold-text.ts"
import { organizationsOf } from "../../core/inspection.ts"
import { type ListingRoute, type MountedRoute, v } from "../../core/plugin.ts"
import { isEmpty, nameOf, pathTo, rightCaller } from "./access.ts"
import type { SampleService } from "./sample-service.ts"
import { rowOf, sampleValue } from "./sample-row.ts"

type Records = readonly Readonly<Record<string, unknown>>[]

/**
 * Checks what a listing returns to the caller that it is for: the wrapper, every record against its projection, the
 * order, a page, and what `q` finds. There is nothing to check without projections.
 */
export async function listingProblems(
  route: MountedRoute & ListingRoute,
  service: SampleService,
): Promise<string[]> {
  const { parts } = route.list
  const home = service.home(route.auth)
  // If the policy is not about organizations, a grant for the event is enough.
  const foreign = organizationsOf(route.auth) ? service.foreign.full : undefined
  if (parts.length === 0 || !home) return []
  const request = async (event: string, query = "") =>
    await service.send("GET", `${pathTo(route, event)}${query}`, rightCaller(route.auth))

  const { status, body } = await request(home.full)
  // Another status is a problem of access, which is reported already.
  if (status !== 200) return []
  const problems = wrapperProblems(route, parts, body)
  if (problems.length === 0) {
    if (route.list.scope === "event") {
      const { body } = await request(home.empty)
      const empty = wrapperProblems(route, parts, body).length === 0 && isEmpty(body)
      if (!empty) problems.push("expected nothing of an event without records")
    }
    const { parameters } = route.list
    const paged = parameters.includes("offset") && parameters.includes("limit")
    const page = paged ? (await request(home.full, "?offset=1&limit=2")).body : undefined
    for (const part of parts) {
      const records = recordsOf(body, part)
      const find = async (text: string) => {
        const { status, body } = await request(home.full, `?q=${encodeURIComponent(text)}`)
        return { status, found: recordsOf(body, part).length > 0 }
      }
      const found = [
        ...recordProblems(part, records),
        ...orderProblems(records),
        ...!paged || isDeepStrictEqual(recordsOf(page, part), records.slice(1, 3))
          ? []
          : ["expected offset=1&limit=2 to give the second and the third record"],
        ...scopeProblems(records, home.full, foreign),
        ...parameters.includes("q") ? await searchProblems(part, records, find) : [],
      ]
      problems.push(
        ...found.map((each) => part.name === undefined ? each : `${part.name}: ${each}`),
      )
    }
  }
  return problems.map((problem) => `${nameOf(route)}: ${problem}`)
}

function wrapperProblems(
  { list }: ListingRoute,
  parts: List["parts"],
  body: unknown,
): string[] {
  const names = parts.flatMap(({ name }) => name === undefined ? [] : [name])
  if (names.length === 0) {
    return Array.isArray(body) ? [] : ["expected a JSON array"]
  }
  // The empty body that a list declares has the names in order. Without one, any order is right.
  const declared = Object.keys(list.emptyBody ?? {})
  const inOrder = declared.length > 0
  const expected = inOrder ? declared : names
  const keys = Object.keys(body ?? {})
  const same = inOrder
    ? isDeepStrictEqual(keys, declared)
    : isDeepStrictEqual(keys.toSorted(), names.toSorted())
  const right = same && Object.values(body ?? {}).every(Array.isArray)
  return right ? [] : [`expected the arrays ${expected.join(", ")}, not ${keys.join(", ")}`]
}

function recordProblems({ projection }: List["parts"][number], records: Records): string[] {
  const issues = records.map((record) => v.safeParse(projection.schema, record).issues?.[0])
  const index = issues.findIndex((issue) => issue !== undefined)
  const issue = issues[index]
  const expected = projection.fields.join(", ")
  const keys = records.map((record) => Object.keys(record ?? {}).join(", "))
  const other = keys.find((names) => names !== expected)
  return [
    ...issue === undefined ? [] : [
      `expected what its schema says, but ${v.getDotPath(issue) ?? "the record"}: ` +
      `${issue.message} (in ${JSON.stringify(records[index])})`,
    ],
    ...other === undefined ? [] : [`expected the fields ${expected} in this order, not ${other}`],
  ]
}

function orderProblems(records: Records): string[] {
  const keys = records.map(({ updated, id }) => [Number(updated), String(id)] as const)
  const ordered = keys.every(([updated, id], index) => {
    const [before, idBefore] = keys[index - 1] ?? [Infinity, ""]
    // NaN if `updated` is hidden, which proves nothing.
    return !(updated > before) && !(updated === before && id > idBefore)
  })
  return ordered ? [] : ["expected the newest first: updated, then id, both descending"]
}

function scopeProblems(records: Records, event: string, foreign: string | undefined): string[] {
  const strays = records.filter(({ id, eventId = event }) =>
    id !== undefined && id === foreign || eventId !== event
  )
  return strays.length === 0 ? [] : ["expected nothing of another event or organization"]
}

/** Columns that the samples fill with ids. */
const ids = new Set(["id", "event_id"])

/** Checks that `q` finds visible texts only: those that occur in the records, ignoring case and accents. */
async function searchProblems(
  { projection }: List["parts"][number],
  records: Records,
  find: (text: string) => Promise<{ readonly status: number; readonly found: boolean }>,
): Promise<string[]> {
  const visible = foldText(JSON.stringify(records))
  const type = recordTypes.get(projection.record)
  // A record without a table of its own is not searched.
  const full = type?.table === undefined ? {} : rowOf(type, sampleValue)
  const problems: string[] = []
  for (const [column, text] of Object.entries(full)) {
    if (typeof text !== "string" || ids.has(column)) continue
    const shown = visible.includes(foldText(JSON.stringify(text).slice(1, -1)))
    const { status, found } = await find(text)
    if (status !== 200) problems.push(`expected 200 for q=${text}, not ${status}`)
    if (found && !shown) problems.push(`expected q to find nothing by the hidden ${column}`)
    if (!found && shown && projection.searched.includes(`record.${column}`)) {
      problems.push(`expected q to find records by ${column}`)
    }
  }
  return problems
}
