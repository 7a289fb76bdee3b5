// Messages from templates: the stored template is rendered, and sent as a text or as a file with a caption.
import { z } from 'zod'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { findTemplate } from '../../domain/templates.ts'
import { text } from './call.ts'
import { CloudError } from './errors.ts'
import { kind } from './kind.ts'
import { sourceOf } from './message-kinds.ts'
import {
  givenComponents,
  ParameterMismatch,
  renderTemplate,
  type TemplateComponents,
} from './template-text.ts'

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
    const { text: rendered, file } = renderedOrRefused(
      template.components as TemplateComponents,
      components ?? [],
    )
    if (!file) return use('sendText', { body: { ...common, message: rendered } })
    return use('sendMedia', {
      body: {
        ...common,
        type: file.type,
        ...sourceOf(file),
        ...omitUndefined({ message: rendered || undefined, fileName: file.filename || undefined }),
      },
    })
  },
})

function renderedOrRefused(template: TemplateComponents, given: z.output<typeof givenComponents>) {
  try {
    return renderTemplate(template, given)
  } catch (error) {
    if (error instanceof ParameterMismatch) throw new CloudError(400, 132000, error.message)
    throw error
  }
}
