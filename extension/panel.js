// Shows which gateway and which instance ask for the passkey. After a click it has the passkey used, and goes back to that gateway with
// the result. Without a request in the address it does nothing.
{
  const TEXTS = {
    en: {
      title: 'Link a WhatsApp device',
      asks: 'This gateway asks for your passkey:',
      effect: (instance) =>
        `If you go on, a device of your WhatsApp account is linked to “${instance}” there. It can read and send your messages.`,
      warning: 'Go on only if you started this yourself and know who runs this gateway.',
      use: (host) => `Use my passkey for ${host}`,
      cancel: 'Cancel',
      waiting: 'Use your passkey in the window of the browser.',
      failed: 'The passkey was not used. You can try again.',
      back: 'Done. Going back to the gateway …',
      insecure:
        'The address of this gateway is not encrypted, so the result is not sent back. Copy it, and paste it into the page of the gateway.',
      copy: 'Copy the result',
      copied: 'Copied',
    },
    pt: {
      title: 'Conectar um dispositivo do WhatsApp',
      asks: 'Este gateway pede a sua chave de acesso:',
      effect: (instance) =>
        `Se você continuar, um dispositivo da sua conta do WhatsApp será conectado a “${instance}” lá. Ele poderá ler e enviar as suas mensagens.`,
      warning: 'Continue apenas se foi você que iniciou isto e se souber quem opera este gateway.',
      use: (host) => `Usar minha chave de acesso para ${host}`,
      cancel: 'Cancelar',
      waiting: 'Use a sua chave de acesso na janela do navegador.',
      failed: 'A chave de acesso não foi usada. Você pode tentar de novo.',
      back: 'Pronto. Voltando ao gateway …',
      insecure:
        'O endereço deste gateway não é criptografado, por isso o resultado não é enviado de volta. Copie-o e cole-o na página do gateway.',
      copy: 'Copiar o resultado',
      copied: 'Copiado',
    },
    es: {
      title: 'Vincular un dispositivo de WhatsApp',
      asks: 'Este gateway pide su llave de acceso:',
      effect: (instance) =>
        `Si continúa, un dispositivo de su cuenta de WhatsApp se vincula con «${instance}» allí. Podrá leer y enviar sus mensajes.`,
      warning: 'Continúe solo si usted lo inició y sabe quién opera este gateway.',
      use: (host) => `Usar mi llave de acceso para ${host}`,
      cancel: 'Cancelar',
      waiting: 'Use su llave de acceso en la ventana del navegador.',
      failed: 'La llave de acceso no se usó. Puede intentarlo de nuevo.',
      back: 'Listo. Volviendo al gateway …',
      insecure:
        'La dirección de este gateway no está cifrada, por eso el resultado no se envía de vuelta. Cópielo y péguelo en la página del gateway.',
      copy: 'Copiar el resultado',
      copied: 'Copiado',
    },
  }
  /** A page that opens this tab under the mouse pointer must not catch a click that was meant for it. */
  const FIRST_CLICK_AFTER_MS = 1000

  const texts = TEXTS[navigator.language.slice(0, 2)] ?? TEXTS.en
  const request = readPasskeyRequest(location.hash)

  /** Styles are set by property: the policy of the page forbids style sheets of others. */
  const element = (name, style, text = '') => {
    const made = document.createElement(name)
    made.style.cssText = `all: initial; font: 16px/1.5 system-ui, sans-serif; color: #111; ${style}`
    made.textContent = text
    return made
  }

  function showPanel({ options, host, instance, returnAddress, isPrivate }) {
    const frame = element(
      'div',
      'position: fixed; inset: 0; z-index: 2147483647; display: block; background: #000b',
    )
    const panel = element(
      'section',
      'display: grid; gap: 14px; box-sizing: border-box; width: min(520px, 92vw); max-height: 92vh; overflow: auto; ' +
        'margin: 6vh auto 0; padding: 26px; border-radius: 12px; background: #fff',
    )
    panel.setAttribute('role', 'dialog')
    panel.setAttribute('aria-label', texts.title)
    const status = element('p', 'display: block; font-weight: 600')
    status.setAttribute('role', 'status')
    const buttonStyle =
      'padding: 10px 16px; border-radius: 8px; cursor: pointer; text-align: center; border: 1px solid #0b6b4f;'
    const use = element('button', `${buttonStyle} background: #0b6b4f; color: #fff`, texts.use(host))
    const cancel = element('button', `${buttonStyle} background: #fff; color: #0b6b4f`, texts.cancel)
    panel.append(
      element('h1', 'display: block; font-size: 20px; font-weight: 700', texts.title),
      element('p', 'display: block', texts.asks),
      element('strong', 'display: block; font-size: 20px; font-weight: 700; overflow-wrap: anywhere', host),
      element('p', 'display: block; overflow-wrap: anywhere', texts.effect(instance)),
      element('p', 'display: block; color: #8a1c1c', texts.warning),
      use,
      cancel,
      status,
    )
    // Scripts of the page cannot reach into a closed root.
    frame.attachShadow({ mode: 'closed' }).append(panel)

    const setBusy = (isBusy) => {
      use.disabled = isBusy
      use.style.opacity = isBusy ? '0.5' : '1'
    }
    const showResult = (assertion) => {
      status.textContent = texts.insecure
      use.remove()
      const copy = element('button', `${buttonStyle} background: #0b6b4f; color: #fff`, texts.copy)
      copy.addEventListener('click', async () => {
        await navigator.clipboard.writeText(assertion)
        copy.textContent = texts.copied
      })
      cancel.before(copy)
    }
    const goBack = (assertion) => {
      status.textContent = texts.back
      const bytes = new TextEncoder().encode(assertion)
      const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
      const encoded = base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
      location.replace(`${returnAddress}#assertion=${encoded}`)
    }
    document.addEventListener('switchboard-passkey-result', ({ detail }) => {
      const { assertion } = JSON.parse(detail)
      setBusy(false)
      if (assertion === undefined) status.textContent = texts.failed
      else if (isPrivate) goBack(assertion)
      else showResult(assertion)
    })
    use.addEventListener('click', ({ isTrusted }) => {
      if (!isTrusted) return
      setBusy(true)
      status.textContent = texts.waiting
      document.dispatchEvent(new CustomEvent('switchboard-passkey-use', { detail: JSON.stringify(options) }))
    })
    cancel.addEventListener('click', () => frame.remove())
    setBusy(true)
    setTimeout(() => {
      setBusy(false)
      use.focus()
    }, FIRST_CLICK_AFTER_MS)
    document.documentElement.append(frame)
  }

  if (request) {
    // The page does not see the request, and a reload does not repeat it.
    history.replaceState(null, '', location.pathname + location.search)
    if (document.body) showPanel(request)
    else document.addEventListener('DOMContentLoaded', () => showPanel(request))
  }
}
