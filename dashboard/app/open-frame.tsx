// The frame of a page that needs no sign-in: no navigation, only the brand and the preferences.
import { type ReactNode, Suspense } from 'react'
import cardCss from '../ui/card.module.css'
import { useTexts } from '../ui/language.tsx'
import { LoadBoundary } from '../ui/load-boundary.tsx'
import { uiTexts } from '../ui/texts/ui-texts.ts'
import { Brand } from './brand.tsx'
import css from './open-frame.module.css'
import { PreferencesMenu } from './preferences-menu.tsx'

export function OpenFrame({ children }: { children: ReactNode }) {
  const t = useTexts(uiTexts)
  return (
    <main className={css.open}>
      <Brand />
      <section className={cardCss.card}>
        <LoadBoundary>
          <Suspense fallback={<p className="muted">{t.loading}</p>}>{children}</Suspense>
        </LoadBoundary>
      </section>
      <div className="row">
        <PreferencesMenu />
      </div>
    </main>
  )
}
