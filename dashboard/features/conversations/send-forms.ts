// The fields of each kind of message as a table, from which form, request body and error paths follow.
import type { RouteId } from '../../../src/contract/routes.ts'
import type { conversations } from './texts/en.ts'

type FieldName = keyof (typeof conversations)['fields']
type ChoiceName = keyof (typeof conversations)['choices']

/** The path of a value in the request body, separated by dots; empty for the entry itself. */
interface Placed {
  path: string
  /** Shown only for this choice. */
  only?: readonly [path: string, choice: string]
}
/** An input. Empty optional values are omitted from the request. */
export interface InputField extends Placed {
  input: 'line' | 'lines' | 'number' | 'url' | 'tel'
  label: FieldName
  required?: true
  /** The default of a new list entry, followed by its number. */
  suggestion?: string
}
export interface ChoiceField extends Placed {
  input: 'choice'
  label: FieldName
  choices: readonly ChoiceName[]
  /** Selects which fields are shown; not part of the body. */
  local?: true
}
export interface ListField extends Placed {
  input: 'list'
  label: FieldName
  entry: FieldName
  min: number
  max: number
  fields: readonly Field[]
}
/** A constant value; `place` is the index of the entry in its list. */
export interface FixedField extends Placed {
  input: 'fixed'
  value: string | number | { place: true }
}
export type Field = InputField | ChoiceField | ListField | FixedField

export interface SendForm {
  route: RouteId
  /** Relative to the base URL. */
  path: string
  fields: readonly Field[]
  /** The default typing delay. */
  usualDelay: 'drawn' | 'none'
}

const line = (path: string, label: FieldName, more: Partial<InputField> = {}): InputField => ({
  input: 'line',
  path,
  label,
  ...more,
})
const needed = (path: string, label: FieldName, more: Partial<InputField> = {}): InputField =>
  line(path, label, { required: true, ...more })
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
const CTA_BUTTONS: ListField = {
  input: 'list',
  path: 'interactive.buttons',
  label: 'buttons',
  entry: 'button',
  min: 1,
  max: 3,
  fields: [
    fixed('index', { place: true }),
    { input: 'choice', path: 'action', label: 'action', choices: ['url', 'call'], local: true },
    needed('urlButton.displayText', 'buttonLabel', { only: isUrl }),
    needed('urlButton.url', 'address', { only: isUrl, input: 'url' }),
    needed('callButton.displayText', 'buttonLabel', { only: isCall }),
    needed('callButton.phoneNumber', 'phoneNumber', { only: isCall, input: 'tel' }),
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
    needed('header.mediaUrl', 'imageUrl', { input: 'url' }),
    needed('body', 'cardText', { input: 'lines' }),
    { ...REPLY_BUTTONS, path: 'buttons' },
  ],
}

const interactive = (type: string, fields: readonly Field[]): readonly Field[] => [
  fixed('type', 'interactive'),
  fixed('interactive.type', type),
  ...fields,
]

/** One form per send endpoint. `group` is for groups, the others are for people. */
export const SEND_FORMS = {
  text: {
    route: 'sendText',
    path: '/send/text',
    usualDelay: 'drawn',
    fields: [fixed('type', 'text'), needed('message', 'message', { input: 'lines' })],
  },
  media: {
    route: 'sendMedia',
    path: '/send/media',
    usualDelay: 'drawn',
    fields: [
      { input: 'choice', path: 'type', label: 'mediaType', choices: ['image', 'video', 'document', 'audio'] },
      needed('mediaUrl', 'mediaUrl', { input: 'url' }),
      line('message', 'caption', { input: 'lines' }),
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
  group: {
    route: 'sendGroup',
    path: '/send-group',
    usualDelay: 'none',
    fields: [needed('message', 'message', { input: 'lines' })],
  },
} as const satisfies Record<string, SendForm>
export type SendKind = keyof typeof SEND_FORMS
export const KINDS_FOR_PEOPLE = (Object.keys(SEND_FORMS) as SendKind[]).filter((kind) => kind !== 'group')
