// The TypeScript client in a page, bundled as the bundler of a web project does it, and of the same origin as the gateway.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { rolldown } from 'rolldown'
import { dashboard, skip } from './dashboard.ts'

const SOURCE = join(import.meta.dirname, '../../clients/typescript/src/index.ts')

/** Runs in the page, as text, because the types of the tests are those of Node. */
const PROGRAM = `async ({ key, instanceName, number, delivery }) => {
  const { createClient, SwitchboardError, verifyDelivery } = await import('/client.js')
  const client = createClient({ url: '', key })
  const { next } = await client.listEvents({ before: 'end', limit: 1 })
  const sent = await client.sendText({ instanceName, number, message: 'From a page', delay: 0 }, { waitSeconds: 60 })
  const file = new TextEncoder().encode('The bytes of a page')
  const { mediaId } = await client.uploadMedia({ file, contentType: 'text/plain', fileName: 'a.txt' })
  const { messageId } = await client.sendMedia({ instanceName, number, mediaId, type: 'document', delay: 0 }, { waitSeconds: 60 })
  const { bytes } = await client.getMessageMedia({ messageId })
  const listed = []
  for await (const one of client.iterateMessages({ instanceName, direction: 'outgoing', limit: 1 })) listed.push(one.messageId)
  let followed
  for await (const event of client.events({ after: next ?? 'start', events: ['messages.upsert'] })) {
    followed = event.data.messageId
    break
  }
  const refusal = await client.sendText({ instanceName, number: 'x', message: 'x' }).catch((error) => error)
  const verdicts = [await verifyDelivery(delivery), await verifyDelivery({ ...delivery, body: 'other' })]
  return {
    sent: sent.messageId, status: sent.status, file: messageId, text: new TextDecoder().decode(bytes), listed, followed,
    reason: refusal instanceof SwitchboardError && refusal.reason, verdicts,
  }
}`

function delivery() {
  const [body, secret, timestamp] = ['{}', 'whsec_of_a_test', String(Math.floor(Date.now() / 1000))]
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  return { body, secret, headers: { 'x-service-timestamp': timestamp, 'x-service-signature': signature } }
}

describe('the TypeScript client in a browser', { skip }, () => {
  test('sends, moves files, lists pages and follows events', async () => {
    const { open, world } = await dashboard()
    const bundle = await rolldown({ input: SOURCE, platform: 'browser' })
    const { output } = await bundle.generate({ format: 'esm' })
    assert.equal(output.length, 1)
    const { name: instanceName } = await world.pair('5511955560001')
    await world.world.phone('5511955560002', 'Ana')
    const { page, close } = await open('/readyz')
    const origin = new URL(page.url()).origin
    await page.route(`${origin}/client.*`, (route) =>
      route.request().url().endsWith('.js')
        ? route.fulfill({ contentType: 'text/javascript', body: output[0].code })
        : route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Client</title>' }),
    )
    await page.goto('/client.html')
    const task = { key: world.key, instanceName, number: '5511955560002', delivery: delivery() }
    const seen = await page.evaluate<Record<string, unknown>>(`(${PROGRAM})(${JSON.stringify(task)})`)
    assert.equal((await world.world.shown('5511955560002', String(seen['sent']))).text, 'From a page')
    assert.deepEqual(seen, {
      sent: seen['sent'],
      status: 'sent',
      file: seen['file'],
      text: 'The bytes of a page',
      listed: [seen['file'], seen['sent']],
      followed: seen['sent'],
      reason: 'invalid_request',
      verdicts: [true, false],
    })
    await close()
  })
})
