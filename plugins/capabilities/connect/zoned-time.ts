const pattern =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?)?\s*(Z|UTC|[+-]\d{2}(?::?\d{2})?)?$/

/**
 * Reads a date or a time in Unix seconds; undefined if it is neither. Without an offset, it is in `zone`, a name of the IANA
 * time zone database. When summer time ends, a repeated time is the first of the two; when it begins, a skipped time is as
 * much later as the clock jumps.
 */
export function readTime(text: string, zone: string): number | undefined {
  const parts = pattern.exec(text.trim())
  if (!parts) return undefined
  const [, date, hour = "00", minute = "00", second = "00", offset] = parts
  const written = `${date}T${hour}:${minute}:${second}`
  const wall = Date.parse(`${written}Z`) / 1000
  // JavaScript turns 31 February into a day of March.
  if (isNaN(wall) || !new Date(wall * 1000).toISOString().startsWith(written)) return undefined
  if (offset !== undefined) return wall - secondsOf(offset)
  // The offset half a day before and after is that on either side of a step.
  const [before, after] = [wall - 43_200, wall + 43_200].map((moment) =>
    offsetAt(moment, zone)
  ) as [number, number]
  return offsetAt(wall - before, zone) === before
    ? wall - before
    : offsetAt(wall - after, zone) === after
    ? wall - after
    : wall - before
}

function secondsOf(offset: string): number {
  const [, sign, hours = "0", minutes = "0"] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset) ?? []
  return (sign === "-" ? -1 : 1) * (+hours * 3600 + +minutes * 60)
}

const formats = new Map<string, Intl.DateTimeFormat>()
/** Offsets by zone and quarter of an hour: most rows have times of the same days. */
const offsets = new Map<string, number>()

/** Returns how many seconds a zone is ahead of UTC at a moment, which steps at full hours or quarters of them. */
function offsetAt(moment: number, zone: string): number {
  const key = `${zone} ${Math.floor(moment / 900)}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  const format = formats.get(zone) ??
    new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" })
  formats.set(zone, format)
  // `GMT`, or with an offset: `GMT+05:45`.
  const parts = format.formatToParts(moment * 1000)
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? ""
  const offset = secondsOf(name.replace("GMT", ""))
  if (offsets.size > 50_000) offsets.clear()
  offsets.set(key, offset)
  return offset
}

/**
 * Returns the name of a time zone as the IANA database spells it; undefined if it does not have it. Runtimes also know offsets and
 * abbreviations that do not mean what people think: to them, BST is the time of Bangladesh.
 */
export function nameOfZone(name: string): string | undefined {
  try {
    const { timeZone } = new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions()
    if (!ofDatabase.test(name)) return undefined
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name
  } catch {
    return undefined
  }
}

/** The database's names; of those with three letters, only these. */
const ofDatabase = /^(?!SystemV)(?:[a-z]{2}|[a-z].{3,}|UTC|GMT|UCT|[CEMW]ET|[EHM]ST|PRC|RO[CK])$/i

/** True for the name of a time zone in the IANA database. */
export function isZone(name: string): boolean {
  return nameOfZone(name) !== undefined
}
