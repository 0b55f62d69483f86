import { type EventVersion, markRange } from "../../../core/change-log/versions.ts"
import { LiveList } from "../../../plugins/capabilities/memory/live-list.ts"
import { LiveRecords } from "../../../plugins/capabilities/memory/live-records.ts"

/** Builds a mistake into lists in memory. Returns what takes it out again. */
type Mistake = () => () => void

/** Replaces a method. `make` gets the right one, which it must call on `this`. */
function replaced<T extends object, Name extends keyof T>(
  { prototype }: { readonly prototype: T },
  name: Name,
  make: (right: T[Name]) => T[Name],
): Mistake {
  return () => {
    const right = prototype[name]
    prototype[name] = make(right)
    return () => {
      prototype[name] = right
    }
  }
}

const reaching = (make: (right: LiveRecords["reach"]) => LiveRecords["reach"]) =>
  replaced(LiveRecords, "reach", make)
const setting = (make: (right: LiveList["set"]) => LiveList["set"]) =>
  replaced(LiveList, "set", make)

/** Returns the version that lists would have if they counted some rows to their own. */
function added(
  { changes, mark, epoch }: EventVersion,
  rows: readonly { readonly mark: number }[],
): EventVersion {
  const sum = rows.reduce((sum, { mark }) => (sum + mark) % markRange, mark)
  return { changes: changes + rows.length, mark: sum, epoch }
}

/** The last row of the log that lists have seen. */
const newest = new WeakMap<LiveRecords, number>()

/** Mistakes that lists in memory could have. */
const wrongLists: Readonly<Record<string, Mistake>> = {
  "a change that commits late is forgotten": reaching((reach) =>
    function (this: LiveRecords, version, changes) {
      const { version: former } = this
      const last = newest.get(this) ?? 0
      const reached = reach.call(this, version, changes)
      newest.set(this, Math.max(last, ...changes?.rows.map(({ seq }) => seq) ?? []))
      if (!former || !changes || changes.isCut || reached !== "missing") return reached
      const rows = changes.rows.filter(({ seq }) => seq > last)
      return reach.call(this, added(former, rows), { ...changes, rows })
    }
  ),
  "lists that are ahead of a version are taken for it": reaching((reach) =>
    function (this: LiveRecords, version, changes) {
      const reached = reach.call(this, version, changes)
      return reached === "behind" ? "reached" : reached
    }
  ),
  "lists are used in another epoch": reaching((reach) =>
    function (this: LiveRecords, version, changes) {
      const epoch = this.version?.epoch ?? version.epoch
      return reach.call(this, { ...version, epoch }, changes)
    }
  ),
  "rows that name no record are passed over": reaching((reach) =>
    function (this: LiveRecords, version, changes) {
      const rows = changes?.rows.map((row) => ({ ...row, category: row.category ?? "events" })) ??
        []
      return reach.call(this, version, changes && { ...changes, rows })
    }
  ),
  "records are in the order in which they change": setting((set) =>
    function (this: LiveList, id, key) {
      set.call(this, id, undefined)
      Object.defineProperty(this, "countOlder", { configurable: true, value: () => this.size })
      set.call(this, id, key)
      Reflect.deleteProperty(this, "countOlder")
    }
  ),
  "deletions are ignored": setting((set) =>
    function (this: LiveList, id, key) {
      if (key) set.call(this, id, key)
    }
  ),
  "a record that has changed keeps its text": setting((set) =>
    function (this: LiveList, id, key) {
      const json = this.entries.find((entry) => entry.id === id)?.json
      set.call(this, id, key)
      const entry = this.entries.find((entry) => entry.id === id)
      if (entry) entry.json = json
    }
  ),
  "places of deleted records are kept when another one is deleted": () => {
    const property = Object.getOwnPropertyDescriptor(LiveList.prototype, "vacancies") ?? {}
    Object.defineProperty(LiveList.prototype, "vacancies", {
      ...property,
      set(known) {
        if (known) property.set?.call(this, known)
      },
    })
    return () => Object.defineProperty(LiveList.prototype, "vacancies", property)
  },
  "consents and addresses of records that have changed are not read": replaced(
    LiveList,
    "keep",
    (keep) =>
      function (this: LiveList, entry, kind, number, text) {
        const without = text.replaceAll(
          /"(consentStatus|mainAddress)":("[^"]*"|\{[^}]*\})/g,
          '"$1":null',
        )
        keep.call(this, entry, kind, number, kind === "json" ? without : text)
      },
  ),
}

/** Runs `work` with a mistake. */
export async function withMistake<T>(name: string, work: () => Promise<T>): Promise<T> {
  const takeOut = wrongLists[name]?.()
  if (!takeOut) throw new RangeError(`no mistake "${name}"`)
  try {
    return await work()
  } finally {
    takeOut()
  }
}
