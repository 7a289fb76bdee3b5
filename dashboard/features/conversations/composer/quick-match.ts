// Which quick replies fit what a person has typed after a slash.

export interface QuickReply {
  id: number
  shortcut: string
  text: string
}

/** Enough to choose from; more letters find the others. */
const MOST_OFFERED = 8
const REQUEST = /^\/([\p{L}\p{N}_-]*)$/u

/** What is searched for; undefined: the message does not ask for a quick reply. */
export const requestedReply = (message: string): string | undefined =>
  REQUEST.exec(message)?.[1]?.toLowerCase()

/** Those whose shortcut begins with it, then those that contain it. */
export function matchingReplies<R extends QuickReply>(replies: readonly R[], requested: string): R[] {
  const [beginning, containing]: [R[], R[]] = [[], []]
  for (const reply of replies) {
    const at = reply.shortcut.indexOf(requested)
    if (at === 0) beginning.push(reply)
    else if (at > 0) containing.push(reply)
  }
  return [...beginning, ...containing].slice(0, MOST_OFFERED)
}
