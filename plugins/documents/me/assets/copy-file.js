/** Reads the files of a copy, and compares them with a digest of the service. Sends nothing. */

/**
 * The `updated` of the records of a copy, by their ids, and that by their categories.
 * @typedef {Map<string, Map<string, number>>} Copy
 */

/**
 * The buckets of a digest by their names, and that by categories. In a digest of guests there is only one category.
 * @typedef {Record<string, { count: number, buckets: Record<string, { count: number, digest: string }> }>} Digests
 */

/**
 * Reads files: JSON (an array, or a bundle of items), NDJSON, CSV, or lines `id updated`.
 * @param {readonly { name: string, text: string }[]} files An item has the category that its record, its bundle or else the name of its file says.
 * @param {readonly string[]} categories
 * @returns {Copy}
 * @throws {Error} with a sentence for people.
 */
export function readCopy(files, categories) {
  const copy = new Map(categories.map((category) => [category, new Map()]))
  for (const { name, text } of files) {
    for (const each of recordsIn(text, name)) {
      const record = Object(each)
      const { id, category = name.replace(/\..*$/, "") } = record
      const updated = Number(record["updated"])
      // The last line of an export has no id.
      if (id === undefined && "end" in record) continue
      if (typeof id !== "string" || record["updated"] === "" || !Number.isSafeInteger(updated)) {
        throw new Error(`${name} has a record without id and updated.`)
      }
      const rows = copy.get(
        categories.length === 1 && !record["category"] ? categories[0] : category,
      )
      if (!rows) {
        throw new Error(
          `${name} has records of no category of this list. Choose the list that they are from; a file of items ` +
            `without categories has the name of one, such as ${categories[0]}.csv.`,
        )
      }
      rows.set(id, Math.max(updated, rows.get(id) ?? updated))
    }
  }
  return copy
}

/**
 * @param {string} text
 * @param {string} name
 * @returns {Iterable<Record<string, any>>}
 */
function* recordsIn(text, name) {
  const [first = ""] = text.trimStart()
  if (first === "[") return yield* parse(text, name)
  if (first === "{") {
    const lines = text.split("\n").filter((line) => line.trim() !== "")
    const isBundle = lines.length === 1 || lines[0]?.trim() === "{"
    if (!isBundle) return yield* lines.map((line) => parse(line, name))
    const whole = parse(text, name)
    if (whole["id"] !== undefined) return yield whole
    for (const [category, records] of Object.entries(whole)) {
      for (const record of Array.isArray(records) ? records : []) yield { ...record, category }
    }
    return
  }
  const rows = csvRows(text)
  const { value: head = [] } = rows.next()
  if (head.length === 1) {
    for (const line of text.split("\n")) {
      const [id, updated, ...more] = line.trim().split(/\s+/)
      if (id) yield more.length === 0 ? { id, updated } : {}
    }
    return
  }
  for (const row of rows) {
    if (row[0]?.startsWith("#end")) continue
    yield Object.fromEntries(head.map((column, at) => [column.replace(/^\ufeff/, ""), row[at]]))
  }
}

/**
 * @param {string} text
 * @param {string} name
 */
function parse(text, name) {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${name} is not whole, or not JSON: ${text.slice(0, 40)}`)
  }
}

/**
 * Returns the rows of CSV (RFC 4180), one at a time.
 * @param {string} text
 * @returns {Generator<string[], undefined>}
 */
function* csvRows(text) {
  /** @type {string[]} */
  let row = []
  for (const [, cell = "", end] of text.matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/g)) {
    row.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end === ",") continue
    if (row.length > 1 || row[0] !== "") yield row
    row = []
  }
}

/**
 * Returns where a copy differs from digests, bucket by bucket, and the digest of the whole copy.
 * @param {Copy} copy
 * @param {Digests} digests
 */
export async function compareCopy(copy, digests) {
  const different = []
  let lines = ""
  for (const [category, { buckets }] of Object.entries(digests)) {
    const digits = Object.keys(buckets)[0]?.length ?? 1
    const rows = [...copy.get(category) ?? []].sort(([a], [b]) => a < b ? -1 : 1)
    const own = Map.groupBy(rows, ([id]) => id.slice(0, digits))
    const names = new Set([...own.keys(), ...Object.keys(buckets)])
    for (const bucket of [...names].sort()) {
      const records = own.get(bucket) ?? []
      const digest = await sha256(records.map(([id, updated]) => `${id} ${updated}\n`).join(""))
      if (records.length > 0) {
        lines += `${digests["guests"] ? "" : `${category} `}${bucket} ${digest}\n`
      }
      const { count = 0, digest: theirs } = buckets[bucket] ?? {}
      if (records.length === 0 ? count > 0 : digest !== theirs) {
        different.push({ category, bucket, count, own: records.length })
      }
    }
  }
  return { different, mine: await sha256(lines) }
}

/**
 * Returns what differs between the records of a bucket here and there. What changed after the newest record of the copy is
 * `later`: the next poll brings it.
 * @param {Map<string, number>} own
 * @param {Map<string, number>} theirs
 * @param {number} newest
 */
export function compareRecords(own, theirs, newest) {
  const missing = [], old = [], surplus = []
  let later = 0
  for (const [id, updated] of theirs) {
    if (own.get(id) === updated) continue
    if (updated > newest) later++
    else if (own.has(id)) old.push(id)
    else missing.push(id)
  }
  for (const id of own.keys()) if (!theirs.has(id)) surplus.push(id)
  return { missing, old, surplus, later }
}

/** @param {string} text */
async function sha256(text) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("")
}
