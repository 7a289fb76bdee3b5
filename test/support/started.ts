// A server process with an account's key, and an instance that accepts sends without a network.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { withDatabase } from './database.ts'
import type { StoreLocation } from './engines.ts'
import { environmentOf, MAIN, type ServerProcess, startServer } from './process.ts'

export interface Started extends ServerProcess {
  url: string
  key: string
}

export const newKey = (): string => randomBytes(24).toString('hex')

export async function startWithKey(
  storeLocation: StoreLocation,
  key: string,
  more: Record<string, string> = {},
  main = MAIN,
): Promise<Started> {
  return { ...(await startServer({ ...environmentOf(storeLocation), API_KEY: key, ...more }, main)), key }
}

export const post = (server: Pick<Started, 'url' | 'key'>, path: string, body: unknown): Promise<Response> =>
  fetch(`${server.url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

export const get = (server: Pick<Started, 'url' | 'key'>, path: string): Promise<Response> =>
  fetch(server.url + path, { headers: { authorization: `Bearer ${server.key}` } })

/** An instance that is marked as logged in; returns its API name. */
export async function makeLoggedIn(
  server: Pick<Started, 'url' | 'key'>,
  storeLocation: StoreLocation,
): Promise<string> {
  const created = await post(server, '/instance/create', { instanceName: 'Flow' })
  assert.equal(created.status, 200)
  const { instance } = (await created.json()) as { instance: { apiInstanceName: string } }
  await withDatabase(storeLocation, (database) =>
    database.rows(
      `update instances set logged_in = 1, state = 'open' where api_name = '${instance.apiInstanceName}' returning id`,
    ),
  )
  return instance.apiInstanceName
}
