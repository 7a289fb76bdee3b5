// Texts between the two sides. Chatwoot writes Markdown, the network has marks of its own: *bold*, _italic_, ~struck through~.

/** What an agent has written, for the network. */
export function toNetworkText(markdown: string): string {
  return outsideCode(markdown, (text) =>
    text
      .replaceAll(/\[([^\]\n]+)\]\((https?:\/\/[^\s)]+)\)/g, (_, label: string, url: string) =>
        label === url ? url : `${label} (${url})`,
      )
      // A single mark is italic here: the bold ones are set aside first.
      .replaceAll(/\*\*(?=\S)([^\n]*?\S)\*\*/g, '\u0001$1\u0001')
      .replaceAll(/(?<![\w*\\])\*(?=[^\s*])([^*\n]*?[^\s*\\])\*(?![\w*])/g, '_$1_')
      .replaceAll('\u0001', '*')
      .replaceAll(/~~(?=\S)([^\n]*?\S)~~/g, '~$1~')
      .replaceAll(/\\([\\`*_{}[\]()#+\-.!~>])/g, '$1'),
  )
}

/** What a person on the network has written, as Markdown. */
export function toMarkdown(text: string): string {
  return outsideCode(text, (plain) =>
    plain
      .replaceAll(/(?<![\w*])\*(?=[^\s*])([^*\n]*?[^\s*])\*(?![\w*])/g, '**$1**')
      .replaceAll(/(?<![\w~])~(?=[^\s~])([^~\n]*?[^\s~])~(?![\w~])/g, '~~$1~~'),
  )
}

/** Code is the same on both sides, and its marks are not touched. */
const outsideCode = (text: string, change: (part: string) => string): string =>
  text
    .split(/(```[\s\S]*?```|`[^`\n]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('')

/** Names stand in bold before the text. Marks in a name would end the bold. */
const plainName = (name: string): string => name.replaceAll(/[*_~`\r\n]/g, ' ').trim()

/** For the network. */
export const signedText = (agentName: string, text: string): string => {
  const name = plainName(agentName)
  return name === '' ? text : `*${name}*:\n${text}`
}

/** For Chatwoot. */
export const withAuthor = (author: string, markdown: string): string => {
  const name = plainName(author)
  return name === '' ? markdown : `**${name}:**\n${markdown}`
}

export interface Described {
  type: string
  text: string | null
  content: Record<string, unknown>
  /** Whether the file of the message goes with it. */
  hasFile: boolean
}

const list = (values: unknown): string[] =>
  Array.isArray(values) ? values.filter((value) => typeof value === 'string') : []

const present = (part: unknown): part is string => typeof part === 'string' && part !== ''
const lines = (parts: unknown[]): string => parts.filter(present).join('\n')
const words = (parts: unknown[]): string => parts.filter(present).join(' ')
const count = (items: unknown): string | null => (typeof items === 'number' ? `${items} ×` : null)

/** Kinds without a counterpart in Chatwoot, in words. */
const DESCRIPTIONS: Record<string, (content: Record<string, unknown>, text: string | null) => string> = {
  location: ({ latitude, longitude, name, address }) =>
    [name, address, `https://www.google.com/maps?q=${String(latitude)},${String(longitude)}`]
      .filter((line) => typeof line === 'string' && line !== '')
      .join('\n'),
  poll: ({ pollName, name, options }, text) =>
    [...list([pollName ?? name ?? text]), ...list(options).map((option) => `- ${option}`)].join('\n'),
  contact: ({ contacts }, text) =>
    (Array.isArray(contacts) ? (contacts as { name?: unknown; number?: unknown; phone?: unknown }[]) : [])
      .map(({ name, number, phone }) =>
        [name, number ?? phone].filter((part) => typeof part === 'string').join(' '),
      )
      .join('\n') ||
    (text ?? ''),
  order: ({ title, itemCount, total, currency, orderId }, text) =>
    lines([
      text === null ? null : toMarkdown(text),
      words(['🛒', title, count(itemCount), words([currency, total])]),
      typeof orderId === 'string' ? `#${orderId}` : null,
    ]),
  product: ({ title, price, currency, description, url, retailerId }, text) =>
    lines([
      text === null ? null : toMarkdown(text),
      words(['🏷️', title, words([currency, price])]),
      description,
      url,
      typeof retailerId === 'string' ? `#${retailerId}` : null,
    ]),
  view_once_unavailable: () => '_A message that can be viewed once, on the phone only_',
  undecryptable: () => '_A message that could not be decrypted yet_',
  unsupported: () => '_A message of a kind that is not supported_',
}

/** The text of a message in Chatwoot, as Markdown; may be empty beside a file. */
export function describe({ type, text, content, hasFile }: Described): string {
  const described = DESCRIPTIONS[type]?.(content, text)
  if (described !== undefined && described !== '') return described
  if (text !== null && text !== '') return toMarkdown(text)
  return hasFile ? '' : `_${type}_`
}
