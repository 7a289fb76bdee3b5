// Conversations: the chats of one instance or of all, and the one that is open.
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { ApiError } from '../api.ts'
import { ChatList, type ListedInstance } from '../conversations/chat-list.tsx'
import { NewChat } from '../conversations/new-chat.tsx'
import { addressOfPlace, usePlace } from '../conversations/place.ts'
import { Thread } from '../conversations/thread.tsx'
import { useTexts } from '../language.tsx'
import { instancesQuery } from '../queries.ts'
import { conversationTexts } from '../texts/conversations.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { InstancePicker } from '../ui/instance-picker.tsx'
import { ErrorNote, Loaded, PageHead } from '../ui/page-head.tsx'
import './conversations.css'

/** As many are asked for their chats at once; whoever has more chooses one. */
const MOST_AT_ONCE = 20

export function ConversationsPage() {
  const t = useTexts(conversationTexts)
  const query = useQuery(instancesQuery)
  return (
    <Loaded query={query}>
      {({ instances }) =>
        instances.length === 0 ? (
          <>
            <PageHead title={t.title} />
            <EmptyState title={t.noInstance} action={<Link href="/instances">{t.toInstances}</Link>}>
              {t.noInstanceText}
            </EmptyState>
          </>
        ) : (
          <Conversations instances={instances} />
        )
      }
    </Loaded>
  )
}

interface Known extends ListedInstance {
  isConnected: boolean
}

function Conversations({ instances }: { instances: readonly Known[] }) {
  const t = useTexts(conversationTexts)
  const { place, addressOfChat } = usePlace()
  const [, go] = useLocation()
  const [isStarting, setStarting] = useState(false)
  const listed = useMemo(() => listedOf(instances, place.instanceName), [instances, place.instanceName])
  const opened = instances.find((one) => one.apiInstanceName === place.open?.instanceName)
  const actions = (
    <>
      <InstancePicker
        bare
        label={t.instance}
        value={place.instanceName ?? ''}
        all={t.allInstances}
        onChange={(name) =>
          go(addressOfPlace({ instanceName: name === '' ? undefined : name, open: undefined }))
        }
      />
      <Button kind="primary" disabled={listed.length === 0} onClick={() => setStarting(true)}>
        {t.newChat}
      </Button>
    </>
  )
  return (
    <>
      <PageHead title={t.title} actions={actions} />
      {place.instanceName === undefined && listed.length < instances.length ? (
        <p className="muted small">{t.onlySome(listed.length, instances.length)}</p>
      ) : null}
      {listed.length === 0 ? <ErrorNote error={new ApiError(404, 'instance_not_found', '')} /> : null}
      <div className="conversations" data-open={place.open ? 'thread' : 'list'}>
        <ChatList instances={listed} open={place.open} addressOfChat={addressOfChat} />
        {place.open && opened ? (
          <Thread
            key={`${place.open.instanceName} ${place.open.chat}`}
            open={place.open}
            instance={opened}
            listAddress={addressOfChat(undefined)}
          />
        ) : (
          <div className="thread-empty">
            <h2>{t.open}</h2>
            <p className="muted">{t.openText}</p>
          </div>
        )}
      </div>
      {isStarting ? (
        <NewChat instances={listed} addressOfChat={addressOfChat} onClose={() => setStarting(false)} />
      ) : null}
    </>
  )
}

/** The chosen one, or as many as can be asked at once, connected ones first. */
function listedOf(instances: readonly Known[], chosen: string | undefined): readonly Known[] {
  if (chosen !== undefined) return instances.filter((one) => one.apiInstanceName === chosen)
  return instances.toSorted((a, b) => Number(b.isConnected) - Number(a.isConnected)).slice(0, MOST_AT_ONCE)
}
