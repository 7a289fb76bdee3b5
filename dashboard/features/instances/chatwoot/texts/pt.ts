// The connection of an instance with Chatwoot, in Portuguese.
import type { chatwoot as en } from './en.ts'

export const chatwoot: typeof en = {
  title: 'Chatwoot',
  lead: 'Agentes da central de atendimento Chatwoot respondem aos clientes deste número.',
  connect: 'Conectar ao Chatwoot',
  edit: 'Editar conexão',
  submit: 'Conectar',
  saved: 'Conectado ao Chatwoot.',
  url: 'URL do Chatwoot',
  accountId: 'ID da conta',
  accountIdHint: 'O número na URL do painel: /app/accounts/1/…',
  token: 'Token de acesso',
  tokenHint:
    'Das configurações de perfil de um administrador. É armazenado criptografado e nunca mais é exibido.',
  tokenHintEdit: 'Deixe em branco para manter o atual.',
  inbox: 'Caixa de entrada',
  inboxHint: 'Nome da caixa de API, criada se não existir. Em branco: o nome da instância.',
  gatewayUrl: 'Como o Chatwoot alcança este gateway',
  required: 'Este campo é obrigatório.',
  options: 'Opções',
  switches: {
    signAgentNames: 'Colocar o nome do agente antes de cada texto',
    ignoreGroups: 'Deixar os grupos de fora',
    reopenConversation: 'Continuar uma conversa resolvida com a próxima mensagem',
    conversationPending: 'Novas conversas ficam pendentes, para um bot responder primeiro',
    enabled: 'Ativado',
  },
  state: 'Estado',
  states: { good: 'Conectado', failing: 'Com falhas', disabled: 'Desativado' },
  failingSince: (time) => `Nada pôde ser entregue desde ${time}.`,
  notSigned:
    'O Chatwoot não mostra o segredo da caixa, e os envios dele são verificados apenas pelo caminho secreto. Uma versão atual e o token de um administrador permitem assiná-los.',
  deliveries: 'Entregas e erros',
  test: 'Testar',
  testPassed: 'O Chatwoot responde e tem a caixa de entrada.',
  history: 'Entregar o histórico',
  historyText:
    'As mensagens armazenadas são criadas no Chatwoot, da mais antiga à mais nova. As que já estão lá não são criadas de novo. O Chatwoot ordena pela chegada: faça isso antes de as conversas continuarem.',
  days: 'Mensagens dos últimos dias',
  number: 'Somente deste número',
  numberHint: 'Com código do país. Em branco: todas as conversas.',
  historyStart: 'Entregar',
  pushed: (count) => (count === 1 ? '1 mensagem está no Chatwoot.' : `${count} mensagens estão no Chatwoot.`),
  endedEarly: (reason) => `Interrompido: ${reason}`,
  close: 'Fechar',
  remove: 'Desconectar',
  removeTitle: 'Desconectar do Chatwoot?',
  removeText:
    'Caixa de entrada, contatos e conversas ficam no Chatwoot. As mensagens deixam de ser entregues.',
  removed: 'Desconectado.',
}
