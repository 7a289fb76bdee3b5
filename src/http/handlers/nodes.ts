// The operator's endpoints of the nodes on the database.
import { drainNode, listNodes, type NodeDeps, resumeNode } from '../../domain/nodes.ts'
import type { Handlers } from '../handler.ts'

export const nodeHandlers = (
  deps: NodeDeps,
): Handlers<'adminListNodes' | 'adminDrainNode' | 'adminResumeNode'> => ({
  adminListNodes: () => listNodes(deps),
  async adminDrainNode(_context, { params }) {
    return { node: await drainNode(deps, params.nodeId) }
  },
  async adminResumeNode(_context, { params }) {
    return { node: await resumeNode(deps, params.nodeId) }
  },
})
