import { escapeHtml } from "./html.ts"
import { readText } from "./text-file.ts"

/** The names in the programs before a log-in. */
const placeholders = { family: "/your-family/v1", username: "your-name" }

/** The service's URL in the texts of the guide and its programs. The public URL replaces it. */
export const localOrigin = "http://127.0.0.1:8080"

const languages = [
  { id: "curl", label: "curl", file: "poll.sh" },
  { id: "typescript", label: "TypeScript", file: "poll.mts" },
  { id: "python", label: "Python", file: "poll.py" },
].map((language) => ({ ...language, text: readText(`examples/${language.file}`) }))

/** Returns the whole programs, by file name, for a public address of the service. */
export function programs(origin: string): [name: string, text: string][] {
  return languages.map(({ file, text }) => [
    file,
    text.replaceAll(localOrigin, origin).replace(/^(\/\/|#)# [\w-]+\n/gm, ""),
  ])
}

/** Returns a step of the guide in each language, as HTML. All steps of a language are its program. */
export function examples(step: string, origin: string): string {
  return languages.map(({ id, label, text }) => {
    const piece = pieceOf(text, step).replaceAll(localOrigin, origin)
    return `<figure class="example" data-language="${id}">
<figcaption>${label}</figcaption>
<button type="button" class="copy" hidden aria-label="Copy the ${label} example">Copy</button>
<pre tabindex="0" aria-label="${label}"><code>${markPlaceholders(escapeHtml(piece))}</code></pre>
</figure>`
  }).join("\n")
}

/** Returns the lines of a program after the line that names the step, up to the next such line. */
function pieceOf(text: string, step: string): string {
  const pieces = text.split(/^(?:\/\/|#)# ([\w-]+)\n/m)
  const index = pieces.indexOf(step)
  if (index < 0) throw new TypeError(`an example has no step ${step}`)
  return `${pieces[index + 1]?.trim()}\n`
}

/** Marks the placeholders, which the page fills in after a log-in. */
function markPlaceholders(html: string): string {
  return Object.entries(placeholders).reduce(
    (text, [name, placeholder]) =>
      text.replaceAll(placeholder, `<span data-fill="${name}">${placeholder}</span>`),
    html,
  )
}
