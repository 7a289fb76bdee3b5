// `nodes`: the processes on one database. Needs the operator key.
import type { ClusterNode } from '../../contract/nodes.ts'
import { command, type Output, SERVER_OPTIONS } from './command.ts'
import { record, table } from './print.ts'

const COLUMNS = ['id', 'name', 'url', 'status', 'instances', 'lease', 'started', 'ended', 'version']

const rowOf = (node: ClusterNode) => [
  node.id,
  node.name,
  node.url,
  statusOf(node),
  node.instances,
  node.leaseSecondsLeft === null ? null : `${node.leaseSecondsLeft} s`,
  node.startedAt,
  node.endedBy === null ? node.endedAt : `${node.endedAt} by ${node.endedBy}`,
  node.version,
]

const statusOf = ({ status, isThis, isLead }: ClusterNode): string =>
  [status, ...(isLead ? ['lead'] : []), ...(isThis ? ['answers'] : [])].join(', ')

const changed = (answer: { node: ClusterNode }, sentence: string): Output => {
  const { id, name, status, instances } = answer.node
  return { json: answer, text: `${record({ id, name, status, instances })}\n\n${sentence}` }
}

export const nodeCommands = [
  command({
    name: 'nodes',
    summary: 'List the nodes on the database, and those that ended in the last 24 hours',
    description: 'To move the instances of a node to the others, and back: nodes drain, nodes resume.',
    parameters: [],
    options: SERVER_OPTIONS,
    async run(context) {
      const answer = await (await context.operator()).adminListNodes()
      const untaken = `Instances that no node serves: ${answer.untaken}`
      return { json: answer, text: `${table(COLUMNS, answer.nodes.map(rowOf))}\n\n${untaken}` }
    },
  }),
  command({
    name: 'nodes drain',
    summary: 'Drain a node: it hands over its instances and takes none',
    description: 'It stays draining until it is resumed or restarted.',
    parameters: ['ID'],
    options: SERVER_OPTIONS,
    run: async (context, _values, [nodeId]) =>
      changed(
        await (await context.operator()).adminDrainNode({ params: { nodeId } }),
        'It hands over its instances within a few seconds. The list of nodes shows how many are left.',
      ),
  }),
  command({
    name: 'nodes resume',
    summary: 'Resume a draining node: it takes instances again',
    parameters: ['ID'],
    options: SERVER_OPTIONS,
    run: async (context, _values, [nodeId]) =>
      changed(
        await (await context.operator()).adminResumeNode({ params: { nodeId } }),
        'It takes its share of the instances within a few seconds.',
      ),
  }),
]
