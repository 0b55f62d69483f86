/**
 * Returns a line of a text with a caret under a column; both count from 1. Returns undefined if
 * there is nothing to show, or if the line could reveal a secret: if it or its parent setting is
 * about secrets, or if it has a password in a URL.
 */
export function excerptOf(text: string, line: number, column: number): string | undefined {
  const lines = text.split(/\r?\n/)
  const found = lines[line - 1]
  if (!found?.trim() || found.length > 200 || isSensitive(lines, line - 1)) return undefined
  const word = /^[^\s:#,[\]{}]+/.exec(found.slice(column - 1))?.[0] ?? " "
  const number = String(line).padStart(4)
  const indent = found.slice(0, column - 1).replace(/[^\t]/g, " ")
  return `${number} | ${found}\n     | ${indent}${"^".repeat(word.length)}`
}

const sensitive = /secret|password|:\/\/[^/\s]*@/i

function isSensitive(lines: readonly string[], index: number): boolean {
  const found = lines[index] ?? ""
  if (sensitive.test(found)) return true
  const parent = lines
    .slice(0, index)
    .findLast((line) => /^\s*[^\s#-]/.test(line) && indentOf(line) <= indentOf(found))
  return parent !== undefined && /secret/i.test(parent)
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}
