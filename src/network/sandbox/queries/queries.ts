/** Queries (`iq`): the table from namespace to the function that answers. */
import type { Connection } from '../connection.ts'
import type { Client } from '../dispatch.ts'
import type { Exchange } from '../exchange.ts'
import { goLive } from '../login.ts'
import { nowSeconds, SERVER_JID, type Stanza, stanza } from '../stanza.ts'
import { answerAbout, answerProps } from './account.ts'
import { answerAppState } from './app-state.ts'
import { answerGroups } from './groups.ts'
import { answerKeys } from './keys.ts'
import { answerLinking } from './linking.ts'
import { answerMediaHosts } from './media.ts'
import { answerMex } from './mex.ts'
import { answerPicture } from './pictures.ts'
import { answerBlocklist, answerPrivacy } from './privacy.ts'
import { QueryError } from './query-error.ts'
import { answerUsync } from './usync.ts'

export type Answer = Stanza[] | undefined
type Query = (client: Client, node: Stanza) => Answer | Promise<Answer>

const PING = 'w:p'

const QUERIES: Record<string, Query> = {
  encrypt: answerKeys,
  usync: answerUsync,
  'w:g2': answerGroups,
  'w:m': answerMediaHosts,
  'w:profile:picture': answerPicture,
  'w:sync:app:state': answerAppState,
  'w:mex': answerMex,
  abt: answerProps,
  status: answerAbout,
  privacy: answerPrivacy,
  blocklist: answerBlocklist,
  // Readiness, telemetry and clean-up notices need no more than a yes.
  passive: () => undefined,
  'w:stats': () => undefined,
  'urn:xmpp:whatsapp:dirty': () => undefined,
}

/** Answers once everything the query changed is committed. */
export async function answerQuery(exchange: Exchange, connection: Connection, node: Stanza): Promise<void> {
  const { id, to, xmlns = '' } = node.attrs
  const from = to ?? SERVER_JID
  try {
    const content = await findAnswer(exchange, connection, xmlns, node)
    await exchange.database.committed()
    connection.send(stanza('iq', { id, from, type: 'result', t: nowSeconds() }, content))
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    const reason = stanza('error', { code: String(error.code), text: error.message })
    connection.send(stanza('iq', { id, from, type: 'error' }, [reason]))
  }
  if (xmlns === 'passive') await goLive(exchange, connection)
}

function findAnswer(
  exchange: Exchange,
  connection: Connection,
  xmlns: string,
  node: Stanza,
): Answer | Promise<Answer> {
  // Pairing and pings are what a client may ask before it is anybody.
  if (xmlns === 'md') return answerLinking(exchange, connection, node)
  if (xmlns === PING) return undefined
  const query = QUERIES[xmlns]
  if (!query) throw new QueryError(501, 'feature-not-implemented')
  if (!connection.login) throw new QueryError(401, 'not-authorized')
  return query({ exchange, connection, ...connection.login }, node)
}
