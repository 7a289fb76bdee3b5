// A gateway on its sandbox network, as its users drive both: instances over the API, phones and faults over `/sandbox/v1`.
import assert from 'node:assert/strict'
import { pollPause } from './poll-pause.ts'

export interface LinkedGateway {
  url: string
  key: string
}

type Json = any // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it

export interface Reply {
  status: number
  json: Json
  bytes: Buffer
  headers: Headers
}

/** Any call of the gateway with the account's key. */
export async function ask(
  gateway: LinkedGateway,
  call: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const [method = '', path = ''] = call.split(' ')
  const response = await fetch(gateway.url + path, {
    method,
    headers: {
      authorization: `Bearer ${gateway.key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  return {
    status: response.status,
    json: isJson ? JSON.parse(bytes.toString()) : undefined,
    bytes,
    headers: response.headers,
  }
}

export async function callSuccessfully(gateway: LinkedGateway, call: string, body?: unknown): Promise<Json> {
  const reply = await ask(gateway, call, body)
  assert.equal(reply.status, 200, `${call}: ${reply.status} ${reply.bytes.toString().slice(0, 500)}`)
  return reply.json
}

const API = '/api/v1'
const SANDBOX = '/sandbox/v1'
export const world = (gateway: LinkedGateway, call: string, body?: unknown): Promise<Json> =>
  callSuccessfully(gateway, call.replace(' ', ` ${SANDBOX}`), body)
export const api = (gateway: LinkedGateway, call: string, body?: unknown): Promise<Json> =>
  callSuccessfully(gateway, call.replace(' ', ` ${API}`), body)

/** A new instance that shows its code; returns its API name. */
export async function newInstance(gateway: LinkedGateway, instanceName = 'Linked'): Promise<string> {
  const { instance } = await api(gateway, 'POST /instance/create', { instanceName })
  return instance.apiInstanceName as string
}

/** A new instance that is open as this number's linked device. */
export async function linkedInstance(gateway: LinkedGateway, number: string): Promise<string> {
  const name = await newInstance(gateway)
  await world(gateway, 'POST /phones', { number, name: `Owner of ${number}` })
  await world(gateway, `POST /phones/${number}/scan`, { instanceName: name })
  await untilState(gateway, name, 'open')
  return name
}

/** State and reason in one word, as `close/logged_out`. */
export async function stateOf(gateway: LinkedGateway, name: string): Promise<string> {
  const { instance } = await api(gateway, `GET /instance/state?instanceName=${name}`)
  return instance.stateReason === null ? instance.state : `${instance.state}/${instance.stateReason}`
}

/** Far beyond what a busy machine needs; a test that passes never waits for it. */
const PATIENCE_MS = 180_000

/** Polls until `read` returns something. */
export async function until<T>(what: string, read: () => Promise<T | undefined>): Promise<T> {
  for (const since = Date.now(); Date.now() < since + PATIENCE_MS; ) {
    const found = await read()
    if (found !== undefined) return found
    await pollPause(Date.now() - since)
  }
  throw new Error(`not seen in time: ${what}`)
}

/** Resolves with all states that were seen until then, the wanted one included. */
export async function untilState(gateway: LinkedGateway, name: string, wanted: string): Promise<string[]> {
  const seen: string[] = []
  const isThere = async () => {
    const state = await stateOf(gateway, name)
    if (seen.at(-1) !== state) seen.push(state)
    return state === wanted ? true : undefined
  }
  await until(wanted, isThere).catch(() =>
    assert.fail(`state ${wanted} not reached, seen: ${seen.join(', ')}`),
  )
  return seen
}

/** A text that the gateway has received, once it is there. */
export const untilReceived = (gateway: LinkedGateway, name: string, text: string): Promise<unknown> =>
  until(`the message "${text}"`, async () => {
    const { messages } = await api(gateway, `GET /messages?instanceName=${name}&direction=incoming&limit=100`)
    return (messages as { content?: { text?: string } }[]).find((one) => JSON.stringify(one).includes(text))
  })

/** The linked devices of a phone. */
export const devicesOf = async (gateway: LinkedGateway, number: string): Promise<unknown[]> =>
  ((await world(gateway, `GET /phones/${number}`)) as { phone: { devices: unknown[] } }).phone.devices

let lastNumber = 5_511_930_000_000
/** A number that no other test of this process uses. */
export const newNumber = (): string => String((lastNumber += 1))

/** The connection events of an instance, one word each; consecutive QR codes count once. */
export async function updatesOf(gateway: LinkedGateway, name: string): Promise<string[]> {
  const { events } = await api(gateway, `GET /events?instanceName=${name}&limit=100`)
  const words = (events as { event: string; data: Json }[]).flatMap(({ event, data }) => {
    if (event === 'qrcode.updated') return [data.imagePath === null ? 'pairing code' : 'qr code']
    if (event !== 'connection.update') return []
    return [data.stateReason === null ? data.state : `${data.state}/${data.stateReason}`]
  }) as string[]
  return words.filter((word, index) => word !== 'qr code' || word !== words[index - 1])
}

/** Waits until these are its connection events. A state that is soon over can be missed by a test that reads the state alone. */
export async function untilUpdates(gateway: LinkedGateway, name: string, wanted: string[]): Promise<void> {
  await until(wanted.join(), async () =>
    (await updatesOf(gateway, name)).join() === wanted.join() ? true : undefined,
  ).catch(async () => assert.deepEqual(await updatesOf(gateway, name), wanted))
}

/** Its events while a code is shown, and from the scan on, when the network requires a new connection. */
export const SHOWN = ['connecting', 'connecting/awaiting_scan', 'qr code']
export const OPENED = ['connecting', 'open']
