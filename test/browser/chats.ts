// An instance, a person who writes to it, and their chat on the page.
import type { Locator, Page } from 'playwright-core'
import { randomNumber } from '../support/gateway.ts'
import type { PairedInstance, SandboxWorld } from '../support/sandbox-world.ts'

/** A further account of the shared gateway. */
export type Account = Awaited<ReturnType<SandboxWorld['otherAccount']>>

export const jidOf = (number: string): string => `${number}@s.whatsapp.net`
/** The address of the page with this chat open. */
export const chatOf = (line: PairedInstance, chat: string): string =>
  `/conversations?instance=${line.name}&chat=${encodeURIComponent(chat)}`

/** An instance, and a person on the sandbox network. */
export async function lineAndPerson(world: SandboxWorld, name = 'Bob') {
  const line = await world.pair(randomNumber())
  const person = await world.world.phone(randomNumber(), name)
  return { line, person }
}

/** Opens the form of another kind of message. */
export async function chooseKind(page: Page, kind: string, menu = 'Message type'): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).click()
  await page.locator('[popover]:popover-open').getByRole('button', { name: kind, exact: true }).click()
}

export const bubble = (page: Page, text: string): Locator =>
  page.getByRole('log').getByRole('article').filter({ hasText: text })

/** The texts of all messages that the page holds, oldest first. */
export const textsOf = (page: Page): Locator =>
  page.getByRole('log').getByRole('article').getByRole('paragraph')
