// The wrapper of a file that can be opened only once, and the content inside it.
import type { proto } from 'baileys'

type Part = { contextInfo?: proto.IContextInfo | null }

/** The only field that is content. */
export function contentOf(message: proto.IMessage): [name: string, part: Part] {
  const entry = Object.entries(message).find(
    ([name, part]) => name !== 'messageContextInfo' && part !== null && part !== undefined,
  )
  if (!entry) throw new Error('the message has no content')
  return entry as [string, Part]
}

/** Voice messages have a wrapper of their own. */
export function asViewOnce({ messageContextInfo, ...content }: proto.IMessage): proto.IMessage {
  const [name, part] = contentOf(content)
  const message = { [name]: { ...part, viewOnce: true } }
  const wrapper = name === 'audioMessage' ? 'viewOnceMessageV2Extension' : 'viewOnceMessage'
  return { [wrapper]: { message }, ...(messageContextInfo && { messageContextInfo }) }
}

/** The content inside a view-once wrapper. */
export const innerMessage = (message: proto.IMessage): proto.IMessage =>
  message.viewOnceMessage?.message ?? message.viewOnceMessageV2Extension?.message ?? message
