// A shop posts its orders here, and customers get a notice of each new status. An order that is posted twice is announced once.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { createClient, SwitchboardError } from 'switchboard-client'

const client = createClient({
  url: process.env.SWITCHBOARD_URL ?? 'http://127.0.0.1:8080',
  key: process.env.API_KEY ?? readFileSync('data/first-api-key', 'utf8').trim(),
})

const NOTICES = {
  paid: ({ name, id }) => `Thank you, ${name}! We have received your payment of order ${id}.`,
  shipped: ({ name, id, tracking }) => `${name}, order ${id} is on its way. Tracking number: ${tracking}`,
  delivered: ({ name, id }) => `${name}, order ${id} has arrived. Enjoy it!`,
}

/** The instance that `INSTANCE` names; otherwise the first one that is connected. */
async function findInstance() {
  if (process.env.INSTANCE !== undefined) return process.env.INSTANCE
  const { instances } = await client.listInstances()
  const connected = instances.find(({ isConnected }) => isConnected)
  if (connected === undefined) throw new Error('No instance is connected. Link one first.')
  return connected.apiInstanceName
}

const instanceName = await findInstance()

/** The shop gets a status that tells it whether to post the order again. */
async function announce(order) {
  const notice = NOTICES[order.status]
  if (notice === undefined) return [422, { error: `There is no notice for the status ${order.status}.` }]
  try {
    const sent = await client.sendText(
      { instanceName, number: order.phone, message: notice(order) },
      { idempotencyKey: `order ${order.id} ${order.status}` },
    )
    return [200, { messageId: sent.messageId }]
  } catch (error) {
    if (!(error instanceof SwitchboardError)) throw error
    const isFinal = error.status >= 400 && error.status < 500 && error.status !== 429
    return [isFinal ? 422 : 503, { error: error.message }]
  }
}

const server = createServer(async (request, response) => {
  const order = await json(request).catch(() => undefined)
  const isOrder = typeof order?.id === 'string' && typeof order.phone === 'string'
  const [status, answer] = isOrder
    ? await announce(order)
    : [400, { error: 'Expected id, phone, name, status.' }]
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
})
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`Orders are taken at http://127.0.0.1:${server.address().port}`)
})
