// The pages of the operator, and how a browser gets to their dialogs.
import type { Page } from 'playwright-core'
import { answerWith, node } from './nodes.ts'
import { dialog, type Visit } from './visit.ts'

const tab = (name: string, ready: (page: Page) => Promise<unknown>, more: Partial<Visit> = {}): Visit => ({
  path: '/operator',
  name: `operator-${name}`,
  address: `/operator?tab=${name}`,
  ready,
  ...more,
})

export const operatorPages: readonly Visit[] = [
  tab('accounts', (page) => page.getByRole('link', { name: 'Default', exact: true }).waitFor(), {
    address: '/operator',
    states: [dialog('operator-account-new', 'New account')],
  }),
  tab('instances', (page) => page.getByRole('cell', { name: 'Unlinked' }).first().waitFor()),
  tab('overview', (page) => page.getByRole('img', { name: /^Messages over time/ }).waitFor()),
  tab('plans', (page) => page.getByRole('row').nth(1).waitFor(), {
    states: [dialog('operator-plan', 'New plan')],
  }),
  tab('nodes', (page) => page.getByRole('heading', { name: 'One process serves everything' }).waitFor()),
  tab('health', (page) => page.getByText('Ready', { exact: true }).waitFor()),
  {
    path: '/operator/accounts/:id',
    name: 'operator-account',
    address: '/operator/accounts/1',
    ready: (page) => page.getByRole('heading', { level: 1, name: 'Default' }).waitFor(),
    states: [dialog('operator-subscription', 'Change subscription'), dialog('operator-user', 'Add user')],
  },
]

/** Several nodes, one of which has ended. */
export const severalNodes: Visit = tab(
  'nodes',
  (page) => page.getByRole('row', { name: 'gateway-2' }).waitFor(),
  {
    name: 'operator-nodes-several',
    states: [dialog('operator-node-drain', 'Drain gateway-1')],
  },
)
export const withSeveralNodes = (page: Page): Promise<unknown> =>
  answerWith(page, [
    node('1', { isThis: true, isLead: true }),
    node('2', { leaseSecondsLeft: -2, instances: 1250 }),
    node('3', { status: 'standby', instances: 0 }),
    node('4', { status: 'dead', endedAt: '2026-01-31T13:00:00.000Z', endedBy: 'gateway-1' }),
  ])
