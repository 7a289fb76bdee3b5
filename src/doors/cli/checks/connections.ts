// Checks that PostgreSQL accepts as many connections as the nodes may use.
import type { Maintenance } from '../../../app/maintenance.ts'
import { type Finding, ok, warning } from './finding.ts'

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
