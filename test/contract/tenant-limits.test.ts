// The limits of one tenant say nothing about another one: a token, a bridge and a key with equal ids have buckets of their own.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { startChatwootServer } from '../support/chatwoot-server.ts'
import { evolutionClient } from '../support/evolution.ts'
import { type Gateway, startGateway } from '../support/gateway.ts'
import { RECEIVER_HOST } from '../support/receiver.ts'
import { shared } from './fixture.ts'

const RATE = 5

for (const engine of behaviourEngines())
  describe(`limits between tenants on ${engine.name}`, () => {
    const gateway = shared(() => startGateway(engine, { COMPAT: 'evolution', RATE_LIMIT: String(RATE) }))
    const chatwoot = shared(startChatwootServer)
    after(async () => {
      await (await gateway()).stop()
      await (await chatwoot()).close()
    })

    /** The id of a new bridge, and the URL that its Chatwoot posts to. */
    async function bridge(running: Gateway): Promise<{ id: number; hook: string }> {
      const desk = await chatwoot()
      const owner = await running.account()
      const { name } = await running.openInstance(owner)
      const { accountId, token } = desk
      const url = `https://${RECEIVER_HOST}:${new URL(desk.url).port}/`
      const body = { url, accountId, token, gatewayUrl: running.url, inboxName: name }
      const saved = await owner.call('saveChatwoot', { params: { instanceName: name }, body })
      const inbox = desk.inboxes.find((each) => each.name === name)
      assert.ok(inbox, JSON.stringify(saved.json))
      return { id: saved.json.bridge.webhookId, hook: inbox.webhook_url }
    }

    test('an instance token that has used up its rate leaves a bridge with the same id alone', async () => {
      const running = await gateway()
      const tenant = await running.account()
      const client = evolutionClient(running.url, tenant.key)
      const tokens = new Map<number, string>()
      let found: { token: string; hook: string } | undefined
      while (!found) {
        const { json } = await client('POST /instance/create', { instanceName: `named-${tokens.size}` })
        tokens.set(Number(json.instance.instanceId), json.hash)
        const { id, hook } = await bridge(running)
        const token = tokens.get(id)
        if (token !== undefined) found = { token, hook }
        running.clock.advance(1000)
      }
      running.clock.freeze()
      const loud = evolutionClient(running.url, found.token)
      const statuses: number[] = []
      for (let count = 0; count <= RATE * 2; count += 1)
        statuses.push((await loud('GET /instance/fetchInstances')).status)
      assert.equal(statuses.at(-1), 429, 'the bucket of the token is empty')
      const post = await fetch(found.hook, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{}',
      })
      assert.notEqual(post.status, 429)
    })
  })
