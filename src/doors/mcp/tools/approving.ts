// The tool for sends that wait for the approval of a person. A key with walls does not have it: it cannot decide about its own sends.
import { z } from 'zod'
import { omitUndefined } from '../../../contract/omit-undefined.ts'
import { SENDS, tool } from '../tool.ts'
import { instance, messageId } from './fields.ts'

export const decideApproval = tool({
  name: 'decide_approval',
  title: 'Approve or reject a send',
  description:
    'Approves a send of another key that waits for a person, and then leaves, or rejects it. search_messages with the status ' +
    '`awaiting_approval` lists them. Ask your user first: the decision belongs to a person.',
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
