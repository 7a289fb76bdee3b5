// The text of each kind of content.
import type { proto } from 'baileys'
import { textOrNull } from './wire-values.ts'

type Text = string | null | undefined

/** Expects unwrapped content. */
export function textOf(content: proto.IMessage): string | null {
  const text =
    content.conversation ||
    content.extendedTextMessage?.text ||
    captionOf(content) ||
    pollName(content) ||
    interactiveText(content) ||
    tappedText(content) ||
    catalogText(content) ||
    content.locationMessage?.name ||
    content.contactMessage?.displayName ||
    content.contactsArrayMessage?.displayName ||
    content.reactionMessage?.text
  return textOrNull(text)
}

const captionOf = (content: proto.IMessage): Text =>
  content.imageMessage?.caption ||
  content.videoMessage?.caption ||
  content.documentMessage?.caption ||
  content.ptvMessage?.caption ||
  content.liveLocationMessage?.caption ||
  content.groupInviteMessage?.caption

export const pollIn = (content: proto.IMessage): proto.Message.IPollCreationMessage | null =>
  content.pollCreationMessageV3 ??
  content.pollCreationMessage ??
  content.pollCreationMessageV2 ??
  content.pollCreationMessageV5 ??
  null

const pollName = (content: proto.IMessage): Text => pollIn(content)?.name

function interactiveText({
  interactiveMessage,
  listMessage,
  buttonsMessage,
  templateMessage,
}: proto.IMessage): Text {
  return (
    interactiveMessage?.body?.text ||
    listMessage?.description ||
    buttonsMessage?.contentText ||
    templateMessage?.hydratedTemplate?.hydratedContentText ||
    templateMessage?.hydratedFourRowTemplate?.hydratedContentText ||
    templateMessage?.interactiveMessageTemplate?.body?.text
  )
}

const catalogText = ({ orderMessage, productMessage }: proto.IMessage): Text =>
  orderMessage?.message || orderMessage?.orderTitle || productMessage?.body || productMessage?.product?.title

const tappedText = (content: proto.IMessage): Text =>
  content.interactiveResponseMessage?.body?.text ||
  content.listResponseMessage?.title ||
  content.buttonsResponseMessage?.selectedDisplayText ||
  content.templateButtonReplyMessage?.selectedDisplayText
