import type { Database } from '@tollgate/db/client';
import type { Db } from 'pg-boss';

/** Types by their number in pg_type; Drizzle turns their conversion off for the whole connection pool. */
const BIGINT = 20;
const TIMESTAMPTZ = 1184;

interface Result extends Iterable<Record<string, unknown>> {
  columns?: readonly { name: string; type: number }[];
  length: number;
}

/**
 * Runs the statements of pg-boss on the console's own connections, with the values that its own driver would give.
 * @param onSuccess called after each statement that did not fail
 */
export function createQueueDatabase({ sql }: Pick<Database, 'sql'>, onSuccess = () => {}): Db {
  return {
    async executeSql(text, values = []) {
      const rows = toRows(await runStatement(sql, text, values));
      onSuccess();
      return { rows };
    },
  };
}

async function runStatement(sql: Database['sql'], text: string, values: unknown[]): Promise<Result> {
  if (values.length > 0) return sql.unsafe(text, values.map(toParameter));
  // Texts without parameters may consist of several statements with their own BEGIN and COMMIT.
  const connection = await sql.reserve();
  let isUsable = true;
  try {
    return lastResult(await connection.unsafe(text));
  } catch (error) {
    isUsable = await rollBack(connection, error);
    throw error;
  } finally {
    // postgres.js returns a closed connection itself, and would reuse a released one as if it were open.
    if (isUsable) connection.release();
  }
}

/**
 * Ends a failed transaction: other queries of the console would continue it.
 * @returns false if the connection is closed
 */
async function rollBack(connection: Database['sql'], error: unknown): Promise<boolean> {
  if (isClosedBy(error)) return false;
  return connection.unsafe('ROLLBACK').then(
    () => true,
    () => false,
  );
}

/** Errors of the socket, and postgres.js' own about it. All other errors leave the connection open. */
export function isClosedBy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return 'syscall' in error || ('code' in error && /^CONNECT(ION)?_/.test(String(error.code)));
}

function toParameter(value: unknown): null {
  // postgres.js converts arrays and plain values by the type that the server reports. Its types allow only null here.
  if (value instanceof Date) return value.toISOString() as unknown as null;
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return JSON.stringify(value) as unknown as null;
  return value as null;
}

/** Several statements give a list of results; pg-boss reads the last result with rows. */
function lastResult(result: Result | readonly Result[]): Result {
  if ('columns' in result || !Array.isArray(result)) return result as Result;
  return result.findLast((part: Result) => part.length > 0) ?? [];
}

function toRows(result: Result): Record<string, unknown>[] {
  const types = new Map(result.columns?.map(({ name, type }) => [name, type]));
  const convert = ([name, value]: [string, unknown]): [string, unknown] => {
    if (types.get(name) === BIGINT && typeof value === 'bigint') return [name, value.toString()];
    if (types.get(name) === TIMESTAMPTZ && typeof value === 'string') return [name, new Date(value)];
    return [name, value];
  };
  return [...result].map((row) => Object.fromEntries(Object.entries(row).map(convert)));
}
