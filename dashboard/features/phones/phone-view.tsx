// One phone: its frame, its tabs and the open screen.

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../../ui/language.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { ChatList } from './chat-list.tsx'
import { ChatView } from './chat-view.tsx'
import { Glyph, type GlyphName } from './glyph.tsx'
import { GlyphButton } from './glyph-button.tsx'
import phoneCss from './phone.module.css'
import { callsQuery, faultsQuery, type WorldCall, type WorldPhone } from './sandbox-queries.ts'
import { phoneTexts } from './texts/phone-texts.ts'

const CallBanner = onDemand(async () => (await import('./call-banner.tsx')).CallBanner)
const CallsScreen = onDemand(async () => (await import('./calls-screen.tsx')).CallsScreen)
const DevicesScreen = onDemand(async () => (await import('./devices-screen.tsx')).DevicesScreen)
const FaultsScreen = onDemand(async () => (await import('./faults-screen.tsx')).FaultsScreen)
const NewChatScreen = onDemand(async () => (await import('./new-chat-screen.tsx')).NewChatScreen)
const ProfileScreen = onDemand(async () => (await import('./profile-screen.tsx')).ProfileScreen)
const StatusScreen = onDemand(async () => (await import('./status-screen.tsx')).StatusScreen)

type Tab = 'chats' | 'status' | 'calls' | 'devices' | 'faults'
const TABS: Record<Tab, GlyphName> = {
  chats: 'chat',
  status: 'status',
  calls: 'call',
  devices: 'link',
  faults: 'bolt',
}

/** Stands for the screen that starts a chat. */
const NEW = 'new'

export interface PhoneViewProps {
  phone: WorldPhone
  /** The chat that is open initially. */
  firstChat?: string | undefined
  /** Shown beside the name, such as a button that hides the phone. */
  corner?: ReactNode
}

export function PhoneView({ phone, firstChat, corner }: PhoneViewProps) {
  const t = useTexts(phoneTexts)
  const [tab, setTab] = useState<Tab | 'profile'>('chats')
  const [chat, setChat] = useState(firstChat)
  const [readsByItself, setReadsByItself] = useState(true)
  const faults = useQuery(faultsQuery).data?.faults.filter(({ number }) => number === phone.number) ?? []
  const call = currentCall(phone, useQuery(callsQuery(phone.number)).data?.calls)
  return (
    <section className={phoneCss.phone} aria-label={t.phoneOf(phone.name)}>
      <header className={phoneCss.phoneBar}>
        <div>
          <h2>{phone.name}</h2>
          <span className="number">+{phone.number}</span>
        </div>
        <span className={phoneCss.phoneSigns}>
          {phone.available || !phone.online ? null : <Glyph name="away" label={t.profile.isAway} />}
          {phone.online ? null : <Glyph name="off" label={t.faults.offline.title} />}
          {phone.devices.length > 0 ? <Glyph name="link" label={t.linked} /> : null}
          <GlyphButton name="person" label={t.profile.title} onClick={() => setTab('profile')} />
          {corner}
        </span>
      </header>
      <div className={phoneCss.phoneScreen}>
        {call ? <CallBanner number={phone.number} call={call} /> : null}
        {tab === 'profile' ? <ProfileScreen phone={phone} onBack={() => setTab('chats')} /> : null}
        {tab === 'status' ? <StatusScreen number={phone.number} /> : null}
        {tab === 'calls' ? <CallsScreen number={phone.number} /> : null}
        {tab === 'devices' ? <DevicesScreen phone={phone} /> : null}
        {tab === 'faults' ? (
          <FaultsScreen
            phone={phone}
            kinds={faults.map(({ kind }) => kind)}
            readsByItself={readsByItself}
            onReadsByItself={setReadsByItself}
          />
        ) : null}
        {tab !== 'chats' ? null : chat === undefined ? (
          <ChatList number={phone.number} onOpen={setChat} onNew={() => setChat(NEW)} />
        ) : chat === NEW ? (
          <NewChatScreen phone={phone} onOpen={setChat} onBack={() => setChat(undefined)} />
        ) : (
          <ChatView
            key={chat}
            number={phone.number}
            chat={chat}
            readsByItself={readsByItself}
            onBack={() => setChat(undefined)}
          />
        )}
      </div>
      <TabBar
        label={t.phoneOf(phone.name)}
        tab={tab}
        faultCount={faults.length}
        onChoose={(name) => {
          setTab(name)
          if (name === 'chats' && tab === 'chats') setChat(undefined)
        }}
      />
    </section>
  )
}

/** The call that rings or goes on. A blocked caller does not ring. */
function currentCall(phone: WorldPhone, calls: readonly WorldCall[] = []): WorldCall | undefined {
  return calls.findLast(
    ({ status, from }) => (status === 'ringing' || status === 'answered') && !phone.blocked.includes(from),
  )
}

interface TabBarProps {
  label: string
  tab: string
  faultCount: number
  onChoose(tab: Tab): void
}

function TabBar({ label, tab, faultCount, onChoose }: TabBarProps) {
  const t = useTexts(phoneTexts)
  return (
    <nav className={phoneCss.phoneTabs} aria-label={label}>
      {(Object.keys(TABS) as Tab[]).map((name) => (
        <button
          key={name}
          type="button"
          aria-current={tab === name ? 'true' : undefined}
          onClick={() => onChoose(name)}
        >
          <Glyph name={TABS[name]} />
          {t.tabs[name]}
          {name === 'faults' && faultCount > 0 ? <b className={phoneCss.phoneDot}>{faultCount}</b> : null}
        </button>
      ))}
    </nav>
  )
}
