// Shown instead of a page that the key cannot open: which permission it needs.

import { accountTexts } from '../features/account/texts/account-texts.ts'
import type { SignedInKey } from '../gateway/permission.ts'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { useLocale, useTexts } from '../ui/language.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { lackFor, type PageName } from './page-needs.ts'
import { shellTexts } from './texts/shell-texts.ts'

interface NoPermissionProps {
  signedIn: SignedInKey
  page: PageName
  /** A page that the key can open; undefined: there is none. */
  home: { href: string; title: string } | undefined
}

export function NoPermission({ signedIn, page, home }: NoPermissionProps) {
  const { pages, home: goTo, forbidden: t } = useTexts(shellTexts)
  const { scopeNames } = useTexts(accountTexts)
  const locale = useLocale()
  const { scopes, isOneEnough } = lackFor(signedIn, page)
  const type = isOneEnough ? 'disjunction' : 'conjunction'
  const names = new Intl.ListFormat(locale, { type }).format(
    scopes.map((scope) => `${scopeNames[scope]} (${scope})`),
  )
  return (
    <>
      <PageHead title={pages[page]} />
      <EmptyState
        title={home ? t.title : t.noPage}
        action={
          home ? (
            <ButtonLink kind="primary" href={home.href}>
              {goTo(home.title)}
            </ButtonLink>
          ) : undefined
        }
      >
        {scopes.length === 0 ? t.walls : t.scopes(names)} {t.howTo}
      </EmptyState>
    </>
  )
}
