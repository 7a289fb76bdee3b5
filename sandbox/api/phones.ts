// Calls about phones: creating and pairing them, reading their messages, sending and acting with them.

import { Readable } from 'node:stream'
import { proto } from 'baileys'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sentenceOf } from '../../src/contract/reasons.ts'
import { sandboxRoutes as routes } from '../../src/contract/sandbox.ts'
import { deviceKey } from '../model/address.ts'
import { waitFor } from '../model/notifier.ts'
import { PRIVACY_CATEGORIES, privacyOf } from '../model/privacy.ts'
import { Refusal } from '../model/refusal.ts'
import type { Account, Device } from '../model/world.ts'
import { claimAccount, registerAccount } from '../network/accounts.ts'
import { enterCode } from '../network/pairing-code.ts'
import { scanQr } from '../network/pairing-qr.ts'
import { pictureFor, pictureId, pictureIdOf, setAccountPicture } from '../network/pictures.ts'
import { changeProfile, setBlocked } from '../network/profile.ts'
import type { SandboxState } from '../network/sandbox-state.ts'
import { saveContact } from '../phones/address-book.ts'
import { listChatsOf } from '../phones/chat-list.ts'
import { compose, composeFile, messageOn } from '../phones/compose.ts'
import { createPhone } from '../phones/create-phone.ts'
import { downloadMedia } from '../phones/media.ts'
import type { Phone, StateWithPhones } from '../phones/phone.ts'
import { findChat, send } from '../phones/send.ts'
import type { Database } from '../store/database.ts'
import { findMessage, listMessages, type StoredPhoneMessage, withoutContent } from '../store/messages.ts'
import { queueLength } from '../store/queue.ts'
import type { StoredWorld } from '../store/stored-world.ts'
import { call } from './call.ts'
import type { View } from './view.ts'

export function phoneCalls(app: FastifyInstance, state: StateWithPhones, mediaHost: () => string): void {
  peopleCalls(app, state)
  pairingCalls(app, state)
  profileCalls(app, state)
  settingCalls(app, state)
  messageCalls(app, state)
  writingCalls(app, state, mediaHost)
  uploadCalls(app, state, mediaHost)
  pictureCalls(app, state)
}

function peopleCalls(app: FastifyInstance, state: StateWithPhones): void {
  call(app, state, routes.sandboxListPhones, (_input, view) => ({
    phones: view.phones().map((account) => describePhone(state, account)),
  }))
  call(app, state, routes.sandboxCreatePhone, async ({ body }, view) => {
    const account = makePhone(state, view, body)
    if (!state.phones.has(account.number)) state.phones.set(account.number, createPhone(state, account))
    state.changes.record({ about: 'world' }, [account.owner])
    await state.database.committed()
    return { phone: describePhone(state, account) }
  })
  call(app, state, routes.sandboxGetPhone, ({ params }, view) => ({
    phone: describePhone(state, view.phone(params.number).account),
  }))
}

function makePhone(
  state: StoredWorld,
  view: View,
  { number, name }: { number: string; name?: string | undefined },
): Account {
  const known = state.world.accounts.get(number)
  if (known && view.account !== undefined) {
    claimAccount(state.database, known, view.account)
    // Numbers are public on the network, so the answer reveals nothing about the other account.
    if (known.owner !== view.account) throw new Refusal('number_taken', sentenceOf('number_taken'))
  }
  return registerAccount(state.world, state.database, number, name, view.owner)
}

/** Pairing by QR code and by typed code. */
function pairingCalls(app: FastifyInstance, state: StateWithPhones): void {
  call(app, state, routes.sandboxScan, async ({ params, body }, view) => {
    const { account } = view.claimedPhone(params.number)
    if (body.qr === undefined)
      throw new Refusal('invalid_request', 'The sandbox does not know instances; send qr.')
    return { device: shownDevice(await scanQr(state, account, body.qr)) }
  })
  call(app, state, routes.sandboxEnterCode, async ({ params, body }, view) => {
    const device = await enterCode(state, view.claimedPhone(params.number).account, body.code)
    return { device: shownDevice(device) }
  })
}

const shownDevice = (device: Device | null) => device && { number: device.number, id: device.id }

function profileCalls(app: FastifyInstance, state: StateWithPhones): void {
  call(app, state, routes.sandboxSaveContact, async ({ params, body }, view) => {
    const person = view.person(body.number)
    await saveContact(state, view.phone(params.number), person, body.name)
    return {}
  })
  call(app, state, routes.sandboxSetPicture, async ({ params, body }, view) => {
    const { account } = view.phone(params.number)
    const bytes = body.base64 === null ? null : Buffer.from(body.base64, 'base64')
    await setAccountPicture(state, account, bytes)
    return { phone: describePhone(state, account) }
  })
}

function settingCalls(app: FastifyInstance, state: StateWithPhones): void {
  call(app, state, routes.sandboxChangePhone, async ({ params, body }, view) => {
    const { account } = view.phone(params.number)
    await changeProfile(state, account, body)
    return { phone: describePhone(state, account) }
  })
  call(app, state, routes.sandboxBlock, async ({ params, body }, view) => {
    const { account } = view.phone(params.number)
    const action = body.blocked ? 'block' : 'unblock'
    await setBlocked(state, { account, device: 0 }, view.person(body.number), action)
    return { phone: describePhone(state, account) }
  })
}

function messageCalls(app: FastifyInstance, state: StateWithPhones): void {
  call(app, state, routes.sandboxListMessages, async ({ params, query }, view) => {
    const phone = view.phone(params.number)
    const after = cursorOf(state.database, phone, query.after)
    const { chat, limit, from, before } = query
    const filter = { after, chat, limit, from, before }
    const ask = () => listMessages(state.database, phone.account.number, filter)
    const messages = await waitFor(phone.notifier, query.waitMs, ask)
    return { messages: messages.map(withoutContent), cursor: messages.at(-1)?.seq ?? after }
  })
  call(app, state, routes.sandboxGetMessage, async ({ params, query }, view) => {
    const phone = view.phone(params.number)
    const ranks = ['sent', 'received', 'delivered', 'read', 'played']
    const reached = (message: StoredPhoneMessage) =>
      query.status === undefined || ranks.indexOf(message.status) >= ranks.indexOf(query.status)
    await waitFor(phone.notifier, query.waitMs, () => {
      const message = findMessage(state.database, phone.account.number, params.id)
      return message && reached(message) ? [message] : []
    })
    return { message: withoutContent(messageOn(state.database, phone, params.id)) }
  })
  call(app, state, routes.sandboxGetMedia, async ({ params, query }, view, reply) => {
    const message = messageOn(state.database, view.phone(params.number), params.id)
    const media = await downloadMedia(state.media, proto.Message.decode(message.content), query.card)
    if (!media) throw new Refusal('media_not_found', 'That message has no media.')
    return reply.type(media.mimetype).header('content-length', media.sizeBytes).send(media.bytes)
  })
  call(app, state, routes.sandboxListChats, ({ params, query }, view) =>
    listChatsOf(state, view.phone(params.number), query),
  )
  call(app, state, routes.sandboxListTyping, async ({ params, query }, view) => {
    const { typing } = view.phone(params.number)
    return { typing: await waitFor(typing.notifier, query.waitMs, () => typing.after(query.after)) }
  })
}

function writingCalls(app: FastifyInstance, state: StateWithPhones, mediaHost: () => string): void {
  call(app, state, routes.sandboxSend, async ({ params, body }, view) => {
    const phone = view.phone(params.number)
    const chat = findChat(state.world, phone, body.to)
    const message = await compose(state, phone, body, mediaHost())
    const viewOnce = body.media?.viewOnce ?? false
    return { messageId: await send(state, phone, { chat, message, viewOnce }) }
  })
  call(app, state, routes.sandboxSendContent, async ({ params, body }, view) => {
    const phone = view.phone(params.number)
    const chat = findChat(state.world, phone, body.to)
    return { messageId: await send(state, phone, { chat, message: readContent(body) }) }
  })
}

export function describePhone(
  state: Pick<StateWithPhones, 'database' | 'faults' | 'groupQueries' | 'online' | 'phones' | 'ceremonies'>,
  account: Account,
) {
  return {
    number: account.number,
    lid: account.lid,
    name: account.name,
    username: account.username ?? null,
    hidesNumber: account.hidesNumber === true,
    about: account.about,
    hasPicture: account.picture !== null,
    pictureId: pictureIdOf(account),
    privacy: Object.fromEntries(PRIVACY_CATEGORIES.map((name) => [name, privacyOf(account, name)])),
    blocked: account.blocked,
    disappearingSeconds: account.disappearing.seconds,
    business: account.business,
    passkey: describePasskey(state, account),
    online: !state.faults.offline.has(account.number),
    available: state.phones.get(account.number)?.presence.available ?? false,
    devices: [...account.devices.values()].map((device) => ({
      id: device.id,
      platform: device.platform,
      online: state.online.has(deviceKey(account.number, device.id)),
      queued: queueLength(state.database, account.number, device.id),
      groupQueries: state.groupQueries.get(deviceKey(account.number, device.id)) ?? 0,
      signedPreKeyId: device.signedPreKey.id,
    })),
  }
}

function readContent({
  content,
  protobuf,
}: {
  content?: Record<string, unknown> | undefined
  protobuf?: string | undefined
}): proto.IMessage {
  try {
    return protobuf === undefined
      ? proto.Message.fromObject(content ?? {})
      : proto.Message.decode(Buffer.from(protobuf, 'base64'))
  } catch (error) {
    const path = protobuf === undefined ? 'content' : 'protobuf'
    throw new Refusal('invalid_request', `${path}: ${String(error)}`, [{ path, message: String(error) }])
  }
}

/** A cursor is a number; message ids are longer and hexadecimal. */
function cursorOf(database: Database, phone: Phone, after: string | undefined): number {
  if (after === undefined) return 0
  if (/^\d{1,15}$/.test(after)) return Number(after)
  return messageOn(database, phone, after).seq
}

// The passkey of a phone, as the API shows it: without its key.
function describePasskey({ ceremonies }: Pick<SandboxState, 'ceremonies'>, account: Account) {
  const { passkey, number } = account
  if (!passkey) return null
  const ceremony = ceremonies.latest.get(number)
  return {
    demanded: passkey.demanded,
    step: ceremony?.step ?? null,
    code: ceremony?.code ?? null,
    proven: ceremony?.proven ?? false,
  }
}

// The call that reads a profile picture as a phone shows it.
function pictureCalls(app: FastifyInstance, state: StateWithPhones): void {
  call(app, state, routes.sandboxGetPicture, async ({ params, query }, view, reply) => {
    const { account } = view.phone(params.number)
    const file = pictureFor(state.world, account, query.of ?? account.number)
    const size = file === undefined ? undefined : await state.media.sizeOf(file)
    const isRequested = file !== undefined && (query.id === undefined || query.id === pictureId(file))
    if (!isRequested || size === undefined)
      throw new Refusal('profile_picture_not_found', 'There is no such picture, or the phone cannot see it.')
    return reply
      .type('image/jpeg')
      .header('content-length', size)
      .send(state.media.stream(file, 0, size - 1))
  })
}

// Calls whose body is a file, which is stored as a stream.

/** Sent by clients that do not know the type. The media type then follows from the kind of the message. */
const UNKNOWN_TYPE = 'application/octet-stream'

function uploadCalls(app: FastifyInstance, state: StateWithPhones, mediaHost: () => string): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, bytes, done) => done(null, bytes))
    const route = routes.sandboxSendMedia
    call(scope, state, route, async ({ params, query }, view, reply) => {
      const phone = view.phone(params.number)
      const chat = findChat(state.world, phone, query.to)
      const bytes = fileOf(reply.request, route.upload.maxBytes)
      const mimetype = reply.request.headers['content-type']
      const file = mimetype === undefined || mimetype === UNKNOWN_TYPE ? query : { ...query, mimetype }
      const message = await composeFile(state, phone, file, bytes, mediaHost())
      return { messageId: await send(state, phone, { chat, message, viewOnce: query.viewOnce ?? false }) }
    })
  })
}

function fileOf({ body, headers }: FastifyRequest, maxBytes: number): Readable {
  if (!(body instanceof Readable)) throw new Refusal('invalid_request', 'The body must be the file.')
  const tooLarge = () => new Refusal('body_too_large', sentenceOf('body_too_large'))
  if (Number(headers['content-length']) > maxBytes) throw tooLarge()
  async function* upTo() {
    let seen = 0
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        seen += chunk.length
        if (seen > maxBytes) throw tooLarge()
        yield chunk
      }
    } catch (error) {
      throw error instanceof Refusal ? error : new Refusal('invalid_request', 'The upload ended early.')
    }
    if (seen === 0) throw new Refusal('invalid_request', 'The body must be the file.')
  }
  return Readable.from(upTo())
}
