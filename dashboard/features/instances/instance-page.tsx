// The page of one instance: state, pairing and activity.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { z } from 'zod'
import type { Instance as InstanceSchema, StateReason } from '../../../src/contract/instances.ts'
import { ApiError, api } from '../../gateway/api.ts'
import { instancesQuery } from '../../gateway/queries.ts'
import { useCan } from '../../gateway/sign-in.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card, Facts } from '../../ui/card.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { Menu } from '../../ui/menu.tsx'
import { ErrorNote, Loaded, PageHead } from '../../ui/page-head.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { PasskeyCard } from '../passkey/passkey-card.tsx'
import { passkeyTexts } from '../passkey/texts/passkey-texts.ts'
import { InstanceActivity } from './instance-activity.tsx'
import { DeleteDialog, LogoutDialog } from './instance-dialogs.tsx'
import { InstanceState } from './instance-state.tsx'
import { Pairing } from './pairing.tsx'
import { instanceTexts } from './texts/instance-texts.ts'

const SettingsDialog = lazy(async () => ({
  default: (await import('./settings/settings-dialog.tsx')).SettingsDialog,
}))
const ChatwootCard = lazy(async () => ({
  default: (await import('./chatwoot/chatwoot-card.tsx')).ChatwootCard,
}))
const ProfileDialog = lazy(async () => ({
  default: (await import('./settings/profile-dialog.tsx')).ProfileDialog,
}))

type Instance = z.output<typeof InstanceSchema>

const PASSKEY_CALLS = [
  'getPasskey',
  'answerPasskey',
  'confirmPasskey',
  'cancelPasskey',
  'createPasskeyLink',
] as const
const CHATWOOT_CALLS = [
  'listWebhooks',
  'testWebhook',
  'getChatwoot',
  'saveChatwoot',
  'deleteChatwoot',
  'pushChatwootHistory',
] as const

const PASSKEY_STEPS: ReadonlySet<string> = new Set<StateReason>([
  'awaiting_passkey',
  'passkey_sent',
  'awaiting_passkey_confirmation',
])

export function InstancePage({ params }: { params: Record<string, string> }) {
  const t = useTexts(instanceTexts)
  const query = useQuery(instancesQuery)
  const name = decodeURIComponent(params.name ?? '')
  return (
    <>
      <Link className="small" href="/instances">
        ← {t.back}
      </Link>
      <Loaded query={query}>
        {({ instances }) => {
          const instance = instances.find((one) => one.apiInstanceName === name)
          return instance ? (
            <InstanceView instance={instance} />
          ) : (
            <ErrorNote error={new ApiError(404, 'instance_not_found', '')} />
          )
        }}
      </Loaded>
    </>
  )
}

function InstanceView({ instance }: { instance: Instance }) {
  const t = useTexts(instanceTexts)
  const format = useFormat()
  const can = useCan()
  const note = noteOf(instance, t.notes)
  return (
    <>
      <PageHead
        title={instance.displayName}
        lead={<InstanceState instance={instance} />}
        actions={<Actions instance={instance} />}
      />
      {instance.state === 'open' && instance.number !== null ? (
        <div className="note good" role="status">
          {t.connectedAs(`+${instance.number}`)}
        </div>
      ) : null}
      {note === undefined ? null : (
        <div className="note warn" role="status">
          {note}
        </div>
      )}
      {note === undefined && instance.state !== 'open' && can('connectInstance', ...PASSKEY_CALLS) ? (
        <Linking instance={instance} />
      ) : null}
      <div className="grid">
        {can('instanceActivity') ? <InstanceActivity instanceName={instance.apiInstanceName} /> : null}
        <Card title={t.details}>
          <CopyField label={t.apiName} value={instance.apiInstanceName} />
          <Facts
            facts={[
              [t.columns.number, instance.number === null ? '–' : `+${instance.number}`],
              [t.profile, instance.profileName ?? '–'],
              [t.created, format.dateTime(instance.createdAt)],
              [t.columns.changed, format.dateTime(instance.updatedAt)],
            ]}
          />
          <details>
            <summary>{t.raw}</summary>
            <JsonView label={t.raw} value={instance} />
          </details>
        </Card>
        {can(...CHATWOOT_CALLS) ? (
          <Suspense>
            <ChatwootCard key={instance.apiInstanceName} instanceName={instance.apiInstanceName} />
          </Suspense>
        ) : null}
      </div>
    </>
  )
}

function Linking({ instance }: { instance: Instance }) {
  const t = useTexts(passkeyTexts)
  const { apiInstanceName: name, displayName, state, stateReason } = instance
  if (stateReason !== null && PASSKEY_STEPS.has(stateReason))
    return <PasskeyCard key={name} instanceName={name} displayName={displayName} />
  const ended = stateReason === null ? undefined : (t.ends as Record<string, string>)[stateReason]
  return <Pairing key={name} instanceName={name} hasRunOut={state === 'close'} ended={ended} />
}

/** Advice for a logged-in instance that is not connected; undefined if pairing helps or all is well. */
function noteOf({ state, stateReason }: Instance, notes: Record<string, string>): string | undefined {
  if (state === 'open' || stateReason === null) return undefined
  // Without a login the gateway does not reconnect.
  return state === 'close' && stateReason === 'network_lost' ? undefined : notes[stateReason]
}

function Actions({ instance }: { instance: Instance }) {
  const t = useTexts(instanceTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const [, go] = useLocation()
  const [requested, ask] = useState<'logout' | 'delete' | 'settings' | 'profile'>()
  const close = () => ask(undefined)
  const can = useCan()
  const restart = useMutation({
    mutationFn: () => api.restartInstance({ query: { instanceName: instance.apiInstanceName } }),
    onSuccess() {
      toasts.done(t.restarted)
      void queries.invalidateQueries({ queryKey: ['instances'] })
    },
    onError: toasts.failed,
  })
  const items = [
    ...(can('getSettings', 'updateSettings') ? [{ title: t.settings, onChoose: () => ask('settings') }] : []),
    ...(instance.state === 'open' && can('getProfile', 'updateProfile')
      ? [{ title: t.profile, onChoose: () => ask('profile') }]
      : []),
    ...(instance.number !== null && can('restartInstance')
      ? [{ title: t.restart, onChoose: () => restart.mutate() }]
      : []),
    ...(can('logoutInstance') ? [{ title: t.logout, onChoose: () => ask('logout') }] : []),
    ...(can('deleteInstance') ? [{ title: t.remove, danger: true, onChoose: () => ask('delete') }] : []),
  ]
  return (
    <>
      <ButtonLink
        kind="primary"
        href={`/conversations?instance=${encodeURIComponent(instance.apiInstanceName)}`}
      >
        {t.conversations}
      </ButtonLink>
      {items.length === 0 ? null : <Menu label={t.open(instance.displayName)} items={items} />}
      <Suspense>
        {requested === 'settings' ? <SettingsDialog instance={instance} onClose={close} /> : null}
        {requested === 'profile' ? <ProfileDialog instance={instance} onClose={close} /> : null}
      </Suspense>
      {requested === 'logout' ? <LogoutDialog instance={instance} onClose={close} /> : null}
      {requested === 'delete' ? (
        <DeleteDialog instance={instance} onClose={close} onDone={() => go('/instances')} />
      ) : null}
    </>
  )
}
