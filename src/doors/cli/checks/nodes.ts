// Checks the nodes on a PostgreSQL database: who works, whether nodes reach each other, and whether they fit together.
import type { Maintenance } from '../../../app/maintenance.ts'
import type { Settings } from '../../../config.ts'
import { readMasterKey } from '../../../data-dir/secrets.ts'
import { wallClock } from '../../../kernel/async/clock.ts'
import type { NodeClient } from '../../../nodes/node-client.ts'
import { type Finding, messageOf, ok, warning, wrong } from './finding.ts'

const TIMEOUT_MS = 5000

type FoundNode = Awaited<ReturnType<Maintenance['nodes']>>[number]

export async function checkNodes(settings: Settings, maintenance: Maintenance): Promise<Finding[]> {
  if (maintenance.engine === 'sqlite') return []
  // The check of the store reports a database that does not open.
  const schema = await maintenance.schema().catch(() => undefined)
  if (!schema?.applied.length) return []
  const nodes = await maintenance.nodes()
  return [
    leaseFinding(nodes),
    ...aloneFindings(nodes),
    ...versionFindings(nodes),
    ...connectionFindings(await maintenance.connectionLimits(), nodes.length),
    ...lossFindings(await maintenance.commitsLost(), wallClock()),
    ...(settings.NODE_URL === undefined ? [] : await reachFindings(settings, maintenance, nodes)),
  ]
}

/** How long a failover that lost commits is mentioned. */
const LOSS_SHOWN_MS = 7 * 86_400_000

export function lossFindings(
  record: Awaited<ReturnType<Maintenance['commitsLost']>>,
  nowMs: number,
): Finding[] {
  if (!record || nowMs - record.at > LOSS_SHOWN_MS) return []
  const what = record.loss === 'certain' ? 'lost commits' : 'may have lost commits'
  return [
    warning(
      'failover',
      `the database ${what} in a failover, noticed at ${new Date(record.at).toISOString()}`,
      'compare with the records of your own programs, and use synchronous replication: docs/cluster.md, "Failover of the database"',
    ),
  ]
}

const isWorking = ({ status }: FoundNode): boolean => status !== 'standby'

export function leaseFinding(nodes: readonly FoundNode[]): Finding {
  const ended = nodes.find((node) => isWorking(node) && node.secondsLeft < 0)
  if (ended)
    return warning(
      'nodes',
      `${ended.name} has not renewed its lease`,
      'start a server, or wait for another node to take over',
    )
  const words = nodes.map(({ name, status }) => `${name} is ${status}`)
  return ok('nodes', words.length > 0 ? words.join(', ') : 'no server uses the database')
}

/** All without an address is a live process and its standbys. A mix is a mistake: one of them waits, or makes the others wait. */
export function aloneFindings(nodes: readonly FoundNode[]): Finding[] {
  if (nodes.every(({ url }) => url === null)) return []
  return nodes
    .filter(({ url }) => url === null)
    .map((node) =>
      warning(
        'nodes',
        isWorking(node)
          ? `${node.name} has no NODE_URL: it works alone, and the other nodes wait`
          : `${node.name} has no NODE_URL: it waits until all other nodes have ended`,
        'set NODE_URL on every node, and restart those without it',
      ),
    )
}

/** Nodes of two versions work together during an update. */
export function versionFindings(nodes: readonly FoundNode[]): Finding[] {
  const versions = Map.groupBy(nodes, ({ version }) => version)
  if (versions.size < 2) return []
  const words = [...versions].map(([version, of]) => `${version} (${of.map(({ name }) => name).join(', ')})`)
  return [ok('nodes', `versions differ: ${words.join(', ')}`)]
}

async function reachFindings(
  settings: Settings,
  maintenance: Maintenance,
  nodes: readonly FoundNode[],
): Promise<Finding[]> {
  const masterKey = await readMasterKey(settings).catch(() => undefined)
  // The check of the store reports a missing master key.
  if (masterKey === undefined) return []
  // Loaded here, because no other command needs it.
  const { createNodeClient } = await import('../../../nodes/node-client.ts')
  const { nodeKey } = await import('../../../nodes/signing.ts')
  const { readNodeTls } = await import('../../../nodes/node-tls.ts')
  const tls = await readNodeTls(settings).catch((error: unknown) => messageOf(error))
  if (typeof tls === 'string') return [wrong('nodes', tls, 'set the file that this node uses')]
  const offsetMs = (await maintenance.now()) - wallClock()
  const client = createNodeClient(nodeKey(masterKey), () => Math.round(wallClock() + offsetMs), tls)
  const timer = setTimeout(() => void client.close(), TIMEOUT_MS)
  try {
    const reachable = nodes.filter((node) => isWorking(node) && node.secondsLeft >= 0 && node.url !== null)
    return await Promise.all(reachable.map((node) => reachFinding(client, node)))
  } finally {
    clearTimeout(timer)
    await client.close()
  }
}

export async function reachFinding(
  client: Pick<NodeClient, 'call'>,
  { id, name, url }: Pick<FoundNode, 'id' | 'name' | 'url'>,
): Promise<Finding> {
  try {
    const { status } = await client.call({ id, url: url as string }, { call: 'hello' })
    return status === 'done'
      ? ok('nodes', `${name} answers at ${url}`)
      : wrong(
          'nodes',
          `another node answers at ${url} in place of ${name}`,
          'give each node a NODE_URL of its own that leads past the load balancer',
        )
  } catch (error) {
    return wrong(
      'nodes',
      `${name}: ${messageOf(error)}`,
      'check NODE_URL of that node, the firewall between the nodes, and that MASTER_KEY is the same on all of them',
    )
  }
}

// Checks that PostgreSQL accepts as many connections as the nodes may use.

type Limits = Awaited<ReturnType<Maintenance['connectionLimits']>>

/** A start that migrates needs two, and a command of the command line one. */
const BESIDE_NODES = 3
const GUIDE = 'docs/cluster.md, "Connections"'

/** `nodes`: how many processes use the database. Before the first start one is expected. */
export function connectionFindings(limits: Limits, nodes: number): Finding[] {
  if (!limits) return []
  const count = Math.max(1, nodes)
  const needed = count * limits.perNode + BESIDE_NODES
  const use = `${count === 1 ? 'one node uses' : `${count} nodes use`} up to ${needed} connections`
  return limits.isPooled ? pooledFindings(limits, use) : [directFinding(limits, use, needed)]
}

function directFinding({ available }: NonNullable<Limits>, use: string, needed: number): Finding {
  const found = `${use}, and PostgreSQL accepts ${available}`
  return needed <= available
    ? ok('connections', found)
    : warning('connections', found, `raise max_connections, or the limit of the role or database: ${GUIDE}`)
}

function pooledFindings({ statementTimeoutMs }: NonNullable<Limits>, use: string): Finding[] {
  const found = `${use} of the pooler that DATABASE_URL leads to`
  if (statementTimeoutMs > 0) return [ok('connections', found)]
  return [
    warning(
      'connections',
      `${found}; the role has no statement_timeout`,
      `set it for the role, because the pooler does not pass it on: ${GUIDE}`,
    ),
  ]
}
