// Labels in the dialect.
import { z } from 'zod'
import { addressOf } from './addresses.ts'
import { call, text } from './call.ts'

export const findLabels = call({
  admission: 'listLabels',
  status: 200,
  async handle({ use, instanceName, instance }) {
    const { labels } = await use('listLabels', { query: { instanceName } })
    return labels.map(({ id, name, color }) => ({
      id,
      name,
      color: String(color),
      predefinedId: null,
      instanceId: String(instance.id),
    }))
  },
})

export const handleLabel = call({
  admission: 'labelChat',
  status: 200,
  body: z.object({ number: text, labelId: text, action: z.enum(['add', 'remove']) }),
  fields: { chat: 'number', groupJid: 'number' },
  async handle({ use, instanceName }, { body: { number, labelId, action } }) {
    const given = { instanceName, ...addressOf(number) }
    const params = { labelId }
    const { chat } =
      action === 'add'
        ? await use('labelChat', { params, body: given })
        : await use('unlabelChat', { params, query: given })
    return { numberJid: chat.chat, labelId, [action]: true }
  },
})
