// Messages from templates: the stored template is rendered, and sent as a text or as a file with a caption.
import { z } from 'zod'
import { findTemplate } from '../stored-templates.ts'
import { type GivenComponents, givenComponents, ParameterMismatch, templateSend } from '../template-text.ts'
import { text } from './call.ts'
import { CloudError } from './errors.ts'
import { kind } from './kind.ts'

const content = z.object({
  name: text,
  language: z.object({ code: text }),
  components: givenComponents.nullish(),
})

export const templateKind = kind({
  content,
  fields: {
    message: 'components',
    mediaUrl: 'components.header.link',
    mediaId: 'components.header.id',
    fileName: 'components.header.filename',
  },
  async send({ use, parts, caller }, common, { name, language, components }) {
    const template = await findTemplate(parts, caller, { name, language: language.code })
    if (!template)
      throw new CloudError(404, 132001, `template name (${name}) does not exist in ${language.code}`)
    const send = sendOrRefused(template.components, components ?? [])
    return send.id === 'sendText'
      ? use('sendText', { body: { ...common, ...send.fields } })
      : use('sendMedia', { body: { ...common, ...send.fields } })
  },
})

function sendOrRefused(template: unknown, given: GivenComponents) {
  try {
    return templateSend(template, given)
  } catch (error) {
    if (error instanceof ParameterMismatch) throw new CloudError(400, 132000, error.message)
    throw error
  }
}
