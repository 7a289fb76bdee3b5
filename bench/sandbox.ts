// The sandbox network of a bench, in its own process: its memory and CPU are not those of a side.
import { once } from 'node:events'
import { newKey } from '../test/support/started.ts'
import type { Processes } from './processes.ts'

export interface Sandbox {
  url: string
  wsUrl: string
  rootPublicKey: string
  key: string
}

export async function startSandbox(processes: Processes, directory: string): Promise<Sandbox> {
  const key = newKey()
  const child = processes.run(['sandbox/main.ts'], {
    PORT: '0',
    API_KEY: key,
    DATA_DIR: directory,
  })
  let output = ''
  const ready = Promise.withResolvers<Sandbox>()
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    if (output.length < 100_000) output += text
    const line = output.split('\n').find((each) => each.includes('"msg":"listening"') && each.endsWith('}'))
    if (line !== undefined) ready.resolve({ ...(JSON.parse(line) as Omit<Sandbox, 'key'>), key })
  })
  void once(child, 'exit').then(() => ready.reject(new Error(`the sandbox did not start: ${output}`)))
  return ready.promise
}
