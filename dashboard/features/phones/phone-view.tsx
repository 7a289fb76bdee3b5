// One phone: its frame, three tabs and the open screen.

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../../ui/language.tsx'
import { ChatList } from './chat-list.tsx'
import { ChatView } from './chat-view.tsx'
import { DevicesScreen } from './devices-screen.tsx'
import { FaultsScreen } from './faults-screen.tsx'
import { Glyph, type GlyphName } from './glyph.tsx'
import { NewChatScreen } from './new-chat-screen.tsx'
import phoneCss from './phone.module.css'
import { faultsQuery, type WorldPhone } from './sandbox-queries.ts'
import { phoneTexts } from './texts/phone-texts.ts'

type Tab = 'chats' | 'devices' | 'faults'
const TABS: Record<Tab, GlyphName> = { chats: 'chat', devices: 'link', faults: 'bolt' }

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
  const [tab, setTab] = useState<Tab>('chats')
  const [chat, setChat] = useState(firstChat)
  const [readsByItself, setReadsByItself] = useState(true)
  const faults = useQuery(faultsQuery).data?.faults.filter(({ number }) => number === phone.number) ?? []
  return (
    <section className={phoneCss.phone} aria-label={t.phoneOf(phone.name)}>
      <header className={phoneCss.phoneBar}>
        <div>
          <h2>{phone.name}</h2>
          <span className="number">+{phone.number}</span>
        </div>
        <span className={phoneCss.phoneSigns}>
          {phone.online ? null : <Glyph name="off" label={t.faults.offline.title} />}
          {phone.devices.length > 0 ? <Glyph name="link" label={t.linked} /> : null}
          {corner}
        </span>
      </header>
      <div className={phoneCss.phoneScreen}>
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
      <nav className={phoneCss.phoneTabs} aria-label={t.phoneOf(phone.name)}>
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
            {name === 'faults' && faults.length > 0 ? (
              <b className={phoneCss.phoneDot}>{faults.length}</b>
            ) : null}
          </button>
        ))}
      </nav>
    </section>
  )
}
