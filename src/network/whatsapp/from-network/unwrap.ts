// Takes a message out of its wrappings: disappearing, view once, sent from another device of ours, and the like.
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

/** Real messages are wrapped three times at most; whoever wraps more often gets what is then on the outside. */
const MOST_WRAPPINGS = 10

export function unwrap(message: proto.IMessage): Unwrapped {
  let content = message
  let viewOnce = false
  for (let depth = 0; depth < MOST_WRAPPINGS; depth += 1) {
    const outer = content
    const name = WRAPPINGS.find((wrapping) => outer[wrapping]?.message)
    const inner = name && outer[name]?.message
    if (!inner) break
    viewOnce ||= VIEW_ONCE.some((wrapping) => wrapping === name)
    // The secret of a poll may sit outside only.
    const info = inner.messageContextInfo ?? outer.messageContextInfo
    content = info ? { ...inner, messageContextInfo: info } : inner
  }
  return { content, viewOnce }
}

/** Travels with a message and is none. */
const LUGGAGE = new Set([
  'messageContextInfo',
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
])

/** The field that holds the content; undefined where the message holds none that we know. */
export const contentName = (content: proto.IMessage): keyof proto.IMessage | undefined =>
  Object.keys(content).find((name): name is keyof proto.IMessage => isContent(content, name))

function isContent(content: proto.IMessage, name: string): boolean {
  const value: unknown = Reflect.get(content, name)
  return !LUGGAGE.has(name) && value !== null && value !== undefined
}

export const onlyDistributesKeys = (content: proto.IMessage): boolean =>
  contentName(content) === undefined &&
  Boolean(content.senderKeyDistributionMessage ?? content.fastRatchetKeySenderKeyDistributionMessage)
