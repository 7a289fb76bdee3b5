// Runs the checks of the bridge against a real Chatwoot, with a gateway of its own and phones of the sandbox (docs/chatwoot.md).
//
//   CHATWOOT_URL=https://… CHATWOOT_ACCOUNT=1 CHATWOOT_TOKEN=… GATEWAY_URL=http://host:8085 node scripts/chatwoot-check.ts
//
// It creates an inbox, contacts and conversations there, and leaves them for you to look at.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHECKS, connectDesk, type Desk, type Stage } from '../test/support/chatwoot-checks.ts'
import { startServer } from '../test/support/process.ts'
import { newKey } from '../test/support/started.ts'

function readDesk(environment: NodeJS.ProcessEnv): Desk {
  const missing = ['CHATWOOT_URL', 'CHATWOOT_ACCOUNT', 'CHATWOOT_TOKEN', 'GATEWAY_URL'].filter(
    (name) => !environment[name],
  )
  if (missing.length > 0) throw new Error(`set ${missing.join(', ')} (docs/chatwoot.md)`)
  const url = new URL(environment.CHATWOOT_URL as string).href.replace(/\/+$/, '')
  return {
    url,
    ownUrl: url,
    accountId: Number(environment.CHATWOOT_ACCOUNT),
    token: environment.CHATWOOT_TOKEN as string,
    gatewayUrl: environment.GATEWAY_URL as string,
  }
}

async function runChecks(stage: Stage): Promise<number> {
  let failed = 0
  for (const [name, check] of CHECKS) {
    try {
      await check(stage)
      console.log(`ok      ${name}`)
    } catch (error) {
      failed += 1
      console.log(`FAILED  ${name}\n        ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return failed
}

async function main(): Promise<number> {
  const desk = readDesk(process.env)
  const directory = await mkdtemp(join(tmpdir(), 'chatwoot-check-'))
  const key = newKey()
  const { port } = new URL(desk.gatewayUrl)
  const extraCa = process.env.EXTRA_CA_FILE
  const gateway = await startServer({
    HOST: '0.0.0.0',
    PORT: port || '80',
    DATA_DIR: directory,
    RATE_LIMIT: '0',
    API_KEY: key,
    ALLOW_TARGETS: new URL(desk.url).hostname,
    ...(extraCa ? { EXTRA_CA_FILE: extraCa } : {}),
  })
  try {
    return await runChecks(await connectDesk({ url: gateway.url, key }, desk))
  } finally {
    await gateway.stop('SIGTERM')
    await rm(directory, { recursive: true, force: true })
  }
}

process.exitCode = (await main()) > 0 ? 1 : 0
