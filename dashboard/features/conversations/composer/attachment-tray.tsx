// The files that go with the next message, above the text.
import { Button } from '../../../ui/button.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { Glyph, glyphOf } from '../message/message-parts.tsx'
import { conversationTexts } from '../texts/conversation-texts.ts'
import css from './attachment-tray.module.css'
import { sentAs } from './upload-limits.ts'
import type { Attachment, Attachments } from './use-attachments.ts'

export function AttachmentTray({ attachments }: { attachments: Attachments }) {
  const t = useTexts(conversationTexts)
  const { list, remove } = attachments
  if (list.length === 0) return null
  const ready = list.filter(({ mediaId }) => mediaId !== undefined)
  return (
    <>
      <ul className={css.tray} aria-label={t.chosenFiles}>
        {list.map((one) => (
          <Chosen key={one.id} attachment={one} onRemove={() => remove(one.id)} />
        ))}
      </ul>
      <p className="sr-only" role="status">
        {ready.length === 0 ? '' : t.filesReady(ready.map(({ file }) => file.name).join(', '))}
      </p>
    </>
  )
}

function Chosen({ attachment, onRemove }: { attachment: Attachment; onRemove(): void }) {
  const t = useTexts(conversationTexts)
  const { file, preview, share, mediaId, error } = attachment
  const isRunning = mediaId === undefined && error === undefined
  return (
    <li className={css.chosen} data-bad={error === undefined ? undefined : true}>
      {preview === undefined ? (
        <span className={css.sign}>
          <Glyph path={glyphOf(sentAs(file))} />
        </span>
      ) : (
        <img src={preview} alt="" />
      )}
      <span className={css.name} title={file.name}>
        {file.name}
      </span>
      {isRunning ? <progress max={1} value={share} aria-label={t.uploading(file.name)} /> : null}
      {error === undefined ? null : <span role="alert">{error}</span>}
      <Button kind="quiet" small aria-label={t.takeOut(file.name)} onClick={onRemove}>
        ✕
      </Button>
    </li>
  )
}
