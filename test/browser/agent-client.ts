// A program that signs in on the authorization page: its metadata document on a host of the test, and the address that it opens.
import { createHash } from 'node:crypto'
import { startWebHost } from '../support/web-host.ts'

export interface AgentClient {
  clientId: string
  redirectUri: string
  verifier: string
  /** The path of the authorization page with the request of the program. */
  address(change?: Record<string, string>): string
  close(): Promise<void>
}

/** The result of the page goes to `origin`, the dashboard itself, where a test can read it. */
export async function startAgentClient(origin: string): Promise<AgentClient> {
  const document = { client_name: 'Notes <b>7</b>', redirect_uris: ['http://127.0.0.1/overview'] }
  const host = await startWebHost(
    (request, response) =>
      response.end(JSON.stringify({ client_id: `${host.url}${request.url}`, ...document })),
    { tls: 'trusted' },
  )
  const clientId = `${host.url}/client.json`
  const redirectUri = `${origin}/overview`
  const verifier = 'v'.repeat(50)
  const request = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'x&y',
  }
  return {
    clientId,
    redirectUri,
    verifier,
    address: (change = {}) => `/oauth/authorize?${new URLSearchParams({ ...request, ...change }).toString()}`,
    close: async () => host.close(),
  }
}
