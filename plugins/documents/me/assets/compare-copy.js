/** Compares a copy that the reader chooses with the service. The files stay in the browser. */

import { compareCopy, compareRecords, readCopy } from "./copy-file.js"

const form = /** @type {HTMLFormElement} */ (document.getElementById("copy-form"))
const result = /** @type {HTMLElement} */ (document.getElementById("copy-result"))

/** Records of different buckets that are read, to say which of them differ. */
const most = 20_000

form.addEventListener("submit", async (event) => {
  event.preventDefault()
  const button = form.querySelector("button")
  if (button) button.disabled = true
  try {
    show("", "Comparing …")
    await compare(new FormData(form))
  } catch (error) {
    show("bad", error instanceof Error ? error.message : String(error))
  } finally {
    if (button) button.disabled = false
  }
})

async function compare(/** @type {FormData} */ data) {
  if (!crypto.subtle) {
    throw new Error("This browser computes digests only on pages with https. Use pull.mjs --check.")
  }
  const event = String(data.get("event")).trim().toLowerCase()
  const list = String(data.get("list")).replace(":eventId", encodeURIComponent(event))
  const url = `${list}/digest`
  const response = await get(url)
  const body = await response.json()
  const digests = "buckets" in body ? { guests: body } : body
  const files = /** @type {File[]} */ (data.getAll("files"))
  const texts = await Promise.all(files.map(async (file) => ({
    name: file.name,
    text: await file.text(),
  })))
  const copy = readCopy(texts, Object.keys(digests))
  const { different, mine } = await compareCopy(copy, digests)
  if (different.length > 0) return await showDifferences(list, copy, different)
  const count = [...copy.values()].reduce((sum, { size }) => sum + size, 0)
  const complete = `Complete: your ${count} records have the ids and times that the service has.`
  if (!data.get("acknowledge")) return show("good", complete)
  const fields = response.headers.get("fields") ?? ""
  const said = await get(`${url}?${new URLSearchParams({ mine, fields })}`)
  const isSame = said.headers.get("copy") === "same"
  show("good", complete, [
    isSame
      ? `Acknowledged with the fields ${fields}: the operator sees it.`
      : "Something changed just now, so it could not be acknowledged. Compare again.",
  ])
}

/**
 * @typedef {{ category: string, bucket: string, count: number, own: number }} Difference
 * @param {string} list
 * @param {import("./copy-file.js").Copy} copy
 * @param {readonly Difference[]} different
 */
async function showDifferences(list, copy, different) {
  const newest = [...copy.values()].flatMap((rows) => [...rows.values()])
    .reduce((most, updated) => Math.max(most, updated), 0) || Infinity
  const rows = []
  const sum = { missing: 0, old: 0, surplus: 0, later: 0 }
  let read = 0
  for (const each of different) {
    const { category, bucket, count, own } = each
    const name = list.endsWith("/items") ? `${category} ${bucket}` : bucket
    if (read + count > most) {
      rows.push([name, count, own, "–", "–", "–", "–"])
      continue
    }
    read += count
    const theirs = await readBucket(list, each)
    const ofBucket = [...copy.get(category) ?? []].filter(([id]) => id.startsWith(bucket))
    const found = compareRecords(new Map(ofBucket), theirs, newest)
    const { missing, old, surplus, later } = found
    sum.missing += missing.length
    sum.old += old.length
    sum.surplus += surplus.length
    sum.later += later
    rows.push([name, count, own, missing.length, old.length, surplus.length, later])
  }
  const isWrong = sum.missing + sum.old + sum.surplus > 0 || rows.some((row) => row[3] === "–")
  const first = isWrong ? "Not complete" : "Not up to date, but nothing else is wrong"
  const words = [
    [sum.missing, "missing"],
    [sum.old, "older than here, or otherwise not as they are here"],
    [sum.surplus, "too many"],
    [sum.later, "changed after the newest record of your copy"],
  ].flatMap(([count, what]) => count ? [`${count} ${what}`] : [])
  const [{ category = "", bucket = "" } = {}] = different
  show(isWrong ? "bad" : "warn", `${first}: ${words.join(", ") || "see the buckets"}.`, [
    ...sum.later > 0
      ? ["Poll, and compare again: your next poll brings what has changed since."]
      : [],
    ...isWrong
      ? [
        "Of each bucket below: drop your records whose ids begin with it, and read them again, such as with",
        `${list}?since=-1&${queryOf(list, category)}bucket=${bucket}`,
      ]
      : [],
  ])
  result.append(tableOf(rows))
}

/** @param {string} list @param {string} category */
function queryOf(list, category) {
  return list.endsWith("/items") ? `category=${category}&` : ""
}

/**
 * Reads the `updated` of the records of a bucket, by their ids.
 * @param {string} list
 * @param {Difference} bucket
 */
async function readBucket(list, { category, bucket, count }) {
  /** @type {Map<string, number>} */
  const records = new Map()
  if (count === 0) return records
  /** @type {string | undefined} */
  let next = `${list}?since=-1&${queryOf(list, category)}bucket=${bucket}`
  while (next) {
    const response = await get(next)
    const body = await response.json()
    for (const { id, updated } of Array.isArray(body) ? body : body[category]) {
      records.set(id, updated)
    }
    const link = /<([^>]+)>;\s*rel="?next/.exec(response.headers.get("link") ?? "")?.[1]
    next = link && `${new URL(link, location.href).pathname}${new URL(link, location.href).search}`
  }
  return records
}

/**
 * Requests a path of this service as the reader. Waits once if that comes too fast.
 * @param {string} path
 * @returns {Promise<Response>}
 * @throws {Error} with a sentence for people.
 */
async function get(path) {
  const ask = () => fetch(path, { headers: { accept: "application/json" }, cache: "no-store" })
  let response = await ask()
  const wait = Number(response.headers.get("retry-after"))
  if (response.status === 429 && wait <= 10) {
    await new Promise((resolve) => setTimeout(resolve, wait * 1000))
    response = await ask()
  }
  if (response.ok) return response
  const { code, detail, requestId } = await response.json()
  throw new Error(`${response.status} ${code}: ${detail} (request id ${requestId})`)
}

/**
 * Shows how it ended, in words.
 * @param {string} grade
 * @param {string} first
 * @param {readonly string[]} more
 */
function show(grade, first, more = []) {
  const lines = [first, ...more].map((text) => {
    const line = document.createElement(text.startsWith("/") ? "pre" : "p")
    line.textContent = text
    if (line.localName === "pre") line.className = "lines"
    return line
  })
  if (lines[0]) lines[0].className = `message ${grade}`
  result.replaceChildren(...lines)
}

/** @param {readonly (readonly (string | number)[])[]} rows */
function tableOf(rows) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById("copy-buckets"))
  const table = /** @type {DocumentFragment} */ (template.content.cloneNode(true))
  table.querySelector("tbody")?.replaceChildren(...rows.map((cells) => {
    const row = document.createElement("tr")
    row.append(...cells.map((text, at) => {
      const cell = document.createElement(at === 0 ? "th" : "td")
      if (at === 0) cell.setAttribute("scope", "row")
      else {
        cell.className = "number"
        cell.dataset["label"] = table.querySelectorAll("th")[at]?.textContent ?? ""
      }
      cell.textContent = String(text)
      return cell
    }))
    return row
  }))
  return table
}
