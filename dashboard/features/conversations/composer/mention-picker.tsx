// Chooses members of a group to mention, or all of them.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import buttonCss from '../../../ui/button.module.css'
import { classNames } from '../../../ui/class-names.ts'
import { TextField } from '../../../ui/fields.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { Loaded } from '../../../ui/page-head.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { mentionDigits } from '../message/mentions.ts'
import { useThread } from '../message/thread-context.ts'
import type { OpenChat } from '../model/chat-address.ts'
import { membersQuery } from '../model/conversation-queries.ts'
import { conversationTexts } from '../texts/conversation-texts.ts'
import css from './mention-picker.module.css'

/** Enough to choose from; the search finds the others. */
const MOST_SHOWN = 50

interface PickerProps {
  open: OpenChat
  /** A number, or `all`. */
  onChoose(who: string): void
}

export function MentionPicker({ open, onChoose }: PickerProps) {
  const t = useTexts(conversationTexts)
  return (
    <Popover
      label={t.mention}
      trigger="@"
      className={classNames(buttonCss.button, buttonCss.quiet, css.trigger)}
    >
      {(id) => (
        <Members
          open={open}
          onChoose={(who) => {
            document.getElementById(id)?.hidePopover()
            onChoose(who)
          }}
        />
      )}
    </Popover>
  )
}

function Members({ open, onChoose }: PickerProps) {
  const t = useTexts(conversationTexts)
  const { nameOf } = useThread()
  const [search, setSearch] = useState('')
  const needle = search.trim().toLowerCase()
  const query = useQuery(membersQuery(open))
  return (
    <div className={css.picker}>
      <TextField
        label={t.searchMembers}
        bare
        placeholder={t.searchMembers}
        type="search"
        value={search}
        onChange={setSearch}
      />
      <button type="button" onClick={() => onChoose('all')}>
        {t.everyone}
      </button>
      <Loaded query={query}>
        {(members) =>
          members
            .filter(({ phone, jid }) =>
              [nameOf(jid), phone].some((part) => part?.toLowerCase().includes(needle)),
            )
            .slice(0, MOST_SHOWN)
            .flatMap(({ phone, jid }) => {
              const name = nameOf(jid)
              if (phone === null && name === undefined) return []
              return (
                <button key={jid} type="button" onClick={() => onChoose(mentionDigits(phone ?? jid))}>
                  {name ?? `+${phone}`}
                  {name === undefined || phone === null ? null : (
                    <span className="muted small"> +{phone}</span>
                  )}
                </button>
              )
            })
        }
      </Loaded>
    </div>
  )
}
