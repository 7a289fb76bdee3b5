// Linking with a passkey: the step on the page of an instance, the page of a one-time link, and the page that comes back.
import type { SameTexts } from '../../../ui/language.tsx'
import type { passkey as en } from './en.ts'

export const passkey: SameTexts<typeof en> = {
  title: 'Confirme com a sua chave de acesso',
  pageTitle: 'Conectar um dispositivo do WhatsApp',
  what: (instance, host) =>
    `Isto conecta um dispositivo da sua conta do WhatsApp a “${instance}” em ${host}.`,
  effect:
    'Ele poderá ler e enviar mensagens em seu nome. Continue apenas se quiser isso e souber quem opera este gateway.',
  why: 'O WhatsApp entrega a sua chave de acesso apenas à própria página. Por isso ela é usada lá, e o resultado volta para cá.',
  steps: [
    'Uma vez por navegador: instale a extensão “Switchboard passkey helper”',
    'Abra o WhatsApp Web com o botão abaixo',
    'Confira os nomes que a extensão mostra e clique em “Usar minha chave de acesso”',
  ].join('\n'),
  open: 'Abrir o WhatsApp Web',
  opensTab: 'Abre uma nova aba, que volta para este gateway.',
  timeLeft: (minutes, seconds) => `Tempo restante: ${minutes}:${seconds}`,
  without: 'Sem a extensão',
  warning:
    'Nunca cole no console o que você não entende: pode tomar a sua conta. Leia estas linhas antes. Elas pedem a sua chave de acesso uma vez e mostram o resultado, e não enviam nada.',
  manual: [
    'Abra https://web.whatsapp.com em outra aba',
    'Abra lá o console das ferramentas de desenvolvedor (F12), cole as linhas abaixo e pressione Enter',
    'Clique no botão amarelo dessa página e use a sua chave de acesso',
    'Copie o texto que aparece e cole-o aqui',
  ].join('\n'),
  snippet: 'Linhas para o console',
  snippetComment: (instance, host) =>
    `Pede a sua chave de acesso do WhatsApp para conectar um dispositivo a “${instance}” em ${host}. Cole isto apenas se foi você que iniciou.`,
  snippetButton: (host) => `Usar minha chave de acesso para ${host}`,
  result: 'Resultado da chave de acesso',
  notAResult: 'Este não é o resultado. Copie tudo, de { a }.',
  send: 'Enviar',
  sent: 'A chave de acesso foi enviada. O telefone precisa responder: deixe o WhatsApp aberto nele.',
  compare: 'Compare este código com o do telefone',
  compareText:
    'Confirme apenas se os dois forem iguais. Se forem diferentes, outra pessoa pode estar tentando conectar um dispositivo: cancele.',
  confirm: 'Os códigos são iguais',
  cancel: 'Os códigos são diferentes: cancelar',
  finishing: 'O dispositivo está sendo conectado.',
  finishingCode: 'Se o telefone mostrar um código, deve ser este:',
  link: 'O telefone é de outra pessoa?',
  linkText:
    'Envie a ela um link para esta etapa. Ele não exige chave e vale por dez minutos, apenas para esta etapa.',
  createLink: 'Criar um link',
  linkUntil: (time) => `Válido até ${time}. Um novo link o substitui.`,
  linkLabel: 'Link de uso único',
  results: {
    linked: 'O dispositivo está conectado. Você pode fechar esta página.',
    stopped: 'Esta conexão foi interrompida. Peça um novo link a quem o enviou.',
    disabled: 'A rede exige uma chave de acesso, e este gateway não permite. Nada foi conectado.',
    expired: 'O tempo acabou. Nada foi conectado. Peça a quem enviou o link que comece de novo.',
    refused:
      'A rede recusou a chave de acesso. Nada foi conectado. Verifique se ela é deste número e comece de novo.',
    unanswered:
      'A rede não respondeu. Nada foi conectado. Deixe o WhatsApp aberto no telefone e comece de novo.',
    lost: 'A conexão foi perdida. Nada foi conectado. Peça a quem enviou o link que comece de novo.',
    cancelled:
      'A conexão foi cancelada. Nada foi conectado. Se os códigos eram diferentes, não use nenhum código que alguém enviar.',
  },
  ends: {
    passkey_disabled: 'A rede exige uma chave de acesso, e este gateway não permite (PASSKEY_LINKING).',
    passkey_expired: 'A chave de acesso não foi usada a tempo.',
    passkey_refused: 'A rede recusou a chave de acesso. Verifique se ela é deste número.',
    passkey_unanswered: 'A rede não respondeu à chave de acesso. Deixe o WhatsApp aberto no telefone.',
    passkey_lost: 'A conexão foi perdida à espera da chave de acesso.',
    passkey_cancelled: 'A conexão foi cancelada, porque os códigos eram diferentes ou alguém a encerrou.',
  },
  returned: 'De volta do WhatsApp',
  handingOver: 'Entregando o resultado …',
  handedOver: 'O resultado foi entregue. Continue na aba em que você começou; pode fechar esta.',
  noTab:
    'A aba em que você começou não está mais aberta ou espera outra chave de acesso. Copie o resultado e cole-o lá em “Sem a extensão”.',
  nothing:
    'Esta página espera o resultado de uma chave de acesso, e não há nenhum. Comece na página da instância.',
}
