// Destinations: brokers that receive events.
import type { SameTexts } from '../../../../ui/language.tsx'
import type { destinations as en } from './en.ts'

export const destinations: SameTexts<typeof en> = {
  title: 'Destinos',
  lead: 'Um destino envia os eventos das suas instâncias a uma fila ou a um stream do seu broker. Entregas com falha são repetidas por três dias.',
  create: 'Novo destino',
  empty: 'Nenhum destino ainda',
  emptyText: 'Conecte RabbitMQ, NATS JetStream, MQTT, Redis ou Amazon SQS para receber os eventos ali.',
  actionsFor: (name) => `Ações de ${name}`,
  types: {
    rabbitmq: 'RabbitMQ',
    nats: 'NATS JetStream',
    mqtt: 'MQTT',
    redis: 'Stream do Redis',
    sqs: 'Amazon SQS',
  },

  edit: 'Editar',
  editTitle: (name) => `Editar ${name}`,
  type: 'Tipo',
  url: 'URL',
  urlHint: 'Endereço do broker com TLS, ou a URL da fila, sem usuário e senha.',
  urlRequired: 'Informe a URL do seu broker.',
  username: 'Usuário',
  password: 'Senha',
  accessKey: 'ID da chave de acesso',
  secretKey: 'Chave de acesso secreta',
  passwordHint: 'Guardada com criptografia e nunca exibida.',
  passwordKept: 'Deixe vazio para manter a atual.',
  fields: {
    exchange: { label: 'Exchange', hint: 'Deixe vazio para enviar à fila indicada abaixo.' },
    topic: {
      label: 'Tópico',
      hint: '{instance} e {event} são trocados pelos nomes da instância e do evento.',
    },
    maxLength: {
      label: 'Entradas guardadas',
      hint: 'Número aproximado; entradas ainda não lidas também são removidas. Vazio: guarda todas.',
    },
    region: { label: 'Região', hint: 'Só é necessária se a URL não a contém.' },
  },
  homeAssistant: 'Anunciar as instâncias ao Home Assistant',
  name: 'Nome',
  nameHint: 'Exibido no painel. Deixe vazio para usar o host da URL.',
  enabledLabel: 'Ativo',
  createSubmit: 'Criar destino',
  saved: 'Salvo.',

  test: 'Enviar teste',
  pause: 'Pausar',
  paused: 'Pausado.',
  resume: 'Retomar',
  resumed: 'Retomado.',
  remove: 'Excluir',
  removeTitle: (name) => `Excluir ${name}?`,
  removeText: 'Nenhum evento será mais entregue a este broker, e o histórico de entregas será excluído.',
  removed: 'Excluído.',

  back: 'Todos os destinos',
}
