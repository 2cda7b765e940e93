import { createServer } from 'node:net';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explainPostgres } from './explain-postgres.ts';
import { findFreePort } from '../embedded/embedded.ts';
import { migrate } from '../migrate.ts';
import { StartFailure } from '../start-failure.ts';

describe('a DATABASE_URL that cannot be used', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const getFailure = async (change: (url: URL) => void) => {
    const url = new URL(database.url);
    change(url);
    const error: unknown = await migrate(url.href).then(
      () => null,
      (cause: unknown) => cause,
    );
    if (!(error instanceof StartFailure)) throw new Error(`No explanation of ${String(error)}`);
    expect(error.message).not.toContain(new URL(database.url).password);
    expect(error.message.split('\n')).toHaveLength(2);
    return error;
  };

  it('is explained when the password is wrong, with how to write it', async () => {
    const { what, fix } = await getFailure((url) => (url.password = 'wrong'));
    expect(what).toMatch(/^PostgreSQL at 127\.0\.0\.1:\d+ refuses the password of user tollgate$/);
    expect(fix).toContain('%XX');
  });

  it('is explained when the database does not exist', async () => {
    const { what, fix } = await getFailure((url) => (url.pathname = '/other'));
    expect(what).toContain('has no database other');
    expect(fix).toContain('CREATE DATABASE other');
  });

  it('is explained when no server listens there, and when the name does not exist', async () => {
    const port = await findFreePort();
    expect((await getFailure((url) => (url.port = String(port)))).what).toBe(
      `No PostgreSQL server answers at 127.0.0.1:${port}`,
    );
    expect((await getFailure((url) => (url.hostname = 'db.invalid'))).what).toMatch(
      /^The host name of db\.invalid:/,
    );
  });

  it('is explained when the URL requires TLS and the server has none', async () => {
    const { what, fix } = await getFailure((url) => url.searchParams.set('sslmode', 'require'));
    expect(what).toContain('TLS');
    expect(fix).toContain('sslmode');
  });

  it('is explained when something else answers', { timeout: 40_000 }, async () => {
    const other = createServer((socket) =>
      socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    );
    const port = await findFreePort();
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    try {
      expect((await getFailure((url) => (url.port = String(port)))).fix).toContain('DATABASE_URL');
    } finally {
      other.close();
    }
  });

  it('is explained when the user may not create tables', async () => {
    const role = `weak_${process.pid}`;
    await database.db.sql.unsafe(`CREATE ROLE ${role} LOGIN PASSWORD 'weak'`);
    const name = `weak_db_${process.pid}`;
    await database.db.sql.unsafe(`CREATE DATABASE ${name} TEMPLATE template0`);
    try {
      const { what, fix } = await getFailure((url) => {
        url.username = role;
        url.password = 'weak';
        url.pathname = `/${name}`;
      });
      expect(what).toContain(`User ${role} has too few rights in database ${name}`);
      expect(fix).toContain('OWNER TO');
    } finally {
      await database.db.sql.unsafe(`DROP DATABASE ${name}`);
      await database.db.sql.unsafe(`DROP ROLE ${role}`);
    }
  });
});

describe('the output of PostgreSQL programs', () => {
  it.each([
    ['initdb: error: could not create directory "/x": No space left on device', 'full'],
    [
      'postgres: error while loading shared libraries: libicui18n.so.60: cannot open',
      'library libicui18n.so.60',
    ],
    ["initdb: /lib/libc.so.6: version `GLIBC_2.34' not found", 'glibc'],
    ['FATAL:  data directory "/x" has wrong ownership', 'different users'],
    ['FATAL:  data directory "/x" has invalid permissions', 'Other users may read'],
    ['FATAL:  could not create shared memory segment: No space left on device', 'shared memory'],
    ['FATAL:  could not map anonymous shared memory: Cannot allocate memory', 'not enough memory'],
    [
      'DETAIL:  The data directory was initialized by PostgreSQL version 17, which is not compatible with this version 18.4.',
      'created by PostgreSQL 17',
    ],
    ['PANIC:  could not locate a valid checkpoint record', 'damaged'],
    ['FATAL:  lock file "postmaster.pid" already exists', 'already running on'],
    ['initdb: error: invalid locale settings; check LANG and LC_* environment variables', 'locale'],
    ['FATAL:  could not open file "/x": Permission denied', 'no permission'],
  ])('%s', (output, expected) => {
    expect(explainPostgres(output, '/')?.what).toContain(expected);
  });

  it('stays unchanged when its cause is unknown', () => {
    expect(explainPostgres('FATAL:  something new', '/')).toBeNull();
  });
});
