// The dialog with the profile of an instance: name, about text, picture and privacy. Only what was changed is sent.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { PrivacyName } from '../../../../src/contract/profile.ts'
import { addressOf, api } from '../../../gateway/api.ts'
import { upload } from '../../../gateway/upload.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { SelectField, TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { ErrorNote, Loaded } from '../../../ui/page-head.tsx'
import { faultOf } from '../../../ui/refusals/error-text.ts'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { useToasts } from '../../../ui/toast.tsx'
import type { InstanceDialogProps } from './settings-dialog.tsx'
import { settingsTexts } from './texts/settings-texts.ts'

type Audience = 'all' | 'contacts' | 'contact_blacklist' | 'none' | 'match_last_seen' | 'known'
const AUDIENCE = ['all', 'contacts', 'contact_blacklist', 'none'] as const
const PRIVACY: Readonly<Record<PrivacyName, readonly Audience[]>> = {
  lastSeen: AUDIENCE,
  online: ['all', 'match_last_seen'],
  profilePicture: AUDIENCE,
  about: AUDIENCE,
  readReceipts: ['all', 'none'],
  groupAdd: ['all', 'contacts', 'contact_blacklist'],
  calls: ['all', 'known'],
  messages: ['all', 'contacts'],
}
const NAMES = Object.keys(PRIVACY) as PrivacyName[]

type Profile = Awaited<ReturnType<typeof api.getProfile>>['profile']
type Shown = Pick<Profile, 'name' | 'about'> & { privacy: Partial<Record<PrivacyName, string | null>> }

export function ProfileDialog({ instance, onClose }: InstanceDialogProps) {
  const t = useTexts(settingsTexts)
  const query = { instanceName: instance.apiInstanceName }
  const profile = useQuery({
    queryKey: ['instance-profile', instance.apiInstanceName],
    queryFn: () => api.getProfile({ query }),
    refetchOnWindowFocus: false,
    gcTime: 0,
  })
  if (profile.data) return <ProfileForm instance={instance} shown={profile.data.profile} onClose={onClose} />
  return (
    <Dialog title={t.profileTitle(instance.displayName)} onClose={onClose}>
      <Loaded query={profile}>{() => null}</Loaded>
    </Dialog>
  )
}

async function uploadPicture(file: File): Promise<{ mediaId: string }> {
  const address = addressOf('uploadMedia', {})
  const options = { onProgress: () => undefined, signal: new AbortController().signal }
  const { mediaId } = (await upload(address, file, options)) as { mediaId: string }
  return { mediaId }
}

function ProfileForm({ instance, shown, onClose }: InstanceDialogProps & { shown: Shown }) {
  const t = useTexts(settingsTexts)
  const ui = useTexts(uiTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const [name, setName] = useState(shown.name ?? '')
  const [about, setAbout] = useState(shown.about ?? '')
  /** Null removes it; undefined leaves it. */
  const [picture, setPicture] = useState<File | null>()
  const [privacy, setPrivacy] = useState(shown.privacy)
  const save = useMutation({
    mutationFn: async () => {
      const changed = NAMES.filter((each) => privacy[each] !== shown.privacy[each])
      const body = {
        ...(name !== (shown.name ?? '') && { name }),
        ...(about !== (shown.about ?? '') && { about }),
        ...(picture !== undefined && { picture: picture && (await uploadPicture(picture)) }),
        ...(changed.length > 0 && {
          privacy: Object.fromEntries(changed.map((each) => [each, privacy[each]])),
        }),
      }
      if (Object.keys(body).length === 0) return
      await api.updateProfile({ query: { instanceName: instance.apiInstanceName }, body })
    },
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['instances'] })
      toasts.done(t.saved)
      onClose()
    },
  })
  const isKnown = ['name', 'about'].some((path) => faultOf(save.error, path) !== undefined)
  return (
    <FormDialog
      title={t.profileTitle(instance.displayName)}
      action={ui.save}
      isPending={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField
        label={t.name}
        fault={faultOf(save.error, 'name')}
        maxLength={25}
        value={name}
        onChange={setName}
      />
      <TextField
        label={t.about}
        fault={faultOf(save.error, 'about')}
        maxLength={139}
        value={about}
        onChange={setAbout}
      />
      <PictureField picture={picture} onChange={setPicture} />
      <h3>{t.privacy}</h3>
      {NAMES.filter((each) => privacy[each]).map((each) => (
        <SelectField
          key={each}
          label={t.privacyOf[each]}
          value={privacy[each] as Audience}
          options={PRIVACY[each].map((audience) => [audience, t.audiences[audience]])}
          onChange={(audience) => setPrivacy((before) => ({ ...before, [each]: audience }))}
        />
      ))}
      {save.error && !isKnown ? <ErrorNote error={save.error} /> : null}
    </FormDialog>
  )
}

interface PictureFieldProps {
  picture: File | null | undefined
  onChange(picture: File | null | undefined): void
}

function PictureField({ picture, onChange }: PictureFieldProps) {
  const t = useTexts(settingsTexts)
  const id = useId()
  return (
    <div className="stack">
      <label htmlFor={id}>{t.picture}</label>
      <input
        id={id}
        type="file"
        accept="image/jpeg,image/png"
        disabled={picture === null}
        onChange={({ target }) => onChange(target.files?.[0])}
      />
      <label className="row">
        <input
          type="checkbox"
          checked={picture === null}
          onChange={({ target }) => onChange(target.checked ? null : undefined)}
        />
        {t.removePicture}
      </label>
    </div>
  )
}
