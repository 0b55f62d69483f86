import { escapeHtml } from "../../../core/plugin.ts"
import { highlighted } from "./highlight.ts"

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
