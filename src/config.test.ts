// Which keys the environment may set: only those that a client can send in a header, and not the same key twice. And where
// files of received messages may be stored, and which settings can be in files.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { allowsPasskeys, filesLocationOf, readSettings, SettingsError } from './config.ts'

const KEY = 'k'.repeat(32)

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readSettings(environment)
    return []
  } catch (error) {
    assert.ok(error instanceof SettingsError)
    assert.ok(!error.message.includes('kkkk'), 'the value is not in the message')
    return error.faults
  }
}

describe('keys in the environment', () => {
  const PRINTABLE = 'expected printable ASCII characters without spaces'
  for (const name of ['API_KEY', 'OPERATOR_KEY']) {
    for (const value of [
      `${KEY} ${KEY}`,
      ` ${KEY}`,
      `${KEY}\n`,
      `${KEY}\t`,
      `${KEY}\u0001`,
      `${KEY}\u007f`,
      `${KEY}é`,
    ])
      test(`${name}=${JSON.stringify(value)} is refused`, () =>
        assert.deepEqual(faultsOf({ [name]: value }), [`${name}: ${PRINTABLE}`]))

    test(`${name} of 32 to 256 printable characters is accepted`, () => {
      assert.deepEqual(faultsOf({ [name]: `${KEY}!~"\\` }), [])
      assert.deepEqual(faultsOf({ [name]: 'k'.repeat(31) }), [`${name}: expected at least 32 characters`])
      assert.deepEqual(faultsOf({ [name]: 'k'.repeat(257) }), [`${name}: expected at most 256 characters`])
    })
  }

  test('SANDBOX_KEY with spaces is refused', () => {
    const environment = { SANDBOX_URL: 'http://127.0.0.1:1', SANDBOX_KEY: `${KEY} ${KEY}` }
    assert.deepEqual(faultsOf(environment), [`SANDBOX_KEY: ${PRINTABLE}`])
  })

  test('the same key for account and operator is refused', () => {
    assert.deepEqual(faultsOf({ API_KEY: KEY, OPERATOR_KEY: KEY }), [
      'API_KEY: must be different from OPERATOR_KEY',
    ])
    assert.deepEqual(faultsOf({ API_KEY: KEY, OPERATOR_KEY: `${KEY}2` }), [])
  })
})

describe('FILES_URL', () => {
  const DATABASE_URL = 'postgres://localhost/switchboard'
  const NODES = {
    NODE_URL: 'http://10.0.0.1:8081',
    DATABASE_URL,
    MASTER_KEY: Buffer.alloc(32).toString('base64'),
    OPERATOR_KEY: KEY,
    NETWORK: 'whatsapp',
  }
  const CREDENTIALS = { FILES_ACCESS_KEY: 'AKIA', FILES_SECRET_KEY: 'kkkkkkkk' }
  const locationOf = (environment: Record<string, string>) => filesLocationOf(readSettings(environment))

  test('is the disk by default, and PostgreSQL with several nodes', () => {
    assert.deepEqual(locationOf({}), { kind: 'disk' })
    assert.deepEqual(locationOf({ DATABASE_URL }), { kind: 'disk' })
    assert.deepEqual(locationOf(NODES), { kind: 'postgres' })
    assert.deepEqual(locationOf({ DATABASE_URL, FILES_URL: 'postgres' }), { kind: 'postgres' })
    assert.deepEqual(locationOf({ FILES_URL: 'disk' }), { kind: 'disk' })
  })

  test('names an S3-compatible store', () => {
    const store = { kind: 's3', bucket: 'media' }
    const of = (FILES_URL: string) => locationOf({ ...CREDENTIALS, FILES_URL })
    assert.deepEqual(of('s3://media/some/prefix?endpoint=https://minio.example:9000&region=eu-central-1'), {
      ...store,
      endpoint: 'https://minio.example:9000',
      region: 'eu-central-1',
      prefix: 'some/prefix/',
    })
    assert.deepEqual(of('s3://media/?endpoint=http://10.0.0.9:9000/'), {
      ...store,
      endpoint: 'http://10.0.0.9:9000',
      region: 'us-east-1',
      prefix: '',
    })
    assert.deepEqual(of('s3://media?region=eu-west-1'), {
      ...store,
      endpoint: 'https://s3.eu-west-1.amazonaws.com',
      region: 'eu-west-1',
      prefix: '',
    })
  })

  for (const FILES_URL of [
    'kkkk',
    'file:///kkkk',
    's3://media',
    's3://',
    's3://a/?region=eu-west-1',
    's3://AKIA:kkkk@media?region=eu-west-1',
    's3://media?region=eu-west-1&secretKey=kkkk',
    's3://media?region=EU/../west',
    's3://media/a/../b?endpoint=https://kkkk:9000/path',
    's3://media/a//b?region=eu-west-1',
    's3://media?endpoint=https://user:kkkk@host',
    's3://media?endpoint=ftp://kkkk',
  ])
    test(`${FILES_URL} is refused`, () => {
      const faults = faultsOf({ ...CREDENTIALS, FILES_URL })
      assert.equal(faults.length, 1)
      assert.match(faults[0] ?? '', /^FILES_URL: expected disk, postgres, or s3:/)
    })

  test('requires what the location needs', () => {
    const s3 = { FILES_URL: 's3://media?region=eu-west-1' }
    assert.deepEqual(faultsOf(s3), [
      'FILES_ACCESS_KEY: required with FILES_URL=s3://…',
      'FILES_SECRET_KEY: required with FILES_URL=s3://…',
    ])
    assert.deepEqual(faultsOf({ ...NODES, ...CREDENTIALS, ...s3 }), [])
    assert.deepEqual(faultsOf({ FILES_URL: 'postgres' }), ['DATABASE_URL: required with FILES_URL=postgres'])
    assert.match(faultsOf({ ...NODES, FILES_URL: 'disk' }).join(), /^FILES_URL: disk is not possible/)
  })
})

describe('settings in files', () => {
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-settings-'))
  after(() => rmSync(directory, { recursive: true }))
  const file = (name: string, text: string): string => {
    writeFileSync(join(directory, name), text)
    return join(directory, name)
  }

  test('are read without the line end', () => {
    const path = file('key', `${KEY}\n`)
    for (const name of ['API_KEY', 'OPERATOR_KEY', 'FILES_SECRET_KEY'] as const)
      assert.equal(readSettings({ [`${name}_FILE`]: path })[name], KEY)
    const url = 'postgres://user:secret@host/database'
    assert.equal(readSettings({ DATABASE_URL_FILE: file('url', url) }).DATABASE_URL, url)
    assert.deepEqual(
      readSettings({ OTEL_EXPORTER_OTLP_HEADERS_FILE: file('headers', 'x-token=secret\n') })
        .OTEL_EXPORTER_OTLP_HEADERS,
      { 'x-token': 'secret' },
    )
  })

  test('are refused if they are missing, empty, not valid, or also given as a value', () => {
    assert.deepEqual(faultsOf({ API_KEY_FILE: join(directory, 'none') }), [
      'API_KEY_FILE: cannot be read (ENOENT)',
    ])
    assert.deepEqual(faultsOf({ API_KEY_FILE: file('empty', '\n') }), ['API_KEY_FILE: the file is empty'])
    assert.deepEqual(faultsOf({ MASTER_KEY_FILE: file('short', 'kkkk') }), [
      'MASTER_KEY: expected 32 bytes in base64',
    ])
    assert.deepEqual(faultsOf({ API_KEY: KEY, API_KEY_FILE: file('other', 'o'.repeat(32)) }), [
      'API_KEY, API_KEY_FILE: set one of them',
    ])
  })

  test('count as set where another setting requires them', () => {
    const path = file('secret', KEY)
    const s3 = { FILES_URL: 's3://media?region=eu-west-1' }
    assert.deepEqual(faultsOf({ ...s3, FILES_ACCESS_KEY_FILE: path, FILES_SECRET_KEY_FILE: path }), [])
  })
})

describe('the proxies of the server', () => {
  test('are read in both forms, the lower-case one first, and get the scheme http if they have none', () => {
    const { HTTP_PROXY, HTTPS_PROXY, NO_PROXY } = readSettings({
      HTTP_PROXY: 'http://upper.test:1',
      http_proxy: 'lower.test:2',
      HTTPS_PROXY: 'socks5://user:secret@upper.test',
      no_proxy: 'a.test',
    })
    assert.deepEqual(
      [HTTP_PROXY, HTTPS_PROXY, NO_PROXY],
      ['http://lower.test:2', 'socks5://user:secret@upper.test', 'a.test'],
    )
    assert.equal(readSettings({ HTTP_PROXY: 'http://a.test', http_proxy: '' }).HTTP_PROXY, 'http://a.test')
  })

  test('are refused by name and without the value if they are not a proxy', () => {
    for (const value of [
      'ftp://secret.test',
      'http://secret.test/path',
      'http://',
      'socks4://secret.test',
      'a b',
    ])
      assert.throws(
        () => readSettings({ HTTPS_PROXY: value }),
        (error: SettingsError) =>
          error.faults[0]?.startsWith('HTTPS_PROXY: expected') === true && !error.message.includes('secret'),
        value,
      )
  })
})

describe('the collector of traces', () => {
  const settingsOf = (environment: Record<string, string>) => readSettings(environment)

  test('OTEL_EXPORTER_OTLP_ENDPOINT is used without a slash at its end', () => {
    for (const [given, used] of [
      ['http://127.0.0.1:4318', 'http://127.0.0.1:4318'],
      ['http://127.0.0.1:4318/', 'http://127.0.0.1:4318'],
      ['https://collector.example/otlp/', 'https://collector.example/otlp'],
    ] as const)
      assert.equal(settingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: given }).OTEL_EXPORTER_OTLP_ENDPOINT, used)
  })

  for (const value of [
    '127.0.0.1:4318',
    'grpc://a:4317',
    'http://me:kkkk@a',
    'http://a?key=kkkk',
    'http://a#b',
  ])
    test(`OTEL_EXPORTER_OTLP_ENDPOINT=${value} is refused`, () =>
      assert.deepEqual(faultsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: value }), [
        'OTEL_EXPORTER_OTLP_ENDPOINT: expected an http or https URL without credentials and query',
      ]))

  test('OTEL_EXPORTER_OTLP_HEADERS has percent-encoded values, which may contain an equals sign', () => {
    const { OTEL_EXPORTER_OTLP_HEADERS } = settingsOf({
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20dXNlcg==, x-scope = a%2Cb',
    })
    assert.deepEqual(OTEL_EXPORTER_OTLP_HEADERS, { authorization: 'Basic dXNlcg==', 'x-scope': 'a,b' })
  })

  for (const value of ['kkkk', 'a=', '=kkkk', 'a b=kkkk', 'a=%zz', 'a=kkkk%0d%0ab:c', 'a=1,,b=2'])
    test(`OTEL_EXPORTER_OTLP_HEADERS=${value} is refused without its value`, () =>
      assert.deepEqual(faultsOf({ OTEL_EXPORTER_OTLP_HEADERS: value }), [
        'OTEL_EXPORTER_OTLP_HEADERS: expected name=value, separated by commas, with percent-encoded values',
      ]))
})

test('a passkey may be used with the sandbox, and on the real network only if the operator wants it', () => {
  const allowed = (environment: NodeJS.ProcessEnv) => allowsPasskeys(readSettings(environment))
  assert.deepEqual(
    [{}, { NETWORK: 'whatsapp' }].flatMap((network) => [
      allowed(network),
      allowed({ ...network, PASSKEY_LINKING: 'on' }),
      allowed({ ...network, PASSKEY_LINKING: 'off' }),
    ]),
    [true, true, false, false, true, false],
  )
  assert.throws(() => readSettings({ PASSKEY_LINKING: 'yes' }), /PASSKEY_LINKING/)
})

test('COMPAT names dialects that exist, and none by default', () => {
  assert.equal(readSettings({}).COMPAT, undefined)
  assert.deepEqual(readSettings({ COMPAT: 'evolution' }).COMPAT, ['evolution'])
  assert.deepEqual(readSettings({ COMPAT: 'evolution, cloud' }).COMPAT, ['evolution', 'cloud'])
  for (const COMPAT of ['clouds', 'evolution;cloud', 'Evolution'])
    assert.throws(() => readSettings({ COMPAT }), /COMPAT.*expected evolution, cloud/)
})
