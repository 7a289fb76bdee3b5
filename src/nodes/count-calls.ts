// Counts the calls of this node to others, for the metrics.
import type { NodeAnswer } from './calls.ts'
import type { NodeClient } from './node-client.ts'

export type CallOutcome = NodeAnswer['status'] | 'unreachable'

export const countCalls = (
  client: NodeClient,
  onCall: (method: string, outcome: CallOutcome) => void,
): NodeClient => ({
  ...client,
  async call(node, call) {
    const method = call.call === 'session' ? call.method : call.call
    try {
      const answer = await client.call(node, call)
      onCall(method, answer.status)
      return answer
    } catch (error) {
      onCall(method, 'unreachable')
      throw error
    }
  },
})
