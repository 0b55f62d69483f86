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

/** Returns code as HTML, with classes for its colours. Code in a language that is not known here has none. */
export function highlighted(code: string, language: string): string {
  return core.getLanguage(language) ? core.highlight(code, { language }).value : escapeHtml(code)
}
