// The request body of each send endpoint, with limits and an example.
import { z } from 'zod'
import { groupJid, plainText } from './fields.ts'
import { mediaFileName, mediaId } from './media.ts'
import { PIX_KEY_TYPES } from './message-values.ts'
import { groupBody, sendBody } from './send-fields.ts'

/** `null` and `""` mean the same as an omitted value. */
const delay = z
  .union([z.int().min(0).max(60_000), z.null(), z.literal('')], {
    error: 'expected a whole number from 0 to 60000',
  })
  .optional()
  .transform((ms) => (typeof ms === 'number' ? ms : undefined))
const typingDelay = delay.meta({
  description:
    'How long the recipient sees typing before the message is sent, in ms; default: a random time from 3000 to 5000',
  examples: [1200],
})
export const noDelay = delay.meta({
  description: 'How long the recipient sees typing before the message is sent, in ms; default: 0',
  examples: [0],
})

const linkPreview = z
  .boolean()
  .optional()
  .meta({
    description:
      'Show title, description and picture of the first link. The gateway fetches them for at most 3 seconds; a message is sent without ' +
      'them if they are not available',
  })

/** Text of a message. Unlike a name, it may contain line breaks. */
const text = (max: number) => z.string().min(1).max(max)
const shortText = text(1024).optional()

const mediaUrl = z
  .string()
  .max(2048)
  .meta({
    description:
      'http or https URL of the file. It is fetched when the message is sent; for a key whose sends a person approves, when the send is accepted',
    examples: ['https://example.com/photo.jpg'],
  })

/** The file of a message: downloaded when the message is sent, or uploaded before. */
export const mediaSource = { mediaUrl: mediaUrl.optional(), mediaId: mediaId.optional() }
export const hasOneSource = (file: { mediaUrl?: string | undefined; mediaId?: string | undefined }) =>
  (file.mediaUrl === undefined) !== (file.mediaId === undefined)
export const ONE_SOURCE = {
  path: ['mediaUrl'],
  error: ({ input }: { input?: unknown }) =>
    (input as { mediaUrl?: unknown }).mediaUrl === undefined
      ? 'required'
      : 'expected exactly one of mediaUrl and mediaId',
  // Also beside other faults, so that a refusal names all of them.
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
}

const interactiveType = z.literal('interactive').optional()

const replyButton = z.strictObject({
  buttonId: text(256).meta({ examples: ['yes'] }),
  buttonText: z.strictObject({ displayText: text(256).meta({ examples: ['Yes'] }) }),
  type: z.int().optional(),
})

/** A file in the same message, above its text. */
const fileHeader = z
  .strictObject({
    type: z.enum(['image', 'video', 'document']),
    ...mediaSource,
    fileName: mediaFileName.optional(),
  })
  .refine(hasOneSource, ONE_SOURCE)
  .optional()
  .meta({ description: 'An image, a video or a document above the text' })

export const TextBody = sendBody({
  type: z.literal('text').optional(),
  message: text(65_536).meta({ description: 'The text, including emojis and formatting such as `*bold*`' }),
  linkPreview,
  delay: typingDelay,
}).meta({
  id: 'SendText',
  examples: [
    {
      instanceName: 'support-k3v9x2ma',
      number: '5511912345678',
      type: 'text',
      message: 'Hello *there* 👋',
    },
  ],
})

/** Other APIs call it so: either name is taken, but not both. */
export const caption = z.string().max(1024).optional().meta({ description: 'The same as `message`' })
export const hasOneCaption = (body: { message?: string | undefined; caption?: string | undefined }) =>
  body.message === undefined || body.caption === undefined
export const ONE_CAPTION = { path: ['caption'], error: 'expected only one of message and caption' }

export const MediaBody = sendBody({
  type: z
    .enum(['image', 'video', 'document', 'audio'])
    .optional()
    .meta({
      description:
        'How the file is shown. If absent: by the type of the uploaded file, else by `mimetype`, or by the ending of `fileName` or ' +
        'of `mediaUrl`',
    }),
  ...mediaSource,
  message: z.string().max(1024).optional().meta({ description: 'Caption; ignored for `audio`' }),
  caption,
  viewOnce: z
    .boolean()
    .optional()
    .meta({ description: 'The recipient can open the file only once; not for `document`' }),
  fileName: mediaFileName.optional(),
  mimetype: z
    .string()
    .max(127)
    .regex(/^[A-Za-z\d][\w!#$&^.+-]*\/[A-Za-z\d][\w!#$&^.+-]*(; ?[\w-]+=[\w".-]+)*$/, {
      error: 'expected <type>/<subtype>, such as application/pdf',
    })
    .optional()
    .meta({ description: 'Overrides the detected media type of the file', examples: ['application/pdf'] }),
  delay: typingDelay,
})
  .refine(({ type, viewOnce }) => !(viewOnce === true && type === 'document'), {
    path: ['viewOnce'],
    error: 'a document cannot be viewed only once',
  })
  .refine(hasOneCaption, ONE_CAPTION)
  .refine(hasOneSource, ONE_SOURCE)
  .meta({
    id: 'SendMedia',
    examples: [
      {
        instanceName: 'support-k3v9x2ma',
        number: '5511912345678',
        type: 'document',
        mediaUrl: 'https://example.com/invoice.pdf',
        message: 'Your invoice',
        fileName: 'invoice.pdf',
      },
    ],
  })

export const ButtonBody = sendBody({
  type: interactiveType,
  interactive: z.strictObject({
    type: z.literal('button').optional(),
    header: fileHeader,
    title: shortText,
    body: text(1024),
    footer: shortText,
    buttons: z
      .array(replyButton)
      .min(1)
      .max(3)
      .refine((buttons) => unique(buttons.map((button) => button.buttonId)), {
        error: 'each buttonId must be unique',
      }),
  }),
  delay: noDelay,
}).meta({
  id: 'SendButton',
  examples: [
    {
      instanceName: 'support-k3v9x2ma',
      number: '5511912345678',
      type: 'interactive',
      interactive: {
        type: 'button',
        title: 'Delivery',
        body: 'Is tomorrow fine?',
        footer: 'Reply within a day',
        buttons: [
          { buttonId: 'yes', buttonText: { displayText: 'Yes' }, type: 1 },
          { buttonId: 'no', buttonText: { displayText: 'No' }, type: 1 },
        ],
      },
    },
  ],
})

const listSection = z.strictObject({
  title: shortText,
  rows: z
    .array(z.strictObject({ title: text(256), description: shortText, rowId: text(256) }))
    .min(1)
    .max(10),
})

export const ListBody = sendBody({
  type: interactiveType,
  interactive: z.strictObject({
    type: z.literal('list').optional(),
    title: shortText,
    text: text(1024),
    buttonText: text(256).meta({ description: 'Label of the button that opens the list' }),
    sections: z
      .array(listSection)
      .min(1)
      .max(10)
      .refine((sections) => rowIds(sections).length <= 10, {
        error: 'expected at most 10 rows in all sections together',
      })
      .refine((sections) => unique(rowIds(sections)), { error: 'each rowId must be unique' }),
    footerText: shortText,
  }),
  delay: noDelay,
}).meta({
  id: 'SendList',
  examples: [
    {
      instanceName: 'support-k3v9x2ma',
      number: '5511912345678',
      type: 'interactive',
      interactive: {
        type: 'list',
        title: 'Menu',
        text: 'What would you like?',
        buttonText: 'Open',
        sections: [{ title: 'Drinks', rows: [{ title: 'Coffee', description: 'Hot', rowId: 'coffee' }] }],
        footerText: 'Open until 18:00',
      },
    },
  ],
})

/** As many as the network takes in a template of mixed types. Phones put what is over a few of them behind a list. */
const MAX_MIXED_BUTTONS = 10
const CTA_FORMS = ['urlButton', 'callButton', 'copyButton', 'replyButton'] as const

const ctaButton = z
  .strictObject({
    index: z.int().min(0).optional(),
    urlButton: z
      .strictObject({
        displayText: text(256),
        url: z.url({ protocol: /^https?$/, error: 'expected an http or https URL' }).max(2048),
      })
      .optional(),
    callButton: z
      .strictObject({
        displayText: text(256),
        phoneNumber: z
          .string()
          .regex(/^\+?[\d ()-]{7,24}$/, { error: 'expected a phone number with country code' }),
      })
      .optional(),
    copyButton: z
      .strictObject({
        displayText: text(256),
        copyCode: text(1024).meta({ description: 'What the phone puts into its clipboard' }),
      })
      .optional(),
    replyButton: z
      .strictObject({
        displayText: text(256),
        buttonId: text(256).meta({ description: 'Comes back as `interactiveReplyId` of the answer' }),
      })
      .optional(),
  })
  .refine((button) => CTA_FORMS.filter((form) => button[form] !== undefined).length === 1, {
    error: 'expected exactly one of urlButton, callButton, copyButton and replyButton',
  })

export const CtaBody = sendBody({
  type: interactiveType,
  interactive: z.strictObject({
    type: z.literal('cta').optional(),
    header: fileHeader,
    body: text(1024),
    title: shortText,
    footer: shortText,
    buttons: z
      .array(ctaButton)
      .min(1)
      .max(MAX_MIXED_BUTTONS)
      .refine((buttons) => unique(buttons.flatMap(({ replyButton }) => replyButton?.buttonId ?? [])), {
        error: 'each buttonId must be unique',
      }),
  }),
  delay: noDelay,
}).meta({
  id: 'SendCta',
  examples: [
    {
      instanceName: 'support-k3v9x2ma',
      number: '5511912345678',
      type: 'interactive',
      interactive: {
        type: 'cta',
        body: 'Need help?',
        buttons: [
          { index: 0, urlButton: { displayText: 'Our site', url: 'https://example.com' } },
          { index: 1, callButton: { displayText: 'Call us', phoneNumber: '+5511912345678' } },
          { index: 2, copyButton: { displayText: 'Copy the code', copyCode: 'WELCOME10' } },
          { index: 3, replyButton: { displayText: 'Talk to a person', buttonId: 'person' } },
        ],
      },
    },
  ],
})

export const CarouselBody = sendBody({
  type: interactiveType,
  interactive: z.strictObject({
    type: z.literal('carousel').optional(),
    body: text(1024).meta({ description: 'Text above the cards' }),
    cards: z
      .array(
        z.strictObject({
          header: z
            .strictObject({ type: z.literal('image').optional(), ...mediaSource })
            .refine(hasOneSource, ONE_SOURCE),
          body: text(1024),
          buttons: z.array(replyButton).min(1).max(3),
        }),
      )
      .min(1)
      .max(10),
  }),
  delay: noDelay,
}).meta({
  id: 'SendCarousel',
  examples: [
    {
      instanceName: 'support-k3v9x2ma',
      number: '5511912345678',
      type: 'interactive',
      interactive: {
        type: 'carousel',
        body: 'This week',
        cards: [
          {
            header: { type: 'image', mediaUrl: 'https://example.com/shoe.jpg' },
            body: 'Shoe, 49',
            buttons: [{ buttonId: 'buy-shoe', buttonText: { displayText: 'Buy' }, type: 1 }],
          },
        ],
      },
    },
  ],
})

export const PixBody = sendBody({
  merchantName: plainText(1, 100).meta({ description: 'Who is paid, as the phone shows it' }),
  keyType: z
    .enum(PIX_KEY_TYPES, {
      error: ({ input }) =>
        input === undefined ? 'required' : `expected one of ${PIX_KEY_TYPES.join(', ')}`,
    })
    .meta({ description: '`random` is a key that the bank has made (EVP)' }),
  key: plainText(1, 100).meta({
    description:
      'The key of the account that is paid. It is checked by its type, and sent in the form that banks store: digits of a CPF or CNPJ, ' +
      '`+55` before a phone number',
  }),
  delay: noDelay,
}).meta({
  id: 'SendPix',
  examples: [
    {
      instanceName: 'support-k3v9x2ma',
      number: '5511912345678',
      merchantName: 'Padaria Central',
      keyType: 'cnpj',
      key: '11.222.333/0001-81',
    },
  ],
})

export const LocationBody = sendBody({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  name: shortText.meta({ description: 'Title of the location' }),
  address: shortText,
  delay: noDelay,
}).meta({
  id: 'SendLocation',
  examples: [
    {
      instanceName: 'support-k3v9x2ma',
      number: '5511912345678',
      latitude: -23.5614,
      longitude: -46.6559,
      name: 'Our shop',
      address: 'Avenida Paulista 1000',
    },
  ],
})

export const PollBody = sendBody({
  pollName: text(1024).meta({ description: 'The question' }),
  options: z
    .array(text(256))
    .min(2)
    .max(12)
    .refine((options) => unique(options), { error: 'options must be different from each other' }),
  selectableCount: z
    .int()
    .min(1)
    .max(12)
    .default(1)
    .meta({ description: 'How many options a voter may select' }),
  delay: noDelay,
})
  .refine((body) => body.selectableCount <= body.options.length, {
    path: ['selectableCount'],
    error: 'must not exceed the number of options',
  })
  .meta({
    id: 'SendPoll',
    examples: [
      {
        instanceName: 'support-k3v9x2ma',
        number: '5511912345678',
        pollName: 'Which day?',
        options: ['Monday', 'Tuesday'],
        selectableCount: 1,
      },
    ],
  })

export const GroupBody = groupBody({ groupJid, message: text(65_536), linkPreview, delay: noDelay }).meta({
  id: 'SendGroup',
  examples: [
    { instanceName: 'support-k3v9x2ma', groupJid: '120363000000000000@g.us', message: 'Hello everyone' },
  ],
})

function unique(values: string[]): boolean {
  return new Set(values).size === values.length
}
function rowIds(sections: { rows: { rowId: string }[] }[]): string[] {
  return sections.flatMap((section) => section.rows.map((row) => row.rowId))
}
