// The profile of an instance: read from the network, and changed on it.

import type { Caller } from '../accounts/caller.ts'
import type { Deps } from '../context.ts'
import type { PrivacyName } from '../contract/profile.ts'
import { type NamedPicture, readNamedPicture } from '../files/uploads.ts'
import { type InstanceRow, updateInstance } from '../instances/instance-queries.ts'
import { findLinkPreviews } from '../instances/instance-settings.ts'
import { requireInstance, requireOpenInstance } from '../instances/instances.ts'
import { isoOrNull } from '../kernel/time.ts'
import { lidJid, personJid } from '../network/jid.ts'
import { ownPictureUrl } from './rules.ts'

type ProfileDeps = Pick<Deps, 'store' | 'sessions' | 'clock'>

/** Absent: unchanged. */
export interface ProfileInput {
  name?: string | undefined
  about?: string | undefined
  /** Null removes it. */
  picture?: NamedPicture | null | undefined
  privacy?:
    | (Partial<Record<PrivacyName, string | undefined>> & {
        defaultDisappearingSeconds?: number | undefined
        linkPreviews?: boolean | undefined
      })
    | undefined
}

export async function getProfile(deps: ProfileDeps, caller: Caller, instanceName: string) {
  return readProfile(deps, caller, await requireOpenInstance(deps, caller, instanceName))
}

export async function updateProfile(
  deps: ProfileDeps & Pick<Deps, 'checkUrl' | 'readPicture'>,
  caller: Caller,
  { instanceName, change }: { instanceName: string; change: ProfileInput },
) {
  const instance = await requireOpenInstance(deps, caller, instanceName)
  const { picture, privacy = {}, ...texts } = change
  const { defaultDisappearingSeconds, linkPreviews, ...audiences } = privacy
  const bytes = picture && (await readNamedPicture(deps, caller, picture))
  await deps.sessions.changeProfile(instance.id, {
    ...texts,
    picture: bytes,
    privacy: audiences,
    defaultDisappearingSeconds,
    linkPreviews,
  })
  if (texts.name !== undefined)
    await updateInstance(deps.store.db, instance.id, { profile_name: texts.name, updated_at: deps.clock() })
  return readProfile(deps, caller, await requireInstance(deps, caller.account.id, instanceName))
}

async function readProfile(deps: ProfileDeps, caller: Caller, instance: InstanceRow) {
  const profile = await deps.sessions.ownProfile(instance.id)
  const { privacy, defaultDisappearingSeconds, aboutSetAtMs, name, about } = profile
  return {
    number: instance.number ?? '',
    jid: personJid(instance.number ?? ''),
    lid: instance.lid === null ? null : lidJid(instance.lid),
    name: name ?? instance.profile_name,
    about,
    aboutSetAt: isoOrNull(aboutSetAtMs),
    profilePictureUrl: ownPictureUrl(caller.origin, instance.api_name, instance.picture_version),
    privacy: {
      ...privacy,
      defaultDisappearingSeconds,
      linkPreviews: await findLinkPreviews(deps, instance.id),
    },
  }
}
