// The fields of each kind of message as a table, from which form, request body and error paths follow.

import { MEDIA_LIMIT_BYTES } from '../../../../src/contract/media-limits.ts'
import { PIX_KEY_TYPES } from '../../../../src/contract/message-values.ts'
import type { RouteId } from '../../../../src/contract/routes.ts'
import type { StatusFont } from '../../../../src/contract/status-body.ts'
import type { conversations } from '../texts/en.ts'

type FieldName = keyof (typeof conversations)['fields']
type ChoiceName = keyof (typeof conversations)['choices']

/** The path of a value in the request body, separated by dots; empty for the entry itself. */
interface FieldPath {
  path: string
  /** Shown only for these choices. */
  only?: readonly [path: string, ...choices: string[]]
}
/** An input. Empty optional values are omitted from the request. */
export interface InputField extends FieldPath {
  input: 'line' | 'lines' | 'number' | 'url' | 'tel' | 'email' | 'moment' | 'color'
  label: FieldName
  required?: true
  /** The default of a new list entry, followed by its number. */
  suggestion?: string
  /** The value of an empty form. */
  initial?: string
}
export interface ChoiceField extends FieldPath {
  input: 'choice'
  label: FieldName
  choices: readonly ChoiceName[]
  /** Selects which fields are shown; not part of the body. */
  local?: true
  /** This choice is omitted from the body. */
  omitted?: ChoiceName
}
export interface ListField extends FieldPath {
  input: 'list'
  label: FieldName
  entry: FieldName
  min: number
  max: number
  fields: readonly Field[]
}
/** A constant value; `position` is the index of the entry in its list. */
interface FixedField extends FieldPath {
  input: 'fixed'
  value: string | number | { position: true }
}
/** True if it is checked, otherwise omitted. */
export interface FlagField extends FieldPath {
  input: 'flag'
  label: FieldName
}
/** A file: its URL, or one that is uploaded. */
export interface FileField extends FieldPath {
  input: 'file'
  label: FieldName
  /** The path of the `mediaId` of an uploaded file. */
  id: string
  accept?: string
  /** The paths that an upload fills in: the type of message and the name of the file. */
  typePath?: string
  namePath?: string
  /** The types that an upload can fill in; absent: all. */
  types?: readonly SentAs[]
}
export type Field = InputField | ChoiceField | ListField | FixedField | FlagField | FileField

export interface SendForm {
  route: RouteId
  /** Relative to the base URL. */
  path: string
  fields: readonly Field[]
  /** Shown on demand. */
  options?: readonly Field[]
  /** The default typing delay; absent: the kind takes none. */
  usualDelay?: 'drawn' | 'none'
}

const line = (path: string, label: FieldName, more: Partial<InputField> = {}): InputField => ({
  input: 'line',
  path,
  label,
  ...more,
})
const needed = (path: string, label: FieldName, more: Partial<InputField> = {}): InputField =>
  line(path, label, { required: true, ...more })
const flag = (path: string, label: FieldName): FlagField => ({ input: 'flag', path, label })
const fixed = (path: string, value: FixedField['value']): FixedField => ({ input: 'fixed', path, value })

const REPLY_BUTTONS: ListField = {
  input: 'list',
  path: 'interactive.buttons',
  label: 'buttons',
  entry: 'button',
  min: 1,
  max: 3,
  fields: [
    needed('buttonText.displayText', 'buttonLabel'),
    needed('buttonId', 'buttonId', { suggestion: 'option' }),
    fixed('type', 1),
  ],
}

const LIST_SECTIONS: ListField = {
  input: 'list',
  path: 'interactive.sections',
  label: 'sections',
  entry: 'section',
  min: 1,
  max: 10,
  fields: [
    line('title', 'title'),
    {
      input: 'list',
      path: 'rows',
      label: 'rows',
      entry: 'row',
      min: 1,
      max: 10,
      fields: [
        needed('title', 'rowTitle'),
        line('description', 'description'),
        needed('rowId', 'rowId', { suggestion: 'row' }),
      ],
    },
  ],
}

const isUrl = ['action', 'url'] as const
const isCall = ['action', 'call'] as const
const isCopy = ['action', 'copy'] as const
const isReply = ['action', 'reply'] as const
const CTA_BUTTONS: ListField = {
  input: 'list',
  path: 'interactive.buttons',
  label: 'buttons',
  entry: 'button',
  min: 1,
  max: 10,
  fields: [
    fixed('index', { position: true }),
    {
      input: 'choice',
      path: 'action',
      label: 'action',
      choices: ['url', 'call', 'copy', 'reply'],
      local: true,
    },
    needed('urlButton.displayText', 'buttonLabel', { only: isUrl }),
    needed('urlButton.url', 'address', { only: isUrl, input: 'url' }),
    needed('callButton.displayText', 'buttonLabel', { only: isCall }),
    needed('callButton.phoneNumber', 'phoneNumber', { only: isCall, input: 'tel' }),
    needed('copyButton.displayText', 'buttonLabel', { only: isCopy }),
    needed('copyButton.copyCode', 'copyCode', { only: isCopy }),
    needed('replyButton.displayText', 'buttonLabel', { only: isReply }),
    needed('replyButton.buttonId', 'buttonId', { only: isReply, suggestion: 'button' }),
  ],
}

const CARDS: ListField = {
  input: 'list',
  path: 'interactive.cards',
  label: 'cards',
  entry: 'card',
  min: 1,
  max: 10,
  fields: [
    fixed('header.type', 'image'),
    { input: 'file', path: 'header.mediaUrl', label: 'imageUrl', id: 'header.mediaId', accept: 'image/*' },
    needed('body', 'cardText', { input: 'lines' }),
    { ...REPLY_BUTTONS, path: 'buttons' },
  ],
}

/** In the order of the network. */
const FONTS = [
  'system',
  'system_text',
  'script',
  'bold',
  'morning_breeze',
  'calistoga',
  'exo2',
  'courier_prime',
] as const satisfies readonly StatusFont[]

const isText = ['type', 'text'] as const
const isFile = ['type', 'image', 'video'] as const
const STATUS: readonly Field[] = [
  { input: 'choice', path: 'type', label: 'mediaType', choices: ['text', 'image', 'video'] },
  needed('message', 'message', { only: isText, input: 'lines' }),
  needed('backgroundColor', 'backgroundColor', { only: isText, input: 'color', initial: '#128c7e' }),
  needed('textColor', 'textColor', { only: isText, input: 'color', initial: '#ffffff' }),
  { input: 'choice', path: 'font', label: 'font', choices: FONTS, only: isText },
  {
    input: 'file',
    path: 'mediaUrl',
    label: 'mediaUrl',
    id: 'mediaId',
    accept: 'image/*,video/*',
    typePath: 'type',
    types: ['image', 'video'],
    only: isFile,
  },
  line('message', 'caption', { only: isFile, input: 'lines' }),
  { input: 'choice', path: 'audience', label: 'audience', choices: ['contacts', 'numbers'], local: true },
  {
    input: 'list',
    path: 'to',
    label: 'audienceNumbers',
    entry: 'phoneNumber',
    min: 1,
    max: 1024,
    fields: [needed('', 'phoneNumber', { input: 'tel' })],
    only: ['audience', 'numbers'],
  },
]

const interactive = (type: string, fields: readonly Field[]): readonly Field[] => [
  fixed('type', 'interactive'),
  fixed('interactive.type', type),
  ...fields,
]

/** One form per send endpoint. `group` is for groups, `status` for status posts, and the others are for people. */
export const SEND_FORMS = {
  text: {
    route: 'sendText',
    path: '/send/text',
    usualDelay: 'drawn',
    fields: [fixed('type', 'text'), needed('message', 'message', { input: 'lines' })],
    options: [flag('linkPreview', 'linkPreview')],
  },
  media: {
    route: 'sendMedia',
    path: '/send/media',
    usualDelay: 'drawn',
    fields: [
      { input: 'choice', path: 'type', label: 'mediaType', choices: ['image', 'video', 'document', 'audio'] },
      {
        input: 'file',
        path: 'mediaUrl',
        label: 'mediaUrl',
        id: 'mediaId',
        typePath: 'type',
        namePath: 'fileName',
      },
      line('message', 'caption', { input: 'lines' }),
      { ...flag('viewOnce', 'viewOnce'), only: ['type', 'image', 'video', 'audio'] },
      line('fileName', 'fileName'),
      line('mimetype', 'mimetype'),
    ],
  },
  button: {
    route: 'sendButton',
    path: '/send/button',
    usualDelay: 'none',
    fields: interactive('button', [
      line('interactive.title', 'title'),
      needed('interactive.body', 'body', { input: 'lines' }),
      line('interactive.footer', 'footer'),
      REPLY_BUTTONS,
    ]),
  },
  list: {
    route: 'sendList',
    path: '/send/list',
    usualDelay: 'none',
    fields: interactive('list', [
      line('interactive.title', 'title'),
      needed('interactive.text', 'body', { input: 'lines' }),
      needed('interactive.buttonText', 'listButton'),
      line('interactive.footerText', 'footer'),
      LIST_SECTIONS,
    ]),
  },
  cta: {
    route: 'sendCta',
    path: '/send/cta',
    usualDelay: 'none',
    fields: interactive('cta', [
      line('interactive.title', 'title'),
      needed('interactive.body', 'body', { input: 'lines' }),
      line('interactive.footer', 'footer'),
      CTA_BUTTONS,
    ]),
  },
  carousel: {
    route: 'sendCarousel',
    path: '/send/carousel',
    usualDelay: 'none',
    fields: interactive('carousel', [needed('interactive.body', 'carouselText', { input: 'lines' }), CARDS]),
  },
  pix: {
    route: 'sendPix',
    path: '/send/pix',
    usualDelay: 'none',
    fields: [
      needed('merchantName', 'merchantName'),
      { input: 'choice', path: 'keyType', label: 'keyType', choices: PIX_KEY_TYPES },
      needed('key', 'pixKey'),
    ],
  },
  location: {
    route: 'sendLocation',
    path: '/send-location',
    usualDelay: 'none',
    fields: [
      needed('latitude', 'latitude', { input: 'number' }),
      needed('longitude', 'longitude', { input: 'number' }),
      line('name', 'placeName'),
      line('address', 'placeAddress'),
    ],
  },
  poll: {
    route: 'sendPoll',
    path: '/send-poll',
    usualDelay: 'none',
    fields: [
      needed('pollName', 'question'),
      {
        input: 'list',
        path: 'options',
        label: 'options',
        entry: 'option',
        min: 2,
        max: 12,
        fields: [needed('', 'option')],
      },
      line('selectableCount', 'selectableCount', { input: 'number' }),
    ],
  },
  sticker: {
    route: 'sendSticker',
    path: '/send/sticker',
    usualDelay: 'none',
    fields: [{ input: 'file', path: 'mediaUrl', label: 'imageUrl', id: 'mediaId', accept: 'image/*' }],
  },
  contact: {
    route: 'sendContact',
    path: '/send/contact',
    usualDelay: 'none',
    fields: [
      {
        input: 'list',
        path: 'contacts',
        label: 'contactCards',
        entry: 'contactCard',
        min: 1,
        max: 20,
        fields: [
          needed('name', 'contactName'),
          needed('phone', 'phoneNumber', { input: 'tel' }),
          line('organisation', 'organisation'),
          line('email', 'email', { input: 'email' }),
        ],
      },
    ],
  },
  event: {
    route: 'sendEvent',
    path: '/send/event',
    usualDelay: 'none',
    fields: [
      needed('name', 'title'),
      needed('startsAt', 'startsAt', { input: 'moment' }),
      line('endsAt', 'endsAt', { input: 'moment' }),
      line('place', 'eventPlace'),
      line('description', 'description', { input: 'lines' }),
      {
        input: 'choice',
        path: 'call',
        label: 'callLink',
        choices: ['none', 'audio', 'video'],
        omitted: 'none',
      },
    ],
    options: [
      line('latitude', 'latitude', { input: 'number' }),
      line('longitude', 'longitude', { input: 'number' }),
    ],
  },
  status: { route: 'sendStatus', path: '/send/status', fields: STATUS },
  group: {
    route: 'sendGroup',
    path: '/send-group',
    usualDelay: 'none',
    fields: [needed('message', 'message', { input: 'lines' })],
    options: [flag('linkPreview', 'linkPreview')],
  },
} as const satisfies Record<string, SendForm>
export type SendKind = keyof typeof SEND_FORMS
export const KINDS_FOR_PEOPLE = (Object.keys(SEND_FORMS) as SendKind[]).filter(
  (kind) => kind !== 'group' && kind !== 'status',
)
/** The text of a group has an endpoint of its own, which sends without typing. */
export const KINDS_FOR_GROUPS: readonly SendKind[] = [
  'group',
  ...KINDS_FOR_PEOPLE.filter((kind) => kind !== 'text'),
]

export const KINDS_FOR_STATUS: readonly SendKind[] = ['status']

/** When to send the message; every kind has these. */
const TIMES: readonly Field[] = [
  line('sendAt', 'sendAt', { input: 'moment' }),
  line('expiresAt', 'expiresAt', { input: 'moment' }),
]
export const optionsOf = ({ options = [] }: SendForm): readonly Field[] => [...options, ...TIMES]

// What a file can be sent as, by its media type and size.

export type SentAs = keyof typeof MEDIA_LIMIT_BYTES

/** A picture that is too large for one is sent as a document. */
export function sentAs({ type, size }: Pick<File, 'type' | 'size'>): SentAs {
  const [kind] = type.split('/')
  if (kind === 'image')
    return size <= MEDIA_LIMIT_BYTES.image && type !== 'image/svg+xml' ? 'image' : 'document'
  return kind === 'video' || kind === 'audio' ? kind : 'document'
}
