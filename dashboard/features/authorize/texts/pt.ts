// The authorization page of agents.
import type { SameTexts } from '../../../ui/language.tsx'
import type { authorize as en } from './en.ts'

export const authorize: SameTexts<typeof en> = {
  title: 'Permitir um agente',
  question: (name) => `Permitir que “${name}” use esta conta?`,
  publishedBy: 'O programa diz que vem de',
  goesTo: 'O acesso vai para',
  check: 'Permita apenas se você mesmo acabou de iniciar esta conexão e conhece os dois endereços.',
  isLocal:
    'O acesso vai para um programa no seu computador, e qualquer programa nele pode usar este nome. Permita apenas se você mesmo acabou de iniciar esta conexão.',
  may: 'Ele pode',
  mayHint: 'Escolha pelo menos uma opção.',
  scopes: {
    read: 'Ler conversas, contatos e grupos',
    send: 'Enviar mensagens',
    contacts: 'Verificar números, alterar contatos e marcar conversas como lidas',
  },
  later:
    'Isto cria uma chave de API com estes limites. Ela aparece na página “Conta” e pode ser revogada lá a qualquer momento.',
  allow: 'Permitir',
  refuse: 'Recusar',
}
