// The start page leads a new account to its first message, and redirects all others to the instances.

import { lazy, Suspense, useState } from 'react'
import { Redirect } from 'wouter'
import { useAccount } from '../../gateway/sign-in.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { useTexts } from '../../ui/language.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { uiTexts } from '../../ui/texts/ui-texts.ts'
import { useWorldChanges } from '../phones/sandbox-queries.ts'
import { type FirstRun, useFirstRun, usePair } from './first-run.ts'
import css from './start.module.css'
import { CreateStep, ScanStep, SendStep, Step, WatchStep } from './steps.tsx'
import { firstRunTexts } from './texts/first-run-texts.ts'

const STEPS = 4

/** Loaded when the third step needs it, so that the page itself stays small. */
const PhoneView = lazy(async () => ({ default: (await import('../phones/phone-view.tsx')).PhoneView }))

export function StartPage() {
  const ui = useTexts(uiTexts)
  const run = useFirstRun()
  // A reader who finishes here sees the last step; one who finished earlier is redirected.
  const [wasOver, setWasOver] = useState<boolean>()
  if (run && wasOver === undefined) setWasOver(run.hasArrived)
  if (!run) return <p className="muted">{ui.loading}</p>
  if (wasOver) return <Redirect to="/instances" replace />
  return <Steps run={run} />
}

function Steps({ run }: { run: FirstRun }) {
  const t = useTexts(firstRunTexts)
  const isSandbox = useAccount().data?.network === 'sandbox'
  useWorldChanges(isSandbox)
  const { instance, isOpen, hasArrived } = run
  const { free } = usePair(instance, isSandbox)
  const friend = isOpen ? free[0] : undefined
  const leave = <ButtonLink href="/instances">{run.done === STEPS ? t.finish : t.skip}</ButtonLink>
  return (
    <>
      <PageHead title={t.title} lead={t.lead} actions={leave} />
      <p className="muted small" role="status">
        {t.progress(run.done, STEPS)}
      </p>
      <div className={css.firstRun}>
        <ol className={css.stepper}>
          <Step title={t.create.title} isDone={instance !== undefined} isCurrent={instance === undefined}>
            <CreateStep instance={instance} />
          </Step>
          <Step title={t.scan.title} isDone={isOpen} isCurrent={instance !== undefined && !isOpen}>
            <ScanStep run={run} isSandbox={isSandbox} free={free} />
          </Step>
          <Step title={t.send.title} isDone={hasArrived} isCurrent={isOpen && !hasArrived}>
            <SendStep run={run} isSandbox={isSandbox} friend={friend} />
          </Step>
          <Step title={t.watch.title} isDone={run.done === STEPS} isCurrent={hasArrived}>
            <WatchStep run={run} isSandbox={isSandbox} />
          </Step>
        </ol>
        {friend ? (
          <Suspense>
            <PhoneView key={friend.number} phone={friend} firstChat={instance?.number ?? undefined} />
          </Suspense>
        ) : null}
      </div>
    </>
  )
}
