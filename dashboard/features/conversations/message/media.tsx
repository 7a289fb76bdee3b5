// The file of a message: a picture, a player, or its description.
import { useTexts } from '../../../ui/language.tsx'
import { onDemand } from '../../../ui/on-demand.tsx'
import { textAt, textsAt } from '../model/message-fields.ts'
import type { ThreadMessage } from '../model/shown-messages.ts'
import { conversationTexts } from '../texts/conversation-texts.ts'
import { useSize } from './file-size.ts'
import { Glyph, glyphOf } from './glyphs.tsx'
import css from './media.module.css'
import contentCss from './message-content.module.css'
import { fileOf, type MessageFile } from './message-file.ts'
import { downloadOf, fileLoader } from './message-files.ts'
import { MessageText } from './message-text.tsx'
import { OuterLink } from './outer-link.tsx'
import { Picture } from './picture.tsx'

const AudioPlayer = onDemand(async () => (await import('./players.tsx')).AudioPlayer)
const VideoPlayer = onDemand(async () => (await import('./players.tsx')).VideoPlayer)

export function Media(shown: ThreadMessage) {
  const { message, text } = shown
  const file = fileOf(message)
  if (!file) return null
  return (
    <>
      <Shown shown={shown} file={file} />
      {text === null || text === '' ? null : (
        <MessageText text={text} mentions={textsAt(message.content, 'mentions')} />
      )}
    </>
  )
}

function Shown({ shown, file }: { shown: ThreadMessage; file: MessageFile }) {
  const card = <FileCard shown={shown} file={file} />
  if (!file.isReadable && !fileLoader.hasLocal(file.mediaId)) return card
  if (file.kind === 'picture') return <Picture shown={shown} file={file} otherwise={card} />
  if (file.kind === 'document') return card
  const Player = file.kind === 'audio' ? AudioPlayer : VideoPlayer
  return (
    <div className={file.kind === 'audio' ? css.audioFrame : css.videoFrame}>
      <Player file={file} download={downloadOf(file)} otherwise={card} />
    </div>
  )
}

/** What is known about a file that is not shown. */
function FileCard({ shown: { message }, file }: { shown: ThreadMessage; file: MessageFile }) {
  const t = useTexts(conversationTexts)
  const size = useSize()
  const sentFrom = textAt(message.content, 'mediaUrl')
  const facts = [
    file.mimetype,
    size(file.sizeBytes),
    file.seconds ? `${Math.round(file.seconds)} s` : null,
  ].filter((fact) => fact)
  return (
    <div className={contentCss.file}>
      <Glyph path={glyphOf(message.type)} />
      <span className={contentCss.fileName}>
        {file.name ?? t.types[message.type as keyof typeof t.types]}
      </span>
      <span className={contentCss.fileFacts}>{facts.join(' · ')}</span>
      {file.isReadable ? (
        <a className={contentCss.fileLink} href={downloadOf(file)} download={file.name ?? ''}>
          {t.download}
        </a>
      ) : null}
      {sentFrom === null ? null : <OuterLink address={sentFrom}>{sentFrom}</OuterLink>}
    </div>
  )
}
