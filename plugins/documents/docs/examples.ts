import { fillNames } from "./fill.ts"
import { codeFigure } from "./highlight.ts"
import type { Reader } from "./reader.ts"
import { readText } from "./text-file.ts"

const languages = [
  { id: "curl", label: "curl", syntax: "sh", file: "poll.sh" },
  { id: "typescript", label: "TypeScript", syntax: "ts", file: "poll.mts" },
  { id: "python", label: "Python", syntax: "python", file: "poll.py" },
].map((language) => ({ ...language, text: readText(`examples/${language.file}`) }))

/** Returns a program to download, by its file name; an empty text if there is none. */
export function program(name: string, reader: Reader): string {
  const { text = "" } = languages.find(({ file }) => file === name) ?? {}
  return fillNames(text.replace(marks, ""), reader)
}

/** Returns a step of the guide in each language, as HTML. All steps of a language are its program. */
export function exampleFigures(step: string, reader: Reader): string {
  return languages.map(({ id, label, syntax, text }) =>
    codeFigure(fillNames(pieceOf(text, step), reader), { syntax, label, language: id })
  ).join("\n")
}

/** Returns a step of the guide in each language, as Markdown. */
export function exampleBlocks(step: string, reader: Reader): string {
  return languages.map(({ label, syntax, text }) =>
    `${label}:\n\n\`\`\`${syntax}\n${fillNames(pieceOf(text, step), reader)}\`\`\`\n`
  ).join("\n")
}

/** The lines in the programs that name the steps. */
const marks = /^(?:\/\/|#)# [\w-]+\n/gm

/** Returns the lines of a program after the line that names the step, up to the next such line. */
function pieceOf(text: string, step: string): string {
  const pieces = text.split(/^(?:\/\/|#)# ([\w-]+)\n/m)
  const index = pieces.indexOf(step)
  if (index < 0) throw new TypeError(`an example has no step ${step}`)
  return `${pieces[index + 1]?.trim()}\n`
}
