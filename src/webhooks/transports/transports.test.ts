// A gateway without destinations loads no library of a broker.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { DESTINATION_TYPES } from '../../contract/destination-types.ts'
import { TRANSPORTS } from './destinations.ts'

const LIBRARY = /^import (?!type\b)[^;]*?from '(?:amqplib|mqtt|@nats-io\/[^']*|@redis\/client)'/m
const TRANSPORT = /^import (?!type\b)[^;]*?from '[^']*\/(?:rabbitmq|nats|mqtt|redis|sqs)\.ts'/m

test('libraries and transports are imported with the first message only', () => {
  const files = globSync('**/*.ts', { cwd: join(import.meta.dirname, '../..') })
  assert.ok(files.includes(join('webhooks', 'transports', 'rabbitmq.ts')))
  const early = files
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => {
      const text = readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
      const statements = text.split(/\n(?=import |export |const |\/)/)
      return statements.some((statement) => LIBRARY.test(statement) || TRANSPORT.test(statement))
    })
  assert.deepEqual(early, [])
  assert.ok(LIBRARY.test("import {\n  connect,\n} from 'amqplib'"))
  assert.ok(!LIBRARY.test("import type { MqttClient } from 'mqtt'"))
})

test('each type has a transport', async () => {
  for (const type of DESTINATION_TYPES) assert.equal(typeof (await TRANSPORTS[type]()), 'function', type)
})
