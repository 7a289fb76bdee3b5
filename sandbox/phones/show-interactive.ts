// Turns buttons, lists and carousels, and the taps that answer them, into what a phone shows.
import type { proto } from 'baileys'
import type { ShownButton, ShownCard, ShownInteractive, ShownTap } from '../model/shown-message.ts'

type Message = proto.IMessage
type Native = proto.Message.IInteractiveMessage

export function showInteractive(message: Message) {
  const interactive = message.interactiveMessage
    ? fromNativeFlow(message.interactiveMessage)
    : message.listMessage
      ? fromList(message.listMessage)
      : message.buttonsMessage
        ? fromButtons(message.buttonsMessage)
        : undefined
  return interactive && { kind: interactive.type, text: interactive.body, interactive }
}

export function showTap(message: Message) {
  const tap = tapOf(message)
  return tap && { kind: 'tap', text: tap.text, tap: { id: tap.id, form: tap.form } }
}

function tapOf(message: Message): (ShownTap & { text: string | null }) | undefined {
  const { interactiveResponseMessage, listResponseMessage, buttonsResponseMessage } = message
  const { templateButtonReplyMessage } = message
  if (interactiveResponseMessage) {
    const params = parse(interactiveResponseMessage.nativeFlowResponseMessage?.paramsJson)
    const text = interactiveResponseMessage.body?.text ?? null
    return { form: 'interactive', id: params['id'] ?? '', text }
  }
  if (listResponseMessage)
    return {
      form: 'list',
      id: listResponseMessage.singleSelectReply?.selectedRowId ?? '',
      text: listResponseMessage.title ?? null,
    }
  if (buttonsResponseMessage)
    return {
      form: 'buttons',
      id: buttonsResponseMessage.selectedButtonId ?? '',
      text: buttonsResponseMessage.selectedDisplayText ?? null,
    }
  if (templateButtonReplyMessage)
    return {
      form: 'template',
      id: templateButtonReplyMessage.selectedId ?? '',
      text: templateButtonReplyMessage.selectedDisplayText ?? null,
    }
  return undefined
}

function fromNativeFlow(message: Native): ShownInteractive {
  const common = {
    title: message.header?.title || null,
    body: message.body?.text ?? null,
    footer: message.footer?.text ?? null,
  }
  const cards = message.carouselMessage?.cards
  if (cards?.length) return { type: 'carousel', ...common, cards: cards.map(showCard) }
  return { type: 'buttons', ...common, buttons: nativeButtons(message) }
}

function showCard(card: Native): ShownCard {
  return {
    title: card.header?.title || null,
    body: card.body?.text ?? null,
    footer: card.footer?.text ?? null,
    hasImage: Boolean(card.header?.imageMessage),
    buttons: nativeButtons(card),
  }
}

function nativeButtons(message: Native): ShownButton[] {
  return (message.nativeFlowMessage?.buttons ?? []).map((button) => {
    const params = parse(button.buttonParamsJson)
    const text = params['display_text'] ?? ''
    switch (button.name) {
      case 'quick_reply':
        return { type: 'reply', text, id: params['id'] ?? '' }
      case 'cta_url':
        return { type: 'url', text, url: params['url'] ?? '' }
      case 'cta_call':
        return { type: 'call', text, phoneNumber: params['phone_number'] ?? '' }
      case 'cta_copy':
        return { type: 'copy', text, id: params['copy_code'] ?? '' }
      case 'payment_info':
        return showPix(button.buttonParamsJson) ?? { type: 'other', text }
      default:
        return { type: 'other', text }
    }
  })
}

interface Payment {
  payment_settings?: { pix_static_code?: { merchant_name?: string; key?: string; key_type?: string } }[]
}

/** The button copies the key. */
function showPix(json: string | null | undefined): ShownButton | undefined {
  const { payment_settings: settings = [] } = parse<Payment>(json)
  const pix = settings.find((setting) => setting.pix_static_code)?.pix_static_code
  if (!pix) return undefined
  return { type: 'pix', text: pix.merchant_name ?? '', id: pix.key ?? '', keyType: pix.key_type ?? '' }
}

function fromList(message: proto.Message.IListMessage): ShownInteractive {
  return {
    type: 'list',
    title: message.title ?? null,
    body: message.description ?? null,
    footer: message.footerText ?? null,
    buttonText: message.buttonText ?? '',
    sections: (message.sections ?? []).map((section) => ({
      title: section.title ?? '',
      rows: (section.rows ?? []).map((row) => ({
        rowId: row.rowId ?? '',
        title: row.title ?? '',
        description: row.description ?? null,
      })),
    })),
  }
}

function fromButtons(message: proto.Message.IButtonsMessage): ShownInteractive {
  return {
    type: 'buttons',
    title: message.text ?? null,
    body: message.contentText ?? null,
    footer: message.footerText ?? null,
    buttons: (message.buttons ?? []).map((button) => ({
      type: 'reply',
      text: button.buttonText?.displayText ?? '',
      id: button.buttonId ?? '',
    })),
  }
}

/** Parses the JSON parameters of a button. */
function parse<T extends object = Record<string, string>>(json: string | null | undefined): Partial<T> {
  try {
    return (JSON.parse(json ?? '{}') ?? {}) as Partial<T>
  } catch {
    return {}
  }
}
