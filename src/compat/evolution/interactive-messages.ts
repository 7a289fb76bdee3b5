// Lists, buttons and carousels of the dialect.
import { z } from 'zod'
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
})
type Button = z.output<typeof button>

const replyButton = ({ id, displayText }: Button) => ({
  buttonId: id || displayText || '',
  buttonText: { displayText: displayText ?? '' },
})

function actionButton({ type, displayText, url, phoneNumber }: Button, index: number) {
  const label = displayText ?? ''
  return type === 'url'
    ? { index, urlButton: { displayText: label, url: url ?? '' } }
    : { index, callButton: { displayText: label, phoneNumber: phoneNumber ?? '' } }
}

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
  fields: { ...NAMES, 'interactive.body': 'description', interactive: '' },
  handle(context, { body }) {
    const { title, description, footer, buttons } = body
    const interactive = {
      ...omitUndefined({ title: title || undefined, footer: footer || undefined }),
      body: description || title || '',
    }
    const shared = commonOf(context, body)
    if (buttons.every(({ type }) => type === 'reply'))
      return send(
        context,
        'sendButton',
        { ...shared, interactive: { ...interactive, buttons: buttons.map(replyButton) } },
        body.quoted,
      )
    if (buttons.every(({ type }) => type === 'url' || type === 'call'))
      return send(
        context,
        'sendCta',
        { ...shared, interactive: { ...interactive, buttons: buttons.map(actionButton) } },
        body.quoted,
      )
    throw invalidField('buttons', 'expected only buttons of type reply, or only of the types url and call')
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
