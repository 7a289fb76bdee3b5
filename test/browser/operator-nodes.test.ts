// The nodes of the operator page. The gateway of these tests is one process; several nodes are answers that the test gives.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { ClusterNode } from '../../src/contract/nodes.ts'
import { dashboard, skip } from './dashboard.ts'

const node = (id: string, change: Partial<ClusterNode> = {}): ClusterNode => ({
  id,
  name: `gateway-${id}`,
  url: `http://10.0.0.1${id}:8090`,
  status: 'live',
  version: '1.0.0',
  instances: 120,
  startedAt: '2026-01-31T12:00:00.000Z',
  leaseSecondsLeft: 10.4,
  endedAt: null,
  endedBy: null,
  isThis: false,
  isLead: false,
  ...change,
})

/** Answers the calls of the page as a gateway with these nodes would. Returns the changes that the page asked for. */
async function answerWith(page: Page, nodes: ClusterNode[]): Promise<string[]> {
  const asked: string[] = []
  await page.route('**/admin/v1/nodes', (route) =>
    route.fulfill({ json: { success: true, untaken: 3, nodes } }),
  )
  await page.route('**/admin/v1/nodes/*/*', (route) => {
    const [id = '', action = ''] = new URL(route.request().url()).pathname.split('/').slice(-2)
    asked.push(`${action} ${id}`)
    const changed = nodes.find((each) => each.id === id) as ClusterNode
    if (id === '2') {
      const body = { success: false, error: 'No.', reason: 'last_taking_node', requestId: 'req-1' }
      return route.fulfill({ status: 409, json: body })
    }
    changed.status = action === 'drain' ? 'draining' : 'live'
    return route.fulfill({ json: { success: true, node: changed } })
  })
  return asked
}

describe('nodes on the operator page', { skip }, () => {
  test('a single process is shown, and how to add nodes', async () => {
    const { open } = await dashboard()
    const { page, look, close } = await open('/operator', { operator: true })
    await page.getByRole('tab', { name: 'Nodes' }).click()
    await page.getByRole('cell', { name: 'This node' }).getByText('Works alone').waitFor()
    await page.getByRole('cell', { name: 'Not needed' }).waitFor()
    await page.getByRole('heading', { name: 'One process serves everything' }).waitFor()
    await page.getByText('NODE_URL=http://').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Drain' }).count(), 0)
    await look('operator-nodes-one')
    await close()
  })

  test('nodes are shown with lease and takeovers; they are drained and resumed after a confirmation', async () => {
    const { open } = await dashboard()
    const { page, look, close } = await open('/operator', { operator: true })
    const nodes = [
      node('1', { isThis: true, isLead: true }),
      node('2', { leaseSecondsLeft: -2, instances: 1250 }),
      node('3', { status: 'standby', instances: 0 }),
      node('4', { status: 'dead', endedAt: '2026-01-31T13:00:00.000Z', endedBy: 'gateway-1' }),
      node('5', { status: 'dead', endedAt: '2026-01-31T12:30:00.000Z' }),
    ]
    const asked = await answerWith(page, nodes)
    await page.getByRole('tab', { name: 'Nodes' }).click()
    const row = (name: string) => page.getByRole('row', { name })
    await row('gateway-1 This node Lead').getByText('10 s left').waitFor()
    await row('gateway-2').getByText('Not renewed').waitFor()
    await page.getByText('Instances that no node serves: 3').waitFor()
    const ended = page.getByRole('region', { name: 'Ended in the last 24 hours' })
    await ended.getByRole('row', { name: 'gateway-4' }).getByRole('cell', { name: 'gateway-1' }).waitFor()
    await ended.getByRole('row', { name: 'gateway-5' }).getByText('Stopped by itself').waitFor()
    assert.equal(await page.getByRole('button', { name: 'gateway-3' }).count(), 0, 'a standby serves nothing')

    const drain = page.getByRole('button', { name: 'Drain gateway-1' })
    await drain.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Drain gateway-1?' })
    await dialog.waitFor()
    await look('operator-nodes-drain')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(asked, [], 'nothing happens before the confirmation')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Drain', exact: true }).click()
    await row('gateway-1').getByText('Draining').waitFor()
    await look('operator-nodes')
    await page.setViewportSize({ width: 390, height: 800 })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390, 'nothing sticks out')
    await look('operator-nodes-narrow')
    await page.getByRole('button', { name: 'Resume gateway-1' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Resume', exact: true }).click()
    await row('gateway-1').getByText('Live').waitFor()

    await page.getByRole('button', { name: 'Drain gateway-2' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Drain', exact: true }).click()
    await page.getByRole('alert').getByText('No other node takes instances.').waitFor()
    assert.deepEqual(asked, ['drain 1', 'resume 1', 'drain 2'])
    await close()
  })
})
