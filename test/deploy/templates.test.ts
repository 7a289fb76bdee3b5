// The templates for home servers and panels: made from their source, readable, with the fields that each platform demands in public.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Parser } from 'htmlparser2'
import { parse } from 'yaml'
import { z } from 'zod'
import { DEFAULT_SOURCE, templates } from '../../scripts/templates.ts'
import { readSettings, SettingsSchema } from '../../src/config.ts'
import { temporaryDirectory } from '../support/engines.ts'
import { newKey } from '../support/started.ts'

const root = join(import.meta.dirname, '../..')
const FOLDER = 'deploy/templates'
const made = templates()
const text = (path: string): string => made[path] ?? assert.fail(`there is no ${path}`)
const settings = new Set(Object.keys(SettingsSchema.shape))

const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0

const words = z.string().min(1)
const byLanguage = z.object({ en_us: words })
const service = z.object({
  image: z.literal(DEFAULT_SOURCE.image),
  restart: z.enum(['unless-stopped', 'on-failure']),
  environment: z.union([z.record(z.string(), z.string()), z.array(z.string())]),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
})
const names = z.string().regex(/^[a-z0-9][a-z0-9_-]*$/)

/** What the public documents of the platforms demand, where they say it. */
const SCHEMAS: Record<string, z.ZodType> = {
  'casaos/docker-compose.yml': z.object({
    name: names,
    services: z.object({ switchboard: service }),
    'x-casaos': z.object({
      architectures: z.array(z.enum(['amd64', 'arm64', 'arm'])).min(1),
      main: z.literal('switchboard'),
      category: words,
      author: words,
      developer: words,
      title: byLanguage,
      tagline: byLanguage,
      description: byLanguage,
      icon: z.url(),
      index: z.literal('/'),
      port_map: z.literal('8080'),
      scheme: z.enum(['http', 'https']),
    }),
  }),
  'umbrel/docker-compose.yml': z.object({
    services: z.object({
      app_proxy: z.object({
        environment: z.object({ APP_HOST: z.literal('switchboard_server_1'), APP_PORT: z.literal(8080) }),
      }),
      server: service,
    }),
  }),
  'umbrel/umbrel-app.yml': z.object({
    manifestVersion: z.union([z.literal(1), z.literal(1.1)]),
    id: z.string().regex(/^[a-z-]{1,64}$/),
    category: z.enum([
      'files',
      'bitcoin',
      'media',
      'networking',
      'social',
      'automation',
      'finance',
      'ai',
      'developer',
    ]),
    name: words,
    version: z.string().regex(/^\d+\.\d+\.\d+$/),
    tagline: words,
    description: words,
    developer: words,
    website: z.url(),
    repo: z.url(),
    support: z.url(),
    dependencies: z.array(words),
    port: z.int().min(1).max(65_535),
    gallery: z.array(words),
    path: z.string(),
    defaultUsername: z.string(),
    deterministicPassword: z.boolean(),
    submitter: words,
    submission: z.url(),
  }),
  'coolify/switchboard.yaml': z.object({ services: z.object({ switchboard: service }) }),
  'dokploy/docker-compose.yml': z.object({
    // Dokploy wants neither names of containers nor published ports.
    services: z.object({
      switchboard: service.extend({ container_name: z.never().optional(), ports: z.never().optional() }),
    }),
  }),
  'dokploy/meta.json': z.object({
    id: names,
    name: words,
    version: words,
    description: words,
    logo: words,
    links: z.object({ github: z.url(), website: z.url(), docs: z.url() }),
    tags: z.array(words).min(1),
  }),
  'easypanel/template.json': z.object({
    services: z.tuple([
      z.object({
        type: z.literal('app'),
        data: z.object({
          serviceName: names,
          env: words,
          source: z.object({ type: z.literal('image'), image: z.literal(DEFAULT_SOURCE.image) }),
          domains: z.array(z.object({ host: words, port: z.literal(8080) })).min(1),
          mounts: z.tuple([
            z.object({ type: z.literal('volume'), name: names, mountPath: z.literal('/data') }),
          ]),
        }),
      }),
    ]),
  }),
  'home-assistant/switchboard/config.yaml': z.object({
    name: words,
    version: words,
    slug: z.string().regex(/^[a-z0-9_]+$/),
    description: words,
    arch: z.array(z.enum(['amd64', 'aarch64'])).min(1),
    startup: z.enum(['initialize', 'system', 'services', 'application', 'once']),
    boot: z.enum(['auto', 'manual', 'manual_only']),
    init: z.boolean(),
    ports: z.record(z.string().regex(/^\d+\/(tcp|udp)$/), z.int()),
    webui: z.string().regex(/^https?:\/\/\[HOST\]:\[PORT:\d+\]/),
    watchdog: z.string().regex(/^https?:\/\/\[HOST\]:\[PORT:\d+\]/),
    options: z.object({ network: z.literal('sandbox') }),
    schema: z.object({ network: z.literal('list(sandbox|whatsapp)') }),
  }),
}

/** The names of variables and their values in a Compose service or a list of lines. */
function environmentOf(found: unknown): [string, string][] {
  const { environment } = found as { environment: Record<string, string> | string[] }
  if (!Array.isArray(environment)) return Object.entries(environment)
  return environment.map((line) => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)])
}

describe('templates for home servers and panels', () => {
  test('the files are those that the script makes (npm run docs:templates)', () => {
    const files = globSync('**/*', { cwd: join(root, FOLDER), withFileTypes: true, exclude: ['README.md'] })
      .filter((file) => file.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(join(root, FOLDER).length + 1))
      .filter((file) => file !== 'README.md')
    const kept = new Set([...files, 'umbrel/data/.gitkeep'])
    assert.deepEqual([...kept].sort(), Object.keys(made).sort())
    for (const [path, content] of Object.entries(made))
      assert.equal(readFileSync(join(root, FOLDER, path), 'utf8'), content, path)
  })

  for (const [path, schema] of Object.entries(SCHEMAS))
    test(`${path} has the fields of its platform`, () => void schema.parse(parse(text(path))))

  test('Compose files name only settings of the gateway, and no secret', () => {
    const files = Object.keys(made).filter((path) => /compose\.yml$|coolify/.test(path))
    assert.equal(files.length, 4)
    for (const path of files) {
      const { services } = parse(text(path)) as { services: Record<string, unknown> }
      const variables = environmentOf(services['switchboard'] ?? services['server'])
      for (const [name, value] of variables.filter(([variable]) => !variable.startsWith('SERVICE_URL_'))) {
        assert.ok(settings.has(name), `${path}: ${name}`)
        if (name.endsWith('KEY')) assert.match(value, /^\$\{\w+\}$/, `${path}: ${name}`)
      }
      assert.match(text(path), /:?\/data\b/, path)
    }
  })

  test('the gateway accepts the settings of the templates', () => {
    for (const NETWORK of ['sandbox', 'whatsapp'])
      assert.equal(readSettings({ NETWORK, API_KEY: newKey(), OPERATOR_KEY: newKey() }).NETWORK, NETWORK)
  })

  test('the template of Dokploy defines each variable that its Compose file uses', () => {
    const used = [...text('dokploy/docker-compose.yml').matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name)
    const [, list = ''] = /^env = \[(.*)\]$/m.exec(text('dokploy/template.toml')) ?? []
    const defined = [...list.matchAll(/"(\w+)=/g)].map(([, name]) => name)
    assert.deepEqual(used.toSorted(), defined.toSorted())
    const values = [...list.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name)
    for (const name of values) assert.match(text('dokploy/template.toml'), new RegExp(`^${name} = `, 'm'))
  })

  test('the template of Unraid is XML with a port, a path and a variable', () => {
    const types: string[] = []
    const open: string[] = []
    const parser = new Parser(
      {
        onopentag(name, attributes) {
          open.push(name)
          if (name === 'Config') types.push(`${attributes['Type']} ${attributes['Target']}`)
        },
        onclosetag: (name) => assert.equal(open.pop(), name),
      },
      { xmlMode: true },
    )
    parser.end(text('unraid/switchboard.xml'))
    assert.deepEqual(open, [])
    assert.deepEqual(types, ['Port 8080', 'Path /data', 'Variable NETWORK'])
    assert.match(text('unraid/switchboard.xml'), /<Container version="2">/)
  })

  test('Compose accepts the files', { skip: !hasCompose }, () => {
    const environment = { ...process.env, NETWORK: 'sandbox', API_KEY: 'x', OPERATOR_KEY: 'x' }
    // Umbrel adds the image of its proxy.
    for (const path of [
      'casaos/docker-compose.yml',
      'coolify/switchboard.yaml',
      'dokploy/docker-compose.yml',
    ])
      execFileSync('docker', ['compose', '--file', join(root, FOLDER, path), 'config', '--quiet'], {
        env: environment,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
  })

  test('the start script of the add-on is a valid shell script', () =>
    void execFileSync('sh', ['-n'], { input: text('home-assistant/switchboard/run.sh') }))

  test('an image and an address of your own take the place of the examples', async () => {
    const out = await temporaryDirectory()
    const image = 'registry.example.com/switchboard-gateway:0.1.0'
    const options = ['--image', image, '--url', 'https://gateway.example.com', '--out', out]
    execFileSync(process.execPath, [join(root, 'scripts/templates.ts'), ...options])
    for (const path of [
      'casaos/docker-compose.yml',
      'unraid/switchboard.xml',
      'home-assistant/switchboard/Dockerfile',
    ])
      assert.ok(readFileSync(join(out, path), 'utf8').includes(image), path)
    assert.match(
      readFileSync(join(out, 'umbrel/umbrel-app.yml'), 'utf8'),
      /website: https:\/\/gateway\.example\.com/,
    )
  })
})
