// Taps on buttons and list rows. Each kind of message has its own form of answer.
import { proto } from 'baileys'
import { Refusal } from '../model/refusal.ts'
import type { ShownButton } from '../model/shown-message.ts'
import type { RoutingState } from '../network/sandbox-state.ts'
import type { StoredPhoneMessage } from '../store/messages.ts'
import { messageOn, quote } from './compose.ts'
import type { Phone } from './phone.ts'
import { findChat, send } from './send.ts'

export function tap(state: RoutingState, phone: Phone, messageId: string, choice: string): Promise<string> {
  const target = messageOn(state.database, phone, messageId)
  if (!target.interactive) throw new Refusal('not_tappable', 'That message has no button or list.')
  if (!target.visible) throw new Refusal('not_tappable', 'Phones do not show that message.')
  const contextInfo = quote(state, phone, messageId)
  const message = target.interactive.sections
    ? answerList(target, choice, contextInfo)
    : answerButton(target, choice, contextInfo)
  return send(state, phone, { chat: findChat(state.world, phone, target.chat), message })
}

function answerList(
  target: StoredPhoneMessage,
  rowId: string,
  contextInfo: proto.IContextInfo,
): proto.IMessage {
  const rows = target.interactive?.sections?.flatMap((section) => section.rows) ?? []
  const row = rows.find((candidate) => candidate.rowId === rowId)
  if (!row) throw new Refusal('option_not_found', 'The list has no such row.')
  return {
    listResponseMessage: {
      title: row.title,
      ...(row.description !== null && { description: row.description }),
      listType: proto.Message.ListResponseMessage.ListType.SINGLE_SELECT,
      singleSelectReply: { selectedRowId: rowId },
      contextInfo,
    },
  }
}

function answerButton(
  target: StoredPhoneMessage,
  id: string,
  contextInfo: proto.IContextInfo,
): proto.IMessage {
  const { buttons = [], cards = [] } = target.interactive ?? {}
  const all: ShownButton[] = [...buttons, ...cards.flatMap((card) => card.buttons)]
  const button = all.find((candidate) => candidate.type === 'reply' && candidate.id === id)
  if (!button) throw new Refusal('option_not_found', 'The message has no such reply button.')
  // Legacy buttons have a different form of answer.
  if (proto.Message.decode(target.content).buttonsMessage)
    return {
      buttonsResponseMessage: {
        selectedButtonId: id,
        selectedDisplayText: button.text,
        type: proto.Message.ButtonsResponseMessage.Type.DISPLAY_TEXT,
        contextInfo,
      },
    }
  return {
    interactiveResponseMessage: {
      body: { text: button.text },
      nativeFlowResponseMessage: {
        name: 'quick_reply',
        paramsJson: JSON.stringify({ id, display_text: button.text }),
        version: 1,
      },
      contextInfo,
    },
  }
}
