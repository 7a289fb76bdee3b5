// Templates: stored per account by the same calls as in the Cloud API. There is no review, so each is approved at once.
import { z } from 'zod'
import { createTemplate, deleteTemplates, listTemplates, type Template } from '../stored-templates.ts'
import { hasBody, newTemplate } from '../template-text.ts'
import { call, chosenFields, fieldsQuery, optionalText } from './call.ts'
import { CloudError, TEMPLATE_EXISTS, UNKNOWN_OBJECT } from './errors.ts'

const shownTemplate = ({ id, name, language, category, components }: Template) => ({
  id: String(id),
  name,
  language,
  status: 'APPROVED',
  category,
  components,
})

export const getTemplates = call({
  admission: 'listMessages',
  keyInQuery: true,
  query: z.object({ ...fieldsQuery.shape, name: optionalText, limit: optionalText }),
  async handle({ parts, caller, use, id }, { query }) {
    // Also refuses an instance that does not exist: help desks check by this call whether they are set up well.
    await use('instanceState', { query: { instanceName: id } })
    const found = await listTemplates(parts, caller, query.name ?? undefined)
    return {
      data: found.map((template) => chosenFields(shownTemplate(template), query.fields)),
      paging: { cursors: { before: '', after: '' } },
    }
  },
})

export const postTemplate = call({
  admission: 'sendText',
  body: newTemplate,
  async handle({ parts, caller }, { body }) {
    const { name, language, category, components } = body
    if (!hasBody(components))
      throw new CloudError(400, 131008, 'components: a component of the type BODY is required')
    const created = await createTemplate(parts, caller, { name, language, category, components })
    if (created === 'exists')
      throw new CloudError(
        400,
        100,
        `The template ${name} exists in ${language}. Delete it first.`,
        TEMPLATE_EXISTS,
      )
    return { id: String(created.id), status: 'APPROVED', category }
  },
})

export const deleteTemplate = call({
  admission: 'sendText',
  query: z.object({ name: z.string(), hsm_id: optionalText }),
  async handle({ parts, caller }, { query }) {
    const id = query.hsm_id ? Number(query.hsm_id) : undefined
    const isDeleted =
      (id === undefined || Number.isSafeInteger(id)) &&
      (await deleteTemplates(parts, caller, { name: query.name, id }))
    if (!isDeleted) throw new CloudError(400, 100, `There is no template ${query.name}.`, UNKNOWN_OBJECT)
    return { success: true }
  },
})
