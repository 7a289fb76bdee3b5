/** The error that a query is answered with: a code and the network's word for it. */

export class QueryError extends Error {
  readonly code: number

  constructor(code: number, text: string) {
    super(text)
    this.code = code
  }
}
