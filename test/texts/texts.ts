import { globSync, readFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { type Node, parse, type TemplateLiteral } from "acorn"
import { withoutWarning } from "../../plugins/documents/pull/strip-types.ts"

/** What people read of a file. All else is blanked, so a place in `text` is the place in the file. */
export interface Text {
  readonly file: string
  readonly text: string
}

/** Stands for each character of code, markup and values. It is no letter and no space. */
const blank = "•"

/** Stands for each character of a tag. A word may begin or end there. */
const edge = "¦"

/**
 * Returns what people read: documents, pages, messages, the help of commands, and comments of configurations. Comments
 * of programs are not among them.
 */
export function findTexts(): Text[] {
  return [
    ...read("{*,{core,plugins,config,test}/**/*}.md", proseOfMarkdown),
    ...read("plugins/**/*.txt", proseOfMarkdown),
    ...read("plugins/**/*.html", proseOfHtml),
    ...read("{core,plugins}/**/*.{ts,mts,js}", proseOfProgram),
    ...read("{Makefile,config/**/*.{yaml,yml,service}}", proseOfComments),
  ]
}

/** Names a place of a text as `file:line`. */
export function placeOf({ file, text }: Text, index: number): string {
  return `${file}:${text.slice(0, index).split("\n").length}`
}

function read(pattern: string, proseOf: (source: string) => string): Text[] {
  const files = globSync(pattern, { exclude: ["**/node_modules/**"] }).sort()
  return files.map((file) => ({ file, text: proseOf(readFileSync(file, "utf8")) }))
}

/** Leaves out code, the addresses of links, HTML and placeholders. */
function proseOfMarkdown(source: string): string {
  const code = /^( *)```.*?^\1```|``.*?``|`[^`]*`/gms
  const addresses = /(?<=\])\([^)]*\)|\bhttps?:\S+|\{\{.*?\}\}/g
  return proseOfHtml(source.replace(code, hide).replace(addresses, hide))
}

/** Leaves out comments, entities and tags, except attributes with words for people. */
function proseOfHtml(source: string): string {
  return source.replace(/<!--.*?-->|&#?\w+;|<[a-z/!][^<>]*>/gis, (tag) => {
    const words = /(?<=\b(?:title|aria-label|placeholder|alt|content)=")[^"]*/g
    const shown = [...tag.matchAll(words)].map((found): Part => [found.index, found[0]])
    return keep(tag, shown).replaceAll(blank, edge)
  })
}

/** Leaves out all but the comments. */
function proseOfComments(source: string): string {
  return keep(
    source,
    [...source.matchAll(/(?<=^|\s)#+ .*/gm)].map((found) => [found.index, found[0]]),
  )
}

/** Leaves out all but sentences and phrases in strings and in the HTML of templates. */
function proseOfProgram(source: string): string {
  const script = withoutWarning(() => stripTypeScriptTypes(source))
  const tree = parse(script, { ecmaVersion: "latest", sourceType: "module" })
  const joints = [...script.matchAll(/["`] \+\n\s*["`]/g)].map(({ index, 0: joint }): Part => [
    index,
    joint.replace(/\S/g, " "),
  ])
  return keep(script, [...stringsIn(tree, script), ...joints])
}

/** A piece of a text, and where it begins. */
type Part = readonly [index: number, text: string]

function stringsIn(node: Node, source: string): Part[] {
  if (node.type === "TaggedTemplateExpression" && source.startsWith("sql", node.start)) return []
  const children: unknown[] = Object.values(node).flat()
  const inside = children.filter(isNode).flatMap((child) => stringsIn(child, source))
  const parts = node.type === "TemplateLiteral" ? (node as TemplateLiteral).quasis : [node]
  if (node.type !== "Literal" && node.type !== "TemplateLiteral") return inside
  const text = keep(
    source.slice(node.start, node.end),
    parts.map(({ start, end }) => [start - node.start, source.slice(start, end)]),
  )
  if (!isProse(text)) return inside
  const hidden = node.type === "Literal" ? /\\.|`[^`]*`/g : /\\./g
  return [...inside, [node.start, proseOfHtml(text.replace(hidden, hide))]]
}

function isNode(value: unknown): value is Node {
  return typeof (value as Node | null)?.type === "string"
}

const words = /[A-Za-z] [A-Za-z]|^["`][A-Z][a-z]+["`]$|<[a-z]/
const statement =
  /^["`'](\s|•)*(select|insert|update|delete|create|alter|drop|pragma|case|signal|values) /
const program = /[({;]\n| = | => |; const /

/** True of words in a row, a word with a capital, and HTML, unless they are SQL or program text. */
function isProse(text: string): boolean {
  return words.test(text) && !statement.test(text) && !program.test(text)
}

/** Returns a text with only these parts: all else is blank. */
function keep(source: string, parts: readonly Part[]): string {
  const shown = hide(source).split("")
  for (const [index, part] of parts) {
    for (let at = 0; at < part.length; at++) {
      if (part[at] !== blank) shown[index + at] = part[at] ?? blank
    }
  }
  return shown.join("")
}

function hide(text: string): string {
  return text.replace(/[^\n]/g, blank)
}
