// Common emojis, to insert one into the text.
import buttonCss from '../../ui/button.module.css'
import { classNames } from '../../ui/class-names.ts'
import { useTexts } from '../../ui/language.tsx'
import { Popover } from '../../ui/popover.tsx'
import css from './emoji-picker.module.css'
import { conversationTexts } from './texts/conversation-texts.ts'

const EMOJIS =
  '😀 😄 😂 🤣 😊 😉 😍 😘 😎 🤩 🤔 😅 😢 😭 😮 😱 ' +
  '😡 🥳 🤗 🙄 😴 🤒 👍 👎 👏 🙌 🙏 🤝 👋 💪 👌 ✌️ ' +
  '❤️ 💛 💚 💙 💔 🔥 ✨ ⭐ 🎉 🎁 🎂 ☕ 🍕 🍷 🌹 🌞 ' +
  '✅ ❌ ⚠️ ❓ ❗ 📦 🚚 📍 📞 📅 ⏰ 💰 💳 📄 🔗 🏠'

export function EmojiPicker({ onChoose }: { onChoose(emoji: string): void }) {
  const t = useTexts(conversationTexts)
  return (
    <Popover
      label={t.emoji}
      trigger="☺"
      className={classNames(buttonCss.button, buttonCss.quiet, css.trigger)}
    >
      {(id) => (
        <div className={css.emojis}>
          {EMOJIS.split(' ').map((emoji) => (
            <button
              key={emoji}
              type="button"
              onClick={() => {
                document.getElementById(id)?.hidePopover()
                onChoose(emoji)
              }}
            >
              {emoji}
            </button>
          ))}
        </div>
      )}
    </Popover>
  )
}
