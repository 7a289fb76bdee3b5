// Settings of an instance on two nodes: a change over either node takes effect where the instance is served, and holds on the node
// that takes it over.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ClusterNode } from '../../src/contract/nodes.ts'
import { engines } from '../support/engines.ts'
import { api, ask, linkedInstance, newNumber, until, untilState, world } from '../support/linked.ts'
import { startSocksProxy, type TunnelProxy } from '../support/tunnel-proxies.ts'
import { type LiveNode, type NodeGroup, startGroup } from './support/nodes.ts'

const engine = engines.find(({ name }) => name === 'postgres')
const LOGIN = { username: 'desk', password: 'p@ss:word/1' }
const TEXT = 'Please write to us instead.'
const ENVIRONMENT = { ALLOW_TARGETS: '127.0.0.1' }

if (engine)
  describe('settings of an instance on two nodes', () => {
    const [owner, friend] = [newNumber(), newNumber()]
    let group: NodeGroup
    let proxy: TunnelProxy
    /** The node that serves the instance, and the other one. */
    let serving: LiveNode
    let other: LiveNode
    let line = ''
    before(async () => {
      group = await startGroup(engine)
      proxy = await startSocksProxy(LOGIN)
      const nodes = [
        await group.startNode(undefined, ENVIRONMENT),
        await group.startNode(undefined, ENVIRONMENT),
      ] as const
      await world(nodes[0], 'POST /phones', { number: friend })
      line = await linkedInstance(nodes[0], owner)
      const isFirst = await until('the node of the instance', async () => {
        const [first, second] = [await shareOf(nodes[0]), await shareOf(nodes[1])]
        return first + second === 1 ? first === 1 : undefined
      })
      ;[serving, other] = isFirst ? nodes : [nodes[1], nodes[0]]
    })
    after(async () => {
      await group?.stop()
      await proxy?.shut()
    })

    /** The number of instances that a node serves. */
    async function shareOf(node: LiveNode): Promise<number> {
      const { json } = await ask({ ...node, key: group.operatorKey }, 'GET /admin/v1/nodes')
      return (json.nodes as ClusterNode[]).find(({ isThis }) => isThis)?.instances ?? 0
    }
    const change = async (node: LiveNode, settings: object) =>
      (await api(node, `PATCH /instance/settings?instanceName=${line}`, settings)).settings
    const settingsOn = async (node: LiveNode) =>
      (await api(node, `GET /instance/settings?instanceName=${line}`)).settings
    const texts = async (node: LiveNode): Promise<number> =>
      (await world(node, `GET /phones/${friend}/messages?limit=200`)).messages.filter(
        ({ text }: { text: string | null }) => text === TEXT,
      ).length
    const call = async (node: LiveNode): Promise<string> =>
      (await world(node, `POST /phones/${friend}/call`, { to: owner })).call.id
    /** The friend calls; the call is rejected, and the text arrives. */
    async function assertRejects(node: LiveNode): Promise<void> {
      const before = await texts(node)
      const path = `GET /phones/${friend}/calls?callId=${await call(node)}&status=rejected&waitMs=30000`
      await until('the rejected call', async () =>
        (await world(node, path)).calls[0]?.status === 'rejected' ? true : undefined,
      )
      await until('the text', async () => ((await texts(node)) === before + 1 ? true : undefined))
    }
    const untilTunnel = (after: number) =>
      until('a tunnel through the proxy', async () => (proxy.targets.length > after ? true : undefined))

    test('a change over the other node takes effect on the node that serves the instance', async () => {
      await change(other, { rejectCalls: true, rejectCallsText: TEXT })
      await assertRejects(serving)
      assert.deepEqual(await settingsOn(serving), await settingsOn(other))
    })

    test('a proxy that is set over the other node is used at once, and shown without its credentials', async () => {
      assert.deepEqual(proxy.targets, [])
      const url = `socks5://${LOGIN.username}:${encodeURIComponent(LOGIN.password)}@127.0.0.1:${proxy.port}`
      const masked = `socks5://***@127.0.0.1:${proxy.port}`
      assert.equal((await change(other, { proxy: url })).proxy, masked)
      await untilTunnel(0)
      await untilState(other, line, 'open')
      for (const node of [serving, other]) assert.equal((await settingsOn(node)).proxy, masked)
      await assertRejects(other)
    })

    test('a node that takes the instance over uses its settings and its proxy', async () => {
      const before = proxy.targets.length
      await serving.stop('SIGKILL')
      await untilTunnel(before)
      await until('the takeover', async () => ((await shareOf(other)) === 1 ? true : undefined))
      await untilState(other, line, 'open')
      await assertRejects(other)
      const { proxy: shown, rejectCalls, rejectCallsText } = await settingsOn(other)
      assert.deepEqual(
        [shown, rejectCalls, rejectCallsText],
        [`socks5://***@127.0.0.1:${proxy.port}`, true, TEXT],
      )
      for (const node of [serving, other])
        assert.ok(!(node.stdout() + node.stderr()).includes(LOGIN.password), 'the password is in a log')
    })

    test('after the takeover a further node changes the settings too', async () => {
      const further = await group.startNode(serving.directory, ENVIRONMENT)
      await change(further, { rejectCalls: false, proxy: null })
      // A new connection reads the settings, also if the instance is moving to the further node.
      await api(further, `POST /instance/restart?instanceName=${line}`)
      await untilState(further, line, 'open')
      const tunnels = proxy.targets.length
      const body = { instanceName: line, number: friend, message: 'direct', delay: 0 }
      const { messageId } = await api(further, 'POST /send/text', body)
      await world(further, `GET /phones/${friend}/messages/${messageId}?waitMs=30000`)
      assert.equal(proxy.targets.length, tunnels, 'the connection uses no proxy')
      const before = await texts(further)
      const id = await call(further)
      const offers = `GET /events?instanceName=${line}&events=call&before=end&limit=100`
      await until('the offer', async () =>
        (await api(further, offers)).events.find(
          ({ data }: { data: { callId: string } }) => data.callId === id,
        ),
      )
      await world(further, `POST /phones/${friend}/hang-up`, { callId: id })
      assert.equal(await texts(further), before, 'the call was not rejected')
    })
  })
