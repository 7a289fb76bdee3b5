// The nodes of the operator page. The gateway of these tests is one process; several nodes are answers that the test gives.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dashboard, skip } from './dashboard.ts'
import { answerWith, node } from './nodes.ts'

describe('nodes on the operator page', { skip }, () => {
  test('a single process is shown, and how to add nodes', async () => {
    const { open } = await dashboard()
    const { page, close } = await open('/operator', { operator: true })
    await page.getByRole('tab', { name: 'Nodes' }).click()
    await page.getByRole('cell', { name: 'This node' }).getByText('Works alone').waitFor()
    await page.getByRole('cell', { name: 'Not needed' }).waitFor()
    await page.getByRole('heading', { name: 'One process serves everything' }).waitFor()
    await page.getByText('NODE_URL=http://').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Drain' }).count(), 0)
    await close()
  })

  test('nodes are shown with lease and takeovers; they are drained and resumed after a confirmation', async () => {
    const { open } = await dashboard()
    const { page, close } = await open('/operator', { operator: true })
    const nodes = [
      node('1', { isThis: true, isLead: true }),
      node('2', { leaseSecondsLeft: -2, instances: 1250 }),
      node('3', { status: 'standby', instances: 0 }),
      node('4', { status: 'dead', endedAt: '2026-01-31T13:00:00.000Z', endedBy: 'gateway-1' }),
      node('5', { status: 'dead', endedAt: '2026-01-31T12:30:00.000Z' }),
    ]
    const requested = await answerWith(page, nodes)
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
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(requested, [], 'nothing happens before the confirmation')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Drain', exact: true }).click()
    await row('gateway-1').getByText('Draining').waitFor()
    await page.setViewportSize({ width: 390, height: 800 })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390, 'nothing sticks out')
    await page.getByRole('button', { name: 'Resume gateway-1' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Resume', exact: true }).click()
    await row('gateway-1').getByText('Live').waitFor()

    await page.getByRole('button', { name: 'Drain gateway-2' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Drain', exact: true }).click()
    await page.getByRole('alert').getByText('No other node takes instances.').waitFor()
    assert.deepEqual(requested, ['drain 1', 'resume 1', 'drain 2'])
    await close()
  })
})
