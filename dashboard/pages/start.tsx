// The start page: who has sent nothing yet is led to the first message; everybody else goes on to the instances.
import { useState } from 'react'
import { Link, Redirect } from 'wouter'
import { useTexts } from '../language.tsx'
import { PhoneView } from '../phone/phone-view.tsx'
import '../phone/phone.css'
import { useAccount } from '../sign-in.ts'
import { type FirstRun, useFirstRun, usePair } from '../start/first-run.ts'
import '../start/start.css'
import { CreateStep, ScanStep, SendStep, Step, WatchStep } from '../start/steps.tsx'
import { firstRunTexts } from '../texts/first-run.ts'
import { uiTexts } from '../texts/ui.ts'
import { PageHead } from '../ui/page-head.tsx'
import { useWorldChanges } from '../world.ts'

const STEPS = 4

export function StartPage() {
  const ui = useTexts(uiTexts)
  const run = useFirstRun()
  // Whoever finishes it here sees the end; whoever had finished before is not held up.
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
  const leave = (
    <Link className="button" href="/instances">
      {run.done === STEPS ? t.finish : t.skip}
    </Link>
  )
  return (
    <>
      <PageHead title={t.title} lead={t.lead} actions={leave} />
      <p className="muted small" role="status">
        {t.progress(run.done, STEPS)}
      </p>
      <div className="first-run">
        <ol className="stepper">
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
          <PhoneView key={friend.number} phone={friend} firstChat={instance?.number ?? undefined} />
        ) : null}
      </div>
    </>
  )
}
