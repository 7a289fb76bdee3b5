// What the owner of the number can do with a chat.
import type { SameTexts } from '../../../../ui/language.tsx'
import type { chatSettings as en } from './en.ts'

export const chatSettings: SameTexts<typeof en> = {
  menu: 'Ações da conversa',
  choices: {
    archive: 'Arquivar conversa',
    unarchive: 'Desarquivar conversa',
    mute: 'Silenciar',
    unmute: 'Reativar notificações',
    pin: 'Fixar conversa',
    unpin: 'Desafixar conversa',
    markUnread: 'Marcar como não lida',
    markRead: 'Marcar como lida',
    timer: 'Mensagens temporárias',
    clear: 'Limpar conversa',
  },
  done: {
    archive: 'A conversa foi arquivada.',
    unarchive: 'A conversa voltou para a lista.',
    mute: 'A conversa foi silenciada.',
    unmute: 'A conversa não está mais silenciada.',
    pin: 'A conversa foi fixada.',
    unpin: 'A conversa não está mais fixada.',
    markUnread: 'A conversa foi marcada como não lida.',
    markRead: 'A conversa foi marcada como lida.',
    timer: 'A duração foi alterada.',
    clear: 'A conversa foi limpa.',
  },
  muteTitle: 'Silenciar conversa',
  muteText: 'O telefone não notifica sobre novas mensagens desta conversa.',
  muteFor: 'Por quanto tempo',
  muteTimes: { hours: '8 horas', week: '1 semana', always: 'Sempre' },
  timerTitle: 'Mensagens temporárias',
  timerText:
    'As novas mensagens desta conversa desaparecem dos telefones depois deste tempo. O gateway mantém suas cópias.',
  timerAfter: 'As mensagens desaparecem após',
  timers: { off: 'Nunca', day: '24 horas', week: '7 dias', quarter: '90 dias' },
  clearTitle: 'Limpar a conversa?',
  clearText: (chat) =>
    `Todas as mensagens de ${chat} são apagadas no seu telefone e no gateway. O outro lado mantém as mensagens dele.`,
  muted: 'Silenciada',
  mutedUntil: (time) => `Silenciada até ${time}`,
  archived: 'Arquivada',
  timerOn: (time) => `As mensagens desaparecem após ${time}`,
}
