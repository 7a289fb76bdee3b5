// A message pinned in its chat, or the removal of the pin.
import { proto } from 'baileys'
import type { ReadKind } from './reading.ts'
import { claimedTarget } from './target.ts'
import { countOf } from './wire-values.ts'

export const readPin: ReadKind = ({ pinInChatMessage, messageContextInfo }, { resolve }) => {
  if (!pinInChatMessage) return null
  const target = claimedTarget(pinInChatMessage.key, resolve, 'senders')
  if (!target) return null
  const isPinned = pinInChatMessage.type === proto.Message.PinInChatMessage.Type.PIN_FOR_ALL
  return {
    type: 'pin',
    text: null,
    target,
    content: {
      targetMessageId: target.messageId,
      seconds: isPinned ? countOf(messageContextInfo?.messageAddOnDurationInSecs) : null,
    },
  }
}
