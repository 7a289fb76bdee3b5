// Tools for sends that wait for the approval of a person. A key with walls has none of them: it cannot decide about its own sends.
import { z } from 'zod'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { WARNING } from '../foreign-text.ts'
import { READS, SENDS, tool } from '../tool.ts'
import { MessageView, messageLine, messageView } from '../views.ts'
import { count, instance, messageId } from './fields.ts'

export const listApprovals = tool({
  name: 'list_approvals',
  title: 'List sends that wait for approval',
  description: 'Messages of other keys that are sent only after a person has approved them, newest first.',
  uses: ['listMessages', 'approveMessage'],
  input: z.object({ instance: instance.optional(), limit: count(100, 30) }),
  output: z.object({ messages: z.array(MessageView) }),
  annotations: READS,
  async run({ api }, { instance: instanceName, limit }) {
    const query = {
      ...omitUndefined({ instanceName }),
      status: 'awaiting_approval',
      limit: String(limit),
    } as const
    const messages = (await api.listMessages({ query })).messages.map(messageView)
    const lines = messages.map((view) => `to ${view.chat} ${messageLine(view)}`)
    const text = lines.length === 0 ? 'No send waits for approval.' : lines.join('\n')
    return { text: `${WARNING}\n${text}`, data: { messages } }
  },
})

export const decideApproval = tool({
  name: 'decide_approval',
  title: 'Approve or reject a send',
  description:
    'Approves a waiting send, which then leaves, or rejects it. Ask your user first: the decision belongs to a person.',
  uses: ['approveMessage', 'rejectMessage'],
  input: z.object({
    instance,
    messageId,
    approve: z.boolean(),
    reason: z.string().max(200).optional().meta({ description: 'Why it is rejected' }),
  }),
  output: z.object({ messageId: z.string(), status: z.string() }),
  annotations: SENDS,
  async run({ api }, { instance: instanceName, messageId: id, approve, reason }) {
    const target = { params: { messageId: id }, query: { instanceName } }
    const { message } = approve
      ? await api.approveMessage(target)
      : await api.rejectMessage({ ...target, body: omitUndefined({ reason }) })
    const text = approve ? `The message ${id} was approved.` : `The message ${id} was rejected.`
    return { text, data: { messageId: id, status: message.status } }
  },
})
