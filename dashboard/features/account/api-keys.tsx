// The API keys of an account: create, replace, revoke. A new key is shown once.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { presetOf, SCOPE_PRESETS, type Scope, type ScopePreset } from '../../../src/contract/scopes.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Checks, SelectField } from '../../ui/fields.tsx'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { Menu } from '../../ui/menu.tsx'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { Loaded } from '../../ui/page-head.tsx'
import { RotateDialog } from '../../ui/rotate-dialog.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { Table } from '../../ui/table.tsx'
import { uiTexts } from '../../ui/texts/ui-texts.ts'
import { useToasts } from '../../ui/toast.tsx'
import type { KeyRing } from './key-ring.ts'
import { type ApiKey, type KeyState, stateOf } from './key-state.ts'
import { accountTexts } from './texts/account-texts.ts'
import { WallFields } from './wall-fields.tsx'
import { NO_WALLS, shownWalls, wallsOf } from './wall-form.ts'

type Requested = { what: 'create' } | { what: 'rotate' | 'revoke'; apiKey: ApiKey }
const TONES: Record<KeyState, Tone> = { usable: 'good', revoked: 'plain', expired: 'plain' }

export function ApiKeys({ ring }: { ring: KeyRing }) {
  const t = useTexts(accountTexts)
  const query = useQuery({ queryKey: ring.queryKey, queryFn: ring.list })
  const [requested, ask] = useState<Requested>()
  const [shown, show] = useState<string>()
  const close = () => ask(undefined)
  const made = (key: string) => {
    close()
    show(key)
  }
  return (
    <Card
      title={t.keys}
      actions={
        <Button small onClick={() => ask({ what: 'create' })}>
          {t.newKey}
        </Button>
      }
    >
      <Loaded query={query}>
        {({ apiKeys }) => <KeyTable apiKeys={apiKeys} ownId={ring.ownId} ask={ask} />}
      </Loaded>
      {requested?.what === 'create' ? <CreateDialog ring={ring} onClose={close} onMade={made} /> : null}
      {requested?.what === 'rotate' ? (
        <ReplaceDialog ring={ring} apiKey={requested.apiKey} onClose={close} onMade={made} />
      ) : null}
      {requested?.what === 'revoke' ? (
        <RevokeDialog ring={ring} apiKey={requested.apiKey} onClose={close} />
      ) : null}
      {shown === undefined ? null : (
        <ShownOnce
          title={t.shownOnce}
          text={t.shownOnceText}
          label={t.shownOnce}
          secret={shown}
          action={t.understood}
          onClose={() => show(undefined)}
        />
      )}
    </Card>
  )
}

interface KeyTableProps {
  apiKeys: readonly ApiKey[]
  ownId: number | undefined
  ask(requested: Requested): void
}

function KeyTable({ apiKeys, ownId, ask }: KeyTableProps) {
  const t = useTexts(accountTexts)
  const ui = useTexts(uiTexts)
  const format = useFormat()
  return (
    <Table
      label={t.keys}
      records={apiKeys}
      keyOf={(apiKey) => apiKey.id}
      columns={[
        {
          title: t.columns.name,
          cell: (apiKey) => (
            <span className="wrap">
              {apiKey.name} {apiKey.id === ownId ? <span className="muted small">({t.thisKey})</span> : null}
            </span>
          ),
        },
        { title: t.columns.key, cell: ({ hint }) => <span className="mono nowrap">{hint}</span> },
        {
          title: t.columns.scopes,
          cell: ({ scopes }) =>
            scopes.length === 0 ? t.everything : scopes.map((scope) => t.scopeNames[scope]).join(', '),
        },
        {
          title: t.columns.walls,
          cell: (apiKey) => <span className="wrap">{shownWalls(apiKey, t.walls)}</span>,
        },
        {
          title: t.columns.used,
          cell: ({ lastUsedAt }) => (
            <span className="muted small nowrap">
              {lastUsedAt === null ? ui.never : format.dateTime(lastUsedAt)}
            </span>
          ),
        },
        {
          title: t.columns.state,
          cell: (apiKey) => (
            <span className="row">
              <Badge tone={TONES[stateOf(apiKey)]}>{t.states[stateOf(apiKey)]}</Badge>
              {stateOf(apiKey) === 'usable' && apiKey.expiresAt !== null ? (
                <span className="muted small">{t.until(format.dateTime(apiKey.expiresAt))}</span>
              ) : null}
            </span>
          ),
        },
        {
          title: ui.actions,
          actions: true,
          cell: (apiKey) =>
            stateOf(apiKey) === 'usable' ? (
              <Menu
                label={t.actionsFor(apiKey.name)}
                items={[
                  { title: t.rotate, onChoose: () => ask({ what: 'rotate', apiKey }) },
                  { title: t.revoke, danger: true, onChoose: () => ask({ what: 'revoke', apiKey }) },
                ]}
              />
            ) : null,
        },
      ]}
    />
  )
}

/** New keys get the names of today. */
const offeredScopes = (names: Record<Scope, string>): [Scope, string][] =>
  (Object.entries(names) as [Scope, string][]).filter(([scope]) => scope !== 'instances')

interface MakeProps {
  ring: KeyRing
  onClose(): void
  onMade(key: string): void
}

function CreateDialog({ ring, onClose, onMade }: MakeProps) {
  const t = useTexts(accountTexts)
  const queries = useQueryClient()
  const [scopes, setScopes] = useState<Scope[]>([])
  const [walls, setWalls] = useState(NO_WALLS)
  const create = useMutation({
    mutationFn: (name: string) => ring.create(name, scopes, wallsOf(walls)),
    onSuccess({ key }) {
      void queries.invalidateQueries({ queryKey: ring.queryKey })
      onMade(key)
    },
  })
  return (
    <NameDialog
      title={t.newKey}
      label={t.keyName}
      hint={t.keyNameHint}
      required={t.keyNameRequired}
      action={t.create}
      maxLength={64}
      work={create}
      onClose={onClose}
    >
      <SelectField<ScopePreset | 'own'>
        label={t.preset}
        value={presetOf(scopes) ?? 'own'}
        options={[
          ...(Object.keys(SCOPE_PRESETS) as ScopePreset[]).map((name) => [name, t.presets[name]] as const),
          ...(presetOf(scopes) ? [] : [['own', t.ownChoice] as const]),
        ]}
        onChange={(name) => (name === 'own' ? undefined : setScopes([...SCOPE_PRESETS[name]]))}
      />
      <Checks
        label={t.scopes}
        hint={t.scopesHint}
        options={offeredScopes(t.scopeNames)}
        chosen={scopes}
        onChange={setScopes}
      />
      <WallFields walls={walls} onChange={setWalls} error={create.error} hasInstances={ring.hasInstances} />
    </NameDialog>
  )
}

function ReplaceDialog({ ring, apiKey, onClose, onMade }: MakeProps & { apiKey: ApiKey }) {
  const t = useTexts(accountTexts)
  const queries = useQueryClient()
  const rotate = useMutation({
    mutationFn: (overlapHours: number) => ring.rotate(String(apiKey.id), overlapHours),
    onSuccess({ key }) {
      void queries.invalidateQueries({ queryKey: ring.queryKey })
      onMade(key)
    },
  })
  return <RotateDialog title={t.rotateTitle(apiKey.name)} words={t} work={rotate} onClose={onClose} />
}

function RevokeDialog({ ring, apiKey, onClose }: { ring: KeyRing; apiKey: ApiKey; onClose(): void }) {
  const t = useTexts(accountTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const isOwn = ring.ownId === apiKey.id
  const revoke = useMutation({
    mutationFn: () => ring.revoke(String(apiKey.id)),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ring.queryKey })
      toasts.done(t.revoked)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={t.revokeTitle(apiKey.name)}
      text={t.revokeText}
      action={t.revoke}
      work={revoke}
      onClose={onClose}
    >
      {isOwn ? <div className="note warn">{t.revokeOwn}</div> : null}
    </ConfirmDialog>
  )
}
