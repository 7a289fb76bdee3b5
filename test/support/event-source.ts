// A client of server-sent events: like a browser, it keeps the last id and can disconnect and reconnect.
export interface HeardEvent {
  id: string
  event: string
  data: { sequence: number; data: Record<string, unknown> }
}

export interface EventSourceClient {
  status: number
  contentType: string | null
  heard: HeardEvent[]
  /** Resolves when that many have been heard in all. */
  until(count: number): Promise<HeardEvent[]>
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>
  close(): void
}

export async function listen(url: string | URL, headers: Record<string, string>): Promise<EventSourceClient> {
  const cut = new AbortController()
  const response = await fetch(url, { headers, signal: cut.signal })
  const heard: HeardEvent[] = []
  const waiting = new Set<() => void>()
  const ended = readAll(response, (event) => {
    heard.push(event)
    for (const check of waiting) check()
  })
  return {
    status: response.status,
    contentType: response.headers.get('content-type'),
    heard,
    until: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (heard.length < count) return
          waiting.delete(check)
          resolve(heard)
        }
        waiting.add(check)
        check()
      }),
    ended,
    close: () => cut.abort(),
  }
}

async function readAll(response: Response, take: (event: HeardEvent) => void): Promise<void> {
  let text = ''
  const decoder = new TextDecoder()
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const fields = new Map(text.slice(0, end).split('\n').map(fieldOf))
        text = text.slice(end + 2)
        const data = fields.get('data')
        if (data !== undefined)
          take({
            id: fields.get('id') ?? '',
            event: fields.get('event') ?? '',
            data: JSON.parse(data) as HeardEvent['data'],
          })
      }
    }
  } catch {
    // Cut off, by us or by the server's end: what was heard until then counts.
  }
}

function fieldOf(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon), line.slice(colon + 1).trimStart()]
}
