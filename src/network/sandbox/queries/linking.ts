/** Queries about pairing and logging out (`md`). */
import type { Connection } from '../connection.ts'
import { unlinkDevice } from '../devices.ts'
import type { Exchange } from '../exchange.ts'
import { finishCode, requestCode } from '../pairing-code.ts'
import { children, type Stanza } from '../stanza.ts'
import type { Answer } from './queries.ts'
import { QueryError } from './query-error.ts'

export async function answerLinking(
  exchange: Exchange,
  connection: Connection,
  node: Stanza,
): Promise<Answer> {
  const [topic] = children(node)
  if (topic?.tag === 'remove-companion-device') {
    await logOut(exchange, connection)
    return undefined
  }
  if (topic?.tag !== 'link_code_companion_reg' || !connection.registration) return undefined
  if (topic.attrs['stage'] === 'companion_finish') {
    finishCode(exchange, connection, topic)
    return undefined
  }
  const hello = requestCode(exchange, connection, topic)
  if (!hello) throw new QueryError(404, 'item-not-found')
  return [hello]
}

async function logOut(exchange: Exchange, connection: Connection): Promise<void> {
  const login = connection.login
  if (!login) return
  await unlinkDevice(exchange, login.account, login.device)
  setImmediate(() => connection.close())
}
