// Where the browser extension comes back to: hands the assertion to the tab in which the person began.

import { useEffect, useState } from 'react'
import { useTexts } from '../../ui/language.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { TextBlock } from '../../ui/text-block.tsx'
import { handOver, returnedText } from './handover.ts'
import { passkeyTexts } from './texts/passkey-texts.ts'

export function PasskeyReturnPage() {
  const t = useTexts(passkeyTexts)
  const [text] = useState(() => returnedText(location.hash))
  const [isTaken, setTaken] = useState<boolean>()
  useEffect(() => {
    // The assertion must not stay in the address bar or the history.
    history.replaceState(null, '', location.pathname)
    if (text !== undefined) void handOver(text).then(setTaken)
  }, [text])
  if (text === undefined) {
    return (
      <>
        <PageHead title={t.returned} />
        <p className="note warn">{t.nothing}</p>
      </>
    )
  }
  return (
    <>
      <PageHead title={t.returned} />
      {isTaken === undefined ? <p role="status">{t.handingOver}</p> : null}
      {isTaken === true ? (
        <p className="note good" role="status">
          {t.handedOver}
        </p>
      ) : null}
      {isTaken === false ? (
        <>
          <p className="note warn" role="status">
            {t.noTab}
          </p>
          <TextBlock label={t.result} text={text} />
        </>
      ) : null}
    </>
  )
}
