// The button that opens the emojis, to insert one into the text. They are loaded when it is first used.
import buttonCss from '../../../ui/button.module.css'
import { classNames } from '../../../ui/class-names.ts'
import { useTexts } from '../../../ui/language.tsx'
import { onDemand } from '../../../ui/on-demand.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { conversationTexts } from '../texts/conversation-texts.ts'
import css from './emoji-picker.module.css'

const EmojiPanel = onDemand(async () => (await import('./emoji/emoji-panel.tsx')).EmojiPanel)

export function EmojiPicker({ onChoose }: { onChoose(emoji: string): void }) {
  const t = useTexts(conversationTexts)
  return (
    <Popover
      label={t.emoji}
      trigger="☺"
      className={classNames(buttonCss.button, buttonCss.quiet, css.trigger)}
      atLeft
    >
      {(id) => (
        <div className={css.panel}>
          <EmojiPanel
            onChoose={(emoji) => {
              document.getElementById(id)?.hidePopover()
              onChoose(emoji)
            }}
          />
        </div>
      )}
    </Popover>
  )
}
