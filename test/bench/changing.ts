import { type Case, everything } from "./cases.ts"
import { type Field, get, requestsTo } from "./requests.ts"
import type { ServerName } from "./servers.ts"
import type { Change, ChangeTime } from "./writer.ts"

/** A load on a server. */
interface Turn {
  readonly name: ServerName
  readonly each: Case
  readonly field: Field
}

/**
 * Runs `work` while the writer changes the event, if the case says so. Passes the first change on.
 *
 * @throws {Error} if the writer was too slow, or the server does not show the last change.
 */
export async function whileChanging<T>(
  turn: Turn,
  work: (changed?: ChangeTime) => Promise<T>,
): Promise<T> {
  const { each, field } = turn
  if (!each.changing) return await work()
  const changes = await (await field.writer()).begin(each.event)
  const began = performance.now()
  const result = await work(changes.first).finally(() => changes.stop())
  const seconds = (performance.now() - began) / 1000
  if (changes.count < seconds - 1) {
    throw new Error(
      `${each.name}: there were only ${changes.count} changes in ${seconds} s. The measurement is void.`,
    )
  }
  await findChange(turn, await changes.stop())
  return result
}

/** @throws {Error} unless the first page has the records as they were committed. */
async function findChange({ name, each, field }: Turn, change: Change): Promise<void> {
  const { url, paths, headers } = await requestsTo(
    name,
    { ...each, variants: 1, query: everything },
    field,
  )
  const body: object = await (await get({ url, headers }, paths[0] ?? "")).json()
  const records = new Map(Object.values(body).flat().map((record) => [record.id, record]))
  for (const id of change.ids) {
    const record = records.get(id)
    const text = each.list === "guests" ? record?.mobile : record?.name
    if (text === change.text && record.updated === change.updated) continue
    throw new Error(
      `${each.name}: ${name} does not show the last change of ${id}. The measurement is void.`,
    )
  }
}
