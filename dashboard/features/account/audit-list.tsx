// The audit list of the account: which key did what.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../gateway/api.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/page-head.tsx'
import { Table } from '../../ui/table.tsx'
import { accountTexts } from './texts/account-texts.ts'

const A_PAGE = 20

export function AuditList() {
  const { audit: t } = useTexts(accountTexts)
  const format = useFormat()
  const [page, setPage] = useState(1)
  const query = useQuery({
    queryKey: ['audit', page],
    queryFn: () => api.listAudit({ query: { page: String(page), limit: String(A_PAGE) } }),
    placeholderData: keepPreviousData,
  })
  return (
    <Card title={t.title}>
      <p className="muted">{t.lead}</p>
      <Loaded query={query}>
        {({ entries, hasMore }) => (
          <Table
            label={t.title}
            records={entries}
            keyOf={({ id }) => id}
            paging={{ page, hasMore, onPage: setPage }}
            columns={[
              { title: t.at, cell: ({ at }) => <span className="number nowrap">{format.dateTime(at)}</span> },
              {
                title: t.key,
                cell: ({ keyName, keyId }) => <span className="wrap">{keyName ?? keyId}</span>,
              },
              { title: t.action, cell: ({ action }) => <span className="mono wrap">{action}</span> },
              {
                title: t.target,
                cell: ({ instanceName, chat, subject }) => (
                  <span className="wrap">
                    {[instanceName, chat, subject].filter((name) => name !== null).join(' · ')}
                  </span>
                ),
              },
              {
                title: t.status,
                cell: ({ status, reason }) => (
                  <Badge tone={status < 400 ? 'good' : 'bad'}>
                    {reason === null ? status : `${status} ${reason}`}
                  </Badge>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Card>
  )
}
