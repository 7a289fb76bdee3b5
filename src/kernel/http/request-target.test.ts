import assert from 'node:assert/strict'
import { test } from 'node:test'
import { originForm } from './request-log.ts'

for (const [target, path] of [
  ['/api/v1?a=http://x/y', '/api/v1?a=http://x/y'],
  ['http://gateway/api/v1/x?a=1', '/api/v1/x?a=1'],
  ['HTTPS://user@gateway:8080/x', '/x'],
  ['http://[::1]:8080/x', '/x'],
  ['http://gateway', '/'],
  ['http://gateway?a=1', '/?a=1'],
  ['http:///x', '/x'],
  ['//gateway/x', '//gateway/x'],
  ['/http://gateway/x', '/http://gateway/x'],
  ['*', '*'],
  ['ftp://gateway/x', 'ftp://gateway/x'],
] as const) {
  test(`${target} is ${path}`, () => assert.equal(originForm(target), path))
}
