// Making sense of an arrival: from the stanza's facts and the decrypted bytes to one received message.
import {
  cleanMessage,
  decodeMessageNode,
  proto,
  unpadRandomMax16,
  type WAMessage,
  type WASocket,
} from 'baileys'
import type { PersonIds, ReceivedMessage } from '../message.ts'
import type { ConnectOptions } from '../network.ts'
import { decodeArrival } from './arrivals.ts'
import type { AuthState } from './auth-state.ts'
import { envelopeOf } from './from-network/envelope.ts'
import { fromNetwork, lookUpsOf } from './from-network/index.ts'
import { isSpoofedSelfMessage } from './from-network/own-devices.ts'
import { idsOf, personOf, plainJid } from './from-network/people.ts'
import { knownPoll } from './from-network/poll.ts'
import { decodePayload } from './payload.ts'

export function createInterpreter(
  socket: WASocket,
  auth: AuthState,
  options: Pick<ConnectOptions, 'findSent'>,
): (payload: Uint8Array) => Promise<ReceivedMessage | null> {
  return async (payload) => {
    const { attrs, plain } = decodeArrival(payload)
    const { id = '', lid } = auth.creds.me ?? {}
    const { fullMessage } = decodeMessageNode({ tag: 'message', attrs }, id, lid ?? '')
    const decoded = proto.Message.decode(unpadRandomMax16(plain))
    const message = decoded.deviceSentMessage?.message ?? decoded
    if (isSpoofedSelfMessage(message, { fromMe: fullMessage.key.fromMe === true })) return null
    const info = { ...fullMessage, message } as WAMessage
    cleanMessage(info, id, lid ?? '')
    const me = personOf(id, lid ?? null, idsOf)
    const envelope = envelopeOf(info)
    const { jids, pollId } = lookUpsOf(envelope, message, me)
    const people = new Map(
      await Promise.all(jids.map(async (jid) => [jid, await bothNames(socket, jid)] as const)),
    )
    const sent = pollId === null ? undefined : await options.findSent(pollId)
    return fromNetwork(envelope, message, {
      me,
      nowMs: Date.now(),
      resolve: (jid) => people.get(jid) ?? idsOf(jid),
      findPoll: () => (sent ? knownPoll(decodePayload(sent).message) : null),
    })
  }
}

/** The other name of a person, where the session has learnt it. */
async function bothNames(socket: WASocket, jid: string): Promise<PersonIds> {
  const { lidMapping } = socket.signalRepository
  const other = jid.endsWith('@lid') ? await lidMapping.getPNForLID(jid) : await lidMapping.getLIDForPN(jid)
  return personOf(jid, other ? plainJid(other) : null, idsOf)
}
