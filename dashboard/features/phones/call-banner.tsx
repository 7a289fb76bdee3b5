// The call that rings or goes on, above the screen of the phone that is open.

import { api } from '../../gateway/api.ts'
import { Button } from '../../ui/button.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Glyph } from './glyph.tsx'
import phoneCss from './phone.module.css'
import { useAct, useNames, type WorldCall } from './sandbox-queries.ts'
import { phoneTexts } from './texts/phone-texts.ts'

export function CallBanner({ number, call }: { number: string; call: WorldCall }) {
  const t = useTexts(phoneTexts)
  const names = useNames()
  const act = useAct()
  const isPlaced = call.from === number
  const name = names(isPlaced ? call.to : call.from)
  const rings = call.status === 'ringing'
  const title = !rings ? t.call.ongoing(name) : isPlaced ? t.call.outgoing(name) : t.call.incoming(name)
  const request = { params: { number }, body: { callId: call.id } }
  return (
    <div className={phoneCss.callBanner} role="status">
      <span className="row">
        <Glyph name={call.video ? 'video' : 'call'} label={call.video ? t.call.video : t.call.voice} />
        <strong className="wrap">{title}</strong>
      </span>
      <span className="row">
        {rings && !isPlaced ? (
          <Button small kind="primary" onClick={() => act(api.sandboxAnswerCall(request))}>
            {t.call.answer}
          </Button>
        ) : null}
        <Button small kind="danger" onClick={() => act(api.sandboxHangUp(request))}>
          {rings && !isPlaced ? t.call.reject : t.call.hangUp}
        </Button>
      </span>
    </div>
  )
}
