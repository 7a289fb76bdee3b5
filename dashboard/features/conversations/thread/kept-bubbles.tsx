// Messages that wait for the gateway, at the end of the conversation.
import { useTimes } from '../../../chat/times.ts'
import { ApiError } from '../../../gateway/api.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { useTexts } from '../../../ui/language.tsx'
import { useErrorText } from '../../../ui/refusals/error-text.ts'
import type { KeptSend } from '../composer/kept-sends.ts'
import { keptSends } from '../composer/use-kept-sends.ts'
import { MessageText } from '../message/message-parts.tsx'
import { conversationTexts } from '../texts/conversation-texts.ts'
import bubbleCss from './bubble.module.css'

export const KeptBubbles = ({ kept }: { kept: readonly KeptSend[] }) =>
  kept.map((send) => <KeptBubble key={send.key} send={send} />)

function KeptBubble({ send }: { send: KeptSend }) {
  const t = useTexts(conversationTexts)
  const times = useTimes()
  const errorText = useErrorText()
  const { key, text, at, refusal } = send
  const isLate = keptSends.isLate(send)
  return (
    <article
      className={classNames(bubbleCss.bubble, bubbleCss.outgoing)}
      data-status={refusal === undefined ? 'kept' : 'failed'}
      data-kept={key}
      tabIndex={-1}
    >
      <MessageText text={text === '' ? t.keptFile : text} />
      {refusal === undefined ? null : (
        <p className={bubbleCss.bubbleFailure}>
          {t.failed(errorText(new ApiError(400, refusal as ApiError['reason'], refusal)))}
        </p>
      )}
      <div className={bubbleCss.bubbleFoot}>
        <time dateTime={new Date(at).toISOString()}>{times.time(new Date(at).toISOString())}</time>
        {refusal === undefined ? <span>{isLate ? t.keptLong : t.kept}</span> : null}
        {isLate || refusal !== undefined ? (
          <Button kind="quiet" small onClick={() => void keptSends.renew(key)}>
            {t.sendAgain}
          </Button>
        ) : null}
        <Button kind="quiet" small onClick={() => keptSends.discard(key)}>
          {t.discard}
        </Button>
      </div>
    </article>
  )
}
