// Interactive messages: reply buttons, lists, and a button with a URL.
import { z } from 'zod'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { invalidField } from '../../errors.ts'
import { renamed } from '../renamed-fields.ts'
import type { UseRoute } from '../use-route.ts'
import { optionalText, text } from './call.ts'
import { CloudError } from './errors.ts'
import { kind, type SendAnswer, type SharedFields } from './kind.ts'
import { FILE_NAMES, file, sourceOf } from './message-kinds.ts'

/** Some help desks write the action as JSON inside of the JSON. */
function parsedAction(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}

const content = z.object({
  type: text,
  header: z
    .object({
      type: text,
      text: optionalText,
      image: file.nullish(),
      video: file.nullish(),
      document: file.nullish(),
    })
    .nullish(),
  body: z.object({ text }).nullish(),
  footer: z.object({ text: optionalText }).nullish(),
  action: z.preprocess(
    parsedAction,
    z.object({
      buttons: z.array(z.object({ reply: z.object({ id: text, title: text }) })).nullish(),
      button: optionalText,
      sections: z
        .array(
          z.object({
            title: optionalText,
            rows: z.array(z.object({ id: text, title: text, description: optionalText })),
          }),
        )
        .nullish(),
      parameters: z.object({ display_text: optionalText, url: optionalText }).nullish(),
    }),
  ),
})
type Interactive = z.output<typeof content>
type Row = NonNullable<Interactive['action']['sections']>[number]['rows'][number]

const FILES = ['image', 'video', 'document'] as const
type FileType = (typeof FILES)[number]
const isFileType = (type: string): type is FileType => (FILES as readonly string[]).includes(type)

/** Above buttons there is a title or a file. */
function headerOf({ header }: Interactive) {
  if (!header || header.type === 'text') return omitUndefined({ title: header?.text || undefined })
  const { type } = header
  if (!isFileType(type))
    throw invalidField('interactive.header.type', `expected one of text, ${FILES.join(', ')}`)
  const given = header[type]
  if (!given) throw invalidField(`interactive.header.${type}`, 'required')
  const fileName = given.filename || undefined
  return { header: { type, ...sourceOf(given), ...omitUndefined({ fileName }) } }
}

/** Lists have no file in the original either. */
function titleOf({ header }: Interactive): string | undefined {
  if (header && header.type !== 'text')
    throw invalidField('interactive.header.type', 'expected "text": a list has no file above the text')
  return header?.text || undefined
}

const bodyText = ({ body }: Interactive): string => body?.text ?? ''
const footerOf = ({ footer }: Interactive): string | undefined => footer?.text || undefined

type SendInteractive = (use: UseRoute, common: SharedFields, interactive: Interactive) => Promise<SendAnswer>

const buttons: SendInteractive = (use, common, given) =>
  use('sendButton', {
    body: {
      ...common,
      interactive: {
        ...headerOf(given),
        ...omitUndefined({ footer: footerOf(given) }),
        body: bodyText(given),
        buttons: (given.action.buttons ?? []).map(({ reply }) => ({
          buttonId: reply.id,
          buttonText: { displayText: reply.title },
        })),
      },
    },
  })

const rowOf = ({ id, title, description }: Row) => ({
  rowId: id,
  title,
  description: description || undefined,
})

const list: SendInteractive = (use, common, given) =>
  use('sendList', {
    body: {
      ...common,
      interactive: {
        ...omitUndefined({ title: titleOf(given), footerText: footerOf(given) }),
        text: bodyText(given),
        buttonText: given.action.button ?? '',
        sections: (given.action.sections ?? []).map(({ title, rows }) => ({
          title: title || undefined,
          rows: rows.map(rowOf),
        })),
      },
    },
  })

const url: SendInteractive = (use, common, given) => {
  const { display_text: label, url: address } = given.action.parameters ?? {}
  return use('sendCta', {
    body: {
      ...common,
      interactive: {
        ...headerOf(given),
        ...omitUndefined({ footer: footerOf(given) }),
        body: bodyText(given),
        buttons: [{ index: 0, urlButton: { displayText: label ?? '', url: address ?? '' } }],
      },
    },
  })
}

/** The file of a header is below its type. */
const namesOfFile = ({ header }: Interactive): Record<string, string> =>
  Object.fromEntries(
    Object.entries(FILE_NAMES).map(([own, shown]) => [
      `interactive.header.${own}`,
      `interactive.header.${header?.type}.${shown}`,
    ]),
  )

const BY_TYPE: Readonly<Record<string, SendInteractive>> = { button: buttons, list, cta_url: url }

export const interactiveKind = kind({
  content,
  fields: {
    'interactive.body': 'body.text',
    'interactive.text': 'body.text',
    'interactive.title': 'header.text',
    'interactive.footer': 'footer.text',
    'interactive.footerText': 'footer.text',
    'interactive.buttonText': 'action.button',
    'interactive.buttons': 'action.buttons',
    'interactive.buttons.0.urlButton': 'action.parameters',
    'interactive.sections': 'action.sections',
  },
  async send({ use }, common, given) {
    const send = Object.hasOwn(BY_TYPE, given.type) ? BY_TYPE[given.type] : undefined
    if (!send) {
      const known = Object.keys(BY_TYPE).join(', ')
      throw new CloudError(400, 131051, `interactive.type: expected one of ${known}`)
    }
    try {
      return await send(use, common, given)
    } catch (error) {
      throw renamed(error, namesOfFile(given))
    }
  },
})
