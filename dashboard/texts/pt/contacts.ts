// Saved contacts of an instance.
import type { SameTexts } from '../../language.tsx'
import type { contacts as en } from '../en/contacts.ts'

export const contacts: SameTexts<typeof en> = {
  title: 'Contatos',
  lead: 'Pessoas e grupos salvos com um nome, por instância.',
  create: 'Novo contato',
  search: 'Buscar',
  searchHint: 'Nome, telefone, identificador',
  includeGroups: 'Com grupos',
  instance: 'Instância',
  noInstance: 'Nenhuma instância ainda',
  noInstanceText: 'Contatos pertencem a uma instância. Crie uma primeiro.',
  empty: 'Nenhum contato aqui',
  emptyText: 'Salve o primeiro, ou mude a busca.',
  total: (count) => (count === '1' ? '1 contato' : `${count} contatos`),
  columns: { name: 'Nome', phone: 'Telefone', notes: 'Notas', lastMessage: 'Última mensagem' },
  group: 'Grupo',
  actionsFor: (name) => `Ações para ${name}`,
  edit: 'Editar',
  editTitle: (name) => `Editar ${name}`,
  name: 'Nome',
  nameRequired: 'Dê um nome ao contato.',
  phone: 'Número de telefone',
  phoneHint: 'Com código do país, como 55 11 91234 5678',
  phoneRequired: 'Informe um número de telefone.',
  notes: 'Notas',
  saved: 'Salvo.',
  remove: 'Excluir',
  removeTitle: (name) => `Excluir ${name}?`,
  removeText: 'O nome e as notas são esquecidos. A conversa fica.',
  removed: 'Excluído.',
}
