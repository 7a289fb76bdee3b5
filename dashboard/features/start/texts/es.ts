// The first run: from nothing to a message that arrived.
import type { SameTexts } from '../../../ui/language.tsx'
import type { firstRun as en } from './en.ts'

export const firstRun: SameTexts<typeof en> = {
  title: 'Su primer mensaje',
  lead: 'Cuatro pasos, menos de un minuto. Todo esto también se puede hacer por la API.',
  skip: 'Omitir por ahora',
  finish: 'Ir a las instancias',
  progress: (done: number, all: number) => `${done} de ${all} completados`,
  done: 'completado',
  create: {
    title: 'Cree una instancia',
    text: 'Una instancia es un número de teléfono con el que se envían y reciben mensajes.',
    name: 'Nombre',
    firstName: 'Mi primer número',
    submit: 'Crear',
    made: (name: string) => `Se creó ${name}.`,
  },
  scan: {
    title: 'Conecte un teléfono',
    text: 'Para conectar, un teléfono escanea el código QR de la instancia. Aquí lo hace un teléfono simulado, y nada sale de esta máquina.',
    textReal: 'Escanee el código QR de la instancia con su teléfono, como al vincular un ordenador.',
    submit: 'Escanear con un teléfono simulado',
    open: 'Mostrar el código QR',
    made: (number: string) => `Conectada como +${number}.`,
    ownPhone: 'Mi teléfono',
    friend: 'Ana',
  },
  send: {
    title: 'Envíe un mensaje',
    text: (name: string) => `Va a ${name}. Su teléfono aparece en esta página.`,
    textReal: 'Indique el número de alguien que aceptó recibir sus mensajes.',
    number: 'Número, con el código del país',
    message: 'Mensaje',
    first: 'Hola desde Switchboard 👋',
    submit: 'Enviar',
    made: 'Entregado.',
    under: 'Enviando…',
  },
  watch: {
    title: 'Vea lo que ocurre',
    text: 'Todo lo que ocurre es un evento. Responda en el teléfono y vea aparecer el evento aquí. Un webhook envía los mismos eventos a su servidor.',
    textReal: 'Todo lo que ocurre es un evento. Un webhook envía los eventos a su servidor.',
    events: 'Eventos',
    none: 'Todavía no hay eventos.',
    webhook: 'Crear un webhook',
  },
}
