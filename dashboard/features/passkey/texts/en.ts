// Linking with a passkey: the step on the page of an instance, the page of a one-time link, and the page that comes back.
export const passkey = {
  title: 'Confirm with your passkey',
  pageTitle: 'Link a WhatsApp device',
  what: (instance: string, host: string) =>
    `This links a device of your WhatsApp account to “${instance}” on ${host}.`,
  effect:
    'It can then read and send messages in your name. Continue only if you want this and know who runs this gateway.',
  why: 'WhatsApp gives your passkey only to its own page. So the passkey is used there, and the result comes back here.',
  steps: [
    'Once per browser: install the extension “Switchboard passkey helper”',
    'Open WhatsApp Web with the button below',
    'Check the names that the extension shows, and click “Use my passkey”',
  ].join('\n'),
  open: 'Open WhatsApp Web',
  opensTab: 'Opens a new tab, which comes back to this gateway.',
  timeLeft: (minutes: string, seconds: string) => `Time left: ${minutes}:${seconds}`,
  without: 'Without the extension',
  warning:
    'Never paste into the console what you do not understand: it can take over your account. Read these lines first. They ask for your passkey once and show the result, and send nothing.',
  manual: [
    'Open https://web.whatsapp.com in another tab',
    'Open the console of the developer tools there (F12), paste the lines below, and press Enter',
    'Click the yellow button on that page, and use your passkey',
    'Copy the text that appears, and paste it here',
  ].join('\n'),
  snippet: 'Lines for the console',
  snippetComment: (instance: string, host: string) =>
    `Asks for your WhatsApp passkey, to link a device to “${instance}” on ${host}. Paste this only if you started it.`,
  snippetButton: (host: string) => `Use my passkey for ${host}`,
  result: 'Result of the passkey',
  notAResult: 'This is not the result. Copy all of it, from { to }.',
  send: 'Send',
  sent: 'The passkey was sent. The phone has to answer: keep WhatsApp open on it.',
  compare: 'Compare this code with the one on the phone',
  compareText:
    'Confirm only if both are the same. If they differ, someone else may be trying to link a device: cancel.',
  confirm: 'The codes are the same',
  cancel: 'The codes differ: cancel',
  finishing: 'The device is being linked.',
  finishingCode: 'If the phone shows a code, it must be this one:',
  link: 'Is someone else the owner of the phone?',
  linkText:
    'Send them a link to this step. It needs no key, and works for ten minutes and for this step only.',
  createLink: 'Create a link',
  linkUntil: (time: string) => `Valid until ${time}. A new link replaces it.`,
  linkLabel: 'One-time link',
  results: {
    linked: 'The device is linked. You can close this page.',
    stopped: 'This link was stopped. Ask the person who sent it for a new one.',
    disabled: 'The network demands a passkey, and this gateway does not allow it. Nothing was linked.',
    expired: 'The time has run out. Nothing was linked. Ask the person who sent the link to start again.',
    refused:
      'The network refused the passkey. Nothing was linked. Check that it belongs to this number, and start again.',
    unanswered:
      'The network did not answer. Nothing was linked. Keep WhatsApp open on the phone, and start again.',
    lost: 'The connection was lost. Nothing was linked. Ask the person who sent the link to start again.',
    cancelled:
      'The link was cancelled. Nothing was linked. If the codes differed, use no code that someone sent you.',
  },
  ends: {
    passkey_disabled: 'The network demands a passkey, and this gateway does not allow it (PASSKEY_LINKING).',
    passkey_expired: 'The passkey was not used in time.',
    passkey_refused: 'The network refused the passkey. Check that it belongs to this number.',
    passkey_unanswered: 'The network did not answer the passkey. Keep WhatsApp open on the phone.',
    passkey_lost: 'The connection was lost while the passkey was awaited.',
    passkey_cancelled: 'The link was cancelled, because the codes differed or someone ended it.',
  },
  returned: 'Back from WhatsApp',
  handingOver: 'Handing over the result …',
  handedOver: 'The result was handed over. Go on in the tab in which you began; you can close this one.',
  noTab:
    'The tab in which you began is no longer open, or waits for another passkey. Copy the result, and paste it there under “Without the extension”.',
  nothing: 'This page expects the result of a passkey, and there is none. Begin on the page of the instance.',
}
