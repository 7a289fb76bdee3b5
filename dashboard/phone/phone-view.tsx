// One phone as it lies on the table: its frame, its three tabs, and the screen that is open.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../language.tsx'
import { phoneTexts } from '../texts/phone.ts'
import { faultsQuery, type WorldPhone } from '../world.ts'
import { ChatList } from './chat-list.tsx'
import { ChatView } from './chat-view.tsx'
import { DevicesScreen } from './devices-screen.tsx'
import { FaultsScreen } from './faults-screen.tsx'
import { Glyph, type GlyphName } from './glyph.tsx'
import { NewChatScreen } from './new-chat-screen.tsx'

type Tab = 'chats' | 'devices' | 'faults'
const TABS: Record<Tab, GlyphName> = { chats: 'chat', devices: 'link', faults: 'bolt' }

/** In the place of a chat: the screen on which one is begun. */
const NEW = 'new'

export interface PhoneViewProps {
  phone: WorldPhone
  /** The chat that is open at first. */
  firstChat?: string | undefined
  /** Beside the name, such as a button that takes the phone off the screen. */
  corner?: ReactNode
}

export function PhoneView({ phone, firstChat, corner }: PhoneViewProps) {
  const t = useTexts(phoneTexts)
  const [tab, setTab] = useState<Tab>('chats')
  const [chat, setChat] = useState(firstChat)
  const [readsByItself, setReadsByItself] = useState(true)
  const faults = useQuery(faultsQuery).data?.faults.filter(({ number }) => number === phone.number) ?? []
  return (
    <section className="phone" aria-label={t.phoneOf(phone.name)}>
      <header className="phone-bar">
        <div>
          <h2>{phone.name}</h2>
          <span className="number">+{phone.number}</span>
        </div>
        <span className="phone-signs">
          {phone.online ? null : <Glyph name="off" label={t.faults.offline.title} />}
          {phone.devices.length > 0 ? <Glyph name="link" label={t.linked} /> : null}
          {corner}
        </span>
      </header>
      <div className="phone-screen">
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
      <nav className="phone-tabs" aria-label={t.phoneOf(phone.name)}>
        {(Object.keys(TABS) as Tab[]).map((name) => (
          <button
            key={name}
            type="button"
            aria-current={tab === name ? 'true' : undefined}
            onClick={() => {
              setTab(name)
              if (name === 'chats' && tab === 'chats') setChat(undefined)
            }}
          >
            <Glyph name={TABS[name]} />
            {t.tabs[name]}
            {name === 'faults' && faults.length > 0 ? <b className="phone-dot">{faults.length}</b> : null}
          </button>
        ))}
      </nav>
    </section>
  )
}

/** The head of a screen below the phone's own bar, with the way back. */
export function ScreenHead({
  title,
  onBack,
  children,
}: {
  title: string
  onBack?: () => void
  children?: ReactNode
}) {
  const t = useTexts(phoneTexts)
  return (
    <div className="screen-head">
      {onBack ? (
        <button type="button" className="glyph-button" aria-label={t.back} onClick={onBack}>
          <Glyph name="back" />
        </button>
      ) : null}
      <h3>{title}</h3>
      {children}
    </div>
  )
}
