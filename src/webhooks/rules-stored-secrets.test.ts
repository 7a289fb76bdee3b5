import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameOrigin } from './rules.ts'

test('path, query and the case of the host do not change the origin', () => {
  const same = [
    ['https://a.example/one', 'https://A.example:443/two?x=1'],
    ['amqps://a.example/crm', 'amqps://A.example/other'],
    ['redis://[::1]:6379/0', 'redis://[::1]:6379/1'],
  ] as const
  for (const [one, other] of same) assert.equal(isSameOrigin(one, other), true, other)
})

test('another scheme, host or port is another origin, also of a broker', () => {
  const others = [
    ['https://a.example/', 'https://b.example/'],
    ['https://a.example/', 'https://a.example:8443/'],
    ['https://a.example/', 'http://a.example/'],
    ['https://a.example/', 'https://a.example.evil.example/'],
    ['amqps://a.example/', 'amqp://a.example/'],
    ['rediss://a.example/', 'rediss://b.example/'],
    ['mqtts://a.example:8883', 'mqtts://a.example:8884'],
    ['https://a.example/', 'not a URL'],
    ['not a URL', 'not a URL'],
  ] as const
  for (const [one, other] of others) assert.equal(isSameOrigin(one, other), false, other)
})
