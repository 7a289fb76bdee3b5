// Runs the server and its sandbox once, so that the compiled code of both is in the cache of the image.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const directory = mkdtempSync(join(tmpdir(), 'warm-up-'))
const server = spawn(process.execPath, [join(process.argv[2], 'dist/server/main.js')], {
  env: { PATH: process.env.PATH, DATA_DIR: directory, HOST: '127.0.0.1', PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
let output = ''
server.stdout.setEncoding('utf8').on('data', (text) => {
  output += text
  if (output.includes('"msg":"listening"')) server.kill('SIGTERM')
})
const [code] = await once(server, 'exit')
rmSync(directory, { recursive: true })
if (code !== 0 || !output.includes('"msg":"listening"'))
  throw new Error(`the server ended with ${code}: ${output}`)
