// The profile of an account: about text, privacy settings, blocked people and default timer. Its other devices are notified.
import { omitUndefined } from '../../src/contract/omit-undefined.ts'
import type { PrivacyCategory } from '../../src/contract/sandbox-world.ts'
import { lidJid, pnJid } from '../model/address.ts'
import type { Account, BusinessProfile } from '../model/world.ts'
import { writeAccount } from '../store/documents.ts'
import { newStanzaId, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts'
import { deliver, enqueue } from './delivery.ts'
import type { DeliveryState, WorldChangeState } from './sandbox-state.ts'

/** The device of an account that makes a change; 0 is the phone. */
interface Author {
  account: Account
  device: number
}

/** The name that the library sends until it knows the account's name. */
const PLACEHOLDER_NAME = '~'

/** Takes over the name that a client has sent. The write is committed with the other writes of the caller. */
export function setPushName(
  { database, changes }: Pick<WorldChangeState, 'database' | 'changes'>,
  account: Account,
  name: string | null | undefined,
): void {
  if (!name || name === PLACEHOLDER_NAME || name === account.name) return
  account.name = name
  writeAccount(database, account)
  changes.record({ about: 'world' }, [account.owner])
}

export async function setAbout(state: WorldChangeState, { account }: Author, text: string): Promise<void> {
  account.about = text
  account.aboutAt = Math.floor(Date.now() / 1000)
  await save(state, account)
}

export async function setPrivacy(
  state: WorldChangeState,
  { account, device }: Author,
  changes: Partial<Record<PrivacyCategory, string | undefined>>,
): Promise<void> {
  Object.assign(account.privacy, changes)
  await save(state, account)
  const categories = Object.entries(changes).map(([name, value]) => stanza('category', { name, value }))
  await syncAccount(state, account, stanza('privacy', {}, categories), device)
}

export async function setBlocked(
  state: WorldChangeState,
  { account, device }: Author,
  person: Account,
  action: 'block' | 'unblock',
): Promise<void> {
  const others = account.blocked.filter((number) => number !== person.number)
  account.blocked = action === 'block' ? [...others, person.number] : others
  await save(state, account)
  const item = stanza('item', { jid: lidJid(person), action })
  await syncAccount(state, account, stanza('blocklist', {}, [item]), device)
}

/** The timer that new chats start with. */
export async function setDefaultTimer(
  state: WorldChangeState,
  { account, device }: Author,
  seconds: number,
): Promise<void> {
  const at = Math.floor(Date.now() / 1000)
  account.disappearing = { seconds, at }
  await save(state, account)
  const change = stanza('disappearing_mode', { duration: String(seconds), t: String(at) })
  await syncAccount(state, account, change, device)
}

interface ProfileChanges {
  about?: string | undefined
  privacy?: Partial<Record<PrivacyCategory, string | undefined>> | undefined
  disappearingSeconds?: number | undefined
  business?: BusinessProfile | null | undefined
  hidesNumber?: boolean | undefined
  username?: string | null | undefined
}

/** Changes that the person makes on the phone. */
export async function changeProfile(
  state: WorldChangeState,
  account: Account,
  { about, privacy, disappearingSeconds, ...shown }: ProfileChanges,
): Promise<void> {
  const author = { account, device: 0 }
  if (about !== undefined) await setAbout(state, author, about)
  if (privacy !== undefined) await setPrivacy(state, author, privacy)
  if (disappearingSeconds !== undefined) await setDefaultTimer(state, author, disappearingSeconds)
  const changed = omitUndefined(shown)
  if (Object.keys(changed).length === 0) return
  Object.assign(account, changed)
  await save(state, account)
}

async function save({ database, changes }: WorldChangeState, account: Account): Promise<void> {
  writeAccount(database, account)
  changes.record({ about: 'world' }, [account.owner])
  await database.committed()
}

// Notices about settings of an account (`account_sync`), which its linked devices get when another device changes them.

/** The device that made the change gets no notice. The phone has the number 0. */
async function syncAccount(
  state: DeliveryState,
  account: Account,
  change: Stanza,
  author: number,
): Promise<void> {
  const deliveries = [...account.devices.keys()]
    .filter((device) => device !== author)
    .map((device) => {
      const attributes = { from: pnJid(account), type: 'account_sync', id: newStanzaId(), t: nowSeconds() }
      return enqueue(state.database, account, device, stanza('notification', attributes, [change]))
    })
  await deliver(state, deliveries)
}
