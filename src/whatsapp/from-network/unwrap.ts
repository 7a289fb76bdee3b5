// Unwraps messages: disappearing, view once, sent from another device of the account, and similar wrappers.
import type { proto } from 'baileys'

type Wrapping = {
  [Name in keyof proto.IMessage]-?: NonNullable<proto.IMessage[Name]> extends {
    message?: proto.IMessage | null
  }
    ? Name
    : never
}[keyof proto.IMessage]

const VIEW_ONCE = [
  'viewOnceMessage',
  'viewOnceMessageV2',
  'viewOnceMessageV2Extension',
] as const satisfies Wrapping[]
const WRAPPINGS = [
  'deviceSentMessage',
  'ephemeralMessage',
  ...VIEW_ONCE,
  'documentWithCaptionMessage',
  'editedMessage',
  'associatedChildMessage',
  'groupStatusMessage',
  'groupStatusMessageV2',
  'lottieStickerMessage',
  'groupMentionedMessage',
  'botInvokeMessage',
  'botForwardedMessage',
  'pollCreationMessageV4',
  'questionMessage',
  'questionReplyMessage',
] as const satisfies Wrapping[]

export interface Unwrapped {
  content: proto.IMessage
  viewOnce: boolean
}

/** Real messages have at most three wrappers; deeper ones are not unwrapped further. */
const MAX_WRAPPINGS = 10

export function unwrap(message: proto.IMessage): Unwrapped {
  let content = message
  let viewOnce = false
  for (let depth = 0; depth < MAX_WRAPPINGS; depth += 1) {
    const outer = content
    const name = WRAPPINGS.find((wrapping) => outer[wrapping]?.message)
    const inner = name && outer[name]?.message
    if (!inner) break
    viewOnce ||= VIEW_ONCE.some((wrapping) => wrapping === name)
    // The secret of a poll may be in the outer message only.
    const info = inner.messageContextInfo ?? outer.messageContextInfo
    content = info ? { ...inner, messageContextInfo: info } : inner
  }
  return { content, viewOnce }
}

/** Fields that accompany a message and are not content. */
const ENVELOPE_FIELDS = new Set([
  'messageContextInfo',
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
])

/** The field with the content; undefined if the message has no known content. */
export const contentName = (content: proto.IMessage): keyof proto.IMessage | undefined =>
  Object.keys(content).find((name): name is keyof proto.IMessage => isContent(content, name))

function isContent(content: proto.IMessage, name: string): boolean {
  const value: unknown = Reflect.get(content, name)
  return !ENVELOPE_FIELDS.has(name) && value !== null && value !== undefined
}

export const onlyDistributesKeys = (content: proto.IMessage): boolean =>
  contentName(content) === undefined &&
  Boolean(content.senderKeyDistributionMessage ?? content.fastRatchetKeySenderKeyDistributionMessage)
