import type { FileStates } from "./files.ts"

/** A problem in a configuration file, with its place. Lines and columns count from 1. */
export interface ConfigProblem {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
}

/** The configuration cannot be used. The message shows every problem, in the order of the file. */
export class ConfigError extends Error {
  override readonly name = "ConfigError"
  readonly problems: readonly ConfigProblem[]
  // Private, so that printing the error does not show the paths.
  readonly #files: FileStates

  constructor(problems: readonly ConfigProblem[], files: FileStates) {
    // Two plugins with the same settings report the same problem.
    const different = [...new Map(problems.map((problem) => [show(problem), problem])).values()]
    const sorted = different.sort((a, b) => a.line - b.line || a.column - b.column)
    super(sorted.map(show).join("\n"))
    this.problems = sorted
    this.#files = files
  }

  /** The files that were read, as they were then: a change of them may solve the problems. */
  get files(): FileStates {
    return this.#files
  }
}

function show({ file, line, column, message }: ConfigProblem): string {
  return `${file}:${line}:${column}: ${message}`
}
