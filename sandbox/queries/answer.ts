// The answer to a query: stanzas, or an error with the network's code and text.
import type { Stanza } from '../wire/stanza.ts'

/** Undefined: the query is answered without content. */
export type Answer = Stanza[] | undefined

export class QueryError extends Error {
  readonly code: number

  constructor(code: number, text: string) {
    super(text)
    this.code = code
  }
}
