// Events with which a webhook in the form of another API is tested. They are about a message that the account has sent to itself, and
// about the state of the connection: a bot answers neither of them.

import { payloadOf, withPersonIds } from '../chats/rules-chat-ids.ts'
import { connectionUpdate, outgoingUpsert } from '../events/rules-payloads.ts'
import { messageUpdate } from '../events/written-store.ts'
import type { EvolutionInstanceRow } from '../instances/named-queries.ts'
import { ownPerson } from '../instances/rules-own-person.ts'
import { personJid } from '../network/jid.ts'
import type { EventToFormat } from './delivery-format.ts'

/** The number of the network itself, for an instance that is not linked. */
const NO_NUMBER = '0'

/** The first one that the form has, and the webhook subscribes to, is posted. */
export function testEvents(
  { row: instance, name: evolutionName }: EvolutionInstanceRow,
  messageId: string,
  now: number,
): EventToFormat[] {
  const { id: instanceId } = instance
  const chat = personJid(instance.number ?? NO_NUMBER)
  const status = 'sent'
  const sent = outgoingUpsert({
    messageId,
    chat,
    kind: 'text',
    content: { message: 'Test' },
    quoted: null,
    status,
    createdAt: now,
    sendAt: null,
  })
  const events = [
    messageUpdate({ instanceId, messageId, chat, status, failure: null, at: now }),
    {
      name: 'messages.upsert',
      ...payloadOf(chat, { ...sent, from: withPersonIds(ownPerson(instance)) }),
    },
    connectionUpdate(instance, now),
  ]
  return events.map(({ name, data }) => ({
    account_id: instance.account_id,
    position: 0,
    sequence: 0,
    name,
    data,
    created_at: now,
    instance_id: instanceId,
    display_name: instance.display_name,
    api_name: instance.api_name,
    own_number: instance.number,
    evolution_name: evolutionName,
    direction: 'outgoing',
  }))
}
