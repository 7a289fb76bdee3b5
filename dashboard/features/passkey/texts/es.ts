// Linking with a passkey: the step on the page of an instance, the page of a one-time link, and the page that comes back.
import type { SameTexts } from '../../../ui/language.tsx'
import type { passkey as en } from './en.ts'

export const passkey: SameTexts<typeof en> = {
  title: 'Confirme con su llave de acceso',
  pageTitle: 'Vincular un dispositivo de WhatsApp',
  what: (instance, host) =>
    `Esto vincula un dispositivo de su cuenta de WhatsApp con «${instance}» en ${host}.`,
  effect:
    'Podrá leer y enviar mensajes en su nombre. Continúe solo si lo desea y sabe quién opera este gateway.',
  why: 'WhatsApp entrega su llave de acceso solo a su propia página. Por eso se usa allí, y el resultado vuelve aquí.',
  steps: [
    'Una vez por navegador: instale la extensión «Switchboard passkey helper»',
    'Abra WhatsApp Web con el botón de abajo',
    'Compruebe los nombres que muestra la extensión y haga clic en «Usar mi llave de acceso»',
  ].join('\n'),
  open: 'Abrir WhatsApp Web',
  opensTab: 'Abre una pestaña nueva, que vuelve a este gateway.',
  timeLeft: (minutes, seconds) => `Tiempo restante: ${minutes}:${seconds}`,
  without: 'Sin la extensión',
  warning:
    'Nunca pegue en la consola lo que no entiende: puede tomar su cuenta. Lea antes estas líneas. Piden su llave de acceso una vez y muestran el resultado, y no envían nada.',
  manual: [
    'Abra https://web.whatsapp.com en otra pestaña',
    'Abra allí la consola de las herramientas de desarrollo (F12), pegue las líneas de abajo y pulse Intro',
    'Haga clic en el botón amarillo de esa página y use su llave de acceso',
    'Copie el texto que aparece y péguelo aquí',
  ].join('\n'),
  snippet: 'Líneas para la consola',
  snippetComment: (instance, host) =>
    `Pide su llave de acceso de WhatsApp para vincular un dispositivo con «${instance}» en ${host}. Pegue esto solo si usted lo inició.`,
  snippetButton: (host) => `Usar mi llave de acceso para ${host}`,
  result: 'Resultado de la llave de acceso',
  notAResult: 'Esto no es el resultado. Cópielo entero, de { a }.',
  send: 'Enviar',
  sent: 'La llave de acceso se envió. El teléfono debe responder: deje WhatsApp abierto en él.',
  compare: 'Compare este código con el del teléfono',
  compareText:
    'Confirme solo si ambos son iguales. Si difieren, otra persona puede estar intentando vincular un dispositivo: cancele.',
  confirm: 'Los códigos son iguales',
  cancel: 'Los códigos difieren: cancelar',
  finishing: 'El dispositivo se está vinculando.',
  finishingCode: 'Si el teléfono muestra un código, debe ser este:',
  link: '¿El teléfono es de otra persona?',
  linkText: 'Envíele un enlace a este paso. No exige clave y vale diez minutos, solo para este paso.',
  createLink: 'Crear un enlace',
  linkUntil: (time) => `Válido hasta ${time}. Un enlace nuevo lo sustituye.`,
  linkLabel: 'Enlace de un solo uso',
  results: {
    linked: 'El dispositivo está vinculado. Puede cerrar esta página.',
    stopped: 'Esta vinculación se detuvo. Pida otro enlace a quien se lo envió.',
    disabled: 'La red exige una llave de acceso, y este gateway no lo permite. No se vinculó nada.',
    expired: 'El tiempo se agotó. No se vinculó nada. Pida a quien envió el enlace que empiece de nuevo.',
    refused:
      'La red rechazó la llave de acceso. No se vinculó nada. Compruebe que es de este número y empiece de nuevo.',
    unanswered:
      'La red no respondió. No se vinculó nada. Deje WhatsApp abierto en el teléfono y empiece de nuevo.',
    lost: 'La conexión se perdió. No se vinculó nada. Pida a quien envió el enlace que empiece de nuevo.',
    cancelled:
      'La vinculación se canceló. No se vinculó nada. Si los códigos diferían, no use ningún código que alguien le envíe.',
  },
  ends: {
    passkey_disabled: 'La red exige una llave de acceso, y este gateway no lo permite (PASSKEY_LINKING).',
    passkey_expired: 'La llave de acceso no se usó a tiempo.',
    passkey_refused: 'La red rechazó la llave de acceso. Compruebe que es de este número.',
    passkey_unanswered: 'La red no respondió a la llave de acceso. Deje WhatsApp abierto en el teléfono.',
    passkey_lost: 'La conexión se perdió al esperar la llave de acceso.',
    passkey_cancelled: 'La vinculación se canceló, porque los códigos diferían o alguien la terminó.',
  },
  returned: 'De vuelta de WhatsApp',
  handingOver: 'Entregando el resultado …',
  handedOver: 'El resultado se entregó. Siga en la pestaña en la que empezó; puede cerrar esta.',
  noTab:
    'La pestaña en la que empezó ya no está abierta o espera otra llave de acceso. Copie el resultado y péguelo allí en «Sin la extensión».',
  nothing:
    'Esta página espera el resultado de una llave de acceso, y no hay ninguno. Empiece en la página de la instancia.',
}
