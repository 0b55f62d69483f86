/** Ends a command with an exit code of its own and a message. */
export class Refusal extends Error {
  override readonly name = "Refusal"
  readonly exitCode: number

  constructor(exitCode: number, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}
