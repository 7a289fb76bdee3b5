// POST /agent-sign-ins, its review, and the exchange of the code at /oauth/token
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { Client, type OAuthDiscoveryState, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { requestIn } from '../../dashboard/features/authorize/agent-request.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { contract, type Gateway, startGateway } from '../support/gateway.ts'
import { RECEIVER_HOST } from '../support/receiver.ts'
import { startWebHost, type WebHost } from '../support/web-host.ts'
import { faultPaths, withInstance } from './fixture.ts'
import { exchange as exchangeRaw } from './raw-http.ts'

const documents = new Map<string, string>()
const startHost = (): Promise<WebHost> =>
  startWebHost(
    ({ url = '' }, response) => {
      const text = documents.get(url)
      response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(text)
    },
    { tls: 'trusted' },
  )
let host: Promise<WebHost> | undefined
after(async () => (await host)?.close())

/** An agent with a document of its own. */
async function agent(change: object | string = {}) {
  const { port } = await (host ??= startHost())
  const clientId = `https://${RECEIVER_HOST}:${port}/${randomBytes(6).toString('hex')}.json`
  const document = {
    client_id: clientId,
    client_name: 'Notes',
    redirect_uris: ['https://notes.example/back', 'http://127.0.0.1/back'],
  }
  documents.set(
    new URL(clientId).pathname,
    typeof change === 'string' ? change : JSON.stringify({ ...document, ...change }),
  )
  const verifier = randomBytes(32).toString('base64url')
  const request = {
    responseType: 'code',
    clientId,
    redirectUri: 'https://notes.example/back',
    codeChallenge: createHash('sha256').update(verifier).digest('base64url'),
    codeChallengeMethod: 'S256',
    state: 'a b',
  }
  return { request, verifier, grant: { ...request, scopes: ['read', 'send'], approval: true } }
}

const exchange = (url: string, fields: Record<string, string>) =>
  fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) })

const fieldsOf = ({ request, verifier }: Awaited<ReturnType<typeof agent>>, code: string) => ({
  grant_type: 'authorization_code',
  code,
  client_id: request.clientId,
  redirect_uri: request.redirectUri,
  code_verifier: verifier,
})

const codeIn = (redirectUrl: string): string => new URL(redirectUrl).searchParams.get('code') ?? ''

/** The row of a code goes with its hash: nothing stored gives a key. */
const storedCodes = ({ store }: Gateway) => store.db.selectFrom('agent_codes').selectAll().execute()

contract('POST /agent-sign-ins/review', (gateway) => {
  const fixture = withInstance(gateway)

  test('200 says who requests it, where the code goes, and where the browser goes if it is refused', async () => {
    const { mine, url } = await fixture()
    const { request } = await agent()
    const { status, json } = await mine.call('reviewAgentSignIn', {
      body: { ...request, scope: 'contacts openid', resourceUrl: `${url}/mcp` },
    })
    assert.equal(status, 200)
    assert.deepEqual(json.agent, {
      name: 'Notes',
      clientHost: new URL(request.clientId).host,
      redirectHost: 'notes.example',
      isLocal: false,
      scopes: ['contacts'],
    })
    const refusal = new URL(json.refusalUrl)
    assert.equal(refusal.origin + refusal.pathname, 'https://notes.example/back')
    assert.deepEqual(
      ['error', 'state', 'iss', 'code'].map((name) => refusal.searchParams.get(name)),
      ['access_denied', 'a b', url, null],
    )
  })

  test('200 marks a program on the computer of the person, whose port may differ', async () => {
    const { mine } = await fixture()
    const { request } = await agent()
    const { json } = await mine.call('reviewAgentSignIn', {
      body: { ...request, redirectUri: 'http://127.0.0.1:4711/back' },
    })
    assert.deepEqual([json.agent.isLocal, json.agent.redirectHost], [true, '127.0.0.1:4711'])
  })

  test('400 names the field: the document, the redirect URI, the resource, the challenge', async () => {
    const { mine } = await fixture()
    const wrong: [object, string][] = [
      [{ redirectUri: 'https://notes.example/back?x=1' }, 'redirectUri'],
      [{ redirectUri: 'javascript:alert(1)' }, 'redirectUri'],
      [{ clientId: 'https://127.0.0.1/client.json' }, 'clientId'],
      [{ clientId: 'http://example.com/client.json' }, 'clientId'],
      [{ clientId: 'notes' }, 'clientId'],
      [{ resourceUrl: 'https://other.example/mcp' }, 'resourceUrl'],
      [{ codeChallengeMethod: 'plain' }, 'codeChallengeMethod'],
      [{ codeChallenge: 'short' }, 'codeChallenge'],
      [{ responseType: 'token' }, 'responseType'],
    ]
    for (const [change, path] of wrong) {
      const { request } = await agent()
      const answer = await mine.call('reviewAgentSignIn', { body: { ...request, ...change } })
      assert.deepEqual([answer.status, faultPaths(answer)], [400, [path]], JSON.stringify(change))
    }
    for (const document of [
      { client_id: 'https://bank.example/c.json' },
      { redirect_uris: [] },
      '[]',
      'x'.repeat(20_000),
    ]) {
      const { request } = await agent(document)
      const answer = await mine.call('reviewAgentSignIn', { body: request })
      assert.deepEqual([answer.status, faultPaths(answer)], [400, ['clientId']])
    }
  })
})

contract('POST /agent-sign-ins', (gateway) => {
  const fixture = withInstance(gateway)

  test('200 gives a code that is exchanged once, for a key with the walls that the person chose', async () => {
    const running = await fixture()
    const { mine, url, instance } = running
    const requested = await agent()
    const granted = await mine.call('grantAgentSignIn', {
      body: { ...requested.grant, instances: [instance.name], messagesPerDay: 5 },
    })
    assert.equal(granted.status, 200)
    assert.equal(granted.headers.get('cache-control'), 'no-store')
    const redirect = new URL(granted.json.redirectUrl)
    assert.deepEqual([redirect.searchParams.get('state'), redirect.searchParams.get('iss')], ['a b', url])
    const code = codeIn(granted.json.redirectUrl)
    assert.ok(!JSON.stringify(await storedCodes(running)).includes(code))
    const answer = await exchange(url, { ...fieldsOf(requested, code), resource: `${url}/mcp` })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const { access_token: key, ...rest } = (await answer.json()) as Record<string, string>
    assert.deepEqual(rest, { token_type: 'Bearer', scope: 'read send' })
    const current = (await mine.call('currentApiKey', { key: key ?? '' })).json.apiKey
    assert.equal(current.name, `${new URL(requested.request.clientId).host}: Notes`)
    assert.deepEqual(
      [current.scopes, current.instances, current.messagesPerDay, current.approval],
      [['read', 'send'], [instance.name], 5, true],
    )
    const listed = (await mine.call('listApiKeys')).json.apiKeys
    assert.ok(listed.some(({ id }: { id: number }) => id === current.id))
    // Used again, the code gives nothing, and its key is revoked: one of the two users has stolen it.
    const again = await exchange(url, fieldsOf(requested, code))
    assert.deepEqual(
      [again.status, ((await again.json()) as { error: string }).error],
      [400, 'invalid_grant'],
    )
    const revoked = (await mine.call('listApiKeys')).json.apiKeys.find(
      ({ id }: { id: number }) => id === current.id,
    )
    assert.notEqual(revoked.revokedAt, null)
  })

  test('of simultaneous exchanges of one code at most one gives a key', async () => {
    const { mine, url } = await fixture()
    const requested = await agent()
    const { json } = await mine.call('grantAgentSignIn', { body: requested.grant })
    const fields = fieldsOf(requested, codeIn(json.redirectUrl))
    const answers = await Promise.all(Array.from({ length: 5 }, () => exchange(url, fields)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })

  test('a wrong verifier, client, redirect URI or resource gives no key, and uses the code up', async () => {
    const { mine, url } = await fixture()
    const wrong: [Record<string, string>, string][] = [
      [{ code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
      [{ client_id: 'https://other.example/c.json' }, 'invalid_grant'],
      [{ redirect_uri: 'http://127.0.0.1/back' }, 'invalid_grant'],
    ]
    for (const [change, error] of wrong) {
      const requested = await agent()
      const { json } = await mine.call('grantAgentSignIn', { body: requested.grant })
      const fields = fieldsOf(requested, codeIn(json.redirectUrl))
      const answer = await exchange(url, { ...fields, ...change })
      assert.deepEqual([answer.status, ((await answer.json()) as { error: string }).error], [400, error])
      assert.equal((await exchange(url, fields)).status, 400)
    }
    const unread = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    assert.deepEqual(
      [unread.status, ((await unread.json()) as { error: string }).error],
      [400, 'invalid_request'],
    )
    for (const [change, error] of [
      [{ grant_type: 'client_credentials' }, 'unsupported_grant_type'],
      [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
      [{ code: '' }, 'invalid_request'],
    ] as const) {
      const answer = await exchange(url, { ...fieldsOf(await agent(), 'code'), ...change })
      assert.deepEqual([answer.status, ((await answer.json()) as { error: string }).error], [400, error])
    }
  })

  test('a code ends after a minute, and with the key of the person who allowed it', async () => {
    const { mine, url, clock } = await fixture()
    const late = await agent()
    const { json } = await mine.call('grantAgentSignIn', { body: late.grant })
    clock.advance(60_001)
    assert.equal((await exchange(url, fieldsOf(late, codeIn(json.redirectUrl)))).status, 400)
    const { key, apiKey } = (await mine.call('createApiKey', { body: { name: 'Person' } })).json
    const orphan = await agent()
    const granted = await mine.call('grantAgentSignIn', { body: orphan.grant, key })
    await mine.call('revokeApiKey', { params: { id: apiKey.id } })
    assert.equal((await exchange(url, fieldsOf(orphan, codeIn(granted.json.redirectUrl)))).status, 400)
  })

  test('400 without a wall, and for an instance that does not exist', async () => {
    const { mine } = await fixture()
    const { grant } = await agent()
    for (const [change, path] of [
      [{ approval: false }, 'approval'],
      [{ instances: ['nothing-00000000'] }, 'instances.0'],
      [{ scopes: [] }, 'scopes'],
      [{ scopes: ['keys'] }, 'scopes.0'],
      [{ redirectUri: 'https://evil.example/back' }, 'redirectUri'],
    ] as const) {
      const answer = await mine.call('grantAgentSignIn', { body: { ...grant, ...change } })
      assert.deepEqual([answer.status, faultPaths(answer)], [400, [path]], JSON.stringify(change))
    }
  })

  test('403 when the key of the person has fewer scopes than it would give', async () => {
    const { mine } = await fixture()
    const { grant } = await agent()
    const { key } = (await mine.call('createApiKey', { body: { name: 'Keys', scopes: ['keys', 'read'] } }))
      .json
    const answer = await mine.call('grantAgentSignIn', { body: grant, key })
    assert.deepEqual([answer.status, answer.json.reason], [403, 'scope_missing'])
  })

  test('an agent without a key learns where to sign in', async () => {
    const { url } = await fixture()
    const refused = await fetch(`${url}/mcp`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    const hint = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1] ?? ''
    assert.equal(refused.status, 401)
    const resource = (await (await fetch(hint)).json()) as Record<string, string[]>
    assert.deepEqual([resource['resource'], resource['authorization_servers']], [`${url}/mcp`, [url]])
    const server = await fetch(`${url}/.well-known/oauth-authorization-server`)
    const { code_challenge_methods_supported: methods, issuer } = (await server.json()) as Record<
      string,
      unknown
    >
    assert.deepEqual([methods, issuer], [['S256'], url])
  })

  test('the official client signs in, uses the tools of its key, and has no more when the key is revoked', async () => {
    const { mine, url, instance, clock } = await fixture()
    const { request } = await agent()
    let requested: URL | undefined
    let tokens: { access_token: string; token_type: string } | undefined
    let verifier = ''
    let information: { client_id: string } | undefined
    let discovered: OAuthDiscoveryState | undefined
    const authProvider = {
      redirectUrl: request.redirectUri,
      clientMetadataUrl: request.clientId,
      clientMetadata: { redirect_uris: [request.redirectUri] },
      clientInformation: () => information,
      saveClientInformation: (saved: { client_id: string }) => void (information = saved),
      saveDiscoveryState: (saved: OAuthDiscoveryState) => void (discovered = saved),
      discoveryState: () => discovered,
      tokens: () => tokens,
      saveTokens: (saved: NonNullable<typeof tokens>) => void (tokens = saved),
      redirectToAuthorization: (to: URL) => void (requested = to),
      saveCodeVerifier: (text: string) => void (verifier = text),
      codeVerifier: () => verifier,
    }
    const transport = () => new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider })
    const connect = async () => {
      const client = new Client({ name: 'test', version: '1' })
      await client.connect(transport())
      return client
    }
    await assert.rejects(connect())
    assert.equal((requested?.origin ?? '') + requested?.pathname, `${url}/oauth/authorize`)
    // What the authorization page does, with the address that the client has opened in the browser.
    const body = requestIn(requested?.search ?? '')
    assert.equal((await mine.call('reviewAgentSignIn', { body })).status, 200)
    const chosen = { scopes: ['read'], instances: [instance.name] }
    const { json } = await mine.call('grantAgentSignIn', { body: { ...body, ...chosen } })
    const answered = new URL(json.redirectUrl)
    assert.equal(answered.searchParams.get('iss'), url)
    await transport().finishAuth(answered.searchParams)
    const client = await connect()
    const names = new Set((await client.listTools()).tools.map(({ name }) => name))
    assert.ok(names.has('read_conversation') && !names.has('send_text'))
    const listed = await client.callTool({ name: 'list_instances', arguments: {} })
    assert.match(JSON.stringify(listed.structuredContent), new RegExp(instance.name))
    const own = (await mine.call('currentApiKey', { key: tokens?.access_token ?? '' })).json.apiKey
    await mine.call('revokeApiKey', { params: { id: own.id } })
    // A caller is remembered for less than this.
    clock.advance(1000)
    assert.equal((await mine.call('currentApiKey', { key: tokens?.access_token ?? '' })).status, 401)
    await client.close()
  })
})

contract('signing in of agents by a host name that is not checked', (gateway) => {
  const fixture = withInstance(gateway)
  const ask = async (host: string, method: string, path: string, lines: string[] = [], body = '') => {
    const { url } = await fixture()
    const head = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...lines]
    const length = `Content-Length: ${Buffer.byteLength(body)}`
    return exchangeRaw(url, `${[...head, length].join('\r\n')}\r\n\r\n${body}`)
  }
  const DOCUMENTS = [
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server',
  ]

  test('400 for every document, which names neither the host nor a way to sign in', async () => {
    const port = new URL((await fixture()).url).port
    for (const host of ['evil.example', '10.9.8.7', `localhost.evil.example:${port}`])
      for (const path of DOCUMENTS) {
        const answer = await ask(host, 'GET', path)
        assert.deepEqual([answer.status, faultPaths(answer)], [400, ['Host']], `${host} ${path}`)
        assert.doesNotMatch(answer.bytes.toString(), /evil|10\.9\.8\.7|authorization_endpoint/)
      }
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`])
      for (const path of DOCUMENTS) {
        const answer = await ask(host, 'GET', path)
        assert.equal(answer.status, 200, path)
        assert.equal(answer.json.issuer ?? answer.json.authorization_servers[0], `http://${host}`)
      }
  })

  test('401 of /mcp has no address of a document', async () => {
    const answer = await ask('evil.example', 'POST', '/mcp')
    assert.deepEqual([answer.status, answer.headers.get('www-authenticate')], [401, 'Bearer'])
  })

  test('400 for the review, the grant and the exchange', async () => {
    const { mine } = await fixture()
    const made = await agent()
    const lines = [`Authorization: Bearer ${mine.key}`, 'Content-Type: application/json']
    for (const [path, body] of [
      ['/api/v1/agent-sign-ins/review', made.request],
      ['/api/v1/agent-sign-ins', made.grant],
    ] as const) {
      const answer = await ask('evil.example', 'POST', path, lines, JSON.stringify(body))
      assert.deepEqual([answer.status, faultPaths(answer)], [400, ['Host']], path)
    }
    const code = codeIn((await mine.call('grantAgentSignIn', { body: made.grant })).json.redirectUrl)
    const form = new URLSearchParams(fieldsOf(made, code)).toString()
    const asForm = ['Content-Type: application/x-www-form-urlencoded']
    const refused = await ask('evil.example', 'POST', '/oauth/token', asForm, form)
    assert.deepEqual([refused.status, refused.json.error], [400, 'invalid_request'])
    const { url } = await fixture()
    assert.equal((await exchange(url, fieldsOf(made, code))).status, 200, 'the code was not used up')
  })
})

test('with PUBLIC_URL the documents name it, whatever the Host header says', async () => {
  const [engine] = behaviourEngines()
  assert.ok(engine)
  const gateway = await startGateway(engine, { PUBLIC_URL: 'https://gateway.example' })
  const head =
    'GET /.well-known/oauth-authorization-server HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n'
  assert.equal((await exchangeRaw(gateway.url, head)).json.issuer, 'https://gateway.example')
  await gateway.stop()
})
