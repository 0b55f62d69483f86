/** Something wrong in a configuration file, and where. Lines and columns count from 1. */
export interface ConfigProblem {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
}

/** A configuration that cannot be used; its message lists every problem on a line of its own. */
export class ConfigError extends Error {
  override readonly name = "ConfigError"
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly ConfigProblem[]) {
    super(
      problems.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`)
        .join("\n"),
    )
    this.problems = problems
  }
}
