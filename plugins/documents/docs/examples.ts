import { codeFigure, type Html, html } from "../../design/design.ts"
import { fillNames } from "./fill.ts"
import type { DocsReader } from "./reader.ts"
import { readText } from "./text-file.ts"

/** The files to download, with descriptions. They contain the reader's names. */
export const downloads = {
  "feed.sh": "The guide's program for a shell.",
  "feed.py": "The guide's program in Python.",
  "dlt.py": "A dlt pipeline that reads changes and deletions of all events.",
  "power-query.m": "A query for Power BI and Excel that reads all guests of an event.",
  "google-sheets.gs": "A script that fills a sheet of Google Sheets with all guests of an event.",
  "duckdb.sql": "Statements with which DuckDB reads all guests of an event over HTTP.",
} as const

/** The programs that the guide shows. */
const programs = [
  { language: "shell", label: "Shell", syntax: "sh", file: "feed.sh" },
  { language: "python", label: "Python", syntax: "python", file: "feed.py" },
] as const

/** Returns a file to download. */
export function program(name: keyof typeof downloads, reader: DocsReader): string {
  return fillNames(readText(`examples/${name}`), reader)
}

/** Returns the guide's program in each language, as HTML. */
export function exampleFigures(reader: DocsReader): Html {
  return html`${
    programs.map(({ language, label, syntax, file }) =>
      html`${codeFigure(program(file, reader), { syntax, label, language })}\n`
    )
  }`
}

/** Returns the guide's program in each language, as Markdown. */
export function exampleBlocks(reader: DocsReader): string {
  return programs.map(({ label, syntax, file }) =>
    `${label}:\n\n\`\`\`${syntax}\n${program(file, reader)}\`\`\`\n`
  ).join("\n")
}
