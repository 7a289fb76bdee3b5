// Makes the pictures of the dashboard in the documents: a gateway on the sandbox network with a few conversations, in a real browser.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type OpenPage, skip, startDashboard } from '../test/browser/start-dashboard.ts'
import { type SandboxWorld, until } from '../test/support/sandbox-world.ts'

const FOLDER = join(import.meta.dirname, '..', 'docs', 'images')
const SIZE = { width: 1280, height: 800 }

const OWN_NUMBER = '5511930000001'
const LAST = 'Perfect, see you at five!'
const ANA = { number: '5511930000002', name: 'Ana Souza' }
/** Each writes one message; the last one is at the top of the list. */
const OTHERS = [
  { number: '5511930000003', name: 'Bruno Lima', text: 'Could you send me the invoice again?' },
  { number: '5511930000004', name: 'Carla Nunes', text: 'When do you open on Saturday?' },
  { number: '5511930000005', name: 'Diego Ramos', text: 'Thank you, everything arrived 👍' },
]

/** An instance that the phone with our number has scanned. */
async function connect(world: SandboxWorld, instanceName: string): Promise<string> {
  await world.world.phone(OWN_NUMBER, instanceName)
  const { instance } = await world.api('createInstance', { body: { instanceName } })
  const name: string = instance.apiInstanceName
  await world.api('connectInstance', { query: { instanceName: name }, body: {} })
  await world.world.post(`/phones/${OWN_NUMBER}/scan`, { instanceName: name })
  await until(
    async () =>
      (await world.api('instanceState', { query: { instanceName: name } })).instance.state as string,
    (state) => state === 'open',
    `${name} open`,
  )
  return name
}

async function converse(world: SandboxWorld, instanceName: string): Promise<void> {
  /** Each message waits for the one before, so that their order is the same in every picture. */
  const arrived = (messageId: string, statuses?: readonly string[]): Promise<unknown> =>
    until(
      async () => (await world.api('listMessages', { query: { instanceName, limit: 100 } })).messages,
      (messages: { messageId: string; status: string }[]) =>
        messages.some((one) => one.messageId === messageId && (statuses?.includes(one.status) ?? true)),
      messageId,
    )
  const say = async (message: string): Promise<void> => {
    const body = { instanceName, number: ANA.number, message, delay: 0 }
    const { messageId } = await world.api('sendText', { body })
    await arrived(messageId, ['delivered', 'read'])
  }
  const receive = async (number: string, text: string): Promise<void> => {
    const messageId = await world.world.send(number, { to: OWN_NUMBER, text })
    await arrived(messageId)
  }
  const answer = (text: string) => receive(ANA.number, text)
  await world.world.phone(ANA.number, ANA.name)
  for (const { number, name, text } of OTHERS) {
    await world.world.phone(number, name)
    await receive(number, text)
  }
  await answer('Hello! Is my order *A-1042* ready?')
  await say('Hi Ana, yes, it is *ready*. You can collect it today until 18:00.')
  await answer('Great. Can I pay by card?')
  await say('Of course: card, _Pix_ or cash.')
  await world.world.post(`/phones/${ANA.number}/read`, { chat: OWN_NUMBER })
  await answer(LAST)
}

/** The page has to show the last message. */
async function photograph({ page, close }: OpenPage, name: string): Promise<void> {
  await page.setViewportSize(SIZE)
  await page.getByRole('log').getByText(LAST).first().waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  // The list follows when the open chat has been read.
  await page.locator('a[aria-current]').getByText('unread').first().waitFor({ state: 'detached' })
  await page.evaluate('document.fonts.ready')
  await page.screenshot({ path: join(FOLDER, `${name}.png`) })
  await close()
}

if (skip) throw new Error(skip)
const { dashboard, stop } = await startDashboard()
try {
  const { world } = dashboard
  const instanceName = await connect(world, 'Customer care')
  await converse(world, instanceName)
  await mkdir(FOLDER, { recursive: true })
  const chat = encodeURIComponent(`${ANA.number}@s.whatsapp.net`)
  const options = { signedInAs: world.key, developer: false }
  const address = `/conversations?instance=${instanceName}&chat=${chat}`
  await photograph(await dashboard.open(address, options), 'dashboard')
  const phones = await dashboard.open('/phone', options)
  await phones.page
    .getByRole('region', { name: `${ANA.name}’s phone` })
    .getByRole('button', { name: new RegExp(LAST) })
    .click()
  await photograph(phones, 'phone')
} finally {
  await stop()
}
process.exit(0)
