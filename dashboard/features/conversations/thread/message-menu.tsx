// The menu of a message: quick reactions, and what can be done with it.

import { useState } from 'react'
import type { CallId } from '../../../gateway/permission.ts'
import { useCan } from '../../../gateway/sign-in.ts'
import { Button } from '../../../ui/button.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { useThread } from '../message/thread-context.ts'
import { choicesFor, type MessageChoice } from '../model/message-choices.ts'
import type { ThreadMessage } from '../model/shown-messages.ts'
import { actionTexts } from '../texts/action-texts.ts'
import css from './message-menu.module.css'

const QUICK = ['👍', '❤️', '😂', '😮', '😢', '🙏']

/** Copying needs no call. */
const CALLS: Record<MessageChoice, CallId | undefined> = {
  react: 'reactToMessage',
  reply: 'sendText',
  copy: undefined,
  edit: 'editMessage',
  forward: 'forwardMessage',
  pin: 'pinMessage',
  unpin: 'pinMessage',
  star: 'starMessage',
  unstar: 'starMessage',
  delete: 'deleteMessage',
}

interface MenuProps {
  shown: ThreadMessage
  /** Closes the menu. */
  onDone(): void
}

export function MessageMenu({ shown, onDone }: MenuProps) {
  const t = useTexts(actionTexts)
  const { isAdmin, act } = useThread()
  const can = useCan()
  const choices = choicesFor(shown, isAdmin).filter((choice) => {
    const call = CALLS[choice]
    return call === undefined || can(call)
  })
  if (choices.length === 0) return <p className={css.none}>{t.noChoice}</p>
  const items = choices.filter((choice): choice is Exclude<MessageChoice, 'react'> => choice !== 'react')
  return (
    <>
      {choices.includes('react') ? <Reacting shown={shown} onDone={onDone} /> : null}
      {items.map((choice) => (
        <button
          key={choice}
          type="button"
          className={css.item}
          data-danger={choice === 'delete' || undefined}
          onClick={() => {
            // Closed first: a dialog that the action opens must give the focus back to the button of the menu.
            onDone()
            act(choice, shown)
          }}
        >
          {t.choices[choice]}
        </button>
      ))}
    </>
  )
}

/** The reader's reaction is pressed; pressing it again withdraws it. */
function Reacting({ shown, onDone }: MenuProps) {
  const t = useTexts(actionTexts)
  const { react } = useThread()
  const [other, setOther] = useState('')
  const own = shown.ownReaction
  const emojis = own === null || QUICK.includes(own) ? QUICK : [own, ...QUICK]
  const choose = (emoji: string) => {
    onDone()
    react(shown, emoji === own ? null : emoji)
  }
  return (
    <div className={css.reacting}>
      <fieldset>
        <legend className="sr-only">{t.react}</legend>
        {emojis.map((emoji) => (
          <button key={emoji} type="button" aria-pressed={emoji === own} onClick={() => choose(emoji)}>
            {emoji}
          </button>
        ))}
      </fieldset>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (other.trim() !== '') choose(other.trim())
        }}
      >
        <input
          aria-label={t.otherEmoji}
          placeholder={t.otherEmoji}
          value={other}
          onChange={({ target }) => setOther(target.value)}
        />
        <Button small submit>
          {t.react}
        </Button>
      </form>
    </div>
  )
}
