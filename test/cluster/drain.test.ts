// The operator watches, drains and resumes nodes: over the API, with the command line, and with the doctor.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ClusterNode } from '../../src/contract/nodes.ts'
import { done, runCliHere } from '../support/cli.ts'
import { engines } from '../support/engines.ts'
import { ask, linkedInstance, newNumber, until, world } from '../support/linked.ts'
import { type LiveNode, type NodeGroup, startGroup } from './support/nodes.ts'

const engine = engines.find(({ name }) => name === 'postgres')
const INSTANCES = 4

if (engine) {
  describe('draining a node', () => {
    let group: NodeGroup
    let nodes: [LiveNode, LiveNode]
    let names: string[]
    before(async () => {
      group = await startGroup(engine)
      nodes = [await group.startNode(), await group.startNode()]
      names = []
      for (let index = 0; index < INSTANCES; index += 1)
        names.push(await linkedInstance(nodes[0], newNumber()))
    })
    after(() => group?.stop())

    const operator = (at: LiveNode, call: string) => ask({ ...at, key: group.operatorKey }, call)
    async function list(at: LiveNode): Promise<ClusterNode[]> {
      const { status, json } = await operator(at, 'GET /admin/v1/nodes')
      assert.equal(status, 200)
      return json.nodes
    }
    const idOf = async (at: LiveNode) => (await list(at)).find(({ isThis }) => isThis)?.id as string
    const untilServing = (at: LiveNode, wanted: (instances: number) => boolean) =>
      until('the share of a node', async () => {
        const { instances, leaseSecondsLeft } = (await list(at)).find(({ isThis }) => isThis) as ClusterNode
        return wanted(instances) && leaseSecondsLeft !== null ? instances : undefined
      })
    /** Every instance is served, seen from either node. */
    const untilServed = (at: LiveNode) =>
      until('every instance served', async () => {
        const numbers = await Promise.all(
          names.map((name) => ask(at, `GET /api/v1/check-number?instanceName=${name}&number=${newNumber()}`)),
        )
        return numbers.every(({ status }) => status === 200) || undefined
      })
    const settings = (at: LiveNode) => ({
      ...group.settings,
      DATA_DIR: at.directory,
      SWITCHBOARD_URL: at.url,
      OPERATOR_KEY: group.operatorKey,
    })

    test('it hands over its instances, goes on answering, and takes them again after a resume', async () => {
      const [first, second] = nodes
      const [firstId, secondId] = [await idOf(first), await idOf(second)]
      assert.deepEqual(
        (await list(second)).map(({ id, isThis, isLead }) => ({ id, isThis, isLead })),
        [
          { id: firstId, isThis: false, isLead: true },
          { id: secondId, isThis: true, isLead: false },
        ],
      )
      const drained = done(await runCliHere(['nodes', 'drain', firstId, '--json'], settings(second))).json
      assert.deepEqual([drained.node.id, drained.node.status], [firstId, 'draining'])
      await untilServing(first, (instances) => instances === 0)
      await untilServing(second, (instances) => instances === INSTANCES)
      await untilServed(first)
      const metrics = (await ask(first, 'GET /metrics')).bytes.toString()
      assert.match(metrics, /^switchboard_node_instances 0$/m)
      assert.match(metrics, /^switchboard_node_lease_seconds [0-9.]+$/m)
      assert.match(
        metrics,
        /^switchboard_node_calls_total\{direction="out",method="checkNumber",outcome="done"\} \d+$/m,
      )

      const last = await operator(first, `POST /admin/v1/nodes/${secondId}/drain`)
      assert.deepEqual([last.status, last.json.reason], [409, 'last_taking_node'])

      done(await runCliHere(['nodes', 'resume', firstId], settings(second)))
      await untilServing(first, (instances) => instances > 0)
      await untilServed(second)
    })

    test('the doctor finds that every node answers, and names the one that does not', async () => {
      const [first, second] = nodes
      const environment = { ...settings(first), NODE_URL: 'http://127.0.0.1:1' }
      const skip = ['server', 'network', 'disk'].flatMap((check) => ['--skip', check])
      const findings = async (change: Record<string, string> = {}): Promise<string[]> => {
        const { json, stderr } = await runCliHere(['doctor', '--json', ...skip], {
          ...environment,
          ...change,
        })
        assert.ok(json, stderr)
        return json.findings
          .filter(({ check }: { check: string }) => check === 'nodes')
          .map(({ status, found }: { status: string; found: string }) => `${status}: ${found}`)
      }
      const urls = (await list(second)).map(({ url }) => url)
      const healthy = await findings()
      for (const url of urls)
        assert.ok(
          healthy.some((line) => line.startsWith('ok: ') && line.endsWith(`answers at ${url}`)),
          healthy.join('\n'),
        )
      const otherKey = { MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
      const wrong = await findings(otherKey)
      assert.equal(wrong.filter((line) => /^wrong: .*with the same MASTER_KEY/.test(line)).length, 2)
    })

    test('a held node drains, and goes on draining when the operator resumes it', async () => {
      const [first] = nodes
      const held = await group.startNode(undefined, { SESSIONS: 'off' })
      const id = await idOf(held)
      const statusOf = async () => (await list(first)).find((node) => node.id === id)?.status
      await until('the held node draining', async () => (await statusOf()) === 'draining' || undefined)
      const refused = await operator(held, `POST /admin/v1/nodes/${id}/resume`)
      assert.deepEqual([refused.status, refused.json.reason], [409, 'node_held'])
      const taken = await operator(first, `POST /admin/v1/nodes/${id}/resume`)
      assert.equal(taken.status, 200)
      await until('the held node draining again', async () => (await statusOf()) === 'draining' || undefined)
      await untilServed(first)
      assert.equal((await held.stop('SIGTERM')).code, 0)
      const ended = (await list(first)).find((node) => node.id === id)
      assert.deepEqual([ended?.status, ended?.endedBy], ['dead', null])
      assert.ok(await world(first, 'GET /phones'))
    })
  })
}
