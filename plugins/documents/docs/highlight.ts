import core from "highlight.js/lib/core"
import bash from "highlight.js/lib/languages/bash"
import json from "highlight.js/lib/languages/json"
import python from "highlight.js/lib/languages/python"
import sql from "highlight.js/lib/languages/sql"
import typescript from "highlight.js/lib/languages/typescript"
import { escapeHtml } from "../../../core/plugin.ts"

core.registerLanguage("sh", bash)
core.registerLanguage("json", json)
core.registerLanguage("python", python)
core.registerLanguage("sql", sql)
core.registerLanguage("ts", typescript)

/**
 * Returns code as HTML, with a button that copies it. `label` names it; `language` is the reader's choice that
 * shows it, if there is one.
 */
export function codeFigure(
  code: string,
  { syntax, label, language }: {
    readonly syntax: string
    readonly label: string
    readonly language?: string
  },
): string {
  const name = escapeHtml(label)
  const choice = language === undefined ? "" : ` data-language="${language}"`
  return `<figure class="example"${choice}>
<figcaption>${name}</figcaption>
<button type="button" class="copy" hidden aria-label="Copy the ${name} example">Copy</button>
<pre tabindex="0" aria-label="${name}"><code>${highlighted(code, syntax)}</code></pre>
</figure>`
}

/** Returns code as HTML, with classes for its colours. Code in a language that is not known here has none. */
function highlighted(code: string, language: string): string {
  return core.getLanguage(language) ? core.highlight(code, { language }).value : escapeHtml(code)
}
