import { codeFigure, type Html, html } from "../../design/design.ts"
import { fillNames } from "./fill.ts"
import type { Reader } from "./reader.ts"
import { readText } from "./text-file.ts"

const programs = [
  { language: "shell", label: "Shell", syntax: "sh", file: "feed.sh" },
  { language: "python", label: "Python", syntax: "python", file: "feed.py" },
].map((program) => ({ ...program, text: readText(`examples/${program.file}`) }))

/** Returns a program to download, by its file name; an empty text if there is none. */
export function program(name: string, reader: Reader): string {
  const { text = "" } = programs.find(({ file }) => file === name) ?? {}
  return fillNames(text, reader)
}

/** Returns the program in each language, as HTML. */
export function exampleFigures(reader: Reader): Html {
  return html`${
    programs.map(({ language, label, syntax, file }) =>
      html`${codeFigure(program(file, reader), { syntax, label, language })}\n`
    )
  }`
}

/** Returns the program in each language, as Markdown. */
export function exampleBlocks(reader: Reader): string {
  return programs.map(({ label, syntax, file }) =>
    `${label}:\n\n\`\`\`${syntax}\n${program(file, reader)}\`\`\`\n`
  ).join("\n")
}
