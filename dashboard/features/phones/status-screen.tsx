// Status posts: those that the phone received, its own, and a new one.

import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { STATUS_CHAT } from '../../../src/contract/message-values.ts'
import { Avatar } from '../../chat/avatar.tsx'
import { chatTexts } from '../../chat/texts/chat-texts.ts'
import { Ticks } from '../../chat/ticks.tsx'
import { useTimes } from '../../chat/times.ts'
import { api } from '../../gateway/api.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/page-head.tsx'
import { previewOf } from './chat-list.tsx'
import { GlyphButton } from './glyph-button.tsx'
import { isDark } from './is-dark.ts'
import { MessageBody } from './message-body.tsx'
import phoneCss from './phone.module.css'
import { chatMessagesQuery, useAct, useNames, type WorldMessage } from './sandbox-queries.ts'
import { ScreenHead } from './screen-head.tsx'
import { Sheet } from './sheet.tsx'
import { StatusForm } from './status-form.tsx'
import css from './status-screen.module.css'
import { phoneTexts } from './texts/phone-texts.ts'

export function StatusScreen({ number }: { number: string }) {
  const t = useTexts(phoneTexts)
  const query = useInfiniteQuery(chatMessagesQuery(number, STATUS_CHAT))
  const [opened, open] = useState<string>()
  const [isPosting, setPosting] = useState(false)
  const posts = (query.data?.pages ?? [])
    .flatMap((page) => page.messages.toReversed())
    .filter((message) => message.target === undefined && !message.deleted)
  const shown = posts.find(({ id }) => id === opened)
  return (
    <>
      <ScreenHead title={t.tabs.status}>
        <GlyphButton name="plus" label={t.status.new} onClick={() => setPosting(true)} />
      </ScreenHead>
      <div className={phoneCss.screenBody}>
        <Loaded query={query}>
          {() => (posts.length === 0 ? <p className={phoneCss.screenNote}>{t.status.none}</p> : null)}
        </Loaded>
        <ul className={phoneCss.phoneChatList}>
          {posts.map((post) => (
            <li key={post.seq}>
              <PostRow number={number} post={post} onOpen={() => open(post.id)} />
            </li>
          ))}
        </ul>
        {query.hasNextPage ? (
          <Button small kind="quiet" onClick={() => void query.fetchNextPage()}>
            {t.earlier}
          </Button>
        ) : null}
      </div>
      {shown ? <PostSheet number={number} post={shown} onClose={() => open(undefined)} /> : null}
      {isPosting ? <StatusForm number={number} onClose={() => setPosting(false)} /> : null}
    </>
  )
}

interface PostProps {
  number: string
  post: WorldMessage
}

function PostRow({ number, post, onOpen }: PostProps & { onOpen(): void }) {
  const t = useTexts(phoneTexts)
  const { statuses } = useTexts(chatTexts)
  const names = useNames()
  const times = useTimes()
  const act = useAct()
  const name = post.fromMe ? t.status.own : names(post.from)
  const isNew = !post.fromMe && post.status === 'received'
  const view = () => {
    onOpen()
    if (!isNew) return
    const body = { chat: STATUS_CHAT, messageId: post.id } as const
    act(api.sandboxRead({ params: { number }, body }))
  }
  return (
    <button type="button" className={phoneCss.chatRow} onClick={view}>
      <Avatar id={post.from} title={names(post.from)} />
      <span className={phoneCss.chatRowText}>
        <span className="row apart">
          <strong>{name}</strong>
          <time>{times.short(post.timestamp * 1000)}</time>
        </span>
        <span className="row apart">
          <span className={phoneCss.preview}>
            {post.fromMe && post.status !== 'received' ? (
              <Ticks status={post.status} label={statuses[post.status]} />
            ) : null}
            {previewOf(post, t)}
          </span>
          {isNew ? <Badge tone="good">{t.status.unseen}</Badge> : null}
        </span>
      </span>
    </button>
  )
}

function PostSheet({ number, post, onClose }: PostProps & { onClose(): void }) {
  const t = useTexts(phoneTexts)
  const names = useNames()
  const color = post.backgroundColor
  return (
    <Sheet title={post.fromMe ? t.status.own : t.status.of(names(post.from))} onClose={onClose}>
      {color && !post.media ? (
        // The colour is part of the post.
        <p
          ref={(element) => element?.style.setProperty('--post', color)}
          className={css.post}
          data-dark={isDark(color)}
        >
          {post.text}
        </p>
      ) : (
        <MessageBody number={number} message={post} />
      )}
    </Sheet>
  )
}
