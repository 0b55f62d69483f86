import t from "tap"
import { type Group, groups, patterns } from "./plain-english.ts"
import { findTexts, placeOf, type Text } from "./texts.ts"

/** What to look for, and what to say about it. */
interface Rule {
  readonly find: RegExp
  readonly advice: string
}

const rules: readonly Rule[] = [
  ...groups.flatMap(rulesOf),
  ...patterns.map(({ avoid, write }) => ({ find: avoid, advice: `write ${write}` })),
]

t.test("documents, pages, messages and help are in plain English", (t) => {
  t.strictSame(findTexts().flatMap(findingsIn), [])
  t.end()
})

t.test("each phrase and pattern is found, also over two lines", (t) => {
  const phrases = groups.flatMap((group) => Object.keys(group.phrases))
  for (const each of [...phrases, ...patterns.map(({ example }) => example)]) {
    const text = `${each.replace("…", "ed")}\n`
    t.not(findingsIn({ file: "a.md", text }).length, 0, each)
  }
  const [finding] = findingsIn({ file: "a.md", text: "\nLog in in\norder to read.\n" })
  t.match(finding, 'a.md:2 "in order to": write to (a shorter word')
  t.end()
})

function findingsIn(text: Text): string[] {
  return rules.flatMap(({ find, advice }) =>
    [...text.text.matchAll(find)].map(({ index, 0: found }) =>
      `${placeOf(text, index)} "${found.replace(/\s+/g, " ")}": ${advice}`
    )
  )
}

function rulesOf({ why, phrases }: Group): Rule[] {
  return Object.entries(phrases).map(([phrase, write]) => {
    const words = RegExp.escape(phrase).replaceAll("…", "\\w*").replaceAll("\\x20", "\\s+")
    return {
      find: new RegExp(`(?<![\\w."])${words}(?!\\w)`, "gi"),
      advice: `write ${write} (${why})`,
    }
  })
}
