// The examples of reverse proxies let through what the gateway accepts.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Route } from '../../src/contract/route.ts'
import { routes } from '../../src/contract/routes.ts'

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')

const all: Route[] = Object.values(routes)
const largestUpload = Math.max(...all.map(({ upload }) => upload?.maxBytes ?? 0))

const UNITS: Record<string, number> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }
const bytesIn = (size: string): number => {
  const [, number, unit = ''] = /^(\d+)([kmg]?)/i.exec(size) ?? []
  return Number(number) * (UNITS[unit.toLowerCase()] ?? Number.NaN)
}

/** Proxies that have a limit by themselves, and how an example raises it. */
const RAISED = {
  'nginx in docs/settings.md': [
    /```nginx\n([\s\S]*?)```/.exec(read('docs/settings.md'))?.[1],
    /client_max_body_size (\w+);/,
  ],
  'the Ingress in the values of the chart': [
    read('deploy/helm/switchboard/values.yaml'),
    /proxy-body-size: (\w+)/,
  ],
  'the Ingress in docs/deploy.md': [read('docs/deploy.md'), /proxy-body-size: (\w+)/],
} as const

for (const [name, [text, limit]] of Object.entries(RAISED)) {
  test(`${name} lets through the largest upload`, () => {
    const size = limit.exec(text ?? '')?.[1]
    assert.ok(size, `${name} sets no limit`)
    assert.ok(
      largestUpload > 0 && bytesIn(size) >= largestUpload,
      `${size} is less than ${largestUpload} bytes`,
    )
  })
}

/** Caddy and Traefik have no limit unless an example sets one. */
const UNLIMITED = ['deploy/cluster/Caddyfile', 'compose.cluster.yaml', 'compose.yaml']
test('the examples for Caddy and Traefik set no limit', () => {
  for (const path of UNLIMITED) assert.doesNotMatch(read(path), /max_size|maxRequestBodyBytes/, path)
})
