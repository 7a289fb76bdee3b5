// A browser on the dashboard of a real gateway with the sandbox network. Every opened page is checked: no request leaves the
// origin, no violation of the content security policy, no script error.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core'
import { AUTHORITY_FILE } from '../support/certificates.ts'
import { until } from '../support/linked.ts'
import { type SandboxWorld, startSandboxWorld } from '../support/sandbox-world.ts'

const root = join(import.meta.dirname, '..', '..')
/** Generous, because a busy machine can be many times slower. */
const PATIENCE_MS = 60_000

const USUAL_PATHS = [
  // Without the window around the page, a test takes a third less CPU.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
]
const browserPath = [process.env.TEST_BROWSER, ...USUAL_PATHS].find(
  (path) => path !== undefined && existsSync(path),
)

/** For `describe`: skips the tests without a browser; with `CI=true` a missing browser is a failure. */
export const skip: string | false =
  browserPath === undefined ? 'no Chromium was found; TEST_BROWSER names one' : false
if (skip && process.env.CI === 'true') throw new Error(skip)

export interface OpenOptions {
  /** The key of an account. */
  signedInAs?: string
  operator?: boolean
  /** Whether the composer shows options, typing delay and API request; absent: it does. */
  developer?: boolean
  /** The URL of a gateway other than the shared one. */
  at?: string
}

export interface Dashboard {
  world: SandboxWorld
  /** Opens a page without anything that another one has stored, signed out unless the options say otherwise. */
  open(path: string, options?: OpenOptions): Promise<OpenPage>
  /** Waits until a key is rejected: a revocation takes effect within a second. */
  untilRefused(key: string): Promise<void>
}

export interface OpenPage {
  page: Page
  /** Errors in the browser console, including failed requests. */
  complaints: readonly string[]
  /** Closes the page and fails if it broke a rule. */
  close(): Promise<void>
}

export interface StartedDashboard {
  dashboard: Dashboard
  stop(): Promise<void>
}

/** Starts a separate gateway and browser, for tests that need an empty world. */
export async function startDashboard(): Promise<StartedDashboard> {
  await promisify(execFile)(process.execPath, [join(root, 'scripts', 'build.ts'), 'start'], { cwd: root })
  const world = await startSandboxWorld({ EXTRA_CA_FILE: AUTHORITY_FILE })
  // Tests run as root in containers, where Chromium's sandbox does not work.
  const browser = await chromium.launch({ executablePath: browserPath as string, args: ['--no-sandbox'] })
  const idle: IdleContexts = new Map()
  return {
    dashboard: {
      world,
      open: (path, options = {}) => openPage(browser, idle, world, path, options),
      async untilRefused(key) {
        const requested = Date.now()
        while ((await world.call('accountLimits', { key })).status !== 401) {
          assert.ok(Date.now() < requested + PATIENCE_MS, 'the key is still taken')
        }
      },
    } satisfies Dashboard,
    async stop() {
      await browser.close()
      await world.stop()
    },
  }
}

/** Contexts whose page was closed, by the address of their gateway. A new one would load and compile every script again. */
type IdleContexts = Map<string, BrowserContext[]>

async function contextFor(browser: Browser, idle: IdleContexts, url: string): Promise<BrowserContext> {
  const used = idle.get(url)?.pop()
  if (used) return used
  const context = await browser.newContext({
    baseURL: url,
    colorScheme: 'light',
    locale: 'en-GB',
    viewport: { width: 1280, height: 860 },
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(PATIENCE_MS)
  return context
}

async function openPage(
  browser: Browser,
  idle: IdleContexts,
  world: SandboxWorld,
  path: string,
  { signedInAs, operator, developer = true, at: url = world.app.url }: OpenOptions,
): Promise<OpenPage> {
  const context = await contextFor(browser, idle, url)
  if (signedInAs !== undefined) await signIn(context, url, '/session', signedInAs)
  if (operator) await signIn(context, url, '/session/operator', world.app.operatorKey)
  const page = await context.newPage()
  if (developer)
    await page.addInitScript(
      // A blank page has no storage.
      `if (location.protocol !== 'about:') localStorage.setItem('switchboard.developer', 'true')`,
    )
  const faults = watch(page, url)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.goto(path)
  return {
    page,
    complaints,
    async close() {
      await page.evaluate('localStorage.clear()')
      await page.close()
      await context.clearCookies()
      idle.set(url, [...(idle.get(url) ?? []), context])
      assert.deepEqual(faults, [])
    },
  }
}

/** Signs in without the page; the cookie is stored in the browser context. */
async function signIn(context: BrowserContext, url: string, path: string, key: string): Promise<void> {
  const answer = await context.request.post(url + path, { data: { key } })
  assert.equal(answer.status(), 200)
}

function watch(page: Page, url: string): string[] {
  const faults: string[] = []
  page.on('request', (request) => {
    const target = new URL(request.url())
    const isOwn = target.origin === url || target.protocol === 'data:' || target.protocol === 'blob:'
    if (!isOwn) faults.push(`a request to ${target.origin}`)
    if (/sk_|apiKey/.test(target.search)) faults.push('a key in an address')
  })
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  return faults
}

/** Waits until a text is gone from the page: a list may show a deleted record for a moment. */
export const untilGone = async (page: Page, text: string): Promise<void> => {
  await page.getByText(text).first().waitFor({ state: 'detached' })
  assert.ok(!(await page.content()).includes(text))
}

/** Waits until an element with this label or text has the focus: it returns in the frame after a menu or dialog is closed. */
export const untilFocused = (page: Page, name: string): Promise<unknown> =>
  until(`the focus on “${name}”`, async () => {
    const names = await page.evaluate<(string | null)[]>(
      '(({ ariaLabel, textContent, firstChild }) => [ariaLabel, textContent, firstChild?.textContent])(document.activeElement)',
    )
    return names.includes(name) ? true : undefined
  })

/** The width of a loaded picture. A script as text would be blocked by the content security policy. */
export const widthOf = (picture: Locator): Promise<number> =>
  until('the picture', () =>
    picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth || undefined),
  )
