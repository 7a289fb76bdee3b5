// The operator API of the nodes: the processes on one database, and which of them take instances.
import { z } from 'zod'
import { pathId, success, timestamp } from './fields.ts'
import { endpoint } from './route.ts'

/** A standby waits to take over, a draining node hands over its instances and takes none, a dead one has ended. */
export const NODE_STATUSES = ['standby', 'live', 'draining', 'dead'] as const

export const ClusterNode = z
  .object({
    id: z.string().meta({ description: 'Id of one run of a process: a restart gets a new one' }),
    name: z.string().meta({ description: 'Host name of the machine' }),
    url: z
      .string()
      .nullable()
      .meta({ description: 'Where other nodes reach it (`NODE_URL`); null: it works alone' }),
    status: z.enum(NODE_STATUSES),
    version: z.string().meta({ description: 'The version of the program' }),
    instances: z.int().meta({ description: 'Number of instances it served at its last renewal' }),
    startedAt: timestamp,
    leaseSecondsLeft: z.number().nullable().meta({
      description:
        "Until its lease ends unless it is renewed, on the database's clock. Negative: it has ended. Null: it needs no lease, or is dead",
    }),
    endedAt: timestamp.nullable(),
    endedBy: z
      .string()
      .nullable()
      .meta({ description: 'Name of the node that took over; null: it has not ended, or it stopped itself' }),
    isThis: z.boolean().meta({ description: 'The node that answers this request' }),
    isLead: z.boolean().meta({
      description:
        'Does what only one node does, such as removing old data: of the live and draining nodes, the one that started first',
    }),
  })
  .meta({
    id: 'Node',
    examples: [
      {
        id: '214748364700001',
        name: 'gateway-1',
        url: 'http://10.0.0.11:8090',
        status: 'live',
        version: '0.1.0',
        instances: 120,
        startedAt: '2026-01-31T12:00:00.000Z',
        leaseSecondsLeft: 10.4,
        endedAt: null,
        endedBy: null,
        isThis: true,
        isLead: true,
      },
    ],
  })
export type ClusterNode = z.output<typeof ClusterNode>

const common = { tag: 'Operator: nodes' } as const
const byNode = z.strictObject({ nodeId: pathId })
const OneNode = z.object({ success, node: ClusterNode })

export const adminListNodes = endpoint({
  ...common,
  summary: 'List the nodes on the database, and those that ended in the last 24 hours',
  description:
    'A single process, on SQLite or without `NODE_URL`, is one node. Nodes that work come first, then standbys, then ended ones.',
  answer: z.object({
    success,
    untaken: z.int().meta({ description: 'Number of instances that no node serves' }),
    nodes: z.array(ClusterNode),
  }),
  reasons: [],
})
export const adminDrainNode = endpoint({
  ...common,
  summary: 'Drain a node: it hands over its instances and takes none',
  description:
    'The node begins at its next renewal, within a few seconds, and goes on answering calls. It stays draining until it is ' +
    'resumed or restarted. Does nothing if it is draining already.',
  params: byNode,
  answer: OneNode,
  reasons: ['node_not_found', 'node_not_working', 'node_works_alone', 'last_taking_node'],
})
export const adminResumeNode = endpoint({
  ...common,
  summary: 'Resume a draining node: it takes instances again',
  description:
    'Does nothing if the node is live already. A node that is held by `SESSIONS=off` stays draining; if the request goes to ' +
    'another node, it returns to draining at its next renewal.',
  params: byNode,
  answer: OneNode,
  reasons: ['node_not_found', 'node_not_working', 'node_works_alone', 'node_held'],
})
