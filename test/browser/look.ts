// Accessibility and screenshots. Only `every-page.test.ts` uses this: once for each page and state is enough.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AxeResults, RunOptions } from 'axe-core'
import type { ElementHandle, Locator, Page } from 'playwright-core'

/** A screenshot costs as much as a check, so a run takes them only when someone wants to look, and of what has a fault. */
const IS_PHOTOGRAPHED = process.env.TEST_SCREENSHOTS === 'true'
const SCREENSHOTS = join(import.meta.dirname, 'screenshots')
const WIDE = { width: 1280, height: 860 }
const NARROW = { width: 390, height: 800 }
/** The theme changes colours only; all other rules are checked once. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** The long run checks the colours of the light theme and the small screen as well, which cost more than all other checks. */
const IN_EVERY_LOOK = process.env.TEST_EVERY_LOOK === 'true' || IS_PHOTOGRAPHED

/** Checks the page, or a part of it, in the dark theme, and the colours of the light one in the long run. */
export async function checkPage(page: Page, name: string, part?: Locator): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  await check(page, `${name}-dark`, part)
  if (!IN_EVERY_LOOK) return
  await page.emulateMedia({ colorScheme: 'light' })
  await check(page, `${name}-light`, part, { runOnly: OF_COLOURS })
}

/** Checks that the page fits a small screen. Its accessibility there is a part of the long run; the colours are the same as on a large one. */
export async function lookNarrow(page: Page, name: string): Promise<void> {
  await page.setViewportSize(NARROW)
  if (IN_EVERY_LOOK)
    await check(page, `${name}-narrow`, undefined, {
      rules: Object.fromEntries(OF_COLOURS.map((rule) => [rule, { enabled: false }])),
    })
  assert.equal(
    await page.evaluate('document.documentElement.scrollWidth'),
    NARROW.width,
    `${name}: nothing sticks out`,
  )
  await page.setViewportSize(WIDE)
}

/** Without `chosen` all rules are checked. */
async function check(page: Page, name: string, part?: Locator, chosen: RunOptions = {}): Promise<void> {
  if (IS_PHOTOGRAPHED) await photograph(page, name, part)
  // Nothing else in the result is read, and collecting it takes half of the time.
  const options: RunOptions = { resultTypes: ['violations'], preload: false, ...chosen }
  const faults = await seriousFaults(page, part, options)
  if (faults.length > 0) await photograph(page, name, part)
  assert.deepEqual(faults, [], name)
}

async function photograph(page: Page, name: string, part?: Locator): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true })
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: part === undefined })
}

async function seriousFaults(page: Page, part: Locator | undefined, options: RunOptions): Promise<string[]> {
  if (await page.evaluate('!globalThis.axe')) await page.evaluate(axeSource())
  const { violations } = await resultsOf(page, part, options)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`)
}

/** A page that is drawn again meanwhile has another element in its place, which is then checked. */
async function resultsOf(page: Page, part: Locator | undefined, runOptions: RunOptions): Promise<AxeResults> {
  for (;;) {
    const element = (await part?.elementHandle()) as ElementHandle | null | undefined
    const results = await page.evaluate(
      async (given) => {
        const { axe, document } = globalThis as unknown as {
          axe: { run(context: unknown, options: RunOptions): Promise<AxeResults> }
          document: unknown
        }
        const checked = given.element as { isConnected?: boolean } | null | undefined
        return checked?.isConnected === false ? null : axe.run(checked ?? document, given.runOptions)
      },
      { element, runOptions },
    )
    if (results) return results
  }
}

let source: string | undefined
const axeSource = (): string =>
  (source ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
