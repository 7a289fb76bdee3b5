// The body of `POST /send/status`.
import { z } from 'zod'
import { personNames } from './chat-address.ts'
import { caption, hasOneCaption, mediaSource, ONE_CAPTION } from './message-bodies.ts'
import { statusBody } from './send-fields.ts'

/** The network's fonts for a status, in its own order. */
export const STATUS_FONTS = [
  'system',
  'system_text',
  'script',
  'bold',
  'morning_breeze',
  'calistoga',
  'exo2',
  'courier_prime',
] as const
export type StatusFont = (typeof STATUS_FONTS)[number]

const TEXT_MAX = 700
const CAPTION_MAX = 1024

const color = z
  .string()
  .regex(/^#[\dA-Fa-f]{6}$/, { error: 'expected a colour such as #128c7e' })
  .transform((text) => text.toLowerCase())
  .optional()

interface Post {
  type?: string | undefined
  message?: string | undefined
  caption?: string | undefined
  backgroundColor?: string | undefined
  textColor?: string | undefined
  font?: string | undefined
  mediaUrl?: string | undefined
  mediaId?: string | undefined
}

const isText = ({ type }: Post): boolean => type === 'text'
const isFile = ({ type }: Post): boolean => type === 'image' || type === 'video'
const OF_TEXT = ['backgroundColor', 'textColor', 'font'] as const
const OF_FILE = ['mediaUrl', 'mediaId'] as const
type Field = keyof Post

/** Which fields a type needs and takes. Each rule is true for a valid post. */
const RULES: readonly (readonly [path: Field, error: string, isValid: (post: Post) => boolean])[] = [
  ['caption', ONE_CAPTION.error, hasOneCaption],
  ['caption', 'a text has no caption: use message', (post) => !isText(post) || post.caption === undefined],
  ['message', 'required', (post) => !isText(post) || Boolean(post.message)],
  [
    'message',
    `expected at most ${TEXT_MAX} characters`,
    (post) => !isText(post) || (post.message?.length ?? 0) <= TEXT_MAX,
  ],
  [
    'mediaUrl',
    'required',
    (post) => !isFile(post) || post.mediaUrl !== undefined || post.mediaId !== undefined,
  ],
  [
    'mediaUrl',
    'expected exactly one of mediaUrl and mediaId',
    (post) => !isFile(post) || post.mediaUrl === undefined || post.mediaId === undefined,
  ],
  ...OF_TEXT.map((path) => only(path, 'only a text takes this field', (post) => !isFile(post))),
  ...OF_FILE.map((path) => only(path, 'a text takes no file', (post) => !isText(post))),
]

function only(path: Field, error: string, isFor: (post: Post) => boolean) {
  return [path, error, (post: Post) => post[path] === undefined || isFor(post)] as const
}

/** Also beside other faults, so that a refusal names all of them. */
const withRules = <Body extends z.ZodType>(schema: Body): Body =>
  RULES.reduce(
    (checked, [path, error, isValid]) =>
      checked.refine((post) => isValid(post as Post), {
        path: [path],
        error,
        when: ({ value }) => typeof value === 'object' && value !== null,
      }),
    schema,
  )

export const StatusBody = withRules(
  statusBody({
    type: z
      .enum(['text', 'image', 'video'])
      .default('text')
      .meta({ description: 'What is posted: a text, or a file with an optional caption' }),
    message: z
      .string()
      .max(CAPTION_MAX)
      .optional()
      .meta({ description: `The text, up to ${TEXT_MAX} characters, or the caption of the file` }),
    caption,
    backgroundColor: color.meta({
      description: 'Only for `text`: colour of the background; default: `#128c7e`',
      examples: ['#128c7e'],
    }),
    textColor: color.meta({
      description: 'Only for `text`: colour of the text; default: `#ffffff`',
      examples: ['#ffffff'],
    }),
    font: z
      .enum(STATUS_FONTS)
      .optional()
      .meta({ description: 'Only for `text`: font of the text; default: `system`' }),
    ...mediaSource,
    to: personNames(1024)
      .optional()
      .meta({
        description:
          'Who sees the status: 1 to 1024 numbers, or the `chat` of people; default: all saved contacts of the instance',
        examples: [['5511912345678']],
      }),
  }),
).meta({
  id: 'SendStatus',
  examples: [
    {
      instanceName: 'support-k3v9x2ma',
      type: 'text',
      message: 'Open until midnight',
      backgroundColor: '#128c7e',
      font: 'bold',
    },
  ],
})
