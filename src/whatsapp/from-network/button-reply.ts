// A tap on a button, in each of the three forms that phones answer with.
import type { proto } from 'baileys'
import { z } from 'zod'
import { flat, parametersIn } from './flow-parameters.ts'
import type { Reading, ReadKind } from './reading.ts'
import { present, textOrNull } from './wire-values.ts'

export const readButtonReply: ReadKind = (content) =>
  fromNativeFlow(content) ?? fromButtons(content) ?? fromTemplate(content)

/** Names under which a native flow answers for a list. */
const LIST_FLOWS = new Set(['single_select', 'menu_options'])

function fromNativeFlow({ interactiveResponseMessage }: proto.IMessage): Reading | null {
  if (!interactiveResponseMessage) return null
  const { nativeFlowResponseMessage: flow, body, contextInfo } = interactiveResponseMessage
  const { id, label } = parametersOf(flow?.paramsJson)
  return {
    type: LIST_FLOWS.has(flow?.name ?? '') ? 'list_reply' : 'button_reply',
    text: textOrNull(body?.text) ?? label,
    interactiveReplyId: id,
    // Forms answer with more than an id: their parameters are passed on as text.
    content: present({
      name: textOrNull(flow?.name),
      parameters: id === null ? textOrNull(flow?.paramsJson) : null,
    }),
    contextInfo,
  }
}

function fromButtons({ buttonsResponseMessage }: proto.IMessage): Reading | null {
  if (!buttonsResponseMessage) return null
  return {
    type: 'button_reply',
    text: textOrNull(buttonsResponseMessage.selectedDisplayText),
    interactiveReplyId: textOrNull(buttonsResponseMessage.selectedButtonId),
    contextInfo: buttonsResponseMessage.contextInfo,
  }
}

function fromTemplate({ templateButtonReplyMessage }: proto.IMessage): Reading | null {
  if (!templateButtonReplyMessage) return null
  return {
    type: 'button_reply',
    text: textOrNull(templateButtonReplyMessage.selectedDisplayText),
    interactiveReplyId: textOrNull(templateButtonReplyMessage.selectedId),
    content: present({ cardIndex: templateButtonReplyMessage.selectedCarouselCardIndex }),
    contextInfo: templateButtonReplyMessage.contextInfo,
  }
}

const Parameters = z.object({ id: flat, display_text: flat, title: flat })

function parametersOf(json: string | null | undefined): { id: string | null; label: string | null } {
  const given = parametersIn(Parameters, json)
  return { id: textOrNull(given?.id), label: textOrNull(given?.display_text) ?? textOrNull(given?.title) }
}
