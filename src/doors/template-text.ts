// Templates as texts: what a template of the Cloud API would show, written as one message. Pure.
import { z } from 'zod'
import { omitUndefined } from '../contract/omit-undefined.ts'

const text = z.string().max(4096)
const button = z.object({
  type: z.string().max(40),
  text: z.string().max(200).nullish(),
  url: z.string().max(2000).nullish(),
  phone_number: z.string().max(40).nullish(),
})

/** As clients store it. Samples (`example`) and further fields are not kept. */
export const templateComponents = z
  .array(
    z.object({
      type: z.string().max(40).toUpperCase(),
      format: z.string().max(40).toUpperCase().nullish(),
      text: text.nullish(),
      buttons: z.array(button).max(10).nullish(),
    }),
  )
  .min(1)
  .max(10)
export type TemplateComponents = z.output<typeof templateComponents>

const CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const

/** A template as clients create it. */
export const newTemplate = z.object({
  name: z.string().regex(/^[a-z0-9_]{1,512}$/, { error: 'expected lower-case letters, digits and _' }),
  language: z.string().regex(/^[a-zA-Z_]{2,15}$/, { error: 'expected a language such as en_US' }),
  category: z.string().toUpperCase().pipe(z.enum(CATEGORIES)),
  components: templateComponents,
})

export const hasBody = (components: TemplateComponents): boolean =>
  components.some(({ type, text: shown }) => type === 'BODY' && shown)

const mediaParameter = z
  .object({ id: z.string().nullish(), link: z.string().nullish(), filename: z.string().nullish() })
  .nullish()

const parameter = z.object({
  type: z.string(),
  parameter_name: z.string().nullish(),
  text: z.string().nullish(),
  payload: z.string().nullish(),
  coupon_code: z.string().nullish(),
  currency: z.object({ fallback_value: z.string() }).nullish(),
  date_time: z.object({ fallback_value: z.string() }).nullish(),
  image: mediaParameter,
  video: mediaParameter,
  document: mediaParameter,
})
type Parameter = z.output<typeof parameter>

/** As a send fills it. */
export const givenComponents = z.array(
  z.object({
    type: z.string(),
    sub_type: z.string().nullish(),
    index: z.union([z.string(), z.number()]).nullish(),
    parameters: z.array(parameter).nullish(),
  }),
)
export type GivenComponents = z.output<typeof givenComponents>

export interface TemplateFile {
  type: 'image' | 'video' | 'document'
  id?: string | null | undefined
  link?: string | null | undefined
  filename?: string | null | undefined
}

export interface RenderedTemplate {
  text: string
  /** Of the header; null: it has none. */
  file: TemplateFile | null
}

/** The parameters that were given do not fit the placeholders of the template. */
export class ParameterMismatch extends Error {}

const FILES = { IMAGE: 'image', VIDEO: 'video', DOCUMENT: 'document' } as const
const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g

/** Header in bold, body, footer in italics, and a line for each button. */
export function renderTemplate(template: TemplateComponents, given: GivenComponents): RenderedTemplate {
  const parametersOf = (type: string): Parameter[] =>
    given.find((component) => component.type.toLowerCase() === type)?.parameters ?? []
  const of = (type: string) => template.find((component) => component.type === type)
  const header = of('HEADER')
  const format = header?.format ?? 'TEXT'
  const file = Object.hasOwn(FILES, format)
    ? fileOf(FILES[format as keyof typeof FILES], parametersOf('header'))
    : null
  const title = header?.text && !file ? filled(header.text, parametersOf('header'), 'header') : ''
  const body = filled(of('BODY')?.text ?? '', parametersOf('body'), 'body')
  const footer = of('FOOTER')?.text ?? ''
  const buttons = (of('BUTTONS')?.buttons ?? []).map((each, index) => buttonLine(each, index, given))
  const parts = [title && `*${title}*`, body, footer && `_${footer}_`, buttons.join('\n')]
  return { text: parts.filter((part) => part !== '').join('\n\n'), file }
}

/** The route of this API that sends the template, and the fields of its body beside the recipient. */
export type TemplateSend =
  | { id: 'sendText'; fields: { message: string } }
  | {
      id: 'sendMedia'
      fields: {
        type: TemplateFile['type']
        mediaId?: string
        mediaUrl?: string
        message?: string
        fileName?: string
      }
    }

/** Throws `ParameterMismatch`. `components` are those of a stored template. */
export function templateSend(components: unknown, given: GivenComponents): TemplateSend {
  const { text: message, file } = renderTemplate(components as TemplateComponents, given)
  if (!file) return { id: 'sendText', fields: { message } }
  const { type, id, link, filename } = file
  const optional = omitUndefined({
    mediaId: id || undefined,
    mediaUrl: link || undefined,
    message: message || undefined,
    fileName: filename || undefined,
  })
  return { id: 'sendMedia', fields: { type, ...optional } }
}

const valueOf = ({ text: plain, currency, date_time: date, payload, coupon_code: code }: Parameter): string =>
  plain ?? currency?.fallback_value ?? date?.fallback_value ?? code ?? payload ?? ''

/** Placeholders are numbered, or have the name of their parameter. */
function filled(pattern: string, parameters: readonly Parameter[], part: string): string {
  const names = new Set([...pattern.matchAll(PLACEHOLDER)].map(([, name]) => name ?? ''))
  if (names.size !== parameters.length)
    throw new ParameterMismatch(
      `${part}: number of parameters (${parameters.length}) does not match the expected number (${names.size})`,
    )
  return pattern.replaceAll(PLACEHOLDER, (_whole, name: string) => {
    const found = parameters.find(({ parameter_name: own }) => own === name) ?? parameters[Number(name) - 1]
    if (!found) throw new ParameterMismatch(`${part}: the parameter ${name} is missing`)
    return valueOf(found)
  })
}

function fileOf(type: TemplateFile['type'], parameters: readonly Parameter[]): TemplateFile {
  const given = parameters.find((each) => each[type])?.[type]
  if (!given) throw new ParameterMismatch(`header: expected a parameter of the type ${type}`)
  return { type, ...given }
}

type Button = z.output<typeof button>

function buttonLine(
  { type, text: label, url, phone_number: phone }: Button,
  index: number,
  given: GivenComponents,
) {
  const parameters =
    given.find((each) => each.type.toLowerCase() === 'button' && Number(each.index ?? 0) === index)
      ?.parameters ?? []
  const shown = label ?? ''
  switch (type.toUpperCase()) {
    case 'URL':
      return `${shown}: ${filled(url ?? '', parameters, `button ${index}`)}`
    case 'PHONE_NUMBER':
      return `${shown}: ${phone ?? ''}`
    case 'COPY_CODE':
      return `${shown}: ${parameters[0] ? valueOf(parameters[0]) : ''}`
    default:
      return `▸ ${shown}`
  }
}
