// GET /metrics
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { withInstance } from './fixture.ts'

contract('GET /metrics', (gateway) => {
  const fixture = withInstance(gateway)

  test('200 returns requests by route and status, commits, queue depth and event loop delay, without a key', async () => {
    const { call, mine, instance } = await fixture()
    const read = async () => (await call('metrics', { key: null })).bytes.toString()
    const value = (text: string, name: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.slice(name.length + 1),
      )
    const depth = 'switchboard_queue_depth'
    const before = value(await read(), depth)
    await mine.call('sendText', {
      body: { instanceName: instance.name, number: '5511912345678', message: 'hi' },
    })
    const answer = await call('metrics', { key: null })
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
    const text = answer.bytes.toString()
    assert.equal(value(text, depth), before + 1)
    assert.match(
      text,
      /^switchboard_http_request_seconds_count\{route="\/api\/v1\/send\/text",method="POST",status="200"\} \d+$/m,
    )
    assert.match(text, /^switchboard_store_commit_seconds_count \d+$/m)
    assert.match(text, /^switchboard_store_commit_size_count \d+$/m)
    assert.match(text, /^nodejs_eventloop_lag_seconds /m)
    assert.match(
      text,
      /^switchboard_network_info\{network="sandbox",library="\d+\.\d+\.\d+[^"]*",client="2\.\d+\.\d+"\} 1$/m,
    )
    assert.match(text, /^switchboard_instances\{state="open",reason="none"\} [1-9]\d*$/m)
    assert.match(text, /^switchboard_ready\{check="store"\} 1$/m)
  })

  test('200 returns no label with an account, instance, number or key', async () => {
    const { call, mine, instance } = await fixture()
    await mine.call('instanceState', { query: { instanceName: instance.name } })
    const text = (await call('metrics', { key: null })).bytes.toString()
    for (const secret of [mine.key, instance.name, '5511912345678']) assert.ok(!text.includes(secret))
  })
})
