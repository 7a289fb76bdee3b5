/** The command line itself is wrong. Exit code 2. */
export class UsageError extends Error {
  static readonly exitCode = 2

  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'UsageError'
  }
}
