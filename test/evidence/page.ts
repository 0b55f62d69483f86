import { posix } from "node:path"
import { type Answered, asvs, type Chapter, expandNumbers, requirements } from "./asvs.ts"
import { type Count, readCounts } from "./counts.ts"
import { findSection } from "./document.ts"
import { limits } from "./limits.ts"
import { type Promised, promises } from "./promises.ts"
import { type Run, runs } from "./runs.ts"
import { threats } from "./threats.ts"

/** The page that is written. */
export const page = "config/handbook/evidence.md"

/** Returns the text of the page. Whether it is true, `evidence.test.ts` checks. */
export function renderPage(): string {
  const all = Object.values(promises).flat()
  const files = new Set(
    [...all.map(({ by }) => by), ...Object.values(threats)].flatMap(Object.keys),
  )
  return `# Evidence

${all.length} promises of the READMEs, the handbook and the guide for partners, with the tests that hold them in \
${files.size} files; what was counted last; and what is not promised. \
\`node test/evidence/write.ts\` writes this page. \`test/evidence/evidence.test.ts\` fails if a sentence is not in the \
document that is named beside it, a test or a file is gone, or the page is not up to date. \
The tests are in a clone, under the names in \
\`test/evidence/promises.ts\`.

- [What is promised](#${anchors[0]}), by what it is about
- [What is not promised](#not-promised)
- [What was counted](#counted)
- [OWASP ASVS 5.0, level 2](#owasp-asvs-50-level-2), chapter by chapter, and [what is not met](#not-met)
- [Threats](security.md), ${Object.keys(threats).length} of them, each with its test
- [How to report a weakness](security.md#report-a-weakness)

${Object.entries(promises).map(([topic, each]) => topicTable(topic, each)).join("\n\n")}

## Not promised

${limits.map((limit) => `- ${limit.short} ${linkTo(limit)}`).join("\n")}

Also: [what security leaves to others](security.md), [database servers that are not
supported](replication.md#not-supported), and [what the versions of records cannot
see](../../core/README.md#how-versions-stay-right).

## Counted

Each run ended without a lost record and without a broken promise. To repeat one, run its command in a clone; with
\`EVIDENCE=1\` before it, its numbers are noted here.

${countTable(readCounts())}

## OWASP ASVS 5.0, level 2

${standardText()}
`
}

const anchors = Object.keys(promises).map((topic) => topic.toLowerCase().replaceAll(" ", "-"))

function topicTable(topic: string, each: readonly Promised[]): string {
  const rows = each.map((promised) => {
    const counted = (promised.runs ?? []).map((run) => `, [${run}](#counted)`).join("")
    return `| ${promised.short ?? promised.said} ${linkTo(promised)} | ${
      listOf(Object.keys(promised.by))
    }${counted} |`
  })
  return `## ${topic}\n\n| Promise | Held by |\n| --- | --- |\n${rows.join("\n")}`
}

/** A link to the place of a quotation, named by its document. */
function linkTo({ in: file, said }: Pick<Promised, "in" | "said">): string {
  const anchor = findSection(file, said)?.anchor
  const path = posix.relative(posix.dirname(page), file)
  return `([${nameOf(file)}](${path}${anchor ? `#${anchor}` : ""}))`
}

function nameOf(file: string): string {
  return file === "README.md"
    ? "README"
    : file.endsWith("/README.md")
    ? posix.basename(posix.dirname(file))
    : posix.basename(file, ".md")
}

function countTable(counts: Readonly<Record<string, Count>>): string {
  const rows = (Object.keys(runs) as Run[]).flatMap((run) => {
    const count = counts[run]
    if (!count) return []
    const numbers = Object.entries(count.counted)
      .map(([name, number]) => `${number.toLocaleString("en")} ${name}`)
    return `| ${run} | ${runs[run]} | ${
      numbers.join(", ")
    } | ${count.version} (\`${count.commit}\`), ` +
      `${count.date}: \`${count.command}\` |`
  })
  return `| Run | What it does | Counted | Version, day, command |\n| --- | --- | --- | --- |\n${
    rows.join("\n")
  }`
}

function standardText(): string {
  const kinds = ["met", "notApplicable", "notMet"] as const
  const [met, notApplicable, notMet] = kinds.map((kind) =>
    countOf(asvs.flatMap((each): readonly Answered[] => each[kind]))
  )
  const rows = asvs.map((each) =>
    `| ${each.chapter} ${each.name} | ${kinds.map((kind) => countOf(each[kind])).join(" | ")} |`
  )
  return `Of ${requirements.length} requirements of levels 1 and 2, ${met} are met, ${notApplicable} do not apply, and \
${notMet} are not met. The standard says what each number requires.

| Chapter | Met | Does not apply | Not met |
| --- | --- | --- | --- |
${rows.join("\n")}

### Not met

${
    asvs.flatMap(({ notMet }) => notMet).map(({ numbers, text }) => `- ${numbers}: ${text}`).join(
      "\n",
    )
  }

${asvs.map(chapterText).join("\n\n")}`
}

/** Returns how many requirements answers are about. */
function countOf(answers: readonly Answered[]): number {
  return answers.flatMap(({ numbers }) => expandNumbers(numbers)).length
}

function chapterText({ chapter, name, met, notApplicable }: Chapter): string {
  const rows = [
    ...met.map(({ numbers, text, by }) => `| ${numbers} | ${text} | ${listOf(by)} |`),
    ...notApplicable.map(({ numbers, text }) => `| ${numbers} | ${text} | does not apply |`),
  ]
  return `### ${chapter} ${name}\n\n| Requirements | Answer | Shown by |\n| --- | --- | --- |\n${
    rows.join("\n")
  }`
}

function listOf(files: readonly string[]): string {
  return files.map((file) => `\`${file}\``).join(", ")
}
