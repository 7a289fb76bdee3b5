// Shows a message and a way to reload in place of a part that cannot be loaded or shown, instead of a blank page.
import { Component, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { useTexts } from './language.tsx'
import { uiTexts } from './texts/ui-texts.ts'

/**
 * A class, because React has no other way to catch the error of a child. The usual error is a script that is gone: a new version of
 * the gateway serves scripts with other names. Only a reload gets the new ones.
 */
export class LoadBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    return this.state.hasFailed ? <LoadFailure /> : this.props.children
  }
}

function LoadFailure() {
  const t = useTexts(uiTexts)
  return (
    <div role="alert">
      <EmptyState
        title={t.loadFailed}
        action={
          <Button kind="primary" onClick={() => location.reload()}>
            {t.reload}
          </Button>
        }
      >
        {t.loadFailedText}
      </EmptyState>
    </div>
  )
}
