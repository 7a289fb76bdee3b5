// Calls between two nodes over real connections: who carries them out, and what the caller gets when a node stops responding.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createSocketServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { engines, type StoreLocation } from '../../test/support/engines.ts'
import { openStore } from '../../test/support/open-store.ts'
import { GROUP_PICTURE_BYTES } from '../contract/media-limits.ts'
import { GROUP_CALLS } from '../network/groups.ts'
import { type LiveSessions, NetworkError } from '../network/network.ts'
import { makeTenant } from '../store/conformance/tenant.ts'
import type { Store } from '../store/store.ts'
import { createNodeClient, type NodeClient } from './node-client.ts'
import { type NodeServer, startNodeServer } from './node-server.ts'
import { callLocalSession, type RoutedSessionsParts, routeSessions } from './routed-sessions.ts'
import { nodeKey } from './signing.ts'

const key = nodeKey(new Uint8Array(32).fill(1))
const [HERE, THERE] = [1, 2]

for (const engine of engines.filter(({ name }) => name === 'postgres')) {
  describe('calls that need the node of an instance', () => {
    let storeLocation: StoreLocation
    let store: Store
    let client: NodeClient
    let server: NodeServer | undefined
    let instanceId: number
    let time = 1_000_000
    const calls: string[] = []
    /** What happens while a call waits. */
    let onPause: () => Promise<void> = async () => undefined
    before(async () => {
      storeLocation = await engine.createLocation()
      store = await openStore(storeLocation)
      client = createNodeClient(key, () => time)
      instanceId = (await makeTenant(store)).instanceId
    })
    after(async () => {
      await server?.close()
      await client.close()
      await store.close()
      await storeLocation.dispose()
    })

    /** Sessions that answer with their name. */
    const sessionsOf = (name: string) =>
      ({
        async checkNumber(_id: number, number: string) {
          calls.push(`${name} checks ${number}`)
          if (number === '406') throw new NetworkError('refused', 'no such number', undefined, 406)
          return { exists: true, jid: name }
        },
        async qr() {
          calls.push(`${name} shows a code`)
          return { code: name, expiresAt: 5 }
        },
        downloadMedia: async () => new Uint8Array([1, 2, 3]),
        async setGroupPicture(_id: number, jid: string, picture: Uint8Array | null) {
          calls.push(`${name} sets a picture of ${picture?.length} bytes in ${jid}`)
        },
        async changeGroup() {
          throw new NetworkError('not_a_group_admin', 'only an admin may', undefined, 403)
        },
        async rejectCall(_id: number, callId: string, creator: string) {
          calls.push(`${name} rejects ${callId} of ${creator}`)
        },
        async createGroup(_id: number, name: string) {
          calls.push(`there creates ${name}`)
          return { jid: `${calls.length}@g.us` }
        },
        logOut: async () => true,
        async end() {
          calls.push(`${name} ends`)
        },
      }) as unknown as LiveSessions
    const parts = (nodeId: number, name: string, takes: boolean): RoutedSessionsParts => ({
      store,
      nodeId,
      local: sessionsOf(name),
      takeOne: async () => takes,
      targetNode: () => undefined,
      client,
      clock: () => time,
      async pauseFor(ms) {
        time += ms
        await onPause()
      },
    })
    const here = (takes = false) => routeSessions(parts(HERE, 'here', takes))
    const serve = async (nodeId: number | null) =>
      void (await store.db
        .updateTable('instances')
        .set({ node_id: nodeId })
        .where('id', '=', instanceId)
        .execute())
    async function register(id: number, url: string | null): Promise<void> {
      await store.db.deleteFrom('nodes').where('id', '=', id).execute()
      const row = { id, name: `node ${id}`, status: 'live', lease_until: 0, started_at: 0, url }
      await store.db.insertInto('nodes').values(row).execute()
    }
    async function listenThere(serves = true): Promise<string> {
      await server?.close()
      const { port } = await freePort()
      server = await startNodeServer('127.0.0.1', port, {
        nodeId: THERE,
        key,
        clock: () => time,
        callSession: (method, args) =>
          serves ? callLocalSession(parts(THERE, 'there', false), method, args) : Promise.resolve(undefined),
        wake: (what) => calls.push(`there wakes for ${what}`),
        receiveUses: () => undefined,
      })
      const url = `http://127.0.0.1:${port}`
      await register(THERE, url)
      return url
    }

    test('an instance of this node is used here, that of another one there', async () => {
      await listenThere()
      await register(HERE, 'http://127.0.0.1:1')
      await serve(HERE)
      assert.equal((await here().checkNumber(instanceId, '1')).jid, 'here')
      await serve(THERE)
      assert.equal((await here().checkNumber(instanceId, '1')).jid, 'there')
      assert.deepEqual(
        await here().downloadMedia(instanceId, { some: 'reference' }),
        new Uint8Array([1, 2, 3]),
      )
    })

    test('calls about groups and phone calls go to the node of the instance, with a picture of the largest size', async () => {
      await serve(THERE)
      calls.length = 0
      await here().setGroupPicture(instanceId, '1@g.us', new Uint8Array(GROUP_PICTURE_BYTES))
      await here().rejectCall(instanceId, 'CALL', '1@lid')
      assert.deepEqual(calls, [
        `there sets a picture of ${GROUP_PICTURE_BYTES} bytes in 1@g.us`,
        'there rejects CALL of 1@lid',
      ])
      await assert.rejects(here().changeGroup(instanceId, '1@g.us', { locked: true }), {
        kind: 'not_a_group_admin',
        code: 403,
      })
      const routed = here() as unknown as Record<string, unknown>
      const local = sessionsOf('here') as unknown as Record<string, unknown>
      for (const name of GROUP_CALLS) assert.notEqual(routed[name], local[name], name)
    })

    test('an argument that was not given is not given there either', async () => {
      calls.length = 0
      await here().checkNumber(instanceId, undefined as unknown as string)
      assert.deepEqual(calls, ['there checks undefined'])
    })

    test('errors of the owning node are passed through', async () => {
      await assert.rejects(
        here().checkNumber(instanceId, '406'),
        (error) => error instanceof NetworkError && error.kind === 'refused' && error.code === 406,
      )
    })

    test('an instance of no node: a call that starts a session takes it, any other is refused', async () => {
      await serve(null)
      assert.equal((await here(true).qr(instanceId, 0))?.code, 'here')
      await assert.rejects(here(true).checkNumber(instanceId, '1'), { kind: 'unavailable' })
    })

    test('a node that does not answer: the call waits for another owner, then is refused with a hint to retry', async () => {
      await server?.close()
      server = undefined
      await serve(THERE)
      await assert.rejects(here().checkNumber(instanceId, '1'), { kind: 'unavailable' })
      onPause = () => serve(HERE)
      assert.equal((await here().checkNumber(instanceId, '1')).jid, 'here')
      onPause = async () => undefined
    })

    test('a log-out whose node does not answer is finished later; the end of a deleted instance never fails', async () => {
      await serve(THERE)
      assert.equal(await here().logOut(instanceId), false)
      await here().end(instanceId)
    })

    test('a node whose connection breaks: the call waits for another owner, then is refused', async () => {
      const silent = createSocketServer((socket) => socket.once('data', () => socket.resetAndDestroy()))
      silent.listen(0, '127.0.0.1')
      await once(silent, 'listening')
      await register(THERE, `http://127.0.0.1:${(silent.address() as AddressInfo).port}`)
      await assert.rejects(here().checkNumber(instanceId, '1'), NetworkError)
      silent.close()
    })

    test('a call whose answer is lost is carried out once, and the caller gets its answer', async () => {
      await serve(THERE)
      const url = await listenThere()
      const cutting = await startCutting(Number(new URL(url).port), 1)
      await register(THERE, cutting.url)
      calls.length = 0
      const created = here() as unknown as { createGroup(id: number, name: string): Promise<{ jid: string }> }
      assert.deepEqual(await created.createGroup(instanceId, 'a group'), { jid: '1@g.us' })
      assert.deepEqual(calls, ['there creates a group'])
      await cutting.close()
    })

    test('a call whose answer is lost with its node: the outcome is unknown, and no other node carries it out', async () => {
      const url = await listenThere()
      const cutting = await startCutting(Number(new URL(url).port), Infinity)
      await register(THERE, cutting.url)
      const created = here() as unknown as { createGroup(id: number, name: string): Promise<unknown> }
      for (const then of [() => serve(HERE), () => serve(null), async () => undefined]) {
        await serve(THERE)
        calls.length = 0
        onPause = then
        await assert.rejects(created.createGroup(instanceId, 'a group'), { kind: 'outcome_unknown' })
        assert.deepEqual(calls, ['there creates a group'])
      }
      onPause = async () => undefined
      await cutting.close()
    })

    test('a call that may be repeated is repeated at the next owner when its answer is lost', async () => {
      const url = await listenThere()
      const cutting = await startCutting(Number(new URL(url).port), Infinity)
      await register(THERE, cutting.url)
      await serve(THERE)
      onPause = () => serve(HERE)
      assert.equal((await here().checkNumber(instanceId, '1')).jid, 'here')
      onPause = async () => undefined
      await cutting.close()
    })

    test('a callee that does not serve the instance: the call waits for its owner, then is refused', async () => {
      await listenThere(false)
      await serve(THERE)
      await assert.rejects(here().checkNumber(instanceId, '1'), { kind: 'unavailable' })
    })

    test('an answer that no node has signed is not believed', async () => {
      const stranger = createServer((_request, response) =>
        response.end(JSON.stringify({ status: 'done', result: { exists: true, jid: 'stranger' } })),
      )
      stranger.listen(0, '127.0.0.1')
      await once(stranger, 'listening')
      await register(THERE, `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`)
      await assert.rejects(here().checkNumber(instanceId, '1'), { kind: 'unavailable' })
      stranger.close()
    })

    test('a caller without the key gets 403 and changes nothing', async () => {
      const url = await listenThere()
      const before = calls.length
      const answer = await fetch(`${url}/node/v1`, {
        method: 'POST',
        body: '{"call":"wake","what":["sends"]}',
      })
      assert.equal(answer.status, 403)
      assert.equal(calls.length, before)
      const foreign = createNodeClient(nodeKey(new Uint8Array(32)), () => time)
      await assert.rejects(foreign.call({ id: THERE, url }, { call: 'hello' }))
      await foreign.close()
    })

    test('a call for another node at this address is misdirected', async () => {
      const url = await listenThere()
      assert.deepEqual(await client.call({ id: 99, url }, { call: 'hello' }), {
        status: 'misdirected',
        nodeId: THERE,
      })
      assert.deepEqual(await client.call({ id: THERE, url }, { call: 'hello' }), {
        status: 'done',
        result: THERE,
      })
    })
  })
}

/** Passes calls on to a node, and cuts its first answers. */
async function startCutting(port: number, answers: number): Promise<{ url: string; close(): Promise<void> }> {
  let left = answers
  const between = createSocketServer((socket) => {
    const target = connect(port, '127.0.0.1')
    for (const each of [socket, target]) each.on('error', () => undefined)
    socket.on('data', (request) => target.write(request)).on('close', () => target.destroy())
    target.on('data', (answer) => {
      left -= 1
      if (left < 0) socket.write(answer)
      else socket.resetAndDestroy()
    })
  }).listen(0, '127.0.0.1')
  await once(between, 'listening')
  const url = `http://127.0.0.1:${(between.address() as AddressInfo).port}`
  return { url, close: async () => void between.close() }
}

async function freePort(): Promise<{ port: number }> {
  const probe = createSocketServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return { port }
}
