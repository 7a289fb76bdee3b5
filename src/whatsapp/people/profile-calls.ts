// Calls about the profile of the account: name, about text, picture and privacy settings.

import { PRIVACY_NAMES, type PrivacyName } from '../../contract/profile.ts'
import type { NetworkEvent } from '../../network/network.ts'
import type { OwnProfile, PeopleCalls, ProfileChange } from '../../network/people.ts'
import type { LibrarySocket } from '../library/library-socket.ts'
import { jidNormalizedUser } from '../library/protocol.ts'
import { uploadPicture } from '../library/upload-picture.ts'
import { withTimeout } from '../library/with-timeout.ts'
import { toNetworkError } from '../sending/refusals.ts'
import { readAbout } from './people-calls.ts'

const ANSWER_MS = 20_000
/** The library's name for an account that has none yet. */
const NO_NAME = '~'

interface ProfileParts {
  socket: LibrarySocket
  /** Resolves when the event is stored. */
  report(event: NetworkEvent): Promise<void>
}

type Calls = Pick<PeopleCalls, 'ownProfile' | 'changeProfile'>

export const createProfileCalls = (parts: ProfileParts): Calls => ({
  ownProfile: () => withTimeout(read(parts), ANSWER_MS, 'the profile'),
  changeProfile: (change) => withTimeout(makeChanges(parts, change), ANSWER_MS, 'the profile'),
})

/** The network's name of each privacy setting, and the library's call that changes it. */
const PRIVACY: Record<
  PrivacyName,
  [name: string, set: (socket: LibrarySocket, value: never) => Promise<void>]
> = {
  lastSeen: ['last', (socket, value) => socket.updateLastSeenPrivacy(value)],
  online: ['online', (socket, value) => socket.updateOnlinePrivacy(value)],
  profilePicture: ['profile', (socket, value) => socket.updateProfilePicturePrivacy(value)],
  about: ['status', (socket, value) => socket.updateStatusPrivacy(value)],
  readReceipts: ['readreceipts', (socket, value) => socket.updateReadReceiptsPrivacy(value)],
  groupAdd: ['groupadd', (socket, value) => socket.updateGroupsAddPrivacy(value)],
  calls: ['calladd', (socket, value) => socket.updateCallPrivacy(value)],
  messages: ['messages', (socket, value) => socket.updateMessagesPrivacy(value)],
}

async function read({ socket }: ProfileParts): Promise<OwnProfile> {
  const own = ownJid(socket)
  const [about, privacy, durations] = await Promise.all([
    readAbout(socket, own),
    socket.fetchPrivacySettings(true),
    socket.fetchDisappearingDuration(own),
  ])
  const name = socket.me?.name
  const mode = durations?.[0]?.disappearing_mode as { duration?: number } | undefined
  return {
    name: name && name !== NO_NAME ? name : null,
    ...about,
    privacy: Object.fromEntries(
      PRIVACY_NAMES.map((each) => [each, privacy[PRIVACY[each][0]] ?? null]),
    ) as OwnProfile['privacy'],
    defaultDisappearingSeconds: mode?.duration ?? null,
  }
}

async function makeChanges(parts: ProfileParts, change: ProfileChange): Promise<void> {
  const { socket } = parts
  const { picture, name, about, privacy = {}, defaultDisappearingSeconds, linkPreviews } = change
  if (picture !== undefined) await setPicture(parts, picture)
  if (name !== undefined) await socket.setName(name)
  if (about !== undefined) await socket.updateProfileStatus(about)
  for (const each of PRIVACY_NAMES)
    if (privacy[each] !== undefined) await PRIVACY[each][1](socket, privacy[each] as never)
  if (defaultDisappearingSeconds !== undefined)
    await socket.updateDefaultDisappearingMode(defaultDisappearingSeconds)
  if (linkPreviews === undefined) return
  await socket.changeAppState({ disableLinkPreviews: { isPreviewsDisabled: !linkPreviews } }, '')
  await parts.report({ kind: 'link_previews', isOn: linkPreviews })
}

async function setPicture({ socket, report }: ProfileParts, picture: Uint8Array | null): Promise<void> {
  const jid = ownJid(socket)
  try {
    await (picture ? uploadPicture(socket, undefined, picture) : socket.removeProfilePicture(jid))
  } catch (error) {
    throw toNetworkError(error)
  }
  await report({ kind: 'picture', jid, change: picture ? 'set' : 'removed' })
}

const ownJid = ({ me }: Pick<LibrarySocket, 'me'>): string => jidNormalizedUser(me?.id)
