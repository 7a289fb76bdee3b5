// The sandbox as a child process, for tests that kill it.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { COMPILE_CACHE } from '../../support/compile-cache.ts'
import { programFile } from '../../support/program.ts'
import { World } from './world.ts'

export const MAIN = programFile('sandbox')

interface Ready {
  msg: string
  wsUrl: string
  url: string
  rootPublicKey: string
}

export class SandboxProcesses {
  #children: ChildProcess[] = []

  async start(extra: Record<string, string>) {
    const env = {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      PORT: '0',
      API_KEY: World.apiKey,
      ...extra,
    }
    const child = spawn(process.execPath, [MAIN], { env, stdio: ['pipe', 'pipe', 'pipe'] })
    this.#children.push(child)
    const lines: string[] = []
    const ready = Promise.withResolvers<Ready>()
    createInterface({ input: child.stderr }).on('line', (line) => lines.push(line))
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line)
      const entry = JSON.parse(line) as Ready
      if (entry.msg === 'listening') ready.resolve(entry)
    })
    child.once('exit', (code) =>
      ready.reject(new Error(`the sandbox ended with ${code}: ${lines.join('; ')}`)),
    )
    // Tests that end the process on purpose do not await this promise any more.
    ready.promise.catch(() => undefined)
    const { wsUrl, url, rootPublicKey } = await ready.promise
    return { child, lines, world: new World({ wsUrl, url, rootPublicKey, stop: async () => {} }) }
  }

  end(): void {
    for (const child of this.#children) child.kill('SIGKILL')
  }
}
