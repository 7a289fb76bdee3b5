// Answers of a gateway with several nodes: the gateway of these tests is one process.
import type { Page } from 'playwright-core'
import type { ClusterNode } from '../../src/contract/nodes.ts'

export const node = (id: string, change: Partial<ClusterNode> = {}): ClusterNode => ({
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
export async function answerWith(page: Page, nodes: ClusterNode[]): Promise<string[]> {
  const requested: string[] = []
  await page.route('**/admin/v1/nodes', (route) =>
    route.fulfill({ json: { success: true, untaken: 3, nodes } }),
  )
  await page.route('**/admin/v1/nodes/*/*', (route) => {
    const [id = '', action = ''] = new URL(route.request().url()).pathname.split('/').slice(-2)
    requested.push(`${action} ${id}`)
    const changed = nodes.find((each) => each.id === id) as ClusterNode
    if (id === '2') {
      const body = { success: false, error: 'No.', reason: 'last_taking_node', requestId: 'req-1' }
      return route.fulfill({ status: 409, json: body })
    }
    changed.status = action === 'drain' ? 'draining' : 'live'
    return route.fulfill({ json: { success: true, node: changed } })
  })
  return requested
}
