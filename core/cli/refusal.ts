/** Ends a command with a given exit code and a message. */
export class Refusal extends Error {
  override readonly name = "Refusal"
  readonly exitCode: number

  constructor(exitCode: number, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}
