/** Calls about phones: people, what they see and what they do. */

import { proto } from 'baileys'
import type { FastifyInstance } from 'fastify'
import { sandboxRoutes as routes } from '../../../contract/sandbox.ts'
import type { Exchange } from '../exchange.ts'
import { enterCode } from '../pairing-code.ts'
import { scanQr } from '../pairing-qr.ts'
import { edit, react, read, remove, type as typeInto, vote } from '../phone/actions.ts'
import { saveContact } from '../phone/address-book.ts'
import { listChatsOf } from '../phone/chat-list.ts'
import { compose, messageOn } from '../phone/compose.ts'
import { downloadMedia } from '../phone/media.ts'
import { createPhone, type Phone } from '../phone/phone.ts'
import { findChat, send } from '../phone/send.ts'
import { tap } from '../phone/tap.ts'
import { waitFor } from '../phone/watch.ts'
import { setAccountPicture } from '../pictures.ts'
import { Refusal } from '../refusal.ts'
import { findMessage, listMessages, type StoredMessage, withoutContent } from '../store/messages.ts'
import { queueLength } from '../store/queue.ts'
import { type Account, registerAccount } from '../world.ts'
import { call } from './routes.ts'

export function phoneCalls(app: FastifyInstance, exchange: Exchange, mediaHost: () => string): void {
  peopleCalls(app, exchange)
  pairingCalls(app, exchange)
  profileCalls(app, exchange)
  messageCalls(app, exchange)
  writingCalls(app, exchange, mediaHost)
  actionCalls(app, exchange)
}

export function phoneOf(exchange: Exchange, number: string): Phone {
  const phone = exchange.phones.get(number)
  if (!phone) throw new Refusal('phone_not_found', `No phone has the number ${number}.`)
  return phone
}

function peopleCalls(app: FastifyInstance, exchange: Exchange): void {
  call(app, routes.sandboxListPhones, () => ({
    phones: [...exchange.world.accounts.values()].map((account) => describePhone(exchange, account)),
  }))
  call(app, routes.sandboxCreatePhone, async ({ body }) => {
    const account = registerAccount(exchange.world, exchange.database, body.number, body.name)
    if (!exchange.phones.has(account.number))
      exchange.phones.set(account.number, createPhone(exchange, account))
    exchange.changes.note({ about: 'world' })
    await exchange.database.committed()
    return { phone: describePhone(exchange, account) }
  })
  call(app, routes.sandboxGetPhone, ({ params }) => ({
    phone: describePhone(exchange, phoneOf(exchange, params.number).account),
  }))
}

/** Linking a client, in the two ways a person can. */
function pairingCalls(app: FastifyInstance, exchange: Exchange): void {
  call(app, routes.sandboxScan, async ({ params, body }) => {
    const { account } = phoneOf(exchange, params.number)
    if (body.qr === undefined)
      throw new Refusal('invalid_request', 'Only the gateway knows instances: give qr.')
    const { number, id } = await scanQr(exchange, account, body.qr)
    return { device: { number, id } }
  })
  call(app, routes.sandboxEnterCode, async ({ params, body }) => {
    const { number, id } = await enterCode(exchange, phoneOf(exchange, params.number).account, body.code)
    return { device: { number, id } }
  })
}

function profileCalls(app: FastifyInstance, exchange: Exchange): void {
  call(app, routes.sandboxSaveContact, async ({ params, body }) => {
    const person = phoneOf(exchange, body.number).account
    await saveContact(exchange, phoneOf(exchange, params.number), person, body.name)
    return {}
  })
  call(app, routes.sandboxSetPicture, async ({ params, body }) => {
    const { account } = phoneOf(exchange, params.number)
    const bytes = body.base64 === null ? null : Buffer.from(body.base64, 'base64')
    await setAccountPicture(exchange, account, bytes)
    return { phone: describePhone(exchange, account) }
  })
}

function messageCalls(app: FastifyInstance, exchange: Exchange): void {
  call(app, routes.sandboxListMessages, async ({ params, query }) => {
    const phone = phoneOf(exchange, params.number)
    const after = cursorOf(exchange, phone, query.after)
    const { chat, limit, from, before } = query
    const filter = { after, chat, limit, from, before }
    const ask = () => listMessages(exchange.database, phone.account.number, filter)
    const messages = await waitFor(phone.watch, query.waitMs, ask)
    return { messages: messages.map(withoutContent), cursor: messages.at(-1)?.seq ?? after }
  })
  call(app, routes.sandboxGetMessage, async ({ params, query }) => {
    const phone = phoneOf(exchange, params.number)
    const ranks = ['sent', 'received', 'delivered', 'read', 'played']
    const reached = (message: StoredMessage) =>
      query.status === undefined || ranks.indexOf(message.status) >= ranks.indexOf(query.status)
    await waitFor(phone.watch, query.waitMs, () => {
      const message = findMessage(exchange.database, phone.account.number, params.id)
      return message && reached(message) ? [message] : []
    })
    return { message: withoutContent(messageOn(exchange, phone, params.id)) }
  })
  call(app, routes.sandboxGetMedia, async ({ params, query }, reply) => {
    const message = messageOn(exchange, phoneOf(exchange, params.number), params.id)
    const media = await downloadMedia(exchange.media, proto.Message.decode(message.content), query.card)
    if (!media) throw new Refusal('media_not_found', 'That message carries no media.')
    return reply.type(media.mimetype).send(media.bytes)
  })
  call(app, routes.sandboxListChats, ({ params, query }) =>
    listChatsOf(exchange, phoneOf(exchange, params.number), query),
  )
  call(app, routes.sandboxListTyping, async ({ params, query }) => {
    const { typing } = phoneOf(exchange, params.number)
    return { typing: await waitFor(typing.watch, query.waitMs, () => typing.after(query.after)) }
  })
}

function writingCalls(app: FastifyInstance, exchange: Exchange, mediaHost: () => string): void {
  call(app, routes.sandboxSend, async ({ params, body }) => {
    const phone = phoneOf(exchange, params.number)
    const chat = findChat(exchange, phone, body.to)
    const message = await compose(exchange, phone, body, mediaHost())
    return { messageId: await send(exchange, phone, { chat, message }) }
  })
  call(app, routes.sandboxSendContent, async ({ params, body }) => {
    const phone = phoneOf(exchange, params.number)
    const chat = findChat(exchange, phone, body.to)
    return { messageId: await send(exchange, phone, { chat, message: readContent(body.content) }) }
  })
  call(app, routes.sandboxEdit, async ({ params, body }) => ({
    messageId: await edit(exchange, phoneOf(exchange, params.number), body.messageId, body.text),
  }))
  call(app, routes.sandboxRemove, async ({ params, body }) => ({
    messageId: await remove(exchange, phoneOf(exchange, params.number), body.messageId),
  }))
}

function actionCalls(app: FastifyInstance, exchange: Exchange): void {
  call(app, routes.sandboxRead, async ({ params, body }) => ({
    messageIds: await read(exchange, phoneOf(exchange, params.number), body),
  }))
  call(app, routes.sandboxTap, async ({ params, body }) => ({
    messageId: await tap(
      exchange,
      phoneOf(exchange, params.number),
      body.messageId,
      body.buttonId ?? body.rowId ?? '',
    ),
  }))
  call(app, routes.sandboxVote, async ({ params, body }) => ({
    messageId: await vote(exchange, phoneOf(exchange, params.number), body.messageId, body.options),
  }))
  call(app, routes.sandboxReact, async ({ params, body }) => ({
    messageId: await react(exchange, phoneOf(exchange, params.number), body.messageId, body.emoji),
  }))
  call(app, routes.sandboxType, ({ params, body }) => {
    typeInto(exchange, phoneOf(exchange, params.number), body.chat, body.state)
    return {}
  })
}

function describePhone(exchange: Exchange, account: Account) {
  return {
    number: account.number,
    lid: account.lid,
    name: account.name,
    hasPicture: account.picture !== null,
    online: !exchange.faults.offline.has(account.number),
    devices: [...account.devices.values()].map((device) => ({
      id: device.id,
      platform: device.platform,
      online: exchange.online.has(`${account.number}:${device.id}`),
      queued: queueLength(exchange.database, account.number, device.id),
    })),
  }
}

function readContent(content: Record<string, unknown>): proto.IMessage {
  try {
    return proto.Message.fromObject(content)
  } catch (error) {
    throw new Refusal('invalid_request', `content: ${String(error)}`, [
      { path: 'content', message: String(error) },
    ])
  }
}

/** Cursors are numbers; message ids are longer and hexadecimal. */
function cursorOf(exchange: Exchange, phone: Phone, after: string | undefined): number {
  if (after === undefined) return 0
  if (/^\d{1,15}$/.test(after)) return Number(after)
  return messageOn(exchange, phone, after).seq
}
