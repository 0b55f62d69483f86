import { type Content, type Html, html, readOwnForm, state } from "../../design/design.ts"
import {
  type Addition,
  mayChange,
  respondConfiguration,
  sessionOf,
  tokenField,
  type Visit,
} from "../../service/console/page.ts"
import { lineOf } from "./changes.ts"
import { checkDraft, type DraftCheck } from "./check-draft.ts"
import { leftOutSection } from "./left-out.ts"
import { diffLines } from "./line-diff.ts"
import { type FileText, hidden, readFileText } from "./text-in-force.ts"

/** The longest form with a draft in bytes. Much of a text takes three times its size there. */
const longestDraft = 256 * 1024

/** Ends when the draft that came last has been checked. */
let latest: Promise<unknown> = Promise.resolve()

/** A form to check a draft, beside the configuration in force; and on the overview, what is left out. */
export const pages: readonly Addition[] = [
  leftOutSection,
  {
    kind: "section",
    place: "configuration",
    order: 10,
    render: showForm,
  },
  {
    kind: "page",
    method: "POST",
    path: "/configuration",
    longestBody: longestDraft,
    show: showCheck,
  },
]

/** Shows the form with the text of the file, to begin a draft with. */
async function showForm(visit: Visit): Promise<Content> {
  if (!mayChange(visit)) return undefined
  const file = await readFileText(visit.inside.plan)
  return draftForm(visit, file?.text ?? "", file)
}

/** Checks a draft, and shows what is wrong with it or what it would change. Changes nothing. */
async function showCheck(visit: Visit): Promise<Response> {
  const form = await readOwnForm(visit.request, sessionOf(visit), longestDraft)
  const draft = (form.get("draft") ?? "").replaceAll("\r\n", "\n")
  const { database, plan } = visit.inside
  const file = await readFileText(plan)
  const check = await inTurn(() => checkDraft(database, plan, draft))
  return await respondConfiguration(visit, {
    before: [result(check, draft), file && difference(file, draft)],
    after: draftForm(visit, draft, file),
  })
}

/** Drafts are checked one after the other. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const checked = latest.then(work)
  latest = checked.catch(() => {})
  return checked
}

/** Shows how the draft differs from the file, beside what that does. */
function difference({ text, isInForce }: FileText, draft: string): Html {
  const changed = diffLines(text, draft)
  const name = isInForce ? "the file in force" : "the file on the server, which is not in force"
  return html`<section aria-labelledby="difference-title">
<h2 id="difference-title">Difference to ${name}</h2>
${
    changed.length === 0 ? html`<p>There is none.</p>` : html`
      <pre tabindex="0" class="diff">${lines(
        changed.map((line) => line === null ? "…" : line.sign + line.text),
      )}</pre>
    `
  }
</section>`
}

/** Says what the form was filled with. */
function aboutFile(file: FileText | undefined): Content {
  if (!file) {
    return html`<p class="hint">The file on the server cannot be shown here: paste the draft.</p>`
  }
  return html`
    <p class="hint">It begins with the file on the server${file.isInForce
      ? ", which is in force"
      : html`. ${state("warn", "It is not in force")}: it has changed`}. ${file.hidesSomething &&
      html`
        Secrets are shown as <code>${hidden}</code>: leave them as they are in the file.
      `}</p>
  `
}

function draftForm(visit: Visit, draft: string, file: FileText | undefined): Html {
  return html`
    <section aria-labelledby="draft-title">
      <h2 id="draft-title">Check a draft</h2>
      <p>Shows what a configuration would change, and for whom. Nothing is written or applied: edit the file
    on the server, and reload it with SIGHUP.</p>
      <form class="fields" method="post" action="/console/configuration#result"
        enctype="multipart/form-data">
    ${tokenField(visit)}
    ${aboutFile(file)}
    <label for="draft">Text of the draft</label>
    ${textarea(draft)}
    <label for="file">or a YAML file of up to ${longestDraft / 1024} KiB</label>
    <input id="file" name="draft" type="file" accept=".yaml,.yml,text/yaml">
    <button class="main">Check</button>
      </form>
      <p
        class="quiet">The draft is checked with the database and the secrets in force: <code>database.url</code>
    and <code>session.secrets</code> of the draft are not used, and no file that it names is read. Of
    environment variables it may name those that the configuration in force uses outside of secrets and
    plugins. It may name plugins in <code>plugins/</code> and those in force.
    <code>event-export check</code> on the server checks everything.</p>
    </section>
  `
}

function result(check: DraftCheck, draft: string): Html {
  const { problems, errors, warnings, fixed, routes, felt, others, perAccount } = check
  return html`<section id="result" aria-labelledby="result-title" class="result">
<h2 id="result-title">Result of the check</h2>
${verdict(check)}
${
    problems.length > 0 && html`<ol class="mistakes">
${
      problems.map(({ line, column, message }) =>
        html`
          <li>
            <p><strong>Line ${line}, column ${column}:</strong> ${message}</p>
            <pre tabindex="0">${excerpt(draft, line, column)}</pre>
          </li>
        `
      )
    }</ol>`
  }
${errors.map((error) => html`<p class="message bad">${state("bad", "Error")}: ${error}</p>`)}
${
    warnings.map(({ about, message }) =>
      html`<p class="message warn">${state("warn", "Warning")}: ${about}: ${message}.</p>`
    )
  }
${
    fixed.map(({ name, change }) =>
      html`<p class="message warn">${
        state("warn", "Needs a restart")
      }: <code>${name}</code> ${change}. A reload is refused.</p>`
    )
  }
${
    felt.length > 0 &&
    html`<h3>What partners feel</h3>
<pre tabindex="0" class="diff">${lines(felt.map(lineOf))}</pre>`
  }
${
    perAccount.length > 0 &&
    html`<h3>For whom</h3>
${
      perAccount.map(({ accounts, changes }) =>
        html`<h4>${accounts.join(", ")}</h4>
<pre tabindex="0" class="diff">${lines(changes)}</pre>`
      )
    }`
  }
${
    routes.length > 0 &&
    html`<h3>All routes</h3>
<pre tabindex="0" class="diff">${lines(routes)}</pre>`
  }
${
    others.length > 0 &&
    html`<h3>What partners do not see</h3>
<pre tabindex="0" class="diff">${lines(others.map(lineOf))}</pre>`
  }
</section>`
}

function verdict(check: DraftCheck): Html {
  const { isGood, problems, counts, fixed } = check
  if (problems.length > 0) {
    return html`<p>${
      state("bad", problems.length === 1 ? "One mistake" : `${problems.length} mistakes`)
    } in the draft. Until they are corrected, nothing is known about changes.</p>`
  }
  if (!isGood) return html`<p>${state("bad", "It would not be served")}.</p>`
  const step = fixed.length > 0 ? "A restart" : "A reload"
  return html`<p>${
    state("good", "The draft is good")
  }: ${counts.plugins} plugins, ${counts.routes} routes. ${step} would change ${
    effectOf(check)
  }.</p>`
}

/** Says in one phrase what would change. */
function effectOf({ routes, felt, others, perAccount }: DraftCheck): string {
  const accounts = perAccount.flatMap((same) => same.accounts).length
  const parts = [
    ...routes.length === 0 ? [] : [count(routes.length, "route")],
    ...felt.length === 0 ? [] : [`${count(felt.length, "setting")} that partners feel`],
  ]
  if (parts.length === 0) return others.length > 0 ? "nothing that partners see" : "nothing"
  if (accounts > 0) return `${parts.join(" and ")}: ${count(accounts, "account")} would notice`
  return parts.join(" and ") +
    (felt.length === 0 ? ", but none that an account with a grant may use" : "")
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`
}

/** Returns a line of the draft with the two before it, and a caret under the column. */
function excerpt(draft: string, line: number, column: number): string {
  const all = draft.split("\n")
  const first = Math.max(1, line - 2)
  const shown = all.slice(first - 1, line).map((text, index) =>
    `${String(first + index).padStart(4)} | ${text}`
  )
  const indent = (all[line - 1] ?? "").slice(0, column - 1).replace(/[^\t]/g, " ")
  return [...shown, `     | ${indent}^`].join("\n")
}

function lines(changes: readonly string[]): Content[] {
  const kinds: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "~": "changed" }
  return changes.map((line) => [
    html`<span class="${kinds[line.slice(0, 1)]}">${line}</span>`,
    "\n",
  ])
}

/** White space counts here, so this is on one line. */
function textarea(text: string): Html {
  return html`<textarea id="draft" name="draft" rows="14" spellcheck="false">${text}</textarea>`
}
