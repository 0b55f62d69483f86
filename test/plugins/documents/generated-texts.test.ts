import { stripTypeScriptTypes } from "node:module"
import t from "tap"
import { printable } from "../../../core/kernel/printable.ts"
import { version } from "../../../core/kernel/version.ts"
import { attacks, harmless, serverOf, textsWith } from "../../support/generated-texts.ts"

/** The texts by names, each of which has six attacks. */
const texts = new Map<string, Map<string, string>>()
for (let at = 0; at < attacks.length; at += 6) {
  const name = attacks.slice(at, at + 6).join(" ")
  texts.set(name, await textsWith(name))
}

/** Returns the parts of a text that are not what somebody may choose: the tags of HTML, code without its literals. */
const shapes: Readonly<Record<string, (text: string) => unknown>> = {
  html: (text) =>
    [...text.matchAll(/<(?:!--|\/?[a-z][\w-]*)(?:"[^"]*"|'[^']*'|[^"'>])*>/gi)]
      .map(([tag]) => tag.replaceAll(/"[^"]*"/g, '""')),
  md: (text) => text.split("\n").filter((line) => /^(```|#|\s*<)/.test(line)),
  sql: (text) =>
    text.replaceAll(/'(?:''|[^'])*'|--[^\n]*/g, (part) => part.startsWith("'") ? "''" : "--"),
  // `#(` begins an escape, and `#(#)` is a number sign.
  m: (text) => text.replaceAll(/"(?:""|#\(#\)|(?!#\()[^"])*"/g, '""'),
  py: (text) => text.replaceAll(/"(?:\\.|[^"\\\n])*"/g, '""'),
  mts: (text) => text.replaceAll(/"(?:\\.|[^"\\\n])*"/g, '""'),
  gs: (text) => text.replaceAll(/"(?:\\.|[^"\\\n])*"/g, '""'),
  sh: (text) => text.replaceAll(/'[^']*'/g, "''"),
  json: (text) => shapeOf(JSON.parse(text)),
}

/** Returns a value without its texts. */
function shapeOf(value: unknown): unknown {
  if (typeof value === "string") return ""
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== "object" || value === null) return value
  return Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)])
}

/** Returns an attack as the name of a test. */
function nameOf(attack: string): string {
  return printable(JSON.stringify(attack))
}

function extensionOf(file: string): string {
  return file.slice(file.lastIndexOf(".") + 1)
}

t.test("no name changes the shape of a text that the service generates", async (t) => {
  const shapesOf = (texts: ReadonlyMap<string, string>) =>
    [...texts].map(([file, text]) => {
      const shape = shapes[extensionOf(file)]
      if (!shape) throw new TypeError(`${file} has a language that is not known here`)
      return [file, JSON.stringify(shape(text))]
    })
  const usual = new Map(shapesOf(await textsWith(harmless)) as [string, string][])
  for (const [attack, own] of texts) {
    const wrong = shapesOf(own).filter(([file = "", shape]) => shape !== usual.get(file))
    t.strictSame(wrong, [], nameOf(attack))
  }
})

t.test("texts that quote a name have it as it is", (t) => {
  for (const [attack, own] of texts) {
    const server = serverOf(attack)
    const [line = ""] = /^const defaults = [^\n]*/m.exec(own.get("pull.mts") ?? "") ?? []
    t.strictSame(Function(`${line}; return defaults`)(), {
      base: server,
      user: attack,
      families: [attack, `/${attack}/v1`],
      cookie: attack,
      version,
    })
  }
  t.end()
})

t.test("TypeScript and JavaScript with any name can be read", (t) => {
  for (const [attack, own] of texts) {
    for (const [file, text] of own) {
      if (!file.endsWith(".mts")) continue
      t.doesNotThrow(() => stripTypeScriptTypes(text), `${file} with ${nameOf(attack)}`)
    }
  }
  t.end()
})
