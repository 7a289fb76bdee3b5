// Labels.
import type { Deps } from '../context.ts'
import type { Handlers } from '../request-handler.ts'
import * as labels from './labels.ts'

export const labelHandlers = (
  deps: Pick<Deps, 'store' | 'clock' | 'sessions'>,
): Handlers<'listLabels' | 'createLabel' | 'updateLabel' | 'deleteLabel' | 'labelChat' | 'unlabelChat'> => ({
  async listLabels({ caller }, { query }) {
    const found = await labels.listLabels(deps, caller, query.instanceName)
    return { count: found.labels.length, ...found }
  },
  async createLabel({ caller }, { body }) {
    return { label: await labels.createLabel(deps, caller, body) }
  },
  async updateLabel({ caller }, { params, body }) {
    return { label: await labels.updateLabel(deps, caller, params.labelId, body) }
  },
  async deleteLabel({ caller }, { params, query }) {
    await labels.deleteLabel(deps, caller, params.labelId, query.instanceName)
    return { id: params.labelId }
  },
  async labelChat({ caller }, { params, body }) {
    return { chat: await labels.labelChat(deps, caller, { ...params, ...body, labeled: true }) }
  },
  async unlabelChat({ caller }, { params, query }) {
    return { chat: await labels.labelChat(deps, caller, { ...params, ...query, labeled: false }) }
  },
})
