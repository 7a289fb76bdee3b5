// Simulated faults: switches for lasting ones, buttons for one-time ones, and the behavior of the phone.

import { api } from '../../gateway/api.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useTexts } from '../../ui/language.tsx'
import { useToasts } from '../../ui/toast.tsx'
import phoneCss from './phone.module.css'
import { useAct, type WorldPhone } from './sandbox-queries.ts'
import { ScreenHead } from './screen-head.tsx'
import rowCss from './switch-row.module.css'
import { SwitchRow } from './switch-row.tsx'
import { phoneTexts } from './texts/phone-texts.ts'

const LASTING = ['offline', 'restrict', 'reject', 'refuse', 'silent'] as const
const MOMENTS = ['disconnect', 'replace', 'unlink'] as const

interface Props {
  phone: WorldPhone
  /** The active faults of this phone. */
  kinds: readonly string[]
  readsByItself: boolean
  onReadsByItself(on: boolean): void
}

export function FaultsScreen({ phone, kinds, readsByItself, onReadsByItself }: Props) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const toasts = useToasts()
  const { number } = phone
  const hasDevice = phone.devices.length > 0
  return (
    <>
      <ScreenHead title={t.tabs.faults} />
      <div className={classNames(phoneCss.screenBody, phoneCss.padded)}>
        <h4>{t.lasting}</h4>
        {LASTING.map((kind) => (
          <SwitchRow
            isFault
            key={kind}
            {...t.faults[kind]}
            on={kinds.includes(kind)}
            // A dead connection requires a linked instance.
            disabled={
              kind === 'silent' && !phone.devices.some(({ online }) => online) && !kinds.includes(kind)
            }
            onChange={(on) =>
              act(
                on
                  ? api.sandboxCreateFault({ body: { number, kind } })
                  : api.sandboxClearFaults({ query: { number, kind } }),
              )
            }
          />
        ))}
        <h4>{t.once}</h4>
        {hasDevice ? null : <p className={phoneCss.screenNote}>{t.noDevice}</p>}
        {MOMENTS.map((kind) => (
          <div key={kind} className={rowCss.settingRow}>
            <span>
              <strong>{t.moments[kind].title}</strong>
              <small>{t.moments[kind].text}</small>
            </span>
            <Button
              small
              kind={kind === 'unlink' ? 'danger' : 'plain'}
              disabled={!hasDevice}
              onClick={() =>
                act(api.sandboxCreateFault({ body: { number, kind } }), () => toasts.done(t.broken))
              }
            >
              {t.moments[kind].title}
            </Button>
          </div>
        ))}
        <h4>{t.behaviour}</h4>
        <SwitchRow title={t.autoRead} text={t.autoReadText} on={readsByItself} onChange={onReadsByItself} />
      </div>
    </>
  )
}
