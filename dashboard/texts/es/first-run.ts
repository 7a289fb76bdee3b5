// The first run: from nothing to a message that arrived.
import type { SameTexts } from '../../language.tsx'
import type { firstRun as en } from '../en/first-run.ts'

export const firstRun: SameTexts<typeof en> = {
  title: 'Su primer mensaje',
  lead: 'Cuatro pasos, menos de un minuto. Todo esto también se puede hacer por la API.',
  skip: 'Omitir por ahora',
  finish: 'A las instancias',
  link: 'Muéstreme cómo',
  progress: (done: number, all: number) => `${done} de ${all} hechos`,
  done: 'hecho',
  create: {
    title: 'Cree una instancia',
    text: 'Una instancia es un número con el que se envía.',
    name: 'Nombre',
    firstName: 'Mi primer número',
    submit: 'Crear',
    made: (name: string) => `${name} está lista.`,
  },
  scan: {
    title: 'Conecte un teléfono',
    text: 'Un teléfono escanea el código de la instancia, como para un ordenador. Aquí lo hace un teléfono de la sandbox: nada sale de esta máquina.',
    textReal: 'Escanee el código de la instancia con su teléfono, como para un ordenador.',
    submit: 'Escanear con un teléfono de la sandbox',
    open: 'Mostrar el código',
    made: (number: string) => `Conectada como +${number}.`,
    ownPhone: 'Mi teléfono',
    friend: 'Ana',
  },
  send: {
    title: 'Envíe un mensaje',
    text: (name: string) => `Va a ${name}, cuyo teléfono está al lado.`,
    textReal: 'Indique un número al que pueda escribir.',
    number: 'Número, con el código del país',
    message: 'Mensaje',
    first: 'Hola desde Switchboard 👋',
    submit: 'Enviar',
    made: 'Ha llegado.',
    under: 'En camino …',
  },
  watch: {
    title: 'Mire lo que ocurre',
    text: 'Todo lo que ocurre se convierte en un evento. Responda en el teléfono de al lado y véalo aquí; un webhook lleva lo mismo a su servidor.',
    textReal: 'Todo lo que ocurre se convierte en un evento. Un webhook lo lleva a su servidor.',
    events: 'Eventos',
    none: 'Todavía no ha ocurrido nada.',
    webhook: 'Crear un webhook',
  },
}
