// A client of the Evolution dialect, as an existing integration would call it.
import assert from 'node:assert/strict'
import { CALLS } from '../../src/doors/evolution/serve.ts'
import { AUTHORITY_FILE } from './certificates.ts'
import type { Engine } from './engines.ts'
import { type PairedInstance, type SandboxWorld, startSandboxWorld, until } from './sandbox-world.ts'

export interface EvolutionReply {
  status: number
  json: any // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it
  headers: Headers
}

export type EvolutionClient = (
  call: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<EvolutionReply>

/** `call` is a method and a path, such as `POST /message/sendText/shop`. A `FormData` is sent as a form. */
export const evolutionClient =
  (url: string, apikey: string | undefined): EvolutionClient =>
  async (call, body, headers = {}) => {
    const [method = '', path = ''] = call.split(' ')
    const isForm = body instanceof FormData
    const response = await fetch(`${url}/compat/evolution${path}`, {
      method,
      headers: {
        ...(apikey === undefined ? {} : { apikey }),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      json: text === '' ? undefined : JSON.parse(text),
      headers: response.headers,
    }
  }

/** Every refusal has this form and nothing else. */
export function assertRefused(reply: EvolutionReply, status: number, message: RegExp): void {
  assert.equal(reply.status, status, JSON.stringify(reply.json))
  assert.deepEqual(Object.keys(reply.json).toSorted(), ['error', 'response', 'status'])
  assert.equal(reply.json.status, status)
  assert.deepEqual(Object.keys(reply.json.response), ['message'])
  assert.match(reply.json.response.message.join('\n'), message)
}

/** Notes the answers of a client, so that a test can tell which calls of a family had no success. */
export function watchCalls(client: EvolutionClient): {
  client: EvolutionClient
  missing(family: string): string[]
} {
  const seen = new Set<string>()
  return {
    async client(call, body, headers) {
      const reply = await client(call, body, headers)
      const [method, path = ''] = call.split(' ')
      const name = path.split('?')[0]?.split('/').slice(1, 3).join('/')
      seen.add(`${method} ${name} ${reply.status}`)
      return reply
    },
    missing: (family) =>
      CALLS.flatMap(([method, path, { status }]) => {
        const name = path.split('/').slice(1, 3).join('/')
        const wanted = `${method} ${name} ${status}`
        return path.startsWith(`/${family}/`) && !seen.has(wanted) ? [wanted] : []
      }),
  }
}

export interface EvolutionWorld {
  sandbox: SandboxWorld
  /** The instance `shop`, which is open. */
  line: PairedInstance
  shop: EvolutionClient
  missing(family: string): string[]
  stop(): Promise<void>
}

/** A gateway with the dialect, and the instance `shop` of this number. */
export async function startEvolutionWorld(
  engine: Engine,
  number: string,
  environment: Record<string, string> = {},
): Promise<EvolutionWorld> {
  const storeLocation = await engine.createLocation()
  const { databaseUrl } = storeLocation
  const sandbox = await startSandboxWorld({
    COMPAT: 'evolution',
    EXTRA_CA_FILE: AUTHORITY_FILE,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    ...environment,
  })
  const created = await evolutionClient(sandbox.app.url, sandbox.key)('POST /instance/create', {
    instanceName: 'shop',
  })
  assert.equal(created.status, 201, JSON.stringify(created.json))
  const watched = watchCalls(evolutionClient(sandbox.app.url, created.json.hash))
  const [instance] = (await sandbox.api('listInstances')).instances
  await sandbox.world.phone(number, 'Owner')
  await sandbox.world.post(`/phones/${number}/scan`, { instanceName: instance.apiInstanceName })
  await until(
    async () => (await watched.client('GET /instance/connectionState/shop')).json.instance.state,
    (state) => state === 'open',
    'the open instance',
  )
  return {
    sandbox,
    line: { name: instance.apiInstanceName, id: instance.id, number },
    shop: watched.client,
    missing: watched.missing,
    async stop() {
      await sandbox.stop()
      await storeLocation.dispose()
    },
  }
}
