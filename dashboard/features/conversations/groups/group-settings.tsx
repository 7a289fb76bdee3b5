// The settings of a group: subject, description and picture, and what its members may do.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { GROUP_PICTURE_BYTES } from '../../../../src/contract/media-limits.ts'
import { DISAPPEARING_SECONDS, MEMBER_ADD } from '../../../../src/contract/values.ts'
import { Avatar } from '../../../chat/avatar.tsx'
import { api } from '../../../gateway/api.ts'
import { useCan } from '../../../gateway/sign-in.ts'
import { AreaField } from '../../../ui/area-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, Facts } from '../../../ui/card.tsx'
import { Checks, Form, SelectField, TextField } from '../../../ui/fields.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { ErrorNote } from '../../../ui/page-head.tsx'
import { faultOf } from '../../../ui/refusals/error-text.ts'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { useToasts } from '../../../ui/toast.tsx'
import { type GroupReference, inputOf, keepGroup, type ListedGroup } from './group-queries.ts'
import css from './groups.module.css'
import { groupTexts } from './texts/group-texts.ts'

interface SettingsProps {
  group: ListedGroup
  reference: GroupReference
}
type Changes = NonNullable<Parameters<typeof api.updateGroup>[0]['body']>

/** A change that answers with the group. */
function useGroupChange<T>(reference: GroupReference, change: (value: T) => Promise<{ group: ListedGroup }>) {
  const t = useTexts(groupTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess({ group }) {
      toasts.done(t.saved)
      keepGroup(queries, reference, group)
    },
    // Changes are made one after the other, so some of them may have been made.
    onError: () => keepGroup(queries, reference, undefined),
  })
}

export function GroupAbout({ group, reference }: SettingsProps) {
  const t = useTexts(groupTexts)
  const ui = useTexts(uiTexts)
  const can = useCan()
  const mayChange =
    (group.isAdmin || !group.isLocked) && can('updateGroup', 'setGroupPicture', 'deleteGroupPicture')
  // Only what the reader has changed, so that the rest follows the group.
  const [draft, setDraft] = useState<{ subject?: string; description?: string }>({})
  const { subject = group.subject, description = group.description ?? '' } = draft
  const save = useGroupChange(reference, async (body: Changes) => {
    const answer = await api.updateGroup({ ...inputOf(reference), body })
    setDraft({})
    return answer
  })
  const changes: Changes = {
    ...(subject === group.subject ? {} : { subject }),
    ...(description === (group.description ?? '') ? {} : { description: description || null }),
  }
  if (!mayChange)
    return (
      <Card title={t.about}>
        <Facts
          facts={[
            [t.subject, group.subject],
            [t.description, group.description ?? '–'],
          ]}
        />
      </Card>
    )
  const known = ['subject', 'description'].some((path) => faultOf(save.error, path) !== undefined)
  return (
    <Card title={t.about}>
      <GroupPicture group={group} reference={reference} />
      <Form onSubmit={() => save.mutate(changes)}>
        <TextField
          label={t.subject}
          maxLength={100}
          value={subject}
          onChange={(text) => setDraft({ ...draft, subject: text })}
          fault={faultOf(save.error, 'subject')}
        />
        <AreaField
          label={t.description}
          rows={3}
          maxLength={2048}
          value={description}
          onChange={(text) => setDraft({ ...draft, description: text })}
          fault={faultOf(save.error, 'description')}
        />
        {save.error && !known ? <ErrorNote error={save.error} /> : null}
        <div className="row end">
          <Button
            kind="primary"
            submit
            busy={save.isPending}
            disabled={subject.trim() === '' || Object.keys(changes).length === 0}
          >
            {ui.save}
          </Button>
        </div>
      </Form>
    </Card>
  )
}

function GroupPicture({ group, reference }: SettingsProps) {
  const t = useTexts(groupTexts)
  const chooser = useRef<HTMLInputElement>(null)
  const [isTooLarge, setTooLarge] = useState(false)
  const set = useGroupChange(reference, (bytes: File) =>
    api.setGroupPicture({ ...inputOf(reference), file: { bytes } }),
  )
  const remove = useGroupChange(reference, () => api.deleteGroupPicture(inputOf(reference)))
  const error = set.error ?? remove.error
  return (
    <div className="stack close">
      <div className={css.picture}>
        <Avatar id={group.groupJid} title={group.subject} picture={group.profilePictureUrl} />
        <Button small busy={set.isPending} onClick={() => chooser.current?.click()}>
          {t.setPicture}
        </Button>
        {group.profilePictureUrl === null ? null : (
          <Button small busy={remove.isPending} onClick={() => remove.mutate(undefined)}>
            {t.removePicture}
          </Button>
        )}
        <input
          ref={chooser}
          type="file"
          hidden
          aria-label={t.setPicture}
          accept="image/jpeg,image/png"
          onChange={({ target }) => {
            const [file] = target.files ?? []
            target.value = ''
            remove.reset()
            set.reset()
            setTooLarge(file !== undefined && file.size > GROUP_PICTURE_BYTES)
            if (file && file.size <= GROUP_PICTURE_BYTES) set.mutate(file)
          }}
        />
      </div>
      {isTooLarge ? (
        <div className="note bad" role="alert">
          {t.pictureTooLarge(GROUP_PICTURE_BYTES / 1024 / 1024)}
        </div>
      ) : null}
      {error ? <ErrorNote error={error} /> : null}
    </div>
  )
}

const FLAGS = ['announce', 'locked', 'joinApproval'] as const
type Flag = (typeof FLAGS)[number]

interface Rules extends Record<Flag, boolean> {
  memberAdd: (typeof MEMBER_ADD)[number]
  disappearingSeconds: (typeof DISAPPEARING_SECONDS)[number]
}

const secondsOf = (seconds: number | null): Rules['disappearingSeconds'] =>
  DISAPPEARING_SECONDS.find((one) => one === seconds) ?? 0

const rulesOf = (group: ListedGroup): Rules => ({
  announce: group.isAnnouncement,
  locked: group.isLocked,
  joinApproval: group.joinApproval === true,
  memberAdd: group.memberAdd ?? 'all',
  disappearingSeconds: secondsOf(group.disappearingSeconds),
})

export function GroupRules({ group, reference }: SettingsProps) {
  const t = useTexts(groupTexts)
  const mayChange = useCan()('updateGroup')
  const ui = useTexts(uiTexts)
  const before = rulesOf(group)
  const [draft, setDraft] = useState<Partial<Rules>>({})
  const rules = { ...before, ...draft }
  const save = useGroupChange(reference, async (body: Changes) => {
    const answer = await api.updateGroup({ ...inputOf(reference), body })
    setDraft({})
    return answer
  })
  if (!group.isAdmin || !mayChange) return <RuleFacts rules={before} />
  const changes = Object.fromEntries(
    Object.entries(rules).filter(([name, value]) => before[name as keyof Rules] !== value),
  ) as Changes
  return (
    <Card title={t.rules}>
      <Form onSubmit={() => save.mutate(changes)}>
        <Checks
          label={t.permissions}
          options={FLAGS.map((flag): [Flag, string] => [flag, t.flags[flag]])}
          chosen={FLAGS.filter((flag) => rules[flag])}
          onChange={(chosen) =>
            setDraft({
              ...draft,
              ...Object.fromEntries(FLAGS.map((flag) => [flag, chosen.includes(flag)])),
            })
          }
        />
        <SelectField<(typeof MEMBER_ADD)[number]>
          label={t.memberAdd}
          value={rules.memberAdd}
          options={MEMBER_ADD.map((who): [typeof who, string] => [who, t.memberAdds[who]])}
          onChange={(memberAdd) => setDraft({ ...draft, memberAdd })}
        />
        <SelectField
          label={t.disappearing}
          value={String(rules.disappearingSeconds)}
          options={DISAPPEARING_SECONDS.map((one): [string, string] => [String(one), t.disappearings[one]])}
          onChange={(text) => setDraft({ ...draft, disappearingSeconds: secondsOf(Number(text)) })}
        />
        {save.error ? <ErrorNote error={save.error} /> : null}
        <div className="row end">
          <Button kind="primary" submit busy={save.isPending} disabled={Object.keys(changes).length === 0}>
            {ui.save}
          </Button>
        </div>
      </Form>
    </Card>
  )
}

/** For a member who is not an admin. */
function RuleFacts({ rules }: { rules: Rules }) {
  const t = useTexts(groupTexts)
  return (
    <Card title={t.rules}>
      <Facts
        facts={[
          ...FLAGS.map((flag): [string, string] => [t.flags[flag], rules[flag] ? t.yes : t.no]),
          [t.memberAdd, t.memberAdds[rules.memberAdd]],
          [t.disappearing, t.disappearings[rules.disappearingSeconds]],
        ]}
      />
    </Card>
  )
}
