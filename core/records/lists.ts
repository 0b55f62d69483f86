import { JsonRecords } from "./json/json-records.ts"
import type { Projection } from "./projection.ts"

/** A list within the response: the response itself, or one of several, by its name there. */
export interface List {
  readonly name: string | undefined
  readonly projection: Projection
}

/** The lists that a listing answers, by what it projects; none where those are not projections. */
export function listsOf(project: unknown): List[] {
  if (isProjection(project)) return [{ name: undefined, projection: project }]
  const named = Object.entries(project ?? {}).map(([name, projection]) => ({ name, projection }))
  return named.every(({ projection }) => isProjection(projection)) ? named : []
}

/** The records of a list, if they are there. */
export function recordsOf(body: unknown, { name }: List): readonly Record<string, unknown>[] {
  const list = name === undefined ? body : (body as Record<string, unknown> | undefined)?.[name]
  return Array.isArray(list) ? list : []
}

/** True of a list without records, and of a group of such lists. */
export function isEmpty(body: unknown): boolean {
  if (Array.isArray(body)) return body.length === 0
  return typeof body === "object" && body !== null && Object.values(body).every(isEmpty)
}

/** How many records a list has, or a group of lists. */
export function countRecords(body: unknown): number {
  if (body instanceof JsonRecords) return body.count
  if (Array.isArray(body)) return body.length
  if (typeof body !== "object" || body === null) return 0
  return Object.values(body).reduce((sum, part) => sum + countRecords(part), 0)
}

function isProjection(value: unknown): value is Projection {
  const { fields, searched, schema, project } = (value ?? {}) as Partial<Projection>
  return Array.isArray(fields) && Array.isArray(searched) && schema?.kind === "schema" &&
    typeof project === "function"
}
