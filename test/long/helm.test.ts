// The Helm chart: what it renders is what the program needs, and wrong values are refused.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parse } from 'yaml'
import { readSettings, SettingsSchema } from '../../src/config.ts'
import { fullPath, type Route } from '../../src/contract/route.ts'
import { routes } from '../../src/contract/routes.ts'
import { FULL, SECRETS, sandbox } from '../deploy/support/chart-values.ts'
import { findHelm, type Helm } from '../deploy/support/helm.ts'
import { environmentOf, parseManifests, type Rendered } from '../deploy/support/manifests.ts'
import { engines, temporaryDirectory } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { startServer } from '../support/process.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const found = findHelm()
const skip = typeof found === 'string' ? `SKIPPED: ${found}` : false
if (skip) {
  if (process.env.CI === 'true') throw new Error(skip)
  console.log(skip)
}
const helm = found as Helm
after(() => typeof found === 'string' || found.remove())

/** Settings that no node in a cluster needs: they are for the sandbox that a server starts itself. */
const NOT_IN_CHART = ['SANDBOX_CERT_FILE', 'SANDBOX_KEY_FILE']
const settings = Object.keys(SettingsSchema.shape)
/** The directory in which a pod has its secrets, and where they are in this test. */
const MOUNTED = '/run/secrets/switchboard'

interface Field {
  enum?: string[]
  minimum?: number
  maximum?: number
}
const schema = JSON.parse(read('deploy/helm/switchboard/values.schema.json')) as {
  properties: { settings: { properties: Record<string, Field> } }
}
const offered = schema.properties.settings.properties

test('the chart has the version of the program', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const chart = parse(read('deploy/helm/switchboard/Chart.yaml')) as Record<string, unknown>
  assert.deepEqual([chart['version'], chart['appVersion']], [version, version])
})

test('the chart offers a setting with exactly the values that the program takes', () => {
  const takes = (name: string, value: unknown): boolean =>
    SettingsSchema.shape[name as keyof typeof SettingsSchema.shape].safeParse(String(value)).success
  for (const [name, { enum: values = [], minimum, maximum }] of Object.entries(offered)) {
    assert.ok(settings.includes(name), `${name} is not a setting`)
    for (const value of values) assert.ok(takes(name, value), `${name}=${value}`)
    if (minimum === undefined || maximum === undefined) continue
    assert.deepEqual(
      [minimum - 1, minimum, maximum, maximum + 1].map((value) => takes(name, value)),
      [false, true, true, false],
      name,
    )
  }
})

describe('the rendered chart', { skip }, () => {
  let directory = ''
  let plain: Rendered
  let full: Rendered
  let simulated: Rendered
  const render = (values: object): Rendered => {
    const { status, stdout, stderr } = helm.template(values)
    assert.equal(status, 0, stderr)
    return parseManifests(stdout)
  }
  /** The environment of a node of this machine, with the secrets in files. */
  const environmentIn = ({ gateway }: Rendered, podIp = '10.1.2.3'): Record<string, string> =>
    Object.fromEntries(
      Object.entries(environmentOf(gateway.env, podIp, SECRETS)).map(([name, value]) => [
        name,
        value.replace(MOUNTED, directory),
      ]),
    )

  before(async () => {
    directory = await temporaryDirectory()
    for (const [name, value] of Object.entries(SECRETS)) await writeFile(join(directory, name), value)
    plain = render({})
    full = render(FULL)
    simulated = render(sandbox('http://sandbox.example.com:8081'))
  })
  after(() => rm(directory, { recursive: true, force: true }))

  test('it passes the checks of Helm', () => {
    const { status, stdout } = helm.lint(FULL)
    assert.equal(status, 0, stdout)
  })

  test('it has every object that its options name, and no other', () => {
    const kinds = ({ all }: Rendered): string[] => all.map(({ kind }) => kind).toSorted()
    const always = ['Deployment', 'Service', 'ServiceAccount']
    assert.deepEqual(kinds(plain), [...always, 'NetworkPolicy', 'PodDisruptionBudget'].toSorted())
    const optional = ['Ingress', 'NetworkPolicy', 'PodDisruptionBudget', 'Secret', 'ServiceMonitor']
    assert.deepEqual(kinds(full), [...always, ...optional].toSorted())
    assert.deepEqual(kinds(simulated), [...always, 'Ingress'].toSorted())
  })

  test('the program accepts the environment of a node', () => {
    const nodeUrl = (rendered: Rendered, ip?: string) => readSettings(environmentIn(rendered, ip)).NODE_URL
    assert.equal(nodeUrl(plain), 'http://10.1.2.3:7000')
    assert.equal(nodeUrl(simulated, 'fd00::7'), 'http://[fd00::7]:7000')
    const taken = readSettings(environmentIn(full))
    assert.deepEqual([taken.NODE_URL, taken.NODE_TLS_NAME], ['https://10.1.2.3:65535', 'gateway-node'])
    assert.equal(taken.RATE_LIMIT, 1_000_000)
    assert.equal(taken.PORT, 8090)
    assert.equal(taken.FILES_SECRET_KEY, SECRETS['files-secret-key'])
  })

  test('every variable is a setting, and every setting has a variable or a value', () => {
    const variables = new Set([plain, full, simulated].flatMap(({ gateway }) => gateway.env))
    const names = new Set([...variables].map(({ name }) => name))
    const isUsed = (name: string) => [...variables].some(({ value }) => value?.includes(`$(${name})`))
    const settingOf = (name: string) => (settings.includes(name) ? name : name.replace(/_FILE$/, ''))
    for (const name of names) assert.ok(settings.includes(settingOf(name)) || isUsed(name), name)
    const reached = new Set([...names].map(settingOf).concat(Object.keys(offered)))
    assert.deepEqual(
      settings.filter((name) => !reached.has(name)),
      NOT_IN_CHART,
    )
  })

  test('a secret is in the Secret only, and reaches the program as a file or a reference', () => {
    const { data = {}, metadata } = full.one('Secret')
    const { volumes } = full.one('Deployment').spec.template.spec
    const volume = volumes.find(({ name }) => name === 'secrets')?.secret
    assert.equal(volume?.secretName, metadata.name)
    for (const [key, value] of Object.entries(SECRETS)) {
      assert.ok(!full.text.includes(value), `${key} is in plain text`)
      if (key === 'sandbox-key') continue
      assert.equal(Buffer.from(data[key] ?? '', 'base64').toString(), value)
      assert.ok(volume?.items.some((item) => item.key === key && item.path === key))
    }
    const files = full.gateway.env.filter(({ value }) => value?.startsWith(MOUNTED))
    assert.deepEqual(
      files.map(({ value = '' }) => value.slice(MOUNTED.length + 1)).toSorted(),
      Object.keys(data).toSorted(),
    )
    const key = simulated.gateway.env.find(({ name }) => name === 'SANDBOX_KEY')
    assert.deepEqual(key?.valueFrom?.secretKeyRef, { name: 'own-secret', key: 'sandbox-key' })
  })

  test('changed secrets of the release start new pods', () => {
    const other = render({ ...FULL, secrets: { ...FULL.secrets, apiKey: 'x'.repeat(32) } })
    const sum = (rendered: Rendered) =>
      rendered.one('Deployment').spec.template.metadata.annotations?.['checksum/secrets']
    assert.match(sum(full) ?? '', /^[0-9a-f]{64}$/)
    assert.notEqual(sum(other), sum(full))
  })

  test('probes and the monitor ask for paths that the program serves without a key', () => {
    const open = Object.values<Route>(routes).filter(
      ({ area, method }) => area === 'system' && method === 'GET',
    )
    const { gateway, one } = full
    const monitored = one('ServiceMonitor').spec.endpoints
    const probes = [gateway.startupProbe, gateway.livenessProbe, gateway.readinessProbe]
    for (const path of [...probes.map(({ httpGet }) => httpGet.path), ...monitored.map((each) => each.path)])
      assert.ok(open.map(fullPath).includes(path), path)
    assert.deepEqual(
      probes.map(({ httpGet }) => httpGet.port),
      ['http', 'http', 'http'],
    )
  })

  test('a pod has the time that the shutdown takes', () => {
    const { terminationGracePeriodSeconds } = plain.one('Deployment').spec.template.spec
    const [, pause] = plain.gateway.lifecycle.preStop.exec.command
    // Decision 0077: at most 20 s.
    assert.ok(terminationGracePeriodSeconds >= Number(pause) + 20 + 5)
  })

  test('a pod has no rights, no token, and writes only to its own volumes', () => {
    const [, user] = /^USER (\d+):\d+$/m.exec(read('Dockerfile')) ?? []
    for (const { one, gateway } of [plain, full, simulated]) {
      const { securityContext, automountServiceAccountToken } = one('Deployment').spec.template.spec
      assert.deepEqual(securityContext, {
        runAsNonRoot: true,
        runAsUser: Number(user),
        runAsGroup: Number(user),
        fsGroup: Number(user),
        fsGroupChangePolicy: 'OnRootMismatch',
        seccompProfile: { type: 'RuntimeDefault' },
      })
      assert.deepEqual(gateway.securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      assert.equal(automountServiceAccountToken, false)
      assert.equal(one('ServiceAccount').automountServiceAccountToken, false)
    }
    const writable = plain.gateway.volumeMounts.filter(({ readOnly }) => !readOnly)
    assert.deepEqual(
      writable.map(({ mountPath }) => mountPath),
      ['/data', '/tmp'],
    )
  })

  test('only nodes of the same release reach the port for nodes', () => {
    const { labels } = full.one('Deployment').spec.template.metadata
    const selected = (wanted: Record<string, string>) =>
      Object.entries(wanted).every(([name, value]) => labels[name] === value)
    const policy = full.one('NetworkPolicy').spec
    const forNodes = policy.ingress.filter(({ ports }) => !ports || ports.some(({ port }) => port !== 'http'))
    assert.equal(forNodes.length, 1)
    const [peer, ...others] = forNodes[0]?.from ?? []
    assert.deepEqual(others, [])
    assert.deepEqual(peer, { podSelector: { matchLabels: policy.podSelector.matchLabels } })
    assert.ok(selected(policy.podSelector.matchLabels))
    assert.deepEqual(
      full.one('Service').spec.ports.map(({ targetPort }) => targetPort),
      ['http'],
    )
    for (const wanted of [
      full.one('Service').spec.selector,
      full.one('PodDisruptionBudget').spec.selector.matchLabels,
    ])
      assert.ok(selected(wanted))
    const monitored = Object.entries(full.one('ServiceMonitor').spec.selector.matchLabels)
    for (const [name, value] of monitored) assert.equal(full.one('Service').metadata.labels[name], value)
  })

  test('an Ingress publishes API and dashboard, and neither metrics nor health', () => {
    const matcher = (rendered: Rendered) => {
      const [rule] = rendered.one('Ingress').spec.rules
      return (path: string): boolean =>
        (rule?.http.paths ?? []).some((each) =>
          each.pathType === 'Exact' ? path === each.path : `${path}/`.startsWith(`${each.path}/`),
        )
    }
    const pages = [...read('dashboard/app/pages.ts').matchAll(/^ {4}path: '(.+)',$/gm)].map(
      ([, path = '']) => path,
    )
    const files = globSync('*', { cwd: join(root, 'dashboard/public') }).map((name) => `/${name}`)
    const calls = Object.values<Route>(routes)
      .filter(({ area }) => area !== 'system')
      .map(fullPath)
    assert.ok(pages.length > 10 && files.length > 0 && calls.length > 100)
    const isFor = (path: string, names: string[]) => names.some((name) => `${path}/`.startsWith(`/${name}/`))
    const [forOperators, forSandbox] = [
      ['admin', 'operator'],
      ['sandbox', 'phone'],
    ]
    const [isPublished, isPublishedInSandbox] = [matcher(full), matcher(simulated)]
    const forAgents = ['/mcp', '/oauth/token', '/.well-known/oauth-protected-resource/mcp']
    const others = ['/docs/', '/openapi.json', '/assets/main.js', '/.well-known/oauth-authorization-server']
    for (const path of [...pages, ...files, ...calls, ...forAgents, ...others]) {
      assert.equal(isPublished(path), !isFor(path, forSandbox), path)
      assert.equal(isPublishedInSandbox(path), !isFor(path, forOperators), path)
    }
    for (const path of ['/metrics', '/healthz', '/readyz']) assert.equal(isPublished(path), false, path)
  })

  test('a node starts with the environment of the chart and answers its probes', {
    skip: !engines.some(({ name }) => name === 'postgres'),
  }, async () => {
    const storeLocation = await engines.find(({ name }) => name === 'postgres')!.createLocation()
    const { SANDBOX_URL = '', SANDBOX_KEY = '' } = await onSharedSandbox()
    const node = await freePort()
    const rendered = render({ ...sandbox(SANDBOX_URL), ipFamily: 'IPv4', ports: { node } })
    await writeFile(join(directory, 'database-url'), `${storeLocation.databaseUrl}\n`)
    const data = join(storeLocation.directory, 'data')
    await mkdir(data)
    const environment = { ...environmentIn(rendered, '127.0.0.1'), PORT: '0', SANDBOX_KEY, DATA_DIR: data }
    const server = await startServer(environment)
    try {
      for (const { httpGet } of [rendered.gateway.livenessProbe, rendered.gateway.readinessProbe]) {
        const answer = await fetch(new URL(httpGet.path, server.url.replace('0.0.0.0', '127.0.0.1')))
        assert.equal(answer.status, 200, await answer.text())
      }
    } finally {
      assert.deepEqual(await server.stop(), { code: 0, signal: null })
      await storeLocation.dispose()
    }
  })
})

describe('wrong values of the chart', { skip }, () => {
  test('all are refused by name, before anything is rendered', () => {
    const { status, stdout, stderr } = helm.template({
      nonsense: true,
      replicas: '3',
      network: 'sandbox',
      ipFamily: 'IPv5',
      image: { pullPolicy: 'Sometimes', name: 'x' },
      secrets: { create: true, masterKey: 'short', operatorKey: 'short', databaseUrl: 'mysql://db' },
      settings: { LOG_LEVEL: 'loud', LEASE_SECONDS: 5, FILES_URL: 'disk', MASTER_KEY: 'in plain text' },
      ports: { http: 80 },
      ingress: { enabled: true },
      dataSizeLimit: 'much',
    })
    assert.notEqual(status, 0)
    assert.equal(stdout, '')
    const named =
      'replicas ipFamily image.pullPolicy dataSizeLimit ports.http ingress.host ' +
      'secrets.masterKey secrets.operatorKey secrets.apiKey secrets.databaseUrl ' +
      'settings.LOG_LEVEL settings.LEASE_SECONDS settings.FILES_URL settings.SANDBOX_URL'
    // Versions of Helm write `a.b` or `/a/b`.
    for (const path of named.split(' '))
      assert.match(stderr, new RegExp(`\\b${path.replace('.', '[./]')}\\b`), path)
    for (const name of ['nonsense', 'MASTER_KEY', 'name'])
      assert.match(stderr, new RegExp(`dditional propert.*\\b${name}\\b.*not allowed`))
  })

  test('one port for clients and nodes', () => {
    const { status, stderr } = helm.template({ ports: { http: 8080, node: 8080 } })
    assert.notEqual(status, 0)
    assert.match(stderr, /ports\.http and ports\.node must be different/)
  })

  test('a Secret of the chart without a key that the settings need', () => {
    const { status, stderr } = helm.template({
      ...FULL,
      secrets: { ...FULL.secrets, filesSecretKey: '' },
    })
    assert.notEqual(status, 0)
    assert.match(stderr, /needs a value for the key files-secret-key/)
  })
})
