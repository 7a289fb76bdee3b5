// What stands around the pages: navigation, sign-in, switches.
import type { SameTexts } from '../../language.tsx'
import type { shell as en } from '../en/shell.ts'

export const shell: SameTexts<typeof en> = {
  skip: 'Ir al contenido',
  navigation: 'Navegación principal',
  pages: {
    start: 'Inicio',
    instances: 'Instancias',
    instance: 'Instancia',
    conversations: 'Conversaciones',
    contacts: 'Contactos',
    webhooks: 'Webhooks',
    webhook: 'Webhook',
    events: 'Eventos',
    phone: 'Teléfono',
    account: 'Cuenta',
    operator: 'Operador',
    operatorAccount: 'Cuenta',
  },
  reference: 'Referencia de la API',
  language: 'Idioma',
  theme: 'Apariencia',
  themes: { system: 'Como el sistema', light: 'Claro', dark: 'Oscuro' },
  signOut: 'Salir',
  live: {
    off: 'Sin conexión',
    connecting: 'Conectando …',
    live: 'En vivo',
    waiting: 'Actualización periódica',
  },
  notFound: 'Aquí no hay nada',
  notFoundText: 'Esta dirección no lleva a ninguna página del panel.',
  home: 'A las instancias',
  signIn: {
    title: 'Entrar',
    lead: 'Use una clave de API de su cuenta. Se cambia por una cookie que dura doce horas; la clave misma no se guarda.',
    operatorTitle: 'Entrar como operador',
    operatorLead:
      'La clave del operador está en OPERATOR_KEY o en el archivo operator-key del directorio de datos.',
    key: 'Clave de API',
    keyHint:
      'En el primer arranque se muestra una vez y queda en el archivo first-api-key del directorio de datos.',
    operatorKey: 'Clave del operador',
    submit: 'Entrar',
    required: 'Introduzca una clave.',
    tooManyTries: (seconds) =>
      `Demasiadas claves incorrectas desde su dirección. Inténtelo de nuevo en ${seconds} s.`,
    asOperator: 'Entrar como operador',
    asAccount: 'Entrar con la clave de una cuenta',
  },
}
