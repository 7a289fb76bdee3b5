// Buttons and PIX keys from the network, in the form of a native flow. They get the fields of the requests that send them.
import type { proto } from 'baileys'
import { z } from 'zod'
import { PIX_KEY_TYPES } from '../../contract/message-values.ts'
import type { JsonObject } from '../../network/message.ts'
import { KEY_TYPES, PIX_FLOW } from '../to-network/pix.ts'
import { flat, parametersIn } from './flow-parameters.ts'
import type { ReadKind } from './reading.ts'
import { present, textOrNull } from './wire-values.ts'

type FlowButton = proto.Message.InteractiveMessage.NativeFlowMessage.INativeFlowButton

/** A stranger writes them, so they are not checked: a reader who pays compares them with what they know. */
export const readPix: ReadKind = ({ interactiveMessage }) => {
  const { nativeFlowMessage, body, contextInfo } = interactiveMessage ?? {}
  const flow = nativeFlowMessage?.buttons?.find(({ name }) => name === PIX_FLOW)
  const settings = parametersIn(Payment, flow?.buttonParamsJson)?.payment_settings
  const pix = settings?.find((setting) => setting.pix_static_code)?.pix_static_code
  if (!pix) return null
  return {
    type: 'pix',
    text: textOrNull(body?.text),
    content: {
      merchantName: textOrNull(pix.merchant_name),
      keyType: PIX_KEY_TYPES.find((type) => KEY_TYPES[type] === pix.key_type?.toUpperCase()) ?? null,
      key: textOrNull(pix.key),
    },
    contextInfo,
  }
}

const MAX_SETTINGS = 16
const Payment = z.object({
  payment_settings: z
    .array(
      z.object({
        pix_static_code: z
          .object({ merchant_name: flat, key: flat, key_type: flat })
          .optional()
          .catch(undefined),
      }),
    )
    .max(MAX_SETTINGS),
})

/** Buttons that are not known are left out; with none that is known, the message is of another kind. */
export const readButtons: ReadKind = ({ interactiveMessage }) => {
  if (!interactiveMessage) return null
  const { header, body, footer, nativeFlowMessage, contextInfo } = interactiveMessage
  const known = (nativeFlowMessage?.buttons ?? []).map(buttonOf).filter((button) => button !== null)
  if (known.length === 0) return null
  const replies = known.flatMap(({ replyButton }) => replyButton ?? [])
  const onlyReplies = replies.length === known.length
  const interactive = {
    ...present({
      title: textOrNull(header?.title),
      body: textOrNull(body?.text),
      footer: textOrNull(footer?.text),
    }),
    buttons: onlyReplies ? replies.map(asReply) : known,
  }
  return {
    type: onlyReplies ? 'button' : 'cta',
    text: textOrNull(body?.text),
    content: { interactive },
    contextInfo,
  }
}

interface Reply extends JsonObject {
  displayText: string
  buttonId: string
}
const asReply = ({ displayText, buttonId }: Reply): JsonObject => ({ buttonId, buttonText: { displayText } })

const Parameters = z.object({ display_text: flat, id: flat, url: flat, phone_number: flat, copy_code: flat })

function buttonOf({ name, buttonParamsJson }: FlowButton): (JsonObject & { replyButton?: Reply }) | null {
  const given = parametersIn(Parameters, buttonParamsJson)
  if (!given) return null
  const displayText = given.display_text ?? ''
  switch (name) {
    case 'quick_reply':
      return { replyButton: { displayText, buttonId: given.id ?? '' } }
    case 'cta_url':
      return { urlButton: { displayText, url: given.url ?? '' } }
    case 'cta_call':
      return { callButton: { displayText, phoneNumber: given.phone_number ?? '' } }
    case 'cta_copy':
      return { copyButton: { displayText, copyCode: given.copy_code ?? '' } }
    default:
      return null
  }
}
