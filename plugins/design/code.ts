import core from "highlight.js/lib/core"
import bash from "highlight.js/lib/languages/bash"
import json from "highlight.js/lib/languages/json"
import python from "highlight.js/lib/languages/python"
import sql from "highlight.js/lib/languages/sql"
import typescript from "highlight.js/lib/languages/typescript"
import { type Content, type Html, html, trusted } from "./html.ts"

core.registerLanguage("sh", bash)
core.registerLanguage("json", json)
core.registerLanguage("python", python)
core.registerLanguage("sql", sql)
core.registerLanguage("ts", typescript)
core.registerLanguage("js", typescript)

interface Code {
  /**
   * The language for syntax highlighting: `sh`, `json`, `python`, `sql`, `ts` or `js`. Other code is not highlighted.
   */
  readonly syntax: string
  readonly label: string
  /** The language that the reader must choose to see it, if any. */
  readonly language?: string
}

/** The most lines of code to show beside the text, where there is room. */
const longest = 18

/** Shows highlighted code with a copy button. */
export function codeFigure(code: string, { syntax, label, language }: Code): Html {
  return html`
    <figure class="example${code.split("\n").length > longest &&
      " whole"}" ${language !== undefined && html`
      data-language="${language}"
    `}>
      <figcaption>${label}</figcaption>
      <pre tabindex="0" role="region" aria-label="${label}"><code>${highlighted(
        code,
        syntax,
      )}</code></pre>
    </figure>
  `
}

/** Shows a request beside its response, or above it where there is little room. */
export function pair(request: Content, responses: Content): Html {
  return html`<div class="pair">${request}<div>${responses}</div></div>`
}

/** Adds the classes for highlighting to code. */
function highlighted(code: string, language: string): Content {
  return core.getLanguage(language) ? trusted(core.highlight(code, { language }).value) : code
}
