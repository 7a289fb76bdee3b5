// Calls with which a person acts on a phone: on messages, chats and the app itself.
import { proto } from 'baileys'
import type { FastifyInstance } from 'fastify'
import { sandboxActionRoutes as routes } from '../../src/contract/sandbox-actions.ts'
import {
  deleteMessage,
  editMessage,
  pinMessage,
  sendReaction,
  sendTyping,
  sendVote,
  setDisappearing,
} from '../phones/actions.ts'
import {
  changeChat,
  clearChat,
  deleteChat,
  deleteForMe,
  readChat,
  starMessage,
} from '../phones/chat-changes.ts'
import { messageOn } from '../phones/compose.ts'
import { forwardMessage } from '../phones/forward.ts'
import { deleteLabel, labelChat, listLabels, saveLabel } from '../phones/labels.ts'
import { expireMedia } from '../phones/media.ts'
import type { StateWithPhones } from '../phones/phone.ts'
import { postStatus } from '../phones/status.ts'
import { tap } from '../phones/tap.ts'
import { call } from './call.ts'
import { describePhone } from './phones.ts'

export function actionCalls(app: FastifyInstance, state: StateWithPhones, mediaHost: () => string): void {
  call(app, state, routes.sandboxPostStatus, async ({ params, body }, view) => ({
    messageId: await postStatus(state, view.phone(params.number), body, mediaHost()),
  }))
  messageActions(app, state)
  ownChanges(app, state)
  labelActions(app, state)
  chatActions(app, state)
}

function messageActions(app: FastifyInstance, state: StateWithPhones): void {
  call(app, state, routes.sandboxEdit, async ({ params, body }, view) => ({
    messageId: await editMessage(state, view.phone(params.number), body),
  }))
  call(app, state, routes.sandboxRemove, async ({ params, body }, view) => ({
    messageId: await deleteMessage(state, view.phone(params.number), body.messageId),
  }))
  call(app, state, routes.sandboxTap, async ({ params, body }, view) => ({
    messageId: await tap(state, view.phone(params.number), body.messageId, body.buttonId ?? body.rowId ?? ''),
  }))
  call(app, state, routes.sandboxVote, async ({ params, body }, view) => ({
    messageId: await sendVote(state, view.phone(params.number), body.messageId, body.options),
  }))
  call(app, state, routes.sandboxReact, async ({ params, body }, view) => ({
    messageId: await sendReaction(state, view.phone(params.number), body.messageId, body.emoji),
  }))
  call(app, state, routes.sandboxPin, async ({ params, body }, view) => ({
    messageId: await pinMessage(state, view.phone(params.number), body.messageId, body.seconds),
  }))
  call(app, state, routes.sandboxExpireMedia, async ({ params, body }, view) => {
    const { content } = messageOn(state.database, view.phone(params.number), body.messageId)
    await expireMedia(state.media, proto.Message.decode(content))
    return {}
  })
  call(app, state, routes.sandboxForward, async ({ params, body }, view) => ({
    messageId: await forwardMessage(state, view.phone(params.number), body.messageId, body.to),
  }))
}

/** Changes that only the devices of the account see. */
function ownChanges(app: FastifyInstance, state: StateWithPhones): void {
  call(app, state, routes.sandboxStar, async ({ params, body }, view) => {
    await starMessage(state, view.phone(params.number), body.messageId, body.starred)
    return {}
  })
  call(app, state, routes.sandboxDeleteForMe, async ({ params, body }, view) => {
    await deleteForMe(state, view.phone(params.number), body.messageId)
    return {}
  })
  call(app, state, routes.sandboxChangeChat, async ({ params, body: { chat, ...change } }, view) => {
    await changeChat(state, view.phone(params.number), chat, change)
    return {}
  })
  call(app, state, routes.sandboxClearChat, async ({ params, body }, view) => {
    await clearChat(state, view.phone(params.number), body.chat, body.keepStarred)
    return {}
  })
  call(app, state, routes.sandboxDeleteChat, async ({ params, query }, view) => {
    await deleteChat(state, view.phone(params.number), query.chat)
    return {}
  })
}

function labelActions(app: FastifyInstance, state: StateWithPhones): void {
  call(app, state, routes.sandboxListLabels, ({ params }, view) => ({
    labels: listLabels(view.phone(params.number)),
  }))
  call(app, state, routes.sandboxSaveLabel, async ({ params, body }, view) => ({
    labelId: await saveLabel(state, view.phone(params.number), body),
  }))
  call(app, state, routes.sandboxDeleteLabel, async ({ params, query }, view) => {
    await deleteLabel(state, view.phone(params.number), query.labelId)
    return {}
  })
  call(app, state, routes.sandboxLabelChat, async ({ params, body }, view) => {
    await labelChat(state, view.phone(params.number), body)
    return {}
  })
}

function chatActions(app: FastifyInstance, state: StateWithPhones): void {
  call(app, state, routes.sandboxRead, async ({ params, body }, view) => ({
    messageIds: await readChat(state, view.phone(params.number), body),
  }))
  call(app, state, routes.sandboxType, ({ params, body }, view) => {
    sendTyping(state, view.phone(params.number), body.chat, body.state)
    return {}
  })
  call(app, state, routes.sandboxSetDisappearing, async ({ params, body }, view) => {
    await setDisappearing(state, view.phone(params.number), body)
    return {}
  })
  call(app, state, routes.sandboxSetPresence, ({ params, body }, view) => {
    const phone = view.phone(params.number)
    phone.presence.set(body.available)
    return { phone: describePhone(state, phone.account) }
  })
}
