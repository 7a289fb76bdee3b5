// Every page, and every dialog and state that has markup of its own: how a browser gets there. `every-page.test.ts` checks each
// of them once; the other tests check what the pages do.
import type { Locator, Page } from 'playwright-core'
import { randomNumber } from '../support/gateway.ts'
import { png } from '../support/sample-files.ts'
import { chatOf, chooseKind, jidOf } from './chats.ts'
import { overview } from './overview-states.ts'
import { receiverPages } from './receiver-states.ts'
import type { SeededAccount } from './seeded-account.ts'
import { teamStates } from './team-states.ts'
import { click, closeAll, dialog, heading, type State, theDialog, type Visit } from './visit.ts'

const form = (page: Page): Locator => page.getByRole('form', { name: 'Write a message' })
/** An empty form of this kind, with what it says about the missing fields. */
const emptyForm = (kind: string): State => ({
  name: `conversation-form-${kind.toLowerCase().replaceAll(' ', '-')}`,
  async reach(page) {
    await closeAll(page)
    await chooseKind(page, kind)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('alert').first().waitFor()
  },
  part: form,
})

const PICTURE = { name: 'photo.png', mimeType: 'image/png', buffer: png(4, 4) }
const uploadRunning: State = {
  name: 'upload-running',
  async reach(page) {
    await chooseKind(page, 'Media')
    await page.route('**/api/v1/media?*', () => {})
    await form(page).locator('input[type=file]').setInputFiles(PICTURE)
    await form(page).getByRole('progressbar').waitFor()
  },
  part: form,
}
const uploadDone: State = {
  name: 'upload-done',
  async reach(page) {
    await form(page).getByRole('button', { name: 'Cancel' }).click()
    await page.unroute('**/api/v1/media?*')
    await form(page).locator('input[type=file]').setInputFiles(PICTURE)
    await form(page).getByRole('status').filter({ hasText: 'photo.png' }).waitFor()
  },
  part: form,
}

const pictureSent: State = {
  name: 'picture-sent',
  async reach(page) {
    const answered = page.waitForResponse((response) => response.url().includes('/send'))
    await form(page).getByRole('button', { name: 'Send' }).click()
    const { messageId } = (await (await answered).json()) as { messageId: string }
    await page.locator(`[data-message="${messageId}"]`).waitFor()
  },
  part: (page) => page.getByRole('log'),
}
/** A group of which one number was not added. */
const groupCreated: State = {
  name: 'group-created',
  async reach(page) {
    await theDialog(page).getByLabel('Subject').fill('Trial')
    await theDialog(page).getByLabel('Phone numbers').fill(randomNumber())
    await theDialog(page).getByRole('button', { name: 'Create group' }).click()
    await theDialog(page).getByText('Not on the network').waitFor()
  },
  part: theDialog,
}

/** A dialog of the menu of the message that the account has sent. */
const messageDialog = ({ sentId }: SeededAccount, name: string, action: string): State => ({
  name: `message-${name}`,
  async reach(page) {
    await closeAll(page)
    await page.locator(`[data-message="${sentId}"]`).getByRole('button', { name: 'Message actions' }).click()
    await click(page, action)
    await theDialog(page).waitFor()
  },
  part: theDialog,
})

const conversation = (seed: SeededAccount): Visit => ({
  path: '/conversations',
  name: 'conversation',
  address: chatOf(seed.line, jidOf(seed.person)),
  // Among the messages are a starred one, a carousel and the timer of the chat.
  async ready(page) {
    const sent = page.locator(`[data-message="${seed.sentId}"]`)
    await sent.getByText('edited').waitFor()
    await sent.getByText('Starred').waitFor()
    await page.getByRole('log').getByText('Boot, 79').waitFor()
    await page.locator('header').getByText('Messages disappear after 7 days').waitFor()
  },
  states: [
    {
      name: 'message-menu',
      reach: (page) =>
        page
          .locator(`[data-message="${seed.sentId}"]`)
          .getByRole('button', { name: 'Message actions' })
          .click(),
      part: (page) => page.locator('[popover]:popover-open'),
    },
    messageDialog(seed, 'edit', 'Edit'),
    messageDialog(seed, 'pin', 'Pin'),
    messageDialog(seed, 'forward', 'Forward'),
    messageDialog(seed, 'delete', 'Delete for everyone'),
    {
      name: 'chat-menu',
      async reach(page) {
        await closeAll(page)
        await click(page, 'Chat actions')
      },
      part: (page) => page.locator('[popover]:popover-open'),
    },
    dialog('chat-mute', 'Chat actions', 'Mute'),
    dialog('chat-timer', 'Chat actions', 'Disappearing messages'),
    dialog('chat-clear', 'Chat actions', 'Clear chat'),
    dialog('chat-new', 'New chat'),
    ...teamStates,
    dialog('group-create', 'More', 'New group'),
    groupCreated,
    dialog('group-join', 'More', 'Join a group'),
    ...['Media', 'Buttons', 'List', 'Mixed buttons', 'Carousel', 'Location', 'Poll', 'Event', 'Sticker'].map(
      emptyForm,
    ),
    emptyForm('Contact'),
    uploadRunning,
    uploadDone,
    pictureSent,
    {
      name: 'conversation-schedule',
      async reach(page) {
        await chooseKind(page, 'Text')
        await form(page).getByText('Options: schedule, expiry').click()
      },
      part: form,
    },
    {
      name: 'chat-search',
      async reach(page) {
        await page.getByRole('button', { name: 'Search in this chat' }).click()
        await page.getByRole('searchbox', { name: 'Search in this chat' }).fill('nothing like this')
        await page.getByText('Nothing found').waitFor()
      },
    },
    {
      name: 'messages-found',
      async reach(page) {
        await page.getByRole('button', { name: 'Close search' }).click()
        await page.getByRole('searchbox', { name: 'Search chats and messages' }).fill('nothing like this')
        await page.getByText('No message contains these words.').waitFor()
      },
      part: (page) => page.getByRole('complementary', { name: 'Chats' }),
    },
    {
      name: 'message-kinds',
      async reach(page) {
        await page.getByRole('searchbox', { name: 'Search chats and messages' }).fill('')
        await page.getByRole('button', { name: 'Message type', exact: true }).click()
      },
      part: form,
    },
    {
      name: 'emojis',
      async reach(page) {
        await closeAll(page)
        await page.getByRole('button', { name: 'Insert an emoji' }).click()
      },
      part: form,
    },
    {
      name: 'chats-archived',
      async reach(page) {
        await closeAll(page)
        await page.getByRole('tab', { name: 'Archived', exact: true }).click()
        await page.getByRole('link', { name: /Carol/ }).waitFor()
      },
      part: (page) => page.getByRole('complementary', { name: 'Chats' }),
    },
  ],
})

const chats = (seed: SeededAccount): Visit[] => [
  conversation(seed),
  {
    path: '/conversations',
    name: 'chats',
    address: `/conversations?instance=${seed.line.name}`,
    ready: (page) => page.getByText('Choose a chat').waitFor(),
  },
  {
    path: '/conversations',
    name: 'group-conversation',
    address: chatOf(seed.line, seed.group),
    ready: (page) => page.getByRole('log').getByText('Welcome').waitFor(),
    states: [
      {
        name: 'group-mentions',
        async reach(page) {
          await click(page, 'Mention a member')
          await page.getByRole('searchbox', { name: 'Search members' }).waitFor()
        },
      },
    ],
  },
  {
    path: '/conversations',
    name: 'status',
    address: chatOf(seed.line, 'status@broadcast'),
    ready: (page) => page.getByRole('log').getByText('Open until midnight').waitFor(),
    states: [
      {
        name: 'status-form-empty',
        async reach(page) {
          await form(page).getByLabel('Who sees it').selectOption('Chosen numbers')
          await form(page).getByRole('button', { name: 'Send' }).click()
          await form(page).getByRole('alert').first().waitFor()
        },
        part: form,
      },
    ],
  },
  {
    path: '/conversations/scheduled',
    name: 'scheduled',
    address: '/conversations/scheduled',
    ready: (page) => page.getByRole('row').filter({ hasText: 'Happy birthday' }).waitFor(),
    states: [dialog('scheduled-cancel', /^Actions for/, 'Cancel message')],
  },
  {
    path: '/conversations/approvals',
    name: 'approvals',
    address: '/conversations/approvals',
    ready: (page) => page.getByRole('row').filter({ hasText: 'A draft of the agent' }).waitFor(),
    states: [dialog('approval-reject', /^Reject/), dialog('approval-open', 'Show all')],
  },
  {
    path: '/conversations/group',
    name: 'group-page',
    address: `/conversations/group?instance=${seed.line.name}&group=${encodeURIComponent(seed.group)}`,
    async ready(page) {
      await heading(page, 'Launch')
      await page.getByRole('button', { name: /^Approve / }).waitFor()
    },
    states: [dialog('group-add', 'Add members'), dialog('group-leave', 'Leave group')],
  },
]

const instances = (seed: SeededAccount): Visit[] => [
  {
    path: '/instances',
    name: 'instances',
    address: '/instances',
    ready: (page) => page.getByRole('link', { name: 'Unlinked', exact: true }).waitFor(),
    states: [dialog('instance-new', 'New instance')],
  },
  {
    path: '/instances/:name',
    name: 'instance',
    address: `/instances/${seed.line.name}`,
    ready: (page) => page.getByText(`Connected as +${seed.line.number}`).waitFor(),
    states: [
      dialog('instance-settings', /^Actions for /, 'Settings'),
      dialog('instance-profile', /^Actions for /, 'Profile'),
      dialog('instance-chatwoot', 'Connect with Chatwoot'),
      dialog('instance-delete', /^Actions for /, 'Delete'),
    ],
  },
  {
    path: '/instances/:name',
    name: 'instance-pairing',
    address: `/instances/${seed.unlinked}`,
    async ready(page) {
      await page.getByAltText('Login code to scan with the phone').waitFor()
      await page.getByText('Use a pairing code instead').click()
    },
  },
]

/** The pages of an account. */
export const accountPages = (seed: SeededAccount): Visit[] => [
  overview,
  ...instances(seed),
  ...chats(seed),
  {
    path: '/contacts',
    name: 'contacts',
    address: '/contacts',
    ready: (page) => page.getByRole('row', { name: 'Ana Souza' }).waitFor(),
    states: [dialog('contact-new', 'New contact')],
  },
  ...receiverPages(seed),
  {
    path: '/events',
    name: 'events',
    address: '/events',
    async ready(page) {
      const event = page.getByRole('option').filter({ hasText: 'messages.upsert' }).first()
      await event.click()
      await page.getByRole('region', { name: 'messages.upsert' }).waitFor()
    },
    states: [
      {
        name: 'events-names',
        reach: (page) => click(page, 'Events: All events'),
        part: (page) => page.locator('[popover]:popover-open'),
      },
    ],
  },
  {
    path: '/account',
    name: 'account',
    address: '/account',
    ready: (page) => page.getByRole('cell', { name: 'Shop', exact: true }).waitFor(),
    states: [
      dialog('key-new', 'New key'),
      dialog('key-replace', 'Actions for Shop', 'Replace'),
      dialog('key-revoke', 'Actions for Shop', 'Revoke'),
      {
        name: 'key-shown',
        async reach(page) {
          await closeAll(page)
          await click(page, 'New key')
          await page.getByLabel('Name').fill('Another')
          await click(page, 'Create key')
          await page.getByRole('dialog', { name: 'Your new key' }).waitFor()
        },
        part: theDialog,
      },
    ],
  },
]
