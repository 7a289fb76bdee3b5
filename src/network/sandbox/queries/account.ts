/** Queries about the own account: feature switches (`abt`) and the "about" text (`status`). */
import type { Client } from '../dispatch.ts'
import { bytesOf, child, type Stanza, stanza } from '../stanza.ts'
import { writeAccount } from '../store/documents.ts'
import type { Answer } from './queries.ts'

/** Named by number on the wire; this one makes clients send privacy tokens with one-to-one messages. */
const PRIVACY_TOKENS = '10518'

export function answerProps(): Answer {
  const tokens = stanza('prop', { name: PRIVACY_TOKENS, value: 'true' })
  return [stanza('props', { protocol: '1', hash: 'sandbox' }, [tokens])]
}

export function answerAbout({ exchange, account }: Client, node: Stanza): Answer {
  account.about = bytesOf(child(node, 'status')).toString()
  writeAccount(exchange.database, account)
  return undefined
}
