// The conversations page: the list of chats and the open chat.

import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { ApiError } from '../../gateway/api.ts'
import { instancesQuery } from '../../gateway/queries.ts'
import { useCan } from '../../gateway/sign-in.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyPage } from '../../ui/empty-state.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Menu } from '../../ui/menu.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { ErrorNote, Loaded, PageHead } from '../../ui/page-head.tsx'
import { InstancePicker } from '../instances/instance-picker.tsx'
import css from './conversations-page.module.css'
import type { RequestedGroupDialog } from './groups/group-dialogs.tsx'
import { ChatList } from './list/chat-list.tsx'
import { addressOfSelection, type Selection, useSelection } from './model/chat-address.ts'
import type { ListedInstance } from './model/conversation-queries.ts'
import { conversationTexts } from './texts/conversation-texts.ts'
import { peopleTexts } from './texts/people-texts.ts'

/** Loaded when a chat is opened: the list needs none of it. */
const Thread = lazy(async () => ({ default: (await import('./thread/thread.tsx')).Thread }))
const QuickRepliesDialog = onDemand(
  async () => (await import('./composer/quick-replies-dialog.tsx')).QuickRepliesDialog,
)
const NewChat = onDemand(async () => (await import('./list/new-chat-dialog.tsx')).NewChat)
const GroupDialog = lazy(async () => ({ default: (await import('./groups/group-dialogs.tsx')).GroupDialog }))

/** The maximum number of instances whose chats are loaded at once. */
const MOST_AT_ONCE = 20

export function ConversationsPage() {
  const t = useTexts(conversationTexts)
  const query = useQuery(instancesQuery)
  return (
    <Loaded query={query}>
      {({ instances }) =>
        instances.length === 0 ? (
          <EmptyPage
            title={t.title}
            icon="conversations"
            reason={t.noInstance}
            text={t.noInstanceText}
            link={{ href: '/instances', text: t.toInstances }}
          />
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

function NoChat() {
  const t = useTexts(conversationTexts)
  return (
    <div className={css.threadEmpty}>
      <h2>{t.open}</h2>
      <p className="muted">{t.openText}</p>
    </div>
  )
}

interface ActionsProps {
  /** An instance is listed that a new chat can belong to. */
  canStart: boolean
  ask(dialog: string): void
  askGroup(dialog: RequestedGroupDialog): void
}

function Actions({ canStart, ask, askGroup }: ActionsProps) {
  const t = useTexts(conversationTexts)
  const people = useTexts(peopleTexts)
  const { selection } = useSelection()
  const [, go] = useLocation()
  const can = useCan()
  return (
    <>
      <div className={css.picker}>
        <InstancePicker
          bare
          label={t.instance}
          value={selection.instanceName ?? ''}
          all={t.allInstances}
          onChange={(name) =>
            go(addressOfSelection({ instanceName: name === '' ? undefined : name, open: undefined }))
          }
        />
      </div>
      {can('checkNumber', 'listContacts') ? (
        <Button kind="primary" disabled={!canStart} onClick={() => ask('new-chat')}>
          {t.newChat}
        </Button>
      ) : null}
      <Menu
        label={t.more}
        items={[
          ...(!canStart || !can('createGroup', 'joinGroup', 'previewGroupInvite')
            ? []
            : [
                { title: t.newGroup, onChoose: () => askGroup('create') },
                { title: t.joinGroup, onChoose: () => askGroup('join') },
              ]),
          ...(can('createQuickReply', 'updateQuickReply', 'deleteQuickReply', 'listQuickReplies')
            ? [{ title: people.quickReplies, onChoose: () => ask('quick-replies') }]
            : []),
          {
            title: t.scheduledMessages,
            onChoose: () => go(`/conversations/scheduled${scheduledOf(selection)}`),
          },
        ]}
      />
    </>
  )
}

function Conversations({ instances }: { instances: readonly Known[] }) {
  const t = useTexts(conversationTexts)
  const { selection, addressOfChat } = useSelection()
  const [, go] = useLocation()
  const can = useCan()
  const [requestedDialog, ask] = useState<string>()
  const [requestedGroupDialog, askGroup] = useState<RequestedGroupDialog>()
  const listed = useMemo(
    () => listedOf(instances, selection.instanceName),
    [instances, selection.instanceName],
  )
  const opened = instances.find((one) => one.apiInstanceName === selection.open?.instanceName)
  const dialog = requestedDialog ?? selection.show
  const closeDialog = () => {
    ask(undefined)
    if (selection.show !== undefined) go(addressOfChat(selection.open), { replace: true })
  }
  return (
    <>
      <div className={css.head} data-open={selection.open ? 'thread' : 'list'}>
        <PageHead
          title={t.title}
          actions={<Actions canStart={listed.length > 0} ask={ask} askGroup={askGroup} />}
        />
      </div>
      {selection.instanceName === undefined && listed.length < instances.length ? (
        <p className="muted small">{t.onlySome(listed.length, instances.length)}</p>
      ) : null}
      {listed.length === 0 ? <ErrorNote error={new ApiError(404, 'instance_not_found', '')} /> : null}
      <div className={css.conversations} data-wide data-open={selection.open ? 'thread' : 'list'}>
        <ChatList
          instances={listed}
          chosen={selection.instanceName}
          open={selection.open}
          addressOfChat={addressOfChat}
        />
        {selection.open && opened ? (
          <Suspense fallback={<div className={css.threadEmpty} />}>
            <Thread
              key={`${selection.open.instanceName} ${selection.open.chat}`}
              open={selection.open}
              instance={opened}
              listAddress={addressOfChat(undefined)}
              messageId={selection.messageId}
            />
          </Suspense>
        ) : (
          <NoChat />
        )}
      </div>
      {dialog === 'new-chat' && can('checkNumber') ? (
        <NewChat instances={listed} addressOfChat={addressOfChat} onClose={closeDialog} />
      ) : null}
      {dialog === 'quick-replies' && can('createQuickReply') ? (
        <QuickRepliesDialog onClose={closeDialog} />
      ) : null}
      {requestedGroupDialog === undefined ? null : (
        <Suspense fallback={null}>
          <GroupDialog
            dialog={requestedGroupDialog}
            instances={listed}
            addressOfChat={addressOfChat}
            onClose={() => askGroup(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}

const scheduledOf = ({ instanceName }: Selection): string =>
  instanceName === undefined ? '' : `?${new URLSearchParams({ instance: instanceName }).toString()}`

/** The chosen instance, or the first instances up to the maximum, connected ones first. */
function listedOf(instances: readonly Known[], chosen: string | undefined): readonly Known[] {
  if (chosen !== undefined) return instances.filter((one) => one.apiInstanceName === chosen)
  return instances.toSorted((a, b) => Number(b.isConnected) - Number(a.isConnected)).slice(0, MOST_AT_ONCE)
}
