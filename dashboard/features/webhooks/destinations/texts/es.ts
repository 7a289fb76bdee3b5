// Destinations: brokers that receive events.
import type { SameTexts } from '../../../../ui/language.tsx'
import type { destinations as en } from './en.ts'

export const destinations: SameTexts<typeof en> = {
  title: 'Destinos',
  lead: 'Un destino envía los eventos de sus instancias a una cola o a un stream de su broker. Las entregas fallidas se repiten durante tres días.',
  create: 'Nuevo destino',
  empty: 'Todavía no hay destinos',
  emptyText: 'Conecte RabbitMQ, NATS JetStream, MQTT, Redis o Amazon SQS para recibir allí los eventos.',
  actionsFor: (name) => `Acciones de ${name}`,
  types: {
    rabbitmq: 'RabbitMQ',
    nats: 'NATS JetStream',
    mqtt: 'MQTT',
    redis: 'Stream de Redis',
    sqs: 'Amazon SQS',
  },

  edit: 'Editar',
  editTitle: (name) => `Editar ${name}`,
  type: 'Tipo',
  url: 'URL',
  urlHint: 'Dirección del broker con TLS, o la URL de la cola, sin usuario ni contraseña.',
  urlRequired: 'Indique la URL de su broker.',
  username: 'Usuario',
  password: 'Contraseña',
  accessKey: 'ID de la clave de acceso',
  secretKey: 'Clave de acceso secreta',
  passwordHint: 'Se guarda cifrada y no se muestra nunca.',
  passwordKept: 'Déjelo vacío para conservar la actual.',
  fields: {
    exchange: { label: 'Exchange', hint: 'Déjelo vacío para enviar a la cola indicada abajo.' },
    topic: {
      label: 'Tema',
      hint: '{instance} y {event} se sustituyen por los nombres de la instancia y del evento.',
    },
    maxLength: {
      label: 'Entradas que se conservan',
      hint: 'Número aproximado; también se eliminan entradas sin leer. Vacío: se conservan todas.',
    },
    region: { label: 'Región', hint: 'Solo hace falta si la URL no la contiene.' },
  },
  homeAssistant: 'Anunciar las instancias a Home Assistant',
  name: 'Nombre',
  nameHint: 'Se muestra en el panel. Déjelo vacío para usar el host de la URL.',
  enabledLabel: 'Activo',
  createSubmit: 'Crear destino',
  saved: 'Guardado.',

  test: 'Enviar prueba',
  pause: 'Pausar',
  paused: 'En pausa.',
  resume: 'Reanudar',
  resumed: 'Reanudado.',
  remove: 'Eliminar',
  removeTitle: (name) => `¿Eliminar ${name}?`,
  removeText: 'No se entregarán más eventos a este broker y se eliminará el historial de entregas.',
  removed: 'Eliminado.',

  back: 'Todos los destinos',
}
