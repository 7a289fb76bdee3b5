// The authorization page of agents.
import type { SameTexts } from '../../../ui/language.tsx'
import type { authorize as en } from './en.ts'

export const authorize: SameTexts<typeof en> = {
  title: 'Permitir un agente',
  question: (name) => `¿Permitir que “${name}” use esta cuenta?`,
  publishedBy: 'El programa dice que viene de',
  goesTo: 'El acceso va a',
  check: 'Permítalo solo si usted mismo acaba de iniciar esta conexión y conoce ambas direcciones.',
  isLocal:
    'El acceso va a un programa de su ordenador, y cualquier programa en él puede usar este nombre. Permítalo solo si usted mismo acaba de iniciar esta conexión.',
  may: 'Puede',
  mayHint: 'Elija al menos una opción.',
  scopes: {
    read: 'Leer conversaciones, contactos y grupos',
    send: 'Enviar mensajes',
    contacts: 'Comprobar números, cambiar contactos y marcar chats como leídos',
  },
  later:
    'Esto crea una clave de API con estos límites. Está en la página “Cuenta” y se puede revocar allí en cualquier momento.',
  allow: 'Permitir',
  refuse: 'Rechazar',
}
