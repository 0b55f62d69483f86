/** Something wrong in a configuration file, and where. Lines and columns count from 1. */
export interface ConfigProblem {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
  /** The offending line with a caret below it; left out where it could show a secret. */
  readonly excerpt?: string
}

/** A configuration that cannot be used; its message shows every problem, in the order of the file. */
export class ConfigError extends Error {
  override readonly name = "ConfigError"
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly ConfigProblem[]) {
    // Two plugins that read the same settings find the same fault in them.
    const different = [...new Map(problems.map((problem) => [show(problem), problem])).values()]
    const sorted = different.sort((a, b) => a.line - b.line || a.column - b.column)
    super(sorted.map(show).join("\n"))
    this.problems = sorted
  }
}

function show({ file, line, column, message, excerpt }: ConfigProblem): string {
  const place = `${file}:${line}:${column}: ${message}`
  return excerpt ? `${place}\n${excerpt}` : place
}
