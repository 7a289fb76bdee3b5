// The PHP client on a running gateway with the sandbox, and on a server that fails: with the curl extension and with streams, which its
// HTTP library uses where the extension is missing.
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { PHP_TRANSPORTS, php, phpArguments, root, runProgram } from '../support/client-programs.ts'
import { assertLostOnce, assertReport, type ClientReport } from '../support/client-report.ts'
import { type ClientWorld, startClientWorld } from '../support/client-world.ts'

const interpreter = php()

for (const engine of behaviourEngines('sqlite'))
  for (const transport of PHP_TRANSPORTS) {
    const options = typeof interpreter === 'string' ? interpreter : phpArguments(transport)
    const skip = typeof options === 'string' ? options : false
    describe(`the PHP client over ${transport} on ${engine.name}`, { skip }, () => {
      let world: ClientWorld
      before(async () => {
        world = await startClientWorld(engine)
      })
      after(() => world.stop())

      test('sends, lists pages, follows events, moves files, and repeats what it may repeat', async () => {
        if (typeof interpreter === 'string' || typeof options === 'string') return
        const { task, stub } = world
        const program = [...options, join(root, 'clients/php/tests/check.php')]
        const report = JSON.parse(
          await runProgram(interpreter, program, JSON.stringify(task)),
        ) as ClientReport
        assertReport(report, task, stub)
        assertLostOnce(stub, 'new')
      })
    })
  }
