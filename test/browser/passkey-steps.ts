// Linking with a passkey in a browser: an instance that waits for one, and the official page, stubbed under its own address with the
// passkey of a sandbox phone in the virtual authenticator of the browser. Nothing leaves the machine.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import type { LinkingVariant } from '../../src/contract/sandbox-linking.ts'
import { type SandboxWorld, until } from '../support/sandbox-world.ts'

type Account = Pick<SandboxWorld, 'api' | 'world'>

export const OFFICIAL = 'https://web.whatsapp.com/'
const EXTENSION = join(import.meta.dirname, '..', '..', 'extension')
/** As strict as the policy of the official page in what concerns the extension. */
export const POLICY = "default-src 'self'; script-src 'self'; style-src 'self'; connect-src 'self'"
export const STUB =
  '<!doctype html><html lang="en"><title>WhatsApp Web</title><body><h1>Stub</h1></body></html>'

interface Manifest {
  content_scripts: { matches: string[]; js: string[]; world?: string; run_at: string }[]
}
export const manifest = JSON.parse(readFileSync(join(EXTENSION, 'manifest.json'), 'utf8')) as Manifest

export interface WaitingInstance {
  name: string
  number: string
}

/** A phone with this number has scanned the code of a new instance, and the network demands its passkey. */
export async function awaitPasskey(
  { api, world }: Account,
  number: string,
  instanceName: string,
  variant?: LinkingVariant,
): Promise<WaitingInstance> {
  await world.phone(number, 'Paula')
  await world.post(`/phones/${number}/passkey`, { demanded: true })
  if (variant) await world.post('/faults', { kind: 'linking', number, variant })
  const { instance } = await api('createInstance', { body: { instanceName } })
  const name: string = instance.apiInstanceName
  const query = { instanceName: name }
  await api('connectInstance', { query, body: {} })
  await world.post(`/phones/${number}/scan`, { instanceName: name })
  await until(
    async () => (await api('instanceState', { query })).passkey,
    (passkey) => passkey?.step === 'assertion_needed',
    `${name} waits for the passkey`,
  )
  return { name, number }
}

/** The same up to the comparison of the codes: the demand came too late for a proof. */
export async function awaitComparison(
  account: Account,
  number: string,
  instanceName: string,
): Promise<WaitingInstance & { code: string }> {
  const waiting = await awaitPasskey(account, number, instanceName, 'late_request')
  const query = { instanceName: waiting.name }
  const { options } = (await account.api('getPasskey', { query })).passkey
  const { assertion } = await account.world.post(`/phones/${number}/passkey/assertion`, { options })
  await account.api('answerPasskey', { query, body: { assertion } })
  const { passkey } = await until(
    () => account.api('instanceState', { query }),
    (state) => state.passkey?.step === 'confirmation_needed',
    `${instanceName} shows a code`,
  )
  return { ...waiting, code: passkey.code as string }
}

export interface OfficialPage {
  page: Page
  session: CDPSession
}

/** A tab whose browser has the passkey of the phone. With `extension` the content scripts run as the manifest says. */
export async function officialTab(
  context: BrowserContext,
  { world }: Account,
  number: string,
  { extension }: { extension: boolean },
): Promise<OfficialPage> {
  await context.route(`${OFFICIAL}**`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      headers: { 'content-security-policy': POLICY },
      body: STUB,
    }),
  )
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const key = (await world.ask('GET', `/phones/${number}/passkey`)).body['passkey'] as Record<string, unknown>
  await session.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await session.send('WebAuthn.addCredential', {
    authenticatorId,
    credential: { ...key, isResidentCredential: true } as never,
  })
  if (extension) await addContentScripts(session)
  return { page, session }
}

/** The scripts of one entry share a scope, and those of the isolated world are apart from the scripts of the page. */
async function addContentScripts(session: CDPSession): Promise<void> {
  await session.send('Page.enable')
  for (const { js, world } of manifest.content_scripts) {
    const source = js.map((file) => readFileSync(join(EXTENSION, file), 'utf8')).join('\n')
    await session.send('Page.addScriptToEvaluateOnNewDocument', {
      source: `if (location.origin === 'https://web.whatsapp.com') {\n${source}\n}`,
      ...(world === 'MAIN' ? {} : { worldName: 'extension' }),
    })
  }
}

/** The policy of the page forbids what `waitForFunction` does. */
export const untilTrue = (page: Page, expression: string): Promise<boolean> =>
  until(
    () => page.evaluate<boolean>(expression),
    (value) => value,
    expression,
  )

/** The panel is in a closed root: only its host can be seen from the page, and it has the focus when its button can be used. */
export const panelReady = (page: Page): Promise<boolean> =>
  untilTrue(page, "document.activeElement?.matches('html > div') ?? false")

/** Sets the step in the answers of the API, for the look of a page with a code that is always the same. */
export const withPasskeyStep = (page: Page, change: object): Promise<unknown> =>
  page.route('**/api/v1/instance/passkey?*', async (route) => {
    const response = await route.fetch()
    const json = (await response.json()) as { passkey: object }
    await route.fulfill({ response, json: { ...json, passkey: { ...json.passkey, ...change } } })
  })
