// The processes on the database: which instances they serve, their leases, and who took over from whom. Nodes are drained and resumed.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ClusterNode } from '../../../src/contract/nodes.ts'
import { nodesQuery } from '../../gateway/queries.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/page-head.tsx'
import { Table } from '../../ui/table.tsx'
import { TextBlock } from '../../ui/text-block.tsx'
import { uiTexts } from '../../ui/texts/ui-texts.ts'
import { type NodeAction, NodeDialog } from './node-dialog.tsx'
import css from './operator-nodes.module.css'
import { operatorTexts } from './texts/operator-texts.ts'

const TONES: Record<ClusterNode['status'], Tone> = {
  live: 'good',
  draining: 'warn',
  standby: 'plain',
  dead: 'plain',
}

const EXAMPLE = `DATABASE_URL=postgres://switchboard:secret@db.example.com:5432/switchboard
NODE_URL=http://10.0.0.12:8090
MASTER_KEY=…
OPERATOR_KEY=…
API_KEY=…`

export function OperatorNodes() {
  const { nodes: t } = useTexts(operatorTexts)
  const format = useFormat()
  const [requested, ask] = useState<{ action: NodeAction; node: ClusterNode }>()
  const query = useQuery(nodesQuery)
  return (
    <>
      <Loaded query={query}>
        {({ nodes, untaken }) => {
          const working = nodes.filter(({ status }) => status !== 'dead')
          const ended = nodes.filter(({ status }) => status === 'dead')
          const isOnly = working.length === 1 && working[0]?.url === null
          return (
            <>
              {untaken > 0 ? (
                <div className="note warn">
                  <strong>{t.untaken(format.number(untaken))}</strong>
                  <div>{t.untakenText}</div>
                </div>
              ) : null}
              <WorkingNodes nodes={working} ask={(action, node) => ask({ action, node })} />
              {isOnly ? <AddNodes /> : null}
              {isOnly && ended.length === 0 ? null : <EndedNodes nodes={ended} />}
            </>
          )
        }}
      </Loaded>
      {requested ? <NodeDialog {...requested} onClose={() => ask(undefined)} /> : null}
    </>
  )
}

function AddNodes() {
  const { nodes: t } = useTexts(operatorTexts)
  return (
    <Card title={t.addTitle}>
      <p>{t.addText}</p>
      <TextBlock label={t.addExample} text={EXAMPLE} />
    </Card>
  )
}

interface WorkingNodesProps {
  nodes: readonly ClusterNode[]
  ask(action: NodeAction, node: ClusterNode): void
}

function WorkingNodes({ nodes, ask }: WorkingNodesProps) {
  const { nodes: t, tabs } = useTexts(operatorTexts)
  const ui = useTexts(uiTexts)
  const format = useFormat()
  return (
    <Table
      label={tabs.nodes}
      records={nodes}
      keyOf={(node) => node.id}
      columns={[
        { title: t.node, cell: (node) => <NodeName node={node} /> },
        {
          title: t.status,
          cell: ({ status }) => <Badge tone={TONES[status]}>{t.statuses[status]}</Badge>,
        },
        {
          title: t.instances,
          end: true,
          cell: ({ instances }) => <span className="number">{format.number(instances)}</span>,
        },
        { title: t.lease, cell: ({ leaseSecondsLeft }) => <Lease left={leaseSecondsLeft} /> },
        {
          title: t.started,
          cell: ({ startedAt }) => <span className="number">{format.dateTime(startedAt)}</span>,
        },
        { title: t.version, cell: ({ version }) => <span className="number">{version}</span> },
        ...(nodes.some(canChange)
          ? [
              {
                title: ui.actions,
                actions: true,
                cell: (node: ClusterNode) => <NodeButton node={node} ask={ask} />,
              },
            ]
          : []),
      ]}
    />
  )
}

function NodeName({ node: { name, url, isThis, isLead } }: { node: ClusterNode }) {
  const { nodes: t } = useTexts(operatorTexts)
  return (
    <div>
      <div className={classNames('row', css.name)}>
        <strong className="wrap">{name}</strong>
        {isThis ? <Badge>{t.thisNode}</Badge> : null}
        {isLead ? <Badge>{t.lead}</Badge> : null}
      </div>
      <div className="muted small wrap">{url ?? t.worksAlone}</div>
    </div>
  )
}

function Lease({ left }: { left: number | null }) {
  const { nodes: t } = useTexts(operatorTexts)
  const format = useFormat()
  if (left === null) return <span className="muted">{t.noLease}</span>
  if (left < 0) return <Badge tone="bad">{t.leaseEnded}</Badge>
  return <span className="number nowrap">{t.leaseLeft(format.number(Math.round(left)))}</span>
}

/** Only a node with an address has others that can take its instances. */
const canChange = ({ url, status }: ClusterNode): boolean =>
  url !== null && (status === 'live' || status === 'draining')

function NodeButton({ node, ask }: { node: ClusterNode; ask: WorkingNodesProps['ask'] }) {
  const { nodes: t } = useTexts(operatorTexts)
  if (!canChange(node)) return null
  const action: NodeAction = node.status === 'draining' ? 'resume' : 'drain'
  return (
    <Button small aria-label={t[`${action}Of`](node.name)} onClick={() => ask(action, node)}>
      {t[action]}
    </Button>
  )
}

function EndedNodes({ nodes }: { nodes: readonly ClusterNode[] }) {
  const { nodes: t } = useTexts(operatorTexts)
  const format = useFormat()
  return (
    <Card title={t.ended}>
      {nodes.length === 0 ? (
        <p className="muted">{t.noneEnded}</p>
      ) : (
        <Table
          label={t.ended}
          records={nodes}
          keyOf={(node) => node.id}
          columns={[
            { title: t.node, cell: (node) => <NodeName node={node} /> },
            {
              title: t.started,
              cell: ({ startedAt }) => <span className="number">{format.dateTime(startedAt)}</span>,
            },
            {
              title: t.endedAt,
              cell: ({ endedAt }) => <span className="number">{format.moment(endedAt)}</span>,
            },
            {
              title: t.takenOverBy,
              cell: ({ endedBy }) =>
                endedBy === null ? (
                  <span className="muted">{t.stoppedItself}</span>
                ) : (
                  <strong className="wrap">{endedBy}</strong>
                ),
            },
          ]}
        />
      )}
    </Card>
  )
}
