// The extension in Firefox: installed from its folder, on a stub of the official page, with a passkey of a sandbox phone in the virtual
// authenticator of the browser. Other tests run its scripts in Chromium.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { awaitPasskey, OFFICIAL, POLICY, STUB } from '../browser/passkey-steps.ts'
import { type Firefox, skip, startFirefox } from '../support/firefox.ts'
import { type SandboxWorld, startSandboxWorld, until } from '../support/sandbox-world.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const certificate = (name: string) => join(ROOT, 'test', 'support', 'certificates', `${name}.pem`)
const NUMBER = '5511973000099'

describe('the extension in Firefox', { skip }, () => {
  let sandbox: SandboxWorld
  let official: Server
  let firefox: Firefox
  before(async () => {
    await promisify(execFile)(process.execPath, [join(ROOT, 'scripts', 'build.ts'), 'start'], { cwd: ROOT })
    sandbox = await startSandboxWorld()
    official = createServer(
      { key: readFileSync(certificate('official-key')), cert: readFileSync(certificate('official-cert')) },
      (_, response) => {
        response.setHeader('content-type', 'text/html')
        response.setHeader('content-security-policy', POLICY)
        response.end(STUB)
      },
    ).listen(0, '127.0.0.1')
    await once(official, 'listening')
    const { port } = official.address() as AddressInfo
    firefox = await startFirefox({ https: port, authority: certificate('official-authority-cert') })
  })
  after(async () => {
    await firefox?.stop()
    official?.closeAllConnections()
    official?.close()
    await sandbox?.stop()
  })

  /** Between two pages there is no answer. */
  const shownText = () =>
    firefox.evaluate<string | null>('return document.body?.innerText').catch(() => undefined)
  const shows = (text: string) =>
    until(shownText, (shown) => shown?.includes(text) === true, `the page shows ${text}`)
  const isPanelFocused = () =>
    firefox.evaluate<boolean>("return document.activeElement?.matches('html > div') ?? false")

  test('the owner of a number opens the link, uses the passkey after a click, and the instance opens', async () => {
    const { name } = await awaitPasskey(sandbox, NUMBER, 'Shop')
    await firefox.send('Addon:Install', { path: join(ROOT, 'extension'), temporary: true })
    await addPasskey()
    const { link } = await sandbox.api('createPasskeyLink', { query: { instanceName: name } })
    await firefox.open(link.url)
    await shows('your WhatsApp account to “Shop”')
    const address = await firefox.evaluate<string>(
      'return document.querySelector(\'a[href^="https://web.whatsapp.com/"]\').href',
    )
    const { value: waiting } = (await firefox.send('WebDriver:GetWindowHandle')) as { value: string }
    await firefox.newTab()
    await firefox.open(OFFICIAL)
    assert.equal(await firefox.evaluate('return document.documentElement.children.length'), 2, 'no panel')
    await firefox.open('about:blank')
    await firefox.open(address)
    await until(isPanelFocused, (isFocused) => isFocused, 'the panel has the focus')
    assert.equal(
      await firefox.evaluate('return location.href'),
      OFFICIAL,
      'the page does not see the request',
    )
    await firefox.pressEnter()
    await shows('The result was handed over.')
    await firefox.send('WebDriver:SwitchToWindow', { handle: waiting })
    await shows('The device is linked.')
    const { instance } = await sandbox.api('instanceState', { query: { instanceName: name } })
    assert.equal(instance.state, 'open')
  })

  async function addPasskey(): Promise<void> {
    const key = (await sandbox.world.ask('GET', `/phones/${NUMBER}/passkey`)).body['passkey'] as Record<
      string,
      string
    >
    const base64url = (text = '') => Buffer.from(text, 'base64').toString('base64url')
    const { value: authenticatorId } = (await firefox.send('WebAuthn:AddVirtualAuthenticator', {
      protocol: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserConsenting: true,
      isUserVerified: true,
    })) as { value: string }
    await firefox.send('WebAuthn:AddCredential', {
      authenticatorId,
      credentials: {
        credentialId: base64url(key['credentialId']),
        privateKey: base64url(key['privateKey']),
        userHandle: base64url(key['userHandle']),
        rpId: key['rpId'],
        isResidentCredential: true,
        signCount: 1,
      },
    })
  }
})
