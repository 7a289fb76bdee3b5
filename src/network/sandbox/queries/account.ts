// Queries about the client's own account: feature switches (`abt`) and the "about" text (`status`).
import type { Client } from '../network/client.ts'
import { writeAccount } from '../store/documents.ts'
import { bytesOf, child, type Stanza, stanza } from '../wire/stanza.ts'
import type { Answer } from './answer.ts'

/** The number of the switch that makes clients send privacy tokens with one-to-one messages. */
const PRIVACY_TOKENS = '10518'

export function answerProps(): Answer {
  const tokens = stanza('prop', { name: PRIVACY_TOKENS, value: 'true' })
  return [stanza('props', { protocol: '1', hash: 'sandbox' }, [tokens])]
}

export function answerAbout({ state, account }: Client, node: Stanza): Answer {
  account.about = bytesOf(child(node, 'status')).toString()
  writeAccount(state.database, account)
  return undefined
}
