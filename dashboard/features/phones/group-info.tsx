// Name, description and picture of a group.

import { useState } from 'react'
import { Avatar } from '../../chat/avatar.tsx'
import { api } from '../../gateway/api.ts'
import { AreaField } from '../../ui/area-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Form, TextField } from '../../ui/fields.tsx'
import { useTexts } from '../../ui/language.tsx'
import phoneCss from './phone.module.css'
import { PictureField } from './picture-field.tsx'
import { pictureOf, useAct, type WorldGroup } from './sandbox-queries.ts'
import { phoneTexts } from './texts/phone-texts.ts'

interface Props {
  number: string
  group: WorldGroup
  mayEdit: boolean
}

export function GroupInfo({ number, group, mayEdit }: Props) {
  const act = useAct()
  const change = (body: { subject?: string; description?: string; pictureBase64?: string | null }) =>
    act(api.sandboxChangeGroup({ params: { jid: group.jid }, body: { by: number, ...body } }))
  const picture = pictureOf(number, group.pictureId, group.jid)
  if (!mayEdit) {
    return (
      <div className={phoneCss.personHead}>
        <Avatar id={group.jid} title={group.subject} picture={picture} />
        <span className="wrap">{group.description ?? group.subject}</span>
      </div>
    )
  }
  return (
    <>
      <PictureField
        id={group.jid}
        title={group.subject}
        picture={picture}
        onChange={(pictureBase64) => change({ pictureBase64 })}
      />
      <InfoForm group={group} onSave={change} />
    </>
  )
}

interface InfoFormProps {
  group: WorldGroup
  onSave(body: { subject?: string; description?: string }): void
}

function InfoForm({ group, onSave }: InfoFormProps) {
  const t = useTexts(phoneTexts)
  const [subject, setSubject] = useState(group.subject)
  const [description, setDescription] = useState(group.description ?? '')
  const changes = {
    ...(subject.trim() === group.subject ? {} : { subject: subject.trim() }),
    ...(description === (group.description ?? '') ? {} : { description }),
  }
  const isUnchanged = Object.keys(changes).length === 0
  return (
    <Form onSubmit={() => onSave(changes)}>
      <TextField label={t.subject} value={subject} maxLength={100} onChange={setSubject} />
      <AreaField label={t.group.description} value={description} maxLength={2048} onChange={setDescription} />
      <div>
        <Button small kind="primary" submit disabled={subject.trim() === '' || isUnchanged}>
          {t.profile.save}
        </Button>
      </div>
    </Form>
  )
}
