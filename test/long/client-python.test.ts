// The Python client, with and without asyncio, on a running gateway with the sandbox, and on a server that fails.
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { python, root, runProgram } from '../support/client-programs.ts'
import { assertLostOnce, assertReport, type ClientReport } from '../support/client-report.ts'
import { type ClientWorld, startClientWorld } from '../support/client-world.ts'

const interpreter = python()
const skip = typeof interpreter === 'string' ? interpreter : false

for (const engine of behaviourEngines('sqlite'))
  for (const [name, options] of [
    ['without asyncio', []],
    ['with asyncio', ['--async']],
  ] as const)
    describe(`the Python client ${name} on ${engine.name}`, { skip }, () => {
      let world: ClientWorld
      before(async () => {
        world = await startClientWorld(engine)
      })
      after(() => world.stop())

      test('sends, lists pages, follows events, moves files, and repeats what it may repeat', async () => {
        if (typeof interpreter === 'string') return
        const { task, stub } = world
        const program = [join(root, 'clients/python/tests/check.py'), ...options]
        const report = JSON.parse(
          await runProgram(interpreter, program, JSON.stringify(task)),
        ) as ClientReport
        assertReport(report, task, stub)
        assertLostOnce(stub, 'kept')
      })
    })
