// The Caddyfile of the cluster publishes what callers need, and nothing of the operator or of other nodes.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fullPath, type Route } from '../../src/contract/route.ts'
import { routes } from '../../src/contract/routes.ts'

const root = join(import.meta.dirname, '../..')
const caddyfile = readFileSync(join(root, 'deploy/cluster/Caddyfile'), 'utf8').replaceAll(/^\s*#.*$/gm, '')
const compose = readFileSync(join(root, 'compose.cluster.yaml'), 'utf8')
const patterns = (/@private path (.+)/.exec(caddyfile)?.[1] ?? '').split(' ')

/** As the matcher `path` of Caddy: exact, or a prefix that ends with `*`. */
const isPrivate = (path: string): boolean =>
  patterns.some((pattern) =>
    pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern,
  )

test('metrics, the API of the operator and the sign-in of the operator are not published', () => {
  const all: Route[] = Object.values(routes)
  const isOfOperator = ({ id, area }: Route) =>
    area === 'admin' || id === 'metrics' || id.startsWith('operatorSign')
  for (const route of all)
    assert.equal(isPrivate(fullPath(route)), isOfOperator(route), `${route.method} ${fullPath(route)}`)
  for (const path of ['/metrics', '/admin', '/admin/']) assert.ok(isPrivate(path), path)
})

test('the private paths are refused in a block before the one that passes requests on, and every other path is passed on', () => {
  const blocks = [...caddyfile.matchAll(/handle (@\w+ )?\{\s*(\w+)/g)].map(([, matcher, first]) => [
    matcher?.trim(),
    first,
  ])
  assert.deepEqual(blocks, [
    ['@private', 'respond'],
    [undefined, 'reverse_proxy'],
  ])
  assert.equal(caddyfile.match(/reverse_proxy/g)?.length, 1)
})

test('requests go to the API port of the nodes, never to the port for other nodes', () => {
  const nodePorts = [...compose.matchAll(/NODE_URL: http:\/\/\w+:(\d+)/g)].map(([, port]) => port)
  assert.ok(nodePorts.length > 0)
  const upstreams = [...caddyfile.matchAll(/node\d+:(\d+)/g)].map(([, port]) => port)
  assert.deepEqual(new Set(upstreams), new Set(['8080']))
  assert.ok(upstreams.every((port) => !nodePorts.includes(port)))
})
