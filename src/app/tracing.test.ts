// Traces are off unless the settings name a collector, and then none of their code is loaded.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { withoutComments } from '../../test/support/imports.ts'
import { readSettings } from '../config.ts'
import { openTracing } from './tracing.ts'

const PARTS = {
  clock: Date.now,
  metrics: { countSpans: () => undefined },
  logger: { warn: () => undefined },
  nodeId: undefined,
}

describe('traces', () => {
  test('are off without an endpoint', async () => {
    const settings = readSettings({ OTEL_EXPORTER_OTLP_HEADERS: 'a=b', OTEL_SERVICE_NAME: 'c' })
    assert.equal(await openTracing(settings, PARTS), undefined)
  })

  test('are on with an endpoint, and request nothing before the first span', async () => {
    const settings = readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })
    const tracing = await openTracing(settings, PARTS)
    assert.ok(tracing?.trace)
    await tracing.stop()
  })

  test('no file outside of src/tracing imports a value from it, except with a dynamic import', () => {
    const root = join(import.meta.dirname, '..')
    const outside = globSync('**/*.ts', { cwd: root }).filter((file) => !file.startsWith('tracing/'))
    assert.ok(outside.length > 100, 'the sources were found')
    const loading = outside.filter((file) =>
      /^(import|export) (?!type )[^;'(]*?from '[^']*\/tracing\/[^']*'/m.test(
        withoutComments(readFileSync(join(root, file), 'utf8')),
      ),
    )
    assert.deepEqual(loading, [])
  })
})
