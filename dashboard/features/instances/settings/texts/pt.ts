// Settings and profile of an instance, in Portuguese.
import type { settings as en } from './en.ts'

export const settings: typeof en = {
  settingsTitle: (name) => `Configurações de ${name}`,
  behaviour: 'Comportamento',
  rejectCalls: 'Recusar chamadas recebidas',
  readOnReply: 'Marcar a conversa como lida ao enviar uma mensagem',
  alwaysOnline: 'Aparecer sempre on-line (o telefone deixa de mostrar notificações)',
  ignoreGroups: 'Ignorar mensagens de grupos',
  rejectCallsText: 'Mensagem para quem teve a chamada recusada',
  rejectCallsHint: 'Se estiver vazia, nada é enviado.',
  syncHistory: 'Histórico transferido no próximo pareamento',
  histories: { none: 'Nenhum', recent: 'Mensagens recentes', full: 'Tudo o que o telefone oferece' },
  proxy: 'Proxy',
  proxyHint:
    'http://, https:// ou socks5://, com usuário e senha se necessário. Todas as conexões desta instância passam por ele. Se estiver vazio, não há proxy.',
  deviceName: 'Nome na lista de aparelhos conectados, a partir do próximo pareamento',
  saved: 'Salvo.',
  profileTitle: (name) => `Perfil de ${name}`,
  name: 'Nome que as outras pessoas veem',
  about: 'Recado',
  picture: 'Foto (JPEG ou PNG)',
  removePicture: 'Remover a foto',
  privacy: 'Privacidade',
  privacyOf: {
    lastSeen: 'Visto por último',
    online: 'On-line',
    profilePicture: 'Foto',
    about: 'Recado',
    readReceipts: 'Confirmações de leitura',
    groupAdd: 'Quem pode adicionar este número a grupos',
    calls: 'Quem pode ligar',
    messages: 'Quem pode escrever',
  },
  audiences: {
    all: 'Todos',
    contacts: 'Contatos',
    contact_blacklist: 'Contatos, com exceções',
    none: 'Ninguém',
    match_last_seen: 'Igual a visto por último',
    known: 'Números conhecidos',
  },
}
