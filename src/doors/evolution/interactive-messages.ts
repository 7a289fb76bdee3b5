// Lists, buttons and carousels of the dialect.
import { z } from 'zod'
import type { PixKeyType } from '../../contract/message-values.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { invalidField } from '../../errors.ts'
import { call, optionalText, text } from './call.ts'
import { common, commonOf, NAMES, send } from './send.ts'

const listRow = z.object({ title: text, rowId: text, description: optionalText })

export const sendList = call({
  admission: 'sendList',
  status: 201,
  body: z.object({
    ...common,
    title: text,
    description: optionalText,
    footerText: optionalText,
    buttonText: text,
    sections: z.array(z.object({ title: optionalText, rows: z.array(listRow) })),
  }),
  fields: { ...NAMES, 'interactive.text': 'description', interactive: '' },
  handle: (context, { body }) =>
    send(
      context,
      'sendList',
      {
        ...commonOf(context, body),
        interactive: {
          ...omitUndefined({ title: body.title || undefined, footerText: body.footerText || undefined }),
          text: body.description || body.title,
          buttonText: body.buttonText,
          sections: body.sections.map(({ title, rows }) => ({
            ...omitUndefined({ title: title || undefined }),
            rows: rows.map((row) => ({
              title: row.title,
              rowId: row.rowId,
              ...omitUndefined({ description: row.description || undefined }),
            })),
          })),
        },
      },
      body.quoted,
    ),
})

const button = z.object({
  type: z.enum(['reply', 'copy', 'url', 'call', 'pix']),
  displayText: optionalText,
  id: optionalText,
  url: optionalText,
  phoneNumber: optionalText,
  copyCode: optionalText,
  /** Of a payment key. `currency` is always that of Brazil. */
  name: optionalText,
  keyType: optionalText,
  key: optionalText,
})
type Button = z.output<typeof button>

const replyButton = ({ id, displayText }: Button) => ({
  buttonId: id || displayText || '',
  buttonText: { displayText: displayText ?? '' },
})

function mixedButton(given: Button, index: number) {
  const displayText = given.displayText ?? ''
  switch (given.type) {
    case 'url':
      return { index, urlButton: { displayText, url: given.url ?? '' } }
    case 'call':
      return { index, callButton: { displayText, phoneNumber: given.phoneNumber ?? '' } }
    case 'copy':
      return { index, copyButton: { displayText, copyCode: given.copyCode ?? '' } }
    case 'reply':
      return { index, replyButton: { displayText, buttonId: given.id || displayText } }
    case 'pix':
      throw invalidField('buttons', 'expected a button of the type pix alone')
  }
}

/** The route checks all of them, so that a refusal names the field. */
const paymentKey = ({ name, keyType, key }: Button) => ({
  merchantName: name ?? '',
  keyType: (keyType ?? '') as PixKeyType,
  key: key ?? '',
})

export const sendButtons = call({
  admission: 'sendButton',
  status: 201,
  body: z.object({
    ...common,
    title: optionalText,
    description: optionalText,
    footer: optionalText,
    thumbnailUrl: optionalText,
    buttons: z.array(button),
  }),
  fields: {
    ...NAMES,
    'interactive.body': 'description',
    interactive: '',
    merchantName: 'buttons.0.name',
    keyType: 'buttons.0.keyType',
    key: 'buttons.0.key',
  },
  handle(context, { body }) {
    const { title, description, footer, buttons } = body
    const interactive = {
      ...omitUndefined({ title: title || undefined, footer: footer || undefined }),
      body: description || title || '',
    }
    const shared = commonOf(context, body)
    const [first, ...others] = buttons
    if (first?.type === 'pix' && others.length === 0)
      return send(context, 'sendPix', { ...shared, ...paymentKey(first) }, body.quoted)
    if (buttons.every(({ type }) => type === 'reply'))
      return send(
        context,
        'sendButton',
        { ...shared, interactive: { ...interactive, buttons: buttons.map(replyButton) } },
        body.quoted,
      )
    return send(
      context,
      'sendCta',
      { ...shared, interactive: { ...interactive, buttons: buttons.map(mixedButton) } },
      body.quoted,
    )
  },
})

export const sendCarousel = call({
  admission: 'sendCarousel',
  status: 201,
  body: z.object({
    ...common,
    body: text,
    cards: z.array(
      z.object({
        body: text,
        title: optionalText,
        footer: optionalText,
        imageUrl: optionalText,
        buttons: z.array(button),
      }),
    ),
  }),
  fields: { ...NAMES, interactive: '' },
  handle(context, { body }) {
    if (body.cards.some(({ buttons }) => buttons.some(({ type }) => type !== 'reply')))
      throw invalidField('cards', 'expected only buttons of type reply')
    const cards = body.cards.map(({ body: cardBody, imageUrl, buttons }, index) => {
      if (!imageUrl) throw invalidField(`cards.${index}.imageUrl`, 'required')
      return { header: { mediaUrl: imageUrl }, body: cardBody, buttons: buttons.map(replyButton) }
    })
    return send(
      context,
      'sendCarousel',
      { ...commonOf(context, body), interactive: { body: body.body, cards } },
      body.quoted,
    )
  },
})
