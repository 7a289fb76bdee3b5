// What stands around every page: navigation, the reader's choices, and the door that a page needs.
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { Link, Route, Switch, useLocation } from 'wouter'
import { Choices } from './choices.tsx'
import { useTexts } from './language.tsx'
import { live, useLiveState } from './live.ts'
import { SignInPage } from './pages/sign-in.tsx'
import { PAGES, type Page } from './pages.ts'
import { type SignInKind, useAccount, useOperator, useSigning } from './sign-in.ts'
import { shellTexts } from './texts/shell.ts'
import { uiTexts } from './texts/ui.ts'
import { Button } from './ui/button.tsx'
import { EmptyState } from './ui/empty-state.tsx'
import { Icon } from './ui/icons.tsx'
import { PageHead } from './ui/page-head.tsx'

export function Shell() {
  return (
    <Switch>
      {PAGES.map((page) => (
        <Route key={page.path} path={page.path}>
          {(params) => <Door page={page} params={params as Record<string, string>} />}
        </Route>
      ))}
      <Route>
        <Frame who="account">
          <NotFound />
        </Frame>
      </Route>
    </Switch>
  )
}

/** Whoever is signed in sees the page; others are asked for a key first, at the same address. */
function Door({ page, params }: { page: Page; params: Record<string, string> }) {
  const account = useAccount()
  const operator = useOperator()
  const t = useTexts(uiTexts)
  const { data, isPending } = page.who === 'account' ? account : operator
  if (isPending) return <p className="sign-in muted">{t.loading}</p>
  if (!data) return <SignInPage kind={page.who} />
  if (page.sandboxOnly && account.data?.network !== 'sandbox') {
    return (
      <Frame who={page.who}>
        <NotFound />
      </Frame>
    )
  }
  const Content = page.component
  return (
    <Frame who={page.who}>
      <Suspense fallback={<p className="muted">{t.loading}</p>}>
        <Content params={params} />
      </Suspense>
    </Frame>
  )
}

function Frame({ who, children }: { who: SignInKind; children: ReactNode }) {
  const t = useTexts(shellTexts)
  const signedIn = useAccount().data
  const queries = useQueryClient()
  const isAccount = Boolean(signedIn)
  useEffect(() => {
    if (isAccount) live.start(queries)
  }, [isAccount, queries])
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        {t.skip}
      </a>
      <header className="side">
        <Link className="brand" href="/instances">
          <img src="/icon.svg" alt="" />
          Switchboard
        </Link>
        <Navigation sandbox={signedIn?.network === 'sandbox'} />
        <SideFoot who={who} name={who === 'account' ? signedIn?.account.name : t.pages.operator} />
      </header>
      <main className="main" id="content" tabIndex={-1}>
        <div className="page">{children}</div>
      </main>
    </div>
  )
}

function Navigation({ sandbox }: { sandbox: boolean }) {
  const t = useTexts(shellTexts)
  const [location] = useLocation()
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    // On narrow screens the list scrolls sideways: where one is must be in sight.
    const here = location && list.current?.querySelector('[aria-current]')
    if (here) here.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [location])
  return (
    <nav aria-label={t.navigation}>
      <ul className="nav" ref={list}>
        {PAGES.map(({ path, name, icon, sandboxOnly }) =>
          icon === undefined || (sandboxOnly && !sandbox) ? null : (
            <li key={path}>
              <Link href={path} aria-current={location.startsWith(path) ? 'page' : undefined}>
                <Icon name={icon} />
                {t.pages[name]}
              </Link>
            </li>
          ),
        )}
      </ul>
    </nav>
  )
}

function SideFoot({ who, name }: { who: SignInKind; name: string | undefined }) {
  const t = useTexts(shellTexts)
  const state = useLiveState()
  const { signOut } = useSigning()
  return (
    <div className="side-foot">
      {who === 'account' ? (
        <span className="live-dot" data-state={state}>
          {t.live[state]}
        </span>
      ) : null}
      <Choices />
      <a href="/docs">{t.reference}</a>
      <div className="row apart">
        <strong className="wrap">{name}</strong>
        <Button small onClick={() => void signOut(who)}>
          {t.signOut}
        </Button>
      </div>
    </div>
  )
}

function NotFound() {
  const t = useTexts(shellTexts)
  return (
    <>
      <PageHead title={t.notFound} />
      <EmptyState title={t.notFound} action={<Link href="/instances">{t.home}</Link>}>
        {t.notFoundText}
      </EmptyState>
    </>
  )
}
