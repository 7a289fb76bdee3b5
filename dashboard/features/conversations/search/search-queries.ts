// Messages that contain the words of a search: of all chats, or of one.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../../gateway/api.ts'
import { useDebounced } from '../../../ui/use-debounced.ts'
import type { OpenChat } from '../model/chat-address.ts'

const REST_MS = 250
const FOUND_A_PAGE = 20
/** The most that a list answers at once. */
const MOST_IN_CHAT = 100
/** One letter is a word in most messages. */
const FEWEST_LETTERS = 2

/** Undefined as the instance: of all instances of the account. */
export function useFoundMessages(instanceName: string | undefined, typed: string, pages: number) {
  const search = useDebounced(typed.trim(), REST_MS)
  return useQuery({
    queryKey: ['message-search', instanceName, search, pages],
    queryFn: ({ signal }) =>
      api.listMessages(
        {
          query: {
            ...(instanceName !== undefined && { instanceName }),
            search,
            limit: String(Math.min(pages * FOUND_A_PAGE, MOST_IN_CHAT)),
          },
        },
        { signal },
      ),
    enabled: search.length >= FEWEST_LETTERS,
    placeholderData: keepPreviousData,
  })
}

export function useFoundInChat({ instanceName, chat }: OpenChat, typed: string) {
  const search = useDebounced(typed.trim(), REST_MS)
  return useQuery({
    queryKey: ['message-search', instanceName, 'chat', chat, search],
    queryFn: ({ signal }) =>
      api.listMessages({ query: { instanceName, chat, search, limit: String(MOST_IN_CHAT) } }, { signal }),
    enabled: search.length >= FEWEST_LETTERS,
  })
}
