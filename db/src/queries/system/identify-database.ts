import type postgres from 'postgres';

/**
 * Names a database: the server's identifier, which `initdb` makes, and the database's own number on that server. A promoted
 * standby keeps both; a dump that is restored gets others, and so does a database that is dropped and created again.
 */
export async function identifyDatabase(sql: postgres.Sql): Promise<string> {
  const [row] = await sql<{ system: string; number: string }[]>`
    SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system, oid::text AS number
    FROM pg_database WHERE datname = current_database()`;
  if (row === undefined) throw new Error('The server does not know the database that it is asked in');
  return `${row.system}/${row.number}`;
}
