// The operator's endpoints of the nodes on the database.

import type { Handlers } from '../request-handler.ts'
import { drainNode, listNodes, type NodeDeps, resumeNode } from './nodes.ts'

export const nodeHandlers = (deps: NodeDeps) =>
  ({
    adminListNodes: () => listNodes(deps),
    async adminDrainNode(_context, { params }) {
      return { node: await drainNode(deps, params.nodeId) }
    },
    async adminResumeNode(_context, { params }) {
      return { node: await resumeNode(deps, params.nodeId) }
    },
  }) satisfies Partial<Handlers>
