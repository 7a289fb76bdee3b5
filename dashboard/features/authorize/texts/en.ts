// The authorization page of agents.
export const authorize = {
  title: 'Allow an agent',
  question: (name: string) => `Allow “${name}” to use this account?`,
  publishedBy: 'The program says that it comes from',
  goesTo: 'The access goes to',
  check: 'Allow it only if you have just started this sign-in yourself, and know both addresses.',
  isLocal:
    'The access goes to a program on your computer, and any program there can claim this name. Allow it only if you have just started this sign-in yourself.',
  may: 'It may',
  mayHint: 'Choose at least one.',
  scopes: {
    read: 'Read conversations, contacts and groups',
    send: 'Send messages',
    contacts: 'Check numbers, change contacts and mark chats as read',
  },
  later:
    'This makes an API key with these walls. You find it on the page “Account”, and can revoke it there at any time.',
  allow: 'Allow',
  refuse: 'Refuse',
}
