import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandLine } from './command-line.ts'

test('a command is named as the user would type it', () => {
  for (const [directory, expected] of [
    ['/home/ana/switchboard/src/kernel/process', 'npm run cli -- doctor'],
    ['/home/ana/switchboard/dist/server', 'npm run cli -- doctor'],
    ['/usr/local/lib/node_modules/switchboard-gateway/dist/server', 'switchboard doctor'],
    ['C:\\npm\\node_modules\\switchboard-gateway\\dist\\server', 'switchboard doctor'],
    ['/home/ana/.npm/_npx/1f/node_modules/switchboard-gateway/dist/server', 'npx switchboard-gateway doctor'],
  ] as const)
    assert.equal(commandLine('doctor', directory), expected)
})
