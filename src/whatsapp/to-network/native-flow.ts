// Common parts of the interactive kinds: their buttons, and the additional node without which phones show nothing.
import type { BinaryNode, proto } from 'baileys'
import type { ContentOf } from '../../network/message.ts'
import { documentToNetwork } from './document.ts'
import { imageToNetwork } from './image.ts'
import type { SendFacts } from './network-message.ts'
import { videoToNetwork } from './video.ts'

type NativeFlow = proto.Message.InteractiveMessage.INativeFlowMessage
type NativeFlowButton = proto.Message.InteractiveMessage.NativeFlowMessage.INativeFlowButton
type ReplyButton = ContentOf<'button'>['interactive']['buttons'][number]

export const flowButton = (name: string, parameters: object): NativeFlowButton => ({
  name,
  buttonParamsJson: JSON.stringify(parameters),
})

export const quickReply = (label: string, id: string): NativeFlowButton =>
  flowButton('quick_reply', { display_text: label, id })

export const replyButton = ({ buttonId, buttonText }: ReplyButton): NativeFlowButton =>
  quickReply(buttonText.displayText, buttonId)

export const nativeFlow = (buttons: NativeFlowButton[]): NativeFlow => ({ messageVersion: 1, buttons })

type FileHeader = NonNullable<ContentOf<'button'>['interactive']['header']>

const FILES = { image: imageToNetwork, video: videoToNetwork, document: documentToNetwork }

/** The file has the form of a message with this file alone, without a caption. */
export function fileAbove(header: FileHeader | undefined, facts: SendFacts) {
  if (!header) return undefined
  const { type, ...file } = header
  const { messageContextInfo: _ofThatMessage, ...part } = FILES[type](file, facts).message
  return part
}

/** Header, body and footer of an interactive message; without header and footer if they would be empty. */
export const frame = (
  {
    title,
    body,
    footer,
  }: {
    title?: string | undefined
    body: string
    footer?: string | undefined
  },
  file?: ReturnType<typeof fileAbove>,
) => ({
  ...((title !== undefined || file) && {
    header: { ...(title !== undefined && { title }), hasMediaAttachment: file !== undefined, ...file },
  }),
  body: { text: body },
  ...(footer !== undefined && { footer: { text: footer } }),
})

/** For buttons, calls to action and carousels. */
export const flowNodes = (nowMs: number): BinaryNode[] => [
  {
    tag: 'biz',
    attrs: { actual_actors: '2', host_storage: '2', privacy_mode_ts: String(Math.floor(nowMs / 1000)) },
    content: [
      {
        tag: 'interactive',
        attrs: { type: 'native_flow', v: '1' },
        content: [{ tag: 'native_flow', attrs: { v: '9', name: 'mixed' } }],
      },
      { tag: 'quality_control', attrs: { source_type: 'third_party' } },
    ],
  },
]
