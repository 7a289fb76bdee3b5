// A text to the network, with a link preview where the send worker has fetched one, or as a coloured card if it is a status.
import { proto } from 'baileys'
import type { StatusFont } from '../../contract/status-body.ts'
import type { ContentOf } from '../../network/message.ts'
import { type NetworkMessage, networkMessage, type SendFacts } from './network-message.ts'

/** `conversation` is the form of a text without quotes, mentions, previews and colours. */
export function textToNetwork(content: ContentOf<'text'>, facts: SendFacts): NetworkMessage {
  const extra = { ...previewFields(content), ...styleFields(content) }
  if (Object.keys(extra).length === 0) return networkMessage({ conversation: content.message }, facts)
  return networkMessage({ extendedTextMessage: { text: content.message, ...extra } }, facts)
}

type ExtendedText = proto.Message.IExtendedTextMessage

function previewFields({ preview }: ContentOf<'text'>): ExtendedText {
  if (!preview) return {}
  return {
    matchedText: preview.url,
    title: preview.title,
    ...(preview.description !== null && { description: preview.description }),
    ...(preview.jpegThumbnail !== undefined && { jpegThumbnail: preview.jpegThumbnail }),
  }
}

const { FontType } = proto.Message.ExtendedTextMessage

const FONTS: Record<StatusFont, proto.Message.ExtendedTextMessage.FontType> = {
  system: FontType.SYSTEM,
  system_text: FontType.SYSTEM_TEXT,
  script: FontType.FB_SCRIPT,
  bold: FontType.SYSTEM_BOLD,
  morning_breeze: FontType.MORNINGBREEZE_REGULAR,
  calistoga: FontType.CALISTOGA_REGULAR,
  exo2: FontType.EXO2_EXTRABOLD,
  courier_prime: FontType.COURIERPRIME_BOLD,
}

function styleFields({ backgroundColor, textColor, font }: ContentOf<'text'>): ExtendedText {
  return {
    ...(backgroundColor !== undefined && { backgroundArgb: opaque(backgroundColor) }),
    ...(textColor !== undefined && { textArgb: opaque(textColor) }),
    ...(font !== undefined && { font: FONTS[font] }),
  }
}

/** The protocol writes a colour as alpha, red, green, blue. */
const opaque = (color: string): number => Number.parseInt(`ff${color.slice(1)}`, 16)
