// Drops the databases that a test process has left: `node drop-databases.ts SERVER_URL NAME…`
import pg from 'pg'

const [connectionString, ...names] = process.argv.slice(2)
const client = new pg.Client({ connectionString })
await client.connect()
for (const name of names) await client.query(`drop database if exists ${name} with (force)`)
await client.end()
