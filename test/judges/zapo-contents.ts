// Polls, edits and files with the functions of zapo-js. It encrypts and decrypts what refers to another message; its caller says by which
// addresses, and builds the message around it.
import { randomBytes } from 'node:crypto'
import { proto } from 'zapo-js'
import {
  decryptAddonPayload,
  encryptAddonPayload,
  WA_USE_CASE_SECRET_MODIFICATION_TYPES,
} from 'zapo-js/message'
import type { Contents } from './contents.ts'
import { hashOf, namesOf } from './poll-options.ts'
import type { ZapoClient } from './zapo-client.ts'

const { POLL_VOTE, EVENT_RESPONSE, MESSAGE_EDIT } = WA_USE_CASE_SECRET_MODIFICATION_TYPES
const IV_BYTES = 12
const SECRET_BYTES = 32

/** The address of a person without the device. */
const userOf = (jid: string | null | undefined): string => (jid ?? '').replace(/:\d+@/, '@')

export function zapoContents(client: ZapoClient): Contents {
  /** Of what this client has sent. */
  const secrets = new Map<string, Uint8Array>()
  const send = async (to: string, message: proto.IMessage): Promise<string> => {
    const messageSecret = randomBytes(SECRET_BYTES)
    const { id } = await client.client.sendMessage(to, { ...message, messageContextInfo: { messageSecret } })
    secrets.set(id, messageSecret)
    return id
  }
  const ownJid = () => userOf(client.client.getCredentials()?.meJid)
  const pollIn = ({ message }: ZapoClient['messages'][number]) =>
    message?.pollCreationMessageV3 ?? message?.pollCreationMessage ?? undefined
  const editOf = (to: string, id: string, text: string): proto.IMessage => ({
    protocolMessage: {
      key: { remoteJid: to, fromMe: true, id },
      type: proto.Message.ProtocolMessage.Type.MESSAGE_EDIT,
      editedMessage: { extendedTextMessage: { text } },
      timestampMs: Date.now(),
    },
  })

  return {
    sendText: (to, text) => send(to, { extendedTextMessage: { text } }),
    sendPoll: (to, { name, options }) =>
      send(to, {
        pollCreationMessageV3: {
          name,
          options: options.map((optionName) => ({ optionName })),
          selectableOptionsCount: 1,
        },
      }),
    sendFile: async (to, { kind, mimetype, bytes }) =>
      (await client.client.sendMessage(to, { type: kind, media: bytes, mimetype })).id,
    async untilPoll(name) {
      const poll = await client.until('the poll', () =>
        client.messages.map(pollIn).find((each) => each?.name === name),
      )
      return {
        name,
        options: (poll.options ?? []).map(
          (option: { optionName?: string | null }) => option.optionName ?? '',
        ),
      }
    },
    async untilVote(pollId, options) {
      const received = await client.until('the vote', () =>
        client.messages.find(
          ({ message }) => message?.pollUpdateMessage?.pollCreationMessageKey?.id === pollId,
        ),
      )
      const { encPayload, encIv } = received.message?.pollUpdateMessage?.vote ?? {}
      const credentials = client.client.getCredentials()
      const voters = [
        received.senderJid,
        received.rawNode.attrs['sender_pn'],
        received.rawNode.attrs['sender_lid'],
      ]
      for (const creator of [credentials?.meJid, credentials?.meLid].map(userOf))
        for (const voter of voters.map(userOf)) {
          const plain = await decryptAddonPayload({
            messageSecret: secrets.get(pollId) ?? new Uint8Array(),
            stanzaId: pollId,
            parentMsgOriginalSender: creator,
            modificationSender: voter,
            modificationType: POLL_VOTE,
            ciphertext: encPayload ?? new Uint8Array(),
            iv: encIv ?? new Uint8Array(),
          }).catch(() => undefined)
          if (plain)
            return namesOf(proto.Message.PollVoteMessage.decode(plain).selectedOptions ?? [], options)
        }
      throw new Error('the vote cannot be decrypted')
    },
    async vote(name, options) {
      const poll = client.messages.find((each) => pollIn(each)?.name === name)
      const chat = poll?.chatJid ?? ''
      const iv = randomBytes(IV_BYTES)
      const encPayload = await encryptAddonPayload({
        messageSecret: poll?.message?.messageContextInfo?.messageSecret ?? new Uint8Array(),
        stanzaId: poll?.stanzaId ?? '',
        parentMsgOriginalSender: userOf(poll?.senderJid),
        modificationSender: ownJid(),
        modificationType: POLL_VOTE,
        payload: proto.Message.PollVoteMessage.encode({ selectedOptions: options.map(hashOf) }).finish(),
        iv,
      })
      return client.client.sendMessage(chat, {
        pollUpdateMessage: {
          pollCreationMessageKey: { remoteJid: chat, fromMe: false, id: poll?.stanzaId ?? '' },
          vote: { encPayload, encIv: iv },
          senderTimestampMs: Date.now(),
        },
      })
    },
    async answerEvent(name, extraGuestCount) {
      const event = await client.until('the event', () =>
        client.messages.find(({ message }) => message?.eventMessage?.name === name),
      )
      const { EventResponseMessage } = proto.Message
      const response = EventResponseMessage.EventResponseType.GOING
      const encIv = randomBytes(IV_BYTES)
      const encPayload = await encryptAddonPayload({
        messageSecret: event.message?.messageContextInfo?.messageSecret ?? new Uint8Array(),
        stanzaId: event.stanzaId ?? '',
        parentMsgOriginalSender: userOf(event.senderJid),
        modificationSender: ownJid(),
        modificationType: EVENT_RESPONSE,
        payload: EventResponseMessage.encode({ response, extraGuestCount }).finish(),
        iv: encIv,
      })
      const key = { remoteJid: event.chatJid, fromMe: false, id: event.stanzaId }
      return client.client.sendMessage(event.chatJid ?? '', {
        encEventResponseMessage: { eventCreationMessageKey: key, encPayload, encIv },
      })
    },
    edit: (to, id, text) => send(to, editOf(to, id, text)),
    async editEncrypted(to, id, text) {
      const iv = randomBytes(IV_BYTES)
      const encPayload = await encryptAddonPayload({
        messageSecret: secrets.get(id) ?? new Uint8Array(),
        stanzaId: id,
        parentMsgOriginalSender: ownJid(),
        modificationSender: ownJid(),
        modificationType: MESSAGE_EDIT,
        payload: proto.Message.encode(editOf(to, id, text)).finish(),
        iv,
      })
      return send(to, {
        secretEncryptedMessage: {
          targetMessageKey: { remoteJid: to, fromMe: true, id },
          encPayload,
          encIv: iv,
          secretEncType: proto.Message.SecretEncryptedMessage.SecretEncType.MESSAGE_EDIT,
        },
      })
    },
    untilEdited: (id, text) =>
      client.until('the edit', () =>
        client.messages.find(({ message }) => {
          const { key, editedMessage } = message?.editedMessage?.message?.protocolMessage ?? {}
          return (
            key?.id === id &&
            (editedMessage?.conversation ?? editedMessage?.extendedTextMessage?.text) === text
          )
        }),
      ),
    async untilFile(id) {
      const received = await client.until('the file', () =>
        client.messages.find(({ stanzaId }) => stanzaId === id),
      )
      const { documentMessage, imageMessage } = received.message ?? {}
      return client.download(documentMessage ? 'document' : 'image', documentMessage ?? imageMessage ?? {})
    },
  }
}
