// Reads the request of a gateway from the fragment of the address. Everything in it comes from the page that made the link.
// panel.js uses it: the scripts of an extension share one scope.
function readPasskeyRequest(fragment) {
  const PREFIX = '#switchboard-passkey='
  const MAX_LENGTH = 16_384
  const MAX_NAME_LENGTH = 100
  if (!fragment.startsWith(PREFIX) || fragment.length > MAX_LENGTH) return undefined
  try {
    const base64 = fragment.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    const request = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    const { version, gateway, instance, options } = request
    const url = new URL(gateway)
    const isPlainOrigin = url.origin === gateway && (url.protocol === 'https:' || url.protocol === 'http:')
    const isForOfficialSite = options.rpId === 'whatsapp.com' && typeof options.challenge === 'string'
    if (version !== 1 || !isPlainOrigin || !isForOfficialSite || typeof instance !== 'string')
      return undefined
    return {
      options,
      // The host as the browser writes it: letters that look alike are shown in their coded form.
      host: url.host,
      // Control characters and marks that change the direction of the text could hide what follows.
      instance: instance.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '').slice(0, MAX_NAME_LENGTH),
      returnAddress: `${url.origin}/passkey/return`,
      // Over plain HTTP others could read the result; on this computer no one can.
      isPrivate: url.protocol === 'https:' || /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname),
    }
  } catch {
    return undefined
  }
}
