// Answers queries (`iq`): a table from namespace to handler.
import type { ConnectedClient } from '../network/client.ts'
import type { Connection } from '../network/connection.ts'
import { goLive } from '../network/login.ts'
import type { SandboxState } from '../network/sandbox-state.ts'
import { nowSeconds, SERVER_JID, type Stanza, stanza } from '../wire/stanza.ts'
import { answerAbout, answerBusiness, answerDefaultTimer, answerProps } from './account.ts'
import { type Answer, QueryError } from './answer.ts'
import { answerAppState } from './app-state.ts'
import { answerGroups } from './groups.ts'
import { answerKeys } from './keys.ts'
import { answerLinking } from './linking.ts'
import { answerMediaHosts } from './media.ts'
import { answerMex } from './mex.ts'
import { answerPicture } from './pictures.ts'
import { answerBlocklist, answerPrivacy } from './privacy.ts'
import { answerUsync } from './usync.ts'

type Query = (client: ConnectedClient, node: Stanza) => Answer | Promise<Answer>

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
  disappearing_mode: answerDefaultTimer,
  'w:biz': answerBusiness,
  privacy: answerPrivacy,
  blocklist: answerBlocklist,
  // Readiness, telemetry and clean-up notifications are only acknowledged.
  passive: () => undefined,
  'w:stats': () => undefined,
  'urn:xmpp:whatsapp:dirty': () => undefined,
}

/** Answers after the changes of the query are committed. */
export async function answerQuery(state: SandboxState, connection: Connection, node: Stanza): Promise<void> {
  const { id, to, xmlns = '' } = node.attrs
  const from = to ?? SERVER_JID
  try {
    const content = await findAnswer(state, connection, xmlns, node)
    await state.database.committed()
    connection.send(stanza('iq', { id, from, type: 'result', t: nowSeconds() }, content))
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    const reason = stanza('error', { code: String(error.code), text: error.message })
    connection.send(stanza('iq', { id, from, type: 'error' }, [reason]))
  }
  if (connection.endsWithAnswer) connection.close()
  if (xmlns === 'passive') await goLive(state, connection)
}

function findAnswer(
  state: SandboxState,
  connection: Connection,
  xmlns: string,
  node: Stanza,
): Answer | Promise<Answer> {
  // A client that has not logged in may only pair and ping.
  if (xmlns === 'md') return answerLinking(state, connection, node)
  if (xmlns === PING) return undefined
  const query = QUERIES[xmlns]
  if (!query) throw new QueryError(501, 'feature-not-implemented')
  if (!connection.login) throw new QueryError(401, 'not-authorized')
  return query({ state, connection, ...connection.login }, node)
}
