// What stands around the pages: navigation, sign-in, switches.
import type { SameTexts } from '../../ui/language.tsx'
import type { shell as en } from './en.ts'

export const shell: SameTexts<typeof en> = {
  skip: 'Ir para o conteúdo',
  navigation: 'Navegação principal',
  pages: {
    start: 'Início',
    overview: 'Visão geral',
    instances: 'Instâncias',
    instance: 'Instância',
    conversations: 'Conversas',
    scheduled: 'Mensagens agendadas',
    approvals: 'Aprovações',
    group: 'Grupo',
    contacts: 'Contatos',
    webhooks: 'Webhooks',
    webhook: 'Webhook',
    destinations: 'Destinos',
    destination: 'Destino',
    events: 'Eventos',
    phone: 'Telefone',
    account: 'Conta',
    authorize: 'Permitir um agente',
    operator: 'Operador',
    operatorAccount: 'Conta',
  },
  reference: 'Referência da API',
  menu: 'Menu',
  preferences: 'Idioma e aparência',
  language: 'Idioma',
  theme: 'Aparência',
  themes: { system: 'Sistema', light: 'Claro', dark: 'Escuro' },
  signOut: 'Sair',
  live: { off: 'Sem conexão', connecting: 'Conectando…', live: 'Ao vivo', waiting: 'Atualização periódica' },
  palette: {
    open: 'Ir para …',
    title: 'Ir para uma conversa, uma página ou uma ação',
    hint: 'Nome, número, página ou ação',
    found: 'Resultados',
    nothing: 'Nada corresponde.',
    kinds: { chats: 'Conversa', pages: 'Página', actions: 'Ação' },
    newChat: 'Nova conversa',
    quickReplies: 'Editar respostas rápidas',
  },
  notices: {
    title: 'Notificações na área de trabalho',
    choices: { off: 'Desativadas', name: 'Sem o texto', text: 'Com o texto' },
    refused: 'O navegador não permite notificações desta página.',
    newMessage: 'Nova mensagem',
  },
  notFound: 'Página não encontrada',
  notFoundText: 'O painel não tem nenhuma página neste endereço.',
  home: (page) => `Ir para ${page}`,
  forbidden: {
    title: 'Sua chave não pode abrir esta página',
    noPage: 'Sua chave é para programas: ela não abre nenhuma página do painel',
    scopes: (names) => `A página precisa da permissão ${names}.`,
    walls:
      'A chave está limitada a algumas instâncias ou conversas, ou suas mensagens precisam de aprovação. Esta página precisa de uma chave sem esse limite.',
    howTo: 'Quem administra as chaves pode criar outra; depois saia e entre com ela.',
  },
  held: {
    title: 'Este gateway está suspenso.',
    reasons: {
      restored:
        'O banco de dados foi restaurado de um backup. Até que o operador retome o gateway, nenhuma sessão é conectada, nenhuma mensagem é enviada e nenhum webhook é chamado.',
      sessions_off:
        'Ele foi iniciado com SESSIONS=off: nenhuma sessão é conectada, nenhuma mensagem é enviada e nenhum webhook é chamado.',
    },
    toOperator: 'Ir para a página do operador',
  },
  signIn: {
    title: 'Entrar',
    lead: 'Informe uma chave de API da sua conta. Você permanece conectado por 12 horas; o navegador não guarda a chave.',
    operatorTitle: 'Entrar como operador',
    operatorLead:
      'A chave do operador está em OPERATOR_KEY ou no arquivo operator-key do diretório de dados.',
    key: 'Chave de API',
    keyHint:
      'Na primeira inicialização, a chave é exibida uma vez e gravada no arquivo first-api-key do diretório de dados.',
    operatorKey: 'Chave do operador',
    submit: 'Entrar',
    required: 'Informe uma chave.',
    tooManyTries: (seconds) =>
      `Muitas chaves incorretas a partir do seu endereço. Tente novamente em ${seconds} s.`,
    asOperator: 'Entrar como operador',
    asAccount: 'Entrar com a chave de uma conta',
  },
}
