// Templates of the dialect: the same ones that the Cloud API dialect stores, sent as a text or as a file with a caption (decision 0146).
import { z } from 'zod'
import { createTemplate, deleteTemplates, findTemplate, listTemplates } from '../stored-templates.ts'
import {
  type GivenComponents,
  givenComponents,
  hasBody,
  newTemplate,
  ParameterMismatch,
  templateSend,
} from '../template-text.ts'
import { type CallContext, call, optionalText, text } from './call.ts'
import { EvolutionError } from './errors.ts'
import { common, commonOf, NAMES, send } from './send.ts'

const FROM_COMPONENTS = Object.fromEntries(
  ['message', 'mediaUrl', 'mediaId', 'fileName'].map((field) => [field, 'components']),
)

export const sendTemplate = call({
  admission: 'sendText',
  status: 201,
  body: z.object({ ...common, name: text, language: text, components: givenComponents.nullish() }),
  fields: { ...NAMES, ...FROM_COMPONENTS },
  async handle(context, { body }) {
    const { name, language, components } = body
    const template = await findTemplate(context.parts, context.caller, { name, language })
    if (!template)
      throw new EvolutionError(404, `There is no template "${shortened(name)}" in "${shortened(language)}"`)
    const made = sendOrRefused(template.components, components ?? [])
    const to = commonOf(context, body)
    return made.id === 'sendText'
      ? send(context, 'sendText', { ...to, ...made.fields }, body.quoted)
      : send(context, 'sendMedia', { ...to, ...made.fields }, body.quoted)
  },
})

const shortened = (given: string): string => given.slice(0, 100)

function sendOrRefused(template: unknown, given: GivenComponents) {
  try {
    return templateSend(template, given)
  } catch (error) {
    if (error instanceof ParameterMismatch) throw new EvolutionError(400, `components: ${error.message}`)
    throw error
  }
}

/** Templates belong to the account, and a token opens one instance. */
function requireAccountKey({ onlyInstanceId }: CallContext): void {
  if (onlyInstanceId !== undefined)
    throw new EvolutionError(401, 'The token of an instance cannot change templates')
}

/** There is no review, so each is approved at once. */
export const storeTemplate = call({
  admission: 'sendText',
  status: 201,
  body: newTemplate,
  async handle(context, { body }) {
    requireAccountKey(context)
    const { name, language, components, category } = body
    if (!hasBody(components))
      throw new EvolutionError(400, 'components: a component of the type BODY is required')
    const created = await createTemplate(context.parts, context.caller, body)
    if (created === 'exists')
      throw new EvolutionError(400, `The template "${name}" exists in "${language}". Delete it first.`)
    const id = String(created.id)
    return {
      id,
      templateId: id,
      name,
      template: { id, status: 'APPROVED', category },
      webhookUrl: null,
      instanceId: String(context.instance.id),
    }
  },
})

export const findTemplates = call({
  admission: 'listMessages',
  status: 200,
  handle: async ({ parts, caller }) =>
    (await listTemplates(parts, caller, undefined)).map(({ id, name, language, category, components }) => ({
      id: String(id),
      name,
      language,
      category,
      components,
      status: 'APPROVED',
    })),
})

export const deleteTemplate = call({
  admission: 'sendText',
  status: 200,
  body: z.object({ name: text, hsmId: optionalText }),
  async handle(context, { body: { name, hsmId } }) {
    requireAccountKey(context)
    const id = hsmId ? Number(hsmId) : undefined
    const isDeleted =
      (id === undefined || Number.isSafeInteger(id)) &&
      (await deleteTemplates(context.parts, context.caller, { name, id }))
    if (!isDeleted) throw new EvolutionError(404, `There is no template "${shortened(name)}"`)
    return { success: true }
  },
})
