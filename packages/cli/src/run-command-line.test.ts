import { createTestDatabase } from '@tollgate/testing/database';
import { describe, expect, it } from 'vitest';
import { createProgram } from './program.ts';
import { spawnTollgate } from './testing/run-tollgate.ts';
import { listLeaves } from './testing/examples.ts';

const tollgate = spawnTollgate({ DATABASE_URL: 'postgres://missing@127.0.0.1:1/none' });

describe('tollgate', () => {
  it('prints help to stdout', async () => {
    const { code, stdout, stderr } = await tollgate('--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('$ tollgate key create --account you@example.com');
  });

  it.each([
    ['account', 'No command given. See `tollgate account --help`'],
    ['nonsense', "unknown command 'nonsense'. See `tollgate --help`"],
    ['key create --account you@example.com', "required option '--name <name>' not specified"],
    ['key list --account missing', '--account: Enter an email address such as you@example.com'],
    ['model list extra', 'too many arguments'],
  ])('rejects `tollgate %s` with a one-line usage error', async (line, message) => {
    const { code, stdout, stderr } = await tollgate(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('prints errors as JSON with --json', async () => {
    const usage = await tollgate('key create --json');
    expect(JSON.parse(usage.stderr)).toMatchObject({ error: { code: 'usage' } });
    const { code, stdout, stderr } = await tollgate('account list --json');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({ error: { message: expect.stringContaining('127.0.0.1:1') } });
  });

  it('names every invalid variable', async () => {
    const { code, stderr } = await spawnTollgate({ DATABASE_URL: 'mysql://x', API_PORT: '0' })(
      'account list',
    );
    expect(code).toBe(1);
    expect(stderr).toContain('DATABASE_URL must look like postgres://');
    expect(stderr).toContain('API_PORT must be a port from 1 to 65535');
  });

  it('refuses a schema that is outdated or too new', async () => {
    await using database = await createTestDatabase();
    const here = spawnTollgate({ DATABASE_URL: database.url });
    expect((await here('migrate')).stdout).toMatch(/^No migrations to apply\. Schema version: \d+\n$/);
    await database.db.sql`INSERT INTO schema_migrations (version, name) VALUES (9999, 'of the future')`;
    expect(await here('account list')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Use a newer release'),
    });
    await database.db.sql`DELETE FROM schema_migrations`;
    expect(await here('account list')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('`tollgate migrate`'),
    });
  });

  it('refuses SQL functions of an older release until they are migrated', { timeout: 60_000 }, async () => {
    await using database = await createTestDatabase();
    const here = spawnTollgate({ DATABASE_URL: database.url });
    await database.db.sql`ALTER FUNCTION open_balance() COST 7`;
    expect((await here('account list')).stderr).toContain('run `tollgate migrate`');
    expect((await here('migrate')).stdout).toContain('Updated 1 SQL function.');
    expect(await here('account list')).toMatchObject({ code: 0 });
  });

  it('refuses SQL functions of a newer release', { timeout: 60_000 }, async () => {
    await using database = await createTestDatabase();
    const here = spawnTollgate({ DATABASE_URL: database.url });
    await database.db.sql`UPDATE schema_functions SET revision = revision + 1`;
    expect((await here('account list')).stderr).toContain('the SQL functions of a newer release');
    expect((await here('doctor')).stdout).toContain('the SQL functions are those of a newer release');
    expect((await here('migrate')).stderr).toContain('functions are never downgraded');
  });

  it('has --json and an example for every command', () => {
    const leaves = listLeaves(createProgram());
    expect(leaves.length).toBeGreaterThan(30);
    for (const { command } of leaves) {
      expect(command.options.map((option) => option.long)).toContain('--json');
      expect(command.summary()).not.toBe('');
    }
  });
});
