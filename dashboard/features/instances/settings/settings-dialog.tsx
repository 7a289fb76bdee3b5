// The dialog with the settings of an instance. Only what was changed is sent: the shown proxy has its credentials masked.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SyncHistory } from '../../../../src/contract/instance-settings.ts'
import { api } from '../../../gateway/api.ts'
import { AreaField } from '../../../ui/area-field.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Checks, SelectField, TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { ErrorNote, Loaded } from '../../../ui/page-head.tsx'
import { faultOf } from '../../../ui/refusals/error-text.ts'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { useToasts } from '../../../ui/toast.tsx'
import { settingsTexts } from './texts/settings-texts.ts'

export interface InstanceDialogProps {
  instance: { apiInstanceName: string; displayName: string }
  onClose(): void
}

const SWITCHES = [
  'rejectCalls',
  'readOnReply',
  'viewWithoutReceipts',
  'alwaysOnline',
  'ignoreGroups',
] as const
const HISTORIES = ['none', 'recent', 'full'] as const satisfies readonly SyncHistory[]
const FIELDS = ['rejectCallsText', 'proxy', 'deviceName']

type Settings = Awaited<ReturnType<typeof api.getSettings>>['settings']

export function SettingsDialog({ instance, onClose }: InstanceDialogProps) {
  const t = useTexts(settingsTexts)
  const query = { instanceName: instance.apiInstanceName }
  const settings = useQuery({
    queryKey: ['instance-settings', instance.apiInstanceName],
    queryFn: () => api.getSettings({ query }),
    // A form must not change under the hands of its reader.
    refetchOnWindowFocus: false,
    gcTime: 0,
  })
  if (settings.data)
    return <SettingsForm instance={instance} shown={settings.data.settings} onClose={onClose} />
  return (
    <Dialog title={t.settingsTitle(instance.displayName)} onClose={onClose}>
      <Loaded query={settings}>{() => null}</Loaded>
    </Dialog>
  )
}

function SettingsForm({ instance, shown, onClose }: InstanceDialogProps & { shown: Settings }) {
  const t = useTexts(settingsTexts)
  const ui = useTexts(uiTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const [edited, setEdited] = useState(shown)
  const set = (change: Partial<Settings>) => setEdited((before) => ({ ...before, ...change }))
  const changes = Object.entries(edited).filter(([name, value]) => value !== shown[name as keyof Settings])
  const save = useMutation({
    mutationFn: async () => {
      if (changes.length === 0) return
      const query = { instanceName: instance.apiInstanceName }
      await api.updateSettings({ query, body: Object.fromEntries(changes) })
    },
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['instances'] })
      toasts.done(t.saved)
      onClose()
    },
  })
  const isKnown = FIELDS.some((path) => faultOf(save.error, path) !== undefined)
  return (
    <FormDialog
      title={t.settingsTitle(instance.displayName)}
      action={ui.save}
      isPending={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <Checks
        label={t.behaviour}
        options={SWITCHES.map((name) => [name, t[name]])}
        chosen={SWITCHES.filter((name) => edited[name])}
        onChange={(chosen) => set(Object.fromEntries(SWITCHES.map((name) => [name, chosen.includes(name)])))}
      />
      {edited.rejectCalls ? (
        <AreaField
          label={`${t.rejectCallsText}. ${t.rejectCallsHint}`}
          fault={faultOf(save.error, 'rejectCallsText')}
          value={edited.rejectCallsText ?? ''}
          onChange={(text) => set({ rejectCallsText: text === '' ? null : text })}
        />
      ) : null}
      <SelectField
        label={t.syncHistory}
        value={edited.syncHistory}
        options={HISTORIES.map((name) => [name, t.histories[name]])}
        onChange={(syncHistory) => set({ syncHistory })}
      />
      <TextField
        label={t.proxy}
        hint={t.proxyHint}
        fault={faultOf(save.error, 'proxy')}
        autoComplete="off"
        spellCheck={false}
        value={edited.proxy ?? ''}
        onChange={(text) => set({ proxy: text === '' ? null : text })}
      />
      <TextField
        label={t.deviceName}
        fault={faultOf(save.error, 'deviceName')}
        value={edited.deviceName ?? ''}
        onChange={(text) => set({ deviceName: text === '' ? null : text })}
      />
      {save.error && !isKnown ? <ErrorNote error={save.error} /> : null}
    </FormDialog>
  )
}
