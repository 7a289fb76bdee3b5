// A Redis server of its own for a test.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { freePort } from './free-port.ts'

/** Without the program the tests are skipped with a visible line; with `CI=true` that is a failure. */
export function hasRedisServer(): boolean {
  if (spawnSync('redis-server', ['--version']).status === 0) return true
  const why = 'no redis-server on the PATH'
  if (process.env.CI === 'true') throw new Error(why)
  console.log(`SKIPPED with Redis: ${why}`)
  return false
}

export async function startRedis(password: string): Promise<{ port: number; server: ChildProcess }> {
  const port = await freePort()
  const server = spawn('redis-server', ['--port', String(port), '--save', '', '--requirepass', password])
  server.on('error', () => undefined)
  await untilReady(server.stdout)
  return { port, server }
}

async function untilReady(output: NodeJS.ReadableStream): Promise<void> {
  for await (const line of createInterface({ input: output })) if (line.includes('Ready to accept')) return
  throw new Error('Redis has ended')
}
