// The frame of every page: navigation, preferences and the sign-in check.

import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useId, useState } from 'react'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import type { SignInKind } from '../../src/contract/session.ts'
import { isStreamForbidden } from '../gateway/api.ts'
import { hasKeptSends } from '../gateway/kept-prefix.ts'
import { live, useLiveState } from '../gateway/live.ts'
import { useAccount, useCan, useOperator, useSigning } from '../gateway/sign-in.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { EmptyPage } from '../ui/empty-state.tsx'
import { Icon } from '../ui/icons.tsx'
import { useTexts } from '../ui/language.tsx'
import { LoadBoundary } from '../ui/load-boundary.tsx'
import { onDemand } from '../ui/on-demand.tsx'
import { uiTexts } from '../ui/texts/ui-texts.ts'
import { Brand } from './brand.tsx'
import { currentPath } from './current-page.ts'
import { HeldBanner } from './hold-banner.tsx'
import { OpenFrame } from './open-frame.tsx'
import { mayOpen, type PageName } from './page-needs.ts'
import { type DashboardPage, homeOf, OPEN_PAGES, PAGES } from './pages.ts'
import { PaletteButton, usePalette } from './palette-button.tsx'
import { PreferencesMenu } from './preferences-menu.tsx'
import css from './shell.module.css'
import { SignInPage } from './sign-in-page.tsx'
import { shellTexts } from './texts/shell-texts.ts'

/** Loaded after the page, which does not need them. */
const Palette = onDemand(async () => (await import('./palette.tsx')).Palette)
const NoPermission = onDemand(async () => (await import('./no-permission.tsx')).NoPermission)
const InboxWatch = onDemand(async () => (await import('./inbox-watch.tsx')).InboxWatch)

export function Shell() {
  return (
    <Switch>
      {PAGES.map((page) => (
        <Route key={page.path} path={page.path}>
          {(params) => <RequireSignIn page={page} params={params as Record<string, string>} />}
        </Route>
      ))}
      {OPEN_PAGES.map(({ path, component: Content }) => (
        <Route key={path} path={path}>
          <OpenFrame>
            <Content params={{}} />
          </OpenFrame>
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

/** Shows the page to a signed-in reader, and the sign-in form at the same address to anyone else. */
function RequireSignIn({ page, params }: { page: DashboardPage; params: Record<string, string> }) {
  const account = useAccount()
  const operator = useOperator()
  const t = useTexts(uiTexts)
  const can = useCan()
  const home = useHome()
  const { data, isPending } = page.who === 'account' ? account : operator
  if (isPending) return <p className={classNames(css.loading, 'muted')}>{t.loading}</p>
  if (!data) return <SignInPage kind={page.who} />
  if (page.sandboxOnly && account.data?.network !== 'sandbox') {
    return (
      <Frame who={page.who}>
        <NotFound />
      </Frame>
    )
  }
  if (page.who === 'account' && account.data && !mayOpen(can, page.name)) {
    // The start page only leads further.
    if (page.path === '/' && home) return <Redirect to={home.href} replace />
    return (
      <Frame who={page.who}>
        <LoadBoundary>
          <NoPermission signedIn={account.data} page={page.name} home={home} />
        </LoadBoundary>
      </Frame>
    )
  }
  const Content = page.component
  return (
    <Frame who={page.who}>
      <LoadBoundary>
        <Suspense fallback={<p className="muted">{t.loading}</p>}>
          <Content params={params} />
        </Suspense>
      </LoadBoundary>
    </Frame>
  )
}

function Frame({ who, children }: { who: SignInKind; children: ReactNode }) {
  const t = useTexts(shellTexts)
  const signedIn = useAccount().data
  const queries = useQueryClient()
  const isAccount = Boolean(signedIn)
  const sandbox = signedIn?.network === 'sandbox'
  const can = useCan()
  const hasStream = isAccount && can('streamEvents')
  const [isPaletteOpen, setPalette] = usePalette(isAccount)
  useEffect(() => {
    if (hasStream) live.start(queries, isStreamForbidden)
  }, [hasStream, queries])
  useKeptMessages(signedIn?.account.id)
  return (
    <div className={css.shell}>
      <a className={css.skipLink} href="#content">
        {t.skip}
      </a>
      <SideBar
        who={who}
        sandbox={sandbox}
        onPalette={isAccount ? () => setPalette(true) : undefined}
        name={who === 'account' ? signedIn?.account.name : t.pages.operator}
      />
      <main className={css.main} id="content" tabIndex={-1}>
        <div className={css.page}>
          <HeldBanner />
          {isAccount && can('listInstances', 'listChats') ? <InboxWatch /> : null}
          {children}
        </div>
      </main>
      {isPaletteOpen ? <Palette sandbox={sandbox} onClose={() => setPalette(false)} /> : null}
    </div>
  )
}

/** Sends what this browser has kept while the gateway could not be reached. A browser that keeps nothing loads nothing. */
function useKeptMessages(accountId: number | undefined): void {
  useEffect(() => {
    if (accountId === undefined || !hasKeptSends()) return
    void import('../features/conversations/composer/use-kept-sends.ts').then(
      ({ startKeptSends }) => startKeptSends(accountId),
      () => undefined, // They stay, and the next page tries again.
    )
  }, [accountId])
}

interface SideBarProps {
  who: SignInKind
  sandbox: boolean
  name: string | undefined
  /** Undefined: the reader is not signed in to an account, which has the chats. */
  onPalette: (() => void) | undefined
}

/** A column beside the page. On narrow screens it is a bar above the page with a menu button. */
function SideBar({ who, sandbox, name, onPalette }: SideBarProps) {
  const t = useTexts(shellTexts)
  const [location] = useLocation()
  // The address at which the menu was opened: navigating closes it.
  const [openedAt, setOpenedAt] = useState<string>()
  const isOpen = openedAt === location
  const panel = useId()
  const home = useHome()
  useEffect(() => {
    if (!isOpen) return
    const closed = new AbortController()
    const close = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') setOpenedAt(undefined)
    }
    document.addEventListener('keydown', close, { signal: closed.signal })
    return () => closed.abort()
  }, [isOpen])
  return (
    <header className={css.side}>
      <div className={css.sideHead}>
        <Link className={css.home} href={home?.href ?? '/'}>
          <Brand />
        </Link>
        <button
          type="button"
          className={css.menuButton}
          aria-expanded={isOpen}
          aria-controls={panel}
          onClick={() => setOpenedAt(isOpen ? undefined : location)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} />
          {t.menu}
        </button>
      </div>
      <div id={panel} className={classNames(css.sidePanel, isOpen && css.open)}>
        {onPalette ? <PaletteButton onOpen={onPalette} /> : null}
        <Navigation sandbox={sandbox} />
        <SideFoot who={who} name={name} />
      </div>
    </header>
  )
}

function Navigation({ sandbox }: { sandbox: boolean }) {
  const t = useTexts(shellTexts)
  const can = useCan()
  const [location] = useLocation()
  const current = currentPath(
    location,
    PAGES.filter(({ icon }) => icon !== undefined).map(({ path }) => path),
  )
  return (
    <nav aria-label={t.navigation}>
      <ul className={css.nav}>
        {PAGES.map(({ path, name, icon, sandboxOnly }) =>
          icon === undefined || (sandboxOnly && !sandbox) || !mayOpen(can, name) ? null : (
            <li key={path}>
              <Link href={path} aria-current={path === current ? 'page' : undefined}>
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
  const can = useCan()
  return (
    <div className={css.sideFoot}>
      {who === 'account' && can('streamEvents') ? (
        <span className={css.liveDot} data-state={state}>
          {t.live[state]}
        </span>
      ) : null}
      <a href="/docs">{t.reference}</a>
      <PreferencesMenu />
      <div className="row apart">
        <strong className="wrap">{name}</strong>
        <Button small onClick={() => void signOut(who)}>
          {t.signOut}
        </Button>
      </div>
    </div>
  )
}

/** The page that the key opens first; undefined: it opens none. */
function useHome(): { href: string; title: string } | undefined {
  const t = useTexts(shellTexts)
  const href = homeOf(useCan(), useAccount().data?.network === 'sandbox')
  const page: PageName | undefined = PAGES.find(({ path }) => path === href)?.name
  return href === undefined || page === undefined ? undefined : { href, title: t.pages[page] }
}

function NotFound() {
  const t = useTexts(shellTexts)
  const home = useHome()
  return (
    <EmptyPage
      title={t.notFound}
      reason={t.notFound}
      text={t.notFoundText}
      link={{ href: home?.href ?? '/', text: t.home(home?.title ?? t.pages.start) }}
    />
  )
}
