import * as fs from "node:fs"
import { dirname, join } from "node:path"
import process from "node:process"
import type { Copy } from "./copy.ts"
import { csvLines } from "./csv.ts"
import { closeToOthers } from "./private-files.ts"
import type { State } from "../pull.d.mts"
import type { PullSettings } from "./settings.ts"

/**
 * Writes the files of a copy that are out of date or missing: `events.csv`, and `<event>/guests.csv` for each event and
 * category. Replaces each file as a whole, and only with a complete list. Other files wait.
 */
export function writeFiles(
  { format, place, spreadsheet }: PullSettings,
  copy: Copy,
  state: State,
): void {
  const fileOf = (event: string, category: string) => join(place, event, `${category}.${format}`)
  const isMissing = (event: string, category: string) => !closeToOthers(fileOf(event, category))
  // Version 1.2 wrote form 0, which was for spreadsheets, and 1.3.0 form 2.
  const form = format === "csv" ? spreadsheet ? 3 : 1 : 0
  for (const { event, category } of copy.outdated(form, isMissing)) {
    if (event !== "" && typeof state.events[event]?.upTo !== "number") continue
    const records = () => copy.records(event, category)
    const lines = format === "csv" ? csvLines(records, spreadsheet) : records()
    replaceFile(fileOf(event, category), lines)
    copy.written(event, category)
  }
}

function replaceFile(file: string, lines: Iterable<string>): void {
  fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const output = fs.openSync(`${file}.new`, "w", 0o600)
  try {
    let text = ""
    for (const line of lines) {
      text += line
      if (text.length < 1_000_000) continue
      fs.writeFileSync(output, text)
      text = ""
    }
    fs.writeFileSync(output, text)
    fs.fsyncSync(output)
  } finally {
    fs.closeSync(output)
  }
  fs.renameSync(`${file}.new`, file)
  if (process.platform === "win32") return
  // The new name must survive a power cut.
  const folder = fs.openSync(dirname(file), "r")
  fs.fsyncSync(folder)
  fs.closeSync(folder)
}
