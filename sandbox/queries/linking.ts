// Queries about pairing and logging out (`md`).
import type { Connection } from '../network/connection.ts'
import { unlinkDevice } from '../network/devices.ts'
import { finishCode, requestCode } from '../network/pairing-code.ts'
import type { SandboxState, WorldChangeState } from '../network/sandbox-state.ts'
import { children, type Stanza } from '../wire/stanza.ts'
import { type Answer, QueryError } from './answer.ts'
import { answerPasskey, isPasskeyTopic } from './passkey.ts'

export async function answerLinking(
  state: SandboxState,
  connection: Connection,
  node: Stanza,
): Promise<Answer> {
  const [topic] = children(node)
  if (topic?.tag === 'remove-companion-device') {
    await logOut(state, connection)
    return undefined
  }
  if (topic && isPasskeyTopic(topic.tag)) return answerPasskey(state, connection, topic)
  if (topic?.tag !== 'link_code_companion_reg' || !connection.registration) return undefined
  if (topic.attrs['stage'] === 'companion_finish') {
    finishCode(state.codeRequests, connection, topic)
    return undefined
  }
  const hello = requestCode(state, connection, topic)
  if (!hello) throw new QueryError(404, 'item-not-found')
  if (hello === 'bad-request') throw new QueryError(400, hello)
  return [hello]
}

async function logOut(state: WorldChangeState, connection: Connection): Promise<void> {
  const login = connection.login
  if (!login) return
  await unlinkDevice(state, login.account, login.device)
  connection.endsWithAnswer = true
}
